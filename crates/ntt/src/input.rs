//! Whether words are what a plan takes: for callers who do not know it already.

use crate::{arith::Interval, plan::Plan, transform::Transform, word::Word};
use core::fmt;

/// Why words are no input. What is outside is not said, since it may be secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputError {
    /// Not as many words as there must be.
    Length {
        /// How many there must be.
        expected: usize,
        /// How many there are.
        actual: usize,
    },
    /// A word that is too large or too small.
    Range {
        /// The first such word.
        index: usize,
        /// What words must be in.
        range: Interval,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, actual } => write!(f, "there must be {expected} words, and these are {actual}"),
            Self::Range { index, range } => {
                write!(f, "word {index} is not in [{}, {}]: reduce it modulo q first", range.lo, range.hi)
            }
        }
    }
}

impl core::error::Error for InputError {}

/// Whether there are so many words, all of that range.
///
/// **Constant time:** yes, unless it is an error.
pub(crate) fn check<T: Word>(expected: usize, range: Interval, words: &[T]) -> Result<(), InputError> {
    let actual = words.len();
    if actual != expected {
        return Err(InputError::Length { expected, actual });
    }
    let end = |end: i128| i64::try_from(end.clamp(i64::MIN.into(), i64::MAX.into())).expect("clamped");
    let (lo, hi) = (end(range.lo), end(range.hi));
    // Negative where the word is outside; zero is inside, so that neither difference can overflow there.
    let outside = |&word: &T| {
        let word: i64 = word.into();
        hi.wrapping_sub(word) & !word | word.wrapping_sub(lo) & word
    };
    if words.iter().fold(0, |all, word| all | outside(word)) >= 0 {
        return Ok(());
    }
    let index = words.iter().position(|word| outside(word) < 0).expect("some word is outside");
    Err(InputError::Range { index, range })
}

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
