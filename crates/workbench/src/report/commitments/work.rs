//! One commitment of the thesis' shape, computed in three ways.

use ringwork::{
    module::{NttVector, Vector},
    sample::Word,
    schemes::{
        bdlop::{CommitmentKey, Opening, Parameters},
        lwe::{Multiplier, Schoolbook},
    },
};
use std::hint::black_box;

/// k, d, l of the thesis.
const SHAPE: [usize; 3] = [8, 3, 4];
const K: usize = SHAPE[0];
const D: usize = SHAPE[1];
const L: usize = SHAPE[2];

/// Forward transforms of a commitment in the thesis: both matrices, and r.
pub(super) const FORWARD: usize = D * (K - D) + L * (K - D - L) + K;
/// Forward transforms with a key that holds its matrices transformed: the part of r that meets
/// them.
pub(super) const WITH_KEY: usize = K - D;

/// A key, its matrices as coefficients, and what is committed to.
pub(super) struct Work {
    key: CommitmentKey<i16>,
    schoolbook: Schoolbook,
    /// A1' and A2', row by row, and the same transformed.
    matrices: [Vector<i16>; 2],
    transformed: [NttVector<i16>; 2],
    message: Vector<i16>,
    opening: Opening<i16>,
}

impl Work {
    pub(super) fn new(n: usize) -> Self {
        let parameters = Parameters::insecure_benchmark(n).expect("a degree of the thesis");
        assert_eq!(parameters.shape(), SHAPE);
        let q = parameters.q();
        let schoolbook = Schoolbook::new(n, q);
        let key = CommitmentKey::<i16>::new(parameters, &[1; 32]).expect("a ring of the engine");
        let message = key.message(&[1, 2, 3]).expect("residues");
        let (_, opening) = key.commit_derand(message.clone(), &[2; 32]).expect("of that shape");
        let sample = |length| {
            Vector::<i16>::filled(n, length, |words| {
                words.iter_mut().enumerate().for_each(|(i, word)| *word = i16::truncate(i as i64 * 7919 % q as i64));
            })
        };
        let matrices = [sample(D * (K - D)), sample(L * (K - D - L))];
        let transformed = matrices.each_ref().map(|matrix| key.module().forward(matrix));
        Self { key, schoolbook, matrices, transformed, message, opening }
    }

    /// With matrices that are kept transformed, as a key has them; without the checks that
    /// committing makes.
    pub(super) fn with_key(&self) {
        black_box(self.by_key());
    }

    fn by_key(&self) -> [Vector<i16>; 2] {
        let module = self.key.module();
        let r_hat = module.forward(&black_box(self.opening.randomness()).part(D..K));
        self.products(&self.transformed, r_hat.polynomials(0..K - D, module), r_hat.polynomials(L..K - D, module))
    }

    /// As the thesis does: [`FORWARD`] transforms, and products of what they give.
    pub(super) fn same_work(&self) {
        black_box(self.by_transforms());
    }

    fn by_transforms(&self) -> [Vector<i16>; 2] {
        let (module, r) = (self.key.module(), self.opening.randomness());
        let matrices = self.matrices.each_ref().map(|matrix| module.forward(black_box(matrix)));
        let r_hat = module.forward(r);
        self.products(&matrices, r_hat.polynomials(D..K, module), r_hat.polynomials(D + L..K, module))
    }

    fn products(&self, [a1, a2]: &[NttVector<i16>; 2], first: &[i16], second: &[i16]) -> [Vector<i16>; 2] {
        let module = self.key.module();
        self.finished([module.product(a1, first), module.product(a2, second)])
    }

    /// By the definition.
    pub(super) fn schoolbook(&self) {
        black_box(self.by_definition());
    }

    fn by_definition(&self) -> [Vector<i16>; 2] {
        let book = &self.schoolbook;
        let prepare = |v: Vector<i16>| Multiplier::<i16>::prepare(book, v);
        let [a1, a2] = self.matrices.each_ref().map(|matrix| prepare(black_box(matrix).clone()));
        let r = self.opening.randomness();
        let c1 = book.products(&a1, &prepare(r.part(D..K)), K - D);
        let c2 = book.products(&a2, &prepare(r.part(D + L..K)), K - D - L);
        self.finished([c1, c2])
    }

    /// The products, with the identity matrices' part of r and the message.
    fn finished(&self, [mut c1, mut c2]: [Vector<i16>; 2]) -> [Vector<i16>; 2] {
        let (module, r) = (self.key.module(), self.opening.randomness());
        module.add(&mut c1, &r.part(0..D));
        module.add(&mut c2, &r.part(D..D + L));
        module.add(&mut c2, &self.message);
        [c1, c2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C10: the row that is compared with the thesis' does its work, and does it rightly.
    #[test]
    fn both_ways_give_one_commitment() {
        assert_eq!((FORWARD, WITH_KEY), (27, 5));
        for n in [4, 64, 1024] {
            let work = Work::new(n);
            let residues = |v: &Vector<i16>| v.words().iter().map(|x| x.rem_euclid(12289)).collect::<Vec<_>>();
            let [kept, fast, slow] =
                [work.by_key(), work.by_transforms(), work.by_definition()].map(|c| c.each_ref().map(residues));
            assert_eq!((&kept, &fast), (&slow, &slow), "N = {n}");
        }
    }
}
