//! Products by transform against schoolbook at every degree, beside Table 5.1 of Bakkebø's thesis.

mod tables;
mod thirds;

use super::{
    Bench, Figure, Section,
    printed::bakkebo::TABLE_5_1,
    short,
    textbook::{self, Textbook},
};
use crate::{
    jobs::Operation,
    measure::{Effort, Job, Row},
    plans::AnyTransform,
    schoolbook,
};
use ntt::{Backend, Decision, Plan, Request, Word};
use serde_json::{Value, json};
use std::hint::black_box;
use tables::{as_written, data, figure, figure_5_1, table};

const Q: u32 = 12289;

/// Words in which the library's plan is measured.
const WORDS: [u32; 2] = [16, 32];

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
    /// The faster one of the library's plans.
    best: Row,
    decision: Decision,
    /// The other ones.
    others: Vec<Row>,
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
        self.schoolbook.ns.median / product.ns.median
    }
}

/// Rows that are measured.
fn measured(quick: bool) -> usize {
    TABLE_5_1.iter().filter(|(log_n, ..)| !quick || *log_n <= QUICK_LIMIT).count()
}

/// Jobs that will be measured.
pub(crate) fn steps(quick: bool) -> u64 {
    ((2 + WORDS.len()) * measured(quick)) as u64 + thirds::steps()
}

/// The section.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool, textbook: Option<&Textbook>) -> Section {
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
         2048 slots. Scalar: a direct plan, one word of 32 bits at a time. Plan: what Plan::new gives, in words of 16 or of 32 \
         bits, whichever is faster in this run; beyond N = 2048 the planner may take residue channels in place of long slots."
            .into(),
    );
    let mut figures = vec![Figure {
        svg: figure(&lines),
        caption: "Microseconds of a product, q = 12289, both axes logarithmic; thesis in its clock ticks.".into(),
    }];
    let in_thirds = thirds::measure(bench);
    let mut tables = vec![table(&lines), thirds::table(&in_thirds, bench.meter.unit())];
    if let Some(textbook) = textbook {
        tables.push(as_written(textbook, &lines));
        figures.push(Figure {
            svg: figure_5_1(textbook, &lines),
            caption:
                "The thesis' figure 5.1: its schoolbook and NTT in its clock ticks, and in microseconds its program \
                      as it was written (opt 0: unoptimised, opt 3: optimised)."
                    .into(),
        });
        notes.push(format!(
            "As written: the functions of the thesis' appendices A to C, with its words of 64 bits, its tables and its \
             remainders by a constant; in Rust, whose slices check their bounds. Both factors are copied before their \
             transforms, which the thesis overwrites. Schoolbook is timed up to N = 2^14, and long runs ran once. {}.",
            textbook::commands()
        ));
    }
    Section {
        id: "bakkebo",
        title: "Speed-up over schoolbook".into(),
        meaning: meaning(&lines),
        figures,
        tables,
        notes,
        data: json!({ "source": "Bakkebø 2020, Table 5.1", "q": Q, "rows": lines.iter().map(|line| data(line, textbook)).collect::<Value>(),
            "in_thirds": in_thirds.iter().map(thirds::Line::data).collect::<Value>() }),
    }
}

fn measure(bench: &mut Bench<'_>, n: usize) -> Here {
    let group = format!("N = {n}");
    let scalar =
        AnyTransform::new(&Request::new(n, Q.into()).backend(Backend::Scalar), Some(32)).expect("a plan of one word");
    let mut decisions: Vec<Decision> = Vec::new();
    let mut jobs = vec![Operation::Multiply.job("scalar", &scalar)];
    for bits in WORDS {
        let decision = Request::new(n, Q.into()).decide(bits).expect("a plan in both words");
        jobs.push(if bits == 16 { planned::<i16>(bits, n, &decision) } else { planned::<i32>(bits, n, &decision) });
        decisions.push(decision);
    }
    let mut rows = bench.measure(&group, jobs).0;
    let (scalar, faster) = (rows.remove(0), |a: &usize, b: &usize| rows[*a].ns.median.total_cmp(&rows[*b].ns.median));
    let best = (0..rows.len()).min_by(faster).expect("two were measured");
    let (best, decision) = (rows.remove(best), decisions.swap_remove(best));

    let a: Vec<u32> = (0..n as u32).map(|i| (i * 7 + 1) % Q).collect();
    let job = Job::new("schoolbook", || {
        black_box(schoolbook::negacyclic_product(black_box(&a), black_box(&a), Q));
    });
    let effort = Effort { fewest: 3, ..bench.effort };
    let schoolbook = bench.measure_with(effort, &group, vec![job]).0.remove(0);
    Here { schoolbook, scalar, best, decision, others: rows }
}

/// A product by what the planner decided.
fn planned<T: Word>(bits: u32, n: usize, decision: &Decision) -> Job<'static> {
    let plan = Plan::<T>::from_decision(decision.clone());
    let a: Vec<T> = (0..n as i64).map(|i| T::from_i64((i * 7 + 1) % i64::from(Q))).collect();
    let mut c = vec![T::default(); n];
    Job::new(format!("plan-{bits}"), move || plan.multiply(black_box(&mut c), black_box(&a), &a))
}

/// What a decision runs by.
fn described(decision: &Decision) -> String {
    match decision {
        Decision::Direct(recipe) => format!("{}-{}", recipe.backend(), recipe.bits()),
        Decision::Crt(exact) => {
            format!("{}-{}, {} primes", exact.channels()[0].backend(), exact.bits(), exact.channels().len())
        }
    }
}

fn meaning(lines: &[Line]) -> String {
    let both: Vec<(&Line, f64)> = lines.iter().filter_map(|line| Some((line, line.ours()?))).collect();
    let (last, ours) = both.last().expect("a quick run measures too");
    let slower = both.iter().rev().find(|(_, ours)| *ours < 1.0);
    let from = slower.map_or(both[0].0.n, |(line, _)| 2 * line.n);
    let (top, most) = both.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("the same");
    format!(
        "At N = {} a product by transform is {} times as fast as schoolbook in the thesis, and {} times as fast as our \
         schoolbook here; the most here is {} times at N = {}; each is over a \
         schoolbook of its own. Here the transform wins from N = {from} on.",
        last.n,
        short(last.theirs()),
        short(*ours),
        short(*most),
        top.n
    )
}

/// How often schoolbook was measured.
fn samples(lines: &[Line]) -> String {
    let few: Vec<String> = lines
        .iter()
        .filter_map(|line| Some((line.n, &line.here.as_ref()?.schoolbook)))
        .filter(|(_, row)| row.samples < 20)
        .map(|(n, row)| format!("{} at N = {n}", row.samples * row.calls as usize))
        .collect();
    let all = "Times are medians of warm batches of ten microseconds at least".to_owned();
    if few.is_empty() { format!("{all}.") } else { format!("{all}. Schoolbook ran few of them: {}.", few.join(", ")) }
}
