//! The way of transformed polynomials from native into canonical order, and back.

use crate::{exec::Buffer, transform::Transform, word::Word};
use alloc::vec::Vec;

/// For each position in native order, its index in canonical order.
#[derive(Clone, Debug)]
pub(crate) struct Order(Vec<u32>);

impl Order {
    /// That of a transform.
    pub(crate) fn of<T: Word>(transform: &Transform<T>) -> Self {
        let narrow = |index| u32::try_from(index).expect("degrees are below 2^32");
        Self(transform.canonical_order().into_iter().map(narrow).collect())
    }

    /// Brings contiguous polynomials into canonical order.
    pub(crate) fn to_canonical<T: Word>(&self, a: &mut [T]) {
        self.in_place(a, |order, from, to| {
            order.iter().zip(from).for_each(|(&index, word)| to[index as usize] = *word);
        });
    }

    /// Brings contiguous polynomials into native order.
    pub(crate) fn to_native<T: Word>(&self, a: &mut [T]) {
        self.in_place(a, gather);
    }

    /// Contiguous polynomials in native order.
    pub(crate) fn native<T: Word>(&self, a: &[T]) -> Buffer<T> {
        let (n, mut native) = (self.0.len(), Buffer::zeros(a.len()));
        let polynomials = a.chunks_exact(n).zip(native.words_mut().chunks_exact_mut(n));
        polynomials.for_each(|(from, to)| gather(&self.0, from, to));
        native
    }

    fn in_place<T: Word>(&self, a: &mut [T], put: impl Fn(&[u32], &[T], &mut [T])) {
        let mut from = Buffer::zeros(self.0.len());
        for a in a.chunks_exact_mut(self.0.len()) {
            from.words_mut().copy_from_slice(a);
            put(&self.0, from.words(), a);
        }
    }
}

fn gather<T: Word>(order: &[u32], from: &[T], to: &mut [T]) {
    order.iter().zip(to).for_each(|(&index, word)| *word = from[index as usize]);
}
