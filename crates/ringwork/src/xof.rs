//! From seeds to bytes: the functions of FIPS 202 and the ChaCha20 stream, under the names that schemes use.
//!
//! A [`ByteStream`] is what samplers read. The states of all three streams are wiped on drop.

use chacha20::{
    ChaCha20Legacy,
    cipher::{KeyIvInit, StreamCipher},
};
use sha3::Digest;
use shake::{ExtendableOutput, Shake128Reader, Shake256Reader, Update, XofReader};

/// Bytes without end, each of which is read once.
pub trait ByteStream {
    /// The next bytes. How a reading is cut into calls makes no difference.
    fn read(&mut self, bytes: &mut [u8]);
}

macro_rules! shake {
    ($(#[$doc:meta])* $name:ident, $hasher:ty, $reader:ty, $block:literal) => {
        $(#[$doc])*
        pub struct $name($reader);

        impl $name {
            /// Bytes of a block: reading whole blocks wastes nothing.
            pub const BLOCK: usize = $block;

            /// The stream of a seed.
            pub fn new(seed: &[u8]) -> Self {
                let mut shake = <$hasher>::default();
                shake.update(seed);
                Self(shake.finalize_xof())
            }
        }

        impl ByteStream for $name {
            fn read(&mut self, bytes: &mut [u8]) {
                self.0.read(bytes);
            }
        }
    };
}

shake! {
    /// The bytes of SHAKE-128.
    Shake128, shake::Shake128, Shake128Reader, 168
}
shake! {
    /// The bytes of SHAKE-256.
    Shake256, shake::Shake256, Shake256Reader, 136
}

/// SHA3-256.
pub fn sha3_256(bytes: &[u8]) -> [u8; 32] {
    sha3::Sha3_256::digest(bytes).into()
}

/// The ChaCha20 stream of the original form: 8-byte nonce, 64-bit block counter from 0.
pub struct ChaCha20(ChaCha20Legacy);

impl ChaCha20 {
    /// The stream of a key and a nonce.
    pub fn new(key: &[u8; 32], nonce: [u8; 8]) -> Self {
        Self(ChaCha20Legacy::new(key.into(), &nonce.into()))
    }
}

impl ByteStream for ChaCha20 {
    fn read(&mut self, bytes: &mut [u8]) {
        self.0.write_keystream(bytes);
    }
}

/// Fills `bytes` with the first bytes of [`ChaCha20`].
pub fn chacha20(key: &[u8; 32], nonce: [u8; 8], bytes: &mut [u8]) {
    ChaCha20::new(key, nonce).read(bytes);
}
