//! Stand-in on machines without x86 instructions: the same names, never available.

use crate::{Task16, Task32};

/// AVX2, which this machine does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(core::convert::Infallible);

impl Avx2 {
    /// Always `None` here.
    pub fn detect() -> Option<Self> {
        None
    }

    pub(crate) fn run16<T: Task16>(self, _: T) -> T::Output {
        match self.0 {}
    }

    pub(crate) fn run32<T: Task32>(self, _: T) -> T::Output {
        match self.0 {}
    }
}
