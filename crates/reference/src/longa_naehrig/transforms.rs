//! Algorithms 1 and 2, and their mirrors for the other order.
//!
//! Chu and George (the paper's section 2.2) have each transform for either order of its input. In a
//! mirror every word stands at the bit-reversed place, so a block's words are m apart and its
//! factor is the same; distances grow where Algorithm 1's shrink.
//!
//! | | natural in, bit-reversed out | bit-reversed in, natural out |
//! |---|---|---|
//! | Cooley–Tukey | [`ntt`], Algorithm 1 | [`from_bit_reversed`] |
//! | Gentleman–Sande | [`to_bit_reversed`] | [`intt`], Algorithm 2 |
//!
//! Cooley–Tukey's butterfly multiplies before it adds and so can take up powers of ψ that come before
//! a transform; Gentleman–Sande's multiplies last and takes up those behind it. So forward negacyclic
//! transforms are Cooley–Tukey's and inverse ones Gentleman–Sande's. Cyclic transforms have nothing
//! to take up and are of either kind: with [`Tables::cyclic`] for ω they are all four.

use super::arithmetic::{Arithmetic, Corrected};
use crate::field;

/// Ψ_rev and Ψ⁻¹_rev: entry m + i is the factor of block i among m, and its inverse.
#[derive(Clone, Debug)]
pub struct Tables {
    pub(super) n: usize,
    pub(super) q: u64,
    pub(super) psi_rev: Vec<u64>,
    pub(super) psi_inv_rev: Vec<u64>,
}

impl Tables {
    /// The tables for ψ = [`field::root_of_unity`]`(q, 2n)`: entry j is ψ^brv(j), or ψ^−brv(j), with
    /// brv over log2 n bits. `None` when n is not a power of two above 1 or there is no ψ.
    pub fn new(n: usize, q: u64) -> Option<Self> {
        if n.is_power_of_two() { Self::of_root(n, q, field::root_of_unity(q, 2 * n as u64)?) } else { None }
    }

    /// The same for this ψ. `None` when n is not a power of two above 1, or ψ no primitive 2n-th
    /// root.
    pub fn of_root(n: usize, q: u64, psi: u64) -> Option<Self> {
        let fits = psi < q && field::is_primitive_root(psi, 2 * n as u64, q);
        if !n.is_power_of_two() || n < 2 || !fits {
            return None;
        }
        Self::of(n, q, psi, |j| field::bit_reverse(j, n.trailing_zeros()))
    }

    /// The tables of cyclic transforms for this primitive n-th root ω: the entry of block i is
    /// ω^brv(i), with brv over log2 n − 1 bits, however many blocks there are. `None` when n is not
    /// a power of two above 1, or ω no such root.
    pub fn cyclic(n: usize, q: u64, omega: u64) -> Option<Self> {
        if !n.is_power_of_two() || n < 2 {
            return None;
        }
        let fits = omega < q && field::is_primitive_root(omega, n as u64, q);
        let exponent = |j: usize| field::bit_reverse(j - (1 << j.ilog2()), n.trailing_zeros() - 1);
        if fits { Self::of(n, q, omega, |j| if j == 0 { 0 } else { exponent(j) }) } else { None }
    }

    fn of(n: usize, q: u64, root: u64, exponent: impl Fn(usize) -> usize) -> Option<Self> {
        let powers = |root| (0..n).map(|j| field::pow(root, exponent(j) as u64, q)).collect();
        Some(Self { n, q, psi_rev: powers(root), psi_inv_rev: powers(field::inverse(root, q)?) })
    }

    /// The number of coefficients.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The modulus.
    pub fn q(&self) -> u64 {
        self.q
    }

    /// n⁻¹ modulo q.
    pub fn n_inverse(&self) -> u64 {
        field::inverse(self.n as u64 % self.q, self.q).expect("2n divides q − 1, so n is prime to q")
    }
}

/// Algorithm 1: NTT with Cooley–Tukey butterflies. **Order**: natural in, bit-reversed out.
///
/// Slot j of the result is the value at ψ^(2·brv(j)+1). **Panics** when a has not n elements.
pub fn ntt(a: &mut [u64], tables: &Tables) {
    ntt_by(&Corrected(tables.q), a, tables);
}

/// [`ntt`] by another arithmetic.
pub fn ntt_by(by: &impl Arithmetic, a: &mut [u64], tables: &Tables) {
    let Tables { n, ref psi_rev, .. } = *tables;
    assert_eq!(a.len(), n);
    let mut t = n;
    let mut m = 1;
    while m < n {
        t /= 2;
        for i in 0..m {
            let j1 = 2 * i * t;
            let s = psi_rev[m + i]; // 7
            for j in j1..j1 + t {
                cooley_tukey(by, a, j, j + t, s);
            }
        }
        m *= 2;
    }
}

/// The mirror of Algorithm 1. **Order**: bit-reversed in, natural out.
///
/// Slot j of the result is the value at ψ^(2j+1). **Panics** when a has not n elements.
pub fn from_bit_reversed(by: &impl Arithmetic, a: &mut [u64], tables: &Tables) {
    let Tables { n, ref psi_rev, .. } = *tables;
    assert_eq!(a.len(), n);
    let mut m = 1;
    while m < n {
        for i in 0..m {
            let s = psi_rev[m + i];
            for j in (field::bit_reverse(i, m.ilog2())..n).step_by(2 * m) {
                cooley_tukey(by, a, j, j + m, s);
            }
        }
        m *= 2;
    }
}

/// Algorithm 2: inverse NTT with Gentleman–Sande butterflies. **Order**: bit-reversed in, natural
/// out.
///
/// **Panics** when a has not n elements.
pub fn intt(a: &mut [u64], tables: &Tables) {
    let by = &Corrected(tables.q);
    intt_by(by, a, tables);
    scale(by, a, tables.n_inverse());
}

/// [`intt`] by another arithmetic and without its last loop, the products with n⁻¹.
pub fn intt_by(by: &impl Arithmetic, a: &mut [u64], tables: &Tables) {
    let Tables { n, ref psi_inv_rev, .. } = *tables;
    assert_eq!(a.len(), n);
    let mut t = 1;
    let mut m = n;
    while m > 1 {
        let mut j1 = 0;
        let h = m / 2;
        for i in 0..h {
            let s = psi_inv_rev[h + i]; // 7
            for j in j1..j1 + t {
                gentleman_sande(by, a, j, j + t, s);
            }
            j1 += 2 * t;
        }
        t *= 2;
        m /= 2;
    }
}

/// The mirror of Algorithm 2, without the products with n⁻¹. **Order**: natural in, bit-reversed
/// out.
///
/// **Panics** when a has not n elements.
pub fn to_bit_reversed(by: &impl Arithmetic, a: &mut [u64], tables: &Tables) {
    let Tables { n, ref psi_inv_rev, .. } = *tables;
    assert_eq!(a.len(), n);
    let mut m = n;
    while m > 1 {
        let h = m / 2;
        for i in 0..h {
            let s = psi_inv_rev[h + i];
            for j in (field::bit_reverse(i, h.ilog2())..n).step_by(m) {
                gentleman_sande(by, a, j, j + h, s);
            }
        }
        m /= 2;
    }
}

/// (u + s·v, u − s·v).
#[inline]
fn cooley_tukey(by: &impl Arithmetic, a: &mut [u64], j: usize, k: usize, s: u64) {
    let u = a[j];
    let v = by.mul(a[k], s);
    a[j] = by.add(u, v);
    a[k] = by.sub(u, v);
}

/// (u + v, (u − v)·s).
#[inline]
fn gentleman_sande(by: &impl Arithmetic, a: &mut [u64], j: usize, k: usize, s: u64) {
    let u = a[j];
    let v = a[k];
    a[j] = by.add(u, v);
    a[k] = by.mul(by.sub(u, v), s);
}

/// Every word times s.
pub(super) fn scale(by: &impl Arithmetic, a: &mut [u64], s: u64) {
    a.iter_mut().for_each(|x| *x = by.mul(*x, s));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntt::{Ring, Transform};
    use crate::testing::Random;

    fn bit_reversed(a: &[u64]) -> Vec<u64> {
        (0..a.len()).map(|j| a[field::bit_reverse(j, a.len().trailing_zeros())]).collect()
    }

    fn each_ring(check: impl Fn(usize, u64)) {
        for (n, q) in [(2, 5), (4, 17), (8, 17), (64, 257), (128, 3329), (256, 7681), (1024, 12289)] {
            check(n, q);
        }
    }

    /// What a transform makes of a.
    fn of(a: &[u64], transform: impl Fn(&mut [u64])) -> Vec<u64> {
        let mut a = a.to_vec();
        transform(&mut a);
        a
    }

    /// Forward by Cooley and Tukey, inverse by Gentleman and Sande, each in both orders.
    #[test]
    fn both_orders_of_negacyclic_transforms() {
        each_ring(|n, q| {
            let (tables, by) = (Tables::new(n, q).unwrap(), Corrected(q));
            let a = Random(n as u64).poly(n, q);
            let a_hat = Transform::complete(n, q, Ring::Negacyclic).unwrap().forward(&a);
            assert_eq!(of(&a, |a| ntt_by(&by, a, &tables)), bit_reversed(&a_hat), "n {n}, q {q}");
            assert_eq!(of(&bit_reversed(&a), |a| from_bit_reversed(&by, a, &tables)), a_hat);
            let a_times_n: Vec<u64> = a.iter().map(|&x| field::mul(x, n as u64 % q, q)).collect();
            assert_eq!(of(&bit_reversed(&a_hat), |a| intt_by(&by, a, &tables)), a_times_n);
            assert_eq!(of(&a_hat, |a| to_bit_reversed(&by, a, &tables)), bit_reversed(&a_times_n));
        });
    }

    /// A forward negacyclic transform by any of the four, where powers of ψ come before it.
    #[test]
    fn all_four_are_the_negacyclic_transform_with_psi_apart() {
        each_ring(|n, q| {
            let by = Corrected(q);
            let psi = field::root_of_unity(q, 2 * n as u64).unwrap();
            let omega = field::mul(psi, psi, q);
            let [forward, backward] =
                [omega, field::inverse(omega, q).unwrap()].map(|root| Tables::cyclic(n, q, root).unwrap());
            let a = Random(n as u64 + 1).poly(n, q);
            let mut merged = a.clone();
            ntt(&mut merged, &Tables::new(n, q).unwrap());
            let scaled: Vec<u64> =
                a.iter().enumerate().map(|(i, &x)| field::mul(x, field::pow(psi, i as u64, q), q)).collect();
            assert_eq!(of(&scaled, |a| ntt_by(&by, a, &forward)), merged, "n {n}, q {q}");
            assert_eq!(of(&scaled, |a| to_bit_reversed(&by, a, &backward)), merged);
            assert_eq!(of(&bit_reversed(&scaled), |a| from_bit_reversed(&by, a, &forward)), bit_reversed(&merged));
            assert_eq!(of(&bit_reversed(&scaled), |a| intt_by(&by, a, &backward)), bit_reversed(&merged));
        });
    }

    /// All four networks are the cyclic transform: an inverse by ω⁻¹ is n times a transform by ω.
    #[test]
    fn all_four_are_the_cyclic_transform() {
        each_ring(|n, q| {
            let by = Corrected(q);
            let omega = field::root_of_unity(q, n as u64).unwrap();
            let transform = Transform::complete(n, q, Ring::Cyclic).unwrap().with_root(omega).unwrap();
            let a = Random(n as u64).poly(n, q);
            let (a_hat, reversed) = (transform.forward(&a), bit_reversed(&a));
            let forward = Tables::cyclic(n, q, omega).unwrap();
            assert_eq!(of(&a, |a| ntt_by(&by, a, &forward)), bit_reversed(&a_hat), "n {n}, q {q}");
            assert_eq!(of(&reversed, |a| from_bit_reversed(&by, a, &forward)), a_hat);
            let backward = Tables::cyclic(n, q, field::inverse(omega, q).unwrap()).unwrap();
            assert_eq!(of(&a, |a| to_bit_reversed(&by, a, &backward)), bit_reversed(&a_hat));
            assert_eq!(of(&reversed, |a| intt_by(&by, a, &backward)), a_hat);
        });
        assert!(Tables::cyclic(8, 17, 4).is_none() && Tables::cyclic(12, 13, 2).is_none());
    }
}
