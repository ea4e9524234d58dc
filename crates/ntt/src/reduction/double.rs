//! Multiplication with a quotient by doubles, in words of 64 bits modulo primes below `2^50`.
//!
//! With the double `v` nearest to `w/q` stored next to `w`, `h` is the integer nearest to the double `x·v`, and
//! `t = x·w - h·q` is exact: on lanes without 64-bit products it is `fma(-h, q, p) + fma(x, w, -p)` with the double
//! `p = x·w` ([`Lanes64::mul_by_double`]). There `p` is an integer, and its error, the second term, is an integer below
//! `2^50`; so `p - h·q` is an integer that differs from `t` by that error and is below `2^53`: nothing is rounded.
//!
//! **Range**, for `|x| ≤ 2^52`: `v` and the product are each rounded by at most `2^-53` of themselves, so `x·v` is
//! within `|x·w/q|·(2^-52 + 2^-106)` of `x·w/q`, which is at most `|x|/2` in absolute value: `|t| ≤ q/2 + q·|x|/2^53`,
//! plus 1 for all neglected terms. A reduction has `w = 1`: `|r| ≤ q/2 + |x|/2^52 + 1`. **Products of two variables**
//! round three times: `|t| ≤ q/2 + 3·|x·y|/2^53`, plus 1 for each `2^100` of the product, for `|x·y| ≤ q·2^50`. No
//! factor is left behind.
//!
//! **Inside transforms** words may be kept as doubles ([`Lanes64::kept`]) if that makes a chain of products faster:
//! sums, which are at most `2^52` too, are exact, and a product is the same number.
//!
//! Source: the exact remainder by fused products is that of van der Hoeven, Lecerf, Quintin, *Modular
//! SIMD arithmetic in Mathemagix* (2016), section 3.2.

use super::{Code, Constants, Costs, Definition, Factor, Reduction, Unsupported, barrett};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes, Lanes16, Lanes64, LanesWide};

/// [`Method::Double`](super::Method::Double) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Double;

impl Definition for Double {
    const NAME: &'static str = "double";
    const TWIDDLE_WORDS: usize = 2;
    const UNSIGNED: bool = false;
    const CANONICAL_SUMS: bool = false;
    const LIMITED: bool = true;
    const MULTIPLIES_52: bool = false;
    const KEEPS_DOUBLES: bool = true;
    const SUMS: usize = 1;
    const ADDS_UP_WIDE: [bool; 3] = [false; 3];
    const PRIME_BITS: Option<u32> = Some(BITS);
    const COSTS: Costs = [[[150, 120, 100], [33, 30, 20]]; 3];
    type On16<L: Lanes16> = Unsupported;
    type On32<L: LanesWide> = Unsupported;
    type On64<L: Lanes64> = OnLanes<L>;
    type Inside = KeptDouble;

    fn applies(q: Modulus, c: &Constants) -> bool {
        c.bits == 64 && q.bits() <= BITS
    }
    fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
        encode(q, c, w)
    }
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
        mul_range(c, x)
    }
    fn sum_range(_c: &Constants, _: [Interval; 2], sum: Interval) -> Option<Interval> {
        sum_range(sum)
    }
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
        reduce_range(c, x)
    }
    fn mul_var_range(c: &Constants, [x, y]: [Interval; 2], _product: i128) -> Option<Interval> {
        variable_range(c, x, y)
    }
    fn dot_range(_c: &Constants, _: [i128; 2], _sum: i128) -> Option<Interval> {
        None
    }
    fn reduce_factor(_: Modulus, _c: &Constants) -> Factor {
        Factor::ONE
    }
    fn mul_var_factor(_q: Modulus, _c: &Constants) -> Factor {
        Factor::ONE
    }
}

/// Largest absolute value of an operand.
pub(super) const OPERAND: i128 = 1 << 52;

/// Largest absolute value of a small operand.
pub(super) const SMALL: i128 = (1 << 51) - 1;

/// Bits of a modulus.
pub(super) const BITS: u32 = 50;

/// `(w centred, the double nearest to w/q)`.
pub(super) fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
    let word = q.centered(w);
    [word, quotient(word, c.q)]
}

/// `q/2 + q·|x|/2^53 + 1`.
pub(super) fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
    let q = i128::from(c.q);
    result(x, q / 2 + ((q * x.magnitude()) >> 53) + 2)
}

/// `q/2 + |x|/2^52 + 1`, or `x` itself if the quotient is zero.
pub(super) fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
    let half = i128::from(c.q) / 2;
    if x.magnitude() + 2 < half { Some(x) } else { result(x, half + 2) }
}

/// The interval of a sum that is kept as a double, if it fits.
pub(super) fn sum_range(sum: Interval) -> Option<Interval> {
    (sum.magnitude() <= OPERAND).then_some(sum)
}

/// See the head of this file.
pub(super) fn variable_range(c: &Constants, x: Interval, y: Interval) -> Option<Interval> {
    if x.magnitude().max(y.magnitude()) > OPERAND {
        return None;
    }
    let product = x.magnitude() * y.magnitude();
    let bound = i128::from(c.q) / 2 + ((3 * product) >> 53) + (product >> 100) + 2;
    let quotient_fits = product <= i128::from(c.q) << 50;
    result(x.union(y), bound).filter(|_| quotient_fits)
}

/// The interval up to that bound, if operands and results are allowed.
fn result(x: Interval, bound: i128) -> Option<Interval> {
    (x.magnitude() <= OPERAND && bound <= OPERAND).then(|| Interval::symmetric(bound))
}

/// The double nearest to `1/q`.
pub(super) const fn reciprocal(q: i64) -> i64 {
    quotient(1, q)
}

/// The bits of the double nearest to `w/q`, for words below `2^63`: by integers, whatever rounding mode is set.
const fn quotient(w: i64, q: i64) -> i64 {
    const MANTISSA: u32 = 53;
    let shift = (w.unsigned_abs() as u128 | 1).leading_zeros();
    let (dividend, q) = ((w.unsigned_abs() as u128) << shift, q as u128);
    if dividend == 0 {
        return 0;
    }
    // More bits than a double has; the last one also stands for the remainder.
    let whole = dividend / q;
    let exact = whole | (whole * q != dividend) as u128;
    let extra = u128::BITS - exact.leading_zeros() - MANTISSA;
    let mantissa = (exact + ((1 << (extra - 1)) - 1) + (exact >> extra & 1)) >> extra;
    // The leading one of the mantissa adds to the exponent's field.
    let field = 1074 + extra as i64 - shift as i64;
    (w & i64::MIN) | ((field << (MANTISSA - 1)) + mantissa as i64)
}

/// Constants in registers.
#[derive(Clone, Copy)]
pub struct OnLanes<L: Lanes> {
    q: L::V,
    v: L::V,
    small: barrett::Small<L>,
}

impl<L: Lanes64> Reduction<L> for OnLanes<L> {
    const WORDS: usize = 2;
    const SUMS: usize = <Double as Definition>::SUMS;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self { q: l.splat(c.q), v: l.splat(c.v_double), small: barrett::Small::new_wide(l, c) }
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
        lockstep!(P, |i| l.mul_by_double(x[i], w[i].0, w[i].1, self.q))
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        l.reduce_by_double(x, self.v, self.q)
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        self.small.canonical_wide(l, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        l.mul_var_by_double(x, y, self.v, self.q)
    }
}

/// [`Double`] in transforms, which keep values as [`Lanes64::kept`] does.
#[derive(Clone, Copy, Debug)]
pub struct KeptDouble;

impl Code for KeptDouble {
    type On16<L: Lanes16> = Unsupported;
    type On32<L: LanesWide> = Unsupported;
    type On64<L: Lanes64> = Inside<L>;
}

/// The same on values in the form that transforms keep, which are doubles where lanes keep doubles.
#[derive(Clone, Copy)]
pub struct Inside<L: Lanes> {
    q: L::V,
    v: L::V,
}

impl<L: Lanes64> Reduction<L> for Inside<L> {
    const WORDS: usize = 2;
    const ENTERS: bool = L::KEEPS_DOUBLES;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self { q: l.kept_small(l.splat(c.q)), v: l.splat(c.v_double) }
    }
    #[inline(always)]
    fn twiddle(l: L, first: L::V, second: L::V) -> Self::Twiddle {
        (l.kept_small(first), second)
    }
    #[inline(always)]
    fn first(w: Self::Twiddle) -> L::V {
        w.0
    }
    #[inline(always)]
    fn enter<const SMALL: bool>(self, l: L, x: L::V) -> L::V {
        if SMALL { l.kept_small(x) } else { l.kept(x) }
    }
    #[inline(always)]
    fn leave<const SMALL: bool>(self, l: L, x: L::V) -> L::V {
        if SMALL { l.word_of_small(x) } else { l.word_of_kept(x) }
    }
    #[inline(always)]
    fn add(self, l: L, a: L::V, b: L::V) -> L::V {
        l.add_kept(a, b)
    }
    #[inline(always)]
    fn sub(self, l: L, a: L::V, b: L::V) -> L::V {
        l.sub_kept(a, b)
    }
    #[inline(always)]
    fn mul<const P: usize>(self, l: L, x: [L::V; P], w: [Self::Twiddle; P]) -> [L::V; P] {
        lockstep!(P, |i| l.mul_kept(x[i], w[i].0, w[i].1, self.q))
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        l.reduce_kept(x, self.v, self.q)
    }
    /// `x mod q` of a kept value, in the kept form.
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        let r = l.word_of_kept(self.reduce(l, x)); // (-q, q)
        l.kept(l.add(r, l.and(l.negative(r), l.word_of_kept(self.q))))
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        l.mul_var_kept(x, y, self.v, self.q)
    }
}
