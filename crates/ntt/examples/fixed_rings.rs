//! Writes `src/fixed/list.rs`: transforms whose plan is a constant, as the planner finds and proves them. With `--check`
//! it only tells whether the file is what it would write.

#![forbid(unsafe_code)]

use ringwork_ntt::{Backend, Direction, Interval, Method, PreReduction, Recipe, Request};
use std::{fmt::Write as _, path::Path, process::ExitCode};

/// A ring in the order of a standard.
struct Ring {
    name: &'static str,
    n: usize,
    q: u64,
    depth: u32,
    root: u64,
    bits: u32,
    note: &'static str,
}

/// A new ring is one more row.
const RINGS: [Ring; 2] = [
    Ring {
        name: "MlKem",
        n: 256,
        q: 3329,
        depth: 7,
        root: 17,
        bits: 16,
        note: "ML-KEM's, to slots of degree two: FIPS 203, section 4.3",
    },
    Ring {
        name: "MlDsa",
        n: 256,
        q: 8_380_417,
        depth: 8,
        root: 1753,
        bits: 32,
        note: "ML-DSA's: FIPS 204, section 7.5",
    },
];

fn main() -> ExitCode {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/fixed/list.rs");
    let text = text();
    if std::fs::read_to_string(&path).is_ok_and(|found| found == text) {
        return ExitCode::SUCCESS;
    }
    if std::env::args().any(|argument| argument == "--check") {
        eprintln!("src/fixed/list.rs is not what the planner finds: `cargo xtask gen` writes it");
        return ExitCode::FAILURE;
    }
    std::fs::write(&path, text).expect("the file can be written");
    ExitCode::SUCCESS
}

fn text() -> String {
    let mut text = String::from(
        "//! Written by `cargo xtask gen`, from the list in `examples/fixed_rings.rs`: do not edit.\n\n\
         use super::{FixedRing, MAX_ROW, Planned, SCALING, fixed_rings, with_end};\n\
         use crate::{\n    arith::Interval,\n    network::{Pass, SlotStep, Step, ToCanonical},\n    \
         reduction::Constants,\n};\n\nfixed_rings! {\n",
    );
    RINGS.iter().for_each(|ring| text += &row(ring));
    text + "}\n"
}

fn row(ring: &Ring) -> String {
    let Ring { name, n, q, bits, note, .. } = ring;
    let request = Request::new(*n, *q).depth(ring.depth).root(ring.root).backend(Backend::Scalar);
    let recipe = request.method(Method::Montgomery).recipe(*bits).expect("a plan");
    let canonical = proved(&recipe);
    let (schedules, certificate) = (recipe.schedules(), recipe.certificate());
    let tables = recipe.tables().expect("one lane");
    let list = |items: &[String]| items.join(" ");
    let steps =
        |direction| list(&schedules.steps(direction).iter().map(|step| format!("{step:?}")).collect::<Vec<_>>());
    let passes: Vec<String> = recipe.passes().iter().map(|pass| format!("            Pass::{pass:?},\n")).collect();
    let scaling = |words: &[i64]| format!("{:?}", [words, &vec![0; 8 - words.len()]].concat());
    let words: Vec<String> =
        [&tables.forward, &tables.inverse, &tables.slots].into_iter().flatten().map(i64::to_string).collect();
    let mut lines = String::new();
    for line in words.chunks(10) {
        let _ = writeln!(lines, "            {},", line.join(", "));
    }
    format!(
        "    /// `Z_{q}[X]/(X^{n} + 1)`, {note}.\n    {name}: i{bits}, {n}, {q}, slots of {} in [{}],\n        \
         products in [{}],\n        [\n{}        ],\n        [{}],\n        [{}],\n        reduces [{}, {}], \
         {:?}, {canonical}, scaling [\n            {},\n            {},\n        ],\n        tables of \
         [{}, {}, {}], [\n{lines}        ];\n",
        recipe.slot_degree(),
        certificate.slots().magnitude(),
        certificate.products().magnitude(),
        passes.concat(),
        steps(Direction::Forward),
        steps(Direction::Inverse),
        schedules.reduce_slots(),
        schedules.before_inverse() == PreReduction::All,
        schedules.slots(),
        scaling(&tables.scaling_of_products.concat()),
        scaling(&tables.to_ntt),
        tables.forward.len(),
        tables.inverse.len(),
        tables.slots.len(),
    )
}

/// That what operations do besides transforms stays in the word and in the ranges that they promise; how coefficients
/// become canonical.
fn proved(recipe: &Recipe) -> &'static str {
    let (contract, certificate) = (recipe.contract(), recipe.certificate());
    let (word, input) = (certificate.word(), certificate.input());
    let products = Interval::symmetric(certificate.products().magnitude());
    let sums = contract.add_range(products, products).filter(|sums| word.holds(*sums));
    let reduced = sums.and_then(|sums| contract.reduce_range(sums)).expect("sums of products fit");
    assert!(products.holds(reduced) && certificate.products().holds(reduced), "sums are products");
    let addend = Interval::symmetric(certificate.slots().union(input).magnitude());
    let sums = contract.add_range(certificate.normalized(), addend);
    assert!(sums.is_some_and(|sums| word.holds(sums)), "slots and reduced products fit");
    assert_eq!(recipe.lanes(), 1);
    if input.holds(certificate.output()) {
        return "FromReduced";
    }
    let reduced = contract.reduce_range(certificate.output()).expect("reductions take coefficients");
    assert!(input.holds(reduced), "a reduction makes coefficients small");
    "ByReduction"
}
