//! Many products by one residue, and many powers of one root.

use super::Modulus;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A residue that multiplies many others, without a division for each.
///
/// Source: Shoup's multiplication, as [`Method::Shoup`](crate::Method::Shoup) on 64-bit words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Multiplier {
    modulus: Modulus,
    residue: u64,
    /// `⌊residue·2^64/q⌋`
    quotient: u64,
}

impl Multiplier {
    /// A multiplier by a residue in `[0, q)`.
    pub(crate) const fn new(modulus: Modulus, residue: u64) -> Self {
        let quotient = ((residue as u128) << 64) / modulus.get() as u128;
        Self { modulus, residue, quotient: quotient as u64 }
    }

    /// `x·residue mod q`, for any `x`.
    pub(crate) const fn times(self, x: u64) -> u64 {
        let q = self.modulus.get();
        let quotient = ((x as u128 * self.quotient as u128) >> 64) as u64;
        // 0 ≤ x·residue/q - quotient < 2
        let rest = x.wrapping_mul(self.residue).wrapping_sub(quotient.wrapping_mul(q));
        if q >> 63 != 0 {
            let rest = x as u128 * self.residue as u128 - quotient as u128 * q as u128; // may need 65 bits
            return if rest >= q as u128 { rest - q as u128 } else { rest } as u64;
        }
        if rest >= q { rest - q } else { rest }
    }
}

/// The powers of a root of unity, each the product of two stored ones.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub(crate) struct Powers {
    modulus: Modulus,
    order: usize,
    /// The powers below the `2^log`-th, and the powers of the `2^log`-th.
    low: Vec<u64>,
    high: Vec<u64>,
    log: u32,
}

#[cfg(feature = "alloc")]
impl Powers {
    /// The powers of a root of that order, which may be 1.
    pub(crate) fn new(modulus: Modulus, root: u64, order: usize) -> Self {
        let log = order.ilog2().div_ceil(2);
        let powers = |root: u64, count: usize| {
            let by = Multiplier::new(modulus, root);
            core::iter::successors(Some(1), |power| Some(by.times(*power))).take(count).collect()
        };
        let (low, high) = (powers(root, 1 << log), powers(modulus.pow(root, 1 << log), (order >> log) + 1));
        Self { modulus, order, low, high, log }
    }

    /// The power for any exponent.
    pub(crate) fn of(&self, exponent: usize) -> u64 {
        let exponent = if exponent < self.order { exponent } else { exponent % self.order };
        let (low, high) = (exponent & ((1 << self.log) - 1), exponent >> self.log);
        self.modulus.mul(self.low[low], self.high[high])
    }
}
