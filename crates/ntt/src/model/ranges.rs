//! `Ranges`: proves that no lane overflows, by running the network on intervals.
//!
//! A vector is one interval that contains all its lanes; every operation returns an interval that
//! contains every result the machine could compute, from the method's [`Contract`] and interval
//! sums. It may be pessimistic; it never misses an overflow.

use crate::{
    arith::Interval,
    model::interpreter::{Algebra, Value, interpret},
    network::{Job, SlotStep},
    reduction::Contract,
};
use alloc::{rc::Rc, vec, vec::Vec};
use core::{cell::RefCell, fmt};

/// The place of the first possible overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The layer.
    pub layer: usize,
    /// The butterfly in the group of four.
    pub butterfly: usize,
    /// The operation.
    pub place: Place,
    /// The value that does not fit, or the operand that the method refuses.
    pub range: Interval,
}

/// The operation that could overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A sum or difference.
    Sum,
    /// A product with a twiddle.
    Product,
    /// A reduction.
    Reduction,
    /// A product of two variables.
    VariableProduct,
    /// A conversion between words and the form that transforms keep.
    Conversion,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = match self.place {
            Place::Sum => "a sum",
            Place::Product => "an operand of a product",
            Place::Reduction => "an operand of a reduction",
            Place::VariableProduct => "an operand of a slot product",
            Place::Conversion => "a word that transforms convert",
        };
        write!(f, "{operation} in layer {} could be {}", self.layer, self.range)
    }
}

/// The state of a proof.
#[derive(Clone, Debug)]
pub struct Ranges {
    lanes: usize,
    word: Interval,
    contract: Contract,
    layer: usize,
    butterfly: usize,
    /// The first overflow found, if any.
    pub violation: Option<Violation>,
    /// For each layer, an interval that contains every value computed in it.
    pub layers: Vec<Option<Interval>>,
    /// The number of reductions so far.
    pub(crate) reductions: usize,
    /// Whether all of memory holds one interval, so that all products of a sum are equal.
    alike: bool,
    /// For the last sum of equal products: its operands, and the sums of one, two, … products.
    sums: Option<(SlotStep, [Interval; 2], Vec<Interval>)>,
    /// The operands of the last product of variables that fits, and its interval.
    product: Option<([Interval; 2], Interval)>,
    /// The intervals of a run; proofs that run together share them.
    intervals: Rc<RefCell<Vec<Interval>>>,
}

impl Ranges {
    /// A proof about `depth` layers on that many lanes.
    pub fn new(lanes: usize, contract: Contract, depth: usize) -> Self {
        Self {
            lanes,
            word: contract.words(),
            contract,
            layer: 0,
            butterfly: 0,
            violation: None,
            layers: vec![None; depth],
            reductions: 0,
            alike: false,
            sums: None,
            product: None,
            intervals: Rc::default(),
        }
    }

    /// A proof about another modulus whose values meet the values of this one.
    pub(crate) fn beside(&self, contract: Contract) -> Self {
        Self { intervals: self.intervals.clone(), ..Self::new(self.lanes, contract, 0) }
    }

    /// A proof about slot products of operands in one common interval: a sum of products depends
    /// only on the number of its terms.
    pub(crate) fn of_products(lanes: usize, contract: Contract) -> Self {
        Self { alike: true, ..Self::new(lanes, contract, 0) }
    }

    /// Resets the violation, the current layer and the number of reductions, but not the ranges of
    /// layers.
    pub(crate) fn restart(&mut self) {
        (self.layer, self.butterfly, self.violation, self.reductions) = (0, 0, None, 0);
    }

    /// The number of products in the last sum of equal products that fit.
    pub(crate) fn sums_that_fit(&self) -> usize {
        let sums = self.sums.as_ref().map_or(0, |(_, _, sums)| sums.len());
        sums - usize::from(self.violation.is_some() && sums > 0)
    }

    /// The sum of `terms` products of these operands.
    fn sum_of_equals(&mut self, s: SlotStep, operands: [Interval; 2], terms: usize) -> Interval {
        let mut sums = match self.sums.take() {
            Some((step, of, sums)) if step == s && of == operands => sums,
            _ => Vec::new(),
        };
        let [x, y] = operands.map(|x| if s.operands { self.reduced(x) } else { x });
        let product = self.product_of(x, y);
        while sums.len() < terms && self.violation.is_none() {
            let next = sums.last().map_or(product, |&total: &Interval| {
                let sum = self.checked(Place::Sum, total, self.contract.add_range(total, product));
                if s.sums { self.reduced(sum) } else { sum }
            });
            sums.push(next);
        }
        let of_all = sums.get(terms - 1).copied().unwrap_or(self.word);
        self.sums = Some((s, operands, sums));
        of_all
    }

    /// Runs a job on intervals.
    pub fn run<J: Job<M, N>, const M: usize, const N: usize>(
        &mut self,
        job: J,
        out: [&mut [Interval]; M],
        input: [&[Interval]; N],
    ) -> Option<()> {
        let mut written = out.each_ref().map(|ranges| self.values(ranges));
        let read = input.map(|ranges| self.values(ranges));
        let done = interpret(job, self, written.each_mut().map(|v| &mut v[..]), read.each_ref().map(|v| &v[..]));
        for (range, value) in out.into_iter().flatten().zip(written.into_iter().flatten()) {
            *range = self.interval(value);
        }
        self.intervals.borrow_mut().clear();
        done
    }

    /// The values of these intervals.
    pub(crate) fn values(&self, ranges: &[Interval]) -> Vec<Value> {
        ranges.iter().map(|range| self.value(*range)).collect()
    }

    /// The value of an interval; long sums meet only a few different ones.
    fn value(&self, range: Interval) -> Value {
        const RECENT: usize = 16;
        let mut all = self.intervals.borrow_mut();
        let recent = all.len().saturating_sub(RECENT);
        let known = all[recent..].iter().rposition(|known| *known == range);
        let at = known.map_or(all.len(), |i| recent + i);
        if at == all.len() {
            all.push(range);
        }
        at.into()
    }

    fn interval(&self, value: Value) -> Interval {
        self.intervals.borrow()[usize::from(value)]
    }

    /// The sum of `terms` products of that interval with itself.
    pub(crate) fn sum_of_products_of(&mut self, s: SlotStep, range: Interval, terms: usize) -> Interval {
        self.sum_of_equals(s, [range; 2], terms)
    }

    /// A conversion between words and the form that transforms keep.
    fn crossed(&mut self, small: bool, x: Value) -> Value {
        let x = self.interval(x);
        let kept = self.checked(Place::Conversion, x, self.contract.keeps(x, small).then_some(x));
        self.value(kept)
    }

    fn reduced(&mut self, x: Interval) -> Interval {
        self.reductions += 1;
        self.checked(Place::Reduction, x, self.contract.reduce_range(x))
    }

    fn product_of(&mut self, x: Interval, y: Interval) -> Interval {
        if let Some((operands, product)) = self.product
            && operands == [x, y]
        {
            self.note(product);
            return product;
        }
        let product = self.checked(Place::VariableProduct, x.union(y), self.contract.mul_var_range(x, y));
        self.product = self.violation.is_none().then_some(([x, y], product));
        product
    }

    fn note(&mut self, r: Interval) {
        if let Some(layer) = self.layers.get_mut(self.layer) {
            *layer = Some(layer.map_or(r, |l| l.union(r)));
        }
    }

    /// `result` if it fits the word; otherwise records the violation and continues with the whole
    /// word.
    pub(crate) fn checked(&mut self, place: Place, operand: Interval, result: Option<Interval>) -> Interval {
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

impl Algebra for Ranges {
    fn lanes(&self) -> usize {
        self.lanes
    }
    fn bits(&self) -> u32 {
        self.contract.constants().bits
    }
    fn add(&mut self, a: Value, b: Value) -> Value {
        let [a, b] = [a, b].map(|x| self.interval(x));
        let sum = self.checked(Place::Sum, a, self.contract.add_range(a, b));
        self.value(sum)
    }
    fn sub(&mut self, a: Value, b: Value) -> Value {
        let [a, b] = [a, b].map(|x| self.interval(x));
        let difference = self.checked(Place::Sum, a, self.contract.sub_range(a, b));
        self.value(difference)
    }
    fn reduce(&mut self, x: Value) -> Value {
        let reduced = self.reduced(self.interval(x));
        self.value(reduced)
    }
    fn mul(&mut self, i: usize, x: Value, _: usize) -> Value {
        self.butterfly = i;
        let x = self.interval(x);
        let product = self.checked(Place::Product, x, self.contract.mul_range(x));
        self.value(product)
    }
    fn mul_exact(&mut self, x: Value, _: usize) -> Value {
        let x = self.interval(x);
        let product = self.checked(Place::Product, x, self.contract.exact_range(x));
        self.value(product)
    }
    fn mul_var(&mut self, x: Value, y: Value) -> Value {
        let product = self.product_of(self.interval(x), self.interval(y));
        self.value(product)
    }
    fn dot(&mut self, x: &[Value], y: &[Value]) -> Value {
        let operands: Vec<_> = x.iter().zip(y).map(|(x, y)| [*x, *y].map(|x| self.interval(x))).collect();
        let widest = operands.iter().flatten().copied().reduce(Interval::union).unwrap_or(self.word);
        let sum = self.checked(Place::VariableProduct, widest, self.contract.dot_range(operands.iter().copied()));
        self.value(sum)
    }
    fn adds_up_wide(&self) -> bool {
        self.contract.adds_up_wide()
    }
    fn sum_of_products(&mut self, s: SlotStep, pairs: &[[Value; 2]]) -> Option<Value> {
        let ranges = |pair: [Value; 2]| pair.map(|x| self.interval(x));
        let first = ranges(*pairs.first()?);
        let equal = self.alike || self.layers.is_empty() && pairs.iter().all(|pair| ranges(*pair) == first);
        if !equal {
            return None;
        }
        let sum = self.sum_of_equals(s, first, pairs.len());
        Some(self.value(sum))
    }
    fn enter(&mut self, small: bool, x: Value) -> Value {
        self.crossed(small, x)
    }
    fn leave(&mut self, small: bool, x: Value) -> Value {
        self.crossed(small, x)
    }
    fn interleave(&mut self, _: usize, a: Value, b: Value) -> [Value; 2] {
        [self.value(self.interval(a).union(self.interval(b))); 2]
    }
    fn zip(&mut self, a: Value, b: Value) -> [Value; 2] {
        self.interleave(1, a, b)
    }
    fn layer(&mut self, layer: usize) {
        self.layer = layer;
    }
    fn butterfly(&mut self, index: usize) {
        self.butterfly = index;
    }
    fn canonical(&mut self, _: Value) -> Value {
        self.value(Interval::new(0, self.contract.constants().modulus() - 1))
    }
    fn canonical_of_sum(&mut self, more: bool, x: Value) -> Value {
        if self.contract.method().is_unsigned() {
            return self.canonical(x);
        }
        let (x, q) = (self.interval(x), self.contract.constants().modulus());
        let taken = if more { Interval::new(1 - q, 3 * q - 1) } else { Interval::symmetric(2 * q - 1) };
        let on_the_way = Interval::symmetric(2 * q - 1);
        let fits = taken.holds(x) && self.word.holds(on_the_way);
        let sum = self.checked(Place::Sum, x, fits.then(|| Interval::new(0, q - 1)));
        self.value(sum)
    }
    fn add_q_to_negative(&mut self, x: Value) -> Value {
        let (x, q) = (self.interval(x), self.contract.constants().modulus());
        let lifted = (x.lo < 0).then(|| Interval::new(x.lo + q, x.hi.min(-1) + q));
        let kept = (x.hi >= 0).then(|| Interval::new(x.lo.max(0), x.hi));
        let sum = self.checked(Place::Sum, x, lifted.into_iter().chain(kept).reduce(Interval::union));
        self.value(sum)
    }
    fn sub_q_above_half(&mut self, x: Value) -> Value {
        let (x, q) = (self.interval(x), self.contract.constants().modulus());
        let lowered = (x.hi > q / 2).then(|| Interval::new(x.lo.max(q / 2 + 1) - q, x.hi - q));
        let kept = (x.lo <= q / 2).then(|| Interval::new(x.lo, x.hi.min(q / 2)));
        let difference = self.checked(Place::Sum, x, lowered.into_iter().chain(kept).reduce(Interval::union));
        self.value(difference)
    }
}
