//! Plantard multiplication by a known factor: one reduced product with the smallest range of all
//! methods.
//!
//! For `b = -w·R^2 mod q` (centred, `R = 2^bits`) the stored words are those of
//! `B = b·q^-1 mod R^2`. With `p = x·B mod R^2`, signed, `p·q ≡ x·b (mod R^2)`, so
//! `s = (p·q - x·b)/R^2` is an integer congruent to `x·w`. From `h = ⌊p/R⌋` alone it comes as
//! `⌊(h + 2)·q/R⌋`: the rest that is dropped, `x·b - (p mod R)·q + 2Rq`, lies in `[0, R^2)` because
//! `|x·b| ≤ R·q/4` and `q < R/4`. Where `h + 2` wraps, the result is off by `q`.
//!
//! Source: Plantard, *Efficient word size modular arithmetic* (2021); the signed form: Huang,
//! Zhang, Zhao, Liu, Cheung, Koç, Chen, *Improved Plantard arithmetic for lattice-based
//! cryptography* (2022), Algorithm 11, here with `α = 1`.
//!
//! Interval: `|s| ≤ (R^2·q/2 + |x·b|)/R^2`, hence `|t| ≤ (q + 1)/2` for any word `x`: the product
//! does not depend on how large its operand was. Words of two bits more than `q`.

use super::Constants;
use crate::{arith::Interval, arith::Modulus};

/// The low and the high word of `B`, each signed.
pub(super) const fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
    let radix = q.pow(2, 2 * c.bits as u64);
    let b = q.centered(q.neg(q.mul(w, radix)));
    let mut inverse = c.q as u128; // correct modulo 8
    let mut correct = 3;
    while correct < 128 {
        inverse = inverse.wrapping_mul(2_u128.wrapping_sub((c.q as u128).wrapping_mul(inverse)));
        correct *= 2;
    }
    let product = (b as i128 as u128).wrapping_mul(inverse);
    let low = super::sign_extend(product as i64, c.bits);
    let high = product.wrapping_sub(low as i128 as u128) >> c.bits;
    [low, super::sign_extend(high as i64, c.bits)]
}

/// `(q + 1)/2`, for any operand.
pub(super) fn mul_range(c: &Constants, _: Interval) -> Interval {
    Interval::symmetric((i128::from(c.q) + 1) >> 1)
}
