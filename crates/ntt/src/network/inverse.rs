//! The inverse transform: Gentleman–Sande layers, native slot order in, natural order out.
//!
//! A layer joins the residues `(u, v)` modulo `X^d - z` and `X^d + z` into twice the one modulo `X^2d - z^2`:
//! `(u + v, (u - v)/z)`. The last layer multiplies both outputs, and so holds the division by the number of slots and
//! every factor that reductions left behind: no separate scaling exists.
//!
//! Source: Longa and Naehrig 2016, Algorithms 2 and 4 (the merged scaling).

use super::{Pass, exchange, level_twiddles, operands, put_back, split_rows};
use crate::{kernel::Kernel, schedule::Schedule};
use core::array::from_fn;

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
    let (levels, inner) = (P.ilog2() as usize + 1, pass.inner as usize);
    let last = pass.first == 0;
    let mut rest = data;
    while let Some(mut rows) = split_rows::<_, P>(&mut rest, pass.stride) {
        if !k.row(2 * P - 1, P * inner) {
            return;
        }
        let w = level_twiddles::<K, P>(k);
        for j in 0..pass.stride {
            let mut v = from_fn(|h| from_fn(|i| k.load(&rows[h][i][j])));
            if reduce {
                for x in v.as_flattened_mut() {
                    *x = k.reduce(*x);
                }
            }
            for t in (0..pass.split).rev() {
                exchange(k, &mut v, 1 << t, 1 << t);
            }
            for t in (0..inner).rev() {
                let layer = pass.first + levels + t;
                k.layer(layer);
                let w = from_fn(|_| k.twiddle_lanes());
                let (a, b) = operands::<_, P>(&v, 1);
                let results = k.gs(s.step(layer), a, b, w);
                put_back(&mut v, 1, results);
                exchange(k, &mut v, k.lanes() >> (t + 1), 1);
            }
            for t in (0..levels).rev() {
                k.layer(pass.first + t);
                let (a, b) = operands::<_, P>(&v, P >> t);
                let step = s.step(pass.first + t);
                let results = if last && t == 0 {
                    let scaling = k.scaling();
                    k.gs_scaled(step, a, b, scaling)
                } else {
                    k.gs(step, a, b, w[t])
                };
                put_back(&mut v, P >> t, results);
            }
            for (h, half) in rows.iter_mut().enumerate() {
                for (i, row) in half.iter_mut().enumerate() {
                    k.store(&mut row[j], v[h][i]);
                }
            }
        }
    }
}
