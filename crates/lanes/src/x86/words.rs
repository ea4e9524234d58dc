//! Common code for vectors of words of any length on x86-64.

/// Vectors of 128 bits as bits.
#[cfg(feature = "sse41")]
pub(super) mod xmm {
    pub(in crate::x86) use core::arch::x86_64::{
        _mm_and_si128 as and, _mm_loadu_si128 as load, _mm_or_si128 as or, _mm_storeu_si128 as store,
        _mm_xor_si128 as xor,
    };
}

/// Vectors of 256 bits as bits.
pub(super) mod ymm {
    pub(in crate::x86) use core::arch::x86_64::{
        _mm256_and_si256 as and, _mm256_loadu_si256 as load, _mm256_or_si256 as or, _mm256_storeu_si256 as store,
        _mm256_xor_si256 as xor,
    };
}

/// Vectors of 512 bits as bits.
pub(super) mod zmm {
    pub(in crate::x86) use core::arch::x86_64::{
        _mm512_and_si512 as and, _mm512_loadu_si512 as load, _mm512_or_si512 as or, _mm512_storeu_si512 as store,
        _mm512_xor_si512 as xor,
    };
}

/// The lanes of a token: operations that all widths of words and vectors have under different names. `$vector` is
/// [`xmm`], [`ymm`] or [`zmm`].
macro_rules! lanes_of {
    ([$($generics:tt)*] $token:ty, $word:ty, $v:ident, $vector:ident, $lanes:literal, $repeat:literal,
     $splat:ident, $add:ident, $sub:ident, $shl:ident, $shr:ident, $shl_by:ident, $shr_by:ident, $shrl:ident, $gt:ident, $mul_lo:ident, $zip_low:ident, $zip_high:ident,
     broadcast: $broadcast:expr, interleave: $interleave:expr, unpack: $unpack:ident, compact: $compact:ident) => {
        impl<$($generics)*> Lanes for $token {
            type Word = $word;
            type V = $v;
            type Block = [$word; $lanes];
            const LANES: usize = $lanes;
            const REPEAT: usize = $repeat;

            #[inline(always)]
            fn word(x: i64) -> $word {
                x as $word
            }
            #[inline(always)]
            fn blocks(a: &[$word]) -> &[Self::Block] {
                a.as_chunks().0
            }
            #[inline(always)]
            fn blocks_mut(a: &mut [$word]) -> &mut [Self::Block] {
                a.as_chunks_mut().0
            }
            #[inline(always)]
            fn load(self, b: &Self::Block) -> $v {
                // SAFETY: the instructions by `self`; the block is a readable vector, any alignment.
                $v(unsafe { $vector::load(b.as_ptr().cast()) })
            }
            #[inline(always)]
            fn store(self, b: &mut Self::Block, v: $v) {
                // SAFETY: the instructions by `self`; the block is a writable vector, any alignment.
                unsafe { $vector::store(b.as_mut_ptr().cast(), v.0) }
            }
            #[inline(always)]
            fn splat(self, x: $word) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $splat(x) })
            }
            #[inline(always)]
            fn broadcast(self, words: &[$word]) -> $v {
                $broadcast(self, words)
            }
            #[inline(always)]
            fn unpack<const W: usize>(self, bytes: &[u8], first: usize) -> $v {
                $v($unpack::<W>(self.0, bytes, first))
            }
            #[inline(always)]
            fn add(self, a: $v, b: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $add(a.0, b.0) })
            }
            #[inline(always)]
            fn sub(self, a: $v, b: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $sub(a.0, b.0) })
            }
            #[inline(always)]
            fn and(self, a: $v, b: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $vector::and(a.0, b.0) })
            }
            #[inline(always)]
            fn or(self, a: $v, b: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $vector::or(a.0, b.0) })
            }
            #[inline(always)]
            fn xor(self, a: $v, b: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $vector::xor(a.0, b.0) })
            }
            #[inline(always)]
            fn shl<const S: i32>(self, a: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $shl::<S>(a.0) })
            }
            #[inline(always)]
            fn shr<const S: i32>(self, a: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $shr::<S>(a.0) })
            }
            #[inline(always)]
            fn shr_logical<const S: i32>(self, a: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $shrl::<S>(a.0) })
            }
            #[inline(always)]
            fn shr_by(self, a: $v, s: u32) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $shr_by(a.0, _mm_cvtsi32_si128(s as i32)) })
            }
            #[inline(always)]
            fn shl_by(self, a: $v, s: u32) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $shl_by(a.0, _mm_cvtsi32_si128(s as i32)) })
            }
            #[inline(always)]
            fn gt(self, a: $v, b: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $gt(a.0, b.0) })
            }
            #[inline(always)]
            fn negative(self, a: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $shr::<{ <$word>::BITS as i32 - 1 }>(a.0) })
            }
            #[inline(always)]
            fn mul_lo(self, a: $v, b: $v) -> $v {
                // SAFETY: the instructions by `self`.
                $v(unsafe { $mul_lo(a.0, b.0) })
            }
            #[inline(always)]
            fn interleave<const K: usize>(self, a: $v, b: $v) -> ($v, $v) {
                let (x, y) = $interleave(self, K * size_of::<$word>(), a.0, b.0);
                ($v(x), $v(y))
            }
            #[inline(always)]
            fn zip(self, a: $v, b: $v) -> ($v, $v) {
                // SAFETY: the instructions by `self`.
                unsafe { ($v($zip_low(a.0, b.0)), $v($zip_high(a.0, b.0))) }
            }
            #[inline(always)]
            fn compact(self, a: $v, keep: $v, out: &mut [$word; $lanes]) -> usize {
                $compact(self, a, keep, out)
            }
        }
    };
}
pub(super) use lanes_of;

/// Multiplications as one instruction each. LLVM treats the intrinsics of that name as products of wider words: it
/// keeps the wide form of a loop-invariant factor and narrows it at each product, and it turns several products into
/// others.
macro_rules! multiplications {
    ($features:literal, $vector:ty, $register:ident: $($name:ident: $instruction:literal;)*) => {$(
        #[inline]
        #[target_feature(enable = $features)]
        fn $name(a: $vector, b: $vector) -> $vector {
            let product;
            // SAFETY: the instruction reads and writes registers alone.
            unsafe {
                core::arch::asm!(concat!($instruction, " {}, {}, {}"), lateout($register) product, in($register) a, in($register) b,
                    options(pure, nomem, nostack, preserves_flags));
            }
            product
        }
    )*};
}
pub(super) use multiplications;

/// The same with instructions of two operands, whose product takes the place of the first.
#[cfg(feature = "sse41")]
macro_rules! multiplications_in_place {
    ($features:literal, $vector:ty, $register:ident: $($name:ident: $instruction:literal;)*) => {$(
        #[inline]
        #[target_feature(enable = $features)]
        fn $name(a: $vector, b: $vector) -> $vector {
            let product;
            // SAFETY: the instruction reads and writes registers alone.
            unsafe {
                core::arch::asm!(concat!($instruction, " {}, {}"), inlateout($register) a => product, in($register) b,
                    options(pure, nomem, nostack, preserves_flags));
            }
            product
        }
    )*};
}
#[cfg(feature = "sse41")]
pub(super) use multiplications_in_place;
