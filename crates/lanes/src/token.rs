//! Which backend to use, and the way of a computation into it.

use crate::{Avx2, Lanes16, LanesWide, scalar::Arrays};
use core::fmt;

macro_rules! tasks {
    ($($(#[$note:meta])* $task:ident: $bits:literal, $lanes:ident, $word:ty;)*) => {$(
        #[doc = concat!("A computation over ", $bits, "-bit lanes that any backend can run.")]
        ///
        $(#[$note])*
        pub trait $task {
            /// What it returns.
            type Output;
            /// Runs on `lanes`.
            fn run<L: $lanes<Word = $word>>(self, lanes: L) -> Self::Output;
        }
    )*};
}

tasks! {
    /// Implement `run` with `#[inline(always)]`, so that it is compiled with the instructions of the backend.
    Task16: 16, Lanes16, i16;
    /// See [`Task16`].
    Task32: 32, LanesWide, i32;
    /// See [`Task16`].
    Task64: 64, LanesWide, i64;
}

/// An instruction set that this machine has: a value is proof of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
    /// One word at a time, in ordinary registers.
    Scalar,
    /// Arrays of 128 bits: the layout of NEON and wasm on any machine. Slow; for tests.
    Array128,
    /// Arrays of 256 bits: the layout of AVX2 on any machine. Slow; for tests.
    Array256,
    /// AVX2: 16 lanes of 16 bits, 8 lanes of 32 bits; words of 64 bits one at a time.
    Avx2(Avx2),
}

impl Backend {
    /// The fastest backend of this machine. Detected once; [`Scalar`](Backend::Scalar) under Miri.
    pub fn best() -> Self {
        Avx2::detect().map_or(Self::Scalar, Self::Avx2)
    }

    /// Every backend that can run here, the scalar one first.
    pub fn available() -> impl Iterator<Item = Self> {
        [Self::Scalar, Self::Array128, Self::Array256].into_iter().chain(Avx2::detect().map(Self::Avx2))
    }

    /// The name used in reports and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Array128 => "array128",
            Self::Array256 => "array256",
            Self::Avx2(_) => "avx2",
        }
    }

    /// The backend of that name, if this machine has it.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::available().find(|b| b.name() == name)
    }

    /// Words of `bits` (16, 32 or 64) in a vector; 1 where there are no vectors of such words.
    pub const fn lanes(self, bits: u32) -> usize {
        let width = match (self, bits) {
            (Self::Scalar, _) | (Self::Avx2(_), 64) => return 1,
            (Self::Array128, _) => 128,
            (Self::Array256 | Self::Avx2(_), _) => 256,
        };
        width >> bits.ilog2()
    }

    /// [`Lanes::REPEAT`](crate::Lanes::REPEAT) of its lanes of `bits`.
    pub const fn repeat(self, bits: u32) -> usize {
        match (self, bits) {
            (Self::Avx2(_), 16) => 2,
            _ => 1,
        }
    }

    /// Whether this is one of the array shapes, which run through [`run_arrays16`](Self::run_arrays16) alone.
    pub const fn is_array(self) -> bool {
        matches!(self, Self::Array128 | Self::Array256)
    }
}

/// The ways of tasks of one width into a backend.
macro_rules! ways {
    ($bits:literal, $task:ident, $run:ident, $run_arrays:ident, $shell:ident, $word:ty, avx2: $avx2:expr) => {
        impl Backend {
            #[doc = concat!("Runs a task over ", $bits, "-bit lanes, one lane at a time in place of arrays and where")]
            /// the machine has no vectors of such words.
            #[inline]
            pub fn $run<T: $task>(self, task: T) -> T::Output {
                match self {
                    Self::Scalar | Self::Array128 | Self::Array256 => $shell::<1, T>(task),
                    Self::Avx2(lanes) => $avx2(lanes, task),
                }
            }

            #[doc = concat!("Runs a task over ", $bits, "-bit lanes of this array shape; other backends take one lane at a")]
            /// time.
            #[inline]
            pub fn $run_arrays<T: $task>(self, task: T) -> T::Output {
                match self {
                    Self::Array256 => $shell::<{ Backend::Array256.lanes($bits) }, T>(task),
                    Self::Array128 => $shell::<{ Backend::Array128.lanes($bits) }, T>(task),
                    _ => $shell::<1, T>(task),
                }
            }
        }

        #[inline(never)]
        fn $shell<const L: usize, T: $task>(task: T) -> T::Output {
            task.run(Arrays::<$word, L>::new())
        }
    };
}

ways!(16, Task16, run16, run_arrays16, shell16, i16, avx2: Avx2::run16);
ways!(32, Task32, run32, run_arrays32, shell32, i32, avx2: Avx2::run32);
ways!(64, Task64, run64, run_arrays64, shell64, i64, avx2: |_, task| shell64::<1, T>(task));

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
