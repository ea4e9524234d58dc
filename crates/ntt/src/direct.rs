//! Transforms modulo one prime: a recipe with its tables, ready to run.

use crate::{
    buffer::Buffer,
    error::PlanError,
    input,
    jobs::{Direction, SlotProducts, Transform},
    kernel::{MAX_ROW, SCALING, broadcast_words},
    model::{Count, Entry, Ledger, Row},
    modular::Modulus,
    network,
    range::Range,
    recipe::{Certificate, Recipe, Request},
    reduction::{Contract, Factor},
    schedule::Before,
    sums::Sums,
    word::{Run, Word},
};
use alloc::{vec, vec::Vec};

/// Transforms and products in one [`Ring`](crate::Ring) and modulo one prime, in words `T`.
#[derive(Clone, Debug)]
pub struct Direct<T: Word> {
    recipe: Recipe,
    pub(crate) contract: Contract,
    forward: Buffer<T>,
    inverse: Buffer<T>,
    slots: Buffer<T>,
    /// Scaling twiddles of the last inverse layer for transformed values, and for products of two of them; what turns
    /// such products into transformed values.
    scaling: [[T; SCALING]; 3],
    /// The compiled transform of either direction.
    run: [Run<T>; 2],
    entries: Vec<Entry>,
    forward_factor: Factor,
    /// How sums of products are computed.
    pub(crate) sums: Sums<T>,
}

impl<T: Word> Direct<T> {
    /// The negacyclic plan for degree `n` and prime `q`, as deep as the roots of `q` allow.
    ///
    /// **Errors** say which condition failed and what would work.
    pub fn new(n: usize, q: u64) -> Result<Self, PlanError> {
        Self::with(&Request::new(n, q))
    }

    /// The plan for a request.
    pub fn with(request: &Request) -> Result<Self, PlanError> {
        request.recipe(T::BITS).map(Self::from_recipe)
    }

    /// The tables of a recipe made for words `T`.
    ///
    /// **Panics** if the recipe is for another word.
    pub fn from_recipe(recipe: Recipe) -> Self {
        assert_eq!(recipe.bits, T::BITS, "a recipe for {} bits in {}-bit words", recipe.bits, T::BITS);
        let contract = recipe.contract();
        let mut ledger = new_ledger(&recipe);
        let mut data = ledger.coefficients(recipe.ring.exponent(recipe.order()));
        network::forward(&mut ledger, &mut data, &recipe.passes, &recipe.schedules.forward);
        if recipe.schedules.reduce_slots {
            network::reduce(&mut ledger, &mut data);
        }
        let entries = ledger.entries(&data);
        let forward = table(&recipe, &contract, &ledger.rows);
        let factor = uniform_factor(&ledger, &entries);

        let q = modulus(&recipe);
        let reduced = |factor: Factor| factor.times(contract.reduce_factor(), q);
        let mut operand = factor;
        if recipe.schedules.slots.operands {
            operand = reduced(factor);
        }
        let of_products = operand.times(operand, q).times(contract.mul_var_factor(), q);
        let (given, given_products) = match recipe.schedules.before_inverse {
            Before::None => (factor, of_products),
            Before::Slots => (reduced(factor), of_products),
            Before::All => (reduced(factor), reduced(of_products)),
        };
        let (inverse, scaling) = inverse_table(&recipe, &contract, &entries, given);
        // Twiddles hold quotients of factors, so that a common factor concerns the scaling alone.
        let to_products = q.mul(given.residue, q.inv(given_products.residue));
        let for_transformed = scaling_words(&recipe, &contract, scaling);
        let for_products = scaling_words(&recipe, &contract, scaling.map(|s| q.mul(s, to_products)));
        let slots = slot_table(&recipe, &contract, &entries);
        let run = [T::select(&recipe, Direction::Forward), T::select(&recipe, Direction::Inverse)];
        let normalizing = scaling_words(&recipe, &contract, [q.mul(factor.residue, q.inv(of_products.residue)), 0]);
        let sums = Sums::new(&recipe, factor, of_products);
        Self {
            contract,
            sums,
            run,
            forward,
            inverse,
            slots,
            scaling: [for_transformed, for_products, normalizing],
            entries,
            forward_factor: factor,
            recipe,
        }
    }

    /// The decisions behind this plan.
    pub const fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The proved ranges.
    pub const fn certificate(&self) -> &Certificate {
        &self.recipe.certificate
    }

    /// What [`forward`](Self::forward) multiplies every slot by: one, except where K-RED leaves powers of `k`.
    pub const fn forward_factor(&self) -> Factor {
        self.forward_factor
    }

    /// Words in all tables.
    pub fn table_words(&self) -> usize {
        [&self.forward, &self.inverse, &self.slots].iter().map(|t| t.words().len()).sum()
    }

    /// See [`Recipe::counts`].
    pub fn counts(&self) -> [Count; 3] {
        self.recipe.counts()
    }

    /// Transforms in place.
    ///
    /// - **Order:** natural in; native slot order out ([`slot`](Self::slot) tells which is where).
    /// - **Range:** in `(-q, q)`, canonical and centred residues alike; out as the certificate's `slots`. Other words give
    ///   something else in silence: [`try_forward`](Self::try_forward) refuses them.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have `n` words.
    pub fn forward(&self, a: &mut [T]) {
        debug_assert_eq!(input::check(a.len(), self.certificate().input, a), Ok(()));
        self.transform(Direction::Forward, 0, a);
        if self.recipe.schedules.reduce_slots {
            self.reduce(a);
        }
    }

    /// Undoes [`forward`](Self::forward), all scaling included.
    ///
    /// - **Order:** native slot order in, natural out.
    /// - **Range:** in `(-q, q)` or the certificate's `slots`; out as the certificate's `output`.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have `n` words.
    pub fn inverse(&self, a: &mut [T]) {
        self.inverse_scaled(a, 0, self.recipe.schedules.before_inverse != Before::None);
    }

    /// Like [`inverse`](Self::inverse), for what [`slot_products`](Self::slot_products) gives: the factor that a product
    /// leaves behind is removed at no cost.
    pub fn inverse_product(&self, a: &mut [T]) {
        self.inverse_scaled(a, 1, self.recipe.schedules.before_inverse == Before::All);
    }

    /// Multiplies slot by slot: `c` is the transform of the product, times a factor that only
    /// [`inverse_product`](Self::inverse_product) removes.
    ///
    /// - **Order:** native slot order.
    /// - **Range:** in `(-q, q)` or the certificate's `slots`; out as the certificate's `products`.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn slot_products(&self, c: &mut [T], a: &[T], b: &[T]) {
        for length in [c.len(), a.len(), b.len()] {
            self.check_length(length);
        }
        let products = SlotProducts {
            step: self.recipe.schedules.slots,
            degree: self.recipe.slot_degree(),
            table: self.slots.words(),
            c,
            a,
            b,
        };
        T::slot_products(self.recipe.backend, &self.contract, products);
    }

    /// Turns what [`slot_products`](Self::slot_products) gives into a transformed polynomial like any other.
    ///
    /// - **Order:** unchanged.
    /// - **Range:** in the certificate's `products`; out as `normalized`.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have `n` words.
    pub fn normalize(&self, a: &mut [T]) {
        self.check_length(a.len());
        T::scale(self.recipe.backend, &self.contract, self.scaling[2], a);
    }

    /// Turns what [`slot_products`](Self::slot_products) gives into a transformed polynomial, adds `b`, and brings the
    /// sums into `[0, q)`.
    ///
    /// - **Order:** unchanged.
    /// - **Range:** products and `b` such that `normalized` plus `b` fits the word; out canonical.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn normalize_and_add(&self, products: &mut [T], b: &[T]) {
        self.check_length(products.len());
        self.check_length(b.len());
        T::scale_and_add(self.recipe.backend, &self.contract, self.scaling[2], products, b);
    }

    /// Brings words of any size into `[0, q)`.
    ///
    /// **Constant time:** yes. **Panics** if `a` does not have `n` words.
    pub fn canonical(&self, a: &mut [T]) {
        self.check_length(a.len());
        T::canonical(self.recipe.backend, &self.contract, a);
    }

    /// Brings words in `(-q, q)` into `[0, q)`; where the certificate's range allows it, faster than
    /// [`canonical`](Self::canonical).
    ///
    /// **Constant time:** yes. **Panics** if `a` does not have `n` words.
    pub fn lift(&self, a: &mut [T]) {
        self.check_length(a.len());
        T::lift(self.recipe.backend, &self.contract, a);
    }

    /// [`canonical`](Self::canonical) for words of a proved range.
    pub fn canonical_within(&self, range: Range, a: &mut [T]) {
        if Range::symmetric(i128::from(self.recipe.q) - 1).holds(range) { self.lift(a) } else { self.canonical(a) }
    }

    /// The product of two polynomials: two transforms, slot products, one inverse.
    ///
    /// - **Order:** natural.
    /// - **Range:** in `(-q, q)`; out canonical. Other words give something else in silence:
    ///   [`try_multiply`](Self::try_multiply) refuses them.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn multiply(&self, c: &mut [T], a: &[T], b: &[T]) {
        self.check_length(a.len());
        self.check_length(b.len());
        let mut both = Buffer::zeros(2 * self.recipe.n);
        let (a_hat, b_hat) = both.words_mut().split_at_mut(self.recipe.n);
        a_hat.copy_from_slice(a);
        b_hat.copy_from_slice(b);
        self.forward(a_hat);
        self.forward(b_hat);
        self.slot_products(c, a_hat, b_hat);
        self.inverse_product(c);
        self.canonical_within(self.recipe.certificate.output, c);
    }

    /// For every position of a transformed polynomial: `(slot, coefficient)`, slots counted in canonical order.
    ///
    /// Slot `i` is the residue modulo `X^d - root^e`, where `e` is [`Ring::exponent_of`](crate::Ring::exponent_of) `i`.
    pub fn slot(&self, position: usize) -> (usize, usize) {
        let Entry { exponent, coefficient, .. } = self.entries[position];
        (self.recipe.ring.slot(exponent), coefficient)
    }

    /// For every position of a transformed polynomial, its index in canonical order: slot by slot, coefficients rising.
    pub fn canonical_order(&self) -> Vec<usize> {
        let degree = self.recipe.slot_degree();
        let index = |position| {
            let (slot, coefficient) = self.slot(position);
            slot * degree + coefficient
        };
        (0..self.recipe.n).map(index).collect()
    }

    /// What every position of a transformed polynomial holds.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn inverse_scaled(&self, a: &mut [T], scaling: usize, reduce: bool) {
        if reduce {
            self.reduce(a);
        }
        self.transform(Direction::Inverse, scaling, a);
    }

    /// Brings words of any size into the range of the method's reduction.
    pub(crate) fn reduce(&self, a: &mut [T]) {
        self.check_length(a.len());
        T::reduce(self.recipe.backend, &self.contract, a);
    }

    /// Runs the passes of one direction with one of the scalings.
    fn transform(&self, direction: Direction, scaling: usize, a: &mut [T]) {
        self.check_length(a.len());
        let recipe = &self.recipe;
        let (run, table, steps) = match direction {
            Direction::Forward => (self.run[0], &self.forward, &recipe.schedules.forward),
            Direction::Inverse => (self.run[1], &self.inverse, &recipe.schedules.inverse),
        };
        let (passes, table, scaling) = (&recipe.passes, table.words(), self.scaling[scaling]);
        let transform = Transform { passes, steps, lazy: recipe.schedules.lazy, table, scaling, data: a };
        run(recipe.backend, self.contract.constants(), transform);
    }

    fn check_length(&self, length: usize) {
        check_length(self.recipe.n, length);
    }
}

/// Panics if a polynomial of degree `n` has another length.
pub(crate) fn check_length(n: usize, length: usize) {
    if length != n {
        wrong_length(n, length);
    }
}

/// Panics unless `a` and `b` have the same multiple of `n` words, at least one.
pub(crate) fn check_polynomials(n: usize, a: usize, b: usize) {
    assert!(a == b && a.is_multiple_of(n) && a > 0, "polynomials of {n} coefficients from {a} and {b} words");
}

#[cold]
#[inline(never)]
fn wrong_length(n: usize, length: usize) -> ! {
    panic!("a polynomial of degree {n} has {n} coefficients, this one has {length}");
}

pub(crate) fn modulus(recipe: &Recipe) -> Modulus {
    Modulus::new(recipe.q).expect("a recipe has a prime modulus")
}

fn new_ledger(recipe: &Recipe) -> Ledger {
    Ledger::new(recipe.lanes(), recipe.n, recipe.contract(), modulus(recipe), recipe.root, recipe.order())
        .lazy(recipe.schedules.lazy)
}

/// The one factor that all slots carry.
fn uniform_factor(ledger: &Ledger, entries: &[Entry]) -> Factor {
    assert!(ledger.imbalance.is_none(), "the planner reduces operands alike");
    let factor = entries[0].factor;
    assert!(entries.iter().all(|e| e.factor == factor), "the planner reduces all slots alike");
    factor
}

/// The inverse table, and the scaling residues for slots that carry `factor`.
fn inverse_table<T: Word>(
    recipe: &Recipe,
    contract: &Contract,
    entries: &[Entry],
    factor: Factor,
) -> (Buffer<T>, [u64; 2]) {
    let mut ledger = new_ledger(recipe);
    let given: Vec<Entry> = entries.iter().map(|e| Entry { factor, ..*e }).collect();
    let mut data = ledger.vectors(&given);
    network::inverse(&mut ledger, &mut data, &recipe.passes, &recipe.schedules.inverse);
    if recipe.depth == 0 {
        ledger.scaling[0] = modulus(recipe).inv(factor.residue);
    } else {
        let natural = ledger.entries(&data);
        uniform_factor(&ledger, &natural);
        assert!(natural.iter().enumerate().all(|(i, e)| e.coefficient == i && e.factor.residue == 1));
    }
    (table(recipe, contract, &ledger.rows), ledger.scaling)
}

/// Two residues as broadcast twiddles.
pub(crate) fn scaling_words<T: Word>(recipe: &Recipe, contract: &Contract, residues: [u64; 2]) -> [T; SCALING] {
    let mut words = Vec::new();
    for residue in residues {
        let encoded = contract.encode(residue);
        push_broadcast(&mut words, &encoded[..contract.method().twiddle_words()], repeat::<T>(recipe));
    }
    words.resize(SCALING, T::default());
    core::array::from_fn(|i| words[i])
}

/// The roots of the slots, for slots of degree above one.
fn slot_table<T: Word>(recipe: &Recipe, contract: &Contract, entries: &[Entry]) -> Buffer<T> {
    let (lanes, degree) = (recipe.lanes(), recipe.slot_degree());
    if degree == 1 {
        return Buffer::copy_of(&[]);
    }
    let q = modulus(recipe);
    let roots = |group: &[Entry]| group[..lanes].iter().map(|e| q.pow(recipe.root, e.exponent as u64)).collect();
    let rows: Vec<Row> = entries
        .chunks(lanes * degree)
        .map(|group| Row { broadcast: Vec::new(), lanewise: vec![roots(group)] })
        .collect();
    table(recipe, contract, &rows)
}

/// How often the backend wants broadcast words repeated.
fn repeat<T: Word>(recipe: &Recipe) -> usize {
    recipe.backend.repeat(T::BITS)
}

/// Encodes the ledger's rows as a machine reads them.
pub(crate) fn table<T: Word>(recipe: &Recipe, contract: &Contract, rows: &[Row]) -> Buffer<T> {
    let (lanes, repeat, per_twiddle) = (recipe.lanes(), repeat::<T>(recipe), recipe.method.twiddle_words());
    let mut words = Vec::new();
    for row in rows {
        let end = words.len() + broadcast_words(row.broadcast.len(), per_twiddle, repeat, lanes);
        // Behind the twiddles of reduced products stand those of exact ones, if there are any.
        let reduced = if recipe.schedules.lazy > 1 { row.broadcast.len() / 2 } else { row.broadcast.len() };
        for (i, &residue) in row.broadcast.iter().enumerate() {
            let encoded = if i < reduced { contract.encode(residue) } else { contract.encode_exact(residue) };
            push_broadcast(&mut words, &encoded[..per_twiddle], repeat);
        }
        words.resize(end, T::default());
        for residues in &row.lanewise {
            let encoded: Vec<[i64; 2]> = residues.iter().map(|&r| contract.encode(r)).collect();
            for i in 0..per_twiddle {
                words.extend(encoded.iter().map(|e| T::from_i64(e[i])));
            }
        }
    }
    words.resize(words.len() + MAX_ROW, T::default());
    Buffer::copy_of(&words)
}

fn push_broadcast<T: Word>(words: &mut Vec<T>, twiddle: &[i64], repeat: usize) {
    for word in twiddle {
        words.extend(core::iter::repeat_n(T::from_i64(*word), repeat));
    }
}
