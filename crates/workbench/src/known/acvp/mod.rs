//! Files of NIST's Automated Cryptographic Validation Protocol, as they are: of tests with their
//! answers (`internalProjection.json`).
//!
//! Source: pages.nist.gov/ACVP, ML-KEM (FIPS 203) and ML-DSA (FIPS 204) JSON specifications.

mod mldsa;
mod mlkem;

pub(super) use mldsa::{half_of_keys, half_of_signatures, half_of_verdicts};

use super::{Trouble, any_bytes, bytes, compare, read, refused};
use ringwork::Backend;
use serde_json::Value;

/// Computes a test again: how often.
type Check = fn(&Value) -> Result<usize, Trouble>;

/// Algorithms and modes.
pub(super) const KNOWN: [(&str, &str, Check); 5] = [
    ("ML-KEM", "keyGen", mlkem::keys),
    ("ML-KEM", "encapDecap", mlkem::encapsulation),
    ("ML-DSA", "keyGen", mldsa::keys),
    ("ML-DSA", "sigGen", mldsa::signatures),
    ("ML-DSA", "sigVer", mldsa::verdicts),
];

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

/// Whether something is accepted, against what the test says.
fn accepted(is: bool, test: &Value) -> Result<usize, Trouble> {
    match test["testPassed"].as_bool() {
        Some(expected) if expected == is => Ok(1),
        Some(_) => Err(Trouble::Mismatch { field: "testPassed", who: "every backend".into() }),
        None => Err(Trouble::Malformed("\"testPassed\" is neither true nor false".into())),
    }
}

/// How often a check succeeds.
fn each_backend(check: impl Fn(Backend) -> Result<(), Trouble>) -> Result<usize, Trouble> {
    let mut computations = 0;
    for backend in Backend::available() {
        check(backend)?;
        computations += 1;
    }
    Ok(computations)
}

/// A field in hexadecimal.
fn field<'a>(test: &'a Value, name: &str) -> Result<&'a str, Trouble> {
    test[name].as_str().ok_or_else(|| Trouble::Malformed(format!("missing field `{name}`")))
}

/// The bytes of a field.
fn field_bytes(test: &Value, name: &str) -> Result<Vec<u8>, Trouble> {
    any_bytes(field(test, name)?)
}
