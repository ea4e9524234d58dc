//! Sums of products of transformed polynomials: products of matrices, of which every operand serves
//! many times.
//!
//! Products are added up in registers, as many as the word has room for between two reductions, where the
//! method has sums ([`Method::sums`]). Slots of degree one are multiplied by Montgomery's method, whatever the
//! method of the plan, where it is compiled and has room. Other products are added up one by one.

use crate::{
    arith::Interval,
    exec::{Buffer, Operands, SCALING, each, run, scaling_words},
    kernels::has_sums,
    model::Ranges,
    network::{Each, Elementwise, InnerProduct, SlotStep, Summation, pieces, pieces_mut},
    planner::Recipe,
    reduction::{Contract, Factor, Method},
    word::Word,
};
use alloc::{vec, vec::Vec};
use core::ops::Range;
use lanes::Backend;

/// Bytes of operands that are worked on together: they should stay in the second cache.
const NEAR: usize = 1 << 19;
/// Words of a polynomial that are worked on together at least: a power of two, and whole vectors on
/// any backend.
const FEWEST: usize = 64;

/// How sums are computed.
#[derive(Clone, Debug)]
pub(crate) struct InnerProducts<T> {
    n: usize,
    backend: Backend,
    /// By which sums made product by product become reduced and canonical: that of the modulus.
    contract: Contract,
    /// By which products are added up in registers, and such sums become canonical: Montgomery's, or, where that is not
    /// compiled or has no room, the plan's.
    of_fused: Contract,
    degree: usize,
    /// What products are added up in registers: none for slots of high degrees, or if not even
    /// reduced operands are proved to fit.
    fused: Option<Fused>,
    /// What gives fused sums the factor that products of the plan have, where they lack it.
    scaling: Option<[T; SCALING]>,
    /// Whether a product of the plan and a reduced sum fit the word, where sums are made product by
    /// product.
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

/// Whether operands are reduced before they are multiplied, and how many products are added up
/// between two reductions.
#[derive(Clone, Copy, Debug)]
struct Step {
    operands: bool,
    every: usize,
}

/// Products that are added up between two reductions at most, as a power of two: more of them gain
/// nothing. By the degree of slots: a proof takes time with its square, and Miri a minute for a thousand products.
const fn most(degree: usize) -> u32 {
    if degree == 1 && !cfg!(miri) { 10 } else { 3 }
}

impl<T: Word> InnerProducts<T> {
    /// For a plan that transforms with the factor `forward` and whose products have `of_products`.
    pub(crate) fn new(recipe: &Recipe, forward: Factor, of_products: Factor) -> Self {
        let (q, certificate, degree) = (recipe.modulus(), recipe.certificate(), recipe.slot_degree());
        let contract = recipe.contract().of_modulus();
        // A method whose reductions leave a factor has no sums of its own; words of a strict one have no room for
        // Montgomery's.
        let needed = recipe.contract().reduce_factor() != Factor::ONE;
        let compiled = has_sums(Method::Montgomery, recipe.bits(), recipe.lanes());
        let by_montgomery = needed || compiled && !recipe.contract().sums_are_canonical();
        let of_fused = if by_montgomery && degree == 1 { contract } else { recipe.contract() };
        let operands = certificate.slots().union(certificate.input());
        let fused = || {
            let reduced = longest(&of_fused, degree, false, contract.reduce_range(operands)?)?;
            let longest = |reduced| longest(&of_fused, degree, reduced, operands);
            let given = longest(false).or_else(|| longest(true))?;
            Some(Fused { given, reduced })
        };
        let ours = forward.times(forward, q).times(of_fused.mul_var_factor(), q);
        let lacking = q.mul(of_products.residue, q.inv(ours.residue));
        let scaling = || scaling_words(recipe.backend(), &contract, [lacking, 0]).map(T::truncated);
        Self {
            n: recipe.n(),
            backend: recipe.backend(),
            contract,
            of_fused,
            degree,
            fused: if degree <= of_fused.method().sums() { fused() } else { None },
            scaling: (lacking != 1).then(scaling),
            fits: sums_fit(&contract, certificate.products()),
        }
    }
}

/// The most products, as a power of two, that are proved to stay in the word between two
/// reductions. Sums stay as they are here: canonical ones, which take any word, would hide how they grow.
fn longest(contract: &Contract, degree: usize, operands: bool, range: Interval) -> Option<Step> {
    let step = SlotStep { operands, ..SlotStep::default() };
    let of = |every: usize, terms: usize| {
        let mut proof = Ranges::new(1, *contract, 0);
        let (a, mut c) = (vec![range; degree * terms], vec![Interval::symmetric(0); degree]);
        let job = InnerProduct { step, sums: Summation { stride: degree, every, canonical: false }, degree };
        proof.run(job, [&mut c], [&a, &a]).expect("as many terms of both");
        proof.violation.is_none().then_some(c)
    };
    // A sum that comes out of a reduction as out of the one before goes on like that. Of slots of
    // higher degree it hides its upper half.
    let first = if degree == 1 { 1 } else { 4 };
    let is_proved = |every: &usize| {
        let sums = (first..=5).map(|reductions| of(*every, reductions * every));
        let mut before = None;
        for sum in sums {
            match sum {
                None => return false,
                sum if sum == before => return true,
                sum => before = sum,
            }
        }
        false
    };
    let mut every: Vec<usize> = (0..=most(degree)).rev().map(|log| 1 << log).collect();
    if degree == 1 {
        // What does not fit without any reduction needs no further look.
        let (mut proof, terms) = (Ranges::of_products(1, *contract), every[0]);
        proof.sum_of_products_of(step, range, terms);
        let fitting = proof.sums_that_fit();
        every.retain(|every| *every <= fitting);
    }
    let every = every.into_iter().find(is_proved)?;
    Some(Step { operands, every })
}

/// Whether products of that range can be added to a reduced sum one by one.
fn sums_fit(contract: &Contract, products: Interval) -> bool {
    let mut proof = Ranges::new(1, *contract, 0);
    let mut sums = [Interval::symmetric(0); 4].map(|sum| [sum]);
    for i in 1..sums.len() {
        sums[i] = sums[i - 1];
        proof.run(Each { how: Elementwise::AddReduced }, [&mut sums[i]], [&[products]]).expect("no table");
    }
    proof.violation.is_none() && sums[2] == sums[3]
}

/// Vectors of polynomials, contiguous.
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
        pieces(self.words, self.terms * self.stride).map(move |vector| &vector[self.at..])
    }
}

/// Each vector of `b` with each one of `a`.
fn pairs<'a, T: Word>([a, b]: [Vectors<'a, T>; 2]) -> impl Iterator<Item = [&'a [T]; 2]> {
    b.each().flat_map(move |b| a.each().map(move |a| [a, b]))
}

/// A pointwise product of a plan.
pub(crate) type Product<'a, T> = &'a dyn Fn(&mut [T], &[T], &[T]);

impl<T: Word> InnerProducts<T> {
    /// For each vector of `b`, and each of `a`, the sum of pointwise products `Σ a_i·b_i`:
    /// canonical, in native slot order, with the factor of a product of the plan.
    ///
    /// Vectors have `terms` polynomials. These, and sums, begin every `stride` words, with the `n`
    /// words of this plan at `at`. `slots` is the table of pointwise products.
    pub(crate) fn run(
        &self,
        c: &mut [T],
        [a, b]: [&[T]; 2],
        terms: usize,
        [at, stride]: [usize; 2],
        slots: &[T],
        product: Product<'_, T>,
    ) {
        let places = at..at + self.n;
        let vectors = [a, b].map(|words| Vectors { words, terms, stride, at });
        let Some(fused) = self.fused else {
            for (c, [a, b]) in c.chunks_exact_mut(stride).zip(pairs(vectors)) {
                self.sum_by_products(&mut c[places.clone()], a.chunks(stride).zip(b.chunks(stride)), product);
            }
            return;
        };
        let polynomials = (a.len() + b.len()) / stride;
        let length = (NEAR / (polynomials.max(1) * size_of::<T>())).max(1).next_multiple_of(FEWEST);
        let each_serves_once = a.len().min(b.len()) == terms * stride;
        if each_serves_once || length >= places.len() || self.degree > 1 {
            return self.sums_of(fused.given, c, stride, places, vectors, slots);
        }
        let mut near = Buffer::zeros(polynomials * length);
        for from in places.clone().step_by(length) {
            let part = from..places.end.min(from + length);
            let (stride_near, pieces) = (part.len(), a.chunks_exact(stride).chain(b.chunks_exact(stride)));
            let near = &mut near.words_mut()[..polynomials * stride_near];
            for (near, whole) in near.chunks_exact_mut(stride_near).zip(pieces) {
                near.copy_from_slice(&whole[part.clone()]);
            }
            each(self.backend, &self.of_fused, Elementwise::Reduce, Operands::of(&mut *near));
            let (a, b) = near.split_at(a.len() / stride * stride_near);
            let vectors = [a, b].map(|words| Vectors { words, terms, stride: stride_near, at: 0 });
            self.sums_of(fused.reduced, c, stride, part, vectors, slots);
        }
    }

    /// Those places of all sums, which begin every `stride` words.
    fn sums_of(
        &self,
        Step { operands, every }: Step,
        c: &mut [T],
        stride: usize,
        places: Range<usize>,
        vectors: [Vectors<'_, T>; 2],
        slots: &[T],
    ) {
        let (backend, contract) = (self.backend, &self.of_fused);
        let step = SlotStep { operands, ..SlotStep::default() };
        for (c, operands) in pieces_mut(c, stride).zip(pairs(vectors)) {
            let c = &mut c[places.clone()];
            let canonical = self.scaling.is_none() && !contract.sums_are_canonical();
            let sums = Summation { stride: vectors[0].stride, every, canonical };
            let job = InnerProduct { step, sums, degree: self.degree };
            run(backend, contract, job, Operands { table: slots, ..Operands::new([&mut *c], operands) });
            if let Some(scaling) = &self.scaling {
                each(backend, contract, Elementwise::Scale, Operands { scaling, ..Operands::of(&mut *c) });
                each(backend, contract, Elementwise::Canonical, Operands::of(c));
            }
        }
    }

    /// The sum for one pair of vectors, one product after the other.
    fn sum_by_products<'a>(
        &self,
        c: &mut [T],
        pairs: impl Iterator<Item = (&'a [T], &'a [T])>,
        product: Product<'_, T>,
    ) {
        let mut term = Buffer::zeros(c.len());
        c.fill(T::default());
        for (a, b) in pairs {
            product(term.words_mut(), &a[..c.len()], &b[..c.len()]);
            self.add_reduced(c, term.words());
        }
        each(self.backend, &self.contract, Elementwise::Canonical, Operands::of(c));
    }

    /// Adds a product of the plan to products of the plan; canonical.
    pub(crate) fn add(&self, c: &mut [T], product: &[T]) {
        each(self.backend, &self.contract, Elementwise::Reduce, Operands::of(&mut *c));
        self.add_reduced(c, product);
        each(self.backend, &self.contract, Elementwise::Canonical, Operands::of(c));
    }

    /// Adds a product of the plan to a reduced sum; reduced.
    fn add_reduced(&self, c: &mut [T], product: &[T]) {
        let how = if self.fits { Elementwise::AddReduced } else { Elementwise::AddCentred { negative: false } };
        each(self.backend, &self.contract, how, Operands::new([c], [product]));
    }
}
