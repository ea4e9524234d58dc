//! What lies between words and the passes of a transform: decided in one place, for the proof and for what runs.

use crate::{
    arith::Interval,
    network::{Border, Crossing, ToCanonical},
    reduction::{Contract, Factor},
};
use lanes::Backend;

/// The borders of the transforms of a recipe.
#[derive(Clone, Copy)]
pub(crate) struct Borders<'a> {
    contract: &'a Contract,
    /// Whether transforms keep words in another form.
    converts: bool,
}

impl<'a> Borders<'a> {
    pub(crate) const fn of(contract: &'a Contract, backend: Backend) -> Self {
        Self { contract, converts: contract.method().converts_on(backend) }
    }

    /// Of a forward transform from words to words of these ranges.
    pub(crate) fn forward(self, input: Interval, reduce: bool, slots: Interval) -> Border {
        Border { enter: self.crossing(input), reduce, leave: self.crossing(slots), canonical: ToCanonical::Never }
    }

    /// Of an inverse transform from words to words of these ranges.
    pub(crate) fn inverse(self, given: Interval, reduce: bool, canonical: ToCanonical, output: Interval) -> Border {
        Border { enter: self.crossing(given), reduce, leave: self.crossing(output), canonical }
    }

    /// How words of that range become what transforms keep, and back.
    fn crossing(self, words: Interval) -> Crossing {
        match self.converts {
            false => Crossing::None,
            true if self.contract.is_small(words) => Crossing::Small,
            true => Crossing::Any,
        }
    }

    /// How words of that range become canonical, if a reduction or less is enough.
    pub(crate) fn to_canonical(self, range: Interval) -> Option<ToCanonical> {
        let reduced = self.contract.residues();
        if Interval::new(0, reduced.hi).holds(range) {
            return Some(ToCanonical::Never);
        }
        if self.contract.method().is_unsigned() {
            return None;
        }
        if reduced.holds(range) {
            return Some(ToCanonical::FromReduced);
        }
        let by_reduction = self.contract.reduce_range(range).filter(|_| self.contract.reduce_factor() == Factor::ONE);
        by_reduction.filter(|range| reduced.holds(*range)).map(|_| ToCanonical::ByReduction)
    }
}
