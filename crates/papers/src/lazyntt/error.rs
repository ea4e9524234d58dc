//! Errors that say what would work.

use ntt::{Backend, Method, PlanError, Violation};
use std::fmt;

/// Why there is no transform by LazyNTT.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no transform of that ring by Montgomery's method one word at a time, lazy or not.
    Plan(PlanError),
    /// `t = 0`.
    Zero,
    /// Another method, or vectors.
    Elsewhere {
        /// The number of products in a row of which one is reduced.
        t: u32,
        /// The method.
        method: Method,
        /// The backend.
        backend: Backend,
    },
    /// Some value could leave the word.
    Range {
        /// Degree.
        n: usize,
        /// Modulus.
        q: u64,
        /// The number of products in a row of which one is reduced.
        t: u32,
        /// Bits of the word.
        bits: u32,
        /// Where.
        violation: Violation,
        /// The largest `t` below this one for which there is a transform.
        smaller: Option<u32>,
    },
}

impl From<PlanError> for Error {
    fn from(e: PlanError) -> Self {
        Self::Plan(e)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan(e) => e.fmt(f),
            Self::Zero => {
                f.write_str("LazyNTT reduces one of t products in a row; t = 0 is too small, take t = 1 or more")
            }
            Self::Elsewhere { t, method, backend } => write!(
                f,
                "LazyNTT (t = {t}) runs by montgomery on the scalar backend, not by {method} on {backend}: it chooses for every coefficient"
            ),
            Self::Range { n, q, t, bits, violation, smaller } => {
                write!(
                    f,
                    "LazyNTT (t = {t}) cannot keep n = {n}, q = {q} inside {bits}-bit words: {violation}; take "
                )?;
                match (smaller, bits) {
                    (Some(t), 64) => write!(f, "t = {t}"),
                    (Some(t), _) => write!(f, "t = {t}, or {}-bit words", 2 * bits),
                    (None, 64) => f.write_str("a smaller prime"),
                    (None, _) => write!(f, "{}-bit words", 2 * bits),
                }
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Plan(e) => Some(e),
            _ => None,
        }
    }
}
