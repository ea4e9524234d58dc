//! Keys of SSH: what is encrypted to them is opened by them, and what is no such key, or one that age does not take, is
//! refused with a reason.

use crate::{
    desk::{Desk, file},
    ssh_keys::{
        ECDSA, ECDSA_PUB, ED25519, ED25519_PUB, LOCKED, LOCKED_PUB, RSA, RSA_1024, RSA_1024_PUB, RSA_PKCS1, RSA_PUB,
    },
};
use base64::{Engine, prelude::BASE64_STANDARD as BASE64};

/// A desk with the keys, and a file.
fn desk() -> Desk {
    let desk = Desk::new();
    for (name, text) in [
        ("ed", ED25519),
        ("ed.pub", ED25519_PUB),
        ("locked", LOCKED),
        ("locked.pub", LOCKED_PUB),
        ("rsa", RSA),
        ("rsa.pub", RSA_PUB),
        ("pkcs1", RSA_PKCS1),
        ("pass", "correct horse\n"),
        ("wrong", "battery staple\n"),
    ] {
        desk.put(name, text);
    }
    desk.put("plain", file(1000));
    desk
}

/// Without its comment.
fn bare(public: &str) -> String {
    public.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The bytes of a private key in PEM, and the other way round.
fn bytes_of(pem: &str) -> Vec<u8> {
    BASE64.decode(pem.lines().filter(|line| !line.starts_with('-')).collect::<String>()).unwrap()
}

fn pem(bytes: &[u8]) -> String {
    let base64 = BASE64.encode(bytes);
    let lines: Vec<_> = base64.as_bytes().chunks(70).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{}\n-----END OPENSSH PRIVATE KEY-----\n", lines.join("\n"))
}

/// A public key of these strings.
fn public(parts: &[&[u8]]) -> String {
    let string = |part: &&[u8]| [&(part.len() as u32).to_be_bytes(), *part].concat();
    let bytes: Vec<u8> = parts.iter().flat_map(string).collect();
    format!("{} {}", String::from_utf8_lossy(parts[0]), BASE64.encode(bytes))
}

/// The same bytes with others in the `nth` place where they stand.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8], nth: usize) -> Vec<u8> {
    let at = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(from)).nth(nth).unwrap();
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

#[test]
fn they_open_what_is_encrypted_to_them() {
    let desk = desk();
    for (secret, public, scheme) in [
        ("ed", "ed.pub", "ssh-ed25519"),
        ("locked --passphrase-file pass", "locked.pub", "ssh-ed25519"),
        ("rsa", "rsa.pub", "ssh-rsa"),
        ("pkcs1", "rsa.pub", "ssh-rsa"),
    ] {
        let name = secret.split(' ').next().unwrap();
        let line = bare(&desk.read(public));
        for to in [format!("-R {public}"), format!("-i {name}")] {
            let made = desk.run(&format!("encrypt {to} -o o plain --force --json")).is(0).json();
            assert_eq!(made["schemes"], serde_json::json!([scheme]));
            let opened = desk.run(&format!("decrypt -i {secret} -o opened o --force --json")).is(0).json();
            assert_eq!(opened["scheme"], scheme);
            assert!(desk.bytes("opened") == file(1000), "{secret}");
        }
        desk.run_words(&["encrypt", "-r", &desk.read(public), "-a", "-o", "o", "--force", "plain"]).is(0);
        assert!(desk.run(&format!("decrypt -i {secret} o")).is(0).bytes == file(1000));
        assert_eq!(desk.run("key inspect o --json").is(0).json()["objects"][0]["stanzas"][scheme], 1);
        // What is said of the key, for which no passphrase is needed.
        assert_eq!(desk.run(&format!("key public {name}")).is(0).out, format!("{line}\n"));
        let facts = desk.run(&format!("key inspect {name} {public} --json")).is(0).json();
        for (i, kind) in ["identity", "recipient"].into_iter().enumerate() {
            let facts = &facts["objects"][i];
            assert_eq!([&facts["kind"], &facts["scheme"], &facts["recipient"]], [kind, scheme, &line]);
            assert_eq!(facts["post_quantum"], false);
        }
    }
}

#[test]
fn files_change_hands() {
    let desk = desk();
    desk.run("keygen -o key").is(0);
    desk.run("key public key -o pub").is(0);
    desk.run("encrypt -R ed.pub -R rsa.pub -o o plain").is(0);
    desk.run("rekey -i locked -i rsa --passphrase-file pass -R pub -o p o").is(0);
    desk.run("decrypt -i rsa p")
        .says(3, "none of the identities (ssh-rsa) opens it; it is encrypted to mlkem768x25519");
    assert!(desk.run("decrypt -i key p").is(0).bytes == file(1000));
    desk.run("rekey -i key -R locked.pub -o o --force p").is(0);
    assert!(desk.run("decrypt -i ed -i key -i locked --passphrase-file pass o").is(0).bytes == file(1000));
}

/// The private key of SSH in an encrypted file of identities, as age does not have it, and text of every kind.
#[test]
fn they_are_read_as_people_have_them() {
    let desk = desk();
    desk.run("encrypt -R ed.pub -o o plain").is(0);
    desk.run("encrypt --passphrase-file pass -o twice ed").is(0);
    assert!(desk.run("decrypt -i twice --passphrase-file pass o").is(0).bytes == file(1000));
    for (name, changed) in [
        ("CRLF", ED25519.replace('\n', "\r\n")),
        ("a mark", format!("\u{feff}{ED25519}")),
        ("blanks", ED25519.replace('\n', "  \n ")),
        ("empty lines", format!("\n{ED25519}\n\n")),
        ("a comment", format!("# my key\n{ED25519}")),
        (
            "wide lines",
            pem(&bytes_of(ED25519)).replacen("OPENSSH PRIVATE KEY-----\n", "OPENSSH PRIVATE KEY-----\n\n", 1),
        ),
    ] {
        desk.put("k", changed);
        assert!(desk.run("decrypt -i k o").is(0).bytes == file(1000), "{name}");
    }
    let line = bare(ED25519_PUB);
    for changed in [
        line.replace(' ', "  "),
        line.replace(' ', "\t"),
        format!("\u{feff}{line}\r\n"),
        format!("{line} a comment of several words"),
        format!("# mine\n\n  {line}\n"),
    ] {
        desk.put("r", &changed);
        desk.run("encrypt -R r -o o plain --force").is(0);
        assert!(desk.run("decrypt -i ed o").is(0).bytes == file(1000), "{changed:?}");
    }
}

/// As age does: `authorized_keys` may have keys of every type.
#[test]
fn keys_that_age_does_not_take_are_passed_over_in_files() {
    let desk = desk();
    let security_key = public(&[b"sk-ssh-ed25519@openssh.com", &[7; 32], b"ssh:"]);
    desk.put("keys", format!("{ECDSA_PUB}\n{ED25519_PUB}\n{RSA_1024_PUB}\n{security_key}\n"));
    let made = desk.run("encrypt -R keys -o o plain").is(0);
    for words in [
        "warning: keys: line 1: age takes no ecdsa-sha2-nistp256 keys of SSH",
        "warning: keys: line 3: this RSA key has less than 2048 bits",
        "warning: keys: line 4: age takes no sk-ssh-ed25519@openssh.com keys",
    ] {
        assert!(made.err.contains(words), "{words}: {}", made.err);
    }
    assert_eq!(desk.run("key inspect keys --json").is(0).json()["objects"].as_array().unwrap().len(), 1);
    assert!(desk.run("decrypt -i ed o").is(0).bytes == file(1000));
    // Lines there may begin with options.
    for options in ["no-pty", "command=\"echo \\\"a b\\\"\",no-pty", "from=\"10.0.0.0/8, 1.2.3.4\""] {
        desk.put("keys", format!("{options} {ED25519_PUB}\n"));
        desk.run("encrypt -R keys -o o --force plain").is(0);
        assert!(desk.run("decrypt -i ed o").is(0).bytes == file(1000), "{options}");
    }
    desk.put("keys", format!("from=\"10.0.0.0/8 {ED25519_PUB}\n"));
    desk.run("encrypt -R keys -o o --force plain").says(3, "keys: line 1: this is no recipient");
    desk.put("keys", format!("{ECDSA_PUB}\n"));
    desk.run("encrypt -R keys -o p plain").says(3, "keys: there is no recipient in it");
    for (key, words) in [
        (ECDSA_PUB, "-r: age takes no ecdsa-sha2-nistp256 keys of SSH: ssh-ed25519 and ssh-rsa are taken"),
        (RSA_1024_PUB, "-r: this RSA key has less than 2048 bits"),
    ] {
        desk.run_words(&["encrypt", "-r", key, "-o", "p", "plain"]).says(2, words);
    }
}

#[test]
fn they_are_not_mixed_with_post_quantum_keys() {
    let desk = desk();
    desk.run("keygen -o key").is(0);
    desk.run("keygen --scheme x25519 -o x").is(0);
    let words = "one recipient is post-quantum (age1pq1…), another open to a quantum computer (age1…)";
    desk.run("encrypt -i key -R ed.pub -o o plain").says(2, "together the file would be as weak as the weaker");
    desk.run("encrypt -i key -i rsa -o o plain").says(2, words);
    desk.run("encrypt -i x -R ed.pub -R rsa.pub -o o plain").is(0);
    for key in ["x", "ed", "rsa"] {
        assert!(desk.run(&format!("decrypt -i {key} o")).is(0).bytes == file(1000));
    }
}

#[test]
fn passphrases_open_keys() {
    let desk = desk();
    desk.run("encrypt -R locked.pub -o o plain").is(0);
    desk.run("encrypt -R ed.pub -R locked.pub -o both plain").is(0);
    let before = desk.files();
    desk.run("decrypt -i locked --passphrase-file wrong -o p o").says(
        3,
        "none of the identities (ssh-ed25519) opens it; it is encrypted to ssh-ed25519; the passphrase of locked",
    );
    if Desk::has_terminals() {
        let (code, shown) = desk.on_a_terminal("decrypt -i locked -o p o", "battery staple\n");
        assert!(code == 3 && shown.contains("the passphrase of locked is wrong"), "{code}: {shown}");
        let (code, shown) = desk.on_a_terminal("decrypt -i locked -i ed -o opened o", "correct horse\n");
        assert!(code == 0 && shown.contains("Passphrase of locked: "), "{code}: {shown}");
        assert!(desk.bytes("opened") == file(1000));
        std::fs::remove_file(desk.path("opened")).unwrap();
    }
    desk.put("pass", "");
    desk.run("decrypt -i locked --passphrase-file pass -o p o").says(2, "the passphrase is empty");
    // It is asked for where nothing else opens the file, and where the key is for it.
    assert!(desk.run("decrypt -i locked -i ed both").is(0).bytes == file(1000));
    desk.run("encrypt -R ed.pub -o o --force plain").is(0);
    desk.run("decrypt -i locked o").says(3, "none of the identities (ssh-ed25519) opens it");
    assert_eq!(desk.files(), before);
}

#[test]
fn damaged_public_keys_are_refused() {
    let desk = desk();
    let line = bare(ED25519_PUB);
    let [ed, rsa] = [&b"ssh-ed25519"[..], b"ssh-rsa"];
    let mut one = [0; 32];
    one[0] = 1;
    for (key, words) in [
        (&line[..line.len() - 8], "damaged"),
        (&line[..line.len() - 1], "damaged: its second word is no base64"),
        ("ssh-ed25519", "one argument, in quotation marks"),
        ("ssh-ed25519 !", "damaged: its second word is no base64"),
        ("ssh-ed25519 AAAA", "damaged: what its base64 says is no key of the type before it"),
        (&line.replace("ssh-ed25519", "ssh-rsa"), "damaged: what its base64 says is no key of the type before it"),
        (&public(&[ed, &[7; 31]]), "damaged: its parts are not those"),
        (&public(&[ed, &[7; 32], b""]), "damaged: its parts are not those"),
        (&public(&[ed, &one]), "its point is of low order"),
        (&public(&[ed, &[2; 32]]), "damaged: its numbers are no key"),
        (&public(&[rsa, &[1, 0, 1]]), "damaged: its parts are not those"),
        (&public(&[rsa, &[0; 3], &[0x7F; 256]]), "damaged: its parts are not those"),
        (&public(&[rsa, &[1, 0, 1], &[0; 256]]), "damaged: its parts are not those"),
        (&public(&[rsa, &[1, 0, 1], &[0x80; 256]]), "damaged: its parts are not those"),
        (&public(&[rsa, &[1, 0, 1], &[0x7F; 255]]), "less than 2048 bits"),
        (&public(&[rsa, &[1, 0, 1], &[0x7F; 513]]), "more than 4096 bits"),
        (&public(&[rsa, &[1; 9], &[0x7F; 256]]), "damaged: its numbers are no key"),
        (&public(&[b"ssh-\x1b[31m", &[7; 32]]), "damaged: what its base64 says is no key"),
    ] {
        let refused = desk.run_words(&["encrypt", "-r", key, "-o", "o", "plain"]).says(2, words);
        assert!(!refused.err.contains('\x1b'), "{}", refused.err);
    }
    // In a file these are no keys to pass over.
    desk.put("keys", format!("{ED25519_PUB}\n{}\n", &line[..line.len() - 8]));
    desk.run("encrypt -R keys -o o plain").says(3, "keys: line 2: this key of SSH is damaged");
    desk.run("encrypt -R ed -o o plain").says(3, "ed: line 1: this is an identity, which is secret");
    desk.run("decrypt -i ed.pub plain").says(3, "this is no file of age");
    desk.run("encrypt -R ed.pub -o o plain").is(0);
    desk.run("decrypt -i ed.pub o").says(3, "ed.pub: line 1: this is a recipient, and an identity is needed");
}

#[test]
fn damaged_private_keys_are_refused() {
    let desk = desk();
    desk.run("encrypt -R ed.pub -R rsa.pub -R locked.pub -o o plain").is(0);
    let (ed, rsa, locked) = (bytes_of(ED25519), bytes_of(RSA), bytes_of(LOCKED));
    // The public half in front of the private one.
    let public = &BASE64.decode(ED25519_PUB.split(' ').nth(1).unwrap()).unwrap()[19..];
    let other = &BASE64.decode(LOCKED_PUB.split(' ').nth(1).unwrap()).unwrap()[19..];
    let exponent = [0, 0, 0, 3, 1, 0, 1];
    let zeros = [0, 0, 0, 3, 0, 0, 0];
    let slow = {
        // The options of bcrypt: a salt of 16 bytes, and the rounds.
        let salt = (0..locked.len()).find(|&at| locked[at..].starts_with(&[0, 0, 0, 24, 0, 0, 0, 16])).unwrap() + 8;
        let mut slow = locked.clone();
        slow[salt + 16..salt + 20].copy_from_slice(&u32::MAX.to_be_bytes());
        slow
    };
    let cut = |text: &str, lines: usize| text.lines().take(lines).map(|line| format!("{line}\n")).collect::<String>();
    for (key, words) in [
        (cut(ED25519, 3), "damaged"),
        (cut(RSA, 10), "damaged"),
        (cut(RSA_PKCS1, 10), "damaged: it is cut off or changed"),
        (ED25519.replacen("b3Bl", "!3Bl", 1), "damaged"),
        (pem(&ed[..ed.len() - 9]), "damaged"),
        (pem(&rsa[1..]), "damaged: a part of it is missing"),
        (pem(b""), "damaged: a part of it is missing"),
        (pem(&replaced(&ed, public, other, 0)), "damaged: its public half is of another key"),
        (pem(&replaced(&rsa, &exponent, &zeros, 0)), "damaged: its parts are not those"),
        (pem(&replaced(&rsa, &exponent, &zeros, 1)), "damaged: a number of it is none"),
        (pem(&slow), "its passphrase takes 4294967295 rounds of work, and 4096 are done at most"),
        (pem(&replaced(&locked, b"aes256-ctr", b"aes257-ctr", 0)), "it is encrypted by aes257-ctr, which is not read"),
        (RSA_1024.into(), "this RSA key has less than 2048 bits"),
        (ECDSA.into(), "age takes no ecdsa-sha2-nistp256 keys of SSH"),
        (ED25519.replace("OPENSSH ", ""), "private keys of SSH are read as"),
        (
            RSA_PKCS1.replacen('\n', "\nProc-Type: 4,ENCRYPTED\n", 1),
            "under a passphrase in an old form; `ssh-keygen -p",
        ),
        (format!("{ED25519}{}", " \n".repeat(10000)), "have 16384 bytes at most"),
    ] {
        desk.put("k", &key);
        let refused = desk.run("decrypt -i k -o p o").says(3, words);
        assert!(refused.err.starts_with("error: k: line "), "{}", refused.err);
    }
    // Locked, and of another key than its public half says: seen when it is unlocked.
    desk.put("k", pem(&replaced(&locked, other, public, 0)));
    desk.run("decrypt -i k --passphrase-file pass -o p o").says(3, "k: this key of SSH is damaged: its public half is");
}

/// A stanza that names a key and does not open is for another key with that name, of four bytes.
#[test]
fn stanzas_are_looked_at_before_they_are_opened() {
    let desk = desk();
    for (key, words) in
        [("ed", "opens it; it is encrypted to ssh-ed25519"), ("rsa", "opens it; it is encrypted to ssh-rsa")]
    {
        desk.run(&format!("encrypt -R {key}.pub -o o plain --force")).is(0);
        let whole = desk.bytes("o");
        let body = whole.iter().skip(30).position(|&byte| byte == b'\n').unwrap() + 35;
        let mut changed = whole.clone();
        changed[body] = if changed[body] == b'A' { b'B' } else { b'A' };
        desk.put("o", changed);
        desk.run(&format!("decrypt -i {key} -o p o")).says(3, words);
    }
}
