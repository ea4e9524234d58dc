//! The report: its parts as plain data, one file per section.

pub(crate) mod bakkebo;
pub(crate) mod beside;
mod cell;
pub(crate) mod commitments;
pub(crate) mod encryption;
pub(crate) mod exchange;
pub(crate) mod lazyntt;
pub(crate) mod machine;
pub(crate) mod methods;
pub(crate) mod ntl;
pub(crate) mod ntru;
pub(crate) mod overview;
pub(crate) mod peers;
mod printed;
pub(crate) mod processor;
pub(crate) mod program;
pub(crate) mod ranges;
pub(crate) mod roofline;
pub(crate) mod royher;
pub(crate) mod standards;
mod table;
pub(crate) mod textbook;
pub(crate) mod transforms;

pub(crate) use cell::{Cell, cycles, faster, grouped_cycles, microseconds, seconds, short, strings, times};
pub(crate) use table::{Columns, Table};

use crate::measure::{Effort, Job, Meter, Row};
use indicatif::ProgressBar;
use ntt::Backend;
use serde_json::Value;

/// A section of the report.
#[derive(Debug, Default)]
pub(crate) struct Section {
    /// Name in links and in `report.json`.
    pub(crate) id: &'static str,
    pub(crate) title: String,
    /// What the section says, in a sentence or two.
    pub(crate) meaning: String,
    pub(crate) figures: Vec<Figure>,
    pub(crate) tables: Vec<Table>,
    pub(crate) notes: Vec<String>,
    /// The same for programs.
    pub(crate) data: Value,
}

/// A plot with its caption.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) svg: String,
    pub(crate) caption: String,
}

/// What sections measure with.
#[derive(Debug)]
pub(crate) struct Bench<'a> {
    pub(crate) meter: Meter,
    pub(crate) effort: Effort,
    pub(crate) progress: &'a ProgressBar,
}

impl Bench<'_> {
    /// Measures a group of jobs in turns.
    pub(crate) fn measure(&mut self, group: &str, jobs: Vec<Job<'_>>) -> Rows {
        self.measure_with(self.effort, group, jobs)
    }

    /// The same, with an effort of its own.
    pub(crate) fn measure_with(&mut self, effort: Effort, group: &str, jobs: Vec<Job<'_>>) -> Rows {
        self.progress.set_message(group.to_owned());
        let rows = self.meter.measure(jobs, effort, self.progress);
        Rows(rows)
    }

    /// What another program timed, in nanoseconds per call.
    pub(crate) fn foreign(&mut self, name: &str, ns: Vec<f64>, calls: u32) -> Row {
        self.meter.foreign(name, ns, calls)
    }
}

/// Measured rows, found by name.
#[derive(Debug)]
pub(crate) struct Rows(pub(crate) Vec<Row>);

impl Rows {
    pub(crate) fn get(&self, name: &str) -> Option<&Row> {
        self.0.iter().find(|row| row.name == name)
    }

    /// A row that was measured.
    pub(crate) fn of(&self, name: &str) -> &Row {
        self.get(name).unwrap_or_else(|| panic!("{name} was measured"))
    }

    /// Core cycles of a row.
    pub(crate) fn cycles(&self, name: &str) -> Option<f64> {
        self.get(name).map(|row| row.core.median)
    }

    pub(crate) fn json(&self) -> Value {
        self.0.iter().map(Row::json).collect()
    }
}

/// The scalar backend, and the best one if that is another.
pub(crate) fn backends() -> Vec<Backend> {
    let best = Backend::best();
    if best == Backend::Scalar { vec![best] } else { vec![Backend::Scalar, best] }
}
