//! The words that coefficients are kept in, and the tasks that carry a plan's networks into a backend.

use crate::{
    kernel::{Machine, Table},
    network::{self, Pass},
    reduction::{Barrett, Constants, Contract, Family, KRed, KRed2x, Method, Montgomery, Reduction, Shoup},
    schedule::{Dynamic, SlotStep},
};
use core::fmt::{Debug, Display};
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
    fn dispatch(backend: Backend, contract: &Contract, job: Job<'_, Self>);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i16 {}
    impl Sealed for i32 {}
}

/// A network to run, with its tables and data.
#[doc(hidden)]
#[derive(Debug)]
pub enum Job<'a, T> {
    Forward { passes: &'a [Pass], schedule: Dynamic<'a>, table: &'a [T], data: &'a mut [T] },
    Inverse { passes: &'a [Pass], schedule: Dynamic<'a>, table: &'a [T], scaling: &'a [T], data: &'a mut [T] },
    Slots { step: SlotStep, degree: usize, table: &'a [T], c: &'a mut [T], a: &'a [T], b: &'a [T] },
    Canonical { data: &'a mut [T] },
}

/// A job with the method it runs by.
struct By<'a, F, T> {
    family: core::marker::PhantomData<F>,
    constants: &'a Constants,
    job: Job<'a, T>,
}

/// Runs a job on lanes with a reduction.
#[inline(always)]
fn run<L: Lanes, R: Reduction<L>>(lanes: L, constants: &Constants, job: Job<'_, L::Word>) {
    let machine = |table, scaling| Machine::<L, R>::new(lanes, constants, Table::new(table, scaling));
    match job {
        Job::Forward { passes, schedule, table, data } => {
            network::forward(&mut machine(table, &[]), schedule, L::blocks_mut(data), passes);
        }
        Job::Inverse { passes, schedule, table, scaling, data } => {
            network::inverse(&mut machine(table, scaling), schedule, L::blocks_mut(data), passes);
        }
        Job::Slots { step, degree, table, c, a, b } => {
            let (c, a, b) = (L::blocks_mut(c), L::blocks(a), L::blocks(b));
            network::slot_products(&mut machine(table, &[]), step, degree, c, a, b);
        }
        Job::Canonical { data } => {
            let reduction = R::new(lanes, constants);
            for block in L::blocks_mut(data) {
                let x = reduction.canonical(lanes, lanes.load(block));
                lanes.store(block, x);
            }
        }
    }
}

impl<F: Family> Task16 for By<'_, F, i16> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes16>(self, lanes: L) {
        run::<L, F::On16<L>>(lanes, self.constants, self.job);
    }
}

impl<F: Family> Task32 for By<'_, F, i32> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes32>(self, lanes: L) {
        run::<L, F::On32<L>>(lanes, self.constants, self.job);
    }
}

macro_rules! word {
    ($word:ty, $bits:literal, $run:ident) => {
        impl Word for $word {
            const BITS: u32 = $bits;

            fn dispatch(backend: Backend, contract: &Contract, job: Job<'_, Self>) {
                fn by<F: Family>(backend: Backend, constants: &Constants, job: Job<'_, $word>) {
                    backend.$run(By::<F, $word> { family: core::marker::PhantomData, constants, job });
                }
                let constants = contract.constants();
                match contract.method() {
                    Method::Montgomery => by::<Montgomery>(backend, constants, job),
                    Method::Barrett => by::<Barrett>(backend, constants, job),
                    Method::Shoup => by::<Shoup>(backend, constants, job),
                    Method::KRed => by::<KRed>(backend, constants, job),
                    Method::KRed2x => by::<KRed2x>(backend, constants, job),
                }
            }
        }
    };
}

word!(i16, 16, run16);
word!(i32, 32, run32);
