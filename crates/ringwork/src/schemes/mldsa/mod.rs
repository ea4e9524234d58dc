//! ML-DSA, the module-lattice digital signature of FIPS 204.
//!
//! ```text
//! KeyGen:  (ρ, ρ', K) = H(ξ);  Â = ExpandA(ρ);  (s1, s2) = ExpandS(ρ');  t = A·s1 + s2
//!          t = t1·2^13 + t0;  pk = (ρ, t1);  tr = H(pk);  sk = (ρ, K, tr, s1, s2, t0)
//! Sign:    µ = H(tr, M');  y <- ExpandMask;  w = A·y;  c̃ = H(µ, HighBits(w));  c = SampleInBall(c̃)
//!          z = y + c·s1;  again unless z and LowBits(w - c·s2) are small;  h = hints for c·t0
//! Verify:  w' = A·z - c·t1·2^13;  c̃ = H(µ, UseHint(h, w'))
//! ```
//!
//! The ring is `Z_8380417[X]/(X^256 + 1)`. Sets are types: [`MlDsa44`], [`MlDsa65`], [`MlDsa87`].
//!
//! ```
//! use ringwork::schemes::mldsa::{MlDsa65, Signature, SigningKey, VerifyingKey};
//! let mut rng = ringwork::ct::sys_rng();
//! let key = SigningKey::<MlDsa65>::generate_from_rng(&mut rng);
//! let signature = key.sign_randomized(b"a message", b"a context", &mut rng)?;
//!
//! let public = VerifyingKey::<MlDsa65>::from_bytes(&key.verifying_key().to_bytes())?;
//! public.verify_bytes(b"a message", b"a context", signature.as_bytes())?;
//! # Ok::<(), ringwork::schemes::mldsa::Error>(())
//! ```
//!
//! **Secret keys** are stored as the seed ξ of 32 bytes ([`SigningKey`]). The expanded form of the
//! standard ([`ExpandedSigningKey`]) can be read and written as well; a key whose parts do not belong
//! together is refused. Keys in memory hold the matrix Â and their polynomials transformed.
//!
//! Both forms can be read from PKCS #8 and written to it ([`pkcs8`]: RFC 9881).
//!
//! **Messages** have a context. They can be signed as they are, as digests (HashML-DSA: [`PreHash`]),
//! or as message representatives µ computed elsewhere ([`VerifyingKey::mu`]). Large messages can be
//! read in pieces ([`MuBuilder`], [`PreHasher`]).
//!
//! **Constant time:** everything that depends on secrets, except what the design makes public: how
//! many candidates for coefficients and for signatures are rejected, and by which check.
//!
//! Source: FIPS 204, *Module-Lattice-Based Digital Signature Standard* (2024). Of its algorithms, 41
//! to 48 (transforms) come from the engine, and 49 (Montgomery reduction) is one of its methods.

pub mod arrays;
mod encode;
#[cfg(feature = "alloc")]
mod engine;
#[cfg(feature = "alloc")]
mod expand;
#[cfg(feature = "alloc")]
mod keys;
mod message;
mod params;
#[cfg(feature = "pkcs8")]
pub mod pkcs8;
#[cfg(feature = "alloc")]
mod prehash;
mod rounding;
mod sample;
#[cfg(feature = "alloc")]
mod sign;
#[cfg(feature = "alloc")]
mod streams;
#[cfg(feature = "alloc")]
mod traits;
#[cfg(feature = "alloc")]
mod verify;

#[cfg(feature = "alloc")]
pub use kem::common::{self, Generate, KeyExport, KeyInit, KeySizeUser};
#[cfg(feature = "alloc")]
pub use keys::{ExpandedSigningKey, SigningKey, VerifyingKey, keygen_many, read_many};
pub use message::{Mu, MuBuilder};
pub use params::{
    Bytes, MAX_CONTEXT, MU_BYTES, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Parameters, Q, ROOT, SEED_BYTES, TR_BYTES,
};
#[cfg(feature = "alloc")]
pub use prehash::{PreHash, PreHasher, Prehashed};
#[cfg(feature = "alloc")]
pub use signature::{self, Keypair, SignatureEncoding, Signer, Verifier};
#[cfg(feature = "alloc")]
pub use traits::{B32, EncodedSignature, EncodedVerifyingKey, Seed};
#[cfg(feature = "alloc")]
pub use verify::{Signature, Signed, verify_many};

use crate::decode::DecodeError;
use core::fmt;

/// Why a message cannot be signed, or a signature is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A context of more than 255 bytes.
    Context {
        /// The length of the context.
        length: usize,
    },
    /// The bytes encode no key or signature.
    Decode(DecodeError),
    /// The signature was not made for this message, this context and this key. The failed check is
    /// not reported.
    Forged,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Context { length } => {
                write!(f, "a context has at most {MAX_CONTEXT} bytes, this has {length}")
            }
            Self::Decode(error) => error.fmt(f),
            Self::Forged => f.write_str("the signature was not made for this message, context and key"),
        }
    }
}

impl core::error::Error for Error {}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}
