//! The arithmetic of a ring, in words of 16 or of 32 bits.
//!
//! Coefficients have 16 bits, which is what samplers, codecs and reconciliation take; slots have the words of the
//! engine. On vectors, narrow words are the fastest by far. Without vectors, wider ones may be: there Longa and
//! Naehrig's method takes half the time of Montgomery's, and its products need them. Such a transform widens
//! coefficients on the way in and narrows them on the way out; between, slots stay as they are.

use super::words::Words;
use ntt::{Backend, Decision, Inverter, Method, Plan, PlanError, Product, Recipe, Request};

/// A plan, with the inverter of its transformed polynomials.
#[derive(Clone, Debug)]
pub(super) enum Engine {
    Narrow(Plan<i16>, Inverter<i16>),
    Wide(Plan<i32>, Inverter<i32>),
}

/// A transformed polynomial, in the words of its engine.
#[derive(Clone)]
pub(super) enum Slots {
    Narrow(Words<i16>),
    Wide(Words<i32>),
}

/// A pointwise product, in the words of its engine.
pub(super) enum Products {
    Narrow(Product<Words<i16>>),
    Wide(Product<Words<i32>>),
}

const DIRECT: &str = "the modulus of a ring has roots";
const OF_THIS_RING: &str = "transformed polynomials and products are of this ring";

impl Engine {
    /// Plans what the cost model estimates to be the fastest on the backend; with a given method,
    /// by that method.
    ///
    /// **Errors** if no range can be proved.
    pub(super) fn new(request: Request, backend: Backend, method: Option<Method>) -> Result<Self, PlanError> {
        let request = request.backend(backend);
        let request = method.map_or(request, |method| request.method(method));
        let narrow = exact(&request, 16);
        if backend.lanes(16) > 1 && narrow.is_ok() {
            return Self::narrow(narrow?);
        }
        let wide = exact(&request, 32);
        match (narrow, wide) {
            (Ok(narrow), Ok(wide)) if wide.estimated_cycles() < narrow.estimated_cycles() => Self::wide(wide),
            (Ok(narrow), _) => Self::narrow(narrow),
            (Err(_), wide) => Self::wide(wide?),
        }
    }

    fn narrow(recipe: Recipe) -> Result<Self, PlanError> {
        let plan = Plan::from_decision(Decision::Direct(recipe));
        let inverses = Inverter::new(&plan)?;
        Ok(Self::Narrow(plan, inverses))
    }

    fn wide(recipe: Recipe) -> Result<Self, PlanError> {
        let plan = Plan::from_decision(Decision::Direct(recipe));
        let inverses = Inverter::new(&plan)?;
        Ok(Self::Wide(plan, inverses))
    }

    pub(super) fn recipe(&self) -> &Recipe {
        match self {
            Self::Narrow(plan, _) => plan.recipe(),
            Self::Wide(plan, _) => plan.recipe(),
        }
        .expect(DIRECT)
    }

    /// The slot and the index of the coefficient at a position.
    pub(super) fn slot(&self, position: usize) -> (usize, usize) {
        match self {
            Self::Narrow(plan, _) => plan.slot(position),
            Self::Wide(plan, _) => plan.slot(position),
        }
        .expect(DIRECT)
    }

    pub(super) fn forward(&self, mut a: Words<i16>) -> Slots {
        match self {
            Self::Narrow(plan, _) => {
                plan.forward(a.words_mut());
                Slots::Narrow(a)
            }
            Self::Wide(plan, _) => {
                let mut a: Words<i32> = a.converted();
                plan.forward(a.words_mut());
                Slots::Wide(a)
            }
        }
    }

    pub(super) fn pointwise(&self, a: &Slots, b: &Slots) -> Products {
        match (self, a, b) {
            (Self::Narrow(plan, _), Slots::Narrow(a), Slots::Narrow(b)) => {
                Products::Narrow(plan.pointwise(Words::zeros(a.words().len()), a.words(), b.words()))
            }
            (Self::Wide(plan, _), Slots::Wide(a), Slots::Wide(b)) => {
                Products::Wide(plan.pointwise(Words::zeros(a.words().len()), a.words(), b.words()))
            }
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    pub(super) fn inverse_product(&self, product: Products) -> Words<i16> {
        match (self, product) {
            (Self::Narrow(plan, _), Products::Narrow(product)) => plan.inverse_product(product),
            (Self::Wide(plan, _), Products::Wide(product)) => plan.inverse_product(product).converted(),
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    pub(super) fn inverse(&self, a: Slots) -> Words<i16> {
        match (self, a) {
            (Self::Narrow(plan, _), Slots::Narrow(mut a)) => {
                plan.inverse(a.words_mut());
                a
            }
            (Self::Wide(plan, _), Slots::Wide(mut a)) => {
                plan.inverse(a.words_mut());
                a.converted()
            }
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    pub(super) fn to_ntt_plus(&self, product: Products, b: &Slots) -> Slots {
        match (self, product, b) {
            (Self::Narrow(plan, _), Products::Narrow(product), Slots::Narrow(b)) => {
                Slots::Narrow(plan.to_ntt_plus(product, b.words()))
            }
            (Self::Wide(plan, _), Products::Wide(product), Slots::Wide(b)) => {
                Slots::Wide(plan.to_ntt_plus(product, b.words()))
            }
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    pub(super) fn to_ntt(&self, product: Products) -> Slots {
        match (self, product) {
            (Self::Narrow(plan, _), Products::Narrow(product)) => Slots::Narrow(plan.to_ntt(product)),
            (Self::Wide(plan, _), Products::Wide(product)) => Slots::Wide(plan.to_ntt(product)),
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    /// The inverse, if there is one.
    pub(super) fn invert(&self, a: &Slots) -> Option<Slots> {
        match (self, a) {
            (Self::Narrow(_, inverter), Slots::Narrow(a)) => {
                let mut inverse = Words::zeros(a.words().len());
                inverter.invert(inverse.words_mut(), a.words()).then_some(Slots::Narrow(inverse))
            }
            (Self::Wide(_, inverter), Slots::Wide(a)) => {
                let mut inverse = Words::zeros(a.words().len());
                inverter.invert(inverse.words_mut(), a.words()).then_some(Slots::Wide(inverse))
            }
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    /// Adds coefficients.
    pub(super) fn add(&self, a: &mut Words<i16>, b: &Words<i16>) {
        match self {
            Self::Narrow(plan, _) => plan.add(a.words_mut(), b.words()),
            Self::Wide(plan, _) => {
                let mut sum: Words<i32> = a.converted();
                plan.add(sum.words_mut(), b.converted().words());
                *a = sum.converted();
            }
        }
    }

    pub(super) fn canonical(&self, a: &mut Slots) {
        match (self, a) {
            (Self::Narrow(plan, _), Slots::Narrow(a)) => plan.canonical(a.words_mut()),
            (Self::Wide(plan, _), Slots::Wide(a)) => plan.canonical(a.words_mut()),
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    /// Slots of which `values`, in native order and in `[0, q)`, were read.
    pub(super) fn slots(&self, values: Words<i16>) -> Slots {
        match self {
            Self::Narrow(..) => Slots::Narrow(values),
            Self::Wide(..) => Slots::Wide(values.converted()),
        }
    }
}

impl Slots {
    /// Passes slots in `[0, q)` to `take`, in native order.
    pub(super) fn with_values<T>(&self, take: impl FnOnce(&[i16]) -> T) -> T {
        match self {
            Self::Narrow(words) => take(words.words()),
            Self::Wide(words) => take(words.converted().words()),
        }
    }

    /// Zero if and only if both have the same words.
    pub(super) fn difference(&self, other: &Self) -> i32 {
        match (self, other) {
            (Self::Narrow(a), Self::Narrow(b)) => a.difference(b),
            (Self::Wide(a), Self::Wide(b)) => a.difference(b),
            _ => panic!("{OF_THIS_RING}"),
        }
    }
}

/// A recipe whose transforms leave no factor, because slots are part of wire formats, and whose words have room for
/// the sum of two transformed values: lazy slots if they leave it, reduced ones otherwise.
fn exact(request: &Request, bits: u32) -> Result<Recipe, PlanError> {
    let without_factor = |request: &Request| {
        let recipe = request.recipe(bits)?;
        if recipe.leaves_factor() {
            return Err(PlanError::Method { method: recipe.method(), q: recipe.q(), bits });
        }
        Ok(recipe)
    };
    let sums_fit = |recipe: &Recipe| {
        let c = recipe.certificate();
        c.word().holds(c.slots().plus(c.normalized()))
    };
    without_factor(&request.lazy()).ok().filter(sums_fit).map_or_else(
        || {
            let recipe = without_factor(request)?;
            assert!(sums_fit(&recipe), "the ring's sums fit its words");
            Ok(recipe)
        },
        Ok,
    )
}
