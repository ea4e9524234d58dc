//! Commitments by transform against schoolbook, beside Table 6.2 of Bakkebø's thesis; and what
//! proofs cost.

mod work;

use super::{
    Bench, Cell, Columns, Figure, Section, Table, faster, microseconds,
    printed::bakkebo::TABLE_6_2,
    short,
    textbook::{self, Textbook},
    times,
};
use crate::{
    measure::{Effort, Job, Row},
    plot::{self, BLUE, GREY, ORANGE, Point, RED, Series, TEXT},
};
use ringwork::{
    estimate::Estimate,
    schemes::bdlop::{CommitmentKey, Parameters, Statement},
};
use serde_json::{Value, json};
use std::{cell, hint::black_box};
use work::Work;

/// Where a quick run stops.
const QUICK_LIMIT: u32 = 10;

struct Line {
    n: usize,
    /// Clock ticks of the thesis: normal, NTT.
    ticks: [f64; 2],
    here: Option<Here>,
}

/// Commitments on this machine.
struct Here {
    normal: Row,
    /// As the thesis computes it: matrices and randomness are transformed within.
    same_work: Row,
    /// With matrices that the key holds transformed.
    ntt: Row,
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
    (3 * measured(quick) + STEPS.len() * Parameters::ALL.len()) as u64
}

/// The section.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool, textbook: Option<&Textbook>) -> Section {
    let lines = TABLE_6_2.iter().enumerate().map(|(i, &(log_n, normal, ntt))| {
        let n = 1 << log_n;
        Line { n, ticks: [normal.exp2(), ntt.exp2()], here: (i < measured(quick)).then(|| commitments(bench, n)) }
    });
    let lines: Vec<Line> = lines.collect();
    let proofs: Vec<Proofs> = Parameters::ALL.into_iter().map(|set| proofs(bench, set)).collect();
    let mut notes = vec![
            format!(
                "All are of A1·r and A2·r + m for given r. The thesis transforms A1', A2' and r in every commitment, {} \
                 polynomials; so does the column NTT here. Keys hold their matrices transformed: {} forward transforms remain, in \
                 the column beside it. What committing checks besides, norms among them, is in none of these. Randomness of the thesis is uniform, ours short, as the scheme has it, which \
                 changes no time. Normal is schoolbook with one reduction for each coefficient.",
                work::FORWARD, work::WITH_KEY
            ),
            "The thesis' column is in ticks of clock_t, which POSIX makes microseconds, and about half of what a commitment \
             took: its program halves the time, as for a pair of products, and 19 normal products of its Table 5.1 take twice \
             the time of a normal commitment here. Gains are not touched by that, and its ticks are divided by nothing of this \
             machine."
                .into(),
            "Its ring, q = 12289, splits completely: nothing says that differences of challenges are invertible there, so \
             that binding is not argued. The shape is for measuring; the sets below it are sound by the theorem of \
             Lyubashevsky and Seiler, with binding estimated by the worst case of all norms."
                .into(),
            "prove includes all attempts: about one in three answers is kept. Bits are those of core-SVP with a classical \
             sieve."
                .into(),
    ];
    let mut tables = vec![table(&lines)];
    if let Some(textbook) = textbook {
        tables.push(as_written(textbook, &lines));
        notes.push(format!(
            "As written: the functions of the thesis' appendices A to E, with its words of 64 bits and its remainders by a \
             constant; in Rust, whose slices check their bounds. Its structs of one fixed length are copied at every call, \
             here polynomials are as long as they must be, and matrices and randomness are copied once before they are \
             transformed. Its repository adds the message to other polynomials than Algorithm 5 does, which is not followed. Timed up to N = 4096; long runs ran once. {}.",
            textbook::commands()
        ));
    }
    tables.push(proofs_table(&proofs));
    Section {
        id: "commitments",
        title: "Commitments".into(),
        meaning: meaning(&lines, &proofs),
        figures: vec![Figure {
            svg: figure(&lines),
            caption: "Microseconds of a commitment of the thesis' shape, both axes logarithmic.".into(),
        }],
        tables,
        notes,
        data: json!({
            "source": "Bakkebø 2020, Table 6.2", "rows": lines.iter().map(|line| data(line, textbook)).collect::<Value>(),
            "proofs": proofs.iter().map(proofs_data).collect::<Value>(),
        }),
    }
}

fn commitments(bench: &mut Bench<'_>, n: usize) -> Here {
    let work = Work::new(n);
    let group = format!("commit, N = {n}");
    let fast = vec![Job::new("same work", || work.same_work()), Job::new("ntt", || work.with_key())];
    let [same_work, ntt] = bench.measure(&group, fast).0.try_into().expect("two jobs");
    let effort = Effort { fewest: 3, ..bench.effort };
    let normal = bench.measure_with(effort, &group, vec![Job::new("normal", || work.schoolbook())]).0.remove(0);
    Here { normal, same_work, ntt }
}

fn proofs(bench: &mut Bench<'_>, set: Parameters) -> Proofs {
    let key = CommitmentKey::<i64>::new(set, &[1; 32]).expect("a sound set has a plan");
    let message = key.message(&[1, 2, 3]).expect("residues");
    let (commitment, opening) = key.commit_derand(message.clone(), &[2; 32]).expect("of that shape");
    let (commitments, openings) = ([commitment], [opening]);
    let statement = Statement { commitments: &commitments, relation: None, context: b"report" };
    let proof = key.prove_derand(&statement, &openings, &[3; 32]).expect("an honest opening");
    let compact = key.proof_to_compact_bytes(&statement, &proof);
    let attempts = cell::Cell::new(0_u64);
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
            // Enough proofs to average out the number of attempts.
            for _ in 0..PROOFS {
                black_box(key.prove_derand(&statement, &openings, &fresh_seed()).expect("an honest opening"));
            }
        }),
        Job::new(STEPS[3], || key.verify_compact(&statement, &compact).expect("an honest proof")),
    ];
    let rows = bench.measure(set.name(), jobs).0;
    Proofs { set, rows, proof_bytes: compact.len() }
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
    let here = line.here.as_ref().expect("the same");
    let smallest = &proofs[0];
    format!(
        "At N = 1024 a commitment of the thesis' shape is {} as fast by transform as without in the thesis, and {} here for the \
         same work; with a key that holds its matrices transformed it takes {} µs. With the sound set {} a proof of opening \
         takes {} ms, its verification {} ms.",
        times(line.ticks[0] / line.ticks[1]),
        faster(&here.normal, &here.same_work).text,
        microseconds(&here.ntt).text,
        smallest.set.name(),
        short(smallest.microseconds(2) / 1000.0),
        short(smallest.microseconds(3) / 1000.0),
    )
}

fn table(lines: &[Line]) -> Table {
    let meaning =
        "One commitment with k = 8, l = 4, d = 3; thesis in clock ticks, here in microseconds; gain: normal over NTT.";
    Columns::new(meaning, lines)
        .column("N", |line| line.n)
        .group("thesis, halved ticks", ["normal", "NTT", "gain"], |line| {
            let [normal, ntt] = line.ticks;
            [Cell::printed(normal), Cell::printed(ntt), times(normal / ntt).into()]
        })
        .group("here, the same work", ["normal", "NTT", "gain"], |line| {
            let here = line.here.as_ref();
            [
                here.map(|here| microseconds(&here.normal)),
                here.map(|here| microseconds(&here.same_work)),
                here.map(|here| faster(&here.normal, &here.same_work)),
            ]
        })
        .group("here, with a key", ["NTT", "gain"], |line| {
            let here = line.here.as_ref();
            [here.map(|here| microseconds(&here.ntt)), here.map(|here| faster(&here.normal, &here.ntt))]
        })
        .table()
}

fn proofs_table(proofs: &[Proofs]) -> Table {
    let bits = |estimate: Result<Estimate, _>| estimate.ok().map(|e: Estimate| format!("{:.0}", e.classical_bits));
    Columns::new("The sound sets, q = 2^32 - 99.", proofs)
        .group("", ["set", "N", "k, d, l"], |p| {
            let [k, d, l] = p.set.shape();
            [p.set.name().into(), p.set.n().to_string(), format!("{k}, {d}, {l}")]
        })
        .group("bits", ["hiding", "binding"], |p| [bits(p.set.hiding()), bits(p.set.binding())])
        .group("microseconds", STEPS, |p| {
            [0, 1, 2, 3].map(|step| {
                let value = p.microseconds(step);
                Cell::measured(short(value), value, &[&p.rows[step]])
            })
        })
        .group("proof", ["bytes"], |p| [p.proof_bytes])
        .table()
}

fn figure(lines: &[Line]) -> String {
    let here = |row: fn(&Here) -> &Row| {
        move |line: &Line| Some(Point::measured(line.n as f64, row(line.here.as_ref()?).ns.times(1e-3)))
    };
    let all = [
        Series::of("thesis", TEXT, lines, |line| Some(Point::printed(line.n as f64, line.ticks[0]))),
        Series::of("thesis NTT", GREY, lines, |line| Some(Point::printed(line.n as f64, line.ticks[1]))),
        Series::of("normal", ORANGE, lines, here(|here| &here.normal)),
        Series::of("NTT", BLUE, lines, here(|here| &here.same_work)),
        Series::of("with key", RED, lines, here(|here| &here.ntt)),
    ];
    plot::log_log("Time of a commitment by degree", "degree N", "microseconds; thesis: halved ticks", &all)
}

/// The program as written, and its modulus.
const WORK: (&str, u64) = ("commitment", 12289);

fn as_written(textbook: &Textbook, lines: &[Line]) -> Table {
    textbook.table(
        "The thesis' program as it was written, one commitment, in microseconds; ours is the same work.".into(),
        WORK.0,
        ("microseconds", 1e3),
        lines.iter().map(|line| (line.n, WORK.1, line.here.as_ref().map(|here| here.same_work.ns))),
    )
}

fn data(line: &Line, textbook: Option<&Textbook>) -> Value {
    let here = line.here.as_ref().map(|here| {
        json!({ "normal": here.normal.json(), "ntt_same_work": here.same_work.json(), "ntt_with_key": here.ntt.json() })
    });
    json!({
        "n": line.n, "thesis": { "normal_ticks": line.ticks[0], "ntt_ticks": line.ticks[1] }, "here": here,
        "as_written": textbook.map(|textbook| textbook.data(WORK.0, &["ntt", "normal"], line.n, WORK.1)),
    })
}

fn proofs_data(p: &Proofs) -> Value {
    let microseconds: Vec<f64> = (0..STEPS.len()).map(|step| p.microseconds(step)).collect();
    json!({ "set": p.set.name(), "steps": STEPS, "microseconds": microseconds, "proof_bytes": p.proof_bytes })
}
