//! `mul N Q A B`: the product of two polynomials.

use crate::{
    fault::Fault,
    files,
    plans::{self, Wanted},
    polynomial::{self, Polynomial},
    screen::Screen,
};
use clap::Args;
use ntt::Decision;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Mul {
    #[command(flatten)]
    wanted: Wanted,
    /// File of the first factor, or - for standard input: one integer per line, or a JSON array
    a: PathBuf,
    /// File of the second factor, or -
    b: PathBuf,
}

impl Mul {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::at_most_one_dash(&[&self.a, &self.b])?;
        let decision = self.wanted.decide()?;
        let read = |path| Polynomial::read(path, self.wanted.n, self.wanted.q);
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let identity = match &decision {
            Decision::Direct(recipe) => plans::identity(recipe),
            Decision::Exact(exact) => plans::exact_identity(exact),
        };
        let c = plans::product(decision, &a.coefficients, &b.coefficients);
        show(screen, identity, "coefficients", &c, a.format)
    }
}

/// Numbers in the format that the input had, or under `--json` with all that identifies them.
pub(super) fn show(
    screen: &Screen,
    mut identity: Value,
    key: &str,
    values: &[u64],
    format: polynomial::Format,
) -> Result<(), Fault> {
    identity[key] = json!(values);
    screen.answer(identity, || polynomial::text(values, format))
}

/// Reads one polynomial, and shows what becomes of it.
pub(super) fn transform(
    screen: &Screen,
    wanted: &Wanted,
    path: &std::path::Path,
    key: &str,
    run: fn(&crate::plans::AnyPlan, &[u64]) -> Vec<u64>,
) -> Result<(), Fault> {
    let plan = wanted.plan()?;
    let a = Polynomial::read(path, wanted.n, wanted.q)?;
    show(screen, plan.identity(), key, &run(&plan, &a.coefficients), a.format)
}
