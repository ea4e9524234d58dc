//! Numbers as strings of bits, and the streams of bytes that schemes draw from.
//!
//! A string of bits fills its bytes from the lowest bit up: bit i of the string is bit i mod 8 of
//! byte ⌊i/8⌋. A number of w bits enters with its lowest bit first. Bits of the last byte that
//! belong to nobody are zero.
//!
//! Sources: FIPS 202 (SHAKE); Bernstein, *ChaCha, a variant of Salsa20* (2008), with an 8-byte
//! nonce and a 64-bit counter from 0.

use chacha20::ChaCha20Legacy;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use shake::{ExtendableOutput, Update, XofReader};

/// The number of bits of x; 1 for x = 0.
pub fn bits_of(x: u64) -> u32 {
    (64 - x.leading_zeros()).max(1)
}

/// The bytes of numbers of `width` bits each, one behind the other.
///
/// **Panics** if a number does not fit.
pub fn pack(numbers: &[u64], width: u32) -> Vec<u8> {
    let mut bytes = vec![0; (numbers.len() * width as usize).div_ceil(8)];
    for (i, &number) in numbers.iter().enumerate() {
        assert!(bits_of(number) <= width, "{number} has more than {width} bits");
        for bit in 0..width {
            let at = i * width as usize + bit as usize;
            bytes[at / 8] |= ((number >> bit & 1) as u8) << (at % 8);
        }
    }
    bytes
}

/// The number whose bits are `width` of a string of bits, from bit `start` on.
pub fn number_at(bytes: &[u8], start: usize, width: u32) -> u64 {
    let bit = |at: usize| u64::from(bytes[at / 8] >> (at % 8) & 1);
    (0..width).fold(0, |number, i| number | bit(start + i as usize) << i)
}

/// The inverse of [`pack`]; `None` if the number of bytes is not that of `count` numbers, or a bit
/// is set that belongs to none of them.
pub fn unpack(bytes: &[u8], width: u32, count: usize) -> Option<Vec<u64>> {
    if bytes.len() != (count * width as usize).div_ceil(8) {
        return None;
    }
    let numbers: Vec<u64> = (0..count).map(|i| number_at(bytes, i * width as usize, width)).collect();
    (pack(&numbers, width) == bytes).then_some(numbers)
}

/// [`unpack`] for numbers below a bound, each of the bits of `bound` − 1; `None` also if one is not
/// below it.
pub fn unpack_below(bytes: &[u8], bound: u64, count: usize) -> Option<Vec<u64>> {
    unpack(bytes, bits_of(bound - 1), count).filter(|numbers| numbers.iter().all(|&x| x < bound))
}

/// Fills a slice with the next bytes.
type Read = dyn FnMut(&mut [u8]);

/// An endless stream of bytes.
pub struct Stream(Box<Read>);

impl Stream {
    /// SHAKE-128 of these parts, one behind the other.
    pub fn shake128(parts: &[&[u8]]) -> Self {
        let mut shake = shake::Shake128::default();
        parts.iter().for_each(|part| shake.update(part));
        let mut reader = shake.finalize_xof();
        Self(Box::new(move |out| reader.read(out)))
    }

    /// SHAKE-256 of these parts, one behind the other.
    pub fn shake256(parts: &[&[u8]]) -> Self {
        let mut shake = shake::Shake256::default();
        parts.iter().for_each(|part| shake.update(part));
        let mut reader = shake.finalize_xof();
        Self(Box::new(move |out| reader.read(out)))
    }

    /// The key stream of ChaCha20 with a nonce of 8 little-endian bytes.
    pub fn chacha20(key: &[u8; 32], nonce: u64) -> Self {
        let mut cipher = ChaCha20Legacy::new(key.into(), &nonce.to_le_bytes().into());
        Self(Box::new(move |out| {
            out.fill(0);
            cipher.apply_keystream(out);
        }))
    }

    /// The stream of one use of a seed: ChaCha20 with nonce 0, keyed with 32 bytes of
    /// SHAKE-256(label, seed).
    pub fn of_use(label: &[&[u8]], seed: &[u8; 32]) -> Self {
        let parts = [label, &[&seed[..]]].concat();
        Self::chacha20(&Self::shake256(&parts).read(), 0)
    }

    /// These bytes again and again.
    #[cfg(test)]
    pub(crate) fn repeating(bytes: [u8; 16]) -> Self {
        let mut endless = bytes.into_iter().cycle();
        Self(Box::new(move |out| out.iter_mut().for_each(|byte| *byte = endless.next().expect("endless"))))
    }

    /// The next bytes.
    pub fn read<const LEN: usize>(&mut self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        self.0(&mut bytes);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn packing_by_hand() {
        assert_eq!(pack(&[1, 2, 3], 2), [0b11_1001]);
        assert_eq!(pack(&[0x123, 0xabc], 12), [0x23, 0xc1, 0xab]);
        assert_eq!(unpack(&[0b11_1001], 2, 3), Some(vec![1, 2, 3]));
        assert_eq!(unpack(&[0b111_1001], 2, 3), None, "a bit of nobody's");
        assert_eq!(unpack(&[1, 0], 2, 3), None, "a byte too many");
        assert_eq!(unpack_below(&[0b11_1001], 4, 3), Some(vec![1, 2, 3]));
        assert_eq!(unpack_below(&[0b11_1001], 3, 3), None);
        assert_eq!([0, 1, 2, 255, 256].map(bits_of), [1, 1, 2, 8, 9]);
    }

    #[test]
    fn unpacking_is_the_inverse() {
        let mut random = Random(5);
        for width in 1..=63 {
            let numbers = random.poly(13, 1 << width);
            assert_eq!(unpack(&pack(&numbers, width), width, 13), Some(numbers));
        }
    }

    #[test]
    fn streams_do_not_depend_on_how_they_are_read() {
        for make in
            [|| Stream::shake128(&[b"a", b"b"]), || Stream::shake256(&[b"ab"]), || Stream::chacha20(&[1; 32], 7)]
        {
            let whole: [u8; 300] = make().read();
            let mut stream = make();
            assert_eq!(stream.read::<200>()[..], whole[..200]);
            assert_eq!(stream.read::<100>()[..], whole[200..]);
        }
        // The first bytes of SHAKE-128 and SHAKE-256 of nothing, from FIPS 202's examples.
        assert_eq!(Stream::shake128(&[]).read(), [0x7f, 0x9c, 0x2b, 0xa4]);
        assert_eq!(Stream::shake256(&[]).read(), [0x46, 0xb9, 0xdd, 0x2b]);
        // And of ChaCha20 with key and nonce zero.
        assert_eq!(Stream::chacha20(&[0; 32], 0).read(), [0x76, 0xb8, 0xe0, 0xad]);
    }
}
