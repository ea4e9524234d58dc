//! Solinas reduction for `q = 2^a + s·2^b + t`: one product, then shifts and additions. Results
//! carry no factor.
//!
//! Since `2^a ≡ -(s·2^b + t)`, the part of a product `C` above `2^a` can be folded onto the part
//! below. Each fold subtracts a multiple of `q`, all of them together `h·q`, and the quotient `h`
//! is computed by shifts. With `d = a - b` and `H = 2C/2^a`,
//!
//! `2C/q = H / (1 + s·2^-d·(1 + s·t·2^-b))`, which is approximately
//! `G = H - s·2^-d·(F + s·t·2^-b·F)`, where `F = H·(1 - s·2^-d)·(1 + 2^-2d)·(1 + 2^-4d)·…`
//! approximates `H / (1 + s·2^-d)`.
//!
//! Then `h = ⌊G/2⌋`, and `C - h·q = C - h·2^a - s·h·2^b - t·h` is computed in low halves alone.
//!
//! **Form.** `s, t = ±1`, `d ≥ 2`, and `a` at most the word's bits minus two; also
//! `q = 2^a + s = 2^a + s·2 - s`. It is K-RED's `q = k·2^m ± 1` with `k = 2^d ± 1` or `k = 1`: 257,
//! 7681, 12289, 40961, 65537, 8380417, `2^30 - 2^18 + 1`. Not `3329 = 13·2^8 + 1`: the inverse of a
//! `k` with three terms has no such product form.
//!
//! **Interval.** Let `v = 2^a`, `E = 2^-d`, and let each `e` in `[0, 1]` be the fraction that a
//! shift drops. With `D = (1 + s·E)·F - H`,
//!
//! `2C - G·q = v·e1 + q·e2 - s·q·E·e3 + (q - v)·(D + s·t·F/v)`,
//!
//! `e1` belonging to `H`, `e2` to the last shift, `e3` to `2^-b·F`. After no step `D = s·E·H`;
//! after some it is `-E^(2^steps)·H` minus what their shifts drop, at most `1/(1 + E)` each if
//! `s = -1`, `1/(1 - E)` if `s = 1`. Halving `G` adds `q·e4`. A constant inside the last shift
//! centres the sum: `±(3/4)·q` unless `d` is small or the operand huge, see [`range`].
//!
//! Values are negated by masks: `y ^ -1 = -y - 1` is one too small, an error like that of the shift
//! that gave `y`; if the bound has no room for it, a constant corrects it.
//!
//! Source: Solinas, *Generalized Mersenne numbers*, CORR 99-39 (1999), where a fold adds whole
//! digits. Here all folds are combined in one quotient, because a single one removes only `d` bits.
//! Single words are reduced by Barrett's method.

use super::{Constants, Costs, Definition, Factor, Reduction, barrett};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes, Lanes16, Lanes64, LanesWide};

/// [`Method::Solinas`](super::Method::Solinas) as a type.
#[derive(Clone, Copy, Debug)]
pub struct Solinas;

impl Definition for Solinas {
    const NAME: &'static str = "solinas";
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
        [[[481, 2371, 100], [597, 697, 100]], [[420, 600, 100], [355, 319, 100]], [[420, 600, 100], [355, 319, 100]]];
    type On16<L: Lanes16> = OnLanes<L, false>;
    type On32<L: LanesWide> = OnLanes<L, true>;
    type On64<L: Lanes64> = OnLanes<L, true>;
    type Inside = Self;

    fn applies(_q: Modulus, c: &Constants) -> bool {
        applies(c)
    }
    fn encode(q: Modulus, _c: &Constants, w: u64) -> [i64; 2] {
        encode(q, w)
    }
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval> {
        range(c, x.magnitude() * c.half())
    }
    fn sum_range(_c: &Constants, _: [Interval; 2], sum: Interval) -> Option<Interval> {
        Some(sum)
    }
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval> {
        Some(barrett::reduce_range(c, x))
    }
    fn mul_var_range(c: &Constants, _: [Interval; 2], product: i128) -> Option<Interval> {
        range(c, product)
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

/// `w` centred.
pub(super) fn encode(q: Modulus, w: u64) -> [i64; 2] {
    [q.centered(w), 0]
}

/// `q = 2^a + s·2^b + t`, `a = b + d`.
#[derive(Clone, Copy)]
struct Form {
    d: u32,
    b: u32,
    s: i64,
    t: i64,
    /// Factors in `F`: enough to make the quotient exact to `(2^steps + 1)·d` bits, those of the
    /// word minus two.
    steps: u32,
    /// The rounding constant in the last shift, which centres the result.
    round: i64,
}

impl Form {
    /// The form of `k·2^m ± 1`; meaningless unless it [is](Self::is) the modulus.
    const fn of(c: &Constants) -> Self {
        let (k, b, t) = if c.k == 1 { ((1 << (c.m - 1)) + c.sign, 1, -c.sign) } else { (c.k, c.m, c.sign) };
        let s = if k & (k + 1) == 0 { -1 } else { 1 };
        let d = (k + 1).ilog2(); // of both 2^d - 1 and 2^d + 1, d ≥ 2
        let mut steps = 0;
        while d * (1 + (1 << steps)) < c.bits - 2 {
            steps += 1;
        }
        Self { d, b, s, t, steps, round: (2 * steps as i64 + 3) / 3 - s * (3 << (d - 1)) }
    }

    const fn a(&self) -> u32 {
        self.d + self.b
    }

    const fn is(&self, q: i64) -> bool {
        (1 << self.a()) + (self.s << self.b) + self.t == q
    }
}

/// Whether the modulus has the form, and at least two bits less than the word.
pub(super) fn applies(c: &Constants) -> bool {
    let form = Form::of(c);
    form.is(c.q) && form.a() + 2 <= c.bits
}

/// Interval of any `C` with `|C| ≤ product` reduced; `None` if a step could leave the word.
pub(super) fn range(c: &Constants, product: i128) -> Option<Interval> {
    let form @ Form { d, b, steps, .. } = Form::of(c);
    let (q, v, round) = (i128::from(c.q), 1 << form.a(), i128::from(form.round));
    let (s, t) = (i128::from(form.s), i128::from(form.t));
    let h = (product >> (form.a() - 1)) + 1; // |H|
    let f = h + h / ((1 << d) - 1) + 2 * i128::from(steps); // |F|, and every step to it
    let scaled = f + s * t * (f >> b) + 2 + round.abs();
    let g = h + (scaled >> d) + 1;
    if !Interval::word(c.bits).holds(Interval::symmetric(f.max(scaled).max(g))) {
        return None;
    }

    let beyond = (q - v).abs(); // below 2^62, as h and f are below 2^63
    let dropped = beyond * i128::from(steps);
    let dropped = if s < 0 { dropped } else { (4 * dropped + 2) / 3 }; // E ≤ 1/4
    let weights = [v, q, -s * ((q >> d) + 1), q, -s * dropped]; // of e1, e2, e3, e4 and the steps
    let centre = s * round * q; // times 2^d
    let rest = ((beyond * h) >> (d << steps)) + ((beyond * f) >> form.a()) + 2;
    let end = |sum: i128| ((sum << d) + centre) >> d; // below 2^125
    let lo = end(weights.iter().map(|w| w.min(&0)).sum()) - rest;
    let hi = end(weights.iter().map(|w| w.max(&0)).sum()) + 1 + rest;
    Some(Interval::new(lo >> 1, (hi + 1) >> 1))
}

/// Constants in registers.
#[derive(Clone, Copy)]
pub struct OnLanes<L: Lanes, const WIDE: bool> {
    form: Form,
    round: L::V,
    /// All ones where the sign of `-s`, `-t` and `s·t` is negative.
    signs: [L::V; 3],
    /// A correction for the first two of these masks.
    exact: L::V,
    small: barrett::Small<L>,
}

impl<L: Lanes, const WIDE: bool> OnLanes<L, WIDE> {
    #[inline(always)]
    fn with(l: L, c: &Constants, small: barrett::Small<L>) -> Self {
        let form @ Form { s, t, round, .. } = Form::of(c);
        let word = |x| l.splat(L::word(x));
        let masks = [(-s - 1) / 2, (-t - 1) / 2, (s * t - 1) / 2];
        Self { form, round: word(round), signs: masks.map(word), exact: word(-masks[0] - masks[1]), small }
    }

    /// Reduces products, each given as its low word and `H`.
    #[inline(always)]
    fn fold<const P: usize>(self, l: L, c: [(L::V, L::V); P]) -> [L::V; P] {
        let Form { d, b, steps, .. } = self.form;
        let [minus_s, minus_t, both] = self.signs;
        let h = lockstep!(P, |i| c[i].1);
        let mut f = h;
        for step in 0..steps {
            let sign = if step == 0 { minus_s } else { l.splat(L::word(0)) };
            f = lockstep!(P, |i| l.add(f[i], l.xor(l.shr_by(f[i], d << step), sign))); // d·2^step < bits
        }
        let f = lockstep!(P, |i| l.add(f[i], l.xor(l.shr_by(f[i], b), both)));
        let g = lockstep!(P, |i| l.add(h[i], l.xor(l.shr_by(l.add(f[i], self.round), d), minus_s))); // about 2C/q
        let quotient = lockstep!(P, |i| l.shr::<1>(g[i]));
        let high = lockstep!(P, |i| l.sub(c[i].0, l.shl_by(quotient[i], self.form.a())));
        let middle = lockstep!(P, |i| l.add(high[i], l.xor(l.shl_by(quotient[i], b), minus_s)));
        lockstep!(P, |i| l.add(middle[i], l.add(l.xor(quotient[i], minus_t), self.exact)))
    }
}

impl<L: Lanes16> OnLanes<L, false> {
    /// The low word of a product, and `H`.
    #[inline(always)]
    fn parts(self, l: L, x: L::V, y: L::V) -> (L::V, L::V) {
        let low = l.mul_lo(x, y); // as a signed word; its sign is carried into the high half
        let high = l.sub(l.mul_hi(x, y), l.negative(low));
        let a = self.form.a();
        (low, l.add(l.shl_by(high, 17 - a), l.shr_by(low, a - 1)))
    }
}

impl<L: LanesWide> OnLanes<L, true> {
    /// The low word of a product, and `H`.
    #[inline(always)]
    fn parts(self, l: L, x: L::V, y: L::V) -> (L::V, L::V) {
        let c = l.widen_mul(x, y);
        (l.narrow_lo(c), l.narrow_lo(l.wide_shr(c, self.form.a() - 1)))
    }
}

/// The two widths differ in how they split a product, and in the names of Barrett's reduction.
macro_rules! on_lanes {
    ($lanes:ident, $wide:literal, $new:ident, $reduce:ident, $canonical:ident) => {
        impl<L: $lanes> Reduction<L> for OnLanes<L, $wide> {
            const WORDS: usize = 1;
            type Twiddle = L::V;

            #[inline(always)]
            fn new(l: L, c: &Constants) -> Self {
                Self::with(l, c, barrett::Small::$new(l, c))
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
                self.fold(l, lockstep!(P, |i| self.parts(l, x[i], w[i])))
            }
            #[inline(always)]
            fn reduce(self, l: L, x: L::V) -> L::V {
                self.small.$reduce(l, x)
            }
            #[inline(always)]
            fn canonical(self, l: L, x: L::V) -> L::V {
                self.small.$canonical(l, x)
            }
            #[inline(always)]
            fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V {
                let [r] = self.fold(l, [self.parts(l, x, y)]);
                r
            }
        }
    };
}

on_lanes!(Lanes16, false, new16, reduce16, canonical16);
on_lanes!(LanesWide, true, new_wide, reduce_wide, canonical_wide);
