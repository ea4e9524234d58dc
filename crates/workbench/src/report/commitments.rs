//! Commitments by transform against schoolbook, beside Table 6.2 of Bakkebø's thesis; and what proofs cost.

use super::{Bench, Figure, Section, Table, short, strings, times};
use crate::{
    measure::{Effort, Job, Row},
    plot::{self, BLUE, GREY, Ink, ORANGE, Series, TEXT},
};
use ringwork::{
    module::Vector,
    sample::Word,
    schemes::{
        bdlop::{CommitmentKey, Parameters, Statement},
        lwe::{Multiplier, Schoolbook},
    },
};
use serde_json::{Value, json};
use std::{cell::Cell, hint::black_box};

/// log2 N, and log2 of the clock ticks of a commitment by normal and by NTT multiplication.
///
/// Source: A. Bakkebø, master's thesis, 2020, Table 6.2: k = 8, l = 4, d = 3, q = 12289, memory on the stack.
const TABLE_6_2: [(u32, f64, f64); 12] = [
    (2, 7.62, 7.61),
    (3, 7.53, 7.51),
    (4, 7.73, 7.60),
    (5, 8.18, 7.69),
    (6, 9.22, 7.93),
    (7, 10.85, 8.38),
    (8, 12.73, 9.02),
    (9, 14.71, 9.88),
    (10, 16.76, 10.88),
    (11, 18.69, 11.83),
    (12, 20.67, 12.92),
    (13, 22.67, 13.99),
];

/// Where a quick run stops.
const QUICK_LIMIT: u32 = 10;

struct Line {
    n: usize,
    /// Clock ticks of the thesis: normal, NTT.
    ticks: [f64; 2],
    /// Normal, NTT.
    here: Option<[Row; 2]>,
}

/// A sound set and its rows.
struct Proofs {
    set: Parameters,
    rows: Vec<Row>,
    proof_bytes: usize,
}

const STEPS: [&str; 4] = ["commit", "open", "prove", "verify"];

fn measured(quick: bool) -> usize {
    TABLE_6_2.iter().filter(|(log_n, ..)| !quick || *log_n <= QUICK_LIMIT).count()
}

/// Jobs that will be measured.
pub(crate) fn steps(quick: bool) -> u64 {
    (2 * measured(quick) + STEPS.len() * Parameters::ALL.len()) as u64
}

/// The section.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool) -> Section {
    let lines = TABLE_6_2.iter().enumerate().map(|(i, &(log_n, normal, ntt))| {
        let n = 1 << log_n;
        Line { n, ticks: [normal.exp2(), ntt.exp2()], here: (i < measured(quick)).then(|| commitments(bench, n)) }
    });
    let lines: Vec<Line> = lines.collect();
    let proofs: Vec<Proofs> = Parameters::ALL.into_iter().map(|set| proofs(bench, set)).collect();
    Section {
        id: "commitments",
        title: "Commitments".into(),
        meaning: meaning(&lines, &proofs),
        figures: vec![Figure {
            svg: figure(&lines),
            caption: "Microseconds of a commitment of the thesis' shape, both axes logarithmic.".into(),
        }],
        tables: vec![table(&lines), proofs_table(&proofs)],
        notes: vec![
            "The thesis counts ticks of clock_t, which POSIX makes microseconds, and draws randomness uniformly; ours is \
             short, as the scheme has it. Both times are of A1·r and A2·r + m for given r. Normal is schoolbook with one \
             reduction for each coefficient."
                .into(),
            "Its ring, q = 12289, splits completely: nothing says that differences of challenges are invertible there, so \
             that binding is not argued. The shape is for measuring; the sets below it are sound by the theorem of \
             Lyubashevsky and Seiler, with binding estimated by the worst case of all norms."
                .into(),
            "prove includes all attempts: about one in three answers is kept. Bits are those of core-SVP with a classical \
             sieve."
                .into(),
        ],
        data: json!({
            "source": "Bakkebø 2020, Table 6.2", "rows": lines.iter().map(data).collect::<Value>(),
            "proofs": proofs.iter().map(proofs_data).collect::<Value>(),
        }),
    }
}

fn commitments(bench: &mut Bench<'_>, n: usize) -> [Row; 2] {
    let parameters = Parameters::insecure_benchmark(n).expect("a degree of the thesis");
    let [k, d, l] = parameters.shape();
    let key = CommitmentKey::<i16>::new(parameters, &[1; 32]).expect("a ring of the engine");
    let message = key.message(&[1, 2, 3]).expect("residues");
    let (_, opening) = key.commit_derand(message.clone(), &[2; 32]).expect("of that shape");
    let r = opening.randomness();
    let group = format!("commit, N = {n}");
    let ntt = Job::new("ntt", || {
        black_box(key.commit_with(black_box(&message), r).expect("of that shape"));
    });

    // The same matrices, coefficient by coefficient.
    let schoolbook = Schoolbook::new(n, parameters.q());
    let prepare = |v: Vector<i16>| Multiplier::<i16>::prepare(&schoolbook, v);
    let sample = |length| {
        Vector::<i16>::filled(n, length, |words| {
            words.iter_mut().enumerate().for_each(|(i, word)| *word = i16::truncate(i as i64 * 7919 % 12289));
        })
    };
    let (a1, a2) = (prepare(sample(d * (k - d))), prepare(sample(l * (k - d - l))));
    let normal = Job::new("normal", || {
        let (first, second) = (prepare(r.part(d..k)), prepare(r.part(d + l..k)));
        let mut c1: Vector<i16> = schoolbook.products(&a1, &first, k - d);
        let mut c2: Vector<i16> = schoolbook.products(&a2, &second, k - d - l);
        key.module().add(&mut c1, &r.part(0..d));
        key.module().add(&mut c2, &r.part(d..d + l));
        key.module().add(&mut c2, &message);
        black_box((c1, c2));
    });
    let ntt = bench.measure(&group, vec![ntt]).0.remove(0);
    let effort = Effort { fewest: 3, ..bench.effort };
    [bench.measure_with(effort, &group, vec![normal]).0.remove(0), ntt]
}

fn proofs(bench: &mut Bench<'_>, set: Parameters) -> Proofs {
    let key = CommitmentKey::<i64>::new(set, &[1; 32]).expect("a sound set has a plan");
    let message = key.message(&[1, 2, 3]).expect("residues");
    let (commitment, opening) = key.commit_derand(message.clone(), &[2; 32]).expect("of that shape");
    let (commitments, openings) = ([commitment], [opening]);
    let statement = Statement { commitments: &commitments, relation: None, context: b"report" };
    let proof = key.prove_derand(&statement, &openings, &[3; 32]).expect("an honest opening");
    let attempts = Cell::new(0_u64);
    let fresh_seed = || {
        attempts.set(attempts.get() + 1);
        let mut seed = [4; 32];
        seed[..8].copy_from_slice(&attempts.get().to_le_bytes());
        seed
    };
    let jobs = vec![
        Job::new(STEPS[0], || {
            black_box(key.commit_derand(message.clone(), &fresh_seed()).expect("of that shape"));
        }),
        Job::new(STEPS[1], || key.open(&commitments[0], &openings[0]).expect("an honest opening")),
        Job::new(STEPS[2], || {
            // So many that the attempts even out.
            for _ in 0..PROOFS {
                black_box(key.prove_derand(&statement, &openings, &fresh_seed()).expect("an honest opening"));
            }
        }),
        Job::new(STEPS[3], || key.verify(&statement, &proof).expect("an honest proof")),
    ];
    let rows = bench.measure(set.name(), jobs).0;
    Proofs { set, rows, proof_bytes: key.proof_to_bytes(&proof).len() }
}

/// Proofs in a batch.
const PROOFS: usize = 32;

impl Proofs {
    /// Microseconds of the step of that number.
    fn microseconds(&self, step: usize) -> f64 {
        let calls = if step == 2 { PROOFS as f64 } else { 1.0 };
        self.rows[step].ns.median / 1000.0 / calls
    }
}

fn meaning(lines: &[Line], proofs: &[Proofs]) -> String {
    let line = lines.iter().find(|line| line.n == 1024).expect("a quick run measures that too");
    let here = line.here.as_ref().map_or(f64::NAN, |[_, ntt]| ntt.ns.median / 1000.0);
    let smallest = &proofs[0];
    format!(
        "At N = 1024 a commitment of the thesis' shape takes {} µs, {} as fast as the thesis' NTT. With the sound set {} a \
         proof of opening takes {} ms, its verification {} ms.",
        short(here),
        times(line.ticks[1] / here),
        smallest.set.name(),
        short(smallest.microseconds(2) / 1000.0),
        short(smallest.microseconds(3) / 1000.0),
    )
}

fn table(lines: &[Line]) -> Table {
    let head = ["N", "thesis: normal", "NTT", "gain", "here: normal", "NTT", "gain", "over thesis' NTT"];
    let row = |line: &Line| {
        let [normal, ntt] = line.ticks;
        let mut row = vec![line.n.to_string(), short(normal), short(ntt), times(normal / ntt)];
        match &line.here {
            None => row.resize(head.len(), "–".into()),
            Some(here) => {
                let [normal, fast] = here.each_ref().map(|row| row.ns.median / 1000.0);
                row.extend([short(normal), short(fast), times(normal / fast), times(ntt / fast)]);
            }
        }
        row
    };
    Table {
        meaning: "One commitment with k = 8, l = 4, d = 3; thesis in clock ticks, here in microseconds.".into(),
        head: strings(head),
        rows: lines.iter().map(row).collect(),
        ..Table::default()
    }
}

fn proofs_table(proofs: &[Proofs]) -> Table {
    let head = [
        "set",
        "N",
        "k, d, l",
        "hiding, bits",
        "binding, bits",
        "commit, µs",
        "open, µs",
        "prove, µs",
        "verify, µs",
        "proof, bytes",
    ];
    let row = |p: &Proofs| {
        let bits = |estimate: Result<ringwork::estimate::Estimate, _>| {
            estimate.map_or_else(|_: ringwork::estimate::Error| "–".into(), |e| format!("{:.0}", e.classical_bits))
        };
        let [k, d, l] = p.set.shape();
        let mut row = vec![p.set.name().into(), p.set.n().to_string(), format!("{k}, {d}, {l}")];
        row.extend([bits(p.set.hiding()), bits(p.set.binding())]);
        row.extend((0..STEPS.len()).map(|step| short(p.microseconds(step))));
        row.push(p.proof_bytes.to_string());
        row
    };
    Table {
        meaning: "The sound sets, q = 2^32 - 99.".into(),
        head: strings(head),
        rows: proofs.iter().map(row).collect(),
        ..Table::default()
    }
}

fn figure(lines: &[Line]) -> String {
    let series = |name: &str, ink: Ink, time: &dyn Fn(&Line) -> Option<f64>| {
        let points = lines.iter().filter_map(|line| Some((line.n as f64, time(line)?))).collect();
        Series { name: name.into(), ink, points }
    };
    let here = |line: &Line, i: usize| line.here.as_ref().map(|rows| rows[i].ns.median / 1000.0);
    let all = [
        series("thesis", TEXT, &|line| Some(line.ticks[0])),
        series("thesis NTT", GREY, &|line| Some(line.ticks[1])),
        series("normal", ORANGE, &|line| here(line, 0)),
        series("NTT", BLUE, &|line| here(line, 1)),
    ];
    plot::log_log("Time of a commitment by degree", "degree N", "microseconds", &all)
}

fn data(line: &Line) -> Value {
    let here = line.here.as_ref().map(|[normal, ntt]| json!({ "normal": normal.json(), "ntt": ntt.json() }));
    json!({ "n": line.n, "thesis": { "normal_ticks": line.ticks[0], "ntt_ticks": line.ticks[1] }, "here": here })
}

fn proofs_data(p: &Proofs) -> Value {
    let microseconds: Vec<f64> = (0..STEPS.len()).map(|step| p.microseconds(step)).collect();
    json!({ "set": p.set.name(), "steps": STEPS, "microseconds": microseconds, "proof_bytes": p.proof_bytes })
}
