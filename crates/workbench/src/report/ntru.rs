//! NTTRU's key encapsulation beside its designers' program, and NTRU over `X^N + 1` by transform and without.

use super::{Bench, Rows, Section, Table, backends, cell, short, strings, times};
use crate::{
    jobs::{self, KEM_PHASES},
    measure::{Job, Row},
};
use ntt::Backend;
use ringwork::schemes::ntru::{Ntru, Parameters};
use serde_json::{Value, json};
use std::hint::black_box;

/// Core cycles of key generation, encapsulation and decapsulation, from bytes to bytes.
///
/// Source: the designers' AVX2 program (Lyubashevsky and Seiler, TCHES 2019), measured by this project on a Zen 3 core.
const DESIGNERS: [f64; 3] = [10_570.0, 6_495.0, 7_578.0];

/// Degrees and moduli of NTRU; every message decrypts.
const RINGS: [(usize, u32); 3] = [(256, 3329), (512, 12289), (1024, 18433)];
const STEPS: [&str; 3] = ["keygen", "encrypt", "decrypt"];

/// NTRU in one ring.
struct Line {
    n: usize,
    q: u32,
    /// The three steps at depth 0, which is schoolbook, and at the planner's.
    without: Vec<Row>,
    with: Vec<Row>,
}

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    (KEM_PHASES.len() * backends().len() + 2 * STEPS.len() * RINGS.len()) as u64
}

/// The section.
pub(crate) fn section(bench: &mut Bench<'_>) -> Section {
    let mut all = Vec::new();
    for backend in backends() {
        all.extend(bench.measure("nttru", jobs::encapsulation(backend, |phase| name(phase, backend))).0);
    }
    let (rows, unit) = (Rows(all), bench.meter.unit());
    let lines: Vec<Line> = RINGS
        .into_iter()
        .map(|(n, q)| {
            let parameters = Parameters::new(n, q).expect("every message decrypts");
            let schoolbook = Ntru::with_depth(parameters, 0).expect("depth 0 needs no roots");
            let planned = Ntru::new(parameters).expect("the planner knows this ring");
            let group = format!("NTRU, N = {n}");
            let without = bench.measure(&group, ntru(&schoolbook, n)).0;
            Line { n, q, without, with: bench.measure(&group, ntru(&planned, n)).0 }
        })
        .collect();
    let ours = KEM_PHASES.map(|phase| rows.cycles(&name(phase, Backend::best())).expect("measured above"));
    let last = lines.last().expect("there are rings");
    Section {
        id: "ntru",
        title: "NTTRU and NTRU".into(),
        meaning: format!(
            "NTTRU's key generation, encapsulation and decapsulation take {}, {} and {} {unit}: {:.2}, {:.2} and {:.2} of \
             the designers' AVX2 program. Encrypting by NTRU with N = {} is {} as fast by transform as without.",
            cell(Some(ours[0])),
            cell(Some(ours[1])),
            cell(Some(ours[2])),
            ours[0] / DESIGNERS[0],
            ours[1] / DESIGNERS[1],
            ours[2] / DESIGNERS[2],
            last.n,
            times(last.gain(1)),
        ),
        figures: Vec::new(),
        tables: vec![encapsulation(&rows, unit), encryption(&lines)],
        notes: vec![
            "NTTRU from bytes to bytes, bit for bit as its designers; seeds are given. Their cycles are those of a Zen 3 \
             core, so that the ratio is of programs and of cores together."
                .into(),
            "The thesis has no times of NTRU, only of products. Depth 0 is the schoolbook product, and an inversion by it; \
             the planner's depth is the one that it estimates to be the fastest."
                .into(),
        ],
        data: json!({
            "designers": { "cycles": DESIGNERS, "phases": KEM_PHASES }, "nttru": rows.json(),
            "ntru": lines.iter().map(Line::data).collect::<Value>(),
        }),
    }
}

fn name(phase: &str, backend: Backend) -> String {
    format!("{phase}/{backend}")
}

fn ntru(ntru: &Ntru, n: usize) -> Vec<Job<'_>> {
    let make = |i: u8| ntru.keygen_derand(&[i; 32]);
    let (seed, (secret, public)) = (0..).find_map(|i| Some(([i; 32], make(i)?))).expect("most seeds make keys");
    let message: Vec<i8> = (0..n).map(|i| (i % 3) as i8 - 1).collect();
    let ciphertext = ntru.encrypt_derand(&public, &message, &[2; 32]).expect("a ternary message");
    vec![
        Job::new(STEPS[0], move || {
            black_box(ntru.keygen_derand(&seed).is_some());
        }),
        Job::new(STEPS[1], move || {
            black_box(ntru.encrypt_derand(&public, &message, &[2; 32]).expect("a ternary message"));
        }),
        Job::new(STEPS[2], move || {
            black_box(ntru.decrypt(&secret, &ciphertext).expect("its own ciphertext"));
        }),
    ]
}

impl Line {
    fn gain(&self, step: usize) -> f64 {
        self.without[step].ns.median / self.with[step].ns.median
    }

    fn data(&self) -> Value {
        let rows = |rows: &[Row]| rows.iter().map(Row::json).collect::<Value>();
        json!({ "n": self.n, "q": self.q, "schoolbook": rows(&self.without), "transform": rows(&self.with) })
    }
}

fn encapsulation(rows: &Rows, unit: &str) -> Table {
    let head = ["NTTRU", "designers, AVX2"].map(String::from).into_iter();
    let columns = backends().into_iter().flat_map(|b| [b.to_string(), "ratio".into()]);
    let line = |(phase, theirs): (&&str, f64)| {
        let mut line = vec![(*phase).to_owned(), cell(Some(theirs))];
        for backend in backends() {
            let ours = rows.cycles(&name(phase, backend));
            line.extend([cell(ours), format!("{:.2}", ours.unwrap_or(f64::NAN) / theirs)]);
        }
        line
    };
    Table {
        meaning: format!("A key encapsulation in {unit}."),
        head: head.chain(columns).collect(),
        rows: KEM_PHASES.iter().zip(DESIGNERS).map(line).collect(),
        ..Table::default()
    }
}

fn encryption(lines: &[Line]) -> Table {
    let mut head = strings(["N", "q"]);
    head.extend(STEPS.iter().flat_map(|step| [format!("{step}: depth 0"), "planned".into(), "gain".into()]));
    let row = |line: &Line| {
        let mut row = vec![line.n.to_string(), line.q.to_string()];
        for step in 0..STEPS.len() {
            let [without, with] = [&line.without, &line.with].map(|rows| short(rows[step].ns.median / 1000.0));
            row.extend([without, with, times(line.gain(step))]);
        }
        row
    };
    Table {
        meaning: "NTRU over X^N + 1 in microseconds.".into(),
        head,
        rows: lines.iter().map(row).collect(),
        ..Table::default()
    }
}
