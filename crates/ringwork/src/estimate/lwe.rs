//! Attacks on Learning with Errors, and the search for one unusually short vector that NTRU shares.
//!
//! Formulas, with deviations σ of errors and σ' of secrets, ξ = σ/σ':
//! - primal: the lattice of dimension `d` and volume `q^(d-n-1) ξⁿ σ` holds the vector (error, ξ·secret, σ); BKZ-β
//!   finds it if `√(σ²(β-1) + σ²) ≤ δ^(2β-d-1) vol^(1/d)`;
//! - dual: vectors of length `ℓ = δ^(d-1) (q/ξ)^(n/d)` tell samples from uniform ones with advantage `ε =
//!   exp(-2π²(ℓσ/q)²)`; of the `1/ε²` needed, each sieve gives `2^(0.2075 β)`.
//!
//! Sources: Alkim, Ducas, Pöppelmann, Schwabe (2016), sections 6.3 and 6.4, with ε as in the programs behind the
//! tables of NewHope and Kyber; Bai, Galbraith, *Lattice decoding attacks on binary LWE* (2014), for ξ; embedding as
//! in `primal_usvp` of the lattice-estimator.
//!
//! The dual estimate takes all vectors of a sieve to be as short as its shortest, and their scores to be independent,
//! which favours the attacker: Ducas, Pulles, *Does the dual-sieve attack on LWE even work?* (2023). Attacks that
//! guess part of the secret as well (hybrid, MATZOV) are left out; for Kyber, the lattice-estimator puts them 3 to 14
//! bits lower.

use super::{
    Attack, CoreSvp, Error, Estimate, Shape, check_modulus, check_size,
    reduction::{MAX_BETA, MIN_BETA, SIEVE_VECTORS, ln_root_hermite},
    weakest,
};
use core::f64::consts::{LN_2, PI};

/// An instance of Learning with Errors; over a ring or a module, `n` is degree times rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lwe {
    /// Number of unknown coefficients.
    pub n: usize,
    /// Modulus, an integer; an `f64`, so that it may have hundreds of bits.
    pub q: f64,
    /// Distribution of secrets.
    pub secret: Shape,
    /// Distribution of errors.
    pub error: Shape,
    /// How many samples (equations) the attacker sees; `None` for as many as are useful.
    pub samples: Option<usize>,
}

/// An instance whose numbers were checked.
struct Checked {
    n: f64,
    q: f64,
    error: f64,
    xi: f64,
    samples: f64,
}

impl Lwe {
    /// The cheaper of [`primal`](Self::primal) and [`dual`](Self::dual).
    ///
    /// **Errors** for numbers out of range, and where nothing succeeds.
    pub fn security(&self) -> Result<Estimate, Error> {
        weakest([self.primal(), self.dual()])
    }

    /// The search for the secret as a unique shortest vector.
    ///
    /// **Errors** for numbers out of range, and where no block size succeeds.
    pub fn primal(&self) -> Result<Estimate, Error> {
        let Checked { n, q, error, xi, samples } = self.check()?;
        let ln_rest = n * xi.ln() + error.ln();
        UniqueVector { n: n + 1.0, ln_q: q.ln(), ln_rest, sigma: error, embedded: error, max: n + samples + 1.0 }
            .estimate()
    }

    /// The distinction of samples from uniform ones by short vectors of the dual lattice.
    ///
    /// **Errors** for numbers out of range.
    pub fn dual(&self) -> Result<Estimate, Error> {
        let (beta, dimension, classical_bits) = self.dual_in(CoreSvp::Classical)?;
        let (_, _, quantum_bits) = self.dual_in(CoreSvp::Quantum)?;
        Ok(Estimate { attack: Attack::Dual, beta, dimension, classical_bits, quantum_bits, model: CoreSvp::MODEL })
    }

    /// Block size, dimension and bits of the cheapest dual attack in a model.
    fn dual_in(&self, model: CoreSvp) -> Result<(usize, usize, f64), Error> {
        let Checked { n, q, error, xi, samples } = self.check()?;
        let ln_volume = n * (q / xi).ln();
        let mut best = (0, 0, f64::INFINITY);
        for beta in MIN_BETA..=MAX_BETA {
            if model.bits(beta) >= best.2 || beta as f64 > n + samples {
                break;
            }
            let ln_delta = ln_root_hermite(beta);
            let d = (ln_volume.max(0.0) / ln_delta).sqrt().round().max(n + 1.0).max(beta as f64).min(n + samples);
            let tau = ((d - 1.0) * ln_delta + ln_volume / d).exp() * error / q;
            let log_advantage = -2.0 * (PI * tau).powi(2) / LN_2;
            let bits = model.bits(beta) + (-2.0 * log_advantage - SIEVE_VECTORS * beta as f64).max(0.0);
            if bits < best.2 {
                best = (beta, d as usize, bits);
            }
        }
        if best.0 > 0 { Ok(best) } else { Err(Error::OutOfReach(Attack::Dual)) }
    }

    fn check(&self) -> Result<Checked, Error> {
        let (n, q) = (check_size("n", self.n, 1)?, check_modulus(self.q)?);
        let (secret, error) = (self.secret.deviation()?, self.error.deviation()?);
        let samples = self.samples.map_or(Ok(f64::INFINITY), |m| check_size("samples", m, 1))?;
        if secret > error && samples >= 2.0 * n {
            // Normal form: n samples turn the secret into an error.
            return Ok(Checked { n, q, error, xi: 1.0, samples: samples - n });
        }
        Ok(Checked { n, q, error, xi: error / secret, samples })
    }
}

/// A lattice of volume `q^(d-n) exp(ln_rest)` for every `d ≤ max`, that holds a vector of unusual length `√(σ²(β-1) +
/// embedded²)` in any β of its dimensions.
pub(super) struct UniqueVector {
    pub(super) n: f64,
    pub(super) ln_q: f64,
    pub(super) ln_rest: f64,
    pub(super) sigma: f64,
    pub(super) embedded: f64,
    pub(super) max: f64,
}

impl UniqueVector {
    /// The least block size for which some dimension works, then the least such dimension.
    pub(super) fn estimate(&self) -> Result<Estimate, Error> {
        let largest = self.max.min(MAX_BETA as f64) as usize;
        let beta = (MIN_BETA..=largest)
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

    /// Where the right side of [`succeeds`](Self::succeeds) is largest.
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

    const KYBER: Lwe =
        Lwe { n: 512, q: 3329.0, secret: Shape::Binomial(3), error: Shape::Binomial(3), samples: Some(512) };

    #[test]
    fn block_sizes_and_dimensions_are_those_of_the_lattice_estimator() {
        // LWE.primal_usvp(schemes.Kyber512): β: 406, d: 998, as its README has it.
        let primal = KYBER.primal().unwrap();
        assert_eq!((primal.beta, primal.dimension), (406, 998));
        // schemes.Kyber768: β: 624, d: 1427.
        let primal = Lwe { n: 768, secret: Shape::Binomial(2), error: Shape::Binomial(2), samples: Some(768), ..KYBER };
        let primal = primal.primal().unwrap();
        assert_eq!((primal.beta, primal.dimension), (624, 1427));
        // Issue 87 there: a binary secret with wider errors, β: 456, d: 595, with a simulated shape of the basis.
        let binary = Lwe { n: 384, q: 128.0, secret: Shape::Binary, error: Shape::Binomial(8), samples: Some(768) };
        let binary = binary.primal().unwrap();
        assert!(binary.beta.abs_diff(456) <= 6, "{binary:?}");
    }

    #[test]
    fn more_noise_and_dimension_cost_more_and_a_larger_modulus_less() {
        let bits = |lwe: Lwe| [lwe.primal(), lwe.dual()].map(|e| e.unwrap().classical_bits);
        let base = bits(KYBER);
        for harder in [Lwe { n: 600, ..KYBER }, Lwe { error: Shape::Binomial(6), ..KYBER }, Lwe { q: 2000.0, ..KYBER }]
        {
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
}
