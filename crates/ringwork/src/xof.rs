//! From seeds to bytes: the functions of FIPS 202 and, with the feature `research`, the ChaCha20 stream,
//! SHA-512 and AES-256 in counter mode.
//!
//! Samplers read a [`ByteStream`]. The states of all streams are wiped on drop.

#[cfg(feature = "research")]
mod chacha20;
mod keccak;
#[cfg(feature = "research")]
mod nttru;
pub(crate) mod turns;

#[cfg(feature = "alloc")]
use crate::ct::SecretBytes;
use crate::ct::not_printed;
#[cfg(feature = "research")]
pub use chacha20::{ChaCha20, chacha20};
use keccak::Sponge;
#[cfg(feature = "research")]
pub use nttru::{aes256_ctr, sha512};

/// An endless stream of bytes, each read once.
pub trait ByteStream {
    /// Reads the next bytes. The split into calls makes no difference.
    fn read(&mut self, bytes: &mut [u8]);
}

/// The suffix that FIPS 202 appends to the input: section 6.2 for the extendable functions, 6.1 for digests; with the
/// first bit of the padding.
const SHAKE: u8 = 0x1F;
const SHA3: u8 = 0x06;

/// A function of FIPS 202, by its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    block: u8,
    domain: u8,
}

impl Function {
    pub(crate) const SHA3_256: Self = Self { block: 136, domain: SHA3 };
    pub(crate) const SHA3_512: Self = Self { block: 72, domain: SHA3 };
    pub(crate) const SHAKE_128: Self = Self { block: Shake128::BLOCK as u8, domain: SHAKE };
    pub(crate) const SHAKE_256: Self = Self { block: Shake256::BLOCK as u8, domain: SHAKE };

    /// Bytes of a block.
    const fn block(self) -> usize {
        self.block as usize
    }

    /// The output for the concatenation of these parts.
    fn of(self, parts: &[&[u8]]) -> Sponge {
        let mut sponge = Sponge::new(self.block());
        parts.iter().for_each(|part| sponge.absorb(part));
        sponge.finish(self.domain);
        sponge
    }
}

macro_rules! shake {
    ($(#[$doc:meta])* $name:ident, $function:ident, $block:literal) => {
        $(#[$doc])*
        pub struct $name(Sponge);

        impl $name {
            /// Bytes of a block; reading whole blocks wastes nothing.
            pub const BLOCK: usize = $block;

            /// The stream of a seed.
            pub fn new(seed: &[u8]) -> Self {
                Self::of(&[seed])
            }

            /// The stream of the concatenation of these parts.
            pub(crate) fn of(parts: &[&[u8]]) -> Self {
                Self(Function::$function.of(parts))
            }
        }

        impl ByteStream for $name {
            fn read(&mut self, bytes: &mut [u8]) {
                self.0.squeeze(bytes);
            }
        }

        not_printed!($name);
    };
}

shake! {
    /// The bytes of SHAKE-128.
    Shake128, SHAKE_128, 168
}
shake! {
    /// The bytes of SHAKE-256.
    Shake256, SHAKE_256, 136
}

/// SHAKE with incremental input.
pub(crate) struct Absorber(Sponge);

impl Absorber {
    pub(crate) fn shake128() -> Self {
        Self(Sponge::new(Shake128::BLOCK))
    }

    /// Starts with the concatenation of these parts.
    pub(crate) fn shake256<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut sponge = Sponge::new(Shake256::BLOCK);
        parts.into_iter().for_each(|part| sponge.absorb(part));
        Self(sponge)
    }

    /// Appends bytes to the input.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.absorb(bytes);
    }

    /// The first bytes of the output.
    pub(crate) fn finish(mut self, out: &mut [u8]) {
        self.0.finish(SHAKE);
        self.0.squeeze(out);
    }
}

macro_rules! sha3 {
    ($(#[$doc:meta])* $name:ident, $(#[$of_parts:meta])* $function:ident, $bytes:literal) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(Sponge);

        impl Default for $name {
            fn default() -> Self {
                Self(Sponge::new(200 - 2 * $bytes))
            }
        }

        impl $name {
            /// Appends bytes to the input.
            pub fn update(&mut self, bytes: &[u8]) {
                self.0.absorb(bytes);
            }

            /// The digest of the whole input.
            pub fn finish(self) -> [u8; $bytes] {
                let mut digest = [0; $bytes];
                self.finish_into(&mut digest);
                digest
            }

            /// Writes the digest of the whole input: for secret ones, which must not move.
            pub fn finish_into(mut self, digest: &mut [u8; $bytes]) {
                self.0.finish(SHA3);
                self.0.squeeze(digest);
            }
        }

        not_printed!($name);

        $(#[$of_parts])*
        pub fn $function(bytes: &[u8]) -> [u8; $bytes] {
            let mut hash = $name::default();
            hash.update(bytes);
            hash.finish()
        }
    };
}

sha3! {
    /// Incremental SHA3-224.
    Sha3_224,
    /// SHA3-224.
    sha3_224, 28
}
sha3! {
    /// Incremental SHA3-256.
    Sha3_256,
    /// SHA3-256.
    sha3_256, 32
}
sha3! {
    /// Incremental SHA3-384.
    Sha3_384,
    /// SHA3-384.
    sha3_384, 48
}
sha3! {
    /// Incremental SHA3-512.
    Sha3_512,
    /// SHA3-512.
    sha3_512, 64
}

/// 32 bytes of SHAKE-256 of the concatenation of these parts.
///
/// The caller ensures that different parts never concatenate to the same string.
#[cfg(feature = "alloc")]
pub fn derived_seed(parts: &[&[u8]]) -> SecretBytes<32> {
    let mut seed = SecretBytes::zeros();
    Absorber::shake256(parts.iter().copied()).finish(&mut seed[..]);
    seed
}
