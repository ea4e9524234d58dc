//! Searches for parameters of attacks, and the instances and costs that they handle.

use super::{Error, Form, Lwe, Ntru, Shape, check_size};
use core::fmt;

/// What an attack costs, and its parameters; all costs are logarithms to base 2, `-∞` for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AttackCost {
    /// The attack.
    pub tag: &'static str,
    /// All operations.
    pub rop: f64,
    /// Lattice reduction.
    pub red: f64,
    /// Shortest or closest vectors after the reduction.
    pub svp: f64,
    /// Guesses.
    pub guess: f64,
    /// Memory, in integers.
    pub mem: f64,
    /// Samples that it takes, where they are counted.
    pub samples: f64,
    /// How often all of it is repeated.
    pub repetitions: f64,
    /// Block size of the reduction; 0 without one.
    pub beta: usize,
    /// Dimension of the shortest vector, or of the sieve, after the reduction.
    pub eta: usize,
    /// Coefficients that are guessed.
    pub zeta: usize,
    /// Dimension of the reduced lattice.
    pub dimension: usize,
    /// Coefficients of the Fourier transform in a dual attack.
    pub transform: usize,
    /// Its modulus.
    pub modulus: usize,
    /// The shape of reduced bases that it was computed with; none where none matters.
    pub form: Option<Form>,
}

impl AttackCost {
    /// An attack that is infeasible.
    pub(super) const NEVER: Self = Self {
        tag: "",
        rop: f64::INFINITY,
        red: f64::INFINITY,
        svp: f64::NEG_INFINITY,
        guess: f64::NEG_INFINITY,
        mem: f64::NEG_INFINITY,
        samples: f64::NEG_INFINITY,
        repetitions: 0.0,
        beta: 0,
        eta: 0,
        zeta: 0,
        dimension: 0,
        transform: 0,
        modulus: 0,
        form: None,
    };

    /// An attack that consists of lattice reduction.
    pub(super) const fn of_reduction(tag: &'static str, bits: f64, beta: usize, dimension: usize) -> Self {
        Self { tag, rop: bits, red: bits, beta, dimension, ..Self::NEVER }
    }

    /// The same, `2^times` times.
    pub(super) fn repeated(self, times: f64) -> Self {
        let [rop, red, svp, guess] = [self.rop, self.red, self.svp, self.guess].map(|bits| bits + times);
        Self { rop, red, svp, guess, repetitions: self.repetitions + times, ..self }
    }

    /// The same, computed with that shape of bases.
    pub(super) const fn of_form(self, form: Form) -> Self {
        Self { form: Some(form), ..self }
    }

    /// Its parameters by their names, as far as the attack has them.
    ///
    /// Of BKW, `table` is the number of coefficients of a table, `tested` that of the last test; of Arora and Ge,
    /// `degree` is that of regularity, `bound` the largest error of an equation.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let names = match self.tag {
            "coded-bkw" => ["", "steps", "table", "", "tested", ""],
            "arora-gb" => ["", "degree", "bound", "", "", ""],
            _ => ["beta", "eta", "zeta", "dimension", "transform", "modulus"],
        };
        let values = [self.beta, self.eta, self.zeta, self.dimension, self.transform, self.modulus];
        names.into_iter().zip(values).filter(|(name, value)| !name.is_empty() && *value > 0)
    }

    /// The cheaper one.
    pub(super) fn min(self, other: Self) -> Self {
        if other.rop < self.rop { other } else { self }
    }
}

impl fmt::Display for AttackCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: 2^{:.1} operations", self.tag, self.rop)?;
        self.parameters().try_for_each(|(name, value)| write!(f, ", {name} = {value}"))
    }
}

/// A secret or an error: a shape, its number of coefficients, and its deviation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) shape: Shape,
    pub(super) count: usize,
    pub(super) deviation: f64,
}

/// An instance with checked numbers, its secret the narrower side where samples allow it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    pub(super) n: usize,
    pub(super) ln_q: f64,
    pub(super) secret: Side,
    pub(super) error: Side,
    /// Infinite for as many as are useful.
    pub(super) samples: f64,
    /// Whether the short vector lies in the lattice itself, as for NTRU.
    pub(super) homogeneous: bool,
}

impl Instance {
    pub(super) fn of_lwe(lwe: &Lwe) -> Result<Self, Error> {
        check_size("n", lwe.n, 1)?;
        let samples = lwe.samples.map_or(Ok(f64::INFINITY), |m| check_size("samples", m, 1))?;
        let (secret, error) = (side(lwe.secret, lwe.n)?, side(lwe.error, lwe.n)?);
        Ok(Self { n: lwe.n, ln_q: lwe.q.ln()?, secret, error, samples, homogeneous: false }.normal())
    }

    pub(super) fn of_ntru(ntru: &Ntru) -> Result<Self, Error> {
        let n = check_size("n", ntru.n, 1)?;
        let (secret, error) = (side(ntru.f, ntru.n)?, side(ntru.g, ntru.n)?);
        Ok(Self { n: ntru.n, ln_q: ntru.q.ln()?, secret, error, samples: n, homogeneous: true }.normal())
    }

    /// A secret that is wider than the errors is replaced by errors, with `n` samples; with as many samples as unknowns
    /// the two change places.
    fn normal(self) -> Self {
        let n = self.n as f64;
        if self.error.deviation >= self.secret.deviation {
            return self;
        }
        if !self.homogeneous && self.samples >= 2.0 * n {
            return Self { secret: self.error, samples: self.samples - n, ..self };
        }
        if self.samples == n {
            return Self { secret: self.error, error: self.secret, ..self };
        }
        self
    }

    /// How much to stretch the coordinates of the secret, so that they are as wide as those of the error; not below 1.
    pub(super) fn stretch(&self) -> f64 {
        (self.error.deviation / self.secret.deviation).max(1.0)
    }

    /// The most dimensions of a lattice of samples, and of the secret where it is short.
    pub(super) fn most(&self) -> f64 {
        if self.secret.deviation <= self.error.deviation { self.samples + self.n as f64 } else { self.samples }
    }
}

fn side(shape: Shape, count: usize) -> Result<Side, Error> {
    Ok(Side { shape, count, deviation: shape.deviation(count)? })
}

/// Descends from the far end of `start..stop` on multiples of `step` to a low point of `f`, then looks around it.
///
/// Halves the interval as long as costs fall, and turns where they rise: right for a valley, and for one with a
/// plateau of failures on its left. Nothing for an empty interval.
pub(super) fn valley(
    start: usize,
    stop: usize,
    step: usize,
    f: impl FnMut(usize) -> AttackCost,
) -> Option<(usize, AttackCost)> {
    valley_by(start, stop, step, f, |found, best| found.rop <= best.rop)
}

/// The same, where `better` says which of two is lower.
pub(super) fn valley_by(
    start: usize,
    stop: usize,
    step: usize,
    mut f: impl FnMut(usize) -> AttackCost,
    better: impl Fn(&AttackCost, &AttackCost) -> bool,
) -> Option<(usize, AttackCost)> {
    /// How the present point was reached.
    #[derive(PartialEq)]
    enum Way {
        Step { down: bool },
        Jump { down: bool },
    }
    let (first, last) = (start.div_ceil(step), (stop.checked_div(step)?).checked_sub(1)?);
    let (mut low, mut high) = (first, last);
    let mut way = Way::Step { down: true };
    let mut best: Option<(usize, AttackCost)> = None;
    let mut seen = Vec::new();
    let mut next = Some(last);
    while let Some(at) = next.filter(|at| (first..=last).contains(at) && !seen.contains(at)) {
        seen.push(at);
        let found = f(at * step);
        let lower = best.is_none_or(|(_, least)| better(&found, &least));
        if lower {
            best = Some((at, found));
        }
        next = match (lower, &way) {
            (true, Way::Jump { .. }) => {
                way = Way::Step { down: true };
                at.checked_sub(1)
            }
            (true, Way::Step { down: true }) => {
                (way, high) = (Way::Jump { down: true }, at);
                Some((low + high).div_ceil(2))
            }
            (true, Way::Step { down: false }) => {
                (way, low) = (Way::Jump { down: false }, at);
                Some(usize::midpoint(low, high))
            }
            (false, Way::Step { down: true }) => {
                way = Way::Step { down: false };
                Some(at + 2)
            }
            (false, Way::Step { down: false }) => None,
            (false, Way::Jump { down: true }) => {
                low = at;
                Some((low + high).div_ceil(2))
            }
            (false, Way::Jump { down: false }) => {
                high = at;
                Some(usize::midpoint(low, high))
            }
        };
    }
    let (at, mut least) = best?;
    let mut place = at * step;
    if step > 1 {
        for near in start.max(place.saturating_sub(step))..stop.min(place + step) {
            let found = f(near);
            if better(&found, &least) {
                (place, least) = (near, found);
            }
        }
    }
    Some((place, least))
}

/// Ascends from 0 by `step` as long as costs do not rise; by ever longer steps where there is no cost yet.
pub(super) fn ascent(stop: usize, mut step: usize, mut f: impl FnMut(usize) -> AttackCost) -> AttackCost {
    let (mut best, mut at) = (AttackCost::NEVER, 0);
    while at < stop {
        let found = f(at);
        if found.rop > best.rop {
            break;
        }
        best = found;
        if best.rop == f64::INFINITY && at > 8 * step {
            step *= 2;
        }
        at += step;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valleys_are_found() {
        let cost = |rop: f64| AttackCost { rop, ..AttackCost::NEVER };
        for low in [40, 41, 57, 100, 301, 998, 999] {
            for step in [1, 2, 5] {
                // A cliff of failures on the left, a slope on the right.
                let found = valley(40, 1000, step, |x| if x < low { AttackCost::NEVER } else { cost(x as f64) });
                assert!(found.unwrap().0 <= low + 2 * step, "{low} {step}: {found:?}");
                let found = valley(40, 1000, step, |x| cost((x as f64 - low as f64).abs()));
                assert!(found.unwrap().0.abs_diff(low) <= step, "{low} {step}: {found:?}");
            }
        }
        assert!(valley(40, 40, 1, |_| cost(1.0)).is_none() && valley(7, 3, 2, |_| cost(1.0)).is_none());
    }
}
