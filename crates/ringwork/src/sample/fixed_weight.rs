//! Polynomials of fixed weight: the challenge set `{c : ‖c‖∞ = 1, ‖c‖₁ = weight}`.
//!
//! Signs first, then an inside-out shuffle: for `i = n - weight, …, n - 1` draw `j` uniform in
//! `[0, i]` by rejection, move `c_j` to `c_i` and put the next sign at `j`. Every set of positions
//! arises from equally many choices, so the result is uniform. For `n = 256` this is SampleInBall
//! of FIPS 204, algorithm 29.
//!
//! Source of the set: Baum, Damgård, Lyubashevsky, Oechsner, Peikert, *More efficient commitments
//! from structured lattice assumptions* (2018), section 3.

use super::{SampleError, Word};
use crate::xof::ByteStream;
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

/// The most coefficients of [`FixedWeight`].
pub(super) const MAX_N: usize = 1 << 24;

/// The uniform distribution on polynomials of `n` coefficients, `weight` of them ±1 and the
/// others 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedWeight {
    n: usize,
    weight: usize,
}

/// A polynomial with coefficients -1, 0 and 1, public.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    n: usize,
    terms: Vec<(u32, i8)>,
}

impl FixedWeight {
    /// **Errors** unless `1 ≤ weight ≤ n ≤ 2^24`.
    pub const fn new(n: usize, weight: usize) -> Result<Self, SampleError> {
        if weight == 0 || weight > n || n > MAX_N {
            return Err(SampleError::Weight { n, weight });
        }
        Ok(Self { n, weight })
    }

    /// Draws one polynomial.
    ///
    /// Reads `8·ceil(weight/64)` bytes: bit `i` is the `i`-th sign, 1 for -1. Then for each
    /// candidate `j` it reads the fewest bytes that hold `n - 1`, little-endian, and uses as many
    /// bits as `n - 1` has.
    ///
    /// **Constant time:** no: for public values.
    #[cfg(feature = "alloc")]
    pub fn sample_vartime(self, stream: &mut impl ByteStream) -> Challenge {
        let mut coefficients = vec![0_i8; self.n];
        self.shuffle(stream, &mut coefficients, [1, -1], &mut vec![0; self.sign_bytes()]);
        let mut terms = Vec::with_capacity(self.weight);
        terms.extend((0..).zip(coefficients).filter(|(_, c)| *c != 0));
        Challenge { n: self.n, terms }
    }

    /// Writes all coefficients of what [`sample_vartime`](Self::sample_vartime) would draw.
    ///
    /// **Panics** unless `out` has length `n`, and the weight is at most 256.
    pub(crate) fn write_vartime<W: Word>(self, stream: &mut impl ByteStream, out: &mut [W]) {
        assert!(out.len() == self.n, "a challenge of {} coefficients for {}", self.n, out.len());
        out.fill(W::default());
        self.shuffle(stream, out, [1, -1].map(W::truncate), &mut [0; 32][..self.sign_bytes()]);
    }

    /// Bytes of the signs.
    const fn sign_bytes(self) -> usize {
        8 * self.weight.div_ceil(64)
    }

    /// The shuffle, starting from zeros, with room for the signs.
    fn shuffle<T: Copy>(self, stream: &mut impl ByteStream, coefficients: &mut [T], ones: [T; 2], signs: &mut [u8]) {
        stream.read(signs);
        let bits = (self.n - 1).checked_ilog2().map_or(0, |top| top + 1);
        let mut candidate = [0; 4];
        for (term, i) in (self.n - self.weight..self.n).enumerate() {
            let j = loop {
                stream.read(&mut candidate[..bits.div_ceil(8) as usize]);
                let j = u32::from_le_bytes(candidate) as usize & ((1 << bits) - 1);
                if j <= i {
                    break j;
                }
            };
            coefficients[i] = coefficients[j];
            coefficients[j] = ones[usize::from(signs[term >> 3] >> (term & 7) & 1)];
        }
    }
}

#[cfg(feature = "alloc")]
impl Challenge {
    /// Positions and signs (1 or -1) of the non-zero coefficients, by rising position.
    pub fn terms(&self) -> &[(u32, i8)] {
        &self.terms
    }

    /// The number of coefficients.
    pub const fn degree(&self) -> usize {
        self.n
    }

    /// Writes all coefficients.
    ///
    /// **Panics** unless the length of `out` is [`degree`](Self::degree).
    pub fn write<W: Word>(&self, out: &mut [W]) {
        assert!(out.len() == self.n, "a challenge of {} coefficients for {}", self.n, out.len());
        out.fill(W::default());
        for &(position, sign) in &self.terms {
            out[position as usize] = W::truncate(sign.into());
        }
    }
}

#[cfg(test)]
#[expect(clippy::integer_division_remainder_used, reason = "tests of known numbers")]
mod tests {
    use super::{super::testing::*, *};
    use crate::xof::{ChaCha20, Shake256};

    #[test]
    fn weight_and_signs_are_right() {
        let mut stream = ChaCha20::new(&[8; 32], [0; 8]);
        for (n, weight) in [(1, 1), (2, 1), (7, 7), (256, 60), (300, 39), (1024, 36), (70_000, 70)] {
            let challenge = FixedWeight::new(n, weight).unwrap().sample_vartime(&mut stream);
            let mut coefficients = vec![7_i32; n];
            challenge.write(&mut coefficients);
            assert_eq!(coefficients.iter().map(|c| c.unsigned_abs() as usize).sum::<usize>(), weight);
            assert!(coefficients.iter().all(|c| c.abs() <= 1));
            let terms = challenge.terms();
            assert!(terms.len() == weight && terms.is_sorted_by(|a, b| a.0 < b.0));
            assert!(terms.iter().all(|&(i, sign)| coefficients[i as usize] == sign.into()));
        }
    }

    /// All 2^2 · C(5, 2) polynomials of weight 2 are equally likely.
    #[test]
    fn every_member_of_the_set_is_as_likely() {
        let set = FixedWeight::new(5, 2).unwrap();
        let mut stream = ChaCha20::new(&[9; 32], [0; 8]);
        let mut counts = std::collections::BTreeMap::new();
        (0..40_000).for_each(|_| *counts.entry(set.sample_vartime(&mut stream).terms).or_insert(0.0) += 1.0);
        assert_eq!(counts.len(), 40);
        let counts: Vec<f64> = counts.into_values().collect();
        let (chi_square, cells) = chi_square(&counts, &[1000.0; 40]);
        assert!(chi_square < chi_square_limit(cells), "{counts:?}");
    }

    /// SampleInBall as FIPS 204 writes it.
    #[test]
    fn for_256_coefficients_it_is_sample_in_ball() {
        for weight in [39, 49, 60] {
            let seed = [weight as u8; 32];
            let mut stream = Shake256::new(&seed);
            let mut s = [0; 8];
            stream.read(&mut s);
            let mut expected = [0_i16; 256];
            for i in 256 - weight..256 {
                let mut j = [0];
                stream.read(&mut j);
                while usize::from(j[0]) > i {
                    stream.read(&mut j);
                }
                let h = i + weight - 256;
                expected[i] = expected[usize::from(j[0])];
                expected[usize::from(j[0])] = if s[h / 8] >> (h % 8) & 1 == 1 { -1 } else { 1 };
            }
            let mut out = [0_i16; 256];
            FixedWeight::new(256, weight).unwrap().sample_vartime(&mut Shake256::new(&seed)).write(&mut out);
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn impossible_weights_are_refused() {
        for (n, weight, text) in [
            (8, 9, "weight 9 is not in 1..=8, the number of coefficients"),
            (8, 0, "weight 0 is not in 1..=8, the number of coefficients"),
            (0, 0, "0 coefficients are not in 1..=16777216"),
            (1 << 25, 5, "33554432 coefficients are not in 1..=16777216"),
        ] {
            assert_eq!(FixedWeight::new(n, weight).unwrap_err().to_string(), text);
        }
    }
}
