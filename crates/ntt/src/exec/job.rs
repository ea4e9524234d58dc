//! What is computed: networks with their public parameters, apart from words, methods and backends.

use crate::{
    network::{
        self, Blocks, Border, Crossing, Direction, Elementwise, ExactProducts, Fold, LazyNtt, Pass, Residues, SlotStep,
        Step,
    },
    planner::CompiledRing,
};
use core::marker::PhantomData;
use lanes::Bits;

/// What a kernel that runs jobs can do.
pub(crate) trait Full: Residues + ExactProducts {}
impl<K: Residues + ExactProducts> Full for K {}

/// By which method a job is compiled, and for which lanes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By the method of the contract where [`kernels`](crate::kernels) lists it, on values as transforms keep them.
    Transform,
    /// The same on words.
    Products,
    /// The same for methods that add products up in registers ([`Method::sums`](crate::Method::sums)).
    Sums,
    /// On values as transforms keep them, where these are no words: doubles on the vectors of a machine.
    KeptProducts,
    /// Any number of words by their modulus, on every machine: one method for signed words, one for unsigned ones.
    Modulus,
    /// The same one word at a time.
    SingleWords,
    /// By Montgomery's method: on every machine in words of 16 bits, one word at a time in others.
    Inversion,
    /// By Montgomery's method one word at a time, if all methods are compiled.
    Rare,
}

/// A network and its parameters, on `M` sequences of words that it writes and `N` that it reads.
pub(crate) trait Job<const M: usize, const N: usize>: Copy {
    /// How it is compiled.
    const KIND: Kind;
    /// Runs on a kernel; `None` if the table does not fit. Implement with `#[inline(always)]`.
    fn run<K: Full>(self, k: &mut K, out: [&mut [K::Block]; M], input: [&[K::Block]; N]) -> Option<()>;
}

/// What runs jobs on words `T`.
pub(crate) trait Runner<T> {
    /// Runs a job; whether its table was read as it should be.
    fn run<J: Job<M, N>, const M: usize, const N: usize>(self, job: &J, operands: &mut Operands<'_, T, M, N>) -> bool;
}

/// Declares jobs: what they are compiled with, if not always, their kind, their fields, and the network that each one
/// is.
macro_rules! jobs {
    ($($(#[$note:meta])* $([$cfg:meta])? $kind:ident $job:ident $(<$life:lifetime>)? ($m:literal, $n:literal) {
        $($field:ident: $type:ty),* } |$k:ident, $out:pat_param, $in:pat_param| $body:expr;)*) => {
        $(
            $(#[$note])*
            $(#[cfg($cfg)])?
            #[derive(Clone, Copy)]
            pub(crate) struct $job $(<$life>)? {
                $(pub(crate) $field: $type,)*
            }

            $(#[cfg($cfg)])?
            impl $(<$life>)? Job<$m, $n> for $job $(<$life>)? {
                const KIND: Kind = Kind::$kind;
                #[inline(always)]
                fn run<K: Full>(
                    self,
                    $k: &mut K,
                    $out: [&mut [K::Block]; $m],
                    $in: [&[K::Block]; $n],
                ) -> Option<()> {
                    let Self { $($field),* } = self;
                    $body
                }
            }

            $(#[cfg($cfg)])?
            impl<'w, 'a, T> From<(&'w $job $(<$life>)?, &'w mut Operands<'a, T, $m, $n>)> for Work<'w, 'a, T> {
                #[inline(always)]
                fn from((job, operands): (&'w $job $(<$life>)?, &'w mut Operands<'a, T, $m, $n>)) -> Self {
                    Self(AnyJob::$job(job, operands))
                }
            }
        )*

        /// A job of any kind with its words, so that what runs it is compiled in this crate alone.
        enum AnyJob<'w, 'a, T> {
            $($(#[cfg($cfg)])? $job(&'w $job $(<$life>)?, &'w mut Operands<'a, T, $m, $n>),)*
        }

        impl<T> Work<'_, '_, T> {
            /// Runs it.
            #[inline(always)]
            pub(crate) fn by(self, runner: impl Runner<T>) -> bool {
                match self.0 {
                    $($(#[cfg($cfg)])? AnyJob::$job(job, operands) => runner.run(job, operands),)*
                }
            }
        }
    };
}

/// The words of a job, and the table it reads.
pub(crate) struct Operands<'a, T, const M: usize, const N: usize> {
    pub(crate) out: [&'a mut [T]; M],
    pub(crate) input: [&'a [T]; N],
    pub(crate) table: &'a [T],
    /// The part of it that blocks share.
    pub(crate) shared: &'a [T],
    /// The words of the two scaling twiddles, or none.
    pub(crate) scaling: &'a [T],
}

impl<'a, T> Operands<'a, T, 1, 1> {
    /// Those of an operation that reads no addend.
    #[inline(always)]
    pub(crate) fn of(words: &'a mut [T]) -> Self {
        Self::new([words], [&[]])
    }
}

impl<'a, T, const M: usize, const N: usize> Operands<'a, T, M, N> {
    /// Without a table.
    #[inline(always)]
    pub(crate) fn new(out: [&'a mut [T]; M], input: [&'a [T]; N]) -> Self {
        Self { out, input, table: &[], shared: &[], scaling: &[] }
    }

    /// The same words, signed.
    #[inline(always)]
    pub(crate) fn signed(self) -> Operands<'a, T::Signed, M, N>
    where
        T: Bits,
    {
        Operands {
            out: self.out.map(T::signed_mut),
            input: self.input.map(T::signed),
            table: T::signed(self.table),
            shared: T::signed(self.shared),
            scaling: T::signed(self.scaling),
        }
    }
}

/// A job with its words, both borrowed: copies of what was just written would wait for it.
pub struct Work<'w, 'a, T>(AnyJob<'w, 'a, T>);

jobs! {
    /// A forward transform.
    Transform Forward<'w> (1, 0) { passes: &'w [Pass], blocks: &'w [Blocks], steps: &'w [Step], border: Border }
        |k, [data], []| network::forward_of_words(k, data, passes, blocks, steps, border);
    /// An inverse transform.
    Transform Inverse<'w> (1, 0) { passes: &'w [Pass], blocks: &'w [Blocks], steps: &'w [Step], border: Border }
        |k, [data], []| network::inverse_of_words(k, data, passes, blocks, steps, border);
    /// One pass of a forward transform on some columns of one group.
    [feature = "threads"] Transform ForwardColumns<'w> (4, 0) { pass: Pass, steps: &'w [Step] }
        |k, rows, []| network::forward_columns(k, rows, pass, steps);
    /// One pass of an inverse transform on some columns of one group.
    [feature = "threads"] Transform InverseColumns<'w> (4, 0) { pass: Pass, steps: &'w [Step] }
        |k, rows, []| network::inverse_columns(k, rows, pass, steps);
    /// What lies before and after a transform, without one.
    [feature = "threads"] Transform Cross (1, 0) { direction: Direction, border: Border }
        |k, [data], []| cross(k, direction, border, data, |_, _| Some(()));
    /// A transform by LazyNTT.
    Rare LazyTransform<'w> (1, 0) { direction: Direction, shape: &'w LazyNtt, border: Border }
        |k, [data], []| cross(k, direction, border, data, |k, data| network::lazy_ntt(k, shape, data));
    /// Pointwise products.
    Products Pointwise (1, 2) { step: SlotStep, degree: usize }
        |k, [c], [a, b]| network::pointwise(k, step, degree, c, [a, b]);
    /// The same of values as transforms keep them.
    KeptProducts KeptPointwise (1, 2) { step: SlotStep, degree: usize }
        |k, [c], [a, b]| network::kept_pointwise(k, step, degree, c, [a, b]);
    /// Sums of pointwise products of polynomials that begin every `stride` words.
    Sums InnerProduct (1, 2) { step: SlotStep, every: usize, stride: usize, degree: usize }
        |k, [c], [a, b]| {
            let stride = stride >> k.lanes().trailing_zeros();
            network::inner_product(k, step, every, stride, degree, c, [a, b])
        };
    /// Inverses, slot by slot.
    Inversion Inversion (2, 1) { step: SlotStep, groups: usize, degree: usize, exponent: u64 }
        |k, [c, scratch], [a]| network::invert_slots(k, step, [groups, degree], exponent, c, a, scratch);
    /// What needs no more than the modulus, on every word, or on pairs of them.
    Modulus Each (1, 1) { how: Elementwise }
        |k, [data], [addend]| network::elementwise(k, how, data, addend);
    /// Coefficients of a product, folded into those of the ring.
    SingleWords Folding (2, 0) { how: Fold }
        |k, [low, high], []| network::fold(k, how, low, high);
}

/// A transform between its borders.
#[inline(always)]
fn cross<K: Full>(
    k: &mut K,
    direction: Direction,
    border: Border,
    data: &mut [K::Block],
    transform: impl FnOnce(&mut K, &mut [K::Block]) -> Option<()>,
) -> Option<()> {
    let before = direction == Direction::Inverse && border.reduce;
    network::enter(k, data, border.enter, before)?;
    transform(k, data)?;
    match direction {
        Direction::Forward => network::leave_slots(k, data, border.leave, border.reduce),
        Direction::Inverse => network::leave(k, data, border.leave, border.canonical),
    }
}

/// A transform known when the library is compiled, which keeps words as they are.
pub(crate) struct FixedTransform<F> {
    ring: PhantomData<F>,
    border: Border,
}

impl<F> FixedTransform<F> {
    /// Between that border.
    #[inline(always)]
    pub(crate) const fn new(border: Border) -> Self {
        Self { ring: PhantomData, border }
    }
}

impl<F> Clone for FixedTransform<F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F> Copy for FixedTransform<F> {}

impl<F: CompiledRing> Job<1, 0> for FixedTransform<F> {
    const KIND: Kind = Kind::Transform;
    #[inline(always)]
    fn run<K: Full>(self, k: &mut K, [data]: [&mut [K::Block]; 1], []: [&[K::Block]; 0]) -> Option<()> {
        let Border { reduce, canonical, .. } = self.border;
        match F::DIRECTION {
            Direction::Forward => {
                network::forward_fixed::<K, F>(k, data)?;
                network::leave_slots(k, data, Crossing::None, reduce)
            }
            Direction::Inverse => {
                network::enter(k, data, Crossing::None, reduce)?;
                network::inverse_fixed::<K, F>(k, data)?;
                network::leave(k, data, Crossing::None, canonical)
            }
        }
    }
}
