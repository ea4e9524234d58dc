//! Intervals of integers, the values of `Ranges` proofs.

use core::fmt;

/// The integers `lo..=hi`. Bounds have 128 bits, so that values beyond a 64-bit word can still be
/// represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Smallest value.
    pub lo: i128,
    /// Largest value.
    pub hi: i128,
}

impl Interval {
    /// `lo..=hi`.
    pub const fn new(lo: i128, hi: i128) -> Self {
        assert!(lo <= hi);
        Self { lo, hi }
    }

    /// `-bound..=bound`.
    pub const fn symmetric(bound: i128) -> Self {
        Self::new(-bound, bound)
    }

    /// All words of that width.
    pub const fn word(bits: u32) -> Self {
        Self::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    }

    /// The largest absolute value.
    pub const fn magnitude(self) -> i128 {
        if -self.lo > self.hi { -self.lo } else { self.hi }
    }

    /// All sums of a value of each.
    pub const fn plus(self, other: Self) -> Self {
        Self::new(self.lo + other.lo, self.hi + other.hi)
    }

    /// All differences of a value of each.
    pub const fn minus(self, other: Self) -> Self {
        Self::new(self.lo - other.hi, self.hi - other.lo)
    }

    /// The smallest interval that contains both.
    pub fn union(self, other: Self) -> Self {
        Self::new(self.lo.min(other.lo), self.hi.max(other.hi))
    }

    /// Whether `self` contains every value of `other`.
    pub const fn holds(self, other: Self) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if -self.lo == self.hi { write!(f, "±{}", self.hi) } else { write!(f, "[{}, {}]", self.lo, self.hi) }
    }
}
