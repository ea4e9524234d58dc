//! Attacks on Learning with Errors, and the search for one unusually short vector that NTRU shares.
//!
//! Formulas, with deviations σ of errors and σ' of secrets, ξ = σ/σ':
//! - primal: the lattice of dimension `d` and volume `q^(d-n-1) ξⁿ σ` holds the vector (error,
//!   ξ·secret, σ); BKZ-β finds it if `√(σ²(β-1) + σ²) ≤ δ^(2β-d-1) vol^(1/d)`;
//! - dual: vectors of length `ℓ = δ^(d-1) (q/ξ)^(n/d)` tell samples from uniform ones with
//!   advantage `ε = exp(-2π²(ℓσ/q)²)`; of the `1/ε²` needed, each sieve gives `2^(0.2075 β)`.
//!
//! Sources: Alkim, Ducas, Pöppelmann, Schwabe (2016), sections 6.3 and 6.4, with ε as in the
//! programs behind the tables of NewHope and Kyber; Bai, Galbraith, *Lattice decoding attacks on
//! binary LWE* (2014), for ξ; embedding as in `primal_usvp` of the lattice-estimator.
//!
//! The dual estimate assumes that all vectors of a sieve are as short as its shortest one and that
//! their scores are independent, which favours the attacker: Ducas, Pulles, *Does the dual-sieve
//! attack on LWE even work?* (2023).
//!
//! - search: meeting in the middle on the secret, or on the errors instead, costs at least the
//!   square root of the number of guesses; in a quantum computer, its cube root;
//! - zeros, for secrets with at most half of the coefficients non-zero: `k` coefficients are
//!   guessed to be zero and left out, the rest is a primal attack, repeated until the guess is
//!   right.
//!
//! Other attacks that guess part of the secret (hybrid, dual hybrid, MATZOV) are left out: see
//! [`CoreSvp::OMITTED`]. Sources: Cheon, Hhan, Hong, Son (2019) for search; Albrecht, *On dual
//! lattice attacks against small-secret LWE* (2017), section 5, for zeros.

use super::{
    Attack, CoreSvp, Error, Estimate, Modulus, Shape, check_size,
    reduction::{SIEVE_VECTORS, betas, ln_root_hermite},
    weakest,
};
use core::f64::consts::{LN_2, PI};

/// An instance of Learning with Errors; over a ring or a module, `n` is degree times rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lwe {
    /// Number of unknown coefficients.
    pub n: usize,
    /// Modulus.
    pub q: Modulus,
    /// Distribution of secrets.
    pub secret: Shape,
    /// Distribution of errors.
    pub error: Shape,
    /// The number of samples (equations) that the attacker sees; `None` for as many as are useful.
    pub samples: Option<usize>,
}

/// An instance with checked numbers.
struct Checked {
    n: f64,
    ln_q: f64,
    error: f64,
    xi: f64,
    samples: f64,
}

impl Lwe {
    /// The cheapest of [`primal`](Self::primal), [`dual`](Self::dual), [`search`](Self::search) and
    /// [`zeros`](Self::zeros).
    ///
    /// **Errors** for numbers out of range.
    pub fn security(&self) -> Result<Estimate, Error> {
        weakest([self.primal(), self.dual(), self.search(), self.zeros()])
    }

    /// Meet in the middle. Ignores that noise may be too wide to verify a guess.
    ///
    /// **Errors** for numbers out of range.
    pub fn search(&self) -> Result<Estimate, Error> {
        let checked = self.check()?;
        // There are no more residues modulo q.
        let residues = checked.n * checked.ln_q / LN_2;
        let (of_secret, of_error) = (self.secret.entropy(self.n), self.error.entropy(self.n));
        let enough = self.samples.is_none_or(|samples| samples >= self.n);
        Ok(Estimate::of_search(if enough { of_secret.min(of_error) } else { of_secret }.min(residues), self.n))
    }

    /// The primal attack that drops coefficients of the secret guessed to be zero; or, without a
    /// lattice, linear algebra on `n` samples guessed to have no error.
    ///
    /// **Errors** for numbers out of range, if neither secrets nor errors are sparse, and if no
    /// block size succeeds.
    pub fn zeros(&self) -> Result<Estimate, Error> {
        self.check()?;
        weakest([self.zeros_of_secret(), self.samples_without_error()])
    }

    /// `n` samples without an error are linear equations for the secret.
    fn samples_without_error(&self) -> Result<Estimate, Error> {
        let weight = self.error.sparse_weight(self.n).filter(|_| self.samples.is_none_or(|samples| samples > self.n));
        let weight = weight.ok_or(Error::OutOfReach(Attack::Zeros))?;
        let log2_repeated = -(self.n as f64) * (1.0 - weight / self.n as f64).log2();
        let (classical_bits, quantum_bits) = (log2_repeated, log2_repeated / 2.0);
        Ok(Estimate {
            attack: Attack::Zeros,
            beta: 0,
            dimension: self.n,
            classical_bits,
            quantum_bits,
            model: CoreSvp::MODEL,
        })
    }

    fn zeros_of_secret(&self) -> Result<Estimate, Error> {
        let none = Error::OutOfReach(Attack::Zeros);
        let weight = self.secret.sparse_weight(self.n).ok_or(none.clone())?;
        let most = self.n.saturating_sub(weight.ceil() as usize).saturating_sub(1);
        let without = |zeros: usize| {
            let log2_repeated = -self.secret.log2_zeros(self.n, zeros);
            let rest = Self { n: self.n - zeros, ..*self };
            let primal = rest.primal_of(weight / rest.n as f64)?;
            Ok(Estimate {
                attack: Attack::Zeros,
                classical_bits: primal.classical_bits + log2_repeated,
                quantum_bits: primal.quantum_bits + log2_repeated / 2.0,
                ..primal
            })
        };
        // The cost falls and rises again: the best of a grid, then of a finer one around it.
        let mut best: Option<(usize, Estimate)> = None;
        let (mut low, mut high) = (0, most);
        for _ in 0..3 {
            let step = (high - low).div_ceil(8).max(1);
            for zeros in (low..=high).step_by(step) {
                let found: Result<Estimate, Error> = without(zeros);
                if let Ok(found) = found
                    && best.is_none_or(|(_, least)| found.classical_bits < least.classical_bits)
                {
                    best = Some((zeros, found));
                }
            }
            let Some((at, _)) = best else { break };
            (low, high) = (at.saturating_sub(step), (at + step).min(most));
        }
        best.map(|(_, estimate)| estimate).ok_or(none)
    }

    /// A warning if attacks that the model leaves out cost less.
    pub fn warning(&self) -> Option<String> {
        let few = |of: &str, shape: Shape| {
            let weight = shape.sparse_weight(self.n).filter(|weight| 4.0 * weight < self.n as f64)?;
            let n = self.n;
            Some(format!(
                "{weight:.0} of {n} coefficients of the {of} are not zero: hybrid attacks, which are left out here, cost less"
            ))
        };
        few("secret", self.secret).or_else(|| few("errors", self.error))
    }

    /// The search for the secret as a unique shortest vector.
    ///
    /// **Errors** for numbers out of range, and if no block size succeeds.
    pub fn primal(&self) -> Result<Estimate, Error> {
        self.check()?.primal()
    }

    /// The same with a secret of that variance.
    fn primal_of(&self, variance: f64) -> Result<Estimate, Error> {
        let checked = self.check()?;
        Checked { xi: checked.error / variance.sqrt(), ..checked }.primal()
    }

    /// Distinguishes samples from uniform ones by short vectors of the dual lattice.
    ///
    /// **Errors** for numbers out of range.
    pub fn dual(&self) -> Result<Estimate, Error> {
        let (beta, dimension, classical_bits) = self.dual_in(CoreSvp::Classical)?;
        let (_, _, quantum_bits) = self.dual_in(CoreSvp::Quantum)?;
        Ok(Estimate { attack: Attack::Dual, beta, dimension, classical_bits, quantum_bits, model: CoreSvp::MODEL })
    }

    /// Block size, dimension and bits of the cheapest dual attack in a model.
    fn dual_in(&self, model: CoreSvp) -> Result<(usize, usize, f64), Error> {
        let Checked { n, ln_q, error, xi, samples } = self.check()?;
        let ln_volume = n * (ln_q - xi.ln());
        let mut best = (0, 0, f64::INFINITY);
        for beta in betas(n + samples) {
            if model.bits(beta) >= best.2 {
                break;
            }
            let ln_delta = ln_root_hermite(beta);
            let d = (ln_volume.max(0.0) / ln_delta).sqrt().round().max(n + 1.0).max(beta as f64).min(n + samples);
            let tau = ((d - 1.0) * ln_delta + ln_volume / d - ln_q).exp() * error;
            let log_advantage = -2.0 * (PI * tau).powi(2) / LN_2;
            let bits = model.bits(beta) + (-2.0 * log_advantage - SIEVE_VECTORS * beta as f64).max(0.0);
            if bits < best.2 {
                best = (beta, d as usize, bits);
            }
        }
        if best.0 > 0 { Ok(best) } else { Err(Error::OutOfReach(Attack::Dual)) }
    }

    fn check(&self) -> Result<Checked, Error> {
        let (n, ln_q) = (check_size("n", self.n, 1)?, self.q.ln()?);
        let (secret, error) = (self.secret.deviation(self.n)?, self.error.deviation(self.n)?);
        let samples = self.samples.map_or(Ok(f64::INFINITY), |m| check_size("samples", m, 1))?;
        if secret > error && samples >= 2.0 * n {
            // Normal form: n samples turn the secret into an error.
            return Ok(Checked { n, ln_q, error, xi: 1.0, samples: samples - n });
        }
        Ok(Checked { n, ln_q, error, xi: error / secret, samples })
    }
}

impl Checked {
    fn primal(&self) -> Result<Estimate, Error> {
        let &Self { n, ln_q, error, xi, samples } = self;
        let ln_rest = n * xi.ln() + error.ln();
        UniqueVector { n: n + 1.0, ln_q, ln_rest, sigma: error, embedded: error, max: n + samples + 1.0 }.estimate()
    }
}

/// A lattice of volume `q^(d-n) exp(ln_rest)` for every `d ≤ max`, which contains a vector of
/// unusual length `√(σ²(β-1) + embedded²)` in any β of its dimensions.
pub(super) struct UniqueVector {
    pub(super) n: f64,
    pub(super) ln_q: f64,
    pub(super) ln_rest: f64,
    pub(super) sigma: f64,
    pub(super) embedded: f64,
    pub(super) max: f64,
}

impl UniqueVector {
    /// The smallest block size that works in some dimension, then the smallest such dimension.
    pub(super) fn estimate(&self) -> Result<Estimate, Error> {
        let beta = betas(self.max)
            .find(|&beta| self.succeeds(beta, self.best_dimension(beta)))
            .ok_or(Error::OutOfReach(Attack::Primal))?;
        let (mut low, mut high) = (self.least_dimension(beta), self.best_dimension(beta));
        while low < high {
            let middle = ((low + high) / 2.0).floor();
            if self.succeeds(beta, middle) { high = middle } else { low = middle + 1.0 }
        }
        Ok(Estimate::of_beta(Attack::Primal, beta, high as usize))
    }

    fn least_dimension(&self, beta: usize) -> f64 {
        (self.n + 1.0).max(beta as f64).min(self.max)
    }

    /// The dimension that maximises the right side of [`succeeds`](Self::succeeds).
    fn best_dimension(&self, beta: usize) -> f64 {
        let lost = (self.n * self.ln_q - self.ln_rest).max(0.0);
        (lost / ln_root_hermite(beta)).sqrt().round().max(self.least_dimension(beta)).min(self.max)
    }

    fn succeeds(&self, beta: usize, d: f64) -> bool {
        let b = beta as f64;
        let projection = (self.sigma.powi(2) * (b - 1.0) + self.embedded.powi(2)).ln() / 2.0;
        let ln_volume = (d - self.n) * self.ln_q + self.ln_rest;
        projection <= (2.0 * b - d - 1.0) * ln_root_hermite(beta) + ln_volume / d
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KYBER: Lwe = Lwe {
        n: 512,
        q: Modulus::Integer(3329.0),
        secret: Shape::Binomial(3),
        error: Shape::Binomial(3),
        samples: Some(512),
    };

    #[test]
    fn block_sizes_and_dimensions_are_those_of_the_lattice_estimator() {
        // LWE.primal_usvp(schemes.Kyber512): β: 406, d: 998, as in its README.
        let primal = KYBER.primal().unwrap();
        assert_eq!((primal.beta, primal.dimension), (406, 998));
        // schemes.Kyber768: β: 624, d: 1427.
        let primal = Lwe { n: 768, secret: Shape::Binomial(2), error: Shape::Binomial(2), samples: Some(768), ..KYBER };
        let primal = primal.primal().unwrap();
        assert_eq!((primal.beta, primal.dimension), (624, 1427));
        // Issue 87 there: a binary secret with wider errors, β: 456, d: 595, with a simulated shape
        // of the basis.
        let binary = Lwe {
            n: 384,
            q: Modulus::Integer(128.0),
            secret: Shape::Binary,
            error: Shape::Binomial(8),
            samples: Some(768),
        };
        let binary = binary.primal().unwrap();
        assert!(binary.beta.abs_diff(456) <= 6, "{binary:?}");
    }

    #[test]
    fn more_noise_and_dimension_cost_more_and_a_larger_modulus_less() {
        let bits = |lwe: Lwe| [lwe.primal(), lwe.dual()].map(|e| e.unwrap().classical_bits);
        let base = bits(KYBER);
        for harder in [
            Lwe { n: 600, ..KYBER },
            Lwe { error: Shape::Binomial(6), ..KYBER },
            Lwe { q: Modulus::Integer(2000.0), ..KYBER },
        ] {
            assert!(bits(harder).iter().zip(base).all(|(&h, b)| h > b), "{harder:?}");
        }
        assert!(bits(Lwe { samples: None, ..KYBER })[0] <= base[0]);
    }

    #[test]
    fn a_wide_secret_is_no_better_than_an_error() {
        let wide = Lwe { secret: Shape::Uniform(1664), samples: None, ..KYBER };
        assert_eq!(wide.security(), Lwe { samples: None, ..KYBER }.security());
    }

    #[test]
    fn noise_as_wide_as_the_modulus_is_out_of_reach() {
        let lost = Lwe { error: Shape::Uniform(1664), secret: Shape::Uniform(1664), ..KYBER };
        assert_eq!(lost.primal(), Err(Error::OutOfReach(Attack::Primal)));
    }

    /// M8: lattices of few dimensions and secrets with few guesses must still give a result.
    #[test]
    fn what_is_solved_at_once_costs_little() {
        let small = Lwe { n: 16, secret: Shape::Binomial(2), error: Shape::Binomial(2), samples: Some(16), ..KYBER };
        assert!(small.security().unwrap().classical_bits < 12.0, "{:?}", small.security());
        for n in 1..60 {
            for samples in [1, n, 2 * n] {
                let lwe = Lwe { n, samples: Some(samples), ..small };
                let bits = lwe.security().unwrap().classical_bits;
                assert!(bits <= 2.04 / 2.0 * n as f64, "{lwe:?}: {bits}");
                assert!(samples < n || bits <= 0.292 * (n + samples + 1) as f64, "{lwe:?}: {bits}");
            }
        }
        let sparse = Lwe { n: 1024, q: Modulus::Integer(12289.0), error: Shape::Binomial(8), samples: None, ..KYBER };
        let one_in_a_thousand = Lwe { secret: Shape::Ternary(0.001), ..sparse };
        assert!(one_in_a_thousand.security().unwrap().classical_bits < 7.0);
        assert!(one_in_a_thousand.warning().unwrap().contains("hybrid") && KYBER.warning().is_none());
        let weight = Lwe { secret: Shape::Weight(64), ..sparse };
        let (primal, zeros) = (weight.primal().unwrap(), weight.zeros().unwrap());
        assert!(zeros.classical_bits + 5.0 < primal.classical_bits, "{primal:?} {zeros:?}");
        assert_eq!(weight.security(), Ok(zeros));
        // Errors are as good as secrets: 1024 samples without one have probability 0.98^1024.
        let wide = Lwe { secret: Shape::Uniform(6000), error: Shape::Ternary(0.02), ..sparse };
        assert!(wide.security().unwrap().classical_bits < 30.0 && wide.warning().unwrap().contains("errors"));
        // There are no more guesses than residues.
        let three = Lwe {
            n: 16,
            q: Modulus::Integer(3.0),
            secret: Shape::Uniform(1 << 30),
            error: Shape::Uniform(1 << 30),
            samples: None,
        };
        assert!(three.security().unwrap().classical_bits < 13.0);
    }

    /// Moduli with more bits than an `f64` holds: the tables of HomomorphicEncryption.org for
    /// ternary secrets, where 128 bits correspond to block sizes between 300 and 390.
    #[test]
    fn moduli_may_have_thousands_of_bits() {
        for (n, log2) in [(1024, 27.0), (32768, 881.0), (65536, 1772.0)] {
            let lwe =
                Lwe { n, q: Modulus::Log2(log2), secret: Shape::TERNARY, error: Shape::Gaussian(3.19), samples: None };
            let primal = lwe.primal().unwrap();
            assert!((300..=390).contains(&primal.beta), "{n}: {primal:?}");
            assert!(lwe.security().unwrap().classical_bits.is_finite());
        }
        let exact = Lwe { q: Modulus::Log2(3329_f64.log2()), ..KYBER }.primal().unwrap();
        assert_eq!(exact, KYBER.primal().unwrap());
    }
}
