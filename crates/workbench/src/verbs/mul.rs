//! `mul N Q A B`: the product of two polynomials.

use crate::{
    fault::Fault,
    files, integers,
    plans::{self, AnyTransform, Wanted},
    polynomial::{self, Held, Polynomial},
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
    /// File of the first factor, or - for standard input: one integer per line, a JSON array, or
    /// what --json writes
    a: PathBuf,
    /// File of the second factor, or -
    b: PathBuf,
}

impl Mul {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::at_most_one_dash(&[&self.a, &self.b])?;
        let decision = self.wanted.decide();
        let identity = match (&decision, integers::identity(&self.wanted)) {
            (Ok(Decision::Direct(recipe)), _) => plans::identity(recipe),
            (Ok(Decision::Crt(exact)), _) => plans::exact_identity(exact),
            (Err(_), Some(identity)) => identity,
            (Err(_), None) if self.wanted.n == 0 || self.wanted.q < 2 => {
                return Err(Fault::Negative(
                    "there are products of degrees from 1 on, modulo numbers from 2 on".into(),
                ));
            }
            (Err(_), None) => return decision.map(drop),
        };
        let read = |path| Polynomial::read(path, Held::Coefficients, &identity);
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let c = match decision {
            Ok(decision) => plans::product(decision, &a.coefficients, &b.coefficients),
            Err(_) => integers::product(&self.wanted, &a.coefficients, &b.coefficients)?,
        };
        show(screen, identity, Held::Coefficients, &c, a.format)
    }
}

/// Numbers in the format that the input had, or under `--json` with all that identifies them.
pub(super) fn show(
    screen: &Screen,
    mut identity: Value,
    held: Held,
    values: &[u64],
    format: polynomial::Format,
) -> Result<(), Fault> {
    identity[held.key()] = json!(values);
    screen.print(identity, || polynomial::text(values, format))
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
    let a = Polynomial::read(path, from, &plan.identity())?;
    show(screen, plan.identity(), to, &run(&plan, &a.coefficients), a.format)
}
