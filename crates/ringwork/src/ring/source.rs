//! Sources: vectors of coefficients by their number, as samplers and decoders make them.

use lanes::{Backend, Lanes16, Task16};

/// A source of vectors for a permutation.
pub(crate) trait Source {
    /// Vector number `index`. Implement with `#[inline(always)]`.
    fn vector<L: Lanes16>(&self, l: L, index: usize) -> L::V;
}

/// Writes the vectors of a source one after the other. On one lane that is the order of its coefficients.
pub(crate) fn fill_in_order(backend: Backend, out: &mut [i16], source: impl Source) {
    backend.run16(InOrder { out, source });
}

struct InOrder<'a, S> {
    out: &'a mut [i16],
    source: S,
}

impl<S: Source> Task16 for InOrder<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        for (index, out) in L::blocks_mut(self.out).iter_mut().enumerate() {
            l.store(out, self.source.vector(l, index));
        }
    }
}
