//! Cycles per butterfly of our transforms, beside what the ports of a core allow.
//!
//! The bound counts what the recipe's transform does ([`OpCount`]) in instructions of its method, and
//! nothing else: no exchanges within a product, no loads and stores, which have ports of their own.

use super::{Bench, Cell, Columns, Figure, Section, Table, short};
use crate::{
    jobs::Operation,
    measure::Row,
    plans::AnyTransform,
    plot::{self, BLUE, GREY, Ink, ORANGE, Point, RED, Series},
};
use ntt::{Decision, Method, Recipe, Request, arith::nearest_prime, internals::model::OpCount};
use serde_json::json;

/// Logarithms of the degrees.
const DEGREES: std::ops::RangeInclusive<u32> = 8..=20;

/// Sizes of primes, and how they are drawn: measured, bound.
const SIZES: [(u32, Ink, Ink); 2] = [(30, BLUE, GREY), (50, ORANGE, RED)];

/// Multiplications and operations of any kind that a core starts in a cycle, on vectors and on single
/// words: what Zen 3 to Zen 5 have. Of others those of Intel since Haswell have as many multiplications on
/// vectors and three ports in all.
const PORTS: [[f64; 2]; 2] = [[2.0, 4.0], [1.0, 4.0]];

/// Jobs that will be measured.
pub(crate) fn steps(quick: bool) -> u64 {
    (degrees(quick).count() * SIZES.len()) as u64
}

fn degrees(quick: bool) -> impl Iterator<Item = u32> {
    DEGREES.filter(move |log| !quick || *log <= 12)
}

/// A transform and what was measured.
struct Line {
    log: u32,
    bits: u32,
    recipe: Recipe,
    /// Instructions of a forward transform: multiplications, and all.
    least: Option<[u64; 2]>,
    row: Row,
}

impl Line {
    fn per_butterfly(&self, cycles: f64) -> f64 {
        cycles / (f64::from(self.log) * f64::from(1 << (self.log - 1)))
    }

    /// Cycles of a butterfly by the ports of multiplications, and by all ports.
    fn bounds(&self) -> Option<[f64; 2]> {
        let ports = PORTS[usize::from(self.recipe.lanes() == 1)];
        let least = self.least?;
        Some(std::array::from_fn(|i| self.per_butterfly(least[i] as f64 / ports[i])))
    }
}

/// The section.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool) -> Section {
    let mut lines = Vec::new();
    for (bits, ..) in SIZES {
        let order = 2 << *DEGREES.end();
        let q = nearest_prime(1 << bits, order, 1 << bits).expect("there are such primes");
        for log in degrees(quick) {
            // Whatever the planner takes.
            let Ok(Decision::Direct(recipe)) = Request::new(1 << log, q).lazy().decide_any() else { continue };
            let plan = AnyTransform::from_recipe(recipe.clone());
            let name =
                format!("{}/{q}/{}/forward/{}-{}/lazy", recipe.n(), recipe.backend(), recipe.method(), recipe.bits());
            let rows = bench.measure(&name, vec![Operation::Forward.job(&name, &plan)]);
            let least = instructions(&recipe, &recipe.counts()[0]);
            lines.push(Line { log, bits, recipe, least, row: rows.0.into_iter().next().expect("one job") });
        }
    }
    let unit = bench.meter.unit();
    Section {
        id: "roofline",
        title: "How near the ports".into(),
        meaning: format!(
            "{unit} per butterfly of forward transforms with lazy slots, and the fewest in which a core can start their \
             instructions."
        ),
        figures: vec![Figure {
            svg: plot(&lines),
            caption: "Per butterfly; bars reach from quartile to quartile. Bounds by the ports of multiplications.".into(),
        }],
        tables: vec![table(&lines)],
        notes: vec![
            "The bounds suppose that a core starts two multiplications and four operations in all on vectors of the backend's \
             width in a cycle, or one multiplication and four operations on single words, as Zen 3 to Zen 5 do on 256 bits; \
             Intel's cores since Haswell have three ports for vectors, so that their second bound is a third higher, and a core \
             that splits wide vectors in two needs twice as many cycles for these. Exchanges of lanes between vectors count, \
             those within a product, loads and stores do not: a real core takes more."
                .into(),
        ],
        data: lines
            .iter()
            .map(|line| json!({
                "n": line.recipe.n(), "q": line.recipe.q(), "backend": line.recipe.backend().name(),
                "method": line.recipe.method().name(), "bits": line.recipe.bits(), "rows": [line.row.json()],
                "cycles_per_butterfly": line.per_butterfly(line.row.core.median), "bounds": line.bounds(),
            }))
            .collect(),
    }
}

/// Multiplications, and instructions of any kind, at least; `None` of what is not counted yet.
fn instructions(recipe: &Recipe, count: &OpCount) -> Option<[u64; 2]> {
    let [product, reduction] = of_method(recipe.method(), recipe.bits(), recipe.lanes())?;
    let sum = |i: usize| count.products * product[i] + count.reductions * reduction[i];
    // An exchange gives two vectors.
    Some([sum(0), sum(1) + count.additions + 2 * count.interleaves])
}

/// Of a product with a twiddle and of a reduction: multiplications, and these with additions and shifts.
/// Products of 32-bit lanes are of even and of odd lanes; reductions are Barrett's.
const fn of_method(method: Method, bits: u32, lanes: usize) -> Option<[[u64; 2]; 2]> {
    match (method, bits, lanes > 1) {
        // By halves and with fused products on AVX2, by products of 64 bits on AVX-512.
        (Method::Truncated, 64, true) if lanes < 8 => Some([[7, 21], [3, 10]]),
        (Method::Truncated, 64, true) => Some([[5, 13], [2, 6]]),
        (Method::Double, 64, true) if lanes < 8 => Some([[4, 11], [2, 7]]),
        (Method::Double, 64, true) => Some([[3, 6], [2, 5]]),
        (Method::Montgomery, 16, true) => Some([[3, 4], [3, 4]]),
        (Method::Barrett | Method::Shoup, 16, true) => Some([[3, 4], [3, 4]]),
        (Method::Montgomery, 32, true) => Some([[6, 8], [3, 6]]),
        (Method::Barrett | Method::Shoup, 32, true) => Some([[4, 5], [3, 6]]),
        (Method::Montgomery | Method::Barrett | Method::Shoup, _, false) => Some([[3, 4], [2, 5]]),
        _ => None,
    }
}

fn table(lines: &[Line]) -> Table {
    let measured = |line: &Line| line.per_butterfly(line.row.core.median);
    Columns::new("Cycles per butterfly, and the bounds by multiplications and by all operations.", lines)
        .column("n, prime", |line| format!("2^{}, {} bits", line.log, line.bits))
        .column("how", |line| {
            let r = &line.recipe;
            format!("{}, {}, {} × {}", r.backend(), r.method(), r.lanes(), r.bits())
        })
        .column("measured", |line| Cell::measured(format!("{:.2}", measured(line)), measured(line), &[&line.row]))
        .group("", ["multiplications", "all", "over the larger"], |line| {
            let Some([multiplications, all]) = line.bounds() else { return [(); 3].map(|()| Cell::dash()) };
            let over = measured(line) / multiplications.max(all);
            let [multiplications, all] = [multiplications, all].map(|bound| Cell::number(format!("{bound:.2}"), bound));
            [multiplications, all, Cell::measured(short(over), over, &[&line.row])]
        })
        .table()
}

fn plot(lines: &[Line]) -> String {
    let mut all = Vec::new();
    for (bits, ink, of_bound) in SIZES {
        let of_size: Vec<&Line> = lines.iter().filter(|line| line.bits == bits).collect();
        let measured =
            |line: &&Line| Some(Point::measured(line.recipe.n() as f64, line.row.core.times(line.per_butterfly(1.0))));
        let bound = |line: &&Line| Some(Point::printed(line.recipe.n() as f64, line.bounds()?[0]));
        all.push(Series::of(&format!("{bits} bits"), ink, &of_size, measured));
        all.push(Series::of("bound", of_bound, &of_size, bound));
    }
    all.retain(|series| !series.points.is_empty());
    plot::log_log("Cycles per butterfly against the degree", "degree n", "cycles", &all)
}
