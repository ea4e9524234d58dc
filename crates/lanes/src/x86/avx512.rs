//! AVX-512 F and VL on vectors of 256 bits: rotations and functions of three strings are one
//! instruction each, and there are 32 registers. The compiler finds them in what AVX2 does in several
//! steps.

use super::{
    Once,
    avx2::{Avx2, Avx2Bits, Avx2I16, Avx2I32},
    cpu_has,
};
use crate::{Task16, Task32, Task64, TaskBits, scalar::Arrays, task::InstructionSet};

/// Proof that this CPU, under this operating system, runs AVX-512 F and VL, and what [`Avx2`] is proof
/// of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx512(Avx2);

impl InstructionSet for Avx512 {
    type Of16 = Avx2I16;
    type Of32 = Avx2I32;
    type Of64 = Arrays<i64, 1>;
    type OfBits = Avx2Bits;

    fn detect() -> Option<Self> {
        static HERE: Once = Once::new();
        // XCR0: SSE, AVX, opmask, upper halves of ZMM0-15, ZMM16-31. Leaf 7: F, VL.
        let here = HERE.answer(|| cpu_has(0b1110_0110, [0, 1 << 16 | 1 << 31]));
        if here { Avx2::detect().map(Self) } else { None }
    }

    #[inline]
    fn run16<T: Task16>(self, task: T) -> T::Output {
        self.0.run16(task)
    }

    #[inline]
    fn run32<T: Task32>(self, task: T) -> T::Output {
        self.0.run32(task)
    }

    #[inline]
    fn run64<T: Task64>(self, task: T) -> T::Output {
        self.0.run64(task)
    }

    #[inline]
    fn run_bits<T: TaskBits>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of AVX-512 F and VL, and of AVX2.
        unsafe { shell_bits(self, task) }
    }

    #[inline]
    fn run_bits_singly<T: TaskBits>(self, task: T) -> T::Output {
        self.0.run_bits_singly(task)
    }
}

#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline(never)]
fn shell_bits<T: TaskBits>(lanes: Avx512, task: T) -> T::Output {
    task.run(Avx2Bits::new(lanes.0))
}
