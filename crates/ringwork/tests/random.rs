//! Randomness that is the same in each run, so that failures repeat; and bytes of vector files.

use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use ringwork::xof;

/// A generator; several numbers apart, streams have nothing in common.
pub(crate) struct Stream(pub(crate) u64);

impl TryRng for Stream {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0 += 1;
        xof::chacha20(&[11; 32], self.0.to_le_bytes(), bytes);
        Ok(())
    }
}
impl TryCryptoRng for Stream {}

/// The seed of that number.
pub(crate) fn seed(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    xof::chacha20(&[13; 32], number.to_le_bytes(), &mut seed);
    seed
}

/// A seed with a tag and a number.
pub(crate) fn tagged(tag: u8, number: u64) -> [u8; 32] {
    let mut seed = [tag; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

/// The bytes of a string of hexadecimal digits.
pub(crate) fn hex(value: &serde_json::Value) -> Vec<u8> {
    let digits = value.as_str().expect("a string of hex digits");
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hex digits")).collect()
}
