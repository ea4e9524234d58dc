//! Timing: does an operation take as long for one fixed secret as for random ones?
//!
//! Two classes of inputs in random order, each measured once; Welch's t of their times, also with slow measurements left
//! out. A |t| above 4.5 means that the classes differ with near certainty: look for the reason. Below, nothing was seen
//! in that many measurements on this machine. Where memcheck sees branches and addresses, this sees whatever takes
//! time, AVX-512 and division included.
//!
//! Source: Reparaz, Balasch, Verbauwhede, *Dude, is my code constant time?* (2017).

mod cases;
mod welch;

use ringwork::{Backend, xof};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use welch::Welch;

/// Inputs that are made ready before they are measured.
const ROUND: usize = 64;
/// Measurements that are looked at, and forgotten, to know which are slow.
const FIRST: usize = 2048;
/// Parts of the measurements that are kept, beside all: where interrupts and other programs are left out, small
/// differences are seen.
const KEPT: [f64; 5] = [0.99, 0.95, 0.9, 0.75, 0.5];

/// Everything that is measured: so long each.
pub(crate) struct Timing {
    backend: Backend,
    part: String,
    each: Duration,
    calls: u64,
}

/// Of which class an input is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Class {
    Fixed,
    Random,
}

pub(crate) fn run(backend: Backend, seconds: u64, part: &str) {
    println!("{backend}, {seconds} s each; |t| above 4.5 is a difference");
    println!("{:<44} {:>12} {:>11} {:>8}", "", "measurements", "median", "max |t|");
    let mut timing = Timing { backend, part: part.into(), each: Duration::from_secs(seconds), calls: 0 };
    cases::run(&mut timing);
}

impl Timing {
    /// Measures a case: `prepare` makes an input of a class from 64 random bytes, in memory of its own, and `operate`
    /// is what is measured.
    fn case<I, O>(
        &mut self,
        name: &str,
        mut prepare: impl FnMut(Class, &[u8; 64]) -> I,
        mut operate: impl FnMut(&I) -> O,
    ) {
        if !name.contains(&self.part) {
            return;
        }
        let mut first = Vec::with_capacity(FIRST);
        // All of them, then those up to a limit.
        let mut compared = [const { (u64::MAX, Welch::new()) }; 1 + KEPT.len()];
        let end = Instant::now() + self.each;
        while Instant::now() < end {
            let inputs: Vec<(Class, I)> = (0..ROUND)
                .map(|_| {
                    let (class, bytes) = self.draw();
                    (class, prepare(class, &bytes))
                })
                .collect();
            for (class, input) in &inputs {
                let start = Instant::now();
                let output = black_box(operate(input));
                let time = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
                drop(output);
                if first.len() < FIRST {
                    first.push(time);
                    if first.len() == FIRST {
                        first.sort_unstable();
                        for ((limit, _), part) in compared[1..].iter_mut().zip(KEPT) {
                            *limit = first[(part * (FIRST - 1) as f64) as usize];
                        }
                    }
                    continue;
                }
                for (_, welch) in compared.iter_mut().filter(|(limit, _)| time <= *limit) {
                    welch.add(*class, time);
                }
            }
        }
        if compared[0].1.count() == 0 {
            println!("{name:<44} too slow: {} measurements, {FIRST} must come first", first.len());
            return;
        }
        let largest = compared.iter().map(|(_, welch)| welch.t().abs()).fold(0.0, f64::max);
        println!("{name:<44} {:>12} {:>8} ns {largest:>8.2}", compared[0].1.count(), first[FIRST / 2]);
    }

    /// A class and bytes of nobody's choice.
    fn draw(&mut self) -> (Class, [u8; 64]) {
        let mut bytes = [0; 65];
        self.calls += 1;
        xof::chacha20(&[7; 32], self.calls.to_le_bytes(), &mut bytes);
        let class = if bytes[64] & 1 == 0 { Class::Fixed } else { Class::Random };
        (class, *bytes.first_chunk().expect("64 of 65"))
    }
}
