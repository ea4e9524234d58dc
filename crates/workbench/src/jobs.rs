//! What can be measured: the operations of a plan, as jobs.

use crate::{
    measure::Job,
    plans::{AnyPlan, with},
};
use ntt::{Plan, Word};
use std::{hint::black_box, rc::Rc};

/// An operation of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A forward transform, natural order in, native slot order out.
    Forward,
    /// An inverse transform with all its scaling.
    Inverse,
    /// A product slot by slot.
    Slots,
    /// A product of polynomials: two forward transforms, slot product, inverse, canonical residues.
    Multiply,
}

impl Operation {
    pub(crate) const ALL: [Self; 4] = [Self::Forward, Self::Inverse, Self::Slots, Self::Multiply];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Inverse => "inverse",
            Self::Slots => "slots",
            Self::Multiply => "multiply",
        }
    }

    /// The job. Transforms work on their own output: their time does not depend on values.
    pub(crate) fn job(self, name: impl Into<String>, plan: &AnyPlan) -> Job<'static> {
        fn of<T: Word>(operation: Operation, name: String, plan: Rc<Plan<T>>) -> Job<'static> {
            let (n, q) = (plan.recipe().n as i64, plan.recipe().q as i64);
            let sample = |step: i64| Aligned::new((0..n).map(|i| T::from_i64((i * step + 1) % q)).collect());
            let (mut a, b, mut c) = (sample(7), sample(11), sample(0));
            match operation {
                Operation::Forward => Job::new(name, move || plan.forward(black_box(a.words_mut()))),
                Operation::Inverse => Job::new(name, move || plan.inverse(black_box(a.words_mut()))),
                Operation::Slots => Job::new(name, move || {
                    plan.slot_products(black_box(c.words_mut()), black_box(a.words()), black_box(b.words()));
                }),
                Operation::Multiply => Job::new(name, move || {
                    plan.multiply(black_box(c.words_mut()), black_box(a.words()), black_box(b.words()));
                }),
            }
        }
        with!(plan, plan => of(self, name.into(), plan.clone()))
    }
}

/// Words that start on a cache line.
#[derive(Debug)]
struct Aligned<T> {
    storage: Vec<T>,
    start: usize,
}

impl<T: Copy + Default> Aligned<T> {
    const LINE: usize = 64;

    fn new(words: Vec<T>) -> Self {
        let mut storage = vec![T::default(); words.len() + Self::LINE / size_of::<T>()];
        let start = storage.as_ptr().align_offset(Self::LINE).min(storage.len() - words.len());
        storage.truncate(start + words.len());
        storage[start..].copy_from_slice(&words);
        Self { storage, start }
    }

    fn words(&self) -> &[T] {
        &self.storage[self.start..]
    }

    fn words_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..]
    }
}
