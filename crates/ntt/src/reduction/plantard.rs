//! Plantard multiplication by a known factor: one reduced product with the smallest range of all
//! methods.
//!
//! For `b = -w·R^2 mod q` (centred, `R = 2^bits`) the stored words are those of
//! `B = b·q^-1 mod R^2`. With `p = x·B mod R^2`, signed, `p·q ≡ x·b (mod R^2)`, so
//! `s = (p·q - x·b)/R^2` is an integer congruent to `x·w`. `h = ⌊p/R⌋` alone gives it as
//! `⌊(h + 2)·q/R⌋`: the dropped rest, `x·b - (p mod R)·q + 2Rq`, lies in `[0, R^2)` because
//! `|x·b| ≤ R·q/4` and `q < R/4`. If `h + 2` wraps, the result is off by `q`.
//!
//! Source: Plantard, *Efficient word size modular arithmetic* (2021); the signed form: Huang,
//! Zhang, Zhao, Liu, Cheung, Koç, Chen, *Improved Plantard arithmetic for lattice-based
//! cryptography* (2022), Algorithm 11, here with `α = 1`.
//!
//! Interval: `|s| ≤ (R^2·q/2 + |x·b|)/R^2`, hence `|t| ≤ (q + 1)/2` for any word `x`: the bound
//! does not depend on the operand. Words need two bits more than `q`.

use super::{Constants, Costs, Definition, Factor, barrett, dots};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes16, Lanes64, LanesWide};

/// [`Method::Plantard`](super::Method::Plantard) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Plantard;

impl Definition for Plantard {
    const NAME: &'static str = "plantard";
    const TWIDDLE_WORDS: usize = 2;
    const UNSIGNED: bool = false;
    const CANONICAL_SUMS: bool = false;
    const LIMITED: bool = false;
    const MULTIPLIES_52: bool = false;
    const KEEPS_DOUBLES: bool = false;
    const SUMS: usize = 0;
    const ADDS_UP_WIDE: [bool; 3] = [false, true, true];
    const PRIME_BITS: Option<u32> = None;
    const COSTS: Costs =
        [[[97, 435, 100], [116, 191, 100]], [[121, 100, 72], [120, 100, 73]], [[120, 100, 100], [124, 100, 100]]];
    type On16<L: Lanes16> = barrett::OnLanes<L, { barrett::PLANTARD }>;
    type On32<L: LanesWide> = barrett::OnLanesWide<L, { barrett::PLANTARD }>;
    type On64<L: Lanes64> = barrett::OnLanesWide<L, { barrett::PLANTARD }>;
    type Inside = Self;

    fn applies(q: Modulus, c: &Constants) -> bool {
        q.bits() + 2 <= c.bits
    }
    fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
        encode(q, c, w)
    }
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
        Some(mul_range(c, x))
    }
    fn sum_range(_c: &Constants, _: [Interval; 2], sum: Interval) -> Option<Interval> {
        Some(sum)
    }
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
        Some(barrett::reduce_range(c, x))
    }
    fn mul_var_range(c: &Constants, _: [Interval; 2], product: i128) -> Option<Interval> {
        Some(barrett::by_known_factors(c, product, mul_range))
    }
    fn dot_range(c: &Constants, _: [i128; 2], sum: i128) -> Option<Interval> {
        dots::dot_range(c, sum)
    }
    fn reduce_factor(_: Modulus, _c: &Constants) -> Factor {
        Factor::ONE
    }
    fn mul_var_factor(q: Modulus, c: &Constants) -> Factor {
        barrett::factor_of_variables(q, c)
    }
}

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
