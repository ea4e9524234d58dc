//! Places: which residue each word of a transformed polynomial belongs to.
//!
//! Residues lie in memory in the order in which layers split them: of the `i`-th one come the
//! `2i`-th and the `2i + 1`-st, or three in thirds. Inside a span of vectors, which the passes inside vectors never
//! leave, words are exchanged, in the same way in every span. So it takes no more than one span to
//! know what all places hold.

use crate::{arith::bitrev, network::Pass, planner::Recipe, ring::Ring};
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
    split: Splits,
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
        let split = Splits::of(recipe);
        let length = recipe.n() / split.residues(layers);
        let span = (0..words).map(|place| ((place / length) as u32, (place % length) as u32)).collect();
        Self { split, layers, residues: words / length, span }
    }

    /// After so many layers, of which those that differ are in two, given what the first span holds
    /// then.
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
        self.split.exponent(self.layers, i)
    }
}

/// How layers split residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Splits {
    ring: Ring,
    order: usize,
    /// The first of the layers in thirds, and the layer after them.
    thirds: [u32; 2],
}

impl Splits {
    pub(super) fn of(recipe: &Recipe) -> Self {
        let mut thirds = recipe.passes().iter().filter(|pass| matches!(pass, Pass::Thirds { .. }));
        let first = thirds.next().map_or(recipe.depth(), |pass| pass.layers().start as u32);
        Self { ring: recipe.ring(), order: recipe.order(), thirds: [first, first + recipe.thirds()] }
    }

    /// Residues after so many layers.
    pub(super) fn residues(&self, layers: u32) -> usize {
        let [first, end] = self.thirds;
        let thirds = layers.clamp(first, end) - first;
        3_usize.pow(thirds) << (layers - thirds)
    }

    /// Residues before the first of the layers in thirds; all, if there is none.
    pub(super) fn residues_before_thirds(&self) -> usize {
        self.residues(self.thirds[0])
    }

    /// The exponent of the `i`-th residue after so many layers.
    pub(super) fn exponent(&self, layers: u32, i: usize) -> usize {
        let Self { ring, order, thirds: [first, end] } = *self;
        if layers > end && end > first {
            return halved(self.exponent(end, i >> (layers - end)), order, i, layers - end);
        }
        if layers > first {
            return self.exponent(layers - 1, i / 3) / 3 + i % 3 * (order / 3);
        }
        match (ring, layers.checked_sub(1)) {
            // The two residues of its first layer, which is no square root.
            (Ring::Trinomial, Some(halvings)) => {
                let whole = if i >> halvings == 0 { order / 6 } else { order / 6 * 5 };
                halved(whole, order, i, halvings)
            }
            _ => halved(ring.exponent(order), order, i, layers),
        }
    }
}

/// The exponent of the residue that so many layers reach by the lowest bits of `i`: each one halves
/// the exponent, and adds half the order to that of every other residue.
fn halved(exponent: usize, order: usize, i: usize, layers: u32) -> usize {
    let number = i & ((1 << layers) - 1);
    ((exponent as u64 + bitrev(number, layers) as u64 * order as u64) >> layers) as usize
}
