//! What methods of reduction take beside Montgomery's: the measurements behind the weights of
//! `planner/cost.rs`.
//!
//! `cargo run --release -p ringwork-ntt --features all-methods --example method_times`: methods by
//! turns, of each the fastest of many runs.

#![forbid(unsafe_code)]

use ringwork_ntt::{
    Backend, Method, Request, Word,
    arith::nearest_prime,
    internals::{Transform, is_compiled},
};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Runs of each method.
const TURNS: usize = 4000;
/// Calls of a run.
const CALLS: u32 = 8;
/// Words of a polynomial: all that a transform needs stays in the first two caches.
const N: usize = 1024;

/// A method with its transform, three polynomials, and the least times of a forward transform,
/// pointwise products and an inverse transform.
struct Runner<T: Word> {
    method: Method,
    transform: Transform<T>,
    words: [Vec<T>; 3],
    least: [Duration; 3],
}

impl<T: Word> Runner<T> {
    fn new(request: Request, method: Method) -> Option<Self> {
        let transform = Transform::with(&request.method(method)).ok()?;
        let words = [(); 3].map(|()| vec![T::default(); N]);
        Some(Self { method, transform, words, least: [Duration::MAX; 3] })
    }

    fn turn(&mut self) {
        let Self { transform, words: [a, b, c], least: [forward, pointwise, inverse], .. } = self;
        shortest(forward, || transform.forward(black_box(a)));
        shortest(pointwise, || transform.pointwise(black_box(c), black_box(b), b));
        shortest(inverse, || transform.inverse(black_box(c)));
    }

    /// Nanoseconds of one call of each.
    fn times(&self) -> [f64; 3] {
        self.least.map(|time| time.as_secs_f64() * 1e9 / f64::from(CALLS))
    }

    /// Nanoseconds of a whole product.
    fn product(&self) -> f64 {
        let [forward, pointwise, inverse] = self.times();
        2.0 * forward + pointwise + inverse
    }
}

fn shortest(least: &mut Duration, mut job: impl FnMut()) {
    let start = Instant::now();
    (0..CALLS).for_each(|_| job());
    *least = start.elapsed().min(*least);
}

/// All methods that are compiled, on slots of that degree.
fn compare<T: Word>(backend: Backend, size: u32, degree: usize) {
    let lanes = backend.lanes(T::BITS);
    let depth = (N / degree).ilog2();
    let Some(q) = nearest_prime(1 << size, 2 * N as u64, 1 << size) else { return };
    let request = Request::new(N, q).depth(depth).backend(backend);
    // Lazy slots, as residue channels have them, take the fewest reductions.
    let compiled = Method::ALL.into_iter().filter(|method| is_compiled(*method, T::BITS, lanes));
    let mut runners: Vec<Runner<T>> = compiled.filter_map(|method| Runner::new(request.lazy(), method)).collect();
    for _ in 0..TURNS {
        runners.iter_mut().for_each(Runner::turn);
    }
    let Some(montgomery) = runners.first().filter(|runner| runner.method == Method::Montgomery) else { return };
    let base = [montgomery.times().as_slice(), &[montgomery.product()]].concat();
    let estimate = montgomery.transform.recipe().estimated_cycles() as f64;
    for runner in &runners {
        let times = [runner.times().as_slice(), &[runner.product()]].concat();
        let ratios: Vec<String> =
            times.iter().zip(&base).map(|(time, base)| format!("{time:.0} ({:.2})", time / base)).collect();
        let counts = runner.transform.counts().map(|count| {
            format!("{}·{}·{}", count.products + count.variable_products, count.reductions, count.interleaves)
        });
        println!(
            "| {lanes} × {} | {q} | {degree} | {} | {} | {} | {:.2} |",
            T::BITS,
            runner.method,
            ratios.join(" | "),
            counts.join(" | "),
            runner.transform.recipe().estimated_cycles() as f64 / estimate
        );
    }
}

fn main() {
    println!(
        "Nanoseconds (and ratios to Montgomery's); products·reductions·exchanges of vectors; ratio of estimates.\n\n\
         | words | q | slot degree | method | forward | pointwise | inverse | product | counts | | | estimate |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for backend in [Backend::best(), Backend::Scalar] {
        for degree in [1, 4] {
            compare::<i16>(backend, 14, degree);
            compare::<i32>(backend, 28, degree);
            compare::<i32>(backend, 30, degree);
            if backend.lanes(64) > 1 || backend == Backend::Scalar {
                compare::<i64>(backend, 60, degree);
            }
        }
    }
}
