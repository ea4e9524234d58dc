//! What a lazy transform costs at least on vectors.
//!
//! A product that is not reduced has twice the bits of the modulus, so lanes have 32 bits where those of a transform
//! that reduces every product have 16. [`unreduced`] computes the products, sums and differences of a transform in such
//! lanes, and nothing else: no reduction, and no exchange of lanes. Any lazy transform computes these, too.

use lanes::{Backend, LanesWide, Task32};

/// The products, sums and differences of a transform of `words`, two layers to a pass, with nothing reduced. For
/// measurements: as a transform, the result means nothing.
///
/// Layers between vectors have their vectors and distances; each layer inside vectors is computed between neighbouring
/// vectors, where its exchanges are left out. **Panics** unless there are as many twiddles as words, and their number is
/// a power of two, at least 64.
pub fn unreduced(backend: Backend, words: &mut [i32], twiddles: &[i32]) {
    assert!(words.len().is_power_of_two() && words.len() >= 64, "a power of two, at least 64");
    assert_eq!(words.len(), twiddles.len(), "as many twiddles as words");
    backend.run32(Unreduced { words, twiddles });
}

struct Unreduced<'a> {
    words: &'a mut [i32],
    twiddles: &'a [i32],
}

impl Task32 for Unreduced<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: LanesWide<Word = i32>>(self, l: L) {
        let layers = self.words.len().ilog2();
        let vectors = L::blocks_mut(self.words);
        let (mut stride, mut left) = (vectors.len(), layers);
        if left % 2 == 1 {
            stride /= 2;
            left -= 1;
            one_layer(l, vectors, stride, self.twiddles);
        }
        while left > 0 {
            stride = (stride / 4).max(1);
            left -= 2;
            two_layers(l, vectors, stride, self.twiddles);
        }
    }
}

#[inline(always)]
fn one_layer<L: LanesWide<Word = i32>>(l: L, vectors: &mut [L::Block], stride: usize, twiddles: &[i32]) {
    for (group, w) in vectors.chunks_exact_mut(2 * stride).zip(twiddles) {
        let (low, high) = group.split_at_mut(stride);
        let w = l.splat(*w);
        for (a, b) in low.iter_mut().zip(high) {
            let (x, y) = butterfly(l, l.load(a), l.load(b), w);
            l.store(a, x);
            l.store(b, y);
        }
    }
}

#[inline(always)]
fn two_layers<L: LanesWide<Word = i32>>(l: L, vectors: &mut [L::Block], stride: usize, twiddles: &[i32]) {
    for (group, w) in vectors.chunks_exact_mut(4 * stride).zip(twiddles.as_chunks::<3>().0) {
        let (first, second) = group.split_at_mut(2 * stride);
        let ((r0, r1), (r2, r3)) = (first.split_at_mut(stride), second.split_at_mut(stride));
        let w = [l.splat(w[0]), l.splat(w[1]), l.splat(w[2])];
        for (((p0, p1), p2), p3) in r0.iter_mut().zip(r1).zip(r2).zip(r3) {
            let (x0, x2) = butterfly(l, l.load(p0), l.load(p2), w[0]);
            let (x1, x3) = butterfly(l, l.load(p1), l.load(p3), w[0]);
            let (x0, x1) = butterfly(l, x0, x1, w[1]);
            let (x2, x3) = butterfly(l, x2, x3, w[2]);
            l.store(p0, x0);
            l.store(p1, x1);
            l.store(p2, x2);
            l.store(p3, x3);
        }
    }
}

#[inline(always)]
fn butterfly<L: LanesWide<Word = i32>>(l: L, a: L::V, b: L::V, w: L::V) -> (L::V, L::V) {
    let t = l.mul_lo(b, w);
    (l.add(a, t), l.sub(a, t))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of each layer: an odd one first, then pairs, at last among four neighbours.
    fn distances(vectors: usize, layers: u32) -> Vec<usize> {
        let (mut stride, mut all) = (vectors, Vec::new());
        if layers % 2 == 1 {
            stride /= 2;
            all.push(stride);
        }
        for _ in 0..layers / 2 {
            stride = (stride / 4).max(1);
            all.extend([2 * stride, stride]);
        }
        all
    }

    /// Where all lanes are alike, each lane is a transform of as many words as there are vectors, with as many layers as
    /// the whole one has.
    #[test]
    fn every_word_goes_through_every_layer() {
        for n in [64_usize, 128, 256, 1024] {
            for backend in Backend::available() {
                let lanes = backend.lanes(32);
                let mut lane: Vec<i32> = (1..=(n / lanes) as i32).collect();
                let mut words: Vec<i32> = lane.iter().flat_map(|word| vec![*word; lanes]).collect();
                unreduced(backend, &mut words, &vec![3; n]);
                for distance in distances(lane.len(), n.ilog2()) {
                    for group in lane.chunks_exact_mut(2 * distance) {
                        for i in 0..distance {
                            let (a, t) = (group[i], group[i + distance].wrapping_mul(3));
                            (group[i], group[i + distance]) = (a.wrapping_add(t), a.wrapping_sub(t));
                        }
                    }
                }
                let expected: Vec<i32> = lane.iter().flat_map(|word| vec![*word; lanes]).collect();
                assert_eq!(words, expected, "{n} {backend}");
            }
        }
    }
}
