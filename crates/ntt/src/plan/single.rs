//! Plans: products in any ring and modulo any number, using whichever transforms apply.

use super::{crt::Crt, order::Order, origin::Origin};
use crate::{
    arith::Interval,
    exec::{Operands, each},
    network::Elementwise,
    planner::{Certificate, CrtRecipe, Decision, PlanError, Recipe, Request},
    reduction::Contract,
    ring::{Ring, SlotOrder},
    transform::{Given, Transform, check_polynomials},
    word::{SignedWord, Word},
};
use alloc::{boxed::Box, vec, vec::Vec};
use lanes::Backend;

/// Transforms and products in one [`Ring`] modulo any `q`, in words `T`.
///
/// If `q` is a prime with roots of unity, the plan is a transform modulo `q` itself: a transformed
/// polynomial has one word per coefficient. Otherwise, or where that is estimated to be faster, the
/// plan computes the product of integers by residue channels ([`CrtRecipe`]) and reduces it modulo
/// `q`; a transformed polynomial then has [`ntt_len`](Self::ntt_len) words, which only this plan
/// understands. [`recipe`](Self::recipe) and [`crt_recipe`](Self::crt_recipe) tell which of the two
/// it is.
///
/// A plan is immutable, `Send` and `Sync`: make it once, share it in an `Arc`.
///
/// ```
/// use ringwork_ntt::Plan;
///
/// let plan = Plan::<i16>::new(256, 3329)?; // ML-KEM's ring: 128 slots of degree 2
/// let mut a: Vec<i16> = (0..256).collect();
/// plan.forward(&mut a);
/// plan.inverse(&mut a);
/// assert_eq!(a, (0..256).collect::<Vec<i16>>());
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
#[derive(Clone)]
pub struct Plan<T: Word> {
    /// One, or one for each residue channel.
    pub(crate) channels: Vec<Transform<T>>,
    crt: Option<Box<Crt<T>>>,
    /// Words of a transformed polynomial.
    words: usize,
    /// The permutation from native to the requested order, if that is not native.
    pub(crate) order: Option<Order>,
    pub(crate) origin: Origin,
    /// Its transforms of several polynomials side by side.
    #[cfg(feature = "std")]
    pub(super) side_by_side: super::side_by_side::SideBySide<T>,
}

impl<T: Word> Plan<T> {
    /// The plan for `X^n + 1` and modulus `q` with the lowest estimated time for a product on the
    /// best backend of this machine: the deepest transform that the roots of `q` allow, another
    /// depth, or residue channels. To get a transform with slots in any case, use
    /// [`Request::depth`].
    ///
    /// - **Constant time:** no; `n` and `q` are public.
    /// - **Errors** name the condition that failed, and what would work.
    ///
    /// ```
    /// use ringwork_ntt::Plan;
    ///
    /// let refused = Plan::<i16>::new(256, 8_380_417 * 8_380_417).unwrap_err();
    /// assert!(refused.to_string().ends_with("take 64-bit words"), "{refused}");
    /// assert!(Plan::<i64>::new(256, 8_380_417 * 8_380_417).is_ok());
    /// ```
    pub fn new(n: usize, q: u64) -> Result<Self, PlanError> {
        Self::with(&Request::new(n, q))
    }

    /// The plan for a request.
    ///
    /// **Constant time:** no; requests are public. **Errors** as [`new`](Self::new).
    pub fn with(request: &Request) -> Result<Self, PlanError> {
        Self::checked(request.decide(T::BITS)?)
    }

    /// The plan of a decision.
    ///
    /// **Errors** if it is for unsigned words, and these are signed.
    pub(super) fn checked(decision: Decision) -> Result<Self, PlanError> {
        match &decision {
            Decision::Direct(recipe) if T::SIGNED && recipe.method().is_unsigned() => {
                Err(PlanError::Unsigned { q: recipe.q(), bits: T::BITS })
            }
            _ => Ok(Self::from_decision(decision)),
        }
    }

    /// The plan of a decision for words `T` ([`Request::decide`]): derives its tables.
    ///
    /// **Constant time:** no; decisions are public. **Panics** if the decision was made for another
    /// word, or for unsigned words if `T` is signed.
    pub fn from_decision(decision: Decision) -> Self {
        let origin = Origin::of(&decision);
        let (channels, crt) = match decision {
            Decision::Direct(recipe) => (vec![Transform::from_recipe(recipe)], None),
            Decision::Crt(recipe) => (
                recipe.channels().iter().cloned().map(Transform::from_recipe).collect(),
                Some(Box::new(Crt::new(recipe))),
            ),
        };
        let words = channels.iter().map(|channel: &Transform<T>| channel.recipe().n()).sum();
        let slot_order = channels[0].recipe().slot_order();
        let order = (slot_order != SlotOrder::Native).then(|| Order::of(&channels[0], slot_order));
        Self {
            channels,
            crt,
            words,
            order,
            origin,
            #[cfg(feature = "std")]
            side_by_side: Default::default(),
        }
    }

    /// The transform modulo `q` itself, if the plan is one.
    pub(crate) fn transform(&self) -> Option<&Transform<T>> {
        self.crt.is_none().then(|| &self.channels[0])
    }

    /// What was decided and proved, if the plan is a transform modulo `q` itself; `None` for
    /// residue channels.
    pub fn recipe(&self) -> Option<&Recipe> {
        self.transform().map(Transform::recipe)
    }

    /// The proved ranges, if the plan is a transform modulo `q` itself; `None` for residue
    /// channels, each of which has [its own](CrtRecipe::channels).
    pub fn certificate(&self) -> Option<&Certificate> {
        self.transform().map(Transform::certificate)
    }

    /// What was decided, if the plan uses residue channels; `None` for a transform modulo `q`
    /// itself.
    pub fn crt_recipe(&self) -> Option<&CrtRecipe> {
        self.crt.as_ref().map(|crt| &crt.recipe)
    }

    /// The degree, equal to the number of coefficients.
    pub fn n(&self) -> usize {
        self.crt_recipe().map_or_else(|| self.channels[0].recipe().n(), CrtRecipe::n)
    }

    /// The modulus.
    pub fn q(&self) -> u64 {
        self.crt_recipe().map_or_else(|| self.channels[0].recipe().q(), CrtRecipe::q)
    }

    /// The ring.
    pub fn ring(&self) -> Ring {
        self.crt_recipe().map_or_else(|| self.channels[0].recipe().ring(), CrtRecipe::ring)
    }

    /// The order of transformed polynomials.
    pub fn slot_order(&self) -> SlotOrder {
        self.channels[0].recipe().slot_order()
    }

    /// Words of a transformed polynomial: `n`, or more for residue channels.
    pub const fn ntt_len(&self) -> usize {
        self.words
    }

    /// Words in all tables, not counting those for inner products and CRT reconstruction.
    pub fn table_words(&self) -> usize {
        self.channels.iter().map(Transform::table_words).sum()
    }

    /// Transforms in place: the polynomial is in the first `n` words, its transform fills all
    /// [`ntt_len`](Self::ntt_len) words.
    ///
    /// - **Order:** natural in; out the plan's [`slot_order`](Self::slot_order).
    /// - **Range:** in `(-q, q)`, so canonical and centred residues alike, or `[0, q)` in unsigned
    ///   words; words from `n` on may hold anything; out [`Certificate::slots`]. Words out of range
    ///   are not detected and give a wrong result: [`try_forward`](Self::try_forward) checks first.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have [`ntt_len`](Self::ntt_len) words.
    pub fn forward(&self, a: &mut [T]) {
        self.forward_native(a);
        if let Some(order) = &self.order {
            order.apply(a);
        }
    }

    /// [`forward`](Self::forward), in native order.
    pub(crate) fn forward_native(&self, a: &mut [T]) {
        self.forward_by(a, Transform::forward);
    }

    /// The same for operands of [`Transform::pointwise_of_operands`] alone.
    pub(crate) fn forward_operand(&self, a: &mut [T]) {
        self.forward_by(a, Transform::forward_operand);
    }

    fn forward_by(&self, a: &mut [T], by: impl Fn(&Transform<T>, &mut [T])) {
        self.check_words(a.len());
        match &self.crt {
            None => by(&self.channels[0], a),
            Some(crt) => crt.forward(&self.channels, a, by),
        }
    }

    /// Undoes [`forward`](Self::forward) in place, including the division by the number of slots:
    /// the first `n` words become the polynomial, all others zero.
    ///
    /// For products use [`inverse_product`](Self::inverse_product).
    ///
    /// - **Order:** in the plan's [`slot_order`](Self::slot_order), natural out.
    /// - **Range:** in the output of `forward` or [`to_ntt`](Self::to_ntt), or `(-q, q)` if the
    ///   plan is a transform modulo `q` itself; out
    ///   `[0, q)`. Words out of range are not detected and give a wrong result.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have [`ntt_len`](Self::ntt_len) words.
    pub fn inverse(&self, a: &mut [T]) {
        self.check_words(a.len());
        if let Some(order) = &self.order {
            order.undo(a);
        }
        self.back(a, Given::Slots);
    }

    /// What a position of a transformed polynomial holds: the number of its slot in canonical
    /// order, and the number of the coefficient within the slot. `None` for residue channels.
    ///
    /// **Panics** if `position` is not below `n`.
    pub fn slot(&self, position: usize) -> Option<(usize, usize)> {
        let transform = self.transform()?;
        Some(transform.slot_in(self.slot_order(), position))
    }

    /// For each of the `n` positions of a transformed polynomial, its index in canonical order:
    /// slot by slot, coefficients rising. `None` for residue channels, whose slots are not slots of
    /// the ring.
    ///
    /// Slot `i` is the residue modulo `X^d - root^e`, where `d` is [`Recipe::slot_degree`], the
    /// root is [`Recipe::root`], and `e` is [`Ring::exponent_of`] `i`. A plan whose
    /// [`slot_order`](Self::slot_order) is canonical gives `0, 1, 2, …`.
    ///
    /// ```
    /// use ringwork_ntt::{Plan, arith::Modulus};
    ///
    /// let plan = Plan::<i32>::new(64, 7681)?;
    /// let mut a = vec![0; 64];
    /// a[1] = 1; // X, whose value in slot i is root^e
    /// plan.forward(&mut a);
    /// plan.to_canonical_order(&mut a);
    /// plan.canonical(&mut a);
    /// let (recipe, q) = (plan.recipe().expect("roots of unity"), Modulus::new(7681)?);
    /// for (i, value) in a.into_iter().enumerate() {
    ///     let e = plan.ring().exponent_of(i);
    ///     assert_eq!(value as u64, q.pow(recipe.root(), e as u64));
    /// }
    /// # Ok::<(), ringwork_ntt::PlanError>(())
    /// ```
    pub fn canonical_order(&self) -> Option<Vec<usize>> {
        let transform = self.transform()?;
        Some(transform.order_to_canonical(self.slot_order()))
    }

    /// Brings a transformed polynomial from the plan's order into canonical order: see
    /// [`canonical_order`](Self::canonical_order). Each call computes the permutation; a plan that
    /// is made for canonical order ([`Request::slot_order`]) stores it.
    ///
    /// - **Range:** any words, which are moved as they are.
    /// - **Constant time:** yes.
    /// - **Panics** if the plan uses residue channels, or if `a` does not have `n` words.
    pub fn to_canonical_order(&self, a: &mut [T]) {
        if let Some(order) = self.way_to_canonical(a.len()) {
            self.order.iter().for_each(|own| own.undo(a));
            order.apply(a);
        }
    }

    /// Undoes [`to_canonical_order`](Self::to_canonical_order).
    ///
    /// **Range**, **constant time**, **panics:** as for `to_canonical_order`.
    pub fn from_canonical_order(&self, a: &mut [T]) {
        if let Some(order) = self.way_to_canonical(a.len()) {
            order.undo(a);
            self.order.iter().for_each(|own| own.apply(a));
        }
    }

    /// From native order, if the plan's is not canonical already.
    fn way_to_canonical(&self, length: usize) -> Option<Order> {
        self.check_words(length);
        let transform = self.transform().expect("residue channels have no canonical order");
        (self.slot_order() != SlotOrder::Canonical).then(|| Order::of(transform, SlotOrder::Canonical))
    }

    /// Adds `b` to `a`, for any number of contiguous polynomials. They may be transformed if the
    /// plan is a transform modulo `q` itself and their words are [canonical](Self::canonical).
    ///
    /// - **Range:** in `(-q, q)`; out `[0, q)`.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` and `b` do not have the same multiple of `n` words.
    pub fn add(&self, a: &mut [T], b: &[T]) {
        check_polynomials(self.n(), a.len(), b.len());
        self.add_signed(a, b, false);
    }

    /// Subtracts `b` from `a`, for any number of contiguous polynomials. They may be transformed if
    /// the plan is a transform modulo `q` itself and their words are [canonical](Self::canonical).
    ///
    /// - **Range:** in `(-q, q)`; out `[0, q)`.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` and `b` do not have the same multiple of `n` words.
    pub fn sub(&self, a: &mut [T], b: &[T]) {
        check_polynomials(self.n(), a.len(), b.len());
        self.add_signed(a, b, true);
    }

    fn add_signed(&self, a: &mut [T], b: &[T], negative: bool) {
        let (backend, contract, operands) = (self.backend(), self.contract(), Operands::new([a], [b]));
        let fits = contract.method().is_unsigned() || 2 * (i128::from(self.q()) - 1) <= Interval::word(T::BITS).hi;
        let how = if fits { Elementwise::Add { negative } } else { Elementwise::AddCentred { negative } };
        each(backend, contract, how, operands);
    }

    /// Reduces words modulo `q`, for any number of contiguous polynomials. They may be transformed
    /// if the plan is a transform modulo `q` itself.
    ///
    /// - **Order:** unchanged.
    /// - **Range:** in any words; out `[0, q)`. Unsigned words in the upper half of their range
    ///   stand for negative numbers, which transformed words can be, unless the words of the method
    ///   [are unsigned](crate::Method::is_unsigned).
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have a multiple of `n` words.
    pub fn canonical(&self, a: &mut [T]) {
        check_polynomials(self.n(), a.len(), a.len());
        each(self.backend(), self.contract(), Elementwise::Canonical, Operands::of(a));
    }

    /// That of the modulus, whatever the plan.
    pub(super) fn contract(&self) -> &Contract {
        self.crt.as_ref().map_or(&self.channels[0].contract, |crt| crt.contract())
    }

    /// The transform modulo `q` itself, whose products are bare words, in native order.
    #[cfg(feature = "internals")]
    pub fn bare_transform(&self) -> Option<&Transform<T>> {
        self.transform()
    }

    /// The vector instructions on which it runs.
    pub fn backend(&self) -> Backend {
        self.channels[0].recipe().backend()
    }

    /// To canonical coefficients.
    pub(crate) fn back(&self, a: &mut [T], given: Given) {
        self.check_words(a.len());
        match &self.crt {
            None => {
                self.channels[0].undo_to_canonical(given, a);
            }
            Some(crt) => crt.inverse(&self.channels, a, given),
        }
    }

    pub(crate) fn check_words(&self, length: usize) {
        if length != self.ntt_len() {
            wrong_words(self.ntt_len(), length);
        }
    }
}

impl<T: SignedWord> Plan<T> {
    /// Like [`canonical`](Self::canonical), with residues of at most `q/2` in absolute value, which
    /// need a sign.
    ///
    /// **Order**, **range** of input, **constant time**, **panics:** as for `canonical`.
    pub fn centre(&self, a: &mut [T]) {
        check_polynomials(self.n(), a.len(), a.len());
        each(self.backend(), self.contract(), Elementwise::Centre, Operands::of(a));
    }
}

#[cold]
#[inline(never)]
fn wrong_words(words: usize, length: usize) -> ! {
    panic!("a transformed polynomial of this plan has {words} words, this one has {length}");
}
