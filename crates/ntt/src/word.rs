//! The words that coefficients are kept in, and how jobs on them are carried into a backend.

use crate::{
    inverses::{CalledInversion, Inversion},
    jobs::{
        AddReducedJob, AnyJob, CalledJob, CalledProducts, CanonicalJob, CentreJob, Direction, FixedJob, Job, Join,
        LiftJob, ReduceJob, ScaleAndAddJob, ScaleJob, SlotProducts, SlotSums, Transform,
    },
    kernel::SCALING,
    recipe::Recipe,
    reduction::{Barrett, ByFamily, Constants, Contract, Family, Method, Montgomery},
    registered::{self, Registered},
};
use core::{
    fmt::{Debug, Display},
    marker::PhantomData,
};
use lanes::{Backend, Lanes16, LanesWide, Task16, Task32, Task64};

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
    fn slot_sums(backend: Backend, contract: &Contract, sums: SlotSums<'_, Self>);
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

/// Runs a transform on a backend.
#[doc(hidden)]
pub(crate) type Run<T> = fn(Backend, &Constants, Transform<'_, T>);

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
    ($word:ty, $bits:literal, $run:ident, $run_on_machine:ident, [$($registered:ident)*]) => {
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

            fn slot_sums(backend: Backend, contract: &Contract, sums: SlotSums<'_, Self>) {
                Self::to_machine::<Montgomery>(backend, contract.constants(), sums);
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
                backend.$run_on_machine(By::<F, _> { family: PhantomData, constants, job });
            }
            fn to_arrays<F: Family>(backend: Backend, constants: &Constants, job: impl Job<Self>) {
                backend.$run(By::<F, _> { family: PhantomData, constants, job });
            }
        }
    };
}

word!(i16, 16, run16, run_on_machine16, [
    Forward1024Q12289 Inverse1024Q12289 Forward256Q3329 Inverse256Q3329 Inverse256Q3329Lazy Forward768Q7681 Inverse768Q7681
]);
word!(i32, 32, run32, run_on_machine32, [Forward1024Q12289KRed Inverse1024Q12289KRed]);
word!(i64, 64, run64, run_on_machine64, []);
