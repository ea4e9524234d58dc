//! The networks: the order of butterflies, each written once for every kernel.
//!
//! A transform is a list of [`Pass`]es over memory. Passes are short, two layers each, because layers are chains of
//! dependent products: while one chain waits, an out-of-order core already works on the next group, and loads and
//! stores run on ports that arithmetic leaves idle.
//!
//! - **Outer** layers have a distance of whole vectors: `2P` vectors at equal stride go through `log2(2P)` layers.
//! - **Inner** layers have a distance inside vectors: exchanging a lane bit with the register bit by
//!   [`interleave`](crate::kernel::Kernel::interleave) makes each one a layer between two registers.
//! - **Split** moves the coefficient bits of an incomplete transform's slots out of the lanes, so that slot products
//!   need no shuffle.
//! - **Reduce** reduces every value.
//!
//! [`forward`] and [`inverse`] run whole lists and serve the models; machines run one pass at a time
//! ([`forward_pass`], [`inverse_pass`]), each compiled with its steps as constants.

mod forward;
mod inverse;
mod slots;

pub use forward::{forward, forward_pass};
pub use inverse::{inverse, inverse_pass, scale};
pub use slots::slot_products;

use crate::{kernel::Kernel, schedule::Step};

/// One trip of the data through registers. Layers are numbered in forward order; the inverse runs the list backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Layers between vectors.
    Outer {
        /// The first of its layers.
        first: usize,
        /// One or two layers.
        levels: u32,
        /// Distance of its registers in memory, in vectors.
        stride: usize,
    },
    /// Layers inside vectors.
    Inner {
        /// The first of its layers.
        first: usize,
        /// The lane bit of its first layer, from the top: 0 or 2.
        from: u32,
        /// One or two layers.
        levels: u32,
    },
    /// Exchange of the lowest `bits` lane bits with register bits.
    Split {
        /// One to three bits.
        bits: u32,
    },
    /// Reduction of every value.
    Reduce,
}

impl Pass {
    /// Its layers, in forward order.
    pub const fn layers(&self) -> core::ops::Range<usize> {
        match *self {
            Self::Outer { first, levels, .. } | Self::Inner { first, levels, .. } => first..first + levels as usize,
            Self::Split { .. } | Self::Reduce => 0..0,
        }
    }

    /// The steps of its layers, out of those of all layers.
    pub fn steps(&self, all: &[Step]) -> [Step; 2] {
        let own = all.get(self.layers()).unwrap_or_default();
        [own.first().copied().unwrap_or_default(), own.get(1).copied().unwrap_or_default()]
    }

    /// Rows of the table and their sizes: how many, broadcast twiddles of each, lanewise twiddles of each.
    pub(crate) const fn rows(&self, vectors: usize) -> (usize, usize, usize) {
        match *self {
            Self::Outer { levels, stride, .. } => (vectors >> (stride.trailing_zeros() + levels), (1 << levels) - 1, 0),
            Self::Inner { levels, .. } => (vectors >> 1, 0, levels as usize),
            Self::Split { .. } | Self::Reduce => (0, 0, 0),
        }
    }
}

/// The vectors of a pass: `P` operands `a`, `P` operands `b`.
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

/// Takes every column of every group of `2 * $p` rows through registers: opens the group's row of the table, reads its
/// twiddles, and for each column loads, computes and stores. A macro, because a closure would be compiled without the
/// instructions of the backend.
macro_rules! each_column {
    ($k:ident, $data:expr, $stride:expr, $p:literal, $twiddles:expr, |$v:ident, $w:ident| $body:expr) => {{
        let mut rest = $data;
        while let Some(mut rows) = split_rows::<_, $p>(&mut rest, $stride) {
            if !$k.row(2 * $p - 1, 0) {
                return;
            }
            let $w = $twiddles;
            for j in 0..$stride {
                let Some($v) = load_column($k, &rows, j) else { return };
                let results = $body;
                if store_column($k, &mut rows, j, results).is_none() {
                    return;
                }
            }
        }
    }};
}
use each_column;

/// Between the two layers of four registers: the operands at distance two become those at distance one, and back.
#[inline(always)]
fn turn<V: Copy>([a, b]: Registers<V, 2>) -> Registers<V, 2> {
    [[a[0], b[0]], [a[1], b[1]]]
}

/// Exchanges the lane bit of blocks of `block` lanes with the register bit between `a` and `b`.
#[inline(always)]
fn exchange<K: Kernel>(k: &mut K, block: usize, [a, b]: [K::V; 2]) -> [K::V; 2] {
    let (x, y) = match block {
        1 => k.interleave::<1>(a, b),
        2 => k.interleave::<2>(a, b),
        4 => k.interleave::<4>(a, b),
        _ => k.interleave::<8>(a, b),
    };
    [x, y]
}

/// Exchanges the lowest `bits` lane bits with the lowest index bits of the vectors; its own inverse.
#[inline(always)]
fn split<K: Kernel>(k: &mut K, data: &mut [K::Block], bits: u32) {
    for bit in 0..bits {
        for group in data.chunks_exact_mut(2 << bit) {
            let (low, high) = group.split_at_mut(1 << bit);
            for (a, b) in low.iter_mut().zip(high) {
                let pair = [k.load(a), k.load(b)];
                let [x, y] = exchange(k, 1 << bit, pair);
                k.store(a, x);
                k.store(b, y);
            }
        }
    }
}

/// Reduces every value.
#[inline(always)]
fn reduce<K: Kernel>(k: &mut K, data: &mut [K::Block]) {
    for x in data {
        let v = k.load(x);
        let v = k.reduce(v);
        k.store(x, v);
    }
}
