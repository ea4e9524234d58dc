//! Parameter sets and sizes.

use crate::{kem::SEED_BYTES, ring};

/// A parameter set of ring-LWE encryption, as a type.
pub trait Parameters: ring::Parameters {
    /// The name used in files and on the command line.
    const NAME: &'static str;
    /// `s = σ·√(2π)`, the width of the noise.
    const S: f64;

    /// Bytes of a message: one bit for each coefficient.
    const MESSAGE_BYTES: usize = Self::N >> 3;
    /// Bytes of a polynomial.
    const POLYNOMIAL_BYTES: usize = ring::PackedBits::bytes(Self::N);
    /// Bytes of a public key: the seed of `ã`, and `p̃`.
    const PUBLIC_KEY_BYTES: usize = SEED_BYTES + Self::POLYNOMIAL_BYTES;
    /// Bytes of a secret key: one bit for each coefficient of `r2`.
    const SECRET_KEY_BYTES: usize = Self::MESSAGE_BYTES;
    /// Bytes of a ciphertext.
    const CIPHERTEXT_BYTES: usize = 2 * Self::POLYNOMIAL_BYTES;
}

/// `n = 256`, `q = 7681`, `s = 11.32`. The processor paper calls it medium security;
/// [`security`](crate::kem::Scheme::security) now estimates 44 bits.
#[derive(Clone, Copy, Debug)]
pub struct P1;

/// `n = 512`, `q = 12289`, `s = 12.18`. The paper calls it high security; the estimate is now 103
/// bits.
#[derive(Clone, Copy, Debug)]
pub struct P2;

impl ring::Parameters for P1 {
    const N: usize = 256;
    const Q: u16 = 7681;
    const ROOT: Option<u64> = Some(62);
}

impl ring::Parameters for P2 {
    const N: usize = 512;
    const Q: u16 = 12289;
    const ROOT: Option<u64> = Some(49);
}

impl Parameters for P1 {
    const NAME: &'static str = "rlwe-p1";
    const S: f64 = 11.32;
}

impl Parameters for P2 {
    const NAME: &'static str = "rlwe-p2";
    const S: f64 = 12.18;
}
