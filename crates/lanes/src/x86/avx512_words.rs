//! AVX-512 as 32 words of 16 bits, 16 of 32 bits and 8 of 64 bits.

use super::{
    avx2_words::{self, Avx2I16, W16},
    proof::Avx512,
    words::{lanes_of, multiplications, zmm},
};
use crate::{Lanes, Lanes16, Lanes64, LanesWide, scalar::Arrays, sealed::Sealed};
use core::arch::{asm, x86_64::*};

/// AVX-512 as 32 lanes of 16 bits; with the instruction for compaction if `COMPRESS`.
#[derive(Clone, Copy)]
pub(crate) struct Avx512I16<const COMPRESS: bool = false>(pub(super) Avx512);

impl Avx512I16<true> {
    /// # Safety
    ///
    /// The CPU must have AVX-512 VBMI2.
    pub(super) const unsafe fn compressing(proof: Avx512) -> Self {
        Self(proof)
    }
}

/// AVX-512 as 16 lanes of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct Avx512I32(pub(super) Avx512);

/// AVX-512 as 8 lanes of 64 bits; with the instructions for products of 52 bits if `IFMA`.
#[derive(Clone, Copy)]
pub(crate) struct Avx512I64<const IFMA: bool = false>(pub(super) Avx512);

impl Avx512I64<true> {
    /// # Safety
    ///
    /// The CPU must have AVX-512 IFMA.
    pub(super) const unsafe fn multiplying(proof: Avx512) -> Self {
        Self(proof)
    }
}

impl<const COMPRESS: bool> Sealed for Avx512I16<COMPRESS> {}
impl Sealed for Avx512I32 {}
impl<const IFMA: bool> Sealed for Avx512I64<IFMA> {}

/// The same 512-bit vector as words of one width: three types, so that widths do not mix.
#[derive(Clone, Copy)]
pub(crate) struct X16(__m512i);
/// See [`X16`].
#[derive(Clone, Copy)]
pub(crate) struct X32(__m512i);
/// See [`X16`].
#[derive(Clone, Copy)]
pub(crate) struct X64(__m512i);

/// Sixteen bytes, four times.
#[derive(Clone, Copy)]
pub(crate) struct X8x16(__m512i);

lanes_of!([const COMPRESS: bool] Avx512I16<COMPRESS>, i16, X16, zmm, 32, 2,
    _mm512_set1_epi16, _mm512_add_epi16, _mm512_sub_epi16, slli_epi16, srai_epi16, _mm512_sll_epi16, _mm512_sra_epi16,
    srli_epi16, cmpgt_epi16, _mm512_mullo_epi16, _mm512_unpacklo_epi16, _mm512_unpackhi_epi16,
    broadcast: |_: Self, words: &[i16]| {
        let pair = (words[0] as u16 as u32) | (words[1] as u16 as u32) << 16;
        // SAFETY: AVX-512 by the token.
        X16(unsafe { _mm512_set1_epi32(pair as i32) })
    },
    interleave: |l: Self, bytes, a, b| interleave_bytes(l.0, bytes, a, b), unpack: unpack16, compact: compact16);

lanes_of!([] Avx512I32, i32, X32, zmm, 16, 1,
    _mm512_set1_epi32, _mm512_add_epi32, _mm512_sub_epi32, slli_epi32, srai_epi32, _mm512_sll_epi32, _mm512_sra_epi32,
    srli_epi32, cmpgt_epi32, _mm512_mullo_epi32, _mm512_unpacklo_epi32, _mm512_unpackhi_epi32,
    broadcast: |l: Self, words: &[i32]| l.splat(words[0]),
    interleave: |l: Self, bytes, a, b| interleave_bytes(l.0, bytes, a, b), unpack: unpack32, compact: compact32);

lanes_of!([const IFMA: bool] Avx512I64<IFMA>, i64, X64, zmm, 8, 1,
    _mm512_set1_epi64, _mm512_add_epi64, _mm512_sub_epi64, slli_epi64, srai_epi64, _mm512_sll_epi64, _mm512_sra_epi64,
    srli_epi64, cmpgt_epi64, mullo_epi64, _mm512_unpacklo_epi64, _mm512_unpackhi_epi64,
    broadcast: |l: Self, words: &[i64]| l.splat(words[0]),
    interleave: |l: Self, bytes, a, b| interleave_bytes(l.0, bytes, a, b), unpack: unpack64, compact: compact64);

/// Shifts by constants, which become immediates.
macro_rules! shifts {
    ($($name:ident: $by:ident;)*) => {$(
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn $name<const S: i32>(a: __m512i) -> __m512i {
            $by(a, _mm_cvtsi32_si128(S))
        }
    )*};
}

shifts! {
    slli_epi16: _mm512_sll_epi16;
    srai_epi16: _mm512_sra_epi16;
    srli_epi16: _mm512_srl_epi16;
    slli_epi32: _mm512_sll_epi32;
    srai_epi32: _mm512_sra_epi32;
    srli_epi32: _mm512_srl_epi32;
    slli_epi64: _mm512_sll_epi64;
    srai_epi64: _mm512_sra_epi64;
    srli_epi64: _mm512_srl_epi64;
}

/// Comparisons that return vector masks.
macro_rules! comparisons {
    ($($name:ident: $compare:ident, $spread:ident;)*) => {$(
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq")]
        fn $name(a: __m512i, b: __m512i) -> __m512i {
            $spread($compare(a, b))
        }
    )*};
}

comparisons! {
    cmpgt_epi8: _mm512_cmpgt_epi8_mask, _mm512_movm_epi8;
    cmpeq_epi8: _mm512_cmpeq_epi8_mask, _mm512_movm_epi8;
    cmpgt_epi16: _mm512_cmpgt_epi16_mask, _mm512_movm_epi16;
    cmpgt_epi32: _mm512_cmpgt_epi32_mask, _mm512_movm_epi32;
    cmpgt_epi64: _mm512_cmpgt_epi64_mask, _mm512_movm_epi64;
    cmpgt_epu32: _mm512_cmpgt_epu32_mask, _mm512_movm_epi32;
    cmpgt_epu64: _mm512_cmpgt_epu64_mask, _mm512_movm_epi64;
}

/// A shuffle under a mask, by assembly: of the intrinsics the compiler makes `vpermt2d`, which takes longer.
macro_rules! masked {
    ($($(#[$note:meta])* $name:ident: $instruction:literal, $mask:literal;)*) => {$(
        $(#[$note])*
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn $name(a: __m512i, b: __m512i) -> __m512i {
            let mut lanes = a;
            // SAFETY: the instruction, of AVX-512 F, reads and writes registers alone.
            unsafe {
                asm!(
                    concat!($instruction, " {lanes}{{{mask}}}, {b}"),
                    lanes = inout(zmm_reg) lanes,
                    mask = in(kreg) $mask,
                    b = in(zmm_reg) b,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            lanes
        }
    )*};
}

masked! {
    /// The even lanes of both: those of `b` take the odd places of `a`.
    even_lanes_of_both: "vmovsldup", 0xAAAA_u16;
    /// The odd lanes of both: those of `b` take the even places of `a`.
    odd_lanes_of_both: "vmovshdup", 0x5555_u16;
}

/// Exchanges odd blocks of `a` with even blocks of `b`; `bytes` is the size of a block and always a constant.
#[inline(always)]
pub(super) fn interleave_bytes(_: Avx512, bytes: usize, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    // SAFETY: AVX-512 F, BW and DQ by the token.
    unsafe {
        match bytes {
            2 => (
                _mm512_mask_blend_epi16(0xAAAA_AAAA, a, _mm512_slli_epi32::<16>(b)),
                _mm512_mask_blend_epi16(0xAAAA_AAAA, _mm512_srli_epi32::<16>(a), b),
            ),
            4 => (even_lanes_of_both(a, b), odd_lanes_of_both(b, a)),
            8 => (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
            16 => (
                _mm512_mask_shuffle_i64x2::<0b10_10_00_00>(a, 0b1100_1100, b, b),
                _mm512_mask_shuffle_i64x2::<0b11_11_01_01>(b, 0b0011_0011, a, a),
            ),
            32 => (_mm512_shuffle_i64x2::<0b01_00_01_00>(a, b), _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b)),
            _ => unreachable!(),
        }
    }
}

/// Concatenates two vectors of 256 bits.
#[inline(always)]
fn joined(_: Avx512, low: __m256i, high: __m256i) -> __m512i {
    // SAFETY: AVX-512 F by the token.
    unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high) }
}

/// See [`Lanes::unpack`].
#[inline(always)]
fn unpack16<const W: usize>(l: Avx512, bytes: &[u8], first: usize) -> __m512i {
    let half = |first| avx2_words::unpack16::<W>(l.avx2(), bytes, first);
    joined(l, half(first), half(first + 16))
}

/// See [`Lanes::unpack`].
#[inline(always)]
fn unpack32<const W: usize>(l: Avx512, bytes: &[u8], first: usize) -> __m512i {
    let half = |first| avx2_words::unpack32::<W>(l.avx2(), bytes, first);
    joined(l, half(first), half(first + 8))
}

/// See [`Lanes::unpack`]. Rarely used, hence by arrays.
#[inline(always)]
fn unpack64<const W: usize>(_: Avx512, bytes: &[u8], first: usize) -> __m512i {
    let values = Arrays::<i64, 8>::new().unpack::<W>(bytes, first);
    // SAFETY: AVX-512 F by the token; eight values are 64 readable bytes, any alignment.
    unsafe { _mm512_loadu_si512(values.as_ptr().cast()) }
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact16<const COMPRESS: bool>(l: Avx512I16<COMPRESS>, a: X16, keep: X16, out: &mut [i16; 32]) -> usize {
    // SAFETY: AVX-512 F and BW by the token, and VBMI2 if it compresses; the block is 64 writable bytes,
    // any alignment.
    unsafe {
        if COMPRESS {
            let kept = _mm512_movepi16_mask(keep.0);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_compress_epi16(kept, a.0));
            return kept.count_ones() as usize;
        }
        let upper = |v| _mm512_extracti64x4_epi64::<1>(v);
        let lower = |v| _mm512_castsi512_si256(v);
        let lanes = Avx2I16(l.0.avx2());
        let mut half = [0; 16];
        let first = avx2_words::compact16(lanes, W16(lower(a.0)), W16(lower(keep.0)), &mut half);
        out[..16].copy_from_slice(&half);
        let second = avx2_words::compact16(lanes, W16(upper(a.0)), W16(upper(keep.0)), &mut half);
        out[first..first + 16].copy_from_slice(&half); // at most 16 are in front
        first + second
    }
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact32(_: Avx512I32, a: X32, keep: X32, out: &mut [i32; 16]) -> usize {
    // SAFETY: AVX-512 F and DQ by the token; the block is 64 writable bytes, any alignment.
    unsafe {
        let kept = _mm512_movepi32_mask(keep.0);
        _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(kept, a.0));
        kept.count_ones() as usize
    }
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact64<const IFMA: bool>(_: Avx512I64<IFMA>, a: X64, keep: X64, out: &mut [i64; 8]) -> usize {
    // SAFETY: AVX-512 F and DQ by the token; the block is 64 writable bytes, any alignment.
    unsafe {
        let kept = _mm512_movepi64_mask(keep.0);
        _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_compress_epi64(kept, a.0));
        kept.count_ones() as usize
    }
}

multiplications! { "avx512f,avx512bw,avx512dq", __m512i, zmm_reg:
    mulhi_epi16: "vpmulhw";
    mul_epi32: "vpmuldq";
    mul_epu32: "vpmuludq";
    mullo_epi64: "vpmullq";
}

impl<const COMPRESS: bool> Lanes16 for Avx512I16<COMPRESS> {
    type Table = X8x16;
    const PERMUTES: bool = true;

    #[inline(always)]
    fn permute(self, a: X16, b: X16, indices: X16) -> X16 {
        // SAFETY: AVX-512 BW by `self`.
        X16(unsafe { _mm512_permutex2var_epi16(a.0, indices.0, b.0) })
    }

    #[inline(always)]
    fn mul_hi(self, a: X16, b: X16) -> X16 {
        // SAFETY: AVX-512 BW by `self`.
        X16(unsafe { mulhi_epi16(a.0, b.0) })
    }
    #[inline(always)]
    fn mul_round(self, a: X16, b: X16) -> X16 {
        // SAFETY: AVX-512 BW by `self`.
        X16(unsafe { _mm512_mulhrs_epi16(a.0, b.0) })
    }
    #[inline(always)]
    fn table(self, bytes: &[u8; 16]) -> X8x16 {
        // SAFETY: AVX-512 F by `self`; the table is 16 readable bytes, any alignment.
        X8x16(unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) })
    }
    #[inline(always)]
    fn lookup_bytes(self, table: X8x16, indices: X16) -> X16 {
        // SAFETY: AVX-512 BW by `self`. With saturation 0..16 becomes 0x70..0x80, and everything else gets the top bit,
        // which gives zero.
        X16(unsafe { _mm512_shuffle_epi8(table.0, _mm512_adds_epu8(indices.0, _mm512_set1_epi8(0x70))) })
    }
    #[inline(always)]
    fn gt_bytes(self, a: X16, b: X16) -> X16 {
        // SAFETY: AVX-512 BW by `self`.
        X16(unsafe { cmpgt_epi8(a.0, b.0) })
    }
    #[inline(always)]
    fn eq_bytes(self, a: X16, b: X16) -> X16 {
        // SAFETY: AVX-512 BW by `self`.
        X16(unsafe { cmpeq_epi8(a.0, b.0) })
    }
}

/// Two vectors of 64-bit values: for words of 32 bits the even and the odd lanes, for words of 64 bits the low and the
/// high halves.
#[derive(Clone, Copy)]
pub(crate) struct Pair(__m512i, __m512i);

/// Copies odd lanes over the even ones.
#[inline]
#[target_feature(enable = "avx512f")]
fn odd_lanes(a: __m512i) -> __m512i {
    _mm512_shuffle_epi32::<0b11_11_01_01>(a)
}

impl LanesWide for Avx512I32 {
    type Wide = Pair;

    #[inline(always)]
    fn min_unsigned(self, a: X32, b: X32) -> X32 {
        // SAFETY: AVX-512 F by `self`.
        X32(unsafe { _mm512_min_epu32(a.0, b.0) })
    }
    #[inline(always)]
    fn widen_mul(self, a: X32, b: X32) -> Pair {
        // SAFETY: AVX-512 F by `self`. The multiply reads the low half of each 64-bit lane.
        unsafe { Pair(mul_epi32(a.0, b.0), mul_epi32(odd_lanes(a.0), odd_lanes(b.0))) }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: X32, b: X32) -> Pair {
        // SAFETY: AVX-512 F by `self`.
        unsafe { Pair(mul_epu32(a.0, b.0), mul_epu32(odd_lanes(a.0), odd_lanes(b.0))) }
    }
    #[inline(always)]
    fn gt_unsigned(self, a: X32, b: X32) -> X32 {
        // SAFETY: AVX-512 F and DQ by `self`.
        X32(unsafe { cmpgt_epu32(a.0, b.0) })
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Pair, b: X32) -> Pair {
        // SAFETY: AVX-512 F by `self`.
        unsafe { Pair(mul_epi32(a.0, b.0), mul_epi32(a.1, odd_lanes(b.0))) }
    }
    #[inline(always)]
    fn widen_mul_low_unsigned(self, a: Pair, b: X32) -> Pair {
        // SAFETY: AVX-512 F by `self`.
        unsafe { Pair(mul_epu32(a.0, b.0), mul_epu32(a.1, odd_lanes(b.0))) }
    }
    #[inline(always)]
    fn wide_add(self, a: Pair, b: Pair) -> Pair {
        // SAFETY: AVX-512 F by `self`.
        unsafe { Pair(_mm512_add_epi64(a.0, b.0), _mm512_add_epi64(a.1, b.1)) }
    }
    #[inline(always)]
    fn wide_sub(self, a: Pair, b: Pair) -> Pair {
        // SAFETY: AVX-512 F by `self`.
        unsafe { Pair(_mm512_sub_epi64(a.0, b.0), _mm512_sub_epi64(a.1, b.1)) }
    }
    #[inline(always)]
    fn wide_shr(self, a: Pair, s: u32) -> Pair {
        // SAFETY: AVX-512 F by `self`.
        unsafe {
            let s = _mm_cvtsi32_si128(s as i32);
            Pair(_mm512_srl_epi64(a.0, s), _mm512_srl_epi64(a.1, s))
        }
    }
    #[inline(always)]
    fn narrow_lo(self, a: Pair) -> X32 {
        // SAFETY: AVX-512 F by `self`.
        X32(unsafe { even_lanes_of_both(a.0, a.1) })
    }
    #[inline(always)]
    fn narrow_hi(self, a: Pair) -> X32 {
        // SAFETY: AVX-512 F by `self`.
        X32(unsafe { odd_lanes_of_both(a.1, a.0) })
    }
}

/// The full product of unsigned words.
#[inline(always)]
fn widen_unsigned(_: Avx512, a: __m512i, b: __m512i) -> Pair {
    // SAFETY: the instructions by the token.
    unsafe {
        let half = _mm512_set1_epi64(0xFFFF_FFFF);
        let (a_high, b_high) = (_mm512_srli_epi64::<32>(a), _mm512_srli_epi64::<32>(b));
        let low = mul_epu32(a, b);
        let first = _mm512_add_epi64(mul_epu32(a_high, b), _mm512_srli_epi64::<32>(low));
        let second = _mm512_add_epi64(mul_epu32(a, b_high), _mm512_and_si512(first, half));
        let carried = _mm512_add_epi64(_mm512_srli_epi64::<32>(first), _mm512_srli_epi64::<32>(second));
        Pair(even_lanes_of_both(low, second), _mm512_add_epi64(mul_epu32(a_high, b_high), carried))
    }
}

impl<const IFMA: bool> LanesWide for Avx512I64<IFMA> {
    type Wide = Pair;

    #[inline(always)]
    fn min_unsigned(self, a: X64, b: X64) -> X64 {
        // SAFETY: AVX-512 F by `self`.
        X64(unsafe { _mm512_min_epu64(a.0, b.0) })
    }
    #[inline(always)]
    fn widen_mul(self, a: X64, b: X64) -> Pair {
        // SAFETY: AVX-512 F by `self`. A negative operand counts as 2^64 more.
        unsafe {
            let Pair(low, high) = widen_unsigned(self.0, a.0, b.0);
            let signs = _mm512_add_epi64(
                _mm512_and_si512(_mm512_srai_epi64::<63>(a.0), b.0),
                _mm512_and_si512(_mm512_srai_epi64::<63>(b.0), a.0),
            );
            Pair(low, _mm512_sub_epi64(high, signs))
        }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: X64, b: X64) -> Pair {
        widen_unsigned(self.0, a.0, b.0)
    }
    #[inline(always)]
    fn gt_unsigned(self, a: X64, b: X64) -> X64 {
        // SAFETY: AVX-512 F and DQ by `self`.
        X64(unsafe { cmpgt_epu64(a.0, b.0) })
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Pair, b: X64) -> Pair {
        self.widen_mul(X64(a.0), b)
    }
    #[inline(always)]
    fn wide_add(self, a: Pair, b: Pair) -> Pair {
        // SAFETY: AVX-512 F and DQ by `self`.
        unsafe {
            let low = _mm512_add_epi64(a.0, b.0);
            let carry = _mm512_movm_epi64(_mm512_cmplt_epu64_mask(low, b.0));
            Pair(low, _mm512_sub_epi64(_mm512_add_epi64(a.1, b.1), carry))
        }
    }
    #[inline(always)]
    fn wide_sub(self, a: Pair, b: Pair) -> Pair {
        // SAFETY: AVX-512 F and DQ by `self`.
        unsafe {
            let borrow = _mm512_movm_epi64(_mm512_cmplt_epu64_mask(a.0, b.0));
            Pair(_mm512_sub_epi64(a.0, b.0), _mm512_add_epi64(_mm512_sub_epi64(a.1, b.1), borrow))
        }
    }
    #[inline(always)]
    fn wide_shr(self, a: Pair, s: u32) -> Pair {
        // SAFETY: AVX-512 F by `self`. Shifts by 64 and more give zero.
        unsafe {
            let by = |s: u32| _mm_cvtsi32_si128(s as i32);
            let low = if s < 64 {
                _mm512_or_si512(_mm512_srl_epi64(a.0, by(s)), _mm512_sll_epi64(a.1, by(64 - s)))
            } else {
                _mm512_srl_epi64(a.1, by(s - 64))
            };
            Pair(low, _mm512_srl_epi64(a.1, by(s)))
        }
    }
    #[inline(always)]
    fn narrow_lo(self, a: Pair) -> X64 {
        X64(a.0)
    }
    #[inline(always)]
    fn narrow_hi(self, a: Pair) -> X64 {
        X64(a.1)
    }
    #[inline(always)]
    fn narrow_hi_of_equal_lows(self, a: Pair, b: Pair) -> X64 {
        // SAFETY: AVX-512 F by `self`.
        X64(unsafe { _mm512_sub_epi64(a.1, b.1) })
    }
}

/// The nearest integers, with ties to even.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn nearest(a: __m512d) -> __m512i {
    _mm512_cvt_roundpd_epi64::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)
}

impl<const IFMA: bool> Lanes64 for Avx512I64<IFMA> {
    const MULTIPLIES_52: bool = IFMA;
    #[inline(always)]
    fn mul52_lo(self, c: X64, a: X64, b: X64) -> X64 {
        if IFMA {
            // SAFETY: AVX-512 F and IFMA by `self`.
            X64(unsafe { _mm512_madd52lo_epu64(c.0, a.0, b.0) })
        } else {
            crate::mul52_lo_wide(self, c, a, b)
        }
    }
    #[inline(always)]
    fn mul52_hi(self, c: X64, a: X64, b: X64) -> X64 {
        if IFMA {
            // SAFETY: AVX-512 F and IFMA by `self`.
            X64(unsafe { _mm512_madd52hi_epu64(c.0, a.0, b.0) })
        } else {
            crate::mul52_hi_wide(self, c, a, b)
        }
    }
    #[inline(always)]
    fn mul_low_halves(self, a: X64, b: X64) -> X64 {
        // SAFETY: AVX-512 F by `self`.
        X64(unsafe { mul_epu32(a.0, b.0) })
    }
    #[inline(always)]
    fn mul_hi_near(self, a: X64, v: X64) -> X64 {
        // SAFETY: AVX-512 F by `self`.
        X64(unsafe {
            let high_digit = |a| _mm512_srli_epi64::<32>(_mm512_add_epi64(a, _mm512_set1_epi64(1 << 31)));
            let (a_high, v_high) = (high_digit(a.0), high_digit(v.0));
            let high = mul_epi32(a_high, v_high);
            let middle = _mm512_add_epi64(mul_epi32(a_high, v.0), mul_epi32(a.0, v_high));
            let rounded = _mm512_srai_epi64::<31>(_mm512_add_epi64(middle, _mm512_set1_epi64(1 << 30)));
            _mm512_add_epi64(_mm512_add_epi64(high, high), rounded)
        })
    }
    #[inline(always)]
    fn reduce_near(self, x: X64, c: X64, s: u32, q: X64) -> X64 {
        // SAFETY: AVX-512 F by `self`.
        let h = unsafe {
            let product = mul_epi32(_mm512_srli_epi64::<32>(x.0), c.0);
            let half = _mm512_sll_epi64(_mm512_set1_epi64(1 << 31), _mm_cvtsi32_si128(s as i32));
            _mm512_sra_epi64(_mm512_add_epi64(product, half), _mm_cvtsi32_si128(32 + s as i32))
        };
        self.sub(x, self.mul_lo(X64(h), q))
    }
    const KEEPS_DOUBLES: bool = true;
    #[inline(always)]
    fn kept(self, x: X64) -> X64 {
        // SAFETY: AVX-512 F and DQ by `self`.
        X64(unsafe { _mm512_castpd_si512(_mm512_cvtepi64_pd(x.0)) })
    }
    #[inline(always)]
    fn word_of_kept(self, x: X64) -> X64 {
        // SAFETY: AVX-512 F and DQ by `self`.
        X64(unsafe { _mm512_cvtpd_epi64(_mm512_castsi512_pd(x.0)) })
    }
    #[inline(always)]
    fn add_kept(self, a: X64, b: X64) -> X64 {
        let [a, b] = [double(a), double(b)];
        // SAFETY: AVX-512 F by `self`.
        unsafe { words_of(_mm512_add_pd(a, b)) }
    }
    #[inline(always)]
    fn sub_kept(self, a: X64, b: X64) -> X64 {
        let [a, b] = [double(a), double(b)];
        // SAFETY: AVX-512 F by `self`.
        unsafe { words_of(_mm512_sub_pd(a, b)) }
    }
    #[inline(always)]
    fn mul_kept(self, x: X64, w: X64, v: X64, q: X64) -> X64 {
        let [x, w, v, q] = [double(x), double(w), double(v), double(q)];
        // SAFETY: AVX-512 F by `self`.
        unsafe {
            let h = rounded(_mm512_mul_pd(x, v));
            let product = _mm512_mul_pd(x, w);
            words_of(_mm512_add_pd(_mm512_fnmadd_pd(h, q, product), _mm512_fmsub_pd(x, w, product)))
        }
    }
    #[inline(always)]
    fn mul_var_kept(self, x: X64, y: X64, v: X64, q: X64) -> X64 {
        let [x, y, v, q] = [double(x), double(y), double(v), double(q)];
        // SAFETY: AVX-512 F by `self`.
        unsafe {
            let product = _mm512_mul_pd(x, y);
            let h = rounded(_mm512_mul_pd(product, v));
            words_of(_mm512_add_pd(_mm512_fnmadd_pd(h, q, product), _mm512_fmsub_pd(x, y, product)))
        }
    }
    #[inline(always)]
    fn reduce_kept(self, x: X64, v: X64, q: X64) -> X64 {
        let [x, v, q] = [double(x), double(v), double(q)];
        // SAFETY: AVX-512 F by `self`.
        unsafe { words_of(_mm512_fnmadd_pd(rounded(_mm512_mul_pd(x, v)), q, x)) }
    }
    #[inline(always)]
    fn mul_by_double(self, x: X64, w: X64, v: X64, q: X64) -> X64 {
        // SAFETY: AVX-512 F and DQ by `self`.
        let h = unsafe { nearest(_mm512_mul_pd(_mm512_cvtepi64_pd(x.0), _mm512_castsi512_pd(v.0))) };
        self.mul_difference(x, w, X64(h), q)
    }
    #[inline(always)]
    fn mul_var_by_double(self, x: X64, y: X64, v: X64, q: X64) -> X64 {
        // SAFETY: AVX-512 F and DQ by `self`.
        let h = unsafe {
            let product = _mm512_mul_pd(_mm512_cvtepi64_pd(x.0), _mm512_cvtepi64_pd(y.0));
            nearest(_mm512_mul_pd(product, _mm512_castsi512_pd(v.0)))
        };
        self.mul_difference(x, y, X64(h), q)
    }
    #[inline(always)]
    fn reduce_by_double(self, x: X64, v: X64, q: X64) -> X64 {
        // SAFETY: AVX-512 F and DQ by `self`.
        let h = unsafe { nearest(_mm512_mul_pd(_mm512_cvtepi64_pd(x.0), _mm512_castsi512_pd(v.0))) };
        self.sub(x, self.mul_lo(X64(h), q))
    }
}

/// The nearest integers, with ties to even, as doubles.
#[inline]
#[target_feature(enable = "avx512f")]
fn rounded(a: __m512d) -> __m512d {
    _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)
}

/// Words as doubles, bit by bit. A function, since `array::map` is not always inlined, and a closure within it has no
/// instructions of vectors.
#[inline(always)]
fn double(words: X64) -> __m512d {
    // SAFETY: the cast compiles to nothing, and an `X64` exists only where AVX-512 F does.
    unsafe { _mm512_castsi512_pd(words.0) }
}

/// Undoes [`double`].
#[inline(always)]
fn words_of(doubles: __m512d) -> X64 {
    // SAFETY: as above.
    X64(unsafe { _mm512_castpd_si512(doubles) })
}
