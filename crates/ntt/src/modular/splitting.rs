//! How a ring splits, and which of its elements are surely invertible.

use super::{Modulus, two_adicity};

/// The factorisation of `X^n + 1` or `X^n - 1` modulo a prime, for a power of two `n`.
///
/// A transform splits a ring as far as the roots of unity allow, or less; this says how far it splits in truth. Schemes
/// that divide by small elements (commitments, proofs of opening) need a ring of few factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splitting {
    /// Number of irreducible factors.
    pub factors: u64,
    /// Bounds below which every non-zero element is invertible, where the theorem gives one that is not empty.
    pub invertible: Option<Invertible>,
}

/// A non-zero element that keeps one of these bounds is invertible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invertible {
    /// Of the largest absolute value of a coefficient.
    pub max_norm: u64,
    /// Of the sum of the squares of the coefficients.
    pub squared_norm: u64,
}

impl Splitting {
    /// Of `X^n + 1`, `n` a power of two.
    ///
    /// With `q ≡ 2δ + 1 (mod 4δ)`, `1 < δ ≤ n`, it has `δ` irreducible factors, and every non-zero `y` with
    /// `‖y‖_∞ < q^(1/δ)/√δ` or `‖y‖_2 < q^(1/δ)` is invertible.
    ///
    /// Source: Lyubashevsky and Seiler, *Short, invertible elements in partially splitting cyclotomic rings* (2018),
    /// corollary 1.2. For `q ≡ 3 (mod 4)`, which it leaves out, only the factors are counted.
    pub fn negacyclic(n: u64, q: Modulus) -> Self {
        assert!(n.is_power_of_two(), "n = {n} is not a power of two");
        let twos = two_adicity(q.get());
        if twos < 2 {
            return Self { factors: n / order_modulo(q, 2 * n), invertible: None };
        }
        let delta = n.min(1 << (twos - 1));
        let scaled = |x: u64| u128::from(x).pow(2).checked_mul(delta.into());
        let max_norm = largest(|x| scaled(x).is_some_and(|x| power_is_below(x, delta, q)));
        let squared_norm = largest(|x| power_is_below(x.into(), delta, q));
        // A squared norm of one is that of X^i.
        let says_something = delta > 1 && squared_norm > 1;
        Self { factors: delta, invertible: says_something.then_some(Invertible { max_norm, squared_norm }) }
    }

    /// Of `X^n - 1 = (X - 1)(X + 1)(X^2 + 1)…(X^(n/2) + 1)`, `n` a power of two.
    pub fn cyclic(n: u64, q: Modulus) -> Self {
        assert!(n.is_power_of_two(), "n = {n} is not a power of two");
        let parts = (0..n.ilog2()).map(|i| Self::negacyclic(1 << i, q).factors);
        Self { factors: 1 + parts.sum::<u64>(), invertible: None }
    }
}

/// The order of `q` modulo a power of two.
fn order_modulo(q: Modulus, modulus: u64) -> u64 {
    let mask = modulus - 1;
    let (mut power, mut order) = (q.get() & mask, 1);
    while power != 1 & mask {
        power = power.wrapping_mul(power) & mask; // orders modulo a power of two are powers of two
        order *= 2;
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

/// The largest `x` below 2^63 that a monotone condition admits; it admits 0.
fn largest(admits: impl Fn(u64) -> bool) -> u64 {
    (0..63).rev().fold(0, |x, bit| if admits(x | 1 << bit) { x | 1 << bit } else { x })
}
