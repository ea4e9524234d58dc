//! The words that hold coefficients.

use crate::exec::{Compiled, Plain};
use core::fmt::{Debug, Display};
use lanes::Bits;

/// A word that holds a coefficient: `u16`, `u32`, `u64`, or a [`SignedWord`]. No other type
/// implements this trait.
///
/// Canonical coefficients have the same bits with and without a sign, and plans for words of one
/// width run the same machine code. Primes that leave no room for a sign have plans in unsigned
/// words only. The accepted range of coefficients differs: `(-q, q)` in signed words, `[0, q)` in
/// unsigned ones. Transformed words are not canonical; in unsigned words treat them as plain bits:
/// a negative one looks large.
pub trait Word:
    Copy + Default + Debug + Display + Eq + Ord + Send + Sync + TryFrom<i64> + TryInto<i64> + Plain + Bits<Signed: Compiled>
{
    /// The width in bits.
    const BITS: u32;
    /// Whether the word is signed.
    const SIGNED: bool;

    /// The word with that value.
    ///
    /// **Panics** if it does not fit.
    fn from_i64(x: i64) -> Self {
        Self::try_from(x).ok().expect("the number fits the word")
    }
}

/// A signed word: `i16`, `i32` or `i64`.
pub trait SignedWord: Word<Signed = Self> + Compiled + Into<i64> {}

macro_rules! words {
    ($($signed:ident $unsigned:ident)*) => {$(
        impl Word for $signed {
            const BITS: u32 = Self::BITS;
            const SIGNED: bool = true;
        }

        impl SignedWord for $signed {}

        impl Word for $unsigned {
            const BITS: u32 = Self::BITS;
            const SIGNED: bool = false;
        }
    )*};
}
words!(i16 u16 i32 u32 i64 u64);
