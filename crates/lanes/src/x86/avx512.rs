//! AVX-512 F and VL on vectors of 256 bits: rotations and functions of three strings are one
//! instruction each, and there are 32 registers. The compiler finds them in what AVX2 does in several
//! steps. Words are compacted by one instruction. A single string lies in a vector of 128 bits: 32 of these hold more than the ordinary registers.

use super::{
    Once,
    avx2::{Avx2, Avx2Bits, Avx2I16, Avx2I32},
    cpu_has,
};
use crate::{LanesBits, Task16, Task32, Task64, TaskBits, scalar::Arrays, sealed::Sealed, task::InstructionSet};
use core::arch::x86_64::*;

/// Proof that this CPU, under this operating system, runs AVX-512 F and VL, and what [`Avx2`] is proof
/// of; and whether there are VBMI2 and BW, which compact words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx512 {
    avx2: Avx2,
    compresses: bool,
}

/// XCR0: SSE, AVX, opmask, upper halves of ZMM0-15, ZMM16-31.
const SAVED: u64 = 0b1110_0110;

impl InstructionSet for Avx512 {
    type Of16 = Avx2I16;
    type Of32 = Avx2I32;
    type Of64 = Arrays<i64, 1>;
    type OfBits = Avx2Bits;

    fn detect() -> Option<Self> {
        static HERE: Once = Once::new();
        static COMPRESSES: Once = Once::new();
        // F, VL; BW, VBMI2.
        if !HERE.answer(|| cpu_has(SAVED, [0, 1 << 16 | 1 << 31, 0])) {
            return None;
        }
        let compresses = COMPRESSES.answer(|| cpu_has(SAVED, [0, 1 << 30, 1 << 6]));
        Avx2::detect().map(|avx2| Self { avx2, compresses })
    }

    #[inline]
    fn run16<T: Task16>(self, task: T) -> T::Output {
        if T::COMPACTS && self.compresses {
            // SAFETY: `self` is proof of AVX-512 F, VL, BW and VBMI2, of AVX2 and POPCNT.
            unsafe { shell16_compressing(self, task) }
        } else {
            self.avx2.run16(task)
        }
    }

    #[inline]
    fn run32<T: Task32>(self, task: T) -> T::Output {
        self.avx2.run32(task)
    }

    #[inline]
    fn run64<T: Task64>(self, task: T) -> T::Output {
        self.avx2.run64(task)
    }

    #[inline]
    fn run_bits<T: TaskBits>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of AVX-512 F and VL, and of AVX2.
        unsafe { shell_bits(self, task) }
    }

    #[inline]
    fn run_bits_singly<T: TaskBits>(self, task: T) -> T::Output {
        // SAFETY: as for `run_bits`.
        unsafe { shell_bits_singly(self, task) }
    }
}

#[target_feature(enable = "avx2,popcnt,avx512f,avx512vl,avx512bw,avx512vbmi2")]
#[inline(never)]
fn shell16_compressing<T: Task16>(lanes: Avx512, task: T) -> T::Output {
    // SAFETY: this function is called where there are these features.
    task.run(unsafe { Avx2I16::compressing(lanes.avx2) })
}

#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline(never)]
fn shell_bits<T: TaskBits>(lanes: Avx512, task: T) -> T::Output {
    task.run(Avx2Bits::new(lanes.avx2))
}

#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline(never)]
fn shell_bits_singly<T: TaskBits>(lanes: Avx512, task: T) -> T::Output {
    task.run(Single(lanes))
}

/// One string of 64 bits, in the low half of a vector.
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
}
