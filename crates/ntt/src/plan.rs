//! Plans: products in any ring and modulo any number, by whichever transforms are good for it.

use crate::{
    buffer::Buffer,
    direct::{Direct, check_length, check_polynomials},
    error::PlanError,
    exact::{Exact, Joint},
    range::Range,
    recipe::{Recipe, Request},
    reduction::Contract,
    ring::Ring,
    word::Word,
};
use alloc::{boxed::Box, vec, vec::Vec};
use lanes::Backend;

/// What is decided about a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)]
pub enum Decision {
    /// Transforms modulo `q` itself.
    Direct(Recipe),
    /// Transforms modulo auxiliary primes, and the product modulo `q` from these.
    Exact(Exact),
}

impl Decision {
    /// The planner's estimate for a product, in cycles.
    pub fn estimated_cycles(&self) -> u64 {
        match self {
            Self::Direct(recipe) => recipe.estimated_cycles(),
            Self::Exact(exact) => exact.estimated_cycles(),
        }
    }
}

/// Products in one [`Ring`] modulo any `q`, in words `T`.
///
/// Where `q` is a prime with roots of unity, the plan is [`Direct`]: a transformed polynomial has one word per coefficient.
/// Where it is not, or has so few roots that it is faster, the product of integers is taken modulo auxiliary primes
/// ([`Exact`]) and reduced modulo `q`; a transformed polynomial then has [`words`](Self::words) words, which no one but this
/// plan can read.
#[derive(Clone, Debug)]
pub struct Plan<T: Word> {
    /// One, or one for each auxiliary prime.
    parts: Vec<Direct<T>>,
    joint: Option<Box<Joint<T>>>,
}

impl<T: Word> Plan<T> {
    /// The negacyclic plan for degree `n` and modulus `q`, as deep as the roots of `q` allow.
    ///
    /// **Errors** say which condition failed and what would work.
    pub fn new(n: usize, q: u64) -> Result<Self, PlanError> {
        Self::with(&Request::new(n, q))
    }

    /// The plan for a request.
    pub fn with(request: &Request) -> Result<Self, PlanError> {
        request.decide(T::BITS).map(Self::from_decision)
    }

    /// The tables of a decision made for words `T`.
    ///
    /// **Panics** if it was made for another word.
    pub fn from_decision(decision: Decision) -> Self {
        match decision {
            Decision::Direct(recipe) => Self { parts: vec![Direct::from_recipe(recipe)], joint: None },
            Decision::Exact(exact) => Self {
                parts: exact.parts.iter().cloned().map(Direct::from_recipe).collect(),
                joint: Some(Box::new(Joint::new(exact))),
            },
        }
    }

    /// The plan by transforms modulo `q` itself, if it is one.
    pub fn direct(&self) -> Option<&Direct<T>> {
        self.joint.is_none().then(|| &self.parts[0])
    }

    /// What is decided, if it goes by auxiliary primes.
    pub fn exact(&self) -> Option<&Exact> {
        self.joint.as_ref().map(|joint| &joint.exact)
    }

    /// Degree.
    pub fn n(&self) -> usize {
        self.exact().map_or_else(|| self.parts[0].recipe().n, |exact| exact.n)
    }

    /// Modulus.
    pub fn q(&self) -> u64 {
        self.exact().map_or_else(|| self.parts[0].recipe().q, |exact| exact.q)
    }

    /// Ring.
    pub fn ring(&self) -> Ring {
        self.exact().map_or_else(|| self.parts[0].recipe().ring, |exact| exact.ring)
    }

    /// Words of a transformed polynomial: `n`, or more for auxiliary primes.
    pub fn words(&self) -> usize {
        self.parts.iter().map(|part| part.recipe().n).sum()
    }

    /// Words in all tables.
    pub fn table_words(&self) -> usize {
        self.parts.iter().map(Direct::table_words).sum()
    }

    /// Transforms the polynomial in the first `n` words; the result takes all [`words`](Self::words).
    ///
    /// - **Order:** natural in; the plan's own out.
    /// - **Range:** in `(-q, q)`, canonical and centred residues alike. Other words give something else in silence:
    ///   [`try_forward`](Self::try_forward) refuses them.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have that many words.
    pub fn forward(&self, a: &mut [T]) {
        self.check_words(a.len());
        match &self.joint {
            None => self.parts[0].forward(a),
            Some(joint) => joint.forward(&self.parts, a),
        }
    }

    /// Undoes [`forward`](Self::forward): the first `n` words are the polynomial, canonical, any others are zero.
    ///
    /// - **Order:** the plan's own in, natural out.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have [`words`](Self::words) words.
    pub fn inverse(&self, a: &mut [T]) {
        self.back(a, false);
    }

    /// Like [`inverse`](Self::inverse), for what [`slot_products`](Self::slot_products) gives.
    pub fn inverse_product(&self, a: &mut [T]) {
        self.back(a, true);
    }

    /// Multiplies transformed polynomials; only [`inverse_product`](Self::inverse_product) reads the result.
    ///
    /// **Constant time:** yes. **Panics** if a slice does not have [`words`](Self::words) words.
    pub fn slot_products(&self, c: &mut [T], a: &[T], b: &[T]) {
        for length in [c.len(), a.len(), b.len()] {
            self.check_words(length);
        }
        let length = self.parts[0].recipe().n;
        let operands = a.chunks_exact(length).zip(b.chunks_exact(length));
        for (part, (c, (a, b))) in self.parts.iter().zip(c.chunks_exact_mut(length).zip(operands)) {
            part.slot_products(c, a, b);
        }
    }

    /// Sums of products of transformed polynomials: for each vector of `b`, and each of `a`, `Σ a_i·b_i`; only
    /// [`inverse_product`](Self::inverse_product) reads one. If `a` has the rows of a matrix and `b` the columns of
    /// another one, that is their product, column by column.
    ///
    /// Vectors have `terms` polynomials of [`words`](Self::words) words, and all are one behind the other.
    ///
    /// **Range:** as [`slot_products`](Self::slot_products) takes them.
    /// **Constant time:** yes. **Panics** if `a` or `b` does not consist of such vectors, if `c` does not have room for
    /// exactly the sums, or if a plan by auxiliary primes was not made for so many products
    /// ([`Request::sums`](crate::Request::sums)).
    pub fn slot_sums(&self, c: &mut [T], a: &[T], b: &[T], terms: usize) {
        let (words, length) = (self.words(), self.parts[0].recipe().n);
        let [rows, columns] = [a, b].map(|vectors| {
            assert!(
                terms > 0 && vectors.len() % (terms * words) == 0,
                "vectors of {terms} polynomials of {words} words"
            );
            vectors.len() / (terms * words)
        });
        assert_eq!(c.len(), rows * columns * words, "words of {rows} times {columns} sums");
        if let Some(exact) = self.exact() {
            let terms = terms as u64;
            assert!(terms <= exact.sums, "a plan for sums of {} products, these are {terms}", exact.sums);
        }
        for (i, part) in self.parts.iter().enumerate() {
            part.slot_sums(c, [a, b], terms, [i * length, words]);
        }
    }

    /// The product of two polynomials.
    ///
    /// - **Order:** natural.
    /// - **Range:** in `(-q, q)`; out canonical. Other words give something else in silence:
    ///   [`try_multiply`](Self::try_multiply) refuses them.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn multiply(&self, c: &mut [T], a: &[T], b: &[T]) {
        if let Some(direct) = self.direct() {
            return direct.multiply(c, a, b);
        }
        let (n, words) = (self.n(), self.words());
        for length in [c.len(), a.len(), b.len()] {
            check_length(n, length);
        }
        let mut all = Buffer::zeros(3 * words);
        let (a_hat, others) = all.words_mut().split_at_mut(words);
        let (b_hat, c_hat) = others.split_at_mut(words);
        a_hat[..n].copy_from_slice(a);
        b_hat[..n].copy_from_slice(b);
        self.forward(a_hat);
        self.forward(b_hat);
        self.slot_products(c_hat, a_hat, b_hat);
        self.inverse_product(c_hat);
        c.copy_from_slice(&c_hat[..n]);
    }

    /// `a + b` in `[0, q)`, for any number of polynomials of coefficients.
    ///
    /// **Range:** in `(-q, q)`. **Constant time:** yes. **Panics** if `a` and `b` are not the same multiple of `n` words.
    pub fn add(&self, a: &mut [T], b: &[T]) {
        check_polynomials(self.n(), a.len(), b.len());
        self.add_signed(a, b, false);
    }

    /// `a - b` in `[0, q)`, for any number of polynomials of coefficients.
    ///
    /// **Range:** in `(-q, q)`. **Constant time:** yes. **Panics** if `a` and `b` are not the same multiple of `n` words.
    pub fn sub(&self, a: &mut [T], b: &[T]) {
        check_polynomials(self.n(), a.len(), b.len());
        self.add_signed(a, b, true);
    }

    fn add_signed(&self, a: &mut [T], b: &[T], negative: bool) {
        if 2 * (i128::from(self.q()) - 1) <= Range::word(T::BITS).hi {
            T::add_to(a, b, negative);
        } else {
            let mut b = Buffer::copy_of(b);
            for words in [&mut *a, b.words_mut()] {
                T::centre(self.backend(), self.contract(), words);
            }
            T::add_to(a, b.words(), negative);
        }
        T::canonical(self.backend(), self.contract(), a);
    }

    /// The same residues, at most `q/2` in absolute value, for any number of polynomials of coefficients.
    ///
    /// **Range:** any words. **Constant time:** yes. **Panics** if `a` does not have a multiple of `n` words.
    pub fn centre(&self, a: &mut [T]) {
        check_polynomials(self.n(), a.len(), a.len());
        T::centre(self.backend(), self.contract(), a);
    }

    fn contract(&self) -> &Contract {
        self.joint.as_ref().map_or(&self.parts[0].contract, |joint| &joint.contract)
    }

    fn backend(&self) -> Backend {
        self.parts[0].recipe().backend
    }

    fn back(&self, a: &mut [T], of_product: bool) {
        self.check_words(a.len());
        match &self.joint {
            None => {
                let part = &self.parts[0];
                if of_product {
                    part.inverse_product(a);
                } else {
                    part.inverse(a);
                }
                part.canonical_within(part.certificate().output, a);
            }
            Some(joint) => joint.inverse(&self.parts, a, of_product),
        }
    }

    fn check_words(&self, length: usize) {
        if length != self.words() {
            wrong_words(self.words(), length);
        }
    }
}

#[cold]
#[inline(never)]
fn wrong_words(words: usize, length: usize) -> ! {
    panic!("a transformed polynomial of this plan has {words} words, this one has {length}");
}

/// Slots from this degree on are so slow that auxiliary primes may be faster.
const LARGE_SLOTS: usize = 16;

impl Request {
    /// Decides how products are taken, or says why they cannot be.
    ///
    /// Auxiliary primes are for requests that leave depth, method and root open: where `q` is no prime, where it has too few
    /// roots, and where that is estimated to be faster.
    pub fn decide(&self, bits: u32) -> Result<Decision, PlanError> {
        let direct = self.recipe(bits);
        let open = self.depth.is_none() && self.method.is_none() && self.root.is_none() && self.lazy_ntt == 1;
        let is_split = match &direct {
            Ok(recipe) => recipe.slot_degree() < LARGE_SLOTS,
            Err(PlanError::Modulus(_) | PlanError::Method { q: ..5, .. }) => false,
            Err(PlanError::NoRoot { .. } | PlanError::SlotDegree { .. } | PlanError::Backend { .. }) => false,
            Err(_) => true,
        };
        if !open || is_split {
            return direct.map(Decision::Direct);
        }
        match (direct, Exact::new(self, bits)) {
            (Ok(recipe), Ok(exact)) if recipe.estimated_cycles() <= exact.estimated_cycles() => {
                Ok(Decision::Direct(recipe))
            }
            (_, Ok(exact)) => Ok(Decision::Exact(exact)),
            (Ok(recipe), Err(_)) => Ok(Decision::Direct(recipe)),
            (Err(refusal @ PlanError::Backend { .. }), Err(_)) | (Err(_), Err(refusal)) => Err(refusal),
        }
    }
}
