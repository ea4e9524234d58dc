//! Transforms modulo one prime: a recipe with its tables, ready to run.

#[cfg(feature = "threads")]
use crate::exec::spread;
use crate::{
    arith::Interval,
    exec::{Buffer, Compiled, Derived, Held, Operands, Places, Run, SCALING, Sections, Sinks, Spare, each, run},
    inner_products::InnerProducts,
    input,
    network::{
        Border, Crossing, Direction, Elementwise, IN_REGISTERS, KeptPointwise, Pointwise, PreReduction, SlotStep,
        ToCanonical,
    },
    planner::{Borders, Certificate, Recipe},
    reduction::{Contract, Factor},
    ring::SlotOrder,
    word::Word,
};
#[cfg(feature = "internals")]
use crate::{
    model::OpCount,
    planner::{PlanError, Request},
};
use alloc::vec::Vec;

/// Transforms and products in one [`Ring`](crate::Ring) and modulo one prime, in words `T`.
#[derive(Clone, Debug)]
pub struct Transform<T: Word> {
    recipe: Recipe,
    pub(crate) contract: Contract,
    forward: Way<T>,
    inverse: Way<T>,
    slots: Buffer<T>,
    /// Scaling twiddles of the last inverse layer for transformed values, and for products of two
    /// of them; what turns such products into transformed values.
    scaling: [[T; SCALING]; 3],
    /// What every position of a transformed polynomial holds.
    places: Places,
    forward_factor: Factor,
    borders: DecidedBorders,
    inner_products: InnerProducts<T>,
    /// For two operands of a product.
    spare: Spare<T>,
}

/// One direction of a transform.
#[derive(Clone, Debug)]
struct Way<T: Word> {
    table: Buffer<T>,
    /// Where rows are in it.
    sections: Sections,
    /// The compiled transform.
    run: Run<T::Signed>,
}

/// What lies before and after the passes, without reductions, and how an output becomes canonical: decided once.
#[derive(Clone, Copy, Debug)]
struct DecidedBorders {
    forward: Border,
    inverse: Border,
    to_canonical: Option<ToCanonical>,
}

impl DecidedBorders {
    fn of(recipe: &Recipe) -> Self {
        let (contract, certificate) = (recipe.contract(), recipe.certificate());
        let borders = Borders::of(&contract, recipe.backend());
        let [input, slots, output] = [certificate.input(), certificate.slots(), certificate.output()];
        let given = input.union(slots).union(certificate.products());
        Self {
            forward: borders.forward(input, false, slots),
            inverse: borders.inverse(given, false, ToCanonical::Never, output),
            to_canonical: borders.to_canonical(output),
        }
    }
}

/// What an inverse is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Given {
    /// A transformed polynomial.
    Slots,
    /// What [`Transform::pointwise`] gives.
    Product,
    /// What [`Transform::pointwise_of_operands`] gives.
    OperandProduct,
}

impl<T: Word> Transform<T> {
    /// The tables of a recipe made for words `T`.
    ///
    /// **Panics** if the recipe is for another word, or its words have no sign and these have one.
    pub fn from_recipe(recipe: Recipe) -> Self {
        assert_eq!(recipe.bits(), T::BITS, "a recipe for {} bits in {}-bit words", recipe.bits(), T::BITS);
        assert!(!T::SIGNED || !recipe.method().is_unsigned(), "a recipe for words without sign");
        let [mut forward, mut inverse, mut slots] = [const { Vec::new() }; 3];
        let to = Sinks { forward: &mut forward, inverse: &mut inverse, slots: &mut slots };
        let derived = Derived::of(&recipe, to);
        let [of_forward, of_inverse] = derived.sections;
        let way = |direction, table, sections| Way {
            table: Buffer::of(table),
            sections,
            run: T::Signed::select(&recipe, direction),
        };
        Self {
            contract: recipe.contract(),
            forward: way(Direction::Forward, forward, of_forward),
            inverse: way(Direction::Inverse, inverse, of_inverse),
            slots: Buffer::of(slots),
            scaling: derived.scaling.map(|words| words.map(T::truncated)),
            inner_products: InnerProducts::new(&recipe, derived.forward_factor, derived.product_factor),
            places: derived.places,
            forward_factor: derived.forward_factor,
            borders: DecidedBorders::of(&recipe),
            spare: Spare::default(),
            recipe,
        }
    }

    /// The decisions behind this plan.
    pub const fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The proved ranges.
    pub const fn certificate(&self) -> &Certificate {
        self.recipe.certificate()
    }

    /// What [`forward`](Self::forward) multiplies every slot by: one, except where K-RED leaves
    /// powers of `k`.
    pub const fn forward_factor(&self) -> Factor {
        self.forward_factor
    }

    /// Words in all tables.
    pub fn table_words(&self) -> usize {
        [&self.forward.table, &self.inverse.table, &self.slots].iter().map(|t| t.words().len()).sum()
    }

    /// Transforms in place.
    ///
    /// - **Order:** natural in; native slot order out ([`slot`](Self::slot) tells which is where).
    /// - **Range:** in `(-q, q)`, canonical and centred residues alike; out as the certificate's
    ///   `slots`. Words outside are not detected and give a wrong result:
    ///   [`try_forward`](Self::try_forward) refuses them.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have `n` words.
    pub fn forward(&self, a: &mut [T]) {
        debug_assert_eq!(input::check(a.len(), self.certificate().input(), a), Ok(()));
        self.run(true, Direction::Forward, 0, self.forward_border(self.recipe.schedules().reduce_slots()), a);
    }

    /// Whether products reduce their operands as they are multiplied, in place of slots before: the same
    /// reductions without passes of their own. Of large slots that would reduce each operand many times.
    fn reduces_operands(&self) -> bool {
        let schedules = self.recipe.schedules();
        let once = schedules.transformed().wide || self.recipe.slot_degree() <= IN_REGISTERS;
        schedules.reduce_slots() && !schedules.transformed().operands && once
    }

    /// [`forward`](Self::forward) for [`pointwise_of_operands`](Self::pointwise_of_operands) alone.
    pub(crate) fn forward_operand(&self, a: &mut [T]) {
        self.run(true, Direction::Forward, 0, self.operand_border(), a);
    }

    /// [`pointwise`](Self::pointwise) of what [`forward_operand`](Self::forward_operand) gives, or `forward`.
    pub(crate) fn pointwise_of_operands(&self, c: &mut [T], a: &[T], b: &[T]) {
        let step = self.recipe.schedules().transformed();
        let step = SlotStep { operands: step.operands || self.reduces_operands(), ..step };
        self.pointwise_by(step, self.keeps_doubles(), c, a, b);
    }

    /// The inverse of what is given; out as the certificate's `output`.
    pub(crate) fn undo(&self, given: Given, a: &mut [T]) {
        self.inverse_from(given, ToCanonical::Never, a);
    }

    /// The inverse of what is given, canonical.
    pub(crate) fn undo_to_canonical(&self, given: Given, a: &mut [T]) {
        let how = self.borders.to_canonical;
        self.inverse_from(given, how.unwrap_or_default(), a);
        if how.is_none() {
            self.canonical(a);
        }
    }

    /// Whether transforms keep words as doubles.
    const fn keeps_doubles(&self) -> bool {
        self.contract.method().converts_on(self.recipe.backend())
    }

    /// The border of [`forward_operand`](Self::forward_operand).
    fn operand_border(&self) -> Border {
        let reduce = self.recipe.schedules().reduce_slots() && !self.reduces_operands();
        Border { leave: Crossing::None, ..self.forward_border(reduce) }
    }

    /// Slots are reduced, or not; what transforms keep becomes words.
    fn forward_border(&self, reduce: bool) -> Border {
        Border { reduce, ..self.borders.forward }
    }

    /// Reductions, then the layers; coefficients become canonical as it is said.
    fn inverse_from(&self, given: Given, canonical: ToCanonical, a: &mut [T]) {
        let before = self.recipe.schedules().before_inverse();
        let (scaling, reduce) = match given {
            Given::Slots => (0, before != PreReduction::None),
            Given::Product | Given::OperandProduct => (1, before == PreReduction::All),
        };
        let mut border = Border { reduce, canonical, ..self.borders.inverse };
        if given == Given::OperandProduct {
            border.enter = Crossing::None;
        }
        self.run(true, Direction::Inverse, scaling, border, a);
    }

    /// Multiplies slot by slot: `c` is the transform of the product, times a factor that only
    /// [`inverse_product`](Self::inverse_product) removes.
    ///
    /// - **Order:** native slot order.
    /// - **Range:** in `(-q, q)` or the certificate's `slots`; out as the certificate's `products`.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn pointwise(&self, c: &mut [T], a: &[T], b: &[T]) {
        self.pointwise_by(self.recipe.schedules().slots(), false, c, a, b);
    }

    fn pointwise_by(&self, step: SlotStep, kept: bool, c: &mut [T], a: &[T], b: &[T]) {
        for length in [c.len(), a.len(), b.len()] {
            self.check_length(length);
        }
        let (backend, degree) = (self.recipe.backend(), self.recipe.slot_degree());
        let operands = Operands { out: [c], input: [a, b], table: self.slots.words(), shared: &[], scaling: &[] };
        if kept {
            run(backend, &self.contract, KeptPointwise { step, degree }, operands);
        } else {
            run(backend, &self.contract, Pointwise { step, degree }, operands);
        }
    }

    /// Turns what [`pointwise`](Self::pointwise) gives into a transformed polynomial like any
    /// other.
    ///
    /// - **Order:** unchanged.
    /// - **Range:** in the certificate's `products`; out as `normalized`.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have `n` words.
    pub fn to_ntt(&self, a: &mut [T]) {
        self.check_length(a.len());
        let operands = Operands { scaling: &self.scaling[2], ..Operands::of(a) };
        each(self.recipe.backend(), &self.contract, Elementwise::Scale, operands);
    }

    /// Turns what [`pointwise`](Self::pointwise) gives into a transformed polynomial, adds `b`, and
    /// brings the sums into `[0, q)`.
    ///
    /// - **Order:** unchanged.
    /// - **Range:** products, and `b` in `(-q, q)` or the certificate's `slots`; out canonical.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn to_ntt_plus(&self, products: &mut [T], b: &[T]) {
        self.check_length(products.len());
        self.check_length(b.len());
        let (backend, certificate) = (self.recipe.backend(), self.recipe.certificate());
        let addend = certificate.slots().union(certificate.input());
        let sums = self.contract.of_modulus().add_range(certificate.normalized(), addend);
        if sums.is_some_and(|sums| certificate.word().holds(sums)) {
            let operands = Operands { scaling: &self.scaling[2], ..Operands::new([products], [b]) };
            each(backend, &self.contract, Elementwise::ScaleAndAdd, operands);
        } else {
            self.to_ntt(products);
            let sum = Elementwise::AddCentred { negative: false };
            each(backend, &self.contract, sum, Operands::new([products], [b]));
        }
    }

    /// Adds the product of `a` and `b` to products.
    ///
    /// **Range**, **constant time**, **panics:** as [`pointwise`](Self::pointwise).
    pub(crate) fn accumulate(&self, products: &mut [T], a: &[T], b: &[T]) {
        let mut term = Buffer::zeros(products.len());
        self.pointwise(term.words_mut(), a, b);
        self.inner_products.add(products, term.words());
    }

    /// For each vector of `b`, and each of `a`, the sum of pointwise products `Σ a_i·b_i`, read by
    /// [`inverse_product`](Self::inverse_product). Vectors have `terms` polynomials. These, and
    /// sums, begin every `stride` words, with the words of this transform at `at`.
    pub(crate) fn inner_products(&self, c: &mut [T], operands: [&[T]; 2], terms: usize, places: [usize; 2]) {
        self.inner_products.run(c, operands, terms, places, self.slots.words(), &|c, a, b| self.pointwise(c, a, b));
    }

    /// Brings words of any size into `[0, q)`.
    ///
    /// **Constant time:** yes. **Panics** if `a` does not have `n` words.
    pub fn canonical(&self, a: &mut [T]) {
        self.check_length(a.len());
        each(self.recipe.backend(), &self.contract, Elementwise::Canonical, Operands::of(a));
    }

    /// Brings words in `(-q, q)` into `[0, q)`; where the certificate's range allows it, faster
    /// than [`canonical`](Self::canonical).
    ///
    /// **Constant time:** yes. **Panics** if `a` does not have `n` words.
    pub fn canonical_of_reduced(&self, a: &mut [T]) {
        if self.contract.method().is_unsigned() {
            return self.canonical(a);
        }
        self.check_length(a.len());
        each(self.recipe.backend(), &self.contract, Elementwise::CanonicalOfReduced, Operands::of(a));
    }

    /// [`canonical`](Self::canonical) for words of a proved range.
    pub fn canonical_within(&self, range: Interval, a: &mut [T]) {
        match Borders::of(&self.contract, self.recipe.backend()).to_canonical(range) {
            Some(ToCanonical::Never) => self.check_length(a.len()),
            Some(ToCanonical::FromReduced) => self.canonical_of_reduced(a),
            Some(ToCanonical::ByReduction) | None => self.canonical(a),
        }
    }

    /// The product of two polynomials: two transforms, pointwise products, one inverse.
    ///
    /// - **Order:** natural.
    /// - **Range:** in `(-q, q)`; out canonical. Words outside are not detected and give a wrong
    ///   result: [`try_multiply`](Self::try_multiply) refuses them.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn multiply(&self, c: &mut [T], a: &[T], b: &[T]) {
        self.check_length(a.len());
        self.check_length(b.len());
        let mut both = self.spare.take(2 * self.recipe.n());
        let (a_hat, b_hat) = both.words_mut().split_at_mut(self.recipe.n());
        a_hat.copy_from_slice(a);
        b_hat.copy_from_slice(b);
        let border = self.operand_border();
        self.run(true, Direction::Forward, 0, border, a_hat);
        self.run(true, Direction::Forward, 0, border, b_hat);
        self.pointwise_of_operands(c, a_hat, b_hat);
        self.undo_to_canonical(Given::OperandProduct, c);
        self.spare.give(both);
    }

    /// For every position of a transformed polynomial in that order: `(slot, coefficient)`, slots counted in
    /// canonical order.
    ///
    /// Slot `i` is the residue modulo `X^d - root^e`, where `e` is
    /// [`Ring::exponent_of`](crate::Ring::exponent_of) `i`.
    pub(crate) fn slot_in(&self, order: SlotOrder, position: usize) -> (usize, usize) {
        assert!(position < self.recipe.n(), "there is no position {position} of {}", self.recipe.n());
        let Held { exponent, coefficient } = match order {
            SlotOrder::Native => self.places.at(position),
            SlotOrder::BitReversed => self.places.at_bit_reversed(position),
            SlotOrder::Canonical => {
                let degree = self.recipe.slot_degree();
                return (position / degree, position % degree);
            }
        };
        (self.recipe.ring().slot(exponent), coefficient)
    }

    /// For every position of a transformed polynomial in that order, its index in canonical order: slot by slot,
    /// coefficients rising.
    pub(crate) fn order_to_canonical(&self, order: SlotOrder) -> Vec<usize> {
        let degree = self.recipe.slot_degree();
        let index = |position| {
            let (slot, coefficient) = self.slot_in(order, position);
            slot * degree + coefficient
        };
        (0..self.recipe.n()).map(index).collect()
    }

    /// What every position of a transformed polynomial holds.
    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// Runs one direction with one of the scalings, on one thread or on as many as there are.
    #[inline(always)]
    fn run(&self, threads: bool, direction: Direction, scaling: usize, border: Border, a: &mut [T]) {
        self.check_length(a.len());
        let way = match direction {
            Direction::Forward => &self.forward,
            Direction::Inverse => &self.inverse,
        };
        let [shared, table] = way.sections.split(way.table.words());
        let operands = Operands { out: [a], input: [], table, shared, scaling: &self.scaling[scaling] };
        let mut operands = operands.signed();
        #[cfg(not(feature = "threads"))]
        let _ = threads;
        #[cfg(feature = "threads")]
        if threads && spread(way.run, &self.recipe, &self.contract, direction, border, &way.sections, &mut operands) {
            return;
        }
        let program = self.recipe.program(direction, border);
        (way.run)(self.recipe.backend(), &self.contract, &program, &mut operands);
    }

    fn check_length(&self, length: usize) {
        check_length(self.recipe.words(), length);
    }
}

/// What plans do not need of it.
#[cfg(feature = "internals")]
impl<T: Word> Transform<T> {
    /// The negacyclic transform for degree `n` and prime `q`, as deep as the roots of `q` allow.
    ///
    /// **Errors** say which condition failed and what would work.
    pub fn new(n: usize, q: u64) -> Result<Self, PlanError> {
        Self::with(&Request::new(n, q))
    }

    /// The transform for a request.
    pub fn with(request: &Request) -> Result<Self, PlanError> {
        let recipe = request.recipe(T::BITS)?;
        if T::SIGNED && recipe.method().is_unsigned() {
            return Err(PlanError::Unsigned { q: recipe.q(), bits: T::BITS });
        }
        Ok(Self::from_recipe(recipe))
    }

    /// For every position of a transformed polynomial: its slot, counted in canonical order, and the coefficient in it.
    pub fn slot(&self, position: usize) -> (usize, usize) {
        self.slot_in(SlotOrder::Native, position)
    }

    /// For every position of a transformed polynomial, its index in canonical order.
    pub fn canonical_order(&self) -> Vec<usize> {
        self.order_to_canonical(SlotOrder::Native)
    }

    /// See [`Recipe::counts`].
    pub fn counts(&self) -> [OpCount; 3] {
        self.recipe.counts()
    }

    /// Undoes [`forward`](Self::forward), all scaling included.
    ///
    /// - **Order:** native slot order in, natural out.
    /// - **Range:** in `(-q, q)` or the certificate's `slots`; out as the certificate's `output`.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have `n` words.
    pub fn inverse(&self, a: &mut [T]) {
        self.undo(Given::Slots, a);
    }

    /// Like [`inverse`](Self::inverse), for what [`pointwise`](Self::pointwise) gives: the factor
    /// that a product leaves behind is removed at no cost.
    pub fn inverse_product(&self, a: &mut [T]) {
        self.undo(Given::Product, a);
    }

    /// What [`forward`](Self::forward) and [`inverse`](Self::inverse) run before and after reductions, on this
    /// thread alone: for tests.
    pub fn alone(&self, direction: Direction, a: &mut [T]) {
        self.run(false, direction, 0, Border::ANY, a);
    }

    /// The same on as many threads as there are.
    pub fn together(&self, direction: Direction, a: &mut [T]) {
        self.run(true, direction, 0, Border::ANY, a);
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
