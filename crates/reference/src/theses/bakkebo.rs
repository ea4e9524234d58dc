//! Bakkebø's program: forward and inverse transforms to a chosen depth, both multiplications, and
//! commitments.
//!
//! Source: A. Bakkebø, master's thesis, 2020, appendices A to E; the part of `params.c` that they
//! lack from the repository that the thesis names. `long` is a word of 64 bits with a sign and Q a
//! constant, there and here. Her polynomials are arrays of one fixed length, which the commitments'
//! functions copy whenever they call one another; here they are as long as they must be, and borrowed.
//!
//! Ranges: coefficients in (−Q, Q), Q < 2²⁰: `%` keeps the sign, and three residues are multiplied
//! before it.
//!
//! What the thesis prints otherwise stands in `ERRATA.md`.

/// `NTT_forward`, `NTT_roots` and the power of 2⁻¹ for one degree and number of levels.
#[derive(Clone, Debug)]
pub struct Levels<const Q: i64> {
    n: usize,
    levels: u32,
    forward: Vec<i64>,
    roots: Vec<i64>,
    inverse_of_two: i64,
}

impl<const Q: i64> Levels<Q> {
    /// The tables for a primitive root of unity of this order, a power of two, of which `levels` use
    /// 2^(levels + 1) powers.
    ///
    /// **Panics** when the order is too small or n is not a multiple of 2^levels.
    pub fn new(n: usize, levels: u32, root: i64, order: usize) -> Self {
        assert!(levels > 0 && 2 << levels <= order && n.is_multiple_of(1 << levels));
        let mut powers = vec![1; order];
        for i in 1..order {
            powers[i] = powers[i - 1] * root % Q;
        }
        let mut forward = vec![0; (1 << levels) - 1];
        initiate_forward(&powers, &mut forward, 0, order / 2);
        let last = &forward[(1 << (levels - 1)) - 1..];
        let roots = last.iter().flat_map(|&w| [-w, w]).collect();
        let inverse_of_two = (0..levels).fold(1, |x, _| x * ((Q + 1) / 2) % Q);
        Self { n, levels, forward, roots, inverse_of_two }
    }

    /// As `main` has them: Q = 12289, root 41 of order 4096, factors of degree 2 where 11 levels allow
    /// it.
    ///
    /// **Panics** when n is not a power of two above 2.
    pub fn of_the_thesis(n: usize) -> Self {
        assert!(Q == 12289 && n.is_power_of_two() && n > 2);
        Self::new(n, (n.ilog2() - 1).min(11), 41, 4096)
    }

    /// The degree of the factors at the lowest level.
    pub fn size_of_pol(&self) -> usize {
        self.n >> self.levels
    }

    /// `forward_NTT` and `splitting`.
    pub fn forward(&self, pol: &mut [i64]) {
        let mut n = self.n;
        for level in 0..self.levels {
            let first = (1 << level) - 1;
            for i in 0..1 << level {
                splitting::<Q>(&mut pol[i * n..], n / 2, self.forward[first + i]);
            }
            n /= 2;
        }
    }

    /// `multiplied_NTT`: adds the products of all factors to `result`.
    pub fn multiplied(&self, a: &[i64], b: &[i64], result: &mut [i64]) {
        let size = self.size_of_pol();
        let mut j = 0;
        for &w in &self.roots {
            step_multiplied::<Q>(&a[j..], &b[j..], &mut result[j..], w, size);
            j += size;
        }
    }

    /// `inverse_NTT`, `merging` and `inverse_finnish`: the roots of a level from its end.
    pub fn inverse(&self, pol: &mut [i64]) {
        let mut n = 2 * self.size_of_pol();
        for level in (0..self.levels).rev() {
            let mut i = (2 << level) - 2;
            for j in 0..1 << level {
                merging::<Q>(&mut pol[j * n..], n / 2, self.forward[i]);
                i = i.wrapping_sub(1);
            }
            n *= 2;
        }
        for x in &mut pol[..self.n] {
            *x = *x * self.inverse_of_two % Q;
        }
    }

    /// The product of two polynomials by transforms.
    pub fn product(&self, a: &[i64], b: &[i64]) -> Vec<i64> {
        let [mut a, mut b] = [a, b].map(<[i64]>::to_vec);
        self.forward(&mut a);
        self.forward(&mut b);
        let mut c = vec![0; self.n];
        self.multiplied(&a, &b, &mut c);
        self.inverse(&mut c);
        c
    }
}

/// `initiate_NTT_forward`: node i of the tree of splittings has the nodes 2i + 1 and 2i + 2 below it.
fn initiate_forward(powers: &[i64], forward: &mut [i64], node: usize, n: usize) {
    if node < forward.len() {
        forward[node] = powers[n / 2];
        initiate_forward(powers, forward, 2 * node + 1, n / 2);
        initiate_forward(powers, forward, 2 * node + 2, n / 2 + powers.len() / 2);
    }
}

/// From modulo X^2n − w² to modulo Xⁿ − w and Xⁿ + w.
pub fn splitting<const Q: i64>(pol: &mut [i64], n: usize, w: i64) {
    for i in 0..n {
        let a = pol[i + n] * w;
        pol[n + i] = (pol[i] - a) % Q;
        pol[i] = (pol[i] + a) % Q;
    }
}

/// Twice the polynomial that was split, for w = −ω⁻¹ of the splitting's ω.
pub fn merging<const Q: i64>(pol: &mut [i64], n: usize, w: i64) {
    for i in 0..n {
        let a = pol[i] + pol[n + i];
        pol[n + i] = ((pol[n + i] - pol[i]) * w) % Q;
        pol[i] = a % Q;
    }
}

/// `f`: which coefficient of the second factor meets coefficient j of the first in coefficient i.
#[inline]
fn partner(i: usize, j: usize, n: usize) -> usize {
    if i >= j { i - j } else { i + n - j }
}

/// `step_multiplied_NTT`: adds a product modulo Xⁿ + w.
#[expect(clippy::needless_range_loop, reason = "the loops of the thesis")]
fn step_multiplied<const Q: i64>(a: &[i64], b: &[i64], result: &mut [i64], w: i64, n: usize) {
    for i in 0..n {
        for j in 0..n {
            let k = partner(i, j, n);
            if j + k >= n {
                result[i] = (result[i] - w * a[j] * b[k]) % Q;
            } else {
                result[i] = (result[i] + a[j] * b[k]) % Q;
            }
        }
    }
}

/// `multiplied_normal`: adds a product modulo Xⁿ + 1.
pub fn multiplied_normal<const Q: i64>(a: &[i64], b: &[i64], result: &mut [i64]) {
    step_multiplied::<Q>(a, b, result, 1, result.len());
}

/// Columns of A1 = (I A1′) and of A2 = (0 I A2′), as in the thesis' tests (section 6.5.1).
pub const K: usize = 8;
/// Rows of A2.
pub const L: usize = 4;
/// Rows of A1.
pub const D: usize = 3;

/// A1′, A2′, the randomness r and the message m.
#[derive(Clone, Debug)]
pub struct Commitment<const Q: i64> {
    rows: Vec<Vec<Vec<i64>>>,
    randomness: Vec<Vec<i64>>,
    message: Vec<Vec<i64>>,
}

impl<const Q: i64> Commitment<Q> {
    /// All of them, coefficient by coefficient from `draw`.
    pub fn new(n: usize, mut draw: impl FnMut() -> i64) -> Self {
        let mut vector = |length| (0..length).map(|_| (0..n).map(|_| draw()).collect()).collect();
        let rows = (0..D + L).map(|i| vector(if i < D { K - D } else { K - D - L })).collect();
        Self { rows, randomness: vector(K), message: vector(L) }
    }

    /// `pcommitNormal`.
    pub fn commit_normal(&self) -> Vec<Vec<i64>> {
        let c = (0..D + L).map(|i| self.row_by_vector(i, &self.rows[i], &self.randomness, multiplied_normal::<Q>));
        self.with_message(c.collect())
    }

    /// `pcommitNTT`: A1′, A2′ and r are transformed each time.
    pub fn commit_ntt(&self, levels: &Levels<Q>) -> Vec<Vec<i64>> {
        let (mut rows, mut randomness) = (self.rows.clone(), self.randomness.clone());
        rows.iter_mut().flatten().chain(&mut randomness).for_each(|pol| levels.forward(pol));
        let mut c: Vec<_> = (0..D + L)
            .map(|i| self.row_by_vector(i, &rows[i], &randomness, |a, b, c| levels.multiplied(a, b, c)))
            .collect();
        c.iter_mut().for_each(|pol| levels.inverse(pol));
        self.with_message(c)
    }

    /// `multiplyRowByVector`, and the summand of the identity matrix.
    fn row_by_vector(
        &self,
        i: usize,
        row: &[Vec<i64>],
        vector: &[Vec<i64>],
        multiplied: impl Fn(&[i64], &[i64], &mut [i64]),
    ) -> Vec<i64> {
        let mut sum = vec![0; vector[0].len()];
        for (a, b) in row.iter().zip(&vector[K - row.len()..]) {
            let mut step = vec![0; sum.len()];
            multiplied(a, b, &mut step);
            sum = add::<Q>(&sum, &step);
        }
        add::<Q>(&sum, &vector[i])
    }

    fn with_message(&self, mut c: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
        for (c, m) in c[D..].iter_mut().zip(&self.message) {
            *c = add::<Q>(c, m);
        }
        c
    }
}

/// `addPolynomials`.
fn add<const Q: i64>(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(&x, &y)| (x + y) % Q).collect()
}

#[cfg(test)]
mod steps;
#[cfg(test)]
mod tests;
