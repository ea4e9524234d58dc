//! Polynomials as strings of bits: coefficients with the constant term first, each with its lowest bit first; bits that
//! are left of the last byte are zero. A ternary coefficient takes two bits, for itself plus one.
//!
//! **Constant time:** yes; which coefficient is refused is told.

use super::Error;
use crate::{bits, ct::Wiped};

/// Unpacks coefficients below `limit`; the length of the bytes was checked. **Errors** name the first that is not.
pub(super) fn unpack_below(bytes: &[u8], width: u32, n: usize, limit: u32) -> Result<Wiped<u32>, Error> {
    let mut values = Wiped::zeros(n);
    let unpacked = bits::unpack(bytes, width, n).map_err(|_| Error::Padding)?;
    values.iter_mut().zip(unpacked).for_each(|(value, unpacked)| *value = unpacked as u32);
    if values.iter().fold(0, |largest, &v| v.max(largest)) < limit {
        return Ok(values);
    }
    let index = values.iter().position(|&v| v >= limit).expect("the largest is one");
    Err(Error::Coefficient { index, value: values[index], limit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::pack;

    #[test]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn packing_is_a_string_of_bits() {
        for bits in [1, 2, 7, 8, 13, 17, 24, 30] {
            let values: Vec<u32> =
                (0..50_u32).map(|i| (i.wrapping_mul(i).wrapping_mul(7_654_321) + 5) & ((1 << bits) - 1)).collect();
            let bit = |i: usize| values.get(i / bits).map_or(0, |v| (v >> (i % bits) & 1) as u8);
            let length = (50 * bits).div_ceil(8);
            let expected: Vec<u8> = (0..length).map(|b| (0..8).fold(0, |sum, i| sum | bit(8 * b + i) << i)).collect();
            let mut bytes = Vec::new();
            pack(values.iter().map(|&value| value.into()), bits as u32, &mut bytes);
            assert_eq!(bytes, expected, "{bits} bits");
            assert_eq!(unpack_below(&bytes, bits as u32, 50, 1 << bits).unwrap()[..], values, "{bits} bits");
            if 50 * bits % 8 != 0 {
                *bytes.last_mut().unwrap() |= 0x80;
                assert_eq!(unpack_below(&bytes, bits as u32, 50, 1 << bits).err(), Some(Error::Padding));
            }
        }
        let refused = unpack_below(&[0x1F, 0], 3, 4, 5).err();
        assert_eq!(refused, Some(Error::Coefficient { index: 0, value: 7, limit: 5 }));
    }
}
