//! Users' files: keys, sealed files, commitments and proofs; what is refused, and that nothing is
//! left behind then.

use crate::desk::{Desk, RINGWORK, file};
use ringwork::{
    object::{HEADER_BYTES, Kind, Purpose},
    registry,
    seal::{SEGMENT_BYTES, TAG_BYTES},
};
use std::{
    io::Write,
    process::{Command, Stdio},
};

const WHOLE: usize = SEGMENT_BYTES + TAG_BYTES;

fn schemes() -> impl Iterator<Item = &'static str> {
    registry::all(Purpose::Encapsulation).map(|d| d.name)
}

/// A desk with keys `public` and `secret`.
fn with_keys(options: &str) -> Desk {
    let desk = Desk::new();
    desk.run(&format!("keygen {options} --public public --secret secret")).is(0);
    desk
}

/// Bytes of the object in front of the segments.
fn head_bytes(sealed: &[u8]) -> usize {
    HEADER_BYTES + u64::from_le_bytes(sealed[36..44].try_into().unwrap()) as usize
}

/// Decryption refuses, says so, writes nothing.
#[track_caller]
fn refuses(desk: &Desk, sealed: &[u8], words: &str) {
    desk.put("sealed", sealed);
    let before = desk.files();
    let outcome = desk.run("decrypt --key secret --in sealed --out opened").says(3, words);
    assert!(outcome.bytes.is_empty());
    assert_eq!(desk.files(), before);
    let outcome = desk.run_with("decrypt --key secret --in - --out -", sealed).says(3, words);
    assert!(outcome.bytes.is_empty(), "plaintext reached standard output");
    assert_eq!(desk.files(), before);
}

#[test]
fn every_scheme_brings_files_back() {
    let mut for_research = 0;
    for scheme in schemes() {
        let desk = with_keys(&format!("--scheme {scheme}"));
        let research = registry::encapsulation(scheme).unwrap().research_reason().map_or("", |_| "--research");
        for length in [0, 65537] {
            desk.put("plain", file(length));
            desk.run(&format!("encrypt --to public --in plain --out sealed --force {research}")).is(0);
            let outcome = desk.run("decrypt --key secret --in sealed --out opened --force --json").is(0).json();
            assert_eq!((&outcome["scheme"], &outcome["bytes"]), (&scheme.into(), &length.into()));
            assert!(desk.bytes("opened") == file(length), "{scheme}, {length} bytes");
        }
        if !research.is_empty() {
            for_research += 1;
            let before = desk.files();
            desk.run("encrypt --to public --in plain --out again").says(2, "loses a file with probability 2^");
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
        let sealed = desk.run_with("encrypt --to public --in - --out -", &bytes).is(0).bytes;
        let segments = length.div_ceil(SEGMENT_BYTES).max(1);
        assert_eq!(sealed.len(), head_bytes(&sealed) + length + TAG_BYTES * segments);
        let opened = desk.run_with("decrypt --key secret --in - --out -", &sealed).is(0).bytes;
        assert!(opened == bytes, "{length} bytes");
        desk.put("sealed", &sealed);
        desk.run("decrypt --key secret --in sealed --out opened --force").is(0);
        assert!(desk.bytes("opened") == bytes, "{length} bytes");
    }
    assert_eq!(desk.files(), ["opened", "public", "sealed", "secret"]);
}

#[test]
fn whatever_is_changed_is_refused_and_leaves_nothing_behind() {
    let desk = with_keys("");
    let length = 3 * SEGMENT_BYTES + 100;
    let sealed = desk.run_with("encrypt --to public --in - --out -", file(length)).is(0).bytes;
    let head = head_bytes(&sealed);
    let segment = |i: usize| &sealed[head + i * WHOLE..sealed.len().min(head + (i + 1) * WHOLE)];
    let changed = |at: usize| {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        changed
    };
    refuses(&desk, &changed(0), "those begin with RINGWORK");
    refuses(&desk, &changed(HEADER_BYTES - 1), "the digest does not match");
    refuses(&desk, &changed(HEADER_BYTES), "the digest does not match");
    refuses(&desk, &changed(head - 1), "the digest does not match");
    refuses(&desk, &changed(head), "refused at its beginning");
    refuses(&desk, &changed(head + WHOLE), "refused after 65536 bytes");
    refuses(&desk, &changed(head + 2 * WHOLE - 1), "refused after 65536 bytes");
    refuses(&desk, &changed(sealed.len() - 1), "refused after 196608 bytes");
    // Somebody who can compute digests changes the ciphertext of the key: it is refused, or another
    // key comes out.
    let scheme = registry::by_name(schemes().next().unwrap()).unwrap();
    let forged = scheme.encode(Kind::SealedFile, &changed(head - 1)[HEADER_BYTES..head]);
    refuses(&desk, &[&forged, &sealed[head..]].concat(), "key");
    // Cut off: within the header, behind it, within the ciphertext, behind it, around every
    // boundary of segments.
    for length in [0, 7, HEADER_BYTES - 1, HEADER_BYTES, head - 1] {
        refuses(&desk, &sealed[..length], "truncated");
    }
    for length in [head, head + 1, head + 15, head + 16, head + WHOLE - 1] {
        refuses(&desk, &sealed[..length], "refused at its beginning");
    }
    refuses(&desk, &sealed[..head + WHOLE], "refused at its beginning");
    refuses(&desk, &sealed[..head + WHOLE + 1], "refused after 65536 bytes");
    refuses(&desk, &sealed[..head + 2 * WHOLE], "refused after 65536 bytes");
    refuses(&desk, &sealed[..head + 3 * WHOLE], "refused after 131072 bytes");
    refuses(&desk, &sealed[..sealed.len() - 1], "refused after 196608 bytes");
    // Put behind, exchanged, left out, doubled.
    refuses(&desk, &[&*sealed, &[0]].concat(), "refused after 196608 bytes");
    refuses(&desk, &[&*sealed, &sealed].concat(), "refused after 196608 bytes");
    let shuffled = |order: &[usize]| {
        let segments: Vec<u8> = order.iter().flat_map(|&i| segment(i)).copied().collect();
        [&sealed[..head], &segments].concat()
    };
    refuses(&desk, &shuffled(&[1, 0, 2, 3]), "refused at its beginning");
    refuses(&desk, &shuffled(&[0, 2, 1, 3]), "refused after 65536 bytes");
    refuses(&desk, &shuffled(&[0, 1, 3]), "refused after 131072 bytes");
    refuses(&desk, &shuffled(&[0, 1, 1, 3]), "refused after 131072 bytes");
    desk.put("sealed", shuffled(&[0, 1, 2, 3]));
    desk.run("decrypt --key secret --in sealed --out opened").is(0);
    assert!(desk.bytes("opened") == file(length));
}

/// The pipe holds less than what is written, so the command has verified some of it when it is
/// killed.
#[test]
fn whoever_is_killed_leaves_nothing_behind() {
    let desk = with_keys("");
    let sealed = desk.run_with("encrypt --to public --in - --out -", file(1 << 20)).is(0).bytes;
    let mut child = Command::new(RINGWORK)
        .args("decrypt --key secret --in - --out opened".split(' '))
        .current_dir(desk.path(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&sealed[..sealed.len() - 1]).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(desk.files(), ["public", "secret"]);
}

#[test]
fn another_key_opens_nothing() {
    let desk = with_keys("");
    desk.run("keygen --public public2 --secret secret2").is(0);
    desk.put("plain", "a letter");
    desk.run("encrypt --to public2 --in plain --out sealed").is(0);
    refuses(&desk, &desk.bytes("sealed"), "key");
    desk.run("decrypt --key secret2 --in sealed --out opened").is(0);
    assert_eq!(desk.read("opened"), "a letter");

    let other = schemes().last().unwrap();
    desk.run(&format!("keygen --scheme {other} --public public3 --secret secret3")).is(0);
    let before = desk.files();
    let refused = desk.run("decrypt --key secret3 --in sealed --out again").says(3, "it was sealed by ");
    assert!(refused.err.contains(other), "{}", refused.err);
    desk.run("decrypt --key public2 --in sealed --out again")
        .says(3, "this is a public key, and a secret key is needed");
    desk.run("encrypt --to secret2 --in plain --out again").says(3, "this is a secret key, and a public key is needed");
    desk.run("decrypt --key secret2 --in plain --out again").says(3, "plain: this is no object of ringwork");
    desk.run("decrypt --key secret2 --in nowhere --out again").says(3, "nowhere: cannot be read");
    desk.run("encrypt --to public2 --in nowhere --out again").says(3, "nowhere: cannot be read");
    desk.run("encrypt --to public2 --in plain --out no/such/folder").says(3, "there is no folder");
    desk.run("encrypt --to public2 --in plain --out .").says(3, ".: this is a folder");
    desk.run("encrypt --to public2 --in . --out again").says(3, ".: this is a folder");
    desk.run("encrypt --to - --in - --out again").says(2, "standard input can be read once");
    assert_eq!(desk.files(), before);
}

#[test]
fn secrets_are_not_replaced_nor_readable_by_others() {
    let desk = with_keys("");
    let secret = desk.bytes("secret");
    desk.run("keygen --public public --secret secret").says(3, "--force");
    assert!(desk.bytes("secret") == secret);
    desk.run("keygen --public public --secret secret --force").is(0);
    assert!(desk.bytes("secret") != secret);
    desk.run("keygen --public public9 --secret ./public9").says(2, "named twice");
    desk.run("keygen --public both --secret both").says(2, "both is named twice");
    desk.run("keygen --public public2").says(2, "--secret");
    desk.run("keygen --scheme nonsense --public public2 --secret secret2").says(2, "the schemes are");
    desk.put("plain", "x");
    desk.run("encrypt --to public --in plain --out sealed").is(0);
    desk.put("opened", "something dear");
    desk.run("decrypt --key secret --in sealed --out opened").says(3, "--force");
    assert_eq!(desk.read("opened"), "something dear");
    desk.run("decrypt --key secret --in sealed --out opened --force").is(0);
    assert_eq!(desk.files(), ["opened", "plain", "public", "sealed", "secret"]);
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
    desk.run("encrypt --to public --in plain --out sealed").is(0);
    desk.run("keygen --scheme bdlop-1024 --public key").is(0);
    desk.commit("a", b"message", "--key key").is(0);
    desk.run("prove --by me --commitment a.c --opening a.o --proof proof").is(0);
    desk.run("kex init --secret exchange --out offer").is(0);
    desk.run("kex respond --in offer --out reply --key shared").is(0);
    let names = ["public", "secret", "sealed", "key", "a.c", "a.o", "proof", "exchange", "offer", "reply"];
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
    assert_eq!(found["objects"][0]["fingerprint"], found["objects"][1]["public_key_fingerprint"]);
    assert_eq!((&found["objects"][5]["committer"], &found["objects"][5]["context"]), (&"me".into(), &"".into()));
    assert!(found["objects"][0]["failure_log2"].as_f64().unwrap() < -64.0);
    assert_eq!((&found["objects"][2]["segments"], &found["objects"][2]["file_bytes"]), (&2.into(), &70_000.into()));
    let from_pipe = desk.run_with("key inspect -", desk.bytes("public")).is(0).out;
    assert!(from_pipe.contains("standard input"), "{from_pipe}");
}

/// Every kind of damage, for every kind of object, wherever such an object is read.
#[test]
fn malformed_objects_are_refused_everywhere() {
    let (desk, objects) = with_everything();
    let readers = |kind: Kind| match kind {
        Kind::PublicKey => vec!["encrypt --to bad --in plain --out new"],
        Kind::SecretKey => vec!["decrypt --key bad --in sealed --out new"],
        Kind::SealedFile => vec!["decrypt --key secret --in bad --out new"],
        Kind::CommitmentKey => vec!["commit --by me --key bad --message message --commitment new --opening new2"],
        Kind::Commitment => vec![
            "open --by me --commitment bad --opening a.o",
            "prove --by me --commitment bad --opening a.o --proof new",
            "verify --by me --commitment bad --proof proof",
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
        _ => vec!["verify --by me --commitment a.c --proof bad"],
    };
    desk.put("bad", "");
    let before = desk.files();
    for (kind, name) in objects {
        let good = desk.bytes(name);
        let length = head_bytes(&good);
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
            Purpose::Encapsulation => KINDS[(kind as usize) % 3],
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
        if kind != Kind::SealedFile {
            table.push(([&*good, &[0]].concat(), "there are bytes behind the end"));
        }
        if !matches!(kind, Kind::SealedFile | Kind::CommitmentKey) {
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

const KINDS: [Kind; 3] = [Kind::PublicKey, Kind::SecretKey, Kind::SealedFile];
const EXCHANGE: [Kind; 3] = [Kind::ExchangeSecret, Kind::ExchangeOffer, Kind::ExchangeReply];

/// M10: what is made unless another scheme is named, and what is said of it.
#[test]
fn schemes_say_what_they_are() {
    let desk = Desk::new();
    desk.put("plain", "x");
    for (scheme, name) in [("", "mlwe-256"), ("--scheme nttru-768", "nttru-768")] {
        let made = desk.run(&format!("keygen {scheme} --public public --secret secret --force --json")).is(0);
        assert_eq!(made.json()["scheme"], name);
        let sealed = desk.run("encrypt --to public --in plain --out sealed --force").is(0);
        for said in [made.err, sealed.err] {
            for part in [name, "research construction, not a standard", " bits classical", "ML-KEM"] {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    }
}
