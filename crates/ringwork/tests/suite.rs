//! Tests of the schemes, all but `wiped`, which searches the memory of its process.
//!
//! One program, so that its generic code is compiled and linked once, and runs side by side. A file
//! is run by `cargo test -p ringwork --test suite <file>::`.

#![forbid(unsafe_code)]

mod arrays;
mod bdlop;
mod cctv;
mod der;
mod estimates;
mod lwe;
mod mldsa;
mod mlkem;
mod newhope;
mod ntru;
mod nttru;
mod object;
mod random;
mod registry;
mod rlwe;
mod small;
mod stack;
mod standards;
mod swap_in;
mod textbook;
mod wycheproof;
mod xwing;

/// How many seeds of a set are compared with other implementations: as many as usual, or as `ROUNDS`
/// says (`cargo xtask interop`).
fn rounds(usual: usize) -> usize {
    std::env::var("ROUNDS").map_or(usual, |rounds| rounds.parse().expect("ROUNDS is a number"))
}
