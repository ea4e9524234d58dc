//! Keys, signatures and ciphertexts between this and OpenSSL 3.5 or newer, which `RINGWORK_OPENSSL`
//! names: `cargo xtask interop`.

use crate::desk::Desk;
use ringwork::schemes::{
    mldsa::{ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, VerifyingKey},
    mlkem::{
        DecapsulationKey, Encapsulate, EncapsulationKey, Generate, MlKem512, MlKem768, MlKem1024, ParameterSet,
        pkcs8::{EncodePrivateKey, EncodePublicKey},
    },
};
use std::process::{Command, Output};

/// The forms in which it writes private keys.
const FORMS: [&str; 3] = ["seed-only", "priv-only", "seed-priv"];

fn openssl(desk: &Desk, line: &str) -> Output {
    let program = std::env::var_os("RINGWORK_OPENSSL").expect("RINGWORK_OPENSSL names it");
    Command::new(program).args(line.split_whitespace()).current_dir(desk.path("")).output().unwrap()
}

#[track_caller]
fn succeeds(desk: &Desk, line: &str) {
    let output = openssl(desk, line);
    assert!(output.status.success(), "openssl {line}: {}", String::from_utf8_lossy(&output.stderr));
}

fn signatures<P: MlDsaParams>() {
    let name = P::PARAMETERS.name;
    let desk = Desk::new();
    desk.put("m", crate::desk::file(10_000));
    // Our key: it reads both halves, and finds the public one that we found.
    desk.run(&format!("signature keygen --set {} --secret k0 --public k0.pub", name.to_lowercase())).is(0);
    succeeds(&desk, "pkey -in k0 -pubout -out found.pub");
    assert_eq!(desk.read("found.pub"), desk.read("k0.pub"));
    for (i, form) in FORMS.iter().enumerate() {
        let key = format!("k{}", i + 1);
        succeeds(&desk, &format!("genpkey -algorithm {name} -provparam ml-dsa.output_formats={form} -out {key}"));
        succeeds(&desk, &format!("pkey -in {key} -pubout -out {key}.pub"));
        let read = ExpandedSigningKey::<P>::from_pkcs8_pem(&desk.read(&key)).unwrap();
        let public = VerifyingKey::<P>::from_public_key_pem(&desk.read(&format!("{key}.pub"))).unwrap();
        assert_eq!(read.verifying_key(), public, "{form}");
    }
    for key in ["k0", "k1", "k2", "k3"] {
        for context in ["", "vote"] {
            let (ours, theirs) = match context {
                "" => (String::new(), String::new()),
                context => (format!("--context {context}"), format!("-pkeyopt context-string:{context}")),
            };
            let sign = format!("signature sign --key {key} --in m --force {ours}");
            let verify = format!("pkeyutl -verify -pubin -inkey {key}.pub -rawin -in m {theirs} -sigfile");
            desk.run(&format!("{sign} --out s")).is(0);
            succeeds(&desk, &format!("{verify} s"));
            succeeds(&desk, &format!("pkeyutl -sign -inkey {key} -rawin -in m {theirs} -out t"));
            desk.run(&format!("signature verify --key {key}.pub --in m --signature t {ours}")).is(0);
            // Deterministic, both make the same one.
            desk.run(&format!("{sign} --out s --deterministic")).is(0);
            let deterministic = format!("pkeyutl -sign -inkey {key} -rawin -in m {theirs} -pkeyopt deterministic:1");
            succeeds(&desk, &format!("{deterministic} -out t"));
            assert_eq!(desk.bytes("s"), desk.bytes("t"), "{name} {key} {context}");
            // Both refuse it when it was changed, or for another context.
            let mut changed = desk.bytes("s");
            changed[50] ^= 1;
            desk.put("changed", changed);
            assert!(!openssl(&desk, &format!("{verify} changed")).status.success());
            desk.run(&format!("signature verify --key {key}.pub --in m --signature changed {ours}")).is(1);
            desk.run(&format!("signature verify --key {key}.pub --in m --signature t --context other")).is(1);
        }
    }
}

#[test]
#[ignore = "OpenSSL 3.5 or newer is not installed: `cargo xtask interop` builds one"]
fn signatures_of_either_verify_with_the_other() {
    signatures::<MlDsa44>();
    signatures::<MlDsa65>();
    signatures::<MlDsa87>();
}

/// Keys under a passphrase, of either; and what `sign` writes is a signature with a context.
#[test]
#[ignore = "OpenSSL 3.5 or newer is not installed: `cargo xtask interop` builds one"]
fn passphrases_of_either_are_read_by_the_other() {
    let desk = Desk::new();
    desk.put("m", crate::desk::file(10_000));
    desk.put("word", "gull");
    desk.run("signature keygen --secret k --public k.pub --passphrase-file word").is(0);
    succeeds(&desk, "pkey -in k -passin file:word -pubout -out found.pub");
    assert_eq!(desk.read("found.pub"), desk.read("k.pub"));
    for (name, how) in [("scrypt", "-scrypt"), ("pbkdf2", "-v2 aes-256-cbc"), ("small", "-v2 aes-128-cbc -iter 100000")]
    {
        succeeds(&desk, &format!("pkcs8 -topk8 -in k -passin pass:gull -passout pass:gull {how} -out {name}"));
        desk.run(&format!("sign --key {name} --passphrase-file word --comment hello --force m")).is(0);
        desk.run("verify --key k.pub m").is(0);
    }
    let text = desk.read("m.sig");
    let body = &text.as_bytes()[text.find("-----BEGIN").unwrap()..];
    desk.put("bytes", pkcs8::der::pem::decode_vec(body).unwrap().1);
    let verify = ["pkeyutl", "-verify", "-pubin", "-inkey", "k.pub", "-rawin", "-in", "m", "-sigfile", "bytes"];
    for (context, good) in [("context-string:ringwork sign: hello", true), ("context-string:hello", false)] {
        let program = std::env::var_os("RINGWORK_OPENSSL").expect("RINGWORK_OPENSSL names it");
        let output = Command::new(program).args(verify).args(["-pkeyopt", context]).current_dir(desk.path("")).output();
        assert_eq!(output.unwrap().status.success(), good, "{context}");
    }
}

fn encapsulation<P: ParameterSet<EncapsulationKey = EncapsulationKey<P>>>() {
    let desk = Desk::new();
    let ours = DecapsulationKey::<P>::generate();
    desk.put("k0", ours.to_pkcs8_pem(Default::default()).unwrap().as_bytes());
    desk.put("k0.pub", ours.encapsulation_key().to_public_key_pem(Default::default()).unwrap());
    for (i, form) in FORMS.iter().enumerate() {
        let name = P::NAME;
        let key = format!("k{}", i + 1);
        succeeds(&desk, &format!("genpkey -algorithm {name} -provparam ml-kem.output_formats={form} -out {key}"));
    }
    for key in ["k0", "k1", "k2", "k3"] {
        succeeds(&desk, &format!("pkey -in {key} -pubout -out found.pub"));
        if key == "k0" {
            assert_eq!(desk.read("found.pub"), desk.read("k0.pub"));
        }
        let private = DecapsulationKey::<P>::from_pkcs8_pem(&desk.read(key)).unwrap();
        let public = EncapsulationKey::<P>::from_public_key_pem(&desk.read("found.pub")).unwrap();
        assert_eq!(private.encapsulation_key(), &public, "{key}");
        // It encapsulates and we decapsulate, and the other way round, by the command and by the library.
        succeeds(&desk, "pkeyutl -encap -pubin -inkey found.pub -secret theirs -out ciphertext");
        let shared = private.decapsulate_bytes(&desk.bytes("ciphertext")).unwrap();
        assert_eq!(desk.bytes("theirs"), shared.as_bytes());
        desk.run(&format!("kem decapsulate --key {key} --ciphertext ciphertext --shared ours --force")).is(0);
        assert_eq!(desk.bytes("ours"), shared.as_bytes());
        desk.run("kem encapsulate --key found.pub --ciphertext ciphertext --shared ours --force").is(0);
        succeeds(&desk, &format!("pkeyutl -decap -inkey {key} -in ciphertext -secret theirs"));
        assert_eq!(desk.bytes("ours"), desk.bytes("theirs"));
        let (ciphertext, shared) = public.encapsulate();
        let mut changed = ciphertext.to_vec();
        changed[7] ^= 1;
        let rejected = private.decapsulate_bytes(&changed).unwrap();
        for (ciphertext, shared) in [(&ciphertext[..], &shared[..]), (&changed, rejected.as_bytes())] {
            desk.put("ciphertext", ciphertext);
            succeeds(&desk, &format!("pkeyutl -decap -inkey {key} -in ciphertext -secret theirs"));
            assert_eq!(desk.bytes("theirs"), shared, "{} {key}", P::NAME);
        }
    }
}

#[test]
#[ignore = "OpenSSL 3.5 or newer is not installed: `cargo xtask interop` builds one"]
fn either_decapsulates_what_the_other_encapsulates() {
    encapsulation::<MlKem512>();
    encapsulation::<MlKem768>();
    encapsulation::<MlKem1024>();
}
