//! A ring-LWE sum `b = a·s + e` that stays in the transform domain, and a module-LWE sum of three
//! products with one inverse transform.
//!
//! `cargo run --release --example ring_lwe_sum`

#![forbid(unsafe_code)]

use ringwork_ntt::{Plan, PlanError};

const N: usize = 256;
const Q: i16 = 7681;

/// Numbers that look random. A scheme takes them from a cryptographic generator and wipes them.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn uniform(&mut self) -> Vec<i16> {
        (0..N).map(|_| (self.next() % Q as u64) as i16).collect()
    }

    /// From -2 to 2.
    fn small(&mut self) -> Vec<i16> {
        (0..N).map(|_| (self.next() % 5) as i16 - 2).collect()
    }
}

fn transformed(plan: &Plan<i16>, mut a: Vec<i16>) -> Vec<i16> {
    plan.forward(&mut a);
    a
}

/// Runs the example; tests do.
pub fn main() -> Result<(), PlanError> {
    let plan = Plan::<i16>::new(N, Q as u64)?;
    let mut numbers = Numbers(1);

    // `a` is uniform, and so is its transform: it is drawn there, as in ML-KEM.
    let a_hat = numbers.uniform();
    let (s, e) = (numbers.small(), numbers.small());
    let (s_hat, e_hat) = (transformed(&plan, s), transformed(&plan, e.clone()));
    let product = plan.pointwise(vec![0; N], &a_hat, &s_hat);
    let b_hat = plan.to_ntt_plus(product, &e_hat);

    // Whoever has `s` finds `e`: b - a·s is small. The others see numbers that look uniform.
    let mut b = b_hat;
    plan.inverse(&mut b);
    let largest = b.iter().max().expect("there are coefficients");
    let a_s = plan.inverse_product(plan.pointwise(vec![0; N], &a_hat, &s_hat));
    let mut noise = b.clone();
    plan.sub(&mut noise, &a_s);
    plan.centre(&mut noise);
    assert_eq!(noise, e);
    println!("a·s + e has coefficients up to {largest}; without a·s, {:?}, … are left", &noise[..8]);

    // Module-LWE: an inner product of three terms, and one inverse transform.
    let row: Vec<i16> = (0..3).flat_map(|_| numbers.uniform()).collect();
    let secrets: Vec<Vec<i16>> = (0..3).map(|_| transformed(&plan, numbers.small())).collect();
    let sum = plan.inverse_product(plan.inner_products(vec![0; N], &row, &secrets.concat(), 3));

    let mut one_by_one = vec![0; N];
    for (a_hat, s_hat) in row.chunks_exact(N).zip(&secrets) {
        let term = plan.inverse_product(plan.pointwise(vec![0; N], a_hat, s_hat));
        plan.add(&mut one_by_one, &term);
    }
    assert_eq!(sum, one_by_one);
    println!("an inner product of three terms is the sum of their products, with one inverse instead of three");
    Ok(())
}
