//! Shared keys, and what is said of keys in PEM.

use crate::desk::Desk;
use ringwork::{
    schemes::mlkem::{
        DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet,
        pkcs8::{DecodePrivateKey, DecodePublicKey},
    },
    xwing,
};

const SETS: [(&str, &str, usize, usize); 4] = [
    ("ml-kem-512", "ML-KEM-512", 800, 768),
    ("ml-kem-768", "ML-KEM-768", 1184, 1088),
    ("ml-kem-1024", "ML-KEM-1024", 1568, 1568),
    ("x-wing", "X-Wing", 1216, 1120),
];

/// A desk with a pair of keys, `k` and `k.pub`, and a ciphertext `c` of the shared key `s`.
fn desk(set: &str) -> Desk {
    let desk = Desk::new();
    desk.run(&format!("kem keygen --set {set} --secret k --public k.pub")).is(0);
    desk.run("kem encapsulate --key k.pub --ciphertext c --shared s").is(0);
    desk
}

#[test]
fn both_sides_have_one_key() {
    for (set, name, public, ciphertext) in SETS {
        let desk = desk(set);
        let found = desk.run("kem decapsulate --key k --ciphertext c --shared t --json").is(0).json();
        assert_eq!((&found["set"], &found["shared"]), (&name.into(), &"t".into()));
        assert_eq!((desk.bytes("s").len(), desk.bytes("s")), (32, desk.bytes("t")));
        // A ciphertext that was changed, or is another's, carries another key.
        let mut changed = desk.bytes("c");
        changed[9] ^= 1;
        desk.put("changed", &changed);
        desk.run("kem decapsulate --key k --ciphertext changed --shared u").is(0);
        desk.run(&format!("kem keygen --set {set} --secret l --public l.pub")).is(0);
        desk.run("kem decapsulate --key l --ciphertext c --shared v").is(0);
        assert!(desk.bytes("u") != desk.bytes("s") && desk.bytes("v") != desk.bytes("s"));
        // Never the same twice.
        desk.run("kem encapsulate --key k.pub --ciphertext d --shared w").is(0);
        assert!(desk.bytes("d") != desk.bytes("c") && desk.bytes("w") != desk.bytes("s"));
        // Standard input and output carry the same.
        let sealed = desk.run_with("kem encapsulate --key - --ciphertext - --shared x", desk.read("k.pub")).is(0).bytes;
        let shared = desk.run_with("kem decapsulate --key k --ciphertext - --shared -", sealed).is(0).bytes;
        assert_eq!(shared, desk.bytes("x"));

        let facts = desk.run("key inspect k k.pub --json").is(0).json();
        let [private, inspected] = [0, 1].map(|i| facts["objects"][i].clone());
        assert_eq!((&private["kind"], &inspected["kind"]), (&"private key".into(), &"public key".into()));
        for facts in [&private, &inspected] {
            assert_eq!((&facts["scheme"], &facts["public_key_bytes"]), (&name.into(), &public.into()));
            assert_eq!(facts["ciphertext_bytes"], ciphertext);
        }
        assert_eq!(private["fingerprint"], inspected["fingerprint"]);
        assert_eq!(desk.run("key public k").is(0).out, desk.read("k.pub"));
        assert_eq!(desk.run_with("key public -", desk.read("k")).is(0).out, desk.read("k.pub"));
    }
}

/// What the command writes is what the library reads.
#[test]
fn the_library_agrees() {
    fn check<P: ParameterSet>(set: &str) {
        let desk = desk(set);
        let key = DecapsulationKey::<P>::from_pkcs8_pem(&desk.read("k")).unwrap();
        assert_eq!(&EncapsulationKey::<P>::from_public_key_pem(&desk.read("k.pub")).unwrap(), key.encapsulation_key());
        assert_eq!(key.decapsulate_bytes(&desk.bytes("c")).unwrap().as_bytes()[..], desk.bytes("s"));
    }
    check::<MlKem512>("ml-kem-512");
    check::<MlKem768>("ml-kem-768");
    check::<MlKem1024>("ml-kem-1024");
    let desk = desk("x-wing");
    let key = <xwing::DecapsulationKey as DecodePrivateKey>::from_pkcs8_pem(&desk.read("k")).unwrap();
    let public = <xwing::EncapsulationKey as DecodePublicKey>::from_public_key_pem(&desk.read("k.pub")).unwrap();
    assert!(&public == key.encapsulation_key());
    assert_eq!(key.decapsulate_bytes(&desk.bytes("c")).unwrap().as_bytes()[..], desk.bytes("s"));
}

#[cfg(unix)]
#[test]
fn nothing_is_replaced_and_secrets_are_their_owner_s() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk("ml-kem-768");
    let mode = |name: &str| std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777;
    desk.run("kem decapsulate --key k --ciphertext c --shared t").is(0);
    assert_eq!(["k", "s", "t"].map(mode), [0o600; 3]);
    let before = desk.bytes("k");
    desk.run("kem keygen --secret k --public new").says(3, "there is such a file already");
    desk.run("kem encapsulate --key k.pub --ciphertext c --shared new").says(3, "there is such a file already");
    desk.run("kem encapsulate --key k.pub --ciphertext new --shared new").says(2, "named twice");
    desk.run("kem encapsulate --key k.pub --ciphertext - --shared -").says(2, "standard output can carry one thing");
    desk.run("kem encapsulate --key k.pub --ciphertext k.pub --shared new --force")
        .says(2, "cannot be the output as well");
    desk.run("kem decapsulate --key k --ciphertext c --shared k --force").says(2, "cannot be the output as well");
    desk.run("kem decapsulate --key - --ciphertext - --shared new").says(2, "standard input can be read once");
    desk.run("key public k -o k --force").says(2, "cannot be the output as well");
    assert_eq!((desk.bytes("k"), desk.files()), (before, ["c", "k", "k.pub", "s", "t"].map(String::from).to_vec()));
}

#[test]
fn wrong_keys_and_ciphertexts_are_named() {
    let desk = desk("ml-kem-768");
    let encapsulate = |key: &str| desk.run(&format!("kem encapsulate --key {key} --ciphertext x --shared y"));
    let decapsulate =
        |key: &str, c: &str| desk.run(&format!("kem decapsulate --key {key} --ciphertext {c} --shared y"));
    encapsulate("k").says(3, "this is a private key, and encapsulation needs the public one");
    decapsulate("k.pub", "c").says(3, "this is a public key, and decapsulation needs the private one");
    decapsulate("k", "s").says(3, "1088 bytes");
    decapsulate("c", "c").says(3, "it is no text");
    desk.put("empty", "");
    encapsulate("empty").says(3, "this is no key in PEM");
    desk.run("signature keygen --secret signer --public signer.pub").is(0);
    encapsulate("signer.pub")
        .says(3, "this is a key of ML-DSA-65; shared keys are encapsulated with keys of ML-KEM and X-Wing");
    decapsulate("signer", "c").says(3, "this is a key of ML-DSA-65");
    desk.run("signature sign --key k --in c --out z").says(3, "this is a key of ML-KEM-768; signatures");
    desk.run("kem keygen --set x-wing --secret x-wing --public x-wing.pub").is(0);
    decapsulate("x-wing", "c").says(3, "1120 bytes");
    desk.run("kem keygen --set ml-kem-2048 --secret a --public b").says(2, "ml-kem-768");

    let facts = desk.run("key inspect signer signer.pub").is(0).out;
    assert_eq!(facts.matches("ML-DSA-65").count(), 2);
    assert!(facts.contains("signature bytes") && facts.contains("3309") && !facts.contains("BEGIN"));
    assert_eq!(desk.run("key public signer").is(0).out, desk.read("signer.pub"));
    desk.run("key public signer.pub").says(3, "this is a public key already");
    desk.put("locked", desk.read("k").replace("PRIVATE", "ENCRYPTED PRIVATE"));
    desk.run("key public locked").says(3, "this private key is encrypted");
    desk.run("key inspect locked").says(3, "this private key is encrypted");
    // With a byte order mark, or far behind other text.
    desk.put("marked", "\u{feff}".to_owned() + &desk.read("signer.pub"));
    desk.put("late", "a note\n".repeat(300) + &desk.read("signer"));
    assert_eq!(desk.run("key inspect marked late").is(0).out.matches("ML-DSA-65").count(), 2);
    assert_eq!(desk.run("key public late").is(0).out, desk.read("signer.pub"));
    // Ed25519, of RFC 8410.
    let other = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";
    desk.put("other", other);
    desk.run("key inspect other").says(3, "the algorithm 1.3.101.112; keys of ML-KEM, X-Wing and ML-DSA are read");
    assert!(!desk.files().contains(&"y".to_owned()));
}
