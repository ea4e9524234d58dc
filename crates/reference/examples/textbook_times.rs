//! Times programs of the textbook and prints one JSON object: those of Royher's and Bakkebø's theses as
//! they were written, and Longa and Naehrig's three ways to a product.
//!
//! The first command leaves out the compiler's optimisation, the second has it; `ringwork report
//! --unoptimised` runs both.
//!
//! ```text
//! cargo run -p ringwork-reference --example textbook_times --release --config profile.release.opt-level=0
//! cargo run -p ringwork-reference --example textbook_times --release
//! ```
//!
//! | work | what is timed |
//! |---|---|
//! | `module-lwe` | Royher's program: key generation, encryption and decryption of one polynomial, tables included |
//! | `product` | Bakkebø's product of polynomials, Table 5.1: forward transforms, pointwise products, inverse |
//! | `commitment` | Bakkebø's commitment, Table 6.2 |
//! | `negacyclic` | a product merged, with powers of ψ apart, and zero-padded; q known to the compiler |
//! | `newhope-forward`, `newhope-inverse`, `newhope` | NewHope's transforms, and an exchange, by the designers' arithmetic and by K-RED |
//!
//! The first argument is the time of a row in milliseconds; what takes longer runs once. With `quick` as
//! the second one degrees are smaller.
#![forbid(unsafe_code)]

use reference::{
    longa_naehrig::{
        arithmetic::Constant,
        intt_k, ntt_k,
        products::{Merged, Padded, Product, Separate},
    },
    newhope::{self, Polynomials, designers::Designers, k_red::KRed},
    theses::{
        Rand,
        bakkebo::{Commitment, Levels, multiplied_normal},
        royher::{Multiplication, Parameters, run},
    },
};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Duration;
use timing::{Batch, in_turns, joined, time_or, timed};

mod timing;

/// N and q of the table of Royher's chapter 5; the row (4096, 12289) has no complete transform.
const MODULE_LWE: [(usize, u64); 5] = [(256, 7681), (512, 12289), (1024, 12289), (8192, 65537), (16384, 65537)];

const Q: i64 = 12289;

/// The largest degrees.
struct Limits {
    module_lwe: usize,
    module_lwe_schoolbook: usize,
    product: usize,
    product_normal: usize,
    commitment: usize,
}

const QUICK: Limits =
    Limits { module_lwe: 256, module_lwe_schoolbook: 256, product: 1 << 12, product_normal: 1 << 10, commitment: 512 };
const WHOLE: Limits = Limits {
    module_lwe: 16384,
    module_lwe_schoolbook: 1024,
    product: 1 << 16,
    product_normal: 1 << 14,
    commitment: 1 << 12,
};

fn main() {
    let time = time_or(200);
    let limits = if std::env::args().nth(2).is_some_and(|word| word == "quick") { QUICK } else { WHOLE };
    let mut results = Vec::new();
    for (n, q) in MODULE_LWE.into_iter().filter(|(n, _)| *n <= limits.module_lwe) {
        results.extend(rows(time, "module-lwe", n, q, module_lwe(n, q, n <= limits.module_lwe_schoolbook)));
    }
    for n in (3..=16).map(|k| 1 << k).filter(|n| *n <= limits.product) {
        results.extend(rows(time, "product", n, Q as u64, product(n, n <= limits.product_normal)));
    }
    for n in (2..=13).map(|k| 1 << k).filter(|n| *n <= limits.commitment) {
        results.extend(rows(time, "commitment", n, Q as u64, commitment(n)));
    }
    for n in [256, 512, 1024] {
        results.extend(rows(time, "negacyclic", n, Q as u64, negacyclic(n)));
    }
    for (work, variants) in newhope_times() {
        results.extend(rows(time, work, newhope::N, newhope::Q, variants));
    }
    println!("{:#}", json!({ "debug_assertions": cfg!(debug_assertions), "results": results }));
}

fn rows(time: Duration, work: &str, n: usize, q: u64, variants: Vec<(&'static str, Batch)>) -> Vec<Value> {
    let row = |(by, times)| joined(json!({ "work": work, "by": by, "n": n, "q": q }), times);
    in_turns(time, variants).into_iter().map(row).collect()
}

/// A batch of something that gives a value.
fn batch<T>(mut run: impl FnMut() -> T + 'static) -> Batch {
    Box::new(move |size| {
        timed(size, || {
            black_box(run());
        })
    })
}

fn module_lwe(n: usize, q: u64, schoolbook: bool) -> Vec<(&'static str, Batch)> {
    let by = move |multiplication| {
        let of = Parameters { m: 32, n: 32, beta: 2, d: n, q, p: 3 };
        batch(move || run(black_box(of), multiplication, &mut Rand(1)).expect("q has roots"))
    };
    let mut variants = vec![("ntt", by(Multiplication::Ntt))];
    if schoolbook {
        variants.push(("normal", by(Multiplication::Schoolbook)));
    }
    variants
}

fn polynomial(n: usize, seed: u32) -> Vec<i64> {
    let mut rand = Rand(seed);
    (0..n).map(|_| rand.residue(Q as u64) as i64).collect()
}

fn product(n: usize, normal: bool) -> Vec<(&'static str, Batch)> {
    let (a, b, levels) = (polynomial(n, 1), polynomial(n, 2), Levels::<Q>::of_the_thesis(n));
    let (c, d) = (a.clone(), b.clone());
    let mut variants = vec![("ntt", batch(move || levels.product(black_box(&a), &b)))];
    if normal {
        variants.push((
            "normal",
            batch(move || {
                let mut result = vec![0; n];
                multiplied_normal::<Q>(black_box(&c), &d, &mut result);
                result
            }),
        ));
    }
    variants
}

fn commitment(n: usize) -> Vec<(&'static str, Batch)> {
    let mut rand = Rand(3);
    let (key, levels) = (Commitment::<Q>::new(n, || rand.residue(Q as u64) as i64), Levels::<Q>::of_the_thesis(n));
    let other = key.clone();
    vec![
        ("ntt", batch(move || black_box(&key).commit_ntt(&levels))),
        ("normal", batch(move || black_box(&other).commit_normal())),
    ]
}

fn negacyclic(n: usize) -> Vec<(&'static str, Batch)> {
    fn of(way: Option<impl Product + 'static>, n: usize) -> Batch {
        let way = way.expect("q has roots of order 2n");
        let [a, b] = [1, 2].map(|seed| polynomial(n, seed).into_iter().map(|x| x as u64).collect::<Vec<_>>());
        batch(move || way.product(&Constant::<{ Q as u64 }>, black_box(&a), &b))
    }
    let q = Q as u64;
    vec![
        ("merged", of(Merged::new(n, q), n)),
        ("separate", of(Separate::new(n, q), n)),
        ("padded", of(Padded::new(n, q), n)),
    ]
}

fn newhope_times() -> [(&'static str, Vec<(&'static str, Batch)>); 3] {
    fn exchange<P: Polynomials + 'static>(by: P) -> Batch {
        let set = newhope::USENIX2016;
        batch(move || {
            let (alice, message_a) = newhope::init_by(&by, set, black_box(&[1; 32]), &[2; 32]);
            let (message_b, key) = newhope::respond_by(&by, set, &message_a, &[3; 32]).expect("a message just made");
            assert_eq!(newhope::finish_by(&by, &alice, &message_b), Ok(key));
        })
    }
    // Transforms work on what they are given every time: noise forward, words of slots inverse.
    fn transform<T: Copy + 'static>(a: Vec<T>, run: impl Fn(&mut [T]) + 'static) -> Batch {
        let mut work = a.clone();
        batch(move || {
            work.copy_from_slice(black_box(&a));
            run(&mut work);
            work[0]
        })
    }
    let noise = || (0..newhope::N as i32).map(|i| i * 37 % 33 - 16);
    let slots = || (0..newhope::N as i32).map(|i| i * 7919 % 12289);
    let q = newhope::Q as i32;
    let (first, second, third, fourth) = (Designers::new(), Designers::new(), KRed::new(), KRed::new());
    [
        (
            "newhope-forward",
            vec![
                ("designers", transform(noise().map(|x| (x + q) as u16).collect(), move |a| first.ntt(a))),
                ("k-red", transform(noise().collect(), move |a| ntt_k(a, third.tables()))),
            ],
        ),
        (
            "newhope-inverse",
            vec![
                ("designers", transform(slots().map(|x| x as u16).collect(), move |a| second.inverse_ntt(a))),
                ("k-red", transform(slots().collect(), move |a| intt_k(a, fourth.tables(), fourth.stray()))),
            ],
        ),
        ("newhope", vec![("designers", exchange(Designers::new())), ("k-red", exchange(KRed::new()))]),
    ]
}
