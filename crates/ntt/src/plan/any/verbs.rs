//! The verbs of [`AnyPlan`] on words of 64 bits.

use super::{
    super::{
        batch::Batch,
        checked::residues,
        product::{Prepared, Product},
        single::Plan,
    },
    AnyPlan,
    words::{forward, in_place, inverse, narrow, polynomials, sum, transformed, wide, widen},
};
use crate::{
    exec::Buffer,
    input::{InputError, check, exactly},
};

/// Verbs. For each: **constant time**, unless it returns an error; **errors** report a wrong length, or the index of a
/// word out of range, so their timing depends on the input.
impl AnyPlan {
    /// Whether these are `n` residues in `[0, q)`.
    #[inline]
    pub fn check(&self, a: &[u64]) -> Result<(), InputError> {
        check(self.n(), residues::<u64>(self.q()), a)
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
        let place = |index: usize| places().find(|[_, to]| *to == index).expect("a word of a polynomial")[0];
        run(self, near.words_mut()).map_err(|error| error.at(place))?;
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
    /// **Range** as [`pointwise`](Self::pointwise). **Errors** also if `a` or `b` does not consist of such vectors, or
    /// these have no terms. **Panics** at more terms than residue channels were made for.
    #[inline]
    pub fn inner_products(&self, a: &[u64], b: &[u64], terms: usize) -> Result<Product<Buffer<u64>>, InputError> {
        with!(self, plan => {
            let vector = terms.saturating_mul(plan.ntt_len());
            for actual in [a.len(), b.len()] {
                if vector == 0 || actual == 0 || !actual.is_multiple_of(vector) {
                    return Err(InputError::Length { expected: vector.max(plan.ntt_len()), actual });
                }
            }
            let sums = (a.len() / vector) * (b.len() / vector) * plan.ntt_len();
            let (a, b) = (transformed(plan, a)?, transformed(plan, b)?);
            Ok(plan.inner_products(Buffer::zeros(sums), a.words(), b.words(), terms).map(wide))
        })
    }

    /// [`Plan::inverse_product`]: products as coefficients, of every [`ntt_len`](Self::ntt_len) words the first `n`.
    ///
    /// **Order:** natural. **Range:** out `[0, q)`. **Panics** if another plan made the product.
    #[inline]
    pub fn inverse_product(&self, product: &Product<Buffer<u64>>) -> Buffer<u64> {
        with!(self, plan => wide(plan.inverse_product(product.of_words(|words| narrow(words.words())))))
    }

    /// [`Plan::to_ntt`]: products as transformed polynomials like any others.
    ///
    /// **Range:** out what [`forward`](Self::forward) gives. **Panics** if another plan made the product.
    #[inline]
    pub fn to_ntt(&self, product: &Product<Buffer<u64>>) -> Buffer<u64> {
        with!(self, plan => wide(plan.to_ntt(product.of_words(|words| narrow(words.words())))))
    }

    /// [`Plan::to_ntt_plus`]: the sum of one product and a transformed polynomial, as a transformed polynomial.
    ///
    /// **Range** as [`to_ntt`](Self::to_ntt). **Panics** if another plan made the product, or if it is of several
    /// polynomials.
    #[inline]
    pub fn to_ntt_plus(&self, product: &Product<Buffer<u64>>, b: &[u64]) -> Result<Buffer<u64>, InputError> {
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

    /// [`Plan::add`]: adds `b` to `a`, for one or more contiguous polynomials, which may be transformed unless the plan
    /// uses residue channels.
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

    /// [`Plan::evaluate`]: the value of a polynomial at `x`, in `[0, q)`.
    ///
    /// **Order:** natural. **Range:** `[0, q)`; `x` is any number. **Constant time:** no promise; take it for public
    /// polynomials.
    #[inline]
    pub fn evaluate(&self, a: &[u64], x: u64) -> Result<u64, InputError> {
        exactly(self.n(), a.len())?;
        with!(self, plan => Ok(plan.evaluate(polynomials(plan, a)?.words(), x)))
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
