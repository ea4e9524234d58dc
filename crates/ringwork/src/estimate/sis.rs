//! Attacks on the Short Integer Solution problem: a short non-zero `x` with `Ax = 0 (mod q)`.
//!
//! Formulas, for `d` of the columns of `A`, which has `n` rows: BKZ-β finds a vector of length
//! `ℓ = δ^(d-1) q^(n/d)`, smallest for `d = √(n ln q / ln δ)`.
//! - Euclidean norm: the attack succeeds if `ℓ` is at most the bound.
//! - Infinity norm: coordinates are assumed Gaussian with deviation `ℓ/√d`; each of the
//!   `2^(0.2075 β)` vectors of a sieve meets the bound `B` with probability `P(|x| ≤ B)^d`.
//!
//! Sources: Micciancio, Regev, *Lattice-based cryptography* (2009), section 3; Ducas and others,
//! *CRYSTALS-Dilithium*, round 3 (2021), appendix C.3, with the basis randomised, so that it has no
//! q-vectors. Over a module, `n` and the width are degrees times ranks.

use super::{
    Attack, CoreSvp, Error, Estimate, Modulus, check_size,
    reduction::{SIEVE_VECTORS, betas, ln_root_hermite},
    special::ln_central_normal,
};
use core::f64::consts::LN_2;

/// The norm of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// The root of the sum of squares.
    Euclidean,
    /// The largest coordinate.
    Infinity,
}

/// An instance of Short Integer Solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sis {
    /// Number of rows: equations.
    pub n: usize,
    /// Modulus.
    pub q: Modulus,
    /// The bound on the norm of a solution.
    pub bound: f64,
    /// The norm of that bound.
    pub norm: Norm,
    /// Number of columns; `None` for as many as are useful.
    pub width: Option<usize>,
}

impl Sis {
    /// The attack for the norm of the bound.
    ///
    /// **Errors** for numbers out of range, for bounds that known vectors meet, and for bounds that
    /// no vector meets.
    pub fn security(&self) -> Result<Estimate, Error> {
        let (n, ln_q) = (check_size("n", self.n, 1)?, self.q.ln()?);
        let width = self.width.map_or(Ok(f64::INFINITY), |m| check_size("width", m, self.n.saturating_add(1)))?;
        let attack = match self.norm {
            Norm::Euclidean => Attack::Euclidean,
            Norm::Infinity => Attack::Infinity,
        };
        self.check_bound()?;
        let ln_volume = n * ln_q;
        match self.norm {
            Norm::Euclidean => self.euclidean(ln_volume, width),
            Norm::Infinity => self.infinity(ln_volume, width),
        }
        .ok_or(Error::OutOfReach(attack))
    }

    /// The logarithm of the bound.
    ///
    /// **Errors** unless it is a positive number that is less than what known vectors meet.
    pub(super) fn check_bound(&self) -> Result<f64, Error> {
        if !(self.bound > 0.0 && self.bound.is_finite()) {
            return Err(Error::Norm(self.bound));
        }
        // Multiples of unit vectors have Euclidean norm q; all solutions modulo q have coordinates of at most q/2.
        let q = self.q.value();
        let limit = match self.norm {
            Norm::Euclidean => q,
            Norm::Infinity => (q / 2.0).floor(),
        };
        if self.bound < limit { Ok(self.bound.ln()) } else { Err(Error::Trivial { norm: self.bound, limit }) }
    }

    fn euclidean(&self, ln_volume: f64, width: f64) -> Option<Estimate> {
        betas(width).find_map(|beta| {
            let (d, ln_length) = self.shortest(beta, ln_volume, width);
            (ln_length <= self.bound.ln()).then(|| Estimate::of_beta(Attack::Euclidean, beta, d as usize))
        })
    }

    fn infinity(&self, ln_volume: f64, width: f64) -> Option<Estimate> {
        let best = |model: CoreSvp| {
            let mut best: Option<(usize, usize, f64)> = None;
            for beta in betas(width) {
                if best.is_some_and(|(_, _, bits)| model.bits(beta) >= bits) {
                    break;
                }
                let (d, ln_length) = self.shortest(beta, ln_volume, width);
                let in_deviations = self.bound * d.sqrt() / ln_length.exp();
                let log_chance = d * ln_central_normal(in_deviations) / LN_2;
                let bits = model.bits(beta) + (-log_chance - SIEVE_VECTORS * beta as f64).max(0.0);
                if bits.is_finite() && best.is_none_or(|(_, _, least)| bits < least) {
                    best = Some((beta, d as usize, bits));
                }
            }
            best
        };
        let (beta, dimension, classical_bits) = best(CoreSvp::Classical)?;
        let (_, _, quantum_bits) = best(CoreSvp::Quantum)?;
        Some(Estimate {
            attack: Attack::Infinity,
            beta,
            dimension,
            classical_bits,
            quantum_bits,
            model: CoreSvp::MODEL,
        })
    }

    /// The number of columns for which BKZ finds the shortest vector, and the logarithm of its
    /// length.
    fn shortest(&self, beta: usize, ln_volume: f64, width: f64) -> (f64, f64) {
        let ln_delta = ln_root_hermite(beta);
        let d = (ln_volume / ln_delta).sqrt().round().max(self.n as f64 + 1.0).max(beta as f64).min(width);
        (d, (d - 1.0) * ln_delta + ln_volume / d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::SQRT_2;

    #[test]
    fn the_normal_distribution_is_that_of_tables() {
        for (t, inside) in [(1.0, 0.682_689_492_137), (2.0, 0.954_499_736_104), (0.01, 0.007_978_712_629_264)] {
            assert!((ln_central_normal(t) - f64::ln(inside)).abs() < 1e-10, "{t}");
        }
        // 1 - 1.973e-9 within six deviations, and the two formulas meet.
        assert!((ln_central_normal(6.0) / -1.973_175_290e-9 - 1.0).abs() < 1e-8);
        let seam = 2.5 * SQRT_2;
        assert!((ln_central_normal(seam - 1e-12) / ln_central_normal(seam) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_euclidean_attack_is_that_of_the_lattice_estimator() {
        // SIS.lattice(SIS.Parameters(n=113, q=2048, length_bound=512, norm=2)): β: 61, d: 276.
        let sis = Sis { n: 113, q: Modulus::Integer(2048.0), bound: 512.0, norm: Norm::Euclidean, width: None };
        let attack = sis.security().unwrap();
        assert!(attack.beta.abs_diff(61) <= 1 && attack.dimension.abs_diff(276) <= 5, "{attack:?}");
    }

    /// M8: a lattice of few dimensions must still give a result.
    #[test]
    fn small_lattices_are_solved_at_once() {
        let q = Modulus::Integer(12289.0);
        let small = Sis { n: 16, q, bound: 10000.0, norm: Norm::Euclidean, width: Some(32) };
        assert!(small.security().unwrap().classical_bits < 12.0);
        let small = Sis { bound: 400.0, norm: Norm::Infinity, ..small };
        assert!(small.security().unwrap().classical_bits < 12.0);
    }

    #[test]
    fn bounds_without_sense_are_refused() {
        let sis = Sis { n: 512, q: Modulus::Integer(12289.0), bound: 5833.0, norm: Norm::Euclidean, width: Some(1024) };
        assert!(sis.security().is_ok());
        let refused = |sis: Sis| sis.security().unwrap_err();
        assert_eq!(refused(Sis { bound: 12289.0, ..sis }), Error::Trivial { norm: 12289.0, limit: 12289.0 });
        assert_eq!(
            refused(Sis { bound: 6144.0, norm: Norm::Infinity, ..sis }),
            Error::Trivial { norm: 6144.0, limit: 6144.0 }
        );
        assert_eq!(refused(Sis { width: Some(512), ..sis }), Error::Size { what: "width", value: 512, least: 513 });
        assert_eq!(refused(Sis { bound: 2.0, ..sis }), Error::OutOfReach(Attack::Euclidean));
        assert_eq!(refused(Sis { bound: 0.0, ..sis }), Error::Norm(0.0));
    }
}
