//! The integers of `num-bigint`.

use super::bigints::sealed::Bytes;
use num_bigint::{BigInt, BigUint};

impl Bytes for BigUint {
    const SIGNED: bool = false;

    fn bytes(&self) -> impl AsRef<[u8]> {
        self.to_bytes_le()
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        Self::from_bytes_le(bytes)
    }
}

impl Bytes for BigInt {
    const SIGNED: bool = true;

    fn bytes(&self) -> impl AsRef<[u8]> {
        self.to_signed_bytes_le()
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        Self::from_signed_bytes_le(bytes)
    }
}
