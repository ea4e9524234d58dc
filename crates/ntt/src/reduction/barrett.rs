//! Barrett multiplication by a known factor, and Barrett reduction of a word.
//!
//! **Product.** With `w' = ⌊w·2^(bits-1)/q⌉` (16-bit words) or `⌊w·2^bits/q⌉` (wider words) stored
//! next to `w`, the rounded quotient `h` of `x·w'` satisfies `|x·w/q - h| ≤ 1/2 + |x|/2^bits`, so
//! `t = x·w - h·q`, computed in low halves alone, has `|t| ≤ q/2 + |x|·q/2^bits`. No factor is left
//! behind. Any word is a legal operand.
//!
//! **Reduction.** With `v = ⌊2^(bits+e)/q⌉` and `e = ⌊log2 q⌋ - 1`, `h = ⌊x·v/2^bits⌋` is about
//! `x·2^e/q`, and `x - ⌊h/2^e⌉·q` is at most `q·(1/2 + 2^-e + |x|/2^(bits+e+1))` in absolute value.
//!
//! Source: Barrett, *Implementing the RSA public key encryption algorithm on a standard DSP*
//! (1986); the product with a stored quotient: Becker, Hwang, Kannwischer, Yang, Yang, *Neon NTT*
//! (2021), Algorithm 10.

use super::{Constants, Costs, Definition, Factor, Reduction, dots};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes, Lanes16, Lanes64, LanesWide};

/// [`Method::Barrett`](super::Method::Barrett) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Barrett;

impl Definition for Barrett {
    const NAME: &'static str = "barrett";
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
        [[[96, 307, 100], [100, 170, 100]], [[101, 100, 80], [89, 100, 91]], [[100, 100, 100], [83, 100, 100]]];
    type On16<L: Lanes16> = OnLanes<L, { ROUNDED }>;
    type On32<L: LanesWide> = OnLanesWide<L, { ROUNDED }>;
    type On64<L: Lanes64> = OnLanesWide<L, { ROUNDED }>;
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
        Some(reduce_range(c, x))
    }
    fn mul_var_range(c: &Constants, _: [Interval; 2], product: i128) -> Option<Interval> {
        Some(by_known_factors(c, product, mul_range))
    }
    fn dot_range(c: &Constants, _: [i128; 2], sum: i128) -> Option<Interval> {
        dots::dot_range(c, sum)
    }
    fn reduce_factor(_: Modulus, _c: &Constants) -> Factor {
        Factor::ONE
    }
    fn mul_var_factor(q: Modulus, c: &Constants) -> Factor {
        factor_of_variables(q, c)
    }
}

/// `(w centred, its rounded quotient)`.
pub(super) const fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
    let word = q.centered(w);
    let log = if c.bits == 16 { 15 } else { c.bits };
    let quotient = (((word as i128) << (log + 1)) + c.q as i128).div_euclid(2 * c.q as i128);
    [word, quotient as i64]
}

/// `q·(1/2 + |x|/2^bits)`.
pub(super) fn mul_range(c: &Constants, x: Interval) -> Interval {
    let q = i128::from(c.q);
    Interval::symmetric((q * ((1 << (c.bits - 1)) + x.magnitude())) >> c.bits)
}

/// `q·(1/2 + 2^-e + |x|/2^(bits+e+1))`, or `x` itself if the quotient is zero.
pub(super) fn reduce_range(c: &Constants, x: Interval) -> Interval {
    let (q, magnitude) = (i128::from(c.q), x.magnitude());
    // q·(2^(e-1) + 1 + |x|/2^(bits+1)) is below 2^123, and 2^e times the bound
    let bound = (q * ((1 << (c.e - 1)) + 1) + ((q * magnitude) >> (c.bits + 1))) >> c.e;
    if magnitude < q / 2 - (q >> (c.e + 1)) - 2 { x } else { Interval::symmetric(bound) }
}

/// Interval of a product of two variables: Montgomery's if the method adds products up, else by known factors.
pub(super) fn by_known_factors(
    c: &Constants,
    product: i128,
    mul_range: fn(&Constants, Interval) -> Interval,
) -> Interval {
    if adds_up(c) { dots::product_range(c, product) } else { split_range(c, product, mul_range) }
}

/// The factor left by such products.
pub(super) fn factor_of_variables(q: Modulus, c: &Constants) -> Factor {
    if adds_up(c) { Factor::inverse_of_word(q, c) } else { Factor::ONE }
}

/// Whether products of two variables are Montgomery's.
const fn adds_up(c: &Constants) -> bool {
    c.bits > 16 && c.q % 2 == 1
}

/// Interval of a product that is split as `hi·2^bits + lo` and reduced in two parts.
fn split_range(c: &Constants, product: i128, mul_range: fn(&Constants, Interval) -> Interval) -> Interval {
    let hi = Interval::symmetric((product >> c.bits) + 1);
    mul_range(c, hi).plus(reduce_range(c, Interval::word(c.bits)))
}

/// The constants of the reduction of one word.
#[derive(Clone, Copy)]
pub(super) struct Small<L: Lanes> {
    q: L::V,
    v: L::V,
    round: L::V,
    e: u32,
}

impl<L: Lanes16> Small<L> {
    #[inline(always)]
    pub(super) fn new16(l: L, c: &Constants) -> Self {
        Self { q: l.splat(c.q as i16), v: l.splat(c.v as i16), round: l.splat(1 << (15 - c.e)), e: c.e }
    }
    #[inline(always)]
    pub(super) fn reduce16(self, l: L, x: L::V) -> L::V {
        let h = l.mul_hi(x, self.v); // about x·2^e/q
        let quotient = l.mul_round(h, self.round); // ⌊h/2^e⌉
        l.sub(x, l.mul_lo(quotient, self.q))
    }
    /// Reduces, then adds `q` where negative.
    #[inline(always)]
    pub(super) fn canonical16(self, l: L, x: L::V) -> L::V {
        let r = self.reduce16(l, x); // (-q, q)
        l.add(r, l.and(l.negative(r), self.q))
    }
}

impl<L: LanesWide> Small<L> {
    #[inline(always)]
    pub(super) fn new_wide(l: L, c: &Constants) -> Self {
        Self { q: l.splat(L::word(c.q)), v: l.splat(L::word(c.v)), round: l.splat(L::word((1 << c.e) >> 1)), e: c.e }
    }
    #[inline(always)]
    pub(super) fn reduce_wide(self, l: L, x: L::V) -> L::V {
        let h = l.narrow_hi(l.widen_mul(x, self.v)); // |h| ≤ 2^(bits-2), e ≤ bits-3: the rounding cannot overflow
        let quotient = l.shr_by(l.add(h, self.round), self.e);
        l.sub(x, l.mul_lo(quotient, self.q))
    }
    /// Reduces, then adds `q` where negative.
    #[inline(always)]
    pub(super) fn canonical_wide(self, l: L, x: L::V) -> L::V {
        let r = self.reduce_wide(l, x); // (-q, q)
        l.add(r, l.and(l.negative(r), self.q))
    }
}

/// Products have a rounded quotient (Barrett).
pub(super) const ROUNDED: usize = 0;
/// Products have a floored quotient (Shoup).
pub(super) const FLOORED: usize = 1;
/// Products are Plantard's; everything else is the same.
pub(super) const PLANTARD: usize = 2;

/// Constants in registers for the methods whose twiddles are pairs of words, in words of 16 bits. `PRODUCT` selects the
/// product.
#[derive(Clone, Copy)]
pub struct OnLanes<L: Lanes, const PRODUCT: usize> {
    q: L::V,
    two: L::V,
    /// `2^bits mod q` as a twiddle.
    word: (L::V, L::V),
    small: Small<L>,
}

impl<L: Lanes16, const PRODUCT: usize> Reduction<L> for OnLanes<L, PRODUCT> {
    const WORDS: usize = 2;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        let [w, quotient] = c.word_twiddles[PRODUCT];
        Self {
            q: l.splat(c.q as i16),
            two: l.splat(2),
            word: (l.splat(w as i16), l.splat(quotient as i16)),
            small: Small::new16(l, c),
        }
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
        if PRODUCT == PLANTARD {
            let h = lockstep!(P, |i| l.add(l.mul_hi(x[i], w[i].0), l.mul_lo(x[i], w[i].1)));
            return lockstep!(P, |i| l.mul_hi(l.add(h[i], self.two), self.q));
        }
        let h = lockstep!(P, |i| if PRODUCT == ROUNDED { l.mul_round(x[i], w[i].1) } else { l.mul_hi(x[i], w[i].1) });
        let low = lockstep!(P, |i| l.mul_lo(x[i], w[i].0));
        lockstep!(P, |i| l.sub(low[i], l.mul_lo(h[i], self.q)))
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        self.small.reduce16(l, x)
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        self.small.canonical16(l, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        let low = l.mul_lo(x, y); // as a signed word; its sign is carried into the high half
        let high = l.sub(l.mul_hi(x, y), l.negative(low));
        let [t] = self.mul(l, [high], [self.word]);
        l.add(t, self.small.reduce16(l, low))
    }
}

/// The same in words of 32 and 64 bits, with Montgomery's products of two variables.
#[derive(Clone, Copy)]
pub struct OnLanesWide<L: Lanes, const PRODUCT: usize> {
    q: L::V,
    two: L::V,
    variable: dots::Wide<L>,
    small: Small<L>,
}

impl<L: LanesWide, const PRODUCT: usize> Reduction<L> for OnLanesWide<L, PRODUCT> {
    const WORDS: usize = 2;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        let q = l.splat(L::word(c.q));
        Self { q, two: l.splat(L::word(2)), variable: dots::Wide::new(l, c), small: Small::new_wide(l, c) }
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
        if PRODUCT == PLANTARD {
            let h = lockstep!(P, |i| l.add(l.narrow_hi(l.widen_mul(x[i], w[i].0)), l.mul_lo(x[i], w[i].1)));
            return lockstep!(P, |i| l.narrow_hi(l.widen_mul(l.add(h[i], self.two), self.q)));
        }
        // -2^(bits-1): subtracting it rounds the quotient
        let minus_half = l.widen_mul(l.splat(L::word(1 << (L::BITS - 2))), l.splat(L::word(-2)));
        let h = lockstep!(P, |i| {
            let p = l.widen_mul(x[i], w[i].1);
            l.narrow_hi(if PRODUCT == ROUNDED { l.wide_sub(p, minus_half) } else { p })
        });
        let low = lockstep!(P, |i| l.mul_lo(x[i], w[i].0));
        lockstep!(P, |i| l.sub(low[i], l.mul_lo(h[i], self.q)))
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        self.small.reduce_wide(l, x)
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        self.small.canonical_wide(l, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        let [product] = self.dots(l, &[x], &[y]);
        product
    }
    const WIDE: bool = true;
    #[inline(always)]
    fn dots<const P: usize, const J: usize>(self, l: L, x: &[L::V; P], y: &[L::V]) -> [L::V; J] {
        self.variable.dots(l, x, y)
    }
}
