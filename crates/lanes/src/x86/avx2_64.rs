//! AVX2 as four 64-bit lanes: products of four 32-bit halves, and doubles with fused products.

use super::{
    avx2_words::{W64, interleave_bytes},
    proof::Avx2,
    words::{lanes_of, multiplications, ymm},
};
use crate::{Lanes, Lanes64, LanesWide, scalar::Arrays, sealed::Sealed};
use core::arch::x86_64::*;

/// AVX2 as four 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2I64(Avx2);

impl Avx2I64 {
    pub(super) const fn new(proof: Avx2) -> Self {
        Self(proof)
    }
}

impl Sealed for Avx2I64 {}

lanes_of!([] Avx2I64, i64, W64, ymm, 4, 1,
    _mm256_set1_epi64x, _mm256_add_epi64, _mm256_sub_epi64, _mm256_slli_epi64, srai_epi64, _mm256_sll_epi64, sra_epi64,
    _mm256_srli_epi64, _mm256_cmpgt_epi64, mullo_epi64, _mm256_unpacklo_epi64, _mm256_unpackhi_epi64,
    broadcast: |l: Self, words: &[i64]| l.splat(words[0]),
    interleave: |l: Self, bytes, a, b| interleave_bytes(l.0, bytes, a, b), unpack: unpack64, compact: compact64);

multiplications! { "avx2", __m256i, ymm_reg:
    mul_epi32: "vpmuldq";
    mul_epu32: "vpmuludq";
    mullo_epi32: "vpmulld";
}

/// `a >> s` copying the sign, by unsigned shifts with the lowest word as zero.
#[inline]
#[target_feature(enable = "avx2")]
fn sra_epi64(a: __m256i, s: __m128i) -> __m256i {
    let lowest = _mm256_set1_epi64x(i64::MIN);
    _mm256_sub_epi64(_mm256_srl_epi64(_mm256_xor_si256(a, lowest), s), _mm256_srl_epi64(lowest, s))
}

#[inline]
#[target_feature(enable = "avx2")]
fn srai_epi64<const S: i32>(a: __m256i) -> __m256i {
    if S == 63 { _mm256_cmpgt_epi64(_mm256_setzero_si256(), a) } else { sra_epi64(a, _mm_cvtsi32_si128(S)) }
}

/// Swaps the halves of each word.
#[inline]
#[target_feature(enable = "avx2")]
fn swap_halves(a: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b10_11_00_01>(a)
}

/// The sum of each pair of 32-bit words as the high half of a word with a zero low half.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_on_high(a: __m256i) -> __m256i {
    let sum = _mm256_add_epi32(a, _mm256_slli_epi64::<32>(a));
    _mm256_blend_epi32::<0b0101_0101>(sum, _mm256_setzero_si256())
}

#[inline]
#[target_feature(enable = "avx2")]
fn mullo_epi64(a: __m256i, b: __m256i) -> __m256i {
    let cross = mullo_epi32(a, swap_halves(b));
    _mm256_add_epi64(mul_epu32(a, b), sum_on_high(cross))
}

/// See [`Lanes::unpack`]. Rarely used, hence by arrays.
#[inline(always)]
fn unpack64<const W: usize>(_: Avx2, bytes: &[u8], first: usize) -> __m256i {
    let values = Arrays::<i64, 4>::new().unpack::<W>(bytes, first);
    // SAFETY: AVX2 by the token; four values are 32 readable bytes, any alignment.
    unsafe { _mm256_loadu_si256(values.as_ptr().cast()) }
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact64(_: Avx2I64, a: W64, keep: W64, out: &mut [i64; 4]) -> usize {
    // SAFETY: AVX2 by the token; an entry of the table is 8 readable bytes, the block 32 writable ones.
    unsafe {
        let kept = _mm256_movemask_pd(_mm256_castsi256_pd(keep.0)) as usize;
        let from = _mm256_cvtepu8_epi32(_mm_loadl_epi64(FRONT[kept].as_ptr().cast()));
        _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_permutevar8x32_epi32(a.0, from));
        kept.count_ones() as usize
    }
}

/// For each set of four words, the indices of its members' halves, one after the other.
static FRONT: [[u8; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut word, mut front) = (0, 0);
        while word < 4 {
            if set >> word & 1 == 1 {
                (table[set][front], table[set][front + 1]) = (2 * word, 2 * word + 1);
                front += 2;
            }
            word += 1;
        }
        set += 1;
    }
    table
};

/// Four values of 128 bits.
#[derive(Clone, Copy)]
pub(crate) struct Wide64 {
    low: __m256i,
    high: __m256i,
}

/// The full product of unsigned words.
#[inline(always)]
fn widen_unsigned(_: Avx2, a: __m256i, b: __m256i) -> Wide64 {
    // SAFETY: the instructions by the token.
    unsafe {
        let half = _mm256_set1_epi64x(0xFFFF_FFFF);
        let (a_high, b_high) = (_mm256_srli_epi64::<32>(a), _mm256_srli_epi64::<32>(b));
        let low = mul_epu32(a, b);
        let first = _mm256_add_epi64(mul_epu32(a_high, b), _mm256_srli_epi64::<32>(low));
        let second = _mm256_add_epi64(mul_epu32(a, b_high), _mm256_and_si256(first, half));
        let carried = _mm256_add_epi64(_mm256_srli_epi64::<32>(first), _mm256_srli_epi64::<32>(second));
        Wide64 {
            low: _mm256_blend_epi32::<0b1010_1010>(low, _mm256_slli_epi64::<32>(second)),
            high: _mm256_add_epi64(mul_epu32(a_high, b_high), carried),
        }
    }
}

/// `b` where `a < 0`, else zero.
#[inline]
#[target_feature(enable = "avx2")]
fn where_negative(a: __m256i, b: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), a), b)
}

impl LanesWide for Avx2I64 {
    type Wide = Wide64;

    #[inline(always)]
    fn widen_mul(self, a: W64, b: W64) -> Wide64 {
        // SAFETY: AVX2 by `self`.
        unsafe {
            let Wide64 { low, high } = widen_unsigned(self.0, a.0, b.0);
            let signs = _mm256_add_epi64(where_negative(a.0, b.0), where_negative(b.0, a.0));
            Wide64 { low, high: _mm256_sub_epi64(high, signs) }
        }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: W64, b: W64) -> Wide64 {
        widen_unsigned(self.0, a.0, b.0)
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Wide64, b: W64) -> Wide64 {
        self.widen_mul(W64(a.low), b)
    }
    #[inline(always)]
    fn wide_add(self, a: Wide64, b: Wide64) -> Wide64 {
        // SAFETY: AVX2 by `self`.
        unsafe {
            let (lowest, low) = (_mm256_set1_epi64x(i64::MIN), _mm256_add_epi64(a.low, b.low));
            let carry = _mm256_cmpgt_epi64(_mm256_xor_si256(b.low, lowest), _mm256_xor_si256(low, lowest));
            Wide64 { low, high: _mm256_sub_epi64(_mm256_add_epi64(a.high, b.high), carry) }
        }
    }
    #[inline(always)]
    fn wide_sub(self, a: Wide64, b: Wide64) -> Wide64 {
        // SAFETY: AVX2 by `self`.
        unsafe {
            let lowest = _mm256_set1_epi64x(i64::MIN);
            let borrow = _mm256_cmpgt_epi64(_mm256_xor_si256(b.low, lowest), _mm256_xor_si256(a.low, lowest));
            let high = _mm256_add_epi64(_mm256_sub_epi64(a.high, b.high), borrow);
            Wide64 { low: _mm256_sub_epi64(a.low, b.low), high }
        }
    }
    #[inline(always)]
    fn wide_shr(self, a: Wide64, s: u32) -> Wide64 {
        // SAFETY: AVX2 by `self`. Shifts by 64 and more give zero.
        unsafe {
            let by = |s: u32| _mm_cvtsi32_si128(s as i32);
            let high = _mm256_srl_epi64(a.high, by(s));
            let low = if s < 64 {
                _mm256_or_si256(_mm256_srl_epi64(a.low, by(s)), _mm256_sll_epi64(a.high, by(64 - s)))
            } else {
                _mm256_srl_epi64(a.high, by(s - 64))
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
        // SAFETY: AVX2 by `self`.
        W64(unsafe { _mm256_sub_epi64(a.high, b.high) })
    }
}

/// `1.5·2^52`: added to a double below `2^51` in absolute value, it leaves the nearest whole number as
/// the low bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Converts words of at most `2^53` in absolute value to doubles: the upper and the lower half as separate numbers,
/// offset by `2^84` and `2^52`.
#[inline]
#[target_feature(enable = "avx2")]
fn doubles(a: __m256i) -> __m256d {
    const LOW: f64 = (1_u64 << 52) as f64;
    const HIGH: f64 = ((1_u128 << 84) + (1 << 63)) as f64;
    let low = _mm256_blend_epi32::<0b1010_1010>(a, _mm256_castpd_si256(_mm256_set1_pd(LOW)));
    let high = _mm256_xor_si256(_mm256_srli_epi64::<32>(a), _mm256_castpd_si256(_mm256_set1_pd(HIGH)));
    _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(HIGH + LOW)), _mm256_castsi256_pd(low))
}

/// Converts words below `2^51` in absolute value to doubles.
#[inline]
#[target_feature(enable = "avx2")]
fn small_doubles(a: __m256i) -> __m256d {
    let biased = _mm256_add_epi64(a, _mm256_castpd_si256(_mm256_set1_pd(WHOLE)));
    _mm256_sub_pd(_mm256_castsi256_pd(biased), _mm256_set1_pd(WHOLE))
}

/// The nearest integers, as doubles.
#[inline]
#[target_feature(enable = "avx2")]
fn rounded(a: __m256d) -> __m256d {
    _mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)
}

/// Converts doubles that are integers below `2^51` in absolute value to words.
#[inline]
#[target_feature(enable = "avx2")]
fn small_words(a: __m256d) -> __m256i {
    let biased = _mm256_add_pd(a, _mm256_set1_pd(WHOLE));
    _mm256_sub_epi64(_mm256_castpd_si256(biased), _mm256_castpd_si256(_mm256_set1_pd(WHOLE)))
}

/// Converts doubles that are integers of at most `2^53` in absolute value to words: signed upper and lower parts of 32
/// bits.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn words(a: __m256d) -> __m256i {
    const UPPER: f64 = (1_u64 << 32) as f64;
    let high = rounded(_mm256_mul_pd(a, _mm256_set1_pd(1.0 / UPPER)));
    let low = _mm256_fnmadd_pd(high, _mm256_set1_pd(UPPER), a);
    let biased = |part| _mm256_castpd_si256(_mm256_add_pd(part, _mm256_set1_pd(WHOLE)));
    let bias = (WHOLE.to_bits() << 32).wrapping_add(WHOLE.to_bits());
    let sum = _mm256_add_epi64(_mm256_slli_epi64::<32>(biased(high)), biased(low));
    _mm256_sub_epi64(sum, _mm256_set1_epi64x(bias as i64))
}

impl Lanes64 for Avx2I64 {
    #[inline(always)]
    fn mul_low_halves(self, a: W64, b: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe { mul_epu32(a.0, b.0) })
    }
    #[inline(always)]
    fn mul_hi_near(self, a: W64, v: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe {
            let high_digit = |a| _mm256_srli_epi64::<32>(_mm256_add_epi64(a, _mm256_set1_epi64x(1 << 31)));
            let (a_high, v_high) = (high_digit(a.0), high_digit(v.0));
            let high = mul_epi32(a_high, v_high);
            let middle = _mm256_add_epi64(mul_epi32(a_high, v.0), mul_epi32(a.0, v_high));
            // Half of the last place rounds; 2^63 makes the number unsigned and leaves an offset of 2^32.
            let biased = _mm256_add_epi64(middle, _mm256_set1_epi64x(i64::MIN + (1 << 30)));
            let doubled = _mm256_sub_epi64(_mm256_add_epi64(high, high), _mm256_set1_epi64x(1 << 32));
            _mm256_add_epi64(doubled, _mm256_srli_epi64::<31>(biased))
        })
    }
    #[inline(always)]
    fn mul_difference(self, x: W64, w: W64, h: W64, q: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe {
            let of_x = mullo_epi32(x.0, swap_halves(w.0));
            let of_h = mullo_epi32(h.0, swap_halves(q.0));
            let low = _mm256_sub_epi64(mul_epu32(x.0, w.0), mul_epu32(h.0, q.0));
            _mm256_add_epi64(low, sum_on_high(_mm256_sub_epi32(of_x, of_h)))
        })
    }
    #[inline(always)]
    fn reduce_near(self, x: W64, c: W64, s: u32, q: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe {
            let product = mul_epi32(_mm256_srli_epi64::<32>(x.0), c.0);
            let half = _mm256_sll_epi64(_mm256_set1_epi64x(1 << 31), _mm_cvtsi32_si128(s as i32));
            // The quotient is in the high halves.
            let h = _mm256_sra_epi32(_mm256_add_epi64(product, half), _mm_cvtsi32_si128(s as i32));
            let q_high = _mm256_add_epi64(q.0, _mm256_set1_epi64x(1 << 31));
            let on_high = _mm256_blend_epi32::<0b0101_0101>(mullo_epi32(h, q_high), _mm256_setzero_si256());
            let low = mul_epi32(_mm256_srli_epi64::<32>(h), q.0);
            _mm256_sub_epi64(_mm256_sub_epi64(x.0, low), on_high)
        })
    }
    const KEEPS_DOUBLES: bool = true;
    #[inline(always)]
    fn kept(self, x: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe { _mm256_castpd_si256(doubles(x.0)) })
    }
    #[inline(always)]
    fn kept_small(self, x: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe { _mm256_castpd_si256(small_doubles(x.0)) })
    }
    #[inline(always)]
    fn word_of_kept(self, x: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe { words(_mm256_castsi256_pd(x.0)) }) // and FMA
    }
    #[inline(always)]
    fn word_of_small(self, x: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe { small_words(_mm256_castsi256_pd(x.0)) })
    }
    #[inline(always)]
    fn add_kept(self, a: W64, b: W64) -> W64 {
        let [a, b] = [double(a), double(b)];
        // SAFETY: AVX2 by `self`.
        unsafe { words_of(_mm256_add_pd(a, b)) }
    }
    #[inline(always)]
    fn sub_kept(self, a: W64, b: W64) -> W64 {
        let [a, b] = [double(a), double(b)];
        // SAFETY: AVX2 by `self`.
        unsafe { words_of(_mm256_sub_pd(a, b)) }
    }
    #[inline(always)]
    fn mul_kept(self, x: W64, w: W64, v: W64, q: W64) -> W64 {
        let [x, w, v, q] = [double(x), double(w), double(v), double(q)];
        // SAFETY: AVX2 and FMA by `self`.
        unsafe {
            let h = rounded(_mm256_mul_pd(x, v));
            let product = _mm256_mul_pd(x, w);
            words_of(_mm256_add_pd(_mm256_fnmadd_pd(h, q, product), _mm256_fmsub_pd(x, w, product)))
        }
    }
    #[inline(always)]
    fn mul_var_kept(self, x: W64, y: W64, v: W64, q: W64) -> W64 {
        let [x, y, v, q] = [double(x), double(y), double(v), double(q)];
        // SAFETY: AVX2 and FMA by `self`.
        unsafe {
            let product = _mm256_mul_pd(x, y);
            let h = rounded(_mm256_mul_pd(product, v));
            words_of(_mm256_add_pd(_mm256_fnmadd_pd(h, q, product), _mm256_fmsub_pd(x, y, product)))
        }
    }
    #[inline(always)]
    fn reduce_kept(self, x: W64, v: W64, q: W64) -> W64 {
        let [x, v, q] = [double(x), double(v), double(q)];
        // SAFETY: AVX2 and FMA by `self`.
        unsafe { words_of(_mm256_fnmadd_pd(rounded(_mm256_mul_pd(x, v)), q, x)) }
    }
    #[inline(always)]
    fn mul_by_double(self, x: W64, w: W64, v: W64, q: W64) -> W64 {
        self.word_of_kept(self.mul_kept(self.kept(x), self.kept(w), v, self.kept(q)))
    }
    #[inline(always)]
    fn mul_var_by_double(self, x: W64, y: W64, v: W64, q: W64) -> W64 {
        self.word_of_kept(self.mul_var_kept(self.kept(x), self.kept(y), v, self.kept(q)))
    }
    #[inline(always)]
    fn reduce_by_double(self, x: W64, v: W64, q: W64) -> W64 {
        self.word_of_kept(self.reduce_kept(self.kept(x), v, self.kept(q)))
    }
}

/// Words as doubles, bit by bit. A function, since `array::map` is not always inlined, and a closure within it has no
/// instructions of vectors.
#[inline(always)]
fn double(words: W64) -> __m256d {
    // SAFETY: the cast compiles to nothing, and a `W64` exists only where AVX2 does.
    unsafe { _mm256_castsi256_pd(words.0) }
}

/// Undoes [`double`].
#[inline(always)]
fn words_of(doubles: __m256d) -> W64 {
    // SAFETY: as above.
    W64(unsafe { _mm256_castpd_si256(doubles) })
}
