//! Jobs: networks with their parameters, apart from words, methods and backends. Machines and models run the same ones.

use super::{
    self as network, Border, Elementwise, ExactProducts, Fixed, FixedProgram, Fold, Moves, Program, Residues, SlotStep,
    Summation, pass::Direction,
};
#[cfg(feature = "threads")]
use super::{Pass, Step, registers::Columns};

/// What a kernel that runs jobs can do.
pub trait Full: Residues + ExactProducts {}
impl<K: Residues + ExactProducts> Full for K {}

/// By which method a job is compiled, and for which lanes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// By the method of the contract where the list of kernels lists it, on values as transforms keep them.
    Transform,
    /// The same on words.
    Products,
    /// The same for methods that add products up in registers (`Method::sums`).
    Sums,
    /// On values as transforms keep them, where these are no words: doubles on the vectors of a machine.
    KeptProducts,
    /// Any number of words by their modulus, on every machine: one method for signed words, one for unsigned ones.
    Modulus,
    /// The same one word at a time.
    SingleWords,
    /// Words as they are, in whole vectors of every machine.
    Moves,
    /// By Montgomery's method: on every machine in words of 16 bits, one word at a time in others.
    Inversion,
}

/// A network and its parameters, on `M` sequences of words that it writes and `N` that it reads.
pub trait Job<const M: usize, const N: usize>: Copy {
    /// How it is compiled.
    const KIND: Kind;
    /// Runs on a kernel; `None` if the table does not fit. Implement with `#[inline(always)]`.
    fn run<K: Full>(self, k: &mut K, out: [&mut [K::Block]; M], input: [&[K::Block]; N]) -> Option<()>;
}

/// Declares jobs: what they are compiled with, if not always, their kind, their fields, and the network that each one
/// is.
macro_rules! jobs {
    ($($(#[$note:meta])* $([$cfg:meta])? $kind:ident $job:ident $(<$life:lifetime>)? ($m:literal, $n:literal) {
        $($field:ident: $type:ty),* } |$k:ident, $out:pat_param, $in:pat_param| $body:expr;)*) => {$(
        $(#[$note])*
        $(#[cfg($cfg)])?
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "fields are the parameters of the network that the job is")]
        pub struct $job $(<$life>)? {
            $(pub $field: $type,)*
        }

        $(#[cfg($cfg)])?
        impl $(<$life>)? Job<$m, $n> for $job $(<$life>)? {
            const KIND: Kind = Kind::$kind;
            #[inline(always)]
            fn run<K: Full>(self, $k: &mut K, $out: [&mut [K::Block]; $m], $in: [&[K::Block]; $n]) -> Option<()> {
                let Self { $($field),* } = self;
                $body
            }
        }
    )*};
}

jobs! {
    /// A forward transform.
    Transform Forward<'w> (1, 0) { program: Program<'w> }
        |k, [data], []| network::forward(k, data, &program);
    /// An inverse transform.
    Transform Inverse<'w> (1, 0) { program: Program<'w> }
        |k, [data], []| network::inverse(k, data, &program);
    /// One pass of a forward transform on some columns of one group.
    [feature = "threads"] Transform ForwardColumns<'w> (4, 0) { pass: Pass, steps: &'w [Step] }
        |k, rows, []| {
            let pass = pass.with_stride(rows[0].len());
            network::forward(k, Columns(rows), &Program::new(&[pass], steps))
        };
    /// One pass of an inverse transform on some columns of one group.
    [feature = "threads"] Transform InverseColumns<'w> (4, 0) { pass: Pass, steps: &'w [Step] }
        |k, rows, []| {
            let pass = pass.with_stride(rows[0].len());
            network::inverse(k, Columns(rows), &Program::new(&[pass], steps))
        };
    /// What lies before and after a transform, without one.
    Transform Cross (1, 0) { direction: Direction, border: Border }
        |k, [data], []| borders(k, direction, border, data);
    /// Pointwise products.
    Products Pointwise (1, 2) { step: SlotStep, degree: usize }
        |k, [c], [a, b]| network::pointwise(k, step, degree, c, [a, b]);
    /// The same of values as transforms keep them.
    KeptProducts KeptPointwise (1, 2) { step: SlotStep, degree: usize }
        |k, [c], [a, b]| network::kept_pointwise(k, step, degree, c, [a, b]);
    /// Sums of pointwise products.
    Sums InnerProduct (1, 2) { step: SlotStep, sums: Summation, degree: usize }
        |k, [c], [a, b]| {
            let sums = Summation { stride: sums.stride >> k.lanes().trailing_zeros(), ..sums };
            network::inner_product(k, step, sums, degree, c, [a, b])
        };
    /// Inverses, slot by slot.
    Inversion Inversion (2, 1) { step: SlotStep, groups: usize, degree: usize, exponent: u64 }
        |k, [c, scratch], [a]| network::invert_slots(k, step, [groups, degree], exponent, c, a, scratch);
    /// What needs no more than the modulus, on every word, or on pairs of them.
    Modulus Each (1, 1) { how: Elementwise }
        |k, [data], [addend]| network::elementwise(k, how, data, addend);
    /// Words change places.
    Moves Move<'w> (1, 0) { how: Moves<'w> }
        |k, [data], []| network::moved(k, how, data);
    /// Coefficients of a product, folded into those of the ring.
    SingleWords Folding (2, 0) { how: Fold }
        |k, [low, high], []| network::fold(k, how, low, high);
}

/// Both borders of a transform, with nothing between them.
#[inline(always)]
fn borders<K: Full>(k: &mut K, direction: Direction, border: Border, data: &mut [K::Block]) -> Option<()> {
    let before = direction == Direction::Inverse && border.reduce;
    network::enter(k, data, border.enter, before)?;
    match direction {
        Direction::Forward => network::leave_slots(k, data, border.leave, border.reduce),
        Direction::Inverse => network::leave(k, data, border.leave, border.canonical),
    }
}

impl<F: Fixed> Job<1, 0> for FixedProgram<F> {
    const KIND: Kind = Kind::Transform;
    #[inline(always)]
    fn run<K: Full>(self, k: &mut K, [data]: [&mut [K::Block]; 1], []: [&[K::Block]; 0]) -> Option<()> {
        match F::DIRECTION {
            Direction::Forward => network::forward(k, data, &self),
            Direction::Inverse => network::inverse(k, data, &self),
        }
    }
}
