//! Random requests, legal and illegal: what is planned is right, and what is refused is refused
//! with true advice.
//!
//! | a request | must lead to |
//! |---|---|
//! | that can be proved | transforms and products of the textbook, within the certified ranges |
//! | that cannot | a refusal each of whose remedies removes it, and leads to a plan in a few steps |
//! | for products modulo any number | products of the textbook, or a refusal whose remedy leads to one |
//!
//! Nothing may panic, and memory stays small. Cases repeat; `PROPTEST_RNG_SEED` gives others,
//! `PROPTEST_CASES` more.

#![forbid(unsafe_code)]

mod planned;
mod products;
mod refused;
mod wish;

use proptest::{
    strategy::Strategy,
    test_runner::{Config, RngSeed, TestRunner},
};
use ringwork_ntt::{PlanError, internals::Transform};
use std::cell::Cell;
use wish::Wish;

/// A runner for that many cases, the same ones every time unless the environment says otherwise.
fn runner(cases: u32) -> TestRunner {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(12289);
    }
    TestRunner::new(config)
}

/// A plan that is right, or a refusal that helps. True if there is a plan.
fn judge(wish: &Wish, seed: u64) -> bool {
    let refusal = match wish.bits {
        16 => Transform::<i16>::with(&wish.request()).map(|plan| planned::check(&plan, wish, seed)),
        32 => Transform::<i32>::with(&wish.request()).map(|plan| planned::check(&plan, wish, seed)),
        _ => Transform::<i64>::with(&wish.request()).map(|plan| planned::check(&plan, wish, seed)),
    };
    match refusal {
        Err(PlanError::Unsigned { q, bits }) => {
            assert_eq!((q, bits), (wish.q, wish.bits));
            let unsigned = match bits {
                32 => Transform::<u32>::with(&wish.request()).map(drop),
                _ => Transform::<u64>::with(&wish.request()).map(drop),
            };
            unsigned.unwrap_or_else(|e| panic!("{wish:?}: {e} in words without sign"));
            true
        }
        refusal => refusal.map_err(|e| refused::check(wish, &e)).is_ok(),
    }
}

/// Runs cases and returns how many were planned and how many refused.
fn run<W: std::fmt::Debug>(cases: u32, wishes: impl Strategy<Value = W>, judge: fn(&W, u64) -> bool) -> [u32; 2] {
    let counts = [const { Cell::new(0) }; 2];
    let strategy = (wishes, proptest::num::u64::ANY);
    let judged = runner(cases).run(&strategy, |(wish, seed)| {
        let count = &counts[usize::from(!judge(&wish, seed))];
        count.set(count.get() + 1);
        Ok(())
    });
    judged.unwrap_or_else(|e| panic!("{e}"));
    assert_small_memory();
    counts.map(Cell::into_inner)
}

/// The most memory that this process ever held, where the system tells.
fn assert_small_memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|rest| rest.split_whitespace().next()).map_or(0, |n| n.parse().expect("a number"));
    assert!(kib < 512 << 10, "{kib} KiB of memory");
}

/// Without `PROPTEST_CASES`, enough of both.
#[test]
fn likely_requests() {
    let [planned, refused] = run(4000, wish::likely(), judge);
    assert!(planned > 1000 && refused > 1000 || planned + refused < 4000, "{planned} planned, {refused} refused");
}

#[test]
fn any_requests() {
    let [planned, refused] = run(3000, wish::anything(), judge);
    assert!(planned > 80 && refused > 2000 || planned + refused < 3000, "{planned} planned, {refused} refused");
}

#[test]
fn any_products() {
    let [planned, refused] = run(1000, products::products(), |product, seed| products::judge(*product, seed));
    assert!(planned > 300 && refused > 200 || planned + refused < 1000, "{planned} planned, {refused} refused");
}
