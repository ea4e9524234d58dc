//! What is computed on lanes: each job loads a plan's tables and data into a machine and runs a network on it, or a loop
//! of its own. [`Word`] carries jobs into a backend.

use crate::{
    called::{Arena, Called, Operations},
    exact::MAX_PRIMES,
    kernel::{Kernel, Machine, SCALING, Table},
    network::{self, Pass},
    reduction::{Constants, Reduction},
    registered::Registered,
    schedule::{SlotStep, Step},
    word::Word,
};
use alloc::vec::Vec;
use core::marker::PhantomData;
use lanes::Lanes;

/// A transform with its tables and what it works on.
#[doc(hidden)]
#[derive(Debug)]
pub struct Transform<'a, T> {
    pub(crate) passes: &'a [Pass],
    pub(crate) steps: &'a [Step],
    pub(crate) lazy: u32,
    pub(crate) table: &'a [T],
    pub(crate) scaling: [T; SCALING],
    pub(crate) data: &'a mut [T],
}

/// Which way a transform goes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Inverse,
}

/// A computation on lanes with a reduction.
pub(crate) trait Job<T: Word> {
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants);
}

/// Any transform; with `LAZY`, by LazyNTT.
pub(crate) struct AnyJob<'a, T, const INVERSE: bool, const LAZY: bool>(pub(crate) Transform<'a, T>);

impl<T: Word, const INVERSE: bool, const LAZY: bool> Job<T> for AnyJob<'_, T, INVERSE, LAZY> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        if LAZY && L::LANES > 1 {
            return; // never planned, and so never compiled
        }
        let Transform { passes, steps, lazy, table, scaling, data } = self.0;
        let mut machine = Machine::<L, R, LAZY>::lazy(lanes, constants, Table::new(table, scaling), lazy);
        let data = L::blocks_mut(data);
        if INVERSE {
            network::inverse_inlined(&mut machine, data, passes, steps);
        } else {
            network::forward_inlined(&mut machine, data, passes, steps);
        }
    }
}

/// The transform of a registered ring.
pub(crate) struct FixedJob<'a, T, F>(pub(crate) Transform<'a, T>, pub(crate) PhantomData<F>);

impl<T: Word, F: Registered> Job<T> for FixedJob<'_, T, F> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, _: &Constants) {
        if L::LANES != F::LANES {
            return; // never selected, and so never compiled
        }
        let Transform { table, scaling, data, .. } = self.0;
        let mut machine = Machine::<L, R>::new(lanes, const { &F::CONSTANTS }, Table::new(table, scaling));
        let Some(data) = L::blocks_mut(data).get_mut(..F::N / F::LANES) else { return };
        match F::DIRECTION {
            Direction::Forward => network::forward_fixed::<_, F>(&mut machine, data),
            Direction::Inverse => network::inverse_fixed::<_, F>(&mut machine, data),
        }
    }
}

/// A reduction of every word.
pub(crate) struct ReduceJob<'a, T>(pub(crate) &'a mut [T]);

impl<T: Word> Job<T> for ReduceJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(&[], [T::default(); SCALING]));
        network::reduce(&mut machine, L::blocks_mut(self.0));
    }
}

/// A multiplication by the first scaling twiddle.
pub(crate) struct ScaleJob<'a, T> {
    pub(crate) scaling: [T; SCALING],
    pub(crate) data: &'a mut [T],
}

impl<T: Word> Job<T> for ScaleJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(&[], self.scaling));
        network::scale(&mut machine, L::blocks_mut(self.data));
    }
}

/// A transform over arrays, behind calls.
pub(crate) struct CalledJob<'a, T, const INVERSE: bool>(pub(crate) Transform<'a, T>);

impl<T: Word, const INVERSE: bool> Job<T> for CalledJob<'_, T, INVERSE> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let Transform { passes, steps, table, scaling, data, .. } = self.0;
        let machine = Machine::<L, R>::new(lanes, constants, Table::new(table, scaling));
        let data = L::blocks_mut(data);
        let mut blocks: Vec<usize> = (0..data.len()).collect();
        called(INVERSE, &mut Arena::new(machine, data), &mut blocks, passes, steps);
    }
}

/// The one copy of each network that all array shapes share.
#[inline(never)]
fn called(inverse: bool, on: &mut dyn Operations, data: &mut [usize], passes: &[Pass], steps: &[Step]) {
    if inverse {
        network::inverse(&mut Called(on), data, passes, steps);
    } else {
        network::forward(&mut Called(on), data, passes, steps);
    }
}

/// A multiplication by the first scaling twiddle, plus an addend, in canonical residues.
pub(crate) struct ScaleAndAddJob<'a, T> {
    pub(crate) scaling: [T; SCALING],
    pub(crate) data: &'a mut [T],
    pub(crate) addend: &'a [T],
}

impl<T: Word> Job<T> for ScaleAndAddJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(&[], self.scaling));
        let reduction = R::new(lanes, constants);
        let [scale, _] = machine.scaling();
        for (block, addend) in L::blocks_mut(self.data).iter_mut().zip(L::blocks(self.addend)) {
            let [scaled] = machine.mul([lanes.load(block)], [scale]);
            let sum = lanes.add(scaled, lanes.load(addend));
            lanes.store(block, reduction.canonical(lanes, sum));
        }
    }
}

/// Slot products: what [`Word::slot_products`] runs.
#[doc(hidden)]
#[derive(Debug)]
pub struct SlotProducts<'a, T> {
    pub(crate) step: SlotStep,
    pub(crate) degree: usize,
    pub(crate) table: &'a [T],
    pub(crate) c: &'a mut [T],
    pub(crate) a: &'a [T],
    pub(crate) b: &'a [T],
}

impl<T: Word> Job<T> for SlotProducts<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(self.table, [T::default(); SCALING]));
        let (c, a, b) = (L::blocks_mut(self.c), L::blocks(self.a), L::blocks(self.b));
        network::slot_products(&mut machine, self.step, self.degree, c, a, b);
    }
}

/// Sums of products slot by slot, of degree one, of polynomials that begin every `stride` words: what
/// [`Word::slot_sums`] runs.
#[doc(hidden)]
#[derive(Debug)]
pub struct SlotSums<'a, T> {
    pub(crate) step: SlotStep,
    pub(crate) every: usize,
    pub(crate) stride: usize,
    pub(crate) c: &'a mut [T],
    pub(crate) operands: [&'a [T]; 2],
}

impl<T: Word> Job<T> for SlotSums<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let Self { step, every, stride, c, operands: [a, b] } = self;
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(&[], [T::default(); SCALING]));
        let (c, operands) = (L::blocks_mut(c), [L::blocks(a), L::blocks(b)]);
        network::sums_of_products(&mut machine, step, every, stride / L::LANES, c, operands);
    }
}

/// Sums, reduced.
pub(crate) struct AddReducedJob<'a, T> {
    pub(crate) data: &'a mut [T],
    pub(crate) addend: &'a [T],
}

impl<T: Word> Job<T> for AddReducedJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let reduction = R::new(lanes, constants);
        for (block, addend) in L::blocks_mut(self.data).iter_mut().zip(L::blocks(self.addend)) {
            let sum = lanes.add(lanes.load(block), lanes.load(addend));
            lanes.store(block, reduction.reduce(lanes, sum));
        }
    }
}

/// Slot products over arrays, behind calls.
pub(crate) struct CalledProducts<'a, T>(pub(crate) SlotProducts<'a, T>);

impl<T: Word> Job<T> for CalledProducts<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let SlotProducts { step, degree, table, c, a, b } = self.0;
        let machine = Machine::<L, R>::new(lanes, constants, Table::new(table, [T::default(); SCALING]));
        let mut all = [L::blocks(c), L::blocks(a), L::blocks(b)].concat();
        let vectors = all.len() / 3;
        called_products(&mut Arena::new(machine, &mut all), vectors, step, degree);
        L::blocks_mut(c).copy_from_slice(&all[..vectors]);
    }
}

/// The one copy of slot products that all array shapes share: `c`, `a` and `b` follow one another.
#[inline(never)]
fn called_products(on: &mut dyn Operations, vectors: usize, step: SlotStep, degree: usize) {
    let mut handles: Vec<usize> = (0..3 * vectors).collect();
    let (c, operands) = handles.split_at_mut(vectors);
    let (a, b) = operands.split_at(vectors);
    network::slot_products(&mut Called(on), step, degree, c, a, b);
}

/// Canonical residues.
pub(crate) struct CanonicalJob<'a, T>(pub(crate) &'a mut [T]);

impl<T: Word> Job<T> for CanonicalJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let reduction = R::new(lanes, constants);
        for block in L::blocks_mut(self.0) {
            let x = reduction.canonical(lanes, lanes.load(block));
            lanes.store(block, x);
        }
    }
}

/// Centred residues, at most `q/2` in absolute value.
pub(crate) struct CentreJob<'a, T> {
    pub(crate) q: T,
    pub(crate) half: T,
    pub(crate) data: &'a mut [T],
}

impl<T: Word> Job<T> for CentreJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let reduction = R::new(lanes, constants);
        for block in L::blocks_mut(self.data) {
            let x = reduction.canonical(lanes, lanes.load(block));
            lanes.store(block, centred(lanes, x, self.q, self.half));
        }
    }
}

/// `x - q` where `x > half`.
#[inline(always)]
fn centred<L: Lanes>(lanes: L, x: L::V, q: L::Word, half: L::Word) -> L::V {
    let above = lanes.gt(x, lanes.splat(half));
    lanes.sub(x, lanes.and(above, lanes.splat(q)))
}

/// One auxiliary prime and its digit: see [`Exact`](crate::Exact).
#[derive(Clone, Debug)]
pub(crate) struct Digit<T> {
    pub(crate) constants: Constants,
    pub(crate) half: T,
    /// The inverses of the primes before it, as twiddles modulo this one.
    pub(crate) inverses: Vec<[T; 2]>,
    /// What the digit counts modulo `q`, as a twiddle.
    pub(crate) weight: [T; 2],
}

/// Residues modulo auxiliary primes, section by section, to be joined modulo `q` in the first section.
#[doc(hidden)]
#[derive(Debug)]
pub struct Join<'a, T> {
    pub(crate) digits: &'a [Digit<T>],
    pub(crate) length: usize,
    pub(crate) data: &'a mut [T],
}

/// A twiddle of two words, in all lanes.
#[inline(always)]
fn twiddle<L: Lanes, R: Reduction<L>>(lanes: L, words: &[L::Word; 2]) -> R::Twiddle {
    R::twiddle(lanes.splat(words[0]), lanes.splat(words[1]))
}

impl<T: Word> Job<T> for Join<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let (of_q, zero) = (R::new(lanes, constants), lanes.splat(T::default()));
        let (sections, blocks) = (self.length / L::LANES, L::blocks_mut(self.data));
        let mut values = [zero; MAX_PRIMES];
        let mut reductions = [of_q; MAX_PRIMES];
        for (reduction, digit) in reductions.iter_mut().zip(self.digits) {
            *reduction = R::new(lanes, &digit.constants);
        }
        for at in 0..sections {
            let mut total = zero;
            for (i, (digit, reduction)) in self.digits.iter().zip(reductions).enumerate() {
                let Some(block) = blocks.get(i * sections + at) else { return };
                let mut x = lanes.load(block);
                for (value, inverse) in values.iter().zip(&digit.inverses) {
                    [x] = reduction.mul(lanes, [lanes.sub(x, *value)], [twiddle::<L, R>(lanes, inverse)]);
                }
                let x = reduction.canonical(lanes, x);
                let value = centred(lanes, x, L::word(digit.constants.q), digit.half);
                if let Some(place) = values.get_mut(i) {
                    *place = value;
                }
                let [term] = of_q.mul(lanes, [value], [twiddle::<L, R>(lanes, &digit.weight)]);
                total = lanes.add(of_q.reduce(lanes, total), term);
            }
            let Some(block) = blocks.get_mut(at) else { return };
            lanes.store(block, of_q.canonical(lanes, total));
        }
    }
}

/// Canonical residues of words in `(-q, q)`.
pub(crate) struct LiftJob<'a, T> {
    pub(crate) q: T,
    pub(crate) data: &'a mut [T],
}

impl<T: Word> Job<T> for LiftJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, _: &Constants) {
        let (zero, q) = (lanes.splat(T::default()), lanes.splat(self.q));
        for block in L::blocks_mut(self.data) {
            let x = lanes.load(block);
            let negative = lanes.gt(zero, x);
            lanes.store(block, lanes.add(x, lanes.and(negative, q)));
        }
    }
}
