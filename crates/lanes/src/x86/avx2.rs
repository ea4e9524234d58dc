//! AVX2: 256-bit vectors, 16 registers; also FMA, and POPCNT, BMI1 and BMI2 for general registers,
//! which all these CPUs have.

use super::{
    avx2_64::Avx2I64,
    avx2_words::{Avx2Bits, Avx2I16, Avx2I32},
    proof::Avx2,
};
use crate::{Task16, Task32, Task64, TaskBits, scalar::Arrays, task::InstructionSet};

impl InstructionSet for Avx2 {
    type Of16 = Avx2I16;
    type Of32 = Avx2I32;
    type Of64 = Avx2I64;
    type OfBits = Avx2Bits;
    type OfWideBits = Self::OfBits;

    fn detect() -> Option<Self> {
        Self::find()
    }

    #[inline]
    fn run16<T: Task16>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of AVX2 and POPCNT.
        unsafe { shell16(self, task) }
    }

    #[inline]
    fn run32<T: Task32>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of AVX2 and POPCNT.
        unsafe { shell32(self, task) }
    }

    #[inline]
    fn run64<T: Task64>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of AVX2, FMA and POPCNT.
        unsafe { shell64(self, task) }
    }

    #[inline]
    fn run_bits<T: TaskBits>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of AVX2.
        unsafe { shell_bits(self, task) }
    }

    #[inline]
    fn run_bits_singly<T: TaskBits>(self, task: T) -> T::Output {
        // SAFETY: `self` is proof of BMI1 and BMI2.
        unsafe { shell_bits_singly(task) }
    }
}

#[target_feature(enable = "avx2,popcnt")]
#[inline(never)]
fn shell16<T: Task16>(lanes: Avx2, task: T) -> T::Output {
    task.run(Avx2I16(lanes))
}

#[target_feature(enable = "avx2,popcnt")]
#[inline(never)]
fn shell32<T: Task32>(lanes: Avx2, task: T) -> T::Output {
    task.run(Avx2I32(lanes))
}

#[target_feature(enable = "avx2,fma,popcnt")]
#[inline(never)]
fn shell64<T: Task64>(lanes: Avx2, task: T) -> T::Output {
    task.run(Avx2I64::new(lanes))
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn shell_bits<T: TaskBits>(lanes: Avx2, task: T) -> T::Output {
    task.run(Avx2Bits::new(lanes))
}

#[target_feature(enable = "bmi1,bmi2")]
#[inline(never)]
fn shell_bits_singly<T: TaskBits>(task: T) -> T::Output {
    task.run(Arrays::<u64, 1>::new())
}
