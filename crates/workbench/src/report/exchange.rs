//! The NewHope key exchange part by part, beside Table 1 of Longa and Naehrig's paper as far as it
//! is public.

use super::{
    Bench, Cell, Columns, Rows, Section, Table, backends, cycles, faster, grouped_cycles,
    printed::longa_naehrig::{EXCHANGE, MACHINE, TABLE_1, TRANSFORMS_IN_C},
    short,
};
use crate::{
    jobs::{self, Operation, PARTS, PHASES},
    measure::Row,
    plans::AnyTransform,
};
use ntt::{Backend, Method, Request};
use ringwork::schemes::newhope::{NewHope, Parameters, USENIX2016};
use serde_json::{Value, json};

const SET: Parameters = USENIX2016;

/// Our rows for those of the table.
const OURS: [Ours; TABLE_1.len()] = [
    Ours::Transform(Operation::Forward),
    Ours::Transform(Operation::Inverse),
    Ours::Part(0),
    Ours::Part(1),
    Ours::Part(2),
    Ours::Part(3),
    Ours::Phase(0),
    Ours::Phase(1),
    Ours::Phase(2),
    Ours::Phase(3),
];

/// Which of our rows does the same.
#[derive(Clone, Copy)]
enum Ours {
    Transform(Operation),
    Part(usize),
    Phase(usize),
}

/// Methods of reduction that the paper compares: Montgomery's, as the designers have it, and its own.
const METHODS: [Method; 2] = [Method::Montgomery, Method::KRed];

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    (TABLE_1.len() * backends().len() + METHODS.len() * PHASES.len()) as u64
}

fn name(part: &str, backend: Backend) -> String {
    format!("{part}/{backend}")
}

fn of_method(part: &str, method: Method) -> String {
    format!("{part}/scalar/{method}")
}

impl Ours {
    fn row(self, rows: &Rows, backend: Backend) -> &Row {
        rows.of(&name(
            match self {
                Self::Transform(operation) => operation.name(),
                Self::Part(i) => PARTS[i],
                Self::Phase(i) => PHASES[i],
            },
            backend,
        ))
    }
}

/// The section, and what it adds to the headline.
pub(crate) fn section(bench: &mut Bench<'_>) -> (Section, String) {
    let mut all = Vec::new();
    for backend in backends() {
        let mut jobs = jobs::exchange(NewHope::with_backend(SET, backend), |phase| name(phase, backend));
        jobs.extend(jobs::parts(SET, backend, |part| name(part, backend)));
        let request = Request::new(1024, 12289).backend(backend).lazy();
        let plan = AnyTransform::new(&request, Some(16)).expect("the ring of NewHope has a plan on every backend");
        let transform = |operation: Operation| operation.job(name(operation.name(), backend), &plan);
        jobs.extend([Operation::Forward, Operation::Inverse].map(transform));
        all.extend(bench.measure(&format!("newhope {}", SET.name()), jobs).0);
    }
    let by_method = METHODS.iter().flat_map(|method| {
        let scheme = NewHope::with_method(SET, Backend::Scalar, *method).expect("both methods have a plan");
        jobs::exchange(scheme, |phase| of_method(phase, *method))
    });
    all.extend(bench.measure("newhope by methods", by_method.collect()).0);
    let rows = Rows(all);
    let (best, unit) = (Backend::best(), bench.meter.unit());
    let whole = rows.of(&name("exchange", best));
    let headline = format!("A whole NewHope key exchange, both sides, takes {} µs.", short(whole.ns.median / 1000.0));
    let transform = |operation: Operation| Ours::Transform(operation).row(&rows, best).core.median;
    let transforms = 4.0 * transform(Operation::Forward) + 2.0 * transform(Operation::Inverse);
    let section = Section {
        id: "exchange",
        title: "Key exchange".into(),
        meaning: format!(
            "Both sides of NewHope ({}) together take {} {unit} on {best}; four forward and two inverse transforms alone are \
             {:.0} % of that, the rest is hashing, noise, reconciliation and packing.",
            SET.name(),
            cycles(Some(whole)).text,
            100.0 * transforms / whole.core.median
        ),
        figures: Vec::new(),
        tables: vec![table(&rows, unit), claim(&rows, unit)],
        notes: vec![
            format!(
                "Designers: NewHope's own code as its paper has it in the version of 28 March 2016, on an {MACHINE}; total is the \
                 sum of the three rows above it. Longa and Naehrig compare with the USENIX version of August 2016, whose \
                 cycles may differ, and their own column is not in the text that is at hand: of it is known that transforms \
                 in C are {} and {} times as fast as the designers', the exchange {} times in C and {} times with \
                 AVX2. Their programs do not run here, and cycles of different cores are not divided by one another.",
                TRANSFORMS_IN_C[0], TRANSFORMS_IN_C[1], EXCHANGE[0], EXCHANGE[1]
            ),
            "Designers' generating a includes reading a seed from the system, their inverse transform a reordering. Ours has no \
             random numbers of the system in it: seeds are given. Our shared key (server) includes reading its \
             secret from bytes, which the total does not."
                .into(),
            "By both methods everything but the transforms is the same: hashes go by vectors where this machine has them, the \
             rest one word at a time. So the factor of the total is smaller than it would be beside slower \
             hashing. In our K-RED no layer of the forward transform needs the paper's extra reductions (Algorithm 3, line \
             12), since its twiddles are centred; the textbook with them is in crates/reference."
                .into(),
        ],
        data: json!({
            "scheme": "newhope", "set": SET.name(), "rows": rows.json(),
            "designers": TABLE_1.iter().map(|(part, cycles)| json!({ "part": part, "c": cycles[0], "avx2": cycles[1] }))
                .collect::<Value>(),
            "designers_machine": MACHINE,
        }),
    };
    (section, headline)
}

fn table(rows: &Rows, unit: &str) -> Table {
    Columns::new(format!("The rows of Longa and Naehrig's Table 1, in {unit}."), TABLE_1.iter().zip(OURS))
        .column("", |((part, _), _)| *part)
        .group("designers, Haswell", ["C", "AVX2"], |((_, theirs), _)| {
            theirs.map(|cycles| Cell::number(grouped_cycles(cycles), cycles))
        })
        .group("ours, this run", backends(), |(_, ours)| {
            let ours = *ours;
            backends().into_iter().map(move |b| cycles(Some(ours.row(rows, b))))
        })
        .table()
}

/// The paper's claim, as it was made: one exchange by two methods, on one machine, in one run.
fn claim(rows: &Rows, unit: &str) -> Table {
    let parts = [
        ("key generation (server)", "init"),
        ("key generation + shared key (client)", "respond"),
        ("shared key (server)", "finish"),
        ("total", "exchange"),
    ];
    let meaning = format!(
        "One exchange by Montgomery's method and by K-RED, one word at a time, in {unit}; the paper compares its own C \
         with the designers'."
    );
    Columns::new(meaning, parts)
        .column("", |(part, _)| *part)
        .group("", ["Montgomery", "K-RED", "ours, times as fast"], |(_, phase)| {
            let [montgomery, k_red] = METHODS.map(|method| rows.of(&of_method(phase, method)));
            [cycles(Some(montgomery)), cycles(Some(k_red)), faster(montgomery, k_red)]
        })
        .column("paper", |(_, phase)| (*phase == "exchange").then(|| Cell::printed(EXCHANGE[0])))
        .table()
}
