//! Section 4.2.1: `ByteEncode`, `ByteDecode` (algorithms 5 and 6), and `Compress`, `Decompress`.

use super::params::{N, Q, encoded};
use crate::eights;
use lanes::{Backend, Lanes16, Task16};

/// Algorithm 5: values of `bits` bits, 256 to a polynomial.
pub(super) fn byte_encode(bits: u32, values: &[i16], bytes: &mut [u8]) {
    debug_assert_eq!(bytes.len(), encoded(bits) * (values.len() >> 8));
    eights::pack(bits, values, bytes);
}

/// Algorithm 6 for fewer than 12 bits, where every value is valid.
pub(super) fn byte_decode(backend: Backend, bits: u32, bytes: &[u8], values: &mut [i16]) {
    debug_assert_eq!(bytes.len(), encoded(bits) * (values.len() >> 8));
    eights::unpack(backend, bits, bytes, values);
}

/// `Compress_bits` in place: `⌈2^bits/q · x⌋ mod 2^bits` of each `x` in `[0, q)`; `bits ≤ 11`.
pub(super) fn compress(backend: Backend, bits: u32, values: &mut [i16]) {
    debug_assert!((1..=11).contains(&bits) && values.len() & (N - 1) == 0);
    backend.run16(Compress { bits, values });
}

/// `Decompress_bits` in place: `⌈q/2^bits · y⌋` of each `y` below `2^bits`.
pub(super) fn decompress(backend: Backend, bits: u32, values: &mut [i16]) {
    debug_assert!((1..=11).contains(&bits) && values.len() & (N - 1) == 0);
    backend.run16(Decompress { bits, values });
}

struct Compress<'a> {
    bits: u32,
    values: &'a mut [i16],
}

impl Task16 for Compress<'_> {
    type Output = ();

    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn run<L: Lanes16>(self, l: L) {
        // An estimate of the quotient that is at most one off, and its remainder modulo 2^16.
        let factor = l.splat(((1_u32 << (15 + self.bits)) / u32::from(Q)) as i16);
        let (q, half, mask) = (l.splat(Q as i16), l.splat(Q as i16 >> 1), l.splat((1 << self.bits) - 1));
        for values in L::blocks_mut(self.values) {
            let x = l.load(values);
            let quotient = l.mul_hi(l.add(x, x), factor);
            let scaled = l.add(l.shl_by(x, self.bits), half);
            let rest = l.sub(scaled, l.mul_lo(quotient, q)); // in (-q, 2q)
            let too_small = l.negative(l.sub(l.sub(q, l.splat(1)), rest)); // all ones where rest >= q
            let too_large = l.negative(rest);
            l.store(values, l.and(l.add(l.sub(quotient, too_small), too_large), mask));
        }
    }
}

struct Decompress<'a> {
    bits: u32,
    values: &'a mut [i16],
}

impl Task16 for Decompress<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        // floor((q·y·2^(15-bits) + 2^14) / 2^15)
        let q = l.splat(Q as i16);
        for values in L::blocks_mut(self.values) {
            let scaled = l.shl_by(l.load(values), 15 - self.bits);
            l.store(values, l.mul_round(scaled, q));
        }
    }
}

#[cfg(test)]
#[expect(clippy::integer_division_remainder_used, reason = "tests of known numbers")]
mod tests {
    use super::*;

    #[test]
    fn compression_is_rounding() {
        let q = u64::from(Q);
        let all: Vec<i16> =
            (0..13 * N).map(|i| (i % Q as usize) as i16).chain((3073..3329).map(|i| i as i16)).collect();
        for backend in Backend::available() {
            for bits in [1, 4, 5, 10, 11] {
                let mut values = all.clone();
                compress(backend, bits, &mut values);
                for (&x, &y) in all.iter().zip(&values) {
                    let rounded = ((x as u64) << bits).wrapping_mul(2).wrapping_add(q) / (2 * q);
                    assert_eq!(y as u64, rounded & ((1 << bits) - 1), "{x} to {bits} bits on {backend}");
                }
                let mut values: Vec<i16> = (0..2048).map(|y| y & ((1 << bits) - 1)).collect();
                let compressed = values.clone();
                decompress(backend, bits, &mut values);
                for (&y, &x) in compressed.iter().zip(&values) {
                    assert_eq!(x as u64, (q * y as u64 * 2 + (1 << bits)) >> (bits + 1), "{y} of {bits} bits");
                }
            }
        }
    }
}
