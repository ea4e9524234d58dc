//! A transform and all that is proved about it, for programs.

use super::{Beyond, Candidate, CostsFrom, Facts, depths::AllDepths};
use crate::{
    identity::{Ends, Identity},
    plans::AnyTransform,
    proof::Line,
};
use ntt::internals::model::OpCount;
use schemars::JsonSchema;
use serde::Serialize;

/// A transform.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct Answer<'a> {
    #[serde(flatten)]
    identity: Identity,
    /// Words of a vector.
    lanes: usize,
    /// The factor that K-RED leaves on every slot of a raw transform.
    factor: Factor,
    /// With `--lazy-ntt`: of how many products in a row one is reduced; else null.
    lazy_ntt: Option<u32>,
    /// The size of the tables.
    table_words: usize,
    /// Trips of the data through registers.
    passes: &'a [String],
    /// What a word holds.
    word: Ends,
    /// How the polynomial of the ring splits.
    splitting: Splitting,
    /// What every value is proved to be, step by step.
    ranges: Vec<ProvedStep<'a>>,
    /// How many there are.
    vector_operations: VectorOperations,
    /// Of a product; null with `--lazy-ntt`.
    #[schemars(with = "Option<usize>")]
    estimated_cycles: Option<u64>,
    /// With `--all`: all methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<&'a [Candidate]>,
    /// With `--all` or `--measure`: all depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    depths: Option<AllDepths>,
    /// By what the plan was chosen.
    costs: CostsFrom,
}

/// A constant modulo q.
#[derive(Serialize, JsonSchema)]
struct Factor {
    /// The constant.
    residue: u64,
    /// It is k to this power.
    k: i32,
}

/// How the polynomial of a ring splits.
#[derive(Serialize, JsonSchema)]
struct Splitting {
    /// The number of its irreducible factors.
    factors: u64,
    /// How often each of them occurs.
    multiplicity: u64,
    /// Below which bounds all elements but 0 are invertible; null where no theorem says so.
    invertible: Option<Invertible>,
}

/// Bounds of elements.
#[derive(Serialize, JsonSchema)]
struct Invertible {
    /// Of the largest absolute value of a coefficient.
    max_norm: u64,
    /// Of the sum of the squares of the coefficients.
    squared_norm: u64,
}

/// What the values of a step are proved to be.
#[derive(Serialize, JsonSchema)]
struct ProvedStep<'a> {
    /// The step.
    name: &'a str,
    #[serde(flatten)]
    range: Ends,
    /// What is reduced beyond products; empty for nothing.
    reduces: &'static str,
}

/// Vector operations.
#[derive(Serialize, JsonSchema)]
struct VectorOperations {
    /// Of a forward transform.
    forward: Operations,
    /// Of an inverse transform.
    inverse: Operations,
    /// Of a pointwise product.
    pointwise: Operations,
}

/// Operations on vectors by name.
#[derive(Serialize, JsonSchema)]
pub(super) struct Operations {
    #[serde(rename = "products with a twiddle")]
    products: usize,
    #[serde(rename = "the same, left unreduced")]
    exact_products: usize,
    #[serde(rename = "products of two variables")]
    variable_products: usize,
    #[serde(rename = "additions, subtractions")]
    additions: usize,
    reductions: usize,
    interleaves: usize,
    loads: usize,
    stores: usize,
    #[serde(rename = "twiddles read")]
    twiddles: usize,
}

impl From<OpCount> for Operations {
    fn from(count: OpCount) -> Self {
        Self {
            products: count.products as usize,
            exact_products: count.exact_products as usize,
            variable_products: count.variable_products as usize,
            additions: count.additions as usize,
            reductions: count.reductions as usize,
            interleaves: count.interleaves as usize,
            loads: count.loads as usize,
            stores: count.stores as usize,
            twiddles: count.twiddles as usize,
        }
    }
}

impl<'a> Answer<'a> {
    pub(super) fn of(plan: &AnyTransform, facts: &'a Facts, beyond: &'a Beyond, costs: CostsFrom) -> Self {
        let r = plan.recipe();
        let splitting = r.splitting();
        let bounds = splitting.invertible;
        let invertible = bounds.map(|i| Invertible { max_norm: i.max_norm, squared_norm: i.squared_norm });
        let step = |line: &'a Line| ProvedStep { name: &line.name, range: line.range.into(), reduces: line.reduces };
        let [forward, pointwise, inverse] = facts.counts.map(Operations::from);
        Self {
            identity: plan.identity().in_order("native"),
            lanes: r.lanes(),
            factor: Factor { residue: plan.factor().residue, k: plan.factor().k },
            lazy_ntt: facts.t,
            table_words: facts.table_words,
            passes: &facts.passes,
            word: r.certificate().word().into(),
            splitting: Splitting { factors: splitting.factors, multiplicity: splitting.multiplicity, invertible },
            ranges: facts.lines.iter().map(step).collect(),
            vector_operations: VectorOperations { forward, inverse, pointwise },
            // The planner estimates no LazyNTT, which it never takes.
            estimated_cycles: facts.t.is_none().then(|| r.estimated_cycles()),
            candidates: beyond.candidates.as_deref(),
            depths: beyond.depths.as_ref().map(super::Depths::answer),
            costs,
        }
    }
}
