//! Programs of papers as they were written, timed without and with optimisation: the theses', and Longa
//! and Naehrig's three ways to a product.

use super::{
    Bench, Cell, Columns, Table,
    program::{Build, Nanoseconds, Program},
    short, times,
};
use crate::{fault::Fault, measure::Spread};
use serde::Deserialize;
use serde_json::{Value, json};

const EXAMPLE: &str = "textbook_times";

/// How the programs are built.
pub(super) const BUILDS: [Build; 2] = [Build::Unoptimised, Build::Optimised];

/// Builds and runs.
pub(crate) fn steps(program: Option<&Program>) -> u64 {
    program.map_or(0, |_| BUILDS.len() as u64)
}

/// Times of all programs, of each build.
#[derive(Debug)]
pub(crate) struct Textbook([Answer; 2]);

#[derive(Debug, Deserialize)]
struct Answer {
    results: Vec<Timed>,
}

#[derive(Debug, Deserialize)]
struct Timed {
    work: String,
    by: String,
    n: usize,
    q: u64,
    #[serde(flatten)]
    times: Nanoseconds,
}

impl Textbook {
    /// Builds and runs them, if there is a checkout.
    ///
    /// **Errors** if a program does not run.
    pub(crate) fn time(bench: &Bench<'_>, quick: bool, program: Option<&Program>) -> Result<Option<Self>, Fault> {
        let Some(program) = program else { return Ok(None) };
        let arguments: &[&str] = if quick { &["10", "quick"] } else { &["200"] };
        let run = |build: Build| {
            bench.progress.set_message(format!("programs as written, {}", build.name()));
            let answer = program.run(EXAMPLE, build, arguments);
            bench.progress.inc(1);
            answer
        };
        let [unoptimised, optimised] = BUILDS.map(run);
        Ok(Some(Self([unoptimised?, optimised?])))
    }

    /// Nanoseconds of a program in both builds.
    pub(crate) fn get(&self, work: &str, by: &str, n: usize, q: u64) -> [Option<Spread>; 2] {
        let of = |answer: &Answer| {
            let found = answer.results.iter().find(|r| (&r.work[..], &r.by[..], r.n, r.q) == (work, by, n, q));
            found.map(|r| r.times.into())
        };
        [of(&self.0[0]), of(&self.0[1])]
    }

    /// Times by a transform and by schoolbook: a row for each degree that was timed. `unit` is its name
    /// and nanoseconds; `ours` the library's time of the same.
    pub(crate) fn table(
        &self,
        meaning: String,
        work: &str,
        unit: (&'static str, f64),
        lines: impl Iterator<Item = (usize, u64, Option<Spread>)>,
    ) -> Table {
        let cell = |time: Option<Spread>| {
            time.map(|time| Cell::foreign(short(time.median / unit.1), time.median / unit.1, time.is_large()))
        };
        let timed = lines.filter_map(|(n, q, ours)| {
            let [normal, ntt] = ["normal", "ntt"].map(|by| self.get(work, by, n, q));
            ntt[0].is_some().then_some(([n, q as usize], normal, ntt, ours))
        });
        let builds = ["unoptimised", "optimised"];
        Columns::new(meaning, timed)
            .group("", ["N", "q"], |(ring, ..)| *ring)
            .group("schoolbook, as written", builds, |(_, normal, ..)| normal.map(cell))
            .group("NTT, as written", builds, |(_, _, ntt, _)| ntt.map(cell))
            .group(unit.0, ["ours", "NTT over ours"], |(_, _, ntt, ours)| {
                let over = ntt[1].zip(*ours).map(|(theirs, ours)| {
                    let ratio = theirs.median / ours.median;
                    Cell::foreign(times(ratio), ratio, theirs.is_large() || ours.is_large())
                });
                [cell(*ours), over]
            })
            .table()
    }

    /// A program's times for `report.json`, an object for each way.
    pub(crate) fn data(&self, work: &str, ways: &[&str], n: usize, q: u64) -> Value {
        let way = |by: &&str| {
            let [unoptimised, optimised] = self.get(work, by, n, q).map(|time| time.map(|time| time.median));
            ((*by).to_owned(), json!({ "unoptimised_ns": unoptimised, "optimised_ns": optimised }))
        };
        Value::Object(ways.iter().map(way).collect())
    }
}

/// The lines to type.
pub(crate) fn commands() -> String {
    BUILDS.map(|build| format!("{}: {}", build.name(), build.command(EXAMPLE))).join("; ")
}
