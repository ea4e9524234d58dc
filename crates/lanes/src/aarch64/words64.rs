//! NEON as two 64-bit lanes: products of 32-bit halves, and doubles with fused products. Operations
//! that need all 128 bits of a product use general registers, which have instructions for it.

use super::{
    Neon,
    words::{bytes16, interleave_bytes, lanes_of},
};
use crate::{Lanes, Lanes64, LanesWide, chunk::fronts, scalar::Arrays, sealed::Sealed};
use core::arch::aarch64::*;

/// NEON as two 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct NeonI64(pub(super) Neon);

impl Sealed for NeonI64 {}

/// Words of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct W64(int64x2_t);

lanes_of!(NeonI64, i64, W64, 2, vld1q_s64, vst1q_s64,
    vdupq_n_s64, vaddq_s64, vsubq_s64, vandq_s64, vorrq_s64, veorq_s64, vshlq_s64, vshlq_u64,
    vcgtq_s64, vcltzq_s64, Halves::product, vzip1q_s64, vzip2q_s64,
    signed: vreinterpretq_s64_u64, unsigned: vreinterpretq_u64_s64,
    from_64: same, to_64: same, unpack: unpack64, compact: compact64);

#[inline]
#[target_feature(enable = "neon")]
fn same(a: int64x2_t) -> int64x2_t {
    a
}

/// Sums of products modulo `2^64`: of the low halves, and of the crossed halves.
#[derive(Clone, Copy)]
struct Halves {
    low: uint64x2_t,
    cross: uint32x4_t,
}

/// The low halves.
#[inline]
#[target_feature(enable = "neon")]
fn lows(a: int64x2_t) -> uint32x2_t {
    vmovn_u64(vreinterpretq_u64_s64(a))
}

impl Halves {
    #[inline]
    #[target_feature(enable = "neon")]
    fn of(a: int64x2_t, b: int64x2_t) -> Self {
        let (words, swapped) = (vreinterpretq_u32_s64(a), vrev64q_u32(vreinterpretq_u32_s64(b)));
        Self { low: vmull_u32(lows(a), lows(b)), cross: vmulq_u32(words, swapped) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn less(self, a: int64x2_t, b: int64x2_t) -> Self {
        let (words, swapped) = (vreinterpretq_u32_s64(a), vrev64q_u32(vreinterpretq_u32_s64(b)));
        Self { low: vmlsl_u32(self.low, lows(a), lows(b)), cross: vmlsq_u32(self.cross, words, swapped) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn sum(self) -> int64x2_t {
        let high = vshlq_n_u64::<32>(vpaddlq_u32(self.cross));
        vreinterpretq_s64_u64(vaddq_u64(self.low, high))
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn product(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        Self::of(a, b).sum()
    }
}

/// See [`Lanes::unpack`]. Rarely used, hence by arrays.
#[inline(always)]
fn unpack64<const W: usize>(l: Neon, bytes: &[u8], first: usize) -> int64x2_t {
    NeonI64(l).load(&Arrays::<i64, 2>::new().unpack::<W>(bytes, first)).0
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact64(l: NeonI64, a: W64, keep: W64, out: &mut [i64; 2]) -> usize {
    static FRONT: [[u8; 16]; 4] = fronts(8);
    // SAFETY: NEON by `l`.
    let (front, kept) = unsafe {
        let kept = vaddvq_s64(vandq_s64(keep.0, l.load(&[1, 2]).0)) as usize & 0b11;
        (vqtbl1q_u8(vreinterpretq_u8_s64(a.0), bytes16(l.0, &FRONT[kept])), kept)
    };
    // SAFETY: NEON by `l`.
    l.store(out, W64(unsafe { vreinterpretq_s64_u8(front) }));
    kept.count_ones() as usize
}

/// Two values of 128 bits.
#[derive(Clone, Copy)]
pub(crate) struct Wide64 {
    low: int64x2_t,
    high: int64x2_t,
}

impl NeonI64 {
    #[inline(always)]
    fn words(self, v: W64) -> [i64; 2] {
        let mut words = [0; 2];
        self.store(&mut words, v);
        words
    }
}

impl LanesWide for NeonI64 {
    type Wide = Wide64;

    #[inline(always)]
    fn widen_mul(self, a: W64, b: W64) -> Wide64 {
        let arrays = Arrays::<i64, 2>::new();
        let products = arrays.widen_mul(self.words(a), self.words(b));
        let [low, high] = [arrays.narrow_lo(products), arrays.narrow_hi(products)].map(|words| self.load(&words).0);
        Wide64 { low, high }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: W64, b: W64) -> Wide64 {
        let arrays = Arrays::<i64, 2>::new();
        let products = arrays.widen_mul_unsigned(self.words(a), self.words(b));
        let [low, high] = [arrays.narrow_lo(products), arrays.narrow_hi(products)].map(|words| self.load(&words).0);
        Wide64 { low, high }
    }
    #[inline(always)]
    fn gt_unsigned(self, a: W64, b: W64) -> W64 {
        // SAFETY: NEON by `self`.
        W64(unsafe { vreinterpretq_s64_u64(vcgtq_u64(vreinterpretq_u64_s64(a.0), vreinterpretq_u64_s64(b.0))) })
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Wide64, b: W64) -> Wide64 {
        self.widen_mul(W64(a.low), b)
    }
    #[inline(always)]
    fn wide_add(self, a: Wide64, b: Wide64) -> Wide64 {
        // SAFETY: NEON by `self`.
        unsafe {
            let low = vaddq_s64(a.low, b.low);
            let carry = vcgtq_u64(vreinterpretq_u64_s64(b.low), vreinterpretq_u64_s64(low));
            Wide64 { low, high: vsubq_s64(vaddq_s64(a.high, b.high), vreinterpretq_s64_u64(carry)) }
        }
    }
    #[inline(always)]
    fn wide_sub(self, a: Wide64, b: Wide64) -> Wide64 {
        // SAFETY: NEON by `self`.
        unsafe {
            let borrow = vcgtq_u64(vreinterpretq_u64_s64(b.low), vreinterpretq_u64_s64(a.low));
            let high = vaddq_s64(vsubq_s64(a.high, b.high), vreinterpretq_s64_u64(borrow));
            Wide64 { low: vsubq_s64(a.low, b.low), high }
        }
    }
    #[inline(always)]
    fn wide_shr(self, a: Wide64, s: u32) -> Wide64 {
        // SAFETY: NEON by `self`. Shifts by 64 and more give zero.
        unsafe {
            let (low, high) = (vreinterpretq_u64_s64(a.low), vreinterpretq_u64_s64(a.high));
            let by = |count: u32| vdupq_n_s64(-i64::from(count));
            let from_high = if s < 64 {
                vorrq_u64(vshlq_u64(low, by(s)), vshlq_u64(high, vdupq_n_s64(64 - i64::from(s))))
            } else {
                vshlq_u64(high, by(s - 64))
            };
            Wide64 { low: vreinterpretq_s64_u64(from_high), high: vreinterpretq_s64_u64(vshlq_u64(high, by(s))) }
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
        // SAFETY: NEON by `self`.
        W64(unsafe { vsubq_s64(a.high, b.high) })
    }
}

/// The difference of integers held as doubles, as words.
#[inline]
#[target_feature(enable = "neon")]
fn difference(a: float64x2_t, b: float64x2_t) -> int64x2_t {
    vcvtq_s64_f64(vsubq_f64(a, b))
}

impl Lanes64 for NeonI64 {
    #[inline(always)]
    fn mul_low_halves(self, a: W64, b: W64) -> W64 {
        // SAFETY: NEON by `self`.
        W64(unsafe { vreinterpretq_s64_u64(vmull_u32(lows(a.0), lows(b.0))) })
    }
    #[inline(always)]
    fn mul_hi_near(self, a: W64, v: W64) -> W64 {
        // SAFETY: NEON by `self`.
        W64(unsafe {
            let (a_high, v_high) = (vrshrn_n_s64::<32>(a.0), vrshrn_n_s64::<32>(v.0));
            let (a_low, v_low) = (vmovn_s64(a.0), vmovn_s64(v.0));
            // At most 2^62 + 2^61; the omitted part is at most half of the last place.
            let middle = vmlal_s32(vmull_s32(a_high, v_low), a_low, v_high);
            vrsraq_n_s64::<31>(vshlq_n_s64::<1>(vmull_s32(a_high, v_high)), middle)
        })
    }
    #[inline(always)]
    fn mul_difference(self, x: W64, w: W64, h: W64, q: W64) -> W64 {
        // SAFETY: NEON by `self`.
        W64(unsafe { Halves::of(x.0, w.0).less(h.0, q.0).sum() })
    }
    #[inline(always)]
    fn reduce_near(self, x: W64, c: W64, s: u32, q: W64) -> W64 {
        // SAFETY: NEON by `self`.
        W64(unsafe {
            let product = vmull_s32(vshrn_n_s64::<32>(x.0), vmovn_s64(c.0));
            // Below 2^30 in absolute value.
            let h = vmovn_s64(vrshlq_s64(product, vdupq_n_s64(-32 - i64::from(s))));
            let on_high = vmovl_s32(vmul_s32(h, vrshrn_n_s64::<32>(q.0)));
            vsubq_s64(vmlsl_s32(x.0, h, vmovn_s64(q.0)), vshlq_n_s64::<32>(on_high))
        })
    }
    #[inline(always)]
    fn mul_by_double(self, x: W64, w: W64, v: W64, q: W64) -> W64 {
        // SAFETY: NEON by `self`.
        W64(unsafe {
            let [x, w, q] = [x.0, w.0, q.0].map(|a| vcvtq_f64_s64(a));
            let h = vrndnq_f64(vmulq_f64(x, vreinterpretq_f64_s64(v.0)));
            let product = vmulq_f64(x, w);
            difference(vfmsq_f64(product, h, q), vfmsq_f64(product, x, w))
        })
    }
    #[inline(always)]
    fn mul_var_by_double(self, x: W64, y: W64, v: W64, q: W64) -> W64 {
        // SAFETY: NEON by `self`.
        W64(unsafe {
            let [x, y, q] = [x.0, y.0, q.0].map(|a| vcvtq_f64_s64(a));
            let product = vmulq_f64(x, y);
            let h = vrndnq_f64(vmulq_f64(product, vreinterpretq_f64_s64(v.0)));
            difference(vfmsq_f64(product, h, q), vfmsq_f64(product, x, y))
        })
    }
    #[inline(always)]
    fn reduce_by_double(self, x: W64, v: W64, q: W64) -> W64 {
        // SAFETY: NEON by `self`.
        W64(unsafe {
            let [x, q] = [x.0, q.0].map(|a| vcvtq_f64_s64(a));
            let h = vrndnq_f64(vmulq_f64(x, vreinterpretq_f64_s64(v.0)));
            vcvtq_s64_f64(vfmsq_f64(x, h, q))
        })
    }
}
