//! Computations over lanes, and the interface of an instruction set that runs them.

use crate::{Lanes16, Lanes64, LanesBits, LanesWide, scalar::Arrays};

macro_rules! tasks {
    ($($(#[$note:meta])* $task:ident: $bits:literal, $lanes:ident, $word:ty, $shell:ident $({ $member:item })?;)*) => {$(
        #[doc = concat!("A computation over ", $bits, "-bit lanes that any backend can run.")]
        ///
        $(#[$note])*
        pub trait $task {
            /// The result.
            type Output;
            $($member)?
            /// Runs on `lanes`.
            fn run<L: $lanes<Word = $word>>(self, lanes: L) -> Self::Output;
        }

        #[doc = concat!("The shell of arrays for ", $bits, "-bit lanes; with `L = 1` that of the scalar backend.")]
        #[inline(never)]
        pub(crate) fn $shell<const L: usize, T: $task>(task: T) -> T::Output {
            task.run(Arrays::<$word, L>::new())
        }
    )*};
}

tasks! {
    /// Implement `run` with `#[inline(always)]`, so that it is compiled with the backend's instructions.
    Task16: 16, Lanes16, i16, shell16 {
        /// Whether it calls [`Lanes::compact`](crate::Lanes::compact), for which some CPUs have better instructions.
        const COMPACTS: bool = false;
    };
    /// See [`Task16`].
    Task32: 32, LanesWide, i32, shell32;
    /// See [`Task16`].
    Task64: 64, Lanes64, i64, shell64;
    /// See [`Task16`]. [`Backend::run_bits_singly`](crate::Backend::run_bits_singly) runs it one lane
    /// at a time.
    TaskBits: 64, LanesBits, u64, shell_bits;
}

/// The instructions of a CPU: a value proves that the CPU has them.
///
/// The shells are functions with `#[target_feature]`; a width without vectors of its own uses the scalar ones.
pub(crate) trait InstructionSet: Copy {
    /// Its 16-bit lanes.
    type Of16: Lanes16;
    /// Its 32-bit lanes.
    type Of32: LanesWide<Word = i32>;
    /// Its 64-bit lanes.
    type Of64: Lanes64;
    /// Its lanes of 64-bit strings.
    type OfBits: LanesBits<Word = u64>;
    /// The same in its largest vectors.
    type OfWideBits: LanesBits<Word = u64>;
    /// The proof, if this CPU has the instructions and the operating system saves the registers.
    fn detect() -> Option<Self>;
    /// Runs a task over [`Of16`](Self::Of16).
    fn run16<T: Task16>(self, task: T) -> T::Output;
    /// Runs a task over [`Of32`](Self::Of32).
    fn run32<T: Task32>(self, task: T) -> T::Output;
    /// Runs a task over [`Of64`](Self::Of64).
    fn run64<T: Task64>(self, task: T) -> T::Output;
    /// Whether it has lanes with [`Lanes64::MULTIPLIES_52`].
    fn multiplies_52(self) -> bool {
        false
    }
    /// Runs a task over those lanes, if there are any.
    fn run64_of_52<T: Task64>(self, _: T) -> Option<T::Output> {
        None
    }
    /// Runs a task over [`OfBits`](Self::OfBits).
    fn run_bits<T: TaskBits>(self, task: T) -> T::Output;
    /// Runs a task over [`OfWideBits`](Self::OfWideBits).
    fn run_bits_widely<T: TaskBits>(self, task: T) -> T::Output {
        self.run_bits(task)
    }
    /// Runs a task over single lanes, with the instructions for general registers.
    fn run_bits_singly<T: TaskBits>(self, task: T) -> T::Output;
}
