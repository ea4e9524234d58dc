//! The words that coefficients are kept in, and the tasks that carry a plan's networks into a backend.

use crate::{
    called::{Arena, Called, Operations},
    exact::MAX_PRIMES,
    inverses::{CalledInversion, Inversion},
    kernel::{Kernel, Machine, SCALING, Table},
    network::{self, Pass},
    recipe::Recipe,
    reduction::{Barrett, ByFamily, Constants, Contract, Family, Method, Montgomery, Reduction},
    registered::{self, Registered},
    schedule::{SlotStep, Step},
};
use alloc::vec::Vec;
use core::{
    fmt::{Debug, Display},
    marker::PhantomData,
};
use lanes::{Backend, Lanes, Lanes16, LanesWide, Task16, Task32, Task64};

/// A signed word: `i16`, `i32` or `i64`.
pub trait Word:
    Copy + Default + Debug + Display + Eq + Ord + Send + Sync + Into<i64> + TryFrom<i64> + sealed::Sealed + 'static
{
    /// Its width.
    const BITS: u32;

    /// The word of a number that fits.
    fn from_i64(x: i64) -> Self {
        Self::try_from(x).ok().expect("the number fits the word")
    }

    #[doc(hidden)]
    fn select(recipe: &Recipe, direction: Direction) -> Run<Self>;
    #[doc(hidden)]
    fn slot_products(backend: Backend, contract: &Contract, products: SlotProducts<'_, Self>);
    #[doc(hidden)]
    fn slot_sums(backend: Backend, contract: &Contract, stride: usize, terms: SlotProducts<'_, Self>);
    #[doc(hidden)]
    fn add_reduced(backend: Backend, contract: &Contract, data: &mut [Self], addend: &[Self]);
    #[doc(hidden)]
    fn slot_inverses(backend: Backend, contract: &Contract, inversion: Inversion<'_, Self>);
    #[doc(hidden)]
    fn scale_and_add(
        backend: Backend,
        contract: &Contract,
        scaling: [Self; SCALING],
        data: &mut [Self],
        addend: &[Self],
    );
    #[doc(hidden)]
    fn reduce(backend: Backend, contract: &Contract, data: &mut [Self]);
    #[doc(hidden)]
    fn canonical(backend: Backend, contract: &Contract, data: &mut [Self]);
    #[doc(hidden)]
    fn lift(backend: Backend, contract: &Contract, data: &mut [Self]);
    #[doc(hidden)]
    fn scale(backend: Backend, contract: &Contract, scaling: [Self; SCALING], data: &mut [Self]);
    #[doc(hidden)]
    fn centre(backend: Backend, contract: &Contract, data: &mut [Self]);
    #[doc(hidden)]
    fn join(backend: Backend, contract: &Contract, join: Join<'_, Self>);
    #[doc(hidden)]
    fn add_to(data: &mut [Self], addend: &[Self], negative: bool);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i16 {}
    impl Sealed for i32 {}
    impl Sealed for i64 {}
}

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

/// Runs a transform on a backend.
#[doc(hidden)]
pub(crate) type Run<T> = fn(Backend, &Constants, Transform<'_, T>);

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
struct AnyJob<'a, T, const INVERSE: bool, const LAZY: bool>(Transform<'a, T>);

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
struct FixedJob<'a, T, F>(Transform<'a, T>, PhantomData<F>);

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
struct ReduceJob<'a, T>(&'a mut [T]);

impl<T: Word> Job<T> for ReduceJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(&[], [T::default(); SCALING]));
        network::reduce(&mut machine, L::blocks_mut(self.0));
    }
}

/// A multiplication by the first scaling twiddle.
struct ScaleJob<'a, T> {
    scaling: [T; SCALING],
    data: &'a mut [T],
}

impl<T: Word> Job<T> for ScaleJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(&[], self.scaling));
        network::scale(&mut machine, L::blocks_mut(self.data));
    }
}

/// A transform over arrays, behind calls.
struct CalledJob<'a, T, const INVERSE: bool>(Transform<'a, T>);

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

/// The same, plus an addend, in canonical residues.
struct ScaleAndAddJob<'a, T> {
    scaling: [T; SCALING],
    data: &'a mut [T],
    addend: &'a [T],
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

/// Sums of products slot by slot, of degree one, of polynomials that begin every `stride` words; added to what is there.
struct SumsJob<'a, T> {
    stride: usize,
    terms: SlotProducts<'a, T>,
}

impl<T: Word> Job<T> for SumsJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let SlotProducts { step, c, a, b, .. } = self.terms;
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(&[], [T::default(); SCALING]));
        let (mut rest, stride) = (L::blocks_mut(c), self.stride / L::LANES);
        let (a, b) = (L::blocks(a), L::blocks(b));
        // Part by part, so that sums stay in the nearest cache; then term by term, each read in order.
        let mut from = 0;
        while !rest.is_empty() {
            let Some((part, after)) = rest.split_at_mut_checked(rest.len().min(PART)) else { return };
            let (length, mut at) = (part.len(), from);
            while let (Some(a), Some(b)) = (a.get(at..at + length), b.get(at..at + length)) {
                network::add_pointwise(&mut machine, step, part, a, b);
                at += stride;
            }
            from += length;
            rest = after;
        }
    }
}

/// Vectors whose sums are added up together.
const PART: usize = 128;

/// Sums, reduced.
struct AddReducedJob<'a, T> {
    data: &'a mut [T],
    addend: &'a [T],
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
struct CalledProducts<'a, T>(SlotProducts<'a, T>);

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
struct CanonicalJob<'a, T>(&'a mut [T]);

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
struct CentreJob<'a, T> {
    q: T,
    half: T,
    data: &'a mut [T],
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
struct LiftJob<'a, T> {
    q: T,
    data: &'a mut [T],
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

/// A job with the method it runs by.
struct By<'a, F, J> {
    family: PhantomData<F>,
    constants: &'a Constants,
    job: J,
}

/// Jobs on those words as tasks on those lanes, with the reduction that the family has for them.
macro_rules! job_as_task {
    ($word:ty, $task:ident, $lanes:ident, $on:ident) => {
        impl<F: Family, J: Job<$word>> $task for By<'_, F, J> {
            type Output = ();
            #[inline(always)]
            fn run<L: $lanes<Word = $word>>(self, lanes: L) {
                self.job.run::<L, F::$on<L>>(lanes, self.constants);
            }
        }
    };
}

job_as_task!(i16, Task16, Lanes16, On16);
job_as_task!(i32, Task32, LanesWide, OnWide);
job_as_task!(i64, Task64, LanesWide, OnWide);

/// Carries jobs on words of one width into a backend, by the method `F`.
trait Carry: Word {
    fn to_machine<F: Family>(backend: Backend, constants: &Constants, job: impl Job<Self>);
    fn to_arrays<F: Family>(backend: Backend, constants: &Constants, job: impl Job<Self>);

    fn to_any<F: Family>(backend: Backend, constants: &Constants, job: impl Job<Self>) {
        if backend.is_array() {
            Self::to_arrays::<F>(backend, constants, job);
        } else {
            Self::to_machine::<F>(backend, constants, job);
        }
    }

    /// By that method, on any backend.
    fn by(method: Method, backend: Backend, constants: &Constants, job: impl Job<Self>) {
        method.by(OnAny { backend, constants, job, word: PhantomData });
    }
}

/// A job on words `T` that waits for its method.
struct OnAny<'a, T, J> {
    backend: Backend,
    constants: &'a Constants,
    job: J,
    word: PhantomData<T>,
}

impl<T: Carry, J: Job<T>> ByFamily for OnAny<'_, T, J> {
    type Output = ();
    fn by<F: Family>(self, _: F) {
        T::to_any::<F>(self.backend, self.constants, self.job);
    }
}

/// Slot products that wait for their method.
struct Products<'a, T> {
    backend: Backend,
    constants: &'a Constants,
    products: SlotProducts<'a, T>,
}

impl<T: Carry> ByFamily for Products<'_, T> {
    type Output = ();
    fn by<F: Family>(self, _: F) {
        if self.backend.is_array() {
            T::to_arrays::<F>(self.backend, self.constants, CalledProducts(self.products));
        } else {
            T::to_machine::<F>(self.backend, self.constants, self.products);
        }
    }
}

/// Sums of slot products that wait for their method; not for arrays.
struct Sums<'a, T> {
    backend: Backend,
    constants: &'a Constants,
    stride: usize,
    terms: SlotProducts<'a, T>,
}

impl<T: Carry> ByFamily for Sums<'_, T> {
    type Output = ();
    fn by<F: Family>(self, _: F) {
        let Self { backend, constants, stride, terms } = self;
        T::to_machine::<F>(backend, constants, SumsJob { stride, terms });
    }
}

/// The compiled transform for a recipe of any ring.
struct AnyRing<T> {
    on_arrays: bool,
    direction: Direction,
    word: PhantomData<T>,
}

impl<T: Carry> ByFamily for AnyRing<T> {
    type Output = Run<T>;
    fn by<F: Family>(self, _: F) -> Run<T> {
        match (self.direction, self.on_arrays) {
            (Direction::Forward, true) => |b, c, t| T::to_arrays::<F>(b, c, CalledJob::<_, false>(t)),
            (Direction::Inverse, true) => |b, c, t| T::to_arrays::<F>(b, c, CalledJob::<_, true>(t)),
            (Direction::Forward, false) => |b, c, t| T::to_machine::<F>(b, c, AnyJob::<_, false, false>(t)),
            (Direction::Inverse, false) => |b, c, t| T::to_machine::<F>(b, c, AnyJob::<_, true, false>(t)),
        }
    }
}

/// Runs a registered transform.
fn run_registered<T: Carry, F: Registered<Word = T>>(
    backend: Backend,
    constants: &Constants,
    transform: Transform<'_, T>,
) {
    T::to_machine::<F::Method>(backend, constants, FixedJob::<_, F>(transform, PhantomData));
}

macro_rules! word {
    ($word:ty, $bits:literal, $run:ident, $run_arrays:ident, [$($registered:ident)*]) => {
        impl Word for $word {
            const BITS: u32 = $bits;

            fn select(recipe: &Recipe, direction: Direction) -> Run<Self> {
                $(if registered::is::<registered::$registered>(recipe, direction) {
                    return run_registered::<_, registered::$registered>;
                })*
                if recipe.schedules.lazy > 1 {
                    return match direction {
                        Direction::Forward => |b, c, t| Self::to_machine::<Montgomery>(b, c, AnyJob::<_, false, true>(t)),
                        Direction::Inverse => |b, c, t| Self::to_machine::<Montgomery>(b, c, AnyJob::<_, true, true>(t)),
                    };
                }
                let on_arrays = recipe.backend.is_array();
                recipe.method.by(AnyRing { on_arrays, direction, word: PhantomData })
            }

            fn slot_products(backend: Backend, contract: &Contract, products: SlotProducts<'_, Self>) {
                contract.method().by(Products { backend, constants: contract.constants(), products });
            }

            fn slot_sums(backend: Backend, contract: &Contract, stride: usize, terms: SlotProducts<'_, Self>) {
                contract.method().by(Sums { backend, constants: contract.constants(), stride, terms });
            }

            fn add_reduced(backend: Backend, contract: &Contract, data: &mut [Self], addend: &[Self]) {
                Self::to_any::<Montgomery>(backend, contract.constants(), AddReducedJob { data, addend });
            }

            fn slot_inverses(backend: Backend, contract: &Contract, inversion: Inversion<'_, Self>) {
                if backend.is_array() {
                    Self::to_arrays::<Montgomery>(backend, contract.constants(), CalledInversion(inversion));
                } else {
                    Self::to_machine::<Montgomery>(backend, contract.constants(), inversion);
                }
            }

            fn scale(backend: Backend, contract: &Contract, scaling: [Self; SCALING], data: &mut [Self]) {
                Self::by(contract.method(), backend, contract.constants(), ScaleJob { scaling, data });
            }

            fn scale_and_add(
                backend: Backend,
                contract: &Contract,
                scaling: [Self; SCALING],
                data: &mut [Self],
                addend: &[Self],
            ) {
                let job = ScaleAndAddJob { scaling, data, addend };
                Self::by(contract.method(), backend, contract.constants(), job);
            }

            fn reduce(backend: Backend, contract: &Contract, data: &mut [Self]) {
                Self::by(contract.method(), backend, contract.constants(), ReduceJob(data));
            }

            fn canonical(backend: Backend, contract: &Contract, data: &mut [Self]) {
                Self::to_any::<Montgomery>(backend, contract.constants(), CanonicalJob(data));
            }

            fn centre(backend: Backend, contract: &Contract, data: &mut [Self]) {
                let q = Self::from_i64(contract.constants().q);
                let job = CentreJob { q, half: q / 2, data };
                Self::to_any::<Barrett>(backend, contract.constants(), job);
            }

            fn join(backend: Backend, contract: &Contract, join: Join<'_, Self>) {
                Self::to_any::<Barrett>(backend, contract.constants(), join);
            }

            fn add_to(data: &mut [Self], addend: &[Self], negative: bool) {
                for (x, y) in data.iter_mut().zip(addend) {
                    *x = if negative { x.wrapping_sub(*y) } else { x.wrapping_add(*y) };
                }
            }

            fn lift(backend: Backend, contract: &Contract, data: &mut [Self]) {
                let q = Self::from_i64(contract.constants().q);
                Self::to_any::<Montgomery>(backend, contract.constants(), LiftJob { q, data });
            }
        }

        impl Carry for $word {
            fn to_machine<F: Family>(backend: Backend, constants: &Constants, job: impl Job<Self>) {
                backend.$run(By::<F, _> { family: PhantomData, constants, job });
            }
            fn to_arrays<F: Family>(backend: Backend, constants: &Constants, job: impl Job<Self>) {
                backend.$run_arrays(By::<F, _> { family: PhantomData, constants, job });
            }
        }
    };
}

word!(i16, 16, run16, run_arrays16, [
    Forward1024Q12289 Inverse1024Q12289 Forward256Q3329 Inverse256Q3329 Inverse256Q3329Lazy Forward768Q7681 Inverse768Q7681
]);
word!(i32, 32, run32, run_arrays32, [Forward1024Q12289KRed Inverse1024Q12289KRed]);
word!(i64, 64, run64, run_arrays64, []);
