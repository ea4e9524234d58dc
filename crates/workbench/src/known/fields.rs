//! The fields of tests, and how a test ends.

use serde::Deserialize;
use serde_json::Value;
use std::fmt::Display;

/// Why a test is not confirmed.
pub(super) enum Trouble {
    Malformed(String),
    Mismatch { field: &'static str, who: String },
}

/// The bytes of a hexadecimal string.
pub(super) fn any_bytes(hex: &str) -> Result<Vec<u8>, Trouble> {
    let digit = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let decoded: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(digit).collect();
    decoded
        .filter(|_| hex.bytes().all(|b| b.is_ascii_hexdigit()))
        .ok_or_else(|| Trouble::Malformed(format!("{} characters are not bytes in hexadecimal", hex.len())))
}

/// Exactly `N` bytes.
pub(super) fn bytes<const N: usize>(hex: &str) -> Result<[u8; N], Trouble> {
    let wrong = |_| Trouble::Malformed(format!("{} characters are not {N} bytes in hexadecimal", hex.len()));
    any_bytes(hex)?.try_into().map_err(wrong)
}

/// Refuses bytes that differ from those of a field.
pub(super) fn compare(computed: &[u8], expected: &str, field: &'static str, who: &dyn Display) -> Result<(), Trouble> {
    if computed == any_bytes(expected)? { Ok(()) } else { Err(Trouble::Mismatch { field, who: who.to_string() }) }
}

/// What the library refuses in a test.
pub(super) fn refused(why: impl Display) -> Trouble {
    Trouble::Malformed(why.to_string())
}

pub(super) fn read<'a, T: Deserialize<'a>>(test: &'a Value) -> Result<T, Trouble> {
    T::deserialize(test).map_err(|e| Trouble::Malformed(e.to_string()))
}
