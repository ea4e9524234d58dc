//! Rounding, hints and norms: Algorithms 35 to 40 of FIPS 204, on the lanes of a backend.
//!
//! Residues are in `[0, q)` unless stated otherwise; polynomials are contiguous and have 256
//! coefficients, so they fill the vectors of any backend. Everything runs in constant time; that a
//! norm is too large is public.

use super::params::{D, Parameters, Q};
use crate::ct::negative;
use lanes::{Backend, LanesWide, Task32};

/// Defines functions of a backend that run a task over 32-bit lanes.
macro_rules! tasks {
    ($($(#[$doc:meta])* fn $name:ident / $task:ident ($($field:ident: $type:ty),*) $(-> $output:ty)? |$l:ident| $body:block)*) => {$(
        struct $task<'a> { $($field: $type),* }

        impl Task32 for $task<'_> {
            type Output = tasks!(@ $($output)?);

            #[inline(always)]
            fn run<L: LanesWide<Word = i32>>(self, $l: L) -> Self::Output {
                let Self { $($field),* } = self;
                $body
            }
        }

        $(#[$doc])*
        pub(super) fn $name<'a>(backend: Backend, $($field: $type),*) $(-> $output)? {
            backend.run32($task { $($field),* })
        }
    )*};
    (@) => { () };
    (@ $output:ty) => { $output };
}

/// Lanes that are negative unless all `|x| < bound`.
#[inline(always)]
fn outside<L: LanesWide<Word = i32>>(l: L, x: L::V, bound: i32) -> L::V {
    let largest = l.splat(bound - 1);
    l.or(l.sub(largest, x), l.add(largest, x))
}

/// Whether no lane is negative.
#[inline(always)]
fn none_negative<L: LanesWide<Word = i32>>(l: L, x: L::V) -> bool {
    let mut lanes = [0; lanes::MAX_LANES];
    l.store(&mut L::blocks_mut(&mut lanes)[0], l.negative(x));
    lanes.iter().fold(0, |all, x| all | x) >= 0
}

/// The residue at most `q/2` in absolute value.
#[inline(always)]
fn centred<L: LanesWide<Word = i32>>(l: L, x: L::V) -> L::V {
    l.sub(x, l.and(l.splat(Q), l.negative(l.sub(l.splat(Q >> 1), x))))
}

/// `r1` and `r0` of Algorithm 36, for `γ2 = (q - 1)/32` if `wide`, else `(q - 1)/88`.
///
/// With `x = ⌈r/2^7⌉`, `r1` is x divided by `2γ2/2^7`, rounded: `⌊(1025x + 2^21)/2^22⌋`, or
/// `⌊(11275x + 2^23)/2^24⌋`, for every r below q, except that a result of 16, or 44, becomes 0.
#[inline(always)]
fn decomposed<L: LanesWide<Word = i32>>(l: L, r: L::V, wide: bool) -> (L::V, L::V) {
    let x = l.shr::<7>(l.add(r, l.splat(127)));
    let (high, step) = if wide {
        let quotient = l.shr::<22>(l.add(l.mul_lo(x, l.splat(1025)), l.splat(1 << 21)));
        (l.and(quotient, l.splat(15)), 2 * super::params::GAMMA2_WIDE)
    } else {
        let quotient = l.shr::<24>(l.add(l.mul_lo(x, l.splat(11275)), l.splat(1 << 23)));
        let is_44 = l.negative(l.sub(l.splat(43), quotient));
        (l.sub(quotient, l.and(quotient, is_44)), 2 * super::params::GAMMA2_NARROW)
    };
    (high, centred(l, l.sub(r, l.mul_lo(high, l.splat(step)))))
}

tasks! {
    /// Algorithm 35, Power2Round: `r = r1·2^13 + r0`; `r0` in `(-2^12, 2^12]` replaces r.
    fn power2_round / Power2Round(r: &'a mut [i32], high: &'a mut [i32]) |l| {
        for (r, high) in L::blocks_mut(r).iter_mut().zip(L::blocks_mut(high)) {
            let whole = l.load(r);
            let r1 = l.shr::<{ D as i32 }>(l.add(whole, l.splat((1 << (D - 1)) - 1)));
            l.store(high, r1);
            l.store(r, l.sub(whole, l.shl::<{ D as i32 }>(r1)));
        }
    }

    /// Algorithm 36, Decompose: `r = r1·2γ2 + r0` modulo q; `r0` in `[-γ2, γ2]` replaces r. `r1` is
    /// that of Algorithm 37, HighBits, and `r0` that of Algorithm 38, LowBits.
    fn decompose / Decompose(r: &'a mut [i32], high: &'a mut [i32], set: &'a Parameters) |l| {
        let wide = set.wide();
        for (r, high) in L::blocks_mut(r).iter_mut().zip(L::blocks_mut(high)) {
            let (r1, r0) = decomposed(l, l.load(r), wide);
            l.store(high, r1);
            l.store(r, r0);
        }
    }

    /// Algorithm 39, MakeHint, and the number of ones: whether adding `c·t0` changes the high bits
    /// of `w - c·s2`.
    ///
    /// `low` is `LowBits(w) - c·s2 + c·t0` as an integer, where `|LowBits(w) - c·s2| < γ2 - β`, and
    /// `high` is `HighBits(w)`, which is also that of `w - c·s2`. High bits change if `low` leaves
    /// `[-γ2, γ2]`, or if it is `-γ2` and `high` is not 0. The hint replaces `low`.
    fn make_hint / MakeHint(low: &'a mut [i32], high: &'a [i32], set: &'a Parameters) -> usize |l| {
        let mut count = l.splat(0);
        let gamma2 = l.splat(set.gamma2);
        for (low, high) in L::blocks_mut(low).iter_mut().zip(L::blocks(high)) {
            let (sum, high) = (l.load(low), l.load(high));
            let beyond = l.or(l.gt(sum, gamma2), l.negative(l.add(sum, gamma2)));
            let at_edge = l.negative(l.sub(l.add(sum, gamma2), l.splat(1)));
            let hint = l.or(beyond, l.and(at_edge, l.gt(high, l.splat(0))));
            l.store(low, l.sub(l.splat(0), hint));
            count = l.sub(count, hint);
        }
        let mut lanes = [0; lanes::MAX_LANES];
        l.store(&mut L::blocks_mut(&mut lanes)[0], count);
        lanes.iter().fold(0, |sum, &x| sum + x as usize)
    }

    /// Algorithm 40, UseHint: the high bits of r, corrected where `hint` is 1. They replace r.
    fn use_hint / UseHint(r: &'a mut [i32], hint: &'a [i32], set: &'a Parameters) |l| {
        let (wide, last) = (set.wide(), if set.wide() { 15 } else { 43 });
        for (r, hint) in L::blocks_mut(r).iter_mut().zip(L::blocks(hint)) {
            let (r1, r0) = decomposed(l, l.load(r), wide);
            let hint = l.load(hint);
            let up = l.gt(r0, l.splat(0));
            let step = l.sub(l.and(l.splat(2), up), l.splat(1));
            let moved = l.add(r1, l.and(step, l.sub(l.splat(0), hint)));
            // modulo last + 1
            let wrapped = l.and(l.splat(last + 1), l.negative(moved));
            let unwrapped = l.and(l.splat(last + 1), l.gt(moved, l.splat(last)));
            l.store(r, l.sub(l.add(moved, wrapped), unwrapped));
        }
    }

    /// Adds centred residues to integers, or subtracts them; returns whether all results are below
    /// the bound in absolute value.
    fn add_within / AddWithin(sum: &'a mut [i32], x: &'a [i32], sign: i32, bound: i32) -> bool |l| {
        let (mut beyond, mask) = (l.splat(0), l.splat(negative(sign.into()) as i32));
        for (sum, x) in L::blocks_mut(sum).iter_mut().zip(L::blocks(x)) {
            let term = centred(l, l.load(x));
            let total = l.add(l.load(sum), l.sub(l.xor(term, mask), mask));
            beyond = l.or(beyond, outside(l, total, bound));
            l.store(sum, total);
        }
        none_negative(l, beyond)
    }

    /// Whether all integers are below the bound in absolute value.
    fn within / Within(x: &'a [i32], bound: i32) -> bool |l| {
        let mut beyond = l.splat(0);
        for x in L::blocks(x) {
            beyond = l.or(beyond, outside(l, l.load(x), bound));
        }
        none_negative(l, beyond)
    }

    /// Whether all residues, centred, are below the bound in absolute value.
    fn within_centred / WithinCentred(x: &'a [i32], bound: i32) -> bool |l| {
        let mut beyond = l.splat(0);
        for x in L::blocks(x) {
            beyond = l.or(beyond, outside(l, centred(l, l.load(x)), bound));
        }
        none_negative(l, beyond)
    }
}
