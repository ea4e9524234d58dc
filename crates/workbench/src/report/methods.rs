//! The methods of reduction beside one another, everything else equal.

use super::{Bench, Rows, Section, Table, backends, cell, strings};
use crate::{jobs::Operation, plans::AnyPlan};
use ntt::{Backend, Method, Request};
use serde_json::json;

const N: usize = 1024;
const Q: u64 = 12289;
const BITS: [u32; 2] = [32, 16];
const OPERATIONS: [Operation; 2] = [Operation::Forward, Operation::Inverse];

/// The group of all rows here.
pub(crate) const GROUP: &str = "methods of reduction";

/// Where a method runs.
type Place = (Backend, u32);

fn places() -> Vec<Place> {
    backends().into_iter().flat_map(|backend| BITS.map(|bits| (backend, bits))).collect()
}

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    OPERATIONS.len() as u64 * plans().map(|(_, plans)| plans.len() as u64).sum::<u64>()
}

/// For every place, the methods that can be proved there.
fn plans() -> impl Iterator<Item = (Place, Vec<(Method, AnyPlan)>)> {
    places().into_iter().map(|(backend, bits)| {
        let plan = |method| AnyPlan::new(&Request::new(N, Q).backend(backend).method(method), Some(bits)).ok();
        ((backend, bits), Method::ALL.into_iter().filter_map(|m| Some((m, plan(m)?))).collect())
    })
}

/// The name of a row.
pub(crate) fn name(operation: Operation, method: Method, (backend, bits): Place) -> String {
    format!("{}/{backend}/{method}-{bits}", operation.name())
}

/// The section.
pub(crate) fn section(bench: &mut Bench<'_>) -> Section {
    let mut all = Vec::new();
    for (place, plans) in plans() {
        let jobs = OPERATIONS.into_iter().flat_map(|operation| {
            plans.iter().map(move |(method, plan)| operation.job(name(operation, *method, place), plan))
        });
        all.extend(bench.measure(GROUP, jobs.collect()).0);
    }
    let rows = Rows(all);
    let winners = backends().into_iter().filter_map(|backend| {
        let cycles = |m| Some((m, rows.cycles(&name(Operation::Forward, m, (backend, 32)))?));
        let (method, _) = Method::ALL.into_iter().filter_map(cycles).min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(format!("on {backend} {method} is fastest"))
    });
    let winners: Vec<String> = winners.collect();
    Section {
        id: "methods",
        title: "Methods of reduction".into(),
        meaning: format!(
            "In 32-bit words {}; the network and the search for a schedule are the same for all.",
            winners.join(", ")
        ),
        figures: Vec::new(),
        tables: OPERATIONS.map(|operation| table(operation, &rows, bench.meter.unit())).into(),
        notes: vec![
            "Every method runs with the laziest schedule that can be proved for it, so the differences include how often \
             it must reduce, not only what one reduction costs."
                .into(),
        ],
        data: json!({ "n": N, "q": Q, "rows": rows.json() }),
    }
}

fn table(operation: Operation, rows: &Rows, unit: &str) -> Table {
    let which = operation.name();
    let meaning = format!("The {which} transform for n = {N}, q = {Q}, in {unit}; a dash: no schedule can be proved.");
    let head = places().into_iter().map(|(backend, bits)| format!("{backend}, {bits} bits"));
    let line = |m: Method| {
        let cells = places().into_iter().map(|place| cell(rows.cycles(&name(operation, m, place))));
        strings([m.name()]).into_iter().chain(cells).collect()
    };
    Table {
        meaning,
        head: strings(["method"]).into_iter().chain(head).collect(),
        rows: Method::ALL.into_iter().map(line).collect(),
        ..Table::default()
    }
}
