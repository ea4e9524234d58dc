//! The methods of reduction beside one another, everything else equal.

use super::{Bench, Rows, Section, Table, backends, cell, strings};
use crate::{jobs::Operation, plans::AnyPlan};
use ntt::{Backend, Method, Request};
use serde_json::json;

const N: usize = 1024;
const Q: u64 = 12289;
const BITS: [u32; 2] = [32, 16];

/// Where a method runs.
type Place = (Backend, u32);

fn places() -> Vec<Place> {
    backends().into_iter().flat_map(|backend| BITS.map(|bits| (backend, bits))).collect()
}

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    plans().map(|(_, _, plans)| plans.len()).sum::<usize>() as u64
}

/// For every place, the methods that can be proved there.
fn plans() -> impl Iterator<Item = (Backend, u32, Vec<(Method, AnyPlan)>)> {
    places().into_iter().map(|(backend, bits)| {
        let plan = |method| AnyPlan::new(&Request::new(N, Q).backend(backend).method(method), Some(bits)).ok();
        (backend, bits, Method::ALL.into_iter().filter_map(|m| Some((m, plan(m)?))).collect())
    })
}

fn name(method: Method, (backend, bits): Place) -> String {
    format!("forward/{backend}/{method}-{bits}")
}

pub(crate) fn section(bench: &mut Bench<'_>) -> Section {
    let mut all = Vec::new();
    for (backend, bits, plans) in plans() {
        let job = |(method, plan): &(Method, AnyPlan)| Operation::Forward.job(name(*method, (backend, bits)), plan);
        all.extend(bench.measure(&format!("methods of reduction, {backend}"), plans.iter().map(job).collect()).0);
    }
    let rows = Rows(all);
    let ranked = |place: Place| {
        let measured = Method::ALL.into_iter().filter_map(|m| Some((m, rows.cycles(&name(m, place))?)));
        measured.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let winners = backends().into_iter().filter_map(|backend| {
        let (method, _) = ranked((backend, 32))?;
        Some(format!("on {backend} {method} is fastest"))
    });
    let head = places().into_iter().map(|(backend, bits)| format!("{backend}, {bits} bits"));
    let line = |m: Method| {
        let cells = places().into_iter().map(|place| cell(rows.cycles(&name(m, place))));
        strings([m.name()]).into_iter().chain(cells).collect::<Vec<_>>()
    };
    Section {
        id: "methods",
        title: "Methods of reduction".into(),
        meaning: format!("In 32-bit words {}; the network and its schedule search are the same for all.", join(winners)),
        figures: Vec::new(),
        tables: vec![Table {
            meaning: format!("A forward transform for n = {N}, q = {Q}, in {}; a dash: its ranges cannot be proved.", bench.meter.unit()),
            head: strings(["method"]).into_iter().chain(head).collect(),
            rows: Method::ALL.into_iter().map(line).collect(),
        }],
        notes: vec![
            "Every method runs with the laziest schedule that can be proved for it, so the differences include how often \
             it must reduce, not only what one reduction costs."
                .into(),
        ],
        data: json!({ "n": N, "q": Q, "rows": rows.json() }),
    }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}
