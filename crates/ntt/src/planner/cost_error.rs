//! Why a text is not a cost model.

use crate::reduction::Method;
use alloc::{string::String, vec::Vec};
use core::{fmt, ops::RangeInclusive};

/// The first line of a model's text, which contains the version.
pub(super) const HEAD: &str = "ringwork cost model 2";

/// Why a text is not a cost model, or numbers are not costs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CostModelError {
    /// The first line is not that of a model of this version.
    Version,
    /// A line does not belong to a model.
    Line {
        /// The number of the line, from 1 on.
        line: usize,
        /// The expected content.
        expected: &'static str,
    },
    /// No method has that name.
    Method {
        /// The number of the line.
        line: usize,
        /// The name.
        name: String,
    },
    /// A scale, or a method, has two lines for the same words and vectors.
    Duplicate {
        /// The number of the second line.
        line: usize,
    },
    /// A scale, or a method, has no line for some words and vectors.
    Missing {
        /// The beginning of the missing line.
        what: String,
    },
    /// A number is too small or too large.
    Range {
        /// The number of the line; 0 if it does not come from a text.
        line: usize,
        /// The allowed range.
        range: RangeInclusive<u16>,
    },
}

impl CostModelError {
    /// Whether all these numbers are in that range.
    pub(super) fn check(values: &[u16], range: &RangeInclusive<u16>) -> Result<(), Self> {
        if values.iter().all(|value| range.contains(value)) {
            return Ok(());
        }
        Err(Self::Range { line: 0, range: range.clone() })
    }
}

impl fmt::Display for CostModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version => write!(f, "line 1: this is no cost model of this version, which begins with {HEAD:?}"),
            Self::Line { line, expected } => write!(f, "line {line}: expected {expected}"),
            Self::Method { line, name } => {
                let names: Vec<&str> = Method::ALL.map(Method::name).into();
                write!(f, "line {line}: {name:?} is no method of reduction: these are {}", names.join(", "))
            }
            Self::Duplicate { line } => write!(f, "line {line}: another line has said so already"),
            Self::Missing { what } => write!(f, "there is no line for {what}"),
            Self::Range { line: 0, range } => write!(f, "numbers are from {} to {}", range.start(), range.end()),
            Self::Range { line, range } => {
                write!(f, "line {line}: numbers are from {} to {} there", range.start(), range.end())
            }
        }
    }
}

impl core::error::Error for CostModelError {}
