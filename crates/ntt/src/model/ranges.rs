//! `Ranges`: proves that no lane overflows, by running the network on intervals.
//!
//! A vector is one interval that holds all its lanes; every operation returns an interval that holds every result the
//! machine could compute, from the method's [`Contract`] and interval sums. It may be pessimistic; it never misses.

use crate::{kernel::Kernel, range::Range, reduction::Contract};
use alloc::{vec, vec::Vec};

/// Where the first overflow could happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The layer.
    pub layer: usize,
    /// The butterfly of the group of four.
    pub butterfly: usize,
    /// The operation.
    pub place: Place,
    /// The value that does not fit, or the operand that the method refuses.
    pub range: Range,
}

/// The operation that could overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A sum or difference.
    Sum,
    /// A product with a twiddle.
    Product,
    /// A reduction.
    Reduction,
    /// A product of two variables.
    VariableProduct,
}

/// The state of a proof.
#[derive(Clone, Debug)]
pub struct Ranges {
    lanes: usize,
    word: Range,
    contract: Contract,
    lazy: u32,
    layer: usize,
    butterfly: usize,
    /// The first overflow found, if any.
    pub violation: Option<Violation>,
    /// For each layer, an interval that holds every value computed in it.
    pub layers: Vec<Option<Range>>,
    /// Reductions so far.
    pub(crate) reductions: usize,
}

impl Ranges {
    /// The same for a machine that reduces one of `lazy` products.
    pub fn lazy(self, lazy: u32) -> Self {
        Self { lazy, ..self }
    }

    /// A proof about `depth` layers on that many lanes.
    pub fn new(lanes: usize, contract: Contract, depth: usize) -> Self {
        Self {
            lanes,
            word: Range::word(contract.constants().bits),
            contract,
            lazy: 1,
            layer: 0,
            butterfly: 0,
            violation: None,
            layers: vec![None; depth],
            reductions: 0,
        }
    }

    fn note(&mut self, r: Range) {
        if let Some(layer) = self.layers.get_mut(self.layer) {
            *layer = Some(layer.map_or(r, |l| l.union(r)));
        }
    }

    /// `result` if it fits the word; otherwise the violation is recorded and the whole word goes on.
    fn checked(&mut self, place: Place, operand: Range, result: Option<Range>) -> Range {
        match result.filter(|r| self.word.holds(*r)) {
            Some(r) => {
                self.note(r);
                r
            }
            None => {
                let range = result.unwrap_or(operand);
                let violation = Violation { layer: self.layer, butterfly: self.butterfly, place, range };
                self.violation.get_or_insert(violation);
                self.word
            }
        }
    }
}

impl Kernel for Ranges {
    type V = Range;
    type Tw = ();
    type Block = Range;

    fn chunk(&self) -> usize {
        self.lanes.min((128 / self.contract.constants().bits) as usize)
    }
    fn lanes(&self) -> usize {
        self.lanes
    }
    #[inline(never)]
    fn load(&mut self, b: &Range) -> Range {
        *b
    }
    #[inline(never)]
    fn store(&mut self, b: &mut Range, v: Range) {
        *b = v;
    }
    #[inline(never)]
    fn row(&mut self, _: usize, _: usize) -> bool {
        true
    }
    fn twiddle(&mut self, _: usize) {}
    fn twiddle_lanes(&mut self, _: usize) {}
    #[inline(never)]
    fn scaling(&mut self) -> [(); 2] {
        [(); 2]
    }
    #[inline(never)]
    fn add(&mut self, a: Range, b: Range) -> Range {
        self.checked(Place::Sum, a, Some(a.plus(b)))
    }
    #[inline(never)]
    fn sub(&mut self, a: Range, b: Range) -> Range {
        self.checked(Place::Sum, a, Some(a.minus(b)))
    }
    #[inline(never)]
    fn reduce(&mut self, x: Range) -> Range {
        self.reductions += 1;
        self.checked(Place::Reduction, x, self.contract.reduce_range(x))
    }
    #[inline(never)]
    fn mul<const P: usize>(&mut self, x: [Range; P], _: [(); P]) -> [Range; P] {
        core::array::from_fn(|i| {
            self.butterfly = i;
            self.checked(Place::Product, x[i], self.contract.mul_range(x[i]))
        })
    }
    fn lazy(&self) -> u32 {
        self.lazy
    }
    #[inline(never)]
    fn mul_exact(&mut self, x: Range, (): ()) -> Range {
        self.checked(Place::Product, x, self.contract.exact_range(x))
    }
    #[inline(never)]
    fn mul_var(&mut self, x: Range, y: Range) -> Range {
        self.checked(Place::VariableProduct, x.union(y), self.contract.mul_var_range(x, y))
    }
    #[inline(never)]
    fn interleave<const K: usize>(&mut self, a: Range, b: Range) -> (Range, Range) {
        (a.union(b), a.union(b))
    }
    #[inline(never)]
    fn zip(&mut self, a: Range, b: Range) -> (Range, Range) {
        (a.union(b), a.union(b))
    }
    fn layer(&mut self, layer: usize) {
        self.layer = layer;
    }
    fn butterfly(&mut self, index: usize) {
        self.butterfly = index;
    }
}
