//! Transforms and products, by every plan.

use super::{Trouble, read};
use crate::plans::{AnyTransform, methods_and_widths};
use ntt::{Backend, Request, Ring};
use serde::Deserialize;
use serde_json::Value;

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

pub(super) fn transform(test: &Value, _: &Value) -> Result<usize, Trouble> {
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

pub(super) fn product(test: &Value, _: &Value) -> Result<usize, Trouble> {
    let t: Product = read(test)?;
    canonical(t.n, t.q, &[("a", &t.a), ("b", &t.b), ("c", &t.c)])?;
    let request = Request::new(t.n, t.q).ring(ring(&t.ring)?);
    on_every_backend(&request, |plan| (plan.product(&t.a, &t.b) != t.c).then_some("c"))
}

/// How many plans answered; at least one must.
fn on_every_backend(
    request: &Request,
    differs: impl Fn(&AnyTransform) -> Option<&'static str>,
) -> Result<usize, Trouble> {
    let (mut computations, mut refusal) = (0, None);
    for backend in Backend::available() {
        for (method, bits) in methods_and_widths() {
            match AnyTransform::new(&request.backend(backend).method(method), Some(bits)) {
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

fn ring(name: &str) -> Result<Ring, Trouble> {
    let known = Ring::ALL.map(Ring::name).join(", ");
    let ring = Ring::ALL.into_iter().find(|r| r.name() == name);
    ring.ok_or_else(|| Trouble::Malformed(format!("ring \"{name}\" is unknown; known are {known}")))
}

/// Checks length and range of every field.
fn canonical(n: usize, q: u64, fields: &[(&str, &[u64])]) -> Result<(), Trouble> {
    for (name, values) in fields {
        if values.len() != n {
            return Err(Trouble::Malformed(format!("field \"{name}\" has {} numbers, not n = {n}", values.len())));
        }
        if let Some(i) = values.iter().position(|&x| x >= q) {
            return Err(Trouble::Malformed(format!(
                "field \"{name}\": number {i} is {}, not below q = {q}",
                values[i]
            )));
        }
    }
    Ok(())
}
