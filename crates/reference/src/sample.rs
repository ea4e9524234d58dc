//! Samplers: what polynomial is made of which bytes; discrete Gaussians by their formula, in
//! integers of any size; and Knuth and Yao's walk.
//!
//! The Gaussian has `P(x) = e^(-x²/2s²) / Σ_k e^(-k²/2s²)` over all integers `k`, with
//! `s² = sigma²/divisor`: `sigma` is a floating-point number and stands for exactly the binary
//! number that it is.

use crate::bytes::{Stream, bits_of, number_at, unpack};
use num_bigint::BigUint;

/// Uniform numbers modulo q, by rejection: each piece of 168 bytes, a block of SHAKE-128, is a
/// string of bits. Its numbers of ⌈log2 q⌉ bits count if they are below q, and the bits behind its
/// last whole number are thrown away.
///
/// Source: with q = 3329 this is SampleNTT of FIPS 203, algorithm 7.
pub fn uniform_mod(q: u64, stream: &mut Stream, count: usize) -> Vec<u64> {
    let width = bits_of(q - 1);
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let piece: [u8; 168] = stream.read();
        let whole = 168 * 8 / width as usize;
        let candidates = (0..whole).map(|i| number_at(&piece, i * width as usize, width));
        numbers.extend(candidates.filter(|&x| x < q));
    }
    numbers.truncate(count);
    numbers
}

/// Uniform numbers from −β to β: sixteen bytes are a little-endian number u, and the digits of the
/// fraction u/2^128 in base N = 2β + 1, the first one first, are numbers plus β. A u gives m
/// digits, as many as N^m ≤ 2^36 allows.
pub fn uniform(beta: u32, stream: &mut Stream, count: usize) -> Vec<i64> {
    let base = 2 * u64::from(beta) + 1;
    let digits = (1..).take_while(|&m| base.pow(m) <= 1 << 36).count();
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let mut fraction = BigUint::from_bytes_le(&stream.read::<16>());
        for _ in 0..digits {
            let scaled = fraction * base;
            let digit = (&scaled >> 128_u32).iter_u64_digits().next().unwrap_or(0);
            fraction = scaled - (BigUint::from(digit) << 128_u32);
            numbers.push(digit as i64 - i64::from(beta));
        }
    }
    numbers.truncate(count);
    numbers
}

/// Uniform bits: those of the stream, the lowest of each byte first.
pub fn binary(stream: &mut Stream, count: usize) -> Vec<i64> {
    assert!(count.is_multiple_of(8), "whole bytes");
    (0..count / 8).flat_map(|_| unpack(&stream.read::<1>(), 1, 8).expect("eight bits")).map(|x| x as i64).collect()
}

/// A polynomial of n coefficients, `weight` of them ±1 and the others 0.
///
/// 8·⌈weight/64⌉ bytes hold the signs, the lowest bit of a byte first, 1 for −1. Then for i from n
/// − weight to n − 1 a number j in [0, i] is drawn by rejection, each candidate from the fewest
/// bytes that hold n − 1, of which the bits of n − 1 count; c_i becomes c_j, and c_j becomes the
/// next sign.
///
/// Source: with n = 256 this is SampleInBall of FIPS 204, algorithm 29.
pub fn fixed_weight(n: usize, weight: usize, stream: &mut Stream) -> Vec<i64> {
    let sign_bytes: Vec<u8> = (0..weight.div_ceil(64)).flat_map(|_| stream.read::<8>()).collect();
    let width = bits_of(n as u64 - 1);
    let mut candidate = || {
        let bytes: Vec<u8> = (0..width.div_ceil(8)).map(|_| stream.read::<1>()[0]).collect();
        number_at(&bytes, 0, width) as usize
    };
    let mut c = vec![0; n];
    for (sign, i) in (n - weight..n).enumerate() {
        let j = loop {
            let j = candidate();
            if j <= i {
                break j;
            }
        };
        c[i] = c[j];
        c[j] = 1 - 2 * number_at(&sign_bytes, sign, 1) as i64;
    }
    c
}

/// Fractional bits in which exponentials are computed, far more than anybody asks for.
const BITS: u64 = 512;

/// `floor(2^BITS / e^(numerator/denominator))`, give or take a few.
fn exponential(numerator: &BigUint, denominator: &BigUint) -> BigUint {
    let one = BigUint::from(1_u8) << BITS;
    // e^a = Σ a^n/n!, whose terms are all positive.
    let (mut sum, mut term, mut n) = (BigUint::ZERO, one.clone(), 0_u32);
    while term != BigUint::ZERO {
        sum += &term;
        n += 1;
        term = term * numerator / (denominator * n);
    }
    (&one * &one) / sum
}

/// `P(|x| = k)` for `k = 0, 1, …`, as far as it is 2^-300 or more, all times `2^bits` and rounded
/// down; `bits` up to 300.
///
/// **Panics** unless `sigma` is a normal positive number.
pub fn gaussian(sigma: f64, divisor: u64, bits: u64) -> Vec<BigUint> {
    assert!(sigma.is_normal() && sigma > 0.0 && bits <= 300);
    // sigma = mantissa · 2^exponent with an integer mantissa, so x²·divisor/2sigma² =
    // x²·divisor·2^(-2·exponent-1)/mantissa².
    let mut mantissa = sigma;
    let mut exponent = 0_i32;
    while mantissa.fract() != 0.0 {
        mantissa *= 2.0;
        exponent -= 1;
    }
    let square = BigUint::from(mantissa as u128) * mantissa as u128;
    let numerator = BigUint::from(divisor) << (-2 * exponent) as u64;
    let denominator = square * 2_u8;

    let smallest = BigUint::from(1_u8) << (BITS - 310);
    let weights = (0_u64..)
        .map(|k| exponential(&(&numerator * k * k), &denominator) * if k == 0 { 1_u8 } else { 2 })
        .take_while(|weight| *weight >= smallest)
        .collect::<Vec<_>>();
    let sum: BigUint = weights.iter().sum();
    weights.into_iter().map(|weight| (weight << bits) / &sum).collect()
}

/// The probability matrix of Knuth and Yao: row `k` has the first `columns` binary digits of
/// `P(|x| = k)`, for `k` up to `12·sigma`.
pub fn probability_matrix(sigma: f64, columns: u64) -> Vec<Vec<bool>> {
    let rows = (12.0 * sigma).floor() as usize + 1;
    let row = |p: &BigUint| (1..=columns).map(|column| p.bit(columns - column)).collect();
    gaussian(sigma, 1, columns).iter().take(rows).map(row).collect()
}

/// Knuth and Yao's walk: in each column the distance to the visited node is doubled and a random
/// bit is added, then each 1 of the column, from the last row up, takes one away; the row that
/// would make it negative is the sample.
///
/// `None` if the matrix ends first.
///
/// Source: Sinha Roy, Vercauteren, Verbauwhede, *High precision discrete Gaussian sampling on
/// FPGAs* (2013), algorithm 1.
pub fn knuth_yao(matrix: &[Vec<bool>], mut random_bit: impl FnMut() -> bool) -> Option<usize> {
    let mut distance = 0;
    for column in 0..matrix[0].len() {
        distance = 2 * distance + i64::from(random_bit());
        for row in (0..matrix.len()).rev() {
            distance -= i64::from(matrix[row][column]);
            if distance == -1 {
                return Some(row);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn uniform_numbers_are_uniform() {
        let mut stream = Stream::shake128(&[b"uniform"]);
        let numbers = uniform_mod(5, &mut stream, 10_000);
        assert!((0..5).all(|x| (1850..2150).contains(&numbers.iter().filter(|&&y| y == x).count())));
        let mut stream = Stream::chacha20(&[1; 32], 0);
        let numbers = uniform(2, &mut stream, 10_000);
        assert!((-2..=2).all(|x| (1850..2150).contains(&numbers.iter().filter(|&&y| y == x).count())));
        let bits = binary(&mut stream, 10_000);
        assert!((4800..5200).contains(&bits.iter().sum::<i64>()) && bits.iter().all(|x| [0, 1].contains(x)));
    }

    /// For N = 3 there are 22 digits, the first of which is ⌊3u/2^128⌋.
    #[test]
    fn digits_of_a_fraction() {
        let third: u128 = u128::MAX / 3; // 0.0222… in base 3
        let mut twice = Stream::repeating(third.to_le_bytes());
        let mut expected = vec![1; 22];
        expected[0] = -1;
        assert_eq!(uniform(1, &mut twice, 44), [expected.clone(), expected].concat());
    }

    #[test]
    fn weights_are_fixed_and_positions_uniform() {
        let mut stream = Stream::shake256(&[b"challenges"]);
        let (mut counts, mut minus) = ([0; 8], 0);
        for _ in 0..8000 {
            let c = fixed_weight(8, 3, &mut stream);
            assert_eq!(c.iter().map(|x| x.abs()).sum::<i64>(), 3);
            c.iter().zip(&mut counts).for_each(|(x, count)| *count += x.abs());
            minus += c.iter().filter(|x| **x == -1).count();
        }
        assert!(counts.iter().all(|count| (2800..3200).contains(count)), "{counts:?}");
        assert!((11_700..12_300).contains(&minus));
    }

    #[test]
    fn exponentials_are_those_of_floating_point() {
        for (numerator, denominator) in [(0_u32, 1_u32), (1, 1), (1, 3), (7, 2), (30, 1)] {
            let scaled = exponential(&numerator.into(), &denominator.into()) >> (BITS - 100);
            let value = u128::try_from(scaled).unwrap() as f64 / 2_f64.powi(100);
            let expected = (-f64::from(numerator) / f64::from(denominator)).exp();
            assert!((value / expected - 1.0).abs() < 1e-15, "{numerator}/{denominator}: {value}");
        }
        // The first digits of 1/e, from OEIS A068985.
        let forty: BigUint = (exponential(&1_u8.into(), &1_u8.into()) * BigUint::from(10_u8).pow(40)) >> BITS;
        assert_eq!(forty.to_string(), "3678794411714423215955237701614608674458");
    }

    #[test]
    fn probabilities_add_up() {
        for (sigma, divisor) in [(0.5, 1), (4.516, 1), (215.0, 101)] {
            let sum: BigUint = gaussian(sigma, divisor, 256).iter().sum();
            let missing = (BigUint::from(1_u8) << 256_u16) - sum;
            assert!(missing.bits() < 12, "{sigma}: rounding alone is missing");
        }
    }

    /// The share of each outcome is its row, read as a binary number.
    #[test]
    fn the_walk_draws_each_row_as_often_as_it_says() {
        let matrix = probability_matrix(1.5, 14);
        let mut counts = vec![0; matrix.len()];
        for bits in 0..1_u32 << 14 {
            let mut digits = (0..14).rev().map(|i| bits >> i & 1 == 1);
            if let Some(row) = knuth_yao(&matrix, || digits.next().unwrap()) {
                counts[row] += 1;
            }
        }
        for (row, count) in matrix.iter().zip(counts) {
            assert_eq!(row.iter().fold(0, |number, &digit| 2 * number + u32::from(digit)), count);
        }
    }

    #[test]
    fn the_walk_has_the_variance_of_the_gaussian() {
        let matrix = probability_matrix(4.516, 109);
        assert_eq!((matrix.len(), matrix[0].len()), (55, 109));
        let mut random = Random(1);
        let total = 40_000;
        let squares: usize =
            (0..total).filter_map(|_| knuth_yao(&matrix, || random.word() >> 63 == 1)).map(|x| x * x).sum();
        assert!((squares as f64 / f64::from(total) / 4.516_f64.powi(2) - 1.0).abs() < 0.03);
    }
}
