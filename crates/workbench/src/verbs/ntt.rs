//! `ntt N Q A`: the transform of a polynomial, slots in canonical order, canonical residues.

use crate::{
    fault::Fault,
    plans::{AnyTransform, Wanted},
    polynomial::Held,
    screen::Screen,
};
use clap::Args;
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Ntt {
    #[command(flatten)]
    wanted: Wanted,
    /// File of the polynomial, or - for standard input: one integer per line, a JSON array, or what
    /// --json writes
    a: PathBuf,
}

impl Ntt {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        super::mul::transform(screen, &self.wanted, &self.a, [Held::Coefficients, Held::Values], AnyTransform::forward)
    }
}
