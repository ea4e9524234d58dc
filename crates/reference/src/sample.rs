//! Discrete Gaussians by their formula, in integers of any size, and Knuth and Yao's walk.
//!
//! `P(x) = e^(-x²/2s²) / Σ_k e^(-k²/2s²)` over all integers `k`, with `s² = sigma²/divisor`: `sigma` is a floating-point
//! number and stands for exactly the binary number that it is.

use num_bigint::BigUint;

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

/// `P(|x| = k)` for `k = 0, 1, …`, as far as it is 2^-300 or more, all times `2^bits` and rounded down; `bits` up to 300.
///
/// **Panics** unless `sigma` is a normal positive number.
pub fn gaussian(sigma: f64, divisor: u64, bits: u64) -> Vec<BigUint> {
    assert!(sigma.is_normal() && sigma > 0.0 && bits <= 300);
    // sigma = mantissa · 2^exponent with an integer mantissa, so x²·divisor/2sigma² = x²·divisor·2^(-2·exponent-1)/mantissa².
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

/// The probability matrix of Knuth and Yao: row `k` has the first `columns` binary digits of `P(|x| = k)`, for `k` up to
/// `12·sigma`.
pub fn probability_matrix(sigma: f64, columns: u64) -> Vec<Vec<bool>> {
    let rows = (12.0 * sigma).floor() as usize + 1;
    let row = |p: &BigUint| (1..=columns).map(|column| p.bit(columns - column)).collect();
    gaussian(sigma, 1, columns).iter().take(rows).map(row).collect()
}

/// Knuth and Yao's walk: in each column the distance to the visited node is doubled and a random bit is added, then each
/// 1 of the column, from the last row up, takes one away; the row that would make it negative is the sample.
///
/// `None` if the matrix ends first.
///
/// Source: Sinha Roy, Vercauteren, Verbauwhede, *High precision discrete Gaussian sampling on FPGAs* (2013), algorithm 1.
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
