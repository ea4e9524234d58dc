//! SSE4.1 as 8 words of 16 bits, 4 of 32 bits, and 2 strings of 64 bits.

use super::{
    avx2_words::FRONT,
    proof::Sse41,
    words::{lanes_of, multiplications_in_place, xmm},
};
use crate::{
    Lanes, Lanes16, LanesBits, LanesWide,
    chunk::{Factors, fronts, two_bytes_hold, window},
    sealed::Sealed,
};
use core::arch::x86_64::*;

/// SSE4.1 as eight 16-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Sse41I16(pub(super) Sse41);

/// SSE4.1 as four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Sse41I32(pub(super) Sse41);

/// SSE4.1 as two strings of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Sse41Bits(pub(super) Sse41);

impl Sealed for Sse41Bits {}
impl Sealed for Sse41I16 {}
impl Sealed for Sse41I32 {}

/// The same 128-bit vector as words of one width: types of their own, so that widths do not mix.
#[derive(Clone, Copy)]
pub(crate) struct W16(__m128i);
/// See [`W16`].
#[derive(Clone, Copy)]
pub(crate) struct W32(__m128i);

/// See [`W16`].
#[derive(Clone, Copy)]
pub(crate) struct W64(pub(super) __m128i);

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(crate) struct W8x16(__m128i);

/// Loads sixteen bytes from memory as a vector.
#[inline(always)]
pub(super) fn bytes16(_: Sse41, bytes: &[u8; 16]) -> __m128i {
    // SAFETY: SSE4.1 by the token; sixteen readable bytes, any alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

impl LanesBits for Sse41Bits {
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
        // SAFETY: SSE4.1 by `self`; the block is 16 readable bytes, any alignment.
        W64(unsafe { _mm_loadu_si128(b.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, b: &mut [u64; 2], v: W64) {
        // SAFETY: SSE4.1 by `self`; the block is 16 writable bytes, any alignment.
        unsafe { _mm_storeu_si128(b.as_mut_ptr().cast(), v.0) }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe { _mm_set1_epi64x(x as i64) })
    }
    #[inline(always)]
    fn xor(self, a: W64, b: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe { _mm_xor_si128(a.0, b.0) })
    }
    #[inline(always)]
    fn and_not(self, a: W64, b: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`.
        W64(unsafe { _mm_andnot_si128(a.0, b.0) })
    }
    #[inline(always)]
    fn rotate<const S: u32>(self, a: W64) -> W64 {
        // SAFETY: SSE4.1 by `self`. Counts are constants and become immediates.
        W64(unsafe {
            match S {
                8 => _mm_shuffle_epi8(a.0, bytes16(self.0, const { &byte_rotation(1) })),
                56 => _mm_shuffle_epi8(a.0, bytes16(self.0, const { &byte_rotation(7) })),
                _ => {
                    let up = _mm_sll_epi64(a.0, _mm_cvtsi32_si128(S as i32));
                    _mm_or_si128(up, _mm_srl_epi64(a.0, _mm_cvtsi32_si128(64 - S as i32)))
                }
            }
        })
    }
    #[inline(always)]
    fn interleave<const K: usize>(self, a: W64, b: W64) -> (W64, W64) {
        let (x, y) = interleave_bytes(self.0, 8 * K, a.0, b.0);
        (W64(x), W64(y))
    }
}

/// The source byte of each byte when strings of eight bytes are rotated by `by` bytes.
const fn byte_rotation(by: u8) -> [u8; 16] {
    let mut from = [0_u8; 16];
    let mut i = 0_u8;
    while i < 16 {
        from[i as usize] = (i & 8) + (i.wrapping_sub(by) & 7);
        i += 1;
    }
    from
}

/// Copies the even words of 32 bits over the odd ones. Unlike a shift, it needs no copy of its operand first.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn even_words(a: __m128i) -> __m128i {
    _mm_shuffle_epi32::<0b10_10_00_00>(a)
}

/// Copies the odd words of 32 bits over the even ones.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn odd_words(a: __m128i) -> __m128i {
    _mm_shuffle_epi32::<0b11_11_01_01>(a)
}

/// The even words of 32 bits of `a` and the odd ones of `b`.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn even_and_odd(a: __m128i, b: __m128i) -> __m128i {
    _mm_blend_epi16::<0b1100_1100>(a, b)
}

/// Exchanges odd blocks of `a` with even blocks of `b`; `bytes` is the size of a block and always a constant.
#[inline(always)]
pub(super) fn interleave_bytes(_: Sse41, bytes: usize, a: __m128i, b: __m128i) -> (__m128i, __m128i) {
    // SAFETY: SSE4.1 by the token.
    unsafe {
        match bytes {
            2 => (
                _mm_blend_epi16::<0b1010_1010>(a, _mm_slli_epi32::<16>(b)),
                _mm_blend_epi16::<0b1010_1010>(_mm_srli_epi32::<16>(a), b),
            ),
            4 => (even_and_odd(a, even_words(b)), even_and_odd(odd_words(a), b)),
            8 => (_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)),
            _ => unreachable!(),
        }
    }
}

lanes_of!([] Sse41I16, i16, W16, xmm, 8, 2,
    _mm_set1_epi16, _mm_add_epi16, _mm_sub_epi16, _mm_slli_epi16, _mm_srai_epi16, _mm_sll_epi16, _mm_sra_epi16,
    _mm_srli_epi16, _mm_cmpgt_epi16, _mm_mullo_epi16, _mm_unpacklo_epi16, _mm_unpackhi_epi16,
    broadcast: |_: Self, words: &[i16]| {
        let pair = (words[0] as u16 as u32) | (words[1] as u16 as u32) << 16;
        // SAFETY: SSE4.1 by the token.
        W16(unsafe { _mm_set1_epi32(pair as i32) })
    },
    interleave: |l: Self, bytes, a, b| interleave_bytes(l.0, bytes, a, b), unpack: unpack16, compact: compact16);

lanes_of!([] Sse41I32, i32, W32, xmm, 4, 1,
    _mm_set1_epi32, _mm_add_epi32, _mm_sub_epi32, _mm_slli_epi32, _mm_srai_epi32, _mm_sll_epi32, _mm_sra_epi32,
    _mm_srli_epi32, _mm_cmpgt_epi32, _mm_mullo_epi32, _mm_unpacklo_epi32, _mm_unpackhi_epi32,
    broadcast: |l: Self, words: &[i32]| l.splat(words[0]),
    interleave: |l: Self, bytes, a, b| interleave_bytes(l.0, bytes, a, b), unpack: unpack32, compact: compact32);

/// The values of `W` bits at those places, in words of 32 bits.
#[inline(always)]
fn values32<const W: usize>(l: Sse41, factors: &Factors, bytes: __m128i) -> __m128i {
    // SAFETY: SSE4.1 by the token.
    unsafe {
        let windows = _mm_shuffle_epi8(bytes, bytes16(l, &factors.shuffle));
        let on_top = _mm_mullo_epi32(windows, bytes16(l, &factors.factors));
        _mm_srl_epi32(on_top, _mm_cvtsi32_si128(32 - W as i32))
    }
}

/// Four values of `W` bits, starting with value `first`, which begins at a byte or at the upper half of one.
#[inline(always)]
fn unpack32<const W: usize>(l: Sse41, bytes: &[u8], first: usize) -> __m128i {
    let factors = const { [Factors::new(W, 4, 0), Factors::new(W, 4, 4)] };
    let bytes = window(bytes, (W * first) >> 3, |window| bytes16(l, window));
    values32::<W>(l, &factors[(W * first) >> 2 & 1], bytes)
}

/// Eight values of `W` bits, starting with value `first`, which begins at a byte.
#[inline(always)]
fn unpack16<const W: usize>(l: Sse41, bytes: &[u8], first: usize) -> __m128i {
    let bytes = window(bytes, (W * first) >> 3, |window| bytes16(l, window));
    // SAFETY: SSE4.1 by `l`.
    unsafe {
        if const { two_bytes_hold(W) } {
            let factors = const { Factors::new(if two_bytes_hold(W) { W } else { 1 }, 2, 0) };
            let windows = _mm_shuffle_epi8(bytes, bytes16(l, &factors.shuffle));
            let on_top = _mm_mullo_epi16(windows, bytes16(l, &factors.factors));
            _mm_srl_epi16(on_top, _mm_cvtsi32_si128(16 - W as i32))
        } else {
            let low = values32::<W>(l, const { &Factors::new(W, 4, 0) }, bytes);
            _mm_packus_epi32(low, values32::<W>(l, const { &Factors::new(W, 4, 4 * W) }, bytes))
        }
    }
}

multiplications_in_place! { "sse4.1", __m128i, xmm_reg:
    mulhi_epi16: "pmulhw";
    mul_epi32: "pmuldq";
    mul_epu32: "pmuludq";
}

impl Lanes16 for Sse41I16 {
    type Table = W8x16;

    #[inline(always)]
    fn mul_hi(self, a: W16, b: W16) -> W16 {
        // SAFETY: SSE4.1 by `self`.
        W16(unsafe { mulhi_epi16(a.0, b.0) })
    }
    #[inline(always)]
    fn mul_round(self, a: W16, b: W16) -> W16 {
        // SAFETY: SSE4.1 by `self`.
        W16(unsafe { _mm_mulhrs_epi16(a.0, b.0) })
    }
    #[inline(always)]
    fn table(self, bytes: &[u8; 16]) -> W8x16 {
        W8x16(bytes16(self.0, bytes))
    }
    #[inline(always)]
    fn lookup_bytes(self, table: W8x16, indices: W16) -> W16 {
        // SAFETY: SSE4.1 by `self`. With saturation 0..16 becomes 0x70..0x80, and everything else gets the top bit,
        // which gives zero.
        W16(unsafe { _mm_shuffle_epi8(table.0, _mm_adds_epu8(indices.0, _mm_set1_epi8(0x70))) })
    }
    #[inline(always)]
    fn gt_bytes(self, a: W16, b: W16) -> W16 {
        // SAFETY: SSE4.1 by `self`.
        W16(unsafe { _mm_cmpgt_epi8(a.0, b.0) })
    }
    #[inline(always)]
    fn eq_bytes(self, a: W16, b: W16) -> W16 {
        // SAFETY: SSE4.1 by `self`.
        W16(unsafe { _mm_cmpeq_epi8(a.0, b.0) })
    }
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact16(_: Sse41I16, a: W16, keep: W16, out: &mut [i16; 8]) -> usize {
    // SAFETY: SSE4.1 by the token; an entry of the table is 16 readable bytes, the block 16 writable ones.
    unsafe {
        let kept = _mm_movemask_epi8(_mm_packs_epi16(keep.0, _mm_setzero_si128())) as usize & 0xFF;
        let from = _mm_loadu_si128(FRONT[kept].as_ptr().cast());
        _mm_storeu_si128(out.as_mut_ptr().cast(), _mm_shuffle_epi8(a.0, from));
        kept.count_ones() as usize
    }
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact32(_: Sse41I32, a: W32, keep: W32, out: &mut [i32; 4]) -> usize {
    static FRONT: [[u8; 16]; 16] = fronts(4);
    // SAFETY: SSE4.1 by the token; an entry of the table is 16 readable bytes, the block 16 writable ones.
    unsafe {
        let kept = _mm_movemask_ps(_mm_castsi128_ps(keep.0)) as usize & 0xF;
        let from = _mm_loadu_si128(FRONT[kept].as_ptr().cast());
        _mm_storeu_si128(out.as_mut_ptr().cast(), _mm_shuffle_epi8(a.0, from));
        kept.count_ones() as usize
    }
}

/// Four 64-bit values: those of the even lanes and those of the odd lanes.
#[derive(Clone, Copy)]
pub(crate) struct Wide {
    even: __m128i,
    odd: __m128i,
}

impl LanesWide for Sse41I32 {
    type Wide = Wide;

    #[inline(always)]
    fn min_unsigned(self, a: W32, b: W32) -> W32 {
        // SAFETY: SSE4.1 by `self`.
        W32(unsafe { _mm_min_epu32(a.0, b.0) })
    }
    #[inline(always)]
    fn widen_mul(self, a: W32, b: W32) -> Wide {
        // SAFETY: SSE4.1 by `self`. The multiply reads the low half of each 64-bit lane.
        unsafe { Wide { even: mul_epi32(a.0, b.0), odd: mul_epi32(odd_words(a.0), odd_words(b.0)) } }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: W32, b: W32) -> Wide {
        // SAFETY: SSE4.1 by `self`.
        unsafe { Wide { even: mul_epu32(a.0, b.0), odd: mul_epu32(odd_words(a.0), odd_words(b.0)) } }
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Wide, b: W32) -> Wide {
        // SAFETY: SSE4.1 by `self`.
        unsafe { Wide { even: mul_epi32(a.even, b.0), odd: mul_epi32(a.odd, odd_words(b.0)) } }
    }
    #[inline(always)]
    fn widen_mul_low_unsigned(self, a: Wide, b: W32) -> Wide {
        // SAFETY: SSE4.1 by `self`.
        unsafe { Wide { even: mul_epu32(a.even, b.0), odd: mul_epu32(a.odd, odd_words(b.0)) } }
    }
    #[inline(always)]
    fn wide_add(self, a: Wide, b: Wide) -> Wide {
        // SAFETY: SSE4.1 by `self`.
        unsafe { Wide { even: _mm_add_epi64(a.even, b.even), odd: _mm_add_epi64(a.odd, b.odd) } }
    }
    #[inline(always)]
    fn wide_sub(self, a: Wide, b: Wide) -> Wide {
        // SAFETY: SSE4.1 by `self`.
        unsafe { Wide { even: _mm_sub_epi64(a.even, b.even), odd: _mm_sub_epi64(a.odd, b.odd) } }
    }
    #[inline(always)]
    fn wide_shr(self, a: Wide, s: u32) -> Wide {
        // SAFETY: SSE4.1 by `self`.
        unsafe {
            let s = _mm_cvtsi32_si128(s as i32);
            Wide { even: _mm_srl_epi64(a.even, s), odd: _mm_srl_epi64(a.odd, s) }
        }
    }
    #[inline(always)]
    fn narrow_lo(self, a: Wide) -> W32 {
        // SAFETY: SSE4.1 by `self`.
        W32(unsafe { even_and_odd(a.even, even_words(a.odd)) })
    }
    #[inline(always)]
    fn narrow_hi(self, a: Wide) -> W32 {
        // SAFETY: SSE4.1 by `self`.
        W32(unsafe { even_and_odd(odd_words(a.even), a.odd) })
    }
}
