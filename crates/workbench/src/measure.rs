//! Measuring: batches of calls in turn, timed by three clocks; the median and the quartiles speak.
//!
//! - **ns**: the system's monotonic clock.
//! - **TSC**: ticks of the time-stamp counter (x86-64), which runs at a constant rate.
//! - **core cycles**: what the core really did. Counted by perf events where the kernel allows that; elsewhere
//!   *calibrated*: a chain of dependent one-cycle additions before and after every batch tells how long a cycle is.
//!
//! Every batch is preceded by one untimed call, unless it takes more than a tenth of a second, and what an empty batch
//! costs is subtracted. Batches of all jobs of a group take turns, so that a slow moment of the machine meets all of them
//! alike.

use crate::fault::Fault;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Something to measure.
pub(crate) struct Job<'a> {
    /// What its row is called.
    pub(crate) name: String,
    run: Box<dyn FnMut(u32) + 'a>,
}

impl<'a> Job<'a> {
    /// A job that calls `f` again and again.
    pub(crate) fn new(name: impl Into<String>, mut f: impl FnMut() + 'a) -> Self {
        Self { name: name.into(), run: Box::new(move |calls| (0..calls).for_each(|_| f())) }
    }
}

/// How much to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Batches of each job.
    pub(crate) samples: usize,
    /// Length of a batch.
    pub(crate) batch: Duration,
    /// Most time for a job whose single call is longer than a batch.
    pub(crate) budget: Duration,
    /// Fewest batches, whatever they cost.
    pub(crate) fewest: usize,
}

impl Effort {
    /// For numbers that are to be quoted.
    pub(crate) const FULL: Self =
        Self { samples: 800, batch: Duration::from_micros(10), budget: Duration::from_millis(1000), fewest: 5 };
    /// For a first look.
    pub(crate) const QUICK: Self =
        Self { samples: 80, batch: Duration::from_micros(10), budget: Duration::from_millis(80), fewest: 5 };

    /// One of the two.
    pub(crate) const fn new(quick: bool) -> Self {
        if quick { Self::QUICK } else { Self::FULL }
    }
}

/// The median of a measurement, and the quartiles around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |quarter: usize| values[(values.len() - 1) * quarter / 4];
        Self { median: at(2), low: at(1), high: at(3) }
    }

    /// Half the distance of the quartiles, in per cent of the median.
    pub(crate) fn percent(self) -> f64 {
        50.0 * (self.high - self.low) / self.median.max(f64::MIN_POSITIVE)
    }

    fn json(self) -> Value {
        let round = |x: f64| (x * 10.0).round() / 10.0;
        json!({ "median": round(self.median), "low_quartile": round(self.low), "high_quartile": round(self.high) })
    }
}

/// One measured job; all numbers are per call.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) ns: Spread,
    pub(crate) tsc: Option<Spread>,
    pub(crate) core: Spread,
    pub(crate) samples: usize,
    pub(crate) calls: u32,
}

impl Row {
    pub(crate) fn json(&self) -> Value {
        json!({
            "name": self.name, "ns": self.ns.json(), "tsc": self.tsc.map(Spread::json), "core": self.core.json(),
            "samples": self.samples, "calls_per_sample": self.calls,
        })
    }
}

/// What a stretch of time was worth on each clock.
#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    ns: f64,
    tsc: f64,
    core: f64,
}

impl Reading {
    fn minus(self, other: Self) -> Self {
        Self { ns: self.ns - other.ns, tsc: self.tsc - other.tsc, core: self.core - other.core }
    }
}

/// The clocks of this machine.
#[derive(Debug)]
pub(crate) struct Meter {
    perf: Option<perf::Counter>,
    empty: Reading,
    /// Core cycles per nanosecond, found by chains of additions.
    pub(crate) gigahertz: f64,
}

impl Meter {
    /// Links of a calibrating chain.
    const CHAIN: u32 = 4096;

    /// Finds out which clocks there are.
    pub(crate) fn new() -> Result<Self, Fault> {
        chain_ns(1 << 22); // a core that slept needs a moment to reach its speed
        let speeds = (0..64).map(|_| cycles_per_ns()).collect();
        let gigahertz = Spread::of(speeds).median;
        if !(0.3..10.0).contains(&gigahertz) {
            return Err(Fault::Internal(format!("this clock says {gigahertz} GHz; nothing can be measured with it")));
        }
        let mut meter = Self { perf: perf::Counter::plausible(), empty: Reading::default(), gigahertz };
        let empty: Vec<Reading> = (0..101).map(|_| meter.batch(&mut |_| {}, 0)).collect();
        let median = |f: fn(&Reading) -> f64| Spread::of(empty.iter().map(f).collect()).median;
        meter.empty = Reading { ns: median(|r| r.ns), tsc: median(|r| r.tsc), core: median(|r| r.core) };
        Ok(meter)
    }

    /// How core cycles come about.
    pub(crate) const fn method(&self) -> &'static str {
        if self.perf.is_some() { "counted by perf events" } else { "calibrated" }
    }

    /// The heading of a column of core cycles.
    pub(crate) const fn unit(&self) -> &'static str {
        if self.perf.is_some() { "core cycles" } else { "core cycles (calibrated)" }
    }

    /// Measures a group of jobs in turns.
    pub(crate) fn measure(&mut self, jobs: Vec<Job<'_>>, effort: Effort, progress: &ProgressBar) -> Vec<Row> {
        struct Turn<'a> {
            job: Job<'a>,
            calls: u32,
            samples: usize,
            warm: bool,
            readings: Vec<Reading>,
        }
        let mut turns: Vec<Turn<'_>> = Vec::new();
        for mut job in jobs {
            let calls = calls_per_batch(&mut job, effort.batch);
            let one_batch = self.batch(&mut job.run, calls).ns;
            let affordable = (effort.budget.as_nanos() as f64 / one_batch.max(1.0)) as usize;
            let samples = effort.samples.min(affordable).max(effort.fewest);
            turns.push(Turn { job, calls, samples, warm: one_batch > LONG_NS, readings: Vec::new() });
        }
        let rounds = turns.iter().map(|t| t.samples).max().unwrap_or(0);
        for round in 0..rounds {
            for turn in turns.iter_mut().filter(|t| round < t.samples) {
                if !turn.warm {
                    (turn.job.run)(1);
                }
                turn.readings.push(self.batch(&mut turn.job.run, turn.calls).minus(self.empty));
            }
        }
        let rows = turns.into_iter().map(|turn| {
            progress.inc(1);
            let per_call = |f: fn(&Reading) -> f64| {
                Spread::of(turn.readings.iter().map(|r| (f(r) / f64::from(turn.calls)).max(0.0)).collect())
            };
            Row {
                ns: per_call(|r| r.ns),
                tsc: ticks().map(|_| per_call(|r| r.tsc)),
                core: per_call(|r| r.core),
                samples: turn.samples,
                calls: turn.calls,
                name: turn.job.name,
            }
        });
        rows.collect()
    }

    /// Runs one batch between readings of all clocks.
    fn batch(&mut self, run: &mut dyn FnMut(u32), calls: u32) -> Reading {
        let before = if self.perf.is_none() { chain_ns(Self::CHAIN) } else { 0.0 };
        let core = self.perf.as_mut().map_or(0, perf::Counter::read);
        let (tsc, start) = (ticks().unwrap_or(0), Instant::now());
        run(calls);
        let (ns, tsc) = (start.elapsed().as_nanos() as f64, ticks().unwrap_or(0).wrapping_sub(tsc) as f64);
        let core = match &mut self.perf {
            Some(counter) => counter.read().wrapping_sub(core) as f64,
            None => ns * 2.0 * f64::from(Self::CHAIN) * CYCLES_PER_LINK / (before + chain_ns(Self::CHAIN)),
        };
        Reading { ns, tsc, core }
    }
}

/// A batch this long does not need an untimed call before it.
const LONG_NS: f64 = 1e8;

/// How many calls fill a batch.
fn calls_per_batch(job: &mut Job<'_>, batch: Duration) -> u32 {
    let mut calls = 1;
    loop {
        let start = Instant::now();
        (job.run)(calls);
        let took = start.elapsed();
        if took * 2 >= batch || calls > 1 << 24 {
            let scale = batch.as_nanos() as f64 / took.as_nanos().max(1) as f64;
            return (f64::from(calls) * scale).round().max(1.0) as u32;
        }
        calls *= 2;
    }
}

/// The time-stamp counter, if there is one.
fn ticks() -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    return Some(tick_counter::start());
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// An exclusive or, then an addition: two dependent operations of one cycle each on every core this runs on.
const CYCLES_PER_LINK: f64 = 2.0;

/// Nanoseconds for a chain of that many links.
#[inline(never)]
fn chain_ns(links: u32) -> f64 {
    // The operands are unknown to the compiler, and the two operations do not commute: it cannot shorten the chain.
    let (mut x, mask, step) = (black_box(1_u64), black_box(0x5555_u64), black_box(3_u64));
    let start = Instant::now();
    for _ in 0..links / 8 {
        for _ in 0..8 {
            x = (x ^ mask).wrapping_add(step);
        }
    }
    black_box(x);
    start.elapsed().as_nanos() as f64
}

fn cycles_per_ns() -> f64 {
    const LINKS: u32 = 1 << 14;
    CYCLES_PER_LINK * f64::from(LINKS) / chain_ns(LINKS).max(1.0)
}

/// Core cycles from the kernel.
#[cfg(target_os = "linux")]
mod perf {
    use perf_event::{Builder, events::Hardware};

    #[derive(Debug)]
    pub(super) struct Counter(perf_event::Counter);

    impl Counter {
        /// A counter that counts: a virtual machine may offer one that stands still.
        pub(super) fn plausible() -> Option<Self> {
            const LINKS: u32 = 1 << 18;
            let mut inner = Builder::new(Hardware::CPU_CYCLES).exclude_kernel(true).exclude_hv(true).build().ok()?;
            inner.enable().ok()?;
            let mut counter = Self(inner);
            let start = counter.read();
            super::chain_ns(LINKS);
            let cycles = counter.read().wrapping_sub(start) as f64 / f64::from(LINKS);
            (0.9 * super::CYCLES_PER_LINK..1.5 * super::CYCLES_PER_LINK).contains(&cycles).then_some(counter)
        }

        pub(super) fn read(&mut self) -> u64 {
            self.0.read().unwrap_or(0)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod perf {
    #[derive(Debug)]
    pub(super) enum Counter {}

    impl Counter {
        pub(super) fn plausible() -> Option<Self> {
            None
        }

        pub(super) fn read(&mut self) -> u64 {
            match *self {}
        }
    }
}
