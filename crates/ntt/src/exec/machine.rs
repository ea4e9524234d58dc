//! A CPU as a kernel: lanes, a reduction, and a table of twiddles.

use crate::{
    network::{ExactProducts, INNER_VECTORS, Kernel, MAX_LEVELS, Residues},
    reduction::{Constants, Contract, Reduction},
};
use lanes::{Backend, Lanes, MAX_LANES};

/// The largest number of words in a row: the lanewise twiddles of an inner pass.
pub(crate) const MAX_ROW: usize = MAX_LEVELS * (INNER_VECTORS / 2) * 2 * MAX_LANES;
/// The largest number of words of two scaling twiddles.
pub(crate) const SCALING: usize = 8;

/// Reads a table of encoded twiddles row by row.
///
/// A row is read through a window with a fixed number of words, so that constant offsets need no check; a table ends
/// with that many words of padding.
#[derive(Clone, Copy)]
pub(crate) struct Table<'t, T> {
    rest: &'t [T],
    /// The rows that blocks share.
    shared: &'t [T],
    /// While the shared rows are read, the rest of the others.
    own: Option<&'t [T]>,
    /// The open row.
    pub(crate) row: Option<&'t [T; MAX_ROW]>,
    /// The start of its lanewise twiddles.
    pub(crate) lanewise: usize,
    pub(crate) scaling: [T; SCALING],
}

impl<'t, T: Copy + Default> Table<'t, T> {
    /// A table from its words, the rows that blocks share, and the words of the two scaling twiddles, or none.
    #[inline(always)]
    pub(crate) fn new(words: &'t [T], shared: &'t [T], scaling: &[T]) -> Self {
        let scaling = scaling.first_chunk().copied().unwrap_or([T::default(); SCALING]);
        Self { rest: words, shared, own: None, row: None, lanewise: 0, scaling }
    }

    /// See [`Kernel::share`].
    #[inline(always)]
    pub(crate) fn share(&mut self, shared: bool) {
        match (shared, self.own) {
            (true, None) => (self.own, self.rest) = (Some(self.rest), self.shared),
            (false, Some(own)) => (self.own, self.rest) = (None, own),
            _ => {}
        }
    }

    /// Opens the next row, with `broadcast` and `lanewise` twiddles; see [`Kernel::row`].
    #[inline(always)]
    pub(crate) fn open(&mut self, broadcast: usize, lanewise: usize, layout: Layout) -> Option<()> {
        self.lanewise = layout.broadcast_words(broadcast, !self.shared.is_empty());
        self.row = self.rest.first_chunk();
        let length = self.lanewise + lanewise * layout.words * layout.lanes;
        self.rest = self.rest.get(length..).unwrap_or_default();
        self.row.map(|_| ())
    }

    /// Whether all rows have been read.
    #[inline(always)]
    pub(crate) fn is_spent(&self) -> bool {
        self.rest.len() <= MAX_ROW
    }
}

/// The layout of twiddles in a table.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// Words per twiddle.
    pub(crate) words: usize,
    /// The repetition of a broadcast word.
    pub(crate) repeat: usize,
    /// Lanes of a vector, a power of two.
    pub(crate) lanes: usize,
}

impl Layout {
    /// The layout for a method on a backend.
    pub(crate) fn of(backend: Backend, contract: &Contract) -> Self {
        let bits = contract.constants().bits;
        let words = contract.method().twiddle_words();
        Self { words, repeat: backend.repeat(bits), lanes: backend.lanes(bits) }
    }

    /// The number of words that `broadcast` twiddles occupy at the start of a row: whole vectors, so that the rest
    /// stays aligned, except in the large tables of transforms that share rows, which are packed.
    #[inline(always)]
    pub(crate) const fn broadcast_words(self, broadcast: usize, packed: bool) -> usize {
        let words = broadcast * self.words * self.repeat;
        if packed { words } else { (words + self.lanes - 1) & !(self.lanes - 1) }
    }
}

/// Lanes `L` and a reduction `R` on them.
#[derive(Clone, Copy)]
pub(crate) struct Machine<'t, L: Lanes, R> {
    lanes: L,
    reduction: R,
    q: L::V,
    half: L::V,
    zero: L::V,
    table: Table<'t, L::Word>,
}

impl<'t, L: Lanes, R: Reduction<L>> Machine<'t, L, R> {
    /// A machine about to read `table`.
    #[inline(always)]
    pub(crate) fn new(lanes: L, constants: &Constants, table: Table<'t, L::Word>) -> Self {
        let splat = |x: i64| lanes.splat(L::word(x));
        let (q, half, zero) = (splat(constants.q), splat(constants.q / 2), splat(0));
        Self { lanes, reduction: R::new(lanes, constants), q, half, zero, table }
    }

    const LAYOUT: Layout = Layout { words: R::WORDS, repeat: L::REPEAT, lanes: L::LANES };

    /// Whether all rows of the table have been read.
    #[inline(always)]
    pub(crate) fn is_done(&self) -> bool {
        self.table.is_spent()
    }
}

/// A twiddle from broadcast words.
#[inline(always)]
fn broadcast<L: Lanes, R: Reduction<L>, const N: usize>(lanes: L, words: &[L::Word; N], at: usize) -> R::Twiddle {
    let first = lanes.broadcast(&words[at..at + L::REPEAT]);
    let second = if R::WORDS == 2 { lanes.broadcast(&words[at + L::REPEAT..at + 2 * L::REPEAT]) } else { first };
    R::twiddle(lanes, first, second)
}

impl<L: Lanes, R: Reduction<L>> Kernel for Machine<'_, L, R> {
    type V = L::V;
    type Tw = R::Twiddle;
    type Block = L::Block;

    const PAIRS: bool = L::LANES > 1 && R::PAIRS;
    const SUMS: usize = R::SUMS;
    const REDUCES: bool = R::REDUCES;
    const INSIDE: bool = L::LANES > 1;
    const LANES: Option<usize> = Some(L::LANES);
    #[inline(always)]
    fn lanes(&self) -> usize {
        L::LANES
    }
    #[inline(always)]
    fn chunk(&self) -> usize {
        L::CHUNK
    }
    #[inline(always)]
    fn load(&mut self, b: &L::Block) -> L::V {
        self.lanes.load(b)
    }
    #[inline(always)]
    fn store(&mut self, b: &mut L::Block, v: L::V) {
        self.lanes.store(b, v);
    }
    #[inline(always)]
    fn row(&mut self, broadcast: usize, lanewise: usize) -> Option<()> {
        self.table.open(broadcast, lanewise, Self::LAYOUT)
    }
    #[inline(always)]
    fn share(&mut self, shared: bool) {
        self.table.share(shared);
    }
    #[inline(always)]
    fn twiddle(&mut self, i: usize) -> R::Twiddle {
        let Some(row) = self.table.row else { return broadcast::<L, R, SCALING>(self.lanes, &self.table.scaling, 0) };
        broadcast::<L, R, MAX_ROW>(self.lanes, row, i * R::WORDS * L::REPEAT)
    }
    #[inline(always)]
    fn twiddle_lanes(&mut self, i: usize) -> R::Twiddle {
        let Some(row) = self.table.row else { return broadcast::<L, R, SCALING>(self.lanes, &self.table.scaling, 0) };
        let at = self.table.lanewise + i * R::WORDS * L::LANES;
        let words = L::blocks(&row[at..at + R::WORDS * L::LANES]);
        let first = self.lanes.load(&words[0]);
        R::twiddle(self.lanes, first, if R::WORDS == 2 { self.lanes.load(&words[1]) } else { first })
    }
    #[inline(always)]
    fn scaling(&mut self) -> [R::Twiddle; 2] {
        lockstep!(2, |t| broadcast::<L, R, SCALING>(self.lanes, &self.table.scaling, t * R::WORDS * L::REPEAT))
    }
    #[inline(always)]
    fn add(&mut self, a: L::V, b: L::V) -> L::V {
        self.reduction.add(self.lanes, a, b)
    }
    #[inline(always)]
    fn sub(&mut self, a: L::V, b: L::V) -> L::V {
        self.reduction.sub(self.lanes, a, b)
    }
    const ENTERS: bool = R::ENTERS;
    const FUSES: [bool; 2] = [true, L::LANES * L::BITS as usize >= 512];
    #[inline(always)]
    fn enter<const SMALL: bool>(&mut self, x: L::V) -> L::V {
        self.reduction.enter::<SMALL>(self.lanes, x)
    }
    #[inline(always)]
    fn leave<const SMALL: bool>(&mut self, x: L::V) -> L::V {
        self.reduction.leave::<SMALL>(self.lanes, x)
    }
    #[inline(always)]
    fn leave_canonical(&mut self, x: L::V) -> L::V {
        let x = self.reduction.leave::<true>(self.lanes, x);
        self.add_q_to_negative(x)
    }
    #[inline(always)]
    fn reduce(&mut self, x: L::V) -> L::V {
        self.reduction.reduce(self.lanes, x)
    }
    #[inline(always)]
    fn mul<const P: usize>(&mut self, x: [L::V; P], w: [R::Twiddle; P]) -> [L::V; P] {
        self.reduction.mul(self.lanes, x, w)
    }
    #[inline(always)]
    fn mul_var(&mut self, x: L::V, y: L::V) -> L::V {
        self.reduction.mul_var(self.lanes, x, y)
    }
    const WIDE: Option<bool> = Some(R::WIDE);
    #[inline(always)]
    fn is_wide(&self) -> bool {
        R::WIDE
    }
    #[inline(always)]
    fn dots<const P: usize, const J: usize>(&mut self, x: &[L::V; P], y: &[L::V]) -> [L::V; J] {
        self.reduction.dots(self.lanes, x, y)
    }
    #[inline(always)]
    fn interleave<const K: usize>(&mut self, a: L::V, b: L::V) -> (L::V, L::V) {
        self.lanes.interleave::<K>(a, b)
    }
    #[inline(always)]
    fn zip(&mut self, a: L::V, b: L::V) -> (L::V, L::V) {
        self.lanes.zip(a, b)
    }
}

impl<L: Lanes, R: Reduction<L>> Residues for Machine<'_, L, R> {
    #[inline(always)]
    fn canonical(&mut self, x: L::V) -> L::V {
        self.reduction.canonical(self.lanes, x)
    }
    #[inline(always)]
    fn canonical_of_sum<const MORE: bool>(&mut self, x: L::V) -> L::V {
        self.reduction.canonical_of_sum::<MORE>(self.lanes, x)
    }
    #[inline(always)]
    fn add_q_to_negative(&mut self, x: L::V) -> L::V {
        let negative = self.lanes.gt(self.zero, x);
        self.lanes.add(x, self.lanes.and(negative, self.q))
    }
    #[inline(always)]
    fn sub_q_above_half(&mut self, x: L::V) -> L::V {
        let above = self.lanes.gt(x, self.half);
        self.lanes.sub(x, self.lanes.and(above, self.q))
    }
}

impl<L: Lanes, R: Reduction<L>> ExactProducts for Machine<'_, L, R> {
    #[inline(always)]
    fn mul_exact(&mut self, x: L::V, w: R::Twiddle) -> L::V {
        self.lanes.mul_lo(x, R::first(w))
    }
}
