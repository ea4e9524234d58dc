//! `mul N Q A B`: the product of two polynomials.

use crate::{
    answers,
    fault::Fault,
    files,
    identity::{Channels, Identity},
    integers::{self, Integers},
    plans::{self, AnyTransform, Wanted},
    polynomial::{self, Held, Polynomial},
    screen::Screen,
};
use clap::Args;
use ntt::Decision;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Mul {
    #[command(flatten)]
    wanted: Wanted,
    /// File of the first factor, or - for standard input: one integer per line, a JSON array, or
    /// what --json writes
    a: PathBuf,
    /// File of the second factor, or -
    b: PathBuf,
}

/// A polynomial.
#[derive(Serialize, JsonSchema)]
pub(super) struct Coefficients<'a, I> {
    #[serde(flatten)]
    identity: I,
    /// Constant term first, in [0, q).
    coefficients: &'a [u64],
}

/// A transformed polynomial.
#[derive(Serialize, JsonSchema)]
pub(super) struct Values<'a, I> {
    #[serde(flatten)]
    identity: I,
    /// The slots in canonical order, in [0, q).
    values: &'a [u64],
}

/// How a product is computed.
#[derive(Serialize)]
#[serde(untagged)]
enum By {
    Transform(Identity),
    Channels(Channels),
    Integers(Integers),
}

impl Mul {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::at_most_one_dash(&[&self.a, &self.b])?;
        let decision = self.wanted.decide();
        let identity = match (&decision, Integers::of(&self.wanted)) {
            (Ok(Decision::Direct(recipe)), _) => By::Transform(Identity::of(recipe)),
            (Ok(Decision::Crt(exact)), _) => By::Channels(Channels::of(exact)),
            (Err(_), Some(integers)) => By::Integers(integers),
            (Err(_), None) if self.wanted.n == 0 || self.wanted.q < 2 => {
                return Err(Fault::Negative(
                    "there are products of degrees from 1 on, modulo numbers from 2 on".into(),
                ));
            }
            (Err(_), None) => return decision.map(drop),
        };
        let named = answers::value(&identity);
        let read = |path| Polynomial::read(path, Held::Coefficients, &named);
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let c = match decision {
            Ok(decision) => plans::product(decision, &a.coefficients, &b.coefficients),
            Err(_) => integers::product(&self.wanted, &a.coefficients, &b.coefficients)?,
        };
        show(screen, &identity, Held::Coefficients, &c, a.format)
    }
}

/// Numbers in the format that the input had, or under `--json` with all that identifies them.
pub(super) fn show(
    screen: &Screen,
    identity: &impl Serialize,
    held: Held,
    values: &[u64],
    format: polynomial::Format,
) -> Result<(), Fault> {
    let text = || polynomial::text(values, format);
    match held {
        Held::Coefficients => screen.print(Coefficients { identity, coefficients: values }, text),
        Held::Values => screen.print(Values { identity, values }, text),
    }
}

/// Reads one polynomial, and shows what becomes of it.
pub(super) fn transform(
    screen: &Screen,
    wanted: &Wanted,
    path: &std::path::Path,
    [from, to]: [Held; 2],
    run: fn(&AnyTransform, &[u64]) -> Vec<u64>,
) -> Result<(), Fault> {
    let plan = wanted.plan()?;
    let identity = plan.identity();
    let a = Polynomial::read(path, from, &answers::value(&identity))?;
    show(screen, &identity, to, &run(&plan, &a.coefficients), a.format)
}
