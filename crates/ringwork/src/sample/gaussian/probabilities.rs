//! Probabilities of absolute values: of `|x|` for `x` from D_{Z,s},
//! `P(x) = e^(-x²/2s²) / Σ_k e^(-k²/2s²)`.
//!
//! `s² = sigma²/divisor` for a floating-point number `sigma`, taken as the exact value of the
//! binary number, and an integer `divisor`: so the base of a convolution is exact too. With
//! `r = e^(-1/2s²)` the powers `r^(k²)` follow from `r^((k+1)²) = r^(k²)·r^(2k+1)`. They run until
//! they vanish below 2^-320, for `k` up to 22s: an error of 2^-296 in `r` becomes `k²·2^-296` in
//! `r^(k²)`, and the probabilities are accurate to 2^-270 for s up to 64.

use super::fixed::Fixed;

/// `P(|x| = k)` for `k = 0, 1, …`, all that do not vanish.
pub(in super::super) fn absolute(sigma: f64, divisor: u64) -> Vec<Fixed> {
    let r = exponent(sigma, divisor).map_or(Fixed::ZERO, Fixed::exp_of_negative);
    let step = r.times(r);
    let (mut power, mut ratio) = (Fixed::ONE, r);
    let mut shares = Vec::new();
    while power != Fixed::ZERO {
        shares.push(if shares.is_empty() { power } else { power.plus(power) }); // k and -k
        power = power.times(ratio);
        ratio = ratio.times(step);
    }
    let sum = shares.iter().fold(Fixed::ZERO, |sum, share| sum.plus(*share));
    shares.into_iter().map(|share| share.ratio(sum)).collect()
}

/// `divisor/2sigma²`, or `None` if it is so large that only 0 has a probability.
fn exponent(sigma: f64, divisor: u64) -> Option<Fixed> {
    if sigma < 1.0 / 1024.0 {
        return None;
    }
    // sigma = mantissa · 2^(exponent - 1075), a normal number.
    let (exponent, fraction) = (sigma.to_bits() >> 52, sigma.to_bits() & ((1 << 52) - 1));
    let mantissa = u128::from(1 << 52 | fraction);
    let shift = 2 * (1075 - exponent as u32) - 1;
    Fixed::quotient(divisor.into(), shift, mantissa * mantissa)
}
