//! Batches that take turns: medians and quartiles of nanoseconds.

use serde_json::{Value, json};
use std::time::{Duration, Instant};

const TIME_OF_A_BATCH: Duration = Duration::from_micros(50);

/// Runs a given number of times, and returns the time.
pub(crate) type Batch = Box<dyn FnMut(u32) -> Duration>;

/// Runs something `size` times.
pub(crate) fn timed(size: u32, mut run: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..size {
        run();
    }
    start.elapsed()
}

/// The time that the first argument gives in milliseconds.
pub(crate) fn time_or(milliseconds: u64) -> Duration {
    let given = std::env::args().nth(1).map(|text| text.parse().expect("milliseconds"));
    Duration::from_millis(given.unwrap_or(milliseconds))
}

/// Each variant with its times, for `time` altogether, each warm and in batches of 50 µs at least. What
/// takes longer than `time` runs once.
pub(crate) fn in_turns<T>(time: Duration, variants: Vec<(T, Batch)>) -> Vec<(T, Value)> {
    let mut runs: Vec<(T, u32, Batch, Vec<Duration>)> = Vec::new();
    for (name, mut batch) in variants {
        let (mut size, first) = (1, batch(1));
        while first < time && batch(size).min(batch(size)) < TIME_OF_A_BATCH {
            size *= 2;
        }
        runs.push((name, size, batch, if first < time { Vec::new() } else { vec![first] }));
    }
    let start = Instant::now();
    loop {
        for (_, size, batch, samples) in runs.iter_mut().filter(|(.., samples)| samples.first() < Some(&time)) {
            batch(1);
            samples.push(batch(*size));
        }
        if start.elapsed() >= time || runs.iter().all(|(.., samples)| samples.first() >= Some(&time)) {
            break;
        }
    }
    let result = |(name, size, _, mut samples): (T, u32, Batch, Vec<Duration>)| {
        samples.sort_unstable();
        let quartile = |i: usize| samples[(samples.len() - 1) * i / 4].as_nanos() as f64 / f64::from(size);
        let times = json!({
            "nanoseconds": quartile(2), "low_quartile": quartile(1), "high_quartile": quartile(3),
            "repetitions": samples.len() * size as usize,
        });
        (name, times)
    };
    runs.into_iter().map(result).collect()
}

/// The fields of one object, then those of another.
pub(crate) fn joined(mut first: Value, second: Value) -> Value {
    let Value::Object(more) = second else { unreachable!("times are an object") };
    first.as_object_mut().expect("a row is an object").extend(more);
    first
}
