//! SSE4.1, and with it SSSE3: 128-bit vectors, 16 registers. No later instruction is used, so this is what runs on a CPU
//! without AVX2.

use super::{
    proof::Sse41,
    sse41_64::Sse41I64,
    sse41_words::{Sse41Bits, Sse41I16, Sse41I32},
};
use crate::{
    Task16, Task32, Task64, TaskBits,
    task::{InstructionSet, shell_bits as shell_bits_singly},
};

impl InstructionSet for Sse41 {
    type Of16 = Sse41I16;
    type Of32 = Sse41I32;
    type Of64 = Sse41I64;
    type OfBits = Sse41Bits;
    type OfWideBits = Self::OfBits;

    fn detect() -> Option<Self> {
        Self::find()
    }

    #[inline]
    fn run16<T: Task16>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of SSE4.1.
        unsafe { shell16(self, task) }
    }

    #[inline]
    fn run32<T: Task32>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of SSE4.1.
        unsafe { shell32(self, task) }
    }

    #[inline]
    fn run64<T: Task64>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of SSE4.1.
        unsafe { shell64(self, task) }
    }

    #[inline]
    fn run_bits<T: TaskBits>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of SSE4.1.
        unsafe { shell_bits(self, task) }
    }

    #[inline]
    fn run_bits_singly<T: TaskBits>(self, task: T) -> T::Output {
        shell_bits_singly::<1, T>(task)
    }
}

#[target_feature(enable = "sse4.1")]
#[inline(never)]
fn shell16<T: Task16>(lanes: Sse41, task: T) -> T::Output {
    task.run(Sse41I16(lanes))
}

#[target_feature(enable = "sse4.1")]
#[inline(never)]
fn shell32<T: Task32>(lanes: Sse41, task: T) -> T::Output {
    task.run(Sse41I32(lanes))
}

#[target_feature(enable = "sse4.1")]
#[inline(never)]
fn shell64<T: Task64>(lanes: Sse41, task: T) -> T::Output {
    task.run(Sse41I64(lanes))
}

#[target_feature(enable = "sse4.1")]
#[inline(never)]
fn shell_bits<T: TaskBits>(lanes: Sse41, task: T) -> T::Output {
    task.run(Sse41Bits(lanes))
}
