//! Tables: all that a plan reads. Words have 64 bits here, and go where the plan packs them.

use super::{
    derivation::{Derivation, Sections},
    encoding::{Encoder, Words, pad, scaling_words},
    machine::{MAX_ROW, SCALING},
    places::Places,
};
use crate::{
    arith::Powers,
    model::Row,
    network::{Direction, PreReduction},
    planner::{Recipe, odd_part},
    reduction::{Contract, Factor},
};
use alloc::{rc::Rc, vec, vec::Vec};
use lanes::Backend;

/// Where the tables of a recipe's transforms go.
pub(crate) struct Sinks<'a> {
    pub(crate) forward: &'a mut dyn Words,
    pub(crate) inverse: &'a mut dyn Words,
    /// The roots of the slots, for slots of degree above one.
    pub(crate) slots: &'a mut dyn Words,
}

/// What a recipe's transforms need beside their tables.
pub(crate) struct Derived {
    /// Scaling twiddles of the last inverse layer for transformed values, and for products of two
    /// of them; and what turns such products into transformed values.
    pub(crate) scaling: [[i64; SCALING]; 3],
    /// Where rows are in the tables of both directions.
    pub(crate) sections: [Sections; 2],
    /// What every position of a transformed polynomial holds.
    pub(crate) places: Places,
    /// What the forward transform multiplies every slot by.
    pub(crate) forward_factor: Factor,
    /// What products of two transformed values carry.
    pub(crate) product_factor: Factor,
}

/// What the transforms of a recipe read, for a program that takes one word at a time: see [`Recipe::tables`]. A
/// twiddle is one or two words, by [`Method::twiddle_words`](crate::Method::twiddle_words). The passes of a recipe that
/// has [blocks](Recipe::blocks) read their rows block by block.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tables {
    /// The twiddles of the forward transform, in the order in which its passes read them: for each group of a pass
    /// one of its first layer, then two of its second layer, if it has one; three of a layer in thirds.
    pub forward: Vec<i64>,
    /// The same of the inverse transform, whose passes and layers run backwards. Layer 0, the last one to run, has none:
    /// it scales.
    pub inverse: Vec<i64>,
    /// The root of every slot, if their degree is above one.
    pub slots: Vec<i64>,
    /// What the last layer of the inverse multiplies sums by, and differences, for a transformed polynomial.
    pub scaling: [[i64; 2]; 2],
    /// The same for a product of two.
    pub scaling_of_products: [[i64; 2]; 2],
    /// What turns a product into a transformed polynomial, as a twiddle of Montgomery's method, signed or not as the
    /// words are.
    pub to_ntt: [i64; 2],
}

impl Recipe {
    /// The tables of the transforms for one word at a time, from which programs in other languages are made.
    ///
    /// `None` unless [`lanes`](Self::lanes) is 1: request [`Backend::Scalar`].
    ///
    /// ```
    /// use ringwork_ntt::{Backend, Method, Request};
    ///
    /// let request = Request::new(256, 3329).backend(Backend::Scalar).method(Method::Montgomery);
    /// let tables = request.recipe(16)?.tables().expect("one lane");
    /// // 127 twiddles of two words, and for each of 128 slots its root.
    /// assert_eq!((tables.forward.len(), tables.inverse.len(), tables.slots.len()), (254, 252, 256));
    /// assert_eq!(tables.forward[0], -758); // 17^64·2^16 modulo q, centred; beside it that times q^-1
    /// # Ok::<(), ringwork_ntt::PlanError>(())
    /// ```
    pub fn tables(&self) -> Option<Tables> {
        if self.lanes() != 1 {
            return None;
        }
        let [mut forward, mut inverse, mut slots] = [const { Vec::new() }; 3];
        let derived = Derived::of(self, Sinks { forward: &mut forward, inverse: &mut inverse, slots: &mut slots });
        for table in [&mut forward, &mut inverse, &mut slots] {
            table.truncate(table.len().saturating_sub(MAX_ROW));
        }
        let words = self.method().twiddle_words();
        let twiddle = |of: usize, i: usize| {
            core::array::from_fn(|w| if w < words { derived.scaling[of][i * words + w] } else { 0 })
        };
        Some(Tables {
            forward,
            inverse,
            slots,
            scaling: [twiddle(0, 0), twiddle(0, 1)],
            scaling_of_products: [twiddle(1, 0), twiddle(1, 1)],
            to_ntt: [derived.scaling[2][0], derived.scaling[2][1]],
        })
    }
}

impl Derived {
    /// Runs the networks of a recipe on ledgers.
    ///
    /// **Panics** if the recipe's networks combine what does not belong together, which no planned
    /// one does.
    pub(crate) fn of(recipe: &Recipe, to: Sinks) -> Self {
        let (contract, q) = (recipe.contract(), recipe.modulus());
        let schedules = recipe.schedules();
        let reduced = |factor: Factor| factor.times(contract.reduce_factor(), q);

        let powers = Rc::new(powers(recipe));
        let mut run = Derivation::new(recipe, Direction::Forward, Factor::ONE, powers.clone());
        let places = run.forward();
        let of_forward = run.write(to.forward);
        let forward_factor = if schedules.reduce_slots() { reduced(run.factor) } else { run.factor };
        pad(to.forward);

        let operand = if schedules.slots().operands { reduced(forward_factor) } else { forward_factor };
        let product_factor = operand.times(operand, q).times(contract.mul_var_factor(), q);
        let (given, given_products) = match schedules.before_inverse() {
            PreReduction::None => (forward_factor, product_factor),
            PreReduction::Slots => (reduced(forward_factor), product_factor),
            PreReduction::All => (reduced(forward_factor), reduced(product_factor)),
        };
        let mut run = Derivation::new(recipe, Direction::Inverse, given, powers.clone());
        run.inverse(&places);
        let of_inverse = run.write(to.inverse);
        let scaling = run.scaling();
        pad(to.inverse);
        // Twiddles hold quotients of factors, so that a common factor concerns the scaling alone.
        let to_products = q.mul(given.residue, q.inv(given_products.residue));
        let to_ntt = q.mul(forward_factor.residue, q.inv(product_factor.residue));
        let products = scaling.map(|s| q.mul(s, to_products));
        let [slots, products] =
            [scaling, products].map(|residues| scaling_words(recipe.backend(), &contract, residues));
        let scaling = [slots, products, scaling_words(recipe.backend(), &contract.of_modulus(), [to_ntt, 0])];
        if recipe.slot_degree() > 1 && recipe.width() == 1 {
            slot_table(recipe, &contract, &places, &powers, to.slots);
        }
        let sections = [of_forward, of_inverse];
        Self { scaling, sections, places, forward_factor, product_factor }
    }
}

/// The table that the inversion of slots of the recipe's transform reads on that backend, by the method of that
/// contract; gives its scaling twiddles. On another backend than the recipe's, slots are taken one by one.
pub(crate) fn derive_inversion(
    backend: Backend,
    recipe: &Recipe,
    contract: &Contract,
    places: &Places,
    forward_factor: Factor,
    to: &mut dyn Words,
) -> [i64; SCALING] {
    let q = recipe.modulus();
    inversion_table(backend, recipe, contract, places, to);
    // Given c·a, the network finds F^-2·(c·a)^-1; what is wanted is c·a^-1.
    let both = q.mul(forward_factor.residue, contract.mul_var_factor().residue);
    scaling_words(backend, contract, [q.mul(both, both), q.neg(1)])
}

/// For every group of slots a row with its roots; behind it, for degrees above three, one for each
/// `1 - d/k` of the odd part `d` of the degree, and the roots again. No roots for slots of degree
/// one.
fn inversion_table(backend: Backend, recipe: &Recipe, contract: &Contract, places: &Places, to: &mut dyn Words) {
    let (degree, q) = (recipe.slot_degree(), recipe.modulus());
    let odd = if degree == 3 { 1 } else { odd_part(degree) as u64 };
    let constants: Vec<u64> = (1..odd).map(|k| q.add(1, q.neg(q.mul(odd, q.inv(k))))).collect();
    if degree > 1 {
        let mut encoder = Encoder::new(backend, contract);
        let (powers, lanes) = (powers(recipe), backend.lanes(recipe.bits()));
        let roots: Vec<u64> = slot_roots(recipe, places, &powers).flatten().collect();
        for (i, roots) in roots.chunks(lanes).enumerate() {
            let mut row = Row { lanewise: vec![roots.to_vec()], ..Row::default() };
            let mut rows = encoder.row(&row, &[]).to_vec();
            for constant in &constants {
                row.broadcast = vec![*constant];
                rows.extend(encoder.row(&row, &[]));
            }
            to.append_row(&rows, i, recipe.n() / (degree * lanes));
        }
    }
    pad(to);
}

/// The roots of the slots.
fn slot_table(recipe: &Recipe, contract: &Contract, places: &Places, powers: &Powers, to: &mut dyn Words) {
    let mut encoder = Encoder::new(recipe.backend(), contract);
    for (i, roots) in slot_roots(recipe, places, powers).enumerate() {
        let row = Row { lanewise: vec![roots], ..Row::default() };
        to.append_row(encoder.row(&row, &[]), i, groups(recipe));
    }
    pad(to);
}

/// Groups of slots that fill vectors.
fn groups(recipe: &Recipe) -> usize {
    recipe.n() / (recipe.lanes() * recipe.slot_degree())
}

/// The powers of the recipe's root.
fn powers(recipe: &Recipe) -> Powers {
    Powers::new(recipe.modulus(), recipe.root(), recipe.order())
}

/// For every such group, the roots of its slots.
fn slot_roots(recipe: &Recipe, places: &Places, powers: &Powers) -> impl Iterator<Item = Vec<u64>> {
    let (lanes, q) = (recipe.lanes(), recipe.modulus());
    let shift = q.pow(recipe.shift(), recipe.slot_degree() as u64);
    let of_place = move |place| q.mul(powers.of(places.at(place).exponent), shift);
    let of_group = move |group: usize| {
        let at = group * lanes * recipe.slot_degree();
        (at..at + lanes).map(of_place).collect()
    };
    (0..groups(recipe)).map(of_group)
}
