//! The inverse transform: Gentleman–Sande layers, native slot order in, natural order out.
//!
//! A layer joins the residues `(u, v)` modulo `X^d - z` and `X^d + z` into twice the one modulo `X^2d - z^2`:
//! `(u + v, (u - v)/z)`. The last layer multiplies both outputs, and so holds the division by the number of slots and
//! every factor that reductions left behind: no separate scaling exists.
//!
//! Source: Longa and Naehrig 2016, Algorithms 2 and 4 (the merged scaling).

use super::{
    Fixed, MAX_LEVELS, Pass, Registers, each_column, each_fixed, even_and_odd, exchange, in_pairs, load_column,
    neighbours, pairs, row_of, run_pass, split_bits, split_rows, store_column, turn, twiddles,
};
use crate::{kernel::Kernel, schedule::Step};

/// Runs all passes over `data` from the last to the first; `steps` has one entry per layer.
#[inline(never)]
pub fn inverse<K: Kernel>(k: &mut K, data: &mut [K::Block], passes: &[Pass], steps: &[Step]) {
    inverse_inlined(k, data, passes, steps);
}

/// [`inverse`] as a part of its caller, whose instructions it is compiled with.
#[inline(always)]
pub(crate) fn inverse_inlined<K: Kernel>(k: &mut K, data: &mut [K::Block], passes: &[Pass], steps: &[Step]) {
    for pass in passes.iter().rev() {
        inverse_pass(k, data, *pass, pass.steps(steps));
    }
    if steps.is_empty() {
        scale(k, data);
    }
}

/// Runs the passes of `F`, which has at least one layer, from the last to the first.
#[inline(always)]
pub fn inverse_fixed<K: Kernel, F: Fixed>(k: &mut K, data: &mut [K::Block]) {
    each_fixed!(F, [7 6 5 4 3 2 1 0], |pass, steps| inverse_pass(k, data, pass, steps));
}

#[inline(always)]
fn inverse_pass<K: Kernel>(k: &mut K, data: &mut [K::Block], pass: Pass, steps: [Step; MAX_LEVELS]) {
    run_pass!(k, data, pass, steps);
}

/// The inverse of a transform without layers: its one slot only needs its factor removed.
#[inline(always)]
pub fn scale<K: Kernel>(k: &mut K, data: &mut [K::Block]) {
    let [scale, _] = k.scaling();
    for x in data {
        let v = k.load(x);
        let [v] = k.mul([v], [scale]);
        k.store(x, v);
    }
}

/// The layer that comes last for a trinomial, and scales.
#[inline(always)]
fn sixth<K: Kernel>(k: &mut K, data: &mut [K::Block], stride: usize, steps: [Step; MAX_LEVELS]) {
    each_column!(k, data, stride, 1, row(0, 0), k.scaling(), |v, w, _at| {
        let [[a], [b]] = v;
        k.layer(0);
        let (a, b) = k.gs_sixth(steps[0], a, b, w);
        [[a], [b]]
    });
}

/// The layer of number `layer`; layer 0 is the last and scales.
#[inline(always)]
fn join<K: Kernel, const P: usize>(
    k: &mut K,
    step: Step,
    layer: usize,
    a: [K::V; P],
    b: [K::V; P],
    w: [[K::Tw; P]; 2],
    number: [u32; P],
) -> ([K::V; P], [K::V; P]) {
    k.layer(layer);
    if layer == 0 {
        let scaling = k.scaling();
        k.gs_scaled(step, a, b, scaling)
    } else {
        k.gs(step, a, b, w, number)
    }
}

/// One layer between two vectors.
#[inline(always)]
fn outer_one<K: Kernel>(k: &mut K, data: &mut [K::Block], first: usize, stride: usize, steps: [Step; MAX_LEVELS]) {
    each_column!(k, data, stride, 1, row(row_of(k, 1), 0), twiddles::<K, 1>(k), |v, w, at| {
        let [a, b] = v;
        let (a, b) = join(k, steps[0], first, a, b, w, [at.count_ones() + 1]);
        [a, b]
    });
}

/// Two layers between four vectors.
#[inline(always)]
fn outer_two<K: Kernel>(k: &mut K, data: &mut [K::Block], first: usize, stride: usize, steps: [Step; MAX_LEVELS]) {
    each_column!(k, data, stride, 2, row(row_of(k, 3), 0), twiddles::<K, 3>(k), |v, w, at| {
        // A coefficient has met one product for each bit of its place in the half of its block.
        let number = at.count_ones() + 1;
        let [a, b] = turn(v);
        let (a, b) = join(k, steps[1], first + 1, a, b, lockstep!(2, |e| [w[e][1], w[e][2]]), [number; 2]);
        let [a, b] = turn([a, b]);
        let (a, b) = join(k, steps[0], first, a, b, lockstep!(2, |e| [w[e][0], w[e][0]]), [number, number + 1]);
        [a, b]
    });
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
) {
    each_column!(k, data, 1, P, row(0, P / M * levels as usize), (), |v, _w, _at| {
        let v = pairs::<_, P, M>(v);
        let [a, b] = if split { even_and_odd::<_, P, M>(v) } else { v };
        let v = if split { in_pairs!(P, [a, b], |pair| exchange(k, 1, pair)) } else { [a, b] };
        let v = if levels > 1 { inner_layer::<K, P, M, 1>(k, v, first, from, steps) } else { v };
        neighbours::<_, P, M>(inner_layer::<K, P, M, 0>(k, v, first, from, steps))
    });
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
    let (a, b) = join(k, steps[LEVEL], first + LEVEL, a, b, [w, w], [0; P]);
    let [a, b] = even_and_odd::<_, P, M>([a, b]);
    in_pairs!(P, [a, b], |pair| exchange(k, k.lanes() >> (from as usize + LEVEL + 1), pair))
}

/// Moves `bits` index bits of the vectors, lowest first, back to the lowest lane bits.
#[inline(always)]
fn split<K: Kernel>(k: &mut K, data: &mut [K::Block], bits: u32) {
    split_bits!(k, data, (0..bits).map(|bit| 1 << bit), |distance, pair| exchange(k, distance, pair));
}
