//! Montgomery multiplication of signed words, `R = 2^bits`.
//!
//! With `p = x·w` and `h = p·q^-1 mod R` (signed), `p - h·q` is a multiple of `R`, and
//! `t = (p - h·q)/R = ⌊p/R⌋ - ⌊h·q/R⌋` because the low halves of `p` and `h·q` are equal.
//! For a twiddle the pair `(w, w·q^-1 mod R)` is stored, so that `h` costs one low product.
//!
//! Source: Montgomery, *Modular multiplication without trial division* (1985); the signed form with
//! stored pairs: Seiler, *Faster AVX2 optimized NTT multiplication for Ring-LWE lattice
//! cryptography* (2018).
//!
//! Interval: `|h| ≤ R/2`, hence `|t| ≤ (|p| + q·R/2)/R`. Any word is a legal operand. **Sums of products**
//! in words of 32 and 64 bits are added up with twice the bits and reduced in the same way once: for
//! `|p| + q·R/2 < R²/2` neither the sum nor its reduction overflows.

use super::{Constants, Costs, Definition, Factor, Reduction, barrett, dots, sign_extend};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes, Lanes16, Lanes64, LanesWide};

/// [`Method::Montgomery`](super::Method::Montgomery) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Montgomery;

impl Definition for Montgomery {
    const NAME: &'static str = "montgomery";
    const TWIDDLE_WORDS: usize = 2;
    const UNSIGNED: bool = false;
    const CANONICAL_SUMS: bool = false;
    const LIMITED: bool = false;
    const MULTIPLIES_52: bool = false;
    const KEEPS_DOUBLES: bool = false;
    const SUMS: usize = 4;
    const ADDS_UP_WIDE: [bool; 3] = [false, true, true];
    const PRIME_BITS: Option<u32> = None;
    const COSTS: Costs = [[[100, 100, 100]; 2]; 3];
    type On16<L: Lanes16> = OnLanes<L, false>;
    type On32<L: LanesWide> = OnLanes<L, true>;
    type On64<L: Lanes64> = OnLanes<L, true>;
    type Inside = Self;

    fn applies(_q: Modulus, _c: &Constants) -> bool {
        true
    }
    fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
        encode(q, c, w)
    }
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
        Some(dots::product_range(c, x.magnitude() * c.half()))
    }
    fn sum_range(_c: &Constants, _: [Interval; 2], sum: Interval) -> Option<Interval> {
        Some(sum)
    }
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
        Some(barrett::reduce_range(c, x))
    }
    fn mul_var_range(c: &Constants, _: [Interval; 2], product: i128) -> Option<Interval> {
        Some(dots::product_range(c, product))
    }
    fn dot_range(c: &Constants, _: [i128; 2], sum: i128) -> Option<Interval> {
        dots::dot_range(c, sum)
    }
    fn reduce_factor(_: Modulus, _c: &Constants) -> Factor {
        Factor::ONE
    }
    fn mul_var_factor(q: Modulus, c: &Constants) -> Factor {
        Factor::inverse_of_word(q, c)
    }
}

/// `(w·R mod q centred, the same times q^-1 mod R)`.
pub(super) fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
    let word = q.centered(q.mul(w, q.reduce(c.word.into())));
    [word, sign_extend(word.wrapping_mul(c.q_inv), c.bits)]
}

/// Constants in registers.
#[derive(Clone, Copy)]
pub struct OnLanes<L: Lanes, const WIDE: bool> {
    q: L::V,
    q_inv: L::V,
    small: barrett::Small<L>,
}

/// `x mod q` in `[0, q)` by comparisons, for `x` in `(-2q, 2q)`, or in `(-q, 3q)` if `MORE`.
#[inline(always)]
fn canonical_of_sum<L: Lanes, const MORE: bool>(l: L, q: L::V, x: L::V) -> L::V {
    let x = if MORE { l.sub(x, q) } else { x };
    let x = l.add(x, l.and(l.negative(x), l.add(q, q))); // [0, 2q)
    let x = l.sub(x, q);
    l.add(x, l.and(l.negative(x), q))
}

impl<L: Lanes16> Reduction<L> for OnLanes<L, false> {
    const WORDS: usize = 2;
    const SUMS: usize = Montgomery::SUMS;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self { q: l.splat(c.q as i16), q_inv: l.splat(c.q_inv as i16), small: barrett::Small::new16(l, c) }
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
        let h = lockstep!(P, |i| l.mul_lo(x[i], w[i].1));
        let high = lockstep!(P, |i| l.mul_hi(x[i], w[i].0));
        let hq = lockstep!(P, |i| l.mul_hi(h[i], self.q));
        lockstep!(P, |i| l.sub(high[i], hq[i])) // |t| ≤ |x|·(q/2)/R + q/2
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
    fn canonical_of_sum<const MORE: bool>(self, l: L, x: L::V) -> L::V {
        canonical_of_sum::<L, MORE>(l, self.q, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        let h = l.mul_lo(l.mul_lo(x, y), self.q_inv);
        l.sub(l.mul_hi(x, y), l.mul_hi(h, self.q))
    }
}

impl<L: LanesWide> Reduction<L> for OnLanes<L, true> {
    const WORDS: usize = 2;
    const SUMS: usize = Montgomery::SUMS;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self { q: l.splat(L::word(c.q)), q_inv: l.splat(L::word(c.q_inv)), small: barrett::Small::new_wide(l, c) }
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
        let h = lockstep!(P, |i| l.widen_mul(x[i], w[i].1));
        let p = lockstep!(P, |i| l.widen_mul(x[i], w[i].0));
        let hq = lockstep!(P, |i| l.widen_mul_low(h[i], self.q));
        lockstep!(P, |i| l.narrow_hi_of_equal_lows(p[i], hq[i]))
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
    fn canonical_of_sum<const MORE: bool>(self, l: L, x: L::V) -> L::V {
        canonical_of_sum::<L, MORE>(l, self.q, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        let [product] = self.dots(l, &[x], &[y]);
        product
    }
    const WIDE: bool = true;
    #[inline(always)]
    fn dots<const P: usize, const J: usize>(self, l: L, x: &[L::V; P], y: &[L::V]) -> [L::V; J] {
        dots::Wide::of(self.q, self.q_inv).dots(l, x, y)
    }
}
