//! Samplers: from uniform bytes to coefficients.
//!
//! | sampler | distribution | time |
//! |---|---|---|
//! | [`Binomial`] | ψ_eta: ones among eta bits minus ones among eta others | constant |
//! | [`uniform_mod_vartime`] | uniform on `[0, q)`, by rejection | variable: public values |
//! | [`FixedWeight`] | uniform among polynomials with `weight` coefficients ±1 and zeros elsewhere | variable: public values |
//!
//! With the feature `research`:
//!
//! | sampler | distribution | time |
//! |---|---|---|
//! | `Ternary` | of NTTRU: b0 + b1 - b2 - b3 modulo 3 | constant |
//! | `Gaussian` | discrete Gaussian D_{Z,σ}, any 0 < σ ≤ 2^16 | constant |
//! | `Uniform`, `ternary`, `binary` | uniform on `[-beta, beta]`, `{-1, 0, 1}`, `{0, 1}` | constant |
//! | `KnuthYao` | discrete Gaussian, bit by bit, as a processor does it | variable: teaching, hardware model |
//!
//! All but `Binomial` and `Ternary` read a [`ByteStream`](crate::xof::ByteStream); the mapping from bytes to values is
//! part of a sampler's definition, and the same on every backend. Constant-time samplers wipe their random bytes.

mod binomial;
mod fixed_weight;
#[cfg(feature = "research")]
mod gaussian;
#[cfg(feature = "research")]
mod knuth_yao;
mod rejection;
#[cfg(feature = "research")]
mod ternary;
#[cfg(feature = "research")]
mod uniform;

pub use binomial::Binomial;
#[cfg(feature = "alloc")]
pub use fixed_weight::Challenge;
pub use fixed_weight::FixedWeight;
pub use rejection::uniform_mod_vartime;
pub(crate) use rejection::{Accepted, rejected_vartime};
#[cfg(feature = "research")]
pub use {
    gaussian::Gaussian,
    knuth_yao::{KnuthYao, Step},
    ternary::Ternary,
    uniform::{Uniform, binary, ternary},
};

use core::fmt;
use lanes::{Backend, Lanes, Lanes16, LanesWide, Task16, Task32, Task64, scalar::Arrays};

/// The words that samplers fill: `i16`, `i32`, `i64`.
pub trait Word: ntt::SignedWord {
    /// The word of the lowest bits of `x`: `x` itself if it fits. **Constant time:** yes.
    fn truncate(x: i64) -> Self;
    /// `total + factor·x` in `[0, q)`, for `total` in `[0, q)`, where `|factor·x|` is below `q`,
    /// and `2q` fits the word.
    ///
    /// **Constant time:** yes. **Panics** unless `x` has the same length.
    fn add_multiple(backend: Backend, total: &mut [Self], factor: Self, x: &[Self], q: Self);
}

/// The task of [`Word::add_multiple`].
struct AddMultiple<'a, W> {
    total: &'a mut [W],
    factor: W,
    x: &'a [W],
    q: W,
}

/// [`Word::add_multiple`] of whole vectors.
#[inline(always)]
fn add_multiple<L: Lanes>(l: L, total: &mut [L::Word], factor: L::Word, x: &[L::Word], q: L::Word) {
    let (factor, q) = (l.splat(factor), l.splat(q));
    for (total, x) in L::blocks_mut(total).iter_mut().zip(L::blocks(x)) {
        let sum = l.add(l.load(total), l.mul_lo(factor, l.load(x)));
        let lowered = l.sub(l.add(sum, l.and(q, l.negative(sum))), q);
        l.store(total, l.add(lowered, l.and(q, l.negative(lowered))));
    }
}

macro_rules! word {
    ($($word:ty, $task:ident, $lanes:ident, $run:ident;)*) => {$(
        impl $task for AddMultiple<'_, $word> {
            type Output = ();

            #[inline(always)]
            fn run<L: $lanes<Word = $word>>(self, l: L) {
                let whole = L::blocks(self.x).len() * L::LANES;
                let ((total, rest), (x, rest_of_x)) = (self.total.split_at_mut(whole), self.x.split_at(whole));
                add_multiple(l, total, self.factor, x, self.q);
                add_multiple(Arrays::<$word, 1>::new(), rest, self.factor, rest_of_x, self.q);
            }
        }

        impl Word for $word {
            #[inline(always)]
            fn truncate(x: i64) -> Self {
                x as $word
            }

            fn add_multiple(backend: Backend, total: &mut [Self], factor: Self, x: &[Self], q: Self) {
                assert_eq!(total.len(), x.len(), "a term for each total");
                backend.$run(AddMultiple { total, factor, x, q });
            }
        }
    )*};
}
word! {
    i16, Task16, Lanes16, run16;
    i32, Task32, LanesWide, run32;
    i64, Task64, LanesWide, run64;
}

/// The largest `beta` of `Uniform`.
const MAX_BOUND: u32 = 1 << 15;

/// Why a sampler cannot be constructed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SampleError {
    /// The bound of a uniform distribution is not in `1..=2^15`.
    Bound(u32),
    /// No polynomial of that degree has that weight.
    Weight {
        /// Number of coefficients.
        n: usize,
        /// The number of coefficients ±1.
        weight: usize,
    },
    /// A standard deviation that is not a number in the sampler's range.
    Deviation {
        /// The standard deviation.
        sigma: f64,
        /// The smallest deviation that works, or 0 for any above.
        smallest: f64,
        /// The largest deviation that works.
        largest: f64,
    },
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Bound(beta) => write!(f, "beta = {beta} is not in 1..={}", MAX_BOUND),
            Self::Weight { n, weight } if (1..=fixed_weight::MAX_N).contains(&n) => {
                write!(f, "weight {weight} is not in 1..={n}, the number of coefficients")
            }
            Self::Weight { n, .. } => write!(f, "{n} coefficients are not in 1..={}", fixed_weight::MAX_N),
            Self::Deviation { sigma, smallest: 0.0, largest } => {
                write!(f, "the standard deviation {sigma} is not above 0 and at most {largest}")
            }
            Self::Deviation { sigma, smallest, largest } => {
                write!(f, "the standard deviation {sigma} is not in {smallest}..={largest}")
            }
        }
    }
}

impl core::error::Error for SampleError {}

/// **Panics** unless `largest` fits the word.
#[track_caller]
fn assert_fits<W: Word>(largest: i64) {
    let highest = i64::MAX >> (64 - W::BITS);
    assert!(largest <= highest, "values up to {largest} do not fit words of {} bits", W::BITS);
}

#[cfg(test)]
#[expect(clippy::integer_division_remainder_used, reason = "tests of known numbers")]
mod testing {
    use super::Word;

    /// Pearson's statistic of counts against expected counts, with the number of cells; cells that
    /// expect less than 10 are left out.
    pub(super) fn chi_square(counts: &[f64], expected: &[f64]) -> (f64, usize) {
        let cells = counts.iter().zip(expected).filter(|(_, expected)| **expected >= 10.0);
        cells.fold((0.0, 0), |(sum, cells), (n, e)| (sum + (n - e).powi(2) / e, cells + 1))
    }

    /// A value that chi-square with `cells` cells exceeds once in 30 000 times (Wilson and
    /// Hilferty's formula).
    pub(super) fn chi_square_limit(cells: usize) -> f64 {
        let freedom = (cells - 1) as f64;
        let h = 2.0 / (9.0 * freedom);
        freedom * (1.0 - h + 4.0 * h.sqrt()).powi(3)
    }

    /// **Panics** unless samples look like D_{Z,sigma}: mean, variance, and chi-square over cells
    /// of a fifth of sigma or more.
    pub(super) fn assert_gaussian<W: Word>(samples: &[W], sigma: f64) {
        let samples: Vec<i64> = samples.iter().map(|&x| x.into()).collect();
        let total = samples.len() as f64;
        let end = (13.0 * sigma).ceil() as i64 + 1;
        let weight = |x: i64| (-(x as f64 / sigma).powi(2) / 2.0).exp();
        let sum: f64 = (-end..=end).map(weight).sum();
        let variance = (-end..=end).map(|x| weight(x) * (x as f64).powi(2)).sum::<f64>() / sum;

        let mean = samples.iter().sum::<i64>() as f64 / total;
        assert!(mean.abs() <= 4.5 * (variance / total).sqrt(), "sigma = {sigma}: mean {mean}");
        let square = samples.iter().map(|&x| (x as f64).powi(2)).sum::<f64>() / total;
        if sigma > 0.5 {
            let deviation = variance * (2.0 / total).sqrt(); // of the mean square, for a normal distribution
            assert!((square - variance).abs() <= 6.0 * deviation, "sigma = {sigma}: {square} for {variance}");
        }

        let width = (sigma / 5.0).ceil() as i64;
        let cell = |x: i64| ((x + end) / width) as usize;
        let mut expected = vec![0.0; cell(end) + 1];
        let mut counts = expected.clone();
        (-end..=end).for_each(|x| expected[cell(x)] += total * weight(x) / sum);
        samples.iter().for_each(|&x| counts[cell(x)] += 1.0);
        let (statistic, cells) = chi_square(&counts, &expected);
        assert!(cells == 1 || statistic < chi_square_limit(cells), "sigma = {sigma}: {statistic} in {cells} cells");
    }
}
