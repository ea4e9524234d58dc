//! Users' files: keys, encrypted files, commitments and proofs; what is refused, and that nothing is
//! left behind then.

use crate::desk::{Desk, Outcome, RINGWORK, file};
use ringwork::{
    object::{HEADER_BYTES, Kind, Purpose},
    registry,
};
use std::{
    io::Write,
    process::{Command, Stdio},
};

/// Bytes of the payload's chunks, with their tags.
const CHUNK: usize = 65536 + 16;
const NONCE_BYTES: usize = 16;

fn schemes() -> impl Iterator<Item = &'static str> {
    registry::all(Purpose::Encapsulation).map(|d| d.name)
}

/// A desk with an identity `secret` and its recipient in `public`.
fn with_keys(options: &str) -> Desk {
    let desk = Desk::new();
    add_keys(&desk, options, "secret", "public");
    desk
}

fn add_keys(desk: &Desk, options: &str, secret: &str, public: &str) -> Outcome {
    let made = desk.run(&format!("keygen {options} -o {secret}")).is(0);
    desk.run(&format!("key public {secret} -o {public}")).is(0);
    made
}

/// Bytes in front of the chunks: header and nonce.
fn head_bytes(encrypted: &[u8]) -> usize {
    let mac = encrypted.windows(5).position(|bytes| bytes == b"\n--- ").unwrap();
    mac + 1 + encrypted[mac + 1..].iter().position(|&byte| byte == b'\n').unwrap() + 1 + NONCE_BYTES
}

/// Decryption refuses, says so, writes nothing.
#[track_caller]
fn refuses(desk: &Desk, encrypted: &[u8], words: &str) {
    desk.put("encrypted", encrypted);
    let before = desk.files();
    let outcome = desk.run("decrypt -i secret -o opened encrypted").says(3, words);
    assert!(outcome.bytes.is_empty());
    assert_eq!(desk.files(), before);
    let outcome = desk.run_with("decrypt -i secret", encrypted).says(3, words);
    assert!(outcome.bytes.is_empty(), "plaintext reached standard output");
    assert_eq!(desk.files(), before);
}

#[test]
fn every_scheme_brings_files_back() {
    let mut for_research = 0;
    for scheme in schemes().chain(["mlkem768x25519", "x25519"]) {
        let desk = with_keys(&format!("--scheme {scheme}"));
        let reason = registry::encapsulation(scheme).and_then(|scheme| scheme.research_reason());
        let research = reason.map_or("", |_| "--research");
        for (length, armor) in [(0, ""), (65537, ""), (100, "-a")] {
            desk.put("plain", file(length));
            let made =
                desk.run(&format!("encrypt -R public -o encrypted plain --force --json {armor} {research}")).is(0);
            assert_eq!(made.json()["schemes"], serde_json::json!([scheme]));
            assert_eq!(desk.bytes("encrypted").starts_with(b"-----BEGIN AGE"), !armor.is_empty());
            let outcome = desk.run("decrypt -i secret -o opened encrypted --force --json").is(0).json();
            assert_eq!((&outcome["scheme"], &outcome["bytes"]), (&scheme.into(), &length.into()));
            assert!(desk.bytes("opened") == file(length), "{scheme}, {length} bytes");
        }
        if !research.is_empty() {
            for_research += 1;
            let before = desk.files();
            desk.run("encrypt -R public -o again plain").says(2, "loses a file with probability 2^");
            assert_eq!(desk.files(), before);
        }
    }
    assert!(for_research > 0);
}

#[test]
fn every_size_comes_back_through_pipes() {
    let desk = with_keys("");
    for length in [0, 1, 65535, 65536, 65537, 131_072, 3_000_001] {
        let bytes = file(length);
        let encrypted = desk.run_with("encrypt -R public", &bytes).is(0).bytes;
        let chunks = length.div_ceil(65536).max(1);
        assert_eq!(encrypted.len(), head_bytes(&encrypted) + length + 16 * chunks);
        let opened = desk.run_with("decrypt -i secret", &encrypted).is(0).bytes;
        assert!(opened == bytes, "{length} bytes");
        let armored = desk.run_with("encrypt -R public -a", &bytes).is(0);
        assert!(armored.out.ends_with("-----END AGE ENCRYPTED FILE-----\n"));
        assert!(desk.run_with("decrypt -i secret", &armored.bytes).is(0).bytes == bytes, "{length} bytes, armored");
        desk.put("encrypted", &encrypted);
        desk.run("decrypt -i secret -o opened encrypted --force").is(0);
        assert!(desk.bytes("opened") == bytes, "{length} bytes");
    }
    assert_eq!(desk.files(), ["encrypted", "opened", "public", "secret"]);
}

#[test]
fn whatever_is_changed_is_refused_and_leaves_nothing_behind() {
    let desk = with_keys("");
    let length = 3 * 65536 + 100;
    let whole = desk.run_with("encrypt -R public", file(length)).is(0).bytes;
    let head = head_bytes(&whole);
    let chunk = |i: usize| &whole[head + i * CHUNK..whole.len().min(head + (i + 1) * CHUNK)];
    let changed = |at: usize| {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        changed
    };
    // To another digit of base64.
    let other_digit = |at: usize| {
        let mut changed = whole.clone();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        changed
    };
    refuses(&desk, &changed(0), "this is no file of age: those begin with");
    refuses(&desk, &changed(20), "another version");
    refuses(&desk, &changed(27), "none of the identities (mlkem768x25519) opens it");
    refuses(&desk, &other_digit(60), "opens it; it is encrypted to mlkem768x25519");
    refuses(&desk, &other_digit(head - NONCE_BYTES - 10), "the header was changed: its authentication code is wrong");
    refuses(&desk, &changed(head - 1), "refused at its beginning");
    refuses(&desk, &changed(head), "refused at its beginning");
    refuses(&desk, &changed(head + CHUNK), "refused after 65536 bytes");
    refuses(&desk, &changed(head + 2 * CHUNK - 1), "refused after 65536 bytes");
    refuses(&desk, &changed(whole.len() - 1), "refused after 196608 bytes");
    // Cut off: within the header, behind it, within the nonce, around every boundary of chunks.
    refuses(&desk, b"", "this is no file of age");
    for length in [19, 22, 500, head - NONCE_BYTES - 1, head - NONCE_BYTES, head - 1] {
        refuses(&desk, &whole[..length], "truncated");
    }
    for length in [head, head + 1, head + 15, head + 16, head + CHUNK - 1] {
        refuses(&desk, &whole[..length], "refused at its beginning");
    }
    for (length, after) in [
        (head + CHUNK, 65536),
        (head + CHUNK + 1, 65536),
        (head + 2 * CHUNK, 131_072),
        (head + 3 * CHUNK, 196_608),
        (whole.len() - 1, 196_608),
    ] {
        refuses(&desk, &whole[..length], &format!("refused after {after} bytes"));
    }
    // Put behind, exchanged, left out, doubled.
    refuses(&desk, &[&*whole, &[0]].concat(), "refused after 196608 bytes");
    refuses(&desk, &[&*whole, &whole].concat(), "refused after 196608 bytes");
    let shuffled = |order: &[usize]| {
        let chunks: Vec<u8> = order.iter().flat_map(|&i| chunk(i)).copied().collect();
        [&whole[..head], &chunks].concat()
    };
    refuses(&desk, &shuffled(&[1, 0, 2, 3]), "refused at its beginning");
    refuses(&desk, &shuffled(&[0, 2, 1, 3]), "refused after 65536 bytes");
    refuses(&desk, &shuffled(&[0, 1, 3]), "refused after 131072 bytes");
    refuses(&desk, &shuffled(&[0, 1, 1, 3]), "refused after 131072 bytes");
    desk.put("encrypted", shuffled(&[0, 1, 2, 3]));
    desk.run("decrypt -i secret -o opened encrypted").is(0);
    assert!(desk.bytes("opened") == file(length));
    std::fs::remove_file(desk.path("opened")).unwrap();
    // A header without an end takes no memory without an end.
    let endless = [b"age-encryption.org/v1\n-> X25519 ", &*vec![b'a'; 5 << 20]].concat();
    refuses(&desk, &endless, "a header has 2097152 bytes at most");
    let armored = desk.run_with("encrypt -R public -a", "a letter").is(0).out;
    refuses(&desk, armored.replace("\n", "\n ").as_bytes(), "armor");
    refuses(&desk, format!("{armored}more").as_bytes(), "the armor is malformed");
    refuses(&desk, &armored.as_bytes()[..armored.len() - 40], "armor");
    desk.put("encrypted", format!(" \n{armored}\n "));
    assert_eq!(desk.run("decrypt -i secret encrypted").is(0).out, "a letter");
}

/// The pipe holds less than what is written, so the command has verified some of it when it is
/// killed.
#[test]
fn whoever_is_killed_leaves_nothing_behind() {
    let desk = with_keys("");
    let encrypted = desk.run_with("encrypt -R public", file(1 << 20)).is(0).bytes;
    let mut child = Command::new(RINGWORK)
        .args("decrypt -i secret -o opened".split(' '))
        .current_dir(desk.path(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&encrypted[..encrypted.len() - 1]).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(desk.files(), ["public", "secret"]);
}

#[test]
fn several_recipients_open_one_file() {
    let desk = with_keys("");
    add_keys(&desk, "", "secret2", "public2");
    add_keys(&desk, "", "secret3", "public3");
    let list = format!("# friends\n\n{}\r\n  {} # no comment\n", desk.read("public"), desk.read("public2").trim());
    desk.put("list", &list);
    desk.run_with("encrypt -R list -o x", "x").says(3, "list: line 5: ");
    desk.put("list", list.replace(" # no comment", ""));
    desk.put("plain", "a letter");
    let third = desk.read("public3");
    desk.run(&format!("encrypt -R list -r {} -o encrypted plain", third.trim())).is(0);
    for secret in ["secret", "secret2", "secret3"] {
        assert_eq!(desk.run(&format!("decrypt -i {secret} encrypted")).is(0).out, "a letter");
    }
    // The recipients of identities, several in a file; and the one among several that fits.
    desk.put("both", format!("{}\n# another\n{}", desk.read("secret"), desk.read("secret2")));
    desk.run("encrypt -i both -o to-both plain").is(0);
    assert_eq!(desk.run("key inspect to-both --json").is(0).json()["objects"][0]["stanzas"]["mlkem768x25519"], 2);
    desk.run("encrypt -R public2 -o to-second plain").is(0);
    for line in ["decrypt -i both to-second", "decrypt -i secret -i secret2 to-second", "decrypt -i secret2 to-both"] {
        assert_eq!(desk.run(line).is(0).out, "a letter");
    }
    assert_eq!(desk.run_with("decrypt -i - to-second", desk.bytes("both")).is(0).out, "a letter");
    desk.run("decrypt -i secret3 to-both").says(3, "it is encrypted to 2 times mlkem768x25519");
    assert_eq!(desk.run("key public both").is(0).out, desk.read("public") + &desk.read("public2"));
}

#[test]
fn kinds_of_recipients_are_not_mixed() {
    let desk = with_keys("");
    add_keys(&desk, "--scheme x25519", "weak", "weak.pub");
    add_keys(&desk, "--scheme nttru-768", "study", "study.pub");
    desk.put("plain", "x");
    let before = desk.files();
    for (line, words) in [
        (
            "-R public -R weak.pub",
            "one recipient is post-quantum (age1pq1…), another open to a quantum computer (age1…)",
        ),
        ("-R public -R study.pub", "another for research (age1ringwork1…)"),
        ("-R study.pub -R weak.pub", "one recipient is for research (age1ringwork1…)"),
        ("-p -R public", "cannot be used with"),
        ("", "nobody is named who can decrypt"),
    ] {
        desk.run(&format!("encrypt {line} -o new plain")).says(2, words);
    }
    assert_eq!(desk.files(), before);
}

#[test]
fn another_key_opens_nothing() {
    let desk = with_keys("");
    add_keys(&desk, "", "secret2", "public2");
    desk.put("plain", "a letter");
    desk.run("encrypt -R public2 -o encrypted plain").is(0);
    refuses(&desk, &desk.bytes("encrypted"), "none of the identities");
    desk.run("decrypt -i secret2 -o opened encrypted").is(0);
    assert_eq!(desk.read("opened"), "a letter");

    let other = schemes().last().unwrap();
    add_keys(&desk, &format!("--scheme {other}"), "secret3", "public3");
    desk.run("keygen --scheme bdlop-1024 -o key").is(0);
    let before = desk.files();
    let refused = desk.run("decrypt -i secret3 -o again encrypted").says(3, "it is encrypted to mlkem768x25519");
    assert!(refused.err.contains(other), "{}", refused.err);
    for (line, code, words) in [
        ("decrypt -i public2 encrypted", 3, "public2: line 1: this is a recipient, and an identity is needed"),
        (
            "encrypt -R secret2 plain",
            3,
            "secret2: line 3: this is an identity, which is secret, and a recipient is needed",
        ),
        ("decrypt -i plain encrypted", 3, "plain: line 1: this is no identity: those begin with AGE-SECRET-KEY-PQ-1"),
        ("decrypt -i key encrypted", 3, "key: this is no file of identities"),
        (
            "decrypt -i encrypted encrypted",
            3,
            "encrypted: this is an encrypted file, and a file of identities is needed",
        ),
        ("encrypt -R plain plain", 3, "plain: line 1: this is no recipient: those begin with age1pq1"),
        ("encrypt -R nowhere plain", 3, "nowhere: cannot be read"),
        ("decrypt -i secret2 plain", 3, "plain: this is no file of age: those begin with age-encryption.org/v1"),
        ("decrypt -i secret2 key", 3, "key: this is no file of age"),
        ("decrypt encrypted", 3, "it is encrypted to keys; -i names the file of an identity"),
        ("decrypt -i secret2 -o again nowhere", 3, "nowhere: cannot be read"),
        ("encrypt -R public2 -o again nowhere", 3, "nowhere: cannot be read"),
        ("encrypt -R public2 -o no/such/folder plain", 3, "there is no folder"),
        ("encrypt -R public2 -o . plain", 3, ".: this is a folder"),
        ("encrypt -R public2 -o again .", 3, ".: this is a folder"),
        ("encrypt -R - -o again", 2, "standard input can be read once"),
        ("decrypt -i - -o again", 2, "standard input can be read once"),
    ] {
        desk.run(line).says(code, words);
    }
    assert_eq!(desk.files(), before);
    desk.put("empty", "# nothing yet\n\n");
    desk.run("encrypt -R empty plain").says(3, "empty: there is no recipient in it");
    desk.run("decrypt -i empty encrypted").says(3, "empty: there is no identity in it");
}

#[test]
fn wrong_recipients_are_refused_with_a_reason() {
    let desk = with_keys("");
    desk.put("plain", "x");
    let secret = desk.read("secret");
    let secret = secret.lines().last().unwrap();
    let recipient = desk.read("public").trim().to_owned();
    let mistyped =
        if recipient.ends_with('q') { recipient.replace("age1pq1", "age1pq1q") } else { recipient.clone() + "q" };
    let damaged = secret[..70].to_owned();
    for (recipient, words) in [
        (&*damaged, "not in Bech32"),
        (secret, "this is an identity, which is secret, and a recipient is needed; `ringwork key public`"),
        ("alice.pub", "this is no recipient: those begin with age1pq1, age1, ssh-ed25519 or ssh-rsa; -R names a file"),
        ("ssh-ed25519", "a key of SSH is its type and its base64, which are one argument, in quotation marks"),
        ("sshd", "this is no recipient"),
        (&*mistyped, "not in Bech32, as keys are written"),
        (&recipient[..100], "not in Bech32, as keys are written"),
        ("age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3q", "its checksum is wrong"),
    ] {
        let refused = desk.run(&format!("encrypt -r {recipient} -o new plain")).says(2, words);
        assert!(!refused.err.contains(&secret[19..30]), "a secret is said again: {}", refused.err);
    }
    assert_eq!(desk.files(), ["plain", "public", "secret"]);
}

#[test]
fn passphrases_open_files() {
    let desk = with_keys("");
    desk.put("plain", file(100_000));
    desk.put("right", "correct horse\n");
    desk.put("same", "correct horse");
    desk.put("wrong", "incorrect horse\n");
    desk.put("none", "\nfirst line is empty");
    desk.run("encrypt -p --passphrase-file right -o encrypted plain").is(0);
    assert!(desk.bytes("encrypted").starts_with(b"age-encryption.org/v1\n-> scrypt "));
    let before = desk.files();
    desk.run("decrypt --passphrase-file wrong -o opened encrypted").says(3, "encrypted: the passphrase is wrong");
    desk.run("decrypt --passphrase-file none -o opened encrypted").says(2, "the passphrase is empty");
    desk.run("decrypt -i secret -o opened encrypted").says(3, "it is encrypted to a passphrase, not to a key");
    desk.run("encrypt -p --passphrase-file none -o new plain").says(2, "the passphrase is empty");
    assert_eq!(desk.files(), before);
    let opened = desk.run("decrypt --passphrase-file same encrypted --json -o opened").is(0).json();
    assert_eq!(opened["scheme"], "scrypt");
    assert!(desk.bytes("opened") == file(100_000));
    // Keys under a passphrase.
    desk.run("keygen -p --passphrase-file right -o locked").is(0);
    assert!(desk.bytes("locked").starts_with(b"age-encryption.org/v1\n-> scrypt "));
    desk.run("key public locked --passphrase-file right -o locked.pub").is(0);
    desk.run("key public locked --passphrase-file wrong").says(3, "locked: the passphrase is wrong");
    desk.run("encrypt -R locked.pub -o new plain").is(0);
    desk.run("decrypt -i locked --passphrase-file right -o opened new --force").is(0);
    assert!(desk.bytes("opened") == file(100_000));
}

#[test]
fn secrets_are_not_replaced_nor_readable_by_others() {
    let desk = with_keys("");
    let secret = desk.bytes("secret");
    desk.run("keygen -o secret").says(3, "--force");
    assert!(desk.bytes("secret") == secret);
    desk.run("keygen -o secret --force").is(0);
    assert!(desk.bytes("secret") != secret);
    desk.run("keygen --scheme nonsense -o secret2").says(2, "the schemes are mlkem768x25519, x25519, mlwe-256");
    desk.run("key public secret -o public --force").is(0);
    desk.put("plain", "x");
    desk.run("encrypt -R public -o encrypted plain").is(0);
    desk.put("opened", "something dear");
    desk.run("decrypt -i secret -o opened encrypted").says(3, "--force");
    assert_eq!(desk.read("opened"), "something dear");
    desk.run("decrypt -i secret -o opened encrypted --force").is(0);
    assert_eq!(desk.files(), ["encrypted", "opened", "plain", "public", "secret"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(desk.path("secret")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}

/// One object of every kind.
fn with_everything() -> (Desk, Vec<(Kind, &'static str)>) {
    let desk = with_keys("");
    desk.put("plain", file(70_000));
    desk.run("keygen --scheme bdlop-1024 -o key").is(0);
    desk.commit("a", b"message", "--key key").is(0);
    desk.run("prove --by me --commitment a.c --opening a.o --proof proof").is(0);
    desk.run("kex init --secret exchange --out offer --set usenix2016").is(0);
    desk.run("kex respond --in offer --out reply --key shared").is(0);
    let names = ["key", "a.c", "a.o", "proof", "exchange", "offer", "reply"];
    (desk, Kind::ALL.into_iter().zip(names).collect())
}

#[test]
fn every_object_can_be_looked_at_and_shows_no_secret() {
    let (desk, objects) = with_everything();
    let names: Vec<&str> = objects.iter().map(|(_, name)| *name).collect();
    let outcome = desk.run(&format!("key inspect {} --json", names.join(" "))).is(0);
    let found = outcome.json();
    for (i, (kind, name)) in objects.iter().enumerate() {
        let facts = &found["objects"][i];
        assert_eq!(facts["kind"], kind.to_string());
        assert_eq!(
            facts["body_bytes"],
            desk.bytes(name)[HEADER_BYTES..].len().min(facts["body_bytes"].as_u64().unwrap() as usize)
        );
        let text = desk.run(&format!("key inspect {name}")).is(0).out;
        assert!(text.contains(&kind.to_string()) && text.contains("bits classical"), "{text}");
        let hex: String =
            desk.bytes(name)[HEADER_BYTES - 32..].iter().take(1 << 16).map(|b| format!("{b:02x}")).collect();
        let windows = (0..hex.len() - 16).step_by(2).filter(|i| outcome.out.contains(&hex[*i..i + 16]));
        assert_eq!(
            kind.is_secret(),
            windows.count() == 0,
            "a digest or seed of what is public is shown, of secrets nothing"
        );
    }
    assert_eq!((&found["objects"][2]["committer"], &found["objects"][2]["context"]), (&"me".into(), &"".into()));
    desk.run("encrypt -R public -o encrypted plain").is(0);
    desk.run("encrypt -R public -a -o armored plain").is(0);
    let outcome = desk.run("key inspect encrypted armored secret public --json").is(0);
    let found = outcome.json();
    for (i, kind) in ["encrypted file", "encrypted file", "identity", "recipient"].into_iter().enumerate() {
        assert_eq!(found["objects"][i]["kind"], kind);
    }
    assert_eq!((&found["objects"][0]["armored"], &found["objects"][1]["armored"]), (&false.into(), &true.into()));
    assert_eq!(found["objects"][1]["stanzas"]["mlkem768x25519"], 1);
    assert_eq!(
        (&found["objects"][2]["recipient"], &found["objects"][2]["post_quantum"]),
        (&desk.read("public").trim().into(), &true.into())
    );
    assert!(!outcome.out.to_uppercase().contains("AGE-SECRET-KEY"), "{}", outcome.out);
    add_keys(&desk, "--scheme nttru-768", "study", "study.pub");
    let outcome = desk.run("key inspect study --json").is(0);
    assert!(outcome.json()["objects"][0]["failure_log2"].as_f64().unwrap() < -64.0);
    assert!(!outcome.out.to_uppercase().contains("AGE-PLUGIN"), "{}", outcome.out);
    desk.run("key inspect plain").says(3, "plain: this is no object of ringwork, no file of age");
    let from_pipe = desk.run_with("key inspect -", desk.bytes("public")).is(0).out;
    assert!(from_pipe.contains("standard input"), "{from_pipe}");
}

/// Every kind of damage, for every kind of object, wherever such an object is read.
#[test]
fn malformed_objects_are_refused_everywhere() {
    let (desk, objects) = with_everything();
    let readers = |kind: Kind| match kind {
        Kind::CommitmentKey => vec!["commit --by me --key bad --message message --commitment new --opening new2"],
        Kind::Commitment => vec![
            "open --by me --commitment bad --opening a.o",
            "prove --by me --commitment bad --opening a.o --proof new",
            "verify-proof --by me --commitment bad --proof proof",
        ],
        Kind::Opening => {
            vec![
                "open --by me --commitment a.c --opening bad",
                "prove --by me --commitment a.c --opening bad --proof new",
            ]
        }
        Kind::ExchangeSecret => vec!["kex finish --secret bad --in reply --key new"],
        Kind::ExchangeOffer => vec!["kex respond --in bad --out new --key new2"],
        Kind::ExchangeReply => vec!["kex finish --secret exchange --in bad --key new"],
        _ => vec!["verify-proof --by me --commitment a.c --proof bad"],
    };
    desk.put("bad", "");
    let before = desk.files();
    for (kind, name) in objects {
        let good = desk.bytes(name);
        let length = good.len();
        let description = registry::decode(&good[..length]).unwrap().header.description;
        let with = |at: usize, value: &[u8]| {
            let mut bad = good.clone();
            bad[at..at + value.len()].copy_from_slice(value);
            bad
        };
        let body = &good[HEADER_BYTES..length];
        let other = registry::all(description.purpose).nth(1).unwrap();
        let wrong_kind = if kind == Kind::Proof { Kind::Opening } else { Kind::Proof };
        let wrong_kind = match description.purpose {
            Purpose::Exchange => EXCHANGE[(kind as usize) % 3],
            _ => wrong_kind,
        };
        let mut table = vec![
            (b"".to_vec(), "truncated: there must be 76 bytes, and there are 0"),
            (b"not at all".to_vec(), "those begin with RINGWORK"),
            (good[..40].to_vec(), "truncated: there must be 76 bytes, and there are 40"),
            (good[..length - 1].to_vec(), "truncated"),
            (with(8, &[9]), "this has version 9"),
            (with(9, &[77]), "kind 77 is not known"),
            (with(10, &[77]), "scheme 77 with parameters"),
            (with(14, &[9]), "the number of the ring is 9"),
            (with(15, &[9]), "the number of the order is 9"),
            (with(16, &[255]), "n is "),
            (with(20, &[4]), "q is "),
            (with(28, &[255]), "the root is "),
            (with(39, &[255]), "it has 16777216 at most"),
            (with(44, &[good[44] ^ 1]), "the digest does not match"),
            (with(length - 1, &[good[length - 1] ^ 1]), "the digest does not match"),
            (description.encode(wrong_kind, body), "is needed"),
            (description.encode(kind, b""), ""),
        ];
        if kind != Kind::Opening {
            // A longer opening is another one: it does not open, which is an answer.
            table.push((description.encode(kind, &[body, &[0]].concat()), ""));
        }
        if kind != Kind::ExchangeOffer {
            table.push((other.encode(kind, body), "")); // a set travels with the offer
        }
        table.push(([&*good, &[0]].concat(), "there are bytes behind the end"));
        if kind != Kind::CommitmentKey {
            table.push((description.encode(kind, &vec![255; body.len()]), ""));
        }
        for (bad, words) in table {
            desk.put("bad", &bad);
            let lines = readers(kind);
            for line in lines {
                let outcome = desk.run(line).says(3, words);
                assert!(outcome.bytes.is_empty(), "{line}: {}", outcome.out);
                assert_eq!(desk.files(), before, "{line}");
            }
        }
    }
}

const EXCHANGE: [Kind; 3] = [Kind::ExchangeSecret, Kind::ExchangeOffer, Kind::ExchangeReply];

/// M10: what is made unless another scheme is named, and what is said of it.
#[test]
fn schemes_say_what_they_are() {
    let desk = Desk::new();
    desk.put("plain", "x");
    for scheme in ["mlwe-256", "mlwe-256-p3", "nttru-768", "ntru-1024"] {
        let made = desk.run(&format!("keygen --scheme {scheme} -o secret --force --json")).is(0);
        assert_eq!(made.json()["scheme"], scheme);
        desk.run("key public secret -o public --force").is(0);
        let encrypted = desk.run("encrypt -R public -o encrypted plain --force").is(0);
        for said in [&made.err, &encrypted.err, &desk.read("secret")] {
            for part in [scheme, "research construction, not a standard", " bits classical", "ML-KEM"] {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    }
    let made = desk.run("keygen -o standard").is(0);
    let text = desk.read("standard");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 3 && lines[0].starts_with("# created: 2") && lines[2].starts_with("AGE-SECRET-KEY-PQ-1"));
    let recipient = lines[1].strip_prefix("# public key: ").unwrap();
    assert!(recipient.starts_with("age1pq1") && made.out == format!("{recipient}\n"));
    assert_eq!(made.err, "");
}
