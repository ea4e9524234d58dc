//! K-RED and K-RED-2x for `q = k·2^m ± 1`: reduction by shifts and the small `k`.
//!
//! With `q = k·2^m + s`, `s = ±1`, `k·2^m ≡ -s`. For `C = C0 + 2^m·C1`, **K-RED** returns
//! `k·C0 - s·C1 ≡ k·C`; for `C = C0 + C1·2^m + C2·2^2m`, **K-RED-2x** returns
//! `k²·C0 - s·k·C1 + C2 ≡ k²·C`. Twiddles are stored as `w·k^-1` (or `w·k^-2`), which cancels the
//! factor; a reduction without product leaves it behind.
//!
//! Source: Longa and Naehrig, *Speeding up the number theoretic transform for faster ideal
//! lattice-based cryptography* (2016), section 3.
//!
//! Digits: wider words use the paper's, `0 ≤ C0 < 2^m`. 16-bit words use centred digits,
//! `|C0| ≤ 2^(m-1)`, because `k·(2^m - 1)` alone would fill the word; then
//! `k·C0 - s·C1 = k·C - q·C1` needs only low halves.
//!
//! Ranges: twiddles are centred, so `|C| ≤ |x|·q/2`; every digit and every partial sum must fit its
//! word, which limits the operand. [`range`] computes the limit.

use super::{Constants, Costs, Definition, Factor, Reduction, barrett};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes, Lanes16, Lanes64, LanesWide};

/// [`Method::KRed`](super::Method::KRed) as a type.
#[derive(Clone, Copy, Debug)]
pub struct KRed;

impl Definition for KRed {
    const NAME: &'static str = "k-red";
    const TWIDDLE_WORDS: usize = 1;
    const UNSIGNED: bool = false;
    const CANONICAL_SUMS: bool = false;
    const LIMITED: bool = true;
    const MULTIPLIES_52: bool = false;
    const KEEPS_DOUBLES: bool = false;
    const SUMS: usize = 0;
    const ADDS_UP_WIDE: [bool; 3] = [false; 3];
    const PRIME_BITS: Option<u32> = None;
    const COSTS: Costs =
        [[[185, 431, 150], [284, 197, 100]], [[99, 90, 52], [130, 97, 83]], [[99, 90, 52], [130, 97, 83]]];
    type On16<L: Lanes16> = OnLanes<L, false, 1>;
    type On32<L: LanesWide> = OnLanes<L, true, 1>;
    type On64<L: Lanes64> = OnLanes<L, true, 1>;
    type Inside = Self;

    fn applies(_q: Modulus, c: &Constants) -> bool {
        c.m < c.bits
    }
    fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
        encode(q, c, 1, w)
    }
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
        range(c, 1, x.magnitude() * c.half())
    }
    fn sum_range(_c: &Constants, _: [Interval; 2], sum: Interval) -> Option<Interval> {
        Some(sum)
    }
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
        reduce_range(c, x)
    }
    fn mul_var_range(c: &Constants, _: [Interval; 2], product: i128) -> Option<Interval> {
        range(c, 1, product)
    }
    fn dot_range(_c: &Constants, _: [i128; 2], _sum: i128) -> Option<Interval> {
        None
    }
    fn reduce_factor(_: Modulus, c: &Constants) -> Factor {
        factor(c)
    }
    fn mul_var_factor(_q: Modulus, c: &Constants) -> Factor {
        factor(c)
    }
}

/// [`Method::KRed2x`](super::Method::KRed2x) as a type.
#[derive(Clone, Copy, Debug)]
pub struct KRed2x;

impl Definition for KRed2x {
    const NAME: &'static str = "k-red-2x";
    const TWIDDLE_WORDS: usize = 1;
    const UNSIGNED: bool = false;
    const CANONICAL_SUMS: bool = false;
    const LIMITED: bool = true;
    const MULTIPLIES_52: bool = false;
    const KEEPS_DOUBLES: bool = false;
    const SUMS: usize = 0;
    const ADDS_UP_WIDE: [bool; 3] = [false; 3];
    const PRIME_BITS: Option<u32> = None;
    const COSTS: Costs =
        [[[277, 603, 150], [418, 273, 100]], [[168, 153, 52], [192, 164, 83]], [[168, 153, 52], [192, 164, 83]]];
    type On16<L: Lanes16> = OnLanes<L, false, 2>;
    type On32<L: LanesWide> = OnLanes<L, true, 2>;
    type On64<L: Lanes64> = OnLanes<L, true, 2>;
    type Inside = Self;

    fn applies(_q: Modulus, c: &Constants) -> bool {
        c.m < c.bits && (2 * c.m <= c.bits || c.bits == 16) && i128::from(c.k).pow(2) < 1 << (c.bits - 1)
    }
    fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2] {
        encode(q, c, 2, w)
    }
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
        range(c, 2, x.magnitude() * c.half())
    }
    fn sum_range(_c: &Constants, _: [Interval; 2], sum: Interval) -> Option<Interval> {
        Some(sum)
    }
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
        reduce_range(c, x)
    }
    fn mul_var_range(c: &Constants, _: [Interval; 2], product: i128) -> Option<Interval> {
        range(c, 2, product)
    }
    fn dot_range(_c: &Constants, _: [i128; 2], _sum: i128) -> Option<Interval> {
        None
    }
    fn reduce_factor(_: Modulus, c: &Constants) -> Factor {
        factor(c)
    }
    fn mul_var_factor(q: Modulus, c: &Constants) -> Factor {
        factor(c).times(factor(c), q)
    }
}

/// `w·k^-times` centred.
pub(super) fn encode(q: Modulus, c: &Constants, times: u64, w: u64) -> [i64; 2] {
    let k = q.pow(c.k as u64, times);
    [q.centered(q.mul(w, q.inv(k))), 0]
}

/// Interval of K-RED (`times = 1`) or K-RED-2x (`times = 2`) for any `C` with `|C| ≤ product`;
/// `None` if a digit or a partial sum could leave the word.
pub(super) fn range(c: &Constants, times: u32, product: i128) -> Option<Interval> {
    let word = Interval::word(c.bits);
    let digit = digit(c);
    let rest = |digits: u32| {
        let rounding = if c.bits == 16 { 1_i128 << (c.m * digits - 1) } else { 0 };
        let rest = Interval::symmetric(((product + rounding) >> (c.m * digits)) + 1);
        word.holds(rest).then_some(rest)
    };
    let k = i128::from(c.k);
    let scale = |r: Interval, by: i128| Interval::new(r.lo * by, r.hi * by); // below 2^96, where k² < 2^63 and 2m ≤ 64
    let signed = |r: Interval| if c.sign > 0 { Interval::symmetric(0).minus(r) } else { r };
    let sum = if times == 1 {
        scale(digit, k).plus(signed(rest(1)?))
    } else {
        if c.bits == 16 {
            rest(1)?; // 16-bit lanes form C >> m in one word
        }
        let low = scale(digit, k * k);
        let middle = low.plus(signed(scale(digit, k)));
        let high = rest(2)?;
        (word.holds(low) && word.holds(middle)).then(|| middle.plus(high))?
    };
    (word.holds(scale(digit, k)) && word.holds(sum)).then_some(sum)
}

/// The factor that K-RED leaves.
const fn factor(c: &Constants) -> Factor {
    Factor { residue: c.k as u64 % c.q as u64, k: 1 }
}

/// Interval of K-RED of a word.
pub(super) fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
    range(c, 1, x.magnitude())
}

/// The range of a digit.
fn digit(c: &Constants) -> Interval {
    if c.bits == 16 { Interval::symmetric(1 << (c.m - 1)) } else { Interval::new(0, (1 << c.m) - 1) }
}

/// Constants in registers; products are followed by K-RED (`TIMES = 1`) or K-RED-2x (`TIMES = 2`).
#[derive(Clone, Copy)]
pub struct OnLanes<L: Lanes, const WIDE: bool, const TIMES: u32> {
    q: L::V,
    k: L::V,
    k_squared: L::V,
    /// `2^m` in 16-bit lanes, `2^m - 1` in wider ones.
    mask: L::V,
    /// `2^(15-m)`: rounds a 16-bit word to its upper digit.
    round: L::V,
    /// `2^(16-m)`: moves the high half of a product into place.
    lift: L::V,
    m: u32,
    negative: bool,
    small: barrett::Small<L>,
}

impl<L: Lanes16, const TIMES: u32> Reduction<L> for OnLanes<L, false, TIMES> {
    const WORDS: usize = 1;
    type Twiddle = L::V;

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        let power = |e: u32| (1_u32 << e) as i16;
        Self {
            q: l.splat(c.q as i16),
            k: l.splat(c.k as i16),
            k_squared: l.splat((c.k * c.k) as i16),
            mask: l.splat(power(c.m)),
            round: l.splat(power(15 - c.m)),
            lift: l.splat(power(16 - c.m)),
            m: c.m,
            negative: c.sign < 0,
            small: barrett::Small::new16(l, c),
        }
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
        lockstep!(P, |i| self.product(l, x[i], w[i], TIMES))
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        let c1 = l.mul_round(x, self.round);
        l.sub(l.mul_lo(x, self.k), l.mul_lo(c1, self.q)) // k·C0 - s·C1
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        self.small.canonical16(l, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        self.product(l, x, y, TIMES)
    }
}

impl<L: Lanes16, const TIMES: u32> OnLanes<L, false, TIMES> {
    #[inline(always)]
    fn product(self, l: L, x: L::V, y: L::V, times: u32) -> L::V {
        let low = l.mul_lo(x, y); // as a signed word; its sign is carried into the high half
        let high = l.sub(l.mul_hi(x, y), l.negative(low));
        let c1 = l.add(l.mul_lo(high, self.lift), l.mul_round(low, self.round)); // ⌊C/2^m⌉
        if times == 1 {
            return l.sub(l.mul_lo(low, self.k), l.mul_lo(c1, self.q));
        }
        let c0 = l.sub(low, l.mul_lo(c1, self.mask));
        let upper = self.reduce(l, c1); // k·C1 reduced once more: its own digits give -s·k·C1 + C2 up to sign
        let k0 = l.mul_lo(c0, self.k_squared);
        if self.negative { l.add(k0, upper) } else { l.sub(k0, upper) }
    }
}

impl<L: LanesWide, const TIMES: u32> Reduction<L> for OnLanes<L, true, TIMES> {
    const WORDS: usize = 1;
    type Twiddle = L::V;

    #[inline(always)]
    fn new(l: L, c: &Constants) -> Self {
        Self {
            q: l.splat(L::word(c.q)),
            k: l.splat(L::word(c.k)),
            k_squared: l.splat(L::word(c.k.wrapping_mul(c.k))),
            mask: l.splat(L::word((1 << c.m) - 1)),
            round: l.splat(L::word(0)),
            lift: l.splat(L::word(0)),
            m: c.m,
            negative: c.sign < 0,
            small: barrett::Small::new_wide(l, c),
        }
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
        lockstep!(P, |i| self.product(l, x[i], w[i], TIMES))
    }
    #[inline(always)]
    fn reduce(self, l: L, x: L::V) -> L::V {
        self.fold(l, l.mul_lo(l.and(x, self.mask), self.k), l.shr_by(x, self.m))
    }
    #[inline(always)]
    fn canonical(self, l: L, x: L::V) -> L::V {
        self.small.canonical_wide(l, x)
    }
    #[inline(always)]
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
        self.product(l, x, y, TIMES)
    }
}

impl<L: LanesWide, const TIMES: u32> OnLanes<L, true, TIMES> {
    /// `low - s·high`.
    #[inline(always)]
    fn fold(self, l: L, low: L::V, high: L::V) -> L::V {
        if self.negative { l.add(low, high) } else { l.sub(low, high) }
    }

    #[inline(always)]
    fn product(self, l: L, x: L::V, y: L::V, times: u32) -> L::V {
        let c = l.widen_mul(x, y);
        let c0 = l.and(l.narrow_lo(c), self.mask);
        let upper = l.narrow_lo(l.wide_shr(c, self.m)); // C >> m, its low word
        if times == 1 {
            return self.fold(l, l.mul_lo(c0, self.k), upper);
        }
        let c1 = l.and(upper, self.mask);
        let c2 = l.narrow_lo(l.wide_shr(c, 2 * self.m));
        l.add(self.fold(l, l.mul_lo(c0, self.k_squared), l.mul_lo(c1, self.k)), c2)
    }
}
