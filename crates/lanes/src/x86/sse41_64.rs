//! SSE4.1 as two 64-bit lanes: products of 32-bit halves, and doubles without fused products. There are neither
//! comparisons nor arithmetic shifts of 64-bit words.

use super::{
    proof::Sse41,
    sse41_words::{W64, even_and_odd, even_words, interleave_bytes, odd_words},
    words::{lanes_of, multiplications_in_place, xmm},
};
use crate::{Lanes, Lanes64, LanesWide, chunk::fronts, scalar::Arrays, sealed::Sealed};
use core::arch::x86_64::*;

/// SSE4.1 as two 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Sse41I64(pub(super) Sse41);

impl Sealed for Sse41I64 {}

lanes_of!([] Sse41I64, i64, W64, xmm, 2, 1,
    _mm_set1_epi64x, _mm_add_epi64, _mm_sub_epi64, _mm_slli_epi64, srai_epi64, _mm_sll_epi64, sra_epi64,
    _mm_srli_epi64, cmpgt_epi64, mullo_epi64, _mm_unpacklo_epi64, _mm_unpackhi_epi64,
    broadcast: |l: Self, words: &[i64]| l.splat(words[0]),
    interleave: |l: Self, bytes, a, b| interleave_bytes(l.0, bytes, a, b), unpack: unpack64, compact: compact64);

multiplications_in_place! { "sse4.1", __m128i, xmm_reg:
    mul_epi32: "pmuldq";
    mul_epu32: "pmuludq";
    mullo_epi32: "pmulld";
}

/// `a >> s` copying the sign, by unsigned shifts with the lowest word as zero.
#[inline]
#[target_feature(enable = "sse4.1")]
fn sra_epi64(a: __m128i, s: __m128i) -> __m128i {
    let lowest = _mm_set1_epi64x(i64::MIN);
    _mm_sub_epi64(_mm_srl_epi64(_mm_xor_si128(a, lowest), s), _mm_srl_epi64(lowest, s))
}

/// The same by a constant: high halves are shifted as words of 32 bits.
#[inline]
#[target_feature(enable = "sse4.1")]
fn srai_epi64<const S: i32>(a: __m128i) -> __m128i {
    let high = |s| _mm_sra_epi32(a, _mm_cvtsi32_si128(s));
    match S {
        0..32 => even_and_odd(_mm_srl_epi64(a, _mm_cvtsi32_si128(S)), high(S)),
        63 => odd_words(high(31)),
        _ => even_and_odd(odd_words(high(S - 32)), high(31)),
    }
}

/// All ones where the sign is set, else zero.
#[inline]
#[target_feature(enable = "sse4.1")]
fn signs(a: __m128i) -> __m128i {
    srai_epi64::<63>(a)
}

/// All ones where `a > b`, else zero: high halves are compared, and where these are equal, the difference of the words
/// has the answer as its high half.
#[inline]
#[target_feature(enable = "sse4.1")]
fn cmpgt_epi64(a: __m128i, b: __m128i) -> __m128i {
    let by_low = _mm_and_si128(_mm_cmpeq_epi32(a, b), _mm_sub_epi64(b, a));
    odd_words(_mm_or_si128(by_low, _mm_cmpgt_epi32(a, b)))
}

/// The sign is set where `a < b` as unsigned words: the borrow of `difference`, which is `a - b`.
#[inline]
#[target_feature(enable = "sse4.1")]
fn borrow(a: __m128i, b: __m128i, difference: __m128i) -> __m128i {
    _mm_or_si128(_mm_andnot_si128(a, b), _mm_andnot_si128(_mm_xor_si128(a, b), difference))
}

/// `b` where the sign of `choice` is set, else `a`.
#[inline]
#[target_feature(enable = "sse4.1")]
fn by_sign(choice: __m128i, a: __m128i, b: __m128i) -> __m128i {
    _mm_castpd_si128(_mm_blendv_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), _mm_castsi128_pd(choice)))
}

/// Swaps the halves of each word.
#[inline]
#[target_feature(enable = "sse4.1")]
fn swap_halves(a: __m128i) -> __m128i {
    _mm_shuffle_epi32::<0b10_11_00_01>(a)
}

/// The sum of each pair of 32-bit words as the high half of a word with a zero low half.
#[inline]
#[target_feature(enable = "sse4.1")]
fn sum_on_high(a: __m128i) -> __m128i {
    _mm_slli_epi64::<32>(_mm_add_epi32(a, odd_words(a)))
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn mullo_epi64(a: __m128i, b: __m128i) -> __m128i {
    let cross = mullo_epi32(swap_halves(b), a);
    _mm_add_epi64(mul_epu32(a, b), sum_on_high(cross))
}

/// See [`Lanes::unpack`]. Rarely used, hence by arrays.
#[inline(always)]
fn unpack64<const W: usize>(l: Sse41, bytes: &[u8], first: usize) -> __m128i {
    Sse41I64(l).load(&Arrays::<i64, 2>::new().unpack::<W>(bytes, first)).0
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact64(_: Sse41I64, a: W64, keep: W64, out: &mut [i64; 2]) -> usize {
    static FRONT: [[u8; 16]; 4] = fronts(8);
    // SAFETY: SSE4.1 by the token; an entry of the table is 16 readable bytes, the block 16 writable ones.
    unsafe {
        let kept = _mm_movemask_pd(_mm_castsi128_pd(keep.0)) as usize & 0b11;
        let from = _mm_loadu_si128(FRONT[kept].as_ptr().cast());
        _mm_storeu_si128(out.as_mut_ptr().cast(), _mm_shuffle_epi8(a.0, from));
        kept.count_ones() as usize
    }
}

/// Two values of 128 bits.
#[derive(Clone, Copy)]
pub(crate) struct Wide64 {
    low: __m128i,
    high: __m128i,
}

/// The full product of unsigned words.
#[inline]
#[target_feature(enable = "sse4.1")]
fn widen_unsigned(a: __m128i, b: __m128i) -> Wide64 {
    let half = _mm_set1_epi64x(0xFFFF_FFFF);
    let (a_high, b_high) = (odd_words(a), odd_words(b));
    let low = mul_epu32(a, b);
    let first = _mm_add_epi64(mul_epu32(a_high, b), _mm_srli_epi64::<32>(low));
    let second = _mm_add_epi64(mul_epu32(b_high, a), _mm_and_si128(first, half));
    let carried = _mm_add_epi64(_mm_srli_epi64::<32>(first), _mm_srli_epi64::<32>(second));
    Wide64 { low: even_and_odd(low, even_words(second)), high: _mm_add_epi64(mul_epu32(a_high, b_high), carried) }
}

impl LanesWide for Sse41I64 {
    type Wide = Wide64;

    #[inline(always)]
    fn widen_mul(self, a: W64, b: W64) -> Wide64 {
        // SAFETY: SSE4.1 by `self`.
        unsafe {
            let Wide64 { low, high } = widen_unsigned(a.0, b.0);
            let of_signs = _mm_add_epi64(_mm_and_si128(signs(a.0), b.0), _mm_and_si128(signs(b.0), a.0));
            Wide64 { low, high: _mm_sub_epi64(high, of_signs) }
        }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: W64, b: W64) -> Wide64 {
        // SAFETY: SSE4.1 by `self`.
        unsafe { widen_unsigned(a.0, b.0) }
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Wide64, b: W64) -> Wide64 {
        self.widen_mul(W64(a.low), b)
    }
    #[inline(always)]
    fn wide_add(self, a: Wide64, b: Wide64) -> Wide64 {
        // SAFETY: SSE4.1 by `self`.
        unsafe {
            let low = _mm_add_epi64(a.low, b.low);
            // The sign of what both have, or one has and the sum does not, is the carry.
            let (both, one) = (_mm_and_si128(a.low, b.low), _mm_or_si128(a.low, b.low));
            let carry = _mm_srli_epi64::<63>(_mm_or_si128(both, _mm_andnot_si128(low, one)));
            Wide64 { low, high: _mm_add_epi64(_mm_add_epi64(a.high, b.high), carry) }
        }
    }
    #[inline(always)]
    fn wide_sub(self, a: Wide64, b: Wide64) -> Wide64 {
        // SAFETY: SSE4.1 by `self`.
        unsafe {
            let low = _mm_sub_epi64(a.low, b.low);
            let borrow = _mm_srli_epi64::<63>(borrow(a.low, b.low, low));
            Wide64 { low, high: _mm_sub_epi64(_mm_sub_epi64(a.high, b.high), borrow) }
        }
    }
    #[inline(always)]
    fn wide_shr(self, a: Wide64, s: u32) -> Wide64 {
        // SAFETY: SSE4.1 by `self`. Shifts by 64 and more give zero.
        unsafe {
            let by = |s: u32| _mm_cvtsi32_si128(s as i32);
            let high = _mm_srl_epi64(a.high, by(s));
            let low = if s < 64 {
                _mm_or_si128(_mm_srl_epi64(a.low, by(s)), _mm_sll_epi64(a.high, by(64 - s)))
            } else {
                _mm_srl_epi64(a.high, by(s - 64))
            };
            Wide64 { low, high }
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
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe { _mm_sub_epi64(a.high, b.high) })
    }
    #[inline(always)]
    fn gt_unsigned(self, a: W64, b: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe { signs(borrow(b.0, a.0, _mm_sub_epi64(b.0, a.0))) })
    }
    #[inline(always)]
    fn sub_or_add(self, a: W64, b: W64, q: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe {
            let difference = _mm_sub_epi64(a.0, b.0);
            by_sign(borrow(a.0, b.0, difference), difference, _mm_add_epi64(difference, q.0))
        })
    }
    #[inline(always)]
    fn min_unsigned(self, a: W64, b: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe { by_sign(borrow(a.0, b.0, _mm_sub_epi64(a.0, b.0)), b.0, a.0) })
    }
}

/// `1.5·2^52`: added to a whole number below `2^51` in absolute value, it leaves this as the low bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Converts words of at most `2^53` in absolute value to doubles: the upper and the lower half as separate numbers,
/// offset by `2^84` and `2^52`.
#[inline]
#[target_feature(enable = "sse4.1")]
fn doubles(a: __m128i) -> __m128d {
    const LOW: f64 = (1_u64 << 52) as f64;
    const HIGH: f64 = ((1_u128 << 84) + (1 << 63)) as f64;
    let low = even_and_odd(a, _mm_castpd_si128(_mm_set1_pd(LOW)));
    let high = _mm_xor_si128(_mm_srli_epi64::<32>(a), _mm_castpd_si128(_mm_set1_pd(HIGH)));
    _mm_add_pd(_mm_sub_pd(_mm_castsi128_pd(high), _mm_set1_pd(HIGH + LOW)), _mm_castsi128_pd(low))
}

/// The nearest integers, as words, whatever rounding mode is set.
#[inline]
#[target_feature(enable = "sse4.1")]
fn nearest(a: __m128d) -> __m128i {
    let whole = _mm_set1_pd(WHOLE);
    let near = _mm_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
    _mm_sub_epi64(_mm_castpd_si128(_mm_add_pd(near, whole)), _mm_castpd_si128(whole))
}

impl Lanes64 for Sse41I64 {
    #[inline(always)]
    fn mul_low_halves(self, a: W64, b: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe { mul_epu32(a.0, b.0) })
    }
    #[inline(always)]
    fn mul_hi_near(self, a: W64, v: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe {
            let high_digit = |a| odd_words(_mm_add_epi64(a, _mm_set1_epi64x(1 << 31)));
            let (a_high, v_high) = (high_digit(a.0), high_digit(v.0));
            let high = mul_epi32(a_high, v_high);
            let middle = _mm_add_epi64(mul_epi32(a_high, v.0), mul_epi32(v_high, a.0));
            // Half of the last place rounds; 2^63 makes the number unsigned and leaves an offset of 2^32.
            let biased = _mm_add_epi64(middle, _mm_set1_epi64x(i64::MIN + (1 << 30)));
            let doubled = _mm_sub_epi64(_mm_add_epi64(high, high), _mm_set1_epi64x(1 << 32));
            _mm_add_epi64(doubled, _mm_srli_epi64::<31>(biased))
        })
    }
    #[inline(always)]
    fn mul_difference(self, x: W64, w: W64, h: W64, q: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe {
            let of_x = mullo_epi32(swap_halves(w.0), x.0);
            let of_h = mullo_epi32(swap_halves(q.0), h.0);
            let low = _mm_sub_epi64(mul_epu32(x.0, w.0), mul_epu32(h.0, q.0));
            _mm_add_epi64(low, sum_on_high(_mm_sub_epi32(of_x, of_h)))
        })
    }
    #[inline(always)]
    fn reduce_near(self, x: W64, c: W64, s: u32, q: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe {
            let product = mul_epi32(odd_words(x.0), c.0);
            let half = _mm_sll_epi64(_mm_set1_epi64x(1 << 31), _mm_cvtsi32_si128(s as i32));
            // The quotient is in the high halves.
            let h = odd_words(_mm_sra_epi32(_mm_add_epi64(product, half), _mm_cvtsi32_si128(s as i32)));
            let q_high = odd_words(_mm_add_epi64(q.0, _mm_set1_epi64x(1 << 31)));
            let on_high = _mm_slli_epi64::<32>(mullo_epi32(q_high, h));
            _mm_sub_epi64(_mm_sub_epi64(x.0, mul_epi32(h, q.0)), on_high)
        })
    }
    #[inline(always)]
    fn mul_by_double(self, x: W64, w: W64, v: W64, q: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        let h = unsafe { nearest(_mm_mul_pd(doubles(x.0), _mm_castsi128_pd(v.0))) };
        self.mul_difference(x, w, W64(h), q)
    }
    #[inline(always)]
    fn mul_var_by_double(self, x: W64, y: W64, v: W64, q: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        let h = unsafe { nearest(_mm_mul_pd(_mm_mul_pd(doubles(x.0), doubles(y.0)), _mm_castsi128_pd(v.0))) };
        self.mul_difference(x, y, W64(h), q)
    }
    #[inline(always)]
    fn reduce_by_double(self, x: W64, v: W64, q: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe {
            let h = nearest(_mm_mul_pd(doubles(x.0), _mm_castsi128_pd(v.0)));
            _mm_sub_epi64(x.0, mullo_epi64(h, q.0))
        })
    }
}
