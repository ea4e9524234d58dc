//! Measuring: batches of calls in turn, timed by three clocks; the median and the quartiles speak.
//!
//! - **ns**: the system's monotonic clock.
//! - **TSC**: ticks of the time-stamp counter (x86-64), which runs at a constant rate.
//! - **core cycles**: what the core really did. Counted by perf events where the kernel allows
//!   that; elsewhere *calibrated*: a chain of dependent one-cycle operations before and after every
//!   batch tells how long a cycle is.
//!
//! A job is called once to warm up, then in batches of 1, 2, 4, … calls until a batch is long
//! enough for the clock. Every batch is preceded by one untimed call, so that all times are those
//! of warm code and data; a call of more than a tenth of a second warms itself. What an empty batch
//! costs is subtracted. Batches of all jobs of a group take turns, so that a slow moment of the
//! machine meets all of them alike.
//!
//! Beside every chain stand independent operations. A busy neighbour on the core's other hardware
//! thread, which no chain sees, slows them, and such a batch is dropped; of a job with fewer than
//! [`FEWEST_CLEAN`] clean batches all are kept, and its row says so.

mod answer;
mod probes;

pub(crate) use answer::Measurement;

use crate::fault::Fault;
use indicatif::ProgressBar;
use probes::{Probe, chain_ns, cycles_per_ns, perf, ticks};
use std::time::{Duration, Instant};

/// Something to measure.
pub(crate) struct Job<'a> {
    /// What its row is called.
    pub(crate) name: String,
    /// Runs `calls` calls; gives the nanoseconds if they were timed elsewhere.
    run: Box<dyn FnMut(u32) -> Option<f64> + 'a>,
    /// How many times a call does what is measured.
    times: u32,
}

impl<'a> Job<'a> {
    /// A job that calls `f` again and again.
    pub(crate) fn new(name: impl Into<String>, f: impl FnMut() + 'a) -> Self {
        Self::many(name, 1, f)
    }

    /// A job each of whose calls repeats the same work `times` times; its row is of one repetition.
    pub(crate) fn many(name: impl Into<String>, times: u32, mut f: impl FnMut() + 'a) -> Self {
        let run = move |calls| {
            (0..calls).for_each(|_| f());
            None
        };
        Self { name: name.into(), run: Box::new(run), times }
    }

    /// A job of another program, which says how many nanoseconds a number of calls took, each of which repeats the
    /// same work `times` times. Cycles follow from the length of a cycle here.
    pub(crate) fn elsewhere(name: impl Into<String>, times: u32, mut f: impl FnMut(u32) -> f64 + 'a) -> Self {
        Self { name: name.into(), run: Box::new(move |calls| Some(f(calls))), times }
    }
}

/// How much to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Batches of each job.
    pub(crate) samples: usize,
    /// Least length of a batch.
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
    /// Of at least one value.
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |quarter: usize| values[(values.len() - 1) * quarter / 4];
        Self { median: at(2), low: at(1), high: at(3) }
    }

    /// Half the distance of the quartiles, in per cent of the median.
    pub(crate) fn percent(self) -> f64 {
        50.0 * (self.high - self.low) / self.median.max(f64::MIN_POSITIVE)
    }

    /// Whether that is too much to quote the median.
    pub(crate) fn is_large(self) -> bool {
        self.percent() > LARGE_SPREAD
    }

    /// The same in another unit.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self { median: factor * self.median, low: factor * self.low, high: factor * self.high }
    }
}

/// Percentage beyond which the distance of a row's quartiles from the median marks the row.
pub(crate) const LARGE_SPREAD: f64 = 10.0;

/// One measured job; all numbers are per call.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) ns: Spread,
    /// The fewest nanoseconds.
    pub(crate) least: f64,
    pub(crate) tsc: Option<Spread>,
    pub(crate) core: Spread,
    /// Batches that count.
    pub(crate) samples: usize,
    /// Batches that were dropped, because the core was shared.
    pub(crate) dropped: usize,
    /// Whether batches on a shared core count, because too few others were left.
    pub(crate) disturbed: bool,
    pub(crate) calls: u32,
}

impl Row {
    /// Whether its numbers should not be quoted.
    pub(crate) fn unsure(&self) -> bool {
        self.core.is_large() || self.disturbed
    }

    /// Spread and samples in a few words.
    pub(crate) fn quality(&self) -> String {
        let calls = if self.calls == 1 { String::new() } else { format!(" of {} calls", self.calls) };
        let kept = match (self.disturbed, self.dropped) {
            (true, _) => "; on a shared core".into(),
            (false, 0) => String::new(),
            (false, dropped) => format!("; {dropped} more dropped"),
        };
        format!("±{:.1} %, {} batches{calls}{kept}", self.core.percent(), self.samples)
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

/// A reading with the probes before and after it.
#[derive(Clone, Copy, Debug)]
struct Batch {
    reading: Reading,
    probes: [Probe; 2],
}

impl Batch {
    /// Whether the core was this job's alone, as far as the probes can tell.
    fn clean(&self, quiet: f64) -> bool {
        /// Room for noise of the probes.
        const TOLERANCE: f64 = 1.15;
        let [before, after] = self.probes;
        let steady = (before.chain / after.chain).max(after.chain / before.chain) < TOLERANCE;
        steady && self.probes.iter().all(|probe| probe.crowding() < TOLERANCE * quiet)
    }
}

/// With fewer clean batches all count.
const FEWEST_CLEAN: usize = 5;

/// The readings that count, and whether some of them were taken on a shared core.
fn counted(batches: &[Batch], quiet: f64) -> (Vec<Reading>, bool) {
    let clean: Vec<Reading> = batches.iter().filter(|batch| batch.clean(quiet)).map(|batch| batch.reading).collect();
    if clean.len() >= FEWEST_CLEAN.min(batches.len()) {
        return (clean, false);
    }
    (batches.iter().map(|batch| batch.reading).collect(), true)
}

/// The crowding that a twentieth of the probes fall below: a single probe may be wrong by an
/// interrupt in its chain.
fn quietest(mut crowding: Vec<f64>) -> f64 {
    crowding.sort_by(f64::total_cmp);
    crowding.get(crowding.len() / 20).copied().unwrap_or(f64::INFINITY)
}

/// What all measurements so far were like.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Spreads of all rows, in per cent.
    pub(crate) spreads: Vec<f64>,
    /// Batches that count, and those that were dropped.
    pub(crate) batches: [usize; 2],
    /// Rows that had to count batches of a shared core.
    pub(crate) disturbed: usize,
}

impl Tally {
    fn add(&mut self, row: &Row) {
        self.spreads.push(row.core.percent());
        self.batches[0] += row.samples;
        self.batches[1] += row.dropped;
        self.disturbed += usize::from(row.disturbed);
    }
}

/// The clocks of this machine.
#[derive(Debug)]
pub(crate) struct Meter {
    perf: Option<perf::Counter>,
    empty: Reading,
    /// Crowding of the core when nobody shares it, as far as was seen.
    quiet: f64,
    /// Core cycles per nanosecond, found by chains of additions.
    pub(crate) gigahertz: f64,
    pub(crate) tally: Tally,
}

impl Meter {
    /// Finds out which clocks there are.
    pub(crate) fn new() -> Result<Self, Fault> {
        chain_ns(1 << 22); // a core that slept needs a moment to reach its speed
        let speeds = (0..64).map(|_| cycles_per_ns()).collect();
        let gigahertz = Spread::of(speeds).median;
        if !(0.3..10.0).contains(&gigahertz) {
            return Err(Fault::Internal(format!("this clock says {gigahertz} GHz; nothing can be measured with it")));
        }
        let (perf, tally) = (perf::Counter::plausible(), Tally::default());
        let mut meter = Self { perf, empty: Reading::default(), quiet: f64::INFINITY, gigahertz, tally };
        let empty: Vec<Batch> = (0..400).map(|_| meter.batch(&mut |_| None, 0)).collect();
        meter.listen(&empty);
        let median = |f: fn(&Reading) -> f64| Spread::of(empty.iter().map(|batch| f(&batch.reading)).collect()).median;
        meter.empty = Reading { ns: median(|r| r.ns), tsc: median(|r| r.tsc), core: median(|r| r.core) };
        Ok(meter)
    }

    /// How core cycles come about.
    pub(crate) const fn method(&self) -> &'static str {
        if self.perf.is_some() { "counted by perf events" } else { "calibrated" }
    }

    /// What core cycles are called; how they come about is said once, by [`method`](Self::method).
    #[expect(clippy::unused_self, reason = "a property of the meter")]
    pub(crate) const fn unit(&self) -> &'static str {
        "core cycles"
    }

    /// Measures a group of jobs in turns.
    pub(crate) fn measure(&mut self, jobs: Vec<Job<'_>>, effort: Effort, progress: &ProgressBar) -> Vec<Row> {
        struct Turn<'a> {
            job: Job<'a>,
            calls: u32,
            samples: usize,
            warms_itself: bool,
            batches: Vec<Batch>,
        }
        let mut turns: Vec<Turn<'_>> = Vec::new();
        for mut job in jobs {
            let run = |calls| {
                let start = Instant::now();
                let elsewhere = (job.run)(calls);
                elsewhere.map_or_else(|| start.elapsed(), |ns| Duration::from_nanos(ns as u64))
            };
            let (calls, one_batch) = calls_per_batch(effort.batch, run);
            let affordable = (effort.budget.as_nanos() / one_batch.as_nanos().max(1)) as usize;
            let samples = effort.samples.min(affordable).max(effort.fewest);
            turns.push(Turn { job, calls, samples, warms_itself: one_batch > LONG, batches: Vec::new() });
        }
        let rounds = turns.iter().map(|t| t.samples).max().unwrap_or(0);
        for round in 0..rounds {
            for turn in turns.iter_mut().filter(|t| round < t.samples) {
                if !turn.warms_itself {
                    (turn.job.run)(1);
                }
                turn.batches.push(self.batch(&mut turn.job.run, turn.calls));
            }
        }
        turns.iter().for_each(|turn| self.listen(&turn.batches));
        let rows = turns.into_iter().map(|turn| {
            progress.inc(1);
            let (readings, disturbed) = counted(&turn.batches, self.quiet);
            let values = |f: fn(&Reading) -> f64| -> Vec<f64> {
                let net = readings.iter().map(|reading| f(&reading.minus(self.empty)));
                net.map(|x| (x / f64::from(turn.calls * turn.job.times)).max(0.0)).collect()
            };
            let per_call = |f| Spread::of(values(f));
            Row {
                ns: per_call(|r| r.ns),
                least: values(|r| r.ns).into_iter().fold(f64::INFINITY, f64::min),
                tsc: ticks().map(|_| per_call(|r| r.tsc)),
                core: per_call(|r| r.core),
                samples: readings.len(),
                dropped: turn.batches.len() - readings.len(),
                disturbed,
                calls: turn.calls * turn.job.times,
                name: turn.job.name,
            }
        });
        let rows: Vec<Row> = rows.collect();
        rows.iter().for_each(|row| self.tally.add(row));
        rows
    }

    /// What another program timed, in nanoseconds per call. It has no probes; cycles are those of
    /// the core's usual speed.
    pub(crate) fn foreign(&mut self, name: &str, ns: Vec<f64>, calls: u32) -> Row {
        let least = ns.iter().copied().fold(f64::INFINITY, f64::min);
        let (samples, ns) = (ns.len(), Spread::of(ns));
        let core = ns.times(self.gigahertz);
        let row = Row { name: name.into(), ns, least, tsc: None, core, samples, dropped: 0, disturbed: false, calls };
        self.tally.add(&row);
        row
    }

    /// Learns how quiet this machine can be.
    fn listen(&mut self, batches: &[Batch]) {
        let crowding = batches.iter().flat_map(|batch| batch.probes).map(Probe::crowding);
        self.quiet = self.quiet.min(quietest(crowding.collect()));
    }

    /// Runs one batch between readings of all clocks.
    fn batch(&mut self, run: &mut dyn FnMut(u32) -> Option<f64>, calls: u32) -> Batch {
        let before = Probe::taken();
        let core = self.perf.as_mut().map_or(0, perf::Counter::read);
        let (tsc, start) = (ticks().unwrap_or(0), Instant::now());
        let elsewhere = run(calls);
        let (ns, tsc) = (start.elapsed().as_nanos() as f64, ticks().unwrap_or(0).wrapping_sub(tsc) as f64);
        let counted = self.perf.as_mut().map(|counter| counter.read().wrapping_sub(core) as f64);
        let probes = [before, Probe::taken()];
        let (ns, tsc, counted) = match elsewhere {
            // The counter does not count another program's cycles; the time-stamp counter is a clock.
            Some(theirs) => (theirs, tsc * theirs / ns, None),
            None => (ns, tsc, counted),
        };
        let core = counted.unwrap_or_else(|| ns / Probe::cycle(probes));
        Batch { reading: Reading { ns, tsc, core }, probes }
    }
}

/// A call this long does not need another one before it.
const LONG: Duration = Duration::from_millis(100);

/// How many calls make a batch of at least that length, and how long it is: found by doubling, with
/// warm calls only.
fn calls_per_batch(least: Duration, mut run: impl FnMut(u32) -> Duration) -> (u32, Duration) {
    /// No cold call of something short takes this many times the length of a batch.
    const SURELY: u32 = 1000;
    let first = run(1);
    if first > least * SURELY || least.is_zero() {
        return (1, first);
    }
    let mut calls = 1;
    loop {
        // The quickest of three: an interrupt must not pass for work.
        let took = [run(calls), run(calls), run(calls)].into_iter().min().expect("three runs");
        if took >= least || calls > 1 << 24 {
            return (calls, took);
        }
        calls *= 2;
    }
}

#[cfg(test)]
mod tests;
