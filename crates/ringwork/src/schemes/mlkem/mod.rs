//! ML-KEM, the module-lattice-based key encapsulation of FIPS 203.
//!
//! | here | the standard |
//! |---|---|
//! | `encode` | section 4.2.1: algorithms 5, 6, `Compress`, `Decompress` |
//! | `sample` | 4.2.2: algorithms 7, 8; functions of 4.1 |
//! | `engine` | 4.3: the transform, algorithms 9 to 12, by [`ntt`] |
//! | `pke` | 5: algorithms 13 to 15 |
//! | [`DecapsulationKey`], [`EncapsulationKey`] | 6 and 7: algorithms 16 to 21 and the checks of inputs |
//! | [`keygen_many`] and the other `_many` functions | batches of keys and ciphertexts |
//! | [`arrays`] | the same algorithms on arrays of bytes, without a heap |
//! | [`pkcs8`] | RFC 9935: keys in certificates and PEM |
//! | [`ParameterSet`] | 8: [`MlKem512`], [`MlKem768`], [`MlKem1024`] |
//!
//! A key is expanded once, on construction, so that operations reuse the matrix and the transformed secrets. The
//! private form of a key is its seed `d ‖ z`; the expanded form of the standard can be read and written as well.
//!
//! ```
//! use ringwork::schemes::mlkem::{MlKem768, kem::{Decapsulate, Encapsulate, Kem}};
//!
//! let (dk, ek) = MlKem768::generate_keypair();
//! let (ciphertext, shared) = ek.encapsulate();
//! assert_eq!(dk.decapsulate(&ciphertext), shared);
//! ```
//!
//! Names follow the crate `ml-kem`; the traits are those of [`kem`].
//!
//! **Constant time:** everything that depends on secrets, implicit rejection included. The seed `ρ`
//! and the matrix expanded from it are public.
//!
//! Source: FIPS 203, *Module-Lattice-Based Key-Encapsulation Mechanism Standard* (2024).

pub mod arrays;
mod encode;
#[cfg(feature = "alloc")]
mod engine;
#[cfg(feature = "alloc")]
mod keys;
#[cfg(feature = "alloc")]
mod many;
mod params;
#[cfg(feature = "pkcs8")]
pub mod pkcs8;
#[cfg(feature = "alloc")]
mod pke;
#[cfg(feature = "alloc")]
mod sample;
#[cfg(feature = "alloc")]
mod traits;

#[cfg(feature = "alloc")]
pub use kem::{
    self, Ciphertext, Decapsulate, Decapsulator, Encapsulate, FromSeed, Generate, InvalidKey, Kem, Key, KeyExport,
    KeyInit, KeySizeUser, TryKeyInit,
};
#[cfg(feature = "alloc")]
pub use keys::{DecapsulationKey, EncapsulationKey};
#[cfg(feature = "alloc")]
pub use many::{decapsulate_many, encapsulate_many, encapsulate_many_deterministic, keygen_many, read_many};
pub use params::{KEY_BYTES, MlKem512, MlKem768, MlKem1024, N, ParameterSet, Q, SEED_BYTES};

#[cfg(feature = "alloc")]
use crate::ct::SecretBytes;
use hybrid_array::{Array, sizes};

/// 32 bytes, in the array type of the traits.
pub type B32 = Array<u8, sizes::U32>;
/// A seed `d ‖ z`, in the array type of the traits.
pub type Seed = Array<u8, sizes::U64>;
/// An expanded decapsulation key, in the array type of the traits.
pub type ExpandedDecapsulationKey<P> = Array<u8, <P as ParameterSet>::ExpandedKeySize>;
/// The shared key of both sides.
#[cfg(feature = "alloc")]
pub type SharedKey = SecretBytes<KEY_BYTES>;
