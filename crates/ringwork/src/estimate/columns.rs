//! Attacks on Short Integer Solution, with a choice of models.
//!
//! - Euclidean norm: the root-Hermite factor that the bound `B` needs, at the dimension `d = 2n ln q / ln B` that lets
//!   it be largest, and its block size: Micciancio, Regev, *Lattice-based cryptography* (2009), section 3. No attack
//!   for bounds below the length of the shortest vectors, about `√(n ln q)` or `√d q^(n/d)`.
//! - Infinity norm: the short vectors that come with BKZ-β, in dimension `d`, after ζ columns are left out. If `B √m ≤
//!   q`, their coordinates are normal with deviation `ρ ‖b*_0‖/√d`, where ρ is the ratio of their length to that of the
//!   first one: MATZOV, *Report on the security of LWE* (2022), page 18. Otherwise, vectors `q` at the begin of the
//!   basis make as many coordinates uniform, unit vectors at its end make as many zero, and the others are normal with
//!   the length of the first other vector: *CRYSTALS-Dilithium*, round 3 (2021), appendix C.3.
//!
//! The two analyses of the second norm differ by the factor ρ, `√(4/3)` for Core-SVP: the first is the more careful
//! one. [`Sis::security`] leaves it out everywhere, as the designers of Dilithium do.

use super::{
    Attack, Error, Norm, Reduction, Sis, check_size,
    cost::repetitions,
    profile::{Basis, Form, MOST_SIMULATED, Profile},
    reduction::{MAX_BETA, ln_root_hermite},
    search::{AttackCost, valley},
    special::ln_central_normal,
};
use core::f64::consts::LN_2;

/// An instance with checked numbers.
struct Checked {
    n: usize,
    ln_q: f64,
    bound: f64,
    /// Columns.
    width: usize,
    models: Reduction,
}

impl Sis {
    /// The attack for the norm of the bound, with a choice of models; without a width, on twice as many columns as it
    /// takes for a solution to exist.
    ///
    /// **Errors** for numbers out of range, for bounds that known vectors meet, if no block size succeeds, and for
    /// bases too large to simulate. With the simulator, no columns are left out.
    pub fn lattice(&self, models: Reduction) -> Result<AttackCost, Error> {
        let ln_bound = self.check_bound()?;
        let (n, ln_q) = (check_size("n", self.n, 1)?, self.q.ln()?);
        let (attack, ln_values) = match self.norm {
            Norm::Euclidean => (Attack::Euclidean, LN_2),
            Norm::Infinity => (Attack::Infinity, (2.0 * self.bound + 1.0).ln()),
        };
        let enough = 2.0 * (n * ln_q / ln_values).ceil();
        let width = match self.width {
            Some(width) => check_size("width", width, self.n.saturating_add(1))?,
            None => enough.min(super::MAX_DIMENSION as f64 * 64.0),
        };
        let checked = Checked { n: self.n, ln_q, bound: self.bound, width: width as usize, models };
        if self.norm == Norm::Infinity && models.form == Form::Cn11 && checked.width > MOST_SIMULATED {
            return Err(Error::Unmodelled("bases of so many dimensions by simulation"));
        }
        let found = match self.norm {
            Norm::Euclidean => checked.euclidean(ln_bound),
            Norm::Infinity => checked.infinity().of_form(models.form),
        };
        if found.rop < f64::INFINITY { Ok(found) } else { Err(Error::OutOfReach(attack)) }
    }
}

impl Checked {
    fn euclidean(&self, ln_bound: f64) -> AttackCost {
        let (n, width) = (self.n as f64, self.width as f64);
        let (d, beta) = self.euclidean_block(ln_bound);
        let ln_least = ((n * self.ln_q).ln() / 2.0).min(d.ln() / 2.0 + n / d * self.ln_q);
        match beta {
            Some(beta) if ln_bound > ln_least && d <= width => {
                AttackCost::of_reduction("euclidean", self.models.cost.bkz(beta, d as usize), beta, d as usize)
            }
            _ => AttackCost::NEVER,
        }
    }

    /// The best dimension for a Euclidean bound, and its block size, if that is not larger.
    fn euclidean_block(&self, ln_bound: f64) -> (f64, Option<usize>) {
        let volume = self.n as f64 * self.ln_q;
        let best = if ln_bound > 0.0 { (2.0 * volume / ln_bound).floor() } else { f64::INFINITY };
        let d = best.min(self.width as f64).max(2.0);
        let ln_delta = (ln_bound - volume / d) / (d - 1.0);
        let most = MAX_BETA.min(d as usize);
        let works = |beta: usize| ln_root_hermite(beta) <= ln_delta + 1e-15;
        if !works(most) {
            return (d, None);
        }
        let (mut low, mut high) = (most.min(40), most);
        while low < high {
            let middle = usize::midpoint(low, high);
            if works(middle) { high = middle } else { low = middle + 1 }
        }
        (d, Some(high))
    }

    fn infinity(&self) -> AttackCost {
        // A vector of that Euclidean norm is one of that infinity norm, so its block size is enough.
        let (d, block) = self.euclidean_block(self.bound.max(2.0_f64.min(self.bound + 1.0)).ln());
        let most = block.unwrap_or(d as usize).min(4 * MOST_SIMULATED);
        let with = |zeta: usize| {
            let found = valley(40, most + 1, 2, |beta| self.infinity_at(beta, zeta));
            found.map_or_else(|| self.infinity_at(most.min(40), zeta), |(_, found)| found)
        };
        if self.models.form == Form::Cn11 {
            return with(0);
        }
        let found = valley(0, self.width, 1, with).map_or(AttackCost::NEVER, |(_, found)| found);
        found.min(with(0))
    }

    /// With blocks of `beta`, without ζ columns.
    fn infinity_at(&self, beta: usize, zeta: usize) -> AttackCost {
        let d = self.width - zeta;
        if d < beta.max(self.n + 1) {
            return AttackCost::NEVER;
        }
        let basis = Basis { d, n: d - self.n, ln_q: self.ln_q, ln_xi: 0.0, ln_tau: None };
        let reduced = basis.reduced(self.models.form, beta);
        let vectors = self.models.cost.short_vectors(beta, d, None);
        let ln_bound = self.bound.ln();
        // The logarithm of the probability that `count` normal coordinates of a vector are below the bound.
        let ln_normal = |ln_length: f64, count: f64| {
            let deviations = (ln_bound - ln_length + count.ln() / 2.0).exp();
            count * ln_central_normal(deviations)
        };
        let ln_chance = if (self.width as f64).ln() / 2.0 + ln_bound <= self.ln_q {
            ln_normal(vectors.ratio.ln() + reduced.at(0), d as f64)
        } else {
            let (start, end) = middle(&reduced, self.ln_q);
            let normal = (end.saturating_sub(start)).max(vectors.sieve) as f64;
            let uniform = start as f64 * ((2.0 * self.bound + 1.0).ln() - self.ln_q).min(0.0);
            ln_normal(reduced.at(start), normal) + uniform
        };
        let log2_solutions = (ln_chance / LN_2 + vectors.count).min(0.0);
        if log2_solutions.is_nan() || log2_solutions == f64::NEG_INFINITY {
            return AttackCost::NEVER;
        }
        let once = AttackCost {
            eta: vectors.sieve,
            zeta,
            mem: vectors.count,
            red: self.models.cost.bkz(beta, d),
            ..AttackCost::of_reduction("infinity", vectors.cost, beta, d)
        };
        once.repeated(repetitions(log2_solutions))
    }
}

/// The positions after the vectors `q`, and before the unit vectors.
fn middle(reduced: &Profile, ln_q: f64) -> (usize, usize) {
    let d = reduced.len();
    let partition = |above: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0, d);
        while low < high {
            let at = usize::midpoint(low, high);
            if above(reduced.at(at)) { low = at + 1 } else { high = at }
        }
        low
    };
    let start = if reduced.at(0) < ln_q + 1e-9 { partition(&|ln_length| ln_length > ln_q - 1e-9) } else { 0 };
    let end = if reduced.at(d - 1).abs() < 1e-8 { partition(&|ln_length| ln_length > 1e-8) } else { d };
    (start.min(d - 1), end)
}
