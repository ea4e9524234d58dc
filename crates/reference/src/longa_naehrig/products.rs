//! Three ways to a product modulo Xⁿ + 1 by transforms (section 2.2 of the paper): zero padding, the
//! negative wrapped convolution with powers of ψ apart, and the same with these powers merged into
//! the transforms.
//!
//! | | transforms | products besides those of butterflies |
//! |---|---|---|
//! | [`Merged`] | of length n, Algorithms 1 and 2 | n pointwise, n by n⁻¹ |
//! | [`Separate`] | cyclic, of length n | 2n by ψ^i, n pointwise, n by n⁻¹, n by ψ^−i |
//! | [`Padded`] | cyclic, of length 2n | 2n pointwise, 2n by (2n)⁻¹ |
//!
//! A transform of length n has (n/2)·log2 n butterflies with one product each. So merging saves 3n
//! products as the algorithms are written. But n − 1 factors of a cyclic transform are 1, and ψ⁰ is:
//! who leaves the products by 1 out has as many with powers apart as Algorithms 1 and 2 have, and
//! what merging saves then is three loops over the words, and no product.

use super::{
    arithmetic::Arithmetic,
    transforms::{Tables, intt_by, ntt_by, scale},
};
use crate::{field, ntt::Ring};

/// A product modulo Xⁿ + 1.
pub trait Product {
    /// a·b modulo Xⁿ + 1. **Panics** when a factor has not n coefficients.
    fn product(&self, by: &impl Arithmetic, a: &[u64], b: &[u64]) -> Vec<u64>;
}

/// Algorithms 1 and 2.
#[derive(Clone, Debug)]
pub struct Merged(Tables);

impl Merged {
    /// `None` when n is not a power of two above 1 or there is no ψ.
    pub fn new(n: usize, q: u64) -> Option<Self> {
        Tables::new(n, q).map(Self)
    }
}

impl Product for Merged {
    fn product(&self, by: &impl Arithmetic, a: &[u64], b: &[u64]) -> Vec<u64> {
        cyclic(by, a.to_vec(), b.to_vec(), &self.0)
    }
}

/// Scaling by ψ^i, a cyclic product, scaling by ψ^−i.
#[derive(Clone, Debug)]
pub struct Separate {
    tables: Tables,
    psi: Vec<u64>,
    psi_inverse: Vec<u64>,
}

impl Separate {
    /// `None` when n is not a power of two above 1 or there is no ψ.
    pub fn new(n: usize, q: u64) -> Option<Self> {
        let psi = field::root_of_unity(q, 2 * n as u64)?;
        let powers = |root| (0..n as u64).map(|i| field::pow(root, i, q)).collect();
        Some(Self {
            tables: Tables::cyclic(n, q, field::mul(psi, psi, q))?,
            psi: powers(psi),
            psi_inverse: powers(field::inverse(psi, q)?),
        })
    }
}

impl Product for Separate {
    fn product(&self, by: &impl Arithmetic, a: &[u64], b: &[u64]) -> Vec<u64> {
        let [a, b] = [a, b].map(|x| pointwise(by, x, &self.psi));
        pointwise(by, &cyclic(by, a, b, &self.tables), &self.psi_inverse)
    }
}

/// n zeros behind each factor, a cyclic product of length 2n, reduction by Xⁿ + 1.
#[derive(Clone, Debug)]
pub struct Padded(Tables);

impl Padded {
    /// `None` when n is not a power of two or there is no primitive 2n-th root of unity.
    pub fn new(n: usize, q: u64) -> Option<Self> {
        Tables::cyclic(2 * n, q, field::root_of_unity(q, 2 * n as u64)?).map(Self)
    }
}

impl Product for Padded {
    fn product(&self, by: &impl Arithmetic, a: &[u64], b: &[u64]) -> Vec<u64> {
        let [a, b] = [a, b].map(|x| [x, &vec![0; x.len()]].concat());
        Ring::Negacyclic.residue(&cyclic(by, a, b, &self.0), self.0.q())
    }
}

/// INTT(NTT(a)∘NTT(b)).
fn cyclic(by: &impl Arithmetic, mut a: Vec<u64>, mut b: Vec<u64>, tables: &Tables) -> Vec<u64> {
    ntt_by(by, &mut a, tables);
    ntt_by(by, &mut b, tables);
    let mut c = pointwise(by, &a, &b);
    intt_by(by, &mut c, tables);
    scale(by, &mut c, tables.n_inverse());
    c
}

fn pointwise(by: &impl Arithmetic, a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(&x, &y)| by.mul(x, y)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::arithmetic::{Constant, Corrected, Counting, Remainders};
    use super::*;
    use crate::poly;
    use crate::testing::Random;

    fn products<const Q: u64>(n: usize) {
        let mut random = Random(n as u64);
        let ways = (Merged::new(n, Q).unwrap(), Separate::new(n, Q).unwrap(), Padded::new(n, Q).unwrap());
        for (a, b) in [(vec![Q - 1; n], vec![Q - 1; n]), (random.poly(n, Q), random.poly(n, Q))] {
            let expected = poly::negacyclic_product(&a, &b, Q);
            fn check(way: &impl Product, by: &impl Arithmetic, [a, b, c]: [&[u64]; 3]) {
                assert_eq!(way.product(by, a, b), c);
            }
            let all = [&a[..], &b, &expected];
            check(&ways.0, &Corrected(Q), all);
            check(&ways.0, &Remainders(Q), all);
            check(&ways.0, &Constant::<Q>, all);
            check(&ways.1, &Corrected(Q), all);
            check(&ways.1, &Constant::<Q>, all);
            check(&ways.2, &Corrected(Q), all);
            check(&ways.2, &Constant::<Q>, all);
        }
    }

    #[test]
    fn merged_separate_and_padded_are_the_schoolbook_product() {
        products::<5>(2);
        (1..=3).for_each(|k| products::<17>(1 << k));
        (1..=8).for_each(|k| products::<7681>(1 << k));
        (9..=10).for_each(|k| products::<12289>(1 << k));
        products::<257>(128);
        assert!(Merged::new(256, 3329).is_none() && Separate::new(256, 3329).is_none());
        assert!(Padded::new(256, 3329).is_none() && Padded::new(12, 12289).is_none());
    }

    /// Products, and those by 1 among them.
    fn counted(way: &impl Product, n: usize, q: u64) -> [usize; 2] {
        let by = Counting::new(q);
        // Constants: no pointwise product is by 1.
        let constant: Vec<u64> = (0..n as u64).map(|i| if i == 0 { 2 } else { 0 }).collect();
        way.product(&by, &constant, &constant);
        [by.products(), by.by_one()]
    }

    #[test]
    fn what_merging_saves() {
        let q = 12289;
        for log_n in 1..=10 {
            let n = 1 << log_n;
            let butterflies = 3 * n / 2 * log_n;
            let merged = counted(&Merged::new(n, q).unwrap(), n, q);
            assert_eq!(merged, [butterflies + 2 * n, 0], "n = {n}");
            let separate = counted(&Separate::new(n, q).unwrap(), n, q);
            assert_eq!(separate, [butterflies + 5 * n, 3 * n]);
            assert_eq!(separate[0] - separate[1], merged[0], "without products by 1 merging saves none");
            let padded = counted(&Padded::new(n, q).unwrap(), n, q);
            assert_eq!(padded, [3 * n * (log_n + 1) + 4 * n, 3 * (2 * n - 1)]);
        }
    }
}
