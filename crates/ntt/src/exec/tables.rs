//! Tables: what the ledger derives, encoded as kernels read it.
//!
//! Nothing here is generic: words are kept in 64 bits, and packed where a plan is made.

use super::machine::{Layout, MAX_ROW, SCALING};
use crate::{
    model::{Entry, Ledger, Row},
    network::{self, PreReduction},
    planner::{Recipe, odd_part},
    reduction::{Contract, Factor},
};
use alloc::{vec, vec::Vec};
use lanes::Backend;

/// Everything that a recipe's transforms read.
pub(crate) struct Tables {
    pub(crate) forward: Vec<i64>,
    pub(crate) inverse: Vec<i64>,
    /// The roots of the slots, for slots of degree above one.
    pub(crate) slots: Vec<i64>,
    /// Scaling twiddles of the last inverse layer for transformed values, and for products of two of
    /// them; and what turns such products into transformed values.
    pub(crate) scaling: [[i64; SCALING]; 3],
    /// What every position of a transformed polynomial holds.
    pub(crate) entries: Vec<Entry>,
    /// What the forward transform multiplies every slot by.
    pub(crate) forward_factor: Factor,
    /// What products of two transformed values carry.
    pub(crate) product_factor: Factor,
}

impl Tables {
    /// Runs the networks of a recipe on ledgers.
    ///
    /// **Panics** if the recipe's networks combine what does not belong together, which no planned one
    /// does.
    pub(crate) fn derive(recipe: &Recipe) -> Self {
        let (contract, q) = (recipe.contract(), recipe.modulus());
        let schedules = recipe.schedules();
        let mut ledger = new_ledger(recipe);
        let mut data = ledger.coefficients(recipe.ring().exponent(recipe.order()));
        let run = network::forward(&mut ledger, &mut data, recipe.passes(), schedules.forward());
        let run = if schedules.reduce_slots() { run.and(network::reduce(&mut ledger, &mut data)) } else { run };
        run.expect("a recipe's passes fit its network");
        let entries = ledger.entries(&data);
        let forward = table(recipe, &contract, &ledger.rows);
        let forward_factor = uniform_factor(&ledger, &entries);

        let reduced = |factor: Factor| factor.times(contract.reduce_factor(), q);
        let operand = if schedules.slots().operands { reduced(forward_factor) } else { forward_factor };
        let product_factor = operand.times(operand, q).times(contract.mul_var_factor(), q);
        let (given, given_products) = match schedules.before_inverse() {
            PreReduction::None => (forward_factor, product_factor),
            PreReduction::Slots => (reduced(forward_factor), product_factor),
            PreReduction::All => (reduced(forward_factor), reduced(product_factor)),
        };
        let (inverse, scaling) = inverse_table(recipe, &contract, &entries, given);
        // Twiddles hold quotients of factors, so that a common factor concerns the scaling alone.
        let to_products = q.mul(given.residue, q.inv(given_products.residue));
        let to_ntt = q.mul(forward_factor.residue, q.inv(product_factor.residue));
        let residues = [scaling, scaling.map(|s| q.mul(s, to_products)), [to_ntt, 0]];
        let slots = slot_table(recipe, &contract, &entries);
        let scaling = residues.map(|residues| scaling_words(recipe, &contract, residues));
        Self { forward, inverse, slots, scaling, entries, forward_factor, product_factor }
    }
}

/// What the inversion of slots reads.
pub(crate) struct InversionTables {
    pub(crate) table: Vec<i64>,
    pub(crate) scaling: [i64; SCALING],
}

impl InversionTables {
    /// For slots of the recipe's transform, which are inverted by the method of that contract.
    pub(crate) fn derive(recipe: &Recipe, contract: &Contract, entries: &[Entry], forward_factor: Factor) -> Self {
        let q = recipe.modulus();
        // Given c·a, the network finds F^-2·(c·a)^-1; what is wanted is c·a^-1.
        let both = q.mul(forward_factor.residue, contract.mul_var_factor().residue);
        Self {
            table: table(recipe, contract, &inversion_rows(recipe, entries)),
            scaling: scaling_words(recipe, contract, [q.mul(both, both), q.neg(1)]),
        }
    }
}

/// For every group of slots a row with its roots; behind it, for degrees above three, one for each
/// `1 - d/k` of the odd part `d` of the degree, and the roots again.
fn inversion_rows(recipe: &Recipe, entries: &[Entry]) -> Vec<Row> {
    let (lanes, degree, q) = (recipe.lanes(), recipe.slot_degree(), recipe.modulus());
    if degree == 1 {
        return Vec::new();
    }
    let odd = if degree == 3 { 1 } else { odd_part(degree) as u64 };
    let constants: Vec<u64> = (1..odd).map(|k| q.add(1, q.neg(q.mul(odd, q.inv(k))))).collect();
    let of_group = |group: &[Entry]| {
        let roots: Vec<u64> = group[..lanes].iter().map(|e| q.pow(recipe.root(), e.exponent as u64)).collect();
        let row = |broadcast| Row { broadcast, lanewise: vec![roots.clone()] };
        let first = row(Vec::new());
        [first].into_iter().chain(constants.iter().map(|&w| row(vec![w]))).collect::<Vec<_>>()
    };
    entries.chunks(lanes * degree).flat_map(of_group).collect()
}

fn new_ledger(recipe: &Recipe) -> Ledger {
    Ledger::new(recipe.lanes(), recipe.n(), recipe.contract(), recipe.modulus(), recipe.root(), recipe.order())
}

/// The one factor that all slots carry.
fn uniform_factor(ledger: &Ledger, entries: &[Entry]) -> Factor {
    assert!(ledger.imbalance.is_none(), "the planner reduces operands alike");
    let factor = entries[0].factor;
    assert!(entries.iter().all(|e| e.factor == factor), "the planner reduces all slots alike");
    factor
}

/// The inverse table, and the scaling residues for slots that carry `factor`.
fn inverse_table(recipe: &Recipe, contract: &Contract, entries: &[Entry], factor: Factor) -> (Vec<i64>, [u64; 2]) {
    let mut ledger = new_ledger(recipe);
    let given: Vec<Entry> = entries.iter().map(|e| Entry { factor, ..*e }).collect();
    let mut data = ledger.vectors(&given);
    network::inverse(&mut ledger, &mut data, recipe.passes(), recipe.schedules().inverse())
        .expect("a recipe's passes fit its network");
    if recipe.depth() == 0 {
        ledger.scaling[0] = recipe.modulus().inv(factor.residue);
    } else {
        let natural = ledger.entries(&data);
        uniform_factor(&ledger, &natural);
        assert!(natural.iter().enumerate().all(|(i, e)| e.coefficient == i && e.factor.residue == 1));
    }
    (table(recipe, contract, &ledger.rows), ledger.scaling)
}

/// The roots of the slots, for slots of degree above one.
fn slot_table(recipe: &Recipe, contract: &Contract, entries: &[Entry]) -> Vec<i64> {
    let (lanes, degree) = (recipe.lanes(), recipe.slot_degree());
    if degree == 1 {
        return Vec::new();
    }
    let q = recipe.modulus();
    let roots = |group: &[Entry]| group[..lanes].iter().map(|e| q.pow(recipe.root(), e.exponent as u64)).collect();
    let rows: Vec<Row> = entries
        .chunks(lanes * degree)
        .map(|group| Row { broadcast: Vec::new(), lanewise: vec![roots(group)] })
        .collect();
    table(recipe, contract, &rows)
}

/// Two residues as broadcast twiddles.
pub(crate) fn scaling_words(recipe: &Recipe, contract: &Contract, residues: [u64; 2]) -> [i64; SCALING] {
    let layout = Layout::of(recipe.backend(), contract);
    let mut words = Vec::new();
    for residue in residues {
        push_broadcast(&mut words, &contract.encode(residue), layout);
    }
    words.resize(SCALING, 0);
    core::array::from_fn(|i| words[i])
}

/// A table of one row of broadcast twiddles.
pub(crate) fn broadcast_row(contract: &Contract, backend: Backend, residues: Vec<u64>) -> Vec<i64> {
    let layout = Layout::of(backend, contract);
    let mut words = Vec::new();
    residues.iter().for_each(|residue| push_broadcast(&mut words, &contract.encode(*residue), layout));
    words.resize(words.len().next_multiple_of(layout.lanes) + MAX_ROW, 0);
    words
}

/// Encodes the ledger's rows as a kernel reads them. Behind each broadcast twiddle of LazyNTT stands the
/// plain residue, for products that are left exact.
fn table(recipe: &Recipe, contract: &Contract, rows: &[Row]) -> Vec<i64> {
    let layout = Layout::of(recipe.backend(), contract);
    let mut words = Vec::new();
    for row in rows {
        let start = words.len();
        for &residue in &row.broadcast {
            push_broadcast(&mut words, &contract.encode(residue), layout);
            if recipe.lazy_ntt() > 1 {
                push_broadcast(&mut words, &contract.encode_exact(residue), layout);
            }
        }
        words.resize(start + (words.len() - start).next_multiple_of(layout.lanes), 0);
        for residues in &row.lanewise {
            let encoded: Vec<[i64; 2]> = residues.iter().map(|&r| contract.encode(r)).collect();
            for i in 0..layout.words {
                words.extend(encoded.iter().map(|e| e[i]));
            }
        }
    }
    words.resize(words.len() + MAX_ROW, 0);
    words
}

fn push_broadcast(words: &mut Vec<i64>, twiddle: &[i64; 2], layout: Layout) {
    for word in &twiddle[..layout.words] {
        words.extend(core::iter::repeat_n(*word, layout.repeat));
    }
}
