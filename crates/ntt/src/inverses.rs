//! Inverses of transformed polynomials: [`network::slot_inverses`] with its table, its proof and its way into a
//! backend.
//!
//! They are computed by Montgomery's method, whatever the method of the plan: slots are plain residues.

use crate::{
    buffer::Buffer,
    called::{Arena, Called, Operations},
    direct::{self, Direct, check_length},
    error::PlanError,
    jobs::Job,
    kernel::{Machine, SCALING, Table},
    model::{Entry, Ranges, Row, Violation},
    network,
    range::Range,
    recipe::{Recipe, odd_part},
    reduction::{Constants, Contract, Method, Reduction},
    schedule::SlotStep,
    word::Word,
};
use alloc::{vec, vec::Vec};
use lanes::{Backend, Lanes};

/// Inverses in one ring, slot by slot, for what a [`Direct`] plan transforms.
///
/// An element of the ring has an inverse exactly if each of its slots has one.
#[derive(Clone, Debug)]
pub struct SlotInverses<T: Word> {
    backend: Backend,
    contract: Contract,
    step: SlotStep,
    n: usize,
    degree: usize,
    table: Buffer<T>,
    scaling: [T; SCALING],
    range: Range,
}

impl<T: Word> SlotInverses<T> {
    /// Inverses of what that plan transforms.
    ///
    /// **Errors** if slots have a degree with an odd factor of `q` or more, or if some value could leave the word.
    pub fn new(plan: &Direct<T>) -> Result<Self, PlanError> {
        let mut recipe = plan.recipe().clone();
        let degree = recipe.slot_degree();
        if odd_part(degree) as u64 >= recipe.q {
            return Err(PlanError::InverseDegree { degree, q: recipe.q });
        }
        recipe.method = Method::Montgomery;
        recipe.schedules.lazy = 1;
        let contract = recipe.contract();
        let (step, range) = prove(&recipe, &contract).map_err(|violation| PlanError::Range {
            n: recipe.n,
            q: recipe.q,
            bits: recipe.bits,
            method: recipe.method,
            violation,
            smaller: None,
        })?;
        let q = direct::modulus(&recipe);
        // Given c·a, the network finds F^-2·(c·a)^-1; what is wanted is c·a^-1.
        let both = q.mul(plan.forward_factor().residue, contract.mul_var_factor().residue);
        let scaling = direct::scaling_words(&recipe, &contract, [q.mul(both, both), recipe.q - 1]);
        let table = direct::table(&recipe, &contract, &rows(&recipe, plan.entries()));
        Ok(Self { backend: recipe.backend, contract, step, n: recipe.n, degree, table, scaling, range })
    }

    /// Whether every slot of `a` has an inverse; if so, `c` is the transform of the inverse of `a`, or else of no use.
    ///
    /// - **Order:** native slot order.
    /// - **Range:** in `(-q, q)` or the certificate's `slots`; out as [`range`](Self::range).
    /// - **Constant time:** yes. That some slot has no inverse is told, and not which.
    /// - **Panics** if a slice does not have `n` words.
    #[must_use = "without an inverse, what is computed is of no use"]
    pub fn invert(&self, c: &mut [T], a: &[T]) -> bool {
        check_length(self.n, c.len());
        check_length(self.n, a.len());
        let lanes = self.backend.lanes(T::BITS);
        let groups = self.n / (lanes * self.degree);
        let mut scratch = Buffer::zeros(lanes * network::inversion_scratch(groups, self.degree));
        let inversion = Inversion {
            step: self.step,
            groups,
            degree: self.degree,
            table: self.table.words(),
            scaling: self.scaling,
            c,
            a,
            scratch: scratch.words_mut(),
        };
        T::slot_inverses(self.backend, &self.contract, inversion);
        let norms = &mut scratch.words_mut()[..lanes];
        T::canonical(self.backend, &self.contract, norms);
        // Negative as long as no norm is zero.
        let all = norms.iter().fold(-1, |all, &norm| {
            let norm: i64 = norm.into();
            all & -norm
        });
        all < 0
    }

    /// What [`invert`](Self::invert) gives: within `(-q, q)`.
    pub const fn range(&self) -> Range {
        self.range
    }
}

/// The first of the possible steps, laziest first, that is proved to stay in the word and to give less than `q`.
fn prove(recipe: &Recipe, contract: &Contract) -> Result<(SlotStep, Range), Violation> {
    let (certificate, degree) = (&recipe.certificate, recipe.slot_degree());
    let small = Range::symmetric(i128::from(recipe.q) - 1);
    let vectors = recipe.n / recipe.lanes();
    let groups = vectors / degree;
    let a = vec![certificate.slots.union(certificate.input); vectors];
    let mut found = None;
    for (operands, sums) in [(false, false), (true, false), (true, true)] {
        let step = SlotStep { operands, sums };
        let mut proof = Ranges::new(recipe.lanes(), *contract, 0);
        let mut c = a.clone();
        let mut scratch = vec![Range::symmetric(0); network::inversion_scratch(groups, degree)];
        network::slot_inverses(&mut proof, step, [groups, degree], recipe.q - 2, &mut c, &a, &mut scratch);
        let range = c.iter().copied().reduce(Range::union).expect("there is data");
        let large = Violation { layer: 0, butterfly: 0, place: crate::model::Place::VariableProduct, range };
        match proof.violation.or((!small.holds(range)).then_some(large)) {
            None => return Ok((step, range)),
            Some(violation) => found = found.or(Some(violation)),
        }
    }
    Err(found.expect("a step was tried"))
}

/// For every group of slots a row with its roots; behind it, for degrees above three, one for each `1 - d/k` of the odd
/// part `d` of the degree, and the roots again.
fn rows(recipe: &Recipe, entries: &[Entry]) -> Vec<Row> {
    let (lanes, degree, q) = (recipe.lanes(), recipe.slot_degree(), direct::modulus(recipe));
    if degree == 1 {
        return Vec::new();
    }
    let odd = if degree == 3 { 1 } else { odd_part(degree) as u64 };
    let constants: Vec<u64> = (1..odd).map(|k| q.add(1, q.neg(q.mul(odd, q.inv(k))))).collect();
    let of_group = |group: &[Entry]| {
        let roots: Vec<u64> = group[..lanes].iter().map(|e| q.pow(recipe.root, e.exponent as u64)).collect();
        let row = |broadcast| Row { broadcast, lanewise: vec![roots.clone()] };
        let first = row(Vec::new());
        [first].into_iter().chain(constants.iter().map(|&w| row(vec![w]))).collect::<Vec<_>>()
    };
    entries.chunks(lanes * degree).flat_map(of_group).collect()
}

/// Slot inverses: what [`Word::slot_inverses`] runs.
#[doc(hidden)]
#[derive(Debug)]
pub struct Inversion<'a, T> {
    step: SlotStep,
    groups: usize,
    degree: usize,
    table: &'a [T],
    scaling: [T; SCALING],
    c: &'a mut [T],
    a: &'a [T],
    scratch: &'a mut [T],
}

/// The exponent that inverts modulo a prime.
#[inline(always)]
const fn inverting(constants: &Constants) -> u64 {
    constants.q as u64 - 2
}

impl<T: Word> Job<T> for Inversion<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let Inversion { step, groups, degree, table, scaling, c, a, scratch } = self;
        let mut machine = Machine::<L, R>::new(lanes, constants, Table::new(table, scaling));
        let (c, a, scratch) = (L::blocks_mut(c), L::blocks(a), L::blocks_mut(scratch));
        network::slot_inverses(&mut machine, step, [groups, degree], inverting(constants), c, a, scratch);
    }
}

/// The same over arrays, behind calls.
pub(crate) struct CalledInversion<'a, T>(pub(crate) Inversion<'a, T>);

impl<T: Word> Job<T> for CalledInversion<'_, T> {
    #[inline(always)]
    fn run<L: Lanes<Word = T>, R: Reduction<L>>(self, lanes: L, constants: &Constants) {
        let Inversion { step, groups, degree, table, scaling, c, a, scratch } = self.0;
        let machine = Machine::<L, R>::new(lanes, constants, Table::new(table, scaling));
        let (c, a, scratch) = (L::blocks_mut(c), L::blocks(a), L::blocks_mut(scratch));
        let mut all = [&*c, a, &*scratch].concat();
        called_inverses(&mut Arena::new(machine, &mut all), step, [groups, degree], inverting(constants));
        c.copy_from_slice(&all[..c.len()]);
        scratch.copy_from_slice(&all[2 * c.len()..]);
    }
}

/// The one copy of slot inverses that all array shapes share: `c`, `a` and the scratch follow one another.
#[inline(never)]
fn called_inverses(on: &mut dyn Operations, step: SlotStep, [groups, degree]: [usize; 2], exponent: u64) {
    let vectors = groups * degree;
    let blocks = 2 * vectors + network::inversion_scratch(groups, degree);
    let mut handles: Vec<usize> = (0..blocks).collect();
    let (c, rest) = handles.split_at_mut(vectors);
    let (a, scratch) = rest.split_at_mut(vectors);
    network::slot_inverses(&mut Called(on), step, [groups, degree], exponent, c, a, scratch);
}
