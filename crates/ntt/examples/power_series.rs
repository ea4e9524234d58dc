//! Competitive programming: products modulo 998244353 and 1000000007, and the inverse of a power series.
//!
//! `cargo run --release --example power_series`

#![forbid(unsafe_code)]

use ringwork_ntt::{Linear, PlanError, arith::Modulus};

/// All `a.len() + b.len() - 1` coefficients of a product.
fn convolution(a: &[u32], b: &[u32], q: u64) -> Result<Vec<u32>, PlanError> {
    let mut c = vec![0; a.len() + b.len() - 1];
    Linear::<u32>::new([a.len(), b.len()], q)?.multiply(&mut c, a, b);
    Ok(c)
}

/// The first `n` coefficients of `1/a`, by Newton's iteration.
fn inverse(a: &[u32], n: usize, q: u64) -> Result<Vec<u32>, PlanError> {
    let (prime, mut a) = (Modulus::new(q)?, a.to_vec());
    a.resize(n.next_power_of_two(), 0);
    let mut g = vec![prime.inv(a[0].into()) as u32];
    while g.len() < n {
        // a·g is 1 + h·X^k + …, where h has k coefficients, and the inverse goes on with -g·h.
        let k = g.len();
        let [mut h, mut g_h] = [vec![0; k], vec![0; k]];
        Linear::<u32>::new([2 * k, k], q)?.part(k..2 * k)?.multiply(&mut h, &a[..2 * k], &g);
        Linear::<u32>::new([k, k], q)?.part(0..k)?.multiply(&mut g_h, &g, &h);
        g.extend(g_h.into_iter().map(|x| prime.neg(x.into()) as u32));
    }
    g.truncate(n);
    Ok(g)
}

/// By the definition.
fn schoolbook(a: &[u32], b: &[u32], q: u64) -> Vec<u32> {
    let mut c = vec![0_u128; a.len() + b.len() - 1];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            c[i + j] += u128::from(x) * u128::from(y);
        }
    }
    c.into_iter().map(|x| (x % u128::from(q)) as u32).collect()
}

/// Runs the example; tests do.
pub fn main() -> Result<(), PlanError> {
    for q in [998_244_353, 1_000_000_007] {
        let number = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % q) as u32;
        let (a, b): (Vec<u32>, Vec<u32>) = ((1..300).map(number).collect(), (300..500).map(number).collect());
        assert_eq!(convolution(&a, &b, q)?, schoolbook(&a, &b, q));

        // The numbers of partitions, 1, 1, 2, 3, 5, 7, …, from Euler's product (1 - X)(1 - X²)(1 - X³)…
        let mut euler = vec![0; 100];
        for k in -8..=8_i64 {
            let (power, sign) = ((k * (3 * k - 1) / 2) as usize, if k % 2 == 0 { 1 } else { q as u32 - 1 });
            euler.get_mut(power).into_iter().for_each(|coefficient| *coefficient = sign);
        }
        let partitions = inverse(&euler, 100, q)?;
        assert_eq!(partitions[..8], [1, 1, 2, 3, 5, 7, 11, 15]);
        let one = schoolbook(&euler, &partitions, q);
        assert!(one[0] == 1 && one[1..100].iter().all(|coefficient| *coefficient == 0));
        println!("modulo {q}: 99 can be partitioned in {} ways", partitions[99]);
    }
    Ok(())
}
