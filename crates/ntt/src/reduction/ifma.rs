//! Montgomery multiplication of 52 bits, `R = 2^52`, by the fused products of AVX-512 IFMA.
//!
//! **Product.** For a twiddle, the pair `(w·R mod q, the same times q^-1 mod R)`, both in `[0, R)`, is stored. For
//! `0 ≤ x < R`, `h = x·w·q^-1 mod R` is one low product, and `t = ⌊x·w/R⌋ - ⌊h·q/R⌋` two high ones
//! ([`Lanes64::mul52_hi`]), because the low halves of `x·w` and `h·q` are equal. As `w < q` and `h < R`, both are in
//! `[0, q)`, and `t` is in `(-q, q)`.
//!
//! **Sums, differences** and **reductions** are those of a [`window`] `[0, W)`. Operands of products are in the window,
//! so `W ≤ R`:
//!
//! - for `q < 2^51`, `W = 2q`. The first high product starts from `q`, so `t + q` is already in the window.
//! - for `q < 2^52`, `W = q`, and the smaller one of `t` and `t + q` is in the window: two more instructions.
//!
//! **Products of two variables** in `[-W, W)`, made non-negative first, need `h = (x·y mod R)·q^-1 mod R`, and leave
//! the factor `R^-1`. `⌊x·y/R⌋ < W²/R ≤ W`, as `W ≤ R`; so `t` is in `(-q, W)`. For `W = q` it continues as above. For
//! `W = 2q`, `t + q` is in `[0, 3q)`, and the smaller one of that and that minus `2q` is in the window.
//!
//! **Sums of products** `S` of numbers in `[0, R)`: the instructions add up low and high halves separately; the
//! overflow of the low sum beyond `R` is added to the high sum. Then it continues as for one product:
//!
//! - for `W = 2q` and `S < 7q·R`, `t + q` is in `[0, 8q)`; the smaller one of that and that minus `4q`, then of the
//!   result and the result minus `2q`, is in the window;
//! - for `W = q` and `S < 2q·R`, `t` is in `(-q, 2q)`, and so two minima bring it into the window.
//!
//! Source: Montgomery, *Modular multiplication without trial division* (1985); IFMA for transforms: Boemer, Kim, Seifu,
//! de Souza, Gopal, *Intel HEXL* (2021), who use Shoup's multiplication.

use super::{
    Constants, Costs, Definition, Factor, Reduction, Unsupported, barrett,
    dots::{each_term, first_of},
    window::{self, Window, less, more},
};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes16, Lanes64, LanesWide, Opaque};

/// [`Method::Ifma`](super::Method::Ifma) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Ifma;

/// [`Method::IfmaStrict`](super::Method::IfmaStrict) as a type.
#[derive(Clone, Copy, Debug)]
pub struct IfmaStrict;

macro_rules! method {
    ($method:ident, $name:literal, strict $strict:literal, up to $bits:expr, $costs:expr) => {
        impl Definition for $method {
            const NAME: &'static str = $name;
            const TWIDDLE_WORDS: usize = 2;
            const UNSIGNED: bool = false;
            const CANONICAL_SUMS: bool = $strict;
            const LIMITED: bool = true;
            const MULTIPLIES_52: bool = true;
            const KEEPS_DOUBLES: bool = false;
            const SUMS: usize = 1;
            const ADDS_UP_WIDE: [bool; 3] = [false, false, true];
            const PRIME_BITS: Option<u32> = Some($bits);
            const COSTS: Costs = $costs;
            type On16<L: Lanes16> = Unsupported;
            type On32<L: LanesWide> = Unsupported;
            type On64<L: Lanes64> = OnLanes<L, $strict>;
            type Inside = Self;

            fn applies(q: Modulus, c: &Constants) -> bool {
                c.bits == 64 && q.bits() <= $bits
            }
            fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
                encode(q, c, w)
            }
            fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
                mul_range(c, $strict, x)
            }
            fn sum_range(c: &Constants, operands: [Interval; 2], _sum: Interval) -> Option<Interval> {
                window::sum_range(c, $strict, operands)
            }
            fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
                window::reduce_range(c, $strict, x)
            }
            fn mul_var_range(c: &Constants, [x, y]: [Interval; 2], _product: i128) -> Option<Interval> {
                variable_range(c, $strict, x, y)
            }
            fn dot_range(c: &Constants, [least, most]: [i128; 2], sum: i128) -> Option<Interval> {
                if least < 0 { None } else { dot_range(c, $strict, most, sum) }
            }
            fn reduce_factor(_: Modulus, _c: &Constants) -> Factor {
                Factor::ONE
            }
            fn mul_var_factor(q: Modulus, _c: &Constants) -> Factor {
                Factor { residue: q.inv(factor(q)), k: 0 }
            }
        }
    };
}

method!(Ifma, "ifma", strict false, up to BITS[0], [[[300, 300, 100], [40, 40, 20]]; 3]);
method!(IfmaStrict, "ifma-strict", strict true, up to BITS[1], [[[300, 300, 100], [47, 40, 10]]; 3]);

/// `R = 2^52`.
const R: i128 = 1 << 52;

/// Bits of a modulus, for a window of `2q` and of `q`.
pub(super) const BITS: [u32; 2] = [51, 52];

/// `(w·R mod q, the same times q^-1 mod R)`.
pub(super) fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
    let word = q.mul(w, factor(q)) as i64;
    [word, word.wrapping_mul(c.q_inv) & (R - 1) as i64]
}

/// `R mod q`; products of variables leave its inverse as a factor.
pub(super) const fn factor(q: Modulus) -> u64 {
    q.pow(2, 52)
}

/// The window for `0 ≤ x < R`.
pub(super) fn mul_range(c: &Constants, strict: bool, x: Interval) -> Option<Interval> {
    Interval::new(0, R - 1).holds(x).then_some(window::of(c, strict))
}

/// The window for `x` and `y` in `[-W, W)`.
pub(super) fn variable_range(c: &Constants, strict: bool, x: Interval, y: Interval) -> Option<Interval> {
    window::signed(c, strict).holds(x.union(y)).then_some(window::of(c, strict))
}

/// The window for a sum of products of non-negative numbers up to `most`.
pub(super) fn dot_range(c: &Constants, strict: bool, most: i128, sum: i128) -> Option<Interval> {
    let times = if strict { 2 } else { 7 };
    (most < R && sum < times * i128::from(c.q) * R).then_some(window::of(c, strict))
}

/// Constants in registers; `STRICT` for the window `[0, q)`.
#[derive(Clone, Copy)]
pub struct OnLanes<L: Lanes64, const STRICT: bool> {
    window: Window<L, STRICT>,
    q_inv: L::V,
    zero: L::V,
    small: barrett::Small<L>,
}

impl<L: Lanes64, const STRICT: bool> OnLanes<L, STRICT> {
    /// The initial value of a product's high half.
    #[inline(always)]
    fn start(self) -> L::V {
        if STRICT { self.zero } else { self.window.q }
    }
}

impl<L: Lanes64, const STRICT: bool> Reduction<L> for OnLanes<L, STRICT> {
    const WORDS: usize = 2;
    const SUMS: usize = <Ifma as Definition>::SUMS;
    const PAIRS: bool = STRICT;
    type Twiddle = (L::V, L::V);

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self {
            window: Window::new(l, c),
            q_inv: l.splat(c.q_inv),
            zero: l.splat(0),
            small: barrett::Small::new_wide(l, c),
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
        let h = lockstep!(P, |i| l.mul52_lo(self.zero, x[i], w[i].1));
        let high = lockstep!(P, |i| l.mul52_hi(self.start(), x[i], w[i].0));
        let hq = lockstep!(P, |i| l.mul52_hi(self.zero, h[i], self.window.q));
        let t = lockstep!(P, |i| l.sub(high[i], hq[i]));
        lockstep!(P, |i| if STRICT { more(l, t[i], self.window.q) } else { t[i] })
    }
    #[inline(always)]
    fn add(self, l: L, a: L::V, b: L::V) -> L::V {
        self.window.add(l, a, b)
    }
    #[inline(always)]
    fn sub(self, l: L, a: L::V, b: L::V) -> L::V {
        self.window.sub(l, a, b)
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        self.window.reduce(l, x)
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        self.small.canonical_wide(l, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        let [x, y] = [more(l, x, self.window.w), more(l, y, self.window.w)];
        let h = l.mul52_lo(self.zero, l.mul52_lo(self.zero, x, y), self.q_inv);
        let t = l.sub(l.mul52_hi(self.start(), x, y), l.mul52_hi(self.zero, h, self.window.q));
        if STRICT { more(l, t, self.window.q) } else { less(l, t, self.window.w) }
    }
    const WIDE: bool = true;
    #[inline(always)]
    fn dots<const P: usize, const J: usize>(self, l: L, x: &[L::V; P], y: &[L::V]) -> [L::V; J] {
        let first = first_of::<L, J>(x[0], y);
        let mut low = lockstep!(J, |j| l.mul52_lo(self.zero, x[0], first[j]));
        let mut high = lockstep!(J, |j| l.mul52_hi(self.start(), x[0], first[j]));
        each_term!(P, J, (x, y), |x, y| {
            low = lockstep!(J, |j| l.mul52_lo(low[j], x, y[j]));
            high = lockstep!(J, |j| l.mul52_hi(high[j], x, y[j]));
        });
        let h = lockstep!(J, |j| l.mul52_lo(self.zero, low[j], self.q_inv));
        lockstep!(J, |j| {
            let high = l.add(high[j], l.shr_logical::<52>(low[j]));
            let t = l.sub(high, l.mul52_hi(self.zero, h[j], self.window.q));
            let t = if STRICT { more(l, t, self.window.q) } else { less(l, t, l.shl::<1>(self.window.w)) };
            less(l, t, self.window.w)
        })
    }
}
