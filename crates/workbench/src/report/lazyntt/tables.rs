//! Tables and figures of the section.

use super::{ROWS, Source};
use crate::{
    plot::{self, BLUE, Dots, GREY, Ink, ORANGE, Point, RED, Series, TEXT},
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

/// The sources that figures show, with their inks.
fn drawn(sources: &[Source]) -> impl Iterator<Item = (&Source, &'static Ink)> {
    const INKS: [(&str, &Ink); 5] =
        [("paper", &GREY), ("C -O0", &ORANGE), ("C -O3 native", &RED), ("optimised", &TEXT), ("engine", &BLUE)];
    INKS.into_iter().filter_map(|(name, ink)| Some((sources.iter().find(|source| source.name == name)?, ink)))
}

/// The paper's figures 3 and 4: the three algorithms by degree, in cycles as printed, and a figure of
/// each source that measures in nanoseconds.
pub(super) fn times(sources: &[Source]) -> Vec<Figure> {
    let figure = |source: &Source, table: &Printed, first: usize| {
        let rows: Vec<(usize, usize)> = table.rows.iter().enumerate().map(|(i, (n, _))| (first + i, *n)).collect();
        let point = |variant: usize| {
            move |(row, n): &(usize, usize)| {
                let time = source.times[*row][variant]?;
                Some(Point::measured(*n as f64, time))
            }
        };
        let all: Vec<Series> = NAMES
            .iter()
            .zip([GREY, ORANGE, RED, BLUE])
            .enumerate()
            .map(|(variant, (name, ink))| Series::of(name, ink, &rows, point(variant)))
            .filter(|series| !series.points.is_empty())
            .collect();
        let title = format!("{}, q = {}", source.name, table.q);
        let svg = plot::log_log(&title, "degree n", source.unit, &all);
        let caption = format!("A forward transform: {title}, in {}, both axes logarithmic.", source.unit);
        Figure { svg, caption }
    };
    printed().flat_map(|(table, first)| drawn(sources).map(move |(source, _)| figure(source, table, first))).collect()
}

/// Ratios of all sources, a figure for each table.
pub(super) fn figures(sources: &[Source]) -> Vec<Figure> {
    let series: Vec<(&str, &Ink)> = drawn(sources).map(|(source, ink)| (source.name, ink)).collect();
    printed()
        .map(|(table, first)| {
            let lines = table.rows.iter().enumerate().flat_map(|(i, (n, _))| {
                [1, 2].map(|variant| {
                    let ratio = |source: &Source| {
                        let [time, original] = [variant, 0].map(|row| source.times[first + i][row]);
                        time.zip(original).map_or(f64::NAN, |(time, original)| time.median / original.median)
                    };
                    Dots {
                        label: format!("{n}, {}", NAMES[variant]),
                        values: drawn(sources).map(|(source, _)| ratio(source)).collect(),
                    }
                })
            });
            let title = format!("LazyNTT over Original, q = {}", table.q);
            let svg = plot::dots(&title, "time, Original = 1", &series, &lines.collect::<Vec<_>>());
            Figure { svg, caption: format!("{title}: left of 1 is faster. Each line is a degree and a variant.") }
        })
        .collect()
}
