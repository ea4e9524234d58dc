//! Multiplication of matrices and vectors of polynomials: by transforms, by the schoolbook method,
//! or by a custom implementation.

use crate::{
    ct::negative,
    module::{Module, NttVector, Vector, transpose},
    sample::Word,
};
use ntt::Backend;

/// A way to multiply matrices and vectors over `Z_q[X]/(X^n + 1)`.
pub trait Multiplier<T: Word> {
    /// Polynomials prepared for products.
    type Prepared;

    /// The backend for all other operations.
    fn backend(&self) -> Backend {
        Backend::best()
    }

    /// Prepares polynomials with coefficients in `(-q, q)`.
    fn prepare(&self, vector: Vector<T>) -> Self::Prepared;
    /// The transpose of a matrix of so many columns, row by row.
    fn transposed(&self, matrix: &Self::Prepared, columns: usize) -> Self::Prepared;
    /// `matrix·vector` for each of several contiguous vectors of `length` polynomials; each row of
    /// the matrix has that length too. Results are in `[0, q)`.
    fn products(&self, matrix: &Self::Prepared, vectors: &Self::Prepared, length: usize) -> Vector<T>;
}

impl<T: Word> Multiplier<T> for Module<T> {
    type Prepared = NttVector<T>;

    fn backend(&self) -> Backend {
        self.plan().backend()
    }

    fn prepare(&self, vector: Vector<T>) -> NttVector<T> {
        self.transformed(vector)
    }

    fn transposed(&self, matrix: &NttVector<T>, columns: usize) -> NttVector<T> {
        let (words, matrix) = (self.plan().ntt_len(), matrix.words());
        NttVector::filled(matrix.len(), 1, |out| transpose(out, matrix, words, columns))
    }

    fn products(&self, matrix: &NttVector<T>, vectors: &NttVector<T>, length: usize) -> Vector<T> {
        Module::products(self, matrix.words(), vectors.words(), length)
    }
}

/// Products by the definition, with `n²` multiplications each; for `n = 1`, products of matrices of
/// numbers.
#[derive(Clone, Copy, Debug)]
pub struct Schoolbook {
    n: usize,
    q: u64,
    /// `⌊2^64/q⌋`.
    reciprocal: u64,
}

impl Schoolbook {
    /// The multiplier of `Z_q[X]/(X^n + 1)`.
    ///
    /// **Panics** unless `1 < q < 2^31`.
    pub fn new(n: usize, q: u64) -> Self {
        assert!((2..1 << 31).contains(&q), "q = {q} is not in 2..2^31");
        #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
        let reciprocal = u64::MAX / q;
        Self { n, q, reciprocal }
    }

    /// The residue of `x` in `[0, q)`.
    fn residue(&self, x: i64) -> i64 {
        // For |x|, which is below 2^63, the quotient is at most two too small.
        let sign = negative(x);
        let magnitude = ((x ^ sign) - sign) as u64;
        let quotient = ((u128::from(magnitude) * u128::from(self.reciprocal)) >> 64) as u64;
        let q = self.q as i64;
        let mut r = (magnitude - quotient * self.q) as i64;
        for _ in 0..2 {
            r -= q;
            r += q & negative(r);
        }
        // -r where x is negative; as a residue, q - r unless r is zero.
        let r = (r ^ sign) - sign;
        r + (q & negative(r))
    }
}

impl<T: Word> Multiplier<T> for Schoolbook {
    type Prepared = Vector<i64>;

    fn prepare(&self, vector: Vector<T>) -> Vector<i64> {
        let (q, half) = (self.q as i64, self.q as i64 >> 1);
        let centred = |x: i64| {
            let x = x + (q & negative(x));
            x - (q & negative(half - x))
        };
        Vector::filled(self.n, vector.length(), |words| {
            words.iter_mut().zip(vector.words()).for_each(|(word, &x)| *word = centred(x.into()));
        })
    }

    fn transposed(&self, matrix: &Vector<i64>, columns: usize) -> Vector<i64> {
        matrix.transposed(columns)
    }

    fn products(&self, matrix: &Vector<i64>, vectors: &Vector<i64>, length: usize) -> Vector<T> {
        let n = self.n;
        let [rows, vectors] = [matrix, vectors].map(|all| all.words().chunks_exact(length * n));
        assert!(rows.remainder().is_empty() && vectors.remainder().is_empty(), "rows and vectors of that length");
        // The sum of `at_once` products of centred numbers and a reduced number stays below 2^62.
        let half = self.q >> 1;
        let at_once = 1_u64.checked_shl(61 - 2 * (u64::BITS - half.leading_zeros())).unwrap_or(1) as usize;
        let mut products = Vector::zeros(n, rows.len() * vectors.len());
        let mut total = crate::ct::Wiped::zeros(n);
        let pairs = vectors.flat_map(|vector| rows.clone().map(move |row| (row, vector)));
        for (out, (row, vector)) in products.words_mut().chunks_exact_mut(n).zip(pairs) {
            total.fill(0);
            let mut held = 0;
            for (a, b) in row.chunks_exact(n).zip(vector.chunks_exact(n)) {
                for (i, &a) in a.iter().enumerate() {
                    let (low, high) = total.split_at_mut(i);
                    high.iter_mut().zip(b).for_each(|(out, b)| *out += a * b);
                    low.iter_mut().zip(&b[n - i..]).for_each(|(out, b)| *out -= a * b);
                    held += 1;
                    if held == at_once {
                        total.iter_mut().for_each(|x| *x = self.residue(*x));
                        held = 0;
                    }
                }
            }
            out.iter_mut().zip(total.iter()).for_each(|(out, &x)| *out = T::truncate(self.residue(x)));
        }
        products
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn residues() {
        for q in [2, 3, 5, 7681, 65537, (1 << 31) - 1] {
            let schoolbook = Schoolbook::new(1, q);
            let q = q as i64;
            let mut numbers = vec![0, 1, q - 1, q, q + 1, 2 * q - 1, 2 * q, i64::MAX >> 1, i64::MAX];
            numbers.extend((1..64).map(|i| (i64::MAX / i).wrapping_mul(i * i)));
            for x in numbers.into_iter().flat_map(|x| [x, -x]) {
                assert_eq!(schoolbook.residue(x), x.rem_euclid(q), "{x} modulo {q}");
            }
        }
    }
}
