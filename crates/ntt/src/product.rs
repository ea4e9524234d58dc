//! Products: pointwise ones as a type that only the right inverse takes, and whole ones.

use crate::{
    exec::Buffer,
    plan::Plan,
    transform::{Transform, check_length},
    word::Word,
};
use core::fmt;

/// Pointwise products of transformed polynomials, in memory `S`: one, or several that are contiguous.
///
/// They carry a factor that [`Plan::inverse_product`] removes at no cost and [`Plan::to_ntt`] removes in
/// one pass. No other method takes them, so that a product is not taken for a transformed polynomial.
#[derive(Clone)]
#[must_use = "only `inverse_product` and `to_ntt` give its words back"]
pub struct Product<S> {
    words: S,
    /// How many products were added up.
    terms: u64,
}

impl<S> fmt::Debug for Product<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Product(..)")
    }
}

/// A transformed polynomial by which many others are multiplied: see [`Plan::prepare`].
#[derive(Clone, Debug)]
pub struct Prepared<T: Word>(Buffer<T>);

impl<T: Word> Plan<T> {
    /// The pointwise product of two transformed polynomials, in the memory `c`, whose contents do not
    /// matter: a vector, a [`Buffer`], or a borrowed slice.
    ///
    /// - **Range:** what [`forward`](Self::forward) gives.
    /// - **Constant time:** yes.
    /// - **Panics** if one of the three does not have [`ntt_len`](Self::ntt_len) words.
    pub fn pointwise<S: AsMut<[T]>>(&self, mut c: S, a: &[T], b: &[T]) -> Product<S> {
        self.pointwise_words(c.as_mut(), a, b);
        Product { words: c, terms: 1 }
    }

    /// Adds the pointwise product of two more transformed polynomials.
    ///
    /// As many products may be added as the plan was made for ([`Request::sums`](crate::Request::sums)) if
    /// it goes by residue channels, and any number otherwise; one more is a panic.
    ///
    /// **Range**, **constant time**, **panics:** as [`pointwise`](Self::pointwise).
    pub fn accumulate<S: AsMut<[T]>>(&self, product: &mut Product<S>, a: &[T], b: &[T]) {
        product.terms += 1;
        self.check_terms(product.terms);
        let c = product.words.as_mut();
        self.each_channel(c, a, b, |channel, c, a, b| channel.accumulate(c, a, b));
    }

    /// Sums of pointwise products: for each vector of `b`, and each of `a`, `Σ a_i·b_i`, in the memory
    /// `c`. If `a` has the rows of a matrix and `b` the columns of another one, that is their product,
    /// column by column.
    ///
    /// Vectors have `terms` polynomials of [`ntt_len`](Self::ntt_len) words; all are contiguous.
    ///
    /// - **Range:** what [`forward`](Self::forward) gives.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` or `b` does not consist of such vectors, if `c` does not have room for exactly
    ///   the sums, or if a plan by residue channels was not made for so many products
    ///   ([`Request::sums`](crate::Request::sums)).
    pub fn inner_products<S: AsMut<[T]>>(&self, mut c: S, a: &[T], b: &[T], terms: usize) -> Product<S> {
        let (words, length) = (self.ntt_len(), self.channels[0].recipe().n());
        let [rows, columns] = [a, b].map(|vectors| {
            assert!(
                terms > 0 && vectors.len().is_multiple_of(terms * words),
                "vectors of {terms} polynomials of {words} words"
            );
            vectors.len() / (terms * words)
        });
        let sums = c.as_mut();
        assert_eq!(sums.len(), rows * columns * words, "words of {rows} times {columns} sums");
        self.check_terms(terms as u64);
        for (i, channel) in self.channels.iter().enumerate() {
            channel.inner_products(sums, [a, b], terms, [i * length, words]);
        }
        Product { words: c, terms: terms as u64 }
    }

    /// Products back as coefficients: of every [`ntt_len`](Self::ntt_len) words the first `n` are the
    /// polynomial, canonical, any others are zero.
    ///
    /// **Order:** natural. **Constant time:** yes.
    pub fn inverse_product<S: AsMut<[T]>>(&self, product: Product<S>) -> S {
        let mut words = product.words;
        words.as_mut().chunks_exact_mut(self.ntt_len()).for_each(|words| self.back(words, true));
        words
    }

    /// Products as transformed polynomials like any others, canonical.
    ///
    /// **Order:** unchanged. **Constant time:** yes.
    pub fn to_ntt<S: AsMut<[T]>>(&self, product: Product<S>) -> S {
        let (length, mut words) = (self.channels[0].recipe().n(), product.words);
        for words in words.as_mut().chunks_exact_mut(self.ntt_len()) {
            for (channel, words) in self.channels.iter().zip(words.chunks_exact_mut(length)) {
                channel.to_ntt(words);
                channel.canonical_within(channel.certificate().normalized(), words);
            }
        }
        words
    }

    /// A product plus a transformed polynomial `b`, as a transformed polynomial, canonical.
    ///
    /// **Order:** unchanged. **Constant time:** yes. **Panics** if `b` does not have as many words.
    pub fn to_ntt_plus<S: AsMut<[T]>>(&self, product: Product<S>, b: &[T]) -> S {
        let (length, mut words) = (self.channels[0].recipe().n(), product.words);
        let sum = words.as_mut();
        self.check_words(sum.len());
        self.check_words(b.len());
        let pairs = sum.chunks_exact_mut(length).zip(b.chunks_exact(length));
        for (channel, (sum, b)) in self.channels.iter().zip(pairs) {
            channel.to_ntt_plus(sum, b);
        }
        words
    }

    /// Words of scratch that [`multiply_with`](Self::multiply_with) needs.
    pub fn scratch_len(&self) -> usize {
        3 * self.ntt_len()
    }

    /// The product of two polynomials.
    ///
    /// - **Order:** natural.
    /// - **Range:** in `(-q, q)`; out canonical. Other words give something else in silence:
    ///   [`try_multiply`](Self::try_multiply) refuses them.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn multiply(&self, c: &mut [T], a: &[T], b: &[T]) {
        if let Some(transform) = self.transform() {
            return transform.multiply(c, a, b);
        }
        self.multiply_with(c, a, b, Buffer::zeros(self.scratch_len()).words_mut());
    }

    /// [`multiply`](Self::multiply) in the caller's memory, which is left with what may be secret.
    ///
    /// **Panics** if a slice does not have `n` words, or the scratch fewer than
    /// [`scratch_len`](Self::scratch_len).
    pub fn multiply_with(&self, c: &mut [T], a: &[T], b: &[T], scratch: &mut [T]) {
        let words = self.ntt_len();
        check_scratch(self.scratch_len(), scratch.len());
        let (b_hat, rest) = scratch.split_at_mut(words);
        self.transform_into(b_hat, b);
        self.multiply_transformed(c, a, b_hat, rest);
    }

    /// `a·b` in the place of `a`, in the caller's memory.
    ///
    /// **Panics** as [`multiply_with`](Self::multiply_with).
    pub fn multiply_assign(&self, a: &mut [T], b: &[T], scratch: &mut [T]) {
        let words = self.ntt_len();
        check_scratch(self.scratch_len(), scratch.len());
        let [a_hat, b_hat, c_hat] = [0, 1, 2].map(|i| i * words);
        let (n, (low, c_hat)) = (self.n(), scratch.split_at_mut(c_hat));
        let (a_hat, b_hat) = low[a_hat..].split_at_mut(b_hat);
        self.transform_into(a_hat, a);
        self.transform_into(b_hat, b);
        self.pointwise_words(&mut c_hat[..words], a_hat, b_hat);
        self.back(&mut c_hat[..words], true);
        a.copy_from_slice(&c_hat[..n]);
    }

    /// A polynomial made ready to be multiplied by many others, each of which then takes two transforms
    /// instead of three.
    ///
    /// **Range**, **constant time**, **panics:** as [`multiply`](Self::multiply).
    pub fn prepare(&self, b: &[T]) -> Prepared<T> {
        let mut words = Buffer::zeros(self.ntt_len());
        self.transform_into(words.words_mut(), b);
        Prepared(words)
    }

    /// The product with a prepared polynomial, in the caller's memory.
    ///
    /// **Panics** as [`multiply_with`](Self::multiply_with), or if `b` was prepared for another plan and has
    /// another length.
    pub fn multiply_prepared(&self, c: &mut [T], a: &[T], b: &Prepared<T>, scratch: &mut [T]) {
        check_scratch(self.scratch_len(), scratch.len());
        self.multiply_transformed(c, a, b.0.words(), scratch);
    }

    /// With two polynomials' words of scratch.
    fn multiply_transformed(&self, c: &mut [T], a: &[T], b_hat: &[T], scratch: &mut [T]) {
        let (n, words) = (self.n(), self.ntt_len());
        check_length(n, c.len());
        let (a_hat, rest) = scratch.split_at_mut(words);
        self.transform_into(a_hat, a);
        let c_hat = &mut rest[..words];
        self.pointwise_words(c_hat, a_hat, b_hat);
        self.back(c_hat, true);
        c.copy_from_slice(&c_hat[..n]);
    }

    fn transform_into(&self, words: &mut [T], a: &[T]) {
        check_length(self.n(), a.len());
        words[..a.len()].copy_from_slice(a);
        self.forward(words);
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
        let operands = a.chunks_exact(length).zip(b.chunks_exact(length));
        for (channel, (c, (a, b))) in self.channels.iter().zip(c.chunks_exact_mut(length).zip(operands)) {
            product(channel, c, a, b);
        }
    }
}

fn check_scratch(expected: usize, length: usize) {
    assert!(length >= expected, "{expected} words of scratch are needed, these are {length}");
}
