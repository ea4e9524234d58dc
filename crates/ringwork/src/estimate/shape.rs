//! Distributions of secrets and errors, by name.

use super::{
    Error, MAX_DIMENSION,
    failure::{self, Distribution},
    special::log2_binomial,
};
use core::{
    f64::consts::{E, PI},
    fmt,
    str::FromStr,
};

/// The distribution of one coefficient. Estimates use only its deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Uniform in `[-b, b]`.
    Uniform(u64),
    /// 0 or 1, each with probability 1/2; attacks subtract the mean.
    Binary,
    /// -1, 0, 1, each of -1 and 1 with half of this probability.
    Ternary(f64),
    /// Centred binomial: the sum of `eta` bits minus that of `eta` others.
    Binomial(u32),
    /// Discrete Gaussian of this deviation.
    Gaussian(f64),
    /// -1, 0, 1, with exactly this number of nonzero coefficients.
    Weight(usize),
    /// -1, 0, 1, with exactly these numbers of coefficients 1 and -1; sparse and binary if the second is 0.
    Counts {
        /// Coefficients that are 1.
        plus: usize,
        /// Coefficients that are -1.
        minus: usize,
    },
    /// Uniform from the first to the second number; attacks subtract the mean.
    Interval(i64, i64),
    /// From `-2^b` to `2^b`, the two ends half as often as the others, as in TFHE-rs.
    TUniform(u32),
    /// Discrete Gaussian around a mean that is not zero; attacks subtract it.
    GaussianAt {
        /// Its deviation.
        deviation: f64,
        /// Its mean.
        mean: f64,
    },
}

impl Shape {
    /// -1, 0 and 1 equally often.
    pub const TERNARY: Self = Self::Ternary(2.0 / 3.0);
    /// Names that parse.
    pub const EXAMPLES: &str = "uniform:4, uniform:-4..3, tuniform:17, binary, ternary, ternary:0.5 (non-zero), \
         ternary:h=192 (non-zero in all), ternary:p=127,m=126 (ones, minus ones), binomial:3, gaussian:3.2 and \
         gaussian:3.2,mean=0.5";

    /// The standard deviation of one of `n` coefficients.
    ///
    /// **Errors** if there is no such distribution, or it is a single value.
    pub fn deviation(self, n: usize) -> Result<f64, Error> {
        let (deviation, exists) = match self {
            Self::Uniform(b) => ((b as f64 * (b as f64 + 1.0) / 3.0).sqrt(), b > 0),
            Self::Binary => (0.5, true),
            Self::Ternary(p) => (p.sqrt(), p > 0.0 && p <= 1.0),
            Self::Binomial(eta) => ((f64::from(eta) / 2.0).sqrt(), eta > 0),
            Self::Gaussian(sigma) => (sigma, sigma > 0.0 && sigma.is_finite()),
            Self::Weight(weight) => ((weight as f64 / n as f64).sqrt(), (1..=n).contains(&weight)),
            Self::Counts { plus, minus } => {
                let [plus, minus] = [plus, minus].map(|count| count as f64 / n as f64);
                let variance = plus + minus - (plus - minus).powi(2);
                (variance.sqrt(), variance > 0.0 && plus + minus < 1.0 + 0.5 / n as f64)
            }
            Self::Interval(low, high) => {
                let count = high as f64 - low as f64 + 1.0;
                (((count * count - 1.0) / 12.0).sqrt(), low < high)
            }
            Self::TUniform(b) => (((f64::from(b) * 2.0 + 1.0).exp2() / 6.0 + 1.0 / 6.0).sqrt(), b <= 500),
            Self::GaussianAt { deviation, mean } => {
                (deviation, deviation > 0.0 && deviation.is_finite() && mean.is_finite())
            }
        };
        if exists { Ok(deviation) } else { Err(Error::Shape(self)) }
    }

    /// log2 of the number of guesses for `n` coefficients: their entropy, for shapes that
    /// [`deviation`](Self::deviation) accepts.
    pub fn entropy(self, n: usize) -> f64 {
        let of_one = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
        let of_flat = |count: f64| count.log2();
        let of_normal = |deviation: f64| (2.0 * PI * E).log2() / 2.0 + deviation.log2();
        let one = match self {
            Self::Uniform(b) => of_flat(2.0 * b as f64 + 1.0),
            Self::Interval(low, high) => of_flat(high as f64 - low as f64 + 1.0),
            // All values but the ends have probability 2^-(b+1); these have half of that.
            Self::TUniform(b) => f64::from(b) + 1.0 + (-f64::from(b) - 1.0).exp2(),
            Self::Binary => 1.0,
            Self::Ternary(p) => 2.0 * of_one(p / 2.0) + of_one(1.0 - p),
            Self::Binomial(eta) if eta <= 256 => {
                // From the middle outwards, unscaled: one binomial coefficient from the next.
                let mut weights = vec![1.0];
                for k in 0..eta {
                    weights.push(weights[k as usize] * f64::from(eta - k) / f64::from(eta + k + 1));
                }
                let total = 2.0 * weights.iter().sum::<f64>() - 1.0;
                2.0 * weights.iter().map(|w| of_one(w / total)).sum::<f64>() - of_one(1.0 / total)
            }
            Self::Gaussian(sigma) if sigma < 8.0 => {
                let weights: Vec<f64> = (0..100).map(|x| (-(f64::from(x) / sigma).powi(2) / 2.0).exp()).collect();
                let total = 2.0 * weights.iter().sum::<f64>() - 1.0;
                2.0 * weights.iter().map(|w| of_one(w / total)).sum::<f64>() - of_one(1.0 / total)
            }
            Self::Binomial(eta) => of_normal((f64::from(eta) / 2.0).sqrt()),
            Self::Gaussian(sigma) => of_normal(sigma),
            Self::GaussianAt { deviation, .. } => return Self::Gaussian(deviation).entropy(n),
            // All vectors of a weight are alike.
            Self::Weight(_) | Self::Counts { .. } => return self.log2_support(n),
        };
        n as f64 * one
    }

    /// The expected number of non-zero coefficients among `n`, if it is at most half.
    pub(super) fn sparse_weight(self, n: usize) -> Option<f64> {
        let weight = match self {
            Self::Ternary(p) => p * n as f64,
            Self::Weight(weight) => weight as f64,
            Self::Counts { plus, minus } => plus as f64 + minus as f64,
            _ => return None,
        };
        (2.0 * weight <= n as f64).then_some(weight)
    }

    /// log2 of the probability that `zeros` given coefficients of `n` are zero, for sparse shapes.
    pub(super) fn log2_zeros(self, n: usize, zeros: usize) -> f64 {
        match self {
            Self::Ternary(p) => zeros as f64 * (1.0 - p).log2(),
            Self::Weight(weight) => {
                let [n, weight, zeros] = [n, weight, zeros].map(|count| count as f64);
                log2_binomial(n - weight, zeros) - log2_binomial(n, zeros)
            }
            Self::Counts { plus, minus } => Self::Weight(plus + minus).log2_zeros(n, zeros),
            _ => f64::NEG_INFINITY,
        }
    }

    /// The probabilities of one of `n` coefficients; a Gaussian is cut at `tail` deviations.
    ///
    /// **Errors** are those of [`failure`].
    pub fn distribution(self, n: usize, tail: f64) -> Result<Distribution, failure::Error> {
        match self {
            Self::Uniform(b) => Distribution::uniform(b),
            Self::Binary => Ok(Distribution::binary()),
            Self::Ternary(p) => Distribution::ternary([p / 2.0, 1.0 - p, p / 2.0]),
            Self::Binomial(eta) => Distribution::binomial(eta),
            Self::Gaussian(sigma) => Distribution::gaussian(sigma, tail),
            Self::Weight(weight) => Self::Ternary(weight as f64 / n as f64).distribution(n, tail),
            Self::Counts { plus, minus } => {
                let [plus, minus] = [plus, minus].map(|count| count as f64 / n as f64);
                Distribution::ternary([minus, 1.0 - plus - minus, plus])
            }
            Self::Interval(low, high) => Distribution::interval(low, high),
            Self::TUniform(b) => {
                // Half of the sum of a uniform value and one of its neighbours.
                let end = 1_i64.checked_shl(b).filter(|&end| end > 0).ok_or(failure::Error::TooWide)?;
                Distribution::interval(-end, end - 1)?.sum(&Distribution::binary())
            }
            Self::GaussianAt { deviation, mean } if mean.fract() == 0.0 && mean.abs() < 1e15 => {
                Distribution::gaussian(deviation, tail)?.sum(&Distribution::point(mean as i64))
            }
            Self::GaussianAt { .. } => Err(failure::Error::TooWide),
        }
    }

    /// The requirement on its parameter.
    pub(super) const fn needs(self) -> &'static str {
        match self {
            Self::Ternary(_) => "the probability of being non-zero is above 0 and at most 1",
            Self::Gaussian(_) | Self::GaussianAt { .. } => "a deviation is a positive number, and a mean is a number",
            Self::Interval(..) => "its first number is less than its second",
            Self::TUniform(_) => "its parameter is at most 500",
            Self::Counts { .. } => "it has at least one coefficient that is not zero, and no more than coefficients",
            Self::Weight(_) => "a weight is at least 1 and at most the number of coefficients",
            _ => "its parameter is a positive integer",
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform(b) => write!(f, "uniform:{b}"),
            Self::Binary => f.write_str("binary"),
            &Self::TERNARY => f.write_str("ternary"),
            Self::Ternary(p) => write!(f, "ternary:{p}"),
            Self::Binomial(eta) => write!(f, "binomial:{eta}"),
            Self::Gaussian(sigma) => write!(f, "gaussian:{sigma}"),
            Self::Weight(weight) => write!(f, "ternary:h={weight}"),
            Self::Counts { plus, minus } => write!(f, "ternary:p={plus},m={minus}"),
            Self::Interval(low, high) => write!(f, "uniform:{low}..{high}"),
            Self::TUniform(b) => write!(f, "tuniform:{b}"),
            Self::GaussianAt { deviation, mean } => write!(f, "gaussian:{deviation},mean={mean}"),
        }
    }
}

impl FromStr for Shape {
    type Err = Error;

    /// Parses the output of [`Display`](fmt::Display), and checks that the distribution exists.
    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownShape(text.into());
        let (name, value) = text.split_once(':').map_or((text, None), |(name, value)| (name, Some(value)));
        fn parse<T: FromStr>(value: Option<&str>) -> Option<T> {
            value.and_then(|v| v.parse().ok())
        }
        let shape = match (name, value) {
            ("binary", None) => Some(Self::Binary),
            ("ternary", None) => Some(Self::TERNARY),
            ("ternary", Some(weight)) if weight.starts_with("h=") => parse(weight.strip_prefix("h=")).map(Self::Weight),
            ("ternary", Some(counts)) if counts.starts_with("p=") => {
                let counts = counts.strip_prefix("p=").and_then(|rest| rest.split_once(",m="));
                counts.and_then(|(p, m)| Some(Self::Counts { plus: p.parse().ok()?, minus: m.parse().ok()? }))
            }
            ("uniform", Some(ends)) if ends.contains("..") => ends
                .split_once("..")
                .and_then(|(low, high)| Some(Self::Interval(low.parse().ok()?, high.parse().ok()?))),
            ("tuniform", value) => parse(value).map(Self::TUniform),
            ("gaussian", Some(text)) if text.contains(",mean=") => text
                .split_once(",mean=")
                .and_then(|(s, mean)| Some(Self::GaussianAt { deviation: s.parse().ok()?, mean: mean.parse().ok()? })),
            ("ternary", value) => parse(value).map(Self::Ternary),
            ("uniform", value) => parse(value).map(Self::Uniform),
            ("binomial", value) => parse(value).map(Self::Binomial),
            ("gaussian", value) => parse(value).map(Self::Gaussian),
            _ => None,
        }
        .ok_or_else(unknown)?;
        shape.deviation(MAX_DIMENSION).map(|_| shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_and_deviations_are_those_of_the_probabilities() {
        for name in [
            "uniform:4",
            "binary",
            "ternary",
            "ternary:0.5",
            "ternary:h=192",
            "binomial:3",
            "binomial:300",
            "gaussian:3.2",
            "gaussian:20",
            "uniform:-4..3",
            "ternary:p=127,m=63",
            "tuniform:0",
            "tuniform:5",
            "gaussian:3.2,mean=2",
        ] {
            let shape: Shape = name.parse().unwrap();
            assert_eq!(shape.to_string(), name);
            let distribution = shape.distribution(1024, 12.0).unwrap();
            let exact = distribution.deviation();
            assert!((shape.deviation(1024).unwrap() - exact).abs() < 1e-9, "{name}: {exact}");
            let entropy: f64 = (-2000..=2000)
                .map(|x| distribution.probability(x))
                .filter(|p| *p > 0.0)
                .map(|p| -1024.0 * p * p.log2())
                .sum();
            // A fixed weight has a little less entropy than independent coefficients.
            let difference = entropy - shape.entropy(1024);
            let most = if matches!(shape, Shape::Weight(_) | Shape::Counts { .. }) { 10.0 } else { 0.5 };
            assert!((-0.5..most).contains(&difference), "{name}: {entropy}, not {}", shape.entropy(1024));
        }
    }

    #[test]
    fn what_is_no_distribution_is_refused() {
        for name in
            ["", "poisson:3", "uniform", "uniform:x", "binary:2", "binomial:-1", "gaussian:", "binomial:99999999999"]
        {
            assert_eq!(name.parse::<Shape>(), Err(Error::UnknownShape(name.into())));
        }
        for name in [
            "uniform:0",
            "ternary:0",
            "ternary:1.5",
            "ternary:NaN",
            "binomial:0",
            "gaussian:-1",
            "gaussian:NaN",
            "gaussian:inf",
            "ternary:h=0",
            "ternary:p=0,m=0",
            "uniform:3..3",
            "tuniform:501",
            "gaussian:1,mean=inf",
        ] {
            assert!(matches!(name.parse::<Shape>(), Err(Error::Shape(_))), "{name}");
        }
    }
}
