//! Which backend to use, and the way of a computation into it.

use crate::{Avx2, Lanes16, Lanes32, scalar::Arrays};
use core::fmt;

/// A computation over 16-bit lanes that any backend can run.
///
/// Implement `run` with `#[inline(always)]`, so that it is compiled with the instructions of the backend.
pub trait Task16 {
    /// What it returns.
    type Output;
    /// Runs on `lanes`.
    fn run<L: Lanes16>(self, lanes: L) -> Self::Output;
}

/// A computation over 32-bit lanes that any backend can run. See [`Task16`].
pub trait Task32 {
    /// What it returns.
    type Output;
    /// Runs on `lanes`.
    fn run<L: Lanes32>(self, lanes: L) -> Self::Output;
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
    /// AVX2: 16 lanes of 16 bits, 8 lanes of 32 bits.
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

    /// Words of `bits` (16 or 32) in a vector.
    pub const fn lanes(self, bits: u32) -> usize {
        let width = match self {
            Self::Scalar => return 1,
            Self::Array128 => 128,
            Self::Array256 | Self::Avx2(_) => 256,
        };
        (if bits == 16 { width >> 4 } else { width >> 5 }) as usize
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

    /// Runs a task over 16-bit lanes, one lane at a time in place of arrays.
    #[inline]
    pub fn run16<T: Task16>(self, task: T) -> T::Output {
        match self {
            Self::Scalar | Self::Array128 | Self::Array256 => shell16::<1, T>(task),
            Self::Avx2(lanes) => lanes.run16(task),
        }
    }

    /// Runs a task over 32-bit lanes, one lane at a time in place of arrays.
    #[inline]
    pub fn run32<T: Task32>(self, task: T) -> T::Output {
        match self {
            Self::Scalar | Self::Array128 | Self::Array256 => shell32::<1, T>(task),
            Self::Avx2(lanes) => lanes.run32(task),
        }
    }

    /// Runs a task over 16-bit lanes of this array shape; other backends take one lane at a time.
    #[inline]
    pub fn run_arrays16<T: Task16>(self, task: T) -> T::Output {
        match self {
            Self::Array256 => shell16::<16, T>(task),
            Self::Array128 => shell16::<8, T>(task),
            _ => shell16::<1, T>(task),
        }
    }

    /// Runs a task over 32-bit lanes of this array shape; other backends take one lane at a time.
    #[inline]
    pub fn run_arrays32<T: Task32>(self, task: T) -> T::Output {
        match self {
            Self::Array256 => shell32::<8, T>(task),
            Self::Array128 => shell32::<4, T>(task),
            _ => shell32::<1, T>(task),
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[inline(never)]
fn shell16<const L: usize, T: Task16>(task: T) -> T::Output {
    task.run(Arrays::<i16, L>::new())
}

#[inline(never)]
fn shell32<const L: usize, T: Task32>(task: T) -> T::Output {
    task.run(Arrays::<i32, L>::new())
}
