//! Checks that words are in the range of a plan.

use crate::{arith::Interval, exec::Plain, word::Word};
use core::fmt;

/// Why a plan refuses these words. The error does not contain the word, which may be secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputError {
    /// The slice has the wrong length.
    Length {
        /// The length it must have.
        expected: usize,
        /// The length it has.
        actual: usize,
    },
    /// A word is out of range.
    Range {
        /// Index of the first such word.
        index: usize,
        /// The range of words.
        range: Interval,
    },
}

impl InputError {
    /// A stable name: `length` or `range`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Length { .. } => "length",
            Self::Range { .. } => "range",
        }
    }

    /// The same with the word at another place.
    pub(crate) fn at(self, place: impl FnOnce(usize) -> usize) -> Self {
        match self {
            Self::Range { index, range } => Self::Range { index: place(index), range },
            other => other,
        }
    }
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

/// Checks that there are `expected` words.
pub(crate) const fn exactly(expected: usize, actual: usize) -> Result<(), InputError> {
    if actual == expected { Ok(()) } else { Err(InputError::Length { expected, actual }) }
}

/// Checks that these are whole polynomials of `of_each` words, whose first `used` words are in that range; the index in
/// an error counts from the start of `words`.
pub(crate) fn check_many<T: Word>(words: &[T], [of_each, used]: [usize; 2], range: Interval) -> Result<(), InputError> {
    exactly(words.len().next_multiple_of(of_each), words.len())?;
    for (i, polynomial) in words.chunks_exact(of_each).enumerate() {
        check(used, range, &polynomial[..used]).map_err(|error| error.at(|index| index + i * of_each))?;
    }
    Ok(())
}

/// Checks that there are `expected` words, all in that range.
///
/// **Constant time:** yes, unless it returns an error.
pub(crate) fn check<T: Word>(expected: usize, range: Interval, words: &[T]) -> Result<(), InputError> {
    exactly(expected, words.len())?;
    if range.hi > Interval::word(T::BITS).hi {
        return check_unsigned(range.hi, words);
    }
    let end = |end: i128| i64::try_from(end.clamp(i64::MIN.into(), i64::MAX.into())).expect("clamped");
    let (lo, hi) = (end(range.lo), end(range.hi));
    let words = T::signed(words);
    if !T::Signed::any_outside(words, T::Signed::truncated(lo), T::Signed::truncated(hi)) {
        return Ok(());
    }
    let outside = |&word: &T::Signed| !(lo..=hi).contains(&word.into());
    let index = words.iter().position(outside).expect("some word is outside");
    Err(InputError::Range { index, range })
}

/// Checks that all are in `[0, hi]` as unsigned words.
fn check_unsigned<T: Word>(hi: i128, words: &[T]) -> Result<(), InputError> {
    let words = T::signed(words);
    if !T::Signed::any_above(words, T::Signed::truncated(hi as i64)) {
        return Ok(());
    }
    let outside = |&word: &T::Signed| (i128::from(word.into()) & ((1 << T::BITS) - 1)) > hi;
    let index = words.iter().position(outside).expect("some word is outside");
    Err(InputError::Range { index, range: Interval::new(0, hi) })
}
