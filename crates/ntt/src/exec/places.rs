//! Places: the residue and coefficient of each word of a transformed polynomial.
//!
//! Residues lie in memory in the order in which layers split them: residue `i` is split into residues `2i` and
//! `2i + 1`, or into three by a layer in thirds. Passes inside vectors exchange words only within spans of vectors, in
//! the same way in every span. So one span determines the contents of all places.

use crate::{arith::bitrev, network::Pass, planner::Recipe, ring::Ring};
use alloc::{vec, vec::Vec};

/// The contents of a place in a transformed polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// The residue is modulo `X^d - root^exponent`.
    pub(crate) exponent: usize,
    /// The index of the coefficient, below `d`.
    pub(crate) coefficient: usize,
}

/// The contents of all places after some layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    split: Splits,
    layers: u32,
    /// The number of residues in a span.
    residues: usize,
    /// The contents of a span's places: the number of the residue in the span, and of the coefficient.
    span: Vec<(u32, u32)>,
}

impl Places {
    /// The places after `layers` layers, none of them inside vectors: residue after residue, in spans of `words` words.
    pub(super) fn natural(recipe: &Recipe, layers: u32, words: usize) -> Self {
        let split = Splits::of(recipe);
        let length = recipe.n() / split.residues(layers);
        let span = (0..words).map(|place| ((place / length) as u32, (place % length) as u32)).collect();
        Self { split, layers, residues: words / length, span }
    }

    /// The places after `layers` layers, given the contents of the first span; the layers that differ split in two.
    pub(super) fn then(&self, layers: u32, held: &[Held]) -> Self {
        let residues = (self.residues << layers) >> self.layers;
        let after = Self { layers, residues, span: Vec::new(), ..*self };
        let number = |exponent| (0..residues).find(|i| after.exponent(*i) == exponent).expect("of the first span");
        let span = held.iter().map(|held| (number(held.exponent) as u32, held.coefficient as u32)).collect();
        Self { span, ..after }
    }

    /// The number of layers already run.
    pub(super) const fn layers(&self) -> u32 {
        self.layers
    }

    /// The number of words in a span.
    pub(super) fn words(&self) -> usize {
        self.span.len()
    }

    /// The contents of that span's places.
    pub(super) fn span(&self, span: usize) -> Vec<Held> {
        let exponents: Vec<usize> = (0..self.residues).map(|i| self.exponent(span * self.residues + i)).collect();
        let held = |&(i, coefficient): &(u32, u32)| Held {
            exponent: exponents[i as usize],
            coefficient: coefficient as usize,
        };
        self.span.iter().map(held).collect()
    }

    /// The contents of that place.
    pub(crate) fn at(&self, place: usize) -> Held {
        let (span, place) = (place / self.span.len(), place % self.span.len());
        let (i, coefficient) = self.span[place];
        Held { exponent: self.exponent(span * self.residues + i as usize), coefficient: coefficient as usize }
    }

    /// For every place of a span, or of the whole polynomial if no shorter span has its residues together, the place of
    /// its word in bit-reversed order.
    pub(crate) fn bit_reversed_places(&self) -> Vec<usize> {
        let (degree, by_two_first) = (self.degree(), self.split.by_two_first(self.layers));
        if by_two_first == self.split {
            return self.span.iter().map(|&(i, coefficient)| i as usize * degree + coefficient as usize).collect();
        }
        let residues = self.split.residues(self.layers);
        let mut numbers = vec![0; self.split.order];
        (0..residues).for_each(|i| numbers[by_two_first.exponent(self.layers, i)] = i);
        let place = |Held { exponent, coefficient }| numbers[exponent] * degree + coefficient;
        (0..residues * degree).map(|here| place(self.at(here))).collect()
    }

    /// The contents of that place in bit-reversed order.
    pub(crate) fn at_bit_reversed(&self, place: usize) -> Held {
        let by_two_first = self.split.by_two_first(self.layers);
        let exponent = by_two_first.exponent(self.layers, place / self.degree());
        Held { exponent, coefficient: place % self.degree() }
    }

    /// Coefficients of a residue.
    fn degree(&self) -> usize {
        self.span.len() / self.residues
    }

    /// The exponent of residue `i`.
    fn exponent(&self, i: usize) -> usize {
        self.split.exponent(self.layers, i)
    }
}

/// The splitting of residues by layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Splits {
    ring: Ring,
    order: usize,
    /// The first layer in thirds, and the layer after the last one.
    thirds: [u32; 2],
}

impl Splits {
    pub(super) fn of(recipe: &Recipe) -> Self {
        let mut thirds = recipe.passes().iter().filter(|pass| matches!(pass, Pass::Thirds { .. }));
        let first = thirds.next().map_or(recipe.depth(), |pass| pass.layers().start as u32);
        Self { ring: recipe.ring(), order: recipe.order(), thirds: [first, first + recipe.thirds()] }
    }

    /// The same splitting with all layers in thirds behind the others. Where they stand among them depends on a
    /// machine's vectors.
    const fn by_two_first(&self, layers: u32) -> Self {
        let [first, end] = self.thirds;
        Self { thirds: [layers - (end - first), layers], ..*self }
    }

    /// The number of residues after `layers` layers.
    pub(super) fn residues(&self, layers: u32) -> usize {
        let [first, end] = self.thirds;
        let thirds = layers.clamp(first, end) - first;
        3_usize.pow(thirds) << (layers - thirds)
    }

    /// The number of residues before the first layer in thirds; all residues if there is none.
    pub(super) fn residues_before_thirds(&self) -> usize {
        self.residues(self.thirds[0])
    }

    /// The exponent of residue `i` after `layers` layers.
    pub(super) fn exponent(&self, layers: u32, i: usize) -> usize {
        let Self { ring, order, thirds: [first, end] } = *self;
        if layers > end && end > first {
            return halved(self.exponent(end, i >> (layers - end)), order, i, layers - end);
        }
        if layers > first {
            return self.exponent(layers - 1, i / 3) / 3 + i % 3 * (order / 3);
        }
        match (ring, layers.checked_sub(1)) {
            // The two residues of its first layer, which is not a square root.
            (Ring::Trinomial, Some(halvings)) => {
                let whole = if i >> halvings == 0 { order / 6 } else { order / 6 * 5 };
                halved(whole, order, i, halvings)
            }
            _ => halved(ring.exponent(order), order, i, layers),
        }
    }
}

/// The exponent of the residue reached from `exponent` by `layers` layers, selected by the lowest bits of `i`: each
/// layer halves the exponent, and adds half the order for every other residue.
fn halved(exponent: usize, order: usize, i: usize, layers: u32) -> usize {
    let number = i & ((1 << layers) - 1);
    ((exponent as u64 + bitrev(number, layers) as u64 * order as u64) >> layers) as usize
}
