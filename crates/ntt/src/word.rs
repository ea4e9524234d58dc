//! The words that coefficients are kept in.

use crate::exec::Compiled;
use core::fmt::{Debug, Display};

/// A signed word: `i16`, `i32` or `i64`.
pub trait Word:
    Copy + Default + Debug + Display + Eq + Ord + Send + Sync + Into<i64> + TryFrom<i64> + Compiled
{
    /// Its width.
    const BITS: u32;

    /// The word of a number that fits.
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
