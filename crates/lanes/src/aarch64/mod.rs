//! NEON: 128-bit vectors, 32 registers. AArch64 has it unless a target excludes it, so the compiler
//! decides. This file has the proof and the functions that run tasks; the lanes are in `words.rs`
//! and `words64.rs`.

#![allow(unsafe_code, reason = "intrinsics behind proof-of-feature tokens")]

mod words;
mod words64;

use crate::{
    Task16, Task32, Task64, TaskBits,
    task::{InstructionSet, shell_bits},
};
use words::{NeonBits, NeonI16, NeonI32};
use words64::NeonI64;

/// Proof that this program is compiled for CPUs with NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Neon(());

impl InstructionSet for Neon {
    type Of16 = NeonI16;
    type Of32 = NeonI32;
    type Of64 = NeonI64;
    type OfBits = NeonBits;
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
fn shell16<T: Task16>(lanes: Neon, task: T) -> T::Output {
    task.run(NeonI16(lanes))
}

#[inline(never)]
fn shell32<T: Task32>(lanes: Neon, task: T) -> T::Output {
    task.run(NeonI32(lanes))
}

#[inline(never)]
fn shell64<T: Task64>(lanes: Neon, task: T) -> T::Output {
    task.run(NeonI64(lanes))
}

#[inline(never)]
fn shell_bits_on_vectors<T: TaskBits>(lanes: Neon, task: T) -> T::Output {
    task.run(NeonBits(lanes))
}
