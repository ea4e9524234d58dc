//! Provers: the columns of a trace over BabyBear, extended to a coset, and values over Goldilocks.
//!
//! `cargo run --release --example prover`

#![forbid(unsafe_code)]

use ringwork_ntt::{
    Batch, Extension, Plan, PlanError, Request, SlotOrder,
    arith::{Modulus, bitrev},
};

const BABY_BEAR: u64 = 0x7800_0001;
const GOLDILOCKS: u64 = 0xffff_ffff_0000_0001;
/// Steps of the trace.
const STEPS: usize = 64;
/// Columns of the trace.
const WIDTH: usize = 8;

/// The value at `x` of the polynomial with these values at `1, g, g², …`, by Lagrange's formula.
fn interpolated(values: &[u64], g: u64, x: u64, q: Modulus) -> u64 {
    let n = values.len() as u64;
    let outside = q.mul(q.add(q.pow(x, n), q.neg(1)), q.inv(n)); // (x^n - 1)/n
    let terms = (0..).zip(values).map(|(i, &value)| {
        let point = q.pow(g, i);
        q.mul(q.mul(value, point), q.inv(q.add(x, q.neg(point))))
    });
    q.mul(outside, terms.fold(0, |sum, term| q.add(sum, term)))
}

/// Runs the example; tests do.
pub fn main() -> Result<(), PlanError> {
    // The trace: a row for each step.
    let (q, log) = (Modulus::new(BABY_BEAR)?, STEPS.ilog2());
    let mut columns = vec![[0; STEPS]; WIDTH];
    for (start, column) in (2..).zip(&mut columns) {
        column[0] = start;
        (1..STEPS).for_each(|step| column[step] = q.add(q.mul(column[step - 1], column[step - 1]), 1));
    }
    let mut trace = vec![0; STEPS * WIDTH];
    for (row, words) in trace.chunks_exact_mut(WIDTH).enumerate() {
        (0..WIDTH).for_each(|c| words[c] = columns[c][row] as u32);
    }

    // Four times as many values of each column, at 31·root^i.
    let request = Request::new(STEPS, BABY_BEAR).slot_order(SlotOrder::Canonical).shift(31);
    let extension = Extension::<u32>::new(&request, 4, SlotOrder::BitReversed)?;
    let mut extended = vec![0; extension.blowup() * trace.len()];
    extension.extend_columns(&mut extended, &trace, WIDTH);
    extension.values().canonical(&mut extended);

    let (root, g) = (extension.root(), q.pow(extension.root(), 4));
    for (row, words) in extended.chunks_exact(WIDTH).enumerate() {
        let x = q.mul(31, q.pow(root, bitrev(row, log + 2) as u64));
        (0..WIDTH).for_each(|c| assert_eq!(u64::from(words[c]), interpolated(&columns[c], g, x, q)));
    }

    // Coefficients of all columns, and the value of one of them at a point outside.
    let mut coefficients = trace;
    extension.values().inverse_batch(&mut coefficients, Batch::new(WIDTH).interleaved());
    let first: Vec<u32> = coefficients.iter().step_by(WIDTH).copied().collect();
    let value = extension.values().evaluate(&first, 123_456_789);
    assert_eq!(value, interpolated(&columns[0], g, 123_456_789, q));
    println!("{WIDTH} columns of {STEPS} steps, extended to {} points", extended.len() / WIDTH);

    // Goldilocks leaves no room for a sign: it works in unsigned words.
    let request = Request::new(STEPS, GOLDILOCKS).cyclic().slot_order(SlotOrder::BitReversed).shift(7);
    let plan = Plan::<u64>::with(&request)?;
    let polynomial: Vec<u64> = (1..=STEPS as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % GOLDILOCKS).collect();
    let mut values = polynomial.clone();
    plan.forward(&mut values);
    plan.canonical(&mut values);
    let (q, root) = (Modulus::new(GOLDILOCKS)?, plan.recipe().expect("a prime with roots of unity").root());
    for (i, value) in values.into_iter().enumerate() {
        let x = q.mul(7, q.pow(root, bitrev(i, log) as u64));
        assert_eq!(value, polynomial.iter().rev().fold(0, |value, a| q.add(q.mul(value, x), *a)));
    }
    println!("{STEPS} values on a coset over Goldilocks");
    Ok(())
}
