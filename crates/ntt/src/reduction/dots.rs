//! Sums of products of variables with a single reduction, by Montgomery's method: for every method in words whose
//! products fit in twice the bits.
//!
//! Source: Montgomery, *Modular multiplication without trial division* (1985); ranges are argued in
//! [`montgomery`](super::montgomery) and [`strict`](super::strict).

use super::Constants;
use crate::arith::Interval;
use lanes::{Lanes, LanesWide, Opaque};

/// Interval of a reduced product `p` with `|p| ≤ product`.
pub(super) fn product_range(c: &Constants, product: i128) -> Interval {
    Interval::symmetric((product + (i128::from(c.q) << (c.bits - 1))) >> c.bits)
}

/// The same for a sum of products; `None` if it could overflow.
pub(super) fn dot_range(c: &Constants, sum: i128) -> Option<Interval> {
    let room = i128::MAX >> (128 - 2 * c.bits);
    (sum <= room - (i128::from(c.q) << (c.bits - 1))).then(|| product_range(c, sum))
}

/// Runs `$body` for each value `$x` of `$xs` but the first, with the next `$j` values of `$ys`, one per sum. The number
/// of terms of a long sum is hidden from the compiler: unrolled code would compute one sum after the other and load
/// every operand from memory.
macro_rules! each_term {
    ($p:expr, $j:expr, ($xs:expr, $ys:expr), |$x:ident, $y:ident| $body:expr) => {{
        debug_assert!($ys.len() >= $p + $j - 1, "a value for each term of each sum");
        let terms = if $p > 4 { ($p as i64).opaque() as usize } else { $p };
        let mut rest = &$ys[1..];
        for &$x in $xs[1..].iter().take(terms) {
            let Some($y) = rest.first_chunk::<{ $j }>() else { break };
            $body;
            rest = &rest[1..];
        }
    }};
}
pub(super) use each_term;

/// The first `J` of the values `y`; there are always enough. Avoids a check that could panic.
#[inline(always)]
pub(super) fn first_of<L: Lanes, const J: usize>(x: L::V, y: &[L::V]) -> [L::V; J] {
    y.first_chunk().copied().unwrap_or([x; J])
}

/// The constants for sums of products, also for other methods.
#[derive(Clone, Copy)]
pub(super) struct Wide<L: Lanes> {
    q: L::V,
    q_inv: L::V,
}

impl<L: LanesWide> Wide<L> {
    #[inline(always)]
    pub(super) const fn of(q: L::V, q_inv: L::V) -> Self {
        Self { q, q_inv }
    }
    #[inline(always)]
    pub(super) fn new(l: L, c: &Constants) -> Self {
        Self { q: l.splat(L::word(c.q)), q_inv: l.splat(L::word(c.q_inv)) }
    }
    /// The sums `Σ x_i·y_(i+j) / R` for `j` below `J`.
    #[inline(always)]
    pub(super) fn dots<const P: usize, const J: usize>(self, l: L, x: &[L::V; P], y: &[L::V]) -> [L::V; J] {
        let first = first_of::<L, J>(x[0], y);
        let mut totals = lockstep!(J, |j| l.widen_mul(x[0], first[j]));
        each_term!(P, J, (x, y), |x, y| {
            totals = lockstep!(J, |j| l.wide_add(totals[j], l.widen_mul(x, y[j])));
        });
        let h = lockstep!(J, |j| l.widen_mul_low(totals[j], self.q_inv));
        lockstep!(J, |j| l.narrow_hi_of_equal_lows(totals[j], l.widen_mul_low(h[j], self.q)))
    }
    /// The same for numbers in `[0, q)` whose sums are below `2q·R`; results are in `[0, q)`.
    #[inline(always)]
    pub(super) fn canonical_dots<const P: usize, const J: usize>(self, l: L, x: &[L::V; P], y: &[L::V]) -> [L::V; J] {
        let first = first_of::<L, J>(x[0], y);
        let mut totals = lockstep!(J, |j| l.widen_mul_unsigned(x[0], first[j]));
        each_term!(P, J, (x, y), |x, y| {
            totals = lockstep!(J, |j| l.wide_add(totals[j], l.widen_mul_unsigned(x, y[j])));
        });
        lockstep!(J, |j| {
            let high = l.narrow_hi(totals[j]); // below 2q
            let high = l.min_unsigned(high, l.sub(high, self.q));
            let h = l.widen_mul_low_unsigned(totals[j], self.q_inv);
            let t = l.sub(high, l.narrow_hi(l.widen_mul_low_unsigned(h, self.q))); // in (-q, q)
            l.min_unsigned(t, l.add(t, self.q))
        })
    }
}
