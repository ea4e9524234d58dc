//! Doubles in a process whose C code has called `fesetround`, or whose CPU flushes denormals.

use lanes::rounding::{MODES, under};
use ringwork_ntt::{
    Backend, Interval, Method, Plan, Request,
    arith::{Modulus, nearest_prime},
};

/// Words of up to `q - 1` in absolute value, many of them at the ends.
fn words(n: usize, q: i64, trial: i64) -> Vec<i64> {
    let word = |i: usize| {
        let random = (i as i64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64).wrapping_mul(2 * trial + 1) >> 3;
        match trial % 4 {
            0 => q - 1,
            1 => [q - 1, 1 - q][usize::from(random & 1 == 0)],
            2 => q / 2 + i as i64 % 2,
            _ => random % q,
        }
    };
    (0..n).map(word).collect()
}

#[test]
fn products_by_doubles_are_right_in_every_mode() {
    for (n, near) in [(64, (1 << 50) - 1), (1024, (1 << 50) - 1), (1024, 1 << 49), (4096, 1 << 40)] {
        let q = nearest_prime(near, 2 * n as u64, 1 << 50).unwrap();
        for backend in Backend::machines() {
            let request = Request::new(n, q).method(Method::Double).backend(backend);
            let plans = MODES.map(|mode| under(mode, || Plan::<i64>::with(&request).unwrap()));
            let slots = plans[0].certificate().unwrap().slots();
            for trial in 0..8 {
                let [a, b] = [trial, trial + 3].map(|trial| words(n, q as i64, trial));
                let run = |plan: &Plan<i64>| {
                    let (mut product, mut transform) = (vec![0; n], a.clone());
                    plan.multiply(&mut product, &a, &b);
                    plan.forward(&mut transform);
                    (product, transform)
                };
                let expected = run(&plans[0]);
                for (mode, plan) in MODES.into_iter().zip(&plans) {
                    let (product, transform) = under(mode, || run(plan));
                    let context = format!("{backend}, n {n}, q {q}, mode {mode:#x}");
                    assert_eq!(product, expected.0, "{context}");
                    if backend == Backend::Scalar {
                        assert_eq!(transform, expected.1, "{context}");
                        let hold = |x: &i64| slots.holds(Interval::new((*x).into(), (*x).into()));
                        assert!(transform.iter().all(hold), "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn quotients_of_twiddles_are_the_nearest_doubles() {
    for q in [5, 12289, (1 << 31) - 1, (1 << 49) + 69, (1 << 50) - 27] {
        let modulus = Modulus::new(q).unwrap();
        let contract = Method::Double.contract(modulus, 64).unwrap();
        let ends = [0, 1, 2, 3, q / 2 - 1, q / 2, q / 2 + 1, q - 2, q - 1];
        let many = (0..10_000_u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % q);
        for w in ends.into_iter().chain(many) {
            let nearest = modulus.centered(w) as f64 / q as f64;
            assert_eq!(contract.encode(w)[1] as u64, nearest.to_bits(), "{w} modulo {q}");
        }
    }
}
