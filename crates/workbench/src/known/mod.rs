//! Known answers: vector files, and what every backend makes of them.

mod acvp;
mod bdlop;
mod lwe;
mod newhope;
mod ntru;
mod nttru;
mod plans;
mod rlwe;

use crate::fault::Fault;
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Display;

/// Computes a test again from itself and its file's parameters: how often.
type Check = fn(&Value, &Value) -> Result<usize, Trouble>;

/// Schemes of vector files, by name.
const SCHEMES: [(&str, Check); 12] = [
    ("bdlop", bdlop::commitments),
    ("lwe", lwe::encryption),
    ("lwe-kem", lwe::encapsulation),
    ("mldsa-keygen", acvp::half_of_keys),
    ("mldsa-siggen", acvp::half_of_signatures),
    ("mldsa-sigver", acvp::half_of_verdicts),
    ("newhope", newhope::exchange),
    ("ntru", ntru::encryption),
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

/// Why a test is not confirmed.
enum Trouble {
    Malformed(String),
    Mismatch { field: &'static str, who: String },
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

/// The bytes of a hexadecimal string.
fn any_bytes(hex: &str) -> Result<Vec<u8>, Trouble> {
    let digit = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let decoded: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(digit).collect();
    decoded
        .filter(|_| hex.bytes().all(|b| b.is_ascii_hexdigit()))
        .ok_or_else(|| Trouble::Malformed(format!("{} characters are not bytes in hexadecimal", hex.len())))
}

/// So many bytes.
fn bytes<const N: usize>(hex: &str) -> Result<[u8; N], Trouble> {
    let wrong = |_| Trouble::Malformed(format!("{} characters are not {N} bytes in hexadecimal", hex.len()));
    any_bytes(hex)?.try_into().map_err(wrong)
}

/// Refuses bytes that differ from those of a field.
fn compare(computed: &[u8], expected: &str, field: &'static str, who: &dyn Display) -> Result<(), Trouble> {
    if computed == any_bytes(expected)? { Ok(()) } else { Err(Trouble::Mismatch { field, who: who.to_string() }) }
}

/// What the library refuses in a test.
fn refused(why: impl Display) -> Trouble {
    Trouble::Malformed(why.to_string())
}

fn read<'a, T: Deserialize<'a>>(test: &'a Value) -> Result<T, Trouble> {
    T::deserialize(test).map_err(|e| Trouble::Malformed(e.to_string()))
}
