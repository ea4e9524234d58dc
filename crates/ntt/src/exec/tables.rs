//! Tables: all that a plan reads, as words of 64 bits that are packed where the plan is made.

use super::{
    derivation::{Derivation, Held},
    encoding::{padded, push_row, scaling_words},
    machine::SCALING,
};
use crate::{
    model::Row,
    network::{Direction, PreReduction},
    planner::{Recipe, odd_part},
    reduction::{Contract, Factor},
};
use alloc::{vec, vec::Vec};

/// Everything that a recipe's transforms read, with tables packed as `P`.
pub(crate) struct Tables<P> {
    pub(crate) forward: P,
    pub(crate) inverse: P,
    /// The roots of the slots, for slots of degree above one.
    pub(crate) slots: P,
    /// Scaling twiddles of the last inverse layer for transformed values, and for products of two of
    /// them; and what turns such products into transformed values.
    pub(crate) scaling: [[i64; SCALING]; 3],
    /// What every position of a transformed polynomial holds.
    pub(crate) places: Vec<Held>,
    /// What the forward transform multiplies every slot by.
    pub(crate) forward_factor: Factor,
    /// What products of two transformed values carry.
    pub(crate) product_factor: Factor,
}

impl<P> Tables<P> {
    /// Runs the networks of a recipe on ledgers, and packs each table as soon as it is there.
    ///
    /// **Panics** if the recipe's networks combine what does not belong together, which no planned one
    /// does.
    pub(crate) fn derive(recipe: &Recipe, pack: impl Fn(&[i64]) -> P) -> Self {
        let (contract, q) = (recipe.contract(), recipe.modulus());
        let schedules = recipe.schedules();
        let reduced = |factor: Factor| factor.times(contract.reduce_factor(), q);

        let mut run = Derivation::new(recipe, Direction::Forward, Factor::ONE);
        let places = run.forward();
        let forward_factor = if schedules.reduce_slots() { reduced(run.factor) } else { run.factor };
        let forward = pack(&padded(run.words));

        let operand = if schedules.slots().operands { reduced(forward_factor) } else { forward_factor };
        let product_factor = operand.times(operand, q).times(contract.mul_var_factor(), q);
        let (given, given_products) = match schedules.before_inverse() {
            PreReduction::None => (forward_factor, product_factor),
            PreReduction::Slots => (reduced(forward_factor), product_factor),
            PreReduction::All => (reduced(forward_factor), reduced(product_factor)),
        };
        let mut run = Derivation::new(recipe, Direction::Inverse, given);
        run.inverse(places.clone());
        let scaling = run.scaling();
        let inverse = pack(&padded(run.words));
        // Twiddles hold quotients of factors, so that a common factor concerns the scaling alone.
        let to_products = q.mul(given.residue, q.inv(given_products.residue));
        let to_ntt = q.mul(forward_factor.residue, q.inv(product_factor.residue));
        let residues = [scaling, scaling.map(|s| q.mul(s, to_products)), [to_ntt, 0]];
        let scaling = residues.map(|residues| scaling_words(recipe, &contract, residues));
        let slots = pack(&slot_table(recipe, &contract, &places));
        Self { forward, inverse, slots, scaling, places, forward_factor, product_factor }
    }
}

/// What the inversion of slots reads.
pub(crate) struct InversionTables {
    pub(crate) table: Vec<i64>,
    pub(crate) scaling: [i64; SCALING],
}

impl InversionTables {
    /// For slots of the recipe's transform, which are inverted by the method of that contract.
    pub(crate) fn derive(recipe: &Recipe, contract: &Contract, places: &[Held], forward_factor: Factor) -> Self {
        let q = recipe.modulus();
        // Given c·a, the network finds F^-2·(c·a)^-1; what is wanted is c·a^-1.
        let both = q.mul(forward_factor.residue, contract.mul_var_factor().residue);
        Self {
            table: inversion_table(recipe, contract, places),
            scaling: scaling_words(recipe, contract, [q.mul(both, both), q.neg(1)]),
        }
    }
}

/// For every group of slots a row with its roots; behind it, for degrees above three, one for each
/// `1 - d/k` of the odd part `d` of the degree, and the roots again.
fn inversion_table(recipe: &Recipe, contract: &Contract, places: &[Held]) -> Vec<i64> {
    let (degree, q) = (recipe.slot_degree(), recipe.modulus());
    let odd = if degree == 3 { 1 } else { odd_part(degree) as u64 };
    let constants: Vec<u64> = (1..odd).map(|k| q.add(1, q.neg(q.mul(odd, q.inv(k))))).collect();
    let mut words = Vec::new();
    for roots in slot_roots(recipe, places) {
        let mut row = Row { broadcast: Vec::new(), lanewise: vec![roots] };
        push_row(&mut words, recipe, contract, &row);
        for &constant in &constants {
            row.broadcast = vec![constant];
            push_row(&mut words, recipe, contract, &row);
        }
    }
    padded(words)
}

/// The roots of the slots, for slots of degree above one.
fn slot_table(recipe: &Recipe, contract: &Contract, places: &[Held]) -> Vec<i64> {
    let mut words = Vec::new();
    for roots in slot_roots(recipe, places) {
        push_row(&mut words, recipe, contract, &Row { broadcast: Vec::new(), lanewise: vec![roots] });
    }
    if words.is_empty() { words } else { padded(words) }
}

/// For every group of slots that fill vectors, their roots; none for slots of degree one.
fn slot_roots(recipe: &Recipe, places: &[Held]) -> impl Iterator<Item = Vec<u64>> {
    let (lanes, degree, q, root) = (recipe.lanes(), recipe.slot_degree(), recipe.modulus(), recipe.root());
    let places = if degree == 1 { &[] } else { places };
    let of_group = move |group: &[Held]| group[..lanes].iter().map(|held| q.pow(root, held.exponent.into())).collect();
    places.chunks(lanes * degree).map(of_group)
}
