//! What attacks need to know of a distribution beyond its deviation.

use super::{Shape, special::log2_binomial};
use core::f64::consts::PI;

impl Shape {
    /// The expected value of one of `n` coefficients.
    pub fn mean(self, n: usize) -> f64 {
        match self {
            Self::Binary => 0.5,
            Self::Counts { plus, minus } => (plus as f64 - minus as f64) / n as f64,
            Self::Interval(low, high) => (low as f64 + high as f64) / 2.0,
            Self::GaussianAt { mean, .. } => mean,
            _ => 0.0,
        }
    }

    /// The smallest and the largest value; infinite for Gaussian shapes.
    pub fn bounds(self) -> (f64, f64) {
        let within = |most: f64| (-most, most);
        match self {
            Self::Uniform(b) => within(b as f64),
            Self::Binary => (0.0, 1.0),
            Self::Ternary(_) | Self::Weight(_) => within(1.0),
            Self::Binomial(eta) => within(eta.into()),
            Self::Gaussian(_) | Self::GaussianAt { .. } => within(f64::INFINITY),
            Self::Counts { plus, minus } => (-(minus.min(1) as f64), plus.min(1) as f64),
            Self::Interval(low, high) => (low as f64, high as f64),
            Self::TUniform(b) => within(f64::from(b).exp2()),
        }
    }

    /// The expected part of coefficients that are not zero among `n`; for a Gaussian, with a mean of 0.
    pub fn density(self, n: usize) -> f64 {
        let of_interval =
            |low: f64, high: f64| if low <= 0.0 && high >= 0.0 { 1.0 - 1.0 / (high - low + 1.0) } else { 1.0 };
        match self {
            Self::Uniform(b) => of_interval(-(b as f64), b as f64),
            Self::Binary => 0.5,
            Self::Ternary(p) => p,
            Self::Binomial(eta) => {
                1.0 - (log2_binomial(2.0 * f64::from(eta), eta.into()) - 2.0 * f64::from(eta)).exp2()
            }
            // From there on, the sum is that integral to all digits.
            Self::Gaussian(sigma) if sigma >= 1.5 => 1.0 - 1.0 / (sigma * (2.0 * PI).sqrt()),
            Self::Gaussian(sigma) => {
                let others: f64 = (1..40).map(|x| 2.0 * (-(f64::from(x) / sigma).powi(2) / 2.0).exp()).sum();
                others / (1.0 + others)
            }
            Self::GaussianAt { deviation, .. } => Self::Gaussian(deviation).density(n),
            Self::Weight(weight) => weight as f64 / n as f64,
            Self::Counts { plus, minus } => (plus as f64 + minus as f64) / n as f64,
            Self::Interval(low, high) => of_interval(low as f64, high as f64),
            Self::TUniform(b) => 1.0 - (-f64::from(b) - 1.0).exp2(),
        }
    }

    /// The number of coefficients that are not zero among `n`, rounded.
    pub fn weight(self, n: usize) -> usize {
        match self {
            Self::Weight(weight) => weight,
            Self::Counts { plus, minus } => plus.saturating_add(minus),
            _ => (n as f64 * self.density(n)).round_ties_even() as usize,
        }
    }

    /// Whether the weight is fixed, or less than half of the coefficients are not zero.
    pub fn is_sparse(self, n: usize) -> bool {
        matches!(self, Self::Weight(_) | Self::Counts { .. }) || self.density(n) < 0.5
    }

    /// log2 of the number of values that `n` coefficients may have; for a Gaussian, of those within a little more than
    /// twelve deviations.
    ///
    /// Unlike [`entropy`](Self::entropy), it counts improbable values as well.
    pub fn log2_support(self, n: usize) -> f64 {
        match self {
            Self::Counts { plus, minus } => {
                log2_binomial(n as f64, plus as f64) + log2_binomial(n as f64 - plus as f64, minus as f64)
            }
            Self::Weight(weight) => log2_binomial(n as f64, weight as f64) + weight as f64,
            _ => n as f64 * self.values().log2(),
        }
    }

    /// The number of values of one coefficient, for a Gaussian as in [`log2_support`](Self::log2_support).
    pub(super) fn values(self) -> f64 {
        match self {
            Self::Gaussian(sigma) => 2.0 * (4.0 * sigma * (2.0 * PI).sqrt() + 1.0) + 1.0,
            Self::GaussianAt { deviation, .. } => Self::Gaussian(deviation).values(),
            _ => {
                let (low, high) = self.bounds();
                high - low + 1.0
            }
        }
    }

    /// The same distribution on `n` coefficients of a vector: shapes of fixed weight keep their counts, as far as they
    /// fit.
    pub fn resized(self, n: usize) -> Self {
        match self {
            Self::Weight(weight) => Self::Weight(weight.min(n)),
            Self::Counts { plus, minus } => Self::Counts { plus: plus.min(n), minus: minus.min(n - plus.min(n)) },
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_means_and_bounds_are_those_of_the_probabilities() {
        for shape in [
            Shape::Uniform(3),
            Shape::Interval(-4, 3),
            Shape::Interval(2, 5),
            Shape::Binary,
            Shape::TERNARY,
            Shape::Binomial(3),
            Shape::Counts { plus: 10, minus: 5 },
            Shape::TUniform(0),
            Shape::TUniform(4),
            Shape::Gaussian(3.0),
            Shape::Gaussian(1.0),
            Shape::Gaussian(1.5),
            Shape::Gaussian(0.7),
            Shape::Gaussian(0.39),
            Shape::Gaussian(0.2),
            Shape::GaussianAt { deviation: 3.0, mean: 1.0 },
        ] {
            let exact = shape.distribution(100, 12.0).unwrap();
            assert!((shape.mean(100) - exact.mean()).abs() < 1e-9, "{shape}");
            let density = 1.0 - exact.probability(0);
            let known = matches!(shape, Shape::GaussianAt { .. });
            assert!(known || (shape.density(100) - density).abs() < 1e-9, "{shape}: {density}");
            let (low, high) = shape.bounds();
            assert!(low.is_infinite() || exact.probability(low as i64) > 0.0 && exact.probability(high as i64) > 0.0);
            assert!(low.is_infinite() || exact.probability(low as i64 - 1) + exact.probability(high as i64 + 1) == 0.0);
            assert!(shape.log2_support(100) > shape.entropy(100) - 1e-6, "{shape}");
        }
        // ND.SparseTernary(8, 8, 64).support_size(), ND.Uniform(-3, 3, 64).support_size().
        let sparse = Shape::Counts { plus: 8, minus: 8 };
        assert!((sparse.log2_support(64) - 6_287_341_680_214_194_176_f64.log2()).abs() < 1e-9);
        assert!(sparse.is_sparse(20) && !Shape::Binary.is_sparse(20) && Shape::Gaussian(0.5).is_sparse(9));
        assert_eq!((sparse.weight(64), Shape::TERNARY.weight(99), Shape::Weight(7).weight(9)), (16, 66, 7));
        assert_eq!(sparse.resized(10), Shape::Counts { plus: 8, minus: 2 });
    }
}
