//! From seeds to bytes: the functions of FIPS 202 and the ChaCha20 stream, under the names that schemes use.

use chacha20::{
    ChaCha20Legacy,
    cipher::{KeyIvInit, StreamCipher},
};
use sha3::Digest;
use shake::{ExtendableOutput, Shake128Reader, Update, XofReader};

/// The bytes of SHAKE-128, block by block.
pub struct Shake128(Shake128Reader);

impl Shake128 {
    /// Bytes of a block: reading whole blocks wastes nothing.
    pub const BLOCK: usize = 168;

    /// The stream of a seed.
    pub fn new(seed: &[u8]) -> Self {
        let mut shake = shake::Shake128::default();
        shake.update(seed);
        Self(shake.finalize_xof())
    }

    /// The next bytes.
    pub fn read(&mut self, bytes: &mut [u8]) {
        self.0.read(bytes);
    }
}

/// SHA3-256.
pub fn sha3_256(bytes: &[u8]) -> [u8; 32] {
    sha3::Sha3_256::digest(bytes).into()
}

/// Fills `bytes` with the ChaCha20 stream of the original form: 8-byte nonce, 64-bit block counter from 0.
pub fn chacha20(key: &[u8; 32], nonce: [u8; 8], bytes: &mut [u8]) {
    ChaCha20Legacy::new(key.into(), &nonce.into()).write_keystream(bytes);
}
