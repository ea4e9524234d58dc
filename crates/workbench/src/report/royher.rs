//! Module-LWE encryption of one polynomial, the program that Royher's thesis times.

use super::{
    Bench, Cell, Columns, Figure, Rows, Section, Table, faster,
    ntl::Ntl,
    printed::royher::{MACHINE, SECONDS},
    seconds, short,
    textbook::{self, Textbook},
    times,
};
use crate::{
    fault::Fault,
    measure::{Effort, Job, Row},
    plot::{self, BLUE, GREY, ORANGE, Point, RED, Series, TEXT},
};
use ntt::{Backend, Plan, Request};
use ringwork::{
    module::{Module, Vector},
    sample::Word,
    schemes::lwe::{Lwe, Multiplier, Parameters},
};
use serde_json::{Value, json};
use std::hint::black_box;

/// Rows and columns of A.
const M: usize = 32;

/// Products of polynomials: A·s, A transposed times r, and two inner products.
const PRODUCTS: usize = 2 * M * M + 2 * M;
/// Transforms of the library: forward A, s, t, r and u once; back t, u and two sums.
const SHARED: usize = M * M + 4 * M + 2 * M + 2;

/// Above the columns that the thesis printed.
const THESIS: &str = "thesis, its machine";

/// The programs as written.
const WORK: &str = "module-lwe";

/// Where a quick run stops, and where the thesis' and our schoolbook do.
const QUICK_LIMIT: usize = 512;
const SCHOOLBOOK_LIMIT: usize = 1024;

/// A row of the table and what is measured beside it.
struct Line {
    n: usize,
    q: u64,
    printed: [Option<f64>; 3],
    /// The same program by NTL, by schoolbook, by our transform.
    ntl: Option<Row>,
    schoolbook: Option<Row>,
    ours: Option<Row>,
    /// Our transform, one word at a time: with three transforms for each product, and with those of the library.
    scalar: Option<[Row; 2]>,
    /// Our transform, 32 by 32 polynomials encrypted at once.
    batch: Option<Row>,
    /// The share of coefficients that NTL's program got back.
    right: Option<f64>,
}

/// Jobs that will be measured.
pub(crate) fn steps(quick: bool) -> u64 {
    let counted = |limit: usize| SECONDS.iter().filter(|(n, ..)| *n <= limit).count() as u64;
    if quick { 5 * counted(QUICK_LIMIT) } else { 2 * counted(usize::MAX) + 3 * counted(SCHOOLBOOK_LIMIT) }
}

/// The section.
///
/// **Errors** if NTL's program fails.
pub(crate) fn section(
    bench: &mut Bench<'_>,
    quick: bool,
    ntl: Option<&Ntl>,
    textbook: Option<&Textbook>,
) -> Result<Section, Fault> {
    let mut lines = Vec::new();
    for (n, q, printed) in SECONDS {
        let mut line =
            Line { n, q, printed, ntl: None, schoolbook: None, ours: None, scalar: None, batch: None, right: None };
        if n <= QUICK_LIMIT || !quick {
            let [ours, batch] =
                if q < 1 << 14 { by_transform::<i16>(bench, n, q) } else { by_transform::<i32>(bench, n, q) };
            (line.ours, line.batch) = (Some(ours), Some(batch));
            if n <= SCHOOLBOOK_LIMIT {
                line.schoolbook = Some(by_schoolbook(bench, n, q));
                line.scalar = Some(by_scalars(bench, n, q));
            }
            if let Some(ntl) = ntl {
                let runs = if n <= SCHOOLBOOK_LIMIT { 5 } else { 3 };
                let timed = ntl.encryption(n, q, M, runs)?;
                line.right = Some(timed.right);
                line.ntl = Some(bench.foreign("ntl", timed.nanoseconds, 1));
            }
        }
        lines.push(line);
    }
    let mut notes = vec![
        format!(
            "One polynomial is encrypted and decrypted under a fresh key: A of {M} by {M} uniform polynomials and all noise are \
             drawn, p = 3, β = 2, and {PRODUCTS} products are taken. The thesis' program transforms twice and back for each, \
             {} times in all; ours transforms each polynomial once, and each sum back, {SHARED} times. Ours expands A from a \
             seed by SHAKE-128 and draws noise in constant time; thesis and NTL draw both from ordinary generators.",
            3 * PRODUCTS
        ),
        format!(
            "The thesis measured on {MACHINE}: its seconds stand beside ours and are not divided by them. Ratios are of this \
             run. NTL multiplies by MulMod of ZZ_pX, as the thesis does, compiled with the same flags."
        ),
        "These parameters serve for timing alone: noise of standard deviation p·16·√N meets q/2 at few deviations, so that \
         messages of some degrees do not come back; the library refuses them for use and names the bound. N = 4096 has no \
         complete transform modulo 12289: slots of degree 2."
            .into(),
    ];
    if ntl.is_none() {
        notes.push(
            "NTL was not asked for: report --peers builds and times its MulMod here, if NTL is installed.".into(),
        );
    }
    let mut tables = vec![table(&lines), ratios(&lines)];
    if let Some(textbook) = textbook {
        tables.push(as_written(textbook, &lines));
        notes.push(format!(
            "As written: the thesis' loops, tables and the operator % after every operation, with a fresh root and tables for \
             each product of decryption, as its repository has it; in Rust, whose slices check their bounds. Its numbers are \
             NTL's ZZ and ZZ_p, of any length and on the heap, here words of 64 bits: these columns are no estimate of the \
             thesis' seconds. Long runs ran once. At N = 4096 its root search refuses the printed q. {}.",
            textbook::commands()
        ));
    }
    tables.push(split(&lines, textbook));
    tables.push(batches(&lines));
    if quick {
        notes.push(format!("A quick run measures up to N = {QUICK_LIMIT}."));
    }
    Ok(Section {
        id: "module-lwe",
        title: "Module-LWE encryption".into(),
        meaning: meaning(&lines),
        figures: vec![Figure {
            svg: figure(&lines),
            caption: "Seconds of key generation, encryption and decryption of one polynomial, both axes logarithmic."
                .into(),
        }],
        tables,
        notes,
        data: json!({
            "source": "Royher 2022, chapter 5", "machine_of_source": MACHINE, "m": M, "k": 1, "l": 1, "p": 3, "beta": 2,
            "products": PRODUCTS, "transforms": { "as_written": 3 * PRODUCTS, "ours": SHARED },
            "rows": lines.iter().map(|line| data(line, textbook)).collect::<Value>(),
        }),
    })
}

/// The program, and a batch of encryptions.
fn by_transform<T: Word>(bench: &mut Bench<'_>, n: usize, q: u64) -> [Row; 2] {
    let lwe = |k, l| {
        let parameters = Parameters::measuring_only(n, q, 3, 2, M, [k, l]).expect("sizes in range");
        Lwe::<T, _>::by_transform(parameters).expect("the planner knows this ring")
    };
    let (one, many) = (lwe(1, 1), lwe(M, M));
    let (_, key) = many.keys(&[1; 32]);
    let message = many.message(&[1, 2, 0, 1]).expect("numbers below 3");
    let batch = Job::new("batch", || {
        black_box(many.encrypt_polynomials(&key, &message, &[2; 32]));
    });
    let rows = measure(bench, bench.effort, n, vec![whole("ours", &one), batch]);
    [rows.of("ours").clone(), rows.of("batch").clone()]
}

/// A multiplier that transforms both factors of each product and the product, as the thesis' does.
struct Unshared<T: Word>(Plan<T>);

impl<T: Word> Multiplier<T> for Unshared<T> {
    type Prepared = Vector<T>;

    fn backend(&self) -> Backend {
        self.0.backend()
    }

    fn prepare(&self, vector: Vector<T>) -> Vector<T> {
        vector
    }

    fn transposed(&self, matrix: &Vector<T>, columns: usize) -> Vector<T> {
        matrix.transposed(columns)
    }

    fn products(&self, matrix: &Vector<T>, vectors: &Vector<T>, length: usize) -> Vector<T> {
        let (plan, n) = (&self.0, self.0.n());
        let [rows, vectors] = [matrix, vectors].map(|all| all.words().chunks_exact(length * n));
        let mut sums = Vector::zeros(n, rows.len() * vectors.len());
        let mut product = Vector::zeros(n, 1);
        let pairs = vectors.flat_map(|vector| rows.clone().map(move |row| (row, vector)));
        for (sum, (row, vector)) in sums.words_mut().chunks_exact_mut(n).zip(pairs) {
            for (a, b) in row.chunks_exact(n).zip(vector.chunks_exact(n)) {
                plan.multiply(product.words_mut(), a, b);
                plan.add(sum, product.words());
            }
        }
        sums
    }
}

/// One word at a time, in words of 32 bits: as many transforms as the thesis' program, and as many as the library.
fn by_scalars(bench: &mut Bench<'_>, n: usize, q: u64) -> [Row; 2] {
    let parameters = Parameters::measuring_only(n, q, 3, 2, M, [1, 1]).expect("sizes in range");
    let request = Request::new(n, q).backend(Backend::Scalar).sums(M as u64);
    let module = Module::<i32>::with(&request).expect("the planner knows this ring");
    let unshared = Lwe::with_multiplier(parameters, Unshared(module.plan().clone()));
    let shared = Lwe::with_multiplier(parameters, module);
    let effort = Effort { fewest: 3, ..bench.effort };
    let rows = measure(bench, effort, n, vec![whole("unshared", &unshared), whole("scalar", &shared)]);
    ["unshared", "scalar"].map(|name| rows.of(name).clone())
}

fn by_schoolbook(bench: &mut Bench<'_>, n: usize, q: u64) -> Row {
    let parameters = Parameters::measuring_only(n, q, 3, 2, M, [1, 1]).expect("sizes in range");
    let lwe = Lwe::<i32, _>::by_schoolbook(parameters);
    let effort = Effort { fewest: 3, ..bench.effort };
    measure(bench, effort, n, vec![whole("schoolbook", &lwe)]).of("schoolbook").clone()
}

fn measure(bench: &mut Bench<'_>, effort: Effort, n: usize, jobs: Vec<Job<'_>>) -> Rows {
    bench.measure_with(effort, &format!("module-LWE, N = {n}"), jobs)
}

/// Key generation, encryption, decryption.
fn whole<'a, T: Word, X: Multiplier<T>>(name: &str, lwe: &'a Lwe<T, X>) -> Job<'a> {
    let message = lwe.message(&[1, 2, 0, 1]).expect("numbers below 3");
    Job::new(name, move || {
        let (secret, public) = lwe.keys(black_box(&[1; 32]));
        let ciphertext = lwe.encrypt_polynomials(&public, &message, &[2; 32]);
        black_box(lwe.decrypt_polynomials(&secret, &ciphertext));
    })
}

fn meaning(lines: &[Line]) -> String {
    // The degree at which all three multipliers of the thesis ran, or the last one of a quick run.
    let compared = |line: &&Line| line.ours.is_some() && line.n <= SCHOOLBOOK_LIMIT;
    let last = lines.iter().rfind(compared).expect("a quick run measures too");
    let ours = last.ours.as_ref().expect("it was found by that").ns.median;
    let mut text = format!(
        "At N = {} key generation, encryption and decryption of one polynomial take {} ms here.",
        last.n,
        short(ours / 1e6),
    );
    for (name, row) in [("by NTL", &last.ntl), ("by schoolbook", &last.schoolbook)] {
        if let Some(row) = row {
            text += &format!(
                " The same program {name}, in this run, takes {} ms: {}.",
                short(row.ns.median / 1e6),
                times(row.ns.median / ours)
            );
        }
    }
    text
}

fn table(lines: &[Line]) -> Table {
    let here = |line: &&Line| [&line.ntl, &line.schoolbook, &line.ours].map(|row| row.as_ref().map(seconds));
    Columns::new("Key generation, encryption and decryption of one polynomial, in seconds (m: milliseconds).", lines)
        .group("", ["N", "q"], |line| [line.n, line.q as usize])
        .group(THESIS, ["MulMod", "NTT", "schoolbook"], |line| line.printed.map(|seconds| seconds.map(Cell::printed)))
        .group("this run", ["NTL MulMod", "schoolbook", "ours"], here)
        .table()
}

fn ratios(lines: &[Line]) -> Table {
    let with_ours = lines.iter().filter_map(|line| Some((line, line.ours.as_ref()?)));
    Columns::new("What was measured here, over ours of this run.", with_ours)
        .group("", ["N", "q"], |(line, _)| [line.n, line.q as usize])
        .group("this run", ["NTL MulMod", "schoolbook"], |(line, ours)| {
            [&line.ntl, &line.schoolbook].map(|slow| slow.as_ref().map(|slow| faster(slow, ours)))
        })
        .table()
}

fn as_written(textbook: &Textbook, lines: &[Line]) -> Table {
    textbook.table(
        "The thesis' programs as they were written, in this run, in milliseconds; ours beside them.".into(),
        WORK,
        ("milliseconds", 1e6),
        lines.iter().map(|line| (line.n, line.q, line.ours.as_ref().map(|row| row.ns))),
    )
}

/// From the program as written to the library's, one change after another.
fn split(lines: &[Line], textbook: Option<&Textbook>) -> Table {
    let meaning = format!(
        "Where the difference comes from: the program as written (optimised), the same {} transforms by the library one word at \
         a time, {SHARED} transforms, and vectors (of 16-bit words up to q = 12289). Each gain is over the column before.",
        3 * PRODUCTS
    );
    let milliseconds = |row: &Row| Cell::measured(short(row.ns.median / 1e6), row.ns.median / 1e6, &[row]);
    let measured = lines.iter().filter_map(|line| {
        let written = textbook.and_then(|textbook| textbook.get(WORK, "ntt", line.n, line.q)[1]);
        Some((line, written, line.scalar.as_ref()?, line.ours.as_ref()?))
    });
    Columns::new(meaning, measured)
        .group("", ["N", "q"], |(line, ..)| [line.n, line.q as usize])
        .group(
            "milliseconds",
            ["as written", "library's reductions", "fewer transforms", "vectors"],
            |(_, written, [unshared, shared], ours)| {
                let written = written.map(|t| Cell::foreign(short(t.median / 1e6), t.median / 1e6, t.is_large()));
                [written, Some(milliseconds(unshared)), Some(milliseconds(shared)), Some(milliseconds(ours))]
            },
        )
        .group("gain", ["reductions", "transforms", "vectors"], |(_, written, [unshared, shared], ours)| {
            let reductions = written.map(|theirs| {
                let ratio = theirs.median / unshared.ns.median;
                Cell::foreign(times(ratio), ratio, theirs.is_large() || unshared.ns.is_large())
            });
            [reductions, Some(faster(unshared, shared)), Some(faster(shared, ours))]
        })
        .table()
}

fn batches(lines: &[Line]) -> Table {
    let meaning = format!(
        "Another work, which the thesis does not time: {M} by {M} message polynomials encrypted at once (k = l = {M}) under \
         a key whose transforms are kept; {} products.",
        2 * M * M * M
    );
    Columns::new(meaning, lines.iter().filter_map(|line| Some((line, line.batch.as_ref()?))))
        .group("", ["N", "q"], |(line, _)| [line.n, line.q as usize])
        .group("", ["a batch, seconds", "each, µs"], |(_, batch)| {
            let each = batch.ns.median / 1e3 / (M * M) as f64;
            [seconds(batch), Cell::measured(short(each), each, &[batch])]
        })
        .table()
}

fn figure(lines: &[Line]) -> String {
    let printed = |i: usize| move |line: &Line| Some(Point::printed(line.n as f64, line.printed[i]?));
    let measured = |line: &Line, row: &Option<Row>| Some(Point::measured(line.n as f64, row.as_ref()?.ns.times(1e-9)));
    let mut all = vec![
        Series::of("thesis book", RED, lines, printed(2)),
        Series::of("thesis NTT", GREY, lines, printed(1)),
        Series::of("thesis NTL", TEXT, lines, printed(0)),
        Series::of("schoolbook", ORANGE, lines, |line| measured(line, &line.schoolbook)),
        Series::of("NTL here", TEXT, lines, |line| measured(line, &line.ntl)),
        Series::of("ours", BLUE, lines, |line| measured(line, &line.ours)),
    ];
    all.retain(|series| !series.points.is_empty());
    plot::log_log("Time of key generation, encryption and decryption by degree", "degree N", "seconds", &all)
}

fn data(line: &Line, textbook: Option<&Textbook>) -> Value {
    let row = |row: &Option<Row>| row.as_ref().map(Row::json);
    let [mul_mod, ntt, schoolbook] = line.printed;
    json!({
        "n": line.n, "q": line.q, "thesis_seconds": { "mulmod": mul_mod, "ntt": ntt, "schoolbook": schoolbook },
        "ntl": row(&line.ntl), "ntl_right": line.right, "schoolbook": row(&line.schoolbook), "ours": row(&line.ours),
        "batch_32_by_32": row(&line.batch),
        "scalar": line.scalar.as_ref().map(|[unshared, shared]| {
            json!({ "unshared": unshared.json(), "shared": shared.json() })
        }),
        "as_written": textbook.map(|textbook| textbook.data(WORK, &["ntt", "normal"], line.n, line.q)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell as Counter;

    /// Counts transforms as the library's multiplier makes them.
    struct Counted {
        module: Module<i32>,
        transforms: Counter<usize>,
    }

    impl Multiplier<i32> for &Counted {
        type Prepared = <Module<i32> as Multiplier<i32>>::Prepared;

        fn prepare(&self, vector: Vector<i32>) -> Self::Prepared {
            self.transforms.update(|count| count + vector.length());
            self.module.prepare(vector)
        }

        fn transposed(&self, matrix: &Self::Prepared, columns: usize) -> Self::Prepared {
            Multiplier::transposed(&self.module, matrix, columns)
        }

        fn products(&self, matrix: &Self::Prepared, vectors: &Self::Prepared, length: usize) -> Vector<i32> {
            let products = Multiplier::products(&self.module, matrix, vectors, length);
            self.transforms.update(|count| count + products.length());
            products
        }
    }

    #[test]
    fn transforms_are_counted_and_both_ways_agree() {
        let (n, q) = (256, 7681);
        let parameters = Parameters::measuring_only(n, q, 3, 2, M, [1, 1]).unwrap();
        let module = Module::new(n, q, M).unwrap();
        let unshared = Lwe::with_multiplier(parameters, Unshared(module.plan().clone()));
        let counted = Counted { module, transforms: Counter::new(0) };
        let shared = Lwe::with_multiplier(parameters, &counted);
        let message = shared.message(&[1, 2, 0, 1]).unwrap();
        let (secret, public) = shared.keys(&[1; 32]);
        let ciphertext = shared.encrypt_polynomials(&public, &message, &[2; 32]);
        let opened = shared.decrypt_polynomials(&secret, &ciphertext);
        assert_eq!(counted.transforms.get(), SHARED);
        assert_eq!(3 * PRODUCTS, 6336);

        let (secret, public) = unshared.keys(&[1; 32]);
        let again = unshared.encrypt_polynomials(&public, &message, &[2; 32]);
        assert_eq!(unshared.ciphertext_to_bytes(&again), shared.ciphertext_to_bytes(&ciphertext));
        assert_eq!(unshared.decrypt_polynomials(&secret, &again).words(), opened.words());
    }
}
