//! Montgomery multiplication of unsigned words with canonical results, and sums that are reduced to canonical form
//! again: for primes that leave no sign bit in a word of 32 or 64 bits.
//!
//! **Product.** `R = 2^bits`, and the pair `(w·R mod q, the same times q^-1 mod R)` is stored. With `p` the product of
//! `x` and the first word, and `h` the low half of the product of `x` and the second one, `p - h·q` is a multiple of
//! `R`, and `t = ⌊p/R⌋ - ⌊h·q/R⌋` since the low halves are equal. Both terms are in `[0, q)` for any word `x`, so `t`
//! is in `(-q, q)`, and `q` is added if the first term is smaller. **Products of two variables** with `x·y < q·R` are
//! the same, and leave the factor `1/R`. **Sums**: `a + b - q = a - (q - b)`, and differences, get `q` back if they
//! borrow. A **reduction** subtracts `q` from a word that is not below it: `R < 2q`, or the word is below `2q`.
//!
//! Nothing here overflows for any operands; the ranges hold for sums of words in `[0, q)`.
//!
//! Source: Montgomery, *Modular multiplication without trial division* (1985).

use super::{Constants, Costs, Definition, Factor, Reduction, Unsupported};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes, Lanes16, Lanes64, LanesWide};

/// [`Method::Unsigned`](super::Method::Unsigned) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Unsigned;

impl Definition for Unsigned {
    const NAME: &'static str = "unsigned";
    const TWIDDLE_WORDS: usize = 2;
    const UNSIGNED: bool = true;
    const CANONICAL_SUMS: bool = true;
    const LIMITED: bool = true;
    const MULTIPLIES_52: bool = false;
    const KEEPS_DOUBLES: bool = false;
    const SUMS: usize = 1;
    const ADDS_UP_WIDE: [bool; 3] = [false; 3];
    const PRIME_BITS: Option<u32> = None;
    const COSTS: Costs =
        [[[240, 240, 100], [111, 111, 30]], [[250, 250, 100], [180, 170, 30]], [[240, 240, 100], [111, 111, 30]]];
    type On16<L: Lanes16> = Unsupported;
    type On32<L: LanesWide> = OnLanes<L>;
    type On64<L: Lanes64> = OnLanes<L>;
    type Inside = Self;

    fn applies(q: Modulus, c: &Constants) -> bool {
        applies(q, c.bits)
    }
    fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
        encode(q, c, w)
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
    fn mul_var_range(c: &Constants, [x, y]: [Interval; 2], _product: i128) -> Option<Interval> {
        variable_range(c, x, y)
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

/// Whether the modulus fills the word: 32 of 32 bits, or at least 63 of 64. For smaller ones, signed methods are
/// faster.
pub(super) const fn applies(q: Modulus, bits: u32) -> bool {
    match bits {
        32 => q.bits() == 32,
        64 => q.bits() >= 63,
        _ => false,
    }
}

/// `[0, 2^bits)`.
pub(super) const fn words(bits: u32) -> Interval {
    Interval::new(0, (1 << bits) - 1)
}

/// `[0, q)`.
const fn canonical(c: &Constants) -> Interval {
    Interval::new(0, c.modulus() - 1)
}

/// `(w·R mod q, the same times q^-1 mod R)`, as bits.
pub(super) fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
    let word = q.mul(w, q.reduce(c.word.into())) as i64;
    [word, super::sign_extend(word.wrapping_mul(c.q_inv), c.bits)]
}

/// `[0, q)` for any word.
pub(super) const fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
    if words(c.bits).holds(x) { Some(canonical(c)) } else { None }
}

/// `[0, q)` for operands in `[0, q)`, for sums and differences alike.
pub(super) const fn sum_range(c: &Constants, a: Interval, b: Interval) -> Option<Interval> {
    if canonical(c).holds(a) && canonical(c).holds(b) { Some(canonical(c)) } else { None }
}

/// `[0, q)` for words below `2q`.
pub(super) const fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
    let fits = words(c.bits).holds(x) && x.hi < 2 * c.modulus();
    if fits { Some(canonical(c)) } else { None }
}

/// `[0, q)` for a product below `q·R`.
pub(super) const fn variable_range(c: &Constants, x: Interval, y: Interval) -> Option<Interval> {
    let words = words(c.bits);
    // Below R; the product of parts above q may need all 128 bits.
    let most = if x.hi > y.hi { (x.hi, y.hi) } else { (y.hi, x.hi) };
    let fits = words.holds(x) && words.holds(y) && most.1 < c.modulus();
    if fits { Some(canonical(c)) } else { None }
}

/// The modulus in registers, and the common code of all unsigned methods.
#[derive(Clone, Copy)]
pub(super) struct Canonical<L: Lanes> {
    q: L::V,
    /// `q - 1`.
    most: L::V,
    /// `2q` and `2q - 1`, or zero and the largest word if they do not fit a word.
    twice: [L::V; 2],
}

impl<L: LanesWide> Canonical<L> {
    #[inline(always)]
    pub(super) fn new(l: L, c: &Constants) -> Self {
        let splat = |x: i64| l.splat(L::word(x));
        let twice = if (2 * c.modulus()) >> c.bits == 0 { c.q.wrapping_mul(2) } else { 0 };
        let twice = [splat(twice), splat(twice.wrapping_sub(1))];
        Self { q: splat(c.q), most: splat(c.q.wrapping_sub(1)), twice }
    }
    /// `a - b`, plus `q` if that borrows.
    #[inline(always)]
    pub(super) fn sub(self, l: L, a: L::V, b: L::V) -> L::V {
        l.sub_or_add(a, b, self.q)
    }
    #[inline(always)]
    pub(super) fn add(self, l: L, a: L::V, b: L::V) -> L::V {
        self.sub(l, a, l.sub(self.q, b))
    }
    /// `x - q` if `x` is not below `q`.
    #[inline(always)]
    pub(super) fn reduce(self, l: L, x: L::V) -> L::V {
        if L::BITS == 32 {
            return l.min_unsigned(x, l.sub(x, self.q));
        }
        l.sub(x, l.and(l.gt_unsigned(x, self.most), self.q))
    }
    /// `x mod q` for any word, which is below `4q`.
    #[inline(always)]
    pub(super) fn of_any(self, l: L, x: L::V) -> L::V {
        let [twice, most] = self.twice;
        self.reduce(l, l.sub(x, l.and(l.gt_unsigned(x, most), twice)))
    }
}

/// Constants in registers.
#[derive(Clone, Copy)]
pub struct OnLanes<L: Lanes> {
    q_inv: L::V,
    canonical: Canonical<L>,
}

impl<L: LanesWide> OnLanes<L> {
    /// The quotient from the high half of `p` and the low half of `p·q^-1`.
    #[inline(always)]
    fn quotient(self, l: L, high: L::V, h: L::V) -> L::V {
        self.canonical.sub(l, high, l.narrow_hi(l.widen_mul_unsigned(h, self.canonical.q)))
    }
}

impl<L: LanesWide> Reduction<L> for OnLanes<L> {
    const WORDS: usize = 2;
    const SUMS: usize = <Unsigned as Definition>::SUMS;
    const REDUCES: bool = false; // everything is in `[0, q)`
    const PAIRS: bool = true;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self { q_inv: l.splat(L::word(c.q_inv)), canonical: Canonical::new(l, c) }
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
        let high = lockstep!(P, |i| l.narrow_hi(l.widen_mul_unsigned(x[i], w[i].0)));
        lockstep!(P, |i| self.quotient(l, high[i], h[i]))
    }
    #[inline(always)]
    fn add(self, l: L, a: L::V, b: L::V) -> L::V {
        self.canonical.add(l, a, b)
    }
    #[inline(always)]
    fn sub(self, l: L, a: L::V, b: L::V) -> L::V {
        self.canonical.sub(l, a, b)
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        self.canonical.reduce(l, x)
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        self.canonical.of_any(l, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        let p = l.widen_mul_unsigned(x, y);
        self.quotient(l, l.narrow_hi(p), l.mul_lo(l.narrow_lo(p), self.q_inv))
    }
}
