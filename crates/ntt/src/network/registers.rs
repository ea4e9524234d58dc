//! Registers of a pass: rows of memory through registers and back, and how registers are renamed.

#[cfg(feature = "threads")]
use super::pass::MAX_ROWS;
use super::{
    border::{End, PLAIN, load, store},
    kernel::Kernel,
    pass::INNER_VECTORS,
};
use core::array::from_fn;

/// The vectors of a pass: `P` operands `a`, `P` operands `b`, and in thirds `P` more; those of a column
/// follow one another.
pub(super) type Registers<V, const P: usize, const H: usize = 2> = [[V; P]; H];

/// The rows of memory that feed the registers.
pub(super) type Rows<'a, B, const P: usize, const H: usize> = [[&'a mut [B]; P]; H];

/// Splits `H·P` rows of `stride` vectors off the front of `data`.
#[inline(always)]
pub(super) fn split_rows<'a, B, const P: usize, const H: usize>(
    data: &mut &'a mut [B],
    stride: usize,
) -> Option<Rows<'a, B, P, H>> {
    let (mut group, rest) = core::mem::take(data).split_at_mut_checked(H * P * stride)?;
    *data = rest;
    let mut rows: Rows<'a, B, P, H> = from_fn(|_| from_fn(|_| Default::default()));
    for half in &mut rows {
        for row in half {
            (*row, group) = group.split_at_mut_checked(stride)?;
        }
    }
    (stride != 0).then_some(rows)
}

/// Where a pass takes its groups of rows from.
pub trait Groups<'a, B: 'a> {
    /// The rows of the next group.
    fn rows<const P: usize, const H: usize>(&mut self, stride: usize) -> Option<Rows<'a, B, P, H>>;
}

impl<'a, B> Groups<'a, B> for &'a mut [B] {
    #[inline(always)]
    fn rows<const P: usize, const H: usize>(&mut self, stride: usize) -> Option<Rows<'a, B, P, H>> {
        split_rows(self, stride)
    }
}

/// What a pass runs on: all vectors of some groups, or some columns of one group.
pub trait Memory<'a, B: 'a>: Sized {
    /// Whether these are whole groups, which passes inside vectors need.
    const WHOLE: bool;
    /// The vectors of whole groups.
    fn whole(self) -> Option<&'a mut [B]>;
    /// As groups of rows, `C` columns at a time.
    fn groups<const C: usize>(self) -> impl Groups<'a, [B; C]>;
}

impl<'a, B> Memory<'a, B> for &'a mut [B] {
    const WHOLE: bool = true;
    #[inline(always)]
    fn whole(self) -> Option<&'a mut [B]> {
        Some(self)
    }
    #[inline(always)]
    fn groups<const C: usize>(self) -> impl Groups<'a, [B; C]> {
        self.as_chunks_mut::<C>().0
    }
}

/// Some columns of one group: its rows, which lie anywhere.
#[cfg(feature = "threads")]
pub struct Columns<'a, B>(pub [&'a mut [B]; MAX_ROWS]);

#[cfg(feature = "threads")]
impl<'a, B> Memory<'a, B> for Columns<'a, B> {
    const WHOLE: bool = false;
    #[inline(always)]
    fn whole(self) -> Option<&'a mut [B]> {
        None
    }
    #[inline(always)]
    fn groups<const C: usize>(self) -> impl Groups<'a, [B; C]> {
        OneGroup(Some(self.0.map(|row| row.as_chunks_mut().0)))
    }
}

#[cfg(feature = "threads")]
struct OneGroup<'a, B>(Option<[&'a mut [B]; MAX_ROWS]>);

#[cfg(feature = "threads")]
impl<'a, B> Groups<'a, B> for OneGroup<'a, B> {
    #[inline(always)]
    fn rows<const P: usize, const H: usize>(&mut self, stride: usize) -> Option<Rows<'a, B, P, H>> {
        let mut rows = self.0.take()?;
        let whole = rows.get(..H * P)?.iter().all(|row| row.len() == stride);
        whole.then(|| from_fn(|h| from_fn(|i| rows.get_mut(h * P + i).map(core::mem::take).unwrap_or_default())))
    }
}

/// Loads the columns of place `j` of the rows.
#[inline(always)]
pub(super) fn load_columns<
    K: Kernel,
    const END: End,
    const P: usize,
    const R: usize,
    const H: usize,
    const C: usize,
>(
    k: &mut K,
    rows: &Rows<'_, [K::Block; C], R, H>,
    j: usize,
) -> Option<Registers<K::V, P, H>> {
    Some(lockstep!(H, |h| lockstep!(P, |i| load::<K, END>(k, &rows[h][i % R].get(j)?[i / R]))))
}

/// Stores the columns of place `j` of the rows.
#[inline(always)]
pub(super) fn store_columns<
    K: Kernel,
    const END: End,
    const P: usize,
    const R: usize,
    const H: usize,
    const C: usize,
>(
    k: &mut K,
    rows: &mut Rows<'_, [K::Block; C], R, H>,
    j: usize,
    v: Registers<K::V, P, H>,
) -> Option<()> {
    for h in 0..H {
        for i in 0..P {
            store::<K, END>(k, &mut rows[h][i % R].get_mut(j)?[i / R], v[h][i]);
        }
    }
    Some(())
}

/// Takes every column of every group of `$h * $p` rows (two halves unless it is said) through registers, `$c` columns
/// at a time (one unless it is said): opens the group's row of the table, reads its broadcast twiddles, and for each
/// column loads, computes and stores. Gives `None` where the table ends too early.
/// A macro, because a closure would be compiled without the instructions of the backend.
macro_rules! each_column {
    ($end:ident, $k:ident, $data:expr, $stride:expr, $p:expr, row $row:tt, $twiddles:expr, |$v:ident, $w:ident| $body:expr) => {
        each_column!($end, $k, $data.as_chunks_mut::<1>().0, $stride, $p in 2 by 1, row $row, $twiddles, |$v, $w| $body)
    };
    ($end:ident, $k:ident, $data:expr, $stride:expr, $p:tt in $h:literal by $c:tt, row($broadcast:expr, $lanewise:expr), $twiddles:expr,
        |$v:ident, $w:ident| $body:expr) => {{
        let (mut rest, stride) = ($data, $stride / $c);
        while let Some(mut rows) = Groups::rows::<{ $p }, $h>(&mut rest, stride) {
            $k.row($broadcast, $lanewise)?;
            let $w = $twiddles;
            for j in 0..stride {
                let $v = load_columns::<_, $end, _, _, _, _>($k, &rows, j)?;
                let results = $body;
                store_columns::<_, $end, _, _, _, _>($k, &mut rows, j, results)?;
            }
        }
        Some(())
    }};
}
pub(super) use each_column;

/// Between the two layers of columns of four registers: the operands at distance two become those at
/// distance one, and back.
#[inline(always)]
pub(super) fn turn<V: Copy, const P: usize>(v: Registers<V, P>) -> Registers<V, P> {
    lockstep!(2, |h| lockstep!(P, |i| v[i % 2][i / 2 * 2 + h]))
}

/// Of `2P` vectors in memory, residues of `M` each, every other residue as `a`, those between them
/// as `b`.
#[inline(always)]
pub(super) fn pairs<V: Copy, const P: usize, const M: usize>(v: Registers<V, P>) -> Registers<V, P> {
    lockstep!(2, |odd| lockstep!(P, |i| {
        let at = i / M * 2 * M + odd * M + i % M;
        v[at / P][at % P]
    }))
}

/// Undoes [`pairs`].
#[inline(always)]
pub(super) fn neighbours<V: Copy, const P: usize, const M: usize>(v: Registers<V, P>) -> Registers<V, P> {
    lockstep!(2, |half| lockstep!(P, |i| {
        let at = half * P + i;
        v[at / M % 2][at / (2 * M) * M + at % M]
    }))
}

/// After an exchange of a lane bit with the bit between two residues of `M` vectors each, `a` and
/// `b` hold the even and the odd vectors of `2M` in a row; makes them the lower and the upper half
/// of these.
#[inline(always)]
pub(super) fn halves<V: Copy, const P: usize, const M: usize>(v: Registers<V, P>) -> Registers<V, P> {
    lockstep!(2, |half| lockstep!(P, |i| v[(half * M + i % M) % 2][i / M * M + (half * M + i % M) / 2]))
}

/// Undoes [`halves`].
#[inline(always)]
pub(super) fn even_and_odd<V: Copy, const P: usize, const M: usize>(v: Registers<V, P>) -> Registers<V, P> {
    lockstep!(2, |odd| lockstep!(P, |i| {
        let at = 2 * (i % M) + odd;
        v[at / M][i / M * M + at % M]
    }))
}

/// Whether a kernel may have more lanes than that: no code is made for what it never has.
pub(super) const fn may_exceed<K: Kernel>(lanes: usize) -> bool {
    match K::LANES {
        Some(known) => known > lanes,
        None => true,
    }
}

/// Exchanges the lane bit of blocks of `block` lanes with the register bit between `a` and `b`.
#[inline(always)]
pub(super) fn exchange<K: Kernel>(k: &mut K, block: usize, [a, b]: [K::V; 2]) -> [K::V; 2] {
    let (x, y) = match block {
        1 => k.interleave::<1>(a, b),
        2 if const { may_exceed::<K>(2) } && k.lanes() > 2 => k.interleave::<2>(a, b),
        4 if const { may_exceed::<K>(4) } && k.lanes() > 4 => k.interleave::<4>(a, b),
        8 if const { may_exceed::<K>(8) } && k.lanes() > 8 => k.interleave::<8>(a, b),
        16 if const { may_exceed::<K>(16) } && k.lanes() > 16 => k.interleave::<16>(a, b),
        32 if const { may_exceed::<K>(32) } && k.lanes() > 32 => k.interleave::<32>(a, b),
        _ => (a, b), // no lane bit is left
    };
    [x, y]
}

/// Brings the next lane bit, that of blocks of `block` lanes at first, into the register bit. A
/// chunk's bits rotate: where `exchange` would leave the old register bit in the place of the new
/// one, it comes last. After all bits of the chunk, exchanges with the lane bits from the lowest up
/// undo all of it.
#[inline(always)]
pub(super) fn descend<K: Kernel>(k: &mut K, block: usize, [a, b]: [K::V; 2]) -> [K::V; 2] {
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
pub(super) use in_pairs;

/// Moves lane bits of groups of `$g` vectors into index bits, or back, by `$exchange` of vectors at distance
/// `$distance`, in that order of distances.
macro_rules! split_bits {
    ($k:ident, $data:ident, $g:literal, [$($distance:literal)*], |$at:ident, $pair:ident| $exchange:expr) => {{
        for group in $data.as_chunks_mut::<$g>().0 {
            let mut v = lockstep!($g, |i| $k.load(&group[i]));
            $(
                for i in 0..$g {
                    if i & $distance == 0 {
                        let ($at, $pair) = ($distance, [v[i], v[i + $distance]]);
                        [v[i], v[i + $distance]] = $exchange;
                    }
                }
            )*
            for i in 0..$g {
                $k.store(&mut group[i], v[i]);
            }
        }
        Some(())
    }};
}
pub(super) use split_bits;

/// Products of all vectors with what the block's row has for their lanes, before the layer `first`.
#[inline(always)]
pub(super) fn twist<K: Kernel>(k: &mut K, data: &mut [K::Block], first: usize) -> Option<()> {
    const P: usize = INNER_VECTORS / 2;
    k.row(0, 1)?;
    let w = k.twiddle_lanes(0);
    k.layer(first);
    let mut rest = data.as_chunks_mut::<1>().0;
    while let Some(mut rows) = split_rows::<_, P, 2>(&mut rest, 1) {
        let [a, b]: Registers<_, P> = load_columns::<_, PLAIN, _, _, _, _>(k, &rows, 0)?;
        let [a, b, c, d] = k.twist([a[0], a[1], b[0], b[1]], w);
        store_columns::<_, PLAIN, _, _, _, _>(k, &mut rows, 0, [[a, b], [c, d]])?;
    }
    Some(())
}

/// Tells the compiler that few transforms come here: others keep registers and places of their loops.
#[cold]
#[inline(never)]
pub(super) fn rare() {}

/// Runs a pass by the functions of that name where it is called: those of one direction. Numbers that are written here
/// are constants where a function is compiled; `$between` and `$inside` say whether passes between and inside vectors
/// are compiled for that end.
macro_rules! run_pass {
    ($end:ident, [$between:expr, $inside:expr], $k:ident, $data:ident: $memory:ident, $pass:ident, $steps:ident,
        { $($first:pat if $when:expr => $of_first:expr,)* }) => {{
        const P: usize = INNER_VECTORS / 2;
        match $pass {
            $($first if $when => $of_first,)*
            Pass::Outer { first, levels: 1, stride } if const { $between && K::PAIRS } && stride % 2 == 0 => {
                outer_one::<K, $end, 2, 2>($k, $data.groups(), first, stride, $steps)
            }
            Pass::Outer { first, levels: 1, stride } if const { $between } => {
                outer_one::<K, $end, 1, 1>($k, $data.groups(), first, stride, $steps)
            }
            Pass::Outer { first, stride: 1, .. } if const { $between } => {
                outer_two::<K, $end, 2, 1>($k, $data.groups(), first, 1, $steps)
            }
            Pass::Outer { first, stride, .. } if const { $between && K::PAIRS } && stride % 2 == 0 => {
                outer_two::<K, $end, 4, 2>($k, $data.groups(), first, stride, $steps)
            }
            Pass::Outer { first, stride, .. } if const { $between } => {
                outer_two::<K, $end, 2, 1>($k, $data.groups(), first, stride, $steps)
            }
            Pass::Inner { first, split, from, levels, parts } if const { $inside && $memory::WHOLE && K::INSIDE } => {
                let data = $data.whole()?;
                match (from, levels, parts) {
                    (0, 1, 1) => inner::<K, $end, P, 1>($k, data, first, 0, 1, split, $steps),
                    (0, _, 1) => inner::<K, $end, P, 1>($k, data, first, 0, 2, split, $steps),
                    (2, 1, 1) if const { may_exceed::<K>(4) } && $k.lanes() > 4 => inner::<K, $end, P, 1>($k, data, first, 2, 1, split, $steps),
                    (2, _, 1) if const { may_exceed::<K>(8) } && $k.lanes() > 8 => inner::<K, $end, P, 1>($k, data, first, 2, 2, split, $steps),
                    (4, 1, 1) if const { may_exceed::<K>(16) } && $k.lanes() > 16 => inner::<K, $end, P, 1>($k, data, first, 4, 1, split, $steps),
                    (_, _, 1) if const { may_exceed::<K>(32) } && $k.lanes() > 32 => inner::<K, $end, P, 1>($k, data, first, from, levels, split, $steps),
                    (_, _, 3) if const { $end == PLAIN } => inner::<K, PLAIN, 3, 3>($k, data, first, from, levels, split, $steps),
                    _ => None,
                }
            }
            _ if const { $end != PLAIN || !$memory::WHOLE } => None,
            Pass::Thirds { first, stride } => {
                rare();
                thirds($k, $data.whole()?, first, stride, $steps)
            }
            Pass::Twist { first, .. } if const { K::INSIDE } => {
                rare();
                twist($k, $data.whole()?, first)
            }
            Pass::Split { bits } if const { K::INSIDE } => split($k, $data.whole()?, bits),
            _ => None,
        }
    }};
}
pub(super) use run_pass;
