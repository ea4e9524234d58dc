//! Barrett multiplication by a known factor in words of 64 bits, with a quotient from a truncated product: three
//! products of halves instead of four, and no carries.
//!
//! With `w' = ⌊w·2^63/q⌉` stored next to `w`, `h` is an integer that differs from `x·w'/2^63` by at most 1
//! ([`Lanes64::mul_hi_near`]; its digits are signed, so the omitted product of the low digits is small). Then
//! `|x·w/q - h| ≤ 1 + |x|/2^64`, so `t = x·w - h·q`, computed in low halves alone, has `|t| ≤ q + |x|·q/2^64`. No
//! factor is left behind; operands must stay below `2^63 - 2^31`.
//!
//! **Reduction.** With `s` 34 less than the number of bits of `q` and `c = ⌊2^(64+s)/q⌋ < 2^31`, `h` is the integer
//! nearest to `⌊x/2^32⌋·c/2^(32+s)`: one product of halves. The low half of `x` and the fraction of `c` contribute at
//! most `2^32/q + (|x| + 2^32)/2^(64+s)`, so `x - h·q` is at most `q/2 + 2^32 + |x|·q/2^(64+s) + 4` in absolute value.
//! Any word is a legal operand; `q > 2^39`.
//!
//! **Products of two variables** are Montgomery's, with his factor.
//!
//! Source: Barrett, *Implementing the RSA public key encryption algorithm on a standard DSP* (1986), who also omits low
//! products.

use super::{Constants, Costs, Definition, Factor, Reduction, Unsupported, dots, montgomery};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes, Lanes16, Lanes64, LanesWide};

/// [`Method::Truncated`](super::Method::Truncated) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Truncated;

impl Definition for Truncated {
    const NAME: &'static str = "truncated";
    const TWIDDLE_WORDS: usize = 2;
    const UNSIGNED: bool = false;
    const CANONICAL_SUMS: bool = false;
    const LIMITED: bool = false;
    const MULTIPLIES_52: bool = false;
    const KEEPS_DOUBLES: bool = false;
    const SUMS: usize = 1;
    const ADDS_UP_WIDE: [bool; 3] = [false; 3];
    const PRIME_BITS: Option<u32> = Some(60);
    const COSTS: Costs = [[[150, 120, 100], [62, 100, 35]]; 3];
    type On16<L: Lanes16> = Unsupported;
    type On32<L: LanesWide> = Unsupported;
    type On64<L: Lanes64> = OnLanes<L>;
    type Inside = Self;

    fn applies(q: Modulus, c: &Constants) -> bool {
        c.bits == 64 && q.bits() >= LEAST_BITS
    }
    fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
        encode(q, c, w)
    }
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
        mul_range(c, x)
    }
    fn sum_range(_c: &Constants, _: [Interval; 2], sum: Interval) -> Option<Interval> {
        Some(sum)
    }
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
        Some(reduce_range(c, x))
    }
    fn mul_var_range(c: &Constants, _: [Interval; 2], product: i128) -> Option<Interval> {
        Some(dots::product_range(c, product))
    }
    fn dot_range(_c: &Constants, _: [i128; 2], _sum: i128) -> Option<Interval> {
        None
    }
    fn reduce_factor(_: Modulus, _c: &Constants) -> Factor {
        Factor::ONE
    }
    fn mul_var_factor(q: Modulus, c: &Constants) -> Factor {
        Factor::inverse_of_word(q, c)
    }
}

/// `(w centred, its rounded quotient)`.
pub(super) fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
    let word = q.centered(w);
    let quotient = ((i128::from(word) << 64) + i128::from(c.q)).div_euclid(2 * i128::from(c.q)); // fits a word
    [word, quotient as i64]
}

/// Whether the digits of an operand can hold all of `x`.
fn holds(x: Interval) -> bool {
    x.magnitude() < (1 << 63) - (1 << 31)
}

/// `q·(1 + |x|/2^64)`.
pub(super) fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
    let q = i128::from(c.q);
    holds(x).then(|| Interval::symmetric(q + ((q * x.magnitude()) >> 64)))
}

/// The smallest number of bits of a modulus.
pub(super) const LEAST_BITS: u32 = 40;

/// See the head of this file; or `x` itself if the quotient is zero.
pub(super) fn reduce_range(c: &Constants, x: Interval) -> Interval {
    let (q, magnitude) = (i128::from(c.q), x.magnitude());
    let error = (1 << 32) + ((magnitude * ((q >> 20) + 1)) >> (44 + shift(c.q))) + 6;
    if magnitude < q / 2 - error { x } else { Interval::symmetric(q / 2 + error) }
}

/// `s` of a reduction.
const fn shift(q: i64) -> u32 {
    (64 - q.leading_zeros()).saturating_sub(34)
}

/// `c` of a reduction.
pub(super) const fn reciprocal(q: i64) -> i64 {
    ((1_i128 << (64 + shift(q))) / q as i128) as i64 // `2^(33+s) < q`
}

/// Constants in registers.
#[derive(Clone, Copy)]
pub struct OnLanes<L: Lanes> {
    q: L::V,
    c: L::V,
    s: u32,
    variable: montgomery::OnLanes<L, true>,
}

impl<L: Lanes64> Reduction<L> for OnLanes<L> {
    const WORDS: usize = 2;
    const SUMS: usize = <Truncated as Definition>::SUMS;
    const PAIRS: bool = true;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        let variable = montgomery::OnLanes::new(l, c);
        Self { q: l.splat(c.q), c: l.splat(c.c), s: shift(c.q), variable }
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
        let h = lockstep!(P, |i| l.mul_hi_near(x[i], w[i].1));
        lockstep!(P, |i| l.mul_difference(x[i], w[i].0, h[i], self.q))
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        l.reduce_near(x, self.c, self.s, self.q)
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        let r = self.reduce(l, x); // (-q, q)
        l.add(r, l.and(l.negative(r), self.q))
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        self.variable.mul_var(l, x, y)
    }
}
