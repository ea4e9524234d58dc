//! Products that are not modulo anything: polynomials of two lengths, and the coefficients that are wanted.

use super::{product::Prepared, single::Plan};
use crate::{
    exec::Spare,
    planner::{Decision, PlanError, Request},
    ring::Ring,
    transform::check_length,
    word::Word,
};
use core::{fmt, ops::Range};

/// Products of polynomials of two lengths with coefficients modulo any `q`: all of a product, or some coefficients in
/// a row, such as the low half, the high half, or the middle of a division.
///
/// A product of `a` and `b` coefficients has `a + b - 1`. It is that of a larger cyclic ring, whose degree is the
/// cheapest `2^k` or `3·2^k` that is large enough: coefficients that nobody wants may wrap around.
///
/// ```
/// use ringwork_ntt::Linear;
///
/// let linear = Linear::<u32>::new([3, 2], 1_000_000_007)?;
/// let mut c = [0; 4];
/// linear.multiply(&mut c, &[1, 2, 3], &[10, 1]); // (1 + 2X + 3X²)(10 + X)
/// assert_eq!(c, [10, 21, 32, 3]);
///
/// let high = Linear::<u32>::new([3, 2], 1_000_000_007)?.part(2..4)?;
/// let mut c = [0; 2];
/// high.multiply(&mut c, &[1, 2, 3], &[10, 1]);
/// assert_eq!(c, [32, 3]);
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
#[derive(Clone)]
pub struct Linear<T: Word> {
    plan: Plan<T>,
    request: Request,
    lengths: [usize; 2],
    part: Range<usize>,
    /// For two operands and a product.
    spare: Spare<T>,
}

impl<T: Word> Linear<T> {
    /// Products of polynomials of these lengths modulo `q`, on the best backend of this machine.
    ///
    /// - **Constant time:** no; lengths and `q` are public.
    /// - **Errors** if a length is zero or the product is larger than any plan, and as [`Plan::new`].
    pub fn new(lengths: [usize; 2], q: u64) -> Result<Self, PlanError> {
        Self::with(lengths, &Request::new(2, q))
    }

    /// The same for a request, whose degree, ring and shift do not matter.
    ///
    /// **Constant time**, **errors:** as [`new`](Self::new).
    pub fn with(lengths: [usize; 2], request: &Request) -> Result<Self, PlanError> {
        let all = lengths[0].saturating_add(lengths[1]).saturating_sub(1);
        Self::planned(*request, lengths, 0..all)
    }

    /// The same products, of which only the coefficients of these powers are wanted: a smaller ring may do.
    ///
    /// **Constant time:** no; the range is public. **Errors** if the range is empty or goes beyond the product, and as
    /// [`new`](Self::new).
    pub fn part(&self, part: Range<usize>) -> Result<Self, PlanError> {
        Self::planned(self.request, self.lengths, part)
    }

    pub(super) fn planned(request: Request, lengths: [usize; 2], part: Range<usize>) -> Result<Self, PlanError> {
        let [a, b] = lengths;
        let all = a.saturating_add(b).saturating_sub(1);
        if a == 0 || b == 0 || part.is_empty() || part.end > all {
            return Err(PlanError::Lengths { lengths, part });
        }
        // What wraps around to a place that is wanted must not exist.
        let least = part.end.max(all - part.start).max(a).max(b).max(2);
        let degrees = [Some(least), least.checked_add(2).map(|n| n / 3)].map(|n| n?.checked_next_power_of_two());
        let degrees = [degrees[0], degrees[1].and_then(|n| n.checked_mul(3))];
        let (mut best, mut refusal): (Option<Decision>, _) = (None, PlanError::Degree { n: least, ring: Ring::Cyclic });
        for (n, first) in degrees.into_iter().zip([true, false]) {
            let Some(n) = n else { continue };
            match (Request { n, ring: Ring::Cyclic, shift: 1, ..request }).decide(T::BITS) {
                Ok(decision) if best.as_ref().is_none_or(|b| decision.estimated_cycles() < b.estimated_cycles()) => {
                    best = Some(decision);
                }
                Err(why) if first => refusal = why,
                _ => {}
            }
        }
        let plan = Plan::checked(best.ok_or(refusal)?)?;
        Ok(Self { plan, request, lengths, part, spare: Spare::default() })
    }

    /// Coefficients of the two operands.
    pub const fn lengths(&self) -> [usize; 2] {
        self.lengths
    }

    /// The powers whose coefficients a product has.
    pub fn powers(&self) -> Range<usize> {
        self.part.clone()
    }

    /// The plan of the larger ring.
    pub const fn plan(&self) -> &Plan<T> {
        &self.plan
    }

    /// The coefficients of the product that are wanted, in `c`.
    ///
    /// - **Order:** natural.
    /// - **Range:** in `(-q, q)`, or `[0, q)` in unsigned words; out `[0, q)`. Words out of range are not detected and
    ///   give a wrong result.
    /// - **Constant time:** yes.
    /// - **Panics** unless `a` and `b` have [these lengths](Self::lengths), and `c` one word for each of the
    ///   [powers](Self::powers).
    pub fn multiply(&self, c: &mut [T], a: &[T], b: &[T]) {
        check_length(self.lengths[0], a.len());
        check_length(self.lengths[1], b.len());
        check_length(self.part.len(), c.len());
        let words = self.plan.ntt_len();
        let mut memory = self.spare.take(3 * words);
        let (b_hat, rest) = memory.words_mut().split_at_mut(words);
        b_hat[..b.len()].copy_from_slice(b);
        self.plan.forward_operand(b_hat);
        self.multiply_operand(c, a, b_hat, rest);
        self.spare.give(memory);
    }

    /// Transforms a second operand that many others will be multiplied by: each product then takes two transforms
    /// instead of three.
    ///
    /// - **Range**, **constant time:** as [`multiply`](Self::multiply).
    /// - **Panics** unless `b` has the [length](Self::lengths) of second operands.
    pub fn prepare(&self, b: &[T]) -> Prepared<T> {
        check_length(self.lengths[1], b.len());
        self.plan.prepare_some(b)
    }

    /// [`multiply`](Self::multiply) by a [prepared](Self::prepare) operand.
    ///
    /// - **Order**, **range**, **constant time:** as `multiply`.
    /// - **Panics** as `multiply`, or if `b` was prepared for another length, or for products in another ring.
    pub fn multiply_prepared(&self, c: &mut [T], a: &[T], b: &Prepared<T>) {
        check_length(self.lengths[0], a.len());
        check_length(self.part.len(), c.len());
        let b_hat = self.plan.prepared_words(b, self.lengths[1]);
        let mut memory = self.spare.take(3 * self.plan.ntt_len());
        self.multiply_operand(c, a, b_hat, memory.words_mut());
        self.spare.give(memory);
    }

    /// The product by a transformed operand, in `2·ntt_len` words of memory that begin with zeros.
    fn multiply_operand(&self, c: &mut [T], a: &[T], b_hat: &[T], memory: &mut [T]) {
        let (a_hat, product) = memory.split_at_mut(self.plan.ntt_len());
        a_hat[..a.len()].copy_from_slice(a);
        self.plan.forward_operand(a_hat);
        let product = &mut product[..a_hat.len()];
        self.plan.multiply_operands(product, a_hat, b_hat);
        let n = self.plan.n();
        for (to, power) in c.iter_mut().zip(self.part.clone()) {
            *to = product[if power < n { power } else { power - n }];
        }
    }
}

impl<T: Word> fmt::Debug for Linear<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lengths: [a, b], part, plan, .. } = self;
        write!(f, "Linear({a} by {b} coefficients, powers {part:?}, in a ring of degree {})", plan.n())
    }
}
