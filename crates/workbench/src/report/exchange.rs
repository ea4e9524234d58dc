//! The NewHope key exchange phase by phase, beside what its paper claims.

use super::{Bench, Rows, Section, Table, backends, cell, strings};
use crate::jobs::{self, Operation, PHASES};
use ntt::Backend;
use ringwork::schemes::newhope::{Parameters, USENIX2016};
use serde_json::json;

const SET: Parameters = USENIX2016;

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    (PHASES.len() * backends().len()) as u64
}

fn name(phase: &str, backend: Backend) -> String {
    format!("{phase}/{backend}")
}

/// The section, and what it adds to the headline; the other measurements come first.
pub(crate) fn section(bench: &mut Bench<'_>) -> (Section, String) {
    let mut all = Vec::new();
    for backend in backends() {
        let jobs = jobs::exchange(SET, backend, |phase| name(phase, backend));
        all.extend(bench.measure(&format!("newhope {}", SET.name()), jobs).0);
    }
    let rows = Rows(all);
    let (best, unit) = (Backend::best(), bench.meter.unit());
    let whole = rows.get(&name("exchange", best)).expect("measured above");
    let microseconds = whole.ns.median / 1000.0;
    let headline = format!("A whole NewHope key exchange, both sides, takes {microseconds:.0} µs.");
    let transforms = |operation: Operation| bench.cycles(&format!("1024/12289/{}/{best}", operation.name()));
    let share = transforms(Operation::Forward)
        .zip(transforms(Operation::Inverse))
        .map(|(forward, inverse)| 100.0 * (4.0 * forward + 2.0 * inverse) / whole.core.median);
    let section = Section {
        id: "exchange",
        title: "Key exchange".into(),
        meaning: format!(
            "Both sides of NewHope ({}) together take {} {unit} on {best}; the four forward and two inverse transforms in \
             them are about {:.0} % of that, the rest is hashing, noise and packing.",
            SET.name(),
            cell(Some(whole.core.median)),
            share.unwrap_or(f64::NAN)
        ),
        figures: Vec::new(),
        tables: vec![phases(&rows, unit), claims(&rows, unit)],
        notes: vec![
            "Seeds are given, so the system's random numbers are not in these times. finish includes reading its secret \
             from bytes, which whole does not."
                .into(),
            "Longa and Naehrig measured on one Haswell core in 2016. The absolute numbers of their Table 1 are lost; the \
             factors are those of their text. Neither their code nor the code they compared with runs here, so the \
             columns do not measure the same thing: the last one shows the library's exchange."
                .into(),
        ],
        data: json!({ "scheme": "newhope", "set": SET.name(), "rows": rows.json() }),
    };
    (section, headline)
}

fn phases(rows: &Rows, unit: &str) -> Table {
    let head = backends().into_iter().map(|b| b.to_string());
    let line = |phase: &str| {
        let shown = if phase == "exchange" { "whole" } else { phase };
        let cells = backends().into_iter().map(|b| cell(rows.cycles(&name(phase, b))));
        strings([shown]).into_iter().chain(cells).collect()
    };
    Table {
        meaning: format!("The phases in {unit}: Alice's init, Bob's respond, Alice's finish, and the whole."),
        head: strings(["phase"]).into_iter().chain(head).collect(),
        rows: PHASES.map(line).into(),
        ..Table::default()
    }
}

fn claims(rows: &Rows, unit: &str) -> Table {
    let whole = |backend: Backend| format!("{} {unit}", cell(rows.cycles(&name("exchange", backend))));
    let line = |claim: &str, factor: &str, here: String| vec![claim.to_owned(), factor.to_owned(), here];
    Table {
        meaning:
            "What the paper claims over NewHope's own code, and the time here; for its transforms see the methods of \
                  reduction."
                .into(),
        head: strings(["K-RED over NewHope's own", "paper", "here"]),
        rows: vec![
            line("exchange, portable", "1.44×", whole(Backend::Scalar)),
            line("exchange, AVX2", "1.21×", whole(Backend::best())),
        ],
        ..Table::default()
    }
}
