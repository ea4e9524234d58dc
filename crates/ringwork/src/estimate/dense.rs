//! The dense sublattice of an NTRU key: all multiples of `(f, g)`, which BKZ meets before `(f, g)` itself if the
//! modulus is large for the degree, *overstretched*.
//!
//! BKZ-β finds a vector of the sublattice at position `i` if a random vector of its intersection with the first
//! dimensions, projected to the block that ends there, is shorter than `b*_i`. Its volume follows from that of the
//! sublattice, dimension by dimension; the chances of all positions and tours, from β = 2 on, give an average β.
//!
//! Source: Kirchner, Fouque, *Revisiting lattice attacks on overstretched NTRU parameters* (2017); Ducas, van Woerden,
//! *NTRU fatigue: how stretched is overstretched?* (2021), sections 3 to 5.

use super::{
    Attack, CostModel, Error, Estimate, Ntru, Reduction,
    profile::{Basis, Form, Profile, ln_projected},
    search::{AttackCost, Instance},
    special::{chi_squared, digamma, ln_ball, zeta_slope},
};
use core::f64::consts::LN_2;

/// The most coefficients for which [`Ntru::dense_sublattice`] has an answer: its time is quadratic.
pub const MOST_DENSE: usize = 10_000;

/// What an NTRU key is, for the volume of its dense sublattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtruLattice {
    /// Random matrices.
    Matrix,
    /// Polynomials modulo `xⁿ ± 1`.
    Circulant,
}

impl NtruLattice {
    /// The logarithm of the expected volume of the dense sublattice, for coefficients of deviation σ.
    fn ln_volume(self, n: usize, ln_sigma: f64) -> f64 {
        let n_ = n as f64;
        match self {
            Self::Matrix => {
                let lost: f64 = (0..n).map(|i| digamma(n_ - i as f64 / 2.0) - digamma(n_)).sum();
                (n_ * (2.0 * ln_sigma + LN_2 + digamma(n_)) + lost) / 2.0
            }
            Self::Circulant => {
                // Squares of the Fourier coefficients: one is real, the others complex.
                const EULER: f64 = 0.577_215_664_901_532_9;
                let each = 2.0 * ln_sigma + n_.ln() - EULER;
                (each + LN_2) / 2.0 + (n_ - 1.0) * (each + 1.0) / 2.0
            }
        }
    }
}

impl Ntru {
    /// The dense sublattice, for keys that are polynomials, with the vectors `q` of the basis in view
    /// ([`Form::Zgsa`]): see [`dense_sublattice`](Self::dense_sublattice), and its errors.
    pub fn dense(&self) -> Result<Estimate, Error> {
        let models = Reduction { cost: CostModel::Adps16, form: Form::Zgsa };
        let found = self.dense_sublattice(NtruLattice::Circulant, models)?;
        Ok(Estimate::of_beta(Attack::Dense, found.beta, 2 * self.n))
    }

    /// The dense sublattice. Keys of which `f` is narrower than `g` are stretched, as for the other attacks.
    ///
    /// The geometric series has no vectors `q`, where BKZ meets the sublattice: take [`Form::Zgsa`].
    ///
    /// **Errors** for numbers out of range, for more than [`MOST_DENSE`] coefficients, for the simulator (in quadratic
    /// time for each of `n` block sizes) beyond 512 coefficients, and if no block size up to `n` is likely to find
    /// it: then the key is not overstretched.
    pub fn dense_sublattice(&self, kind: NtruLattice, models: Reduction) -> Result<AttackCost, Error> {
        let instance = Instance::of_ntru(self)?;
        let most = if models.form == Form::Cn11 { 512 } else { MOST_DENSE };
        if instance.n > most {
            return Err(Error::Unmodelled("dense sublattices of so many coefficients"));
        }
        let dense = Dense::new(&instance, kind);
        let n = instance.n;
        let (mut missed, mut average, mut last) = (1.0, 0.0, n);
        let chance_of = |beta| {
            let ln_missed = dense.ln_missed(beta, models.form);
            if -ln_missed.exp_m1() > 1e-7 { ln_missed } else { 0.0 }
        };
        // Small blocks have no chance: the first that have, to a few.
        let least = (2..n).step_by(8).find(|&beta| chance_of(beta) < 0.0).unwrap_or(n);
        for beta in least.saturating_sub(8).max(2)..n {
            let ln_missed = chance_of(beta);
            if ln_missed == 0.0 {
                continue;
            }
            let tours = ((n * n).checked_div(beta * beta).unwrap_or(0) + 3) as f64;
            let still = missed * (ln_missed * tours).exp();
            average += beta as f64 * (missed - still);
            missed = still;
            if missed < 0.001 {
                last = beta;
                break;
            }
        }
        if missed > 0.5 {
            return Err(Error::OutOfReach(Attack::Dense));
        }
        // What is left is found by the last block, or by the largest.
        average += missed * last as f64;
        let beta = (average.round() as usize).max(2);
        let found = AttackCost::of_reduction("dsd", models.cost.bkz_real(average, 2.0 * n as f64), beta, 2 * n);
        Ok(found.of_form(models.form))
    }
}

/// What the chances of all block sizes share.
struct Dense<'a> {
    instance: &'a Instance,
    /// The logarithm of the volume of the sublattice.
    ln_volume: f64,
    /// By dimension of the intersection: what the logarithm of its volume gains from the next larger one.
    gains: Vec<f64>,
    /// By dimension: `ln` of the shortest vector at volume 1.
    shortest: Vec<f64>,
}

impl<'a> Dense<'a> {
    fn new(instance: &'a Instance, kind: NtruLattice) -> Self {
        let n = instance.n;
        // An intersection with one dimension less is a projection of the dual, by a primitive vector.
        let gain = |i: usize| ln_projected((n + i + 1) as f64, n as f64) + zeta_slope(i as f64 + 1.0);
        Self {
            instance,
            ln_volume: kind.ln_volume(n, instance.error.deviation.ln()),
            gains: (0..n).map(|i| if i == 0 { 0.0 } else { gain(i) }).collect(),
            shortest: (0..=n).map(ln_shortest).collect(),
        }
    }

    /// `ln` of the probability that one tour of BKZ-`beta` misses the sublattice.
    fn ln_missed(&self, beta: usize, form: Form) -> f64 {
        let Instance { n, ln_q, .. } = *self.instance;
        let basis = Basis { d: 2 * n, n, ln_q, ln_xi: self.instance.stretch().ln(), ln_tau: None };
        let reduced = basis.reduced(form, beta);
        let least = least_square(beta as f64).ln();
        let (mut ln_missed, mut ln_volume) = (0.0, self.ln_volume);
        // The intersection with the first n + i dimensions has dimension i.
        for i in (1..=n).rev() {
            let s = n + i;
            if i < n {
                ln_volume += self.gains[i] - reduced.at(s);
            }
            let ln_length = self.shortest[i] + ln_volume / i as f64;
            // The square of a coordinate of that vector.
            let ln_square = 2.0 * ln_length - (s as f64).ln();
            let ln_most = 2.0 * reduced.at(s - beta) - ln_square;
            if ln_square > 23.0 || ln_most < least {
                continue;
            }
            // For small blocks, which cost next to nothing, some positions stand for all.
            let each = if beta <= 20 { n.div_ceil(64) } else { 1 };
            if !i.is_multiple_of(each) {
                continue;
            }
            let mut chance = chi_squared(beta as f64, ln_most.exp());
            if chance > 1e-7 && beta <= 20 {
                chance *= pulled_back(&reduced, s, beta, ln_square, chance);
            }
            if chance > 1e-7 {
                ln_missed += each as f64 * (-chance.min(1.0 - 1e-12)).ln_1p();
                if ln_missed < -40.0 {
                    break;
                }
            }
        }
        ln_missed
    }
}

/// The chance that small blocks bring a vector that ends before `s` from position `s - β` to the first one, block by
/// block.
fn pulled_back(reduced: &Profile, s: usize, beta: usize, ln_square: f64, found: f64) -> f64 {
    let mut chance = 1.0;
    for j in 2.. {
        let Some(at) = s.checked_sub(j * (beta - 1) + 1).filter(|_| j * beta <= s) else { break };
        if chance * found < 1e-6 {
            return 0.0;
        }
        let square = |i: usize| (2.0 * reduced.at(i) - ln_square).exp();
        let rest = s - at - (beta - 1);
        chance *= conditional(beta as f64 - 1.0, rest as f64, square(at), square(at + beta - 1));
    }
    chance
}

/// The probability that a sum of `a + b` squares of normal numbers is at most `all`, if that of the last `b` is at most
/// `last`.
fn conditional(a: f64, b: f64, all: f64, last: f64) -> f64 {
    const STEPS: u32 = 64;
    let known = chi_squared(b, last);
    if known <= 0.0 || chi_squared(a, all - last) > 1.0 - 1e-12 {
        return 1.0;
    }
    if chi_squared(a, all) < 1e-12 {
        return 0.0;
    }
    let part = |i: f64| i / f64::from(STEPS) * last;
    let (mut sum, mut below) = (0.0, 0.0);
    for i in 0..STEPS {
        let upto = chi_squared(b, part(f64::from(i) + 1.0));
        if upto > below {
            sum += (upto - below) / known * chi_squared(a, all - part(f64::from(i) + 0.5));
        }
        below = upto;
    }
    sum
}

/// A number below which a sum of `k` squares of normal numbers lies with probability less than `10^-7`: by the bound
/// `P(χ² ≤ zk) ≤ (z e^(1-z))^(k/2)`.
fn least_square(k: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let z = (low + high) / 2.0;
        if k / 2.0 * (f64::ln(z) + 1.0 - z) < 1e-7_f64.ln() { low = z } else { high = z }
    }
    (low * k).max(1e-300)
}

/// `ln` of the shortest vectors of random lattices of volume 1, for dimensions below 49: averages that Ducas and van
/// Woerden measured, from the artifacts of their paper.
#[rustfmt::skip]
const SHORTEST: [f64; 48] = [
    0.0, -0.50511, -0.46488, -0.391, -0.29759, -0.2488, -0.2197, -0.15748, -0.14673, -0.07541, -0.0487, -0.01045,
    0.02298, 0.04212, 0.07014, 0.09205, 0.12004, 0.14988, 0.17351, 0.18659, 0.20971, 0.22728, 0.24951, 0.26313,
    0.27662, 0.2943, 0.31399, 0.32494, 0.34796, 0.36118, 0.37531, 0.39056, 0.39958, 0.41473, 0.4256, 0.44222,
    0.45396, 0.46275, 0.4755, 0.48889, 0.50009, 0.51312, 0.52463, 0.52903, 0.5393, 0.55289, 0.56343, 0.57204,
];

fn ln_shortest(dimension: usize) -> f64 {
    match dimension {
        0 => 0.0,
        1..=48 => SHORTEST[dimension - 1],
        _ => -ln_ball(dimension as f64) / dimension as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Modulus, Shape};

    /// Examples of the lattice-estimator: `NTRU.primal_dsd`.
    #[test]
    fn blocks_are_those_of_the_lattice_estimator() {
        let models = Reduction { cost: CostModel::Matzov, form: Form::Zgsa };
        let key = |n, q| Ntru { n, q: Modulus::Integer(q), f: Shape::TERNARY, g: Shape::TERNARY };
        let dense = |key: Ntru, models| key.dense_sublattice(NtruLattice::Matrix, models).unwrap();
        let hrss = dense(key(700, 8192.0), models);
        assert!(hrss.beta.abs_diff(571) <= 1 && (hrss.rop - 190.2).abs() < 0.1, "{hrss:?}");
        let small = dense(key(113, 512.0), models);
        assert!(small.beta.abs_diff(42) <= 1 && (small.rop - 41.2).abs() < 0.1, "{small:?}");
        let simulated = dense(key(113, 512.0), Reduction { form: Form::Cn11, ..models });
        assert!(simulated.beta.abs_diff(41) <= 1, "{simulated:?}");
    }

    #[test]
    fn conditions_are_those_of_the_lattice_estimator() {
        for (a, b, all, last, chance) in [
            (100.0, 5.0, 105.0, 1.0, 0.635_849),
            (100.0, 5.0, 105.0, 10.0, 0.535_175),
            (100.0, 5.0, 50.0, 10.0, 1.170_8e-6),
        ] {
            let ours = conditional(a, b, all, last);
            assert!((ours / chance - 1.0).abs() < 5e-3, "{ours}, not {chance}");
        }
    }
}
