//! Shoup's multiplication with canonical results, and sums that are reduced to canonical form again: for primes with as
//! many bits as a signed word of 32 bits holds.
//!
//! **Product.** For `0 ≤ x < 2^31` Shoup's `t = x·w - h·q` ([`shoup`](super::shoup)) is in `[0, q + x·q/2^32)`, so
//! below `3/2·q` and `2^32`. The smaller one of `t` and `t - q` as unsigned words is in `[0, q)`: if `t < q`, `t - q`
//! wraps to at least `2^32 - q`, which is more than `q`. **Sums and differences** of two words in `[0, q)` are reduced
//! in the same way: the smaller one of `a + b` and `a + b - q`, and of `a - b` and `a - b + q`. A **reduction** of a
//! word in `(-q, q)` is the smaller one of `x` and `x + q`.
//!
//! **Products of two variables** are Montgomery's, with his factor: for `|x·y| < q·2^31` they are in `(-q, q)`, and are
//! then reduced.
//!
//! **Sums of products** of words in `[0, q)` are added up as unsigned 64-bit words. If the sum is below `2q·2^32`, its
//! high half is below `2q`, and in `[0, q)` after one comparison; minus the high half of `h·q`, it is in `(-q, q)`.
//!
//! Source: Shoup's NTL; the minimum instead of a mask is folklore in vector programming.

use super::{Constants, Costs, Definition, Factor, Reduction, Unsupported, barrett, dots, shoup};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes16, Lanes64, LanesWide};

/// [`Method::Strict`](super::Method::Strict) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Strict;

impl Definition for Strict {
    const NAME: &'static str = "strict";
    const TWIDDLE_WORDS: usize = 2;
    const UNSIGNED: bool = false;
    const CANONICAL_SUMS: bool = true;
    const LIMITED: bool = true;
    const MULTIPLIES_52: bool = false;
    const KEEPS_DOUBLES: bool = false;
    const SUMS: usize = 1;
    const ADDS_UP_WIDE: [bool; 3] = [false, true, false];
    const PRIME_BITS: Option<u32> = None;
    const COSTS: Costs = [[[150, 130, 60], [118, 115, 30]]; 3];
    type On16<L: Lanes16> = Unsupported;
    type On32<L: LanesWide> = OnLanes<L>;
    type On64<L: Lanes64> = Unsupported;
    type Inside = Self;

    fn applies(_q: Modulus, c: &Constants) -> bool {
        c.bits == 32
    }
    fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
        shoup::encode(q, c, w)
    }
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
        mul_range(c, x)
    }
    fn sum_range(c: &Constants, [a, b]: [Interval; 2], _sum: Interval) -> Option<Interval> {
        sum_range(c, a, b)
    }
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
        reduce_range(c, x)
    }
    fn mul_var_range(c: &Constants, _: [Interval; 2], product: i128) -> Option<Interval> {
        variable_range(c, product)
    }
    fn dot_range(c: &Constants, [least, _]: [i128; 2], sum: i128) -> Option<Interval> {
        if least < 0 { None } else { dot_range(c, sum) }
    }
    fn reduce_factor(_: Modulus, _c: &Constants) -> Factor {
        Factor::ONE
    }
    fn mul_var_factor(q: Modulus, c: &Constants) -> Factor {
        Factor::inverse_of_word(q, c)
    }
}

/// `[0, q)`.
const fn canonical(c: &Constants) -> Interval {
    Interval::new(0, c.q as i128 - 1)
}

/// `[0, q)` for `x ≥ 0`.
pub(super) const fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
    if x.lo >= 0 { Some(canonical(c)) } else { None }
}

/// `[0, q)` for operands in `[0, q)`, for sums and differences alike.
pub(super) const fn sum_range(c: &Constants, a: Interval, b: Interval) -> Option<Interval> {
    if canonical(c).holds(a) && canonical(c).holds(b) { Some(canonical(c)) } else { None }
}

/// `[0, q)` for `x` in `(-q, q)`.
pub(super) const fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
    if x.magnitude() < c.q as i128 { Some(canonical(c)) } else { None }
}

/// `[0, q)` for a product below `q·2^31` in absolute value.
pub(super) const fn variable_range(c: &Constants, product: i128) -> Option<Interval> {
    if product < (c.q as i128) << (c.bits - 1) { Some(canonical(c)) } else { None }
}

/// `[0, q)` for a sum of products below `2q·2^32`, of words in `[0, q)`.
pub(super) const fn dot_range(c: &Constants, sum: i128) -> Option<Interval> {
    if sum < (c.q as i128) << (c.bits + 1) { Some(canonical(c)) } else { None }
}

/// Constants in registers.
#[derive(Clone, Copy)]
pub struct OnLanes<L: LanesWide> {
    q: L::V,
    lazy: barrett::OnLanesWide<L, { barrett::FLOORED }>,
    wide: dots::Wide<L>,
}

impl<L: LanesWide> OnLanes<L> {
    /// The one of `x` and `x - q` that is in `[0, q)`.
    #[inline(always)]
    fn less(self, l: L, x: L::V) -> L::V {
        l.min_unsigned(x, l.sub(x, self.q))
    }

    /// The one of `x` and `x + q` that is in `[0, q)`.
    #[inline(always)]
    fn more(self, l: L, x: L::V) -> L::V {
        l.min_unsigned(x, l.add(x, self.q))
    }
}

impl<L: LanesWide> Reduction<L> for OnLanes<L> {
    const WORDS: usize = 2;
    const SUMS: usize = <Strict as Definition>::SUMS;
    const PAIRS: bool = true;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self { q: l.splat(L::word(c.q)), lazy: Reduction::new(l, c), wide: dots::Wide::new(l, c) }
    }
    #[inline(always)]
    fn twiddle(_: L, first: L::V, second: L::V) -> Self::Twiddle {
        (first, second)
    }
    #[inline(always)]
    fn first(w: Self::Twiddle) -> L::V {
        w.0
    }
    #[inline(always)]
    fn mul<const P: usize>(self, l: L, x: [L::V; P], w: [Self::Twiddle; P]) -> [L::V; P] {
        let t = self.lazy.mul(l, x, w);
        lockstep!(P, |i| self.less(l, t[i]))
    }
    #[inline(always)]
    fn add(self, l: L, a: L::V, b: L::V) -> L::V {
        self.less(l, l.add(a, b))
    }
    #[inline(always)]
    fn sub(self, l: L, a: L::V, b: L::V) -> L::V {
        self.more(l, l.sub(a, b))
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        self.more(l, x)
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        self.lazy.canonical(l, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        self.more(l, self.lazy.mul_var(l, x, y))
    }
    const WIDE: bool = true;
    #[inline(always)]
    fn dots<const P: usize, const J: usize>(self, l: L, x: &[L::V; P], y: &[L::V]) -> [L::V; J] {
        self.wide.canonical_dots(l, x, y)
    }
}
