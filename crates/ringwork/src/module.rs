//! Vectors and matrices of polynomials over a ring chosen at run time.
//!
//! A [`Module`] holds the plan of one ring; [`Vector`] holds coefficients, [`NttVector`]
//! transformed polynomials in the form of the plan. A product with a matrix is accumulated in the
//! transform domain and transformed back once per sum. All contents are wiped on drop and never
//! printed.

#[cfg(feature = "research")]
mod packed;

use crate::ct::not_printed;
use ntt::{Buffer, Plan, PlanError, Request, SignedWord as Word};

/// Operations on `R_q^k`.
#[derive(Clone, Debug)]
pub struct Module<T: Word> {
    plan: Plan<T>,
}

/// Contiguous polynomials in coefficient form.
#[derive(Clone)]
pub struct Vector<T: Word> {
    n: usize,
    words: Buffer<T>,
}

/// Contiguous transformed polynomials; a matrix row by row.
#[derive(Clone)]
pub struct NttVector<T: Word> {
    words: Buffer<T>,
}

not_printed!(Vector<T: Word>, NttVector<T: Word>);

impl<T: Word> AsMut<[T]> for Vector<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self.words_mut()
    }
}

impl<T: Word> Vector<T> {
    /// `length` polynomials of degree `n`, all zero.
    pub fn zeros(n: usize, length: usize) -> Self {
        Self { n, words: Buffer::zeros(n * length) }
    }

    /// `length` polynomials whose coefficients `fill` writes, in `(-q, q)` for the module that uses
    /// the vector.
    pub fn filled(n: usize, length: usize, fill: impl FnOnce(&mut [T])) -> Self {
        let mut vector = Self::zeros(n, length);
        fill(vector.words.words_mut());
        vector
    }

    /// Degree.
    pub const fn n(&self) -> usize {
        self.n
    }

    /// All coefficients.
    pub fn words(&self) -> &[T] {
        self.words.words()
    }

    /// All coefficients.
    pub fn words_mut(&mut self) -> &mut [T] {
        self.words.words_mut()
    }

    /// The polynomials.
    pub fn polynomials(&self) -> core::slice::ChunksExact<'_, T> {
        self.words().chunks_exact(self.n)
    }

    /// Number of polynomials.
    pub fn length(&self) -> usize {
        self.polynomials().len()
    }

    /// The transpose of a matrix of so many columns, row by row.
    ///
    /// **Panics** unless its polynomials are a multiple of `columns`.
    pub fn transposed(&self, columns: usize) -> Self {
        Self::filled(self.n, self.length(), |words| transpose(words, self.words(), self.n, columns))
    }

    /// A copy of some of the polynomials.
    ///
    /// **Panics** if `range` goes beyond the last polynomial.
    pub fn part(&self, range: core::ops::Range<usize>) -> Self {
        Self { n: self.n, words: Buffer::copy_of(&self.words()[range.start * self.n..range.end * self.n]) }
    }
}

/// Writes the transpose of a matrix that has so many `columns` of polynomials of `n` words, row by row.
///
/// **Panics** if its last row is shorter.
pub(crate) fn transpose<T: Copy>(out: &mut [T], matrix: &[T], n: usize, columns: usize) {
    let rows = matrix.chunks_exact(n * columns);
    let height = matrix.chunks_exact(n * columns).len();
    assert!(rows.remainder().is_empty(), "rows of {columns} polynomials");
    for (i, row) in rows.enumerate() {
        for (j, polynomial) in row.chunks_exact(n).enumerate() {
            out[(j * height + i) * n..][..n].copy_from_slice(polynomial);
        }
    }
}

/// The square of the Euclidean norm of the coefficients, without centring; saturates at
/// `i128::MAX`.
pub fn squared_norm<T: Word>(polynomial: &[T]) -> i128 {
    polynomial.iter().fold(0, |sum: i128, &x| {
        let x: i64 = x.into();
        sum.saturating_add(i128::from(x) * i128::from(x))
    })
}

impl<T: Word> NttVector<T> {
    /// `length` polynomials of `n` words that `fill` writes, in `(-q, q)` and in the order of the
    /// plan, which must be a transform modulo `q` itself.
    pub(crate) fn filled(n: usize, length: usize, fill: impl FnOnce(&mut [T])) -> Self {
        let mut vector = Self { words: Buffer::zeros(n * length) };
        fill(vector.words.words_mut());
        vector
    }

    /// The words, in the form of the plan.
    pub fn words(&self) -> &[T] {
        self.words.words()
    }

    /// The words; they must stay in `(-q, q)` if the plan is a transform modulo `q` itself.
    pub(crate) fn words_mut(&mut self) -> &mut [T] {
        self.words.words_mut()
    }

    /// The words of some of the polynomials.
    pub fn polynomials(&self, range: core::ops::Range<usize>, module: &Module<T>) -> &[T] {
        let words = module.plan.ntt_len();
        &self.words()[range.start * words..range.end * words]
    }
}

impl<T: Word> Module<T> {
    /// Over `Z_q[X]/(X^n + 1)`, for matrix rows of at most `columns` polynomials.
    ///
    /// **Errors** say which condition of the ring failed and what would work.
    pub fn new(n: usize, q: u64, columns: usize) -> Result<Self, PlanError> {
        Self::with(&Request::new(n, q).sums(columns.max(1) as u64))
    }

    /// Plans the given request.
    pub fn with(request: &Request) -> Result<Self, PlanError> {
        Ok(Self { plan: Plan::with(request)? })
    }

    /// The plan.
    pub const fn plan(&self) -> &Plan<T> {
        &self.plan
    }

    /// Degree.
    pub fn n(&self) -> usize {
        self.plan.n()
    }

    /// Modulus.
    pub fn q(&self) -> u64 {
        self.plan.q()
    }

    /// Transforms every polynomial.
    ///
    /// **Range:** in `(-q, q)`. **Constant time:** yes.
    pub fn forward(&self, vector: &Vector<T>) -> NttVector<T> {
        let words = self.plan.ntt_len();
        let mut transformed = NttVector { words: Buffer::zeros(words * vector.length()) };
        for (out, polynomial) in transformed.words.words_mut().chunks_exact_mut(words).zip(vector.polynomials()) {
            out[..polynomial.len()].copy_from_slice(polynomial);
            self.plan.forward(out);
        }
        transformed
    }

    /// [`forward`](Self::forward), in place if transformed polynomials have the same length.
    pub fn transformed(&self, mut vector: Vector<T>) -> NttVector<T> {
        if self.plan.ntt_len() != self.n() {
            return self.forward(&vector);
        }
        vector.words_mut().chunks_exact_mut(self.n()).for_each(|polynomial| self.plan.forward(polynomial));
        NttVector { words: vector.words }
    }

    /// `matrix·vector` for each of several contiguous vectors of `length` polynomials; each row of
    /// the matrix has that length too. Coefficients are in `[0, q)`.
    ///
    /// **Constant time:** yes. **Panics** unless matrix and vectors have a multiple of `length`
    /// polynomials each.
    pub fn products(&self, matrix: &[T], vectors: &[T], length: usize) -> Vector<T> {
        let (words, n) = (self.plan.ntt_len(), self.n());
        let [rows, columns] = [matrix, vectors].map(|all| all.chunks_exact(length * words).len());
        let sums = Vector::zeros(words, rows * columns);
        let sums = self.plan.inverse_product(self.plan.inner_products(sums, matrix, vectors, length));
        if words == n {
            return sums;
        }
        let mut products = Vector::zeros(n, rows * columns);
        for (out, sum) in products.words_mut().chunks_exact_mut(n).zip(sums.polynomials()) {
            out.copy_from_slice(&sum[..n]);
        }
        products
    }

    /// `matrix·vector + b`, all transformed; each row of the matrix has the length of `vector`;
    /// slots in `[0, q)`.
    ///
    /// **Constant time:** yes. **Panics** if the rows of the matrix do not have the length of the
    /// vector, or if `b` does not have one polynomial per row.
    pub fn product_plus(&self, matrix: &[T], vector: &[T], b: &NttVector<T>) -> NttVector<T> {
        let words = self.plan.ntt_len();
        let length = vector.chunks_exact(words).len();
        assert_eq!(matrix.len(), length * b.words().len(), "a row for each polynomial that is added");
        NttVector::filled(words, b.words().chunks_exact(words).len(), |sums| {
            let rows = matrix.chunks_exact(vector.len()).zip(b.words().chunks_exact(words));
            for (sum, (row, b)) in sums.chunks_exact_mut(words).zip(rows) {
                self.plan.to_ntt_plus(self.plan.inner_products(sum, row, vector, length), b);
            }
        })
    }

    /// `matrix·vector`, both transformed: [`products`](Self::products) with one vector.
    pub fn product(&self, matrix: &NttVector<T>, vector: &[T]) -> Vector<T> {
        self.products(matrix.words(), vector, vector.chunks_exact(self.plan.ntt_len()).len())
    }

    /// The same transformed polynomials with slots in `[0, q)`.
    pub fn canonical(&self, mut a: NttVector<T>) -> NttVector<T> {
        a.words.words_mut().chunks_exact_mut(self.plan.ntt_len()).for_each(|words| self.plan.canonical(words));
        a
    }

    /// `a += b`, canonical.
    pub fn add(&self, a: &mut Vector<T>, b: &Vector<T>) {
        self.plan.add(a.words_mut(), b.words());
    }

    /// `a -= b`, canonical.
    pub fn sub(&self, a: &mut Vector<T>, b: &Vector<T>) {
        self.plan.sub(a.words_mut(), b.words());
    }

    /// The same residues, centred: at most `q/2` in absolute value.
    pub fn centre(&self, a: &mut Vector<T>) {
        self.plan.centre(a.words_mut());
    }
}
