//! Plans: products in any ring and modulo any number, using whichever transforms apply.

use crate::{
    arith::Interval,
    crt::Crt,
    exec::{Add, AddCentred, Buffer, Canonical, Centre, Operands, run},
    planner::{Certificate, CrtRecipe, Decision, PlanError, Recipe, Request},
    reduction::Contract,
    ring::Ring,
    transform::{Transform, check_polynomials},
    word::Word,
};
use alloc::{boxed::Box, vec, vec::Vec};
use lanes::Backend;

/// Products in one [`Ring`] modulo any `q`, in words `T`.
///
/// Where `q` is a prime with roots of unity, the plan is a transform modulo `q` itself: a transformed
/// polynomial has one word per coefficient. Where it is not, or has so few roots that it is faster, the
/// product of integers is taken by residue channels ([`CrtRecipe`]) and reduced modulo `q`; a transformed
/// polynomial then has [`ntt_len`](Self::ntt_len) words, opaque to all but this plan.
#[derive(Clone, Debug)]
pub struct Plan<T: Word> {
    /// One, or one for each auxiliary prime.
    pub(crate) channels: Vec<Transform<T>>,
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

    /// The transform modulo `q` itself, if the plan is one.
    pub(crate) fn transform(&self) -> Option<&Transform<T>> {
        self.crt.is_none().then(|| &self.channels[0])
    }

    /// What is decided and proved, if the plan is a transform modulo `q` itself.
    pub fn recipe(&self) -> Option<&Recipe> {
        self.transform().map(Transform::recipe)
    }

    /// The proof, if the plan is a transform modulo `q` itself.
    pub fn certificate(&self) -> Option<&Certificate> {
        self.transform().map(Transform::certificate)
    }

    /// What is decided, if the plan goes by residue channels.
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

    /// What a position of a transformed polynomial holds: the slot, counted in canonical order, and the
    /// coefficient. `None` for residue channels.
    pub fn slot(&self, position: usize) -> Option<(usize, usize)> {
        self.transform().map(|transform| transform.slot(position))
    }

    /// For every position of a transformed polynomial, its index in canonical order: slot by slot,
    /// coefficients rising. `None` for residue channels, whose slots are not those of the ring.
    ///
    /// Slot `i` is the residue modulo `X^d - root^e`, where `e` is [`Ring::exponent_of`] `i`.
    pub fn canonical_order(&self) -> Option<Vec<usize>> {
        self.transform().map(Transform::canonical_order)
    }

    /// Brings what [`forward`](Self::forward) gives into canonical order: see
    /// [`canonical_order`](Self::canonical_order).
    ///
    /// **Constant time:** yes. **Panics** if the plan goes by residue channels, or if `a` does not have `n` words.
    pub fn to_canonical_order(&self, a: &mut [T]) {
        self.permute(a, |from, to, (position, index)| to[index] = from[position]);
    }

    /// Undoes [`to_canonical_order`](Self::to_canonical_order).
    ///
    /// **Constant time:** yes. **Panics** if the plan goes by residue channels, or if `a` does not have `n` words.
    pub fn from_canonical_order(&self, a: &mut [T]) {
        self.permute(a, |from, to, (position, index)| to[position] = from[index]);
    }

    fn permute(&self, a: &mut [T], mut put: impl FnMut(&[T], &mut [T], (usize, usize))) {
        self.check_words(a.len());
        let order = self.canonical_order().expect("residue channels have no canonical order");
        let from = Buffer::copy_of(a);
        order.into_iter().enumerate().for_each(|place| put(from.words(), a, place));
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

    /// The same residues in `[0, q)`, for any number of polynomials of coefficients.
    ///
    /// **Range:** any words. **Constant time:** yes. **Panics** if `a` does not have a multiple of `n` words.
    pub fn canonical(&self, a: &mut [T]) {
        check_polynomials(self.n(), a.len(), a.len());
        run(self.backend(), self.contract(), Canonical {}, Operands::new([a], []));
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

    /// The transform modulo `q` itself, whose products are bare words.
    #[cfg(feature = "internals")]
    pub fn bare_transform(&self) -> Option<&Transform<T>> {
        self.transform()
    }

    /// Where it runs.
    pub fn backend(&self) -> Backend {
        self.channels[0].recipe().backend()
    }

    /// From slots to canonical coefficients.
    pub(crate) fn back(&self, a: &mut [T], of_product: bool) {
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

    pub(crate) fn check_words(&self, length: usize) {
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
