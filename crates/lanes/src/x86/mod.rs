//! x86-64 instruction sets.

mod avx2;
pub use avx2::Avx2;
