//! Message bits to coefficients and back: a bit is encoded as 0 or `(q-1)/2`.

use crate::ct::Wiped;
use lanes::Opaque;

/// Adds `⌊q/2⌋` to every coefficient whose bit is one, least significant bit first.
///
/// **Constant time:** yes.
pub(super) fn add_message(q: u16, message: &[u8], coefficients: &mut [i16]) {
    let half = (q >> 1) as i16;
    for (eight, byte) in coefficients.as_chunks_mut::<8>().0.iter_mut().zip(message) {
        for (bit, c) in eight.iter_mut().enumerate() {
            *c += half & (-i16::from(byte >> bit & 1)).opaque();
        }
    }
}

/// Decodes coefficients in `[0, q)`: a bit is one if the absolute value of the centred coefficient
/// exceeds `q/4`.
///
/// **Constant time:** yes.
pub(super) fn message(q: u16, coefficients: &[i16], message: &mut [u8]) {
    // q/4 < c < 3q/4, or with m = ⌊q/4⌋: m < c < q - m.
    let quarter = (q >> 2) as i16;
    let width = q as i16 - 2 * quarter - 1;
    let mut bits = Wiped::zeros(coefficients.len());
    for (bit, c) in bits.iter_mut().zip(coefficients) {
        // x = c - (m + 1) is in [0, width): neither x nor width - 1 - x is negative.
        let x = c - (quarter + 1);
        *bit = 1 + ((x | (width - 1 - x)) >> 15).opaque();
    }
    bits_to_bytes(&bits, message);
}

/// Packs words 0 or 1 into bytes.
pub(super) fn bits_to_bytes(bits: &[i16], bytes: &mut [u8]) {
    for (eight, byte) in bits.as_chunks::<8>().0.iter().zip(bytes) {
        *byte = eight.iter().rev().fold(0, |byte, bit| byte << 1 | *bit as u8);
    }
}

/// Unpacks bytes into words 0 or 1.
pub(super) fn bytes_to_bits(bytes: &[u8], bits: &mut [i16]) {
    for (eight, byte) in bits.as_chunks_mut::<8>().0.iter_mut().zip(bytes) {
        for (i, bit) in eight.iter_mut().enumerate() {
            *bit = i16::from(byte >> i & 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coefficient_is_decoded_as_defined() {
        for q in [7681_u16, 12289] {
            let all: Vec<i16> = (0..q as i16).collect();
            for eight in all.chunks_exact(8) {
                let mut byte = [0];
                message(q, eight, &mut byte);
                for (i, &c) in eight.iter().enumerate() {
                    let centred = if 2 * i32::from(c) > i32::from(q) { i32::from(c) - i32::from(q) } else { c.into() };
                    assert_eq!(byte[0] >> i & 1 == 1, 4 * centred.abs() > i32::from(q), "{c} modulo {q}");
                }
            }
        }
    }

    #[test]
    fn messages_there_and_back() {
        let bytes: Vec<u8> = (0..32).map(|i| (i * 37 + 11) as u8).collect();
        let mut coefficients = vec![0; 256];
        add_message(7681, &bytes, &mut coefficients);
        let mut back = vec![0; 32];
        message(7681, &coefficients, &mut back);
        assert_eq!(back, bytes);
        bytes_to_bits(&bytes, &mut coefficients);
        bits_to_bytes(&coefficients, &mut back);
        assert_eq!(back, bytes);
    }
}
