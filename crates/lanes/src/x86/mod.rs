//! x86-64 instruction sets: the proofs that a CPU has them (`proof.rs`), the lanes (`*_words.rs`,
//! `*_64.rs`), and the functions that run tasks on them.

#![allow(unsafe_code, reason = "intrinsics behind proof-of-feature tokens")]

mod avx2;
mod avx2_64;
mod avx2_words;
mod avx512;
mod avx512_words;
#[cfg(unix)]
mod limbs;
mod proof;
#[cfg(feature = "sse41")]
mod sse41;
#[cfg(feature = "sse41")]
mod sse41_64;
#[cfg(feature = "sse41")]
mod sse41_words;
mod words;

#[cfg(unix)]
pub(crate) use proof::CarryChains;
#[cfg(feature = "sse41")]
pub use proof::Sse41;
pub use proof::{Avx2, Avx512};
