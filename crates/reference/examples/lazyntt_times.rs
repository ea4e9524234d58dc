//! Times the configurations of Tables 2 and 3 of the LazyNTT paper and prints one JSON object.
//!
//! The paper compiled without optimisation; users do not. The first command is its way, the second
//! theirs, the third lets the compiler use all that this CPU has. All leave out checks of overflow,
//! which the paper's C has not; `ringwork report --unoptimised` runs the three.
//!
//! ```text
//! cargo run -p ringwork-reference --example lazyntt_times --release --config profile.release.opt-level=0
//! cargo run -p ringwork-reference --example lazyntt_times --release
//! RUSTFLAGS="-C target-cpu=native" cargo run -p ringwork-reference --example lazyntt_times --release
//! ```
//!
//! Original, SM and SSM are the paper's algorithms in its words: 64 bits, q and R known to the
//! compiler, with R as large as is proved to be needed. Falcon is Algorithm 2 in Falcon's words, 16
//! and 32 bits.
//!
//! The variants of a configuration take turns, for one second altogether or as many milliseconds as
//! the argument says, each warm and in batches of 50 µs at least; medians and quartiles count. No
//! branch depends on the values. `repetitions` is the number of transforms of the variant in all
//! its batches.
#![forbid(unsafe_code)]

use reference::lazyntt::{Counts, Narrow, Tables, falcon, ntt, sm, ssm};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Duration;
use timing::{Batch, in_turns, joined, time_or, timed};

mod timing;

fn main() {
    let time = time_or(1000);
    let mut results = Vec::new();
    for n in (6..=10).map(|k| 1 << k) {
        results.extend(measure(2, 12289, n, time, variants::<12289, 12289, 31, 47>(n)));
    }
    for n in (5..=7).map(|k| 1 << k) {
        results.extend(measure(3, 3329, n, time, variants::<3329, 3329, 26, 40>(n)));
    }
    println!(
        "{:#}",
        json!({ "source": "LazyNTT 2024, section 4", "debug_assertions": cfg!(debug_assertions), "results": results })
    );
}

/// Everything that is timed for one length; R of SM and of SSM as [`reference::lazyntt::condition`]
/// wants it.
fn variants<const Q: u64, const Q32: u32, const R_SM: u32, const R_SSM: u32>(n: usize) -> Vec<(&'static str, Batch)> {
    let falcons = falcon::Tables::<Q32>::new(n).expect("the paper's rings are Falcon's");
    // A result is an input again: values in [0, q).
    let mut f: Vec<u16> = (0..n as u64).map(|i| (i * i % Q) as u16).collect();
    vec![
        ("Original", papers::<Q, 16>(n, 1, ntt)),
        ("SM-LazyNTT", papers::<Q, R_SM>(n, 2, sm)),
        ("SSM-LazyNTT", papers::<Q, R_SSM>(n, 3, ssm)),
        ("Falcon", Box::new(move |size| timed(size, || falcon::ntt(black_box(&mut f), &falcons)))),
    ]
}

type Algorithm<const Q: u64, const LOG_R: u32> = fn(&mut [u64], &Tables<Narrow<Q, LOG_R>>) -> Counts;

fn papers<const Q: u64, const LOG_R: u32>(n: usize, t: usize, algorithm: Algorithm<Q, LOG_R>) -> Batch {
    let tables = Tables::<Narrow<Q, LOG_R>>::in_words(n, t).expect("the paper's configurations fit 64 bits");
    let mut f: Vec<u64> = (0..n as u64).map(|i| i * i % Q).collect();
    Box::new(move |size| {
        timed(size, || {
            algorithm(black_box(&mut f), &tables);
        })
    })
}

/// The rows of one configuration.
fn measure(table: u32, q: u64, n: usize, time: Duration, variants: Vec<(&'static str, Batch)>) -> Vec<Value> {
    let row =
        |(name, times)| joined(json!({ "table": table, "ring": "X^n + 1", "q": q, "n": n, "variant": name }), times);
    in_turns(time, variants).into_iter().map(row).collect()
}
