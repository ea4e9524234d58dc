//! NEON as 8 words of 16 bits, 4 of 32 bits, and 2 strings of 64 bits.

use super::Neon;
use crate::{
    Lanes, Lanes16, LanesBits, LanesWide,
    chunk::{Places, fronts, two_bytes_hold, window},
    sealed::Sealed,
};
use core::arch::aarch64::*;

/// NEON as eight 16-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct NeonI16(pub(super) Neon);

/// NEON as four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct NeonI32(pub(super) Neon);

/// NEON as two strings of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct NeonBits(pub(super) Neon);

impl Sealed for NeonI16 {}
impl Sealed for NeonI32 {}
impl Sealed for NeonBits {}

/// Words of 16 bits.
#[derive(Clone, Copy)]
pub(crate) struct W16(int16x8_t);

/// Words of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct W32(int32x4_t);

/// Strings of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Strings(uint64x2_t);

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(crate) struct W8x16(uint8x16_t);

/// The lanes of a token: operations that all widths have under different names. Shift counts are signed vectors,
/// negative to the right; for a constant the compiler emits an immediate shift.
macro_rules! lanes_of {
    ($token:ident, $word:ty, $v:ident, $lanes:literal, $load:ident, $store:ident,
     $splat:ident, $add:ident, $sub:ident, $and:ident, $or:ident, $xor:ident, $shift:ident, $shift_logical:ident,
     $gt:ident, $negative:ident, $mul_lo:expr, $zip_low:ident, $zip_high:ident,
     signed: $signed:path, unsigned: $unsigned:path, from_64: $from_64:path, to_64: $to_64:path,
     unpack: $unpack:ident, compact: $compact:ident) => {
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
                // SAFETY: NEON by `self`; the block is a readable vector, any alignment.
                $v(unsafe { $load(b.as_ptr()) })
            }
            #[inline(always)]
            fn store(self, b: &mut Self::Block, v: $v) {
                // SAFETY: NEON by `self`; the block is a writable vector, any alignment.
                unsafe { $store(b.as_mut_ptr(), v.0) }
            }
            #[inline(always)]
            fn splat(self, x: $word) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $splat(x) })
            }
            #[inline(always)]
            fn broadcast(self, words: &[$word]) -> $v {
                self.splat(words[0])
            }
            #[inline(always)]
            fn unpack<const W: usize>(self, bytes: &[u8], first: usize) -> $v {
                $v($unpack::<W>(self.0, bytes, first))
            }
            #[inline(always)]
            fn add(self, a: $v, b: $v) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $add(a.0, b.0) })
            }
            #[inline(always)]
            fn sub(self, a: $v, b: $v) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $sub(a.0, b.0) })
            }
            #[inline(always)]
            fn and(self, a: $v, b: $v) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $and(a.0, b.0) })
            }
            #[inline(always)]
            fn or(self, a: $v, b: $v) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $or(a.0, b.0) })
            }
            #[inline(always)]
            fn xor(self, a: $v, b: $v) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $xor(a.0, b.0) })
            }
            #[inline(always)]
            fn shl<const S: i32>(self, a: $v) -> $v {
                self.shl_by(a, S as u32)
            }
            #[inline(always)]
            fn shr<const S: i32>(self, a: $v) -> $v {
                self.shr_by(a, S as u32)
            }
            #[inline(always)]
            fn shr_logical<const S: i32>(self, a: $v) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $signed($shift_logical($unsigned(a.0), $splat(-S as $word))) })
            }
            #[inline(always)]
            fn shr_by(self, a: $v, s: u32) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $shift(a.0, $splat(-(s as $word))) })
            }
            #[inline(always)]
            fn shl_by(self, a: $v, s: u32) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $shift(a.0, $splat(s as $word)) })
            }
            #[inline(always)]
            fn gt(self, a: $v, b: $v) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $signed($gt(a.0, b.0)) })
            }
            #[inline(always)]
            fn negative(self, a: $v) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $signed($negative(a.0)) })
            }
            #[inline(always)]
            fn mul_lo(self, a: $v, b: $v) -> $v {
                // SAFETY: NEON by `self`.
                $v(unsafe { $mul_lo(a.0, b.0) })
            }
            #[inline(always)]
            fn interleave<const K: usize>(self, a: $v, b: $v) -> ($v, $v) {
                // SAFETY: NEON by `self`.
                unsafe {
                    let (x, y) = interleave_bytes(self.0, K * size_of::<$word>(), $to_64(a.0), $to_64(b.0));
                    ($v($from_64(x)), $v($from_64(y)))
                }
            }
            #[inline(always)]
            fn zip(self, a: $v, b: $v) -> ($v, $v) {
                // SAFETY: NEON by `self`.
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

lanes_of!(NeonI16, i16, W16, 8, vld1q_s16, vst1q_s16,
    vdupq_n_s16, vaddq_s16, vsubq_s16, vandq_s16, vorrq_s16, veorq_s16, vshlq_s16, vshlq_u16,
    vcgtq_s16, vcltzq_s16, vmulq_s16, vzip1q_s16, vzip2q_s16,
    signed: vreinterpretq_s16_u16, unsigned: vreinterpretq_u16_s16,
    from_64: vreinterpretq_s16_s64, to_64: vreinterpretq_s64_s16, unpack: unpack16, compact: compact16);

lanes_of!(NeonI32, i32, W32, 4, vld1q_s32, vst1q_s32,
    vdupq_n_s32, vaddq_s32, vsubq_s32, vandq_s32, vorrq_s32, veorq_s32, vshlq_s32, vshlq_u32,
    vcgtq_s32, vcltzq_s32, vmulq_s32, vzip1q_s32, vzip2q_s32,
    signed: vreinterpretq_s32_u32, unsigned: vreinterpretq_u32_s32,
    from_64: vreinterpretq_s32_s64, to_64: vreinterpretq_s64_s32, unpack: unpack32, compact: compact32);

/// Exchanges odd blocks of `a` with even blocks of `b`; `bytes` is the size of a block and always a constant.
#[inline(always)]
pub(super) fn interleave_bytes(_: Neon, bytes: usize, a: int64x2_t, b: int64x2_t) -> (int64x2_t, int64x2_t) {
    // SAFETY: NEON by the token.
    unsafe {
        match bytes {
            2 => {
                let (a, b) = (vreinterpretq_s16_s64(a), vreinterpretq_s16_s64(b));
                (vreinterpretq_s64_s16(vtrn1q_s16(a, b)), vreinterpretq_s64_s16(vtrn2q_s16(a, b)))
            }
            4 => {
                let (a, b) = (vreinterpretq_s32_s64(a), vreinterpretq_s32_s64(b));
                (vreinterpretq_s64_s32(vtrn1q_s32(a, b)), vreinterpretq_s64_s32(vtrn2q_s32(a, b)))
            }
            8 => (vtrn1q_s64(a, b), vtrn2q_s64(a, b)),
            _ => unreachable!(),
        }
    }
}

/// Loads sixteen bytes from memory as a vector.
#[inline(always)]
pub(super) fn bytes16(_: Neon, bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: NEON by the token; sixteen readable bytes, any alignment.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// The values of `W` bits at those places, in words of 32 bits.
#[inline(always)]
fn values32<const W: usize>(l: Neon, places: &Places, bytes: uint8x16_t) -> int32x4_t {
    // SAFETY: NEON by the token.
    unsafe {
        let windows = vreinterpretq_u32_u8(vqtbl1q_u8(bytes, bytes16(l, &places.shuffle)));
        let on_top = vshlq_u32(windows, vreinterpretq_s32_u8(bytes16(l, &places.up)));
        vreinterpretq_s32_u32(vshlq_u32(on_top, vdupq_n_s32(W as i32 - 32)))
    }
}

/// Four values of `W` bits, starting with value `first`, which begins at a byte or at the upper half of one.
#[inline(always)]
fn unpack32<const W: usize>(l: Neon, bytes: &[u8], first: usize) -> int32x4_t {
    let places = const { [Places::new(W, 4, 0), Places::new(W, 4, 4)] };
    let bytes = window(bytes, (W * first) >> 3, |window| bytes16(l, window));
    values32::<W>(l, &places[(W * first) >> 2 & 1], bytes)
}

/// Eight values of `W` bits, starting with value `first`, which begins at a byte.
#[inline(always)]
fn unpack16<const W: usize>(l: Neon, bytes: &[u8], first: usize) -> int16x8_t {
    let bytes = window(bytes, (W * first) >> 3, |window| bytes16(l, window));
    // SAFETY: NEON by `l`.
    unsafe {
        if const { two_bytes_hold(W) } {
            let places = const { Places::new(if two_bytes_hold(W) { W } else { 1 }, 2, 0) };
            let windows = vreinterpretq_u16_u8(vqtbl1q_u8(bytes, bytes16(l, &places.shuffle)));
            let on_top = vshlq_u16(windows, vreinterpretq_s16_u8(bytes16(l, &places.up)));
            vreinterpretq_s16_u16(vshlq_u16(on_top, vdupq_n_s16(W as i16 - 16)))
        } else {
            let low = values32::<W>(l, const { &Places::new(W, 4, 0) }, bytes);
            let high = values32::<W>(l, const { &Places::new(W, 4, 4 * W) }, bytes);
            vuzp1q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high))
        }
    }
}

impl Lanes16 for NeonI16 {
    type Table = W8x16;

    #[inline(always)]
    fn mul_hi(self, a: W16, b: W16) -> W16 {
        // SAFETY: NEON by `self`. The instruction for the doubled high product saturates for twice the lowest word, so
        // its result cannot be halved.
        W16(unsafe {
            let low = vmull_s16(vget_low_s16(a.0), vget_low_s16(b.0));
            let high = vmull_high_s16(a.0, b.0);
            vuzp2q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high))
        })
    }
    #[inline(always)]
    fn mul_round(self, a: W16, b: W16) -> W16 {
        // SAFETY: NEON by `self`.
        W16(unsafe { vqrdmulhq_s16(a.0, b.0) })
    }
    #[inline(always)]
    fn table(self, bytes: &[u8; 16]) -> W8x16 {
        W8x16(bytes16(self.0, bytes))
    }
    #[inline(always)]
    fn lookup_bytes(self, table: W8x16, indices: W16) -> W16 {
        // SAFETY: NEON by `self`.
        W16(unsafe { vreinterpretq_s16_u8(vqtbl1q_u8(table.0, vreinterpretq_u8_s16(indices.0))) })
    }
    #[inline(always)]
    fn gt_bytes(self, a: W16, b: W16) -> W16 {
        // SAFETY: NEON by `self`.
        W16(unsafe { vreinterpretq_s16_u8(vcgtq_s8(vreinterpretq_s8_s16(a.0), vreinterpretq_s8_s16(b.0))) })
    }
    #[inline(always)]
    fn eq_bytes(self, a: W16, b: W16) -> W16 {
        // SAFETY: NEON by `self`.
        W16(unsafe { vreinterpretq_s16_u8(vceqq_u8(vreinterpretq_u8_s16(a.0), vreinterpretq_u8_s16(b.0))) })
    }
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact16(l: NeonI16, a: W16, keep: W16, out: &mut [i16; 8]) -> usize {
    static FRONT: [[u8; 16]; 256] = fronts(2);
    // SAFETY: NEON by `l`.
    let (front, kept) = unsafe {
        let bits = vandq_s16(keep.0, l.load(&[1, 2, 4, 8, 16, 32, 64, 128]).0);
        let kept = vaddvq_s16(bits) as usize & 0xFF;
        (vqtbl1q_u8(vreinterpretq_u8_s16(a.0), bytes16(l.0, &FRONT[kept])), kept)
    };
    // SAFETY: NEON by `l`.
    l.store(out, W16(unsafe { vreinterpretq_s16_u8(front) }));
    kept.count_ones() as usize
}

/// See [`Lanes::compact`].
#[inline(always)]
fn compact32(l: NeonI32, a: W32, keep: W32, out: &mut [i32; 4]) -> usize {
    static FRONT: [[u8; 16]; 16] = fronts(4);
    // SAFETY: NEON by `l`.
    let (front, kept) = unsafe {
        let kept = vaddvq_s32(vandq_s32(keep.0, l.load(&[1, 2, 4, 8]).0)) as usize & 0xF;
        (vqtbl1q_u8(vreinterpretq_u8_s32(a.0), bytes16(l.0, &FRONT[kept])), kept)
    };
    // SAFETY: NEON by `l`.
    l.store(out, W32(unsafe { vreinterpretq_s32_u8(front) }));
    kept.count_ones() as usize
}

/// Four 64-bit values: those of the two low lanes and those of the two high ones.
#[derive(Clone, Copy)]
pub(crate) struct Wide {
    low: int64x2_t,
    high: int64x2_t,
}

impl LanesWide for NeonI32 {
    type Wide = Wide;

    #[inline(always)]
    fn widen_mul(self, a: W32, b: W32) -> Wide {
        // SAFETY: NEON by `self`.
        unsafe { Wide { low: vmull_s32(vget_low_s32(a.0), vget_low_s32(b.0)), high: vmull_high_s32(a.0, b.0) } }
    }
    #[inline(always)]
    fn widen_mul_unsigned(self, a: W32, b: W32) -> Wide {
        // SAFETY: NEON by `self`.
        unsafe {
            let (a, b) = (vreinterpretq_u32_s32(a.0), vreinterpretq_u32_s32(b.0));
            let low = vmull_u32(vget_low_u32(a), vget_low_u32(b));
            Wide { low: vreinterpretq_s64_u64(low), high: vreinterpretq_s64_u64(vmull_high_u32(a, b)) }
        }
    }
    #[inline(always)]
    fn gt_unsigned(self, a: W32, b: W32) -> W32 {
        // SAFETY: NEON by `self`.
        W32(unsafe { vreinterpretq_s32_u32(vcgtq_u32(vreinterpretq_u32_s32(a.0), vreinterpretq_u32_s32(b.0))) })
    }
    #[inline(always)]
    fn widen_mul_low(self, a: Wide, b: W32) -> Wide {
        self.widen_mul(self.narrow_lo(a), b)
    }
    #[inline(always)]
    fn wide_add(self, a: Wide, b: Wide) -> Wide {
        // SAFETY: NEON by `self`.
        unsafe { Wide { low: vaddq_s64(a.low, b.low), high: vaddq_s64(a.high, b.high) } }
    }
    #[inline(always)]
    fn wide_sub(self, a: Wide, b: Wide) -> Wide {
        // SAFETY: NEON by `self`.
        unsafe { Wide { low: vsubq_s64(a.low, b.low), high: vsubq_s64(a.high, b.high) } }
    }
    #[inline(always)]
    fn wide_shr(self, a: Wide, s: u32) -> Wide {
        // SAFETY: NEON by `self`.
        unsafe {
            let by = vdupq_n_s64(-i64::from(s));
            let shifted = |a| vreinterpretq_s64_u64(vshlq_u64(vreinterpretq_u64_s64(a), by));
            Wide { low: shifted(a.low), high: shifted(a.high) }
        }
    }
    #[inline(always)]
    fn narrow_lo(self, a: Wide) -> W32 {
        // SAFETY: NEON by `self`.
        W32(unsafe { vuzp1q_s32(vreinterpretq_s32_s64(a.low), vreinterpretq_s32_s64(a.high)) })
    }
    #[inline(always)]
    fn narrow_hi(self, a: Wide) -> W32 {
        // SAFETY: NEON by `self`.
        W32(unsafe { vuzp2q_s32(vreinterpretq_s32_s64(a.low), vreinterpretq_s32_s64(a.high)) })
    }
    #[inline(always)]
    fn min_unsigned(self, a: W32, b: W32) -> W32 {
        // SAFETY: NEON by `self`.
        W32(unsafe { vreinterpretq_s32_u32(vminq_u32(vreinterpretq_u32_s32(a.0), vreinterpretq_u32_s32(b.0))) })
    }
    #[inline(always)]
    fn narrow_hi_of_equal_lows(self, a: Wide, b: Wide) -> W32 {
        // SAFETY: NEON by `self`.
        W32(unsafe { vsubhn_high_s64(vsubhn_s64(a.low, b.low), a.high, b.high) })
    }
}

impl LanesBits for NeonBits {
    type Word = u64;
    type V = Strings;
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
    fn load(self, b: &[u64; 2]) -> Strings {
        // SAFETY: NEON by `self`; the block is 16 readable bytes, any alignment.
        Strings(unsafe { vld1q_u64(b.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, b: &mut [u64; 2], v: Strings) {
        // SAFETY: NEON by `self`; the block is 16 writable bytes, any alignment.
        unsafe { vst1q_u64(b.as_mut_ptr(), v.0) }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> Strings {
        // SAFETY: NEON by `self`.
        Strings(unsafe { vdupq_n_u64(x) })
    }
    #[inline(always)]
    fn xor(self, a: Strings, b: Strings) -> Strings {
        // SAFETY: NEON by `self`.
        Strings(unsafe { veorq_u64(a.0, b.0) })
    }
    #[inline(always)]
    fn and_not(self, a: Strings, b: Strings) -> Strings {
        // SAFETY: NEON by `self`.
        Strings(unsafe { vbicq_u64(b.0, a.0) })
    }
    #[inline(always)]
    fn rotate<const S: u32>(self, a: Strings) -> Strings {
        // SAFETY: NEON by `self`.
        Strings(unsafe {
            let up = vshlq_u64(a.0, vdupq_n_s64(i64::from(S)));
            vorrq_u64(up, vshlq_u64(a.0, vdupq_n_s64(i64::from(S) - 64)))
        })
    }
    #[inline(always)]
    fn interleave<const K: usize>(self, a: Strings, b: Strings) -> (Strings, Strings) {
        // SAFETY: NEON by `self`. A vector has two strings, hence `K` is 1.
        unsafe { (Strings(vtrn1q_u64(a.0, b.0)), Strings(vtrn2q_u64(a.0, b.0))) }
    }
}
