//! Polynomials in coefficient form and in transformed form, as different types.

mod codec;
mod engine;
pub(crate) mod upright;
mod words;

pub use codec::PackedBits;
pub(crate) use codec::join;

use super::permutation::{self, BitPermutation};
use crate::ct::not_printed;
use core::marker::PhantomData;
use engine::{Engine, Slots};
use ntt::{Backend, Method, PlanError, Recipe, Request};
use subtle::{Choice, ConstantTimeEq};
use words::Words;

/// A ring as a type: degree, modulus and polynomial.
pub trait Parameters: Copy + 'static {
    /// Degree.
    const N: usize;
    /// Modulus, below 2^14: words are `i16`.
    const Q: u16;
    /// The polynomial of the quotient ring.
    const KIND: ntt::Ring = ntt::Ring::Negacyclic;
    /// The root of unity; `None` for the smallest one.
    const ROOT: Option<u64> = None;

    /// The position, in wire formats, of a coefficient of a slot with canonical number `slot` and
    /// degree `degree`.
    fn place(slot: usize, coefficient: usize, degree: usize) -> usize {
        slot * degree + coefficient
    }
}

/// The operations of one ring on one backend.
#[derive(Clone, Debug)]
pub struct Ring<P> {
    engine: Engine,
    /// Permutes from the order of wire formats to native order, and back.
    to_native: BitPermutation,
    to_canonical: BitPermutation,
    parameters: PhantomData<P>,
}

macro_rules! polynomial {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name<P> {
            words: Words,
            parameters: PhantomData<P>,
        }

        impl<P: Parameters> $name<P> {
            fn new(words: Words) -> Self {
                debug_assert_eq!(words.words().len(), P::N);
                Self { words, parameters: PhantomData }
            }

            fn zero() -> Self {
                Self::new(Words::zeros(P::N))
            }

            /// A copy, for data with two owners.
            #[allow(dead_code, reason = "not every kind of polynomial has two owners")]
            pub(crate) fn duplicate(&self) -> Self {
                Self::new(self.words.clone())
            }

            fn take(self) -> Words {
                self.words
            }
        }
    };
}

polynomial! {
    /// A polynomial in coefficient form.
    Poly
}
polynomial! {
    /// A polynomial in slot form, in native order.
    NttPoly
}
/// A pointwise product, in native order, with the factor left by the product.
pub struct NttProduct<P> {
    product: Slots,
    parameters: PhantomData<P>,
}

not_printed!(Poly<P>, NttPoly<P>, NttProduct<P>);

impl<P: Parameters> Poly<P> {
    /// A polynomial whose coefficients `fill` writes: in `(-q, q)`, in natural order.
    pub fn filled(fill: impl FnOnce(&mut [i16])) -> Self {
        let mut poly = Self::zero();
        let words = poly.words.words_mut();
        fill(words);
        debug_assert!(words.iter().all(|c| c.unsigned_abs() < P::Q));
        poly
    }

    /// The coefficients, in natural order.
    pub fn coefficients(&self) -> &[i16] {
        self.words.words()
    }
}

impl<P: Parameters> Ring<P> {
    /// The ring on the best backend of this machine.
    pub fn new() -> Self {
        Self::with_backend(Backend::best()).expect("the parameters of a ring have a plan")
    }

    /// The ring on the given backend.
    pub fn with_backend(backend: Backend) -> Result<Self, PlanError> {
        Self::on(backend, None)
    }

    /// The ring on the given backend, by the given method of reduction.
    ///
    /// **Errors** if no range can be proved, or if transforms by that method leave a factor on
    /// slots.
    pub fn with_method(backend: Backend, method: Method) -> Result<Self, PlanError> {
        Self::on(backend, Some(method))
    }

    fn on(backend: Backend, method: Option<Method>) -> Result<Self, PlanError> {
        let engine = Engine::new(Self::request(), backend, method)?;
        let degree = engine.recipe().slot_degree();
        let place = |position| {
            let (slot, coefficient) = engine.slot(position);
            P::place(slot, coefficient, degree)
        };
        let [to_native, to_canonical] = permutation::outside_orders(backend, P::N, place);
        Ok(Self { engine, to_native, to_canonical, parameters: PhantomData })
    }

    /// The request of a ring, without the backend. It asks for all slots, even if fewer would be
    /// faster, because slots are part of wire formats.
    pub fn request() -> Request {
        let depth = P::KIND.layers_of_roots(P::Q.into()).min(P::KIND.layers(P::N));
        let request = Request::new(P::N, P::Q.into()).ring(P::KIND).depth(depth);
        P::ROOT.map_or(request, |root| request.root(root))
    }

    /// The recipe: what the planner decided and proved.
    pub fn recipe(&self) -> &Recipe {
        self.engine.recipe()
    }

    /// The backend.
    pub fn backend(&self) -> Backend {
        self.recipe().backend()
    }

    /// The forward transform.
    pub fn forward(&self, poly: Poly<P>) -> NttPoly<P> {
        let mut words = poly.take();
        self.engine.forward(words.words_mut());
        NttPoly::new(words)
    }

    /// The pointwise product.
    pub fn product(&self, a: &NttPoly<P>, b: &NttPoly<P>) -> NttProduct<P> {
        NttProduct { product: self.engine.pointwise(a.words.words(), b.words.words()), parameters: PhantomData }
    }

    /// The inverse transform of a pointwise product, with coefficients in `[0, q)`.
    pub fn inverse_product(&self, product: NttProduct<P>) -> Poly<P> {
        Poly::new(self.engine.inverse_product(product.product))
    }

    /// The inverse transform, with coefficients in `[0, q)`.
    pub fn inverse(&self, poly: NttPoly<P>) -> Poly<P> {
        let mut words = poly.take();
        self.engine.inverse(words.words_mut());
        Poly::new(words)
    }

    /// `product + b` with slots in `[0, q)`.
    pub fn product_plus(&self, product: NttProduct<P>, b: &NttPoly<P>) -> NttPoly<P> {
        NttPoly::new(self.engine.to_ntt_plus(product.product, b.words.words()))
    }

    /// The product as a transformed polynomial with slots in `[0, q)`.
    pub fn normalized(&self, product: NttProduct<P>) -> NttPoly<P> {
        NttPoly::new(self.engine.to_ntt(product.product))
    }

    /// The inverse of a transformed polynomial, if there is one.
    ///
    /// **Constant time:** yes, except for whether there is one.
    pub fn inverse_of(&self, a: &NttPoly<P>) -> Option<NttPoly<P>> {
        let mut inverse = NttPoly::zero();
        self.engine.invert(inverse.words.words_mut(), a.words.words()).then_some(inverse)
    }

    /// Whether two polynomials with slots in `[0, q)` are equal, in constant time.
    pub fn equal(&self, a: &NttPoly<P>, b: &NttPoly<P>) -> Choice {
        let words = a.words.words().iter().zip(b.words.words());
        words.fold(0, |different, (x, y)| different | (x ^ y)).ct_eq(&0)
    }

    /// `a + b` with coefficients in `[0, q)`; `|a|` and `|b|` below `q`.
    pub fn sum(&self, a: Poly<P>, b: &Poly<P>) -> Poly<P> {
        let mut words = a.take();
        self.engine.add(words.words_mut(), b.words.words());
        Poly::new(words)
    }

    /// Reads slot values in `[0, q)` in canonical order, for wire formats.
    ///
    /// **Constant time:** yes. **Panics** if there are not `n`.
    pub fn from_canonical(&self, values: &[i16]) -> NttPoly<P> {
        debug_assert!(values.iter().all(|&v| (0..P::Q as i16).contains(&v)));
        let mut poly = NttPoly::zero();
        self.to_native.permute(poly.words.words_mut(), values);
        poly
    }

    /// Passes the slot values of a polynomial to `take`, in the order of wire formats.
    pub(crate) fn with_outside<T>(&self, poly: &NttPoly<P>, take: impl FnOnce(&[i16]) -> T) -> T {
        if self.to_canonical.is_identity() {
            return take(poly.words.words());
        }
        let mut values = Words::zeros(P::N);
        self.to_canonical.permute(values.words_mut(), poly.words.words());
        take(values.words())
    }

    /// The polynomial whose slot values `give` writes, in the order of wire formats and in `[0, q)`
    /// unless it fails.
    pub(crate) fn read_outside<E>(&self, give: impl FnOnce(&mut [i16]) -> Result<(), E>) -> Result<NttPoly<P>, E> {
        let mut poly = NttPoly::zero();
        if self.to_native.is_identity() {
            give(poly.words.words_mut())?;
            return Ok(poly);
        }
        let mut values = Words::zeros(P::N);
        give(values.words_mut())?;
        self.to_native.permute(poly.words.words_mut(), values.words());
        Ok(poly)
    }

    /// The same polynomial with slots in `[0, q)`.
    pub fn canonical(&self, poly: NttPoly<P>) -> NttPoly<P> {
        let mut words = poly.take();
        self.engine.canonical(words.words_mut());
        NttPoly::new(words)
    }
}

impl<P: Parameters> Default for Ring<P> {
    fn default() -> Self {
        Self::new()
    }
}
