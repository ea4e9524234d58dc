//! Which plans a cost model changes, and what that is worth here.
//!
//! `cargo run --release -p ringwork-ntt --example model_choices FILE`: plans by the costs that are the same on
//! every machine and by those of the file, which `ringwork plan --measure --out FILE` writes; where they differ,
//! whole products by both, in turns, of each the fastest of many.

#![forbid(unsafe_code)]

use ringwork_ntt::{Backend, CostModel, Decision, Plan, Request, SignedWord, arith::nearest_prime};
use std::{
    env, fs,
    hint::black_box,
    time::{Duration, Instant},
};

/// A product that can be timed.
type Product = Box<dyn FnMut()>;

fn product<T: SignedWord + 'static>(decision: Decision) -> Product {
    let plan = Plan::<T>::from_decision(decision);
    let [a, b, mut c] = [1, 2, 0].map(|value| vec![T::from_i64(value); plan.n()]);
    let mut scratch = vec![T::default(); plan.scratch_len()];
    Box::new(move || plan.multiply_with(black_box(&mut c), black_box(&a), &b, &mut scratch))
}

fn job(decision: Decision) -> Product {
    match decision.bits() {
        16 => product::<i16>(decision),
        32 => product::<i32>(decision),
        _ => product::<i64>(decision),
    }
}

/// Word, vectors, kind, method and depth, and the primes of residue channels.
fn shape(decision: &Decision) -> String {
    let (kind, first) = match decision {
        Decision::Direct(recipe) => ("direct".into(), recipe),
        Decision::Crt(crt) => (format!("{} channels", crt.channels().len()), &crt.channels()[0]),
    };
    let (lanes, bits, method) = (first.lanes(), first.bits(), first.method());
    format!("{lanes} × {bits}, {kind}, {method}, slots of {}, length {}", first.slot_degree(), first.n())
}

/// Microseconds of both, the fastest of many turns.
fn times(decisions: [Decision; 2]) -> [f64; 2] {
    let mut jobs = decisions.map(job);
    let mut least = [Duration::MAX; 2];
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(150) {
        for (job, least) in jobs.iter_mut().zip(&mut least) {
            job();
            let start = Instant::now();
            (0..4).for_each(|_| job());
            *least = start.elapsed().min(*least);
        }
    }
    least.map(|time| time.as_secs_f64() * 1e6 / 4.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = env::args().nth(1).ok_or("which file of costs?")?;
    let model: &CostModel = Box::leak(Box::new(fs::read_to_string(path)?.parse()?));
    println!(
        "{}\n\n| n | q | backend | by default | by the model | times | µs |\n|---|---|---|---|---|---|---|",
        model.cpu()
    );
    let (mut plans, mut changed, mut gain) = (0, 0, 0.0);
    for backend in [None, Some(Backend::Scalar)] {
        for n in [64, 256, 512, 768, 1024, 4096, 16384] {
            let order = 2 * (n as u64).next_power_of_two();
            let sizes = [13, 14, 20, 23, 26, 28, 29, 30, 31, 40, 49, 50, 55, 59, 60];
            let with_roots = sizes.iter().filter_map(|&size| nearest_prime(1 << size, order, 1 << size));
            for q in with_roots.chain([3329, 4096, 1 << 20, (1 << 30) + 3, 1 << 45, (1 << 60) + 1]) {
                let any = Request::new(n, q);
                let request = backend.map_or(any, |backend| any.backend(backend));
                let by_model = request.cost_model(model);
                for bits in [None, Some(16), Some(32), Some(64)] {
                    let decide = |request: Request| match bits {
                        None => request.decide_any(),
                        Some(bits) => request.decide(bits),
                    };
                    let (Ok(old), Ok(new)) = (decide(request), decide(by_model)) else { continue };
                    plans += 1;
                    let shapes = [shape(&old), shape(&new)];
                    if shapes[0] == shapes[1] {
                        continue;
                    }
                    let [old, new] = times([old, new]);
                    changed += 1;
                    gain += (old / new).ln();
                    let word = bits.map_or("any word".into(), |bits| format!("{bits} bits"));
                    let on = backend.map_or("best", Backend::name);
                    println!(
                        "| {n} | {q} | {on}, {word} | {} | {} | {:.2} | {old:.2} → {new:.2} |",
                        shapes[0],
                        shapes[1],
                        old / new
                    );
                }
            }
        }
    }
    let mean = f64::exp(gain / f64::from(changed.max(1)));
    println!(
        "\n{changed} of {plans} plans are others; their products take 1/{mean:.3} of the time, in the geometric mean"
    );
    Ok(())
}
