//! The distribution β_2: `b_0 + b_1 - b_2 - b_3 mod± 3` for uniform bits, in the form of NTTRU's
//! code.
//!
//! A nibble `t` is one coefficient: bits `t` and `t + 1` of `0xA815`, minus one. As a formula, the
//! coefficient is `t mod 2` for `t ≤ 4`, -1 for `5 ≤ t ≤ 9`, and `1 - t mod 2` above: 0 has
//! probability 6/16, 1 and -1 have 5/16 each.
//!
//! - **Order:** natural; a byte holds two coefficients, the first one in its low half.
//! - **Range:** `[-1, 1]`, variance 5/8, before the factor.
//! - **Constant time:** yes; comparisons give masks.
//!
//! Source: Lyubashevsky, Seiler, *NTTRU* (2019), section 2, and the designers' code.

use lanes::{Backend, Lanes16, Task16};

/// The distribution β_2, times a factor.
#[derive(Clone, Copy, Debug)]
pub struct Ternary {
    /// The factor of the coefficients.
    pub factor: i16,
}

impl Ternary {
    /// Coefficients drawn at a time; lengths are multiples of it.
    pub const BLOCK: usize = 16;

    /// Fills `out` from `bytes`, two coefficients from each.
    ///
    /// **Panics** unless the number of coefficients is a multiple of [`BLOCK`](Self::BLOCK) and
    /// there are half as many bytes.
    pub fn sample(self, backend: Backend, out: &mut [i16], bytes: &[u8]) {
        let (whole, rest) = out.as_chunks_mut::<{ Self::BLOCK }>();
        assert!(rest.is_empty(), "{} coefficients in blocks of {}", 16 * whole.len() + rest.len(), Self::BLOCK);
        let (eights, rest) = bytes.as_chunks();
        assert!(rest.is_empty() && eights.len() == whole.len(), "two coefficients per byte");
        backend.at_most(Self::BLOCK, 16).run16(Draw { factor: self.factor, out: whole, bytes: eights });
    }
}

/// Multipliers that move a nibble of a byte to bits 4 to 7.
const RAISE: [i16; Ternary::BLOCK] = [16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1];

struct Draw<'a> {
    factor: i16,
    out: &'a mut [[i16; Ternary::BLOCK]],
    bytes: &'a [[u8; Ternary::BLOCK >> 1]],
}

impl Task16 for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        // t is in bits 4 to 7
        let (mask, four, nine) = (l.splat(15 << 4), l.splat(4 << 4), l.splat(9 << 4));
        let (one, factor) = (l.splat(1), l.splat(self.factor));
        for (out, bytes) in self.out.iter_mut().zip(self.bytes) {
            let mut twice = [0; Ternary::BLOCK];
            for i in 0..Ternary::BLOCK {
                twice[i] = i16::from(bytes[i >> 1]);
            }
            let words = L::blocks(&twice).iter().zip(L::blocks(&RAISE));
            for (out, (byte, raise)) in L::blocks_mut(out).iter_mut().zip(words) {
                let t = l.and(l.mul_lo(l.load(byte), l.load(raise)), mask);
                let (above_four, above_nine) = (l.gt(t, four), l.gt(t, nine));
                let parity = l.and(l.xor(l.shr::<4>(t), above_nine), one);
                let x = l.or(parity, l.xor(above_four, above_nine));
                l.store(out, l.mul_lo(x, factor));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_draws_the_definition() {
        let bytes: Vec<u8> = (0..=255).collect();
        let defined = |t: u8| i16::try_from(0xA815_u32 >> t & 3).unwrap() - 1;
        for backend in Backend::available() {
            let mut out = [9; 512];
            Ternary { factor: 5 }.sample(backend, &mut out, &bytes);
            for (i, &x) in out.iter().enumerate() {
                assert_eq!(x, 5 * defined(bytes[i >> 1] >> (4 * (i & 1)) & 15), "{i}, {backend}");
            }
        }
    }

    /// Each value has the same number of nibbles as it has combinations of four bits.
    #[test]
    fn the_distribution_is_that_of_four_bits() {
        let mut out = [9; 16];
        Ternary { factor: 1 }.sample(Backend::best(), &mut out, &[0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]);
        let count = |x| out.iter().filter(|&&y| y == x).count();
        let sums = (0..16).map(|b: i16| (b & 1) + (b >> 1 & 1) - (b >> 2 & 1) - (b >> 3));
        let reduced: Vec<i16> = sums
            .map(|s| {
                if s == 2 {
                    -1
                } else if s == -2 {
                    1
                } else {
                    s
                }
            })
            .collect();
        for x in [-1, 0, 1] {
            assert_eq!(count(x), reduced.iter().filter(|&&y| y == x).count(), "{x}");
        }
    }

    #[test]
    #[should_panic(expected = "two coefficients per byte")]
    fn lengths_are_checked() {
        Ternary { factor: 1 }.sample(Backend::Scalar, &mut [0; 32], &[0; 8]);
    }
}
