//! The value of a polynomial at a point.

use super::single::Plan;
use crate::{
    arith::{Modulus, Multiplier},
    transform::check_length,
    word::Word,
};

/// Sums that grow side by side, so that none waits for the product before it.
const SUMS: usize = 8;

impl<T: Word> Plan<T> {
    /// The value of a polynomial at `x`, whatever the plan: Horner's rule, without a transform.
    ///
    /// Many points that are a coset are what a [shifted](crate::Request::shift) transform is for.
    ///
    /// - **Order:** natural.
    /// - **Range:** of coefficients as [`forward`](Self::forward); `x` is any number, and the value is in `[0, q)`.
    /// - **Constant time:** no promise; take it for public polynomials.
    /// - **Panics** if `a` does not have `n` words.
    ///
    /// ```
    /// use ringwork_ntt::{Plan, Request};
    ///
    /// let plan = Plan::<i32>::with(&Request::new(4, 97).cyclic())?;
    /// assert_eq!(plan.evaluate(&[1, 2, 0, -3], 10), (1 + 20 - 3000_i64).rem_euclid(97) as u64);
    /// # Ok::<(), ringwork_ntt::PlanError>(())
    /// ```
    pub fn evaluate(&self, a: &[T], x: u64) -> u64 {
        check_length(self.n(), a.len());
        let (modulus, q) = (self.contract().modulus(), self.q());
        let point = Multiplier::new(modulus, x % q);
        let step = Multiplier::new(modulus, modulus.pow(x % q, SUMS as u64));
        let mut sums = [0; SUMS];
        for words in T::signed(a).chunks(SUMS).rev() {
            // The last words may be fewer: what is missing is zero.
            sums.iter_mut().for_each(|sum| *sum = step.times(*sum));
            for (sum, &word) in sums.iter_mut().zip(words) {
                *sum = modulus.add(*sum, residue::<T>(modulus, word.into()));
            }
        }
        sums.into_iter().rev().fold(0, |value, sum| modulus.add(point.times(value), sum))
    }
}

/// The residue of a word in `(-q, q)`, or in `[0, q)` if words have no sign.
pub(super) const fn residue<T: Word>(modulus: Modulus, word: i64) -> u64 {
    if T::SIGNED {
        (word as u64).wrapping_add(modulus.get() & (word >> 63) as u64)
    } else {
        word as u64 & u64::MAX >> (u64::BITS - T::BITS)
    }
}
