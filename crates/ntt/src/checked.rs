//! Checked variants of what takes words, for callers who do not already know that they are in
//! range.

use crate::{
    arith::Interval,
    input::{InputError, check},
    plan::Plan,
    transform::Transform,
    word::Word,
};

/// The residues modulo `q` that a plan takes: `(-q, q)`, or `[0, q)` in unsigned words.
fn residues<T: Word>(q: u64) -> Interval {
    let most = i128::from(q) - 1;
    Interval::new(if T::SIGNED { -most } else { 0 }, most)
}

impl<T: Word> Transform<T> {
    /// Whether [`forward`](Self::forward) and [`multiply`](Self::multiply) are right for these
    /// words.
    ///
    /// - **Constant time:** yes, unless it is an error.
    /// - **Errors** unless there are `n` words in `(-q, q)`; the index of the first one outside is
    ///   told, and the time depends on it.
    pub fn check(&self, a: &[T]) -> Result<(), InputError> {
        check(self.recipe().n(), residues::<T>(self.recipe().q()), a)
    }

    /// [`forward`](Self::forward) of words that are [checked](Self::check); `a` is left as it is if
    /// they are refused.
    pub fn try_forward(&self, a: &mut [T]) -> Result<(), InputError> {
        self.check(a)?;
        self.forward(a);
        Ok(())
    }

    /// [`inverse`](Self::inverse) of words that are checked; `a` is left as it is if they are
    /// refused.
    ///
    /// **Constant time:** yes, unless it is an error. **Errors** unless there are `n` words, all in
    /// `(-q, q)` or the certificate's `slots`.
    pub fn try_inverse(&self, a: &mut [T]) -> Result<(), InputError> {
        check(self.recipe().n(), residues::<T>(self.recipe().q()).union(self.certificate().slots()), a)?;
        self.inverse(a);
        Ok(())
    }

    /// [`multiply`](Self::multiply) of words that are [checked](Self::check); `c` is left as it is
    /// if they are refused.
    pub fn try_multiply(&self, c: &mut [T], a: &[T], b: &[T]) -> Result<(), InputError> {
        check_room(self.recipe().n(), c)?;
        self.check(a)?;
        self.check(b)?;
        self.multiply(c, a, b);
        Ok(())
    }
}

impl<T: Word> Plan<T> {
    /// Whether [`multiply`](Self::multiply), [`add`](Self::add), [`sub`](Self::sub) and
    /// [`forward`](Self::forward) are right for these coefficients.
    ///
    /// - **Constant time:** yes, unless it is an error.
    /// - **Errors** unless there are `n` words in `(-q, q)`, or `[0, q)` if words are unsigned; the
    ///   index of the first one outside is told, and the time depends on it.
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

    /// [`forward`](Self::forward) of coefficients that are [checked](Self::check); `a` is left as
    /// it is if they are refused.
    ///
    /// **Constant time:** yes, unless it is an error. **Errors** if `a` does not have
    /// [`ntt_len`](Self::ntt_len) words, or one of the first `n` is refused by `check`.
    pub fn try_forward(&self, a: &mut [T]) -> Result<(), InputError> {
        check_room(self.ntt_len(), a)?;
        self.check(&a[..self.n()])?;
        self.forward(a);
        Ok(())
    }

    /// [`multiply`](Self::multiply) of coefficients that are [checked](Self::check); `c` is left as
    /// it is if they are refused.
    ///
    /// **Constant time:** yes, unless it is an error. **Errors** if a slice does not have `n`
    /// words, or one of `a` or `b` is refused by `check`.
    pub fn try_multiply(&self, c: &mut [T], a: &[T], b: &[T]) -> Result<(), InputError> {
        check_room(self.n(), c)?;
        self.check(a)?;
        self.check(b)?;
        self.multiply(c, a, b);
        Ok(())
    }
}

/// Whether there is room for what will be written: any words.
fn check_room<T: Word>(expected: usize, words: &[T]) -> Result<(), InputError> {
    check(expected, Interval::word(T::BITS), words)
}
