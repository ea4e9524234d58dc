//! ML-DSA: known answers of NIST, agreement of backends, round trips, refusals.

use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use ringwork::{
    Backend,
    decode::DecodeError,
    schemes::mldsa::{
        Error, ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, PreHash, Signature, SigningKey, VerifyingKey,
    },
    xof,
};
use serde_json::Value;

/// A deterministic generator, so that failures repeat.
struct Stream(u64);

impl TryRng for Stream {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0 += 1;
        xof::chacha20(&[11; 32], self.0.to_le_bytes(), bytes);
        Ok(())
    }
}
impl TryCryptoRng for Stream {}

fn seed(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    xof::chacha20(&[13; 32], number.to_le_bytes(), &mut seed);
    seed
}

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().expect("a string");
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hex digits")).collect()
}

/// The tests of a file of vectors; or, where `MLDSA_VECTORS` names a file, that part of it.
fn tests(part: &str, text: &str) -> Vec<Value> {
    let found: Value = match std::env::var_os("MLDSA_VECTORS") {
        Some(path) => serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap()[part].take(),
        None => serde_json::from_str::<Value>(text).unwrap()["tests"].take(),
    };
    found.as_array().unwrap().clone()
}

/// Calls a function that is generic in the set with that of a test.
macro_rules! of_set {
    ($test:expr, $function:ident($($argument:expr),*)) => {
        match $test["set"].as_str().unwrap() {
            "ML-DSA-44" => $function::<MlDsa44>($($argument),*),
            "ML-DSA-65" => $function::<MlDsa65>($($argument),*),
            "ML-DSA-87" => $function::<MlDsa87>($($argument),*),
            other => panic!("no set {other}"),
        }
    };
}

#[test]
fn keys_of_nist() {
    fn check<P: MlDsaParams>(test: &Value, backend: Backend) {
        let key = SigningKey::<P>::with_backend(backend, &bytes(&test["seed"]).try_into().unwrap());
        assert_eq!(key.verifying_key().as_bytes(), bytes(&test["public_key"]), "{backend} {}", test["id"]);
        assert_eq!(key.to_expanded()[..], bytes(&test["secret_key"]), "{backend} {}", test["id"]);
    }
    let tests = tests("keygen", include_str!("../../../vectors/standards/mldsa-keygen.json"));
    assert!(tests.len() >= 15);
    for backend in Backend::available() {
        tests.iter().for_each(|test| of_set!(test, check(test, backend)));
    }
}

#[test]
fn signatures_of_nist() {
    fn check<P: MlDsaParams>(test: &Value, backend: Backend) {
        let key = ExpandedSigningKey::<P>::from_expanded_with_backend(backend, &bytes(&test["secret_key"])).unwrap();
        let (message, expected) = (bytes(&test["message"]), bytes(&test["signature"]));
        let signature = key.sign_internal(&[&message], &bytes(&test["randomness"]).try_into().unwrap());
        assert_eq!(signature.as_bytes(), expected, "{backend} {}", test["id"]);
        assert!(key.verifying_key().verify_internal(&message, &signature), "{backend} {}", test["id"]);
    }
    let tests = tests("siggen", include_str!("../../../vectors/standards/mldsa-siggen.json"));
    assert!(tests.len() >= 18);
    for backend in Backend::available() {
        tests.iter().for_each(|test| of_set!(test, check(test, backend)));
    }
}

#[test]
fn verdicts_of_nist() {
    fn check<P: MlDsaParams>(test: &Value, backend: Backend) {
        let key = VerifyingKey::<P>::with_backend(backend, &bytes(&test["public_key"])).unwrap();
        let verdict = Signature::<P>::from_bytes(&bytes(&test["signature"]))
            .is_ok_and(|signature| key.verify_internal(&bytes(&test["message"]), &signature));
        assert_eq!(verdict, test["valid"].as_bool().unwrap(), "{backend} {} {}", test["id"], test["reason"]);
    }
    let tests = tests("sigver", include_str!("../../../vectors/standards/mldsa-sigver.json"));
    assert!(tests.len() >= 24);
    for backend in Backend::available() {
        tests.iter().for_each(|test| of_set!(test, check(test, backend)));
    }
}
