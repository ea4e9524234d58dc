//! Primal attacks that end with a closest vector: bounded distance decoding, and hybrids that guess a part of the
//! secret.
//!
//! The attack guesses ζ coefficients of the secret, up to some weight, reduces the lattice of the others with BKZ-β
//! once, and for each guess looks for the closest vector: by a shortest vector in the last η dimensions, where η is the
//! least for which the error is shorter than any other vector there, and by Babai's rounding in the others; or by
//! rounding alone. A meet in the middle takes the root of the number of guesses.
//!
//! Sources: Liu, Nguyen, *Solving BDD by enumeration* (2013), for ζ = 0; Howgrave-Graham, *A hybrid lattice-reduction
//! and meet-in-the-middle attack against NTRU* (2007); Albrecht, Curtis, Wunderer, *Exploring trade-offs in batch
//! bounded distance decoding* (2019); the probability of rounding: Wunderer, *A detailed analysis of the hybrid
//! attack* (2019), section 4; that of the meeting: Son, Cheon, *Revisiting the hybrid attack on sparse secret LWE*
//! (2019), lemma 4.2.
//!
//! **Left out:** what the guesses of a meet in the middle cost in memory, and the probability of a meeting without
//! rounding.

use super::{
    Error, Lwe, Ntru, Reduction,
    cost::repetitions,
    profile::{Basis, Form, MOST_SIMULATED, Piece, Profile},
    reduction::ln_root_hermite,
    search::{AttackCost, Instance, valley},
    special::{Coordinate, erf, ln_ball, log2_binomial, log2_sum},
    usvp::USUAL_BETA,
};
use core::{cell::RefCell, f64::consts::LN_2};
use std::collections::BTreeMap;

/// How a hybrid attack finds the secret after a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guessing {
    /// Each guess with a shortest vector; `bdd_hybrid` in the lattice-estimator.
    Decode,
    /// A meet in the middle, with rounding; `bdd_mitm_hybrid` in the lattice-estimator.
    Meet,
    /// Each guess with rounding.
    Round,
    /// A meet in the middle, with a shortest vector each; takes the probability of a meeting as 1, which is too high.
    MeetDecode,
}

impl Guessing {
    const fn rounds(self) -> bool {
        matches!(self, Self::Round | Self::Meet)
    }

    const fn meets(self) -> bool {
        matches!(self, Self::Meet | Self::MeetDecode)
    }
}

impl Lwe {
    /// Bounded distance decoding: the embedding, but with a larger block once at the end.
    ///
    /// **Errors** for numbers out of range, if no block size succeeds, and for bases too large to simulate.
    pub fn bdd(&self, models: Reduction) -> Result<AttackCost, Error> {
        Instance::of_lwe(self)?.bdd(models).map(|found| found.of_form(models.form))
    }

    /// The cheapest number of guessed coefficients, ζ, and of those that are not zero.
    ///
    /// **Errors** for numbers out of range, if nothing succeeds, and for bases too large to simulate.
    pub fn hybrid(&self, guessing: Guessing, models: Reduction) -> Result<AttackCost, Error> {
        Instance::of_lwe(self)?.hybrid(guessing, models).map(|found| found.of_form(models.form))
    }
}

impl Ntru {
    /// Bounded distance decoding: the search for the key, but with a larger block once at the end.
    ///
    /// **Errors** for numbers out of range, if no block size succeeds, and for bases too large to simulate.
    pub fn bdd(&self, models: Reduction) -> Result<AttackCost, Error> {
        Instance::of_ntru(self)?.bdd(models).map(|found| found.of_form(models.form))
    }

    /// The cheapest number of guessed coefficients, ζ, and of those that are not zero.
    ///
    /// **Errors** for numbers out of range, if nothing succeeds, and for bases too large to simulate.
    pub fn hybrid(&self, guessing: Guessing, models: Reduction) -> Result<AttackCost, Error> {
        Instance::of_ntru(self)?.hybrid(guessing, models).map(|found| found.of_form(models.form))
    }
}

/// What does not depend on the guesses: costs of the reduction and of one decoding, dimensions, chance.
#[derive(Clone, Copy)]
struct Decoding {
    red: f64,
    svp: f64,
    eta: usize,
    d: usize,
    log2_chance: f64,
}

/// An attack with ζ guesses.
struct Hybrid<'a> {
    instance: &'a Instance,
    models: Reduction,
    guessing: Guessing,
    zeta: usize,
    /// By block size.
    known: RefCell<BTreeMap<usize, Option<Decoding>>>,
}

impl Instance {
    fn bdd(&self, models: Reduction) -> Result<AttackCost, Error> {
        let most = self.most_beta(models, 1)?;
        let attack = Hybrid::new(self, models, Guessing::Decode, 0);
        let found = attack.cheapest(most);
        if found.rop == f64::INFINITY {
            return Err(Error::OutOfReach(super::Attack::Primal));
        }
        // The reduction in fewer dimensions, as long as the decoding does not cost more.
        let fewer = valley(self.n, found.dimension + 1, 1, |d| {
            let decoding = attack.decoding(found.beta, Some(d));
            decoding.map_or(AttackCost::NEVER, |decoding| attack.cost(found.beta, decoding, 0.0, 0.0))
        });
        Ok(AttackCost { tag: "bdd", ..fewer.map_or(found, |(_, fewer)| found.min(fewer)) })
    }

    fn hybrid(&self, guessing: Guessing, models: Reduction) -> Result<AttackCost, Error> {
        let most = self.most_beta(models, 8)?;
        let with = |zeta| Hybrid::new(self, models, guessing, zeta).cheapest(most);
        // The cost falls and rises again: the best of a grid, then of finer ones around it.
        let (mut low, mut high) = (0, self.n - 1);
        let mut best = (0, with(0));
        loop {
            let step = (high - low).div_ceil(32).max(1);
            for zeta in (low..=high).step_by(step).chain([high]) {
                let found = with(zeta);
                if found.rop < best.1.rop {
                    best = (zeta, found);
                }
            }
            if step == 1 {
                break;
            }
            (low, high) = (best.0.saturating_sub(step), (best.0 + step).min(self.n - 1));
        }
        if best.1.rop == f64::INFINITY {
            return Err(Error::OutOfReach(super::Attack::Primal));
        }
        Ok(AttackCost { tag: "hybrid", ..best.1 })
    }

    /// The block size of the embedding, which no hybrid needs to exceed, for bases not too long for `times` searches.
    fn most_beta(&self, models: Reduction, times: usize) -> Result<usize, Error> {
        let usvp = self.usvp(Reduction { form: Form::Gsa, ..models });
        // The longest basis is that of the smallest block.
        let longest = (self.n as f64 * self.ln_q / ln_root_hermite(40)).sqrt().min(self.most()) as usize;
        if models.form == Form::Cn11 && longest > MOST_SIMULATED.checked_div(times).unwrap_or(0) {
            return Err(Error::Unmodelled("bases of so many dimensions by simulation"));
        }
        Ok(usvp.map_or(USUAL_BETA, |usvp| usvp.beta))
    }
}

impl<'a> Hybrid<'a> {
    const fn new(instance: &'a Instance, models: Reduction, guessing: Guessing, zeta: usize) -> Self {
        Self { instance, models, guessing, zeta, known: RefCell::new(BTreeMap::new()) }
    }

    /// The best block size and weight of guesses, for block sizes up to a little more than `most_beta`.
    fn cheapest(&self, most_beta: usize) -> AttackCost {
        let (n, zeta) = (self.instance.n, self.zeta);
        let secret = self.instance.secret;
        let weight = secret.shape.weight(secret.count).min(n);
        let (low, high) = secret.shape.bounds();
        let log2_values = (high - low).log2();
        let mut best = AttackCost::NEVER;
        let (mut guesses, mut chance) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let least = (zeta + weight).saturating_sub(n);
        for w in (least..=zeta.min(weight)).take(MOST_WEIGHTS) {
            let values = if w == 0 { 0.0 } else { w as f64 * log2_values };
            guesses = log2_sum(guesses, log2_binomial(zeta as f64, w as f64) + values);
            let [all, nonzero, zeta_, w_] = [n, weight, zeta, w].map(|count| count as f64);
            let drawn = log2_binomial(all - nonzero, zeta_ - w_) + log2_binomial(nonzero, w_);
            chance = log2_sum(chance, drawn - log2_binomial(all, zeta_)).min(0.0);
            // Large weights in larger steps.
            let above = w - least;
            if !above.is_multiple_of((above >> 6).max(1)) {
                continue;
            }
            let found = valley(40, most_beta + 2, 2, |beta| match self.decoding_cached(beta) {
                Some(decoding) => self.cost(beta, decoding, guesses, chance),
                None => AttackCost::NEVER,
            });
            let found = found.map_or(AttackCost::NEVER, |(_, found)| found);
            if found.rop > best.rop {
                break;
            }
            best = found;
            if best.rop == f64::INFINITY {
                break;
            }
        }
        best
    }

    fn cost(&self, beta: usize, decoding: Decoding, guesses: f64, chance: f64) -> AttackCost {
        let searched = if self.guessing.meets() { guesses / 2.0 } else { guesses };
        let svp = decoding.svp + searched;
        let once = AttackCost {
            tag: "hybrid",
            rop: log2_sum(decoding.red, svp),
            red: decoding.red,
            svp,
            mem: searched,
            beta,
            eta: decoding.eta,
            zeta: self.zeta,
            dimension: decoding.d,
            ..AttackCost::NEVER
        };
        let once = AttackCost { guess: f64::NEG_INFINITY, ..once };
        once.repeated(repetitions(chance + decoding.log2_chance))
    }

    fn decoding_cached(&self, beta: usize) -> Option<Decoding> {
        if let Some(&known) = self.known.borrow().get(&beta) {
            return known;
        }
        let found = self.decoding(beta, None);
        self.known.borrow_mut().insert(beta, found);
        found
    }

    /// Costs and chance with BKZ-`beta` in `d` dimensions, or as many as a geometric series makes best.
    fn decoding(&self, beta: usize, d: Option<usize>) -> Option<Decoding> {
        let instance = self.instance;
        let n = instance.n - self.zeta;
        let samples = instance.most() - self.zeta as f64;
        if samples < beta as f64 || d.is_some_and(|d| d < beta) {
            return None;
        }
        let ln_xi = instance.stretch().ln();
        let d = d.unwrap_or_else(|| {
            let best = (n as f64 * (instance.ln_q - ln_xi).max(0.0) / ln_root_hermite(beta)).sqrt().ceil();
            beta.max(best.min(samples) as usize)
        });
        let basis = Basis { d, n, ln_q: instance.ln_q, ln_xi, ln_tau: None };
        let ln_sigma = instance.error.deviation.ln();
        if d < n && self.models.form != Form::Gsa {
            return None;
        }
        let reduced = basis.reduced_dual(self.models.form, beta);
        let (eta, svp) = if self.guessing.rounds() {
            (2, 2.0 * (d.max(1) as f64).log2())
        } else {
            let dimension = self.last_dimension(&reduced, ln_sigma);
            let eta = if instance.homogeneous { dimension } else { dimension - 1 };
            if eta > d {
                return None;
            }
            let lifting = 2.0 * ((d - eta).max(1) as f64).log2();
            (eta, log2_sum(self.models.cost.svp(dimension), lifting))
        };
        let rounded = if self.guessing.rounds() { d } else { d - eta };
        let mut log2_chance = ln_rounding(&reduced, rounded, ln_sigma) / LN_2;
        if self.guessing == Guessing::Meet && self.zeta > 0 {
            log2_chance += ln_meeting(&reduced, ln_sigma) / LN_2;
        }
        Some(Decoding { red: self.models.cost.bkz(beta, d), svp, eta, d, log2_chance })
    }

    /// The least dimension, at the end of the basis and with the embedding, where the error is the shortest vector.
    fn last_dimension(&self, reduced: &Profile, ln_sigma: f64) -> usize {
        let d = reduced.len();
        let one = usize::from(!self.instance.homogeneous);
        let volume = reduced.volumes();
        let found = |i: usize| {
            let all = (d - i + one) as f64;
            let shortest = (volume(i) + one as f64 * ln_sigma - ln_ball(all)) / all;
            shortest < ln_sigma + all.ln() / 2.0
        };
        let first = if d > 4096 { d - USUAL_BETA } else { 0 };
        let smooth = d.saturating_sub(60).max(first);
        let least = if found(smooth) {
            // It stays found, but for a few dimensions at the end.
            let (mut low, mut high) = (first, smooth);
            while low < high {
                let middle = usize::midpoint(low, high);
                if found(middle) { high = middle } else { low = middle + 1 }
            }
            Some(high)
        } else {
            (smooth..d).find(|&i| found(i))
        };
        least.map_or(2, |i| d - i + 1 + one)
    }
}

/// Guesses of more weights than this are not tried.
const MOST_WEIGHTS: usize = 4096;

/// `ln` of the probability that Babai's rounding in the first `count` dimensions finds an error of deviation σ: that
/// each coordinate of a random vector of length `σ√count` is at most half as long as `b*_i`.
fn ln_rounding(reduced: &Profile, count: usize, ln_sigma: f64) -> f64 {
    let coordinate = Coordinate::new(count as f64);
    let ln_most = 4_f64.ln() + (count.max(1) as f64).ln() + 2.0 * ln_sigma;
    // Beyond this, a coordinate is too long with probability e^-50.
    let enough = ln_sigma + 400_f64.ln() / 2.0;
    sum_below(reduced, count, enough, |ln_length| {
        let chance = 1.0 - coordinate.above((2.0 * ln_length - ln_most).exp());
        chance.max(1e-300).ln()
    })
}

/// `ln` of the probability that rounding two halves of an error gives its rounding.
fn ln_meeting(reduced: &Profile, ln_sigma: f64) -> f64 {
    // Beyond this, a coordinate is too long with probability e^-25.
    sum_below(reduced, reduced.len(), ln_sigma + 25.0, |ln_length| {
        let x = (ln_length - ln_sigma).exp() / 2_f64.sqrt();
        let root_pi = core::f64::consts::PI.sqrt();
        // Far from 0, the error function is 1, and the exponential 0.
        let chance = if x > 6.0 { 1.0 - 1.0 / (x * root_pi) } else { erf(x) + (-x * x).exp_m1() / (x * root_pi) };
        chance.max(1e-300).ln()
    })
}

/// The sum of `f(ln ‖b*_i‖)` for the first `count` lengths that are below `enough`.
fn sum_below(reduced: &Profile, count: usize, enough: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut sum, mut rest) = (0.0, count);
    for piece in reduced.pieces() {
        sum += sum_line(Piece { count: piece.count.min(rest), ..piece }, enough, &f);
        rest -= piece.count.min(rest);
    }
    sum
}

/// The same for one line; for long ones by Gauss's quadrature.
fn sum_line(Piece { first, slope, count }: Piece, enough: f64, f: impl Fn(f64) -> f64) -> f64 {
    const NODES: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_3),
    ];
    if slope <= 0.0 {
        return if first < enough && count > 0 { count as f64 * f(first) } else { 0.0 };
    }
    let start = if enough < first { ((first - enough) / slope).ceil() as usize } else { 0 };
    if start >= count {
        return 0.0;
    }
    let few = (count - start) as f64;
    if enough - (first - count as f64 * slope) > 200.0 {
        // So many so small chances are none.
        return f64::NEG_INFINITY;
    }
    let panels = (few * slope).ceil();
    if few <= 16.0 * panels {
        return (start..count).map(|i| f(first - i as f64 * slope)).sum();
    }
    // The sum is the integral from half a step before to half a step after: f varies slowly.
    let half = few / panels / 2.0;
    let part = |panel: usize| {
        let middle = start as f64 - 0.5 + (2.0 * panel as f64 + 1.0) * half;
        let at = |x: f64| f(first - (middle + half * x) * slope);
        half * NODES.iter().map(|(x, weight)| weight * (at(*x) + at(-x))).sum::<f64>()
    };
    (0..panels as usize).map(part).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrature_is_the_sum() {
        let line = Profile::Line { d: 700, first: 6.0, slope: 0.0113 };
        let listed = Profile::Listed((0..700).map(|i| line.at(i)).collect());
        for ln_sigma in [0.0, 1.0, 2.0] {
            let [a, b] = [&line, &listed].map(|profile| ln_rounding(profile, 650, ln_sigma));
            assert!((a - b).abs() < 1e-4 * b.abs().max(1.0), "{a} {b}");
            let [a, b] = [&line, &listed].map(|profile| ln_meeting(profile, ln_sigma));
            assert!((a - b).abs() < 1e-4 * b.abs().max(1.0), "{a} {b}");
        }
    }
}
