//! Inverses of transformed polynomials: [`network::invert_slots`] with its table and its proof.
//!
//! Inverses are computed by Montgomery's method, whatever the method of the plan: slots are plain
//! residues.

use super::{order::Order, single::Plan};
use crate::{
    arith::Interval,
    exec::{Buffer, Operands, SCALING, derive_inversion, each, run},
    model::{Place, Ranges, Violation},
    network::{self, Elementwise, Inversion, SlotStep},
    planner::{PlanError, Recipe, odd_part},
    reduction::{Contract, Method},
    transform::{Transform, check_length},
    word::Word,
};
use alloc::{vec, vec::Vec};
use core::fmt;
use lanes::Backend;

/// Inverses of ring elements in the transform domain, slot by slot.
///
/// An element has an inverse if and only if each of its slots has one.
///
/// ```
/// use ringwork_ntt::{Inverter, Plan};
///
/// let plan = Plan::<i16>::new(256, 3329)?;
/// let inverter = Inverter::new(&plan)?;
/// let mut a = [0_i16; 256];
/// (a[0], a[1]) = (2, 1); // 2 + X
/// plan.forward(&mut a);
/// let mut inverse = [0; 256];
/// assert!(inverter.invert(&mut inverse, &a));
/// let one = plan.inverse_product(plan.pointwise([0; 256], &a, &inverse));
/// assert_eq!((one[0], &one[1..]), (1, &[0; 255][..]));
///
/// assert!(!inverter.invert(&mut inverse, &[0; 256]));
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
#[derive(Clone)]
pub struct Inverter<T: Word> {
    backend: Backend,
    contract: Contract,
    step: SlotStep,
    n: usize,
    degree: usize,
    table: Buffer<T>,
    scaling: [T; SCALING],
    range: Interval,
    /// From the order of the plan into the native one.
    order: Option<Order>,
    /// Lanes of the plan's vectors, if slots of several coefficients are taken out of these and inverted one by one.
    taken_from: Option<usize>,
}

impl<T: Word> Inverter<T> {
    /// The inverter for the transformed polynomials of that plan.
    ///
    /// **Constant time:** no; plans are public. **Errors** if the plan uses residue channels, if
    /// the odd part of the slots' degree is not below `q`, or if some value could leave the word.
    pub fn new(plan: &Plan<T>) -> Result<Self, PlanError> {
        match plan.transform() {
            Some(transform) => Ok(Self { order: plan.order_of_operands().cloned(), ..Self::of_transform(transform)? }),
            None => Err(PlanError::NoSlots { q: plan.q() }),
        }
    }

    /// Inverses of what that transform gives, in native order.
    fn of_transform(plan: &Transform<T>) -> Result<Self, PlanError> {
        let recipe = plan.recipe();
        let (degree, q) = (recipe.slot_degree(), recipe.modulus());
        if odd_part(degree) as u64 >= q.get() {
            return Err(PlanError::InverseDegree { degree, q: q.get() });
        }
        let unsigned = recipe.method().is_unsigned();
        let method = if unsigned { Method::Unsigned } else { Method::Montgomery };
        let contract =
            method.contract(q, recipe.bits()).ok_or(PlanError::Method { method, q: q.get(), bits: recipe.bits() })?;
        let mut table = Vec::new();
        let vectors = recipe.bits() == 16 || recipe.backend().is_array();
        let backend = if vectors { recipe.backend() } else { Backend::Scalar };
        let proved = prove(recipe, backend.lanes(recipe.bits()), &contract);
        let (step, range) = proved.map_err(|violation| recipe.refusal(violation))?;
        let factor = plan.forward_factor();
        let scaling = derive_inversion(backend, recipe, &contract, plan.places(), factor, &mut table);
        Ok(Self {
            backend,
            contract,
            step,
            n: recipe.n(),
            degree,
            table: Buffer::of(table),
            scaling: scaling.map(T::truncated),
            range,
            order: None,
            taken_from: (backend != recipe.backend() && degree > 1).then_some(recipe.lanes()),
        })
    }

    /// Inverts the transformed polynomial `a`. Returns whether every slot of `a` has an inverse; if
    /// so, `c` is the transform of the inverse of `a`, otherwise `c` is unspecified.
    ///
    /// - **Order:** that of the plan ([`Plan::slot_order`]).
    /// - **Range:** in the output of [`Plan::forward`], or `(-q, q)`; out [`range`](Self::range).
    ///   Words out of range are not detected and give a wrong result.
    /// - **Constant time:** yes. It reveals only whether all slots are invertible.
    /// - **Panics** if a slice does not have `n` words.
    #[must_use = "without an inverse, the result is unspecified"]
    pub fn invert(&self, c: &mut [T], a: &[T]) -> bool {
        check_length(self.n, c.len());
        check_length(self.n, a.len());
        let lanes = self.backend.lanes(T::BITS);
        let native = self.order.as_ref().map(|order| order.native(a));
        let a = native.as_ref().map_or(a, Buffer::words);
        let single = self.taken_from.map(|lanes| self.one_by_one(lanes, a));
        let a = single.as_ref().map_or(a, Buffer::words);
        let groups = self.n / (lanes * self.degree);
        let mut scratch = Buffer::zeros(lanes * network::inversion_scratch(groups, self.degree));
        let exponent = self.contract.constants().q as u64 - 2;
        let job = Inversion { step: self.step, groups, degree: self.degree, exponent };
        let out = [&mut *c, scratch.words_mut()];
        let operands = Operands { out, input: [a], table: self.table.words(), shared: &[], scaling: &self.scaling };
        run(self.backend, &self.contract, job, operands);
        if let Some(lanes) = self.taken_from {
            self.to_vectors(lanes, c);
        }
        if let Some(order) = &self.order {
            order.apply(c);
        }
        let norms = &mut scratch.words_mut()[..lanes];
        each(self.backend, &self.contract, Elementwise::Canonical, Operands::of(&mut *norms));
        // Negative as long as no norm is zero.
        let all = T::signed(norms).iter().fold(-1, |all, &norm| {
            let norm: i64 = norm.into();
            all & (norm | norm.wrapping_neg())
        });
        all < 0
    }

    /// Slots one after the other, read from vectors of `lanes` lanes.
    fn one_by_one(&self, lanes: usize, a: &[T]) -> Buffer<T> {
        let mut slots = Buffer::zeros(self.n);
        self.each_place(lanes, |slot, place| slots.words_mut()[slot] = a[place]);
        slots
    }

    /// Undoes [`one_by_one`](Self::one_by_one).
    fn to_vectors(&self, lanes: usize, a: &mut [T]) {
        let slots = Buffer::copy_of(a);
        self.each_place(lanes, |slot, place| a[place] = slots.words()[slot]);
    }

    /// For every coefficient its index where slots stand one after the other, and where they lie in vectors.
    fn each_place(&self, lanes: usize, mut at: impl FnMut(usize, usize)) {
        for group in 0..self.n / (lanes * self.degree) {
            for lane in 0..lanes {
                for i in 0..self.degree {
                    at((group * lanes + lane) * self.degree + i, (group * self.degree + i) * lanes + lane);
                }
            }
        }
    }

    /// The range of the output of [`invert`](Self::invert), within `(-q, q)`.
    pub const fn range(&self) -> Interval {
        self.range
    }
}

/// One line, without the table.
impl<T: Word> fmt::Debug for Inverter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (q, method, backend) = (self.contract.modulus().get(), self.contract.method(), self.backend.name());
        write!(f, "Inverter(n = {}, q = {q}, slots of degree {}, {method} on {backend})", self.n, self.degree)
    }
}

/// The first of the possible steps, laziest first, that is proved to stay in the word and to give
/// less than `q`.
fn prove(recipe: &Recipe, lanes: usize, contract: &Contract) -> Result<(SlotStep, Interval), Violation> {
    let (certificate, degree) = (recipe.certificate(), recipe.slot_degree());
    let small = contract.residues();
    let vectors = recipe.n() / lanes;
    let groups = vectors / degree;
    let a = vec![certificate.slots().union(certificate.input()); vectors];
    let mut found = None;
    for (operands, sums) in [(false, false), (true, false), (true, true)] {
        let step = SlotStep { operands, sums, wide: false };
        let mut proof = Ranges::new(lanes, *contract, 0);
        let mut c = a.clone();
        let mut scratch = vec![Interval::symmetric(0); network::inversion_scratch(groups, degree)];
        let job = Inversion { step, groups, degree, exponent: recipe.q() - 2 };
        proof.run(job, [&mut c, &mut scratch], [&a]).expect("whole slots");
        let range = c.iter().copied().reduce(Interval::union).expect("there is data");
        let large = Violation { layer: 0, butterfly: 0, place: Place::VariableProduct, range };
        match proof.violation.or((!small.holds(range)).then_some(large)) {
            None => return Ok((step, range)),
            Some(violation) => found = found.or(Some(violation)),
        }
    }
    Err(found.expect("a step was tried"))
}
