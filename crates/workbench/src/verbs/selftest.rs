//! `selftest`: known answers and the agreement of all backends, in under a second.

use crate::{
    fault::Fault,
    known,
    plans::{AnyTransform, methods_and_widths},
    screen::{Screen, columns},
};
use clap::Args;
use ntt::{Backend, Request};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Instant;

/// Excerpts of the vector files, so that the command can be tried anywhere.
const KNOWN: [(&str, &str); 10] = [
    ("transforms", include_str!("../../known/transforms.json")),
    ("exchanges, NewHope", include_str!("../../known/newhope-usenix2016.json")),
    ("encapsulations, NTTRU", include_str!("../../known/nttru768.json")),
    ("encryptions, NTRU", include_str!("../../known/ntru.json")),
    ("encapsulations, NTRU", include_str!("../../known/ntru-kem.json")),
    ("encryptions, ring-LWE", include_str!("../../known/rlwe.json")),
    ("encryptions, LWE", include_str!("../../known/lwe.json")),
    ("encapsulations, LWE", include_str!("../../known/lwe-kem.json")),
    ("commitments", include_str!("../../known/bdlop.json")),
    ("products", include_str!("../../known/products.json")),
];

/// Shapes on which all backends must agree.
const SHAPES: [(usize, u64); 5] =
    [(256, 3329), (256, 7681), (256, 8_380_417), (64, 1_073_479_681), (64, (1 << 60) - (1 << 14) + 1)];

/// No arguments.
#[derive(Args, Debug)]
pub(crate) struct Selftest {}

/// All tests passed.
#[derive(Serialize, JsonSchema)]
pub(super) struct Passed {
    /// The backend in use.
    backend: &'static str,
    /// Those of this machine.
    backends: Vec<&'static str>,
    /// How long it took.
    #[schemars(with = "usize")]
    milliseconds: u64,
    /// Test by test.
    passed: Vec<PassedTest>,
}

/// A test that passed.
#[derive(Serialize, JsonSchema)]
pub(super) struct PassedTest {
    /// What was checked.
    name: String,
    /// How many computations agree.
    computations: usize,
}

impl Selftest {
    #[expect(clippy::unused_self, reason = "every verb runs the same way")]
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let start = Instant::now();
        let mut results = Vec::new();
        for (name, text) in KNOWN {
            let tally = known::check(name, text).map_err(|fault| Fault::Negative(fault.to_string()))?;
            results.push(PassedTest { name: format!("known {name}"), computations: tally.computations });
        }
        for (n, q) in SHAPES {
            results.push(PassedTest { name: format!("agreement, n = {n}, q = {q}"), computations: agreement(n, q)? });
        }
        let milliseconds = start.elapsed().as_millis() as u64;
        let backends: Vec<&str> = Backend::available().map(Backend::name).collect();
        let answer = Passed { backend: Backend::best().name(), backends, milliseconds, passed: results };
        screen.answer(&answer, || {
            let Passed { backend, backends, passed, .. } = &answer;
            let row = |PassedTest { name, computations }: &PassedTest| {
                vec![name.clone(), computations.to_string(), "computations agree".into()]
            };
            let mut text = columns("lrl", &passed.iter().map(row).collect::<Vec<_>>());
            text += &format!("backend in use: {backend} (this machine has {})\n", backends.join(", "));
            text + &format!("all passed in {milliseconds} ms\n")
        })
    }
}

/// The same product by every plan: how many there are.
fn agreement(n: usize, q: u64) -> Result<usize, Fault> {
    let a: Vec<u64> = (0..n as u64).map(|i| (i * i * 31 + 7 * i + 5) % q).collect();
    let x = |power: usize| (0..n).map(|i| u64::from(i == power)).collect::<Vec<u64>>();
    // X·(X^(n-1)·a) = -a
    let negated: Vec<u64> = a.iter().map(|&c| (q - c) % q).collect();
    let mut computations = 0;
    for backend in Backend::available() {
        for (method, bits) in methods_and_widths() {
            let Ok(plan) = AnyTransform::new(&Request::new(n, q).backend(backend).method(method), Some(bits)) else {
                continue;
            };
            let product = plan.product(&x(1), &plan.product(&x(n - 1), &a));
            if product != negated || plan.inverse(&plan.forward(&a)) != a {
                let who = format!("{backend}, {method}, {bits}-bit words");
                return Err(Fault::Negative(format!("n = {n}, q = {q}: {who} computes wrongly")));
            }
            computations += 1;
        }
    }
    Ok(computations)
}
