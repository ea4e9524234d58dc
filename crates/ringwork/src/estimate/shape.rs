//! Distributions of secrets and errors, by name.

use super::{
    Error,
    failure::{self, Distribution},
};
use core::{fmt, str::FromStr};

/// The distribution of one coefficient. Estimates look at its deviation only.
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
}

impl Shape {
    /// -1, 0 and 1 equally often.
    pub const TERNARY: Self = Self::Ternary(2.0 / 3.0);
    /// Names that parse.
    pub const EXAMPLES: &str = "uniform:4, binary, ternary, ternary:0.5 (non-zero), binomial:3 and gaussian:3.2";

    /// The standard deviation.
    ///
    /// **Errors** if there is no such distribution, or it is a single value.
    pub fn deviation(self) -> Result<f64, Error> {
        let (deviation, exists) = match self {
            Self::Uniform(b) => ((b as f64 * (b as f64 + 1.0) / 3.0).sqrt(), b > 0),
            Self::Binary => (0.5, true),
            Self::Ternary(p) => (p.sqrt(), p > 0.0 && p <= 1.0),
            Self::Binomial(eta) => ((f64::from(eta) / 2.0).sqrt(), eta > 0),
            Self::Gaussian(sigma) => (sigma, sigma > 0.0 && sigma.is_finite()),
        };
        if exists { Ok(deviation) } else { Err(Error::Shape(self)) }
    }

    /// The probabilities; a Gaussian is cut at `tail` deviations.
    ///
    /// **Errors** as [`failure`] has them.
    pub fn distribution(self, tail: f64) -> Result<Distribution, failure::Error> {
        match self {
            Self::Uniform(b) => Distribution::uniform(b),
            Self::Binary => Ok(Distribution::binary()),
            Self::Ternary(p) => Distribution::ternary([p / 2.0, 1.0 - p, p / 2.0]),
            Self::Binomial(eta) => Distribution::binomial(eta),
            Self::Gaussian(sigma) => Distribution::gaussian(sigma, tail),
        }
    }

    /// What its parameter must be.
    pub(super) const fn needs(self) -> &'static str {
        match self {
            Self::Ternary(_) => "the probability of being non-zero is above 0 and at most 1",
            Self::Gaussian(_) => "a deviation is a positive number",
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
        }
    }
}

impl FromStr for Shape {
    type Err = Error;

    /// Reads what [`Display`](fmt::Display) writes, and checks that there is such a distribution.
    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownShape(text.into());
        let (name, value) = text.split_once(':').map_or((text, None), |(name, value)| (name, Some(value)));
        fn parse<T: FromStr>(value: Option<&str>) -> Option<T> {
            value.and_then(|v| v.parse().ok())
        }
        let shape = match (name, value) {
            ("binary", None) => Some(Self::Binary),
            ("ternary", None) => Some(Self::TERNARY),
            ("ternary", value) => parse(value).map(Self::Ternary),
            ("uniform", value) => parse(value).map(Self::Uniform),
            ("binomial", value) => parse(value).map(Self::Binomial),
            ("gaussian", value) => parse(value).map(Self::Gaussian),
            _ => None,
        }
        .ok_or_else(unknown)?;
        shape.deviation().map(|_| shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_and_deviations_are_those_of_the_probabilities() {
        for name in ["uniform:4", "binary", "ternary", "ternary:0.5", "binomial:3", "gaussian:3.2"] {
            let shape: Shape = name.parse().unwrap();
            assert_eq!(shape.to_string(), name);
            let exact = shape.distribution(12.0).unwrap().deviation();
            assert!((shape.deviation().unwrap() - exact).abs() < 1e-9, "{name}: {exact}");
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
        ] {
            assert!(matches!(name.parse::<Shape>(), Err(Error::Shape(_))), "{name}");
        }
    }
}
