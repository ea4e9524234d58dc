//! Randomness that is the same in each run, so that failures repeat.

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
