//! Known answers: vector files, and what every backend makes of them.

mod acvp;
mod backends;
mod bdlop;
mod encapsulation;
mod fields;
mod lwe;
mod newhope;
mod ntru;
mod nttru;
mod plans;
mod rlwe;

use crate::fault::Fault;
use backends::{compare_keys, each_backend};
use fields::{Trouble, any_bytes, bytes, compare, read, refused};
use serde::Deserialize;
use serde_json::Value;

/// Computes a test again from itself and its file's parameters: how often.
type Check = fn(&Value, &Value) -> Result<usize, Trouble>;

/// Schemes of vector files, by name.
const SCHEMES: [(&str, Check); 13] = [
    ("bdlop", bdlop::commitments),
    ("lwe", lwe::encryption),
    ("lwe-kem", lwe::encapsulation),
    ("mldsa-keygen", acvp::half_of_keys),
    ("mldsa-siggen", acvp::half_of_signatures),
    ("mldsa-sigver", acvp::half_of_verdicts),
    ("newhope", newhope::exchange),
    ("ntru", ntru::encryption),
    ("ntru-kem", ntru::encapsulation),
    ("nttru", nttru::encapsulation),
    ("product", plans::product),
    ("rlwe", rlwe::encryption),
    ("transform", plans::transform),
];

/// A vector file.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object of schema, scheme, parameters and tests")]
struct File {
    schema: u64,
    scheme: String,
    parameters: Value,
    tests: Vec<Value>,
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Tests of the file.
    pub(crate) tests: usize,
    /// Computations: one for each test, backend, method and word.
    pub(crate) computations: usize,
}

/// Computes all tests of a vector file on every backend that can.
pub(crate) fn check(name: &str, text: &str) -> Result<Tally, Fault> {
    let bad = |why: String| Fault::Input(format!("{name}: {why}"));
    let not = |e: serde_json::Error| bad(format!("this is not a vector file: {e}"));
    let file: Value = serde_json::from_str(text).map_err(not)?;
    if file.get("testGroups").is_some() {
        let [algorithm, mode] = ["algorithm", "mode"].map(|field| file[field].as_str().unwrap_or("without a name"));
        let known = acvp::KNOWN.iter().find(|(a, m, _)| (*a, *m) == (algorithm, mode));
        let Some((_, _, run)) = known else {
            let known = acvp::KNOWN.map(|(a, m, _)| format!("{a} {m}")).join(", ");
            return Err(bad(format!("of NIST's files this is {algorithm} {mode}; known are {known}")));
        };
        let tests = acvp::tests(&file).map_err(bad)?;
        return each(name, tests.iter().map(|test| (format!("tcId {}", test["tcId"]), run(test))));
    }
    let file = File::deserialize(file).map_err(not)?;
    if file.schema != 1 {
        return Err(bad(format!("schema {} is unknown; this program reads schema 1", file.schema)));
    }
    let Some((_, run)) = SCHEMES.iter().find(|(scheme, _)| *scheme == file.scheme) else {
        let known = SCHEMES.map(|(scheme, _)| scheme).join(", ");
        return Err(bad(format!("scheme \"{}\" is unknown; known are {known}", file.scheme)));
    };
    let tests = file.tests.iter().enumerate();
    each(name, tests.map(|(index, test)| (index.to_string(), run(test, &file.parameters))))
}

/// Counts tests and what they took, up to the first that is not confirmed.
fn each(name: &str, tests: impl Iterator<Item = (String, Result<usize, Trouble>)>) -> Result<Tally, Fault> {
    let mut tally = Tally::default();
    for (test, outcome) in tests {
        tally.computations += outcome.map_err(|trouble| match trouble {
            Trouble::Malformed(why) => Fault::Input(format!("{name}: test {test}: {why}")),
            Trouble::Mismatch { field, who } => {
                Fault::Negative(format!("{name}: test {test}: field \"{field}\" differs on {who}"))
            }
        })?;
        tally.tests += 1;
    }
    Ok(tally)
}
