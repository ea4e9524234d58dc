//! Checked variants of what takes words: for callers who do not know already that they fit.

use crate::{
    arith::Interval,
    input::{InputError, check},
    plan::Plan,
    transform::Transform,
    word::Word,
};

/// `(-q, q)`.
fn residues(q: u64) -> Interval {
    Interval::symmetric(i128::from(q) - 1)
}

impl<T: Word> Transform<T> {
    /// Whether [`forward`](Self::forward) and [`multiply`](Self::multiply) take these words, and would not compute
    /// something else in silence.
    ///
    /// **Constant time:** yes, unless it is an error. **Errors** unless there are `n` words in `(-q, q)`; which is the first
    /// one outside is told, and takes a time of its own.
    pub fn check(&self, a: &[T]) -> Result<(), InputError> {
        check(self.recipe().n(), residues(self.recipe().q()), a)
    }

    /// [`forward`](Self::forward) of words that are [checked](Self::check); `a` is left as it is if they are refused.
    pub fn try_forward(&self, a: &mut [T]) -> Result<(), InputError> {
        self.check(a)?;
        self.forward(a);
        Ok(())
    }

    /// [`inverse`](Self::inverse) of words that are checked; `a` is left as it is if they are refused.
    ///
    /// **Constant time:** yes, unless it is an error. **Errors** unless there are `n` words, all in `(-q, q)` or the
    /// certificate's `slots`.
    pub fn try_inverse(&self, a: &mut [T]) -> Result<(), InputError> {
        check(self.recipe().n(), residues(self.recipe().q()).union(self.certificate().slots()), a)?;
        self.inverse(a);
        Ok(())
    }

    /// [`multiply`](Self::multiply) of words that are [checked](Self::check); `c` is left as it is if they are refused.
    pub fn try_multiply(&self, c: &mut [T], a: &[T], b: &[T]) -> Result<(), InputError> {
        check_room(self.recipe().n(), c)?;
        self.check(a)?;
        self.check(b)?;
        self.multiply(c, a, b);
        Ok(())
    }
}

impl<T: Word> Plan<T> {
    /// Whether [`multiply`](Self::multiply), [`add`](Self::add) and [`sub`](Self::sub) take these words, and
    /// [`forward`](Self::forward) in the first `n`, and would not compute something else in silence.
    ///
    /// **Constant time:** yes, unless it is an error. **Errors** unless there are `n` words in `(-q, q)`; which is the first
    /// one outside is told, and takes a time of its own.
    pub fn check(&self, a: &[T]) -> Result<(), InputError> {
        check(self.n(), residues(self.q()), a)
    }

    /// [`forward`](Self::forward) of words that are [checked](Self::check); `a` is left as it is if they are refused.
    pub fn try_forward(&self, a: &mut [T]) -> Result<(), InputError> {
        check_room(self.ntt_len(), a)?;
        self.check(&a[..self.n()])?;
        self.forward(a);
        Ok(())
    }

    /// [`multiply`](Self::multiply) of words that are [checked](Self::check); `c` is left as it is if they are refused.
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
