//! Shoup's multiplication by a known factor, with signed words and no final correction.
//!
//! With `w' = ⌊w·2^bits/q⌋` stored next to the centred `w` and `h = ⌊x·w'/2^bits⌋`, the result
//! `t = x·w - h·q` needs only low halves. `0 ≤ w/q - w'/2^bits < 2^-bits`, so `x·w/q - h` lies
//! between `min(x,0)/2^bits` and `1 + max(x,0)/2^bits`: `t` is in `[0, q)` up to `|x|·q/2^bits` on
//! either side. Leaving it there is Harvey's laziness.
//!
//! Source: Shoup's NTL; Harvey, *Faster arithmetic for number-theoretic transforms* (2014), section
//! 2. Theirs are unsigned; the signed form keeps sums and differences symmetric. The machine code
//! is that of [`barrett`](super::barrett), which differs only in how the quotient is rounded.

use super::{Constants, Costs, Definition, Factor, barrett, dots};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes16, Lanes64, LanesWide};

/// [`Method::Shoup`](super::Method::Shoup) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Shoup;

impl Definition for Shoup {
    const NAME: &'static str = "shoup";
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
        [[[96, 307, 100], [100, 170, 100]], [[101, 100, 54], [73, 100, 100]], [[93, 100, 84], [83, 100, 100]]];
    type On16<L: Lanes16> = barrett::OnLanes<L, { barrett::FLOORED }>;
    type On32<L: LanesWide> = barrett::OnLanesWide<L, { barrett::FLOORED }>;
    type On64<L: Lanes64> = barrett::OnLanesWide<L, { barrett::FLOORED }>;
    type Inside = Self;

    fn applies(_q: Modulus, _c: &Constants) -> bool {
        true
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

/// `(w centred, its floored quotient)`.
pub(super) const fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
    let word = q.centered(w);
    [word, ((word as i128) << c.bits).div_euclid(c.q as i128) as i64]
}

/// `[q·min(x,0)/2^bits, q + q·max(x,0)/2^bits]`.
pub(super) fn mul_range(c: &Constants, x: Interval) -> Interval {
    let q = i128::from(c.q);
    let beyond = |x: i128| (q * x.max(0)) >> c.bits;
    Interval::new(-beyond(-x.lo) - 1, q + beyond(x.hi))
}
