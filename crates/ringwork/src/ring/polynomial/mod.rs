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
use engine::{Engine, Products, Slots};
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
    ($(#[$doc:meta])* $name:ident($words:ty)) => {
        $(#[$doc])*
        pub struct $name<P> {
            words: $words,
            parameters: PhantomData<P>,
        }

        impl<P: Parameters> $name<P> {
            fn new(words: $words) -> Self {
                Self { words, parameters: PhantomData }
            }

            /// A copy, for data with two owners.
            #[allow(dead_code, reason = "not every kind of polynomial has two owners")]
            pub(crate) fn duplicate(&self) -> Self {
                Self::new(self.words.clone())
            }
        }
    };
}

polynomial! {
    /// A polynomial in coefficient form.
    Poly(Words<i16>)
}
polynomial! {
    /// A polynomial in slot form, in native order.
    NttPoly(Slots)
}
/// A pointwise product, in native order, with the factor left by the product.
pub struct NttProduct<P> {
    product: Products,
    parameters: PhantomData<P>,
}

not_printed!(Poly<P>, NttPoly<P>, NttProduct<P>);

impl<P: Parameters> Poly<P> {
    /// A polynomial whose coefficients `fill` writes: in `(-q, q)`, in natural order.
    pub fn filled(fill: impl FnOnce(&mut [i16])) -> Self {
        let mut words = Words::zeros(P::N);
        fill(words.words_mut());
        debug_assert!(words.words().iter().all(|c| c.unsigned_abs() < P::Q));
        Self::new(words)
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
        NttPoly::new(self.engine.forward(poly.words))
    }

    /// The pointwise product.
    pub fn product(&self, a: &NttPoly<P>, b: &NttPoly<P>) -> NttProduct<P> {
        NttProduct { product: self.engine.pointwise(&a.words, &b.words), parameters: PhantomData }
    }

    /// The inverse transform of a pointwise product, with coefficients in `[0, q)`.
    pub fn inverse_product(&self, product: NttProduct<P>) -> Poly<P> {
        Poly::new(self.engine.inverse_product(product.product))
    }

    /// The inverse transform, with coefficients in `[0, q)`.
    pub fn inverse(&self, poly: NttPoly<P>) -> Poly<P> {
        Poly::new(self.engine.inverse(poly.words))
    }

    /// `product + b` with slots in `[0, q)`.
    pub fn product_plus(&self, product: NttProduct<P>, b: &NttPoly<P>) -> NttPoly<P> {
        NttPoly::new(self.engine.to_ntt_plus(product.product, &b.words))
    }

    /// The product as a transformed polynomial with slots in `[0, q)`.
    pub fn normalized(&self, product: NttProduct<P>) -> NttPoly<P> {
        NttPoly::new(self.engine.to_ntt(product.product))
    }

    /// The inverse of a transformed polynomial, if there is one.
    ///
    /// **Constant time:** yes, except for whether there is one.
    pub fn inverse_of(&self, a: &NttPoly<P>) -> Option<NttPoly<P>> {
        self.engine.invert(&a.words).map(NttPoly::new)
    }

    /// Whether two polynomials with slots in `[0, q)` are equal, in constant time.
    pub fn equal(&self, a: &NttPoly<P>, b: &NttPoly<P>) -> Choice {
        a.words.difference(&b.words).ct_eq(&0)
    }

    /// `a + b` with coefficients in `[0, q)`; `|a|` and `|b|` below `q`.
    pub fn sum(&self, a: Poly<P>, b: &Poly<P>) -> Poly<P> {
        let mut words = a.words;
        self.engine.add(&mut words, &b.words);
        Poly::new(words)
    }

    /// Reads slot values in `[0, q)` in canonical order, for wire formats.
    ///
    /// **Constant time:** yes. **Panics** if there are not `n`.
    pub fn from_canonical(&self, values: &[i16]) -> NttPoly<P> {
        debug_assert!(values.iter().all(|&v| (0..P::Q as i16).contains(&v)));
        let mut words = Words::zeros(P::N);
        self.to_native.permute(words.words_mut(), values);
        NttPoly::new(self.engine.slots(words))
    }

    /// Passes the slot values of a polynomial to `take`, in the order of wire formats.
    pub(crate) fn with_outside<T>(&self, poly: &NttPoly<P>, take: impl FnOnce(&[i16]) -> T) -> T {
        poly.words.with_values(|native| {
            if self.to_canonical.is_identity() {
                return take(native);
            }
            let mut values = Words::zeros(P::N);
            self.to_canonical.permute(values.words_mut(), native);
            take(values.words())
        })
    }

    /// The polynomial whose slot values `give` writes, in the order of wire formats and in `[0, q)`
    /// unless it fails.
    pub(crate) fn read_outside<E>(&self, give: impl FnOnce(&mut [i16]) -> Result<(), E>) -> Result<NttPoly<P>, E> {
        let mut values = Words::zeros(P::N);
        give(values.words_mut())?;
        if self.to_native.is_identity() {
            return Ok(NttPoly::new(self.engine.slots(values)));
        }
        let mut native = Words::zeros(P::N);
        self.to_native.permute(native.words_mut(), values.words());
        Ok(NttPoly::new(self.engine.slots(native)))
    }

    /// The same polynomial with slots in `[0, q)`.
    pub fn canonical(&self, poly: NttPoly<P>) -> NttPoly<P> {
        let mut words = poly.words;
        self.engine.canonical(&mut words);
        NttPoly::new(words)
    }
}

impl<P: Parameters> Default for Ring<P> {
    fn default() -> Self {
        Self::new()
    }
}
