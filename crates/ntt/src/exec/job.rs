//! What is computed: networks with their public parameters, apart from words, methods and backends.

use crate::network::{self, Blocks, Border, ExactProducts, Fixed, Fold, LazyNtt, Pass, Residues, SlotStep, Step};
use core::marker::PhantomData;
use lanes::Bits;

/// What a kernel that runs jobs can do.
pub(crate) trait Full: Residues + ExactProducts {}
impl<K: Residues + ExactProducts> Full for K {}

/// A network and its parameters, on `M` sequences of words that it writes and `N` that it reads.
pub(crate) trait Job<const M: usize, const N: usize> {
    /// Runs on a kernel; `None` if the table does not fit. Implement with `#[inline(always)]`.
    fn run<K: Full>(self, k: &mut K, out: [&mut [K::Block]; M], input: [&[K::Block]; N]) -> Option<()>;
}

/// How jobs of a kind are compiled.
pub(crate) trait Kinds<T> {
    /// By the method of the contract, if [`kernels`](crate::kernels) lists it.
    fn listed<const M: usize, const N: usize>(
        self,
        job: &(impl Job<M, N> + Copy),
        operands: &mut Operands<'_, T, M, N>,
    ) -> bool;
    /// By the method of the contract on what transforms keep, if [`kernels`](crate::kernels) lists it.
    fn inside<const M: usize, const N: usize>(
        self,
        job: &(impl Job<M, N> + Copy),
        operands: &mut Operands<'_, T, M, N>,
    ) -> bool;
    /// The same for doubles on vectors of a machine alone.
    fn doubles<const M: usize, const N: usize>(
        self,
        job: &(impl Job<M, N> + Copy),
        operands: &mut Operands<'_, T, M, N>,
    ) -> bool;
    /// Without twiddles, modulo any number: by Barrett's method on any machine.
    fn plain<const M: usize, const N: usize>(
        self,
        job: &(impl Job<M, N> + Copy),
        operands: &mut Operands<'_, T, M, N>,
    ) -> bool;
    /// The same for any number of words, with or without sign: those that do not fill a vector are taken one by one.
    fn each<const M: usize, const N: usize>(
        self,
        job: &(impl Job<M, N> + Copy),
        operands: &mut Operands<'_, T, M, N>,
    ) -> bool;
    /// By Montgomery's method on any machine.
    fn montgomery<const M: usize, const N: usize>(
        self,
        job: &(impl Job<M, N> + Copy),
        operands: &mut Operands<'_, T, M, N>,
    ) -> bool;
    /// By the method of the contract, if [`kernels`](crate::kernels) lists it or if it is Montgomery's.
    fn listed_or_montgomery<const M: usize, const N: usize>(
        self,
        job: &(impl Job<M, N> + Copy),
        operands: &mut Operands<'_, T, M, N>,
    ) -> bool;
    /// By Montgomery's method on single words, if all methods are compiled.
    fn rare<const M: usize, const N: usize>(
        self,
        job: &(impl Job<M, N> + Copy),
        operands: &mut Operands<'_, T, M, N>,
    ) -> bool;
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
            /// Runs it as its kind is run.
            #[inline(always)]
            pub(crate) fn by(self, kinds: impl Kinds<T>) -> bool {
                match self.0 {
                    $($(#[cfg($cfg)])? AnyJob::$job(job, operands) => kinds.$kind(job, operands),)*
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
    inside Forward<'w> (1, 0) { passes: &'w [Pass], blocks: &'w [Blocks], steps: &'w [Step], border: Border }
        |k, [data], []| network::forward_of_words(k, data, passes, blocks, steps, border);
    /// An inverse transform.
    inside Inverse<'w> (1, 0) { passes: &'w [Pass], blocks: &'w [Blocks], steps: &'w [Step], border: Border }
        |k, [data], []| network::inverse_of_words(k, data, passes, blocks, steps, border);
    /// One pass of a forward transform on some columns of one group.
    [feature = "threads"] inside ForwardColumns<'w> (4, 0) { pass: Pass, steps: &'w [Step] }
        |k, rows, []| network::forward_columns(k, rows, pass, steps);
    /// One pass of an inverse transform on some columns of one group.
    [feature = "threads"] inside InverseColumns<'w> (4, 0) { pass: Pass, steps: &'w [Step] }
        |k, rows, []| network::inverse_columns(k, rows, pass, steps);
    /// What lies before and after a transform, without one.
    [feature = "threads"] inside Cross (1, 0) { border: Border }
        |k, [data], []| {
            network::enter(k, data, border.enter, false)?;
            network::leave(k, data, border.reduce, border)
        };
    /// Pointwise products.
    listed Pointwise (1, 2) { step: SlotStep, degree: usize }
        |k, [c], [a, b]| network::pointwise(k, step, degree, c, [a, b]);
    /// The same of values as transforms keep them, where these are no words.
    doubles KeptPointwise (1, 2) { step: SlotStep, degree: usize }
        |k, [c], [a, b]| network::kept_pointwise(k, step, degree, c, [a, b]);
    /// Sums of pointwise products of polynomials that begin every `stride` words.
    listed InnerProduct (1, 2) { step: SlotStep, every: usize, stride: usize, degree: usize }
        |k, [c], [a, b]| {
            let stride = stride >> k.lanes().trailing_zeros();
            network::inner_product(k, step, every, stride, degree, c, [a, b])
        };
    /// Inverses, slot by slot.
    montgomery Inversion (2, 1) { step: SlotStep, groups: usize, degree: usize, exponent: u64 }
        |k, [c, scratch], [a]| network::invert_slots(k, step, [groups, degree], exponent, c, a, scratch);
    /// The reduction of the method.
    listed Reduce (1, 0) {}
        |k, [data], []| network::reduce(k, data);
    /// A multiplication by the first scaling twiddle.
    listed_or_montgomery Scale (1, 0) {}
        |k, [data], []| network::scale(k, data);
    /// The same, plus an addend, in canonical residues.
    listed_or_montgomery ScaleAndAdd (1, 1) {}
        |k, [data], [addend]| network::scale_and_add(k, data, addend);
    /// Canonical residues of any words.
    each Canonical (1, 0) {}
        |k, [data], []| network::canonical(k, data);
    /// Canonical residues of words in `(-q, q)`.
    plain CanonicalOfReduced (1, 0) {}
        |k, [data], []| network::canonical_of_reduced(k, data);
    /// Canonical residues of words that a reduction brings into `(-q, q)`.
    listed CanonicalByReduction (1, 0) {}
        |k, [data], []| network::canonical_by_reduction(k, data);
    /// Centred residues of any words.
    each Centre (1, 0) {}
        |k, [data], []| network::centre(k, data);
    /// Canonical sums or differences of words in `(-q, q)` whose sums fit the word.
    each Add (1, 1) { negative: bool }
        |k, [data], [addend]| network::add::<K, false>(k, negative, data, addend);
    /// Canonical sums or differences of any words.
    each AddCentred (1, 1) { negative: bool }
        |k, [data], [addend]| network::add::<K, true>(k, negative, data, addend);
    /// Reduced sums.
    listed AddReduced (1, 1) {}
        |k, [data], [addend]| network::add_reduced::<K, false>(k, data, addend);
    /// Reduced sums with what is reduced first.
    listed AddOfReduced (1, 1) {}
        |k, [data], [addend]| network::add_reduced::<K, true>(k, data, addend);
    /// Coefficients of a product, folded into those of the ring, on vectors of one value.
    plain Folding (2, 0) { how: Fold }
        |k, [low, high], []| network::fold(k, how, low, high);
    /// A transform by LazyNTT.
    rare LazyTransform<'w> (1, 0) { shape: &'w LazyNtt }
        |k, [data], []| network::lazy_ntt(k, shape, data);
}

/// A forward transform known when the library is compiled.
pub(crate) struct FixedForward<F>(pub(crate) PhantomData<F>);

impl<F: Fixed> Job<1, 0> for FixedForward<F> {
    #[inline(always)]
    fn run<K: Full>(self, k: &mut K, [data]: [&mut [K::Block]; 1], []: [&[K::Block]; 0]) -> Option<()> {
        network::forward_fixed::<K, F>(k, data)
    }
}

/// An inverse transform known when the library is compiled.
pub(crate) struct FixedInverse<F>(pub(crate) PhantomData<F>);

impl<F: Fixed> Job<1, 0> for FixedInverse<F> {
    #[inline(always)]
    fn run<K: Full>(self, k: &mut K, [data]: [&mut [K::Block]; 1], []: [&[K::Block]; 0]) -> Option<()> {
        network::inverse_fixed::<K, F>(k, data)
    }
}
