//! Bit strings: contiguous values of a fixed width, least significant bit first, as little-endian
//! bytes.
//!
//! **Constant time:** yes, except when input is refused; lengths, widths and the padding are
//! public.

use crate::{
    decode::{DecodeError, check_length, refusal},
    sample::Word,
};

/// Bytes of `count` values of `width` bits.
pub const fn bytes(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// The number of bits of a value below `bound`, at least one.
pub const fn width(bound: u64) -> u32 {
    let bits = u64::BITS - bound.saturating_sub(1).leading_zeros();
    if bits == 0 { 1 } else { bits }
}

/// Appends values of `width ≤ 64` bits and pads the last byte with zeros. Higher bits of a value
/// are not written.
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
/// **Errors** if the number of bytes does not match, or if padding bits are set.
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

/// The integers of an interval as a bit string: each minus the lowest one, in the number of bits
/// that the interval needs.
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

    /// Whether signed words of `bits` bits hold the whole interval.
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

    /// Fills `out` with the integers that `bytes` encode; words must hold the interval.
    ///
    /// **Constant time:** yes, unless it fails. **Errors** if the bytes are not what
    /// [`pack`](Self::pack) writes; the contents of `out` are then unspecified.
    pub fn unpack<T: Word>(self, what: &'static str, bytes: &[u8], out: &mut [T]) -> Result<(), DecodeError> {
        debug_assert!(self.size <= 1 << 63);
        let count = out.len();
        let values = || unpack(what, bytes, width(self.size), count);
        // Stays negative as long as every value is below the size, which is at most 2^63.
        let (packed, mut below) = (values()?, -1);
        for (out, value) in out.iter_mut().zip(packed) {
            below &= value.wrapping_sub(self.size) as i64;
            *out = T::truncate((value as i64).wrapping_add(self.low));
        }
        if below < 0 { Ok(()) } else { Err(refusal(what, values()?, self.size)) }
    }
}

/// Contiguous integers around zero in Golomb-Rice code: the `low` lowest bits of the absolute
/// value, the sign (1 if negative), then the rest of the absolute value in unary: that number of
/// zeros, then a one.
///
/// For public values: the length and the decoding time depend on them.
#[derive(Clone, Copy, Debug)]
pub struct Rice {
    low: u32,
    largest: u64,
}

impl Rice {
    /// For integers of about `2^low`, up to `largest` in absolute value.
    ///
    /// **Panics** unless `low ≤ 40` and `largest < 2^62`.
    pub const fn new(low: u32, largest: u64) -> Self {
        assert!(low <= 40 && largest >> 62 == 0);
        Self { low, largest }
    }

    /// Appends integers within the bound.
    pub fn encode<'a, T: Copy + Into<i64> + 'a>(self, words: impl IntoIterator<Item = &'a T>, out: &mut Vec<u8>) {
        let (mut held, mut count) = (0_u64, 0);
        let mut push = |value: u64, width: u32| {
            held |= value << count;
            count += width;
            while count >= 8 {
                out.push(held as u8);
                held >>= 8;
                count -= 8;
            }
            (held, count)
        };
        let mut rest = (0, 0);
        for &word in words {
            let word: i64 = word.into();
            let size = word.unsigned_abs();
            push(size & ((1 << self.low) - 1) | u64::from(word < 0) << self.low, self.low + 1);
            let mut zeros = size >> self.low;
            while zeros >= 8 {
                push(0, 8);
                zeros -= 8;
            }
            rest = push(1 << zeros, zeros as u32 + 1);
        }
        if rest.1 > 0 {
            out.push(rest.0 as u8);
        }
    }

    /// Fills `out` with the integers that `bytes` encode; words must hold the bound.
    ///
    /// **Errors** if the bytes are not what [`encode`](Self::encode) writes; the contents of `out`
    /// are then unspecified. Variable time.
    pub fn decode<T: Word>(self, what: &'static str, bytes: &[u8], out: &mut [T]) -> Result<(), DecodeError> {
        let mut at = 0;
        // The bits from `at` on, at least 57, with zeros after the end.
        let window = |at: usize| {
            let rest = bytes.get(at >> 3..).unwrap_or_default();
            let mut eight = [0; 8];
            eight.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            u64::from_le_bytes(eight) >> (at & 7)
        };
        for (index, out) in out.iter_mut().enumerate() {
            let head = window(at);
            at += self.low as usize + 1;
            let mut high = 0;
            loop {
                let zeros = u64::from(window(at).trailing_zeros().min(56));
                high += zeros;
                at += zeros as usize;
                let value = high << self.low | head & ((1 << self.low) - 1);
                if value > self.largest {
                    // Zeros after the end make every number too large in the end.
                    let bound = self.largest + 1;
                    let ended = at >= 8 * bytes.len();
                    return Err(if ended {
                        DecodeError::End(what)
                    } else {
                        DecodeError::Value { what, index, value, bound }
                    });
                }
                if zeros < 56 {
                    at += 1;
                    let negative = head >> self.low & 1 == 1;
                    if negative && value == 0 {
                        return Err(DecodeError::Value { what, index, value, bound: 0 });
                    }
                    *out = T::truncate(if negative { -(value as i64) } else { value as i64 });
                    break;
                }
            }
        }
        if at > 8 * bytes.len() || at.div_ceil(8) != bytes.len() {
            return Err(DecodeError::End(what));
        }
        if window(at) != 0 { Err(DecodeError::Padding(what)) } else { Ok(()) }
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
    fn rice_there_and_back_and_nothing_else() {
        let rice = Rice::new(5, 1000);
        let numbers = [0_i64, 1, -1, 31, -32, 33, 999, -1000, 1000, 0, 7];
        let mut packed = Vec::new();
        rice.encode(&numbers, &mut packed);
        let read = |bytes: &[u8]| {
            let mut out = [0_i64; 11];
            rice.decode("numbers", bytes, &mut out).map(|()| out)
        };
        assert_eq!(read(&packed), Ok(numbers));
        // Each list of numbers has one encoding: changed bytes are refused or decode to other
        // numbers.
        for bit in 0..8 * packed.len() {
            let mut changed = packed.clone();
            changed[bit >> 3] ^= 1 << (bit & 7);
            if let Ok(other) = read(&changed) {
                let mut again = Vec::new();
                rice.encode(&other, &mut again);
                assert!(other != numbers && again == changed, "bit {bit}");
            }
        }
        for length in 0..packed.len() {
            assert!(read(&packed[..length]).is_err());
        }
        assert_eq!(read(&[&packed[..], &[0]].concat()), Err(DecodeError::End("numbers")));
        let one = |bytes: &[u8]| rice.decode("one", bytes, &mut [0_i32; 1]);
        assert_eq!(one(&[0b110_0000]), Err(DecodeError::Value { what: "one", index: 0, value: 0, bound: 0 }), "-0");
        assert_eq!(one(&[0b1100_0000]), Err(DecodeError::Padding("one")));
        assert_eq!(one(&[0; 9]).unwrap_err().to_string(), "one: number 0 is 1792, not below 1001");
        assert_eq!(one(&[0]), Err(DecodeError::End("one")));
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
