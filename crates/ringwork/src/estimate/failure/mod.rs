//! The probability of decryption failure: the distribution of the noise, value by value.
//!
//! A [`Distribution`] has the probability of every integer. Build the noise as a scheme does: products of secrets and
//! errors, sums of `n` of them, rounding. [`Distribution::tail`] is the probability that it is too large:
//!
//! ```
//! use ringwork::estimate::failure::Distribution;
//! // ML-KEM-768: eᵀr + e₂ + Δv - sᵀ(e₁ + Δu), of 3·256 products each; a noise of 832 turns a 1, 1665, into 2497, a 0.
//! let small = Distribution::binomial(2)?;
//! let e1 = small.sum(&Distribution::compression(3329, 10)?)?;
//! let products = small.product(&small)?.sum(&small.product(&e1)?)?.times(3 * 256)?;
//! let noise = products.sum(&small)?.sum(&Distribution::compression(3329, 4)?)?;
//! let any_of_256 = noise.tail(831) + 8.0;
//! assert!((any_of_256 + 164.8).abs() < 0.1, "FIPS 203, table 1, has 2^-164.8");
//! # Ok::<(), ringwork::estimate::failure::Error>(())
//! ```
//!
//! **Heuristic:** the *independence assumption* takes the coefficients of a product of polynomials for independent sums
//! of independent products. They are not: with error-correcting codes this can be far too optimistic (D'Anvers,
//! Vercauteren, Verbauwhede, *The impact of error dependencies*, 2019); where each coefficient counts alone, as in
//! ML-KEM, it is what specifications compute. A union bound over `m` coefficients adds `log2 m`, as above.
//!
//! **Accuracy:** results are upper bounds for the distribution as built, except for rounding of `f64`, and within a
//! hundredth of a bit of the exact values. Values with a total probability below 2^-400 are cut and count as failures;
//! so no tail is below about 2^-390, and one below [`FLOOR_LOG2`] means no more than that: [`in_words`].

mod convolve;

use core::fmt;

/// The largest number of values that a distribution may span.
pub const LIMIT: usize = 1 << 18;

/// log2 of the largest failure probability that users may ignore.
pub const ACCEPTED_LOG2: f64 = -64.0;

/// The same for key encapsulation, where an attacker may search for failures with as many ciphertexts and hashes as the
/// attacker can afford: 2^-128, where ML-KEM has at most 2^-138.8.
pub const ACCEPTED_KEM_LOG2: f64 = -128.0;

/// log2 of a probability that stands for all smaller ones: see the accuracy above.
pub const FLOOR_LOG2: f64 = -380.0;

/// A failure probability in words: `2^-18.0`, or a bound if it is below the resolution.
pub fn in_words(log2: f64) -> String {
    match log2 {
        f64::NEG_INFINITY => "0".into(),
        log2 if log2 < FLOOR_LOG2 => format!("less than 2^{FLOOR_LOG2}"),
        log2 => format!("2^{log2:.1}"),
    }
}

/// The probability cut off at each end.
const CUT: f64 = f64::from_bits((1023 - 401) << 52);
/// Products of probabilities below this are cut: 2^26 of them are less than 2^-400.
const NEGLIGIBLE: f64 = f64::from_bits((1023 - 441) << 52);

/// The probability of every integer.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// The value that `weights[0]` is for.
    low: i64,
    /// Not empty.
    weights: Vec<f64>,
    /// An upper bound for the probability cut at both ends.
    cut: f64,
}

impl Distribution {
    /// Always `x`.
    pub fn point(x: i64) -> Self {
        Self { low: x, weights: vec![1.0], cut: 0.0 }
    }

    /// All of `[-b, b]` equally often.
    ///
    /// **Errors** beyond [`LIMIT`] values.
    pub fn uniform(b: u64) -> Result<Self, Error> {
        let high = i64::try_from(b).map_err(|_| Error::TooWide)?;
        Self::interval(-high, high)
    }

    /// All integers from `low` to `high` equally often.
    ///
    /// **Errors** beyond [`LIMIT`] values.
    pub fn interval(low: i64, high: i64) -> Result<Self, Error> {
        let span = span(low, high)?;
        Ok(Self { low, weights: vec![1.0 / span as f64; span], cut: 0.0 })
    }

    /// 0 or 1, equally often.
    pub fn binary() -> Self {
        Self { low: 0, weights: vec![0.5; 2], cut: 0.0 }
    }

    /// -1, 0, 1 with these probabilities.
    ///
    /// **Errors** unless they are probabilities with sum 1.
    pub fn ternary(weights: [f64; 3]) -> Result<Self, Error> {
        Self::around_zero(weights)
    }

    /// Integers around 0 with these probabilities, the middle one that of 0.
    ///
    /// **Errors** unless they are an odd number of probabilities with sum 1.
    pub fn around_zero<const N: usize>(weights: [f64; N]) -> Result<Self, Error> {
        let sum: f64 = weights.iter().sum();
        if N & 1 == 0 || weights.iter().any(|w| !(0.0..=1.0).contains(w)) || (sum - 1.0).abs() > 1e-9 {
            return Err(Error::Probabilities(weights.to_vec()));
        }
        Self { low: -(N as i64 >> 1), weights: weights.map(|w| w / sum).to_vec(), cut: 0.0 }.trimmed()
    }

    /// Centred binomial: the sum of `eta` bits minus that of `eta` others.
    ///
    /// **Errors** beyond [`LIMIT`] values.
    pub fn binomial(eta: u32) -> Result<Self, Error> {
        let bits = Self::binary().times(2 * u64::from(eta))?;
        bits.sum(&Self::point(-i64::from(eta)))
    }

    /// A discrete Gaussian of deviation `sigma` around 0, for a sampler that draws nothing beyond `tail · sigma`.
    ///
    /// A tail of 24 deviations loses less than 2^-400.
    ///
    /// **Errors** unless both are positive numbers, and beyond [`LIMIT`] values.
    pub fn gaussian(sigma: f64, tail: f64) -> Result<Self, Error> {
        if !(sigma > 0.0 && sigma.is_finite() && tail > 0.0 && tail.is_finite()) {
            return Err(Error::Gaussian { sigma, tail });
        }
        let reach = (sigma * tail).floor();
        if reach >= LIMIT as f64 {
            return Err(Error::TooWide);
        }
        let low = -(reach as i64);
        span(low, -low)?;
        let mut weights: Vec<f64> = (low..=-low).map(|x| (-(x as f64 / sigma).powi(2) / 2.0).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|w| *w /= sum);
        Self { low, weights, cut: 0.0 }.trimmed()
    }

    /// The error of rounding a uniform residue modulo `q` to `bits` bits and back: `x - ⌊q/2^bits · ⌊2^bits/q · x⌉⌉`,
    /// centred.
    ///
    /// Source: FIPS 203, section 4.2.1, Compress and Decompress.
    ///
    /// **Errors** unless `2 ≤ q ≤` [`LIMIT`] and `1 ≤ bits ≤ 32`.
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    pub fn compression(q: u64, bits: u32) -> Result<Self, Error> {
        if !(2..=LIMIT as u64).contains(&q) || !(1..=32).contains(&bits) {
            return Err(Error::Compression { q, bits });
        }
        let half = (q / 2) as i64;
        let mut weights = vec![0.0; q as usize + 1];
        for x in 0..q {
            let compressed = (((x << bits) + q / 2) / q) & ((1 << bits) - 1);
            let restored = (compressed * q + (1 << bits >> 1)) >> bits;
            let error = (x as i64 - restored as i64 + half).rem_euclid(q as i64) - half;
            weights[(error + half) as usize] += 1.0;
        }
        weights.iter_mut().for_each(|count| *count /= q as f64);
        Self { low: -half, weights, cut: 0.0 }.trimmed()
    }

    /// The probability of one value.
    pub fn probability(&self, x: i64) -> f64 {
        let index = x.checked_sub(self.low).and_then(|i| usize::try_from(i).ok());
        index.and_then(|i| self.weights.get(i)).copied().unwrap_or(0.0)
    }

    /// The expected value.
    pub fn mean(&self) -> f64 {
        self.values().map(|(x, w)| x as f64 * w).sum()
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        self.values().map(|(x, w)| (x as f64 - mean).powi(2) * w).sum::<f64>().sqrt()
    }

    /// log2 of the probability that `|x| > threshold`.
    ///
    /// **Range:** at most 0; `-∞` if it cannot happen.
    pub fn tail(&self, threshold: u64) -> f64 {
        let outside: f64 = self.values().filter(|(x, _)| x.unsigned_abs() > threshold).map(|(_, w)| w).sum();
        (outside + self.cut).log2().min(0.0)
    }

    /// The distribution of the sum of two independent values.
    ///
    /// **Errors** beyond [`LIMIT`] values.
    pub fn sum(&self, other: &Self) -> Result<Self, Error> {
        let low = self.low.checked_add(other.low).ok_or(Error::TooWide)?;
        let length = self.weights.len() + other.weights.len() - 1;
        low.checked_add(length as i64).ok_or(Error::TooWide)?;
        let weights = convolve::convolve(&self.weights, &other.weights);
        Self { low, weights, cut: self.cut + other.cut }.trimmed()
    }

    /// The distribution of the product of two independent values.
    ///
    /// **Errors** beyond [`LIMIT`] values, and beyond 2^26 pairs of factors.
    pub fn product(&self, other: &Self) -> Result<Self, Error> {
        if (self.weights.len() as u64) * (other.weights.len() as u64) > 1 << 26 {
            return Err(Error::TooWide);
        }
        let reach = |d: &Self| (d.low.unsigned_abs()).max(d.high().unsigned_abs());
        reach(self).checked_mul(reach(other)).filter(|&r| r < 1 << 62).ok_or(Error::TooWide)?;
        let pairs = || self.values().flat_map(|(x, w)| other.values().map(move |(y, v)| (x * y, w * v)));
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for (x, _) in pairs().filter(|&(_, w)| w >= NEGLIGIBLE) {
            (low, high) = (low.min(x), high.max(x));
        }
        let mut product = Self { low, weights: vec![0.0; span(low, high)?], cut: self.cut + other.cut };
        for (x, w) in pairs() {
            if w >= NEGLIGIBLE {
                product.weights[(x - low) as usize] += w;
            } else {
                product.cut += w;
            }
        }
        product.trimmed()
    }

    /// The distribution of the sum of `count` independent values, by repeated doubling: under a
    /// second for most, a few at the limit.
    ///
    /// **Errors** beyond [`LIMIT`] values.
    pub fn times(&self, count: u64) -> Result<Self, Error> {
        // For a nearly normal sum, 47 deviations hold everything above the cut; for few values, all of them do.
        let all = (self.weights.len() - 1) as f64 * count as f64;
        if all.min(40.0 * self.deviation() * (count as f64).sqrt()) > LIMIT as f64 {
            return Err(Error::TooWide);
        }
        let (mut sum, mut power, mut left) = (None::<Self>, self.clone(), count);
        while left > 0 {
            if left & 1 == 1 {
                sum = Some(sum.map_or(Ok(power.clone()), |sum| sum.sum(&power))?);
            }
            left >>= 1;
            if left > 0 {
                power = power.sum(&power)?;
            }
        }
        Ok(sum.unwrap_or_else(|| Self::point(0)))
    }

    /// The distribution of `k` times the value.
    ///
    /// **Errors** beyond [`LIMIT`] values.
    pub fn scaled(&self, k: i64) -> Result<Self, Error> {
        let [a, b] = [self.low, self.high()].map(|x| x.checked_mul(k).ok_or(Error::TooWide));
        self.mapped(a?, b?, |x| x * k)
    }

    /// The distribution of `|x|`.
    ///
    /// **Errors** beyond [`LIMIT`] values.
    pub fn magnitude(&self) -> Result<Self, Error> {
        let farthest = self.low.checked_neg().ok_or(Error::TooWide)?.max(self.high());
        self.mapped(self.low.max(0), farthest, i64::abs)
    }

    /// The distribution of `f(x)`, which lies between `a` and `b`.
    fn mapped(&self, a: i64, b: i64, f: impl Fn(i64) -> i64) -> Result<Self, Error> {
        let low = a.min(b);
        let mut weights = vec![0.0; span(low, a.max(b))?];
        self.values().for_each(|(x, w)| weights[(f(x) - low) as usize] += w);
        Self { low, weights, cut: self.cut }.trimmed()
    }

    fn values(&self) -> impl Iterator<Item = (i64, f64)> {
        (self.low..).zip(self.weights.iter().copied())
    }

    fn high(&self) -> i64 {
        self.low + (self.weights.len() as i64 - 1)
    }

    /// Cuts the improbable ends.
    fn trimmed(mut self) -> Result<Self, Error> {
        let ends = |weights: &mut dyn Iterator<Item = &f64>| {
            let (mut count, mut cut) = (0, 0.0);
            for w in weights.take_while(|&&w| cut_fits(&mut cut, w)) {
                debug_assert!(*w <= CUT);
                count += 1;
            }
            (count, cut)
        };
        let (above, cut_above) = ends(&mut self.weights.iter().rev());
        self.weights.truncate(self.weights.len() - above);
        let (below, cut_below) = ends(&mut self.weights.iter());
        self.weights.drain(..below);
        self.low += below as i64;
        self.cut = (self.cut + cut_above + cut_below).min(1.0);
        if self.weights.len() > LIMIT { Err(Error::TooWide) } else { Ok(self) }
    }
}

/// Adds `w` to the cut probability if that stays below [`CUT`].
fn cut_fits(cut: &mut f64, w: f64) -> bool {
    let fits = *cut + w <= CUT;
    if fits {
        *cut += w;
    }
    fits
}

/// The number of integers from `low` to `high`.
fn span(low: i64, high: i64) -> Result<usize, Error> {
    let span = high.checked_sub(low).and_then(|s| usize::try_from(s).ok()).ok_or(Error::TooWide)?;
    if span < LIMIT { Ok(span + 1) } else { Err(Error::TooWide) }
}

/// Why a distribution cannot be built.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// It would span more than [`LIMIT`] values, or take too long to compute.
    TooWide,
    /// Not an odd number of probabilities with sum 1.
    Probabilities(Vec<f64>),
    /// The deviation or the tail is not positive.
    Gaussian {
        /// The deviation.
        sigma: f64,
        /// The cut of the sampler, in deviations.
        tail: f64,
    },
    /// Residues modulo `q` cannot be rounded to that many bits.
    Compression {
        /// The modulus.
        q: u64,
        /// The bits.
        bits: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooWide => {
                write!(f, "the distribution spans more than {LIMIT} values: narrower noise or shorter tails work")
            }
            Self::Probabilities(w) => {
                write!(f, "{w:?} are no probabilities: an odd number of them from 0 to 1 with sum 1 works")
            }
            Self::Gaussian { sigma, tail } => {
                write!(f, "no Gaussian has deviation {sigma} and is cut at {tail} deviations: positive numbers work")
            }
            Self::Compression { q, bits } => write!(
                f,
                "residues modulo {q} are not rounded to {bits} bits: moduli from 2 to {LIMIT} and from 1 to 32 bits work"
            ),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests;
