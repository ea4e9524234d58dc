//! Signal processing: samples of 16 bits and a filter, convolved exactly, at once and block by block.
//!
//! `cargo run --release --example filter`

#![forbid(unsafe_code)]

use ringwork_ntt::{Buffer, Linear, Plan, Request, arith::primes};
use std::error::Error;

/// By the definition.
fn convolution(a: &[i64], b: &[i64]) -> Vec<i64> {
    let mut c = vec![0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            c[i + j] += x * y;
        }
    }
    c
}

/// Runs the example; tests do.
pub fn main() -> Result<(), Box<dyn Error>> {
    let samples: Vec<i16> = (0..1000_i64).map(|t| ((t * t * 40_503) >> 7) as i16).collect();
    let filter: Vec<i16> = (-31..=31_i32).map(|t| (32_767 / (1 + t * t) - 300 * (t & 3)) as i16).collect();
    let [x, h] = [&samples, &filter].map(|words| words.iter().map(|x| i64::from(*x)).collect::<Vec<_>>());
    let expected = convolution(&x, &h);

    // No result is larger than this; a modulus above twice the bound tells them all apart.
    let bound: u64 = h.iter().map(|h| h.unsigned_abs() << 15).sum();
    let bits = (2 * bound).ilog2() + 2;
    let prime = primes(1 << 16, bits)?.next_back().expect("a size that has primes");
    let q = prime.get();
    assert!(q > 2 * bound);

    // All of it: 1000 + 63 - 1 results.
    let linear = Linear::<i64>::new([x.len(), h.len()], q)?;
    let mut y = vec![0; x.len() + h.len() - 1];
    linear.multiply(&mut y, &x, &h);
    let signed: Vec<i64> = y.iter().map(|y| prime.centered(*y as u64)).collect();
    assert_eq!(signed, expected);

    // A stream, by overlap-save: a cyclic product of 256 words has 256 - 62 results that nothing wraps into.
    let plan = Plan::<i64>::with(&Request::new(256, q).cyclic())?;
    let taps = h.len();
    let ready = plan.prepare(&[&h[..], &vec![0; 256 - taps]].concat());
    let (mut block, mut scratch) = (vec![0; 256], Buffer::zeros(plan.scratch_len()));
    let padded = [&vec![0; taps - 1], &x[..], &vec![0; 256]].concat();
    let mut stream = Vec::new();
    while stream.len() < x.len() {
        plan.multiply_prepared(&mut block, &padded[stream.len()..][..256], &ready, scratch.words_mut());
        plan.centre(&mut block);
        stream.extend_from_slice(&block[taps - 1..]);
    }
    assert_eq!(stream[..x.len()], expected[..x.len()]);
    println!("{} samples, {taps} taps: exact modulo {q}, since no result is above {bound}", x.len());
    Ok(())
}
