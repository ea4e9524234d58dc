//! Tables and figures of the section.

use super::{ROWS, Source};
use crate::{
    plot::{self, BLUE, Ink, ORANGE, Panel, Point},
    report::{
        Cell, Columns, Figure, Table,
        printed::lazyntt::{Printed, TABLES},
        short,
    },
};

/// Short names of the rows.
const NAMES: [&str; ROWS] = ["Original", "SM", "SSM", "Falcon"];

/// The tables of the paper with their first rows in a [`Source`].
fn printed() -> impl Iterator<Item = (&'static Printed, usize)> {
    TABLES.iter().scan(0, |next, table| {
        let first = *next;
        *next += table.rows.len();
        Some((table, first))
    })
}

/// Both tables.
pub(super) fn of(sources: &[Source]) -> Vec<Table> {
    printed().map(|(table, first)| one(table, first, sources)).collect()
}

fn one(table: &Printed, first: usize, sources: &[Source]) -> Table {
    let lines = (first..).zip(table.rows).flat_map(|(row, (n, _))| (0..ROWS).map(move |variant| (row, *n, variant)));
    let measured = lines.filter(|&(row, _, variant)| sources.iter().any(|source| source.times[row][variant].is_some()));
    let mut columns = Columns::new(format!("Table {}, q = {}.", table.number, table.q), measured)
        .column("n, variant", |(_, n, variant)| format!("{n}, {}", NAMES[*variant]));
    for source in sources {
        columns = columns.group(source.name, [source.unit, "ratio"], |&(row, _, variant)| {
            let [Some(time), Some(original)] = [variant, 0].map(|variant| source.times[row][variant]) else {
                return [Cell::dash(), Cell::dash()];
            };
            let ratio = time.median / original.median;
            [
                Cell::foreign(short(time.median), time.median, time.is_large()),
                Cell::foreign(format!("{ratio:.3}"), ratio, time.is_large() || original.is_large()),
            ]
        });
    }
    columns.table()
}

/// The sources that figures show.
const DRAWN: [&str; 5] = ["paper", "C -O0", "C -O3 native", "optimised", "engine"];

/// Ratios of all sources, a figure for each table: a panel for each source.
pub(super) fn figures(sources: &[Source]) -> Vec<Figure> {
    const VARIANTS: [usize; 2] = [1, 2];
    let series: Vec<(&str, &Ink)> = VARIANTS.into_iter().map(|variant| NAMES[variant]).zip([&BLUE, &ORANGE]).collect();
    printed()
        .map(|(table, first)| {
            let panel = |source: &Source| {
                let line = |variant: usize| {
                    let point = |(i, (n, _)): (usize, &(usize, _))| {
                        let [time, original] = [variant, 0].map(|row| source.times[first + i][row]);
                        time.zip(original).map(|(time, original)| Point::ratio(*n as f64, time, original.median))
                    };
                    table.rows.iter().enumerate().filter_map(point).collect()
                };
                Panel { title: source.name.into(), lines: VARIANTS.map(line).into() }
            };
            let panels: Vec<Panel> = DRAWN
                .iter()
                .filter_map(|name| sources.iter().find(|source| source.name == *name))
                .map(panel)
                .filter(|panel| panel.lines.iter().any(|line| !line.is_empty()))
                .collect();
            let title = format!("LazyNTT over Original, q = {}", table.q);
            let svg = plot::multiples(&title, "degree n", &series, &panels);
            Figure { svg, caption: format!("{title}: below 1 is faster. A panel for each source.") }
        })
        .collect()
}
