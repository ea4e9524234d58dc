//! Computations of `ERRATA.md` that no other test makes.

use crate::{bdlop::is_difference_of_challenges, field, poly, testing::Random};
use std::collections::HashMap;

/// Longa and Naehrig, section 4: b − b′ of two uniform bits has variance 1/2.
#[test]
fn psi_16_has_sixteen_terms() {
    let variance = |terms: u32| {
        let mut counts = HashMap::from([(0, 1.0)]);
        for _ in 0..terms {
            let mut next = HashMap::new();
            for (sum, count) in counts {
                for (step, ways) in [(-1, 0.25), (0, 0.5), (1, 0.25)] {
                    *next.entry(sum + step).or_insert(0.0) += ways * count;
                }
            }
            counts = next;
        }
        counts.iter().map(|(&sum, count)| f64::from(sum * sum) * count).sum::<f64>()
    };
    assert_eq!([variance(12), variance(16)], [6.0, 8.0]);
}

/// Royher, 4.1: all coefficients at their bound, one row and one column, m terms.
#[test]
fn royhers_noise_has_two_products() {
    let (m, beta, p) = (8, 2, 3);
    let dot = |a: i64, b: i64| m * a * b;
    let noise = p * (dot(beta, beta) + beta - dot(-beta, beta)) + p - 1;
    assert_eq!(noise, p * (2 * beta * beta * m + beta) + p - 1);
    // For a q between the two bounds the message does not come back.
    let q = 2 * p * (beta * beta * m + beta) + 1;
    assert!(beta * beta * m + beta < q / (2 * p) + 1 && noise > q / 2);
    let message = p - 1;
    let received = field::centred(field::residue(noise, q as u64), q as u64);
    assert_ne!(received.rem_euclid(p), message);
}

/// Royher, 5: the share of messages of which a coefficient does not come back, by the normal distribution.
#[test]
fn royhers_messages_do_not_always_come_back() {
    let (n, m, q, p) = (1024.0, 32.0, 12289.0_f64, 3.0);
    let of_beta = [-2.0_f64, -1.0, 0.0, 1.0, 2.0].iter().map(|x| x * x).sum::<f64>() / 5.0;
    let deviation = p * (2.0 * m * n * of_beta * of_beta + of_beta).sqrt();
    assert!((deviation - 1536.0).abs() < 1.0 && (q / 2.0 / deviation - 4.0).abs() < 0.001);
    // Both tails, by the trapezoidal rule.
    let (from, step) = (q / 2.0 / deviation, 1e-4);
    let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let tails: f64 = 2.0 * (0..60_000).map(|i| density(from + (f64::from(i) + 0.5) * step) * step).sum::<f64>();
    let one_in = 1.0 / (1.0 - (1.0 - tails).powf(n));
    assert!((15.0..17.0).contains(&one_in), "one message in {one_in}");
}

/// Royher, appendix: `orderReverse` with its bound, the degree, and with N.
#[test]
fn royhers_order_skips_coefficients() {
    let ordered = |mut a: [u64; 8], bound: usize| {
        for i in 0..bound {
            let reversed = field::bit_reverse(i, 3);
            if reversed > i {
                a.swap(i, reversed);
            }
        }
        a
    };
    let degree = |a: &[u64; 8]| a.iter().rposition(|&x| x != 0).unwrap_or(0);
    let whole = [1, 2, 3, 4, 5, 6, 7, 8];
    assert_eq!(ordered(whole, degree(&whole)), ordered(whole, 8));
    let short = [1, 2, 0, 0, 0, 0, 0, 0];
    assert_eq!(ordered(short, 8), [1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(ordered(short, degree(&short)), short);
}

/// Bakkebø, table 2.1: how often −1, 0 and 1 come, of 16.
#[test]
fn beta_2_has_minus_signs() {
    let counts = |signs: [i64; 4]| {
        let mut counts = [0; 3];
        for bits in 0..16_i64 {
            let sum: i64 = signs.iter().enumerate().map(|(i, sign)| sign * (bits >> i & 1)).sum();
            counts[(field::centred(field::residue(sum, 3), 3) + 1) as usize] += 1;
        }
        counts
    };
    assert_eq!(counts([1, 1, 1, 1]), [6, 5, 5]);
    assert_eq!(counts([1, 1, -1, -1]), [5, 6, 5]);
}

/// Bakkebø, Theorem 3: parts and sums for N = 2^r and k levels.
#[test]
fn theorem_3_by_its_parts() {
    for r in 2..=16_u64 {
        for k in 1..=r {
            let (n, half, deg) = (1 << r, 1 << (r - 1), 1 << (r - k));
            let lowest = (1 << k) * (deg * deg + (deg * deg - deg) / 2);
            assert_eq!(lowest, (2 * deg + deg - 1) * half);
            let as_printed = (1 << k) * (deg * deg + deg * deg / 4);
            assert_eq!(as_printed == lowest, deg <= 2, "degree {deg}");
            // Two transforms forward, the products, one back.
            assert_eq!(2 * half * k + lowest + half * k + n, (3 * k + 2 * deg + deg + 1) * half);
            let additions = 2 * n * k + (1 << k) * deg * deg + n * k;
            assert_eq!(additions, (3 * k + deg) * n);
            assert_eq!(3 * k * n * k + n * deg == additions, k == 1);
        }
    }
}

/// Bakkebø, Tables 5.1 and 6.2, normal multiplication: log2 of ticks for N from 2^7 to 2^13.
#[test]
fn two_tables_count_other_ticks() {
    const PRODUCT: [f64; 7] = [7.46, 9.47, 11.51, 13.48, 15.46, 17.48, 19.44];
    const COMMITMENT: [f64; 7] = [10.85, 12.73, 14.71, 16.76, 18.69, 20.67, 22.67];
    let (k, l, d) = (8, 4, 3);
    let products = f64::from(d * (k - d) + l * (k - d - l));
    assert_eq!(products, 19.0);
    for (product, commitment) in PRODUCT.iter().zip(COMMITMENT) {
        let ratio = products * product.exp2() / commitment.exp2();
        assert!((1.8..2.1).contains(&ratio), "{ratio}");
    }
    let minutes = 25.47_f64.exp2() * 1e-6 / 60.0;
    assert!((0.77..0.78).contains(&minutes) && (1.5..1.6).contains(&(2.0 * minutes)));
}

/// Bakkebø, 6.4.2, with N = 1024, q = 12289 and κ = 36: two challenges that agree at a root of X^N + 1.
#[test]
fn differences_of_challenges_need_no_inverse() {
    const N: usize = 1024;
    const Q: u64 = 12289;
    const KAPPA: usize = 36;
    let root = field::root_of_unity(Q, 2 * N as u64).expect("12288 is a multiple of 2048");
    let mut random = Random(1);
    let mut seen: HashMap<u64, Vec<i64>> = HashMap::new();
    let f = loop {
        let mut challenge = vec![0; N];
        while challenge.iter().filter(|x| **x != 0).count() < KAPPA {
            challenge[random.below(N as u64) as usize] = 2 * random.below(2) as i64 - 1;
        }
        let value = poly::evaluate(&poly::residues(&challenge, Q), root, Q);
        if let Some(other) = seen.insert(value, challenge.clone()).filter(|other| *other != challenge) {
            break challenge.iter().zip(other).map(|(x, y)| x - y).collect::<Vec<i64>>();
        }
    };
    assert!(seen.len() < 2000 && is_difference_of_challenges(&f, KAPPA));
    assert_eq!(poly::evaluate(&poly::residues(&f, Q), root, Q), 0);
    assert_eq!(field::pow(root, N as u64, Q), Q - 1);
}
