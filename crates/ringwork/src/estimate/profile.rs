//! Shapes of reduced bases: the lengths of their Gram-Schmidt vectors.
//!
//! All are for lattices with `d - n` vectors `q`, `n` unit vectors stretched by ξ, and, for an embedding, one more
//! vector of length τ in place of a vector `q`.

use super::{
    by_name,
    reduction::ln_root_hermite,
    simulate::simulate,
    special::{digamma, ln_ball},
};
use core::{fmt, str::FromStr};

/// How to model the shape of a reduced basis; the names are those of the lattice-estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The geometric series: `‖b*_i‖ = δ^(d-2i-1) vol^(1/d)`.
    ///
    /// Source: Schnorr, *Lattice reduction by random sampling and birthday methods* (2003).
    Gsa,
    /// A *Z*: vectors `q` and unit vectors that reduction does not touch, and a geometric series in between.
    ///
    /// Source: Ducas, van Woerden, *NTRU fatigue* (2021), section 2.4, with measured slopes for blocks up to 60.
    Zgsa,
    /// An *L*: a geometric series, then unit vectors; the vectors `q` are lost by a random change of the basis.
    ///
    /// Source: *CRYSTALS-Dilithium*, round 3 (2021), appendix C.3.
    Lgsa,
    /// The simulator of BKZ, from the basis above, as many tours as dimensions unless it is at rest before.
    ///
    /// Source: Chen, Nguyen, *BKZ 2.0* (2011), algorithm 2, with the heads of blocks below 46 from their average
    /// lattice of dimension 45. In time `d²`; [`MOST_SIMULATED`] dimensions at most.
    Cn11,
}

/// The most dimensions that the simulator takes: a tenth of a second for one basis, dozens of which are one estimate.
pub const MOST_SIMULATED: usize = 1 << 12;

impl Form {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Gsa, Self::Zgsa, Self::Lgsa, Self::Cn11];

    const fn name(self) -> &'static str {
        match self {
            Self::Gsa => "GSA",
            Self::Zgsa => "ZGSA",
            Self::Lgsa => "LGSA",
            Self::Cn11 => "CN11",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Form {
    type Err = String;

    /// Reads the names, in capitals or not.
    ///
    /// **Errors** for other names, with a list of those that work.
    fn from_str(name: &str) -> Result<Self, String> {
        by_name("shape of a basis", Self::ALL.map(|form| (form.name(), form)), name)
    }
}

/// A lattice: its dimension, how many of its coordinates belong to the secret, the logarithms of `q`, of ξ, and of τ if
/// there is an embedding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    pub(super) d: usize,
    pub(super) n: usize,
    pub(super) ln_q: f64,
    pub(super) ln_xi: f64,
    pub(super) ln_tau: Option<f64>,
}

/// `ln ‖b*_i‖` for every `i`, not rising but for the simulator.
#[derive(Clone, Debug)]
pub(super) enum Profile {
    /// The first one, and the difference from one to the next.
    Line { d: usize, first: f64, slope: f64 },
    /// A Z: `high` often `ln q`, `steps` down on either side of the middle, then unit vectors; τ somewhere.
    Z { basis: Basis, slope: f64, steps: usize },
    /// An L: from `first` down by `slope` as often as `steps`, then unit vectors.
    L { d: usize, first: f64, slope: f64, steps: usize, ln_xi: f64 },
    /// Any.
    Listed(Vec<f64>),
}

impl Basis {
    /// The logarithm of the volume.
    pub(super) fn ln_volume(&self) -> f64 {
        let (d, n) = (self.d as f64, self.n as f64);
        let ends = if self.ln_tau.is_some() { 1.0 } else { 0.0 };
        (d - n - ends) * self.ln_q + n * self.ln_xi + self.ln_tau.unwrap_or(0.0)
    }

    fn vectors_q(&self) -> usize {
        self.d.saturating_sub(self.n + usize::from(self.ln_tau.is_some()))
    }

    /// Its shape after BKZ-`beta`.
    pub(super) fn reduced(&self, form: Form, beta: usize) -> Profile {
        match form {
            Form::Gsa => {
                let ln_delta = ln_root_hermite(beta);
                let d = self.d as f64;
                Profile::Line { d: self.d, first: (d - 1.0) * ln_delta + self.ln_volume() / d, slope: 2.0 * ln_delta }
            }
            Form::Zgsa => {
                let basis = Self { ln_xi: self.ln_xi.min(self.ln_q), ..*self };
                let slope = z_slope(beta);
                let steps = ((basis.ln_q - basis.ln_xi) / (2.0 * slope) + 0.5).floor();
                Profile::Z { basis, slope, steps: (steps as usize).min(self.vectors_q()) }
            }
            Form::Lgsa => self.forgetful(beta),
            Form::Cn11 => Profile::Listed(self.simulated(beta)),
        }
    }

    /// The L: as many vectors above ξ as the volume needs.
    fn forgetful(&self, beta: usize) -> Profile {
        let slope = 2.0 * ln_root_hermite(beta);
        // τ counts in the volume alone.
        let excess = self.ln_volume() - self.d as f64 * self.ln_xi;
        // slope · k(k+1)/2 > excess.
        let enough = (0.25 + 2.0 * excess.max(0.0) / slope).sqrt() - 0.5;
        let steps = (enough.floor() as usize).saturating_add(1).min(self.d);
        let k = steps as f64;
        let shift = (excess - slope * k * (k + 1.0) / 2.0) / k;
        Profile::L { d: self.d, first: self.ln_xi + k * slope + shift, slope, steps, ln_xi: self.ln_xi }
    }

    /// Tours of BKZ on the unreduced basis.
    fn simulated(&self, beta: usize) -> Vec<f64> {
        let mut all = vec![self.ln_q; self.vectors_q()];
        all.resize(self.d - usize::from(self.ln_tau.is_some()), self.ln_xi);
        all.extend(self.ln_tau);
        simulate(&mut all, beta);
        all
    }

    /// The same, of the dual lattice and back: attacks on a projected end of the basis reduce it from there.
    pub(super) fn reduced_dual(&self, form: Form, beta: usize) -> Profile {
        if form != Form::Cn11 {
            return self.reduced(form, beta);
        }
        let mut all = vec![-self.ln_xi; self.n.min(self.d)];
        all.resize(self.d, -self.ln_q);
        simulate(&mut all, beta);
        Profile::Listed(all.into_iter().rev().map(|x| -x).collect())
    }
}

/// Lengths on a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The logarithm of the first one.
    pub(super) first: f64,
    /// How much each is less than the one before.
    pub(super) slope: f64,
    pub(super) count: usize,
}

impl Piece {
    /// Its part from `start` on.
    fn after(self, start: usize) -> Self {
        let start = start.min(self.count);
        Self { first: self.first - start as f64 * self.slope, count: self.count - start, ..self }
    }

    fn sum(self) -> f64 {
        let count = self.count as f64;
        count * (self.first - self.slope * (count - 1.0) / 2.0)
    }
}

impl Profile {
    /// The lengths as lines; of a Z, without τ.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        match *self {
            Self::Line { d, first, slope } => vec![Piece { first, slope, count: d }],
            Self::L { d, first, slope, steps, ln_xi } => {
                vec![Piece { first, slope, count: steps }, Piece { first: ln_xi, slope: 0.0, count: d - steps }]
            }
            Self::Z { basis, slope, steps } => {
                let before = basis.vectors_q() - steps;
                let first = (basis.ln_q + basis.ln_xi) / 2.0 + (steps as f64 - 0.5) * slope;
                let line = Piece { first, slope, count: (2 * steps).min(basis.d - before) };
                let count = basis.d - before - line.count;
                let high = Piece { first: basis.ln_q, slope: 0.0, count: before };
                vec![high, line, Piece { first: basis.ln_xi, slope: 0.0, count }]
            }
            Self::Listed(ref all) => all.iter().map(|&first| Piece { first, slope: 0.0, count: 1 }).collect(),
        }
    }

    /// The logarithms of the volumes of the last dimensions, from any position on.
    pub(super) fn volumes(&self) -> impl Fn(usize) -> f64 {
        let pieces = self.pieces();
        let mut listed = Vec::new();
        if let Self::Listed(all) = self {
            listed = vec![0.0; all.len() + 1];
            for (i, length) in all.iter().enumerate().rev() {
                listed[i] = listed[i + 1] + length;
            }
        }
        move |from| {
            if let Some(volume) = listed.get(from) {
                return *volume;
            }
            let (mut sum, mut before) = (0.0, 0);
            for piece in &pieces {
                sum += piece.after(from.saturating_sub(before)).sum();
                before += piece.count;
            }
            sum
        }
    }

    /// The dimension.
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Line { d, .. } | Self::L { d, .. } => *d,
            Self::Z { basis, .. } => basis.d,
            Self::Listed(all) => all.len(),
        }
    }

    /// `ln ‖b*_i‖`.
    pub(super) fn at(&self, i: usize) -> f64 {
        match self {
            Self::Line { first, slope, .. } => first - i as f64 * slope,
            Self::L { first, slope, steps, ln_xi, .. } => {
                if i < *steps {
                    first - i as f64 * slope
                } else {
                    *ln_xi
                }
            }
            Self::Listed(all) => all[i],
            Self::Z { basis, slope, steps } => {
                let middle = basis.vectors_q();
                let without_tau = |i: usize| {
                    let half = (basis.ln_q + basis.ln_xi) / 2.0;
                    if i < middle - steps {
                        basis.ln_q
                    } else if i < middle + steps {
                        half + (middle as f64 - i as f64 - 0.5) * slope
                    } else {
                        basis.ln_xi
                    }
                };
                match basis.ln_tau {
                    // It takes its place in the order, unless steps run over it.
                    Some(tau) if middle + steps < basis.d => {
                        if i + 1 < basis.d && without_tau(i) >= tau {
                            without_tau(i)
                        } else if i == 0 || without_tau(i - 1) >= tau {
                            tau
                        } else {
                            without_tau(i - 1)
                        }
                    }
                    _ => without_tau(i),
                }
            }
        }
    }
}

/// The differences of a Z for blocks from 2 to 60: averages after eight tours that Ducas and van Woerden measured, from
/// the artifacts of their paper.
#[rustfmt::skip]
const SLOPES: [f64; 59] = [
    0.04473, 0.04472, 0.04402, 0.04407, 0.04334, 0.04326, 0.04218, 0.04237, 0.04144, 0.04054, 0.03961, 0.03862,
    0.03745, 0.03673, 0.03585, 0.03477, 0.03378, 0.03298, 0.03222, 0.03155, 0.03088, 0.03029, 0.02999, 0.02954,
    0.02922, 0.02891, 0.02878, 0.0285, 0.02827, 0.02801, 0.02786, 0.02761, 0.02768, 0.02744, 0.02728, 0.02713,
    0.02689, 0.02678, 0.02671, 0.02647, 0.02634, 0.02614, 0.02595, 0.02583, 0.02559, 0.02534, 0.02514, 0.02506,
    0.02493, 0.02475, 0.02454, 0.02441, 0.02427, 0.02407, 0.02393, 0.02371, 0.02366, 0.02341, 0.02332,
];

/// The difference from one logarithm to the next in the middle of a Z.
fn z_slope(beta: usize) -> f64 {
    // Twice the logarithm of the shortest vector's root-Hermite factor.
    let asymptotic = |k: f64| -2.0 * ln_ball(k) / k / (k - 1.0);
    match beta {
        0..=60 => SLOPES[beta.max(2) - 2],
        61..=70 => {
            let measured = (70.0 - beta as f64) / 10.0;
            measured * SLOPES[58] + (1.0 - measured) * asymptotic(70.0)
        }
        _ => asymptotic(beta as f64),
    }
}

/// `ln` of the factor by which a random vector of dimension `d` gets shorter when `k` dimensions are projected away.
pub(super) fn ln_projected(d: f64, k: f64) -> f64 {
    (digamma((d - k) / 2.0) - digamma(d / 2.0)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Toy bases in the documentation of the lattice-estimator: `d = 12, n = 6, q = 31, β = 3`, log2 of squares.
    #[test]
    fn small_bases_are_those_of_the_lattice_estimator() {
        let basis = Basis { d: 12, n: 6, ln_q: 31_f64.ln(), ln_xi: 0.0, ln_tau: Some(0.0) };
        let log2 = |form| {
            let reduced = basis.reduced(form, 3);
            (0..12).map(|i| reduced.at(i) * 2.0 / core::f64::consts::LN_2).collect::<Vec<f64>>()
        };
        let close = |found: &[f64], expected: &[f64], most: f64| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < most), "{found:?}");
        };
        let z = [5.53, 5.41, 5.28, 5.15, 5.02, 4.89, 4.76, 4.63, 4.50, 4.37, 0.0, 0.0];
        close(&log2(Form::Zgsa), &z, 0.006);
        let simulated = [4.94, 4.79, 4.62, 4.45, 4.27, 4.10, 3.95, 3.83, 3.73, 3.66, 3.61, 3.60];
        close(&log2(Form::Cn11), &simulated, 0.05);
        let line = [4.82, 4.69, 4.57, 4.44, 4.32, 4.19, 4.07, 3.94, 3.82, 3.69, 3.57, 3.44];
        // Our factors for small blocks are interpolated.
        close(&log2(Form::Gsa), &line, 0.1);
        close(&log2(Form::Lgsa), &line, 0.1);
    }

    #[test]
    fn shapes_keep_the_volume_and_fall() {
        for ln_tau in [None, Some(0.7)] {
            for (d, n, beta) in [(213, 128, 40), (1000, 500, 300), (700, 650, 65), (300, 20, 100)] {
                let basis = Basis { d, n, ln_q: 7.6, ln_xi: 0.4, ln_tau };
                for form in Form::ALL {
                    let reduced = basis.reduced(form, beta);
                    assert_eq!(reduced.len(), d);
                    let sum: f64 = (0..d).map(|i| reduced.at(i)).sum();
                    let falls = (1..d).all(|i| reduced.at(i) <= reduced.at(i - 1) + 1e-9);
                    assert!(falls || form == Form::Cn11, "{form} {basis:?}");
                    // Steps on one side only, or over τ, change the volume of a Z.
                    let whole = form != Form::Zgsa || (d, n) == (213, 128) && ln_tau.is_none();
                    assert!(!whole || (sum / basis.ln_volume() - 1.0).abs() < 1e-6, "{form} {basis:?}: {sum}");
                }
                assert_eq!("zgsa".parse(), Ok(Form::Zgsa));
            }
        }
    }
}
