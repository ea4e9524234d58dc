//! Strings of bits: values of a fixed width one behind the other, least significant bit first, as little-endian bytes.
//!
//! **Constant time:** yes, except for refusals: lengths, widths and the padding are public.

use core::fmt;

/// Bytes of `count` values of `width` bits.
pub const fn bytes(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// The bits of a value below `bound`, at least one.
pub const fn width(bound: u64) -> u32 {
    let bits = u64::BITS - bound.saturating_sub(1).leading_zeros();
    if bits == 0 { 1 } else { bits }
}

/// Appends values of `width ≤ 64` bits; what is left of the last byte is zero. Higher bits of a value are not written.
pub fn pack(values: impl IntoIterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    assert!((1..=64).contains(&width), "{width} bits");
    let mask = u64::MAX >> (64 - width);
    let (mut held, mut count) = (0_u128, 0);
    for value in values {
        held |= u128::from(value & mask) << count;
        count += width;
        while count >= 8 {
            out.push(held as u8);
            held >>= 8;
            count -= 8;
        }
    }
    if count > 0 {
        out.push(held as u8);
    }
}

/// Reads `count` values of `width` bits.
///
/// **Errors** if there are more or fewer bytes than they take, or if bits behind the last value are set.
pub fn unpack(bytes: &[u8], width: u32, count: usize) -> Result<impl Iterator<Item = u64>, BitsError> {
    assert!((1..=64).contains(&width), "{width} bits");
    let expected = self::bytes(count, width);
    if bytes.len() != expected {
        return Err(BitsError::Length { expected, actual: bytes.len() });
    }
    let used = (count * width as usize) & 7;
    if used != 0 && bytes[expected - 1] >> used != 0 {
        return Err(BitsError::Padding);
    }
    let mask = u64::MAX >> (64 - width);
    let (mut held, mut available, mut rest) = (0_u128, 0, bytes.iter());
    Ok((0..count).map(move |_| {
        while available < width {
            held |= u128::from(*rest.next().expect("the length was checked")) << available;
            available += 8;
        }
        let value = held as u64 & mask;
        held >>= width;
        available -= width;
        value
    }))
}

/// Why bytes are not such a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BitsError {
    /// Wrong number of bytes.
    Length {
        /// What there must be.
        expected: usize,
        /// What there is.
        actual: usize,
    },
    /// Bits behind the last value are not zero.
    Padding,
}

impl fmt::Display for BitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, actual } => write!(f, "{expected} bytes are needed, these are {actual}"),
            Self::Padding => f.write_str("the bits behind the last value are not zero"),
        }
    }
}

impl core::error::Error for BitsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_for_every_width() {
        for width in 1..=64 {
            let mask = u64::MAX >> (64 - width);
            for count in [0, 1, 2, 7, 8, 9, 64] {
                let value = |i: u64| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
                let values: Vec<u64> = (0..count).map(value).collect();
                let mut packed = Vec::new();
                pack(values.iter().copied(), width, &mut packed);
                assert_eq!(packed.len(), bytes(values.len(), width));
                let back: Vec<u64> = unpack(&packed, width, values.len()).unwrap().collect();
                assert_eq!(back, values, "{count} values of {width} bits");
                packed.push(0);
                let (expected, actual) = (packed.len() - 1, packed.len());
                let refused = unpack(&packed, width, values.len()).err();
                assert_eq!(refused, Some(BitsError::Length { expected, actual }));
            }
        }
    }

    #[test]
    fn padding_is_zero() {
        let mut packed = Vec::new();
        pack([5, 6, 7], 3, &mut packed);
        assert_eq!(packed, [0b11_110_101, 1]);
        for bit in 1..8 {
            let bytes = [packed[0], packed[1] | 1 << bit];
            assert_eq!(unpack(&bytes, 3, 3).err(), Some(BitsError::Padding));
        }
    }

    #[test]
    fn widths_of_bounds() {
        assert_eq!([1, 2, 3, 4, 5, 7681, 8192, 8193, 12289].map(width), [1, 1, 2, 2, 3, 13, 13, 14, 14]);
    }
}
