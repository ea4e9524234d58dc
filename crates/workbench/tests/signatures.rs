//! Signatures of files.

use crate::desk::{Desk, file};
use ringwork::schemes::{
    mldsa::{
        ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, PreHash, Signature, SigningKey, VerifyingKey,
        pkcs8::{EncodePrivateKey, EncodePublicKey},
    },
    mlkem::{DecapsulationKey, MlKem768, Seed},
};

const SETS: [&str; 3] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"];

/// A desk with a pair of keys, `k` and `k.pub`, and a message, `m`.
fn desk(set: &str) -> Desk {
    let desk = Desk::new();
    desk.run(&format!("signature keygen --set {set} --secret k --public k.pub")).is(0);
    desk.put("m", file(100_000));
    desk
}

#[test]
fn signatures_are_of_one_message_context_and_key() {
    for set in SETS {
        let desk = desk(set);
        let signed = desk.run("signature sign --key k --in m --out s --context vote --json").is(0).json();
        assert_eq!((&signed["set"], &signed["signature"]), (&set.to_uppercase().into(), &"s".into()));
        let verify = |line: &str| desk.run(&format!("signature verify --key k.pub {line}"));
        let held = verify("--in m --signature s --context vote --json").is(0).json();
        assert_eq!((&held["holds"], &held["context"]), (&true.into(), &"vote".into()));
        for other in ["--in m --signature s", "--in k --signature s --context vote"] {
            verify(other).says(1, "was not made for this message, context and key");
        }
        let no = verify("--in m --signature s --context vote --prehash sha512 --json").is(1).json();
        assert_eq!(no["holds"], false);
        desk.run(&format!("signature keygen --set {set} --secret l --public l.pub")).is(0);
        desk.run("signature verify --key l.pub --in m --signature s --context vote").is(1);
        let mut changed = desk.bytes("s");
        changed[100] ^= 1;
        desk.put("changed", &changed);
        verify("--in m --signature changed --context vote").is(1);
        *changed.last_mut().unwrap() = 255;
        desk.put("changed", &changed);
        verify("--in m --signature changed --context vote").says(1, "this is no signature");
    }
}

/// What the command writes is what the library makes, and standard input and output carry the same.
#[test]
fn the_library_agrees() {
    fn check<P: MlDsaParams>(set: &str) {
        let desk = desk(set);
        let message = desk.bytes("m");
        let key = SigningKey::<P>::from_pkcs8_pem(&desk.read("k")).unwrap();
        let public = VerifyingKey::<P>::from_public_key_pem(&desk.read("k.pub")).unwrap();
        assert_eq!(public, key.verifying_key());
        desk.run("signature sign --key k --in m --out s --deterministic --context c").is(0);
        let expected = key.sign_deterministic(&message, b"c").unwrap();
        assert_eq!(desk.bytes("s"), expected.as_bytes());
        let hash = PreHash::Sha3_512.of(&message);
        desk.run("signature sign --key k --in m --out h --deterministic --prehash sha3-512").is(0);
        assert_eq!(desk.bytes("h"), key.sign_prehashed_deterministic(&hash, b"").unwrap().as_bytes());
        desk.run("signature verify --key k.pub --in m --signature h --prehash sha3-512").is(0);
        // Hedged: never the same twice.
        let [first, second] =
            ["1", "2"].map(|_| desk.run_with("signature sign --key k --in - --out -", &message).is(0).bytes);
        assert!(first != second);
        for signature in [&first, &second] {
            assert!(public.verify_with_context(&message, b"", &Signature::from_bytes(signature).unwrap()));
            desk.put("s", signature);
            desk.run_with("signature verify --key k.pub --in - --signature s", &message).is(0);
            desk.run_with("signature verify --key k.pub --in m --signature -", signature).is(0);
        }
    }
    check::<MlDsa44>("ml-dsa-44");
    check::<MlDsa65>("ml-dsa-65");
    check::<MlDsa87>("ml-dsa-87");
}

#[cfg(unix)]
#[test]
fn nothing_is_replaced_and_secrets_are_their_owner_s() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk("ml-dsa-44");
    let mode = |name: &str| std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("k"), 0o600);
    assert!(desk.read("k").starts_with("-----BEGIN PRIVATE KEY-----\n"));
    assert!(desk.read("k.pub").starts_with("-----BEGIN PUBLIC KEY-----\n"));
    let before = desk.bytes("k");
    desk.run("signature keygen --secret k --public new").says(3, "there is such a file already");
    desk.run("signature keygen --secret new --public k.pub").says(3, "there is such a file already");
    desk.run("signature keygen --secret new --public new").says(2, "named twice");
    desk.run("signature sign --key k --in m --out m").says(3, "there is such a file already");
    desk.run("signature sign --key k --in m --out m --force").says(2, "cannot be the output as well");
    desk.run("signature sign --key k --in m --out k --force").says(2, "cannot be the output as well");
    desk.run("signature sign --key k --in missing --out s").says(3, "cannot be read");
    desk.run("signature sign --key - --in - --out s").says(2, "standard input can be read once");
    assert_eq!(desk.files(), ["k", "k.pub", "m"]);
    assert_eq!(desk.bytes("k"), before);
    desk.run("signature keygen --set ml-dsa-87 --secret k --public k.pub --force").is(0);
    assert!(mode("k") == 0o600 && desk.bytes("k") != before);
}

#[test]
fn wrong_keys_and_signatures_are_named() {
    let desk = desk("ml-dsa-65");
    desk.run("signature sign --key k --in m --out s").is(0);
    let sign = |key: &str| desk.run(&format!("signature sign --key {key} --in m --out new"));
    let verify =
        |key: &str, signature: &str| desk.run(&format!("signature verify --key {key} --in m --signature {signature}"));
    sign("k.pub").says(3, "this is a public key, and signing needs the private one");
    verify("k", "s").says(3, "this is a private key, and verifying needs the public one");
    sign("m").says(3, "more than 65536 bytes");
    desk.put("bytes", [0xFF; 40]);
    sign("bytes").says(3, "it is no text");
    desk.put("empty", "");
    verify("empty", "s").says(3, "this is no key in PEM");
    desk.put("cut", &desk.read("k")[..80]);
    sign("cut").says(3, "this is no key in PEM");
    desk.put("encrypted", desk.read("k").replace("PRIVATE", "ENCRYPTED PRIVATE"));
    sign("encrypted").says(3, "this private key is encrypted");
    desk.put("certificate", desk.read("k.pub").replace("PUBLIC KEY", "CERTIFICATE"));
    verify("certificate", "s").says(3, "it is a CERTIFICATE");
    let kem = DecapsulationKey::<MlKem768>::from_seed(Seed::from([1; 64]));
    desk.put("kem", kem.to_pkcs8_pem(Default::default()).unwrap().as_bytes());
    desk.put("kem.pub", kem.encapsulation_key().to_public_key_pem(Default::default()).unwrap());
    sign("kem").says(3, "this is a key of ML-KEM-768; signatures are made and verified with keys of ML-DSA");
    verify("kem.pub", "s").says(3, "this is a key of ML-KEM-768");

    desk.run("signature keygen --set ml-dsa-44 --secret k44 --public k44.pub").is(0);
    verify("k44.pub", "s").says(3, "has 2420 bytes, and this has 3309, like those of ML-DSA-65");
    verify("k.pub", "m").says(3, "more than 65536 bytes");
    desk.put("short", &desk.bytes("s")[..3308]);
    verify("k.pub", "short").says(3, "a signature of ML-DSA-65 has 3309 bytes, and this has 3308");
    verify("k.pub", "missing").says(3, "cannot be read");

    let long = "x".repeat(256);
    for line in ["sign --key k --out new", "verify --key k.pub --signature s"] {
        desk.run(&format!("signature {line} --in m --context {long}")).says(2, "at most 255 bytes, this has 256");
        desk.run(&format!("signature {line} --in m --prehash md5")).is(2);
    }
    desk.run("signature sign --key k --in m --out new --prehash sha256")
        .says(2, "needs a hash function of 192 bits of collision strength, and this one has 128");
    assert!(!desk.files().contains(&"new".to_owned()));
}

/// Keys in each of their forms; a seed beside an expanded key of another seed is refused.
#[test]
fn every_form_of_a_key_signs() {
    let desk = desk("ml-dsa-44");
    let key = SigningKey::<MlDsa44>::from_pkcs8_pem(&desk.read("k")).unwrap();
    let der = key.to_pkcs8_der().unwrap();
    let algorithm = &der.as_bytes()[5..18];
    let element =
        |tag: u8, content: &[u8]| [&[tag, 0x82, (content.len() >> 8) as u8, content.len() as u8], content].concat();
    let put = |name: &str, content: &[u8]| {
        let document = element(0x30, &[&[2, 1, 0], algorithm, &element(4, content)].concat());
        let document = pkcs8::Document::try_from(document).unwrap();
        desk.put(name, document.to_pem("PRIVATE KEY", pkcs8::LineEnding::CRLF).unwrap());
    };
    let expanded = element(4, &key.to_expanded());
    let both = |seed: &[u8]| element(0x30, &[&[4, 32], seed, &expanded].concat());
    put("expanded", &expanded);
    put("both", &both(key.as_seed()));
    put("mismatch", &both(&[9; 32]));
    for name in ["k", "expanded", "both"] {
        desk.run(&format!("signature sign --key {name} --in m --out s --deterministic --force")).is(0);
        let signature = key.sign_deterministic(&desk.bytes("m"), b"").unwrap();
        assert_eq!(desk.bytes("s"), signature.as_bytes(), "{name}");
    }
    let read = ExpandedSigningKey::<MlDsa44>::from_pkcs8_pem(&desk.read("both")).unwrap();
    assert_eq!(read, *key.expanded_key());
    desk.run("signature sign --key mismatch --in m --out t").says(3, "has both of two different keys");
    assert!(key.verifying_key().to_public_key_pem(Default::default()).unwrap() == desk.read("k.pub"));
}
