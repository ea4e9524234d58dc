//! NTTRU's key encapsulation beside its designers' program, and NTRU over `X^N + 1` by transform
//! and without.

use super::{
    Bench, Cell, Columns, Rows, Section, Table, backends, cycles, faster, grouped_cycles, machine::cpu, microseconds,
    ranges::percent, short, times,
};
use crate::{
    jobs::{self, KEM_PHASES},
    measure::{Job, Row},
};
use ntt::Backend;
use ringwork::{
    kem::Scheme,
    schemes::ntru::{Ntru, Parameters},
};
use serde_json::{Value, json};
use std::hint::black_box;

/// Core cycles of key generation, encapsulation and decapsulation, from bytes to bytes, measured by
/// this project: whose program, on which core.
///
/// Source of the designers' AVX2 program: Lyubashevsky and Seiler, TCHES 2019. On Zen 3 built by
/// gcc, on Zen 4 by clang 19; ours of Zen 4 is commit 80c1170, measured side by side with theirs.
const MEASURED: [(&str, &str, [f64; 3]); 3] = [
    ("designers", "Zen 3, gcc", [10_570.0, 6_495.0, 7_578.0]),
    ("designers", "Zen 4, clang", [4_366.0, 5_303.0, 6_437.0]),
    ("ours", "Zen 4", [8_568.0, 7_221.0, 8_614.0]),
];

/// Degrees and moduli of NTRU; every message decrypts.
const RINGS: [(usize, u32); 3] = [(256, 3329), (512, 12289), (1024, 18433)];
/// Reading is of a public key; the others are from and to bytes where these travel.
const STEPS: [&str; 4] = ["keygen", "reading", "encrypt", "decrypt"];

/// NTRU in one ring.
struct Line {
    n: usize,
    q: u32,
    /// The three steps at depth 0, which is schoolbook, and at the planner's.
    without: Vec<Row>,
    with: Vec<Row>,
    /// At the planner's, with slots on the wire.
    slots: Vec<Row>,
    depth: u32,
}

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    (KEM_PHASES.len() * backends().len() + 3 * STEPS.len() * RINGS.len()) as u64
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
            let depth = planned.plan().recipe().expect("a transform modulo q itself").depth();
            let form = parameters.in_transform_domain(depth).expect("the planner's depth");
            let with_slots = Ntru::new(form).expect("the same transform");
            // Side by side: what differs is one transform.
            let jobs = ntru(&planned, n).into_iter().chain(ntru(&with_slots, n)).collect();
            let mut with = bench.measure(&group, jobs).0;
            let slots = with.split_off(STEPS.len());
            Line { n, q, without, with, slots, depth }
        })
        .collect();
    let ours = KEM_PHASES.map(|phase| cycles(rows.get(&name(phase, Backend::best()))).text);
    let last = lines.last().expect("there are rings");
    Section {
        id: "ntru",
        title: "NTTRU and NTRU".into(),
        meaning: format!(
            "NTTRU's key generation, encapsulation and decapsulation take {}, {} and {} {unit} here. Encrypting by NTRU with \
             N = {} is {} as fast by transform as without; reading a key, encrypting and decrypting take {} of the time if \
             slots travel instead of coefficients.",
            ours[0],
            ours[1],
            ours[2],
            last.n,
            times(last.gain(2)),
            percent(last.on_the_wire(&last.slots) / last.on_the_wire(&last.with)),
        ),
        figures: Vec::new(),
        tables: vec![encapsulation(&rows, unit), encryption(&lines), wire(&lines)],
        notes: vec![
            "NTTRU from bytes to bytes, bit for bit as its designers; seeds are given. Cycles of different cores, or of \
             different runs, are not divided by one another."
                .into(),
            "The thesis has no times of NTRU, only of products. Depth 0 is the schoolbook product, and an inversion by it; \
             the planner's depth is the one that it estimates to be the fastest."
                .into(),
            "On the wire, the thesis' section 4.3.1: with coefficients there is a forward transform in reading a public key \
             and one in decrypting; with slots there is neither, and encrypting transforms the message forward in place of \
             the inverse of the product. Both forms run the same transforms, and have as many bytes, but for the one that \
             tells the depth."
                .into(),
        ],
        data: json!({
            "phases": KEM_PHASES, "nttru": rows.json(),
            "measured_elsewhere": MEASURED.map(|(whose, core, cycles)| json!({ "program": whose, "core": core, "cycles": cycles })),
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
    let bytes = ntru.public_key_to_bytes(&public);
    vec![
        Job::new(STEPS[0], move || {
            black_box(ntru.keygen_derand(&seed).is_some());
        }),
        Job::new(STEPS[1], move || {
            black_box(ntru.public_key_from_bytes(&bytes).expect("its own key"));
        }),
        Job::new(STEPS[2], move || {
            black_box(ntru.encrypt_derand(&public, &message, &[2; 32]).expect("a ternary message"));
        }),
        Job::new(STEPS[3], move || {
            black_box(ntru.decrypt(&secret, &ciphertext).expect("its own ciphertext"));
        }),
    ]
}

impl Line {
    fn gain(&self, step: usize) -> f64 {
        self.without[step].ns.median / self.with[step].ns.median
    }

    /// Nanoseconds of reading a public key, encrypting and decrypting.
    fn on_the_wire(&self, rows: &[Row]) -> f64 {
        rows[1..].iter().map(|row| row.ns.median).sum()
    }

    fn data(&self) -> Value {
        let rows = |rows: &[Row]| rows.iter().map(Row::json).collect::<Value>();
        json!({
            "n": self.n, "q": self.q, "depth": self.depth, "schoolbook": rows(&self.without),
            "transform": rows(&self.with), "slots_on_the_wire": rows(&self.slots),
        })
    }
}

fn encapsulation(rows: &Rows, unit: &str) -> Table {
    let here = cpu().unwrap_or_else(|| "this machine".into());
    let elsewhere = MEASURED.iter().map(|(whose, core, measured)| {
        let cycles = measured.map(|cycles| Cell::number(grouped_cycles(cycles), cycles));
        (format!("{whose}, AVX2"), (*core).to_owned(), cycles)
    });
    let ours = backends().into_iter().map(|backend| {
        let measured = KEM_PHASES.map(|phase| cycles(rows.get(&name(phase, backend))));
        (format!("ours, {backend}"), format!("{here}, this run"), measured)
    });
    Columns::new(
        format!("A key encapsulation by NTTRU in {unit}: whose program, on which core."),
        elsewhere.chain(ours),
    )
    .group("", ["program", "core"], |(program, core, _)| [program.clone(), core.clone()])
    .group("", KEM_PHASES, |(.., cycles)| cycles.clone())
    .table()
}

fn encryption(lines: &[Line]) -> Table {
    let meaning = "NTRU over X^N + 1 in microseconds: by schoolbook (depth 0), by transform, and the gain.";
    let mut columns = Columns::new(meaning, lines).group("", ["N", "q"], |line| [line.n, line.q as usize]);
    for (i, step) in STEPS.into_iter().enumerate() {
        columns = columns.group(step, ["depth 0", "planned", "gain"], |line| {
            let [without, with] = [&line.without[i], &line.with[i]];
            [microseconds(without), microseconds(with), faster(without, with)]
        });
    }
    columns.table()
}

fn wire(lines: &[Line]) -> Table {
    let steps = STEPS[1..].iter().copied().chain(["all three"]);
    let cells = |line: &Line, rows: &[Row]| {
        let all = line.on_the_wire(rows) / 1e3;
        rows[1..].iter().map(microseconds).chain([Cell::number(short(all), all)]).collect::<Vec<_>>()
    };
    Columns::new("What travels, in microseconds: coefficients or slots, by the same transforms.", lines)
        .group("", ["N", "q", "depth"], |line| [line.n, line.q as usize, line.depth as usize])
        .group("coefficients", steps.clone(), |line| cells(line, &line.with))
        .group("slots", steps, |line| cells(line, &line.slots))
        .column("gain", |line| {
            let ratio = line.on_the_wire(&line.with) / line.on_the_wire(&line.slots);
            Cell::number(format!("{ratio:.2}×"), ratio)
        })
        .table()
}
