//! The textbook of Ringwork: every transform and scheme by its definition, slow and readable.
//!
//! Nothing here knows the engine: no crate of the workspace is used, no table is shared, and where
//! the engine is clever this crate is plain. Agreement between the two is therefore evidence. The
//! known answers in `vectors/` are made by the example `make_vectors` of this crate.
//!
//! | module | what it defines |
//! |---|---|
//! | [`field`] | integers modulo q, primality, the root of unity that everybody uses, bit reversal |
//! | [`poly`] | schoolbook products modulo Xⁿ + 1, Xⁿ − 1 and X^d − c |
//! | [`ntt`] | transforms of any depth straight from the formula, O(n²) |
//! | [`longa_naehrig`] | Algorithms 1 to 4 of Longa and Naehrig with their stray powers of k; the other orders, and what merging ψ saves |
//! | [`lazyntt`] | Algorithms 1 to 4 of LazyNTT, with the condition under which they hold |
//! | [`newhope`] | the NewHope key exchange, bit for bit |
//! | [`nttru`] | the NTTRU key encapsulation, bit for bit |
//! | [`ntru`] | Bakkebø's NTRU over Xᴺ + 1 |
//! | [`rlwe`] | ring-LWE encryption with four transforms |
//! | [`roy`] | Algorithms 1 and 2 of the ring-LWE cryptoprocessor, and its Table 2 |
//! | [`lwe`] | LWE and module-LWE encryption, and key encapsulation |
//! | [`bdlop`] | commitments with proofs of opening and of linear relations |
//! | [`theses`] | the programs of Royher's and Bakkebø's theses as they were written: arithmetic by `%` |
//! | [`kem`] | the hashes of key encapsulation by encryption |
//! | [`sample`] | what is made of which bytes; probabilities of discrete Gaussians to any precision, Knuth and Yao's walk |
//! | [`bytes`] | numbers as strings of bits, streams of bytes |
//!
//! **Not for use with secrets**: the code branches, divides and indexes as the formulas do.
#![forbid(unsafe_code)]

pub mod bdlop;
pub mod bytes;
pub mod field;
pub mod kem;
pub mod lazyntt;
pub mod longa_naehrig;
pub mod lwe;
pub mod newhope;
pub mod ntru;
pub mod ntt;
pub mod nttru;
pub mod poly;
pub mod rlwe;
pub mod roy;
pub mod sample;
pub mod theses;

#[cfg(test)]
mod errata;
#[cfg(test)]
mod testing;
