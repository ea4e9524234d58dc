//! The arithmetic of a ring: in the 16-bit words of its polynomials, or in 32-bit words into and
//! out of which those values are copied.
//!
//! On vectors, narrow words are the fastest by far. Without vectors, wider ones may be: there Longa
//! and Naehrig's method takes half the time of Montgomery's, and its products need them.

use super::words::Words;
use crate::ct::Wiped;
use ntt::{Backend, Decision, Inverter, Method, Plan, PlanError, Product, Recipe, Request};

/// A plan, with the inverter of its transformed polynomials.
#[derive(Clone, Debug)]
pub(super) enum Engine {
    Narrow(Plan<i16>, Inverter<i16>),
    /// The words of a polynomial have slots in `[0, q)`.
    Wide(Plan<i32>, Inverter<i32>),
}

/// A pointwise product, in the words of its engine.
pub(super) enum Slots {
    Narrow(Product<Words>),
    Wide(Product<Wiped<i32>>),
}

const DIRECT: &str = "the modulus of a ring has roots";
const OF_THIS_RING: &str = "products are of this ring";

impl Engine {
    /// Plans what the cost model estimates to be the fastest on the backend; with a given method,
    /// by that method.
    ///
    /// **Errors** if no range can be proved.
    pub(super) fn new(request: Request, backend: Backend, method: Option<Method>) -> Result<Self, PlanError> {
        let request = request.backend(backend);
        let request = method.map_or(request, |method| request.method(method));
        let narrow = narrow(&request);
        if backend.lanes(16) > 1 && narrow.is_ok() {
            return Self::narrow(narrow?);
        }
        let wide = exact(&request.lazy(), 32);
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

    pub(super) fn forward(&self, a: &mut [i16]) {
        match self {
            Self::Narrow(plan, _) => plan.forward(a),
            Self::Wide(plan, _) => within(a, |a| {
                plan.forward(a);
                plan.canonical(a);
            }),
        }
    }

    pub(super) fn pointwise(&self, a: &[i16], b: &[i16]) -> Slots {
        match self {
            Self::Narrow(plan, _) => Slots::Narrow(plan.pointwise(Words::zeros(a.len()), a, b)),
            Self::Wide(plan, _) => Slots::Wide(plan.pointwise(Wiped::zeros(a.len()), &widened(a), &widened(b))),
        }
    }

    pub(super) fn inverse_product(&self, product: Slots) -> Words {
        match (self, product) {
            (Self::Narrow(plan, _), Slots::Narrow(product)) => plan.inverse_product(product),
            (Self::Wide(plan, _), Slots::Wide(product)) => narrowed(&plan.inverse_product(product)),
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    pub(super) fn inverse(&self, a: &mut [i16]) {
        match self {
            Self::Narrow(plan, _) => plan.inverse(a),
            Self::Wide(plan, _) => within(a, |a| plan.inverse(a)),
        }
    }

    pub(super) fn to_ntt_plus(&self, product: Slots, b: &[i16]) -> Words {
        match (self, product) {
            (Self::Narrow(plan, _), Slots::Narrow(product)) => plan.to_ntt_plus(product, b),
            (Self::Wide(plan, _), Slots::Wide(product)) => narrowed(&plan.to_ntt_plus(product, &widened(b))),
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    pub(super) fn to_ntt(&self, product: Slots) -> Words {
        match (self, product) {
            (Self::Narrow(plan, _), Slots::Narrow(product)) => plan.to_ntt(product),
            (Self::Wide(plan, _), Slots::Wide(product)) => narrowed(&plan.to_ntt(product)),
            _ => panic!("{OF_THIS_RING}"),
        }
    }

    pub(super) fn invert(&self, inverse: &mut [i16], a: &[i16]) -> bool {
        match self {
            Self::Narrow(_, inverter) => inverter.invert(inverse, a),
            Self::Wide(_, inverter) => within(inverse, |inverse| inverter.invert(inverse, &widened(a))),
        }
    }

    pub(super) fn add(&self, a: &mut [i16], b: &[i16]) {
        match self {
            Self::Narrow(plan, _) => plan.add(a, b),
            Self::Wide(plan, _) => within(a, |a| plan.add(a, &widened(b))),
        }
    }

    pub(super) fn canonical(&self, a: &mut [i16]) {
        match self {
            Self::Narrow(plan, _) => plan.canonical(a),
            Self::Wide(plan, _) => within(a, |a| plan.canonical(a)),
        }
    }
}

/// Lazy slots, if a sum of two transformed values still fits a word; reduced ones otherwise.
fn narrow(request: &Request) -> Result<Recipe, PlanError> {
    let sums_fit = |recipe: &Recipe| {
        let c = recipe.certificate();
        c.word().holds(c.slots().plus(c.normalized()))
    };
    exact(&request.lazy(), 16).ok().filter(sums_fit).map_or_else(
        || {
            let recipe = exact(request, 16)?;
            assert!(sums_fit(&recipe), "the ring's sums fit its words");
            Ok(recipe)
        },
        Ok,
    )
}

/// A recipe whose transforms leave no factor, because slots are part of wire formats.
fn exact(request: &Request, bits: u32) -> Result<Recipe, PlanError> {
    let recipe = request.recipe(bits)?;
    if recipe.leaves_factor() {
        return Err(PlanError::Method { method: recipe.method(), q: recipe.q(), bits });
    }
    Ok(recipe)
}

fn widened(a: &[i16]) -> Wiped<i32> {
    let mut wide = Wiped::zeros(a.len());
    wide.iter_mut().zip(a).for_each(|(wide, &word)| *wide = word.into());
    wide
}

fn narrowed(wide: &[i32]) -> Words {
    let mut words = Words::zeros(wide.len());
    narrow_into(words.words_mut(), wide);
    words
}

/// Copies canonical residues, which fit.
fn narrow_into(words: &mut [i16], wide: &[i32]) {
    words.iter_mut().zip(wide).for_each(|(word, &wide)| *word = wide as i16);
}

/// Computes in wide words with canonical results.
fn within<T>(a: &mut [i16], calculate: impl FnOnce(&mut [i32]) -> T) -> T {
    let mut wide = widened(a);
    let result = calculate(&mut wide);
    narrow_into(a, &wide);
    result
}
