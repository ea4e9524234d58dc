//! Places: which residue each word of a transformed polynomial belongs to.
//!
//! Residues lie in memory in the order in which layers split them: of the `i`-th one come the
//! `2i`-th and the `2i + 1`-st. Inside a span of vectors, which the passes inside vectors never
//! leave, words are exchanged, in the same way in every span. So it takes no more than one span to
//! know what all places hold.

use crate::{arith::bitrev, planner::Recipe, ring::Ring};
use alloc::vec::Vec;

/// What a place of a transformed polynomial holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// The residue is modulo `X^d - root^exponent`.
    pub(crate) exponent: usize,
    /// Which of its `d` coefficients.
    pub(crate) coefficient: usize,
}

/// What all places hold after some layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    ring: Ring,
    order: usize,
    layers: u32,
    /// Residues of a span.
    residues: usize,
    /// What the places of a span hold: the number of the residue in the span, and the coefficient.
    span: Vec<(u32, u32)>,
}

impl Places {
    /// After so many layers, of which none was inside vectors: residue after residue in spans of so
    /// many words.
    pub(super) fn natural(recipe: &Recipe, layers: u32, words: usize) -> Self {
        let length = recipe.n() >> layers;
        let span = (0..words).map(|place| ((place / length) as u32, (place % length) as u32)).collect();
        Self { ring: recipe.ring(), order: recipe.order(), layers, residues: words / length, span }
    }

    /// After so many layers, given what the first span holds then.
    pub(super) fn then(&self, layers: u32, held: &[Held]) -> Self {
        let residues = (self.residues << layers) >> self.layers;
        let after = Self { layers, residues, span: Vec::new(), ..*self };
        let number = |exponent| (0..residues).find(|i| after.exponent(*i) == exponent).expect("of the first span");
        let span = held.iter().map(|held| (number(held.exponent) as u32, held.coefficient as u32)).collect();
        Self { span, ..after }
    }

    /// Layers that were run.
    pub(super) const fn layers(&self) -> u32 {
        self.layers
    }

    /// Words of a span.
    pub(super) fn words(&self) -> usize {
        self.span.len()
    }

    /// What the places of that span hold.
    pub(super) fn span(&self, span: usize) -> Vec<Held> {
        let exponents: Vec<usize> = (0..self.residues).map(|i| self.exponent(span * self.residues + i)).collect();
        let held = |&(i, coefficient): &(u32, u32)| Held {
            exponent: exponents[i as usize],
            coefficient: coefficient as usize,
        };
        self.span.iter().map(held).collect()
    }

    /// What that place holds.
    pub(crate) fn at(&self, place: usize) -> Held {
        let (span, place) = (place / self.span.len(), place % self.span.len());
        let (i, coefficient) = self.span[place];
        Held { exponent: self.exponent(span * self.residues + i as usize), coefficient: coefficient as usize }
    }

    /// The exponent of the `i`-th residue.
    fn exponent(&self, i: usize) -> usize {
        exponent(self.ring, self.order, self.layers, i)
    }
}

/// The exponent of the `i`-th residue after so many layers.
pub(super) fn exponent(ring: Ring, order: usize, layers: u32, i: usize) -> usize {
    let (first, halvings) = match (ring, layers.checked_sub(1)) {
        // The two residues of its first layer, which is no square root.
        (Ring::Trinomial, Some(halvings)) => (if i >> halvings == 0 { order / 6 } else { order / 6 * 5 }, halvings),
        _ => (ring.exponent(order), layers),
    };
    // Each layer halves the exponent, and adds half the order to that of every other residue.
    let number = i & ((1 << halvings) - 1);
    ((first as u64 + bitrev(number, halvings) as u64 * order as u64) >> halvings) as usize
}
