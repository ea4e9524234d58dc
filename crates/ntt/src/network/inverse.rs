//! The inverse transform: Gentleman–Sande layers, native slot order in, natural order out.
//!
//! A layer joins the residues `(u, v)` modulo `X^d - z` and `X^d + z` into twice the one modulo `X^2d - z^2`:
//! `(u + v, (u - v)/z)`. The last layer multiplies both outputs, and so holds the division by the number of slots and
//! every factor that reductions left behind: no separate scaling exists.
//!
//! Source: Longa and Naehrig 2016, Algorithms 2 and 4 (the merged scaling).

use super::{Pass, each_column, exchange, load_column, reduce, split, split_rows, store_column, turn};
use crate::{kernel::Kernel, schedule::Step};

/// Runs all passes over `data` from the last to the first; `steps` has one entry per layer.
pub fn inverse<K: Kernel>(k: &mut K, data: &mut [K::Block], passes: &[Pass], steps: &[Step]) {
    for pass in passes.iter().rev() {
        inverse_pass(k, data, *pass, pass.steps(steps));
    }
    if steps.is_empty() {
        scale(k, data);
    }
}

/// Runs one pass, whose layers have the given steps, in forward order.
#[inline(always)]
pub fn inverse_pass<K: Kernel>(k: &mut K, data: &mut [K::Block], pass: Pass, steps: [Step; 2]) {
    match pass {
        Pass::Outer { first, levels: 2, stride } => outer_two(k, data, first, stride, steps),
        Pass::Outer { first, stride, .. } => outer_one(k, data, first, stride, steps[0]),
        Pass::Inner { first, from: 0, levels } => inner::<K, 0>(k, data, first, levels, steps),
        Pass::Inner { first, levels, .. } => inner::<K, 2>(k, data, first, levels, steps),
        Pass::Split { bits } => split(k, data, bits),
        Pass::Reduce => reduce(k, data),
    }
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

/// The layer of number `layer`; layer 0 is the last and scales.
#[inline(always)]
fn join<K: Kernel, const P: usize>(
    k: &mut K,
    step: Step,
    layer: usize,
    a: [K::V; P],
    b: [K::V; P],
    w: [K::Tw; P],
) -> ([K::V; P], [K::V; P]) {
    k.layer(layer);
    if layer == 0 {
        let scaling = k.scaling();
        k.gs_scaled(step, a, b, scaling)
    } else {
        k.gs(step, a, b, w)
    }
}

/// One layer between two vectors.
#[inline(always)]
fn outer_one<K: Kernel>(k: &mut K, data: &mut [K::Block], first: usize, stride: usize, step: Step) {
    each_column!(k, data, stride, 1, [k.twiddle(0)], |v, w| {
        let [a, b] = v;
        let (a, b) = join(k, step, first, a, b, w);
        [a, b]
    });
}

/// Two layers between four vectors.
#[inline(always)]
fn outer_two<K: Kernel>(k: &mut K, data: &mut [K::Block], first: usize, stride: usize, steps: [Step; 2]) {
    each_column!(k, data, stride, 2, (k.twiddle(0), k.twiddle(1), k.twiddle(2)), |v, w| {
        let [a, b] = turn(v);
        k.layer(first + 1);
        let (a, b) = k.gs(steps[1], a, b, [w.1, w.2]);
        let [a, b] = turn([a, b]);
        let (a, b) = join(k, steps[0], first, a, b, [w.0, w.0]);
        [a, b]
    });
}

/// One or two layers inside the vectors of a pair, down to lane bit `FROM`.
#[inline(always)]
fn inner<K: Kernel, const FROM: u32>(k: &mut K, data: &mut [K::Block], first: usize, levels: u32, steps: [Step; 2]) {
    for pair in data.as_chunks_mut::<2>().0 {
        if !k.row(0, levels as usize) {
            return;
        }
        let (mut a, mut b) = (k.load(&pair[0]), k.load(&pair[1]));
        if levels == 2 {
            let w = [k.twiddle_lanes(1)];
            k.layer(first + 1);
            let ([x], [y]) = k.gs(steps[1], [a], [b], w);
            [a, b] = exchange(k, k.lanes() >> (FROM + 2), [x, y]);
        }
        let w = [k.twiddle_lanes(0)];
        k.layer(first);
        let ([x], [y]) = k.gs(steps[0], [a], [b], w);
        let [a, b] = exchange(k, k.lanes() >> (FROM + 1), [x, y]);
        k.store(&mut pair[0], a);
        k.store(&mut pair[1], b);
    }
}
