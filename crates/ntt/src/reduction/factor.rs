//! What reductions leave behind.

use super::Constants;
use crate::arith::Modulus;

/// A constant that a method leaves behind, with the power of K-RED's `k` in it spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The constant modulo `q`.
    pub residue: u64,
    /// How many times K-RED left its `k`.
    pub k: i32,
}

impl Factor {
    /// Nothing left behind.
    pub const ONE: Self = Self { residue: 1, k: 0 };

    /// `1/R`, which Montgomery's products of variables leave behind.
    pub(super) fn inverse_of_word(q: Modulus, c: &Constants) -> Self {
        Self { residue: q.inv(q.reduce(c.word.into())), k: 0 }
    }

    /// The product of two factors.
    pub const fn times(self, other: Self, q: Modulus) -> Self {
        Self { residue: q.mul(self.residue, other.residue), k: self.k + other.k }
    }
}
