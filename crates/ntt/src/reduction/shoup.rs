//! Shoup's multiplication by a known factor, with signed words and no final correction.
//!
//! With `w' = ⌊w·2^bits/q⌋` stored beside the centred `w` and `h = ⌊x·w'/2^bits⌋`, the result
//! `t = x·w - h·q` needs only low halves. `0 ≤ w/q - w'/2^bits < 2^-bits`, so `x·w/q - h` lies
//! between `min(x,0)/2^bits` and `1 + max(x,0)/2^bits`: `t` is in `[0, q)` up to `|x|·q/2^bits` on
//! either side. Leaving it there is Harvey's laziness.
//!
//! Source: Shoup's NTL; Harvey, *Faster arithmetic for number-theoretic transforms* (2014), section
//! 2. Theirs are unsigned; the signed form keeps sums and differences symmetric. The machine code
//! is that of [`barrett`](super::barrett), which differs only in how the quotient is rounded.

use super::Constants;
use crate::{arith::Interval, arith::Modulus};

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
