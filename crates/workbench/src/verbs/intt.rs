//! `intt N Q A`: the polynomial of a transform; slots are read in canonical order.

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
pub(crate) struct Intt {
    #[command(flatten)]
    wanted: Wanted,
    /// File of the transform as `ntt` writes it, also under --json, or - for standard input
    a: PathBuf,
}

impl Intt {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        super::mul::transform(screen, &self.wanted, &self.a, [Held::Values, Held::Coefficients], AnyTransform::inverse)
    }
}
