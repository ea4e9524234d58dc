//! Shoup's multiplication with sums that return to a window `[0, W)` at once, in words of 32 bits: `W = q` for primes
//! with as many bits as a signed word holds, and Harvey's `W = 2q` for `q < 2^30`.
//!
//! **Product.** For `0 ≤ x < 2^31` Shoup's `t = x·w - h·q` ([`shoup`](super::shoup)) is in `[0, q + x·q/2^32)`, so
//! below `3/2·q`, which is in the window for `W = 2q`. For `W = q` the smaller one of `t` and `t - q` as unsigned words
//! is in `[0, q)`: if `t < q`, `t - q` wraps to at least `2^32 - q`, which is more than `q`. **Sums, differences** and
//! **reductions** are those of any [`window`].
//!
//! **Products of two variables** are Montgomery's, with his factor, and then the smaller one of that and that plus `W`.
//! For `W = q` and `|x·y| < q·2^31` they are in `(-q, q)`. For `W = 2q` and operands in `[-W, W)` the high half of
//! `x·y`, at most `4q²`, is at most `q` in absolute value, and that of `h·q` at most `q/2`: they are in `(-W, W)`.
//!
//! **Sums of products** of words that are not negative are added up as unsigned 64-bit words. If the sum is below
//! `2q·2^32`, its high half is below `2q`, and in `[0, q)` after one comparison; minus the high half of `h·q`, it is in
//! `(-q, q)`. Either window takes the smaller one of that and that plus `q`.
//!
//! Source: Shoup's NTL; Harvey, *Faster arithmetic for number-theoretic transforms* (2014), sections 2 and 3, whose
//! butterflies take operands from `[0, 4q)`: one comparison less, and a bit of the word more, which signed words lack.

use super::{
    Constants, Costs, Definition, Factor, Reduction, Unsupported, barrett, dots, shoup,
    window::{self, Window, less, more},
};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes16, Lanes64, LanesWide};

/// [`Method::Strict`](super::Method::Strict) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Strict;

/// [`Method::Harvey`](super::Method::Harvey) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Harvey;

macro_rules! method {
    ($method:ident, $name:literal, strict $strict:literal, up to $bits:literal bits, $costs:expr) => {
        impl Definition for $method {
            const NAME: &'static str = $name;
            const TWIDDLE_WORDS: usize = 2;
            const UNSIGNED: bool = false;
            const CANONICAL_SUMS: bool = $strict;
            const LIMITED: bool = true;
            const MULTIPLIES_52: bool = false;
            const KEEPS_DOUBLES: bool = false;
            const SUMS: usize = 1;
            const ADDS_UP_WIDE: [bool; 3] = [false, true, false];
            const PRIME_BITS: Option<u32> = None;
            const COSTS: Costs = $costs;
            type On16<L: Lanes16> = Unsupported;
            type On32<L: LanesWide> = OnLanes<L, $strict>;
            type On64<L: Lanes64> = Unsupported;
            type Inside = Self;

            fn applies(q: Modulus, c: &Constants) -> bool {
                c.bits == 32 && q.bits() <= $bits
            }
            fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
                shoup::encode(q, c, w)
            }
            fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
                mul_range(c, $strict, x)
            }
            fn sum_range(c: &Constants, operands: [Interval; 2], _sum: Interval) -> Option<Interval> {
                window::sum_range(c, $strict, operands)
            }
            fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
                window::reduce_range(c, $strict, x)
            }
            fn mul_var_range(c: &Constants, operands: [Interval; 2], product: i128) -> Option<Interval> {
                variable_range(c, $strict, operands, product)
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
    };
}

method!(Strict, "strict", strict true, up to 31 bits, [[[150, 130, 60], [118, 115, 30]]; 3]);
method!(Harvey, "harvey", strict false, up to 30 bits, [[[140, 130, 100], [102, 115, 60]]; 3]);

/// The window for `x ≥ 0`.
fn mul_range(c: &Constants, strict: bool, x: Interval) -> Option<Interval> {
    (x.lo >= 0).then_some(window::of(c, strict))
}

/// The window: for `W = q` of a product below `q·2^31` in absolute value, for `W = 2q` of operands in `[-W, W)`.
fn variable_range(c: &Constants, strict: bool, [x, y]: [Interval; 2], product: i128) -> Option<Interval> {
    let fits =
        if strict { product < i128::from(c.q) << (c.bits - 1) } else { window::signed(c, false).holds(x.union(y)) };
    fits.then_some(window::of(c, strict))
}

/// `[0, q)` for a sum of products below `2q·2^32`, of words that are not negative.
fn dot_range(c: &Constants, sum: i128) -> Option<Interval> {
    (sum < i128::from(c.q) << (c.bits + 1)).then_some(window::canonical(c))
}

/// Constants in registers; `STRICT` for the window `[0, q)`.
#[derive(Clone, Copy)]
pub struct OnLanes<L: LanesWide, const STRICT: bool> {
    window: Window<L, STRICT>,
    lazy: barrett::OnLanesWide<L, { barrett::FLOORED }>,
    wide: dots::Wide<L>,
}

impl<L: LanesWide, const STRICT: bool> Reduction<L> for OnLanes<L, STRICT> {
    const WORDS: usize = 2;
    const SUMS: usize = <Strict as Definition>::SUMS;
    const PAIRS: bool = true;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self { window: Window::new(l, c), lazy: Reduction::new(l, c), wide: dots::Wide::new(l, c) }
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
        if STRICT { lockstep!(P, |i| less(l, t[i], self.window.q)) } else { t }
    }
    #[inline(always)]
    fn add(self, l: L, a: L::V, b: L::V) -> L::V {
        self.window.add(l, a, b)
    }
    #[inline(always)]
    fn sub(self, l: L, a: L::V, b: L::V) -> L::V {
        self.window.sub(l, a, b)
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        self.window.reduce(l, x)
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        self.lazy.canonical(l, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        more(l, self.lazy.mul_var(l, x, y), self.window.w)
    }
    const WIDE: bool = true;
    #[inline(always)]
    fn dots<const P: usize, const J: usize>(self, l: L, x: &[L::V; P], y: &[L::V]) -> [L::V; J] {
        self.wide.canonical_dots(l, x, y)
    }
}
