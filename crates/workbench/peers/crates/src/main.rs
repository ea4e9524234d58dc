//! Transforms and products of public crates, timed here and asked for by lines:
//!
//! - `make WHO WORK N Q` answers `made DIGEST`, or `none` and why not; the digest is that of a product, or of a
//!   matrix that comes out, and 0 for other work;
//! - `run JOB CALLS` answers with the nanoseconds of that many calls of the job that was made as number JOB;
//! - `clear` forgets all jobs.
//!
//! `../serve.h` is the same for libraries.

#![forbid(unsafe_code)]

mod integers;
mod plonky3;
mod tfhe;

use std::{
    io::{self, BufRead, Write},
    time::Instant,
};

/// What is asked for.
#[derive(Clone, Copy)]
enum Work {
    Forward,
    Inverse,
    /// Without the division by the degree.
    Unscaled,
    Product,
    /// Transforms of the columns of a matrix with so many.
    Columns(usize),
    /// Their values at twice as many points.
    Extension(usize),
}

/// A job, and the digest of a product or a matrix.
type Made = (Box<dyn FnMut()>, u64);

/// The coefficients of operand 1 or 2, as all programs draw them.
fn sample(n: usize, q: u64, operand: u64) -> Vec<u64> {
    let mut state = operand;
    let next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 1) % q
    };
    std::iter::repeat_with(next).take(n).collect()
}

/// FNV-1a on words.
fn digest(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(0xcbf29ce484222325, |digest, word| (digest ^ word).wrapping_mul(0x100000001b3))
}

fn make(who: &str, work: &str, n: usize, q: u64) -> Result<Made, String> {
    let work = match work {
        "forward" => Work::Forward,
        "inverse" => Work::Inverse,
        "unscaled" => Work::Unscaled,
        "product" => Work::Product,
        "forward-of-16" => Work::Columns(16),
        "forward-of-64" => Work::Columns(64),
        "extension-of-16" => Work::Extension(16),
        _ => return Err(format!("there is no work called {work}")),
    };
    match who {
        "tfhe-ntt" => tfhe::make(work, n, q),
        "plonky3" => plonky3::make(work, n, q),
        "num-bigint" | "dashu-int" => integers::make(who, work, n, q),
        _ => Err(format!("nobody is called {who}")),
    }
}

fn main() {
    let mut jobs: Vec<Box<dyn FnMut()>> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line.expect("lines of text");
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |i: usize| words.get(i).and_then(|word| word.parse::<u64>().ok()).expect("a number");
        let answer = match words[0] {
            "make" => match make(words[1], words[2], number(3) as usize, number(4)) {
                Ok((job, digest)) => {
                    jobs.push(job);
                    format!("made {digest}")
                }
                Err(why) => format!("none {why}"),
            },
            "run" => {
                let (job, calls) = (&mut jobs[number(1) as usize], number(2));
                let start = Instant::now();
                (0..calls).for_each(|_| job());
                start.elapsed().as_nanos().to_string()
            }
            "clear" => {
                jobs.clear();
                "made 0".to_owned()
            }
            _ => "none unknown request".to_owned(),
        };
        println!("{answer}");
        io::stdout().flush().expect("somebody reads");
    }
}
