//! An incomplete transform and its slots: 3329 has a 256th root of unity and no 512th one, so
//! `X^256 + 1` splits into 128 factors of degree 2, not into 256 of degree 1.
//!
//! `cargo run --release --example incomplete`

#![forbid(unsafe_code)]

use ringwork_ntt::{Plan, PlanError, arith::Modulus};

const N: usize = 256;
const Q: u64 = 3329;

/// The residue of `a` modulo `X^d - z`: `X^(j + d·k)` is `z^k·X^j`.
fn residue(a: &[i16], d: usize, z: u64, q: Modulus) -> Vec<u64> {
    let mut slot = vec![0; d];
    for (i, &coefficient) in a.iter().enumerate() {
        let power = q.pow(z, (i / d) as u64);
        slot[i % d] = q.add(slot[i % d], q.mul(q.reduce(coefficient.into()), power));
    }
    slot
}

/// `a·b` modulo `X^d - z`.
fn slot_product(a: &[u64], b: &[u64], z: u64, q: Modulus) -> Vec<u64> {
    let d = a.len();
    let mut c = vec![0; d];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            let product = q.mul(x, y);
            c[(i + j) % d] = q.add(c[(i + j) % d], if i + j < d { product } else { q.mul(product, z) });
        }
    }
    c
}

/// Transformed words, slot by slot, as residues.
fn slots(plan: &Plan<i16>, a_hat: &[i16]) -> Vec<u64> {
    let mut words = a_hat.to_vec();
    plan.to_canonical_order(&mut words);
    plan.canonical(&mut words);
    words.into_iter().map(|x| x as u64).collect()
}

/// Runs the example; tests do.
pub fn main() -> Result<(), PlanError> {
    let (plan, q) = (Plan::<i16>::new(N, Q)?, Modulus::new(Q)?);
    let recipe = plan.recipe().expect("3329 has roots of unity");
    let (d, root) = (recipe.slot_degree(), recipe.root());
    println!("X^{N} + 1 modulo {Q}: {} layers, {} slots of degree {d}", recipe.depth(), N / d);

    let a: Vec<i16> = (0..N as i16).map(|i| i * 13 % Q as i16).collect();
    let b: Vec<i16> = (0..N as i16).map(|i| 1 - i).collect();
    let (mut a_hat, mut b_hat) = (a.clone(), b.clone());
    plan.forward(&mut a_hat);
    plan.forward(&mut b_hat);
    let c_hat = plan.to_ntt(plan.pointwise(vec![0; N], &a_hat, &b_hat));

    let [a_slots, b_slots, c_slots] = [&a_hat, &b_hat, &c_hat].map(|words| slots(&plan, words));
    for i in 0..N / d {
        let e = plan.ring().exponent_of(i);
        let (z, here) = (q.pow(root, e as u64), d * i..d * (i + 1));
        assert_eq!(a_slots[here.clone()], residue(&a, d, z, q));
        assert_eq!(b_slots[here.clone()], residue(&b, d, z, q));
        assert_eq!(c_slots[here.clone()], slot_product(&a_slots[here.clone()], &b_slots[here.clone()], z, q));
        if i < 4 {
            println!("slot {i}, modulo X^{d} - {root}^{e}: {:?}", &a_slots[here]);
        }
    }
    println!("…\nall {} slots are the residues, and those of the product are their products", N / d);
    Ok(())
}
