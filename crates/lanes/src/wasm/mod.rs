//! The 128-bit vectors of WebAssembly, without relaxed SIMD. A program cannot detect them: either it is compiled for
//! engines that have them, or it does not start. This file has the proof and the functions that run tasks; the lanes
//! are in `words.rs` and `words64.rs`.

#![allow(unsafe_code, reason = "vectors in memory")]

mod words;
mod words64;

use crate::{
    Task16, Task32, Task64, TaskBits,
    task::{InstructionSet, shell_bits},
};
use words::{Simd128Bits, Simd128I16, Simd128I32};
use words64::Simd128I64;

/// Proof that this program is compiled for engines with vectors of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Simd128(());

impl InstructionSet for Simd128 {
    type Of16 = Simd128I16;
    type Of32 = Simd128I32;
    type Of64 = Simd128I64;
    type OfBits = Simd128Bits;
    type OfWideBits = Self::OfBits;

    fn detect() -> Option<Self> {
        (!cfg!(miri)).then_some(Self(()))
    }

    #[inline]
    fn run16<T: Task16>(self, task: T) -> T::Output {
        shell16(self, task)
    }

    #[inline]
    fn run32<T: Task32>(self, task: T) -> T::Output {
        shell32(self, task)
    }

    #[inline]
    fn run64<T: Task64>(self, task: T) -> T::Output {
        shell64(self, task)
    }

    #[inline]
    fn run_bits<T: TaskBits>(self, task: T) -> T::Output {
        shell_bits_on_vectors(self, task)
    }

    #[inline]
    fn run_bits_singly<T: TaskBits>(self, task: T) -> T::Output {
        shell_bits::<1, T>(task)
    }
}

#[inline(never)]
fn shell16<T: Task16>(lanes: Simd128, task: T) -> T::Output {
    task.run(Simd128I16(lanes))
}

#[inline(never)]
fn shell32<T: Task32>(lanes: Simd128, task: T) -> T::Output {
    task.run(Simd128I32(lanes))
}

#[inline(never)]
fn shell64<T: Task64>(lanes: Simd128, task: T) -> T::Output {
    task.run(Simd128I64(lanes))
}

#[inline(never)]
fn shell_bits_on_vectors<T: TaskBits>(lanes: Simd128, task: T) -> T::Output {
    task.run(Simd128Bits(lanes))
}
