//! Primes that have the roots of unity of a ring, by size.
//!
//! `p` has a primitive root of unity of order `m` if and only if `p ≡ 1 (mod m)`, since the units
//! modulo `p` are a cyclic group of order `p - 1`. So the candidates are the numbers of `b` bits
//! that are 1 modulo `m`, and [`is_prime`] tests each.

use super::{Modulus, is_prime, roots::step_to_odd};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::{fmt, iter::FusedIterator, ops::RangeInclusive};

/// Sizes of primes: no plan can use a smaller prime, and no larger one is a [`Modulus`].
pub const PRIME_BITS: RangeInclusive<u32> = 3..=64;

/// [`k2m1_primes`] have a `k` below this. K-RED multiplies by `k` where other methods multiply by a
/// full-size constant, so the form pays only if `k` has few bits.
pub const K2M1_BOUND: u64 = 1 << 8;

/// `p = k·2^m + sign` with the sign that has the smaller `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct K2m1 {
    /// Odd.
    pub k: u64,
    /// At least one.
    pub m: u32,
    /// `+1` or `-1`.
    pub sign: i64,
}

impl Modulus {
    /// The form for K-RED; every odd number has it, but few with a small `k`.
    pub const fn k2m1(self) -> K2m1 {
        let (below, above) = (self.get() - 1, self.get() + 1);
        if below.trailing_zeros() >= above.trailing_zeros() {
            let m = below.trailing_zeros();
            K2m1 { k: below >> m, m, sign: 1 }
        } else {
            let m = above.trailing_zeros();
            K2m1 { k: above >> m, m, sign: -1 }
        }
    }
}

impl fmt::Display for K2m1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.sign == 1 { '+' } else { '-' };
        write!(f, "{}·2^{} {sign} 1", self.k, self.m)
    }
}

/// Why there are no such primes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrimesError {
    /// The size is not in [`PRIME_BITS`].
    Bits {
        /// The size.
        bits: u32,
    },
    /// No prime of that size meets the request.
    None {
        /// Size.
        bits: u32,
        /// The order of the root.
        order: u64,
        /// Whether only primes of [`k2m1_primes`] were requested.
        k2m1: bool,
        /// The largest suitable prime of fewer bits.
        below: Option<u64>,
        /// The smallest suitable prime of more bits.
        above: Option<u64>,
    },
}

/// The primes of exactly `bits` bits that have a primitive root of unity of that order.
///
/// - **Order:** rising from the front, falling from the back; no prime comes from both ends.
/// - **Range:** `bits` in [`PRIME_BITS`].
/// - **Cost:** nothing is stored; a step tests about `bits / 3` candidates, since one odd number in
///   `bits · ln 2 / 2` is prime.
/// - **Errors** if the size is out of range, or no prime of this size has such a root; the error
///   names the nearest primes that do.
pub fn primes(order: u64, bits: u32) -> Result<Primes, PrimesError> {
    if !PRIME_BITS.contains(&bits) {
        return Err(PrimesError::Bits { bits });
    }
    let primes = Primes::new(order, bits);
    if primes.clone().next().is_some() {
        return Ok(primes);
    }
    let below = smaller(bits).find_map(|b| Primes::new(order, b).next_back());
    let above = larger(bits).find_map(|b| Primes::new(order, b).next());
    Err(none(order, bits, false, below, above))
}

/// The primes of [`primes()`] that are `k·2^m + 1` or `k·2^m - 1` with `k` below [`K2M1_BOUND`].
///
/// - **Order:** rising.
/// - **Range:** as [`primes()`]. If 4 divides the order, the form is always `k·2^m + 1`.
/// - **Cost:** one candidate per odd `k` and sign, at most [`K2M1_BOUND`] in all.
/// - **Errors** as [`primes()`].
#[cfg(feature = "alloc")]
pub fn k2m1_primes(order: u64, bits: u32) -> Result<Vec<Modulus>, PrimesError> {
    if !PRIME_BITS.contains(&bits) {
        return Err(PrimesError::Bits { bits });
    }
    let primes = of_small_k(order, bits);
    if !primes.is_empty() {
        return Ok(primes);
    }
    let below = smaller(bits).find_map(|b| of_small_k(order, b).pop());
    let above = larger(bits).find_map(|b| of_small_k(order, b).first().copied());
    Err(none(order, bits, true, below, above))
}

/// See [`primes()`].
#[derive(Clone, Debug)]
pub struct Primes {
    /// The candidates left are `low`, `low + step`, …, `high`; none if `low > high`.
    low: u128,
    high: u128,
    step: u128,
}

impl Primes {
    /// `bits` in [`PRIME_BITS`].
    pub(crate) const fn new(order: u64, bits: u32) -> Self {
        let end = 1_u128 << bits;
        let step = step_to_odd(order) as u128;
        if step >= end {
            return Self { low: 1, high: 0, step: 0 };
        }
        Self { low: (end / 2 - 1).div_ceil(step) * step + 1, high: (end - 2) / step * step + 1, step }
    }
}

impl Iterator for Primes {
    type Item = Modulus;

    fn next(&mut self) -> Option<Modulus> {
        while self.low <= self.high {
            let candidate = self.low as u64;
            self.low += self.step;
            if let Some(prime) = prime(candidate) {
                return Some(prime);
            }
        }
        None
    }
}

impl DoubleEndedIterator for Primes {
    fn next_back(&mut self) -> Option<Modulus> {
        while self.low <= self.high {
            let candidate = self.high as u64;
            self.high -= self.step; // at least 1, which is below `low`
            if let Some(prime) = prime(candidate) {
                return Some(prime);
            }
        }
        None
    }
}

impl FusedIterator for Primes {}

/// The candidate as a modulus if it is prime; cheap if not.
fn prime(candidate: u64) -> Option<Modulus> {
    if is_prime(candidate) { Modulus::new(candidate).ok() } else { None }
}

/// All of [`k2m1_primes`]; `bits` in [`PRIME_BITS`].
#[cfg(feature = "alloc")]
fn of_small_k(order: u64, bits: u32) -> Vec<Modulus> {
    let fits = |p: u64| u64::BITS - p.leading_zeros() == bits && (p - 1).is_multiple_of(order);
    let mut primes = Vec::new();
    for k in (1..K2M1_BOUND).step_by(2) {
        // k·2^m has `bits` bits; a power of two minus one has one bit less.
        let m = (bits + k.leading_zeros()).saturating_sub(u64::BITS);
        let mersenne = if k == 1 { m + 1 } else { m };
        let (plus, minus) = ((k << m) + 1, ((u128::from(k) << mersenne) - 1) as u64);
        let candidates = [plus, minus].into_iter().filter(|&p| p % 2 == 1 && fits(p));
        primes.extend(candidates.filter_map(prime));
    }
    primes.sort_by_key(|p| p.get());
    primes.dedup();
    primes
}

/// Smaller sizes, the nearest first.
fn smaller(bits: u32) -> impl Iterator<Item = u32> {
    (*PRIME_BITS.start()..bits).rev()
}

/// Larger sizes, the nearest first.
fn larger(bits: u32) -> impl Iterator<Item = u32> {
    bits + 1..=*PRIME_BITS.end()
}

fn none(order: u64, bits: u32, k2m1: bool, below: Option<Modulus>, above: Option<Modulus>) -> PrimesError {
    let [below, above] = [below, above].map(|prime| prime.map(Modulus::get));
    PrimesError::None { bits, order, k2m1, below, above }
}

impl fmt::Display for PrimesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sized = |p: u64| (p, u64::BITS - p.leading_zeros());
        let (least, most) = (PRIME_BITS.start(), PRIME_BITS.end());
        match *self {
            Self::Bits { bits } => {
                write!(f, "primes of {bits} bits are out of range; take {least} to {most} bits")
            }
            Self::None { bits, order, k2m1, below, above } => {
                write!(f, "no prime of exactly {bits} bits ")?;
                if k2m1 {
                    write!(f, "is k·2^m ± 1 with k < {K2M1_BOUND} and ")?;
                }
                write!(f, "has a primitive root of unity of order {order}")?;
                match (below.map(sized), above.map(sized)) {
                    (None, Some((p, size))) => write!(f, "; the smallest one is {p}, of {size} bits"),
                    (Some((p, size)), None) => write!(f, "; the largest one is {p}, of {size} bits"),
                    (Some((p, less)), Some((r, more))) => {
                        write!(f, "; the nearest are {p} of {less} bits and {r} of {more} bits")
                    }
                    (None, None) => write!(f, ", nor has one of any other size from {least} to {most} bits"),
                }
            }
        }
    }
}

impl core::error::Error for PrimesError {}
