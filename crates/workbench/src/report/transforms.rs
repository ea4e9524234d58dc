//! Transforms and products for the parameters of the papers, beside schoolbook.

use super::{Bench, Figure, Rows, Section, Table, backends, cell, strings, times};
use crate::{
    jobs::Operation,
    measure::Job,
    plans::AnyPlan,
    plot::{self, BLUE, GREY, Ink, ORANGE, Series},
    schoolbook,
};
use ntt::{Backend, Request};
use serde_json::json;
use std::hint::black_box;

/// Degree and modulus.
type Ring = (usize, u64);

/// Parameters of the papers and of the standards, by degree.
const RINGS: [Ring; 10] = [
    (256, 3329),
    (256, 7681),
    (256, 8_380_417),
    (512, 12289),
    (1024, 12289),
    (2048, 65537),
    (4096, 40961),
    (4096, 65537),
    (8192, 65537),
    (16384, 65537),
];

/// One ring for each degree, for the plot.
const PLOTTED: [Ring; 7] =
    [(256, 7681), (512, 12289), (1024, 12289), (2048, 65537), (4096, 40961), (8192, 65537), (16384, 65537)];

/// The ring of the headline.
const HEADLINE: Ring = (1024, 12289);

/// Schoolbook takes too long beyond this degree.
const SCHOOLBOOK_LIMIT: usize = 4096;

const OPERATIONS: [Operation; 3] = [Operation::Forward, Operation::Inverse, Operation::Multiply];

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    let schoolbook = RINGS.iter().filter(|(n, _)| *n <= SCHOOLBOOK_LIMIT).count();
    (RINGS.len() * OPERATIONS.len() * backends().len() + schoolbook) as u64
}

/// The section, and what it adds to the headline.
pub(crate) fn section(bench: &mut Bench<'_>) -> (Section, String) {
    let measured: Vec<(Ring, Rows)> = RINGS.into_iter().map(|ring| (ring, measure(bench, ring))).collect();
    let unit = bench.meter.unit();
    let (_, rows) = measured.iter().find(|(ring, _)| *ring == HEADLINE).expect("the headline's ring is measured");
    let best = Backend::best();
    let product = rows.get(&name(Operation::Multiply, best)).expect("measured above");
    let faster = times(speed_up(rows).unwrap_or(f64::NAN));
    let headline = format!(
        "A product of two polynomials of degree 1024 modulo 12289 takes {} {unit}, {:.1} µs, on {best}, {faster} faster than schoolbook.",
        cell(Some(product.core.median)),
        product.ns.median / 1000.0
    );
    let section = Section {
        id: "transforms",
        title: "Transforms and products".into(),
        meaning: format!(
            "For n = 1024 and q = 12289 a forward transform takes {} {unit} on {best}. Schoolbook grows with n², \
             products by transform with n log n: the lines drift apart.",
            cell(rows.cycles(&name(Operation::Forward, best)))
        ),
        figures: vec![Figure {
            svg: plot(&measured, unit),
            caption:
                "One product of polynomials, both axes logarithmic. Up to n = 1024 words have 16 bits, beyond 32: \
                      the moduli 40961 and 65537 need them."
                    .into(),
        }],
        tables: vec![products(&measured, unit), transforms(&measured, unit)],
        notes: vec![
            "Schoolbook is n² products summed in 64 bits with one reduction per coefficient, on ordinary registers and \
             whatever the compiler vectorises by itself. It is measured up to n = 4096 and not extrapolated. Products \
             are of polynomials modulo Xⁿ + 1, from and to canonical coefficients."
                .into(),
            "q = 3329 has no 512th root of unity: its transform stops at 128 slots of degree 2.".into(),
        ],
        data: measured.iter().map(|((n, q), rows)| json!({ "n": n, "q": q, "rows": rows.json() })).collect(),
    };
    (section, headline)
}

fn name(operation: Operation, backend: Backend) -> String {
    format!("{}/{backend}", operation.name())
}

fn measure(bench: &mut Bench<'_>, (n, q): Ring) -> Rows {
    let mut jobs = Vec::new();
    for backend in backends() {
        let Ok(plan) = AnyPlan::new(&Request::new(n, q).backend(backend), None) else { continue };
        jobs.extend(OPERATIONS.map(|operation| operation.job(name(operation, backend), &plan)));
    }
    if n <= SCHOOLBOOK_LIMIT {
        let q = q as u32;
        let a: Vec<u32> = (0..n as u32).map(|i| (i * 7 + 1) % q).collect();
        jobs.push(Job::new("schoolbook", move || {
            black_box(schoolbook::negacyclic_product(black_box(&a), black_box(&a), q));
        }));
    }
    bench.measure(&format!("{n}/{q}"), jobs)
}

/// Of the best backend over schoolbook.
fn speed_up(rows: &Rows) -> Option<f64> {
    Some(rows.cycles("schoolbook")? / rows.cycles(&name(Operation::Multiply, Backend::best()))?)
}

fn products(measured: &[(Ring, Rows)], unit: &str) -> Table {
    let named = backends().into_iter().map(|b| b.to_string());
    let head = ["n, q", "schoolbook"].map(String::from).into_iter().chain(named).chain(["faster".to_owned()]);
    let rows = measured.iter().map(|((n, q), rows)| {
        let cycles = backends().into_iter().map(|b| cell(rows.cycles(&name(Operation::Multiply, b))));
        let first = [format!("{n}, {q}"), cell(rows.cycles("schoolbook"))];
        first.into_iter().chain(cycles).chain([speed_up(rows).map_or("–".into(), times)]).collect()
    });
    let meaning = format!("Products, in {unit}; faster: the best backend over schoolbook.");
    Table { meaning, head: head.collect(), rows: rows.collect(), ..Table::default() }
}

fn transforms(measured: &[(Ring, Rows)], unit: &str) -> Table {
    let ways = || {
        [Operation::Forward, Operation::Inverse].into_iter().flat_map(|op| backends().into_iter().map(move |b| (op, b)))
    };
    let head = strings(["n, q"]).into_iter().chain(ways().map(|(op, b)| format!("{} {b}", op.name())));
    let rows = measured.iter().map(|((n, q), rows)| {
        let cycles = ways().map(|(op, b)| cell(rows.cycles(&name(op, b))));
        strings([format!("{n}, {q}")]).into_iter().chain(cycles).collect()
    });
    let meaning = format!("Single transforms, in {unit}; an inverse includes all scaling, so it costs little more.");
    Table { meaning, head: head.collect(), rows: rows.collect(), ..Table::default() }
}

fn plot(measured: &[(Ring, Rows)], unit: &str) -> String {
    let series = |name: &str, ink: Ink, row: &str| {
        let shown = measured.iter().filter(|(ring, _)| PLOTTED.contains(ring));
        let points = shown.filter_map(|((n, _), rows)| Some((*n as f64, rows.cycles(row)?))).collect();
        Series { name: name.into(), ink, points }
    };
    let mut all = vec![series("schoolbook", GREY, "schoolbook")];
    for (backend, ink) in backends().into_iter().zip([ORANGE, BLUE]) {
        all.push(series(backend.name(), ink, &name(Operation::Multiply, backend)));
    }
    plot::log_log("Cost of a polynomial product against the degree", "degree n", unit, &all)
}
