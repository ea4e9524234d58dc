//! Files of NIST's Automated Cryptographic Validation Protocol, as they are: of tests with their
//! answers (`internalProjection.json`).
//!
//! Source: pages.nist.gov/ACVP, ML-KEM (FIPS 203) JSON specification.

use super::{Trouble, any_bytes, bytes, compare, read, refused};
use ringwork::{
    Backend,
    schemes::mlkem::{B32, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet},
};
use serde::Deserialize;
use serde_json::Value;

/// Computes a test again: how often.
type Check = fn(&Value) -> Result<usize, Trouble>;

/// Algorithms and modes.
pub(super) const KNOWN: [(&str, &str, Check); 2] =
    [("ML-KEM", "keyGen", mlkem_keys), ("ML-KEM", "encapDecap", mlkem_encapsulation)];

/// Every test of a file, each with what its group says.
pub(super) fn tests(file: &Value) -> Result<Vec<Value>, String> {
    let groups = file["testGroups"].as_array().ok_or("\"testGroups\" is no list")?;
    let mut all = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let tests = group["tests"].as_array().ok_or_else(|| format!("\"tests\" of group {number} is no list"))?;
        for test in tests {
            let mut whole = group.clone();
            let (Some(whole_fields), Some(fields)) = (whole.as_object_mut(), test.as_object()) else {
                return Err(format!("a test of group {number} is no object"));
            };
            whole_fields.remove("tests");
            whole_fields.extend(fields.clone());
            all.push(whole);
        }
    }
    Ok(all)
}

/// Calls a function for the parameter set of a test.
macro_rules! of_set {
    ($test:expr, $function:ident) => {
        match $test["parameterSet"].as_str() {
            Some("ML-KEM-512") => $function::<MlKem512>($test),
            Some("ML-KEM-768") => $function::<MlKem768>($test),
            Some("ML-KEM-1024") => $function::<MlKem1024>($test),
            other => Err(Trouble::Malformed(format!("the parameter set {other:?} is none of ML-KEM's"))),
        }
    };
}

fn mlkem_keys(test: &Value) -> Result<usize, Trouble> {
    of_set!(test, keys)
}

fn mlkem_encapsulation(test: &Value) -> Result<usize, Trouble> {
    match test["function"].as_str() {
        Some("encapsulation") => of_set!(test, encapsulation),
        Some("decapsulation") => of_set!(test, decapsulation),
        Some("encapsulationKeyCheck") => of_set!(test, encapsulation_key),
        Some("decapsulationKeyCheck") => of_set!(test, decapsulation_key),
        other => Err(Trouble::Malformed(format!("the function {other:?} is none of ML-KEM's"))),
    }
}

#[derive(Deserialize)]
struct Keys {
    d: String,
    z: String,
    ek: String,
    dk: String,
}

fn keys<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    let Keys { d, z, ek, dk } = read(test)?;
    let [d, z] = [bytes::<32>(&d)?, bytes::<32>(&z)?];
    let seed: [u8; 64] = [d, z].concat().try_into().expect("64 bytes");
    let mut computations = 0;
    for backend in Backend::available() {
        let key = DecapsulationKey::<P>::with_backend(backend, &seed);
        compare(key.encapsulation_key().as_bytes(), &ek, "ek", &backend)?;
        compare(&key.to_expanded(), &dk, "dk", &backend)?;
        computations += 1;
    }
    Ok(computations)
}

#[derive(Deserialize)]
struct Encapsulated {
    ek: String,
    m: String,
    c: String,
    k: String,
}

fn encapsulation<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    let Encapsulated { ek, m, c, k } = read(test)?;
    let (ek, m) = (any_bytes(&ek)?, B32::from(bytes::<32>(&m)?));
    let mut computations = 0;
    for backend in Backend::available() {
        let key = EncapsulationKey::<P>::with_backend(backend, &ek).map_err(refused)?;
        let (ciphertext, shared) = key.encapsulate_deterministic(&m);
        compare(&ciphertext, &c, "c", &backend)?;
        compare(&shared, &k, "k", &backend)?;
        computations += 1;
    }
    Ok(computations)
}

#[derive(Deserialize)]
struct Decapsulated {
    dk: String,
    c: String,
    k: String,
}

fn decapsulation<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    let Decapsulated { dk, c, k } = read(test)?;
    let (dk, c) = (any_bytes(&dk)?, any_bytes(&c)?);
    let mut computations = 0;
    for backend in Backend::available() {
        let key = DecapsulationKey::<P>::expanded_with_backend(backend, &dk).map_err(refused)?;
        compare(key.decapsulate_bytes(&c).map_err(refused)?.as_bytes(), &k, "k", &backend)?;
        computations += 1;
    }
    Ok(computations)
}

/// Whether a key is accepted, against what the test says.
fn accepted(is: bool, test: &Value) -> Result<usize, Trouble> {
    match test["testPassed"].as_bool() {
        Some(expected) if expected == is => Ok(1),
        Some(_) => Err(Trouble::Mismatch { field: "testPassed", who: "every backend".into() }),
        None => Err(Trouble::Malformed("\"testPassed\" is neither true nor false".into())),
    }
}

fn field(test: &Value, name: &'static str) -> Result<Vec<u8>, Trouble> {
    any_bytes(test[name].as_str().ok_or_else(|| Trouble::Malformed(format!("missing field `{name}`")))?)
}

fn encapsulation_key<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    accepted(EncapsulationKey::<P>::from_bytes(&field(test, "ek")?).is_ok(), test)
}

fn decapsulation_key<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    accepted(DecapsulationKey::<P>::from_expanded(&field(test, "dk")?).is_ok(), test)
}
