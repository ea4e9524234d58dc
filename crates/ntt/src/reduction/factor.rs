//! The factors that reductions leave behind.

use super::Constants;
use crate::arith::Modulus;

/// A constant factor that a method leaves behind, with its power of K-RED's `k` stored separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The constant modulo `q`.
    pub residue: u64,
    /// The power of K-RED's `k` in it.
    pub k: i32,
}

impl Factor {
    /// No factor.
    pub const ONE: Self = Self { residue: 1, k: 0 };

    /// `1/R`, the factor left by Montgomery's products of variables.
    pub(super) fn inverse_of_word(q: Modulus, c: &Constants) -> Self {
        Self { residue: q.inv(q.reduce(c.word.into())), k: 0 }
    }

    /// The product of two factors.
    pub const fn times(self, other: Self, q: Modulus) -> Self {
        Self { residue: q.mul(self.residue, other.residue), k: self.k + other.k }
    }
}
