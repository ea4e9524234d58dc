//! Cycles of a butterfly, and bytes of tables for a coefficient, from small transforms to large ones.
//!
//! `cargo run --release -p ringwork-ntt --example large_times`, with a number of bits and one of the logarithm of
//! the degree, or all of them: the fastest of many runs, in processor time, or on the clock with the feature
//! `threads`. A cycle is a third of a product of two words of 64 bits of which each waits for the one
//! before.

#![forbid(unsafe_code)]

use ringwork_ntt::{Backend, Buffer, Request, Word, arith::nearest_prime, internals::Transform};
use std::{hint::black_box, time::Duration};

/// Butterflies that are measured of each transform.
const BUTTERFLIES: usize = 1 << 29;
/// Runs at least.
const RUNS: usize = 5;
/// Butterflies of a run at least: asking for the time takes as long as a hundred.
const OF_RUN: usize = 1 << 18;

/// A point in time. Large transforms are seldom alone on their core, so processor time is counted, unless several
/// threads run.
#[cfg(unix)]
fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let clock = if cfg!(feature = "threads") { ClockId::Monotonic } else { ClockId::ThreadCPUTime };
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn now() -> Duration {
    use std::{sync::LazyLock, time::Instant};
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

fn shortest(least: &mut Duration, job: impl FnOnce()) {
    let start = now();
    job();
    *least = (now() - start).min(*least);
}

/// Seconds of a cycle.
fn cycle() -> f64 {
    const PRODUCTS: u32 = 100_000;
    let mut least = Duration::MAX;
    for _ in 0..100 {
        shortest(&mut least, || {
            black_box((0..PRODUCTS).fold(black_box(3_u64), |x, _| x.wrapping_mul(x | 1)));
        });
    }
    least.as_secs_f64() / f64::from(3 * PRODUCTS)
}

fn measure<T: Word>(bits: u32, log: u32) {
    let n = 1_usize << log;
    let q = nearest_prime(1 << bits, 2 << log.max(22), 1 << bits).expect("a prime");
    let transform = Transform::<T>::with(&Request::new(n, q)).expect("a transform");
    let mut words = Buffer::<T>::zeros(n);
    let a = words.words_mut();
    let butterflies = n / 2 * log as usize;
    let calls = OF_RUN.div_ceil(butterflies);
    let runs = (BUTTERFLIES / (calls * butterflies)).max(RUNS);
    let (mut least, cycle) = ([Duration::MAX; 2], cycle());
    for _ in 0..runs {
        shortest(&mut least[0], || (0..calls).for_each(|_| transform.forward(black_box(a))));
        shortest(&mut least[1], || (0..calls).for_each(|_| transform.inverse(black_box(a))));
    }
    let [forward, inverse] = least.map(|time| time.as_secs_f64() / cycle / (calls * butterflies) as f64);
    let bytes = (transform.table_words() * size_of::<T>()) as f64 / n as f64;
    let (method, backend) = (transform.recipe().method(), transform.recipe().backend().name());
    println!("| {bits} | 2^{log} | {method}, {backend} | {forward:.3} | {inverse:.3} | {bytes:.2} |");
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>().expect("a number"));
    let (only_bits, only_log) = (numbers.next(), numbers.next());
    println!("Best backend: {}", Backend::available().next_back().map_or("none", Backend::name));
    println!("| bits | n | by | forward | inverse | bytes |\n|---|---|---|---|---|---|");
    for bits in [30, 50, 60].into_iter().filter(|bits| only_bits.is_none_or(|only| *bits == only)) {
        for log in (10..=24).step_by(2).filter(|log| only_log.is_none_or(|only| *log == only)) {
            if bits == 30 { measure::<i32>(bits, log) } else { measure::<i64>(bits, log) }
        }
    }
}
