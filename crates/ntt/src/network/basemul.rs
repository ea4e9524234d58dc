//! Pointwise products, `c = a·b mod (X^d - z)` in every slot, with a different `z` per slot: base multiplication.
//!
//! In native order the `d` coefficients of a slot are in `d` consecutive vectors, one lane per slot. For `d = 1` this
//! reads no table.
//!
//! If a method adds up products before reducing them, one operand is multiplied by `z` first: so each coefficient is
//! one sum of `d` products, reduced once. This is why the fastest known products for large primes stop at slots of
//! degree 8.

use super::{
    kernel::{Kernel, Residues, operand, sum},
    pass::SlotStep,
};

/// The largest degree of slots whose products stay in registers.
pub const IN_REGISTERS: usize = 4;

/// Multiplies all slots of degree `degree` of `a` and `b` into `c`.
#[inline(always)]
pub fn pointwise<K: Kernel>(
    k: &mut K,
    s: SlotStep,
    degree: usize,
    c: &mut [K::Block],
    [a, b]: [&[K::Block]; 2],
) -> Option<()> {
    match degree {
        1 => {
            for ((c, a), b) in c.iter_mut().zip(a).zip(b) {
                let (x, y) = (operand(k, s, a), operand(k, s, b));
                let product = k.mul_var(x, y);
                k.store(c, product);
            }
            Some(())
        }
        2 if const { may_be_wide::<K>(true) } && k.is_wide() && s.wide => wide_groups::<K, 2, 2>(k, s, c, a, b),
        3 if const { may_be_wide::<K>(true) } && k.is_wide() && s.wide => wide_groups::<K, 3, 3>(k, s, c, a, b),
        4 if const { may_be_wide::<K>(true) } && k.is_wide() && s.wide => wide_groups::<K, 4, 4>(k, s, c, a, b),
        8 if const { may_be_wide::<K>(true) } && k.is_wide() && s.wide => wide_groups::<K, 8, 4>(k, s, c, a, b),
        2 if const { may_be_wide::<K>(false) } && !k.is_wide() => groups::<K, 2>(k, s, c, a, b),
        3 if const { may_be_wide::<K>(false) } && !k.is_wide() => groups::<K, 3>(k, s, c, a, b),
        4 if const { may_be_wide::<K>(false) } && !k.is_wide() => groups::<K, 4>(k, s, c, a, b),
        _ => long_groups(k, s, degree, c, a, b),
    }
}

/// Whether [`Kernel::is_wide`] may return `wide`: no code is generated for a value it never returns.
const fn may_be_wide<K: Kernel>(wide: bool) -> bool {
    match K::WIDE {
        Some(known) => known == wide,
        None => true,
    }
}

/// [`pointwise`] for a kernel that [`ENTERS`](Kernel::ENTERS); nothing is compiled for other kernels.
#[inline(always)]
pub fn kept_pointwise<K: Kernel>(
    k: &mut K,
    s: SlotStep,
    degree: usize,
    c: &mut [K::Block],
    operands: [&[K::Block]; 2],
) -> Option<()> {
    if const { K::ENTERS } { pointwise(k, s, degree, c, operands) } else { None }
}

/// How products are added up.
#[derive(Clone, Copy, Debug)]
pub struct Summation {
    /// From one term to the next: in words, and in vectors where vectors are added.
    pub stride: usize,
    /// Products at most that are added to a reduced sum before it is reduced again.
    pub every: usize,
    /// Whether sums become canonical at the end.
    pub canonical: bool,
}

/// Sums of products of slots of degree 1 to 4: `c = Σ a_i·b_i`.
#[inline(always)]
pub fn inner_product<K: Residues>(
    k: &mut K,
    s: SlotStep,
    sums: Summation,
    degree: usize,
    c: &mut [K::Block],
    operands: [&[K::Block]; 2],
) -> Option<()> {
    match degree {
        1 if const { K::SUMS >= 1 } => sums_of_columns(k, s, sums, c, operands),
        2 if const { K::SUMS >= 2 } => sums_of_groups::<K, 2>(k, s, sums, c, operands),
        3 if const { K::SUMS >= 3 } => sums_of_groups::<K, 3>(k, s, sums, c, operands),
        4 if const { K::SUMS >= 4 } => sums_of_groups::<K, 4>(k, s, sums, c, operands),
        _ => None,
    }
}

#[inline(always)]
fn sums_of_columns<K: Residues>(
    k: &mut K,
    s: SlotStep,
    sums: Summation,
    c: &mut [K::Block],
    [a, b]: [&[K::Block]; 2],
) -> Option<()> {
    let (fours, rest) = c.as_chunks_mut::<4>();
    let (done, mut at) = (4 * fours.len(), 0);
    for c in fours {
        sum_of_columns(k, s, sums, c, [a.get(at..)?, b.get(at..)?])?;
        at += 4;
    }
    for (i, c) in rest.iter_mut().enumerate() {
        let operands = [a.get(done + i..)?, b.get(done + i..)?];
        sum_of_columns(k, s, sums, core::array::from_mut(c), operands)?;
    }
    Some(())
}

/// Slots of degree `D`, with low and high parts added up separately: `z` multiplies the high parts once.
#[inline(always)]
fn sums_of_groups<K: Residues, const D: usize>(
    k: &mut K,
    s: SlotStep,
    sums: Summation,
    c: &mut [K::Block],
    [mut a, mut b]: [&[K::Block]; 2],
) -> Option<()> {
    for c in c.as_chunks_mut::<D>().0 {
        k.row(0, 1)?;
        let z = k.twiddle_lanes(0);
        let mut parts = parts_of_blocks::<K, D>(k, s, a.first_chunk()?, b.first_chunk()?);
        let (mut at, mut held) = (sums.stride, 1);
        while let (Some(a), Some(b)) = (a.get(at..), b.get(at..))
            && let (Some(a), Some(b)) = (a.first_chunk(), b.first_chunk())
        {
            if held == sums.every {
                parts = lockstep!(2, |h| lockstep!(D, |i| k.reduce(parts[h][i])));
                held = 0;
            }
            let more = parts_of_blocks::<K, D>(k, s, a, b);
            parts = lockstep!(2, |h| lockstep!(D, |i| k.add(parts[h][i], more[h][i])));
            (at, held) = (at + sums.stride, held + 1);
        }
        for (block, total) in c.iter_mut().zip(wrapped::<K, D>(k, parts, z)) {
            store_sum(k, sums, block, total);
        }
        (a, b) = (a.get(D..)?, b.get(D..)?);
    }
    Some(())
}

/// The first `P` vectors of such sums, which stay in registers.
#[inline(always)]
fn sum_of_columns<K: Residues, const P: usize>(
    k: &mut K,
    s: SlotStep,
    sums: Summation,
    c: &mut [K::Block; P],
    [a, b]: [&[K::Block]; 2],
) -> Option<()> {
    let mut total = products(k, s, a.first_chunk::<P>()?, b.first_chunk::<P>()?);
    let (mut at, mut held) = (sums.stride, 1);
    while let (Some(a), Some(b)) = (a.get(at..), b.get(at..))
        && let (Some(a), Some(b)) = (a.first_chunk::<P>(), b.first_chunk::<P>())
    {
        if held == sums.every {
            total = lockstep!(P, |i| k.reduce(total[i]));
            held = 0;
        }
        let products = products(k, s, a, b);
        total = lockstep!(P, |i| k.add(total[i], products[i]));
        (at, held) = (at + sums.stride, held + 1);
    }
    for (c, total) in c.iter_mut().zip(total) {
        store_sum(k, sums, c, total);
    }
    Some(())
}

#[inline(always)]
fn store_sum<K: Residues>(k: &mut K, sums: Summation, block: &mut K::Block, total: K::V) {
    let total = if sums.canonical { k.canonical(total) } else { total };
    k.store(block, total);
}

#[inline(always)]
fn products<K: Kernel, const P: usize>(k: &mut K, s: SlotStep, a: &[K::Block; P], b: &[K::Block; P]) -> [K::V; P] {
    let (x, y) = (lockstep!(P, |i| operand(k, s, &a[i])), lockstep!(P, |i| operand(k, s, &b[i])));
    lockstep!(P, |i| k.mul_var(x[i], y[i]))
}

/// The low and the high half of `x·y`. There is no coefficient `2D - 1`; the first one of that half takes its place.
#[inline(always)]
fn parts<K: Kernel, const D: usize>(k: &mut K, s: SlotStep, x: [K::V; D], y: [K::V; D]) -> [[K::V; D]; 2] {
    let (mut low, mut high) = (x, x);
    macro_rules! coefficients {
        ($($j:literal)*) => {$(
            if $j < D {
                low[$j % D] = low_part::<K, D, $j>(k, s, x, y);
            }
            if $j + 1 < D {
                high[$j % D] = high_part::<K, D, $j>(k, s, x, y);
            }
        )*};
    }
    coefficients!(0 1 2 3);
    high[D - 1] = high[0];
    [low, high]
}

#[inline(always)]
fn parts_of_blocks<K: Kernel, const D: usize>(
    k: &mut K,
    s: SlotStep,
    a: &[K::Block; D],
    b: &[K::Block; D],
) -> [[K::V; D]; 2] {
    let (x, y) = (lockstep!(D, |i| operand(k, s, &a[i])), lockstep!(D, |i| operand(k, s, &b[i])));
    parts(k, s, x, y)
}

/// Combines both halves modulo `X^D - z`.
#[inline(always)]
fn wrapped<K: Kernel, const D: usize>(k: &mut K, [low, high]: [[K::V; D]; 2], z: K::Tw) -> [K::V; D] {
    let mut totals = low;
    for j in 0..D - 1 {
        let [wrapped] = k.mul([high[j]], [z]); // X^D = z
        totals[j] = k.add(low[j], wrapped);
    }
    totals
}

/// Runs `$body` for each group of `$d` vectors, with the roots of its slots.
macro_rules! each_group {
    ($k:ident, $d:ident, ($c:ident, $a:ident, $b:ident), |$z:ident| $body:expr) => {{
        let operands = $a.as_chunks::<$d>().0.iter().zip($b.as_chunks::<$d>().0);
        for ($c, ($a, $b)) in $c.as_chunks_mut::<$d>().0.iter_mut().zip(operands) {
            $k.row(0, 1)?;
            let $z = $k.twiddle_lanes(0);
            $body
        }
        Some(())
    }};
}

/// Groups of `D` vectors in registers.
#[inline(always)]
fn groups<K: Kernel, const D: usize>(
    k: &mut K,
    s: SlotStep,
    c: &mut [K::Block],
    a: &[K::Block],
    b: &[K::Block],
) -> Option<()> {
    each_group!(k, D, (c, a, b), |z| {
        let parts = parts_of_blocks::<K, D>(k, s, a, b);
        for (block, value) in c.iter_mut().zip(wrapped::<K, D>(k, parts, z)) {
            k.store(block, value);
        }
    })
}

/// Whether sums of products of slots of that degree can be reduced once.
pub const fn has_wide(degree: usize) -> bool {
    matches!(degree, 2 | 3 | 4 | 8)
}

/// Groups of `D` vectors, with products added up before they are reduced, `J` coefficients at a time.
#[inline(always)]
fn wide_groups<K: Kernel, const D: usize, const J: usize>(
    k: &mut K,
    s: SlotStep,
    c: &mut [K::Block],
    a: &[K::Block],
    b: &[K::Block],
) -> Option<()> {
    each_group!(k, D, (c, a, b), |z| {
        // The coefficients of a backwards; those of z·b, except the first one, which never wraps, and then those of b.
        let x = lockstep!(D, |i| operand(k, s, &a[D - 1 - i]));
        let mut y = [[x[0]; D]; 2];
        for i in 0..D {
            y[1][i] = operand(k, s, &b[i]);
            if i > 0 {
                [y[0][i]] = k.mul([y[1][i]], [z]);
            }
        }
        let y = &y.as_flattened()[1..];
        for first in (0..D).step_by(J) {
            let totals: [_; J] = k.dots(&x, y.get(first..)?);
            for (c, total) in c.get_mut(first..)?.iter_mut().zip(totals) {
                k.store(c, total);
            }
        }
    })
}

/// Coefficient `J` of `x·y`.
#[inline(always)]
fn low_part<K: Kernel, const D: usize, const J: usize>(k: &mut K, s: SlotStep, x: [K::V; D], y: [K::V; D]) -> K::V {
    let mut total = k.mul_var(x[0], y[J % D]);
    for i in 1..=J {
        let product = k.mul_var(x[i % D], y[(J - i) % D]);
        total = sum(k, s, total, product);
    }
    total
}

/// Coefficient `D + J`.
#[inline(always)]
fn high_part<K: Kernel, const D: usize, const J: usize>(k: &mut K, s: SlotStep, x: [K::V; D], y: [K::V; D]) -> K::V {
    let mut total = k.mul_var(x[(J + 1) % D], y[D - 1]);
    for i in J + 2..D {
        let product = k.mul_var(x[i], y[D + J - i]);
        total = sum(k, s, total, product);
    }
    total
}

/// Groups of any number of vectors.
#[inline(always)]
fn long_groups<K: Kernel>(
    k: &mut K,
    s: SlotStep,
    degree: usize,
    mut c: &mut [K::Block],
    mut a: &[K::Block],
    mut b: &[K::Block],
) -> Option<()> {
    while let (Some((group, rest)), Some((x, a_rest)), Some((y, b_rest))) =
        (c.split_at_mut_checked(degree), a.split_at_checked(degree), b.split_at_checked(degree))
    {
        k.row(0, 1)?;
        let z = k.twiddle_lanes(0);
        for (j, out) in group.iter_mut().enumerate() {
            let (x_low, x_high) = x.split_at_checked(j + 1)?; // j is below the degree
            let (y_low, y_high) = y.split_at_checked(j + 1)?;
            let low = k.sum_of_products(s, x_low.iter().zip(y_low.iter().rev()));
            let high = k.sum_of_products(s, x_high.iter().zip(y_high.iter().rev()));
            let total = match (low, high) {
                (Some(low), Some(high)) => {
                    let [wrapped] = k.mul([high], [z]);
                    k.add(low, wrapped)
                }
                (Some(only), None) => only,
                _ => return None, // there is always a low part
            };
            k.store(out, total);
        }
        (c, a, b) = (rest, a_rest, b_rest);
    }
    Some(())
}
