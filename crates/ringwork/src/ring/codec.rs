//! Fixed-width packing: 14-bit values as one little-endian bit string, four in seven bytes.

use super::{NttPoly, Parameters, Ring};
use core::fmt;

/// Bytes of packed coefficients.
#[derive(Clone, Copy, Debug)]
pub struct PackedBits;

impl PackedBits {
    /// Bits of a packed value.
    pub const WIDTH: u32 = 14;

    /// Bytes of `n` packed values; `n` a multiple of 4.
    pub const fn bytes(n: usize) -> usize {
        (n >> 2) * 7
    }
}

/// A packed value is not a canonical residue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoefficientError {
    /// Which one.
    pub index: usize,
    /// The value.
    pub value: u16,
    /// The modulus it should be below.
    pub q: u16,
}

impl fmt::Display for CoefficientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "coefficient {} is {}, not below q = {}", self.index, self.value, self.q)
    }
}

impl core::error::Error for CoefficientError {}

impl<P: Parameters> Ring<P> {
    /// Packs slot values in canonical order; they must be in `[0, q)`.
    ///
    /// **Constant time:** yes. **Panics** if `bytes` has the wrong length.
    pub fn pack(&self, poly: &NttPoly<P>, bytes: &mut [u8]) {
        assert_eq!(bytes.len(), PackedBits::bytes(P::N), "length of a packed polynomial");
        let mut values = self.canonical_values(poly);
        for group in bytes.as_chunks_mut::<7>().0 {
            let mut bits = 0_u64;
            for i in 0..4 {
                bits |= u64::from(values.next().unwrap_or_default()) << (PackedBits::WIDTH * i);
            }
            group.copy_from_slice(&bits.to_le_bytes()[..7]);
        }
    }

    /// Unpacks slot values in canonical order. For received, hence public, bytes.
    ///
    /// **Errors** name the first value that is not below `q`. **Panics** if `bytes` has the wrong length.
    pub fn unpack(&self, bytes: &[u8]) -> Result<NttPoly<P>, CoefficientError> {
        assert_eq!(bytes.len(), PackedBits::bytes(P::N), "length of a packed polynomial");
        let mut values = Vec::with_capacity(P::N);
        for group in bytes.as_chunks::<7>().0 {
            let mut word = [0; 8];
            word[..7].copy_from_slice(group);
            let bits = u64::from_le_bytes(word);
            values.extend((0..4).map(|i| (bits >> (PackedBits::WIDTH * i)) as u16 & ((1 << PackedBits::WIDTH) - 1)));
        }
        if let Some(index) = values.iter().position(|&v| v >= P::Q) {
            return Err(CoefficientError { index, value: values[index], q: P::Q });
        }
        Ok(self.from_canonical(&values))
    }
}
