//! The discrete Gaussian D_{Z,σ}: `P(x) = e^(-x²/2σ²) / Σ_k e^(-k²/2σ²)`, any `0 < σ ≤ 2^16`, in
//! constant time.
//!
//! - Narrow ones, up to σ = 22: an alias table of the absolute value ([`alias`]), looked up within
//!   registers ([`draw`]), and a sign. The table comes from probabilities of 270 bits
//!   ([`probabilities`]).
//! - Wider ones: sums of at most five multiples of narrow ones ([`convolution`]); the deviation of
//!   the base is chosen so that the sum has exactly the requested one.
//!
//! The statistical distance adds up the table's error (computed, not bounded), the ε of each term,
//! and the loss by shared bytes, each derived where it arises.

mod alias;
mod convolution;
mod draw;
mod fixed;
mod probabilities;

pub(super) use fixed::Fixed;
pub(super) use probabilities::absolute;

use super::{SampleError, Word, assert_fits};
use crate::xof::ByteStream;
use convolution::Convolution;
use core::fmt;
use ntt::Backend;

/// The largest standard deviation of [`Gaussian`].
const MAX_SIGMA: f64 = 65536.0;
/// The upper bound for log2 of the statistical distance.
const DISTANCE_LOG2: f64 = -90.0;

/// The discrete Gaussian D_{Z,σ}, `P(x) = e^(-x²/2σ²) / Σ_k e^(-k²/2σ²)`, with its tables.
/// Construct it once and reuse it.
///
/// `n` values together, from uniform bytes, are within statistical distance `n·2^d` of `n`
/// independent ones, where `d` is [`statistical_distance_log2`](Self::statistical_distance_log2),
/// below -90.
///
/// ```
/// use ringwork::{Backend, sample::Gaussian, xof::ChaCha20};
/// let gaussian = Gaussian::new(4.859)?;
/// let mut noise = [0_i16; 512];
/// gaussian.sample(Backend::best(), &mut ChaCha20::new(&[7; 32], [0; 8]), &mut noise);
/// assert!(noise.iter().all(|x| x.abs() < 64));
/// # Ok::<(), ringwork::sample::SampleError>(())
/// ```
#[derive(Clone)]
pub struct Gaussian {
    sigma: f64,
    tables: draw::Tables,
    largest: i64,
    distance_log2: f64,
}

impl Gaussian {
    /// The Gaussian with standard deviation parameter `sigma` (σ; some papers state `s = σ√(2π)`),
    /// taken as the exact value of the binary number. Takes some milliseconds.
    ///
    /// **Errors** unless `0 < sigma ≤ 2^16`.
    pub fn new(sigma: f64) -> Result<Self, SampleError> {
        let refused = SampleError::Deviation { sigma, smallest: 0.0, largest: MAX_SIGMA };
        if !(sigma > 0.0 && sigma <= MAX_SIGMA) {
            return Err(refused);
        }
        let Convolution { columns, multipliers, divisor, epsilons_log2 } = Convolution::of(sigma).ok_or(refused)?;
        let probabilities = absolute(sigma, divisor);
        let weights = alias::weights(&probabilities, columns);
        let one = alias::distance(&weights, &probabilities).log2().exp2() + draw::TIE_LOG2.exp2();
        let epsilons: f64 = epsilons_log2.iter().map(|e| e.exp2()).sum();
        let distance_log2 = (multipliers.len() as f64 * one + epsilons).log2();
        assert!(distance_log2 < DISTANCE_LOG2, "sigma = {sigma}: distance 2^{distance_log2}");

        let highest = weights.iter().rposition(|&w| w != 0).unwrap_or(0) as i64;
        let largest = highest * multipliers.iter().map(|&k| i64::from(k)).sum::<i64>();
        let tables = draw::Tables::new(alias::columns(&weights), multipliers);
        Ok(Self { sigma, tables, largest, distance_log2 })
    }

    /// σ.
    pub const fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The largest absolute value of a sample.
    pub const fn largest(&self) -> i64 {
        self.largest
    }

    /// log2 of the statistical distance per value: the table's rounding and its tail, computed; for
    /// sums the ε of each term; and the loss by shared bytes.
    pub const fn statistical_distance_log2(&self) -> f64 {
        self.distance_log2
    }

    /// Fills `out` from the next bytes of the stream, 5.6 per value and term for long outputs. This
    /// crate's `sample/gaussian/draw.rs` defines which bytes determine which value.
    ///
    /// - **Range:** absolute values up to [`largest`](Self::largest).
    /// - **Constant time:** yes; the number of bytes read depends only on the length of `out`.
    /// - **Panics** if `largest` does not fit the word.
    pub fn sample<W: Word>(&self, backend: Backend, stream: &mut impl ByteStream, out: &mut [W]) {
        assert_fits::<W>(self.largest);
        self.tables.draw(backend, stream, out);
    }
}

impl fmt::Debug for Gaussian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gaussian").field("sigma", &self.sigma).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
