//! Signatures beside files, whose keys are trusted, and private keys that a passphrase encrypts.

use crate::desk::{Desk, file};
use pkcs8::{
    EncryptedPrivateKeyInfoRef, LineEnding, SecretDocument,
    der::pem,
    pkcs5::{EncryptionScheme, pbes2::Kdf},
};
use ringwork::schemes::mldsa::{MlDsa44, SigningKey, pkcs8::EncodePublicKey};

/// A desk with a key where `sign` looks for it, and the files `m` and `n`.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.run("signature keygen").is(0);
    desk.put("m", file(100_000));
    desk.put("n", "a note");
    desk
}

/// A desk that knows somebody else's signature `m.sig`, by `k`.
fn signed_by_another() -> Desk {
    let desk = desk();
    desk.run("signature keygen --secret k --public k.pub --set ml-dsa-44").is(0);
    desk.run("sign --key k --comment hello m").is(0);
    desk
}

#[test]
fn a_key_a_signature_an_answer() {
    let desk = desk();
    let signed = desk.run("sign m n --json").is(0).json();
    assert_eq!((&signed["set"], signed["signatures"].as_array().unwrap().len()), (&"ML-DSA-65".into(), 2));
    assert!(desk.read("m.sig").lines().next().unwrap().starts_with("comment: 20"));
    assert!(desk.read("m.sig").lines().next().unwrap().ends_with("Z m"));
    let held = desk.run("verify m n --json").is(0).json();
    assert_eq!((&held["holds"], &held["files"][1]["holds"]), (&true.into(), &true.into()));
    assert_eq!((&held["files"][0]["signer"], &held["files"][0]["file"]), (&"this user".into(), &"m".into()));
    assert_eq!(held["files"][0]["fingerprint"], signed["signer"]);
    assert!(desk.run("verify m").is(0).out.starts_with("m: signed by this user (ML-DSA-65), who says \"20"));
    // From one stream to another.
    let signature = desk.run_with("sign - --out -", desk.bytes("m")).is(0).bytes;
    desk.run_with("verify --signature - m", &signature).is(0);
    desk.put("s", &signature);
    desk.run_with("verify --signature s -", desk.bytes("m")).is(0);
    // On Windows the ends of lines are others.
    desk.put("s", String::from_utf8(signature).unwrap().replace('\n', "\r\n"));
    desk.run("verify --signature s m").is(0);
}

/// Of processes that trust keys at the same time, none loses another one's.
#[test]
fn keys_are_trusted_at_the_same_time() {
    let desk = Desk::new();
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for name in names {
        desk.run(&format!("signature keygen --secret {name} --public {name}.pub")).is(0);
    }
    std::thread::scope(|scope| {
        let desk = &desk;
        for name in names {
            scope.spawn(move || desk.run(&format!("signature trust {name} {name}.pub")).is(0));
        }
    });
    let file = desk.read("settings/ringwork/trusted-keys.pem");
    assert!(names.iter().all(|name| file.matches(&format!("name: {name}\n")).count() == 1), "{file}");
}

#[test]
fn keys_are_trusted_by_name() {
    let desk = signed_by_another();
    desk.run("verify m").says(1, "it says that it is of the key");
    desk.run("verify --key k.pub m").is(0);
    let trusted = desk.run("signature trust alice k.pub --json").is(0).json();
    assert_eq!((&trusted["name"], &trusted["set"]), (&"alice".into(), &"ML-DSA-44".into()));
    let held = desk.run("verify m --json").is(0).json();
    assert_eq!((&held["files"][0]["signer"], &held["files"][0]["comment"]), (&"alice".into(), &"hello".into()));
    // Who may sign under --key is nobody else.
    desk.run("sign n").is(0);
    desk.run("verify --key k.pub n").says(1, "not that of k.pub");
    desk.run("verify m n").is(0);

    let trust = |line: &str| desk.run(&format!("signature trust {line}"));
    trust("bob k.pub").says(3, "this key is trusted already, as alice");
    trust("bob k").says(3, "this is a private key, and verifying needs the public one");
    trust("bob missing").says(3, "cannot be read");
    desk.run("signature keygen --secret l --public l.pub").is(0);
    trust("alice l.pub").is(0); // her next one
    desk.run("sign --key l n --force").is(0);
    assert!(desk.run("verify m n").is(0).out.lines().all(|line| line.contains("signed by alice (")));
    let file = desk.read("settings/ringwork/trusted-keys.pem");
    assert_eq!(file.matches("name: alice\n-----BEGIN PUBLIC KEY-----\n").count(), 2);
    // By hand: comments are taken, and anything else is named with its line.
    let write = |text: &str| desk.put("settings/ringwork/trusted-keys.pem", text);
    write(&format!("# whom I know\n\n{}", file.trim_end()));
    desk.run("verify m").is(0);
    desk.run("signature keygen --secret j --public j.pub").is(0);
    trust("joan j.pub").is(0);
    let with_joan = desk.read("settings/ringwork/trusted-keys.pem");
    assert!(with_joan.starts_with("# whom I know\n") && with_joan.contains("-----\nname: joan\n"));
    desk.run("verify m").is(0);
    write(&format!("alice\n{file}"));
    desk.run("verify m").says(3, "trusted-keys.pem:1: here a name");
    write(&file.replace("name: alice\n", ""));
    desk.run("verify m").says(3, "a key stands behind a line \"name: …\"");
    write(&file[..file.len() - 40]);
    desk.run("verify m").says(3, "the last name has no whole key");
    // A key that has lost its end is not the next one's.
    let end = file.find("-----END PUBLIC KEY-----\n").unwrap();
    write(&format!("{}{}", &file[..end], &file[end + 25..]));
    desk.run("verify m").says(3, "the key before this line has no end");
    write(&format!("name: bob\n{file}"));
    desk.run("verify m").says(3, "trusted-keys.pem:2: the name before this line has no key");
    write(&file.replace("name: alice", "name: this user"));
    desk.run("verify m").says(3, "is what whoever verifies is called");
    write(&file.replace("-----BEGIN", "  -----BEGIN").replace("-----END", " -----END"));
    desk.run("verify m").is(0);
    let trust_us = desk.run_words(&["signature", "trust", "this user", "k.pub"]);
    trust_us.says(2, "is what whoever verifies is called");
    write(&file.replace("name: alice", "name: al\u{1b}ice"));
    desk.run("verify m").says(3, "the name has control characters");
}

#[test]
fn what_was_changed_does_not_hold() {
    let desk = signed_by_another();
    let text = desk.read("m.sig");
    let verify = |text: &str| {
        desk.put("s", text);
        desk.run("verify --key k.pub --signature s m")
    };
    verify(&text).is(0);
    verify(&text.replace("comment: hello", "comment: hallo")).says(1, "or one of them was changed");
    let at = text.find("-----\n").unwrap() + 100;
    let other = if &text[at..=at] == "A" { "B" } else { "A" };
    verify(&format!("{}{other}{}", &text[..at], &text[at + 1..])).is(1);
    desk.run("verify --key k.pub --signature m.sig n").is(1);
    for (changed, why) in [
        (text.replace("comment: ", "remark: "), "its lines begin with"),
        (text.replace("signer: ", "signer:  "), "64 hexadecimal digits"),
        (format!("trusted\n{text}"), "two lines stand before it"),
        (text.replacen('\n', "\ncomment: again\n", 1), "two lines stand before it"),
        (text.lines().skip(1).collect::<Vec<_>>().join("\n"), "two lines stand before it"),
        (text.replace("hello", "he\u{1b}[1mllo"), "control characters"),
        (text.replace("hello", &"x".repeat(241)), "has 241 bytes, and 240 at most"),
        (text.replace("END RINGWORK", "END"), "this is no signature"),
        (format!("{text}comment: good\n"), "something stands behind its end"),
        (text.replace("RINGWORK SIGNATURE", "SIGNATURE"), "it has no line"),
        (String::new(), "it has no line"),
    ] {
        verify(&changed).says(3, why);
    }
    desk.put("s", [0xFF; 2420]);
    desk.run("verify --key k.pub --signature s m")
        .says(3, "`ringwork signature verify` takes signatures that are bytes");
    // Names of files are somebody else's.
    let forged = desk.run_words(&["verify", "x\nm: signed by alice (ML-DSA-44), who says \"hello\"", "m"]);
    assert_eq!(forged.out.lines().filter(|line| line.starts_with("m: signed by")).count(), 0, "{}", forged.out);
    // Some of many.
    desk.run("sign n").is(0);
    desk.run("signature trust k k.pub").is(0);
    desk.put("m", "another");
    let some = desk.run("verify m n --json").is(1);
    assert!(some.err.contains("1 of 2 files do not verify"), "{}", some.err);
    let rows = some.json()["files"].clone();
    assert_eq!((&rows[0]["holds"], &rows[1]["holds"]), (&false.into(), &true.into()));
    desk.run("verify n missing").says(3, "1 of 2 files cannot be verified");
    desk.run("verify n missing m").says(1, "2 of 3 files do not verify");
}

/// A comment is the context, behind what says that a file is signed: no other signature can be taken for it.
#[test]
fn signatures_are_those_of_the_standard() {
    let desk = signed_by_another();
    let body: String = desk.read("m.sig").lines().filter(|line| !line.contains(['-', ':'])).collect();
    desk.put("bytes", base64(&body));
    let verify = "signature verify --key k.pub --in m --signature bytes --context";
    let output = std::process::Command::new(crate::desk::RINGWORK)
        .args(verify.split(' '))
        .arg("ringwork sign: hello")
        .current_dir(desk.path(""))
        .status();
    assert!(output.unwrap().success());
    desk.run(&format!("{verify} hello")).is(1);
    // The other way round: what was signed for another purpose.
    desk.run("signature sign --key k --in m --out other --context hello").is(0);
    let text = desk.read("m.sig");
    let begin = text.find("-----BEGIN").unwrap();
    let other = pem::encode_string("RINGWORK SIGNATURE", LineEnding::LF, &desk.bytes("other")).unwrap();
    desk.put("s", format!("{}{other}", &text[..begin]));
    desk.run("verify --key k.pub --signature s m").is(1);
}

fn base64(text: &str) -> Vec<u8> {
    let pem = format!("-----BEGIN X-----\n{}\n-----END X-----\n", {
        let lines: Vec<_> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
        lines.join("\n")
    });
    pem::decode_vec(pem.as_bytes()).unwrap().1
}

#[test]
fn nothing_is_lost_or_replaced() {
    let desk = Desk::new();
    desk.put("m", "a message");
    desk.run("sign m").says(3, "`ringwork signature keygen` makes one, and --key names one");
    desk.run("verify m").says(3, "`ringwork signature trust NAME KEY` adds one");
    desk.run("signature keygen").is(0);
    desk.run("signature keygen").says(3, "there is such a file already");
    desk.run("signature keygen --secret k").says(2, "--public");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("settings/ringwork"), 0o700);
        assert_eq!(mode("settings/ringwork/signing-key.pem"), 0o600);
    }
    desk.run("sign m").is(0);
    desk.run("sign m").says(3, "there is such a file already");
    desk.run("sign m --force").is(0);
    desk.run("sign m --out m --force").says(2, "cannot be the output as well");
    desk.run("sign m m.sig --out x").says(2, "--out is for one file");
    desk.run("sign -").says(2, "standard input has no name");
    desk.run("verify -").says(2, "standard input has no name");
    desk.run("verify m m --signature m.sig").says(2, "--signature is for one file");
    desk.run("verify - --signature -").says(2, "standard input can be read once");
    desk.put("word", "gull");
    for line in [
        "sign --passphrase-file - --out x -",
        "signature sign --key k --in - --passphrase-file - --out x",
        "kem decapsulate --key k --ciphertext - --passphrase-file - --shared x",
        "key public - --passphrase-file -",
    ] {
        desk.run(line).says(2, "standard input can be read once");
    }
    for line in [
        "sign --passphrase-file word --out word --force m",
        "key public m --passphrase-file word -o word --force",
        "signature keygen --secret word --public x --passphrase-file word --force",
    ] {
        desk.run(line).says(2, "is read, and cannot be the output as well");
    }
    assert_eq!(desk.read("word"), "gull");
    std::fs::remove_file(desk.path("word")).unwrap();
    desk.run("sign missing").says(3, "cannot be read");
    desk.run(&format!("sign m --force --comment {}", "x".repeat(241))).says(2, "has 241 bytes, and 240 at most");
    desk.run("verify m --json").is(0);
    let facts = desk.run("key inspect m.sig --json").is(0).json();
    assert_eq!(
        (&facts["objects"][0]["kind"], &facts["objects"][0]["signature_bytes"]),
        (&"signature".into(), &3309.into())
    );
    assert_eq!(desk.files(), ["m", "m.sig", "settings"]);
}

/// Nobody takes the first of several keys for all of them.
#[test]
fn a_file_has_one_key() {
    let desk = Desk::new();
    for name in ["a", "b"] {
        desk.run(&format!("signature keygen --secret {name} --public {name}.pub")).is(0);
    }
    desk.put("two", desk.read("a.pub") + &desk.read("b.pub"));
    desk.put("both", desk.read("a") + &desk.read("b"));
    desk.put("m", "a note");
    desk.run("sign -k a m").is(0);
    for line in
        ["signature trust two two", "verify -k two m", "key inspect two", "key inspect both", "sign -k both m -o s"]
    {
        desk.run(line).says(3, "there are 2 keys in it, and");
    }
    // A private key beside its public one is one key.
    desk.put("pair", desk.read("a") + &desk.read("a.pub"));
    desk.run("key inspect pair").is(0);
    desk.run_words(&["sign", "-k", "a", "m", "--force", "-c", ""]).says(2, "the comment is empty");
}

/// The seed 00 01 02 … of ML-DSA-44, by PBKDF2 of 2048 rounds and AES-256, as `openssl pkcs8 -topk8` has it; the
/// passphrase is `gull`. Python's `cryptography` 50 wrote it.
const OF_OPENSSL: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGjMF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBDyB10BmU50CvU8uHc1
glrpAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQVHUUUMn8SCdky3qU
O1JKhgRASYEdPrjqvLyjFltuPLT4C7RvepLdqhLd2PO/zw/yQLxCEfio2d31+mRs
+033Fx7Tp5Qt4dwt6kcEXtom3u5LOw==
-----END ENCRYPTED PRIVATE KEY-----
";

#[test]
fn a_passphrase_opens_a_private_key() {
    let desk = Desk::new();
    desk.put("m", "a message");
    desk.put("word", "gull\n");
    desk.put("wrong", "tern\n");
    for (set, verb, use_it) in [
        ("ml-dsa-44", "signature", "sign m --force --key k"),
        ("x-wing", "kem", "kem decapsulate --key k --ciphertext c --shared t --force"),
    ] {
        desk.run(&format!("{verb} keygen --set {set} --secret k --public k.pub --passphrase-file word --force")).is(0);
        assert!(desk.read("k").starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
        if verb == "kem" {
            desk.run("kem encapsulate --key k.pub --ciphertext c --shared s").is(0);
        }
        desk.run(&format!("{use_it} --passphrase-file word")).is(0);
        desk.run(&format!("{use_it} --passphrase-file wrong")).says(3, "k: the passphrase is wrong");
        desk.run(use_it).says(2, "a passphrase is needed");
        assert_eq!(desk.run("key public k --passphrase-file word").is(0).out, desk.read("k.pub"));
        // What it is can be seen without.
        let facts = desk.run("key inspect k --json").is(0).json();
        let facts = &facts["objects"][0];
        assert_eq!((&facts["kind"], &facts["passphrase"]), (&"encrypted private key".into(), &"scrypt".into()));
        desk.run("key inspect k.pub").is(0);
    }
    assert_eq!(desk.bytes("s"), desk.bytes("t"));
    desk.run("signature verify --key k --in m --signature m.sig").says(3, "this is a private key, and verifying needs");
    desk.put("o", OF_OPENSSL);
    desk.run("sign --key o --passphrase-file word m --force").is(0);
    desk.run("sign --key o --passphrase-file wrong m --force").says(3, "the passphrase is wrong");
    let seed: Vec<u8> = (0..32).collect();
    let key = SigningKey::<MlDsa44>::from_seed(&seed.try_into().unwrap());
    let public = key.verifying_key().to_public_key_pem(LineEnding::LF);
    assert_eq!(desk.run("key public o --passphrase-file word").is(0).out, public.unwrap());
}

/// Whoever sends a key does not say how much memory and time it takes to refuse it.
#[test]
fn passphrases_cost_what_they_may() {
    let desk = Desk::new();
    desk.put("word", "gull");
    desk.run("signature keygen --secret k --public k.pub --passphrase-file word").is(0);
    let key = desk.read("k");
    let (label, der) = SecretDocument::from_pem(&key).unwrap();
    const LABEL: &str = "ENCRYPTED PRIVATE KEY";
    assert_eq!(label, LABEL);
    let with = |n: u64, r: u16, p: u16| {
        let mut info = EncryptedPrivateKeyInfoRef::try_from(der.as_bytes()).unwrap();
        let EncryptionScheme::Pbes2(parameters) = &mut info.encryption_algorithm else { panic!("{info:?}") };
        let Kdf::Scrypt(scrypt) = &mut parameters.kdf else { panic!("{info:?}") };
        // OpenSSL takes no more than these 2^14 and 8, OWASP no less than this 5.
        assert_eq!((scrypt.cost_parameter, scrypt.block_size, scrypt.parallelization), (1 << 14, 8, 5));
        (scrypt.cost_parameter, scrypt.block_size, scrypt.parallelization) = (n, r, p);
        let document = SecretDocument::try_from(info).unwrap();
        desk.put("c", document.to_pem(LABEL, LineEnding::LF).unwrap());
        desk.run("key public c --passphrase-file word")
    };
    with(1 << 14, 8, 5).is(0);
    desk.put("der", der.as_bytes());
    desk.run("sign --key der k --passphrase-file word").says(3, "`openssl pkey -inform DER`, with -pubin");
    with(1 << 14, 8, 4).says(3, "the passphrase is wrong");
    for (n, r, p) in [(1 << 40, 8, 1), (1 << 20, 65535, 1), (1 << 16, 8, 1024), (2, 512, 65535), (1 << 63, 65535, 1)] {
        with(n, r, p).says(3, "its passphrase costs more memory or time than any program asks for");
    }
    for (n, r, p) in [(1 << 14, 0, 1), (1 << 14, 8, 0), (1, 8, 1), (0, 8, 1), (3, 8, 1)] {
        with(n, r, p).says(3, "no passphrase has such parameters");
    }
    let rounds = OF_OPENSSL.replace("AgIIADAMBg", "AgR/////DA"); // does not even parse
    desk.put("c", rounds);
    desk.run("key public c --passphrase-file word").is(3);
    desk.put("c", OF_OPENSSL.replace("ENCRYPTED PRIVATE KEY", "EC PRIVATE KEY"));
    desk.run("key public c --passphrase-file word").is(3);
}
