//! Times the configurations of Tables 2 and 3 of the LazyNTT paper and prints one JSON object.
//!
//! The paper compiled without optimisation; users do not. The first command is its way, the second theirs. Both leave out
//! checks of overflow, which the paper's C has not; `ringwork report --unoptimised` runs both.
//!
//! ```text
//! cargo run -p ringwork-reference --example lazyntt_times --release --config profile.release.opt-level=0
//! cargo run -p ringwork-reference --example lazyntt_times --release
//! ```
//!
//! The three variants of a configuration take turns, for one second altogether or as many milliseconds as the argument
//! says, in batches of about 50 µs; the median batch counts. All have the same word (64 bits, products of 128) and differ in nothing but the algorithm; no
//! branch depends on the values. `repetitions` is the number of transforms of the variant in all its batches.
#![forbid(unsafe_code)]

use reference::lazyntt::{Counts, Tables, ntt, sm, ssm};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

type Algorithm = fn(&mut [u64], &Tables) -> Counts;

/// Name, t, and the algorithm.
const VARIANTS: [(&str, usize, Algorithm); 3] = [("Original", 1, ntt), ("SM-LazyNTT", 2, sm), ("SSM-LazyNTT", 3, ssm)];
/// Number, q, and log n.
const PAPERS_TABLES: [(u32, u64, std::ops::RangeInclusive<u32>); 2] = [(2, 12289, 6..=10), (3, 3329, 5..=7)];
const MILLISECONDS_OF_A_CONFIGURATION: u64 = 1000;
const TIME_OF_A_BATCH: Duration = Duration::from_micros(50);

fn main() {
    let milliseconds = std::env::args().nth(1).map(|text| text.parse().expect("milliseconds"));
    let time = Duration::from_millis(milliseconds.unwrap_or(MILLISECONDS_OF_A_CONFIGURATION));
    let configurations = PAPERS_TABLES.into_iter().flat_map(|(table, q, log_n)| log_n.map(move |k| (table, q, 1 << k)));
    let results: Vec<Value> = configurations.flat_map(|(table, q, n)| measure(table, q, n, time)).collect();
    println!(
        "{:#}",
        json!({ "source": "LazyNTT 2024, section 4", "debug_assertions": cfg!(debug_assertions), "results": results })
    );
}

/// The rows of one configuration.
fn measure(table: u32, q: u64, n: usize, time: Duration) -> Vec<Value> {
    let mut runs = VARIANTS.map(|(name, t, algorithm)| {
        let tables = Tables::proved(n, q, t).expect("the paper's configurations fit 64 bits");
        // A result is an input again: values in [0, q).
        let mut f: Vec<u64> = (0..n as u64).map(|i| i * i % q).collect();
        let mut batch = move |size: u32| {
            let start = Instant::now();
            for _ in 0..size {
                algorithm(black_box(&mut f), &tables);
            }
            start.elapsed()
        };
        let one = (0..20).map(|_| batch(1)).min().expect("twenty runs").max(Duration::from_nanos(1));
        let size = (TIME_OF_A_BATCH.as_nanos() / one.as_nanos()).max(1) as u32;
        (name, size, batch, Vec::new())
    });
    let start = Instant::now();
    while start.elapsed() < time || runs[0].3.is_empty() {
        for (_, size, batch, samples) in &mut runs {
            samples.push(batch(*size));
        }
    }
    let row = |(name, size, _, mut samples): (_, u32, _, Vec<Duration>)| {
        samples.sort_unstable();
        let median = samples[samples.len() / 2].as_nanos() as f64 / f64::from(size);
        json!({
            "table": table, "ring": "X^n + 1", "q": q, "n": n, "variant": name,
            "nanoseconds": median, "repetitions": samples.len() * size as usize,
        })
    };
    runs.map(row).into()
}
