//! Digests of messages, for HashML-DSA: section 5.4 of FIPS 204.

use crate::{
    decode::{DecodeError, check_length},
    xof::{self, Absorber},
};
use alloc::boxed::Box;
use sha2::Digest;

/// A hash function that FIPS 204 approves for HashML-DSA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PreHash {
    /// SHA-224. Its collision strength of 112 bits is below that of any set.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SHA-512/224. Its collision strength of 112 bits is below that of any set.
    Sha512_224,
    /// SHA-512/256.
    Sha512_256,
    /// SHA3-224. Its collision strength of 112 bits is below that of any set.
    Sha3_224,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
    /// SHAKE-128 with 32 bytes of output.
    Shake128,
    /// SHAKE-256 with 64 bytes of output.
    Shake256,
}

/// The digest of a message and its hash function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Prehashed {
    hash: PreHash,
    bytes: [u8; 64],
}

impl Prehashed {
    /// The last number of the function's object identifier, and the digest.
    pub(super) fn parts(&self) -> (u8, &[u8]) {
        let (bytes, number) = self.hash.shape();
        (number, &self.bytes[..bytes])
    }
}

impl core::fmt::Debug for Prehashed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Prehashed({:?}, ..)", self.hash)
    }
}

/// The object identifiers of hash functions, DER: 2.16.840.1.101.3.4.2, and then one number.
pub(super) const OID: [u8; 10] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02];

impl PreHash {
    /// All functions.
    pub const ALL: [Self; 12] = [
        Self::Sha224,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Sha512_224,
        Self::Sha512_256,
        Self::Sha3_224,
        Self::Sha3_256,
        Self::Sha3_384,
        Self::Sha3_512,
        Self::Shake128,
        Self::Shake256,
    ];

    /// Bytes of a digest, and the last number of the object identifier.
    const fn shape(self) -> (usize, u8) {
        match self {
            Self::Sha256 => (32, 1),
            Self::Sha384 => (48, 2),
            Self::Sha512 => (64, 3),
            Self::Sha224 => (28, 4),
            Self::Sha512_224 => (28, 5),
            Self::Sha512_256 => (32, 6),
            Self::Sha3_224 => (28, 7),
            Self::Sha3_256 => (32, 8),
            Self::Sha3_384 => (48, 9),
            Self::Sha3_512 => (64, 10),
            Self::Shake128 => (32, 11),
            Self::Shake256 => (64, 12),
        }
    }

    /// The function with that last number of its object identifier, 2.16.840.1.101.3.4.2 and one more.
    pub fn of_identifier(last: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|hash| u32::from(hash.shape().1) == last)
    }

    /// Bytes of a digest.
    pub const fn bytes(self) -> usize {
        self.shape().0
    }

    /// The digest of a message.
    pub fn of(self, message: &[u8]) -> Prehashed {
        let mut hasher = self.hasher();
        hasher.update(message);
        hasher.finish()
    }

    /// Hashes a message in pieces.
    pub fn hasher(self) -> PreHasher {
        PreHasher { hash: self, state: self.state() }
    }

    fn state(self) -> Box<dyn State> {
        match self {
            Self::Sha224 => Box::new(sha2::Sha224::default()),
            Self::Sha256 => Box::new(sha2::Sha256::default()),
            Self::Sha384 => Box::new(sha2::Sha384::default()),
            Self::Sha512 => Box::new(sha2::Sha512::default()),
            Self::Sha512_224 => Box::new(sha2::Sha512_224::default()),
            Self::Sha512_256 => Box::new(sha2::Sha512_256::default()),
            Self::Sha3_224 => Box::new(xof::Sha3_224::default()),
            Self::Sha3_256 => Box::new(xof::Sha3_256::default()),
            Self::Sha3_384 => Box::new(xof::Sha3_384::default()),
            Self::Sha3_512 => Box::new(xof::Sha3_512::default()),
            Self::Shake128 => Box::new(Absorber::shake128()),
            Self::Shake256 => Box::new(Absorber::shake256([])),
        }
    }

    /// A digest computed elsewhere by this function.
    ///
    /// **Errors** if its length is wrong.
    pub fn digest(self, digest: &[u8]) -> Result<Prehashed, DecodeError> {
        check_length("a digest", self.bytes(), digest)?;
        let mut bytes = [0; 64];
        bytes[..digest.len()].copy_from_slice(digest);
        Ok(Prehashed { hash: self, bytes })
    }
}

/// The state of a hash function, for messages read in pieces.
pub struct PreHasher {
    hash: PreHash,
    state: Box<dyn State>,
}

impl PreHasher {
    /// Appends bytes to the message.
    pub fn update(&mut self, bytes: &[u8]) {
        self.state.absorb(bytes);
    }

    /// The digest of the whole message.
    pub fn finish(self) -> Prehashed {
        let mut bytes = [0; 64];
        self.state.fill(&mut bytes[..self.hash.bytes()]);
        Prehashed { hash: self.hash, bytes }
    }
}

impl core::fmt::Debug for PreHasher {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "PreHasher({:?}, ..)", self.hash)
    }
}

/// The common interface of hash functions.
trait State: Send + Sync {
    fn absorb(&mut self, bytes: &[u8]);
    /// Fills `out`, which has the length of the digest.
    fn fill(self: Box<Self>, out: &mut [u8]);
}

macro_rules! states {
    ($($function:ty: |$state:ident, $out:ident| $finish:expr;)*) => {$(
        impl State for $function {
            fn absorb(&mut self, bytes: &[u8]) {
                self.update(bytes);
            }

            fn fill(self: Box<Self>, $out: &mut [u8]) {
                let $state = *self;
                $finish;
            }
        }
    )*};
}
states! {
    xof::Sha3_224: |state, out| out.copy_from_slice(&state.finish());
    xof::Sha3_256: |state, out| out.copy_from_slice(&state.finish());
    xof::Sha3_384: |state, out| out.copy_from_slice(&state.finish());
    xof::Sha3_512: |state, out| out.copy_from_slice(&state.finish());
    sha2::Sha224: |state, out| out.copy_from_slice(&state.finalize());
    sha2::Sha256: |state, out| out.copy_from_slice(&state.finalize());
    sha2::Sha384: |state, out| out.copy_from_slice(&state.finalize());
    sha2::Sha512: |state, out| out.copy_from_slice(&state.finalize());
    sha2::Sha512_224: |state, out| out.copy_from_slice(&state.finalize());
    sha2::Sha512_256: |state, out| out.copy_from_slice(&state.finalize());
    Absorber: |state, out| state.finish(out);
}
