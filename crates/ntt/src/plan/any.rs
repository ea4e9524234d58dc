//! Plans that choose their word, for callers who keep words in 64 bits.
//!
//! Functions are marked inline so that plans in five words are compiled for those who use this type, and not with
//! the engine.

use super::{
    batch::Batch,
    product::{Prepared, Product},
    single::Plan,
};
use crate::{
    arith::Interval,
    exec::Buffer,
    input::{InputError, check},
    planner::{Certificate, CrtRecipe, Decision, PlanError, Recipe, Request},
    ring::{Ring, SlotOrder},
    word::Word,
};
use alloc::vec::Vec;
use lanes::Backend;

/// A [`Plan`] in words of the width with the lowest estimated time, with all its verbs, for callers who keep words in
/// 64 bits: programs in other languages, and those that learn the modulus at run time.
///
/// Coefficients are residues in `[0, q)`. Transformed words are in `[0, q)` as well, unless the plan uses residue
/// channels, whose words are opaque. Every verb checks its words, and an error leaves all of them unchanged. It
/// copies them into words of the plan and back, which takes about as long as two passes over memory; a caller for
/// whom that matters matches on the variant.
///
/// ```
/// use ringwork_ntt::AnyPlan;
/// let plan = AnyPlan::new(256, (1 << 45) - 229)?; // no prime with roots, nor in 32 bits
/// let (a, b) = (vec![3; 256], vec![5; 256]);
/// let mut c = vec![0; 256];
/// plan.multiply(&mut c, &a, &b)?;
/// assert_eq!(c[255], 15 * 256);
///
/// let transformed = |polynomial: &[u64]| {
///     let mut words = vec![0; plan.ntt_len()];
///     words[..256].copy_from_slice(polynomial);
///     plan.forward(&mut words).map(|()| words)
/// };
/// let (a_hat, b_hat) = (transformed(&a)?, transformed(&b)?);
/// let mut sum = plan.pointwise(&a_hat, &b_hat)?;
/// plan.accumulate(&mut sum, &a_hat, &b_hat)?;
/// assert_eq!(plan.inverse_product(sum).words()[255], 2 * 15 * 256);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnyPlan {
    /// In words of 16 bits.
    I16(Plan<i16>),
    /// In words of 32 bits.
    I32(Plan<i32>),
    /// In words of 64 bits.
    I64(Plan<i64>),
    /// In unsigned words of 32 bits, which residues fill.
    U32(Plan<u32>),
    /// In unsigned words of 64 bits, which residues fill.
    U64(Plan<u64>),
}

/// Evaluates an expression for the plan inside, whatever its word.
macro_rules! with {
    ($any:expr, $plan:ident => $value:expr) => {
        match $any {
            AnyPlan::I16($plan) => $value,
            AnyPlan::I32($plan) => $value,
            AnyPlan::I64($plan) => $value,
            AnyPlan::U32($plan) => $value,
            AnyPlan::U64($plan) => $value,
        }
    };
}

/// Plans and what is known of them.
impl AnyPlan {
    /// The negacyclic plan for degree `n` and modulus `q`.
    ///
    /// **Errors** say which condition failed and what would work.
    #[inline]
    pub fn new(n: usize, q: u64) -> Result<Self, PlanError> {
        Self::with(&Request::new(n, q))
    }

    /// The plan for a request.
    ///
    /// **Errors** as [`new`](Self::new).
    #[inline]
    pub fn with(request: &Request) -> Result<Self, PlanError> {
        request.decide_any().map(Self::from_decision)
    }

    /// The plan of a decision ([`Request::decide_any`]): derives its tables.
    #[inline]
    pub fn from_decision(decision: Decision) -> Self {
        let unsigned = matches!(&decision, Decision::Direct(recipe) if recipe.method().is_unsigned());
        match (decision.bits(), unsigned) {
            (16, _) => Self::I16(Plan::from_decision(decision)),
            (32, false) => Self::I32(Plan::from_decision(decision)),
            (32, true) => Self::U32(Plan::from_decision(decision)),
            (_, false) => Self::I64(Plan::from_decision(decision)),
            (_, true) => Self::U64(Plan::from_decision(decision)),
        }
    }

    /// Degree.
    #[inline]
    pub fn n(&self) -> usize {
        with!(self, plan => plan.n())
    }

    /// Modulus.
    #[inline]
    pub fn q(&self) -> u64 {
        with!(self, plan => plan.q())
    }

    /// Ring.
    #[inline]
    pub fn ring(&self) -> Ring {
        with!(self, plan => plan.ring())
    }

    /// Bits of a word of the plan.
    #[inline]
    pub const fn bits(&self) -> u32 {
        match self {
            Self::I16(_) => 16,
            Self::I32(_) | Self::U32(_) => 32,
            Self::I64(_) | Self::U64(_) => 64,
        }
    }

    /// The vector instructions on which it runs.
    #[inline]
    pub fn backend(&self) -> Backend {
        with!(self, plan => plan.backend())
    }

    /// See [`Plan::ntt_len`].
    #[inline]
    pub const fn ntt_len(&self) -> usize {
        with!(self, plan => plan.ntt_len())
    }

    /// See [`Plan::table_words`]; words of the plan.
    #[inline]
    pub fn table_words(&self) -> usize {
        with!(self, plan => plan.table_words())
    }

    /// See [`Plan::slot_order`].
    #[inline]
    pub fn slot_order(&self) -> SlotOrder {
        with!(self, plan => plan.slot_order())
    }

    /// See [`Plan::recipe`].
    #[inline]
    pub fn recipe(&self) -> Option<&Recipe> {
        with!(self, plan => plan.recipe())
    }

    /// See [`Plan::certificate`]: ranges inside the plan, whose words may be negative.
    #[inline]
    pub fn certificate(&self) -> Option<&Certificate> {
        with!(self, plan => plan.certificate())
    }

    /// See [`Plan::crt_recipe`].
    #[inline]
    pub fn crt_recipe(&self) -> Option<&CrtRecipe> {
        with!(self, plan => plan.crt_recipe())
    }

    /// See [`Plan::slot`].
    ///
    /// **Panics** if `position` is not below `n`.
    #[inline]
    pub fn slot(&self, position: usize) -> Option<(usize, usize)> {
        with!(self, plan => plan.slot(position))
    }

    /// See [`Plan::canonical_order`].
    #[inline]
    pub fn canonical_order(&self) -> Option<Vec<usize>> {
        with!(self, plan => plan.canonical_order())
    }
}

/// Verbs. For each: **constant time**, unless it returns an error; **errors** say which slice has a wrong length, or
/// the index of the first word out of range, so their timing depends on the input.
impl AnyPlan {
    /// Whether these are `n` residues in `[0, q)`.
    #[inline]
    pub fn check(&self, a: &[u64]) -> Result<(), InputError> {
        check(self.n(), residues(self.q()), a)
    }

    /// [`Plan::forward`]: the polynomial is in the first `n` words, its transform fills all
    /// [`ntt_len`](Self::ntt_len) words.
    ///
    /// **Order:** natural in; out the plan's [`slot_order`](Self::slot_order). **Range:** `[0, q)`, in and out;
    /// out of residue channels opaque words.
    #[inline]
    pub fn forward(&self, a: &mut [u64]) -> Result<(), InputError> {
        exactly(self.ntt_len(), a.len())?;
        self.forward_many(a)
    }

    /// [`Plan::inverse`]: of [`ntt_len`](Self::ntt_len) words the first `n` become the polynomial, all others zero.
    ///
    /// **Order:** the plan's [`slot_order`](Self::slot_order) in, natural out. **Range:** what
    /// [`forward`](Self::forward) gives in, `[0, q)` out.
    #[inline]
    pub fn inverse(&self, a: &mut [u64]) -> Result<(), InputError> {
        exactly(self.ntt_len(), a.len())?;
        self.inverse_many(a)
    }

    /// [`Plan::forward_many`]: [`forward`](Self::forward) for any number of contiguous polynomials.
    #[inline]
    pub fn forward_many(&self, data: &mut [u64]) -> Result<(), InputError> {
        with!(self, plan => forward(plan, data))
    }

    /// [`Plan::inverse_many`]: [`inverse`](Self::inverse) for any number of contiguous polynomials.
    #[inline]
    pub fn inverse_many(&self, data: &mut [u64]) -> Result<(), InputError> {
        with!(self, plan => inverse(plan, data))
    }

    /// [`Plan::forward_batch`].
    ///
    /// **Panics** if polynomials of the batch overlap.
    #[inline]
    pub fn forward_batch(&self, data: &mut [u64], batch: Batch) -> Result<(), InputError> {
        self.in_batch(data, batch, Self::forward_many)
    }

    /// [`Plan::inverse_batch`].
    ///
    /// **Panics** if polynomials of the batch overlap.
    #[inline]
    pub fn inverse_batch(&self, data: &mut [u64], batch: Batch) -> Result<(), InputError> {
        self.in_batch(data, batch, Self::inverse_many)
    }

    #[inline]
    fn in_batch(
        &self,
        data: &mut [u64],
        batch: Batch,
        run: impl Fn(&Self, &mut [u64]) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let (expected, actual) = (batch.words(self.ntt_len()), data.len());
        if actual < expected {
            return Err(InputError::Length { expected, actual });
        }
        let places = || batch.places(self.ntt_len());
        let mut near = Buffer::zeros(batch.count() * self.ntt_len());
        places().for_each(|[at, to]| near.words_mut()[to] = data[at]);
        run(self, near.words_mut()).map_err(|error| match error {
            InputError::Range { index, range } => {
                let [index, _] = places().find(|[_, to]| *to == index).expect("a word of a polynomial");
                InputError::Range { index, range }
            }
            other => other,
        })?;
        places().for_each(|[at, from]| data[at] = near.words()[from]);
        Ok(())
    }

    /// [`Plan::pointwise`]: the product of two transformed polynomials of [`ntt_len`](Self::ntt_len) words.
    ///
    /// **Range:** what [`forward`](Self::forward) gives.
    #[inline]
    pub fn pointwise(&self, a: &[u64], b: &[u64]) -> Result<Product<Buffer<u64>>, InputError> {
        exactly(self.ntt_len(), a.len())?;
        exactly(self.ntt_len(), b.len())?;
        with!(self, plan => {
            let (a, b) = (transformed(plan, a)?, transformed(plan, b)?);
            Ok(plan.pointwise(Buffer::zeros(plan.ntt_len()), a.words(), b.words()).map(wide))
        })
    }

    /// [`Plan::accumulate`]: adds the product of two more transformed polynomials.
    ///
    /// **Range** as [`pointwise`](Self::pointwise). **Panics** as `Plan::accumulate`, for products of another plan
    /// and more terms than residue channels were made for.
    #[inline]
    pub fn accumulate(&self, product: &mut Product<Buffer<u64>>, a: &[u64], b: &[u64]) -> Result<(), InputError> {
        exactly(self.ntt_len(), a.len())?;
        exactly(self.ntt_len(), b.len())?;
        with!(self, plan => {
            let (a, b) = (transformed(plan, a)?, transformed(plan, b)?);
            let mut narrow = product.of_words(|words| narrow(words.words()));
            plan.accumulate(&mut narrow, a.words(), b.words());
            *product = narrow.map(wide);
            Ok(())
        })
    }

    /// [`Plan::inner_products`]: the sums `Σ a_i·b_i` of each vector of `terms` polynomials of `a` with each one of
    /// `b`.
    ///
    /// **Range** as [`pointwise`](Self::pointwise). **Panics** if `a` or `b` does not consist of such vectors, or at
    /// more terms than residue channels were made for.
    #[inline]
    pub fn inner_products(&self, a: &[u64], b: &[u64], terms: usize) -> Result<Product<Buffer<u64>>, InputError> {
        with!(self, plan => {
            let (narrow_a, narrow_b) = (transformed(plan, a)?, transformed(plan, b)?);
            let vector = terms.saturating_mul(plan.ntt_len()).max(1);
            let sums = (a.len() / vector) * (b.len() / vector) * plan.ntt_len();
            Ok(plan.inner_products(Buffer::zeros(sums), narrow_a.words(), narrow_b.words(), terms).map(wide))
        })
    }

    /// [`Plan::inverse_product`]: products as coefficients, of every [`ntt_len`](Self::ntt_len) words the first `n`.
    ///
    /// **Order:** natural. **Range:** out `[0, q)`. **Panics** if another plan made the product.
    #[inline]
    pub fn inverse_product(&self, product: Product<Buffer<u64>>) -> Buffer<u64> {
        with!(self, plan => wide(plan.inverse_product(product.of_words(|words| narrow(words.words())))))
    }

    /// [`Plan::to_ntt`]: products as transformed polynomials like any others.
    ///
    /// **Range:** out what [`forward`](Self::forward) gives. **Panics** if another plan made the product.
    #[inline]
    pub fn to_ntt(&self, product: Product<Buffer<u64>>) -> Buffer<u64> {
        with!(self, plan => wide(plan.to_ntt(product.of_words(|words| narrow(words.words())))))
    }

    /// [`Plan::to_ntt_plus`]: the sum of one product and a transformed polynomial, as a transformed polynomial.
    ///
    /// **Range** as [`to_ntt`](Self::to_ntt). **Panics** if another plan made the product, or if it is of several
    /// polynomials.
    #[inline]
    pub fn to_ntt_plus(&self, product: Product<Buffer<u64>>, b: &[u64]) -> Result<Buffer<u64>, InputError> {
        exactly(self.ntt_len(), b.len())?;
        with!(self, plan => {
            let b = transformed(plan, b)?;
            Ok(wide(plan.to_ntt_plus(product.of_words(|words| narrow(words.words())), b.words())))
        })
    }

    /// [`Plan::multiply`]: the product of two polynomials of `n` coefficients.
    ///
    /// **Order:** natural. **Range:** `[0, q)`, in and out.
    #[inline]
    pub fn multiply(&self, c: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), InputError> {
        exactly(self.n(), c.len())?;
        exactly(self.n(), a.len())?;
        exactly(self.n(), b.len())?;
        with!(self, plan => {
            let (a, b) = (polynomials(plan, a)?, polynomials(plan, b)?);
            let mut product = Buffer::zeros(plan.n());
            plan.multiply(product.words_mut(), a.words(), b.words());
            widen(c, product.words());
            Ok(())
        })
    }

    /// [`Plan::multiply_assign`], without scratch: replaces `a` by the product.
    ///
    /// **Order:** natural. **Range:** `[0, q)`, in and out.
    #[inline]
    pub fn multiply_assign(&self, a: &mut [u64], b: &[u64]) -> Result<(), InputError> {
        let mut product = Buffer::zeros(a.len());
        self.multiply(product.words_mut(), a, b)?;
        a.copy_from_slice(product.words());
        Ok(())
    }

    /// [`Plan::multiply_many`]: each polynomial of `a` times the one of `b` with the same number.
    ///
    /// **Order:** natural. **Range:** `[0, q)`, in and out.
    #[inline]
    pub fn multiply_many(&self, c: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), InputError> {
        exactly(c.len(), a.len())?;
        exactly(c.len(), b.len())?;
        with!(self, plan => {
            let (a, b) = (polynomials(plan, a)?, polynomials(plan, b)?);
            let mut products = Buffer::zeros(c.len());
            plan.multiply_many(products.words_mut(), a.words(), b.words());
            widen(c, products.words());
            Ok(())
        })
    }

    /// [`Plan::prepare`]: transforms a polynomial that will be multiplied by many others.
    ///
    /// **Range:** `[0, q)`.
    #[inline]
    pub fn prepare(&self, b: &[u64]) -> Result<Prepared<u64>, InputError> {
        exactly(self.n(), b.len())?;
        with!(self, plan => Ok(plan.prepare(polynomials(plan, b)?.words()).map(|words| wide(words))))
    }

    /// [`Plan::multiply_prepared`], without scratch.
    ///
    /// **Order:** natural. **Range:** `[0, q)`, in and out. **Panics** if another plan prepared `b`.
    #[inline]
    pub fn multiply_prepared(&self, c: &mut [u64], a: &[u64], b: &Prepared<u64>) -> Result<(), InputError> {
        exactly(self.n(), c.len())?;
        exactly(self.n(), a.len())?;
        with!(self, plan => {
            let (a, b) = (polynomials(plan, a)?, b.map(|words| narrow(words.words())));
            let (mut product, mut scratch) = (Buffer::zeros(plan.n()), Buffer::zeros(plan.scratch_len()));
            plan.multiply_prepared(product.words_mut(), a.words(), &b, scratch.words_mut());
            widen(c, product.words());
            Ok(())
        })
    }

    /// [`Plan::add`]: adds `b` to `a`, for any number of contiguous polynomials, which may be transformed unless the
    /// plan uses residue channels.
    ///
    /// **Range:** `[0, q)`, in and out.
    #[inline]
    pub fn add(&self, a: &mut [u64], b: &[u64]) -> Result<(), InputError> {
        with!(self, plan => sum(plan, a, b, Plan::add))
    }

    /// [`Plan::sub`]: subtracts `b` from `a`, as [`add`](Self::add) adds.
    ///
    /// **Range:** `[0, q)`, in and out.
    #[inline]
    pub fn sub(&self, a: &mut [u64], b: &[u64]) -> Result<(), InputError> {
        with!(self, plan => sum(plan, a, b, Plan::sub))
    }

    /// [`Plan::to_canonical_order`].
    ///
    /// **Range:** what [`forward`](Self::forward) gives. **Panics** if the plan uses residue channels.
    #[inline]
    pub fn to_canonical_order(&self, a: &mut [u64]) -> Result<(), InputError> {
        exactly(self.ntt_len(), a.len())?;
        with!(self, plan => in_place(a, transformed(plan, a)?, |a| plan.to_canonical_order(a)))
    }

    /// [`Plan::from_canonical_order`].
    ///
    /// **Range:** what [`forward`](Self::forward) gives. **Panics** if the plan uses residue channels.
    #[inline]
    pub fn from_canonical_order(&self, a: &mut [u64]) -> Result<(), InputError> {
        exactly(self.ntt_len(), a.len())?;
        with!(self, plan => in_place(a, transformed(plan, a)?, |a| plan.from_canonical_order(a)))
    }
}

fn residues(q: u64) -> Interval {
    Interval::new(0, i128::from(q) - 1)
}

fn exactly(expected: usize, actual: usize) -> Result<(), InputError> {
    if actual == expected { Ok(()) } else { Err(InputError::Length { expected, actual }) }
}

/// Words of which every `of_each` belong to one polynomial, whose first `used` words must be in that range; the
/// others become zero.
fn read<T: Word>(words: &[u64], [of_each, used]: [usize; 2], range: Interval) -> Result<Buffer<T>, InputError> {
    exactly(words.len().next_multiple_of(of_each), words.len())?;
    let mut narrow = Buffer::zeros(words.len());
    for (i, (to, from)) in narrow.words_mut().chunks_exact_mut(of_each).zip(words.chunks_exact(of_each)).enumerate() {
        check(used, range, &from[..used]).map_err(|error| match error {
            InputError::Range { index, range } => InputError::Range { index: index + i * of_each, range },
            other => other,
        })?;
        truncate(&mut to[..used], from);
    }
    Ok(narrow)
}

/// Contiguous polynomials.
fn polynomials<T: Word>(plan: &Plan<T>, words: &[u64]) -> Result<Buffer<T>, InputError> {
    read(words, [plan.n(); 2], residues(plan.q()))
}

/// Contiguous transformed polynomials.
fn transformed<T: Word>(plan: &Plan<T>, words: &[u64]) -> Result<Buffer<T>, InputError> {
    let any = Interval::new(0, (1 << T::BITS) - 1);
    read(words, [plan.ntt_len(); 2], if plan.transform().is_some() { residues(plan.q()) } else { any })
}

fn truncate<T: Word>(to: &mut [T], words: &[u64]) {
    to.iter_mut().zip(words).for_each(|(to, &word)| *to = T::truncated(word as i64));
}

/// The low bits of words, which [`wide`] widened.
fn narrow<T: Word>(words: &[u64]) -> Buffer<T> {
    let mut narrow = Buffer::zeros(words.len());
    truncate(narrow.words_mut(), words);
    narrow
}

fn widen<T: Word>(to: &mut [u64], words: &[T]) {
    let all = u64::MAX >> (u64::BITS - T::BITS);
    to.iter_mut().zip(T::signed(words)).for_each(|(to, &word)| *to = Into::<i64>::into(word) as u64 & all);
}

fn wide<T: Word>(words: impl AsRef<[T]>) -> Buffer<u64> {
    let words = words.as_ref();
    let mut wide = Buffer::zeros(words.len());
    widen(wide.words_mut(), words);
    wide
}

fn in_place<T: Word>(to: &mut [u64], mut words: Buffer<T>, run: impl Fn(&mut [T])) -> Result<(), InputError> {
    run(words.words_mut());
    widen(to, words.words());
    Ok(())
}

fn forward<T: Word>(plan: &Plan<T>, data: &mut [u64]) -> Result<(), InputError> {
    let words = read(data, [plan.ntt_len(), plan.n()], residues(plan.q()))?;
    in_place(data, words, |words| {
        plan.forward_many(words);
        if plan.transform().is_some() && !words.is_empty() {
            plan.canonical(words);
        }
    })
}

fn inverse<T: Word>(plan: &Plan<T>, data: &mut [u64]) -> Result<(), InputError> {
    in_place(data, transformed(plan, data)?, |words| plan.inverse_many(words))
}

fn sum<T: Word>(plan: &Plan<T>, a: &mut [u64], b: &[u64], run: fn(&Plan<T>, &mut [T], &[T])) -> Result<(), InputError> {
    exactly(a.len().next_multiple_of(plan.n()).max(plan.n()), a.len())?;
    exactly(a.len(), b.len())?;
    let (words, b) = (polynomials(plan, a)?, polynomials(plan, b)?);
    in_place(a, words, |a| run(plan, a, b.words()))
}
