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

/// The rows of memory that feed the registers; every one is there.
type Rows<'a, B, const P: usize> = [[Option<&'a mut [B]>; P]; 2];

/// Splits `2P` rows of `stride` vectors off the front of `data`.
#[inline(always)]
fn split_rows<'a, B, const P: usize>(data: &mut &'a mut [B], stride: usize) -> Option<Rows<'a, B, P>> {
    if stride == 0 {
        return None;
    }
    let mut rows: Rows<'a, B, P> = [const { [const { None }; P] }; 2];
    for half in &mut rows {
        for row in half {
            let (first, rest) = core::mem::take(data).split_at_mut_checked(stride)?;
            (*row, *data) = (Some(first), rest);
        }
    }
    Some(rows)
}

/// Loads column `j` of the rows.
#[inline(always)]
fn load_column<K: Kernel, const P: usize>(
    k: &mut K,
    rows: &Rows<'_, K::Block, P>,
    j: usize,
) -> Option<Registers<K::V, P>> {
    Some(lockstep!(2, |h| lockstep!(P, |i| k.load(rows[h][i].as_deref()?.get(j)?))))
}

/// Stores column `j` of the rows.
#[inline(always)]
fn store_column<K: Kernel, const P: usize>(
    k: &mut K,
    rows: &mut Rows<'_, K::Block, P>,
    j: usize,
    v: Registers<K::V, P>,
) -> Option<()> {
    for h in 0..2 {
        for i in 0..P {
            k.store(rows[h][i].as_deref_mut()?.get_mut(j)?, v[h][i]);
        }
    }
    Some(())
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
    (
        lockstep!(P, |i| v[pair(i, half).0 / P][pair(i, half).0 % P]),
        lockstep!(P, |i| v[pair(i, half).1 / P][pair(i, half).1 % P]),
    )
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
    let pairs = match block {
        1 => lockstep!(P, |i| k.interleave::<1>(a[i], b[i])),
        2 => lockstep!(P, |i| k.interleave::<2>(a[i], b[i])),
        4 => lockstep!(P, |i| k.interleave::<4>(a[i], b[i])),
        _ => lockstep!(P, |i| k.interleave::<8>(a[i], b[i])),
    };
    put_back(v, half, (lockstep!(P, |i| pairs[i].0), lockstep!(P, |i| pairs[i].1)));
}

/// The twiddles of the layers between `2P` registers, spread over the butterflies that use them.
#[inline(always)]
fn level_twiddles<K: Kernel, const P: usize>(k: &mut K) -> [[K::Tw; P]; 3] {
    let first = k.twiddle(0);
    let mut levels = [[first; P]; 3];
    if P >= 2 {
        let second = [k.twiddle(1), k.twiddle(2)];
        levels[1] = lockstep!(P, |i| second[2 * i / P]);
    }
    if P >= 4 {
        levels[2] = lockstep!(P, |i| k.twiddle(3 + i));
    }
    levels
}
