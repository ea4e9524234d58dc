//! AVX-512 F, VL, BW and DQ: 512-bit vectors of words (in `avx512_words.rs`), 32 registers. Compaction of words is one
//! instruction with VBMI2, a product of 52 bits with IFMA. Strings of 64 bits are in vectors of 512 bits or, if they are
//! few, of 256 bits: rotations and functions of three strings are one instruction each, and the compiler finds them in
//! the steps of the traits, those for AVX2 among them. A single string is in a vector of 128 bits: 32 of these hold more
//! than the general registers.

use super::{
    avx2_words::Avx2Bits,
    avx512_words::{Avx512I16, Avx512I32, Avx512I64, interleave_bytes},
    proof::Avx512,
};
use crate::{LanesBits, Task16, Task32, Task64, TaskBits, sealed::Sealed, task::InstructionSet};
use core::arch::x86_64::*;

impl InstructionSet for Avx512 {
    type Of16 = Avx512I16;
    type Of32 = Avx512I32;
    type Of64 = Avx512I64;
    type OfBits = Avx2Bits;
    type OfWideBits = Avx512Bits;

    fn detect() -> Option<Self> {
        Self::find()
    }

    #[inline]
    fn run16<T: Task16>(self, task: T) -> T::Output {
        if T::COMPACTS && self.compresses() {
            // SAFETY: `self` is proof of AVX-512 F, VL, BW, DQ and VBMI2, of AVX2 and POPCNT.
            unsafe { shell16_compressing(self, task) }
        } else {
            // SAFETY: `self` is proof of AVX-512 F, VL, BW and DQ, of AVX2 and POPCNT.
            unsafe { shell16(self, task) }
        }
    }

    #[inline]
    fn run32<T: Task32>(self, task: T) -> T::Output {
        // SAFETY: as for `run16`.
        unsafe { shell32(self, task) }
    }

    #[inline]
    fn run64<T: Task64>(self, task: T) -> T::Output {
        // SAFETY: as for `run16`.
        unsafe { shell64(self, task) }
    }

    fn multiplies_52(self) -> bool {
        self.has_ifma()
    }

    #[inline]
    fn run64_of_52<T: Task64>(self, task: T) -> Option<T::Output> {
        // SAFETY: `self` is proof of AVX-512 F, VL, BW, DQ and, as it says so, IFMA, of AVX2 and POPCNT.
        self.has_ifma().then(|| unsafe { shell64_of_52(self, task) })
    }

    #[inline]
    fn run_bits<T: TaskBits>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of AVX-512 F and VL, and of AVX2.
        unsafe { shell_bits(self, task) }
    }

    #[inline]
    fn run_bits_widely<T: TaskBits>(self, task: T) -> T::Output {
        // SAFETY: as for `run_bits`.
        unsafe { shell_bits_widely(self, task) }
    }

    #[inline]
    fn run_bits_singly<T: TaskBits>(self, task: T) -> T::Output {
        // SAFETY: as for `run_bits`.
        unsafe { shell_bits_singly(self, task) }
    }
}

#[target_feature(enable = "avx2,popcnt,avx512f,avx512vl,avx512bw,avx512dq")]
#[inline(never)]
fn shell16<T: Task16>(lanes: Avx512, task: T) -> T::Output {
    task.run(Avx512I16::<false>(lanes))
}

#[target_feature(enable = "avx2,popcnt,avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi2")]
#[inline(never)]
fn shell16_compressing<T: Task16>(lanes: Avx512, task: T) -> T::Output {
    // SAFETY: this function is called where there is VBMI2.
    task.run(unsafe { Avx512I16::compressing(lanes) })
}

#[target_feature(enable = "avx2,popcnt,avx512f,avx512vl,avx512bw,avx512dq")]
#[inline(never)]
fn shell32<T: Task32>(lanes: Avx512, task: T) -> T::Output {
    task.run(Avx512I32(lanes))
}

#[target_feature(enable = "avx2,popcnt,avx512f,avx512vl,avx512bw,avx512dq")]
#[inline(never)]
fn shell64<T: Task64>(lanes: Avx512, task: T) -> T::Output {
    task.run(Avx512I64::<false>(lanes))
}

#[target_feature(enable = "avx2,popcnt,avx512f,avx512vl,avx512bw,avx512dq,avx512ifma")]
#[inline(never)]
fn shell64_of_52<T: Task64>(lanes: Avx512, task: T) -> T::Output {
    // SAFETY: this function is called where there is IFMA.
    task.run(unsafe { Avx512I64::multiplying(lanes) })
}

#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline(never)]
fn shell_bits<T: TaskBits>(lanes: Avx512, task: T) -> T::Output {
    task.run(Avx2Bits::new(lanes.avx2()))
}

#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline(never)]
fn shell_bits_widely<T: TaskBits>(lanes: Avx512, task: T) -> T::Output {
    task.run(Avx512Bits(lanes))
}

#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline(never)]
fn shell_bits_singly<T: TaskBits>(lanes: Avx512, task: T) -> T::Output {
    task.run(Single(lanes))
}

/// Eight strings of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Avx512Bits(Avx512);

#[derive(Clone, Copy)]
pub(crate) struct X64(__m512i);

impl Sealed for Avx512Bits {}

impl LanesBits for Avx512Bits {
    type Word = u64;
    type V = X64;
    type Block = [u64; 8];
    const LANES: usize = 8;

    #[inline(always)]
    fn blocks(a: &[u64]) -> &[[u64; 8]] {
        a.as_chunks().0
    }
    #[inline(always)]
    fn blocks_mut(a: &mut [u64]) -> &mut [[u64; 8]] {
        a.as_chunks_mut().0
    }
    #[inline(always)]
    fn load(self, b: &[u64; 8]) -> X64 {
        // SAFETY: AVX-512 F by `self`; the block is 64 readable bytes, any alignment.
        X64(unsafe { _mm512_loadu_epi64(b.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, b: &mut [u64; 8], v: X64) {
        // SAFETY: AVX-512 F by `self`; the block is 64 writable bytes, any alignment.
        unsafe { _mm512_storeu_epi64(b.as_mut_ptr().cast(), v.0) }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> X64 {
        // SAFETY: AVX-512 F by `self`.
        X64(unsafe { _mm512_set1_epi64(x as i64) })
    }
    #[inline(always)]
    fn xor(self, a: X64, b: X64) -> X64 {
        // SAFETY: AVX-512 F by `self`.
        X64(unsafe { _mm512_xor_si512(a.0, b.0) })
    }
    #[inline(always)]
    fn and_not(self, a: X64, b: X64) -> X64 {
        // SAFETY: AVX-512 F by `self`.
        X64(unsafe { _mm512_andnot_si512(a.0, b.0) })
    }
    #[inline(always)]
    fn rotate<const S: u32>(self, a: X64) -> X64 {
        // SAFETY: AVX-512 F by `self`.
        X64(unsafe { _mm512_rolv_epi64(a.0, _mm512_set1_epi64(i64::from(S))) })
    }
    #[inline(always)]
    fn interleave<const K: usize>(self, a: X64, b: X64) -> (X64, X64) {
        let (x, y) = interleave_bytes(self.0, 8 * K, a.0, b.0);
        (X64(x), X64(y))
    }
}

/// One string of 64 bits in the low half of a vector.
#[derive(Clone, Copy)]
struct Single(#[expect(dead_code, reason = "proof that rotations may be used")] Avx512);

#[derive(Clone, Copy)]
struct W64(__m128i);

impl Sealed for Single {}

impl LanesBits for Single {
    type Word = u64;
    type V = W64;
    type Block = u64;
    const LANES: usize = 1;

    #[inline(always)]
    fn blocks(a: &[u64]) -> &[u64] {
        a
    }
    #[inline(always)]
    fn blocks_mut(a: &mut [u64]) -> &mut [u64] {
        a
    }
    #[inline(always)]
    fn load(self, b: &u64) -> W64 {
        self.splat(*b)
    }
    #[inline(always)]
    fn store(self, b: &mut u64, v: W64) {
        // SAFETY: every x86-64 CPU has SSE2; the block is 8 writable bytes.
        unsafe { _mm_storel_epi64(core::ptr::from_mut(b).cast(), v.0) }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> W64 {
        // SAFETY: every x86-64 CPU has SSE2.
        W64(unsafe { _mm_cvtsi64_si128(x as i64) })
    }
    #[inline(always)]
    fn xor(self, a: W64, b: W64) -> W64 {
        // SAFETY: every x86-64 CPU has SSE2.
        W64(unsafe { _mm_xor_si128(a.0, b.0) })
    }
    #[inline(always)]
    fn and_not(self, a: W64, b: W64) -> W64 {
        // SAFETY: every x86-64 CPU has SSE2.
        W64(unsafe { _mm_andnot_si128(a.0, b.0) })
    }
    #[inline(always)]
    fn rotate<const S: u32>(self, a: W64) -> W64 {
        // SAFETY: AVX-512 F and VL by `self`.
        W64(unsafe { _mm_rolv_epi64(a.0, _mm_set1_epi64x(i64::from(S))) })
    }
    #[inline(always)]
    fn interleave<const K: usize>(self, a: W64, b: W64) -> (W64, W64) {
        (a, b) // there are no blocks
    }
}
