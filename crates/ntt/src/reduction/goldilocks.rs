//! Products modulo Goldilocks' prime `q = 2^64 - 2^32 + 1`, in words of 64 bits without sign.
//!
//! With `e = 2^32 - 1`, `2^64 ≡ e` and `2^96 ≡ -1`, so a product `p = low + 2^64·(m + 2^32·h)` is
//! congruent to `low - h + m·e`. The difference gets `q` back where it borrows, and is a word: `h < 2^32`. The sum with `m·e ≤ 2^64 - 2^33 + 1` loses `q`, which is
//! to gain `e` as a word, where it carries, and cannot carry again. What comes out is a word, and taking `q` off
//! where it is not below it makes it canonical. Nothing is left behind; all else is as in
//! [`unsigned`](super::unsigned).
//!
//! Source: the prime and its reduction are Solinas's, *Generalized Mersenne numbers* (1999); the name is
//! Hamburg's, *Ed448-Goldilocks* (2015), for primes of that form.

use super::{Constants, Method, Reduction, unsigned};
use crate::arith::Modulus;
use lanes::{Lanes, Lanes64};

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
    const SUMS: usize = Method::Goldilocks.sums();
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
