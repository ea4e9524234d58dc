//! The inverse transform: Gentleman–Sande layers, native slot order in, natural order out.
//!
//! A layer joins the residues `(u, v)` modulo `X^d - z` and `X^d + z` into twice the one modulo `X^2d - z^2`:
//! `(u + v, (u - v)/z)`. The last layer multiplies both outputs, and so holds the division by the number of slots and
//! every factor that reductions left behind: no separate scaling exists.
//!
//! Source: Longa and Naehrig 2016, Algorithms 2 and 4 (the merged scaling).

use super::{Pass, Registers, exchange, level_twiddles, load_column, operands, put_back, split_rows, store_column};
use crate::{kernel::Kernel, schedule::Schedule};

/// Runs all passes over `data` from the last to the first.
#[inline(always)]
pub fn inverse<K: Kernel, S: Schedule>(k: &mut K, s: S, data: &mut [K::Block], passes: &[Pass]) {
    if passes.is_empty() {
        let [scale, _] = k.scaling(); // no layer: one slot, which only needs its factor removed
        for x in data {
            let v = k.load(x);
            let [v] = k.mul([v], [scale]);
            k.store(x, v);
        }
        return;
    }
    for (i, pass) in passes.iter().enumerate().rev() {
        let reduce = s.reduce_slots() && i + 1 == passes.len();
        match pass.levels {
            1 => inverse_pass::<K, S, 1>(k, s, data, pass, reduce),
            2 => inverse_pass::<K, S, 2>(k, s, data, pass, reduce),
            _ => inverse_pass::<K, S, 4>(k, s, data, pass, reduce),
        }
    }
}

/// One pass with `2P` live vectors; `reduce` opens it with a reduction of every value.
#[inline(always)]
pub(super) fn inverse_pass<K: Kernel, S: Schedule, const P: usize>(
    k: &mut K,
    s: S,
    data: &mut [K::Block],
    pass: &Pass,
    reduce: bool,
) {
    let levels = P.ilog2() as usize + 1;
    let mut rest = data;
    while let Some(mut rows) = split_rows::<_, P>(&mut rest, pass.stride) {
        if !k.row(2 * P - 1, P * pass.inner as usize) {
            return;
        }
        let w = level_twiddles::<K, P>(k);
        for j in 0..pass.stride {
            let Some(mut v) = load_column(k, &rows, j) else { return };
            if reduce {
                for x in v.as_flattened_mut() {
                    *x = k.reduce(*x);
                }
            }
            if pass.split >= 3 && P >= 4 {
                exchange(k, &mut v, 4, 4);
            }
            if pass.split >= 2 && P >= 2 {
                exchange(k, &mut v, 2, 2);
            }
            if pass.split >= 1 {
                exchange(k, &mut v, 1, 1);
            }
            let inside = pass.first + levels;
            if pass.inner >= 4 {
                inner(k, s, inside, 3, &mut v);
            }
            if pass.inner >= 3 {
                inner(k, s, inside, 2, &mut v);
            }
            if pass.inner >= 2 {
                inner(k, s, inside, 1, &mut v);
            }
            if pass.inner >= 1 {
                inner(k, s, inside, 0, &mut v);
            }
            if P >= 4 {
                level(k, s, pass.first, 2, &mut v, &w);
            }
            if P >= 2 {
                level(k, s, pass.first, 1, &mut v, &w);
            }
            level(k, s, pass.first, 0, &mut v, &w);
            if store_column(k, &mut rows, j, v).is_none() {
                return;
            }
        }
    }
}

/// The `t`-th layer between registers; layer 0 of the transform is its last and scales.
#[inline(always)]
fn level<K: Kernel, S: Schedule, const P: usize>(
    k: &mut K,
    s: S,
    first: usize,
    t: usize,
    v: &mut Registers<K::V, P>,
    w: &[[K::Tw; P]; 3],
) {
    k.layer(first + t);
    let (a, b) = operands(v, P >> t);
    let step = s.step(first + t);
    let results = if t == 0 && first == 0 {
        let scaling = k.scaling();
        k.gs_scaled(step, a, b, scaling)
    } else {
        k.gs(step, a, b, w[t])
    };
    put_back(v, P >> t, results);
}

/// The `t`-th layer inside vectors.
#[inline(always)]
fn inner<K: Kernel, S: Schedule, const P: usize>(
    k: &mut K,
    s: S,
    first: usize,
    t: usize,
    v: &mut Registers<K::V, P>,
) {
    k.layer(first + t);
    let w = lockstep!(P, |i| k.twiddle_lanes(t * P + i));
    let (a, b) = operands(v, 1);
    let results = k.gs(s.step(first + t), a, b, w);
    put_back(v, 1, results);
    exchange(k, v, k.lanes() >> (t + 1), 1);
}
