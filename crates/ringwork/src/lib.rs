//! ML-KEM, ML-DSA and X-Wing on one transform engine; with the feature `research`, lattice schemes
//! of five papers as well.
//!
//! - [`schemes::mlkem`] and [`schemes::mldsa`] are FIPS 203 and FIPS 204; [`xwing`] is ML-KEM with X25519, after an
//!   Internet draft.
//! - [`ct`] holds secrets; [`xof`] turns seeds into bytes; [`sample`] turns bytes into noise; [`module`] multiplies
//!   matrices and vectors of polynomials; [`decode`] defines the errors of decoders.
//!
//! ```
//! use ringwork::schemes::mlkem::{MlKem768, kem::{Decapsulate, Encapsulate, Kem}};
//!
//! let (dk, ek) = MlKem768::generate_keypair();
//! let (ciphertext, shared) = ek.encapsulate();
//! assert_eq!(dk.decapsulate(&ciphertext), shared);
//! ```
//!
//! # Features
//!
//! All but `research` are on by default.
//!
//! - `mlkem`, `mldsa`, `xwing` (which includes `mlkem`): the modules of these names.
//!   With either of the first two and `alloc`, [`standards`] has them by name.
//! - `pkcs8`: keys of ML-KEM, ML-DSA and X-Wing in PKCS #8, SubjectPublicKeyInfo and PEM; [`pem`].
//! - `getrandom`: [`ct::sys_rng`], the generator of the operating system. Every function
//!   that draws random bytes also takes a generator of the caller's choice.
//! - `std`, which includes `alloc`: calls reuse the memory of calls before them, and threads that need the same plan
//!   make it once. Without it the crate is `no_std`.
//! - `alloc`: keys that are expanded once, batches, every backend; needs an allocator, and pointers that compare and swap.
//!   Without it `mlkem`, `mldsa` and `xwing` are operations on arrays of bytes alone ([`schemes::mlkem::arrays`],
//!   [`schemes::mldsa::arrays`], [`xwing::arrays`]), and need neither. `pkcs8` includes it.
//! - `research`, which includes `std` and `mlkem`: the modules `schemes::{newhope, rlwe, lwe, nttru, ntru, bdlop}`, `kem` (key encapsulation from
//!   encryption), `estimate` (cost of attacks), `registry` and `object` (schemes by name, files), `bits`, and more of
//!   [`ring`], [`sample`] and [`xof`]. **These schemes are research constructions, not standards**: the documentation
//!   of each one states its limits.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]
#![deny(clippy::integer_division_remainder_used)]
#![cfg_attr(
    not(all(feature = "alloc", feature = "mlkem", feature = "mldsa", feature = "pkcs8")),
    allow(dead_code, unused_imports, unused_macros, reason = "what the schemes use")
)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "research")]
pub mod bits;
pub mod ct;
pub mod decode;
mod eights;
#[cfg(feature = "research")]
pub mod estimate;
#[cfg(feature = "research")]
pub mod kem;
#[cfg(feature = "pkcs8")]
mod key_info;
#[cfg(feature = "alloc")]
pub mod module;
#[cfg(feature = "research")]
pub mod object;
#[cfg(feature = "alloc")]
mod once;
#[cfg(feature = "pkcs8")]
pub mod pem;
#[cfg(feature = "research")]
pub mod registry;
pub mod ring;
pub mod sample;
pub mod schemes;
#[cfg(all(feature = "alloc", any(feature = "mlkem", feature = "mldsa")))]
pub mod standards;
pub mod xof;
#[cfg(feature = "xwing")]
pub mod xwing;

#[cfg(feature = "alloc")]
pub use ntt::Recipe;
pub use ntt::{Backend, Method};

/// The examples of `README.md` are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
