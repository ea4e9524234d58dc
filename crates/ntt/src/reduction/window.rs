//! Sums that return to a window `[0, W)` at once, for `W = q` or `W = 2q`.
//!
//! **Sums and differences** of two words in the window: of `a + b` and `a + b - W`, and of `a - b` and `a - b + W`, the
//! smaller one as an unsigned word is in the window, if `2W` fits an unsigned word: `a + b - W` wraps to more than `a + b`
//! where that is below `W`. A **reduction** of a word in `[-W, W)` is the smaller one of `x` and `x + W`, then, for
//! `W = 2q`, of that and that minus `q`: canonical.
//!
//! Source: Harvey, *Faster arithmetic for number-theoretic transforms* (2014), section 3, whose window is `[0, 4q)` for
//! operands of butterflies. The minimum instead of a mask is folklore in vector programming.

use super::Constants;
use crate::arith::Interval;
use lanes::LanesWide;

/// `[0, q)`.
pub(super) const fn canonical(c: &Constants) -> Interval {
    of(c, true)
}

/// `[0, W)`, with `W = q` if `strict`.
pub(super) const fn of(c: &Constants, strict: bool) -> Interval {
    Interval::new(0, c.q as i128 * if strict { 1 } else { 2 } - 1)
}

/// `[-W, W)`.
pub(super) const fn signed(c: &Constants, strict: bool) -> Interval {
    let hi = of(c, strict).hi;
    Interval::new(-hi - 1, hi)
}

/// The window for operands in it, for sums and differences alike.
pub(super) fn sum_range(c: &Constants, strict: bool, operands: [Interval; 2]) -> Option<Interval> {
    let window = of(c, strict);
    operands.iter().all(|x| window.holds(*x)).then_some(window)
}

/// `[0, q)` for `x` in `[-W, W)`.
pub(super) fn reduce_range(c: &Constants, strict: bool, x: Interval) -> Option<Interval> {
    signed(c, strict).holds(x).then_some(canonical(c))
}

/// The smaller one of `x` and `x - by` as unsigned words.
#[inline(always)]
pub(super) fn less<L: LanesWide>(l: L, x: L::V, by: L::V) -> L::V {
    l.min_unsigned(x, l.sub(x, by))
}

/// The smaller one of `x` and `x + by` as unsigned words.
#[inline(always)]
pub(super) fn more<L: LanesWide>(l: L, x: L::V, by: L::V) -> L::V {
    l.min_unsigned(x, l.add(x, by))
}

/// `q` and `W` in registers; `STRICT` for `W = q`.
#[derive(Clone, Copy)]
pub(super) struct Window<L: LanesWide, const STRICT: bool> {
    pub(super) q: L::V,
    pub(super) w: L::V,
}

impl<L: LanesWide, const STRICT: bool> Window<L, STRICT> {
    #[inline(always)]
    pub(super) fn new(l: L, c: &Constants) -> Self {
        let splat = |x: i64| l.splat(L::word(x));
        Self { q: splat(c.q), w: splat(if STRICT { c.q } else { 2 * c.q }) }
    }

    #[inline(always)]
    pub(super) fn add(self, l: L, a: L::V, b: L::V) -> L::V {
        less(l, l.add(a, b), self.w)
    }

    #[inline(always)]
    pub(super) fn sub(self, l: L, a: L::V, b: L::V) -> L::V {
        more(l, l.sub(a, b), self.w)
    }

    #[inline(always)]
    pub(super) fn reduce(self, l: L, x: L::V) -> L::V {
        let r = more(l, x, self.w);
        if STRICT { r } else { less(l, r, self.q) }
    }
}
