//! Ours: what the planner takes, for the work of others.

use super::{digest, sample};
use crate::{
    measure::Job,
    plans::{AnyTransform, with},
};
use ntt::{
    Batch, Certificate, Decision, Extension, Plan, PlanError, Request, Ring, SlotOrder, Word, arith::Modulus,
    internals::Transform,
};
use std::{hint::black_box, rc::Rc};

/// A ring with what was decided about its products.
pub(super) struct Ours {
    decision: Decision,
}

/// Work on the columns of a matrix: how many there are, and whether they are extended to twice as many points.
pub(super) const COLUMNS: [(&str, usize, bool); 3] =
    [("forward-of-16", 16, false), ("forward-of-64", 64, false), ("extension-of-16", 16, true)];

/// Degrees and words of these matrices.
const OF_COLUMNS: [usize; 2] = [1 << 16, 1 << 20];
const MOST_WORDS: usize = 1 << 24;

/// Fields whose columns others transform: the modulus, the root of the order `2^k` that they take, `k`, and the shift of
/// their coset.
const FIELDS: [(u64, u64, u32, u64); 3] = [
    (super::BABY_BEAR, 0x1A42_7A41, 27, 31),
    (super::KOALA_BEAR, 0x6AC4_9F88, 24, 3),
    (super::GOLDILOCKS, 1_753_635_133_440_165_772, 32, 7),
];

/// The columns of a matrix, and what transforms them.
struct Matrix {
    n: usize,
    q: u64,
    root: u64,
    shift: u64,
    width: usize,
    more: bool,
}

impl Matrix {
    /// That of some work, if there is such a one.
    fn of(work: &str, ring: Ring, n: usize, q: u64) -> Option<Self> {
        let (_, width, more) = *COLUMNS.iter().find(|(name, ..)| *name == work)?;
        let (_, root, log, shift) = *FIELDS.iter().find(|(modulus, ..)| *modulus == q)?;
        if ring != Ring::Cyclic || !OF_COLUMNS.contains(&n) || n * width > MOST_WORDS {
            return None;
        }
        let order = n << u32::from(more);
        let root = Modulus::new(q).ok()?.pow(root, (1_u64 << log) / order as u64);
        Some(Self { n, q, root, shift, width, more })
    }

    /// A run, which gives the digest of what comes out if it is asked for.
    fn run<T: Word + Into<u64>>(&self) -> Result<Box<dyn FnMut(bool) -> u64>, PlanError> {
        let Self { n, q, root, shift, width, more } = *self;
        let request = Request::new(n, q).cyclic().depth(n.ilog2()).root(root);
        let mut words: Vec<T> = sample(n * width, q, 1).map(|x| T::truncated(x as i64)).collect();
        let digest_of = |words: &[T]| digest(words.iter().map(|&word| word.into()));
        if more {
            let request = request.shift(shift).slot_order(SlotOrder::Canonical);
            let extension = Extension::<T>::new(&request, 2, SlotOrder::BitReversed)?;
            let mut extended = vec![T::default(); 2 * n * width];
            return Ok(Box::new(move |wanted| {
                extension.extend_columns(black_box(&mut extended), &words, width);
                canonical(extension.values(), &mut extended);
                if wanted { digest_of(&extended) } else { 0 }
            }));
        }
        let plan = Plan::<T>::with(&request.slot_order(SlotOrder::BitReversed))?;
        Ok(Box::new(move |wanted| {
            plan.forward_batch(black_box(&mut words), Batch::new(width).interleaved());
            canonical(&plan, &mut words);
            if wanted { digest_of(&words) } else { 0 }
        }))
    }

    /// In the words that hold residues, without a sign.
    fn in_words(&self) -> Result<Box<dyn FnMut(bool) -> u64>, PlanError> {
        if self.q >> 32 == 0 { self.run::<u32>() } else { self.run::<u64>() }
    }
}

/// Makes words canonical, unless they are.
fn canonical<T: Word>(plan: &Plan<T>, words: &mut [T]) {
    let slots = plan.certificate().map(Certificate::slots);
    if slots.is_none_or(|slots| slots.lo < 0 || slots.hi >= plan.q().into()) {
        plan.canonical(words);
    }
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
    pub(super) fn works(&self) -> Vec<&'static str> {
        match &self.decision {
            Decision::Direct(recipe) => {
                let matrix = |work: &&str| Matrix::of(work, recipe.ring(), recipe.n(), recipe.q()).is_some();
                let columns = COLUMNS.map(|(work, ..)| work).into_iter().filter(matrix);
                ["forward-lazy", "forward", "inverse", "product"].into_iter().chain(columns).collect()
            }
            Decision::Crt(_) => vec!["product"],
        }
    }

    /// The matrix of some work.
    fn matrix(&self, work: &str) -> Option<Matrix> {
        match &self.decision {
            Decision::Direct(recipe) => Matrix::of(work, recipe.ring(), recipe.n(), recipe.q()),
            Decision::Crt(_) => None,
        }
    }

    /// The digest of what some work gives, if others give it as well.
    pub(super) fn digest_of(&self, work: &str) -> Option<u64> {
        match self.matrix(work) {
            Some(matrix) => matrix.in_words().ok().map(|mut run| run(true)),
            None => (work == "product").then(|| self.digest()),
        }
    }

    /// The digest of the product that all compute.
    fn digest(&self) -> u64 {
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
        if let Some(Ok(mut run)) = self.matrix(work).map(|matrix| matrix.in_words()) {
            return Job::new(name, move || {
                run(false);
            });
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
