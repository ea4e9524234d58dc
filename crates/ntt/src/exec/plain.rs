//! What words are as numbers, apart from kernels.

use core::fmt::Debug;

/// A word.
pub trait Plain: Copy + Default + Debug + Send + Sync + 'static {
    /// The word of the lowest bits.
    fn truncated(x: i64) -> Self;
}

macro_rules! plain {
    ($($word:ident)*) => {$(
        impl Plain for $word {
            fn truncated(x: i64) -> Self {
                x as Self
            }
        }
    )*};
}
plain!(i16 i32 i64 u16 u32 u64);
