//! Theorem 2 with a factor of three: rings that layers in two alone leave in long slots.

use crate::{
    jobs::Operation,
    measure::Row,
    plans::AnyTransform,
    report::{Bench, Cell, Columns, Table, cycles, short},
};
use ntt::{Request, Ring};
use serde_json::{Value, json};

/// `X^864 - X^432 + 1` and `X^1152 - X^576 + 1`.
const DEGREES: [usize; 2] = [864, 1152];
const Q: u64 = 3457;
const OPERATIONS: [Operation; 4] = [Operation::Forward, Operation::Slots, Operation::Inverse, Operation::Product];

/// A ring by transforms with different numbers of layers in thirds.
pub(super) struct Line {
    plan: AnyTransform,
    rows: Vec<Row>,
}

/// Jobs that will be measured.
pub(super) fn steps() -> u64 {
    let plans: usize = DEGREES.map(|n| plans(n).count()).iter().sum();
    (plans * OPERATIONS.len()) as u64
}

/// As deep in two as the roots allow, and in three from not at all to as deep as they allow.
fn plans(n: usize) -> impl Iterator<Item = AnyTransform> {
    let ring = Ring::Trinomial;
    let most = ring.thirds(n).min(ring.thirds_of_roots(Q));
    let request = Request::new(n, Q).ring(ring);
    (0..=most).map(move |thirds| AnyTransform::new(&request.thirds(thirds), Some(16)).expect("roots and words for it"))
}

pub(super) fn measure(bench: &mut Bench<'_>) -> Vec<Line> {
    let of = |n| {
        let plans: Vec<AnyTransform> = plans(n).collect();
        let jobs = |plan: &AnyTransform| OPERATIONS.map(|operation| operation.job(operation.name(), plan));
        let mut rows = bench.measure(&format!("N = {n}, in thirds"), plans.iter().flat_map(jobs).collect()).0;
        let lines = plans.into_iter().map(|plan| Line { plan, rows: rows.drain(..OPERATIONS.len()).collect() });
        lines.collect::<Vec<Line>>()
    };
    DEGREES.into_iter().flat_map(of).collect()
}

impl Line {
    fn product(&self) -> &Row {
        self.rows.last().expect("products are measured")
    }

    pub(super) fn data(&self) -> Value {
        let r = self.plan.recipe();
        json!({
            "n": r.n(), "q": r.q(), "depth": r.depth(), "thirds": r.thirds(), "slot_degree": r.slot_degree(),
            "backend": r.backend().name(), "lanes": r.lanes(),
            "rows": self.rows.iter().map(Row::json).collect::<Value>(),
        })
    }
}

pub(super) fn table(lines: &[Line], unit: &str) -> Table {
    let gain = |line: &Line| {
        let same = |other: &&Line| other.plan.recipe().n() == line.plan.recipe().n();
        let plain = lines.iter().find(same).expect("itself, if no other").product();
        let gain = plain.ns.median / line.product().ns.median;
        Cell::measured(format!("{}×", short(gain)), gain, &[plain, line.product()])
    };
    let meaning = format!(
        "Theorem 2 with factors of three: Xᴺ − X^(N/2) + 1 modulo {Q} by layers in two and in three, in {unit}, on vectors \
         of that many words where the shape fills them; gain: a product without layers in thirds over one with them."
    );
    Columns::new(meaning, lines.iter().map(|line| (line, line.plan.recipe())))
        .column("N", |(_, r)| r.n())
        .group("layers", ["in two", "in three"], |(_, r)| [r.depth(), r.thirds()].map(|layers| layers as usize))
        .group("slots", ["number", "degree"], |(_, r)| [r.slots(), r.slot_degree()])
        .column("lanes", |(_, r)| r.lanes())
        .group("here", ["forward", "slots", "inverse", "product", "gain"], |(line, _)| {
            line.rows.iter().map(|row| cycles(Some(row))).chain([gain(line)]).collect::<Vec<_>>()
        })
        .table()
}
