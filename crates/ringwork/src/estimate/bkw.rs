//! The attack of Blum, Kalai and Wasserman on LWE, with codes.
//!
//! Tables of `q^b` samples turn samples into ones whose secret has `b` coefficients less, at twice the variance of the
//! error; with a linear code of that size they take `N_i > b` coefficients at once, and leave the distance to a code
//! word as an error. The last coefficients are tested all at once by a Fourier transform.
//!
//! Source: Guo, Johansson, Stankovski, *Coded-BKW: solving LWE using lattice codes* (2015), theorem 1 and equations 7
//! to 11. **Left out:** lattice sieving in the steps, Guo, Johansson, Mårtensson, Stankovski Wagner (2019), and the
//! dependence of amplified samples.

use super::{
    Attack, Error, Lwe, Shape,
    dual::samples_for,
    search::{AttackCost, Instance, valley_by},
    special::{ln_central_normal, log2_binomial, log2_sum},
};
use core::f64::consts::{LN_2, PI, SQRT_2};

impl Lwe {
    /// The attack with codes, for 99 %; if it takes more samples than there are, on sums of few of them, with as much
    /// more error.
    ///
    /// [`AttackCost::zeta`] is the number of coefficients of a table, `eta` that of steps, `transform` that of the
    /// tested coefficients.
    ///
    /// **Errors** for numbers out of range, and if no size of tables succeeds.
    pub fn coded_bkw(&self) -> Result<AttackCost, Error> {
        let never = Error::OutOfReach(Attack::Tables);
        let instance = Instance::of_lwe(self)?;
        let (mut tables, mut samples) = (Tables::new(&instance, instance.error.deviation), instance.samples.log2());
        // More samples have more error, which takes more samples.
        for _ in 0..64 {
            let found = tables.cheapest(samples).filter(|found| found.rop < f64::INFINITY).ok_or(never.clone())?;
            if found.samples <= samples {
                return Ok(found);
            }
            let wanted = found.samples;
            let enough = |terms: &u32| log2_binomial(instance.samples, f64::from(*terms)) + f64::from(*terms) >= wanted;
            let terms = (1..=wanted.ceil() as u32).find(enough).ok_or(never.clone())?;
            tables = Tables::new(&instance, instance.error.deviation * f64::from(terms).sqrt());
            samples = wanted;
        }
        Err(never)
    }
}

/// What all sizes share.
struct Tables<'a> {
    instance: &'a Instance,
    log2_q: f64,
    /// The deviation of the error.
    error: f64,
    /// The number of values of a coefficient of the secret, at most six deviations.
    values: f64,
}

impl<'a> Tables<'a> {
    fn new(instance: &'a Instance, error: f64) -> Self {
        let secret = instance.secret;
        let (mut low, mut high) = secret.shape.bounds();
        if matches!(secret.shape, Shape::Gaussian(_) | Shape::Binomial(_)) {
            (low, high) = (low.max(-3.0 * secret.deviation), high.min(3.0 * secret.deviation));
        }
        Self {
            instance,
            log2_q: instance.ln_q / LN_2,
            error,
            values: (high - low + 1.0).min(6.0 * secret.deviation + 1.0),
        }
    }

    /// The best size of tables and number of steps; of those that `samples` are enough for, if there are any.
    fn cheapest(&self, samples: f64) -> Option<AttackCost> {
        let better = |found: &AttackCost, best: &AttackCost| {
            found.rop <= best.rop && !(best.samples <= samples && samples < found.samples)
        };
        let largest = 3 * self.log2_q.ceil() as usize;
        let of_size = |b: usize| {
            // More steps make the error wider than the modulus.
            let most = self.instance.n.checked_div(b).unwrap_or(0).min(2 * self.log2_q as usize + 16);
            let found = valley_by(2, most.max(3), 1, |steps| self.cost(b, steps), better);
            found.map_or(AttackCost::NEVER, |(_, found)| found)
        };
        valley_by(2, largest.max(3), 1, of_size, better).map(|(_, found)| found)
    }

    /// The coefficients that a code of the `i`-th step takes, if `tested` are left for the end.
    fn code(&self, i: usize, b: usize, tested: f64) -> f64 {
        let rate = (b as f64 - 1.0) / tested + i as f64 / (2.0 * self.log2_q);
        (b as f64 / rate).floor().min(1e9)
    }

    /// How many coefficients to test, so that steps and tests take all of them.
    fn tested(&self, b: usize, plain: usize, coded: usize) -> usize {
        let left = self.instance.n.saturating_sub(plain * b);
        let missing = |tested: usize| {
            let codes: f64 = (1..=coded).map(|i| self.code(i, b, tested as f64)).sum();
            left as f64 - codes - tested as f64
        };
        let (mut low, mut high) = (1, left);
        while low < high {
            let middle = usize::midpoint(low, high);
            if missing(middle) > 0.0 { low = middle + 1 } else { high = middle }
        }
        if low > 1 && missing(low - 1).abs() < missing(low).abs() { low - 1 } else { low.min(left) }
    }

    /// Tables of `b` coefficients, as many as `steps`.
    fn cost(&self, b: usize, steps: usize) -> AttackCost {
        let Instance { n, secret, .. } = *self.instance;
        if steps as f64 / 2.0 + self.error.log2() > self.log2_q + 4.0 {
            return AttackCost::NEVER;
        }
        let first = self.tested(b, 0, steps) as f64;
        // Codes of no more than b coefficients are no better than plain tables.
        let plain = (1..=steps).filter(|&i| self.code(i, b, first) <= b as f64).count();
        let plain = plain.min(n.checked_div(b).unwrap_or(0));
        let coded = steps - plain;
        let tested = self.tested(b, plain, coded);
        let codes: Vec<f64> = (1..=coded).map(|i| self.code(i, b, tested as f64)).collect();
        let in_codes: f64 = codes.iter().sum();
        let (n_, b_, tested_) = (n as f64, b as f64, tested as f64);
        let guessed = (n_ - in_codes - tested_ - plain as f64 * b_).max(0.0);
        // Theorem 1: what adding samples leaves, and the distances to codes.
        let ln_distance = LN_2 * self.log2_q * (1.0 - (b_ - 1.0) / tested_.max(1e-9)) - 12_f64.ln() / 2.0;
        let added = (steps as f64).exp2() * self.error * self.error;
        let distances = (secret.deviation * ln_distance.exp()).powi(2) * (in_codes + tested_);
        let width = (2.0 * PI * (added + if tested == 0 { 0.0 } else { distances })).sqrt().log2() - self.log2_q;
        if width.is_nan() || width >= 4.0 {
            return AttackCost::NEVER;
        }
        let last = samples_for(-PI * (2.0 * width).exp2() / LN_2);
        // log2 of half a table, of some of them, and of the samples after as many steps.
        let half = log2_less_one(b_ * self.log2_q) - 1.0;
        let tables = |count: f64| half + count.log2();
        let after = |left: f64| log2_sum(last, tables(left));
        let samples = after(steps as f64);
        let mut rop = f64::NEG_INFINITY;
        if secret.deviation > self.error {
            let rest = n_ - plain as f64 * b_;
            rop = samples + (n_ + 1.0).log2() + (rest / (b_ - 1.0)).ceil().max(1.0).log2();
        }
        for i in 1..=plain {
            let i = i as f64;
            rop = log2_sum(rop, (n_ + 1.0 - i * b_).max(0.0).log2() + after(steps as f64 - i));
        }
        let mut taken = guessed + tested_;
        for (i, code) in codes.iter().enumerate() {
            taken += code;
            rop = log2_sum(rop, 2.0 + after(i as f64 + 1.0) + code.log2());
            rop = log2_sum(rop, taken.log2() + after(i as f64));
        }
        let guesses = guessed * (2.0 * self.values + 1.0).log2();
        if guessed > 0.0 {
            rop = log2_sum(rop, last + guessed.log2() + guesses);
        }
        // The transform, and its table.
        let transform = b_ * self.log2_q + (b_ * self.log2_q + 1.0).log2();
        rop = log2_sum(rop, log2_sum(2.0 + last + tested_.log2(), guesses + transform));
        let within = ln_central_normal(self.values / (2.0 * self.error).sqrt() * SQRT_2) / LN_2;
        rop -= guessed * within;
        if rop.is_nan() || samples.is_nan() {
            return AttackCost::NEVER;
        }
        AttackCost {
            tag: "coded-bkw",
            rop,
            red: f64::NEG_INFINITY,
            mem: b_ * self.log2_q + (steps as f64).log2(),
            samples,
            eta: steps,
            zeta: b,
            transform: tested,
            ..AttackCost::NEVER
        }
    }
}

/// log2 of `2^x - 1`.
fn log2_less_one(x: f64) -> f64 {
    if x > 60.0 { x } else { (x * LN_2).exp_m1().log2() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Modulus;

    /// Examples of the lattice-estimator: `LWE.coded_bkw`.
    #[test]
    fn tables_are_those_of_the_lattice_estimator() {
        let kyber = Shape::Binomial(3);
        let kyber = Lwe { n: 512, q: Modulus::Integer(3329.0), secret: kyber, error: kyber, samples: Some(512) };
        let (secret, error) = (Shape::Binomial(5), Shape::Interval(-4, 3));
        let saber = Lwe { n: 512, q: Modulus::Integer(8192.0), secret, error, samples: None };
        let error = Shape::Gaussian(131_072.0);
        let tfhe = Lwe { n: 630, q: Modulus::Log2(32.0), secret: Shape::Binary, error, samples: None };
        for (lwe, rop, samples, mem, b) in
            [(kyber, 178.8, 166.8, 167.8, 14), (saber, 171.7, 159.4, 160.4, 12), (tfhe, 144.7, 131.8, 132.8, 4)]
        {
            let found = lwe.coded_bkw().unwrap();
            let close =
                [(found.rop, rop), (found.samples, samples), (found.mem, mem)].map(|(a, b)| (a - b).abs() < 0.3);
            assert!(close == [true; 3] && found.zeta == b, "{found:?}, not {rop}");
        }
    }
}
