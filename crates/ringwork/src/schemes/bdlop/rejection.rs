//! Rejection sampling: an answer `z = y + v` is kept with probability `D_σ(z)/(M·D_σ,v(z))`, so
//! that kept answers are distributed as `D_σ` for every `v`.
//!
//! The probability is `exp((‖v‖² - 2⟨z, v⟩)/2σ²)/M = exp(-x)`. In numbers: `x` in units of `2^-48`,
//! `exp(-x)` in units of `2^-64`, as a product over the bits of `x`. No branch and no division
//! depends on a secret.
//!
//! Source: Lyubashevsky, *Lattice signatures without trapdoors* (2012), theorem 4.6: with
//! `‖v‖ ≤ T`, `σ = αT`, `M = exp(12/α + 1/2α²)`, all but `2^-100` of the `z` have a probability of
//! at most one.

use subtle::{ConditionallySelectable, ConstantTimeGreater};

/// Bits of `x` below and above the binary point.
const FRACTION: u32 = 48;
const INTEGER: u32 = 6;
const BITS: usize = (FRACTION + INTEGER) as usize;

/// `exp(-2^(i-48))` in units of `2^-64`.
const POWERS: [u64; BITS] = {
    // From 1 - h + h²/2, h = 2^-48, by squaring, in units of 2^-127; 54 squarings lose at most 54
    // bits.
    let mut powers = [0; BITS];
    let mut power: u128 = (1 << 127) - (1 << 79) + (1 << 30);
    let mut i = 0;
    while i < BITS {
        powers[i] = (power >> 63) as u64;
        power = square(power);
        i += 1;
    }
    powers
};

/// The square of a number in units of `2^-127`.
const fn square(x: u128) -> u128 {
    let (high, low) = (x >> 64, x & u64::MAX as u128);
    (high * high + ((high * low) >> 63)) << 1
}

/// `exp(-x)` in units of `2^-64`; `x` in units of `2^-48`, below `2^54`.
fn exp_minus(x: u64) -> u64 {
    let mut total = u64::MAX;
    for (i, power) in POWERS.iter().enumerate() {
        let next = ((u128::from(total) * u128::from(*power)) >> 64) as u64;
        total.conditional_assign(&next, ((x >> i & 1) as u8).into());
    }
    total
}

/// Decides which answers are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rejection {
    /// `ln M` in units of `2^-48`.
    log_m: i128,
    /// `1/2σ²` in units of `2^-96`.
    reciprocal: i128,
}

impl Rejection {
    /// For `σ²`, and vectors `v` of norm at most `σ/alpha`.
    pub(super) fn new(squared_sigma: i128, alpha: f64) -> Self {
        let log_m = 12.0 / alpha + 0.5 / (alpha * alpha);
        #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
        let reciprocal = (1 << 96) / (2 * squared_sigma);
        Self { log_m: (log_m * f64::from(1 << 24) * f64::from(1 << 24)) as i128, reciprocal }
    }

    /// Whether to keep an answer, given `⟨z, v⟩`, `‖v‖²` and 64 random bits.
    pub(super) fn keeps(&self, inner_product: i64, squared_norm: i64, random: u64) -> bool {
        let exponent =
            ((i128::from(squared_norm) - 2 * i128::from(inner_product)) * self.reciprocal) >> (96 - FRACTION);
        let x = self.log_m - exponent;
        let x = x & !(x >> 127); // at least zero
        let limit = 1_i128 << (FRACTION + INTEGER);
        let beyond = (limit - 1 - x) >> 127; // all ones if so large that nothing is kept
        let probability = exp_minus((x as u64) & (limit as u64 - 1)) & !(beyond as u64);
        probability.ct_gt(&random).into()
    }

    /// `1/M`, the share of answers that are kept.
    #[cfg(test)]
    fn share(&self) -> f64 {
        (-(self.log_m as f64) / 2_f64.powi(48)).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials() {
        for x in [0.0, 1e-12, 0.001, 0.5, 1.0, 1.0909, 2.5, 10.0, 40.0_f64] {
            let fixed = (x * 2_f64.powi(48)) as u64;
            let expected = (-(fixed as f64) / 2_f64.powi(48)).exp();
            let got = exp_minus(fixed) as f64 / 2_f64.powi(64);
            assert!((got - expected).abs() <= expected * 1e-15 + 2_f64.powi(-60), "exp(-{x}) = {expected}, not {got}");
        }
    }

    #[test]
    fn the_share_kept_is_one_in_m() {
        // v = 0: every answer is kept with probability 1/M.
        let rejection = Rejection::new(25344 * 25344, 11.0);
        let kept = (0..100_000_u64).filter(|i| rejection.keeps(0, 0, i.wrapping_mul(0x9E37_79B9_7F4A_7C15))).count();
        assert!((kept as f64 / 1e5 - rejection.share()).abs() < 0.01, "{kept} of 100000");
        assert!((rejection.share() - 0.3346).abs() < 1e-3);
    }

    #[test]
    fn extremes() {
        let rejection = Rejection::new(25344 * 25344, 11.0);
        let far = 1_i64 << 60;
        assert!(rejection.keeps(-far, 0, u64::MAX - (1 << 12)), "probabilities above one count as one");
        assert!(!rejection.keeps(far, 0, 0), "hopeless answers are never kept");
    }
}
