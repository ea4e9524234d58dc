//! The networks: the order of butterflies, each written once for every kernel.
//!
//! A transform is a list of [`Pass`]es over memory. Passes are short, because layers are chains of dependent products:
//! while one chain waits, an out-of-order core already works on the next group, and loads and stores run on ports that
//! arithmetic leaves idle.
//!
//! - **Outer** layers have a distance of whole vectors: `2P` vectors at equal stride go through `log2(2P)` layers.
//! - **Inner** layers have a distance inside vectors: exchanging a lane bit with the register bit by
//!   [`interleave`](crate::kernel::Kernel::interleave) makes each one a layer between two registers. For `n = 3·2^k`
//!   residues of three vectors take the place of single vectors.
//! - **Sixth** is the first layer of `X^n - X^(n/2) + 1`, whose halves are modulo `X^(n/2) - z` and `X^(n/2) - (1 - z)` for a
//!   primitive sixth root of unity `z`.
//! - **Split** moves the coefficient bits of an incomplete transform's slots out of the lanes, so that slot products
//!   need no shuffle; a single bit is moved by the inner pass.
//!
//! [`forward`] and [`inverse`] run any list; [`forward_fixed`] and [`inverse_fixed`] run one that the compiler knows.

mod forward;
mod inverse;
mod inverses;
mod slots;

pub(crate) use forward::forward_inlined;
pub use forward::{forward, forward_fixed};
pub(crate) use inverse::inverse_inlined;
pub use inverse::{inverse, inverse_fixed, scale};
pub use inverses::{inversion_scratch, slot_inverses};
pub use slots::{slot_products, sums_of_products};

use crate::{kernel::Kernel, schedule::Step};
use core::array::from_fn;

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
        /// Whether the lowest lane bit is exchanged as well.
        split: bool,
        /// Vectors of a residue, 1 or 3.
        parts: usize,
    },
    /// The first layer of a trinomial.
    Sixth {
        /// Distance of its two operands in memory, in vectors.
        stride: usize,
    },
    /// Exchange of the lowest `bits` lane bits with index bits of the vectors.
    Split {
        /// Two or three bits.
        bits: u32,
    },
}

/// Layers of a pass at most.
pub const MAX_LEVELS: usize = 2;

/// Vectors that an inner pass takes at a time: two pairs, whose chains of products overlap.
pub const INNER_VECTORS: usize = 4;

/// A list of passes, with the steps of all layers, that is known when the library is compiled.
pub trait Fixed {
    /// The passes, in forward order.
    const PASSES: &'static [Pass];
    /// One step per layer.
    const STEPS: &'static [Step];
}

/// Runs `$body` for the passes of `$fixed` with those numbers, each a constant.
macro_rules! each_fixed {
    ($fixed:ident, [$($i:literal)*], |$pass:ident, $steps:ident| $body:expr) => {
        const { assert!($fixed::PASSES.len() <= 8, "more passes than are written out") };
        $(if const { $i < $fixed::PASSES.len() } {
            let $pass = const { if $i < $fixed::PASSES.len() { $fixed::PASSES[$i] } else { Pass::Split { bits: 0 } } };
            let $steps = const { if $i < $fixed::PASSES.len() { $fixed::PASSES[$i].steps($fixed::STEPS) } else { [Step::Plain; MAX_LEVELS] } };
            $body
        })*
    };
}
use each_fixed;

impl Pass {
    /// Its layers, in forward order.
    pub const fn layers(&self) -> core::ops::Range<usize> {
        match *self {
            Self::Outer { first, levels, .. } | Self::Inner { first, levels, .. } => first..first + levels as usize,
            Self::Sixth { .. } => 0..1,
            Self::Split { .. } => 0..0,
        }
    }

    /// The vectors that go through it together.
    pub const fn group(&self) -> usize {
        match *self {
            Self::Outer { levels, .. } => 1 << levels,
            Self::Inner { parts: 1, .. } => INNER_VECTORS,
            Self::Inner { parts, .. } => 2 * parts,
            Self::Sixth { .. } => 2,
            Self::Split { .. } => 0,
        }
    }

    /// The steps of its layers, out of those of all layers.
    pub const fn steps(&self, all: &[Step]) -> [Step; MAX_LEVELS] {
        let layers = self.layers();
        let mut own = [Step::Plain; MAX_LEVELS];
        let mut i = 0;
        while i < MAX_LEVELS && layers.start + i < layers.end && layers.start + i < all.len() {
            own[i] = all[layers.start + i];
            i += 1;
        }
        own
    }
}

/// Runs a pass by the functions of that name where it is called: those of one direction. A macro, so that each is compiled
/// for what its pass is known to be.
macro_rules! run_pass {
    ($k:ident, $data:ident, $pass:ident, $steps:ident) => {{
        const P: usize = super::INNER_VECTORS / 2;
        match $pass {
            Pass::Outer { first, levels: 1, stride } => outer_one($k, $data, first, stride, $steps),
            Pass::Outer { first, stride: 1, .. } => outer_two($k, $data, first, 1, $steps),
            Pass::Outer { first, stride, .. } => outer_two($k, $data, first, stride, $steps),
            Pass::Inner { .. } | Pass::Split { .. } if !K::INSIDE => {}
            Pass::Sixth { stride } => sixth($k, $data, stride, $steps),
            // Numbers that are written here are constants where the function is compiled.
            Pass::Inner { first, split, from, levels, parts } => match (from, levels, parts) {
                (0, 1, 1) => inner::<K, P, 1>($k, $data, first, 0, 1, split, $steps),
                (0, _, 1) => inner::<K, P, 1>($k, $data, first, 0, 2, split, $steps),
                (_, 1, 1) => inner::<K, P, 1>($k, $data, first, 2, 1, split, $steps),
                (_, _, 1) => inner::<K, P, 1>($k, $data, first, 2, 2, split, $steps),
                _ => inner::<K, 3, 3>($k, $data, first, from, levels, split, $steps),
            },
            Pass::Split { bits } => split($k, $data, bits),
        }
    }};
}
use run_pass;

/// The vectors of a pass: `P` operands `a`, `P` operands `b`.
type Registers<V, const P: usize> = [[V; P]; 2];

/// The rows of memory that feed the registers.
type Rows<'a, B, const P: usize> = [[&'a mut [B]; P]; 2];

/// Splits `2P` rows of `stride` vectors off the front of `data`.
#[inline(always)]
fn split_rows<'a, B, const P: usize>(data: &mut &'a mut [B], stride: usize) -> Option<Rows<'a, B, P>> {
    let (mut group, rest) = core::mem::take(data).split_at_mut_checked(2 * P * stride)?;
    *data = rest;
    let mut rows: Rows<'a, B, P> = from_fn(|_| from_fn(|_| Default::default()));
    for half in &mut rows {
        for row in half {
            (*row, group) = group.split_at_mut_checked(stride)?;
        }
    }
    (stride != 0).then_some(rows)
}

/// Loads column `j` of the rows.
#[inline(always)]
fn load_column<K: Kernel, const P: usize>(
    k: &mut K,
    rows: &Rows<'_, K::Block, P>,
    j: usize,
) -> Option<Registers<K::V, P>> {
    Some(lockstep!(2, |h| lockstep!(P, |i| k.load(rows[h][i].get(j)?))))
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
            k.store(rows[h][i].get_mut(j)?, v[h][i]);
        }
    }
    Some(())
}

/// Takes every column of every group of `2 * $p` rows through registers: opens the group's row of the table, reads its
/// broadcast twiddles, and for each column loads, computes and stores; `$at` is the number of the column.
/// A macro, because a closure would be compiled without the instructions of the backend.
macro_rules! each_column {
    ($k:ident, $data:expr, $stride:expr, $p:expr, row($broadcast:expr, $lanewise:expr), $twiddles:expr,
        |$v:ident, $w:ident, $at:ident| $body:expr) => {{
        let mut rest = $data;
        while let Some(mut rows) = split_rows::<_, { $p }>(&mut rest, $stride) {
            if !$k.row($broadcast, $lanewise) {
                return;
            }
            let $w = $twiddles;
            for j in 0..$stride {
                let Some($v) = load_column($k, &rows, j) else { return };
                let $at: usize = j;
                let results = $body;
                if store_column($k, &mut rows, j, results).is_none() {
                    return;
                }
            }
        }
    }};
}
use each_column;

/// The broadcast twiddles of a row of `C`: reduced ones, then exact ones for kernels that leave products unreduced.
#[inline(always)]
fn twiddles<K: Kernel, const C: usize>(k: &mut K) -> [[K::Tw; C]; 2] {
    let reduced = lockstep!(C, |i| k.twiddle(i));
    [reduced, if k.lazy() > 1 { lockstep!(C, |i| k.twiddle(C + i)) } else { reduced }]
}

/// Broadcast twiddles in a row of `count`, see [`twiddles`].
#[inline(always)]
fn row_of<K: Kernel>(k: &K, count: usize) -> usize {
    if k.lazy() > 1 { 2 * count } else { count }
}

/// Between the two layers of four registers: the operands at distance two become those at distance one, and back.
#[inline(always)]
fn turn<V: Copy>([a, b]: Registers<V, 2>) -> Registers<V, 2> {
    [[a[0], b[0]], [a[1], b[1]]]
}

/// Of `2P` vectors in memory, residues of `M` each, every other residue as `a`, those between them as `b`.
#[inline(always)]
fn pairs<V: Copy, const P: usize, const M: usize>(v: Registers<V, P>) -> Registers<V, P> {
    lockstep!(2, |odd| lockstep!(P, |i| {
        let at = i / M * 2 * M + odd * M + i % M;
        v[at / P][at % P]
    }))
}

/// Undoes [`pairs`].
#[inline(always)]
fn neighbours<V: Copy, const P: usize, const M: usize>(v: Registers<V, P>) -> Registers<V, P> {
    lockstep!(2, |half| lockstep!(P, |i| {
        let at = half * P + i;
        v[at / M % 2][at / (2 * M) * M + at % M]
    }))
}

/// After an exchange of a lane bit with the bit between two residues of `M` vectors each, `a` and `b` hold the even and the
/// odd vectors of `2M` in a row; makes them the lower and the upper half of these.
#[inline(always)]
fn halves<V: Copy, const P: usize, const M: usize>(v: Registers<V, P>) -> Registers<V, P> {
    lockstep!(2, |half| lockstep!(P, |i| v[(half * M + i % M) % 2][i / M * M + (half * M + i % M) / 2]))
}

/// Undoes [`halves`].
#[inline(always)]
fn even_and_odd<V: Copy, const P: usize, const M: usize>(v: Registers<V, P>) -> Registers<V, P> {
    lockstep!(2, |odd| lockstep!(P, |i| {
        let at = 2 * (i % M) + odd;
        v[at / M][i / M * M + at % M]
    }))
}

/// Exchanges the lane bit of blocks of `block` lanes with the register bit between `a` and `b`.
#[inline(always)]
fn exchange<K: Kernel>(k: &mut K, block: usize, [a, b]: [K::V; 2]) -> [K::V; 2] {
    let (x, y) = match block {
        1 => k.interleave::<1>(a, b),
        2 => k.interleave::<2>(a, b),
        4 => k.interleave::<4>(a, b),
        8 if k.lanes() > 8 => k.interleave::<8>(a, b),
        _ => (a, b), // no lane bit is left
    };
    [x, y]
}

/// Brings the next lane bit, that of blocks of `block` lanes at first, into the register bit. A chunk's bits rotate:
/// where `exchange` would leave the old register bit in the place of the new one, it comes last. After all bits of the
/// chunk, exchanges with the lane bits from the lowest up undo all of it.
#[inline(always)]
fn descend<K: Kernel>(k: &mut K, block: usize, [a, b]: [K::V; 2]) -> [K::V; 2] {
    if block >= k.chunk() {
        return exchange(k, block, [a, b]);
    }
    let (x, y) = k.zip(a, b);
    [x, y]
}

/// Applies `$exchange` to every pair of registers.
macro_rules! in_pairs {
    ($p:expr, [$a:ident, $b:ident], |$pair:ident| $exchange:expr) => {{
        let pairs = lockstep!($p, |i| {
            let $pair = [$a[i], $b[i]];
            $exchange
        });
        lockstep!(2, |h| lockstep!($p, |i| pairs[i][h]))
    }};
}
use in_pairs;

/// Moves the lowest `bits` lane bits of `data` into index bits of the vectors, by `$exchange` of vectors at distance
/// `$distance`, in that order of distances.
macro_rules! split_bits {
    ($k:ident, $data:ident, $distances:expr, |$distance:ident, $pair:ident| $exchange:expr) => {
        for $distance in $distances {
            let mut rest = &mut *$data;
            while let Some(mut rows) = split_rows::<_, 1>(&mut rest, $distance) {
                for j in 0..$distance {
                    let Some([[a], [b]]) = load_column($k, &rows, j) else { return };
                    let $pair = [a, b];
                    let [a, b] = $exchange;
                    if store_column($k, &mut rows, j, [[a], [b]]).is_none() {
                        return;
                    }
                }
            }
        }
    };
}
use split_bits;

/// Reduces every value.
#[inline(always)]
pub fn reduce<K: Kernel>(k: &mut K, data: &mut [K::Block]) {
    for x in data {
        let v = k.load(x);
        let v = k.reduce(v);
        k.store(x, v);
    }
}
