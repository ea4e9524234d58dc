//! The networks: the order of butterflies, each written once for every kernel.
//!
//! A transform is a list of [`Pass`]es. A pass takes `2P` vectors at equal stride into registers, runs `log2(2P)` layers
//! between them, and, in the last forward (first inverse) pass, the layers inside vectors: each exchanges a lane bit
//! with the register bit 0 by [`interleave`](crate::kernel::Kernel::interleave) and then is a layer between registers.
//! An incomplete transform ends by moving the coefficient bits of its slots out of the lanes, so that slot products
//! need no shuffle.

mod forward;
mod inverse;
mod slots;

pub use forward::forward;
pub use inverse::inverse;
pub use slots::slot_products;

use crate::kernel::Kernel;
use core::array::from_fn;

/// One trip of the data through registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pass {
    /// Its first layer in forward order.
    pub first: usize,
    /// Layers between registers, 1 to 3: `2^levels` vectors are live.
    pub levels: u32,
    /// Distance of those vectors in memory, in vectors.
    pub stride: usize,
    /// Layers inside vectors; only where `stride` is 1.
    pub inner: u32,
    /// Coefficient bits to move out of the lanes; only where `stride` is 1.
    pub split: u32,
}

impl Pass {
    /// Layers of the pass.
    pub const fn layers(&self) -> usize {
        (self.levels + self.inner) as usize
    }
}

/// The `2P` vectors of a pass, in two halves.
type Registers<V, const P: usize> = [[V; P]; 2];

/// The rows of memory that feed the registers.
type Rows<'a, B, const P: usize> = [[&'a mut [B]; P]; 2];

/// Splits `2P` rows of `stride` vectors off the front of `data`.
#[inline(always)]
fn split_rows<'a, B, const P: usize>(data: &mut &'a mut [B], stride: usize) -> Option<Rows<'a, B, P>> {
    let mut complete = stride != 0;
    let rows = from_fn(|_| {
        from_fn(|_| {
            // On a shortfall the remaining rows are empty and the caller stops.
            let (row, rest) = core::mem::take(data).split_at_mut_checked(stride).unwrap_or_default();
            complete &= row.len() == stride;
            *data = rest;
            row
        })
    });
    complete.then_some(rows)
}

/// Registers of the `i`-th butterfly at register distance `half`.
#[inline(always)]
const fn pair(i: usize, half: usize) -> (usize, usize) {
    let a = i / half * 2 * half + i % half;
    (a, a + half)
}

/// Gathers the operands of the `P` butterflies at register distance `half`.
#[inline(always)]
fn operands<V: Copy, const P: usize>(v: &Registers<V, P>, half: usize) -> ([V; P], [V; P]) {
    let at = |r: usize| v[r / P][r % P];
    (from_fn(|i| at(pair(i, half).0)), from_fn(|i| at(pair(i, half).1)))
}

/// Puts results back where [`operands`] found their operands.
#[inline(always)]
fn put_back<V: Copy, const P: usize>(v: &mut Registers<V, P>, half: usize, (a, b): ([V; P], [V; P])) {
    for i in 0..P {
        let (ia, ib) = pair(i, half);
        v[ia / P][ia % P] = a[i];
        v[ib / P][ib % P] = b[i];
    }
}

/// Exchanges the lane bit of blocks of `block` lanes with the register bit of distance `half`.
#[inline(always)]
fn exchange<K: Kernel, const P: usize>(k: &mut K, v: &mut Registers<K::V, P>, block: usize, half: usize) {
    let (a, b) = operands(v, half);
    let pairs: [(K::V, K::V); P] = match block {
        1 => from_fn(|i| k.interleave::<1>(a[i], b[i])),
        2 => from_fn(|i| k.interleave::<2>(a[i], b[i])),
        4 => from_fn(|i| k.interleave::<4>(a[i], b[i])),
        _ => from_fn(|i| k.interleave::<8>(a[i], b[i])),
    };
    put_back(v, half, (from_fn(|i| pairs[i].0), from_fn(|i| pairs[i].1)));
}

/// The twiddles of the layers between `2P` registers, spread over the butterflies that use them.
#[inline(always)]
fn level_twiddles<K: Kernel, const P: usize>(k: &mut K) -> [[K::Tw; P]; 3] {
    let mut last = k.twiddle();
    let mut levels = [[last; P]; 3];
    for (t, level) in levels.iter_mut().enumerate().take(P.ilog2() as usize + 1).skip(1) {
        for (i, w) in level.iter_mut().enumerate() {
            if i % (P >> t) == 0 {
                last = k.twiddle();
            }
            *w = last;
        }
    }
    levels
}
