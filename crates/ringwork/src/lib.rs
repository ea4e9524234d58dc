//! Lattice cryptography on one transform engine.
//!
//! - [`ring`]: polynomials and transformed polynomials as different types, with their codecs;
//! - [`sample`]: from bytes to noise; [`xof`]: from seeds to bytes; [`ct`]: secrets;
//! - [`schemes`]: the standard [`schemes::mlkem`], the key exchange [`schemes::newhope`], key
//!   encapsulation, encryption, commitments with proofs; [`xwing`]: ML-KEM with X25519;
//! - [`object`]: the form of commitments, proofs and messages; [`registry`]: schemes by name.
//!
//! ```
//! use ringwork::schemes::newhope::{NewHope, USENIX2016};
//! let newhope = NewHope::new(USENIX2016);
//! let mut rng = ringwork::ct::sys_rng();
//! let (secret, message_a) = newhope.init(&mut rng);
//! let (message_b, bob) = newhope.respond(&message_a, &mut rng)?;
//! let alice = newhope.finish(secret, &message_b)?;
//! assert!(alice == bob);
//! # Ok::<(), ringwork::decode::DecodeError>(())
//! ```
//!
//! [`schemes::mlkem`] and [`schemes::mldsa`] are standards (FIPS 203 and 204), and [`xwing`] is a draft
//! of one. The other schemes are research constructions: see each one's documentation before use.

#![forbid(unsafe_code)]
#![deny(clippy::integer_division_remainder_used)]

pub mod bits;
pub mod ct;
pub mod decode;
mod eights;
pub mod estimate;
pub mod kem;
mod key_info;
pub mod module;
pub mod object;
pub mod registry;
pub mod ring;
pub mod sample;
pub mod schemes;
pub mod xof;
pub mod xwing;

pub use ntt::{Backend, Method, Recipe};

/// The examples of `README.md` are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
