//! The forward transform: Cooley–Tukey layers, natural order in, native slot order out.
//!
//! A layer splits every residue modulo `X^2d - z^2` into those modulo `X^d - z` and `X^d + z`:
//! `(lo, hi) -> (lo + z·hi, lo - z·hi)`. Layer 0 has the largest distance. A layer in thirds splits it
//! modulo `X^3d - z^3` into three, modulo `X^d - z·ω^i` for a primitive third root of unity `ω`.
//!
//! Source: the merged form (powers of psi inside the twiddles) of Longa and Naehrig 2016, Algorithm
//! 1.

use super::{
    blocks::{Order, each_part, twist as twist_of},
    border::{ENTERS, End, LEAVES, LEAVES_REDUCED, PLAIN, enter, leave_slots},
    kernel::{Kernel, Residues},
    pass::{Direction, INNER_VECTORS, MAX_LEVELS, Pass, Step},
    program::{Program, Run, each_fixed, fixed_fuses, fixed_pass, fixed_passes},
    registers::{
        Groups, Memory, Registers, descend, each_column, halves, in_pairs, load_columns, may_exceed, neighbours, pairs,
        rare, run_pass, split_bits, store_columns, turn, twist,
    },
};

/// Runs a program over `data`: the whole polynomial in vectors, or, for a single pass between vectors, some columns of
/// one of its groups.
#[inline(always)]
pub fn forward<'a, K: Residues<Block: 'a>, M: Memory<'a, K::Block>, R: Run>(k: &mut K, data: M, run: &R) -> Option<()> {
    let Program { passes, blocks, steps, border } = run.program();
    if const { !M::WHOLE } {
        let [pass] = passes else { return None };
        return one_pass::<K, M, PLAIN>(k, data, *pass, pass.steps(steps));
    }
    let data = data.whole()?;
    if const { R::FIXED.is_some() } {
        let fuses = const { !K::ENTERS && fixed_fuses::<R>() };
        each_fixed!(R, [0 1 2 3 4 5 6 7], |pass, steps| one_pass::<K, _, PLAIN>(k, &mut *data, pass, steps)?,
        fixed_passes::<R>().saturating_sub(1) => if fuses && border.reduce {
            one_pass::<K, _, LEAVES_REDUCED>(k, &mut *data, pass, steps)?;
        } else {
            one_pass::<K, _, PLAIN>(k, &mut *data, pass, steps)?;
        });
        return if fuses { Some(()) } else { leave_slots(k, data, border.leave, border.reduce) };
    }
    let [enters, leaves] = border.fused::<K>(Direction::Forward, passes);
    if !enters {
        enter(k, data, border.enter, false)?;
    }
    each_part!(Direction::Forward, data, passes, blocks, |first, last, part, last_own| {
        for (number, pass) in (first..last).zip(passes.get(first..last)?) {
            let (part, pass, own) = (&mut *part, *pass, pass.steps(steps));
            k.share(number > last_own);
            if const { K::FUSES[0] } && enters && number == 0 {
                one_pass::<K, _, ENTERS>(k, part, pass, own)?;
            } else if const { K::FUSES[0] } && leaves && number + 1 == passes.len() && border.reduce {
                one_pass::<K, _, LEAVES_REDUCED>(k, part, pass, own)?;
            } else if const { K::FUSES[0] } && leaves && number + 1 == passes.len() {
                one_pass::<K, _, LEAVES>(k, part, pass, own)?;
            } else {
                one_pass::<K, _, PLAIN>(k, part, pass, own)?;
            }
        }
    });
    k.share(false);
    if leaves { Some(()) } else { leave_slots(k, data, border.leave, border.reduce) }
}

#[inline(always)]
fn one_pass<'a, K: Kernel<Block: 'a>, M: Memory<'a, K::Block>, const END: End>(
    k: &mut K,
    data: M,
    pass: Pass,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    run_pass!(END, [END <= ENTERS, END != ENTERS], k, data: M, pass, steps, {
        Pass::Trinomial { stride } if const { END == PLAIN && M::WHOLE } => trinomial(k, data.whole()?, stride, steps),
    })
}

/// The first layer of a trinomial.
#[inline(always)]
fn trinomial<K: Kernel>(k: &mut K, data: &mut [K::Block], stride: usize, steps: [Step; MAX_LEVELS]) -> Option<()> {
    each_column!(PLAIN, k, data, stride, 1, row(1, 0), k.twiddle(0), |v, w| {
        let [[a], [b]] = v;
        k.layer(0);
        let (a, b) = k.ct_trinomial(steps[0], a, b, w);
        [[a], [b]]
    })
}

/// One layer between two vectors.
#[inline(always)]
fn outer_one<'a, K: Kernel<Block: 'a>, const END: End, const P: usize, const C: usize>(
    k: &mut K,
    data: impl Groups<'a, [K::Block; C]>,
    first: usize,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(END, k, data, stride, 1 in 2 by C, row(1, 0), k.twiddle(0), |v, w| {
        let [a, b]: Registers<_, P> = v;
        k.layer(first);
        let (a, b) = k.ct(steps[0], a, b, [w; P]);
        [a, b]
    })
}

/// Two layers between four vectors.
#[inline(always)]
fn outer_two<'a, K: Kernel<Block: 'a>, const END: End, const P: usize, const C: usize>(
    k: &mut K,
    data: impl Groups<'a, [K::Block; C]>,
    first: usize,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(END, k, data, stride, 2 in 2 by C, row(3, 0), lockstep!(3, |i| k.twiddle(i)), |v, w| {
        let [a, b]: Registers<_, P> = v;
        k.layer(first);
        let (a, b) = k.ct(steps[0], a, b, [w[0]; P]);
        k.layer(first + 1);
        let [a, b] = turn([a, b]);
        let (a, b) = k.ct(steps[1], a, b, lockstep!(P, |i| w[1 + i % 2]));
        turn([a, b])
    })
}

/// One layer between three vectors.
#[inline(always)]
fn thirds<K: Kernel>(
    k: &mut K,
    data: &mut [K::Block],
    layer: usize,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(PLAIN, k, data.as_chunks_mut::<1>().0, stride, 1 in 3 by 1, row(3, 0), lockstep!(3, |i| k.twiddle(i)), |v, w| {
        let [[a], [b], [c]] = v;
        k.layer(layer);
        let [a, b, c] = k.ct_thirds(steps[0], [a, b, c], w);
        [[a], [b], [c]]
    })
}

/// One or two layers inside the vectors of `P` pairs, residues of `M` vectors each.
#[inline(always)]
fn inner<K: Kernel, const END: End, const P: usize, const M: usize>(
    k: &mut K,
    data: &mut [K::Block],
    first: usize,
    from: u32,
    levels: u32,
    split: bool,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(END, k, data, 1, P, row(0, P / M * levels as usize), (), |v, _w| {
        let v = inner_layer::<K, P, M, 0>(k, pairs::<_, P, M>(v), first, from, steps);
        let [a, b] = if levels > 1 { inner_layer::<K, P, M, 1>(k, v, first, from, steps) } else { v };
        let v = if split { halves::<_, P, M>(in_pairs!(P, [a, b], |pair| descend(k, 1, pair))) } else { [a, b] };
        neighbours::<_, P, M>(v)
    })
}

/// The layer of that level.
#[inline(always)]
fn inner_layer<K: Kernel, const P: usize, const M: usize, const LEVEL: usize>(
    k: &mut K,
    [a, b]: Registers<K::V, P>,
    first: usize,
    from: u32,
    steps: [Step; MAX_LEVELS],
) -> Registers<K::V, P> {
    let v = in_pairs!(P, [a, b], |pair| descend(k, k.lanes() >> (from as usize + LEVEL + 1), pair));
    let [a, b] = halves::<_, P, M>(v);
    let w = lockstep!(P, |i| k.twiddle_lanes(P / M * LEVEL + i / M));
    k.layer(first + LEVEL);
    let (a, b) = k.ct(steps[LEVEL], a, b, w);
    [a, b]
}

/// Moves the lowest `bits` lane bits, highest first, to the index bits of the vectors.
#[inline(always)]
fn split<K: Kernel>(k: &mut K, data: &mut [K::Block], bits: u32) -> Option<()> {
    match bits {
        2 => split_bits!(k, data, 4, [2 1], |distance, pair| descend(k, distance, pair)),
        3 => split_bits!(k, data, 8, [4 2 1], |distance, pair| descend(k, distance, pair)),
        _ => None,
    }
}
