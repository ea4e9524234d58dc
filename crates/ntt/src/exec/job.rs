//! Jobs with their words, and the way to what runs them.

#[cfg(feature = "threads")]
use crate::network::{Cross, ForwardColumns, InverseColumns};
use crate::network::{Each, Folding, InnerProduct, Inversion, Job, KeptPointwise, Move, Pointwise};
use lanes::Bits;

/// What runs jobs on words `T`.
pub(crate) trait Runner<T> {
    /// Runs a job; whether its table was read as it should be.
    fn run<J: Job<M, N>, const M: usize, const N: usize>(self, job: &J, operands: &mut Operands<'_, T, M, N>) -> bool;
}

/// A job other than a whole transform with its words, both borrowed: copies of what was just written would wait for
/// it. One type for all jobs, so that what runs them is compiled in this crate alone.
pub struct Work<'w, 'a, T>(AnyJob<'w, 'a, T>);

macro_rules! work {
    ($($([$cfg:meta])? $job:ident $(<$life:lifetime>)? ($m:literal, $n:literal))*) => {
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

        $($(#[cfg($cfg)])?
        impl<'w, 'a, T> From<(&'w $job $(<$life>)?, &'w mut Operands<'a, T, $m, $n>)> for Work<'w, 'a, T> {
            #[inline(always)]
            fn from((job, operands): (&'w $job $(<$life>)?, &'w mut Operands<'a, T, $m, $n>)) -> Self {
                Self(AnyJob::$job(job, operands))
            }
        })*
    };
}
work! {
    [feature = "threads"] ForwardColumns<'w>(4, 0)
    [feature = "threads"] InverseColumns<'w>(4, 0)
    [feature = "threads"] Cross(1, 0)
    Pointwise(1, 2)
    KeptPointwise(1, 2)
    InnerProduct(1, 2)
    Inversion(2, 1)
    Each(1, 1)
    Move<'w>(1, 0)
    Folding(2, 0)
}

/// The words of a job, and the table it reads.
pub struct Operands<'a, T, const M: usize, const N: usize> {
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
