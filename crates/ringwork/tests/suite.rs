//! Tests of the schemes, all but `wiped`, which searches the memory of its process.
//!
//! One program, so that its generic code is compiled and linked once, and runs side by side. A file
//! is run by `cargo test -p ringwork --test suite <file>::`.

#![forbid(unsafe_code)]

mod bdlop;
mod lwe;
mod mldsa;
mod mlkem;
mod newhope;
mod ntru;
mod nttru;
mod object;
mod registry;
mod rlwe;
mod textbook;
mod xwing;
