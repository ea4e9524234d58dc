//! The words that coefficients are kept in, and the tasks that carry a plan's networks into a backend.

use crate::{
    called::{Arena, Called, Operations},
    kernel::{Machine, SCALING, Table, broadcast_words},
    network::{self, Pass},
    recipe::Recipe,
    reduction::{Barrett, Constants, Contract, Family, KRed, KRed2x, Method, Montgomery, Reduction, Shoup},
    schedule::{SlotStep, Step},
};
use alloc::vec::Vec;
use core::{
    fmt::{Debug, Display},
    marker::PhantomData,
};
use lanes::{Backend, Lanes, Lanes16, Lanes32, Task16, Task32};

/// A signed word: `i16` or `i32`.
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
    fn compile(recipe: &Recipe, direction: Direction) -> Vec<Call<Self>>;
    #[doc(hidden)]
    fn run_arrays(backend: Backend, contract: &Contract, transform: Transform<'_, Self>, data: &mut [Self]);
    #[doc(hidden)]
    fn slot_products(backend: Backend, contract: &Contract, products: SlotProducts<'_, Self>);
    #[doc(hidden)]
    fn canonical(backend: Backend, contract: &Contract, data: &mut [Self]);
    #[doc(hidden)]
    fn scale(backend: Backend, contract: &Contract, scaling: [Self; SCALING], data: &mut [Self]);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i16 {}
    impl Sealed for i32 {}
}

/// A transform with its tables, as arrays run it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Transform<'a, T> {
    pub(crate) direction: Direction,
    pub(crate) passes: &'a [Pass],
    pub(crate) steps: &'a [Step],
    pub(crate) table: &'a [T],
    pub(crate) scaling: [T; SCALING],
}

/// Which way a transform goes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Inverse,
}

/// A computation on lanes with a reduction.
trait Job<T: Word> {
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants);
}

/// One pass of a plan on a machine: the compiled pass, and what it needs besides the data.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Call<T> {
    run: fn(Backend, &Constants, PassData<'_, T>),
    first: usize,
    size: usize,
    /// Where its rows start in the table.
    start: usize,
}

impl<T: Word> Call<T> {
    /// Runs the pass.
    #[inline]
    pub(crate) fn run(
        &self,
        backend: Backend,
        constants: &Constants,
        table: &[T],
        scaling: [T; SCALING],
        data: &mut [T],
    ) {
        let table = table.get(self.start..).unwrap_or_default();
        (self.run)(backend, constants, PassData { first: self.first, size: self.size, table, scaling, data });
    }
}

/// What a compiled pass works on.
struct PassData<'a, T> {
    first: usize,
    size: usize,
    table: &'a [T],
    scaling: [T; SCALING],
    data: &'a mut [T],
}

/// One pass, of which the layers and what they reduce are constants: `KIND` counts the variants of [`Pass`], layers of
/// neighbouring vectors apart, `S0` and `S1` those of [`Step`].
struct PassJob<'a, T, const INVERSE: bool, const KIND: u8, const S0: u8, const S1: u8>(PassData<'a, T>);

/// The steps by number.
const STEPS: [Step; 4] = [Step::Plain, Step::Grown, Step::Sums, Step::Both];

impl<T: Word, const INVERSE: bool, const KIND: u8, const S0: u8, const S1: u8> Job<T>
    for PassJob<'_, T, INVERSE, KIND, S0, S1>
{
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let inside_vectors = matches!(KIND, 2..=6);
        let never_planned = (L::LANES == 1 && inside_vectors)
            || ((S0 == 3 || S1 == 3) && !R::LIMITED)
            || (INVERSE && S0 == 1 && KIND != 1 && KIND != 9);
        if never_planned {
            return; // and so never compiled
        }
        let PassData { first, size, table, scaling, data } = self.0;
        let pass = match KIND {
            0 => Pass::Outer { first, levels: 1, stride: size },
            1 => Pass::Outer { first, levels: 2, stride: size },
            2 => Pass::Inner { first, from: 0, levels: 1 },
            3 => Pass::Inner { first, from: 0, levels: 2 },
            4 => Pass::Inner { first, from: 2, levels: 1 },
            5 => Pass::Inner { first, from: 2, levels: 2 },
            6 => Pass::Split { bits: size as u32 },
            7 => Pass::Reduce,
            8 => Pass::Outer { first, levels: 1, stride: 1 },
            _ => Pass::Outer { first, levels: 2, stride: 1 },
        };
        let steps = [STEPS[S0 as usize], STEPS[S1 as usize]];
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(table, scaling));
        let data = L::blocks_mut(data);
        if INVERSE {
            network::inverse_pass(&mut machine, data, pass, steps);
        } else {
            network::forward_pass(&mut machine, data, pass, steps);
        }
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

/// A whole transform over arrays, behind calls.
struct CalledJob<'a, T> {
    transform: Transform<'a, T>,
    data: &'a mut [T],
}

impl<T: Word> Job<T> for CalledJob<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let Transform { direction, passes, steps, table, scaling } = self.transform;
        let machine = Machine::<L, R>::new(lanes, constants, Table::new(table, scaling));
        let data = L::blocks_mut(self.data);
        let mut blocks: Vec<usize> = (0..data.len()).collect();
        called(direction, &mut Arena::new(machine, data), &mut blocks, passes, steps);
    }
}

/// The one copy of each network that all array shapes share.
#[inline(never)]
fn called(direction: Direction, on: &mut dyn Operations, data: &mut [usize], passes: &[Pass], steps: &[Step]) {
    match direction {
        Direction::Forward => network::forward(&mut Called(on), data, passes, steps),
        Direction::Inverse => network::inverse(&mut Called(on), data, passes, steps),
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

/// A job with the method it runs by.
struct By<'a, F, J> {
    family: PhantomData<F>,
    constants: &'a Constants,
    job: J,
}

impl<F: Family, J: Job<i16>> Task16 for By<'_, F, J> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes16>(self, lanes: L) {
        self.job.run::<L, F::On16<L>>(lanes, self.constants);
    }
}

impl<F: Family, J: Job<i32>> Task32 for By<'_, F, J> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes32>(self, lanes: L) {
        self.job.run::<L, F::On32<L>>(lanes, self.constants);
    }
}

/// The variant of [`Pass`] as a number, its first layer, and its stride or bits.
const fn kind(pass: Pass) -> (u8, usize, usize) {
    match pass {
        Pass::Outer { first, levels, stride: 1 } => (levels as u8 + 7, first, 1),
        Pass::Outer { first, levels, stride } => (levels as u8 - 1, first, stride),
        Pass::Inner { first, from, levels } => (from as u8 + levels as u8 + 1, first, 0),
        Pass::Split { bits } => (6, 0, bits as usize),
        Pass::Reduce => (7, 0, 0),
    }
}

/// Runs `$job` by the method of `$contract` on `$backend`.
macro_rules! by_method {
    ($run:ident, $backend:expr, $contract:expr, $job:expr) => {{
        let (constants, job) = ($contract.constants(), $job);
        match $contract.method() {
            Method::Montgomery => $backend.$run(By::<Montgomery, _> { family: PhantomData, constants, job }),
            Method::Barrett => $backend.$run(By::<Barrett, _> { family: PhantomData, constants, job }),
            Method::Shoup => $backend.$run(By::<Shoup, _> { family: PhantomData, constants, job }),
            Method::KRed => $backend.$run(By::<KRed, _> { family: PhantomData, constants, job }),
            Method::KRed2x => $backend.$run(By::<KRed2x, _> { family: PhantomData, constants, job }),
        }
    }};
}

macro_rules! word {
    ($word:ty, $bits:literal, $run:ident, $run_arrays:ident) => {
        impl Word for $word {
            const BITS: u32 = $bits;

            fn compile(recipe: &Recipe, direction: Direction) -> Vec<Call<Self>> {
                let (passes, steps) = match direction {
                    Direction::Forward => (&recipe.forward, &recipe.schedules.forward),
                    Direction::Inverse => (&recipe.inverse, &recipe.schedules.inverse),
                };
                let (lanes, repeat) = (recipe.lanes(), recipe.backend.repeat($bits));
                let words = recipe.method.twiddle_words();
                let mut start = 0;
                let mut call = |pass: &Pass| {
                    let (kind, first, size) = kind(*pass);
                    let run = select(recipe.method, direction, kind, pass.steps(steps).map(|s| s as u8));
                    let call = Call { run, first, size, start };
                    let (rows, broadcast, lanewise) = pass.rows(recipe.n / lanes);
                    start += rows * (broadcast_words(broadcast, words, repeat, lanes) + lanewise * words * lanes);
                    call
                };
                return match direction {
                    Direction::Forward => passes.iter().map(&mut call).collect(),
                    Direction::Inverse => passes.iter().rev().map(&mut call).collect(),
                };

                /// The compiled pass of that method, direction, kind and steps.
                fn select(
                    method: Method,
                    direction: Direction,
                    kind: u8,
                    [s0, s1]: [u8; 2],
                ) -> fn(Backend, &Constants, PassData<'_, $word>) {
                    match method {
                        Method::Montgomery => by::<Montgomery>(direction, kind, s0, s1),
                        Method::Barrett => by::<Barrett>(direction, kind, s0, s1),
                        Method::Shoup => by::<Shoup>(direction, kind, s0, s1),
                        Method::KRed => by::<KRed>(direction, kind, s0, s1),
                        Method::KRed2x => by::<KRed2x>(direction, kind, s0, s1),
                    }
                }

                fn by<F: Family>(
                    direction: Direction,
                    kind: u8,
                    s0: u8,
                    s1: u8,
                ) -> fn(Backend, &Constants, PassData<'_, $word>) {
                    macro_rules! by_kind {
                        ($inverse:literal $s0:literal $s1:literal) => {
                            match kind {
                                0 => run_pass::<F, $inverse, 0, $s0, 0>,
                                1 => run_pass::<F, $inverse, 1, $s0, $s1>,
                                2 => run_pass::<F, $inverse, 2, $s0, 0>,
                                3 => run_pass::<F, $inverse, 3, $s0, $s1>,
                                4 => run_pass::<F, $inverse, 4, $s0, 0>,
                                5 => run_pass::<F, $inverse, 5, $s0, $s1>,
                                6 => run_pass::<F, $inverse, 6, 0, 0>,
                                7 => run_pass::<F, $inverse, 7, 0, 0>,
                                8 => run_pass::<F, $inverse, 8, $s0, 0>,
                                _ => run_pass::<F, $inverse, 9, $s0, $s1>,
                            }
                        };
                    }
                    match (direction, s0, s1) {
                        (Direction::Forward, 0, 0) => by_kind!(false 0 0),
                        (Direction::Forward, 0, 1 | 2) => by_kind!(false 0 1),
                        (Direction::Forward, 1 | 2, 0) => by_kind!(false 1 0),
                        (Direction::Forward, 1 | 2, 1 | 2) => by_kind!(false 1 1),
                        (Direction::Forward, ..) => by_kind!(false 3 3),
                        (Direction::Inverse, 0, 0) => by_kind!(true 0 0),
                        (Direction::Inverse, 0, 1 | 2) => by_kind!(true 0 2),
                        (Direction::Inverse, 1, 0) => by_kind!(true 1 0),
                        (Direction::Inverse, 1, 1 | 2) => by_kind!(true 1 2),
                        (Direction::Inverse, 2, 0) => by_kind!(true 2 0),
                        (Direction::Inverse, 2, 1 | 2) => by_kind!(true 2 2),
                        (Direction::Inverse, ..) => by_kind!(true 3 3),
                    }
                }

                fn run_pass<F: Family, const INVERSE: bool, const KIND: u8, const S0: u8, const S1: u8>(
                    backend: Backend,
                    constants: &Constants,
                    data: PassData<'_, $word>,
                ) {
                    let job = PassJob::<$word, INVERSE, KIND, S0, S1>(data);
                    backend.$run(By::<F, _> { family: PhantomData, constants, job });
                }
            }

            fn run_arrays(backend: Backend, contract: &Contract, transform: Transform<'_, Self>, data: &mut [Self]) {
                by_method!($run_arrays, backend, contract, CalledJob { transform, data });
            }

            fn slot_products(backend: Backend, contract: &Contract, products: SlotProducts<'_, Self>) {
                if backend.is_array() {
                    by_method!($run_arrays, backend, contract, products);
                } else {
                    by_method!($run, backend, contract, products);
                }
            }

            fn scale(backend: Backend, contract: &Contract, scaling: [Self; SCALING], data: &mut [Self]) {
                if backend.is_array() {
                    by_method!($run_arrays, backend, contract, ScaleJob { scaling, data });
                } else {
                    by_method!($run, backend, contract, ScaleJob { scaling, data });
                }
            }

            fn canonical(backend: Backend, contract: &Contract, data: &mut [Self]) {
                let (constants, job) = (contract.constants(), CanonicalJob(data));
                let task = By::<Montgomery, _> { family: PhantomData, constants, job };
                if backend.is_array() { backend.$run_arrays(task) } else { backend.$run(task) }
            }
        }
    };
}

word!(i16, 16, run16, run_arrays16);
word!(i32, 32, run32, run_arrays32);
