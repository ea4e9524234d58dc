//! What it takes to plan: the table of `docs/planner.md`.
//!
//! `cargo run --release -p ringwork-ntt --example planning_times` plans a grid of rings that are hard to plan, and says
//! which took longest; it fails where the limits are exceeded, 10 ms up to n = 4096 and 100 ms up to n = 65536.
//! With `N Q` behind `--`, and perhaps bits of a word, it plans that ring alone, and says what memory the
//! process had at most (on Linux).

#![forbid(unsafe_code)]

use ringwork_ntt::{
    Decision, Plan, PlanError, Request, Ring,
    arith::{is_prime, nearest_prime},
};
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

/// Degrees, the hardest of their size among them: `2^k`, `3·2^k`, odd ones, `2^k ± 1`.
fn degrees() -> Vec<usize> {
    let mut degrees: Vec<usize> = (3..=16).flat_map(|log| [1 << log, (1 << log) - 1, 3 << (log - 1)]).collect();
    degrees.extend([5, 100, 761, 1000, 4032, 10007, 40000, 61440]);
    degrees.retain(|n| (2..=65536).contains(n));
    degrees.sort_unstable();
    degrees.dedup();
    degrees
}

/// Moduli for a degree: around every limit of a word primes with all, few and no roots, odd and even composites.
fn moduli(ring: Ring, n: usize) -> Vec<u64> {
    let mut moduli = vec![5, 7, 257, 1073741827, 4294967291, (1 << 61) - 1, (1 << 62) - 57, 1 << 62, u64::MAX];
    for bits in [4, 8, 13, 14, 15, 16, 23, 29, 30, 31, 32, 45, 60, 61, 62] {
        let limit = 1_u64 << bits;
        let with_roots = |layers: u32| nearest_prime(limit - 1, ring.order(layers), limit);
        let layers = ring.layers(n);
        moduli.extend(
            [Some(layers), layers.checked_sub(3), Some(layers / 2)].into_iter().flatten().filter_map(with_roots),
        );
        moduli.extend((limit / 2..limit).rev().find(|q| q % 12 == 11 && is_prime(*q)));
        moduli.extend((limit..2 * limit).find(|q| q % 12 == 11 && is_prime(*q)));
        moduli.extend([limit, limit - 1]);
    }
    moduli.sort_unstable();
    moduli.dedup();
    moduli
}

/// The bits of the word that are left open, and the products that are summed up.
const WORDS: [Option<u32>; 4] = [None, Some(16), Some(32), Some(64)];
const SUMS: [u64; 2] = [1, 1 << 40];

/// A ring to plan.
#[derive(Clone, Copy)]
struct Wanted {
    n: usize,
    q: u64,
    ring: Ring,
    bits: Option<u32>,
    sums: u64,
}

/// What it took.
struct Taken {
    wanted: Wanted,
    decided: Duration,
    /// The tables, or why there are none.
    tables: Result<Duration, PlanError>,
    what: String,
}

fn plan(wanted: Wanted) -> Taken {
    let Wanted { n, q, ring, bits, sums } = wanted;
    let request = Request::new(n, q).ring(ring).sums(sums);
    let start = Instant::now();
    let decision = bits.map_or_else(|| request.decide_any(), |bits| request.decide(bits));
    let decided = start.elapsed();
    let what = match &decision {
        Ok(Decision::Direct(recipe)) => format!("{} bits, slots of degree {}", recipe.bits(), recipe.slot_degree()),
        Ok(Decision::Crt(crt)) => format!("{} bits, {} channels", crt.bits(), crt.channels().len()),
        Err(refusal) => format!("refused: {}", refusal.code()),
    };
    let tables = decision.map(|decision| {
        let start = Instant::now();
        match decision.bits() {
            16 => drop(Plan::<i16>::from_decision(decision)),
            32 => drop(Plan::<i32>::from_decision(decision)),
            _ => drop(Plan::<i64>::from_decision(decision)),
        }
        start.elapsed()
    });
    Taken { wanted, decided, tables, what }
}

impl Taken {
    fn whole(&self) -> Duration {
        self.decided + self.tables.as_ref().copied().unwrap_or_default()
    }

    fn print(&self) {
        let Wanted { n, q, ring, bits, sums } = self.wanted;
        let words = bits.map_or("any".to_owned(), |bits| bits.to_string());
        let [decided, tables] = [self.decided, self.tables.as_ref().copied().unwrap_or_default()].map(ms);
        println!("| {n} | {q} | {ring} | {words} | {sums} | {} | {decided:.2} ms | {tables:.2} ms |", self.what);
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

const HEAD: &str = "| n | q | ring | words | sums | what | decided in | tables in |\n|---|---|---|---|---|---|---|---|";

/// Plans everything; of what takes long, the fastest of some runs counts.
fn sweep() -> ExitCode {
    const SHOWN: usize = 12;
    let mut failed = false;
    for (name, degrees_in, limit) in [
        ("up to n = 4096", 2..=4096, Duration::from_millis(10)),
        ("from n = 4097 to n = 65536", 4097..=65536, Duration::from_millis(100)),
    ] {
        let (mut longest, mut plans, mut above): (Vec<Taken>, usize, usize) = (Vec::new(), 0, 0);
        for n in degrees().into_iter().filter(|n| degrees_in.contains(n)) {
            for (ring, q) in Ring::ALL.into_iter().flat_map(|ring| moduli(ring, n).into_iter().map(move |q| (ring, q)))
            {
                for (bits, sums) in WORDS.into_iter().flat_map(|bits| SUMS.map(|sums| (bits, sums))) {
                    let wanted = Wanted { n, q, ring, bits, sums };
                    let mut taken = plan(wanted);
                    for _ in 0..10 {
                        if taken.whole() < limit / 2 {
                            break;
                        }
                        let again = plan(wanted);
                        taken = if again.whole() < taken.whole() { again } else { taken };
                    }
                    plans += 1;
                    above += usize::from(taken.whole() > limit);
                    longest.push(taken);
                    if longest.len() > 10 * SHOWN {
                        longest.sort_by_key(|taken| std::cmp::Reverse(taken.whole()));
                        longest.truncate(SHOWN);
                    }
                }
            }
        }
        longest.sort_by_key(|taken| std::cmp::Reverse(taken.whole()));
        println!("### {plans} plans {name}, {above} of them in more than {} ms\n\n{HEAD}", limit.as_millis());
        longest.iter().take(SHOWN).for_each(Taken::print);
        println!();
        failed |= above > 0;
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The largest resident size of this process so far, as Linux tells it.
fn peak() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().to_owned())
}

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).map(|word| word.parse().expect("numbers N Q [BITS]")).collect();
    match numbers[..] {
        [] => return sweep(),
        [n, q, ..] => {
            let bits = numbers.get(2).map(|bits| *bits as u32);
            let taken = plan(Wanted { n: n as usize, q, ring: Ring::Negacyclic, bits, sums: 1 });
            println!("{HEAD}");
            taken.print();
            println!("\nlargest resident size: {}", peak().as_deref().unwrap_or("unknown"));
        }
        _ => panic!("N Q [BITS], or nothing"),
    }
    ExitCode::SUCCESS
}
