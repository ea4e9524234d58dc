//! The forward transform: Cooley–Tukey layers, natural order in, native slot order out.
//!
//! A layer splits every residue modulo `X^2d - z^2` into those modulo `X^d - z` and `X^d + z`:
//! `(lo, hi) -> (lo + z·hi, lo - z·hi)`. Layer 0 has the largest distance.
//!
//! Source: the merged form (powers of psi inside the twiddles) of Longa and Naehrig 2016, Algorithm 1.

use super::{Pass, exchange, level_twiddles, operands, put_back, split_rows};
use crate::{kernel::Kernel, schedule::Schedule};
use core::array::from_fn;

/// Runs all passes over `data`, the whole polynomial in vectors.
#[inline(always)]
pub fn forward<K: Kernel, S: Schedule>(k: &mut K, s: S, data: &mut [K::Block], passes: &[Pass]) {
    for (i, pass) in passes.iter().enumerate() {
        let reduce = s.reduce_slots() && i + 1 == passes.len();
        match pass.levels {
            1 => forward_pass::<K, S, 1>(k, s, data, pass, reduce),
            2 => forward_pass::<K, S, 2>(k, s, data, pass, reduce),
            _ => forward_pass::<K, S, 4>(k, s, data, pass, reduce),
        }
    }
}

/// One pass with `2P` live vectors; `reduce` closes it with a reduction of every value.
#[inline(always)]
pub(super) fn forward_pass<K: Kernel, S: Schedule, const P: usize>(
    k: &mut K,
    s: S,
    data: &mut [K::Block],
    pass: &Pass,
    reduce: bool,
) {
    let (levels, inner) = (P.ilog2() as usize + 1, pass.inner as usize);
    let mut rest = data;
    while let Some(mut rows) = split_rows::<_, P>(&mut rest, pass.stride) {
        if !k.row(2 * P - 1, P * inner) {
            return;
        }
        let w = level_twiddles::<K, P>(k);
        for j in 0..pass.stride {
            let mut v = from_fn(|h| from_fn(|i| k.load(&rows[h][i][j])));
            for (t, &w) in w.iter().enumerate().take(levels) {
                k.layer(pass.first + t);
                let (a, b) = operands::<_, P>(&v, P >> t);
                let results = k.ct(s.step(pass.first + t), a, b, w);
                put_back(&mut v, P >> t, results);
            }
            for t in 0..inner {
                let layer = pass.first + levels + t;
                k.layer(layer);
                exchange(k, &mut v, k.lanes() >> (t + 1), 1);
                let w = from_fn(|_| k.twiddle_lanes());
                let (a, b) = operands::<_, P>(&v, 1);
                let results = k.ct(s.step(layer), a, b, w);
                put_back(&mut v, 1, results);
            }
            for t in 0..pass.split {
                exchange(k, &mut v, 1 << t, 1 << t);
            }
            if reduce {
                for x in v.as_flattened_mut() {
                    *x = k.reduce(*x);
                }
            }
            for (h, half) in rows.iter_mut().enumerate() {
                for (i, row) in half.iter_mut().enumerate() {
                    k.store(&mut row[j], v[h][i]);
                }
            }
        }
    }
}
