//! Compares products with those of `num-bigint`.

#![forbid(unsafe_code)]

use num_bigint::BigUint;
use ringwork_integers::{Multiplier, mul, mul_into, square, square_into};

#[allow(unreachable_pub, reason = "its `main` is public for this test")]
#[path = "../examples/power.rs"]
mod power;

/// Random limbs, reproducible by the seed.
fn random(seed: u64, length: usize) -> Vec<u64> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state ^ state >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    std::iter::repeat_with(next).take(length).collect()
}

fn number(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]).collect())
}

/// Cargo only compiles it.
#[test]
fn the_example_runs() {
    power::main();
}

fn agrees(multiplier: &Multiplier, a: &[u64], b: &[u64]) {
    let product = multiplier.mul(a, b);
    assert_eq!(product.len(), a.len() + b.len());
    assert!(number(&product) == number(a) * number(b), "{} and {} limbs", a.len(), b.len());
}

/// The hardest operands of that length: all bits set, one bit, runs of ones and zeros, random ones.
fn operands(length: usize) -> Vec<Vec<u64>> {
    let mut highest = vec![0; length];
    if let Some(last) = highest.last_mut() {
        *last = 1 << 63;
    }
    let runs = (0..length).map(|i| if i / 3 % 2 == 0 { u64::MAX } else { 0 }).collect();
    vec![vec![u64::MAX; length], highest, runs, vec![0; length], random(length as u64, length)]
}

#[test]
fn every_small_length() {
    let multiplier = Multiplier::new();
    for l in (0..20).chain([63, 127, 128, 129, 191, 192, 193, 255, 256, 257, 400, 1000]) {
        for m in [0, 1, 2, 5, 64, 127, 128, 130, 383, 384, 385, 600] {
            agrees(&multiplier, &random(1, l), &random(2, m));
            agrees(&multiplier, &vec![u64::MAX; l], &vec![u64::MAX; m]);
        }
    }
}

/// Lengths at which Karatsuba's halves are equal, and at which they are not; pieces of unequal operands.
#[test]
fn below_the_transforms() {
    let multiplier = Multiplier::new();
    for length in (20..100).chain([111, 127, 128, 129, 200, 223, 255, 256, 257, 288, 319, 320, 321]) {
        let all = operands(length);
        for a in &all {
            all.iter().for_each(|b| agrees(&multiplier, a, b));
            assert_eq!(multiplier.square(a), multiplier.mul(a, a), "{length}");
            for longer in [length + 1, length + 27, 2 * length, 3 * length - 1] {
                agrees(&multiplier, a, &random(9, longer));
                agrees(&multiplier, &vec![u64::MAX; longer], a);
            }
        }
    }
}

#[test]
fn hard_operands() {
    let multiplier = Multiplier::new();
    for length in [1, 100, 200, 511, 512, 1025, 3000] {
        let all = operands(length);
        for a in &all {
            all.iter().for_each(|b| agrees(&multiplier, a, b));
            assert_eq!(multiplier.square(a), multiplier.mul(a, a));
        }
    }
}

#[test]
fn large_and_unequal() {
    let multiplier = Multiplier::new();
    for (l, m) in [(1 << 14, 1 << 14), (20000, 9000), (100_000, 150), (33_000, 1000), (1 << 15, (1 << 14) + 1)] {
        agrees(&multiplier, &random(3, l), &random(4, m));
        agrees(&multiplier, &vec![u64::MAX; m], &vec![u64::MAX; l]);
    }
}

/// `(2^x - 1)·(2^y - 1) = 2^(x+y) - 2^x - 2^y + 1`: the largest possible coefficients and carries.
/// Squares of random ones modulo a small prime.
#[test]
fn the_largest_sums() {
    let (l, m) = (1 << 17, (1 << 17) - 5);
    let product = mul(&vec![u64::MAX; l], &vec![u64::MAX; m]);
    let expected = |i: usize| match i {
        0 => 1,
        i if i < m => 0,
        i if i < l => u64::MAX,
        i if i == l => u64::MAX - 1,
        _ => u64::MAX,
    };
    assert!((0..l + m).all(|i| product[i] == expected(i)));

    let a = random(5, l);
    let p = (1_u128 << 61) - 1;
    let residue = |limbs: &[u64]| limbs.iter().rev().fold(0, |r, limb| ((r << 64) | u128::from(*limb)) % p);
    assert_eq!(residue(&square(&a)), residue(&a) * residue(&a) % p);
    assert_eq!(residue(&mul(&a, &a[7..])), residue(&a) * residue(&a[7..]) % p);
}

/// Longer than there are layers for: slots have a degree above one.
#[test]
#[ignore = "takes ten seconds and three gigabytes: `cargo xtask random words`"]
fn beyond_the_layers() {
    let p = (1_u128 << 61) - 1;
    let residue = |limbs: &[u64]| limbs.iter().rev().fold(0, |r, limb| ((r << 64) | u128::from(*limb)) % p);
    for [l, m] in [[1 << 22, 1 << 22], [(1 << 22) + 1, (1 << 22) - 5], [1 << 23, 1 << 23]] {
        let (a, b) = (random(10, l), random(11, m));
        assert_eq!(residue(&mul(&a, &b)), residue(&a) * residue(&b) % p, "{l} and {m} limbs");
    }
    let a = random(12, (1 << 22) + 3);
    assert_eq!(residue(&square(&a)), residue(&a) * residue(&a) % p);
}

#[test]
fn memory_of_the_caller() {
    let (a, b) = (random(6, 700), random(7, 650));
    let mut out = vec![u64::MAX; 1350];
    mul_into(&mut out, &a, &b);
    assert_eq!(out, mul(&b, &a));
    let mut out = vec![u64::MAX; 1400];
    square_into(&mut out, &a);
    assert_eq!(out, square(&a));
    assert_eq!(mul(&[], &[]), []);
}

#[test]
#[should_panic(expected = "limbs of the product of 2 and 1 limbs")]
fn wrong_lengths() {
    mul_into(&mut [0; 4], &[1, 2], &[3]);
}
