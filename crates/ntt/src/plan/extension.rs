//! Low-degree extensions: from the values of polynomials at a few points to those at many.

use super::{batch::Batch, single::Plan};
use crate::{
    exec::Buffer,
    planner::{Decision, PlanError, Recipe, Request},
    ring::{Ring, SlotOrder},
    threads::each_piece,
    transform::check_length,
    word::Word,
};
use alloc::vec::Vec;
use core::fmt;

/// From the values of a polynomial at `n` roots of unity to its values on a coset with `blowup·n` points, as proofs by
/// FRI and other Reed–Solomon codes take them.
///
/// The polynomial has a degree below `n`, and values at `1, g, g², …` for a root `g` of order `n`. The extension has its
/// values at `shift·root^i`, where `root` has order `blowup·n` and `g = root^blowup`. The points are `blowup` cosets of
/// the first ones, and each gets a transform of `n` words: words that are zero are never multiplied, and one coset is
/// finished before the next one begins.
///
/// ```
/// use ringwork_ntt::{Extension, Plan, Request, SlotOrder};
///
/// const Q: u64 = 2_013_265_921; // BabyBear
/// let request = Request::new(64, Q).slot_order(SlotOrder::Canonical).shift(31);
/// let extension = Extension::<u32>::new(&request, 4, SlotOrder::BitReversed)?;
///
/// let coefficients: Vec<u32> = (1..=64).collect();
/// let mut values = coefficients.clone();
/// extension.values().forward(&mut values); // at 1, g, g², …
/// let mut extended = vec![0; 256];
/// extension.extend(&mut extended, &values);
///
/// // The same by a transform of 256 words, most of them zero.
/// let large = Plan::<u32>::with(&Request::new(256, Q).cyclic().slot_order(SlotOrder::BitReversed).shift(31).depth(8))?;
/// let mut padded = [&coefficients[..], &[0; 192]].concat();
/// large.forward(&mut padded);
/// assert_eq!(extended, padded);
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
#[derive(Clone)]
pub struct Extension<T: Word> {
    values: Plan<T>,
    /// In the order in which layers split the points.
    cosets: Vec<Plan<T>>,
    root: u64,
}

impl<T: Word> Extension<T> {
    /// Extensions by the factor `blowup`, a power of two, of polynomials that have the degree of the request, in the
    /// order `extended`: [`SlotOrder::BitReversed`] costs nothing, and native order, which differs from coset to coset,
    /// is taken as that.
    ///
    /// Of the request also count modulus, depth, method, backend, the order, which is that of the values, the
    /// [shift](Request::shift), and the [root](Request::root), which is that of order `blowup·n`: the smallest unless
    /// it is requested. The ring is cyclic.
    ///
    /// - **Constant time:** no; requests are public.
    /// - **Errors** as [`Plan::with`] of such a request for the degree `blowup·n`, if its slots are no values because the
    ///   modulus has no roots for all layers, and if `blowup` is no power of two.
    pub fn new(request: &Request, blowup: usize, extended: SlotOrder) -> Result<Self, PlanError> {
        let extended = match extended {
            SlotOrder::Native => SlotOrder::BitReversed,
            order => order,
        };
        let request = Request { ring: Ring::Cyclic, best_depth: false, ..*request };
        let large = request.n.saturating_mul(blowup);
        if !blowup.is_power_of_two() {
            return Err(PlanError::Blowup { blowup });
        }
        let log = blowup.trailing_zeros();
        let deeper = request.depth.map(|depth| depth.saturating_add(log));
        let recipe = Request { n: large, depth: deeper, ..request }.recipe(T::BITS)?;
        let (root, q, depth) = (recipe.root(), recipe.modulus(), recipe.depth().saturating_sub(log));
        let degree = recipe.slot_degree();
        if degree != 1 {
            return Err(PlanError::Incomplete { n: large, q: request.q, degree });
        }
        let small = request.depth(depth).thirds(recipe.thirds()).root(q.pow(root, blowup as u64));
        let plan = |request: Request| Plan::checked(Decision::Direct(request.recipe(T::BITS)?));
        let coset = |number: usize| {
            let exponent = if log == 0 { 0 } else { number.reverse_bits() >> (usize::BITS - log) };
            plan(small.shift(q.mul(recipe.shift(), q.pow(root, exponent as u64))).slot_order(extended))
        };
        Ok(Self { values: plan(small.shift(1))?, cosets: (0..blowup).map(coset).collect::<Result<_, _>>()?, root })
    }

    /// The plan whose transforms give values, and take them back to coefficients.
    pub const fn values(&self) -> &Plan<T> {
        &self.values
    }

    /// Points of the extension for each point that is given.
    pub const fn blowup(&self) -> usize {
        self.cosets.len()
    }

    /// The root of unity whose powers, times the shift, are the points.
    pub const fn root(&self) -> u64 {
        self.root
    }

    /// The first point.
    pub fn shift(&self) -> u64 {
        self.cosets[0].recipe().map_or(1, Recipe::shift)
    }

    /// The order of extensions.
    pub fn slot_order(&self) -> SlotOrder {
        self.cosets[0].slot_order()
    }

    /// Points, and words of the extension of one polynomial.
    pub fn points(&self) -> usize {
        self.blowup() * self.values.n()
    }

    /// Extends the values of one polynomial.
    ///
    /// - **Order:** in that of the request, out that of the extension.
    /// - **Range:** in `(-q, q)`, or what [`Plan::forward`] of [`values`](Self::values) gives; out what such plans give.
    ///   Words out of range are not detected and give a wrong result.
    /// - **Constant time:** yes.
    /// - **Panics** unless `values` has `n` words and `extended` has [as many as points](Self::points).
    pub fn extend(&self, extended: &mut [T], values: &[T]) {
        self.extend_columns(extended, values, 1);
    }

    /// Extends the columns of a matrix: a row has one word of each of `width` polynomials. With the feature `threads`,
    /// rayon's current pool shares the work.
    ///
    /// - **Order:** of rows, in that of the request, out that of the extension.
    /// - **Range**, **constant time:** as [`extend`](Self::extend).
    /// - **Panics** unless `values` has `n` rows and `extended` has [as many as points](Self::points).
    pub fn extend_columns(&self, extended: &mut [T], values: &[T], width: usize) {
        let words = self.values.n().saturating_mul(width);
        check_length(words, values.len());
        check_length(words.saturating_mul(self.blowup()), extended.len());
        if words == 0 {
            return;
        }
        let columns = Batch::new(width).interleaved();
        let mut coefficients = Buffer::copy_of(values);
        self.values.inverse_batch(coefficients.words_mut(), columns);
        each_piece(
            extended,
            words,
            || (),
            |(), number, coset| {
                coset.copy_from_slice(coefficients.words());
                self.cosets[number].forward_batch(coset, columns);
            },
        );
        if self.slot_order() == SlotOrder::Canonical && self.blowup() > 1 {
            self.in_turn(extended, width);
        }
    }

    /// From coset after coset to their points in turn, as the powers of the root are.
    fn in_turn(&self, extended: &mut [T], width: usize) {
        let (n, log) = (self.values.n(), self.blowup().trailing_zeros());
        let apart = Buffer::copy_of(extended);
        for (i, row) in apart.words().chunks_exact(width).enumerate() {
            let (coset, of_coset) = (i / n, i % n);
            let turn = coset.reverse_bits() >> (usize::BITS - log);
            let to = of_coset << log | turn;
            extended[to * width..(to + 1) * width].copy_from_slice(row);
        }
    }
}

impl<T: Word> fmt::Debug for Extension<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, q) = (self.values.n(), self.values.q());
        write!(
            f,
            "Extension(from {n} to {} points modulo {q}, shift {}, {})",
            self.points(),
            self.shift(),
            self.slot_order()
        )
    }
}
