//! Cells of tables: text, with the number behind it where there is one, and a mark where that is
//! not to be quoted.

use crate::{measure::Row, screen::grouped};

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    /// The number, in full.
    pub(crate) value: Option<f64>,
    /// Whether it comes from a measurement with a large spread.
    pub(crate) unsure: bool,
    /// Whether it comes from one on a core that others used as well.
    pub(crate) shared: bool,
    /// Spread and samples.
    pub(crate) about: String,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        number.to_string().into()
    }
}

/// A dash where there is nothing.
impl<C: Into<Self>> From<Option<C>> for Cell {
    fn from(cell: Option<C>) -> Self {
        cell.map_or_else(Self::dash, C::into)
    }
}

impl Cell {
    /// Where there is nothing.
    pub(crate) fn dash() -> Self {
        "–".into()
    }

    /// A number that comes from these rows.
    pub(crate) fn measured(text: String, value: f64, rows: &[&Row]) -> Self {
        let about = rows.iter().map(|row| row.quality()).collect::<Vec<_>>().join("; ");
        let unsure = rows.iter().any(|row| row.core.is_large());
        Self { text, value: Some(value), unsure, shared: rows.iter().any(|row| row.disturbed), about }
    }

    /// A number as text and in full.
    pub(crate) fn number(text: String, value: f64) -> Self {
        Self { text, value: Some(value), ..Self::default() }
    }

    /// A number that another program measured.
    pub(crate) fn foreign(text: String, value: f64, unsure: bool) -> Self {
        Self { unsure, ..Self::number(text, value) }
    }

    /// A number that somebody printed.
    pub(crate) fn printed(value: f64) -> Self {
        Self::number(short(value), value)
    }
}

/// Core cycles of a row, or a dash.
pub(crate) fn cycles(row: Option<&Row>) -> Cell {
    row.map_or_else(Cell::dash, |row| Cell::measured(grouped_cycles(row.core.median), row.core.median, &[row]))
}

/// Microseconds of a row.
pub(crate) fn microseconds(row: &Row) -> Cell {
    let value = row.ns.median / 1e3;
    Cell::measured(short(value), value, &[row])
}

/// Seconds of a row.
pub(crate) fn seconds(row: &Row) -> Cell {
    let value = row.ns.median / 1e9;
    let text = if value < 0.095 { format!("{}\u{202f}m", short(1e3 * value)) } else { short(value) };
    Cell::measured(text, value, &[row])
}

/// How many times faster `fast` is than `slow`: one and the same work of one run.
pub(crate) fn faster(slow: &Row, fast: &Row) -> Cell {
    let ratio = slow.ns.median / fast.ns.median;
    Cell::measured(times(ratio), ratio, &[slow, fast])
}

/// A number of three digits or more.
pub(crate) fn grouped_cycles(cycles: f64) -> String {
    match cycles {
        c if c < 1e5 => grouped(c.round() as u64),
        c if c < 1e6 => format!("{:.0}\u{202f}k", c / 1e3),
        c => format!("{:.1}\u{202f}M", c / 1e6),
    }
}

/// Three digits of any number.
pub(crate) fn short(x: f64) -> String {
    match x {
        x if x < 10.0 => format!("{x:.2}"),
        x if x < 100.0 => format!("{x:.1}"),
        x if (1e6..1e8).contains(&x) => format!("{}\u{202f}M", short(x / 1e6)),
        x => grouped_cycles(x),
    }
}

/// How many times.
pub(crate) fn times(ratio: f64) -> String {
    if ratio >= 100.0 { format!("{ratio:.0}×") } else { format!("{ratio:.1}×") }
}

/// Cells, or words of a head.
pub(crate) fn strings<C: From<String>>(cells: impl IntoIterator<Item = impl Into<String>>) -> Vec<C> {
    cells.into_iter().map(|cell| C::from(cell.into())).collect()
}
