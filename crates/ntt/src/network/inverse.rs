//! The inverse transform: Gentleman–Sande layers, native slot order in, natural order out.
//!
//! A layer joins the residues `(u, v)` modulo `X^d - z` and `X^d + z` into twice the one modulo
//! `X^2d - z^2`: `(u + v, (u - v)/z)`; one in thirds joins three into three times the one modulo
//! `X^3d - z^3`. The pass with layer 0 comes last and multiplies both outputs
//! of that layer, and so holds the division by the number of slots and every factor that reductions
//! left behind: no separate scaling exists.
//!
//! Source: Longa and Naehrig 2016, Algorithms 2 and 4 (the merged scaling).

use super::{
    blocks::{Order, each_part, twist as twist_of},
    border::{ENTERS, ENTERS_REDUCED, End, LEAVES, LEAVES_CANONICAL, PLAIN, ToCanonical, enter, leave},
    elementwise::scale,
    kernel::{Kernel, Residues},
    pass::{Direction, INNER_VECTORS, MAX_LEVELS, Pass, Step},
    program::{Program, Run, each_fixed, fixed_fuses, fixed_pass, fixed_passes},
    registers::{
        Groups, Memory, Registers, each_column, even_and_odd, exchange, in_pairs, load_columns, may_exceed, neighbours,
        pairs, rare, run_pass, split_bits, store_columns, turn, twist,
    },
};

/// Runs a program over `data`, from its last pass to the first: the whole polynomial in vectors, or, for a single pass
/// between vectors, some columns of one of its groups. The pass with layer 0 scales; without passes, all that is left
/// is to remove a factor.
#[inline(always)]
pub fn inverse<'a, K: Residues<Block: 'a>, M: Memory<'a, K::Block>, R: Run>(k: &mut K, data: M, run: &R) -> Option<()> {
    let Program { passes, blocks, steps, border } = run.program();
    if const { !M::WHOLE } {
        let [pass] = passes else { return None };
        return one_pass::<K, M, PLAIN>(k, data, *pass, pass.steps(steps));
    }
    let data = data.whole()?;
    let [enters, leaves] = border.fused::<K>(Direction::Inverse, passes);
    if !enters {
        enter(k, data, border.enter, border.reduce)?;
    }
    if const { R::FIXED.is_some() } {
        let fuses = const { !K::ENTERS && fixed_fuses::<R>() } && border.canonical == ToCanonical::FromReduced;
        each_fixed!(R, [7 6 5 4 3 2 1 0], |pass, steps| one_pass::<K, _, PLAIN>(k, &mut *data, pass, steps)?,
        0 => if fuses {
            one_pass::<K, _, LEAVES_CANONICAL>(k, &mut *data, pass, steps)?;
        } else {
            one_pass::<K, _, PLAIN>(k, &mut *data, pass, steps)?;
        });
        return if fuses { Some(()) } else { leave(k, data, border.leave, border.canonical) };
    }
    if passes.is_empty() {
        scale(k, data)?;
        return leave(k, data, border.leave, border.canonical);
    }
    each_part!(Direction::Inverse, data, passes, blocks, |first, last, part, last_own| {
        for (number, pass) in (first..last).zip(passes.get(first..last)?).rev() {
            let (part, pass, own) = (&mut *part, *pass, pass.steps(steps));
            k.share(number > last_own);
            if const { K::FUSES[1] } && enters && number + 1 == passes.len() && border.reduce {
                one_pass::<K, _, ENTERS_REDUCED>(k, part, pass, own)?;
            } else if const { K::FUSES[1] } && enters && number + 1 == passes.len() {
                one_pass::<K, _, ENTERS>(k, part, pass, own)?;
            } else if const { K::FUSES[1] } && leaves && number == 0 && border.canonical == ToCanonical::FromReduced {
                one_pass::<K, _, LEAVES_CANONICAL>(k, part, pass, own)?;
            } else if const { K::FUSES[1] } && leaves && number == 0 {
                one_pass::<K, _, LEAVES>(k, part, pass, own)?;
            } else {
                one_pass::<K, _, PLAIN>(k, part, pass, own)?;
            }
        }
    });
    k.share(false);
    if leaves { Some(()) } else { leave(k, data, border.leave, border.canonical) }
}

/// The pass with layer 0 scales. It is one between vectors, and the layers in thirds come later.
#[inline(always)]
fn one_pass<'a, K: Kernel<Block: 'a>, M: Memory<'a, K::Block>, const END: End>(
    k: &mut K,
    data: M,
    pass: Pass,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    run_pass!(END, [END == PLAIN, END < LEAVES], k, data: M, pass, steps, {
        Pass::Outer { first: 0, levels: 1, stride } if const { END == PLAIN && K::PAIRS } && stride % 2 == 0 => {
            last_one::<K, END, 2, 2>(k, data.groups(), stride, steps)
        },
        Pass::Outer { first: 0, levels: 1, stride } if const { END == PLAIN || END >= LEAVES } => {
            last_one::<K, END, 1, 1>(k, data.groups(), stride, steps)
        },
        Pass::Outer { first: 0, stride, .. } if const { END == PLAIN && K::PAIRS } && stride % 2 == 0 => {
            last_two::<K, END, 4, 2>(k, data.groups(), stride, steps)
        },
        Pass::Outer { first: 0, stride, .. } if const { END == PLAIN || END >= LEAVES } => {
            last_two::<K, END, 2, 1>(k, data.groups(), stride, steps)
        },
        Pass::Trinomial { stride } if const { END == PLAIN && M::WHOLE } => last_trinomial(k, data.whole()?, stride, steps),
    })
}

/// One layer between two vectors.
#[inline(always)]
fn outer_one<'a, K: Kernel<Block: 'a>, const END: End, const P: usize, const C: usize>(
    k: &mut K,
    data: impl Groups<'a, [K::Block; C]>,
    layer: usize,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(END, k, data, stride, 1 in 2 by C, row(1, 0), k.twiddle(0), |v, w| {
        let [a, b]: Registers<_, P> = v;
        k.layer(layer);
        let (a, b) = k.gs(steps[0], a, b, [w; P]);
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
        let [a, b]: Registers<_, P> = turn(v);
        k.layer(first + 1);
        let (a, b) = k.gs(steps[1], a, b, lockstep!(P, |i| w[1 + i % 2]));
        let [a, b] = turn([a, b]);
        k.layer(first);
        let (a, b) = k.gs(steps[0], a, b, [w[0]; P]);
        [a, b]
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
        let [a, b, c] = k.gs_thirds(steps[0], [a, b, c], w);
        [[a], [b], [c]]
    })
}

/// Layer 0 between two vectors.
#[inline(always)]
fn last_one<'a, K: Kernel<Block: 'a>, const END: End, const P: usize, const C: usize>(
    k: &mut K,
    data: impl Groups<'a, [K::Block; C]>,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(END, k, data, stride, 1 in 2 by C, row(0, 0), k.scaling(), |v, scaling| {
        let [a, b]: Registers<_, P> = v;
        k.layer(0);
        let (a, b) = k.gs_scaled(steps[0], a, b, scaling);
        [a, b]
    })
}

/// Layers 1 and 0 between four vectors.
#[inline(always)]
fn last_two<'a, K: Kernel<Block: 'a>, const END: End, const P: usize, const C: usize>(
    k: &mut K,
    data: impl Groups<'a, [K::Block; C]>,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(END, k, data, stride, 2 in 2 by C, row(2, 0), (lockstep!(2, |i| k.twiddle(i)), k.scaling()), |v, w| {
        let [a, b]: Registers<_, P> = turn(v);
        k.layer(1);
        let (a, b) = k.gs(steps[1], a, b, lockstep!(P, |i| w.0[i % 2]));
        let [a, b] = turn([a, b]);
        k.layer(0);
        let (a, b) = k.gs_scaled(steps[0], a, b, w.1);
        [a, b]
    })
}

/// Layer 0 of a trinomial.
#[inline(always)]
fn last_trinomial<K: Kernel>(k: &mut K, data: &mut [K::Block], stride: usize, steps: [Step; MAX_LEVELS]) -> Option<()> {
    each_column!(PLAIN, k, data, stride, 1, row(0, 0), k.scaling(), |v, scaling| {
        let [[a], [b]] = v;
        k.layer(0);
        let (a, b) = k.gs_trinomial(steps[0], a, b, scaling);
        [[a], [b]]
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
        let v = pairs::<_, P, M>(v);
        let [a, b] = if split { even_and_odd::<_, P, M>(v) } else { v };
        let v = if split { in_pairs!(P, [a, b], |pair| exchange(k, 1, pair)) } else { [a, b] };
        let v = if levels > 1 { inner_layer::<K, P, M, 1>(k, v, first, from, steps) } else { v };
        neighbours::<_, P, M>(inner_layer::<K, P, M, 0>(k, v, first, from, steps))
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
    let w = lockstep!(P, |i| k.twiddle_lanes(P / M * LEVEL + i / M));
    k.layer(first + LEVEL);
    let (a, b) = k.gs(steps[LEVEL], a, b, w);
    let [a, b] = even_and_odd::<_, P, M>([a, b]);
    in_pairs!(P, [a, b], |pair| exchange(k, k.lanes() >> (from as usize + LEVEL + 1), pair))
}

/// Moves `bits` index bits of the vectors, lowest first, back to the lowest lane bits.
#[inline(always)]
fn split<K: Kernel>(k: &mut K, data: &mut [K::Block], bits: u32) -> Option<()> {
    match bits {
        2 => split_bits!(k, data, 4, [1 2], |distance, pair| exchange(k, distance, pair)),
        3 => split_bits!(k, data, 8, [1 2 4], |distance, pair| exchange(k, distance, pair)),
        _ => None,
    }
}
