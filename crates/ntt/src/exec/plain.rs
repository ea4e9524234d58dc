//! What words are as numbers, apart from kernels.

use core::fmt::Debug;
#[cfg(feature = "std")]
use {
    super::kept::{Kept, OfThread},
    core::cell::RefCell,
};

/// A word.
pub trait Plain: Copy + Default + Debug + Send + Sync + 'static {
    /// The word of the lowest bits.
    fn truncated(x: i64) -> Self;

    /// Whether any of these words, read as signed ones, is outside `[lo, hi]`, a range of such words that holds zero.
    ///
    /// **Constant time:** yes. In the width of the words, so that the compiler takes many at a time.
    fn any_outside(words: &[Self], lo: Self, hi: Self) -> bool;

    /// Whether any of these words, read as unsigned ones, is above `hi`.
    ///
    /// **Constant time:** yes, as [`any_outside`](Self::any_outside).
    fn any_above(words: &[Self], hi: Self) -> bool;

    /// Memory of buffers that this thread has dropped.
    #[cfg(feature = "std")]
    fn kept() -> &'static OfThread<Self>;
}

macro_rules! plain {
    ($($word:ident as $signed:ident)*) => {$(
        impl Plain for $word {
            fn truncated(x: i64) -> Self {
                x as Self
            }

            fn any_outside(words: &[Self], lo: Self, hi: Self) -> bool {
                // The sign bit says so: neither difference overflows where its sign counts.
                let outside = |word: Self| hi.wrapping_sub(word) & !word | word.wrapping_sub(lo) & word;
                (words.iter().fold(0, |any, word| any | outside(*word)) as $signed) < 0
            }

            fn any_above(words: &[Self], hi: Self) -> bool {
                // The sign bit is the borrow of the difference.
                let above = |word: Self| !hi & word | !(hi ^ word) & hi.wrapping_sub(word);
                (words.iter().fold(0, |any, word| any | above(*word)) as $signed) < 0
            }

            #[cfg(feature = "std")]
            fn kept() -> &'static OfThread<Self> {
                std::thread_local! {
                    static KEPT: RefCell<Kept<$word>> = const { RefCell::new(Kept::new()) };
                }
                &KEPT
            }
        }
    )*};
}
plain!(i16 as i16 i32 as i32 i64 as i64 u16 as i16 u32 as i32 u64 as i64);
