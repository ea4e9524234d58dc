//! Products by transform against schoolbook at every degree, beside Table 5.1 of Bakkebø's thesis.

mod tables;

use super::{Bench, Figure, Section, short};
use crate::{
    jobs::Operation,
    measure::{Effort, Job, Row},
    plans::AnyPlan,
    schoolbook,
};
use ntt::{Backend, Request};
use serde_json::{Value, json};
use std::hint::black_box;
use tables::{data, figure, table};

const Q: u32 = 12289;

/// log2 N, and log2 of the clock ticks of a normal and of an NTT multiplication.
///
/// Source: A. Bakkebø, master's thesis, 2020, Table 5.1: q = 12289, 2.3 GHz 8-core Intel Core i9, mean of 40 products.
const TABLE_5_1: [(u32, f64, f64); 14] = [
    (3, 0.38, 0.26),
    (4, 1.72, 1.17),
    (5, 3.51, 2.30),
    (6, 5.45, 3.43),
    (7, 7.46, 4.48),
    (8, 9.47, 5.58),
    (9, 11.51, 6.66),
    (10, 13.48, 7.78),
    (11, 15.46, 8.95),
    (12, 17.48, 10.08),
    (13, 19.44, 11.09),
    (14, 21.48, 12.30),
    (15, 23.47, 13.70),
    (16, 25.47, 15.22),
];

/// Name, whether one word at a time, and bits: the first is the scalar one.
const PLANS: [(&str, bool, u32); 3] = [("scalar", true, 32), ("planned-16", false, 16), ("planned-32", false, 32)];

/// Where a quick run stops.
const QUICK_LIMIT: u32 = 12;

/// A row of the table and what is measured beside it.
struct Line {
    n: usize,
    /// Clock ticks of the thesis: normal, NTT.
    ticks: [f64; 2],
    here: Option<Here>,
}

/// Products on this machine.
struct Here {
    schoolbook: Row,
    scalar: Row,
    best: Row,
    /// What the best one runs by.
    plan: AnyPlan,
    /// Whether the planner uses vectors here.
    vectors: bool,
}

impl Line {
    /// What the thesis gains.
    fn theirs(&self) -> f64 {
        self.ticks[0] / self.ticks[1]
    }

    /// What the best plan gains here.
    fn ours(&self) -> Option<f64> {
        self.here.as_ref().map(|here| here.gain(&here.best))
    }
}

impl Here {
    fn gain(&self, product: &Row) -> f64 {
        self.schoolbook.core.median / product.core.median
    }
}

/// Rows that are measured.
fn measured(quick: bool) -> usize {
    TABLE_5_1.iter().filter(|(log_n, ..)| !quick || *log_n <= QUICK_LIMIT).count()
}

/// Jobs that will be measured.
pub(crate) fn steps(quick: bool) -> u64 {
    ((1 + PLANS.len()) * measured(quick)) as u64
}

/// The section.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool) -> Section {
    let lines = TABLE_5_1.iter().enumerate().map(|(i, &(log_n, normal, ntt))| {
        let n = 1 << log_n;
        Line { n, ticks: [normal.exp2(), ntt.exp2()], here: (i < measured(quick)).then(|| measure(bench, n)) }
    });
    let lines: Vec<Line> = lines.collect();
    let mut notes = vec![samples(&lines)];
    if quick {
        notes.push(format!(
            "A quick run measures up to N = {}; the degrees beyond are the thesis' alone.",
            1 << QUICK_LIMIT
        ));
    }
    notes.push(
        "The thesis counts ticks of clock_t, which POSIX makes microseconds. Its schoolbook takes a remainder after each \
         product, ours one for each coefficient; its transform stops at slots of degree 2, ours goes as deep as q allows: \
         2048 slots. Scalar: one word of 32 bits at a time. Best: the fastest of that and the planner's choices in words of \
         16 and of 32 bits."
            .into(),
    );
    notes.extend(without_vectors(&lines));
    Section {
        id: "bakkebo",
        title: "Speed-up over schoolbook".into(),
        meaning: meaning(&lines),
        figures: vec![Figure {
            svg: figure(&lines),
            caption: "Schoolbook over product by transform, q = 12289, both axes logarithmic.".into(),
        }],
        tables: vec![table(&lines)],
        notes,
        data: json!({ "source": "Bakkebø 2020, Table 5.1", "q": Q, "rows": lines.iter().map(data).collect::<Value>() }),
    }
}

fn measure(bench: &mut Bench<'_>, n: usize) -> Here {
    let group = format!("N = {n}");
    let plans = PLANS.map(|(name, scalar, bits)| {
        let request = Request::new(n, Q.into());
        let request = if scalar { request.backend(Backend::Scalar) } else { request };
        (name, AnyPlan::new(&request, Some(bits)).expect("the planner knows this modulus in both words"))
    });
    let jobs = plans.each_ref().map(|(name, plan)| Operation::Multiply.job(*name, plan));
    let mut rows = bench.measure(&group, jobs.into()).0;
    let faster = |a: &usize, b: &usize| rows[*a].core.median.total_cmp(&rows[*b].core.median);
    let best = (0..rows.len()).min_by(faster).expect("three were measured");
    let vectors = plans.iter().any(|(_, plan)| plan.recipe().backend != Backend::Scalar);
    let (best, plan, scalar) = (rows[best].clone(), plans[best].1.clone(), rows.swap_remove(0));

    let a: Vec<u32> = (0..n as u32).map(|i| (i * 7 + 1) % Q).collect();
    let job = Job::new("schoolbook", || {
        black_box(schoolbook::negacyclic_product(black_box(&a), black_box(&a), Q));
    });
    let effort = Effort { fewest: 3, ..bench.effort };
    let schoolbook = bench.measure_with(effort, &group, vec![job]).0.remove(0);
    Here { schoolbook, scalar, best, plan, vectors }
}

fn meaning(lines: &[Line]) -> String {
    let both: Vec<(&Line, f64)> = lines.iter().filter_map(|line| Some((line, line.ours()?))).collect();
    let (last, ours) = both.last().expect("a quick run measures too");
    let ahead = both.iter().filter(|(line, ours)| *ours > line.theirs()).count();
    let slower = both.iter().rev().find(|(_, ours)| *ours < 1.0);
    let from = slower.map_or(both[0].0.n, |(line, _)| 2 * line.n);
    let (top, most) = both.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("the same");
    format!(
        "At N = {} a product by transform is {} times as fast as schoolbook in the thesis and {} times here; the most \
         here is {} times at N = {}. Here the gain exceeds that of the thesis at {ahead} of {} degrees, and the transform wins from \
         N = {from} on.",
        last.n,
        short(last.theirs()),
        short(*ours),
        short(*most),
        top.n,
        both.len()
    )
}

/// Where a machine with vectors cannot use them.
fn without_vectors(lines: &[Line]) -> Option<String> {
    let none = |line: &&Line| line.here.as_ref().is_some_and(|here| !here.vectors);
    let degrees: Vec<String> = lines.iter().filter(none).map(|line| line.n.to_string()).collect();
    (Backend::best() != Backend::Scalar && !degrees.is_empty()).then(|| {
        format!(
            "The planner has no use for vectors at N = {}: a polynomial fills too few of them, or a slot is too long for one.",
            degrees.join(", ")
        )
    })
}

/// How often schoolbook was measured.
fn samples(lines: &[Line]) -> String {
    let few: Vec<String> = lines
        .iter()
        .filter_map(|line| Some((line.n, &line.here.as_ref()?.schoolbook)))
        .filter(|(_, row)| row.samples < 20)
        .map(|(n, row)| format!("{} at N = {n}", row.samples * row.calls as usize))
        .collect();
    let all = "Times are medians of batches that fill ten microseconds or hold one product".to_owned();
    if few.is_empty() { format!("{all}.") } else { format!("{all}. Schoolbook ran few of them: {}.", few.join(", ")) }
}
