//! Plans: products in any ring and modulo any number, using whichever transforms apply.

use crate::{
    arith::Interval,
    crt::Crt,
    exec::{Add, AddCentred, Buffer, Centre, Operands, run},
    planner::{CrtRecipe, Decision, PlanError, Request},
    reduction::Contract,
    ring::Ring,
    transform::{Transform, check_length, check_polynomials},
    word::Word,
};
use alloc::{boxed::Box, vec, vec::Vec};
use lanes::Backend;

/// Products in one [`Ring`] modulo any `q`, in words `T`.
///
/// Where `q` is a prime with roots of unity, the plan is [`Transform`]: a transformed polynomial has one word per coefficient.
/// Where it is not, or has so few roots that it is faster, the product of integers is taken modulo residue channels
/// ([`CrtRecipe`]) and reduced modulo `q`; a transformed polynomial then has [`ntt_len`](Self::ntt_len) words, opaque to all but this plan.
#[derive(Clone, Debug)]
pub struct Plan<T: Word> {
    /// One, or one for each auxiliary prime.
    channels: Vec<Transform<T>>,
    crt: Option<Box<Crt<T>>>,
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
            Decision::Direct(recipe) => Self { channels: vec![Transform::from_recipe(recipe)], crt: None },
            Decision::Crt(recipe) => Self {
                channels: recipe.channels().iter().cloned().map(Transform::from_recipe).collect(),
                crt: Some(Box::new(Crt::new(recipe))),
            },
        }
    }

    /// The plan by transforms modulo `q` itself, if it is one.
    pub fn transform(&self) -> Option<&Transform<T>> {
        self.crt.is_none().then(|| &self.channels[0])
    }

    /// What is decided, if it goes by residue channels.
    pub fn crt_recipe(&self) -> Option<&CrtRecipe> {
        self.crt.as_ref().map(|crt| &crt.recipe)
    }

    /// Degree.
    pub fn n(&self) -> usize {
        self.crt_recipe().map_or_else(|| self.channels[0].recipe().n(), CrtRecipe::n)
    }

    /// Modulus.
    pub fn q(&self) -> u64 {
        self.crt_recipe().map_or_else(|| self.channels[0].recipe().q(), CrtRecipe::q)
    }

    /// Ring.
    pub fn ring(&self) -> Ring {
        self.crt_recipe().map_or_else(|| self.channels[0].recipe().ring(), CrtRecipe::ring)
    }

    /// Words of a transformed polynomial: `n`, or more for residue channels.
    pub fn ntt_len(&self) -> usize {
        self.channels.iter().map(|channel| channel.recipe().n()).sum()
    }

    /// Words in all tables.
    pub fn table_words(&self) -> usize {
        self.channels.iter().map(Transform::table_words).sum()
    }

    /// Transforms the polynomial in the first `n` words; the result takes all [`ntt_len`](Self::ntt_len).
    ///
    /// - **Order:** natural in; the plan's own out.
    /// - **Range:** in `(-q, q)`, canonical and centred residues alike. Other words give something else in silence:
    ///   [`try_forward`](Self::try_forward) refuses them.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have that many words.
    pub fn forward(&self, a: &mut [T]) {
        self.check_words(a.len());
        match &self.crt {
            None => self.channels[0].forward(a),
            Some(crt) => crt.forward(&self.channels, a),
        }
    }

    /// Undoes [`forward`](Self::forward): the first `n` words are the polynomial, canonical, any others are zero.
    ///
    /// - **Order:** the plan's own in, natural out.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have [`ntt_len`](Self::ntt_len) words.
    pub fn inverse(&self, a: &mut [T]) {
        self.back(a, false);
    }

    /// Like [`inverse`](Self::inverse), for what [`pointwise`](Self::pointwise) gives.
    pub fn inverse_product(&self, a: &mut [T]) {
        self.back(a, true);
    }

    /// Multiplies transformed polynomials; only [`inverse_product`](Self::inverse_product) reads the result.
    ///
    /// **Constant time:** yes. **Panics** if a slice does not have [`ntt_len`](Self::ntt_len) words.
    pub fn pointwise(&self, c: &mut [T], a: &[T], b: &[T]) {
        for length in [c.len(), a.len(), b.len()] {
            self.check_words(length);
        }
        let length = self.channels[0].recipe().n();
        let operands = a.chunks_exact(length).zip(b.chunks_exact(length));
        for (channel, (c, (a, b))) in self.channels.iter().zip(c.chunks_exact_mut(length).zip(operands)) {
            channel.pointwise(c, a, b);
        }
    }

    /// Sums of products of transformed polynomials: for each vector of `b`, and each of `a`, `Σ a_i·b_i`; only
    /// [`inverse_product`](Self::inverse_product) reads one. If `a` has the rows of a matrix and `b` the columns of
    /// another one, that is their product, column by column.
    ///
    /// Vectors have `terms` polynomials of [`ntt_len`](Self::ntt_len) words, and all are contiguous.
    ///
    /// **Range:** as [`pointwise`](Self::pointwise) takes them.
    /// **Constant time:** yes. **Panics** if `a` or `b` does not consist of such vectors, if `c` does not have room for
    /// exactly the sums, or if a plan by residue channels was not made for so many products
    /// ([`Request::sums`](crate::Request::sums)).
    pub fn inner_products(&self, c: &mut [T], a: &[T], b: &[T], terms: usize) {
        let (words, length) = (self.ntt_len(), self.channels[0].recipe().n());
        let [rows, columns] = [a, b].map(|vectors| {
            assert!(
                terms > 0 && vectors.len() % (terms * words) == 0,
                "vectors of {terms} polynomials of {words} words"
            );
            vectors.len() / (terms * words)
        });
        assert_eq!(c.len(), rows * columns * words, "words of {rows} times {columns} sums");
        if let Some(recipe) = self.crt_recipe() {
            let terms = terms as u64;
            assert!(terms <= recipe.sums(), "a plan for sums of {} products, these are {terms}", recipe.sums());
        }
        for (i, channel) in self.channels.iter().enumerate() {
            channel.inner_products(c, [a, b], terms, [i * length, words]);
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
        if let Some(transform) = self.transform() {
            return transform.multiply(c, a, b);
        }
        let (n, words) = (self.n(), self.ntt_len());
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
        self.pointwise(c_hat, a_hat, b_hat);
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
        let (backend, contract, operands) = (self.backend(), self.contract(), Operands::new([a], [b]));
        if 2 * (i128::from(self.q()) - 1) <= Interval::word(T::BITS).hi {
            run(backend, contract, Add { negative }, operands);
        } else {
            run(backend, contract, AddCentred { negative }, operands);
        }
    }

    /// The same residues, at most `q/2` in absolute value, for any number of polynomials of coefficients.
    ///
    /// **Range:** any words. **Constant time:** yes. **Panics** if `a` does not have a multiple of `n` words.
    pub fn centre(&self, a: &mut [T]) {
        check_polynomials(self.n(), a.len(), a.len());
        run(self.backend(), self.contract(), Centre {}, Operands::new([a], []));
    }

    fn contract(&self) -> &Contract {
        self.crt.as_ref().map_or(&self.channels[0].contract, |crt| crt.contract())
    }

    /// Where it runs.
    pub fn backend(&self) -> Backend {
        self.channels[0].recipe().backend()
    }

    fn back(&self, a: &mut [T], of_product: bool) {
        self.check_words(a.len());
        match &self.crt {
            None => {
                let channel = &self.channels[0];
                if of_product {
                    channel.inverse_product(a);
                } else {
                    channel.inverse(a);
                }
                channel.canonical_within(channel.certificate().output(), a);
            }
            Some(crt) => crt.inverse(&self.channels, a, of_product),
        }
    }

    fn check_words(&self, length: usize) {
        if length != self.ntt_len() {
            wrong_words(self.ntt_len(), length);
        }
    }
}

#[cold]
#[inline(never)]
fn wrong_words(words: usize, length: usize) -> ! {
    panic!("a transformed polynomial of this plan has {words} words, this one has {length}");
}
