//! Files of NIST's validation program: every interface and kind of message of ML-DSA, and ML-KEM's keys as
//! seeds.

use crate::desk::Desk;
use ringwork::schemes::{
    mldsa::{MlDsa44, PreHash, SigningKey},
    mlkem::{B32, DecapsulationKey, MlKem512, Seed},
};
use serde_json::{Value, json};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

const HASHES: [(&str, PreHash); 12] = [
    ("SHA2-224", PreHash::Sha224),
    ("SHA2-256", PreHash::Sha256),
    ("SHA2-384", PreHash::Sha384),
    ("SHA2-512", PreHash::Sha512),
    ("SHA2-512/224", PreHash::Sha512_224),
    ("SHA2-512/256", PreHash::Sha512_256),
    ("SHA3-224", PreHash::Sha3_224),
    ("SHA3-256", PreHash::Sha3_256),
    ("SHA3-384", PreHash::Sha3_384),
    ("SHA3-512", PreHash::Sha3_512),
    ("SHAKE-128", PreHash::Shake128),
    ("SHAKE-256", PreHash::Shake256),
];

/// A file of a mode with one group for each interface; the groups of the second half are hedged.
fn file(mode: &str) -> Value {
    let key = SigningKey::<MlDsa44>::from_seed(&[5; 32]);
    let public = key.verifying_key();
    let (message, context) = (b"message", b"context");
    let mut groups = Vec::new();
    for (deterministic, rnd) in [(true, [0; 32]), (false, [6; 32])] {
        let test = |mu: &[u8; 64], fields: Value| {
            let mut test = json!({
                "tcId": 1, "deferred": false, "pk": hex(public.as_bytes()), "sk": hex(&key.to_expanded()),
                "signature": hex(key.sign_mu(mu, &rnd).as_bytes()), "testPassed": true, "reason": "valid",
            });
            if !deterministic {
                test["rnd"] = hex(&rnd).into();
            }
            test.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            test
        };
        let group = |fields: Value, tests: Vec<Value>| {
            let mut group = json!({
                "tgId": 1, "testType": "AFT", "parameterSet": "ML-DSA-44", "deterministic": deterministic,
                "tests": tests,
            });
            group.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            group
        };
        let mu = public.mu(message, context).unwrap();
        let pure = test(&mu, json!({ "message": hex(message), "context": hex(context), "hashAlg": "none" }));
        groups.push(group(json!({ "signatureInterface": "external", "preHash": "pure" }), vec![pure]));
        let prehashed = HASHES.map(|(name, hash)| {
            let mu = public.mu_prehashed(&hash.of(message), context).unwrap();
            test(&mu, json!({ "message": hex(message), "context": hex(context), "hashAlg": name }))
        });
        groups.push(group(json!({ "signatureInterface": "external", "preHash": "preHash" }), prehashed.into()));
        let internal = test(&public.mu_internal(&[message]), json!({ "message": hex(message) }));
        let interface = json!({ "signatureInterface": "internal", "externalMu": false });
        groups.push(group(interface, vec![internal.clone()]));
        groups.push(group(json!({}), vec![internal]));
        let external = test(&[7; 64], json!({ "mu": hex(&[7; 64]) }));
        groups.push(group(json!({ "signatureInterface": "internal", "externalMu": true }), vec![external]));
    }
    json!({ "vsId": 42, "algorithm": "ML-DSA", "mode": mode, "revision": "FIPS204", "testGroups": groups })
}

#[test]
fn every_interface_of_nist_s_files_is_read() {
    let desk = Desk::new();
    for (mode, field) in [("sigGen", "signature"), ("sigVer", "testPassed")] {
        let good = file(mode);
        desk.put("v.json", good.to_string());
        let tally = desk.run("vectors check v.json --json").is(0).json();
        assert_eq!(tally["files"][0]["tests"], 32, "{tally}");
        // One bit of any signature.
        for group in 0..10 {
            let mut bad = good.clone();
            let signature = &mut bad["testGroups"][group]["tests"][0]["signature"];
            let digit = if signature.as_str().unwrap().starts_with('0') { "1" } else { "0" };
            *signature = format!("{digit}{}", &signature.as_str().unwrap()[1..]).into();
            desk.put("v.json", bad.to_string());
            desk.run("vectors check v.json").says(1, &format!("field \"{field}\" differs"));
            if mode == "sigVer" {
                bad["testGroups"][group]["tests"][0]["testPassed"] = false.into();
                desk.put("v.json", bad.to_string());
                desk.run("vectors check v.json").is(0);
            }
        }
        for (place, name, value, words) in [
            ("group", "parameterSet", json!("ML-DSA-45"), "none of ML-DSA's"),
            ("group", "signatureInterface", json!("inner"), "neither internal nor external"),
            ("group", "preHash", json!("both"), "neither pure nor preHash"),
            ("test", "message", json!("0"), "not bytes in hexadecimal"),
            ("test", "message", Value::Null, "missing field `message`"),
            ("test", "signature", Value::Null, "missing field `signature`"),
        ] {
            let mut bad = good.clone();
            let group = &mut bad["testGroups"][0];
            if place == "group" {
                group[name] = value
            } else {
                group["tests"][0][name] = value
            }
            desk.put("v.json", bad.to_string());
            desk.run("vectors check v.json").says(3, words);
        }
        let mut unknown = good.clone();
        unknown["testGroups"][1]["tests"][3]["hashAlg"] = "MD5".into();
        desk.put("v.json", unknown.to_string());
        desk.run("vectors check v.json").says(3, "the hash function MD5 is none of FIPS 204's");
    }
}

#[test]
fn keys_of_mlkem_may_be_seeds() {
    let desk = Desk::new();
    let key = DecapsulationKey::<MlKem512>::from_seed(Seed::from([3; 64]));
    let (ciphertext, shared) = key.encapsulation_key().encapsulate_deterministic(&B32::from([4; 32]));
    let file = |fields: Value| {
        let mut test = json!({ "tcId": 1, "c": hex(&ciphertext), "k": hex(&shared) });
        test.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let group = json!({ "parameterSet": "ML-KEM-512", "function": "decapsulation", "tests": [test] });
        json!({ "algorithm": "ML-KEM", "mode": "encapDecap", "testGroups": [group] }).to_string()
    };
    let half = hex(&[3; 32]);
    for fields in [json!({ "d": half, "z": half }), json!({ "dk": hex(&key.to_expanded()) })] {
        desk.put("v.json", file(fields));
        desk.run("vectors check v.json").is(0);
    }
    desk.put("v.json", file(json!({ "d": half, "z": hex(&[4; 32]) })));
    desk.run("vectors check v.json").is(0);
    desk.put("v.json", file(json!({ "d": hex(&[4; 32]), "z": half })));
    desk.run("vectors check v.json").says(1, "field \"k\" differs");
    desk.put("v.json", file(json!({})));
    desk.run("vectors check v.json").says(3, "missing field `dk`");
}
