//! Polynomials as strings of bits: coefficients with the constant term first, each with its lowest bit first; bits that
//! are left of the last byte are zero. A ternary coefficient takes two bits, for itself plus one.
//!
//! **Constant time:** yes; which coefficient is refused is told.

use super::Error;
use crate::ct::Wiped;

/// Packs numbers of `bits` bits, at most 32 each.
pub(super) fn pack(values: impl Iterator<Item = u32>, bits: u32, bytes: &mut [u8]) {
    let (mut waiting, mut count) = (0_u64, 0);
    let mut out = bytes.iter_mut();
    for value in values {
        waiting |= u64::from(value) << count;
        count += bits;
        while count >= 8 {
            *out.next().expect("room for all bits") = waiting as u8;
            (waiting, count) = (waiting >> 8, count - 8);
        }
    }
    if let (Some(last), true) = (out.next(), count > 0) {
        *last = waiting as u8;
    }
}

/// Undoes [`pack`] for `out.len()` numbers. **Errors** if bits are left that are not zero.
pub(super) fn unpack(bytes: &[u8], bits: u32, out: &mut [u32]) -> Result<(), Error> {
    let (mut waiting, mut count) = (0_u64, 0);
    let mut bytes = bytes.iter();
    for value in out {
        while count < bits {
            waiting |= u64::from(*bytes.next().expect("bytes for all values")) << count;
            count += 8;
        }
        *value = (waiting & ((1 << bits) - 1)) as u32;
        (waiting, count) = (waiting >> bits, count - bits);
    }
    if waiting == 0 { Ok(()) } else { Err(Error::Padding) }
}

/// Unpacks coefficients below `limit`. **Errors** name the first that is not.
pub(super) fn unpack_below(bytes: &[u8], bits: u32, n: usize, limit: u32) -> Result<Wiped<u32>, Error> {
    let mut values = Wiped::zeros(n);
    unpack(bytes, bits, &mut values)?;
    if values.iter().fold(0, |largest, &v| v.max(largest)) < limit {
        return Ok(values);
    }
    let index = values.iter().position(|&v| v >= limit).expect("the largest is one");
    Err(Error::Coefficient { index, value: values[index], limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn packing_is_a_string_of_bits() {
        for bits in [1, 2, 7, 8, 13, 17, 24, 30] {
            let values: Vec<u32> =
                (0..50_u32).map(|i| (i.wrapping_mul(i).wrapping_mul(7_654_321) + 5) & ((1 << bits) - 1)).collect();
            let bit = |i: usize| values.get(i / bits).map_or(0, |v| (v >> (i % bits) & 1) as u8);
            let length = (50 * bits).div_ceil(8);
            let expected: Vec<u8> = (0..length).map(|b| (0..8).fold(0, |sum, i| sum | bit(8 * b + i) << i)).collect();
            let mut bytes = vec![0xFF; length];
            pack(values.iter().copied(), bits as u32, &mut bytes);
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
