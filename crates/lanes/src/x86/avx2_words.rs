//! AVX2 as 16 words of 16 bits, 8 of 32 bits, and 4 strings of 64 bits.

use super::{
    proof::Avx2,
    words::{lanes_of, multiplications, ymm},
};
use crate::{Lanes, Lanes16, LanesBits, LanesWide, padded, sealed::Sealed};
use core::arch::x86_64::*;

/// AVX2 as sixteen 16-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2I16(pub(super) Avx2);

/// AVX2 as eight 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2I32(pub(super) Avx2);

/// AVX2 as four strings of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Avx2Bits(Avx2);

impl Avx2Bits {
    pub(super) const fn new(proof: Avx2) -> Self {
        Self(proof)
    }
}

impl Sealed for Avx2Bits {}
impl Sealed for Avx2I16 {}
impl Sealed for Avx2I32 {}

/// The same 256-bit vector as words of one width: two types, so that widths do not mix.
#[derive(Clone, Copy)]
pub(crate) struct W16(pub(super) __m256i);
/// See [`W16`].
#[derive(Clone, Copy)]
pub(crate) struct W32(__m256i);

/// See [`W16`].
#[derive(Clone, Copy)]
pub(crate) struct W64(pub(super) __m256i);

/// Sixteen bytes, twice.
#[derive(Clone, Copy)]
pub(crate) struct W8x16(__m256i);

impl LanesBits for Avx2Bits {
    type Word = u64;
    type V = W64;
    type Block = [u64; 4];
    const LANES: usize = 4;

    #[inline(always)]
    fn blocks(a: &[u64]) -> &[[u64; 4]] {
        a.as_chunks().0
    }
    #[inline(always)]
    fn blocks_mut(a: &mut [u64]) -> &mut [[u64; 4]] {
        a.as_chunks_mut().0
    }
    #[inline(always)]
    fn load(self, b: &[u64; 4]) -> W64 {
        // SAFETY: AVX2 by `self`; the block is 32 readable bytes, any alignment.
        W64(unsafe { _mm256_loadu_si256(b.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, b: &mut [u64; 4], v: W64) {
        // SAFETY: AVX2 by `self`; the block is 32 writable bytes, any alignment.
        unsafe { _mm256_storeu_si256(b.as_mut_ptr().cast(), v.0) }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe { _mm256_set1_epi64x(x as i64) })
    }
    #[inline(always)]
    fn xor(self, a: W64, b: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe { _mm256_xor_si256(a.0, b.0) })
    }
    #[inline(always)]
    fn and_not(self, a: W64, b: W64) -> W64 {
        // SAFETY: AVX2 by `self`.
        W64(unsafe { _mm256_andnot_si256(a.0, b.0) })
    }
    #[inline(always)]
    fn rotate<const S: u32>(self, a: W64) -> W64 {
        // SAFETY: AVX2 by `self`. Counts are constants and become immediates.
        W64(unsafe {
            match S {
                8 => _mm256_shuffle_epi8(a.0, byte_rotation(self.0, 1)),
                56 => _mm256_shuffle_epi8(a.0, byte_rotation(self.0, 7)),
                _ => {
                    let up = _mm256_sll_epi64(a.0, _mm_cvtsi32_si128(S as i32));
                    _mm256_or_si256(up, _mm256_srl_epi64(a.0, _mm_cvtsi32_si128(64 - S as i32)))
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
#[inline(always)]
fn byte_rotation(_: Avx2, by: u8) -> __m256i {
    let mut from = [0_u8; 32];
    let mut i = 0_u8;
    while i < 32 {
        from[i as usize] = (i & 8) + (i.wrapping_sub(by) & 7);
        i += 1;
    }
    // SAFETY: AVX2 by the token; 32 readable bytes, any alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Exchanges odd blocks of `a` with even blocks of `b`; `bytes` is the size of a block and always a constant.
#[inline(always)]
pub(super) fn interleave_bytes(_: Avx2, bytes: usize, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // SAFETY: AVX2 by the token.
    unsafe {
        match bytes {
            2 => (
                _mm256_blend_epi16::<0b1010_1010>(a, _mm256_slli_epi32::<16>(b)),
                _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(a), b),
            ),
            4 => (
                _mm256_blend_epi32::<0b1010_1010>(a, _mm256_slli_epi64::<32>(b)),
                _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(a), b),
            ),
            8 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
            16 => (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)),
            _ => unreachable!(),
        }
    }
}

lanes_of!([] Avx2I16, i16, W16, ymm, 16, 2,
    _mm256_set1_epi16, _mm256_add_epi16, _mm256_sub_epi16, _mm256_slli_epi16, _mm256_srai_epi16, _mm256_sll_epi16, _mm256_sra_epi16,
    _mm256_srli_epi16, _mm256_cmpgt_epi16, _mm256_mullo_epi16, _mm256_unpacklo_epi16, _mm256_unpackhi_epi16,
    broadcast: |_: Self, words: &[i16]| {
        let pair = (words[0] as u16 as u32) | (words[1] as u16 as u32) << 16;
        // SAFETY: AVX2 by the token.
        W16(unsafe { _mm256_set1_epi32(pair as i32) })
    },
    interleave: |l: Self, bytes, a, b| interleave_bytes(l.0, bytes, a, b), unpack: unpack16, compact: compact16);

lanes_of!([] Avx2I32, i32, W32, ymm, 8, 1,
    _mm256_set1_epi32, _mm256_add_epi32, _mm256_sub_epi32, _mm256_slli_epi32, _mm256_srai_epi32, _mm256_sll_epi32, _mm256_sra_epi32,
    _mm256_srli_epi32, _mm256_cmpgt_epi32, _mm256_mullo_epi32, _mm256_unpacklo_epi32, _mm256_unpackhi_epi32,
    broadcast: |l: Self, words: &[i32]| l.splat(words[0]),
    interleave: |l: Self, bytes, a, b| interleave_bytes(l.0, bytes, a, b), unpack: unpack32, compact: compact32);

/// The places of values of `W` bits for the two halves of a vector, from value `low` and from value `high` on: source
/// bytes and bit offsets.
struct Places<const WORDS: usize> {
    /// The load position of the sixteen bytes for each half.
    loads: [usize; 2],
    /// The bytes of these that each word takes.
    shuffle: [u8; 32],
    shifts: [u32; WORDS],
}

impl<const WORDS: usize> Places<WORDS> {
    const fn new(width: usize, starts: [usize; 2]) -> Self {
        let bytes = 32 / WORDS;
        let mut places = Self { loads: [0; 2], shuffle: [0; 32], shifts: [0; WORDS] };
        let mut half = 0;
        while half < 2 {
            let load = (width * starts[half]) >> 3;
            places.loads[half] = if load < 16 { load } else { 16 };
            let mut i = 0;
            while i < WORDS / 2 {
                let (word, bit) = (half * WORDS / 2 + i, width * (starts[half] + i));
                let mut byte = 0;
                while byte < bytes {
                    places.shuffle[word * bytes + byte] = ((bit >> 3) - places.loads[half] + byte) as u8;
                    byte += 1;
                }
                places.shifts[word] = (bit & 7) as u32;
                i += 1;
            }
            half += 1;
        }
        places
    }

    /// The bytes of each word.
    #[inline(always)]
    fn windows(&self, _: Avx2, bytes: &[u8; 32]) -> __m256i {
        // SAFETY: AVX2 by the token; both loads begin at byte 16 at most, any alignment.
        unsafe {
            let [low, high] = self.loads.map(|at| _mm_loadu_si128(bytes[at..at + 16].as_ptr().cast()));
            let shuffle = _mm256_loadu_si256(self.shuffle.as_ptr().cast());
            _mm256_shuffle_epi8(_mm256_set_m128i(high, low), shuffle)
        }
    }
}

/// Replaces `$bytes` by the 32 bytes from `$at` on, with zeros after the end.
macro_rules! window {
    (in $bytes:ident, $at:expr) => {
        let at = $at;
        let in_stack;
        let $bytes = match $bytes.get(at..).and_then(<[u8]>::first_chunk) {
            Some(window) => window,
            None => {
                in_stack = padded::<32>($bytes, at);
                &in_stack
            }
        };
    };
}

/// Eight values of `W` bits, starting with value `first`.
#[inline(always)]
pub(super) fn unpack32<const W: usize>(l: Avx2, bytes: &[u8], first: usize) -> __m256i {
    let places = const { Places::<8>::new(W, [0, 4]) };
    window!(in bytes, (W * first) >> 3);
    values32::<W>(l, places, bytes)
}

/// The values in windows of 32 bits.
#[inline(always)]
fn values32<const W: usize>(l: Avx2, places: Places<8>, bytes: &[u8; 32]) -> __m256i {
    // SAFETY: AVX2 by the token; eight shifts are 32 readable bytes.
    unsafe {
        let shifts = _mm256_loadu_si256(places.shifts.as_ptr().cast());
        let mask = _mm256_set1_epi32((u32::MAX >> (32 - W)) as i32);
        _mm256_and_si256(_mm256_srlv_epi32(places.windows(l, bytes), shifts), mask)
    }
}

/// Whether the 16 bits from a value's first byte on always hold the whole value.
const fn two_bytes_hold(width: usize) -> bool {
    width < 11 || width & 3 == 0
}

/// Sixteen values of `W` bits, starting with value `first`.
#[inline(always)]
pub(super) fn unpack16<const W: usize>(l: Avx2, bytes: &[u8], first: usize) -> __m256i {
    window!(in bytes, (W * first) >> 3);
    // SAFETY: AVX2 by `l`; sixteen factors are 32 readable bytes.
    unsafe {
        if const { two_bytes_hold(W) } {
            let places = const { Places::<16>::new(W, [0, 8]) };
            let factors = const {
                let mut factors = [0_u16; 16];
                let mut i = 0;
                while i < 16 && two_bytes_hold(W) {
                    factors[i] = 1 << (16 - W - ((i * W) & 7));
                    i += 1;
                }
                factors
            };
            let windows = places.windows(l, bytes);
            if W == 16 {
                return windows;
            }
            let high = _mm256_mullo_epi16(windows, _mm256_loadu_si256(factors.as_ptr().cast()));
            _mm256_srl_epi16(high, _mm_cvtsi32_si128(16 - W as i32))
        } else {
            // Packing takes four words of each half alternately.
            let first = values32::<W>(l, const { Places::<8>::new(W, [0, 8]) }, bytes);
            let second = values32::<W>(l, const { Places::<8>::new(W, [4, 12]) }, bytes);
            _mm256_packus_epi32(first, second)
        }
    }
}

multiplications! { "avx2", __m256i, ymm_reg:
    mulhi_epi16: "vpmulhw";
    mul_epi32: "vpmuldq";
    mul_epu32: "vpmuludq";
}

impl Lanes16 for Avx2I16 {
    type Table = W8x16;

    #[inline(always)]
    fn mul_hi(self, a: W16, b: W16) -> W16 {
        // SAFETY: AVX2 by `self`.
        W16(unsafe { mulhi_epi16(a.0, b.0) })
    }
    #[inline(always)]
    fn mul_round(self, a: W16, b: W16) -> W16 {
        // SAFETY: AVX2 by `self`.
        W16(unsafe { _mm256_mulhrs_epi16(a.0, b.0) })
    }
    #[inline(always)]
    fn table(self, bytes: &[u8; 16]) -> W8x16 {
        // SAFETY: AVX2 by `self`; the table is 16 readable bytes, any alignment.
        W8x16(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) })
    }
    #[inline(always)]
    fn lookup_bytes(self, table: W8x16, indices: W16) -> W16 {
        // SAFETY: AVX2 by `self`. With saturation 0..16 becomes 0x70..0x80, and everything else gets the top bit, which
        // gives zero.
        W16(unsafe { _mm256_shuffle_epi8(table.0, _mm256_adds_epu8(indices.0, _mm256_set1_epi8(0x70))) })
    }
    #[inline(always)]
    fn gt_bytes(self, a: W16, b: W16) -> W16 {
        // SAFETY: AVX2 by `self`.
        W16(unsafe { _mm256_cmpgt_epi8(a.0, b.0) })
    }
    #[inline(always)]
    fn eq_bytes(self, a: W16, b: W16) -> W16 {
        // SAFETY: AVX2 by `self`.
        W16(unsafe { _mm256_cmpeq_epi8(a.0, b.0) })
    }
}

/// See [`Lanes::compact`].
#[inline(always)]
pub(super) fn compact16(_: Avx2I16, a: W16, keep: W16, out: &mut [i16; 16]) -> usize {
    // SAFETY: AVX2 by the token. The 16 bytes of a half are stored at words 0 and at most 8; an entry
    // of the table is 16 readable bytes.
    unsafe {
        let bits = _mm256_movemask_epi8(_mm256_packs_epi16(keep.0, _mm256_setzero_si256())) as u32;
        let (low, high) = ((bits & 0xFF) as usize, (bits >> 16 & 0xFF) as usize);
        let front = |half, kept: usize| _mm_shuffle_epi8(half, _mm_loadu_si128(FRONT[kept].as_ptr().cast()));
        let first = low.count_ones() as usize;
        _mm_storeu_si128(out.as_mut_ptr().cast(), front(_mm256_castsi256_si128(a.0), low));
        _mm_storeu_si128(out.as_mut_ptr().add(first).cast(), front(_mm256_extracti128_si256::<1>(a.0), high));
        first + high.count_ones() as usize
    }
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact32(_: Avx2I32, a: W32, keep: W32, out: &mut [i32; 8]) -> usize {
    // SAFETY: AVX2 by the token; an entry of the table is 8 readable bytes, the block 32 writable ones.
    unsafe {
        let kept = _mm256_movemask_ps(_mm256_castsi256_ps(keep.0)) as usize;
        let from = _mm256_cvtepu8_epi32(_mm_loadl_epi64(FRONT_WORDS[kept].as_ptr().cast()));
        _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_permutevar8x32_epi32(a.0, from));
        kept.count_ones() as usize
    }
}

/// For each set of eight words, the indices of its members, one after the other.
static FRONT_WORDS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut word, mut front) = (0, 0);
        while word < 8 {
            if set >> word & 1 == 1 {
                table[set][front] = word;
                front += 1;
            }
            word += 1;
        }
        set += 1;
    }
    table
};

/// For each set of eight words, the byte indices of its members, one after the other.
pub(super) static FRONT: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let mut i = 0;
        while i < 8 {
            table[set][2 * i] = 2 * FRONT_WORDS[set][i];
            table[set][2 * i + 1] = 2 * FRONT_WORDS[set][i] + 1;
            i += 1;
        }
        set += 1;
    }
    table
};

/// Eight 64-bit values: those of the even lanes and those of the odd lanes.
#[derive(Clone, Copy)]
pub(crate) struct Wide {
    even: __m256i,
    odd: __m256i,
}

impl Avx2I32 {
    /// Copies odd lanes over the even ones.
    #[inline(always)]
    fn odd_lanes(self, a: __m256i) -> __m256i {
        // SAFETY: AVX2 by `self`.
        unsafe { _mm256_shuffle_epi32::<0b11_11_01_01>(a) }
    }
}

impl LanesWide for Avx2I32 {
    type Wide = Wide;

    #[inline(always)]
    fn min_unsigned(self, a: W32, b: W32) -> W32 {
        // SAFETY: AVX2 by `self`.
        W32(unsafe { _mm256_min_epu32(a.0, b.0) })
    }
    #[inline(always)]
    fn widen_mul(self, a: W32, b: W32) -> Wide {
        // SAFETY: AVX2 by `self`. The multiply reads the low half of each 64-bit lane.
        unsafe { Wide { even: mul_epi32(a.0, b.0), odd: mul_epi32(self.odd_lanes(a.0), self.odd_lanes(b.0)) } }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: W32, b: W32) -> Wide {
        // SAFETY: AVX2 by `self`.
        unsafe { Wide { even: mul_epu32(a.0, b.0), odd: mul_epu32(self.odd_lanes(a.0), self.odd_lanes(b.0)) } }
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Wide, b: W32) -> Wide {
        // SAFETY: AVX2 by `self`.
        unsafe { Wide { even: mul_epi32(a.even, b.0), odd: mul_epi32(a.odd, self.odd_lanes(b.0)) } }
    }
    #[inline(always)]
    fn widen_mul_low_unsigned(self, a: Wide, b: W32) -> Wide {
        // SAFETY: AVX2 by `self`.
        unsafe { Wide { even: mul_epu32(a.even, b.0), odd: mul_epu32(a.odd, self.odd_lanes(b.0)) } }
    }
    #[inline(always)]
    fn wide_add(self, a: Wide, b: Wide) -> Wide {
        // SAFETY: AVX2 by `self`.
        unsafe { Wide { even: _mm256_add_epi64(a.even, b.even), odd: _mm256_add_epi64(a.odd, b.odd) } }
    }
    #[inline(always)]
    fn wide_sub(self, a: Wide, b: Wide) -> Wide {
        // SAFETY: AVX2 by `self`.
        unsafe { Wide { even: _mm256_sub_epi64(a.even, b.even), odd: _mm256_sub_epi64(a.odd, b.odd) } }
    }
    #[inline(always)]
    fn wide_shr(self, a: Wide, s: u32) -> Wide {
        // SAFETY: AVX2 by `self`.
        unsafe {
            let s = _mm_cvtsi32_si128(s as i32);
            Wide { even: _mm256_srl_epi64(a.even, s), odd: _mm256_srl_epi64(a.odd, s) }
        }
    }
    #[inline(always)]
    fn narrow_lo(self, a: Wide) -> W32 {
        // SAFETY: AVX2 by `self`.
        W32(unsafe { _mm256_blend_epi32::<0b1010_1010>(a.even, _mm256_slli_epi64::<32>(a.odd)) })
    }
    #[inline(always)]
    fn narrow_hi(self, a: Wide) -> W32 {
        // SAFETY: AVX2 by `self`.
        W32(unsafe { _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(a.even), a.odd) })
    }
}
