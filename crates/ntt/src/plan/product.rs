//! Products: pointwise ones as a type that only the right inverse takes, and whole ones.

use super::{order::Order, origin::Origin, single::Plan};
use crate::{
    exec::Buffer,
    network::{pieces, pieces_mut},
    transform::{Given, Transform, check_length},
    word::Word,
};
use core::fmt;

/// Pointwise products of transformed polynomials, in memory `S`: one product, or several contiguous
/// ones.
///
/// They carry a constant factor, which [`Plan::inverse_product`] removes at no cost and
/// [`Plan::to_ntt`] in one pass. No other method accepts them, so a product is never mistaken for a
/// transformed polynomial.
///
/// ```
/// use ringwork_ntt::Plan;
///
/// let plan = Plan::<i16>::new(512, 12289)?;
/// let (mut a, mut b) = ([0_i16; 512], [0_i16; 512]);
/// (a[1], b[511]) = (1, 1);
/// plan.forward(&mut a);
/// plan.forward(&mut b);
/// let mut memory = [0_i16; 512];
/// let product = plan.pointwise(&mut memory, &a, &b);
/// let c = plan.inverse_product(product); // gives the memory back
/// assert_eq!(c[0], 12288); // X·X^511 = -1
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
///
/// `inverse` takes words, and a product does not show its words:
///
/// ```compile_fail,E0308
/// # use ringwork_ntt::Plan;
/// # let plan = Plan::<i16>::new(512, 12289).unwrap();
/// # let (a, b) = ([0_i16; 512], [0_i16; 512]);
/// let mut product = plan.pointwise([0_i16; 512], &a, &b);
/// plan.inverse(&mut product);
/// ```
#[derive(Clone)]
#[must_use = "only `inverse_product` and `to_ntt` give its words back"]
pub struct Product<S> {
    words: S,
    origin: Origin,
    /// How many products were added up.
    terms: u64,
}

impl<S> Product<S> {
    /// The same in other memory.
    pub(super) fn map<R>(self, memory: impl FnOnce(S) -> R) -> Product<R> {
        Product { words: memory(self.words), origin: self.origin, terms: self.terms }
    }

    /// The same in memory that is made of its words.
    pub(super) fn of_words<R>(&self, memory: impl FnOnce(&S) -> R) -> Product<R> {
        Product { words: memory(&self.words), origin: self.origin, terms: self.terms }
    }
}

impl<S> fmt::Debug for Product<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Product(..)")
    }
}

/// A transformed polynomial by which many others are multiplied: see [`Plan::prepare`]. It is wiped
/// on drop.
///
/// ```
/// use ringwork_ntt::Plan;
///
/// let plan = Plan::<i32>::new(128, 1_000_003)?; // no roots of unity: by residue channels
/// let mut b = vec![0; 128];
/// b[127] = 1_000_002;
/// let b = plan.prepare(&b);
/// let (mut c, mut scratch) = (vec![0; 128], vec![0; plan.scratch_len()]);
/// for value in 1..10 {
///     let mut a = vec![0; 128];
///     a[1] = value;
///     plan.multiply_prepared(&mut c, &a, &b, &mut scratch);
///     assert_eq!(c[0], value); // value·X · (-X^127)
/// }
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prepared<T: Word> {
    words: Buffer<T>,
    /// Coefficients.
    length: usize,
    origin: Origin,
}

impl<T: Word> Prepared<T> {
    /// The same in words of another width.
    pub(super) fn map<U: Word>(&self, words: impl FnOnce(&Buffer<T>) -> Buffer<U>) -> Prepared<U> {
        Prepared { words: words(&self.words), length: self.length, origin: self.origin }
    }
}

impl<T: Word> Plan<T> {
    /// The pointwise product of two transformed polynomials: the product of the two slots with the
    /// same number, modulo `X^d - root^e`, for each number. It is stored in the memory `c`, a
    /// vector, a [`Buffer`], or a borrowed slice, whose previous contents do not matter.
    ///
    /// - **Order:** that of the operands: the plan's [`slot_order`](Self::slot_order).
    /// - **Range:** the output of [`forward`](Self::forward), or `(-q, q)` if the plan is a
    ///   transform modulo `q` itself. Words out of range are not detected and give a wrong result.
    /// - **Constant time:** yes.
    /// - **Panics** if one of the three does not have [`ntt_len`](Self::ntt_len) words.
    pub fn pointwise<S: AsMut<[T]>>(&self, mut c: S, a: &[T], b: &[T]) -> Product<S> {
        self.with_operands(a, b, |a, b| self.pointwise_words(c.as_mut(), a, b));
        Product { words: c, origin: self.origin, terms: 1 }
    }

    /// Adds the pointwise product of two more transformed polynomials to `product`.
    ///
    /// - **Order**, **range**, **constant time:** as [`pointwise`](Self::pointwise).
    /// - **Panics** as `pointwise`; if `product` belongs to another plan or holds several
    ///   polynomials; or, for residue channels, at one term more than the plan was made for
    ///   ([`Request::sums`](crate::Request::sums)). Transforms modulo `q` itself add any number of
    ///   terms.
    pub fn accumulate<S: AsMut<[T]>>(&self, product: &mut Product<S>, a: &[T], b: &[T]) {
        let c = product.words.as_mut();
        self.check_product(&product.origin, c.len());
        product.terms += 1;
        self.check_terms(product.terms);
        self.with_operands(a, b, |a, b| {
            self.each_channel(c, a, b, |channel, c, a, b| channel.accumulate(c, a, b));
        });
    }

    /// Inner products of vectors of transformed polynomials: `Σ a_i·b_i` for each vector of `b` and
    /// each vector of `a`, in the memory `c`. If `a` holds the rows of one matrix and `b` the
    /// columns of another, this is the product of the matrices, column by column.
    ///
    /// Each vector has `terms` polynomials of [`ntt_len`](Self::ntt_len) words; all are contiguous.
    ///
    /// - **Order**, **range**, **constant time:** as [`pointwise`](Self::pointwise).
    /// - **Panics** if `a` or `b` does not consist of such vectors; if `c` does not have room for
    ///   exactly the sums; or if a plan with residue channels was made for fewer terms
    ///   ([`Request::sums`](crate::Request::sums)).
    ///
    /// ```
    /// use ringwork_ntt::Plan;
    ///
    /// let plan = Plan::<i16>::new(256, 3329)?;
    /// // One row (1, 2) and one column (3, 4); constants are the same in every slot.
    /// let constant = |c: i16| {
    ///     let mut words = vec![0; 256];
    ///     words[0] = c;
    ///     plan.forward(&mut words);
    ///     words
    /// };
    /// let row = [constant(1), constant(2)].concat();
    /// let column = [constant(3), constant(4)].concat();
    /// let sum = plan.inner_products(vec![0; 256], &row, &column, 2);
    /// assert_eq!(plan.inverse_product(sum)[0], 11);
    /// # Ok::<(), ringwork_ntt::PlanError>(())
    /// ```
    pub fn inner_products<S: AsMut<[T]>>(&self, mut c: S, a: &[T], b: &[T], terms: usize) -> Product<S> {
        let (words, length) = (self.ntt_len(), self.channels[0].recipe().n());
        let of_vector = terms.checked_mul(words).unwrap_or(0);
        let [rows, columns] = [a, b].map(|vectors| {
            assert!(
                of_vector > 0 && vectors.len().is_multiple_of(of_vector),
                "vectors of {terms} polynomials of {words} words"
            );
            vectors.len() / of_vector
        });
        let sums = c.as_mut();
        assert_eq!(sums.len(), rows * columns * words, "words of {rows} times {columns} sums");
        self.check_terms(terms as u64);
        self.with_operands(a, b, |a, b| {
            for (i, channel) in self.channels.iter().enumerate() {
                channel.inner_products(sums, [a, b], terms, [i * length, words]);
            }
        });
        Product { words: c, origin: self.origin, terms: terms as u64 }
    }

    /// Turns products into coefficients, in the same memory: of every [`ntt_len`](Self::ntt_len)
    /// words the first `n` are the polynomial, all others are zero.
    ///
    /// - **Order:** natural.
    /// - **Range:** out `[0, q)`.
    /// - **Constant time:** yes.
    /// - **Panics** if the product belongs to another plan: only a plan for an equal request, on
    ///   the same backend, accepts it.
    pub fn inverse_product<S: AsMut<[T]>>(&self, product: Product<S>) -> S {
        let mut words = product.words;
        let all = words.as_mut();
        self.check_product(&product.origin, all.len());
        if let Some(order) = self.order_of_products() {
            order.undo(all);
        }
        pieces_mut(all, self.ntt_len()).for_each(|words| self.back(words, Given::Product));
        words
    }

    /// Turns products into transformed polynomials like any others, in the same memory. Residue
    /// channels go through coefficients modulo `q`, which takes two transforms.
    ///
    /// - **Order:** the plan's [`slot_order`](Self::slot_order).
    /// - **Range:** out canonical, or for residue channels the output of
    ///   [`forward`](Self::forward).
    /// - **Constant time:** yes.
    /// - **Panics** as [`inverse_product`](Self::inverse_product).
    pub fn to_ntt<S: AsMut<[T]>>(&self, product: Product<S>) -> S {
        let mut words = product.words;
        let all = words.as_mut();
        self.check_product(&product.origin, all.len());
        for words in pieces_mut(all, self.ntt_len()) {
            match self.transform() {
                Some(transform) => {
                    transform.to_ntt(words);
                    transform.canonical_within(transform.certificate().normalized(), words);
                }
                // The product of integers is too large to be multiplied again.
                None => {
                    self.back(words, Given::Product);
                    self.forward_native(words);
                }
            }
        }
        if let Some(order) = self.order_of_operands() {
            order.apply(all);
        }
        words
    }

    /// The sum of one product and a transformed polynomial `b`, as a transformed polynomial, in the
    /// memory of the product.
    ///
    /// - **Order**, **constant time:** as [`to_ntt`](Self::to_ntt).
    /// - **Range:** `b` as for [`inverse`](Self::inverse); out as `to_ntt`.
    /// - **Panics** as `to_ntt`, or if `b` or the product does not have
    ///   [`ntt_len`](Self::ntt_len) words.
    pub fn to_ntt_plus<S: AsMut<[T]>>(&self, product: Product<S>, b: &[T]) -> S {
        let mut words = product.words;
        let sum = words.as_mut();
        self.check_product(&product.origin, sum.len());
        self.check_words(sum.len());
        self.check_words(b.len());
        match self.transform() {
            Some(transform) => self.with_operands(b, &[], |b, _| transform.to_ntt_plus(sum, b)),
            None => {
                let mut b = Buffer::copy_of(b);
                self.back(sum, Given::Product);
                self.back(b.words_mut(), Given::Slots);
                self.add(&mut sum[..self.n()], &b.words()[..self.n()]);
                self.forward_native(sum);
            }
        }
        if let Some(order) = self.order_of_operands() {
            order.apply(sum);
        }
        words
    }

    /// Products of this plan, which is a transform modulo `q` itself, in the memory in which they were stored.
    pub(crate) const fn products_in<S>(&self, words: S) -> Product<S> {
        Product { words, origin: self.origin, terms: 1 }
    }

    /// Words of scratch that [`multiply_with`](Self::multiply_with),
    /// [`multiply_assign`](Self::multiply_assign) and
    /// [`multiply_prepared`](Self::multiply_prepared) need.
    pub fn scratch_len(&self) -> usize {
        3 * self.ntt_len()
    }

    /// The product of two polynomials, in `c`, whose previous contents do not matter. Allocates
    /// scratch memory and wipes it.
    ///
    /// - **Order:** natural.
    /// - **Range:** in `(-q, q)`, or `[0, q)` in unsigned words; out `[0, q)`. Words out of range
    ///   are not detected and give a wrong result: [`try_multiply`](Self::try_multiply) checks
    ///   first.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn multiply(&self, c: &mut [T], a: &[T], b: &[T]) {
        if let Some(transform) = self.transform() {
            return transform.multiply(c, a, b);
        }
        self.multiply_with(c, a, b, Buffer::zeros(self.scratch_len()).words_mut());
    }

    /// [`multiply`](Self::multiply) with the caller's scratch memory. It is not wiped, and may hold
    /// secrets afterwards.
    ///
    /// - **Order**, **range**, **constant time:** as `multiply`.
    /// - **Panics** if `c`, `a` or `b` does not have `n` words, or the scratch fewer than
    ///   [`scratch_len`](Self::scratch_len).
    pub fn multiply_with(&self, c: &mut [T], a: &[T], b: &[T], scratch: &mut [T]) {
        check_length(self.n(), c.len());
        check_scratch(self.scratch_len(), scratch.len());
        let (b_hat, rest) = scratch.split_at_mut(self.ntt_len());
        self.transform_into(b_hat, b);
        let (a_hat, rest) = rest.split_at_mut(self.ntt_len());
        self.transform_into(a_hat, a);
        self.multiply_operands_with(c, a_hat, b_hat, rest);
    }

    /// [`multiply_with`](Self::multiply_with) that replaces `a` by the product.
    ///
    /// **Order**, **range**, **constant time**, **panics:** as for `multiply_with`.
    pub fn multiply_assign(&self, a: &mut [T], b: &[T], scratch: &mut [T]) {
        check_scratch(self.scratch_len(), scratch.len());
        let (b_hat, rest) = scratch.split_at_mut(self.ntt_len());
        self.transform_into(b_hat, b);
        let (a_hat, rest) = rest.split_at_mut(self.ntt_len());
        self.transform_into(a_hat, a);
        self.multiply_operands_with(a, a_hat, b_hat, rest);
    }

    /// Transforms a polynomial that will be multiplied by many others, each of which then takes two
    /// transforms instead of three.
    ///
    /// - **Order**, **range**, **constant time:** as [`multiply`](Self::multiply).
    /// - **Panics** if `b` does not have `n` words.
    pub fn prepare(&self, b: &[T]) -> Prepared<T> {
        check_length(self.n(), b.len());
        self.prepare_some(b)
    }

    /// [`prepare`](Self::prepare) for the first coefficients of a polynomial; the others are zero.
    pub(super) fn prepare_some(&self, b: &[T]) -> Prepared<T> {
        let mut words = Buffer::zeros(self.ntt_len());
        words.words_mut()[..b.len()].copy_from_slice(b);
        self.forward_operand(words.words_mut());
        Prepared { words, length: b.len(), origin: self.origin }
    }

    /// The words of a polynomial of so many coefficients that this plan prepared.
    pub(super) fn prepared_words<'p>(&self, b: &'p Prepared<T>, length: usize) -> &'p [T] {
        self.origin.check(&b.origin);
        assert_eq!(b.length, length, "coefficients of the prepared polynomial");
        b.words.words()
    }

    /// [`multiply_with`](Self::multiply_with) for a [prepared](Self::prepare) polynomial `b`.
    ///
    /// - **Order**, **range**, **constant time:** as for `multiply_with`.
    /// - **Panics** as `multiply_with`, or if another plan prepared `b`: only a plan for an equal
    ///   request, on the same backend, accepts it.
    pub fn multiply_prepared(&self, c: &mut [T], a: &[T], b: &Prepared<T>, scratch: &mut [T]) {
        check_length(self.n(), c.len());
        check_scratch(self.scratch_len(), scratch.len());
        self.origin.check(&b.origin);
        let (a_hat, rest) = scratch.split_at_mut(self.ntt_len());
        self.transform_into(a_hat, a);
        self.multiply_operands_with(c, a_hat, b.words.words(), rest);
    }

    /// [`multiply_operands`](Self::multiply_operands), in `n` words and a scratch of a polynomial's words.
    fn multiply_operands_with(&self, c: &mut [T], a_hat: &[T], b_hat: &[T], scratch: &mut [T]) {
        let words = self.ntt_len();
        if c.len() == words {
            return self.multiply_operands(c, a_hat, b_hat);
        }
        let c_hat = &mut scratch[..words];
        self.multiply_operands(c_hat, a_hat, b_hat);
        c.copy_from_slice(&c_hat[..c.len()]);
    }

    /// The product, as coefficients and zeros, of what [`forward_operand`](Self::forward_operand) gives.
    pub(crate) fn multiply_operands(&self, c: &mut [T], a_hat: &[T], b_hat: &[T]) {
        self.each_channel(c, a_hat, b_hat, Transform::pointwise_of_operands);
        self.back(c, Given::OperandProduct);
    }

    fn transform_into(&self, words: &mut [T], a: &[T]) {
        check_length(self.n(), a.len());
        words[..a.len()].copy_from_slice(a);
        self.forward_operand(words);
    }

    /// Panics if a product is of another plan.
    fn check_product(&self, origin: &Origin, length: usize) {
        self.origin.check(origin);
        let words = self.ntt_len();
        // Nearly always it is one, and a division takes long.
        assert!(
            length == words || length.is_multiple_of(words),
            "{length} words are no products of {words} words each"
        );
    }

    /// The way into native order of operands of slot products: slots of degree one are multiplied
    /// wherever they are.
    pub(crate) fn order_of_operands(&self) -> Option<&Order> {
        self.order.as_ref().filter(|_| self.channels[0].recipe().slot_degree() > 1)
    }

    /// The way into native order of products.
    fn order_of_products(&self) -> Option<&Order> {
        self.order.as_ref().filter(|_| self.channels[0].recipe().slot_degree() == 1)
    }

    /// Runs on operands of slot products.
    fn with_operands(&self, a: &[T], b: &[T], run: impl FnOnce(&[T], &[T])) {
        match self.order_of_operands() {
            None => run(a, b),
            Some(order) => run(order.native(a).words(), order.native(b).words()),
        }
    }

    fn check_terms(&self, terms: u64) {
        if let Some(recipe) = self.crt_recipe() {
            assert!(terms <= recipe.sums(), "a plan for sums of {} products, these are {terms}", recipe.sums());
        }
    }

    fn pointwise_words(&self, c: &mut [T], a: &[T], b: &[T]) {
        self.each_channel(c, a, b, |channel, c, a, b| channel.pointwise(c, a, b));
    }

    fn each_channel(&self, c: &mut [T], a: &[T], b: &[T], product: impl Fn(&Transform<T>, &mut [T], &[T], &[T])) {
        for length in [c.len(), a.len(), b.len()] {
            self.check_words(length);
        }
        let length = self.channels[0].recipe().n();
        let operands = pieces(a, length).zip(pieces(b, length));
        for (channel, (c, (a, b))) in self.channels.iter().zip(pieces_mut(c, length).zip(operands)) {
            product(channel, c, a, b);
        }
    }
}

fn check_scratch(expected: usize, length: usize) {
    assert!(length >= expected, "{expected} words of scratch are needed, these are {length}");
}
