//! Dual attacks, with a choice of models.
//!
//! Short vectors of the dual lattice turn samples into ones with a smaller secret, or none, and a larger error, which a
//! distinguisher tells from uniform ones.
//!
//! - [`Lwe::dual_attack`]: without a secret. The samples have deviation `σ = ρ s δ^d (s q/e)^(-m/d)`, as parts of `q`;
//!   `e^(2π²σ²·2)` of them, up to a factor, tell: Micciancio, Regev, *Lattice-based cryptography* (2009); dimensions
//!   and deviation as in Espitau, Joux, Kharchenko, *On a dual/hybrid approach to small secret LWE* (2020).
//! - [`Lwe::dual_hybrid`]: guesses ζ coefficients of the secret, and finds `t` others modulo a small `p` by a Fourier
//!   transform, after a switch of modulus: MATZOV, *Report on the security of LWE* (2022), theorem 7.6; Guo, Johansson,
//!   *Faster dual lattice attacks for solving LWE* (2021).
//!
//! **Heuristic:** both take the dual vectors for independent, which Ducas and Pulles, *Does the dual-sieve attack on
//! LWE even work?* (2023), refute for the second: it may well cost more than stated. **Left out:** memory.

use super::{
    Attack, Error, Lwe,
    cost::{CostModel, log2_ceil},
    reduction::ln_root_hermite,
    search::{AttackCost, Instance, ascent, valley},
    special::log2_sum,
    usvp::USUAL_BETA,
};
use core::f64::consts::{E, LN_2, PI};

impl Lwe {
    /// The dual attack without guesses, with a choice of models: for 99 %, with the lengths that many short vectors
    /// have.
    ///
    /// The lattice-estimator computes the number of samples from `ln(1 - ε²)` with as many bits as `ε²` has zeros, so
    /// that it errs by up to half a bit either way; this one is exact.
    ///
    /// **Errors** for numbers out of range, and if no block size succeeds.
    pub fn dual_attack(&self, model: CostModel) -> Result<AttackCost, Error> {
        let instance = Instance::of_lwe(self)?;
        let largest = (instance.samples.min(USUAL_BETA as f64) as usize).max(48);
        let found = valley(40, largest, 8, |beta| instance.dual_at(beta, model));
        checked(found.map_or(AttackCost::NEVER, |(_, found)| found))
    }

    /// The dual attack with guesses and a Fourier transform. As in the report and the lattice-estimator, it has `n`
    /// samples, whatever [`samples`](Self::samples) says.
    ///
    /// **Errors** for numbers out of range, and if nothing succeeds.
    pub fn dual_hybrid(&self, model: CostModel) -> Result<AttackCost, Error> {
        let instance = Instance::of_lwe(self)?;
        let n = instance.n;
        let transforms = Transforms::new(&instance, model);
        let moduli = instance.ln_q.exp().min(1e4) as usize;
        // Each loop ends when costs rise.
        let mut best = AttackCost::NEVER;
        for p in 2..moduli.max(3) {
            let found = ascent(n, STEP, |zeta| ascent(n - zeta, STEP, |t| transforms.best_block(zeta, t, p)));
            if found.rop > best.rop {
                break;
            }
            best = found;
            // Without a transform its modulus does not matter; without an answer, a larger one gives none.
            if best.rop == f64::INFINITY || best.transform == 0 && p > 2 {
                break;
            }
        }
        checked(best)
    }
}

/// Guessed coefficients and those of the transform come in tens.
const STEP: usize = 10;

const fn checked(found: AttackCost) -> Result<AttackCost, Error> {
    if found.rop < f64::INFINITY { Ok(found) } else { Err(Error::OutOfReach(Attack::Dual)) }
}

impl Instance {
    fn dual_at(&self, beta: usize, model: CostModel) -> AttackCost {
        let n = self.n as f64;
        let ln_delta = ln_root_hermite(beta);
        let ln_ratio = model.short_vectors(beta, 2 * beta, None).ratio.ln();
        let ln_c = self.secret.deviation.ln() + self.ln_q - self.error.deviation.ln();
        let best = (n * ln_c.max(0.0) / ln_delta).sqrt().ceil() - n;
        let m = best.max(1.0).min(self.samples);
        let d = m + n;
        // The deviation over q, times √2π.
        let ln_width = ln_ratio + self.secret.deviation.ln() + d * ln_delta - m / d * ln_c + (2.0 * PI).ln() / 2.0;
        let width = ln_width.exp();
        if width > 16.0 {
            return AttackCost::NEVER;
        }
        let wanted = samples_for(-PI * width * width / LN_2);
        let vectors = model.short_vectors(beta, d as usize, Some(wanted));
        let rop = log2_sum(wanted, vectors.cost);
        let mem = log2_sum(wanted, vectors.count + (vectors.sieve.max(1) as f64).log2());
        AttackCost { mem, eta: vectors.sieve, ..AttackCost::of_reduction("dual", rop, beta, d as usize) }
    }
}

/// log2 of the samples that tell with 99 % from uniform ones at an advantage of `2^log2_advantage`, by a majority.
pub(super) fn samples_for(log2_advantage: f64) -> f64 {
    if log2_advantage > 0.99_f64.log2() {
        return 0.0;
    }
    let square = (2.0 * log2_advantage).exp2();
    let ln_failure = if square < 1e-12 { 2.0 * log2_advantage } else { (-(-square).ln_1p()).log2() };
    log2_ceil((-2.0 * 0.02_f64.ln()).log2() - ln_failure)
}

/// What all dual attacks with a transform on an instance share.
struct Transforms<'a> {
    instance: &'a Instance,
    model: CostModel,
    /// By block size from 40 on: `ln` of the root-Hermite factor.
    ln_deltas: Vec<f64>,
    /// The entropy of a coefficient of the secret, in bits.
    entropy: f64,
    /// log2 of the factor of the guesses for each coefficient, and of that for all.
    guess_each: f64,
    guess_all: f64,
}

impl<'a> Transforms<'a> {
    fn new(instance: &'a Instance, model: CostModel) -> Self {
        let s = instance.secret.deviation;
        let alpha = (PI * s).powi(2);
        let entropy = (0.5 + ((2.0 * PI).sqrt() * s).ln() - alpha.tanh().ln()) / LN_2;
        let log2_a = if alpha < 300.0 { 8.0 * alpha * (-2.0 * alpha).exp() * alpha.tanh() / LN_2 } else { 0.0 };
        let guess_each = 1.0 + log2_a - E.log2() / 2.0 + entropy;
        let guess_all = -(-(-0.5 / (s * s)).exp_m1()).log2();
        let ln_deltas = (40..=USUAL_BETA).map(ln_root_hermite).collect();
        Self { instance, model, ln_deltas, entropy, guess_each, guess_all }
    }

    /// The cheapest block size for ζ guesses and a transform of `t` coefficients modulo `p`.
    fn best_block(&self, zeta: usize, t: usize, p: usize) -> AttackCost {
        let most = (self.instance.samples - (zeta + t) as f64).clamp(41.0, USUAL_BETA as f64);
        valley(40, most as usize, 1, |beta| self.cost(beta, zeta, t, p)).map_or(AttackCost::NEVER, |(_, found)| found)
    }

    fn cost(&self, beta: usize, zeta: usize, t: usize, p: usize) -> AttackCost {
        let Instance { n, ln_q, secret, error, .. } = *self.instance;
        let m = n as f64;
        let rest = n - zeta - t;
        let (d, b) = (n + rest, beta as f64);
        let (k, t_, zeta_) = (rest as f64, t as f64, zeta as f64);
        let ln_length = (m * error.deviation.ln() + k * (secret.deviation.ln() + ln_q)) / d as f64
            + ((4.0 / 3.0_f64).ln() + (b / (2.0 * PI * E)).ln()) / 2.0
            + self.ln_deltas[beta - 40] * (d as f64 - b);
        let exponent =
            4.0 * (ln_length - ln_q).exp().powi(2) * PI * PI + t_ / 3.0 * (secret.deviation * PI / p as f64).powi(2);
        let factor = zeta_ * self.entropy + t_ * (p as f64).ln() + LN_2;
        let wanted = exponent / LN_2 + factor.max(1e-300).log2();
        if wanted.is_nan() || wanted >= 1e5 {
            return AttackCost::NEVER;
        }
        let vectors = self.model.short_vectors(beta, d, Some(wanted));
        // 32² operations for a product, 5·32 for a sum.
        let transform = 10.0 + t_.log2() + (t_ + 1.0) * (p as f64).log2();
        let table = 640_f64.log2() + wanted;
        let guess = self.guess_all + zeta_ * self.guess_each + log2_sum(transform, table);
        AttackCost {
            tag: "dual_hybrid",
            rop: log2_sum(vectors.cost, guess),
            red: vectors.cost,
            guess,
            mem: vectors.count,
            beta,
            eta: vectors.sieve,
            zeta,
            dimension: d,
            transform: t,
            modulus: p,
            ..AttackCost::NEVER
        }
    }
}
