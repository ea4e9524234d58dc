//! Vectors of WebAssembly as two 64-bit lanes: products modulo `2^64`, and doubles without fused products. Operations
//! that need all 128 bits of a product process one word at a time.

use super::{
    Simd128,
    words::{W64, bytes16, interleave_bytes, lanes_of, load, store},
};
use crate::{Lanes, Lanes64, LanesWide, chunk::fronts, scalar::Arrays, sealed::Sealed};
use core::arch::wasm32::*;

/// Vectors as two 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Simd128I64(pub(super) Simd128);

impl Sealed for Simd128I64 {}

lanes_of!(Simd128I64, i64, W64, 2,
    i64x2_splat, i64x2_add, i64x2_sub, i64x2_shl, i64x2_shr, u64x2_shr, i64x2_gt, i64x2_mul,
    zip: |a, b| interleave_bytes(8, a, b),
    unpack: unpack64, kept: i64x2_bitmask);

/// See [`Lanes::unpack`]. Rarely used, hence by arrays.
#[inline(always)]
fn unpack64<const W: usize>(bytes: &[u8], first: usize) -> v128 {
    load(&Arrays::<i64, 2>::new().unpack::<W>(bytes, first))
}

/// Two values of 128 bits.
#[derive(Clone, Copy)]
pub(crate) struct Wide64 {
    low: v128,
    high: v128,
}

fn words(v: W64) -> [i64; 2] {
    [i64x2_extract_lane::<0>(v.0), i64x2_extract_lane::<1>(v.0)]
}

impl LanesWide for Simd128I64 {
    type Wide = Wide64;

    #[inline(always)]
    fn widen_mul(self, a: W64, b: W64) -> Wide64 {
        let arrays = Arrays::<i64, 2>::new();
        let products = arrays.widen_mul(words(a), words(b));
        let [low, high] = [arrays.narrow_lo(products), arrays.narrow_hi(products)].map(|[x, y]| i64x2(x, y));
        Wide64 { low, high }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: W64, b: W64) -> Wide64 {
        let arrays = Arrays::<i64, 2>::new();
        let products = arrays.widen_mul_unsigned(words(a), words(b));
        let [low, high] = [arrays.narrow_lo(products), arrays.narrow_hi(products)].map(|[x, y]| i64x2(x, y));
        Wide64 { low, high }
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Wide64, b: W64) -> Wide64 {
        self.widen_mul(W64(a.low), b)
    }
    #[inline(always)]
    fn wide_add(self, a: Wide64, b: Wide64) -> Wide64 {
        let (lowest, low) = (i64x2_splat(i64::MIN), i64x2_add(a.low, b.low));
        let carry = i64x2_gt(v128_xor(b.low, lowest), v128_xor(low, lowest));
        Wide64 { low, high: i64x2_sub(i64x2_add(a.high, b.high), carry) }
    }
    #[inline(always)]
    fn wide_sub(self, a: Wide64, b: Wide64) -> Wide64 {
        let lowest = i64x2_splat(i64::MIN);
        let borrow = i64x2_gt(v128_xor(b.low, lowest), v128_xor(a.low, lowest));
        Wide64 { low: i64x2_sub(a.low, b.low), high: i64x2_add(i64x2_sub(a.high, b.high), borrow) }
    }
    #[inline(always)]
    fn wide_shr(self, a: Wide64, s: u32) -> Wide64 {
        // Shift counts are taken modulo 64.
        let shifted = u64x2_shr(a.high, s);
        match s {
            0 => a,
            1..64 => Wide64 { low: v128_or(u64x2_shr(a.low, s), i64x2_shl(a.high, 64 - s)), high: shifted },
            _ => Wide64 { low: shifted, high: i64x2_splat(0) },
        }
    }
    #[inline(always)]
    fn narrow_lo(self, a: Wide64) -> W64 {
        W64(a.low)
    }
    #[inline(always)]
    fn narrow_hi(self, a: Wide64) -> W64 {
        W64(a.high)
    }
    #[inline(always)]
    fn narrow_hi_of_equal_lows(self, a: Wide64, b: Wide64) -> W64 {
        W64(i64x2_sub(a.high, b.high))
    }
}

/// `1.5·2^52`: added to a double below `2^51` in absolute value, it leaves the nearest whole number as
/// the low bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Converts words of at most `2^53` in absolute value to doubles, one at a time: there is no vector conversion from 64
/// bits.
#[inline(always)]
fn doubles(a: v128) -> v128 {
    let [x, y] = words(W64(a));
    f64x2(x as f64, y as f64)
}

/// The nearest integers, as words.
#[inline(always)]
fn nearest(a: v128) -> v128 {
    i64x2_sub(f64x2_add(a, f64x2_splat(WHOLE)), f64x2_splat(WHOLE))
}

/// The low half of each word, sign-extended.
#[inline(always)]
fn low_digits(a: v128, b: v128) -> v128 {
    i32x4_shuffle::<0, 2, 4, 6>(a, b)
}

/// The high half of each word, sign-extended.
#[inline(always)]
fn high_digits(a: v128, b: v128) -> v128 {
    i32x4_shuffle::<1, 3, 5, 7>(a, b)
}

impl Lanes64 for Simd128I64 {
    #[inline(always)]
    fn mul_hi_near(self, a: W64, v: W64) -> W64 {
        let rounded = |a| i64x2_add(a, i64x2_splat(1 << 31));
        let low = low_digits(a.0, v.0);
        let high = high_digits(rounded(a.0), rounded(v.0));
        // Both digits of `a` next to those of `v`.
        let (v_low, v_high) = (i64x2_shuffle::<1, 1>(low, low), i64x2_shuffle::<1, 1>(high, high));
        let middle = i64x2_add(i64x2_extmul_low_i32x4(high, v_low), i64x2_extmul_low_i32x4(low, v_high));
        let top = i64x2_extmul_low_i32x4(high, v_high);
        // The middle is at most 2^62 + 2^61; the omitted part is at most half of the last place.
        let carried = i64x2_shr(i64x2_add(middle, i64x2_splat(1 << 30)), 31);
        W64(i64x2_add(i64x2_add(top, top), carried))
    }
    #[inline(always)]
    fn reduce_near(self, x: W64, c: W64, s: u32, q: W64) -> W64 {
        let product = i64x2_extmul_low_i32x4(high_digits(x.0, x.0), low_digits(c.0, c.0));
        let h = i64x2_shr(i64x2_add(product, i64x2_splat(1 << (31 + s))), 32 + s);
        W64(i64x2_sub(x.0, i64x2_mul(h, q.0)))
    }
    #[inline(always)]
    fn mul_by_double(self, x: W64, w: W64, v: W64, q: W64) -> W64 {
        let h = nearest(f64x2_mul(doubles(x.0), v.0));
        self.mul_difference(x, w, W64(h), q)
    }
    #[inline(always)]
    fn mul_var_by_double(self, x: W64, y: W64, v: W64, q: W64) -> W64 {
        let h = nearest(f64x2_mul(f64x2_mul(doubles(x.0), doubles(y.0)), v.0));
        self.mul_difference(x, y, W64(h), q)
    }
    #[inline(always)]
    fn reduce_by_double(self, x: W64, v: W64, q: W64) -> W64 {
        let h = nearest(f64x2_mul(doubles(x.0), v.0));
        W64(i64x2_sub(x.0, i64x2_mul(h, q.0)))
    }
}
