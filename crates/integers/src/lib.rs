//! Exact products of large integers, given as little-endian limbs of 64 bits.
//!
//! ```
//! let a = [u64::MAX; 1000]; // 2^64000 - 1
//! let product = ringwork_integers::mul(&a, &a);
//! assert_eq!((product[0], product[999]), (1, 0));
//! assert_eq!((product[1000], product[1999]), (u64::MAX - 1, u64::MAX));
//! assert_eq!(product, ringwork_integers::square(&a));
//! ```
//!
//! A product has as many limbs as both operands together; its highest limbs may be zero. Limbs
//! become coefficients of polynomials, which the transforms of `ringwork-ntt` multiply modulo
//! several primes; then carries are propagated. [`Multiplier`] explains why nothing wraps.
//!
//! **Sizes.** Any; the README has measurements. Operands of up to 320 limbs are multiplied by
//! Karatsuba's algorithm, of fewer than 57 by schoolbook multiplication. Operands of very different lengths are cut into
//! pieces; no others are, up to products of 2^30 limbs, where memory allows them.
//!
//! **Constant time.** The instructions executed and the memory accessed depend only on the numbers
//! of limbs, not on their values.
//!
//! **Memory.** The tables for a length are computed at its first use and kept ([`Multiplier`]). A
//! product also needs about four times the memory of its result; part of that is not wiped.
//!
//! **Features.** `threads` (off): products of more than a few thousand limbs run on rayon's current
//! pool, with the same results.

#![forbid(unsafe_code)]

mod multiplier;
mod small;

pub use multiplier::Multiplier;

use std::sync::LazyLock;

static COMMON: LazyLock<Multiplier> = LazyLock::new(Multiplier::new);

/// The product, of `a.len() + b.len()` limbs, by a [`Multiplier`] shared by the whole process.
///
/// **Constant time:** yes, for given numbers of limbs.
pub fn mul(a: &[u64], b: &[u64]) -> Vec<u64> {
    COMMON.mul(a, b)
}

/// [`mul`] into the caller's memory; its previous contents do not matter.
///
/// **Constant time:** as [`mul`]. **Panics** unless `out` has `a.len() + b.len()` limbs.
pub fn mul_into(out: &mut [u64], a: &[u64], b: &[u64]) {
    COMMON.mul_into(out, a, b);
}

/// The square, of `2·a.len()` limbs; takes two thirds to four fifths of the time of a product.
///
/// **Constant time:** as [`mul`].
pub fn square(a: &[u64]) -> Vec<u64> {
    COMMON.square(a)
}

/// [`square`] into the caller's memory; its previous contents do not matter.
///
/// **Constant time:** as [`mul`]. **Panics** unless `out` has `2·a.len()` limbs.
pub fn square_into(out: &mut [u64], a: &[u64]) {
    COMMON.square_into(out, a);
}

/// The examples of `README.md` are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
