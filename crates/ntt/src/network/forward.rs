//! The forward transform: Cooley–Tukey layers, natural order in, native slot order out.
//!
//! A layer splits every residue modulo `X^2d - z^2` into those modulo `X^d - z` and `X^d + z`:
//! `(lo, hi) -> (lo + z·hi, lo - z·hi)`. Layer 0 has the largest distance.
//!
//! Source: the merged form (powers of psi inside the twiddles) of Longa and Naehrig 2016, Algorithm 1.

use super::{Pass, each_column, exchange, load_column, reduce, split, split_rows, store_column, turn};
use crate::{kernel::Kernel, schedule::Step};

/// Runs all passes over `data`, the whole polynomial in vectors; `steps` has one entry per layer.
pub fn forward<K: Kernel>(k: &mut K, data: &mut [K::Block], passes: &[Pass], steps: &[Step]) {
    for pass in passes {
        forward_pass(k, data, *pass, pass.steps(steps));
    }
}

/// Runs one pass, whose layers have the given steps.
#[inline(always)]
pub fn forward_pass<K: Kernel>(k: &mut K, data: &mut [K::Block], pass: Pass, steps: [Step; 2]) {
    match pass {
        Pass::Outer { first, levels: 2, stride } => outer_two(k, data, first, stride, steps),
        Pass::Outer { first, stride, .. } => outer_one(k, data, first, stride, steps[0]),
        Pass::Inner { first, from: 0, levels } => inner::<K, 0>(k, data, first, levels, steps),
        Pass::Inner { first, levels, .. } => inner::<K, 2>(k, data, first, levels, steps),
        Pass::Split { bits } => split(k, data, bits),
        Pass::Reduce => reduce(k, data),
    }
}

/// One layer between two vectors.
#[inline(always)]
fn outer_one<K: Kernel>(k: &mut K, data: &mut [K::Block], first: usize, stride: usize, step: Step) {
    each_column!(k, data, stride, 1, [k.twiddle(0)], |v, w| {
        let [a, b] = v;
        k.layer(first);
        let (a, b) = k.ct(step, a, b, w);
        [a, b]
    });
}

/// Two layers between four vectors.
#[inline(always)]
fn outer_two<K: Kernel>(k: &mut K, data: &mut [K::Block], first: usize, stride: usize, steps: [Step; 2]) {
    each_column!(k, data, stride, 2, (k.twiddle(0), k.twiddle(1), k.twiddle(2)), |v, w| {
        let [a, b] = v;
        k.layer(first);
        let (a, b) = k.ct(steps[0], a, b, [w.0, w.0]);
        k.layer(first + 1);
        let [a, b] = turn([a, b]);
        let (a, b) = k.ct(steps[1], a, b, [w.1, w.2]);
        turn([a, b])
    });
}

/// One or two layers inside the vectors of a pair, from lane bit `FROM` on.
#[inline(always)]
fn inner<K: Kernel, const FROM: u32>(k: &mut K, data: &mut [K::Block], first: usize, levels: u32, steps: [Step; 2]) {
    for pair in data.as_chunks_mut::<2>().0 {
        if !k.row(0, levels as usize) {
            return;
        }
        let v = [k.load(&pair[0]), k.load(&pair[1])];
        let [a, b] = exchange(k, k.lanes() >> (FROM + 1), v);
        let w = [k.twiddle_lanes(0)];
        k.layer(first);
        let ([mut a], [mut b]) = k.ct(steps[0], [a], [b], w);
        if levels == 2 {
            let [x, y] = exchange(k, k.lanes() >> (FROM + 2), [a, b]);
            let w = [k.twiddle_lanes(1)];
            k.layer(first + 1);
            let ([x], [y]) = k.ct(steps[1], [x], [y], w);
            (a, b) = (x, y);
        }
        k.store(&mut pair[0], a);
        k.store(&mut pair[1], b);
    }
}
