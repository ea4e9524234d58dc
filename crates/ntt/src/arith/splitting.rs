//! The splitting of rings, and bounds below which their elements are invertible.

use super::{Modulus, two_adicity};
use alloc::{vec, vec::Vec};

/// The factorisation of `X^n + 1`, `X^n - 1` or `X^n - X^(n/2) + 1` modulo a prime.
///
/// A transform splits a ring as far as the roots of unity allow, or less; this type describes how
/// far the ring splits in principle. Schemes that divide by small elements (commitments, proofs of
/// opening) need a ring with few factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splitting {
    /// Number of distinct irreducible factors.
    pub factors: u64,
    /// The multiplicity of each factor, the same for all: the polynomial is square-free if this is
    /// 1.
    pub multiplicity: u64,
    /// Bounds below which every non-zero element is invertible, if the theorem gives non-trivial
    /// bounds.
    pub invertible: Option<Invertible>,
}

/// A non-zero element within one of these bounds is invertible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invertible {
    /// Bound on the largest absolute value of a coefficient.
    pub max_norm: u64,
    /// Bound on the sum of the squares of the coefficients.
    pub squared_norm: u64,
}

impl Splitting {
    /// The splitting of `X^n + 1`, whose zeros are those of `X^2n - 1` without those of `X^n - 1`.
    ///
    /// For a power of two `n` and `q ≡ 2δ + 1 (mod 4δ)`, `1 < δ ≤ n`, there are `δ` irreducible
    /// factors, and every non-zero `y` with `‖y‖_∞ < q^(1/δ)/√δ` or `‖y‖_2 < q^(1/δ)` is
    /// invertible.
    ///
    /// Source: Lyubashevsky and Seiler, *Short, invertible elements in partially splitting
    /// cyclotomic rings* (2018), corollary 1.2. For `q ≡ 3 (mod 4)`, which the corollary leaves
    /// out, only the factors are counted.
    pub fn negacyclic(n: u64, q: Modulus) -> Self {
        let [all, others] = [2 * n, n].map(|n| Self::cyclic(n, q));
        Self {
            factors: all.factors - others.factors,
            invertible: if n.is_power_of_two() { invertible(n, q) } else { None },
            ..all
        }
    }

    /// The splitting of `X^n - 1`, the product of the cyclotomic polynomials of all `d` that divide
    /// `n`; that of `d` has `φ(d)/r` factors, where `r` is the order of `q` modulo `d`.
    pub fn cyclic(mut n: u64, q: Modulus) -> Self {
        let mut multiplicity = 1;
        while n.is_multiple_of(q.get()) {
            n /= q.get(); // X^qn - 1 = (X^n - 1)^q
            multiplicity *= q.get();
        }
        // The divisors as products of prime powers, each with its φ.
        let mut divisors = vec![(1, 1)];
        for (p, exponent) in factors(n) {
            let of_smaller = divisors.clone();
            for e in 1..=exponent {
                divisors.extend(of_smaller.iter().map(|(d, phi)| (d * p.pow(e), phi * (p - 1) * p.pow(e - 1))));
            }
        }
        Self {
            factors: divisors.into_iter().map(|(d, phi)| phi / order_modulo(q.get(), d, phi)).sum(),
            multiplicity,
            invertible: None,
        }
    }

    /// The splitting of `X^n - X^(n/2) + 1 = (X^(3n/2) + 1)/(X^(n/2) + 1)`, `n` even, `q` not 3.
    pub fn trinomial(n: u64, q: Modulus) -> Self {
        let [all, others] = [3 * n / 2, n / 2].map(|n| Self::negacyclic(n, q));
        Self { factors: all.factors - others.factors, invertible: None, ..all }
    }
}

/// The bounds of [`Splitting::negacyclic`].
fn invertible(n: u64, q: Modulus) -> Option<Invertible> {
    let twos = two_adicity(q.get());
    let delta = n.min(1 << (twos - 1));
    let scaled = |x: u64| u128::from(x).pow(2).checked_mul(delta.into());
    let max_norm = largest(|x| scaled(x).is_some_and(|x| power_is_below(x, delta, q)));
    let squared_norm = largest(|x| power_is_below(x.into(), delta, q));
    // X^i has squared norm one.
    (twos >= 2 && delta > 1 && squared_norm > 1).then_some(Invertible { max_norm, squared_norm })
}

/// The prime factors of `n` with their exponents.
fn factors(mut n: u64) -> Vec<(u64, u32)> {
    let (mut found, mut p) = (Vec::new(), 2);
    while n > 1 {
        if p * p > n {
            p = n;
        }
        let mut exponent = 0;
        while n.is_multiple_of(p) {
            n /= p;
            exponent += 1;
        }
        if exponent > 0 {
            found.push((p, exponent));
        }
        p += 1;
    }
    found
}

/// The order of `q` modulo `d`, which divides `φ(d)`.
fn order_modulo(q: u64, d: u64, phi: u64) -> u64 {
    let power = |mut e: u64| {
        let (mut base, mut power) = (u128::from(q % d), 1 % u128::from(d));
        while e != 0 {
            if e & 1 == 1 {
                power = power * base % u128::from(d);
            }
            base = base * base % u128::from(d);
            e >>= 1;
        }
        power
    };
    let mut order = phi;
    for (p, exponent) in factors(phi) {
        for _ in 0..exponent {
            if power(order / p) == 1 % u128::from(d) {
                order /= p;
            }
        }
    }
    order
}

/// `x^delta < q^2`.
fn power_is_below(x: u128, delta: u64, q: Modulus) -> bool {
    let limit = u128::from(q.get()).pow(2);
    let mut power = 1_u128;
    for _ in 0..delta {
        match power.checked_mul(x) {
            Some(p) if p < limit => power = p,
            _ => return false,
        }
        if power <= 1 {
            return true; // 0 and 1 stay
        }
    }
    true
}

/// The largest `x` below 2^63 that satisfies a monotone condition; 0 satisfies it.
fn largest(admits: impl Fn(u64) -> bool) -> u64 {
    (0..63).rev().fold(0, |x, bit| if admits(x | 1 << bit) { x | 1 << bit } else { x })
}
