//! What the paper leaves for the future: a scheme that runs on lazy transforms, mixed radix, and vectors.

use crate::{
    jobs::{Aligned, Operation, by_lazy_ntt},
    measure::{Job, Row},
    plans::AnyTransform,
    report::{Bench, Cell, Columns, Rows, Table, cycles},
};
use ntt::{Backend, Request, SignedWord, internals::Transform};
use papers::lazyntt::{LazyNtt, Wanted, vectors};
use serde_json::{Value, json};
use std::{hint::black_box, ops::Sub};

/// Falcon's modulus, and degrees of its two sets.
const FALCON: (u64, [usize; 2]) = (12289, [512, 1024]);

/// A modulus with roots for layers in thirds, and degrees of three times a power of two.
const THIRDS: (u64, [usize; 4]) = (7681, [96, 192, 384, 768]);

/// Names of the variants, and t: one of t products in a row is reduced.
const VARIANTS: [(&str, u32); 3] = [("Original", 1), ("SM", 2), ("SSM", 3)];

const ON_VECTORS: &str = "16-bit vectors";
const UNREDUCED: &str = "32-bit vectors, nothing reduced";

const FITS: &str = "these rings fit words of 64 bits";

/// Jobs that will be measured.
pub(super) fn steps() -> u64 {
    let falcon = FALCON.1.len() * (VARIANTS.len() + 1);
    (falcon + THIRDS.1.len() * VARIANTS.len() + FALCON.1.len() * 2) as u64
}

/// Tables, what is said of them, and their numbers.
pub(super) struct Experiments {
    pub(super) tables: Vec<Table>,
    pub(super) notes: Vec<String>,
    pub(super) data: Value,
}

/// All three.
pub(super) fn all(bench: &mut Bench<'_>) -> Experiments {
    let unit = bench.meter.unit();
    let scheme = measured(bench, &FALCON.1, |n| {
        let (q, usual) = (FALCON.0, |t| Wanted::new(n, FALCON.0, t).usual());
        let lazy = |t| LazyNtt::<i64>::of(Wanted::new(n, q, t).prove(64).expect(FITS));
        let plan = |request: &Request| Transform::<i64>::with(request).expect(FITS);
        let vectors =
            Transform::<i16>::with(&Request::new(n, q)).expect("Falcon's rings have plans in words of 16 bits");
        vec![
            verification("Original", plan(&usual(1)), n, q),
            verification("SM", lazy(2), n, q),
            verification("SSM", lazy(3), n, q),
            verification(ON_VECTORS, vectors, n, q),
        ]
    });
    let thirds = measured(bench, &THIRDS.1, |n| {
        let jobs = VARIANTS.map(|(name, t)| {
            let wanted = Wanted { thirds: Some(1), ..Wanted::new(n, THIRDS.0, t) };
            match t {
                1 => Operation::Forward.job(name, &AnyTransform::new(&wanted.usual(), Some(64)).expect(FITS)),
                _ => by_lazy_ntt(name, LazyNtt::of(wanted.prove(64).expect(FITS))),
            }
        });
        jobs.into()
    });
    let on_vectors = measured(bench, &FALCON.1, |n| {
        let usual = AnyTransform::new(&Request::new(n, FALCON.0).lazy(), Some(16)).expect("rings of Falcon have plans");
        let mut words = Aligned::new((0..n as i32).map(|i| i % 97).collect::<Vec<_>>());
        let twiddles: Vec<i32> = (1..=n as i32).collect();
        let backend = Backend::best();
        let unreduced =
            Job::new(UNREDUCED, move || vectors::unreduced(backend, black_box(words.words_mut()), &twiddles));
        vec![Operation::Forward.job(ON_VECTORS, &usual), unreduced]
    });
    let best = Backend::best();
    let tables = vec![
        table(
            format!("Falcon's verification: c − s·h in Z_12289[X]/(X^n + 1), with h transformed before, in {unit}."),
            &scheme,
            &["Original", "SM", "SSM", ON_VECTORS],
        ),
        table(
            format!("Mixed radix: forward transforms of Z_7681[X]/(X^n + 1) with one layer in thirds, in {unit}."),
            &thirds,
            &["Original", "SM", "SSM"],
        ),
        table(
            format!("What a lazy transform costs at least on {best}, q = 12289, forward, in {unit}."),
            &on_vectors,
            &[ON_VECTORS, UNREDUCED],
        ),
    ];
    let notes = vec![
        format!(
            "Original, SM and SSM of these tables are the engine's networks one word of 64 bits at a time; {ON_VECTORS} is what \
             the library takes for the same on {best}, by Montgomery's method, every product reduced."
        ),
        format!(
            "An exact product of residues of 14 bits needs 28, so a lazy transform has half as many lanes as one that reduces \
             every product. The last column computes its products, sums and differences in lanes of 32 bits, and no \
             reduction and no exchange of lanes at all: {}.",
            verdict(&on_vectors)
        ),
    ];
    let data = json!({
        "falcon_verification": json(&scheme), "mixed_radix": json(&thirds), "vectors": json(&on_vectors),
    });
    Experiments { tables, notes, data }
}

/// Rows for each degree.
type Measured = Vec<(usize, Rows)>;

fn measured(bench: &mut Bench<'_>, degrees: &[usize], jobs: impl Fn(usize) -> Vec<Job<'static>>) -> Measured {
    degrees.iter().map(|n| (*n, bench.measure(&format!("LazyNTT {n}"), jobs(*n)))).collect()
}

fn table(meaning: String, rows: &Measured, names: &[&'static str]) -> Table {
    let names = names.to_vec();
    Columns::new(meaning, rows)
        .column("n", |(n, _)| Cell::number(n.to_string(), *n as f64))
        .group("", names.clone(), move |(_, rows)| {
            names.clone().into_iter().map(|name| cycles(rows.get(name))).collect::<Vec<_>>()
        })
        .table()
}

/// How the bound compares with the transform that reduces everything.
fn verdict(rows: &Measured) -> String {
    let ratio = |row: &Row, over: &Row| row.core.median / over.core.median;
    let ratios = rows.iter().map(|(n, rows)| {
        format!("{:.2} times the time of the other for n = {n}", ratio(rows.of(UNREDUCED), rows.of(ON_VECTORS)))
    });
    ratios.collect::<Vec<_>>().join(", ")
}

fn json(rows: &Measured) -> Value {
    rows.iter().map(|(n, rows)| json!({ "n": n, "rows": rows.json() })).collect()
}

/// What verification needs of a transform, lazy or not.
trait Transforms<T> {
    fn forward(&self, a: &mut [T]);
    fn pointwise(&self, c: &mut [T], a: &[T], b: &[T]);
    fn inverse_product(&self, a: &mut [T]);
    fn canonical(&self, a: &mut [T]);
}

macro_rules! transforms {
    ($($type:ident)*) => {$(
        impl<T: SignedWord> Transforms<T> for $type<T> {
            fn forward(&self, a: &mut [T]) {
                $type::forward(self, a);
            }
            fn pointwise(&self, c: &mut [T], a: &[T], b: &[T]) {
                $type::pointwise(self, c, a, b);
            }
            fn inverse_product(&self, a: &mut [T]) {
                $type::inverse_product(self, a);
            }
            fn canonical(&self, a: &mut [T]) {
                $type::canonical(self, a);
            }
        }
    )*};
}
transforms! { LazyNtt Transform }

/// `c − s·h` in `[0, q)`, into `product`; `s` is overwritten, and `h` is transformed.
fn subtracted<T: SignedWord + Sub<Output = T>>(
    transform: &impl Transforms<T>,
    [product, s]: [&mut [T]; 2],
    [c, h]: [&[T]; 2],
) {
    transform.forward(s);
    transform.pointwise(product, s, h);
    transform.inverse_product(product);
    product.iter_mut().zip(c).for_each(|(product, c)| *product = *c - *product);
    transform.canonical(product);
}

/// Verification's arithmetic as a job: of fixed polynomials, `s` short as in a signature.
fn verification<T: SignedWord + Sub<Output = T>>(
    name: &str,
    transform: impl Transforms<T> + 'static,
    n: usize,
    q: u64,
) -> Job<'static> {
    let [c, mut h, s] = inputs(n, q);
    transform.forward(&mut h);
    let mut words = Aligned::new([vec![T::default(); n], s.clone()].concat());
    Job::new(name, move || {
        let (product, own) = black_box(words.words_mut()).split_at_mut(n);
        own.copy_from_slice(&s);
        subtracted(&transform, [product, own], [&c, &h]);
    })
}

/// `c`, `h` and a short `s`.
fn inputs<T: SignedWord>(n: usize, q: u64) -> [Vec<T>; 3] {
    let of = |f: &dyn Fn(i64) -> i64| (0..n as i64).map(|i| T::from_i64(f(i))).collect();
    let q = q as i64;
    [of(&|i| (7 * i + 1) % q), of(&|i| (i * i * 11 + 5) % q), of(&|i| i * 37 % 331 - 165)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result<T: SignedWord + Sub<Output = T>>(transform: &impl Transforms<T>, n: usize, q: u64) -> Vec<i64> {
        let [c, mut h, mut s] = inputs(n, q);
        let mut product = vec![T::default(); n];
        transform.forward(&mut h);
        subtracted(transform, [&mut product, &mut s], [&c, &h]);
        product.into_iter().map(Into::into).collect()
    }

    /// All four compute c − s·h as its definition has it.
    #[test]
    fn verification_is_by_the_definition() {
        let q = FALCON.0;
        for n in FALCON.1 {
            let [c, h, s] = inputs::<i64>(n, q);
            let mut expected = c;
            for (i, s) in s.iter().enumerate() {
                for (j, h) in h.iter().enumerate() {
                    let (at, sign) = if i + j < n { (i + j, 1) } else { (i + j - n, -1) };
                    expected[at] -= sign * s * h;
                }
            }
            let expected: Vec<i64> = expected.into_iter().map(|x| x.rem_euclid(q as i64)).collect();
            for t in [2, 3] {
                let lazy = LazyNtt::<i64>::of(Wanted::new(n, q, t).prove(64).unwrap());
                assert_eq!(result(&lazy, n, q), expected, "n = {n}, t = {t}");
            }
            let usual = Transform::<i64>::with(&Wanted::new(n, q, 1).usual()).unwrap();
            assert_eq!(result(&usual, n, q), expected, "n = {n}");
            let vectors = Transform::<i16>::with(&Request::new(n, q)).unwrap();
            assert_eq!(result(&vectors, n, q), expected, "n = {n}");
        }
    }
}
