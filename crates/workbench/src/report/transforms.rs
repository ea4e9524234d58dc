//! Transforms and products for the parameters of the papers, beside schoolbook.

use super::{
    Bench, Columns, Figure, Rows, Section, Table, backends, cycles, faster, microseconds,
    ntl::{FLAGS, Ntl},
    short,
};
use crate::{
    fault::Fault,
    jobs::Operation,
    measure::Job,
    plans::AnyTransform,
    plot::{self, BLUE, GREY, Ink, ORANGE, Point, Series, TEXT},
    schoolbook,
};
use ntt::{Backend, Request};
use serde_json::json;
use std::hint::black_box;

/// Degree and modulus.
type Ring = (usize, u64);

/// Parameters of the papers and of the standards, by degree.
const RINGS: [Ring; 11] = [
    (256, 3329),
    (256, 7681),
    (256, 8_380_417),
    (512, 12289),
    // NFLlib's, which Longa and Naehrig compare with: 13,000 cycles a transform on a Haswell.
    (512, 1_073_479_681),
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

/// NTL's products: by its type for moduli of one word, and by the one for any modulus.
const NTL: [&str; 2] = ["NTL zz_pX", "NTL ZZ_pX"];

const fn by_schoolbook((n, q): Ring) -> bool {
    n <= SCHOOLBOOK_LIMIT && schoolbook::fits(n, q)
}

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    let schoolbook = RINGS.iter().filter(|ring| by_schoolbook(**ring)).count();
    (RINGS.len() * OPERATIONS.len() * backends().len() + schoolbook) as u64
}

/// NTL's samples of the headline's product.
const NTL_SAMPLES: [usize; 2] = [80, 800];

/// The section, and what it adds to the headline.
///
/// **Errors** if NTL's program fails.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool, ntl: Option<&Ntl>) -> Result<(Section, String), Fault> {
    let mut measured = Vec::new();
    for ring in RINGS {
        let mut rows = measure(bench, ring);
        if let Some(ntl) = ntl {
            let samples = if ring.0 <= HEADLINE.0 { NTL_SAMPLES[usize::from(!quick)] } else { NTL_SAMPLES[0] };
            let product = ntl.product(ring.0, ring.1, samples)?;
            rows.0.push(bench.foreign(NTL[0], product.zz_pX, product.zz_pX_calls));
            rows.0.push(bench.foreign(NTL[1], product.ZZ_pX, product.ZZ_pX_calls));
        }
        measured.push((ring, rows));
    }
    let unit = bench.meter.unit();
    let (_, rows) = measured.iter().find(|(ring, _)| *ring == HEADLINE).expect("the headline's ring is measured");
    let best = Backend::best();
    let mut notes = vec![
        "Products are of polynomials modulo Xⁿ + 1, from and to canonical coefficients. Schoolbook is n² products summed in \
         64 bits with one reduction per coefficient, on ordinary registers and whatever the compiler vectorises by itself. It \
         is measured up to n = 4096 and not extrapolated."
            .into(),
        "q = 3329 has no 512th root of unity: its transform stops at 128 slots of degree 2.".into(),
    ];
    notes.push(match ntl {
        Some(_) => format!(
            "NTL's MulMod by its modulus object, in zz_p for moduli of one word and in ZZ_p; built by c++ {}, timed in batches \
             of its own within this run.",
            FLAGS.join(" ")
        ),
        None => "report --peers builds and times NTL's products beside these, if NTL is installed.".into(),
    });
    let section = Section {
        id: "transforms",
        title: "Transforms and products".into(),
        meaning: format!(
            "For n = 1024 and q = 12289 a forward transform takes {} {unit} on {best}. Schoolbook grows with n², \
             products by transform with n log n: the lines drift apart.",
            cycles(rows.get(&name(Operation::Forward, best))).text
        ),
        figures: vec![Figure {
            svg: plot(&measured),
            caption: "One product of polynomials, both axes logarithmic; bars reach from quartile to quartile. Up to \
                      n = 1024 words have 16 bits, beyond 32: the moduli 40961 and 65537 need them."
                .into(),
        }],
        tables: vec![products(&measured), transforms(&measured, unit)],
        notes,
        data: measured.iter().map(|((n, q), rows)| json!({ "n": n, "q": q, "rows": rows.json() })).collect(),
    };
    Ok((section, headline(rows, unit)))
}

/// The product of the headline, beside a peer's if one was measured.
fn headline(rows: &Rows, unit: &str) -> String {
    let best = Backend::best();
    let product = |backend| rows.of(&name(Operation::Multiply, backend));
    let ours = product(best);
    let mut text = format!(
        "A product of two polynomials of degree 1024 modulo 12289 takes {:.2} µs, {} {unit}, on {best}",
        ours.ns.median / 1000.0,
        cycles(Some(ours)).text,
    );
    let named = NTL.iter().filter_map(|name| Some((*name, rows.get(name)?)));
    if let Some((name, peer)) = named.min_by(|a, b| a.1.ns.median.total_cmp(&b.1.ns.median)) {
        let (time, ratio) = (short(peer.ns.median / 1000.0), faster(peer, ours).text);
        text += &format!("; {name}, in the same run, takes {time} µs, {ratio} as long");
    } else if best != Backend::Scalar {
        let scalar = product(Backend::Scalar);
        text += &format!("; one word at a time, without vectors, {:.1} µs", scalar.ns.median / 1000.0);
    }
    text + "."
}

fn name(operation: Operation, backend: Backend) -> String {
    format!("{}/{backend}", operation.name())
}

fn measure(bench: &mut Bench<'_>, (n, q): Ring) -> Rows {
    let mut jobs = Vec::new();
    for backend in backends() {
        let Ok(plan) = AnyTransform::new(&Request::new(n, q).backend(backend), None) else { continue };
        jobs.extend(OPERATIONS.map(|operation| operation.job(name(operation, backend), &plan)));
    }
    if by_schoolbook((n, q)) {
        let q = q as u32;
        let a: Vec<u32> = (0..n as u32).map(|i| (i * 7 + 1) % q).collect();
        jobs.push(Job::new("schoolbook", move || {
            black_box(schoolbook::negacyclic_product(black_box(&a), black_box(&a), q));
        }));
    }
    bench.measure(&format!("{n}/{q}"), jobs)
}

fn products(measured: &[(Ring, Rows)]) -> Table {
    let is_there = |name: &&str| measured.iter().any(|(_, rows)| rows.get(name).is_some());
    let others: Vec<&str> = NTL.into_iter().filter(is_there).chain(["schoolbook"]).collect();
    let best = name(Operation::Multiply, Backend::best());
    let meaning =
        format!("Products in microseconds, and how many times as long as on {} the others take.", Backend::best());
    Columns::new(meaning, measured)
        .column("n, q", |((n, q), _)| format!("{n}, {q}"))
        .group("ours", backends(), |(_, rows)| {
            let product = |backend| rows.get(&name(Operation::Multiply, backend)).map(microseconds);
            backends().into_iter().map(product).collect::<Vec<_>>()
        })
        .group("others, this run", &others, |(_, rows)| {
            others.iter().map(|name| rows.get(name).map(microseconds)).collect::<Vec<_>>()
        })
        .group("over ours", &others, |(_, rows)| {
            others.iter().map(|name| Some(faster(rows.get(name)?, rows.of(&best)))).collect::<Vec<_>>()
        })
        .table()
}

fn transforms(measured: &[(Ring, Rows)], unit: &str) -> Table {
    let meaning =
        format!("Single transforms, in {unit}; an inverse is of a pointwise product and includes all scaling.");
    let mut columns = Columns::new(meaning, measured).column("n, q", |((n, q), _)| format!("{n}, {q}"));
    for operation in [Operation::Forward, Operation::Inverse] {
        columns = columns.group(operation.name(), backends(), |(_, rows)| {
            backends().into_iter().map(|b| cycles(rows.get(&name(operation, b)))).collect::<Vec<_>>()
        });
    }
    columns.table()
}

fn plot(measured: &[(Ring, Rows)]) -> String {
    let series = |name: &str, ink: Ink, row: &str| {
        let shown = measured.iter().filter(|(ring, _)| PLOTTED.contains(ring));
        let points = shown.filter_map(|((n, _), rows)| Some(Point::measured(*n as f64, rows.get(row)?.ns.times(1e-3))));
        Series { name: name.into(), ink, points: points.collect() }
    };
    let mut all = vec![series("schoolbook", GREY, "schoolbook"), series("NTL zz_pX", TEXT, NTL[0])];
    for (backend, ink) in backends().into_iter().zip([ORANGE, BLUE]) {
        all.push(series(backend.name(), ink, &name(Operation::Multiply, backend)));
    }
    all.retain(|series| !series.points.is_empty());
    plot::log_log("Time of a polynomial product against the degree", "degree n", "microseconds", &all)
}
