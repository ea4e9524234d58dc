//! The primal attack by embedding, with a choice of models.
//!
//! The secret and the error are the one very short vector of a lattice. BKZ-β finds it if its projection to the last β
//! dimensions is shorter than the first of these vectors: `σ √(β - 1 + 1) ≤ ‖b*_(d-β)‖`.
//!
//! Sources: Alkim, Ducas, Pöppelmann, Schwabe (2016), section 6.3; Albrecht, Göpfert, Virdia, Wunderer (2017); a
//! secret narrower than the error is stretched: Bai, Galbraith (2014).

use super::{
    Attack, Error, Lwe, Ntru, Reduction,
    cost::CostModel,
    profile::{Basis, Form, MOST_SIMULATED},
    reduction::{MAX_BETA, ln_root_hermite},
    search::{AttackCost, Instance, valley},
};

/// The largest block size of the first search; larger ones cost more than 512 bits.
pub(super) const USUAL_BETA: usize = 1754;

impl Lwe {
    /// The embedding with a choice of models: [`primal`](Self::primal) in dimensions that the lattice-estimator takes.
    ///
    /// **Errors** for numbers out of range, if no block size succeeds, and for bases too large to simulate.
    pub fn usvp(&self, models: Reduction) -> Result<AttackCost, Error> {
        Instance::of_lwe(self)?.usvp(models).map(|found| found.of_form(models.form))
    }
}

impl Ntru {
    /// The search for the key as a short vector: [`primal`](Self::primal) with a choice of models.
    ///
    /// In a geometric series, as in the lattice-estimator, the volume is that of a lattice with one vector `q` less:
    /// the cost is about half a bit above that of [`primal`](Self::primal), which has them all.
    ///
    /// **Errors** for numbers out of range, if no block size succeeds, and for bases too large to simulate.
    pub fn usvp(&self, models: Reduction) -> Result<AttackCost, Error> {
        Instance::of_ntru(self)?.usvp(models).map(|found| found.of_form(models.form))
    }
}

impl Instance {
    /// The embedding.
    pub(super) fn usvp(&self, models: Reduction) -> Result<AttackCost, Error> {
        let series = self.usvp_series(models.cost)?;
        if models.form == Form::Gsa {
            return Ok(series);
        }
        let never = Error::OutOfReach(Attack::Primal);
        let largest = series.beta + series.beta.div_ceil(5);
        let first = (series.beta - series.beta.div_ceil(10).min(series.beta)).max(40);
        if models.form == Form::Cn11 && self.usual_dimension(first) > MOST_SIMULATED {
            return Err(Error::Unmodelled("bases of so many dimensions by simulation"));
        }
        let at = |beta, d| self.usvp_simulated(beta, d, models);
        let (beta, found) = valley(first, largest.max(first + 1), 1, |beta| at(beta, None)).ok_or(never.clone())?;
        if found.rop == f64::INFINITY {
            return Err(never);
        }
        let least = self.n.max(beta);
        let fewer = valley(least, found.dimension + 1, 1, |d| at(beta, Some(d)));
        Ok(fewer.map_or(found, |(_, fewer)| found.min(fewer)))
    }

    /// The embedding in a geometric series.
    fn usvp_series(&self, model: CostModel) -> Result<AttackCost, Error> {
        let most = self.most().min(MAX_BETA as f64) as usize;
        let found = valley(40, most.clamp(45, USUAL_BETA), 5, |beta| self.usvp_at(beta, model));
        let found = found.map_or(AttackCost::NEVER, |(_, found)| found);
        if found.rop < f64::INFINITY {
            return Ok(found);
        }
        // Small lattices are reduced as a whole; large ones need larger blocks: the least one that works.
        let whole = most.min(40);
        let small = self.usvp_at(whole, model);
        if most <= 45 && small.rop < f64::INFINITY {
            return Ok(small);
        }
        let (mut fails, mut works) = (USUAL_BETA.min(most), most);
        if self.usvp_at(works, model).rop == f64::INFINITY {
            return Err(Error::OutOfReach(Attack::Primal));
        }
        while works - fails > 1 {
            let middle = usize::midpoint(fails, works);
            let next = self.usvp_at(middle, model);
            if next.rop < f64::INFINITY { works = middle } else { fails = middle }
        }
        Ok(self.usvp_at(works, model))
    }

    /// The embedding in the fewest dimensions where BKZ-`beta` succeeds.
    fn usvp_at(&self, beta: usize, model: CostModel) -> AttackCost {
        let (n, b, most) = (self.n as f64, beta as f64, self.most());
        let ln_delta = ln_root_hermite(beta);
        let ln_projection = self.ln_projection(b);
        // The vectors other than those of length q.
        let ln_rest = n * self.stretch().ln() + self.ln_tau().unwrap_or(0.0);
        // a d² + b d + c, not negative where ln‖b*_(d-β)‖ is at least the length of the projection.
        let (square, linear) = (-ln_delta, ln_delta * (2.0 * b - 1.0) + self.ln_q - ln_projection);
        let constant = ln_rest - (n + 1.0) * self.ln_q;
        let discriminant = linear * linear - 4.0 * square * constant;
        let d = if square * n * n + linear * n + constant >= 0.0 {
            n
        } else if discriminant >= 0.0 {
            let root = (-linear + discriminant.sqrt()) / (2.0 * square);
            if n > root {
                return AttackCost::NEVER;
            }
            root.ceil().min(most)
        } else {
            return AttackCost::NEVER;
        };
        let d = d.max(b);
        let d = if d == b && d < most { d + 1.0 } else { d };
        let ln_vector = ln_delta * (2.0 * b - d - 1.0) + (ln_rest + self.ln_q * (d - n - 1.0)) / d;
        if d <= most + 1.0 && ln_projection <= ln_vector {
            AttackCost::of_reduction("usvp", model.bkz(beta, d as usize), beta, d as usize)
        } else {
            AttackCost::NEVER
        }
    }

    /// The embedding in `d` dimensions, or as many as a geometric series makes best.
    fn usvp_simulated(&self, beta: usize, d: Option<usize>, models: Reduction) -> AttackCost {
        let mut d = d.unwrap_or_else(|| self.usual_dimension(beta)).max(beta);
        if self.homogeneous {
            d -= 1;
        }
        if d < beta.max(self.n) {
            return AttackCost::NEVER;
        }
        let basis = Basis { d, n: self.n, ln_q: self.ln_q, ln_xi: self.stretch().ln(), ln_tau: self.ln_tau() };
        let reduced = basis.reduced(models.form, beta);
        if reduced.at(d - beta) > self.ln_projection(beta as f64) {
            AttackCost::of_reduction("usvp", models.cost.bkz(beta, d), beta, d)
        } else {
            AttackCost::NEVER
        }
    }

    fn usual_dimension(&self, beta: usize) -> usize {
        let best = (self.n as f64 * self.ln_q / ln_root_hermite(beta)).sqrt().ceil();
        best.min(self.most()) as usize + 1
    }

    /// The logarithm of the embedding factor: the deviation of the error.
    fn ln_tau(&self) -> Option<f64> {
        (!self.homogeneous).then(|| self.error.deviation.ln())
    }

    /// The logarithm of the length of the projected short vector.
    fn ln_projection(&self, beta: f64) -> f64 {
        let embedded = if self.homogeneous { 0.0 } else { 1.0 };
        self.error.deviation.ln() + (beta - 1.0 + embedded).ln() / 2.0
    }
}
