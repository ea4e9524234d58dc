//! Homomorphic encryption: products modulo a product of primes, and rescaling, with fixed-point numbers in the clear.
//!
//! The examples `bfv` and `key_switch` show encryption. `cargo run --release --example rescale`

#![forbid(unsafe_code)]

use ringwork_ntt::{Rns, RnsPoly, arith::primes};
use std::error::Error;

const N: usize = 256;

/// `a·b` modulo `X^N + 1`, by the definition.
fn schoolbook(a: &[i128], b: &[i128]) -> Vec<i128> {
    let mut c = vec![0; N];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            c[(i + j) % N] += if i + j < N { x * y } else { -x * y };
        }
    }
    c
}

/// The coefficients from -Q/2 to Q/2, which fit 128 bits here.
fn integers(rns: &Rns<u64>, a: &RnsPoly<u64>) -> Vec<i128> {
    let number = |limbs: &[u64]| {
        let high = limbs.get(1).copied().unwrap_or((limbs[0] as i64 >> 63) as u64);
        (u128::from(high) << 64 | u128::from(limbs[0])) as i128
    };
    rns.integers(a, true).words().chunks_exact(rns.limbs()).map(number).collect()
}

/// `round(c/p)`.
fn divided(c: Vec<i128>, p: u64) -> Vec<i128> {
    let p = i128::from(p);
    c.into_iter().map(|c| (c + p / 2).div_euclid(p)).collect()
}

/// Runs the example; tests do.
pub fn main() -> Result<(), Box<dyn Error>> {
    // Fixed-point numbers with 40 bits after the point, from -1 to 1.
    let fixed = |i: usize| ((i * i * 7919 % 2003) as i64 - 1001) * ((1 << 40) / 1001);
    let (a, b): (Vec<i64>, Vec<i64>) = ((0..N).map(fixed).collect(), (N..2 * N).map(fixed).collect());

    // The prime that stays to the end has 60 bits, those that rescaling divides by have as many as are after the point.
    let order = 2 * N as u64;
    let chain: Vec<u64> =
        primes(order, 60)?.rev().take(1).chain(primes(order, 40)?.rev().take(2)).map(|p| p.get()).collect();
    let rns = Rns::<u64>::new(N, &chain)?;
    let (level1, level2) = (rns.mod_down(1)?, rns.part(0..2)?.mod_down(1)?);

    // a·b, rescaled: 80 bits after the point become 40, and the last prime is gone.
    let [x, y] = [&a, &b].map(|coefficients| rns.forward_poly(rns.poly_of_i64(coefficients)));
    let product = rns.inverse_product(rns.pointwise(&x, &y));
    let rescaled = level1.run(&product);

    // Times a again, one level below: a loses the residues that the product no longer has.
    let ring = level1.ring();
    let next = ring.pointwise(&ring.forward_poly(rescaled.clone()), &x.part(0..2));
    let last = level2.run(&ring.inverse_product(next));

    let [a, b] = [a, b].map(|coefficients| coefficients.into_iter().map(i128::from).collect::<Vec<_>>());
    let expected = divided(schoolbook(&a, &b), chain[2]);
    assert_eq!(integers(ring, &rescaled), expected);
    assert_eq!(integers(level2.ring(), &last), divided(schoolbook(&expected, &a), chain[1]));
    println!("two products of {N} fixed-point numbers, modulo {chain:?} and then two and one of these");
    Ok(())
}
