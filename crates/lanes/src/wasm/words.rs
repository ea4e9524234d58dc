//! Vectors of WebAssembly as 8 words of 16 bits, 4 of 32 bits, and 2 strings of 64 bits.

use super::Simd128;
use crate::{
    Bits, Lanes, Lanes16, LanesBits, LanesWide,
    chunk::{Factors, fronts, two_bytes_hold, window},
    sealed::Sealed,
};
use core::arch::wasm32::*;

/// Vectors as eight 16-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Simd128I16(pub(super) Simd128);

/// Vectors as four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Simd128I32(pub(super) Simd128);

/// Vectors as two strings of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Simd128Bits(pub(super) Simd128);

impl Sealed for Simd128I16 {}
impl Sealed for Simd128I32 {}
impl Sealed for Simd128Bits {}

/// The same 128-bit vector as words of one width, so that widths do not mix.
#[derive(Clone, Copy)]
pub(crate) struct W16(v128);
/// See [`W16`].
#[derive(Clone, Copy)]
pub(crate) struct W32(v128);
/// See [`W16`].
#[derive(Clone, Copy)]
pub(crate) struct W64(pub(super) v128);
/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(crate) struct W8x16(v128);

/// Loads words from memory as a vector.
#[inline(always)]
pub(super) fn load<T: Bits, const N: usize>(words: &[T; N]) -> v128 {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: sixteen readable bytes, any alignment.
    unsafe { v128_load(words.as_ptr().cast()) }
}

/// Writes a vector.
#[inline(always)]
pub(super) fn store<T: Bits, const N: usize>(words: &mut [T; N], v: v128) {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: sixteen writable bytes, any alignment; any bits are a valid word.
    unsafe { v128_store(words.as_mut_ptr().cast(), v) }
}

/// Loads bytes from memory as a vector.
#[inline(always)]
pub(super) fn bytes16(bytes: &[u8; 16]) -> v128 {
    // SAFETY: sixteen readable bytes.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// The lanes of a token: operations that all widths have under different names.
macro_rules! lanes_of {
    ($token:ident, $word:ty, $v:ident, $lanes:literal,
     $splat:ident, $add:ident, $sub:ident, $shl:ident, $shr:ident, $shr_logical:ident, $gt:ident, $mul_lo:ident,
     zip: $zip:expr, unpack: $unpack:ident, kept: $bitmask:ident) => {
        impl Lanes for $token {
            type Word = $word;
            type V = $v;
            type Block = [$word; $lanes];
            const LANES: usize = $lanes;
            const REPEAT: usize = 1;

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
                $v(load(b))
            }
            #[inline(always)]
            fn store(self, b: &mut Self::Block, v: $v) {
                store(b, v.0);
            }
            #[inline(always)]
            fn splat(self, x: $word) -> $v {
                $v($splat(x))
            }
            #[inline(always)]
            fn broadcast(self, words: &[$word]) -> $v {
                self.splat(words[0])
            }
            #[inline(always)]
            fn unpack<const W: usize>(self, bytes: &[u8], first: usize) -> $v {
                $v($unpack::<W>(bytes, first))
            }
            #[inline(always)]
            fn add(self, a: $v, b: $v) -> $v {
                $v($add(a.0, b.0))
            }
            #[inline(always)]
            fn sub(self, a: $v, b: $v) -> $v {
                $v($sub(a.0, b.0))
            }
            #[inline(always)]
            fn and(self, a: $v, b: $v) -> $v {
                $v(v128_and(a.0, b.0))
            }
            #[inline(always)]
            fn or(self, a: $v, b: $v) -> $v {
                $v(v128_or(a.0, b.0))
            }
            #[inline(always)]
            fn xor(self, a: $v, b: $v) -> $v {
                $v(v128_xor(a.0, b.0))
            }
            #[inline(always)]
            fn shl<const S: i32>(self, a: $v) -> $v {
                $v($shl(a.0, S as u32))
            }
            #[inline(always)]
            fn shr<const S: i32>(self, a: $v) -> $v {
                $v($shr(a.0, S as u32))
            }
            #[inline(always)]
            fn shr_logical<const S: i32>(self, a: $v) -> $v {
                $v($shr_logical(a.0, S as u32))
            }
            #[inline(always)]
            fn shr_by(self, a: $v, s: u32) -> $v {
                $v($shr(a.0, s))
            }
            #[inline(always)]
            fn shl_by(self, a: $v, s: u32) -> $v {
                $v($shl(a.0, s))
            }
            #[inline(always)]
            fn gt(self, a: $v, b: $v) -> $v {
                $v($gt(a.0, b.0))
            }
            #[inline(always)]
            fn negative(self, a: $v) -> $v {
                $v($gt($splat(0), a.0))
            }
            #[inline(always)]
            fn mul_lo(self, a: $v, b: $v) -> $v {
                $v($mul_lo(a.0, b.0))
            }
            #[inline(always)]
            fn interleave<const K: usize>(self, a: $v, b: $v) -> ($v, $v) {
                let (x, y) = interleave_bytes(K * size_of::<$word>(), a.0, b.0);
                ($v(x), $v(y))
            }
            #[inline(always)]
            fn zip(self, a: $v, b: $v) -> ($v, $v) {
                let (low, high) = $zip(a.0, b.0);
                ($v(low), $v(high))
            }
            #[inline(always)]
            fn compact(self, a: $v, keep: $v, out: &mut [$word; $lanes]) -> usize {
                static FRONT: [[u8; 16]; 1 << $lanes] = fronts(size_of::<$word>());
                let kept = usize::from($bitmask(keep.0));
                store(out, i8x16_swizzle(a.0, bytes16(&FRONT[kept & (FRONT.len() - 1)])));
                kept.count_ones() as usize
            }
        }
    };
}
pub(super) use lanes_of;

lanes_of!(Simd128I16, i16, W16, 8,
    i16x8_splat, i16x8_add, i16x8_sub, i16x8_shl, i16x8_shr, u16x8_shr, i16x8_gt, i16x8_mul,
    zip: |a, b| {
        let low = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b);
        (low, i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b))
    },
    unpack: unpack16, kept: i16x8_bitmask);

lanes_of!(Simd128I32, i32, W32, 4,
    i32x4_splat, i32x4_add, i32x4_sub, i32x4_shl, i32x4_shr, u32x4_shr, i32x4_gt, i32x4_mul,
    zip: |a, b| (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)),
    unpack: unpack32, kept: i32x4_bitmask);

/// Exchanges odd blocks of `a` with even blocks of `b`; `bytes` is the size of a block and always a constant.
#[inline(always)]
pub(super) fn interleave_bytes(bytes: usize, a: v128, b: v128) -> (v128, v128) {
    match bytes {
        2 => {
            let even = i16x8_shuffle::<0, 8, 2, 10, 4, 12, 6, 14>(a, b);
            (even, i16x8_shuffle::<1, 9, 3, 11, 5, 13, 7, 15>(a, b))
        }
        4 => (i32x4_shuffle::<0, 4, 2, 6>(a, b), i32x4_shuffle::<1, 5, 3, 7>(a, b)),
        8 => (i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b)),
        _ => unreachable!(),
    }
}

/// The values of `W` bits at those places, in words of 32 bits.
#[inline(always)]
fn values32<const W: usize>(factors: &Factors, bytes: v128) -> v128 {
    let windows = i8x16_swizzle(bytes, bytes16(&factors.shuffle));
    u32x4_shr(i32x4_mul(windows, bytes16(&factors.factors)), 32 - W as u32)
}

/// Four values of `W` bits, starting with value `first`, which begins at a byte or at the upper half of one.
#[inline(always)]
fn unpack32<const W: usize>(bytes: &[u8], first: usize) -> v128 {
    let factors = const { [Factors::new(W, 4, 0), Factors::new(W, 4, 4)] };
    values32::<W>(&factors[(W * first) >> 2 & 1], window(bytes, (W * first) >> 3, bytes16))
}

/// Eight values of `W` bits, starting with value `first`, which begins at a byte.
#[inline(always)]
fn unpack16<const W: usize>(bytes: &[u8], first: usize) -> v128 {
    let bytes = window(bytes, (W * first) >> 3, bytes16);
    if const { two_bytes_hold(W) } {
        let factors = const { Factors::new(if two_bytes_hold(W) { W } else { 1 }, 2, 0) };
        let windows = i8x16_swizzle(bytes, bytes16(&factors.shuffle));
        u16x8_shr(i16x8_mul(windows, bytes16(&factors.factors)), 16 - W as u32)
    } else {
        let low = values32::<W>(const { &Factors::new(W, 4, 0) }, bytes);
        u16x8_narrow_i32x4(low, values32::<W>(const { &Factors::new(W, 4, 4 * W) }, bytes))
    }
}

impl Lanes16 for Simd128I16 {
    type Table = W8x16;

    #[inline(always)]
    fn mul_hi(self, a: W16, b: W16) -> W16 {
        let (low, high) = (i32x4_extmul_low_i16x8(a.0, b.0), i32x4_extmul_high_i16x8(a.0, b.0));
        W16(i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high))
    }
    #[inline(always)]
    fn mul_round(self, a: W16, b: W16) -> W16 {
        W16(i16x8_q15mulr_sat(a.0, b.0))
    }
    #[inline(always)]
    fn table(self, bytes: &[u8; 16]) -> W8x16 {
        W8x16(bytes16(bytes))
    }
    #[inline(always)]
    fn lookup_bytes(self, table: W8x16, indices: W16) -> W16 {
        W16(i8x16_swizzle(table.0, indices.0))
    }
    #[inline(always)]
    fn gt_bytes(self, a: W16, b: W16) -> W16 {
        W16(i8x16_gt(a.0, b.0))
    }
    #[inline(always)]
    fn eq_bytes(self, a: W16, b: W16) -> W16 {
        W16(i8x16_eq(a.0, b.0))
    }
}

/// Four 64-bit values: those of the two low lanes and those of the two high ones.
#[derive(Clone, Copy)]
pub(crate) struct Wide {
    low: v128,
    high: v128,
}

impl LanesWide for Simd128I32 {
    type Wide = Wide;

    #[inline(always)]
    fn widen_mul(self, a: W32, b: W32) -> Wide {
        Wide { low: i64x2_extmul_low_i32x4(a.0, b.0), high: i64x2_extmul_high_i32x4(a.0, b.0) }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: W32, b: W32) -> Wide {
        Wide { low: u64x2_extmul_low_u32x4(a.0, b.0), high: u64x2_extmul_high_u32x4(a.0, b.0) }
    }
    #[inline(always)]
    fn gt_unsigned(self, a: W32, b: W32) -> W32 {
        W32(u32x4_gt(a.0, b.0))
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Wide, b: W32) -> Wide {
        self.widen_mul(self.narrow_lo(a), b)
    }
    #[inline(always)]
    fn wide_add(self, a: Wide, b: Wide) -> Wide {
        Wide { low: i64x2_add(a.low, b.low), high: i64x2_add(a.high, b.high) }
    }
    #[inline(always)]
    fn wide_sub(self, a: Wide, b: Wide) -> Wide {
        Wide { low: i64x2_sub(a.low, b.low), high: i64x2_sub(a.high, b.high) }
    }
    #[inline(always)]
    fn wide_shr(self, a: Wide, s: u32) -> Wide {
        Wide { low: u64x2_shr(a.low, s), high: u64x2_shr(a.high, s) }
    }
    #[inline(always)]
    fn narrow_lo(self, a: Wide) -> W32 {
        W32(i32x4_shuffle::<0, 2, 4, 6>(a.low, a.high))
    }
    #[inline(always)]
    fn narrow_hi(self, a: Wide) -> W32 {
        W32(i32x4_shuffle::<1, 3, 5, 7>(a.low, a.high))
    }
    #[inline(always)]
    fn min_unsigned(self, a: W32, b: W32) -> W32 {
        W32(u32x4_min(a.0, b.0))
    }
    #[inline(always)]
    fn narrow_hi_of_equal_lows(self, a: Wide, b: Wide) -> W32 {
        W32(i32x4_sub(self.narrow_hi(a).0, self.narrow_hi(b).0))
    }
}

impl LanesBits for Simd128Bits {
    type Word = u64;
    type V = W64;
    type Block = [u64; 2];
    const LANES: usize = 2;

    #[inline(always)]
    fn blocks(a: &[u64]) -> &[[u64; 2]] {
        a.as_chunks().0
    }
    #[inline(always)]
    fn blocks_mut(a: &mut [u64]) -> &mut [[u64; 2]] {
        a.as_chunks_mut().0
    }
    #[inline(always)]
    fn load(self, b: &[u64; 2]) -> W64 {
        W64(load(b))
    }
    #[inline(always)]
    fn store(self, b: &mut [u64; 2], v: W64) {
        store(b, v.0);
    }
    #[inline(always)]
    fn splat(self, x: u64) -> W64 {
        W64(u64x2_splat(x))
    }
    #[inline(always)]
    fn xor(self, a: W64, b: W64) -> W64 {
        W64(v128_xor(a.0, b.0))
    }
    #[inline(always)]
    fn and_not(self, a: W64, b: W64) -> W64 {
        W64(v128_andnot(b.0, a.0))
    }
    #[inline(always)]
    fn rotate<const S: u32>(self, a: W64) -> W64 {
        W64(v128_or(u64x2_shl(a.0, S), u64x2_shr(a.0, 64 - S)))
    }
    #[inline(always)]
    fn interleave<const K: usize>(self, a: W64, b: W64) -> (W64, W64) {
        let (x, y) = interleave_bytes(8 * K, a.0, b.0);
        (W64(x), W64(y))
    }
}
