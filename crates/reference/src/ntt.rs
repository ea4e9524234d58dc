//! The transforms straight from their formulas, O(n²), in canonical slot order.
//!
//! A transform of depth k splits the ring into 2^k slots of degree d = n/2^k:
//!
//! | ring | slot i is the residue modulo | with ζ |
//! |---|---|---|
//! | Xⁿ + 1 | X^d − ζ^(2i+1) | a primitive 2^(k+1)-th root of unity |
//! | Xⁿ − 1 | X^d − ζ^i | a primitive 2^k-th root of unity |
//!
//! With c_i the constant of slot i, X^d ≡ c_i, so
//!
//! * forward: slot_i\[j\] = Σ_t a\[j + d·t\]·c_i^t for t in 0..2^k;
//! * product: slot by slot modulo X^d − c_i;
//! * inverse: a\[j + d·t\] = 2^−k·Σ_i slot_i\[j\]·c_i^−t, because Σ_i c_i^(s−t) is 2^k for s = t and 0 for other s in
//!   range.
//!
//! Depth log2 n is the complete transform: slot i is a(ψ^(2i+1)), or a(ω^i) in the cyclic ring.
//!
//! Sources: Longa and Naehrig 2016, section 2.2 (complete); Bakkebø 2020 (to a chosen depth).
//!
//! Ranges: all values in [0, q); q prime; a transformed polynomial is slot-major: element i·d + j is slot_i\[j\].

use crate::{field, poly};

/// The polynomial that is zero in the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// Z_q\[X\]/(Xⁿ + 1).
    Negacyclic,
    /// Z_q\[X\]/(Xⁿ − 1).
    Cyclic,
}

impl Ring {
    /// The order that ζ must have for a transform of this depth.
    pub fn root_order(self, depth: u32) -> u64 {
        match self {
            Ring::Negacyclic => 2 << depth,
            Ring::Cyclic => 1 << depth,
        }
    }

    /// The schoolbook product in this ring.
    ///
    /// **Panics** when the lengths differ.
    pub fn product(self, a: &[u64], b: &[u64], q: u64) -> Vec<u64> {
        match self {
            Ring::Negacyclic => poly::negacyclic_product(a, b, q),
            Ring::Cyclic => poly::cyclic_product(a, b, q),
        }
    }
}

/// One transform: a ring, a depth and a root, from which everything follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transform {
    n: usize,
    q: u64,
    ring: Ring,
    depth: u32,
    root: u64,
}

impl Transform {
    /// The transform with [`field::root_of_unity`] as ζ; `None` when q is not prime, 2^depth does not divide n, or q
    /// has no root of the order that the depth needs.
    pub fn new(n: usize, q: u64, ring: Ring, depth: u32) -> Option<Self> {
        if n == 0 || depth > n.trailing_zeros() {
            return None;
        }
        let root = field::root_of_unity(q, ring.root_order(depth))?;
        Some(Self { n, q, ring, depth, root })
    }

    /// The complete transform, depth log2 n; `None` when n is not a power of two or there is no root.
    pub fn complete(n: usize, q: u64, ring: Ring) -> Option<Self> {
        if n.is_power_of_two() { Self::new(n, q, ring, n.trailing_zeros()) } else { None }
    }

    /// The same transform with another ζ; `None` when `root` is not a primitive root of the same order.
    pub fn with_root(self, root: u64) -> Option<Self> {
        let fits = root < self.q && field::is_primitive_root(root, self.ring.root_order(self.depth), self.q);
        fits.then_some(Self { root, ..self })
    }

    /// ζ.
    pub fn root(&self) -> u64 {
        self.root
    }

    /// 2^k.
    pub fn slot_count(&self) -> usize {
        1 << self.depth
    }

    /// d = n/2^k, the number of coefficients of a slot.
    pub fn slot_degree(&self) -> usize {
        self.n >> self.depth
    }

    /// c_i: slot i is the residue modulo X^d − c_i.
    pub fn constant(&self, slot: usize) -> u64 {
        let exponent = match self.ring {
            Ring::Negacyclic => 2 * slot as u64 + 1,
            Ring::Cyclic => slot as u64,
        };
        field::pow(self.root, exponent, self.q)
    }

    /// The residues of a in all slots, slot-major. **Order**: canonical.
    ///
    /// **Panics** when a has not n coefficients.
    pub fn forward(&self, a: &[u64]) -> Vec<u64> {
        assert_eq!(a.len(), self.n, "a polynomial of this ring has n coefficients");
        let d = self.slot_degree();
        let mut a_hat = Vec::with_capacity(self.n);
        for slot in 0..self.slot_count() {
            let c = self.constant(slot);
            for j in 0..d {
                let strided: Vec<u64> = a[j..].iter().step_by(d).copied().collect();
                a_hat.push(poly::evaluate(&strided, c, self.q));
            }
        }
        a_hat
    }

    /// The polynomial with these residues. **Order**: canonical.
    ///
    /// **Panics** when `a_hat` has not n elements.
    pub fn inverse(&self, a_hat: &[u64]) -> Vec<u64> {
        assert_eq!(a_hat.len(), self.n, "a transformed polynomial has n elements");
        let (q, d) = (self.q, self.slot_degree());
        let scale = field::inverse(self.slot_count() as u64 % q, q).expect("2^k divides q − 1, so it is prime to q");
        let mut a = vec![0; self.n];
        for slot in 0..self.slot_count() {
            let c_inverse = field::inverse(self.constant(slot), q).expect("a root of unity has an inverse");
            let mut factor = scale; // 2^−k·c_i^−t
            for t in 0..self.slot_count() {
                for j in 0..d {
                    let term = field::mul(factor, a_hat[slot * d + j], q);
                    a[j + d * t] = field::add(a[j + d * t], term, q);
                }
                factor = field::mul(factor, c_inverse, q);
            }
        }
        a
    }

    /// The product of two transformed polynomials, slot by slot.
    ///
    /// **Panics** when a factor has not n elements.
    pub fn product(&self, a_hat: &[u64], b_hat: &[u64]) -> Vec<u64> {
        assert!(a_hat.len() == self.n && b_hat.len() == self.n, "a transformed polynomial has n elements");
        let d = self.slot_degree();
        let slots = a_hat.chunks(d).zip(b_hat.chunks(d)).enumerate();
        slots.flat_map(|(i, (a, b))| poly::product_mod(a, b, self.constant(i), self.q)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    const RINGS: [Ring; 2] = [Ring::Negacyclic, Ring::Cyclic];

    #[test]
    fn every_depth_multiplies_and_returns() {
        let mut random = Random(3);
        for q in [17, 257, 3329, 7681, 12289, 65537, 8380417, 1073479681, 1_152_921_504_606_830_593] {
            for n in [1, 2, 3, 8, 12, 32] {
                for ring in RINGS {
                    let (a, b) = (random.poly(n, q), random.poly(n, q));
                    for depth in 0..=n.trailing_zeros() {
                        let Some(transform) = Transform::new(n, q, ring, depth) else { continue };
                        let a_hat = transform.forward(&a);
                        assert_eq!(transform.inverse(&a_hat), a, "n {n}, q {q}, {ring:?}, depth {depth}");
                        let c_hat = transform.product(&a_hat, &transform.forward(&b));
                        assert_eq!(transform.inverse(&c_hat), ring.product(&a, &b, q));
                    }
                }
            }
        }
    }

    #[test]
    fn complete_slots_are_the_values_at_the_roots() {
        let (n, q) = (64, 12289);
        let a = Random(4).poly(n, q);
        let psi = field::root_of_unity(q, 2 * n as u64).unwrap();
        let negacyclic = Transform::complete(n, q, Ring::Negacyclic).unwrap().forward(&a);
        let omega = field::mul(psi, psi, q);
        let cyclic = Transform::complete(n, q, Ring::Cyclic).unwrap().with_root(omega).unwrap().forward(&a);
        for i in 0..n {
            let sum_of = |exponent: usize| {
                (0..n).fold(0, |sum, j| {
                    field::add(sum, field::mul(a[j], field::pow(psi, (exponent * j) as u64, q), q), q)
                })
            };
            assert_eq!(negacyclic[i], sum_of(2 * i + 1));
            assert_eq!(cyclic[i], sum_of(2 * i));
        }
    }

    #[test]
    fn a_slot_is_the_remainder_of_long_division() {
        let (n, q, depth) = (32, 3329, 3);
        let a = Random(5).poly(n, q);
        for ring in RINGS {
            let transform = Transform::new(n, q, ring, depth).unwrap();
            let d = transform.slot_degree();
            for (i, slot) in transform.forward(&a).chunks(d).enumerate() {
                let mut rest = a.clone();
                for j in (d..n).rev() {
                    let top = rest.pop().unwrap();
                    rest[j - d] = field::add(rest[j - d], field::mul(top, transform.constant(i), q), q);
                }
                assert_eq!(slot, rest);
            }
        }
    }

    #[test]
    fn the_factors_multiply_to_the_ring() {
        // Π (Y − c_i) with Y = X^d is Y^(2^k) ± 1: the constants are distinct zeros of it.
        for (ring, last) in [(Ring::Negacyclic, 12288), (Ring::Cyclic, 1)] {
            let transform = Transform::complete(64, 12289, ring).unwrap();
            let mut constants: Vec<u64> = (0..64).map(|i| transform.constant(i)).collect();
            assert!(constants.iter().all(|&c| field::pow(c, 64, 12289) == last));
            constants.sort_unstable();
            constants.dedup();
            assert_eq!(constants.len(), 64);
        }
    }

    #[test]
    fn what_has_no_root_is_refused() {
        assert_eq!(Transform::new(256, 3329, Ring::Negacyclic, 8), None);
        assert!(Transform::new(256, 3329, Ring::Negacyclic, 7).is_some());
        assert!(Transform::new(256, 3329, Ring::Cyclic, 8).is_some());
        assert_eq!(Transform::new(8, 12289, Ring::Negacyclic, 4), None);
        assert_eq!(Transform::new(0, 12289, Ring::Negacyclic, 0), None);
        assert_eq!(Transform::complete(12, 12289, Ring::Negacyclic), None);
        assert_eq!(Transform::new(8, 12288, Ring::Negacyclic, 0), None);
        let transform = Transform::complete(1024, 12289, Ring::Negacyclic).unwrap();
        assert_eq!(transform.root(), 7);
        assert_eq!(transform.clone().with_root(49), None);
        assert_eq!(transform.with_root(343).unwrap().root(), 343);
    }
}
