//! The words that coefficients are kept in.

use crate::exec::Compiled;
use core::fmt::{Debug, Display};

/// A signed word that coefficients are kept in: `i16`, `i32` or `i64`. No other type can be one.
///
/// Canonical coefficients are not negative, so unsigned words of the same width have the same bits.
pub trait Word:
    Copy + Default + Debug + Display + Eq + Ord + Send + Sync + Into<i64> + TryFrom<i64> + Compiled
{
    /// Its width in bits.
    const BITS: u32;

    /// The word with that value.
    ///
    /// **Panics** if it does not fit.
    fn from_i64(x: i64) -> Self {
        Self::try_from(x).ok().expect("the number fits the word")
    }
}

impl Word for i16 {
    const BITS: u32 = 16;
}
impl Word for i32 {
    const BITS: u32 = 32;
}
impl Word for i64 {
    const BITS: u32 = 64;
}
