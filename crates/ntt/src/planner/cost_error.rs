//! Why a text is no cost model.

use crate::reduction::Method;
use alloc::{string::String, vec::Vec};
use core::{fmt, ops::RangeInclusive};

/// The first line of a model's text, which has the version.
pub(super) const HEAD: &str = "ringwork cost model 2";

/// Why a text is no cost model, or numbers are no costs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CostModelError {
    /// The first line is not that of a model of this version.
    Version,
    /// A line is none of a model.
    Line {
        /// Its number, from 1 on.
        line: usize,
        /// What a line has there.
        expected: &'static str,
    },
    /// No method has that name.
    Method {
        /// The number of the line.
        line: usize,
        /// The name.
        name: String,
    },
    /// A scale, or a method, of some words and vectors has two lines.
    Duplicate {
        /// The number of the second one.
        line: usize,
    },
    /// A scale, or a method, of some words and vectors has none.
    Missing {
        /// What the line begins with.
        what: String,
    },
    /// A number is too small or too large.
    Range {
        /// The number of the line; 0 if it is none of a text.
        line: usize,
        /// What it may be.
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
