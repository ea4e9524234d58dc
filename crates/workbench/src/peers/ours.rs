//! Ours: what the planner takes, for the work of others.

use super::{digest, sample};
use crate::{
    measure::Job,
    plans::{AnyTransform, with},
};
use ntt::{Decision, Plan, PlanError, Request, Ring, Word, internals::Transform};
use std::{hint::black_box, rc::Rc};

/// A ring with what was decided about its products.
pub(super) struct Ours {
    decision: Decision,
}

/// Work on the words of a polynomial.
type Run<T> = fn(&Transform<T>, &mut [T]);

impl Ours {
    /// With slots as large as the last layer leaves them.
    pub(super) fn new(ring: Ring, n: usize, q: u64) -> Result<Self, PlanError> {
        Ok(Self { decision: Request::new(n, q).ring(ring).lazy().decide_any()? })
    }

    /// Backend, method and bits of a word, in the place of a peer's name and behind the work's.
    pub(super) fn how(&self) -> [String; 2] {
        let (recipe, channels) = match &self.decision {
            Decision::Direct(recipe) => (recipe, String::new()),
            Decision::Crt(crt) => (&crt.channels()[0], format!("-{}-channels", crt.channels().len())),
        };
        [recipe.backend().name().to_owned(), format!("{}-{}{channels}", recipe.method(), recipe.bits())]
    }

    /// Work that it does: without a transform modulo `q` itself products alone.
    pub(super) fn works(&self) -> &'static [&'static str] {
        match self.decision {
            Decision::Direct(_) => &["forward-lazy", "forward", "inverse", "product"],
            Decision::Crt(_) => &["product"],
        }
    }

    /// The digest of the product that all compute.
    pub(super) fn digest(&self) -> u64 {
        fn of<T: Word + Into<u64>>(decision: Decision) -> u64 {
            let (mut words, plan) = operands::<T>(decision);
            product(&plan, &mut words);
            digest(words[2].iter().map(|&word| word.into()))
        }
        self.in_words(of::<u16>, of::<u32>, of::<u64>)
    }

    /// The job of some work.
    pub(super) fn job(&self, work: &str, name: String) -> Job<'static> {
        fn of_product<T: Word>(decision: Decision) -> Box<dyn FnMut()> {
            let (mut words, plan) = operands::<T>(decision);
            Box::new(move || product(&plan, black_box(&mut words)))
        }
        let run = match (work, &self.decision) {
            ("product", _) | (_, Decision::Crt(_)) => {
                self.in_words(of_product::<u16>, of_product::<u32>, of_product::<u64>)
            }
            (_, Decision::Direct(recipe)) => {
                let plan = AnyTransform::from_recipe(recipe.clone());
                with!(&plan, plan => of_transform(work, plan.clone()))
            }
        };
        Job::new(name, run)
    }

    fn in_words<A>(&self, of_16: fn(Decision) -> A, of_32: fn(Decision) -> A, of_64: fn(Decision) -> A) -> A {
        let decision = self.decision.clone();
        match decision.bits() {
            16 => of_16(decision),
            32 => of_32(decision),
            _ => of_64(decision),
        }
    }
}

/// Two operands, and the place of their product.
fn operands<T: Word>(decision: Decision) -> ([Vec<T>; 3], Plan<T>) {
    let plan = Plan::<T>::from_decision(decision);
    let (n, q) = (plan.n(), plan.q());
    let words = |operand| sample(n, q, operand).map(|x| T::truncated(x as i64)).collect();
    ([words(1), words(2), vec![T::default(); n]], plan)
}

fn product<T: Word>(plan: &Plan<T>, [a, b, c]: &mut [Vec<T>; 3]) {
    plan.multiply(c, a, b);
}

fn of_transform<T: Word>(work: &str, plan: Rc<Transform<T>>) -> Box<dyn FnMut()> {
    let (n, q) = (plan.recipe().n(), plan.recipe().q());
    let mut words: Vec<T> = sample(n, q, 1).map(|x| T::truncated(x as i64)).collect();
    let run: Run<T> = match work {
        "forward-lazy" => |plan, a| plan.forward(a),
        "forward" => |plan, a| {
            plan.forward(a);
            plan.canonical_within(plan.certificate().slots(), a);
        },
        _ => |plan, a| {
            plan.inverse(a);
            plan.canonical_within(plan.certificate().output(), a);
        },
    };
    Box::new(move || run(&plan, black_box(&mut words)))
}
