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
    blocks::{Blocks, Order, each_part, twist as twist_of},
    border::{Border, Crossed, ToCanonical, enter, leave},
    elementwise::scale,
    kernel::{Kernel, Residues},
    pass::{Direction, Fixed, INNER_VECTORS, MAX_LEVELS, Pass, Step, each_fixed},
    registers::{
        Groups, Registers, each_column, even_and_odd, exchange, in_pairs, load_columns, neighbours, pairs, rare,
        run_innermost, run_pass, split_bits, store_columns, turn, twist,
    },
};
#[cfg(feature = "threads")]
use super::{pass::MAX_ROWS, registers::columns};

/// Runs passes over `data` from the last to the first; `steps` has one entry per layer. The pass
/// with layer 0 scales; without passes, all that is left is to remove a factor.
#[inline(always)]
pub fn inverse<K: Kernel>(k: &mut K, data: &mut [K::Block], passes: &[Pass], steps: &[Step]) -> Option<()> {
    inverse_by_blocks(k, data, passes, &[], steps)
}

/// The same in the order of those blocks.
#[inline(always)]
pub fn inverse_by_blocks<K: Kernel>(
    k: &mut K,
    data: &mut [K::Block],
    passes: &[Pass],
    blocks: &[Blocks],
    steps: &[Step],
) -> Option<()> {
    if passes.is_empty() {
        return scale(k, data);
    }
    each_part!(Direction::Inverse, data, passes, blocks, |first, last, part, last_own| {
        for (number, pass) in (first..last).zip(passes.get(first..last)?).rev() {
            let own = pass.steps(steps);
            k.share(number > last_own);
            if pass.layers().contains(&0) { run_last(k, part, *pass, own)? } else { run(k, part, *pass, own)? }
        }
    });
    k.share(false);
    Some(())
}

/// The same between words.
#[inline(always)]
pub fn inverse_of_words<K: Residues>(
    k: &mut K,
    data: &mut [K::Block],
    passes: &[Pass],
    blocks: &[Blocks],
    steps: &[Step],
    border: Border,
) -> Option<()> {
    let [enters, leaves] = if K::ROOM { border.crossed_by::<K>(passes) } else { [false; 2] };
    if !enters {
        enter(k, data, border.enter, border.reduce)?;
    }
    if !enters && !leaves {
        inverse_by_blocks(k, data, passes, blocks, steps)?;
        return leave(k, data, border.leave, border.canonical);
    }
    each_part!(Direction::Inverse, data, passes, blocks, |first, last, part, last_own| {
        for (number, pass) in (first..last).zip(passes.get(first..last)?).rev() {
            let own = pass.steps(steps);
            k.share(number > last_own);
            if enters && number + 1 == passes.len() && border.reduce {
                run_innermost!(&mut Crossed::<K, true, true, false>(k), part, *pass, own)?;
            } else if enters && number + 1 == passes.len() {
                run_innermost!(&mut Crossed::<K, true, false, false>(k), part, *pass, own)?;
            } else if number > 0 {
                run(k, part, *pass, own)?;
            } else if leaves && border.canonical == ToCanonical::FromReduced {
                last_outer(&mut Crossed::<K, false, false, true>(k), part, *pass, own)?;
            } else if leaves {
                last_outer(&mut Crossed::<K, false, false, false>(k), part, *pass, own)?;
            } else {
                run_last(k, part, *pass, own)?;
            }
        }
    });
    k.share(false);
    if leaves { Some(()) } else { leave(k, data, border.leave, border.canonical) }
}

/// The last pass, between vectors.
#[inline(always)]
fn last_outer<K: Kernel>(k: &mut K, data: &mut [K::Block], pass: Pass, steps: [Step; MAX_LEVELS]) -> Option<()> {
    let data = data.as_chunks_mut::<1>().0;
    match pass {
        Pass::Outer { levels: 1, stride, .. } => last_one::<K, 1, 1>(k, data, stride, steps),
        Pass::Outer { stride, .. } => last_two::<K, 2, 1>(k, data, stride, steps),
        _ => None,
    }
}

/// Runs the passes of `F`, which has at least one layer, from the last to the first.
#[inline(always)]
pub fn inverse_fixed<K: Kernel, F: Fixed>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    each_fixed!(F, [7 6 5 4 3 2 1], |pass, steps| run(k, data, pass, steps)?);
    each_fixed!(F, [0], |pass, steps| run_last(k, data, pass, steps)?);
    Some(())
}

/// Runs a pass but the last one.
#[inline(always)]
fn run<K: Kernel>(k: &mut K, data: &mut [K::Block], pass: Pass, steps: [Step; MAX_LEVELS]) -> Option<()> {
    run_pass!(k, data, pass, steps, |_stride| None) // a trinomial's layer is always the last one
}

/// Runs the pass with layer 0, which scales.
#[inline(always)]
fn run_last<K: Kernel>(k: &mut K, data: &mut [K::Block], pass: Pass, steps: [Step; MAX_LEVELS]) -> Option<()> {
    match pass {
        Pass::Outer { levels: 1, stride, .. } if K::PAIRS && stride % 2 == 0 => {
            last_one::<K, 2, 2>(k, data.as_chunks_mut::<2>().0, stride, steps)
        }
        Pass::Outer { levels: 1, stride, .. } => last_one::<K, 1, 1>(k, data.as_chunks_mut::<1>().0, stride, steps),
        Pass::Outer { stride, .. } if K::PAIRS && stride % 2 == 0 => {
            last_two::<K, 4, 2>(k, data.as_chunks_mut::<2>().0, stride, steps)
        }
        Pass::Outer { stride, .. } => last_two::<K, 2, 1>(k, data.as_chunks_mut::<1>().0, stride, steps),
        Pass::Trinomial { stride } => last_trinomial(k, data, stride, steps),
        // There is always a layer between vectors, and one in thirds comes later.
        Pass::Thirds { .. } | Pass::Inner { .. } | Pass::Twist { .. } | Pass::Split { .. } => None,
    }
}

/// A pass between vectors on some columns of one group, of which these are the rows.
#[cfg(feature = "threads")]
#[inline(always)]
pub fn inverse_columns<K: Kernel>(
    k: &mut K,
    rows: [&mut [K::Block]; MAX_ROWS],
    pass: Pass,
    steps: &[Step],
) -> Option<()> {
    let (steps, stride) = (pass.steps(steps), rows[0].len());
    match pass {
        Pass::Outer { first: 0, levels: 1, .. } => last_one::<K, 1, 1>(k, columns(rows), stride, steps),
        Pass::Outer { first: 0, .. } if K::PAIRS && stride % 2 == 0 => {
            last_two::<K, 4, 2>(k, columns(rows), stride, steps)
        }
        Pass::Outer { first: 0, .. } => last_two::<K, 2, 1>(k, columns(rows), stride, steps),
        Pass::Outer { first, levels: 1, .. } => outer_one::<K, 1, 1>(k, columns(rows), first, stride, steps),
        Pass::Outer { first, .. } if K::PAIRS && stride % 2 == 0 => {
            outer_two::<K, 4, 2>(k, columns(rows), first, stride, steps)
        }
        Pass::Outer { first, .. } => outer_two::<K, 2, 1>(k, columns(rows), first, stride, steps),
        _ => None,
    }
}

/// One layer between two vectors.
#[inline(always)]
fn outer_one<'a, K: Kernel<Block: 'a>, const P: usize, const C: usize>(
    k: &mut K,
    data: impl Groups<'a, [K::Block; C]>,
    layer: usize,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(k, data, stride, 1 in 2 by C, row(1, 0), k.twiddle(0), |v, w| {
        let [a, b]: Registers<_, P> = v;
        k.layer(layer);
        let (a, b) = k.gs(steps[0], a, b, [w; P]);
        [a, b]
    })
}

/// Two layers between four vectors.
#[inline(always)]
fn outer_two<'a, K: Kernel<Block: 'a>, const P: usize, const C: usize>(
    k: &mut K,
    data: impl Groups<'a, [K::Block; C]>,
    first: usize,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(k, data, stride, 2 in 2 by C, row(3, 0), lockstep!(3, |i| k.twiddle(i)), |v, w| {
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
    each_column!(k, data.as_chunks_mut::<1>().0, stride, 1 in 3 by 1, row(3, 0), lockstep!(3, |i| k.twiddle(i)), |v, w| {
        let [[a], [b], [c]] = v;
        k.layer(layer);
        let [a, b, c] = k.gs_thirds(steps[0], [a, b, c], w);
        [[a], [b], [c]]
    })
}

/// Layer 0 between two vectors.
#[inline(always)]
fn last_one<'a, K: Kernel<Block: 'a>, const P: usize, const C: usize>(
    k: &mut K,
    data: impl Groups<'a, [K::Block; C]>,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(k, data, stride, 1 in 2 by C, row(0, 0), k.scaling(), |v, scaling| {
        let [a, b]: Registers<_, P> = v;
        k.layer(0);
        let (a, b) = k.gs_scaled(steps[0], a, b, scaling);
        [a, b]
    })
}

/// Layers 1 and 0 between four vectors.
#[inline(always)]
fn last_two<'a, K: Kernel<Block: 'a>, const P: usize, const C: usize>(
    k: &mut K,
    data: impl Groups<'a, [K::Block; C]>,
    stride: usize,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(k, data, stride, 2 in 2 by C, row(2, 0), (lockstep!(2, |i| k.twiddle(i)), k.scaling()), |v, w| {
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
    each_column!(k, data, stride, 1, row(0, 0), k.scaling(), |v, scaling| {
        let [[a], [b]] = v;
        k.layer(0);
        let (a, b) = k.gs_trinomial(steps[0], a, b, scaling);
        [[a], [b]]
    })
}

/// One or two layers inside the vectors of `P` pairs, residues of `M` vectors each.
#[inline(always)]
fn inner<K: Kernel, const P: usize, const M: usize>(
    k: &mut K,
    data: &mut [K::Block],
    first: usize,
    from: u32,
    levels: u32,
    split: bool,
    steps: [Step; MAX_LEVELS],
) -> Option<()> {
    each_column!(k, data, 1, P, row(0, P / M * levels as usize), (), |v, _w| {
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
