//! Checked variants of functions on words, for callers who do not already know that their words are
//! in range.

use super::single::Plan;
#[cfg(feature = "internals")]
use crate::transform::Transform;
use crate::{
    arith::Interval,
    input::{InputError, check, exactly},
    word::Word,
};

/// The residues modulo `q` that a plan accepts: `(-q, q)`, or `[0, q)` in unsigned words.
pub(super) fn residues<T: Word>(q: u64) -> Interval {
    let most = i128::from(q) - 1;
    Interval::new(if T::SIGNED { -most } else { 0 }, most)
}

#[cfg(feature = "internals")]
impl<T: Word> Transform<T> {
    /// Checks that [`forward`](Self::forward) and [`multiply`](Self::multiply) accept these words.
    ///
    /// - **Constant time:** yes, unless it returns an error.
    /// - **Errors** unless there are `n` words in `(-q, q)`. The error reports the index of the
    ///   first word out of range, so its timing depends on the input.
    pub fn check(&self, a: &[T]) -> Result<(), InputError> {
        check(self.recipe().n(), residues::<T>(self.recipe().q()), a)
    }

    /// [`forward`](Self::forward) that first [checks](Self::check) its words; if it refuses them,
    /// `a` is unchanged.
    pub fn try_forward(&self, a: &mut [T]) -> Result<(), InputError> {
        self.check(a)?;
        self.forward(a);
        Ok(())
    }

    /// [`inverse`](Self::inverse) that first checks its words; if it refuses them, `a` is
    /// unchanged.
    ///
    /// **Constant time:** yes, unless it returns an error. **Errors** unless there are `n` words,
    /// all in the union of `(-q, q)` and the certificate's `slots`.
    pub fn try_inverse(&self, a: &mut [T]) -> Result<(), InputError> {
        check(self.recipe().n(), residues::<T>(self.recipe().q()).union(self.certificate().slots()), a)?;
        self.inverse(a);
        Ok(())
    }

    /// [`multiply`](Self::multiply) that first [checks](Self::check) its words; if it refuses them,
    /// `c` is unchanged.
    pub fn try_multiply(&self, c: &mut [T], a: &[T], b: &[T]) -> Result<(), InputError> {
        exactly(self.recipe().n(), c.len())?;
        self.check(a)?;
        self.check(b)?;
        self.multiply(c, a, b);
        Ok(())
    }
}

impl<T: Word> Plan<T> {
    /// Checks that [`multiply`](Self::multiply), [`add`](Self::add), [`sub`](Self::sub) and
    /// [`forward`](Self::forward) accept these coefficients.
    ///
    /// - **Constant time:** yes, unless it returns an error.
    /// - **Errors** unless there are `n` words in `(-q, q)`, or in `[0, q)` if words are unsigned.
    ///   The error reports the index of the first word out of range, so its timing depends on the
    ///   input.
    ///
    /// ```
    /// use ringwork_ntt::{InputError, Interval, Plan};
    ///
    /// let plan = Plan::<i16>::new(4, 17)?;
    /// assert_eq!(plan.check(&[0, 16, -16, 3]), Ok(()));
    /// let range = Interval::symmetric(16);
    /// assert_eq!(plan.check(&[0, 16, -16, 17]), Err(InputError::Range { index: 3, range }));
    /// # Ok::<(), ringwork_ntt::PlanError>(())
    /// ```
    pub fn check(&self, a: &[T]) -> Result<(), InputError> {
        check(self.n(), residues::<T>(self.q()), a)
    }

    /// [`forward`](Self::forward) that first [checks](Self::check) its coefficients; if it refuses
    /// them, `a` is unchanged.
    ///
    /// **Constant time:** yes, unless it returns an error. **Errors** if `a` does not have
    /// [`ntt_len`](Self::ntt_len) words, or if `check` refuses one of the first `n`.
    pub fn try_forward(&self, a: &mut [T]) -> Result<(), InputError> {
        exactly(self.ntt_len(), a.len())?;
        self.check(&a[..self.n()])?;
        self.forward(a);
        Ok(())
    }

    /// [`multiply`](Self::multiply) that first [checks](Self::check) its coefficients; if it
    /// refuses them, `c` is unchanged.
    ///
    /// **Constant time:** yes, unless it returns an error. **Errors** if a slice does not have `n`
    /// words, or if `check` refuses a word of `a` or `b`.
    pub fn try_multiply(&self, c: &mut [T], a: &[T], b: &[T]) -> Result<(), InputError> {
        exactly(self.n(), c.len())?;
        self.check(a)?;
        self.check(b)?;
        self.multiply(c, a, b);
        Ok(())
    }
}
