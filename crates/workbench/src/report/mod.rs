//! The report: its parts as plain data, one file per section.

pub(crate) mod bakkebo;
mod checkout;
pub(crate) mod commitments;
pub(crate) mod encryption;
pub(crate) mod exchange;
pub(crate) mod lazyntt;
pub(crate) mod machine;
pub(crate) mod methods;
pub(crate) mod ntru;
pub(crate) mod ranges;
pub(crate) mod royher;
pub(crate) mod transforms;

use crate::{
    measure::{Effort, Job, Meter, Row},
    screen::grouped,
};
use indicatif::ProgressBar;
use ntt::Backend;
use serde_json::Value;
use std::collections::HashMap;

/// A section of the report.
#[derive(Debug)]
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

/// A table; the first column names the row.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// One sentence above it.
    pub(crate) meaning: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// Whether cells are text, which starts at the left, and not numbers.
    pub(crate) prose: bool,
}

/// What sections measure with.
#[derive(Debug)]
pub(crate) struct Bench<'a> {
    pub(crate) meter: Meter,
    pub(crate) effort: Effort,
    pub(crate) progress: &'a ProgressBar,
    /// Core cycles of all that was measured so far.
    pub(crate) measured: HashMap<String, f64>,
    /// The spread of all rows so far, in per cent.
    pub(crate) spreads: Vec<f64>,
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
        self.spreads.extend(rows.iter().map(|row| row.core.percent()));
        self.measured.extend(rows.iter().map(|row| (format!("{group}/{}", row.name), row.core.median)));
        Rows(rows)
    }

    /// The spread of the middle row and of the worst.
    pub(crate) fn spread(&self) -> Option<(f64, f64)> {
        let mut sorted = self.spreads.clone();
        sorted.sort_by(f64::total_cmp);
        Some((*sorted.get(sorted.len() / 2)?, *sorted.last()?))
    }

    /// Core cycles of `group/name`, if that was measured before.
    pub(crate) fn cycles(&self, name: &str) -> Option<f64> {
        self.measured.get(name).copied()
    }
}

/// Measured rows, found by name.
#[derive(Debug)]
pub(crate) struct Rows(pub(crate) Vec<Row>);

impl Rows {
    pub(crate) fn get(&self, name: &str) -> Option<&Row> {
        self.0.iter().find(|row| row.name == name)
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

/// A number of three digits or more for a table; a dash where there is none.
pub(crate) fn cell(cycles: Option<f64>) -> String {
    match cycles {
        None => "–".into(),
        Some(c) if c < 1e5 => grouped(c.round() as u64),
        Some(c) if c < 1e6 => format!("{:.0}\u{202f}k", c / 1e3),
        Some(c) => format!("{:.1}\u{202f}M", c / 1e6),
    }
}

/// Three digits of any number.
pub(crate) fn short(x: f64) -> String {
    match x {
        x if x < 10.0 => format!("{x:.2}"),
        x if x < 100.0 => format!("{x:.1}"),
        x if (1e6..1e8).contains(&x) => format!("{}\u{202f}M", short(x / 1e6)),
        x => cell(Some(x)),
    }
}

/// How far a ratio is from 1, with its sign.
pub(crate) fn deviation(ratio: f64) -> String {
    format!("{:+.1}\u{202f}%", 100.0 * (ratio - 1.0)).replace('-', "\u{2212}")
}

/// The geometric mean.
pub(crate) fn mean(ratios: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = ratios.into_iter().fold((0.0, 0.0), |(sum, count), x| (sum + x.ln(), count + 1.0));
    (sum / count).exp()
}

/// How many times faster.
pub(crate) fn times(ratio: f64) -> String {
    if ratio >= 100.0 { format!("{ratio:.0}×") } else { format!("{ratio:.1}×") }
}

/// Cells of a table.
pub(crate) fn strings(cells: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    cells.into_iter().map(Into::into).collect()
}
