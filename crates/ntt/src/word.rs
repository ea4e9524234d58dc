//! The words that coefficients are kept in, and the tasks that carry a plan's networks into a backend.

use crate::{
    called::{Arena, Called, Operations},
    kernel::{Machine, SCALING, Table},
    network::{self, Pass},
    reduction::{Barrett, Constants, Contract, Family, KRed, KRed2x, Method, Montgomery, Reduction, Shoup},
    schedule::{Dynamic, SlotStep},
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
    fn dispatch<J: Job<Self>>(backend: Backend, contract: &Contract, job: J);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i16 {}
    impl Sealed for i32 {}
}

/// A network to run on lanes with a reduction, with its tables and data.
#[doc(hidden)]
pub trait Job<T: Word> {
    #[doc(hidden)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants);
}

pub(crate) struct Forward<'a, T> {
    pub(crate) passes: &'a [Pass],
    pub(crate) schedule: Dynamic<'a>,
    pub(crate) table: &'a [T],
    pub(crate) data: &'a mut [T],
}

impl<T: Word> Job<T> for Forward<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(self.table, [T::default(); SCALING]));
        let data = L::blocks_mut(self.data);
        if L::CALLS {
            let mut blocks: Vec<usize> = (0..data.len()).collect();
            called::forward(&mut Arena::new(machine, data), self.schedule, &mut blocks, self.passes);
        } else {
            network::forward(&mut machine, self.schedule, data, self.passes);
        }
    }
}

pub(crate) struct Inverse<'a, T> {
    pub(crate) passes: &'a [Pass],
    pub(crate) schedule: Dynamic<'a>,
    pub(crate) table: &'a [T],
    pub(crate) scaling: [T; SCALING],
    pub(crate) data: &'a mut [T],
}

impl<T: Word> Job<T> for Inverse<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(self.table, self.scaling));
        let data = L::blocks_mut(self.data);
        if L::CALLS {
            let mut blocks: Vec<usize> = (0..data.len()).collect();
            called::inverse(&mut Arena::new(machine, data), self.schedule, &mut blocks, self.passes);
        } else {
            network::inverse(&mut machine, self.schedule, data, self.passes);
        }
    }
}

pub(crate) struct SlotProducts<'a, T> {
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

pub(crate) struct Canonical<'a, T>(pub(crate) &'a mut [T]);

impl<T: Word> Job<T> for Canonical<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let reduction = R::new(lanes, constants);
        for block in L::blocks_mut(self.0) {
            let x = reduction.canonical(lanes, lanes.load(block));
            lanes.store(block, x);
        }
    }
}

/// The one copy of each network that all array shapes share.
mod called {
    use super::{Called, Dynamic, Operations, Pass, network};

    #[inline(never)]
    pub(super) fn forward(operations: &mut dyn Operations, schedule: Dynamic<'_>, data: &mut [usize], passes: &[Pass]) {
        network::forward(&mut Called(operations), schedule, data, passes);
    }

    #[inline(never)]
    pub(super) fn inverse(operations: &mut dyn Operations, schedule: Dynamic<'_>, data: &mut [usize], passes: &[Pass]) {
        network::inverse(&mut Called(operations), schedule, data, passes);
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

macro_rules! word {
    ($word:ty, $bits:literal, $run:ident) => {
        impl Word for $word {
            const BITS: u32 = $bits;

            fn dispatch<J: Job<Self>>(backend: Backend, contract: &Contract, job: J) {
                fn by<F: Family, J: Job<$word>>(backend: Backend, constants: &Constants, job: J) {
                    backend.$run(By::<F, J> { family: PhantomData, constants, job });
                }
                let constants = contract.constants();
                match contract.method() {
                    Method::Montgomery => by::<Montgomery, J>(backend, constants, job),
                    Method::Barrett => by::<Barrett, J>(backend, constants, job),
                    Method::Shoup => by::<Shoup, J>(backend, constants, job),
                    Method::KRed => by::<KRed, J>(backend, constants, job),
                    Method::KRed2x => by::<KRed2x, J>(backend, constants, job),
                }
            }
        }
    };
}

word!(i16, 16, run16);
word!(i32, 32, run32);
