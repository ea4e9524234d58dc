//! Products modulo any number: a prime with roots of unity, a prime without, and no prime at all.
//!
//! `cargo run --release --example any_modulus`

#![forbid(unsafe_code)]

use ringwork_ntt::{Plan, PlanError};

/// `a·b` modulo `X^n + 1` and `q`, by the definition.
fn schoolbook(a: &[i32], b: &[i32], q: u64) -> Vec<i32> {
    let n = a.len();
    let mut c = vec![0_i128; n];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            let product = i128::from(x) * i128::from(y);
            c[(i + j) % n] += if i + j < n { product } else { -product };
        }
    }
    c.into_iter().map(|x| x.rem_euclid(q.into()) as i32).collect()
}

/// Runs the example; tests do.
pub fn main() -> Result<(), PlanError> {
    for (n, q) in [(512, 12_289), (512, 1_000_003), (512, 1 << 29), (1000, 1_000_000_000)] {
        let plan = Plan::<i32>::new(n, q)?;
        let a: Vec<i32> = (0..n as u64).map(|i| (i * i * 7919 % q) as i32).collect();
        let b: Vec<i32> = (0..n as u64).map(|i| (i * 104_729 % q) as i32).collect();
        let mut c = vec![0; n];
        plan.multiply(&mut c, &a, &b);
        assert_eq!(c, schoolbook(&a, &b, q));

        let way = match (plan.recipe(), plan.crt_recipe()) {
            (Some(recipe), _) => {
                format!("{} layers modulo q, slots of degree {}", recipe.depth(), recipe.slot_degree())
            }
            (None, Some(crt)) => {
                let primes: Vec<String> = crt.channels().iter().map(|channel| channel.q().to_string()).collect();
                format!("transforms of {} words modulo {}", crt.length(), primes.join(", "))
            }
            (None, None) => unreachable!("a plan is one or the other"),
        };
        println!("n = {n}, q = {q}: {way}");
    }

    // What does not fit is refused, and the refusal says what would.
    let refused = Plan::<i32>::new(512, 1 << 40).unwrap_err();
    println!("n = 512, q = 2^40 in 32-bit words: {refused}");
    assert!(Plan::<i64>::new(512, 1 << 40).is_ok());
    Ok(())
}
