//! The results and the cost of lattice reduction.
//!
//! Formula: BKZ with blocks of β finds a vector of length `δ^(d-1) vol^(1/d)` in dimension `d`,
//! where `δ = ((πβ)^(1/β) β / 2πe)^(1/(2(β-1)))`.
//!
//! Source: Chen, *Réduction de réseau et sécurité concrète du chiffrement complètement homomorphe*
//! (2013), for β > 40; measured values for less: Albrecht, Player, Scott, *On the concrete hardness
//! of Learning with Errors* (2015).

use core::f64::consts::{E, PI};

/// The smallest block size of an estimate for a lattice with as many dimensions: all smaller ones
/// are practical.
pub(super) const MIN_BETA: usize = 40;
/// The largest block size of an estimate: 300 000 bits.
pub(super) const MAX_BETA: usize = 1 << 20;
/// log2 of the number of vectors that a sieve of dimension β leaves, per unit of β: log2 √(4/3).
pub(super) const SIEVE_VECTORS: f64 = 0.2075;

/// The computer that runs the sieve. The lattice-estimator calls this model ADPS16.
///
/// Sources: Becker, Ducas, Gama, Laarhoven (2016); Laarhoven's thesis (2015), section 14.2.10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreSvp {
    /// `2^(0.292 β)`.
    Classical,
    /// `2^(0.265 β)`.
    Quantum,
}

impl CoreSvp {
    /// Name and version of the model.
    pub const MODEL: &str = "ADPS16 core-SVP, geometric series, no hybrid attacks, version 2";

    /// What estimates leave out, and its published effect: minima of the lattice-estimator over all
    /// of its attacks, in the same model, minus its primal ones.
    pub const OMITTED: &str = "left out: hybrid and dual-hybrid attacks, bounded distance decoding, BKW, combinatorial attacks on SIS; the \
         lattice-estimator's minimum over all attacks is lower than its primal one by 3.1 bits for ML-KEM-512, 8.5 for \
         ML-KEM-768 (dual hybrid), and 0.6 for NTRU-HPS-2048-509";

    /// log2 of the cost of finding a shortest vector in dimension `beta`.
    pub fn bits(self, beta: usize) -> f64 {
        beta as f64
            * match self {
                Self::Classical => 0.292,
                Self::Quantum => 0.265,
            }
    }
}

/// Block sizes for a lattice of at most that many dimensions.
pub(super) fn betas(dimensions: f64) -> core::ops::RangeInclusive<usize> {
    let largest = dimensions.min(MAX_BETA as f64) as usize;
    MIN_BETA.min(largest)..=largest
}

/// Root-Hermite factors measured for small blocks, linear in between.
const MEASURED: [(f64, f64); 8] = [
    (2.0, 1.02190),
    (5.0, 1.01862),
    (10.0, 1.01616),
    (15.0, 1.01485),
    (20.0, 1.01420),
    (25.0, 1.01342),
    (28.0, 1.01331),
    (40.0, 1.01295),
];

/// The root-Hermite factor δ of BKZ with blocks of `beta`; it falls as `beta` rises. Blocks under 2
/// count as 2.
///
/// **Range:** (1, 1.0219].
pub fn root_hermite(beta: usize) -> f64 {
    ln_root_hermite(beta).exp()
}

/// ln δ.
pub(super) fn ln_root_hermite(beta: usize) -> f64 {
    let b = (beta as f64).max(2.0);
    if b > 40.0 {
        return ((PI * b).ln() / b + (b / (2.0 * PI * E)).ln()) / (2.0 * (b - 1.0));
    }
    let above = MEASURED.iter().position(|&(beta, _)| b <= beta).expect("40 is the last");
    let ((b0, d0), (b1, d1)) = (MEASURED[above.saturating_sub(1)], MEASURED[above.max(1)]);
    (d0 + (b - b0) / (b1 - b0) * (d1 - d0)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_fall_and_are_those_of_the_literature() {
        for beta in 2..2000 {
            assert!(root_hermite(beta + 1) < root_hermite(beta), "at {beta}");
        }
        assert_eq!(root_hermite(0), root_hermite(2));
        // Output of the lattice-estimator for Kyber512 and Kyber768, to six digits.
        assert!((root_hermite(406) - 1.003941).abs() < 5e-7);
        assert!((root_hermite(624) - 1.002902).abs() < 5e-7);
        assert!(root_hermite(MAX_BETA) > 1.0);
    }
}
