//! Products modulo the Goldilocks prime `q = 2^64 - 2^32 + 1`, in unsigned words of 64 bits.
//!
//! With `e = 2^32 - 1`, `2^64 ≡ e` and `2^96 ≡ -1`, so a product `p = low + 2^64·(m + 2^32·h)` is congruent to
//! `low - h + m·e`. The difference gets `q` back if it borrows, and is a word: `h < 2^32`. The sum with
//! `m·e ≤ 2^64 - 2^33 + 1` loses `q` if it carries, which adds `e` modulo `2^64` and cannot carry again. The result is
//! a word; subtracting `q` from words that are not below it makes it canonical. No factor is left behind; everything
//! else is as in [`unsigned`](super::unsigned).
//!
//! Source: the prime and its reduction are Solinas's, *Generalized Mersenne numbers* (1999); the name is
//! Hamburg's, *Ed448-Goldilocks* (2015), for primes of that form.

use super::{Constants, Costs, Definition, Factor, Reduction, Unsupported, unsigned};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes, Lanes16, Lanes64, LanesWide};

/// [`Method::Goldilocks`](super::Method::Goldilocks) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Goldilocks;

impl Definition for Goldilocks {
    const NAME: &'static str = "goldilocks";
    const TWIDDLE_WORDS: usize = 1;
    const UNSIGNED: bool = true;
    const CANONICAL_SUMS: bool = true;
    const LIMITED: bool = true;
    const MULTIPLIES_52: bool = false;
    const KEEPS_DOUBLES: bool = false;
    const SUMS: usize = 1;
    const ADDS_UP_WIDE: [bool; 3] = [false; 3];
    const PRIME_BITS: Option<u32> = None;
    const COSTS: Costs = [[[345, 300, 100], [105, 105, 30]]; 3];
    type On16<L: Lanes16> = Unsupported;
    type On32<L: LanesWide> = Unsupported;
    type On64<L: Lanes64> = OnLanes<L>;
    type Inside = Self;

    fn applies(q: Modulus, c: &Constants) -> bool {
        applies(q, c.bits)
    }
    fn encode(_q: Modulus, _c: &Constants, w: u64) -> [i64; 2] {
        encode(w)
    }
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
        unsigned::mul_range(c, x)
    }
    fn sum_range(c: &Constants, [a, b]: [Interval; 2], _sum: Interval) -> Option<Interval> {
        unsigned::sum_range(c, a, b)
    }
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
        unsigned::reduce_range(c, x)
    }
    fn mul_var_range(c: &Constants, [x, y]: [Interval; 2], _product: i128) -> Option<Interval> {
        unsigned::variable_range(c, x, y)
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

/// `2^64 - 2^32 + 1`.
const GOLDILOCKS: u64 = 0xFFFF_FFFF_0000_0001;

pub(super) const fn applies(q: Modulus, bits: u32) -> bool {
    bits == 64 && q.get() == GOLDILOCKS
}

/// The residue itself.
pub(super) const fn encode(w: u64) -> [i64; 2] {
    [w as i64; 2]
}

/// Constants in registers.
#[derive(Clone, Copy)]
pub struct OnLanes<L: Lanes> {
    /// `2^32 - 1`.
    low: L::V,
    canonical: unsigned::Canonical<L>,
}

impl<L: Lanes64> Reduction<L> for OnLanes<L> {
    const WORDS: usize = 1;
    const SUMS: usize = <Goldilocks as Definition>::SUMS;
    const REDUCES: bool = false; // everything is in `[0, q)`
    const PAIRS: bool = true;
    type Twiddle = L::V;

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self { low: l.splat(L::word(0xFFFF_FFFF)), canonical: unsigned::Canonical::new(l, c) }
    }
    #[inline(always)]
    fn twiddle(_: L, first: L::V, _: L::V) -> L::V {
        first
    }
    #[inline(always)]
    fn first(w: L::V) -> L::V {
        w
    }
    #[inline(always)]
    fn mul<const P: usize>(self, l: L, x: [L::V; P], w: [L::V; P]) -> [L::V; P] {
        lockstep!(P, |i| self.mul_var(l, x[i], w[i]))
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
        let (low, high) = (l.narrow_lo(p), l.narrow_hi(p));
        let difference = self.canonical.sub(l, low, l.shr_logical::<32>(high));
        let middle = l.mul_low_halves(high, self.low);
        let sum = l.add(difference, middle);
        let carries = l.gt_unsigned(middle, sum);
        self.canonical.reduce(l, l.add(sum, l.and(carries, self.low)))
    }
}
