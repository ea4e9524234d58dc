//! Inputs for the tests of this crate.

use crate::field;

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a small generator with a fixed seed, so that a
/// failure repeats.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    pub(crate) fn poly(&mut self, n: usize, q: u64) -> Vec<u64> {
        (0..n).map(|_| self.below(q)).collect()
    }

    /// n integers of absolute value at most `eta`, modulo q.
    pub(crate) fn small(&mut self, n: usize, eta: u64, q: u64) -> Vec<u64> {
        (0..n).map(|_| field::sub(self.below(2 * eta + 1), eta, q)).collect()
    }
}
