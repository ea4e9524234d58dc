//! Strings of bits: values of a fixed width one behind the other, least significant bit first, as little-endian bytes.
//!
//! **Constant time:** yes, except for refusals: lengths, widths and the padding are public.

use crate::{
    decode::{DecodeError, check_length, refusal},
    sample::Word,
};

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
pub fn unpack<'a>(
    what: &'static str,
    bytes: &'a [u8],
    width: u32,
    count: usize,
) -> Result<impl Iterator<Item = u64> + use<'a>, DecodeError> {
    assert!((1..=64).contains(&width), "{width} bits");
    let expected = self::bytes(count, width);
    check_length(what, expected, bytes)?;
    let used = (count * width as usize) & 7;
    if used != 0 && bytes[expected - 1] >> used != 0 {
        return Err(DecodeError::Padding(what));
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

/// The integers of an interval as such strings: each less the lowest one, in as many bits as the interval needs.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    low: i64,
    size: u64,
}

impl Interval {
    /// `[0, bound)`.
    pub const fn below(bound: u64) -> Self {
        Self { low: 0, size: bound }
    }

    /// `[-bound, bound]`.
    pub const fn symmetric(bound: u64) -> Self {
        Self { low: -(bound as i64), size: 2 * bound + 1 }
    }

    /// Whether signed words of so many bits hold all of it.
    pub const fn fits(self, bits: u32) -> bool {
        let largest = (1_i128 << (bits - 1)) - 1;
        self.low as i128 >= -largest - 1 && self.low as i128 + self.size as i128 - 1 <= largest
    }

    /// Bytes of `count` integers.
    pub const fn bytes(self, count: usize) -> usize {
        bytes(count, width(self.size))
    }

    /// Appends integers of the interval.
    pub fn pack<'a, T: Copy + Into<i64> + 'a>(self, words: impl IntoIterator<Item = &'a T>, out: &mut Vec<u8>) {
        let offset = |&x: &T| (x.into() - self.low) as u64;
        pack(words.into_iter().map(offset), width(self.size), out);
    }

    /// Fills `out` with the integers of bytes; words that hold the interval.
    ///
    /// **Constant time:** yes, unless it is an error. **Errors** if the bytes are not what [`pack`](Self::pack) writes;
    /// `out` is then of no use.
    pub fn unpack<T: Word>(self, what: &'static str, bytes: &[u8], out: &mut [T]) -> Result<(), DecodeError> {
        debug_assert!(self.size <= 1 << 63);
        let count = out.len();
        let values = || unpack(what, bytes, width(self.size), count);
        // Negative as long as every value is below the size, which is at most 2^63.
        let (packed, mut below) = (values()?, -1);
        for (out, value) in out.iter_mut().zip(packed) {
            below &= value.wrapping_sub(self.size) as i64;
            *out = T::truncate((value as i64).wrapping_add(self.low));
        }
        if below < 0 { Ok(()) } else { Err(refusal(what, values()?, self.size)) }
    }
}

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
                let back: Vec<u64> = unpack("packed", &packed, width, values.len()).unwrap().collect();
                assert_eq!(back, values, "{count} values of {width} bits");
                packed.push(0);
                let (expected, actual) = (packed.len() - 1, packed.len());
                let refused = unpack("packed", &packed, width, values.len()).err();
                assert_eq!(refused, Some(DecodeError::Length { what: "packed", expected, actual }));
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
            assert_eq!(unpack("three", &bytes, 3, 3).err(), Some(DecodeError::Padding("three")));
        }
    }

    #[test]
    fn widths_of_bounds() {
        assert_eq!([1, 2, 3, 4, 5, 7681, 8192, 8193, 12289].map(width), [1, 1, 2, 2, 3, 13, 13, 14, 14]);
    }
}
