//! Reinterpretation of words as other words of the same bits, or as bytes.

#![allow(unsafe_code, reason = "slices of words of one layout")]

use crate::sealed::Sealed;

/// A word of 16, 32 or 64 bits that can be read as the signed word that lanes hold.
pub trait Bits: Copy + Sealed + 'static {
    /// The signed word of the same width; the type itself if it is signed.
    type Signed: Bits<Signed = Self::Signed>;
    /// The same words, signed.
    fn signed(words: &[Self]) -> &[Self::Signed];
    /// The same words, signed and mutable.
    fn signed_mut(words: &mut [Self]) -> &mut [Self::Signed];
}

macro_rules! bits {
    ($($word:ident as $signed:ident)*) => {$(
        impl Sealed for $word {}

        impl Bits for $word {
            type Signed = $signed;

            #[inline(always)]
            fn signed(words: &[Self]) -> &[$signed] {
                // SAFETY: both words have the same size and alignment, and any bits are valid for either.
                unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
            }

            #[inline(always)]
            fn signed_mut(words: &mut [Self]) -> &mut [$signed] {
                // SAFETY: as for `signed`; the borrow is as exclusive as that of `words`.
                unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len()) }
            }
        }
    )*};
}
bits!(i16 as i16 i32 as i32 i64 as i64 u16 as i16 u32 as i32 u64 as i64);

/// Each word of 32 bits as two words of 16, in memory order.
#[inline(always)]
pub fn halves(words: &[i32]) -> &[i16] {
    // SAFETY: a word is two halves, whose alignment is smaller, and any bits are a valid half.
    unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), 2 * words.len()) }
}

/// [`halves`], mutable.
#[inline(always)]
pub fn halves_mut(words: &mut [i32]) -> &mut [i16] {
    // SAFETY: as for `halves`, and any halves are a valid word; the borrow is as exclusive as that of `words`.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), 2 * words.len()) }
}

/// Each word as its bytes, in memory order.
#[inline(always)]
pub fn bytes_of(words: &[u64]) -> &[u8] {
    // SAFETY: a word is eight bytes, which need no alignment, and any bits are valid bytes.
    unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), 8 * words.len()) }
}
