//! Tables and figures of the section.

use super::{
    Source,
    paper::{Printed, TABLES},
};
use crate::{
    plot::{self, BLUE, Dots, GREY, Ink, ORANGE, TEXT},
    report::{Figure, Table, deviation, short, strings},
    screen::grouped,
};

/// Short names of the variants.
const NAMES: [&str; 3] = ["Original", "SM", "SSM"];

/// The tables of the paper with their first rows in a [`Source`].
fn printed() -> impl Iterator<Item = (&'static Printed, usize)> {
    TABLES.iter().scan(0, |next, table| {
        let first = *next;
        *next += table.rows.len();
        Some((table, first))
    })
}

/// Both tables: the paper beside some sources.
pub(super) fn of(papers: &Source, sources: &[&Source]) -> Vec<Table> {
    printed().map(|(table, first)| one(table, first, papers, sources)).collect()
}

fn one(table: &Printed, first: usize, papers: &Source, sources: &[&Source]) -> Table {
    let mut head = strings(["n, variant", "paper, cycles", "ratio"]);
    for source in sources {
        head.extend([format!("{}, {}", source.name, source.unit), "ratio".into(), "deviation".into()]);
    }
    let mut rows = Vec::new();
    for (i, (n, _)) in table.rows.iter().enumerate() {
        for (variant, name) in NAMES.iter().enumerate() {
            let of = |source: &Source| (source.times[first + i][variant], source.times[first + i][0]);
            let (cycles, original) = of(papers);
            let papers_ratio = cycles / original;
            let mut row = vec![format!("{n}, {name}"), grouped(cycles as u64), format!("{papers_ratio:.3}")];
            for source in sources {
                let (time, original) = of(source);
                let ratio = time / original;
                let apart = if variant == 0 { String::new() } else { deviation(ratio / papers_ratio) };
                row.extend([short(time), format!("{ratio:.3}"), apart]);
            }
            rows.push(row);
        }
    }
    let agreement = sources.iter().map(|source| agreement(table, first, papers, source));
    let agreement = agreement.collect::<Vec<_>>().join("; ");
    let meaning = format!("Table {}, q = {}. Deviation from the paper's ratios: {agreement}.", table.number, table.q);
    Table { meaning, head, rows, ..Table::default() }
}

/// How far a source's ratios are from the paper's.
fn agreement(table: &Printed, first: usize, papers: &Source, source: &Source) -> String {
    let rows = first..first + table.rows.len();
    let apart = |variant: usize| {
        let ratio = |s: &Source, row: usize| s.times[row][variant] / s.times[row][0];
        let all = rows.clone().map(|row| ratio(source, row) / ratio(papers, row));
        let (lo, hi) = all.fold((f64::INFINITY, 0.0_f64), |(lo, hi), x| (lo.min(x), hi.max(x)));
        format!("{} to {} for {}", deviation(lo), deviation(hi), NAMES[variant])
    };
    format!("{} {} and {}", source.name, apart(1), apart(2))
}

/// Ratios of all sources, a figure for each table.
pub(super) fn figures(sources: &[&Source]) -> Vec<Figure> {
    const INKS: [Ink; 4] = [GREY, ORANGE, BLUE, TEXT];
    let series = || sources.iter().map(|source| source.name).zip(INKS).collect::<Vec<_>>();
    printed()
        .map(|(table, first)| {
            let lines = table.rows.iter().enumerate().flat_map(|(i, (n, _))| {
                [1, 2].map(|variant| {
                    let ratio = |source: &&Source| source.times[first + i][variant] / source.times[first + i][0];
                    Dots { label: format!("{n}, {}", NAMES[variant]), values: sources.iter().map(ratio).collect() }
                })
            });
            let title = format!("LazyNTT over Original, q = {}", table.q);
            let svg = plot::dots(&title, "time, Original = 1", &series(), &lines.collect::<Vec<_>>());
            Figure { svg, caption: format!("{title}: left of 1 is faster. Each line is a degree and a variant.") }
        })
        .collect()
}
