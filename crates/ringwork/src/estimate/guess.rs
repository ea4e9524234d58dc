//! Guesses of the whole secret of an LWE instance, without a lattice.
//!
//! Sources: all guesses, with a distinguisher on enough samples: Bi, Lu, Luo, Wang, Zhang, *Hybrid dual attack on LWE
//! with arbitrary secrets* (2020), with recursive products: Espitau, Joux, Kharchenko (2020); a meet in the middle that
//! finds near collisions by rounding: Cheon, Hhan, Hong, Son, *A hybrid of dual and meet-in-the-middle attack on sparse
//! and ternary secret LWE* (2019).

use super::{
    Attack, Error, Lwe, Shape,
    cost::{log2_ceil, repetitions},
    search::{AttackCost, Instance},
};
use core::f64::consts::{E, LN_2, PI};

impl Lwe {
    /// All guesses of the secret, for 99 %.
    ///
    /// **Errors** for numbers out of range, and if there are too few samples to tell a right guess from a wrong one.
    pub fn exhaustive(&self) -> Result<AttackCost, Error> {
        let instance = Instance::of_lwe(self)?;
        let probability = 0.99_f64.sqrt();
        let log2_size = log2_ceil(log2_values(instance.secret.shape, instance.n) + probability.log2());
        let sigma = (instance.error.deviation.ln() - instance.ln_q).exp();
        let factor = log2_size * LN_2 - (-probability.ln()).ln();
        let log2_samples = 3.0 + (2.0 * PI * sigma).powi(2) / LN_2 + factor.log2();
        if log2_samples.is_nan() || log2_samples > instance.samples.log2().min(1e4) {
            return Err(Error::OutOfReach(Attack::Search));
        }
        let mem = log2_size + log2_samples;
        Ok(AttackCost {
            rop: mem + 1.0,
            red: f64::NEG_INFINITY,
            guess: mem + 1.0,
            mem,
            samples: log2_samples,
            zeta: instance.n,
            tag: "exhaustive",
            ..AttackCost::NEVER
        })
    }

    /// A meet in the middle: a table of one half of the secret, and near collisions with the other, for 99 %.
    ///
    /// [`search`](Self::search) leaves out how many samples that takes, and that halves need to have half of the
    /// weight.
    ///
    /// **Errors** for numbers out of range, for errors as wide as the modulus, and if there are too few samples.
    pub fn meet(&self) -> Result<AttackCost, Error> {
        let instance = Instance::of_lwe(self)?;
        let (n, secret) = (instance.n as f64, instance.secret);
        let (noise, noise_chance) = range(instance.error.shape);
        let (values, value_chance) = range(secret.shape);
        let part = (noise.ln() - instance.ln_q).exp();
        let never = Error::OutOfReach(Attack::Search);
        if part >= 1.0 {
            return Err(never);
        }
        let share = 2.0 - part;
        let k = (n / share).round_ties_even();
        let (mut log2_split, mut log2_table) = (0.0, k * values.log2());
        if secret.shape.is_sparse(secret.count) {
            let h = (secret.shape.weight(secret.count).min(instance.n) as f64).max(1.0);
            log2_split = log2_balanced(secret.shape, instance.n, k as usize);
            log2_table = h * (n.log2() - h.log2() + (values - 1.0).log2() + E.log2()) / share
                - h.log2() / 2.0
                - h * h * E.log2() / (2.0 * n * share * share);
        }
        let samples = (log2_table + log2_table.max(1.0).log2()).round_ties_even().max(1.0);
        if samples > instance.samples {
            return Err(never);
        }
        let log2_chance = n * value_chance.log2() + samples * noise_chance.log2() + log2_split;
        let once = AttackCost {
            rop: samples,
            red: f64::NEG_INFINITY,
            guess: samples,
            mem: log2_table.max(0.0) + samples.log2(),
            samples: samples.log2(),
            zeta: k as usize,
            tag: "meet in the middle",
            ..AttackCost::NEVER
        };
        let found = once.repeated(repetitions(log2_chance));
        if found.rop < f64::INFINITY { Ok(found) } else { Err(never) }
    }
}

/// The number of values of a coefficient that matter, and their probability.
fn range(shape: Shape) -> (f64, f64) {
    let gaussian = matches!(shape, Shape::Gaussian(_) | Shape::GaussianAt { .. });
    (shape.values(), if gaussian { 1.0 - 2.0 * (-4.0 * PI).exp() } else { 1.0 })
}

/// log2 of the number of values of a secret that matter: for a Gaussian, those that hold 99.5 % of secrets.
fn log2_values(shape: Shape, n: usize) -> f64 {
    match shape {
        Shape::Gaussian(sigma) | Shape::GaussianAt { deviation: sigma, .. } => {
            // Two parts in 400 n lie beyond `t σ √2π`.
            let t = ((400.0 * n as f64).ln() / PI).sqrt().max(2.0);
            n as f64 * (2.0 * (2.0 * t * sigma * (2.0 * PI).sqrt() + 1.0) + 1.0).log2()
        }
        _ => shape.log2_support(n),
    }
}

/// log2 of the probability that the first `k` of `n` coefficients have their share of the weight.
fn log2_balanced(shape: Shape, n: usize, k: usize) -> f64 {
    let share = |count: usize, of: usize, in_all: usize| {
        let share = (count as u128 * of as u128).checked_div(in_all as u128).unwrap_or(0);
        usize::try_from(share).unwrap_or(usize::MAX).min(of)
    };
    let (k, weight) = (k.min(n), shape.weight(n).min(n));
    let first = share(k, weight, n);
    let (left, right, all) = match shape {
        Shape::Counts { plus, minus } => {
            let p = share(first, plus, weight);
            let m = first - p.min(first);
            let counts = |plus: usize, minus: usize| Shape::Counts { plus, minus };
            (counts(p, m), counts(plus - p, minus.saturating_sub(m)), shape)
        }
        _ => (Shape::Weight(first), Shape::Weight(weight - first), Shape::Weight(weight)),
    };
    left.log2_support(k) + right.log2_support(n - k) - all.log2_support(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Modulus;

    /// Examples of the lattice-estimator: `exhaustive_search` and `mitm`.
    #[test]
    fn guesses_are_those_of_the_lattice_estimator() {
        let q = Modulus::Log2(40.0);
        let error = Shape::Gaussian(3.2);
        let binary = Lwe { n: 64, q, secret: Shape::Binary, error, samples: None };
        let sparse = Lwe { n: 1024, secret: Shape::Counts { plus: 32, minus: 32 }, ..binary };
        for (lwe, all, met, mem) in [(binary, 73.6, 37.0, 37.2), (sparse, 413.9, 217.8, 210.2)] {
            let (exhaustive, meet) = (lwe.exhaustive().unwrap(), lwe.meet().unwrap());
            assert!((exhaustive.rop - all).abs() < 0.06 && (exhaustive.mem - all + 1.0).abs() < 0.06, "{exhaustive:?}");
            assert!((meet.rop - met).abs() < 0.06 && (meet.mem - mem).abs() < 0.06, "{meet:?}");
        }
        let few = Lwe { samples: Some(20), ..binary };
        assert!(few.exhaustive().is_err() && few.meet().is_err());
    }
}
