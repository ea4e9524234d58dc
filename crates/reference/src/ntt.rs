//! The transforms straight from their formulas, O(n²), in canonical slot order.
//!
//! A transform of depth k splits the ring into 2^k slots of degree d = n/2^k:
//!
//! | ring | slot i is the residue modulo | with ζ |
//! |---|---|---|
//! | Xⁿ + 1 | X^d − ζ^(2i+1) | a primitive 2^(k+1)-th root of unity |
//! | Xⁿ − 1 | X^d − ζ^i | a primitive 2^k-th root of unity |
//! | Xⁿ − X^(n/2) + 1, k ≥ 1 | X^d − ζ^(3i+1+(i mod 2)) | a primitive 3·2^k-th root of unity |
//!
//! With c_i the constant of slot i, X^d ≡ c_i, so
//!
//! * forward: slot_i\[j\] = Σ_t a\[j + d·t\]·c_i^t for t in 0..n/d;
//! * product: slot by slot modulo X^d − c_i;
//! * inverse: a\[j + d·t\] = 2^−k·Σ_i slot_i\[j\]·c_i^−t, because Σ_i c_i^(s−t) is 2^k for s = t
//!   and 0 for other s in range. In the trinomial ring the constants are the 2^(k−1)-th roots of
//!   the two primitive sixth roots of unity z; the slots of either give the residue modulo X^(n/2)
//!   − z in the same way, which is lo + z·hi.
//!
//! Layers in thirds split each slot in three more: with t of them there are 3^t·2^k slots, ζ has 3^t
//! times that order, and everything else stays as it is.
//!
//! Depth log2 n is the complete transform: slot i is a(ψ^(2i+1)), or a(ω^i) in the cyclic ring.
//!
//! Sources: Longa and Naehrig 2016, section 2.2 (complete); Bakkebø 2020 (to a chosen depth, and
//! Theorem 2 for other factors than two).
//!
//! Ranges: all values in [0, q); q prime; a transformed polynomial is slot-major: element i·d + j
//! is slot_i\[j\].

use crate::{field, poly};

/// The polynomial that is zero in the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// Z_q\[X\]/(Xⁿ + 1).
    Negacyclic,
    /// Z_q\[X\]/(Xⁿ − 1).
    Cyclic,
    /// Z_q\[X\]/(Xⁿ − X^(n/2) + 1), n even.
    Trinomial,
}

impl Ring {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Negacyclic, Self::Cyclic, Self::Trinomial];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Ring::Negacyclic => "negacyclic",
            Ring::Cyclic => "cyclic",
            Ring::Trinomial => "trinomial",
        }
    }

    /// The ring of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ring| ring.name() == name)
    }

    /// The order that ζ must have for a transform of this depth.
    pub fn root_order(self, depth: u32) -> u64 {
        match self {
            Ring::Negacyclic => 2 << depth,
            Ring::Cyclic => 1 << depth,
            Ring::Trinomial => 3 << depth,
        }
    }

    /// The schoolbook product in this ring.
    ///
    /// **Panics** when the lengths differ.
    pub fn product(self, a: &[u64], b: &[u64], q: u64) -> Vec<u64> {
        match self {
            Ring::Negacyclic => poly::negacyclic_product(a, b, q),
            Ring::Cyclic => poly::cyclic_product(a, b, q),
            Ring::Trinomial => self.residue(&poly::whole_product(a, b, q), q),
        }
    }

    /// The residue of a polynomial of 2n coefficients: from the top down, X^(n+i) becomes −X^i, X^i
    /// or X^(n/2+i) − X^i.
    ///
    /// **Panics** when the number of coefficients is odd, or n is for the trinomial ring.
    pub fn residue(self, whole: &[u64], q: u64) -> Vec<u64> {
        assert!(whole.len().is_multiple_of(2), "a polynomial of 2n coefficients");
        let n = whole.len() / 2;
        let mut rest = whole.to_vec();
        for i in (0..n).rev() {
            let top = rest.pop().expect("n coefficients above the others");
            rest[i] = match self {
                Ring::Cyclic => field::add(rest[i], top, q),
                Ring::Negacyclic | Ring::Trinomial => field::sub(rest[i], top, q),
            };
            if self == Ring::Trinomial {
                assert!(n.is_multiple_of(2), "an even degree");
                rest[n / 2 + i] = field::add(rest[n / 2 + i], top, q);
            }
        }
        rest
    }
}

/// One transform: a ring, a depth and a root, from which everything follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transform {
    n: usize,
    q: u64,
    ring: Ring,
    depth: u32,
    thirds: u32,
    root: u64,
}

impl Transform {
    /// The transform with [`field::root_of_unity`] as ζ; `None` when q is not prime, 2^depth does
    /// not divide n, or q has no root of the order that the depth needs.
    pub fn new(n: usize, q: u64, ring: Ring, depth: u32) -> Option<Self> {
        Self::in_thirds(n, q, ring, depth, 0)
    }

    /// The same with `thirds` layers in thirds; `None` when 3^thirds does not divide n, or there is no
    /// root.
    pub fn in_thirds(n: usize, q: u64, ring: Ring, depth: u32, thirds: u32) -> Option<Self> {
        if n == 0 || depth > n.trailing_zeros() || ring == Ring::Trinomial && depth == 0 {
            return None;
        }
        if !n.is_multiple_of(3_usize.pow(thirds)) {
            return None;
        }
        let root = field::root_of_unity(q, ring.root_order(depth) * 3_u64.pow(thirds))?;
        Some(Self { n, q, ring, depth, thirds, root })
    }

    /// The order of ζ.
    fn order(&self) -> u64 {
        self.ring.root_order(self.depth) * 3_u64.pow(self.thirds)
    }

    /// The complete transform, depth log2 n; `None` when n is not a power of two or there is no
    /// root.
    pub fn complete(n: usize, q: u64, ring: Ring) -> Option<Self> {
        if n.is_power_of_two() { Self::new(n, q, ring, n.trailing_zeros()) } else { None }
    }

    /// The same transform with another ζ; `None` when `root` is not a primitive root of the same
    /// order.
    pub fn with_root(self, root: u64) -> Option<Self> {
        let fits = root < self.q && field::is_primitive_root(root, self.order(), self.q);
        fits.then_some(Self { root, ..self })
    }

    /// ζ.
    pub fn root(&self) -> u64 {
        self.root
    }

    /// 3^t·2^k.
    pub fn slot_count(&self) -> usize {
        3_usize.pow(self.thirds) << self.depth
    }

    /// d, the number of coefficients of a slot.
    pub fn slot_degree(&self) -> usize {
        self.n / self.slot_count()
    }

    /// c_i: slot i is the residue modulo X^d − c_i.
    pub fn constant(&self, slot: usize) -> u64 {
        let exponent = match self.ring {
            Ring::Negacyclic => 2 * slot as u64 + 1,
            Ring::Cyclic => slot as u64,
            Ring::Trinomial => 3 * slot as u64 + 1 + slot as u64 % 2,
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

    /// What [`forward`](Self::forward) gives, by fewer than n·(k + 2t) products in place of n²/d: for
    /// long polynomials.
    ///
    /// With one layer less, which splits in r, slot i mod S/r of S is the residue modulo X^rd − c_i^r,
    /// and so slot i the sum of its r parts times the powers of c_i.
    ///
    /// **Panics** when a has not n coefficients.
    pub fn forward_by_layers(&self, a: &[u64]) -> Vec<u64> {
        assert_eq!(a.len(), self.n, "a polynomial of this ring has n coefficients");
        let halvings = (1..=self.depth).map(|depth| (depth, 0));
        let thirds = (1..=self.thirds).map(|thirds| (self.depth, thirds));
        let mut slots = vec![a.to_vec()];
        for (depth, thirds) in halvings.chain(thirds) {
            let mut layer = Self { depth, thirds, ..self.clone() };
            layer.root = field::pow(self.root, self.order() / layer.order(), self.q);
            let slot = |i: usize| {
                let c = layer.constant(i);
                let parts = slots[i % slots.len()].chunks(layer.slot_degree());
                let sum = |sum: Vec<u64>, part: &[u64]| {
                    part.iter().zip(&sum).map(|(&x, &y)| field::add(x, field::mul(c, y, self.q), self.q)).collect()
                };
                parts.rev().fold(vec![0; layer.slot_degree()], sum)
            };
            slots = (0..layer.slot_count()).map(slot).collect();
        }
        slots.concat()
    }

    /// The polynomial with these residues. **Order**: canonical.
    ///
    /// **Panics** when `a_hat` has not n elements.
    pub fn inverse(&self, a_hat: &[u64]) -> Vec<u64> {
        assert_eq!(a_hat.len(), self.n, "a transformed polynomial has n elements");
        let slots: Vec<usize> = (0..self.slot_count()).collect();
        if self.ring != Ring::Trinomial {
            return self.interpolate(a_hat, &slots);
        }
        let q = self.q;
        let z = field::pow(self.root, self.order() / 6, q);
        let other = field::inverse(z, q).expect("a root of unity has an inverse");
        let half = self.slot_count() as u64 / 2;
        let of = |z| -> Vec<usize> {
            slots.iter().copied().filter(|&slot| field::pow(self.constant(slot), half, q) == z).collect()
        };
        let [u, v] = [z, other].map(|z| self.interpolate(a_hat, &of(z)));
        let by = field::inverse(field::sub(z, other, q), q).expect("z is not its own inverse");
        let hi: Vec<u64> = u.iter().zip(&v).map(|(&u, &v)| field::mul(field::sub(u, v, q), by, q)).collect();
        let lo = u.iter().zip(&hi).map(|(&u, &hi)| field::sub(u, field::mul(z, hi, q), q));
        lo.chain(hi.iter().copied()).collect()
    }

    /// The polynomial of degree below slots·d with these residues in those slots, whose constants
    /// are all the zeros of some Y^slots − z.
    fn interpolate(&self, a_hat: &[u64], slots: &[usize]) -> Vec<u64> {
        let (q, d) = (self.q, self.slot_degree());
        let scale = field::inverse(slots.len() as u64 % q, q).expect("q is 1 modulo it, or it is a power of two");
        let mut a = vec![0; slots.len() * d];
        for &slot in slots {
            let c_inverse = field::inverse(self.constant(slot), q).expect("a root of unity has an inverse");
            let mut factor = scale; // slots^−1·c_i^−t
            for t in 0..slots.len() {
                for j in 0..d {
                    let term = field::mul(factor, a_hat[slot * d + j], q);
                    a[j + d * t] = field::add(a[j + d * t], term, q);
                }
                factor = field::mul(factor, c_inverse, q);
            }
        }
        a
    }

    /// The transform of the inverse of a polynomial, slot by slot; `None` when some slot has none.
    ///
    /// **Panics** when `a_hat` has not n elements.
    pub fn inverses(&self, a_hat: &[u64]) -> Option<Vec<u64>> {
        assert_eq!(a_hat.len(), self.n, "a transformed polynomial has n elements");
        let slots = a_hat.chunks(self.slot_degree()).enumerate();
        let inverses: Option<Vec<_>> = slots.map(|(i, a)| poly::inverse_mod(a, self.constant(i), self.q)).collect();
        Some(inverses?.concat())
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

    const RINGS: [Ring; 3] = Ring::ALL;

    #[test]
    fn every_depth_multiplies_and_returns() {
        let (mut random, mut in_thirds) = (Random(3), 0);
        for q in [17, 73, 257, 3329, 3457, 7681, 12289, 65537, 8380417, 1073479681, 1_152_921_504_606_830_593] {
            for n in [1, 2, 3, 8, 12, 18, 32] {
                for ring in RINGS.into_iter().filter(|ring| *ring != Ring::Trinomial || n % 2 == 0) {
                    let (a, b) = (random.poly(n, q), random.poly(n, q));
                    for (depth, thirds) in
                        (0..=n.trailing_zeros()).flat_map(|depth| [0, 1, 2].map(|thirds| (depth, thirds)))
                    {
                        let Some(transform) = Transform::in_thirds(n, q, ring, depth, thirds) else { continue };
                        in_thirds += (thirds > 0) as u32;
                        let a_hat = transform.forward(&a);
                        assert_eq!(transform.forward_by_layers(&a), a_hat, "{transform:?}");
                        assert_eq!(transform.inverse(&a_hat), a, "{transform:?}");
                        let c_hat = transform.product(&a_hat, &transform.forward(&b));
                        assert_eq!(transform.inverse(&c_hat), ring.product(&a, &b, q));
                    }
                }
            }
        }
        assert!(in_thirds > 30, "{in_thirds}");
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
        let (n, q, depth) = (32, 7681, 3);
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
        // Π (Y − c_i) with Y = X^d is Y^(2^k) ± 1 or Y^(2^k) − Y^(2^(k−1)) + 1: the constants are
        // distinct zeros of it.
        for ring in RINGS {
            let q = 7681;
            let transform = Transform::new(64, q, ring, 6).unwrap();
            let mut constants: Vec<u64> = (0..64).map(|i| transform.constant(i)).collect();
            assert!(constants.iter().all(|&c| {
                let (half, whole) = (field::pow(c, 32, q), field::pow(c, 64, q));
                match ring {
                    Ring::Negacyclic => whole == q - 1,
                    Ring::Cyclic => whole == 1,
                    Ring::Trinomial => field::add(whole, 1, q) == half,
                }
            }));
            constants.sort_unstable();
            constants.dedup();
            assert_eq!(constants.len(), 64);
        }
    }

    #[test]
    fn products_are_residues_of_whole_products() {
        let q = 97;
        // (1 + 2X)(3 + 4X) = 3 + 10X + 8X², and X² = X − 1
        assert_eq!(Ring::Trinomial.product(&[1, 2], &[3, 4], q), [97 - 5, 18]);
        for n in [2, 6, 16] {
            let (a, b) = (Random(n as u64).poly(n, q), Random(9).poly(n, q));
            let whole = poly::whole_product(&a, &b, q);
            for ring in RINGS {
                assert_eq!(ring.product(&a, &b, q), ring.residue(&whole, q));
            }
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
        assert_eq!(Transform::new(12, 7681, Ring::Trinomial, 0), None);
        assert_eq!(Transform::new(12, 3329, Ring::Trinomial, 1), None); // 3 does not divide 3328
        assert_eq!(Transform::new(8, 12288, Ring::Negacyclic, 0), None);
        let transform = Transform::complete(1024, 12289, Ring::Negacyclic).unwrap();
        assert_eq!(transform.root(), 7);
        assert_eq!(transform.clone().with_root(49), None);
        assert_eq!(transform.with_root(343).unwrap().root(), 343);
    }
}
