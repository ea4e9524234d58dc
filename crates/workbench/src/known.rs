//! Known answers: vector files, and what every backend makes of them.

use crate::{fault::Fault, plans::AnyPlan};
use ntt::{Backend, Method, Request, Ring};
use serde::Deserialize;
use serde_json::Value;

/// A vector file.
#[derive(Debug, Deserialize)]
struct File {
    schema: u64,
    scheme: String,
    #[expect(dead_code, reason = "its presence is checked")]
    parameters: Value,
    tests: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct Transform {
    n: usize,
    q: u64,
    ring: String,
    depth: u32,
    root: u64,
    order: String,
    input: Vec<u64>,
    output: Vec<u64>,
}

#[derive(Debug, Deserialize)]
struct Product {
    n: usize,
    q: u64,
    ring: String,
    a: Vec<u64>,
    b: Vec<u64>,
    c: Vec<u64>,
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Tests of the file.
    pub(crate) tests: usize,
    /// Computations: one for each test, backend, method and word.
    pub(crate) computations: usize,
}

/// Why a file is not confirmed. `None` is a test that cannot be read, `Some` the field that differs.
enum Trouble {
    Malformed(String),
    Mismatch { field: &'static str, who: String },
}

/// Computes all tests of a vector file on every backend that can.
pub(crate) fn check(name: &str, text: &str) -> Result<Tally, Fault> {
    let bad = |why: String| Fault::Input(format!("{name}: {why}"));
    let file: File = serde_json::from_str(text).map_err(|e| bad(format!("this is not a vector file: {e}")))?;
    if file.schema != 1 {
        return Err(bad(format!("schema {} is unknown; this program reads schema 1", file.schema)));
    }
    let run = match file.scheme.as_str() {
        "transform" => transform,
        "product" => product,
        other => return Err(bad(format!("scheme \"{other}\" is unknown; known are transform, product"))),
    };
    let mut tally = Tally::default();
    for (index, test) in file.tests.iter().enumerate() {
        tally.computations += run(test).map_err(|trouble| match trouble {
            Trouble::Malformed(why) => bad(format!("test {index}: {why}")),
            Trouble::Mismatch { field, who } => {
                Fault::Negative(format!("{name}: test {index}: field \"{field}\" differs on {who}"))
            }
        })?;
        tally.tests += 1;
    }
    Ok(tally)
}

fn transform(test: &Value) -> Result<usize, Trouble> {
    let t: Transform = read(test)?;
    if t.order != "canonical" {
        return Err(Trouble::Malformed(format!("order \"{}\" is unknown; known is canonical", t.order)));
    }
    canonical(t.n, t.q, &[("input", &t.input), ("output", &t.output)])?;
    let request = Request::new(t.n, t.q).ring(ring(&t.ring)?).depth(t.depth).root(t.root);
    on_every_backend(&request, |plan| match () {
        () if plan.forward(&t.input) != t.output => Some("output"),
        () if plan.inverse(&t.output) != t.input => Some("input"),
        () => None,
    })
}

fn product(test: &Value) -> Result<usize, Trouble> {
    let t: Product = read(test)?;
    canonical(t.n, t.q, &[("a", &t.a), ("b", &t.b), ("c", &t.c)])?;
    let request = Request::new(t.n, t.q).ring(ring(&t.ring)?);
    on_every_backend(&request, |plan| (plan.product(&t.a, &t.b) != t.c).then_some("c"))
}

/// How many plans answered; at least one must.
fn on_every_backend(request: &Request, differs: impl Fn(&AnyPlan) -> Option<&'static str>) -> Result<usize, Trouble> {
    let (mut computations, mut refusal) = (0, None);
    for backend in Backend::available() {
        for (method, bits) in Method::ALL.into_iter().flat_map(|m| [(m, 16), (m, 32)]) {
            match AnyPlan::new(&request.backend(backend).method(method), Some(bits)) {
                Ok(plan) => {
                    if let Some(field) = differs(&plan) {
                        return Err(Trouble::Mismatch { field, who: format!("{backend}, {method}, {bits}-bit words") });
                    }
                    computations += 1;
                }
                Err(e) => refusal = refusal.or(Some(e)),
            }
        }
    }
    match refusal {
        Some(e) if computations == 0 => Err(Trouble::Malformed(e.to_string())),
        _ => Ok(computations),
    }
}

fn read<'a, T: Deserialize<'a>>(test: &'a Value) -> Result<T, Trouble> {
    T::deserialize(test).map_err(|e| Trouble::Malformed(e.to_string()))
}

fn ring(name: &str) -> Result<Ring, Trouble> {
    [Ring::Negacyclic, Ring::Cyclic].into_iter().find(|r| r.to_string() == name).ok_or_else(|| {
        Trouble::Malformed(format!("ring \"{name}\" is unknown; known are negacyclic, cyclic"))
    })
}

/// Checks length and range of every field.
fn canonical(n: usize, q: u64, fields: &[(&str, &[u64])]) -> Result<(), Trouble> {
    for (name, values) in fields {
        if values.len() != n {
            return Err(Trouble::Malformed(format!("field \"{name}\" has {} numbers, not n = {n}", values.len())));
        }
        if let Some(i) = values.iter().position(|&x| x >= q) {
            return Err(Trouble::Malformed(format!("field \"{name}\": number {i} is {}, not below q = {q}", values[i])));
        }
    }
    Ok(())
}
