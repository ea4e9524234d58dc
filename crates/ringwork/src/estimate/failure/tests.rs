use super::*;
use std::time::{Duration, Instant};

/// The distribution of a function of independent draws, by enumeration.
fn brute(draws: &[Distribution], f: impl Fn(&[i64]) -> i64) -> Vec<(i64, f64)> {
    let mut all = vec![(vec![], 1.0)];
    for d in draws {
        all = all
            .iter()
            .flat_map(|(xs, w)| d.values().map(move |(x, v)| ([xs.as_slice(), &[x]].concat(), w * v)))
            .collect();
    }
    all.iter().map(|(xs, w)| (f(xs), *w)).collect()
}

fn assert_same(d: &Distribution, exact: &[(i64, f64)]) {
    let total: f64 = d.values().map(|(_, w)| w).sum();
    assert!((total - 1.0).abs() < 1e-12, "{total}");
    for x in d.low - 2..=d.high() + 2 {
        let p: f64 = exact.iter().filter(|&&(y, _)| y == x).map(|(_, w)| w).sum();
        assert!((d.probability(x) - p).abs() < 1e-14, "{x}: {} for {p}", d.probability(x));
    }
    for threshold in 0..5 {
        let p: f64 = exact.iter().filter(|(y, _)| y.unsigned_abs() > threshold).map(|(_, w)| w).sum();
        assert!((d.tail(threshold).exp2() - p).abs() < 1e-12, "{threshold}");
    }
}

fn shapes() -> Vec<Distribution> {
    vec![
        Distribution::uniform(2).unwrap(),
        Distribution::binary(),
        Distribution::ternary([0.5, 0.125, 0.375]).unwrap(),
        Distribution::binomial(3).unwrap(),
        Distribution::gaussian(1.3, 3.0).unwrap(),
        Distribution::compression(17, 2).unwrap(),
        Distribution::point(-3),
    ]
}

#[test]
fn operations_are_those_of_all_cases() {
    for a in shapes() {
        for b in shapes() {
            let both = [a.clone(), b.clone()];
            assert_same(&a.sum(&b).unwrap(), &brute(&both, |x| x[0] + x[1]));
            assert_same(&a.product(&b).unwrap(), &brute(&both, |x| x[0] * x[1]));
        }
        for k in [-3, 0, 1, 2] {
            assert_same(&a.scaled(k).unwrap(), &brute(core::slice::from_ref(&a), |x| k * x[0]));
        }
        assert_same(&a.magnitude().unwrap(), &brute(core::slice::from_ref(&a), |x| x[0].abs()));
        for count in 0..5 {
            assert_same(&a.times(count).unwrap(), &brute(&vec![a.clone(); count as usize], |x| x.iter().sum()));
        }
    }
}

#[test]
fn rounding_is_that_of_the_standard() {
    // Up to 832 = 3329/4, residues round to 0 or 1 of one bit: errors reach 832, and all residues
    // are counted.
    let d = Distribution::compression(3329, 1).unwrap();
    assert_eq!((d.low.abs().max(d.high()), d.probability(0) * 3329.0), (832, 2.0));
    assert_eq!(Distribution::compression(3329, 12).unwrap(), Distribution::point(0));
}

/// ML-KEM's noise `eᵀr + e₂ + Δv - sᵀ(e₁ + Δu)`; from 832 on, a bit may be wrong.
fn kyber(rank: u64, eta1: u32, eta2: u32, du: u32, dv: u32) -> f64 {
    let (secret, small) = (Distribution::binomial(eta1).unwrap(), Distribution::binomial(eta2).unwrap());
    let rounding = |bits| Distribution::compression(3329, bits).unwrap();
    let products = secret.product(&secret).unwrap().sum(&secret.product(&small.sum(&rounding(du)).unwrap()).unwrap());
    let noise = products.unwrap().times(256 * rank).unwrap().sum(&small).unwrap().sum(&rounding(dv)).unwrap();
    noise.tail(831) + 8.0
}

#[test]
fn failure_rates_are_those_published() {
    // FIPS 203, table 1; the specification of round 3 has 2^-139, 2^-164, 2^-174.
    for (ours, published) in
        [(kyber(2, 3, 2, 10, 4), -138.8), (kyber(3, 2, 2, 10, 4), -164.8), (kyber(4, 2, 2, 11, 5), -174.8)]
    {
        assert!((ours - published).abs() < 0.05, "{ours} for {published}");
    }
}

/// The designers give upper bounds by tail inequalities; the independence assumption gives far
/// less.
#[test]
fn newhope_fails_less_often_than_its_bounds_say() {
    let product_noise = |eta, n: u64| {
        let psi = Distribution::binomial(eta).unwrap();
        psi.product(&psi).unwrap().times(2 * n).unwrap().sum(&psi).unwrap()
    };
    // 2016: vectors of 4 reconcile if the sum of their distances is below (1 - 1/4)q - 2; 256 of
    // them fail with less than 2^-60.
    let ours = product_noise(16, 1024).magnitude().unwrap().times(4).unwrap().tail(9216 - 3) + 8.0;
    assert!(ours < -60.0 && ours > -140.0, "{ours}");
    // Second round (2019): 2^-213 and 2^-216; v has 3 bits, and a bit of the key is in 2 or 4
    // coefficients, whose distances are added.
    for (n, copies, bound) in [(512, 2, -213.0), (1024, 4, -216.0)] {
        let noise = product_noise(8, n).sum(&Distribution::compression(12289, 3).unwrap()).unwrap();
        let ours = noise.magnitude().unwrap().times(copies).unwrap().tail(copies * 3072) + 8.0;
        assert!(ours < bound, "{ours} above {bound}");
    }
}

#[test]
fn a_thousand_products_of_gaussians_take_a_moment() {
    let start = Instant::now();
    let gauss = Distribution::gaussian(5.0, 24.0).unwrap();
    let sum = gauss.product(&gauss).unwrap().times(1024).unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!((sum.deviation() - 800.0).abs() < 1e-3 && sum.mean().abs() < 1e-6, "{} {}", sum.deviation(), sum.mean());
    // Against the saddle-point formula: of a product of Gaussians, ln E e^(θxy) = -ln(1 - σ⁴θ²)/2.
    for t in [4000.0_f64, 9000.0, 15000.0] {
        let theta = |u: f64| u / 25.0;
        let slope = |u: f64| 1024.0 * 25.0 * u / (1.0 - u * u);
        let u = (0..200).fold((0.0, 1.0), |(a, b), _| {
            let m = (a + b) / 2.0;
            if slope(m) < t { (m, b) } else { (a, m) }
        });
        let u = u.0;
        let second = 1024.0 * 625.0 * (1.0 + u * u) / (1.0 - u * u).powi(2);
        let exponent = -512.0 * (1.0 - u * u).ln() - theta(u) * t;
        let density = exponent - (2.0 * core::f64::consts::PI * second).ln() / 2.0;
        // Discrete, truncated Gaussians differ slightly from smooth ones.
        let ours = sum.probability(t as i64).ln();
        assert!((ours - density).abs() < 0.01, "{t}: {ours} for {density}");
    }
    assert!(sum.tail(1 << 40) <= -380.0 && sum.tail(1 << 40) > -400.0);
}

#[test]
fn tails_far_out_agree_with_binomial_coefficients() {
    // 2^16 coins: P(x = k) by logarithms of factorials.
    let coins = Distribution::binary().times(1 << 16).unwrap();
    let n = f64::from(1 << 16);
    let mut ln_choose = 0.0;
    let mut at = vec![0.0];
    for k in 1..=1 << 15 {
        ln_choose += ((n + 1.0 - f64::from(k)) / f64::from(k)).ln();
        at.push(ln_choose - n * core::f64::consts::LN_2);
    }
    for k in [1 << 15, 32000, 31000, 30500, 30000] {
        let (ours, exact) = (coins.probability(k).ln(), at[k as usize]);
        assert!((ours - exact).abs() < 1e-5, "{k}: {ours} for {exact}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let negative = [-0.5, 1.0, 0.5];
    assert_eq!(Distribution::ternary(negative), Err(Error::Probabilities(negative.to_vec())));
    assert!(Distribution::ternary([f64::NAN, 0.5, 0.5]).is_err() && Distribution::ternary([0.3; 3]).is_err());
    for (sigma, tail) in [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (1.0, -2.0)] {
        assert!(matches!(Distribution::gaussian(sigma, tail), Err(Error::Gaussian { .. })));
    }
    for (q, bits) in [(0, 1), (1, 1), (1 << 40, 1), (3329, 0), (3329, 33)] {
        assert_eq!(Distribution::compression(q, bits), Err(Error::Compression { q, bits }));
    }
    assert_eq!(Distribution::uniform(u64::MAX), Err(Error::TooWide));
    assert_eq!(Distribution::gaussian(1e300, 1e300), Err(Error::TooWide));
    let wide = Distribution::uniform(100_000).unwrap();
    assert_eq!(wide.product(&wide), Err(Error::TooWide));
    assert_eq!(wide.scaled(2), Err(Error::TooWide));
    assert_eq!(Distribution::point(i64::MAX).sum(&Distribution::point(1)), Err(Error::TooWide));
    assert_eq!(Distribution::point(i64::MIN).magnitude(), Err(Error::TooWide));
    assert_eq!(Distribution::point(i64::MIN).scaled(-1), Err(Error::TooWide));
    assert_eq!(Distribution::point(1 << 40).times(u64::MAX), Err(Error::TooWide));
    assert_eq!(Distribution::binary().times(u64::MAX), Err(Error::TooWide));
}

/// L5: values below the resolution of the computation are bounds.
#[test]
fn small_probabilities_are_bounds() {
    assert_eq!(in_words(-18.04), "2^-18.0");
    assert_eq!(in_words(-387.3), "less than 2^-380");
    assert_eq!(in_words(f64::NEG_INFINITY), "0");
    let hopeless = Distribution::uniform(1).unwrap().times(4096).unwrap().tail(4000);
    assert!((-400.0..FLOOR_LOG2).contains(&hopeless), "{hopeless}");
}
