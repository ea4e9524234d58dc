//! Theorem 2 with a factor of three: rings that layers in two alone leave in long slots.

use crate::{
    jobs::Operation,
    measure::Row,
    plans::AnyTransform,
    report::{Bench, Cell, Table, cycles, short, strings},
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
    let row = |line: &Line| {
        let r = line.plan.recipe();
        let plain = lines.iter().find(|other| other.plan.recipe().n() == r.n()).expect("itself, if no other");
        let gain = plain.product().ns.median / line.product().ns.median;
        let mut row = strings([
            r.n().to_string(),
            r.depth().to_string(),
            r.thirds().to_string(),
            r.slots().to_string(),
            r.slot_degree().to_string(),
            r.lanes().to_string(),
        ]);
        row.extend(line.rows.iter().map(|row| cycles(Some(row))));
        row.push(Cell::measured(format!("{}×", short(gain)), gain, &[plain.product(), line.product()]));
        row
    };
    Table {
        meaning: format!(
            "Theorem 2 with factors of three: Xᴺ − X^(N/2) + 1 modulo {Q} by layers in two and in three, in {unit}, on vectors \
             of so many words where the shape fills them; gain: a product without layers in thirds over one with them."
        ),
        groups: vec![("", 1), ("layers", 2), ("slots", 2), ("", 1), ("here", 5)],
        head: strings([
            "N", "in two", "in three", "number", "degree", "lanes", "forward", "slots", "inverse", "product", "gain",
        ]),
        rows: lines.iter().map(row).collect(),
        ..Table::default()
    }
}
