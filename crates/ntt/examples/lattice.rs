//! Lattice cryptography: a matrix times a vector over ML-KEM's ring with transforms kept, slots in the order of
//! FIPS 203, and many products by one secret in NewHope's ring.
//!
//! `cargo run --release --example lattice`

#![forbid(unsafe_code)]

use ringwork_ntt::{Buffer, Plan, PlanError, Request, SlotOrder, arith::bitrev};

/// Numbers that look random, below `bound`. A scheme takes them from a cryptographic generator.
fn numbers(seed: u64, count: usize, bound: u64) -> Vec<i16> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    (0..count).map(|_| (next() % bound) as i16).collect()
}

/// Adds `a·b` modulo `X^n + 1` to `sum`, by the definition.
fn schoolbook(sum: &mut [i128], a: &[i16], b: &[i16]) {
    let n = a.len();
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            let product = i128::from(x) * i128::from(y);
            sum[(i + j) % n] += if i + j < n { product } else { -product };
        }
    }
}

/// Runs the example; tests do.
pub fn main() -> Result<(), PlanError> {
    const K: usize = 3; // ML-KEM-768
    let plan = Plan::<i16>::with(&Request::new(256, 3329).depth(7).slot_order(SlotOrder::BitReversed))?;
    let small = |seed| numbers(seed, K * 256, 5).into_iter().map(|x| x - 2).collect::<Vec<_>>();
    let (a, s, e) = (numbers(1, K * K * 256, 3329), small(2), small(3));

    // t = A·s + e: transforms of A and s are kept, and each row of A takes one inverse transform.
    let mut a_hat = a.clone();
    plan.forward_many(&mut a_hat); // ML-KEM draws this matrix as transforms, and leaves this out
    let mut s_hat = Buffer::copy_of(&s); // wiped on drop
    plan.forward_many(s_hat.words_mut());
    let rows = plan.inner_products(vec![0; K * 256], &a_hat, s_hat.words(), K);
    let mut t = plan.inverse_product(rows);
    plan.add(&mut t, &e);

    for (i, t) in t.chunks_exact(256).enumerate() {
        let mut expected: Vec<i128> = e[i * 256..][..256].iter().map(|x| i128::from(*x)).collect();
        for (j, s) in s.chunks_exact(256).enumerate() {
            schoolbook(&mut expected, &a[(i * K + j) * 256..][..256], s);
        }
        assert!(t.iter().zip(expected).all(|(t, expected)| i128::from(*t) == expected.rem_euclid(3329)));
    }

    // Words 2i and 2i + 1 are the residue modulo X^2 - 17^(2·bitrev(i) + 1), as in FIPS 203, section 4.3.
    let mut first = a_hat[..256].to_vec();
    plan.canonical(&mut first);
    for (i, slot) in first.chunks_exact(2).enumerate() {
        let zeta = (0..2 * bitrev(i, 7) + 1).fold(1, |power, _| power * 17 % 3329);
        let residue = |odd: usize| (0..128).rev().fold(0, |x, k| (x * zeta + i64::from(a[2 * k + odd])) % 3329);
        assert_eq!([0, 1].map(residue), [slot[0], slot[1]].map(i64::from));
    }
    println!("A·s + e over ML-KEM's ring, and the slots of FIPS 203");

    // NewHope's ring: one secret, multiplied by many polynomials.
    let plan = Plan::<i16>::new(1024, 12289)?;
    let s = numbers(4, 1024, 17).into_iter().map(|x| x - 8).collect::<Vec<_>>();
    let ready = plan.prepare(&s);
    let (mut product, mut scratch) = (vec![0; 1024], Buffer::zeros(plan.scratch_len()));
    for seed in 5..8 {
        let a = numbers(seed, 1024, 12289);
        plan.multiply_prepared(&mut product, &a, &ready, scratch.words_mut());
        let mut expected = vec![0; 1024];
        schoolbook(&mut expected, &a, &s);
        assert!(product.iter().zip(expected).all(|(c, expected)| i128::from(*c) == expected.rem_euclid(12289)));
    }
    println!("three products by one secret in NewHope's ring");
    Ok(())
}
