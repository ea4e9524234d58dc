//! The algebraic attack on LWE with narrow errors: each sample is an equation that has the secret for a root.
//!
//! If errors lie in `d` values, the product over all of them is an equation of degree `d` in the secret; coefficients
//! of a narrow secret have equations of their own. A Gröbner basis of all of them costs linear algebra on all monomials
//! up to the *degree of regularity*: the first coefficient of `∏ (1 - z^d)^m / (1 - z)^n` that is not positive.
//!
//! Source: Arora, Ge, *New algorithms for learning in presence of errors* (2011); Albrecht, Cid, Faugère, Perret,
//! *Algebraic algorithms for LWE* (2014). Linear algebra has exponent 2. **Left out:** guesses of coefficients, and
//! degrees beyond [`MOST_TERMS`].
//!
//! **Accuracy:** the series is summed in `f64`; where it nearly vanishes, the degree may be off by one.

use super::{
    Attack, Error, Lwe, Shape,
    search::{AttackCost, Instance},
    special::log2_binomial,
};
use core::f64::consts::{LN_2, PI};

/// The largest degree.
const MOST_TERMS: usize = 1024;

impl Lwe {
    /// The cheapest equations: with all errors, or with those up to a bound that enough samples have.
    ///
    /// [`AttackCost::eta`] is the degree of regularity, `zeta` the largest error of an equation.
    ///
    /// **Errors** for numbers out of range, and if no degree up to 1024 is enough.
    pub fn arora_gb(&self) -> Result<AttackCost, Error> {
        let instance = Instance::of_lwe(self)?;
        let Instance { n, secret, error, samples, .. } = instance;
        let (n_, log2_samples) = (n as f64, samples.log2());
        let mut equations = Vec::new();
        if secret.deviation <= error.deviation {
            let (low, high) = secret.shape.bounds();
            let values = if high < f64::INFINITY { high - low } else { 2.0 * (3.0 * secret.deviation).ceil() };
            equations.push((values + 1.0, n_.log2()));
        }
        let with = |d: f64, log2_count: f64, bound: f64| {
            let all = [&equations[..], &[(d, log2_count)]].concat();
            let Some(degree) = regularity(n_, &all) else { return AttackCost::NEVER };
            let log2_monomials = log2_binomial(n_ + degree as f64, degree as f64);
            AttackCost {
                tag: "arora-gb",
                rop: 2.0 * log2_monomials,
                red: f64::NEG_INFINITY,
                mem: 2.0 * log2_monomials,
                samples: log2_count.min(log2_monomials.max(0.0)),
                eta: degree,
                zeta: bound as usize,
                ..AttackCost::NEVER
            }
        };
        let (low, high) = error.shape.bounds();
        let mut best = AttackCost::NEVER;
        if high < f64::INFINITY {
            let d = high - low + 1.0;
            best = with(d, log2_samples.min(d * n_.log2()), (high - low) / 2.0);
        }
        if matches!(error.shape, Shape::Gaussian(_) | Shape::GaussianAt { .. } | Shape::Binomial(_)) {
            let (mut least, mut stuck) = (AttackCost::NEVER, 0);
            // A larger bound has more samples, of a larger degree; large degrees in many variables cost too much.
            let bounds = if n > 4096 { 48 } else { 256 };
            for t in (error.deviation.ceil() as usize..n.min(MOST_TERMS)).take(bounds) {
                let bound = t as f64 / error.deviation;
                // As many samples as have no error beyond the bound with 99 %.
                let ln_beyond = LN_2 - (bound * (2.0 * PI).sqrt()).ln() - bound * bound / 2.0;
                let log2_count = ((-0.99_f64.ln()).ln() - ln_beyond) / LN_2;
                if bound < 1.0 || log2_count < 0.0 {
                    continue;
                }
                if log2_count > log2_samples {
                    break;
                }
                let found = with(2.0 * t as f64 + 1.0, log2_count, t as f64);
                if found.rop < least.rop {
                    (least, stuck) = (found, 0);
                } else if least.rop < f64::INFINITY {
                    stuck += 1;
                    if stuck >= 5 {
                        break;
                    }
                }
            }
            best = best.min(least);
        }
        if best.rop < f64::INFINITY { Ok(best) } else { Err(Error::OutOfReach(Attack::Algebraic)) }
    }
}

/// The first coefficient of the series that is negative, for `2^count` equations of each degree in `n` variables.
fn regularity(n: f64, equations: &[(f64, f64)]) -> Option<usize> {
    // From the logarithmic derivative: k s_k = Σ c_j s_(k-j), c_j = n - Σ d 2^count over degrees that divide j.
    let last = MOST_TERMS.min(2 * n as usize);
    let mut factors = vec![n; last + 1];
    for &(d, log2_count) in equations {
        if d < 2.0 || d > last as f64 {
            continue;
        }
        let count = d * log2_count.min(900.0).exp2();
        factors.iter_mut().step_by(d as usize).for_each(|factor| *factor -= count);
    }
    let mut series: Vec<f64> = vec![1.0];
    for k in 1..last {
        let sum: f64 = (1..=k).map(|j| factors[j] * series[k - j]).sum();
        if sum < 0.0 {
            return Some(k);
        }
        series.push(sum / k as f64);
        if sum > 1e100 {
            series.iter_mut().for_each(|term| *term *= 1e-100);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Modulus;

    /// Examples of the lattice-estimator: `gb_cost`, `LWE.arora_gb`.
    #[test]
    fn degrees_are_those_of_the_lattice_estimator() {
        assert_eq!(regularity(128.0, &[(2.0, 8.0)]), Some(17));
        let wide = Shape::Gaussian(3.0);
        let lwe = Lwe { n: 64, q: Modulus::Integer(7681.0), secret: wide, error: wide, samples: None };
        // 2^282.6 with 2^120 samples.
        let all = lwe.arora_gb().unwrap();
        println!("{all:?}");
        assert!(all.rop < 282.7 && all.samples > 100.0, "{all:?}");
        let narrow = Shape::Binomial(4);
        for (secret, error, degree, bits) in
            [(Shape::Interval(-2, 2), narrow, 54, 227.2), (Shape::TERNARY, narrow, 39, 189.9)]
        {
            let found = Lwe { secret, error, samples: Some(1024), ..lwe }.arora_gb().unwrap();
            assert!(found.eta == degree && (found.rop - bits).abs() < 0.1, "{found:?}");
        }
        let found = Lwe { error: Shape::Interval(-3, 3), samples: None, ..lwe }.arora_gb().unwrap();
        assert!(found.eta == 7 && (found.rop - 60.6).abs() < 0.1, "{found:?}");
    }
}
