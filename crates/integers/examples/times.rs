//! Times of products, compared with `num-bigint` and `dashu-int`, for operands of equal length:
//! `cargo run --release -p ringwork-integers --example times`. Medians of runs of 0.3 seconds.

#![forbid(unsafe_code)]

use dashu_int::UBig;
use num_bigint::BigUint;
use ringwork_integers::{mul_into, square_into};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

fn main() {
    println!(
        "{:>8} {:>12} {:>12} {:>12} {:>12} {:>12}",
        "limbs", "first ms", "product ms", "square", "num-bigint", "dashu-int"
    );
    for limbs in (7..18).map(|log| 1_usize << log).chain([3 << 8, 12_000, 100_000]) {
        let (a, b) = (random(1, limbs), random(2, limbs));
        let mut out = vec![0; 2 * limbs];
        let start = Instant::now();
        mul_into(&mut out, &a, &b);
        let first = start.elapsed().as_secs_f64() * 1e3;
        let product = time(|| mul_into(&mut out, &a, &b));
        let square = time(|| square_into(&mut out, &a));
        let number = |limbs: &[u64]| BigUint::new(limbs.iter().flat_map(|x| [*x as u32, (*x >> 32) as u32]).collect());
        let (x, y) = (number(&a), number(&b));
        let num_bigint = time(|| drop(black_box(&x * &y)));
        let number =
            |limbs: &[u64]| UBig::from_le_bytes(&limbs.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
        let (x, y) = (number(&a), number(&b));
        let dashu = time(|| drop(black_box(&x * &y)));
        println!("{limbs:>8} {first:>12.3} {product:>12.4} {square:>12.4} {num_bigint:>12.4} {dashu:>12.4}");
    }
}

/// The median time of a run, in milliseconds.
fn time(mut run: impl FnMut()) -> f64 {
    let (mut times, mut all) = (Vec::new(), Duration::ZERO);
    while times.len() < 3 || all < Duration::from_millis(300) {
        let start = Instant::now();
        run();
        times.push(start.elapsed());
        all += start.elapsed();
    }
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn random(seed: u64, length: usize) -> Vec<u64> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state ^ state >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    std::iter::repeat_with(next).take(length).collect()
}
