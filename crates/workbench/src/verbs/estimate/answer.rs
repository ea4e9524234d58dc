//! What `estimate` says, for programs.

use crate::objects::rounded;
use ringwork::estimate::Estimate as Attacked;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The costs of a few attacks in the simplest model.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct CoreAttacks<'a> {
    /// How costs are counted.
    pub(super) model: &'static str,
    /// Attacks that are left out, and by how much published ones are lower.
    pub(super) omitted: &'static str,
    /// Each attack that works.
    pub(super) attacks: Vec<CoreAttack>,
    /// Why the number does not mean security; null if it does.
    pub(super) warning: Option<&'a str>,
}

/// The cost of an attack.
#[derive(Serialize, JsonSchema)]
pub(super) struct CoreAttack {
    /// The attack.
    pub(super) attack: String,
    /// Block size of the reduction.
    pub(super) beta: usize,
    /// Dimension of the lattice; of a search, of the secret.
    pub(super) dimension: usize,
    /// log2 of the cost with a classical sieve.
    pub(super) classical_bits: f64,
    /// log2 of the cost with a quantum sieve.
    pub(super) quantum_bits: f64,
}

/// With `--model`: the costs of all attacks.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct AllAttacks<'a> {
    /// The cost of lattice reduction.
    pub(super) model: String,
    /// The attack of least cost, of those that have one.
    pub(super) cheapest: &'a str,
    /// Attack by attack.
    pub(super) all_attacks: Vec<OneAttack<'a>>,
    /// Why the least cost does not mean security; null if it does.
    pub(super) warning: Option<&'a str>,
}

/// The cost of an attack, as the lattice-estimator counts it.
#[derive(Serialize, JsonSchema)]
pub(super) struct OneAttack<'a> {
    /// Its name in the lattice-estimator.
    pub(super) attack: &'a str,
    /// log2 of operations; null where nothing is known.
    pub(super) bits: Option<f64>,
    /// log2 of memory; null where nothing is known.
    pub(super) memory_bits: Option<f64>,
    /// log2 of samples; null where nothing is known.
    pub(super) samples_bits: Option<f64>,
    /// The shape of reduced bases; null where none matters.
    pub(super) basis: Option<String>,
    /// Numbers by name: `beta`, `eta`, `zeta`, `dimension`, `transform`, `modulus`; of BKW `steps`, `table`, `tested`;
    /// of Arora and Ge `degree`, `bound`; null if it has no cost.
    pub(super) parameters: Option<BTreeMap<&'static str, usize>>,
    /// Why it has no cost; null if it has one.
    pub(super) reason: Option<String>,
}

/// With `--table`: published sets.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct PublishedSets {
    /// How our costs are counted.
    pub(super) model: &'static str,
    /// Set by set.
    pub(super) sets: Vec<PublishedSet>,
}

/// Our estimate beside the published one.
#[derive(Serialize, JsonSchema)]
pub(super) struct PublishedSet {
    /// The set.
    pub(super) set: &'static str,
    /// Our estimate.
    pub(super) ours: CoreAttack,
    /// The published one.
    pub(super) published: Published,
}

/// A published estimate.
#[derive(Serialize, JsonSchema)]
pub(super) struct Published {
    /// log2 of the cost with a classical sieve.
    pub(super) classical_bits: f64,
    /// log2 of the cost with a quantum sieve; null if there is none.
    pub(super) quantum_bits: Option<f64>,
    /// Where it is published.
    pub(super) source: &'static str,
    /// The least cost in the same place; null where it is this one.
    pub(super) minimum_of_all_attacks: Option<LeastCost>,
}

/// The least cost of all attacks.
#[derive(Serialize, JsonSchema)]
pub(super) struct LeastCost {
    /// The attack.
    pub(super) attack: &'static str,
    /// log2 of its cost.
    pub(super) classical_bits: f64,
}

impl CoreAttack {
    pub(super) fn of(a: &Attacked) -> Self {
        Self {
            attack: a.attack.to_string(),
            beta: a.beta,
            dimension: a.dimension,
            classical_bits: rounded(a.classical_bits),
            quantum_bits: rounded(a.quantum_bits),
        }
    }
}
