//! Wide Gaussians as sums of narrow ones: `x = x_0 + k_1·x_1 + … + k_t·x_t`, all `x_i` from
//! D_{Z,s}.
//!
//! **Lemma.** Let `y` be from D_{Z,a} and `x` from D_{Z,s}, independent, `k ≥ 1`,
//! `b = √(a² + k²s²)`, `c = as/b`, and `ε = 2·Σ_{j≥1} e^(-2π²c²j²) < 1`. Then `y + kx` is within
//! statistical distance `ε/(1 - ε)` of D_{Z,b}.
//!
//! *Proof.* Write ρ_a(v) = e^(-v²/2a²). The probability of `v` is proportional to
//! `Σ_x ρ_a(v - kx)·ρ_s(x) = ρ_b(v)·Σ_x ρ_c(x - kvs²/b²)`, by completing the square. By Poisson
//! summation the last sum is `c√(2π)·(1 + δ)` with `|δ| ≤ ε`, wherever its centre. So the
//! probability of `v` divided by that of D_{Z,b} is between `(1 - ε)/(1 + ε)` and
//! `(1 + ε)/(1 - ε)`, and the distance is at most half of `(1 + ε)/(1 - ε) - 1`. ∎
//!
//! The distances of the terms add up. With `v_i = 1 + k_1² + … + k_i²` the deviation after term `i`
//! is `s·√v_i`, so `c² = s²·v_{i-1}/v_i`, and the goal `s·√v_t = sigma` fixes `s² = sigma²/v_t`
//! exactly.
//!
//! The lemma is the one-dimensional case of Peikert, *An efficient and parallel Gaussian sampler
//! for lattices* (2010), theorem 3.1, and Micciancio and Peikert, *Hardness of SIS and LWE with
//! small parameters* (2013), theorem 3.3; sampling this way is due to Pöppelmann, Ducas and Güneysu
//! (2014), section 4.

use core::f64::consts::{LOG2_E, PI};

/// log2 of the largest ε allowed for a term.
const EPSILON_LOG2: f64 = -96.0;
/// Columns of a table per unit of deviation: the tail is below 2^-97.
const COLUMNS_PER_DEVIATION: f64 = 11.5;
/// Possible numbers of columns of a table. The smallest table takes half the time of the largest,
/// so a second term never pays off.
pub(super) const TABLES: [usize; 4] = [32, 64, 128, 256];

/// A recipe for drawing a Gaussian.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Convolution {
    /// Columns of the base table.
    pub(super) columns: usize,
    /// 1, k_1, …, k_t.
    pub(super) multipliers: Vec<i32>,
    /// v_t, the sum of their squares.
    pub(super) divisor: u64,
    /// log2 of ε of each term but the first.
    pub(super) epsilons_log2: Vec<f64>,
}

impl Convolution {
    /// The convolution with the fewest terms, then the smallest table; one exists for every `sigma`
    /// up to 2^16.
    pub(super) fn of(sigma: f64) -> Option<Self> {
        (1..=5).find_map(|terms| TABLES.iter().find_map(|&columns| Self::with(sigma, columns, terms)))
    }

    fn with(sigma: f64, columns: usize, terms: usize) -> Option<Self> {
        let largest = columns as f64 / COLUMNS_PER_DEVIATION;
        if terms == 1 {
            return (sigma <= largest).then(|| Self::checked(sigma, columns, vec![1])).flatten();
        }
        // Guess the base from the largest down: all multipliers but the last are as large as the
        // guess allows; the last is the smallest that keeps the base at or below the guess.
        (0..60).map(|i| largest * (1.0 - 0.01 * f64::from(i))).find_map(|guess| {
            let mut multipliers = vec![1];
            let mut squares = 1.0;
            for _ in 2..terms {
                let k = (squares * (guess.powi(2) / least_square() - 1.0)).max(0.0).sqrt().floor();
                multipliers.push(k as i32);
                squares += k * k;
            }
            let k = ((sigma / guess).powi(2) - squares).max(1.0).sqrt().ceil();
            multipliers.push(k as i32);
            (k < 1e6).then(|| Self::checked(sigma, columns, multipliers)).flatten()
        })
    }

    /// The convolution with these multipliers, if the lemma applies to each of them and the base
    /// fits the table.
    fn checked(sigma: f64, columns: usize, multipliers: Vec<i32>) -> Option<Self> {
        let mut divisor = 1;
        let mut variances = Vec::new(); // v_0, v_1, …
        for &k in &multipliers[1..] {
            variances.push(divisor as f64);
            divisor += u64::from(k.unsigned_abs()).pow(2);
        }
        variances.push(divisor as f64);
        let base = sigma.powi(2) / divisor as f64;
        let epsilons_log2: Vec<f64> = variances.windows(2).map(|v| epsilon_log2(base * v[0] / v[1])).collect();
        let valid = epsilons_log2.iter().all(|&e| e <= EPSILON_LOG2) && multipliers.iter().all(|&k| k >= 1);
        let fits = base.sqrt() * COLUMNS_PER_DEVIATION <= columns as f64;
        (valid && fits).then_some(Self { columns, multipliers, divisor, epsilons_log2 })
    }
}

/// log2 of ε for `c²`: the first term of the sum; the others, below 2^-280 of it, are within the
/// rounding.
fn epsilon_log2(c_square: f64) -> f64 {
    (1.0 - 2.0 * PI * PI * c_square * LOG2_E) + 1e-6
}

/// The smallest `c²` that [`EPSILON_LOG2`] allows.
fn least_square() -> f64 {
    (1.0 + 1e-6 - EPSILON_LOG2) / (2.0 * PI * PI * LOG2_E)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every deviation has a convolution that satisfies the conditions, checked against the
    /// formulas once more.
    #[test]
    fn every_deviation_has_a_convolution() {
        let mut sigma = 1e-3;
        let mut most = 0;
        while sigma <= 65536.0 {
            let plan = Convolution::of(sigma).unwrap_or_else(|| panic!("sigma = {sigma}"));
            let squares: u64 = plan.multipliers.iter().map(|&k| (i64::from(k) * i64::from(k)) as u64).sum();
            assert_eq!((plan.divisor, plan.multipliers[0]), (squares, 1));
            let base = sigma / (squares as f64).sqrt();
            assert!(base * 11.5 <= plan.columns as f64 + 1e-9, "sigma = {sigma}: {plan:?}");
            let mut before = base;
            for (&k, &stated) in plan.multipliers[1..].iter().zip(&plan.epsilons_log2) {
                let after = before.hypot(f64::from(k) * base);
                let epsilon_log2 = 1.0 - 2.0 * (PI * before * base / after).powi(2) / 2_f64.ln();
                assert!(epsilon_log2 <= stated && epsilon_log2 > stated - 1e-3, "{sigma}: {plan:?}");
                assert!(epsilon_log2 <= -96.0);
                before = after;
            }
            assert!((before / sigma - 1.0).abs() < 1e-12);
            most = most.max(plan.multipliers.len());
            sigma *= 1.0007;
        }
        assert_eq!(most, 5);
        assert_eq!(Convolution::of(65536.0).map(|plan| plan.multipliers.len()), Some(5));
    }

    #[test]
    fn known_deviations_take_few_terms() {
        for (sigma, columns, terms) in [
            (0.5, 32, 1),
            (4.516, 64, 1),
            (4.859, 64, 1),
            (11.0, 128, 1),
            (22.0, 256, 1),
            (50.0, 128, 2),
            (60.0, 256, 2),
            (215.0, 256, 2),
        ] {
            let plan = Convolution::of(sigma).unwrap();
            assert_eq!((plan.columns, plan.multipliers.len()), (columns, terms), "sigma = {sigma}");
        }
        assert_eq!(Convolution::of(22000.0).unwrap().multipliers.len(), 4);
    }
}
