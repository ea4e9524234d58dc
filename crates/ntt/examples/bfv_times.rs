//! What products of ciphertexts and switches of keys take in residue number systems.
//!
//! `cargo run --release -p ringwork-ntt --example bfv_times`: medians of many runs, on one thread. `peers/seal.cpp` of
//! the crate `ringwork-workbench` measures SEAL's operations of the same shape.

#![forbid(unsafe_code)]

#[allow(dead_code, reason = "its `main` is another program")]
#[path = "bfv.rs"]
mod bfv;

use bfv::{Bfv, N, Numbers};
use ringwork_ntt::{Rns, arith::primes};
use std::{error::Error, hint::black_box, time::Instant};

/// Microseconds of a call: the median of as many as take a second, eleven at least.
fn median<T>(mut run: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < 11 || start.elapsed().as_secs() < 1 {
        let start = Instant::now();
        black_box(run());
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// A switch of keys as SEAL's relinearisation has it: digits of one prime each, one more prime in keys, and the first two
/// polynomials of a ciphertext added.
fn key_switch(count: usize) -> Result<f64, Box<dyn Error>> {
    let all: Vec<u64> = primes(2 * N as u64, 55)?.rev().take(count + 1).map(|p| p.get()).collect();
    let all: Vec<u64> = all.into_iter().rev().collect();
    let qp = Rns::<u64>::new(N, &all)?;
    let q = qp.part(0..count)?;
    let (digits, down) = (q.digits_by_primes(&qp, 1)?, qp.mod_down(1)?);
    let mut numbers = Numbers(1);
    let key = qp.forward_poly(numbers.uniform(&qp, 2 * digits.len())?);
    let ciphertext = numbers.uniform(&q, 3)?;
    Ok(median(|| {
        let a = qp.forward_poly(digits.run(&ciphertext.select(2..3)));
        let mut sums = down.run(&qp.inverse_product(qp.inner_products(&a, &key, digits.len())));
        q.add(&mut sums, &ciphertext.select(0..2));
        sums
    }))
}

fn main() -> Result<(), Box<dyn Error>> {
    let bfv = Bfv::new(&primes(2 * N as u64, 55)?.rev().take(7).map(|p| p.get()).collect::<Vec<_>>())?;
    let mut numbers = Numbers(1);
    let keys = bfv.keys(&mut numbers)?;
    let message: Vec<u64> = (0..N as u64).map(|i| i % 65537).collect();
    let [x, y] = [bfv.encrypt(&mut numbers, &keys, &message)?, bfv.encrypt(&mut numbers, &keys, &message)?];
    let (product, relinearisation) = (median(|| bfv.tensor(&x, &y)), key_switch(3)?);
    println!("BFV, n = {N}, 3 primes of 55 bits: product {product:.0} µs, relinearisation {relinearisation:.0} µs");
    Ok(())
}
