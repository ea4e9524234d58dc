//! The ring and the sizes.

use crate::{
    estimate::{
        self, Estimate, Shape,
        failure::{self, Distribution},
    },
    ring,
};

/// Bytes of a public key: a packed polynomial.
pub const PUBLIC_KEY_BYTES: usize = POLYNOMIAL_BYTES;
/// Bytes of a secret key: a packed polynomial and the public key.
pub const SECRET_KEY_BYTES: usize = POLYNOMIAL_BYTES + PUBLIC_KEY_BYTES;
/// Bytes of a ciphertext: a packed polynomial.
pub const CIPHERTEXT_BYTES: usize = POLYNOMIAL_BYTES;
/// Bytes of a seed and of the shared key.
pub const SEED_BYTES: usize = 32;

/// The primitive 768th root of unity that numbers the slots.
pub const ROOT: u64 = 20;

pub(super) const N: usize = 768;
pub(super) const Q: u16 = 7681;
/// Bits of a packed slot value.
pub(super) const BITS: usize = 13;
pub(super) const POLYNOMIAL_BYTES: usize = (N >> 3) * BITS;

const _: () = assert!(PUBLIC_KEY_BYTES == 1248 && SECRET_KEY_BYTES == 2496 && CIPHERTEXT_BYTES == 1248);
const _: () = assert!(Q >> BITS == 0 && Q >> (BITS - 1) == 1);

/// The ring of NTTRU: `Z_7681[X]/(X^768 - X^384 + 1)`, in 256 slots of degree three.
#[derive(Clone, Copy, Debug)]
pub struct NttruRing;

impl ring::Parameters for NttruRing {
    const N: usize = N;
    const Q: u16 = Q;
    const KIND: ntt::Ring = ntt::Ring::Trinomial;
    const ROOT: Option<u64> = Some(ROOT);

    /// Pairs of slots, modulo `X^3 - 20^e` and `X^3 + 20^e`, are numbered in the order in which
    /// splitting reaches them; 16 pairs are written at a time: coefficient 0 of the first slot of
    /// every pair, then 1 and 2, then those of the second slots.
    fn place(slot: usize, coefficient: usize, _degree: usize) -> usize {
        let number = split_number(ntt::Ring::Trinomial.exponent_of(slot));
        let (pair, second) = (number >> 1, number & 1);
        let vector = 6 * (pair >> 4) + 3 * second + coefficient;
        vector << 4 | (pair & 15)
    }
}

/// log2 of the probability that an honest ciphertext is rejected: one of the `n` coefficients of
/// `3(g'·r + m·f') + m` exceeds `(q - 1)/2`.
///
/// With `Y = X^(n/2)` and `Y² = Y - 1`, the worst coefficients of a product are sums over `n/2`
/// pairs of halves of `a·b + a·b' + a'·b`, three products that share their factors; other
/// coefficients have two such products. The bound takes every coefficient for a worst one and the
/// `n` terms of both products for independent, which they are within one coefficient. Takes some
/// tenths of a second.
pub fn failure_log2() -> f64 {
    let computed = || -> Result<f64, failure::Error> {
        let short = [5.0 / 16.0, 6.0 / 16.0, 5.0 / 16.0];
        let sum = Distribution::around_zero(pair_of_halves(short))?.times(N as u64)?;
        #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
        const LIMIT: u64 = ((Q as u64 >> 1) - 1) / 3;
        Ok(sum.tail(LIMIT) + (N as f64).log2())
    };
    computed().expect("these distributions are within limits")
}

/// The distribution of `a·b + a·b' + a'·b` for independent ternary numbers: the probabilities of -3
/// to 3.
fn pair_of_halves(ternary: [f64; 3]) -> [f64; 7] {
    let mut weights = [0.0; 7];
    let values = || [-1_i32, 0, 1].into_iter().zip(ternary);
    for (a, of_a) in values() {
        for (b, of_b) in values() {
            for (c, of_c) in values() {
                for (d, of_d) in values() {
                    weights[(a * b + a * d + c * b + 3) as usize] += of_a * of_b * of_c * of_d;
                }
            }
        }
    }
    weights
}

/// The cost of finding the secret key.
///
/// **Errors** if no attack of the model succeeds.
pub fn security() -> Result<Estimate, estimate::Error> {
    let short = Shape::Ternary(10.0 / 16.0);
    estimate::Ntru { n: N, q: u64::from(Q).into(), f: short, g: short }.security()
}

/// The number that splitting gives to the slot modulo `X^3 - 20^exponent`.
///
/// The first layer splits into `X^384 - 20^128` and `X^384 - 20^640`; the others split
/// `X^2d - 20^e` into `X^d - 20^(e/2)` and `X^d - 20^(e/2 + 384)`. Backwards, `e ≥ 384` says which
/// of the two it was, and `2e mod 768` is the exponent before the split.
const fn split_number(exponent: usize) -> usize {
    let (mut e, mut number, mut layer) = (exponent, 0, 0);
    while layer < 7 {
        let second = (e >= 384) as usize;
        number |= second << layer;
        e = 2 * (e - 384 * second);
        layer += 1;
    }
    number | ((e == 640) as usize) << 7
}

const _: () = assert!(split_number(1) == 0 && split_number(1 + 384) == 1 && split_number(193) == 2);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::Parameters;

    #[test]
    fn every_place_is_taken_once() {
        let mut taken = [false; N];
        for slot in 0..256 {
            (0..3).for_each(|coefficient| taken[NttruRing::place(slot, coefficient, 3)] = true);
        }
        assert!(taken.iter().all(|&t| t));
    }

    #[test]
    fn safe_and_never_wrong() {
        assert!(failure_log2() < -300.0, "{}", failure_log2());
        assert!(security().unwrap().classical_bits > 128.0);
    }

    /// Splitting from the top gives the exponents in the order of their numbers.
    #[test]
    fn numbers_are_those_of_the_splitting() {
        let mut exponents = vec![128, 640];
        while exponents.len() < 256 {
            exponents = exponents.into_iter().flat_map(|e| [e >> 1, (e >> 1) + 384]).collect();
        }
        assert!(exponents.into_iter().map(split_number).eq(0..256));
    }
}
