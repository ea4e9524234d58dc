//! What it takes to plan: the table of `docs/planner.md`.
//!
//! `cargo run --release -p ringwork-ntt --example planning_times` plans a grid of rings that are
//! hard to plan, and says which took longest; it fails where the limits are exceeded, 10 ms up to n
//! = 4096 and 100 ms up to n = 65536. With `N Q` behind `--`, and perhaps bits of a word, it plans
//! that ring alone, and says what memory the process had at most (on Linux).

#![forbid(unsafe_code)]

use ringwork_ntt::{
    Decision, Plan, PlanError, Request, Ring,
    arith::{is_prime, nearest_prime},
};
use std::{collections::HashMap, process::ExitCode, time::Duration};

/// Degrees up to each limit: `2^k`, `3·2^k`, and such as go by longer cyclic rings.
const DEGREES: [&[usize]; 2] = [
    &[8, 61, 256, 761, 1000, 1024, 1536, 2048, 3072, 4032, 4095, 4096],
    &[5000, 8192, 10007, 24576, 32768, 40000, 49152, 61440, 65535, 65536],
];

/// Moduli for a degree: around every limit of a word primes with all, few and no roots, odd and
/// even composites.
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

/// Runs of which the fastest counts.
const RUNS: usize = 5;

/// What it took.
struct Taken {
    wanted: Wanted,
    decided: Duration,
    /// The tables, or why there are none.
    tables: Result<Duration, PlanError>,
    what: String,
}

fn plan(wanted: Wanted, tables: &mut Tables) -> Taken {
    let Wanted { n, q, ring, bits, sums } = wanted;
    let request = Request::new(n, q).ring(ring).sums(sums);
    let start = now();
    let decision = bits.map_or_else(|| request.decide_any(), |bits| request.decide(bits));
    let decided = now() - start;
    let what = match &decision {
        Ok(Decision::Direct(recipe)) => format!("{} bits, slots of degree {}", recipe.bits(), recipe.slot_degree()),
        Ok(Decision::Crt(crt)) => {
            let channel = &crt.channels()[0];
            let (count, length) = (crt.channels().len(), crt.length());
            format!("{} bits, {count} channels of {length}, slots of degree {}", crt.bits(), channel.slot_degree())
        }
        Err(refusal) => format!("refused: {}", refusal.code()),
    };
    let runs = if n <= 65536 { RUNS } else { 1 };
    let tables =
        decision.map(|decision| *tables.entry((n, what.clone())).or_insert_with(|| of_tables(&decision, runs)));
    Taken { wanted, decided, tables, what }
}

/// The fastest of some runs.
fn of_tables(decision: &Decision, runs: usize) -> Duration {
    let run = || {
        let (decision, start) = (decision.clone(), now());
        match decision.bits() {
            16 => drop(Plan::<u16>::from_decision(decision)),
            32 => drop(Plan::<u32>::from_decision(decision)),
            _ => drop(Plan::<u64>::from_decision(decision)),
        }
        now() - start
    };
    (0..runs).map(|_| run()).min().unwrap_or_default()
}

/// How long it takes to derive the tables of plans of one shape.
type Tables = HashMap<(usize, String), Duration>;

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

/// The time that this process had a processor, whatever else the machine did.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// The time of day, where there is no other clock.
#[cfg(not(unix))]
fn now() -> Duration {
    std::time::UNIX_EPOCH.elapsed().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

const HEAD: &str = "| n | q | ring | words | sums | what | decided in | tables in |\n|---|---|---|---|---|---|---|---|";

/// Plans everything; what takes long is decided several times.
fn sweep() -> ExitCode {
    const SHOWN: usize = 12;
    let (mut failed, mut tables) = (false, Tables::new());
    for (degrees, limit) in DEGREES.iter().zip([10, 100].map(Duration::from_millis)) {
        let (mut longest, mut plans, mut above): (Vec<Taken>, usize, usize) = (Vec::new(), 0, 0);
        for &n in *degrees {
            for (ring, q) in Ring::ALL.into_iter().flat_map(|ring| moduli(ring, n).into_iter().map(move |q| (ring, q)))
            {
                for (bits, sums) in WORDS.into_iter().flat_map(|bits| SUMS.map(|sums| (bits, sums))) {
                    let wanted = Wanted { n, q, ring, bits, sums };
                    let mut taken = plan(wanted, &mut tables);
                    for _ in 0..RUNS {
                        if taken.whole() < limit / 2 {
                            break;
                        }
                        taken.decided = taken.decided.min(plan(wanted, &mut tables).decided);
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
        let most = degrees.last().expect("degrees");
        println!("### {plans} plans up to n = {most}, {above} of them in more than {} ms\n\n{HEAD}", limit.as_millis());
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
            let wanted = Wanted { n: n as usize, q, ring: Ring::Negacyclic, bits, sums: 1 };
            let taken = plan(wanted, &mut Tables::new());
            println!("{HEAD}");
            taken.print();
            println!("\nlargest resident size: {}", peak().as_deref().unwrap_or("unknown"));
        }
        _ => panic!("N Q [BITS], or nothing"),
    }
    ExitCode::SUCCESS
}
