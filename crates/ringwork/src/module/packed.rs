//! Vectors of polynomials as bit strings.

use super::{Module, Vector};
use crate::{bits::Interval, decode::DecodeError, sample::Word};

impl<T: Word> Vector<T> {
    /// `length` polynomials of degree `n` from bytes of their coefficients.
    ///
    /// **Constant time:** yes, unless it fails. **Errors** if the bytes are not what
    /// [`Interval::pack`] writes.
    pub fn unpacked(
        what: &'static str,
        interval: Interval,
        bytes: &[u8],
        n: usize,
        length: usize,
    ) -> Result<Self, DecodeError> {
        let mut vector = Self::zeros(n, length);
        interval.unpack(what, bytes, vector.words_mut())?;
        Ok(vector)
    }
}

impl<T: Word> Module<T> {
    /// Bytes of packed polynomials.
    pub fn packed_bytes(&self, length: usize) -> usize {
        Interval::below(self.q()).bytes(length * self.n())
    }

    /// Appends canonical coefficients as a bit string.
    ///
    /// **Constant time:** yes.
    pub fn pack(&self, vector: &Vector<T>, out: &mut Vec<u8>) {
        Interval::below(self.q()).pack(vector.words(), out);
    }

    /// Reads `length` polynomials.
    ///
    /// **Constant time:** yes, unless it fails. **Errors** if the bytes are not what
    /// [`pack`](Self::pack) writes.
    pub fn unpack(&self, what: &'static str, bytes: &[u8], length: usize) -> Result<Vector<T>, DecodeError> {
        Vector::unpacked(what, Interval::below(self.q()), bytes, self.n(), length)
    }
}
