//! Words as others of the same bits.

#![allow(unsafe_code, reason = "slices of words of one layout")]

use crate::sealed::Sealed;

/// A word of 16, 32 or 64 bits, which can be read as the signed one that lanes hold.
pub trait Bits: Copy + Sealed + 'static {
    /// The signed word of the same width: itself, if it has a sign.
    type Signed: Bits<Signed = Self::Signed>;
    /// The same words, signed.
    fn signed(words: &[Self]) -> &[Self::Signed];
    /// The same words, signed, to be written.
    fn signed_mut(words: &mut [Self]) -> &mut [Self::Signed];
}

macro_rules! bits {
    ($($word:ident as $signed:ident)*) => {$(
        impl Sealed for $word {}

        impl Bits for $word {
            type Signed = $signed;

            #[inline(always)]
            fn signed(words: &[Self]) -> &[$signed] {
                // SAFETY: both words have the same size and alignment, and any bits are one of
                // either.
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

/// Each word of 32 bits as two of 16, in the order of memory.
#[inline(always)]
pub fn halves(words: &[i32]) -> &[i16] {
    // SAFETY: a word is two halves, whose alignment is smaller, and any bits are a half.
    unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), 2 * words.len()) }
}

/// [`halves`], to be written.
#[inline(always)]
pub fn halves_mut(words: &mut [i32]) -> &mut [i16] {
    // SAFETY: as for `halves`, and any halves are a word; the borrow is as exclusive as that of `words`.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), 2 * words.len()) }
}
