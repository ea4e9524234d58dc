//! Sums of products of transformed polynomials: products of matrices, of which every operand serves many times.
//!
//! Slots of degree one are multiplied by Montgomery's method, whatever the method of the plan, and added up in registers:
//! as many products as the word has room for between two reductions.

use crate::{
    buffer::Buffer,
    direct::{self, Direct},
    jobs::SlotSums,
    kernel::SCALING,
    range::Range,
    recipe::Recipe,
    reduction::{Contract, Factor, Method},
    schedule::SlotStep,
    word::Word,
};
use core::ops::Range as Places;

/// Bytes of operands that are worked on together: they should stay in the second cache.
const NEAR: usize = 1 << 19;
/// Words of a polynomial that are worked on together at least: a power of two, and whole vectors on any backend.
const FEWEST: usize = 64;

/// How sums are computed.
#[derive(Clone, Debug)]
pub(crate) struct Sums<T> {
    /// Of Montgomery's method.
    contract: Contract,
    /// What products are added up in registers: none for slots of other degrees than one, and for array shapes.
    fused: Option<Fused>,
    /// What gives fused sums the factor that products of the plan have, where they lack it.
    scaling: Option<[T; SCALING]>,
    /// Whether a product of the plan and a reduced sum fit the word, where sums are made product by product.
    fits: bool,
}

/// How many products fit the word.
#[derive(Clone, Copy, Debug)]
struct Fused {
    /// Of operands as they come.
    given: Step,
    /// Of reduced operands.
    reduced: Step,
}

/// Whether operands are reduced before they are multiplied, and how many products are added up between two reductions.
#[derive(Clone, Copy, Debug)]
struct Step {
    operands: bool,
    every: usize,
}

impl<T: Word> Sums<T> {
    /// For a plan that transforms with the factor `forward` and whose products have `of_products`.
    pub(crate) fn new(recipe: &Recipe, forward: Factor, of_products: Factor) -> Self {
        let (q, word) = (direct::modulus(recipe), Range::word(recipe.bits));
        let contract = Method::Montgomery.contract(q, recipe.bits).expect("q fits the word");
        let reduced = contract.reduce_range(word).expect("any word can be reduced");
        let room = word.hi - reduced.magnitude();
        let every = |operand: Range| {
            let product = contract.mul_var_range(operand, operand)?;
            usize::try_from(room / product.magnitude()).ok().filter(|every| *every > 0)
        };
        let fused = || {
            let of_reduced = every(reduced)?;
            let of_given = every(recipe.certificate.slots.union(recipe.certificate.input));
            let given = Step { operands: of_given.is_none(), every: of_given.unwrap_or(of_reduced) };
            Some(Fused { given, reduced: Step { operands: false, every: of_reduced } })
        };
        let fused = if recipe.slot_degree() == 1 && !recipe.backend.is_array() { fused() } else { None };
        let ours = forward.times(forward, q).times(contract.mul_var_factor(), q);
        let lacking = q.mul(of_products.residue, q.inv(ours.residue));
        let scaling = (lacking != 1).then(|| direct::scaling_words(recipe, &contract, [lacking, 0]));
        Self { contract, fused, scaling, fits: word.holds(reduced.plus(recipe.certificate.products)) }
    }
}

/// Vectors of polynomials, one behind the other.
#[derive(Clone, Copy, Debug)]
struct Vectors<'a, T> {
    words: &'a [T],
    /// Polynomials of a vector.
    terms: usize,
    /// Words from one polynomial to the next.
    stride: usize,
    /// Where in each polynomial the words are that count.
    at: usize,
}

impl<'a, T> Vectors<'a, T> {
    fn each(self) -> impl Iterator<Item = &'a [T]> {
        self.words.chunks_exact(self.terms * self.stride).map(move |vector| &vector[self.at..])
    }
}

/// Each vector of `b` with each one of `a`.
fn pairs<'a, T: Word>([a, b]: [Vectors<'a, T>; 2]) -> impl Iterator<Item = [&'a [T]; 2]> {
    b.each().flat_map(move |b| a.each().map(move |a| [a, b]))
}

impl<T: Word> Direct<T> {
    /// For each vector of `b`, and each of `a`, the sum of slot products `Σ a_i·b_i`: canonical, in native slot order, and
    /// read by [`inverse_product`](Self::inverse_product).
    ///
    /// Vectors have `terms` polynomials. These, and sums, begin every `stride` words, with the part for this plan at `at`.
    pub(crate) fn slot_sums(&self, c: &mut [T], [a, b]: [&[T]; 2], terms: usize, [at, stride]: [usize; 2]) {
        let places = at..at + self.recipe().n;
        let vectors = [a, b].map(|words| Vectors { words, terms, stride, at });
        let Some(fused) = self.sums.fused else {
            for (c, [a, b]) in c.chunks_exact_mut(stride).zip(pairs(vectors)) {
                self.sum_by_products(&mut c[places.clone()], a.chunks(stride).zip(b.chunks(stride)));
            }
            return;
        };
        let polynomials = (a.len() + b.len()) / stride;
        let length = (NEAR / (polynomials.max(1) * size_of::<T>())).max(1).next_multiple_of(FEWEST);
        let each_serves_once = a.len().min(b.len()) == terms * stride;
        if each_serves_once || length >= places.len() {
            return self.sums_of(fused.given, c, stride, places, vectors);
        }
        let mut near = Buffer::zeros(polynomials * length);
        for from in places.clone().step_by(length) {
            let part = from..places.end.min(from + length);
            let (stride_near, pieces) = (part.len(), a.chunks_exact(stride).chain(b.chunks_exact(stride)));
            let near = &mut near.words_mut()[..polynomials * stride_near];
            for (near, whole) in near.chunks_exact_mut(stride_near).zip(pieces) {
                near.copy_from_slice(&whole[part.clone()]);
            }
            T::reduce(self.recipe().backend, &self.sums.contract, near);
            let (a, b) = near.split_at(a.len() / stride * stride_near);
            let vectors = [a, b].map(|words| Vectors { words, terms, stride: stride_near, at: 0 });
            self.sums_of(fused.reduced, c, stride, part, vectors);
        }
    }

    /// Those places of all sums, which begin every `stride` words.
    fn sums_of(
        &self,
        Step { operands, every }: Step,
        c: &mut [T],
        stride: usize,
        places: Places<usize>,
        vectors: [Vectors<'_, T>; 2],
    ) {
        let (backend, contract) = (self.recipe().backend, &self.sums.contract);
        let step = SlotStep { operands, sums: false };
        for (c, operands) in c.chunks_exact_mut(stride).zip(pairs(vectors)) {
            let c = &mut c[places.clone()];
            T::slot_sums(backend, contract, SlotSums { step, every, stride: vectors[0].stride, c: &mut *c, operands });
            if let Some(scaling) = self.sums.scaling {
                T::scale(backend, contract, scaling, c);
            }
            T::canonical(backend, contract, c);
        }
    }

    /// The sum for one pair of vectors, one product after the other.
    fn sum_by_products<'a>(&self, c: &mut [T], pairs: impl Iterator<Item = (&'a [T], &'a [T])>) {
        let (backend, contract) = (self.recipe().backend, &self.sums.contract);
        let mut product = Buffer::zeros(c.len());
        c.fill(T::default());
        for (a, b) in pairs {
            self.slot_products(product.words_mut(), &a[..c.len()], &b[..c.len()]);
            if !self.sums.fits {
                T::reduce(backend, contract, product.words_mut()); // two reduced ones fit
            }
            T::add_reduced(backend, contract, c, product.words());
        }
        self.canonical(c);
    }
}
