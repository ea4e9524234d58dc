//! Many polynomials in one call, with the feature `threads` on several threads.

#[cfg(feature = "std")]
use super::side_by_side::Rows;
use super::{checked::residues, single::Plan};
use crate::{
    exec::Buffer,
    input::{InputError, check_many},
    threads::each_piece,
    word::Word,
};
#[cfg(feature = "std")]
use crate::{exec::copy_row, threads::threads};
use core::ops::Range;

/// Where the polynomials of a batch are in one slice: word `k` of polynomial `i` is at
/// `i·distance + k·stride`. Words in between are left unchanged.
///
/// ```
/// use ringwork_ntt::{Batch, Plan};
///
/// let plan = Plan::<i32>::new(64, 7681)?;
/// let mut rows: Vec<i32> = (0..192).collect(); // three polynomials, one after the other
/// let mut columns: Vec<i32> = (0..192).map(|at| rows[at % 3 * 64 + at / 3]).collect();
/// plan.forward_many(&mut rows);
/// plan.forward_batch(&mut columns, Batch::new(3).interleaved());
/// assert!((0..192).all(|at| columns[at] == rows[at % 3 * 64 + at / 3]));
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    count: usize,
    distance: Option<usize>,
    stride: usize,
}

impl Batch {
    /// `count` polynomials, one right after the other.
    pub const fn new(count: usize) -> Self {
        Self { count, distance: None, stride: 1 }
    }

    /// `distance` words from the first word of one polynomial to that of the next.
    pub const fn distance(self, distance: usize) -> Self {
        Self { distance: Some(distance), ..self }
    }

    /// `stride` words from one coefficient to the next. If that is not 1, coefficients are copied, which takes memory
    /// for all polynomials once more; but see [`interleaved`](Self::interleaved).
    pub const fn stride(self, stride: usize) -> Self {
        Self { stride, ..self }
    }

    /// The first coefficients of all polynomials, then the second ones, and so on: the rows of a matrix whose columns
    /// are polynomials. Transforms take one polynomial in every lane, in place if the polynomials fill whole vectors.
    /// [`SlotOrder::BitReversed`](crate::SlotOrder::BitReversed) is the order that costs nothing here.
    pub const fn interleaved(self) -> Self {
        Self { distance: Some(1), stride: if self.count == 0 { 1 } else { self.count }, ..self }
    }

    /// The least length of a slice for this batch, where each polynomial has `of_polynomial` words.
    ///
    /// **Panics** if polynomials overlap. They do not if each ends before the next one begins, or
    /// if all of them start between two coefficients of the first one.
    pub fn words(&self, of_polynomial: usize) -> usize {
        let Self { count, stride, .. } = *self;
        let (distance, last) = (self.step(of_polynomial), of_polynomial.saturating_sub(1));
        let span = |count: usize, step: usize| count.saturating_sub(1).checked_mul(step);
        let (inside, between) = (last.checked_mul(stride), span(count, distance));
        let (Some(inside), Some(between)) = (inside, between) else { panic!("a batch beyond all memory") };
        assert!(
            stride > 0 && (count < 2 || inside < distance || between < stride && distance > 0),
            "polynomials of {of_polynomial} words with stride {stride} and distance {distance} overlap"
        );
        let end = inside.checked_add(between).and_then(|end| end.checked_add(1));
        if count == 0 { 0 } else { end.expect("a batch within memory") }
    }

    /// How many polynomials there are.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Words from one polynomial to the next.
    fn step(&self, of_polynomial: usize) -> usize {
        self.distance.unwrap_or(of_polynomial.saturating_mul(self.stride))
    }

    /// For each polynomial, in groups that share cache lines, and each word: where it is, and where
    /// it is if polynomials are contiguous.
    pub(super) fn places(self, words: usize) -> impl Iterator<Item = [usize; 2]> {
        const GROUP: usize = 16;
        let (distance, stride) = (self.step(words), self.stride);
        let group = move |first: usize| -> Range<usize> { first..self.count.min(first + GROUP) };
        (0..self.count).step_by(GROUP).flat_map(move |first| {
            (0..words).flat_map(move |k| group(first).map(move |i| [i * distance + k * stride, i * words + k]))
        })
    }

    /// Panics unless polynomials of `words` words each fit.
    fn check(&self, length: usize, words: usize) {
        assert!(length >= self.words(words), "{} polynomials of {words} words in {length} words", self.count);
    }

    /// Runs on every polynomial of `words` words.
    fn each<T: Word>(self, data: &mut [T], words: usize, run: impl Fn(&mut [T]) + Send + Sync) {
        self.check(data.len(), words);
        if self.stride == 1 && self.count > 0 {
            let distance = if self.count == 1 { data.len() } else { self.step(words) };
            let end = data.len().min(self.count.saturating_mul(distance));
            each_piece(&mut data[..end], distance, || (), |(), _, piece| run(&mut piece[..words]));
            return;
        }
        let mut near = Buffer::zeros(self.count * words);
        let contiguous = near.words_mut();
        self.places(words).for_each(|[at, to]| contiguous[to] = data[at]);
        each_piece(contiguous, words, || (), |(), _, piece| run(piece));
        self.places(words).for_each(|[at, from]| data[at] = contiguous[from]);
    }
}

impl<T: Word> Plan<T> {
    /// [`forward`](Self::forward) for any number of contiguous polynomials, including none. With
    /// the feature `threads`, rayon's current pool shares the work, with the same results.
    ///
    /// - **Order**, **range**, **constant time:** as `forward`.
    /// - **Panics** unless `data` has a multiple of [`ntt_len`](Self::ntt_len) words.
    pub fn forward_many(&self, data: &mut [T]) {
        self.forward_batch(data, Batch::new(count(data.len(), self.ntt_len())));
    }

    /// [`inverse`](Self::inverse) for any number of contiguous polynomials: see
    /// [`forward_many`](Self::forward_many).
    ///
    /// **Order**, **range**, **constant time:** as `inverse`. **Panics** as `forward_many`.
    pub fn inverse_many(&self, data: &mut [T]) {
        self.inverse_batch(data, Batch::new(count(data.len(), self.ntt_len())));
    }

    /// [`forward`](Self::forward) for the polynomials of a batch, each of
    /// [`ntt_len`](Self::ntt_len) words.
    ///
    /// - **Order**, **range**, **constant time:** as `forward`. Of [interleaved](Batch::interleaved) polynomials, words
    ///   may be other representatives of the same residues.
    /// - **Panics** as [`Batch::words`], or if `data` has fewer words than it returns.
    pub fn forward_batch(&self, data: &mut [T], batch: Batch) {
        #[cfg(feature = "std")]
        if self.by_rows(data, batch, Rows::forward) {
            return;
        }
        batch.each(data, self.ntt_len(), |a| self.forward(a));
    }

    /// [`inverse`](Self::inverse) for the polynomials of a batch.
    ///
    /// **Order**, **range**, **constant time:** as `inverse`. **Panics** as
    /// [`forward_batch`](Self::forward_batch).
    pub fn inverse_batch(&self, data: &mut [T], batch: Batch) {
        #[cfg(feature = "std")]
        if self.by_rows(data, batch, Rows::inverse) {
            return;
        }
        batch.each(data, self.ntt_len(), |a| self.inverse(a));
    }

    /// Runs on polynomials whose words stand side by side, with a polynomial in every lane: in place, if they fill
    /// rows of whole vectors, and otherwise on copies of some columns at a time. Says whether it did.
    #[cfg(feature = "std")]
    fn by_rows(&self, data: &mut [T], batch: Batch, run: impl Fn(&Rows<T>, &mut [T]) + Send + Sync) -> bool {
        let (n, lanes, Batch { count, stride, .. }) = (self.ntt_len(), self.backend().lanes(T::BITS), batch);
        let machine = lanes > 1 && !self.backend().is_array();
        if !machine || batch.step(n) != 1 || count < lanes.div_ceil(2) {
            return false;
        }
        batch.check(data.len(), n);
        let in_place = stride == count && count.is_multiple_of(lanes) && (n * count >= SHARED || threads() == 1);
        let width = if in_place { count } else { count.next_multiple_of(lanes).min(COLUMNS * lanes) };
        let rows = self.transform().and_then(|plan| self.side_by_side.rows(plan, self.slot_order(), width));
        let Some(rows) = rows else { return false };
        if in_place {
            run(&rows, &mut data[..n * count]);
            return true;
        }
        let firsts = || (0..count).step_by(width);
        let mut strips = Buffer::zeros(firsts().len() * n * width);
        let row = |first: usize, k: usize| k * stride + first..k * stride + (first + width).min(count);
        for (strip, first) in strips.words_mut().chunks_exact_mut(n * width).zip(firsts()) {
            for (k, to) in strip.chunks_exact_mut(width).enumerate() {
                let from = &data[row(first, k)];
                copy_row(&mut to[..from.len()], from);
            }
        }
        each_piece(strips.words_mut(), n * width, || (), |(), _, strip| run(&rows, strip));
        for (strip, first) in strips.words().chunks_exact(n * width).zip(firsts()) {
            for (k, from) in strip.chunks_exact(width).enumerate() {
                let to = &mut data[row(first, k)];
                copy_row(to, &from[..to.len()]);
            }
        }
        true
    }

    /// [`multiply`](Self::multiply) for any number of contiguous polynomials: each of `a` times the
    /// one of `b` with the same number. With the feature `threads`, rayon's current pool shares the
    /// work.
    ///
    /// - **Order**, **range**, **constant time:** as `multiply`.
    /// - **Panics** unless all three slices have the same multiple of `n` words.
    ///
    /// ```
    /// use ringwork_ntt::Plan;
    ///
    /// let plan = Plan::<i16>::new(256, 3329)?;
    /// let (a, b) = ([1_i16; 512], [2_i16; 512]);
    /// let mut c = [0_i16; 512];
    /// plan.multiply_many(&mut c, &a, &b);
    /// assert_eq!(c[255], 512);
    /// assert_eq!(c[..256], c[256..]);
    /// # Ok::<(), ringwork_ntt::PlanError>(())
    /// ```
    pub fn multiply_many(&self, c: &mut [T], a: &[T], b: &[T]) {
        let (n, length) = (self.n(), c.len());
        count(length, n);
        assert!(a.len() == length && b.len() == length, "products in {length} words of {} and {}", a.len(), b.len());
        let scratch = || Buffer::zeros(self.scratch_len());
        each_piece(c, n, scratch, |scratch, i, c| {
            let of = i * n..(i + 1) * n;
            self.multiply_with(c, &a[of.clone()], &b[of], scratch.words_mut());
        });
    }

    /// [`forward_many`](Self::forward_many) that first [checks](Self::check) all coefficients; if
    /// it refuses them, `data` is unchanged.
    ///
    /// **Constant time:** yes, unless it returns an error. **Errors** unless there is a multiple of
    /// [`ntt_len`](Self::ntt_len) words, or if `check` refuses one of the first `n` words of a
    /// polynomial; the index in the error counts from the start of `data`.
    pub fn try_forward_many(&self, data: &mut [T]) -> Result<(), InputError> {
        check_many(data, [self.ntt_len(), self.n()], residues::<T>(self.q()))?;
        self.forward_many(data);
        Ok(())
    }

    /// [`multiply_many`](Self::multiply_many) that first [checks](Self::check) all coefficients; if
    /// it refuses them, `c` is unchanged.
    ///
    /// **Constant time:** yes, unless it returns an error. **Errors** unless all slices have the
    /// same multiple of `n` words, or if `check` refuses a word of `a` or `b`.
    pub fn try_multiply_many(&self, c: &mut [T], a: &[T], b: &[T]) -> Result<(), InputError> {
        for operand in [a, b] {
            check_many(operand, [self.n(); 2], residues::<T>(self.q()))?;
            if operand.len() != c.len() {
                return Err(InputError::Length { expected: operand.len(), actual: c.len() });
            }
        }
        self.multiply_many(c, a, b);
        Ok(())
    }
}

/// Words of a matrix that threads share in place; smaller ones in copies.
#[cfg(feature = "std")]
const SHARED: usize = 1 << 18;

/// Vectors in a row of columns that are copied.
#[cfg(feature = "std")]
const COLUMNS: usize = 4;

/// How many polynomials of `words` words fit in `length`.
fn count(length: usize, words: usize) -> usize {
    assert!(length.is_multiple_of(words), "{length} words are no polynomials of {words} words each");
    length / words
}
