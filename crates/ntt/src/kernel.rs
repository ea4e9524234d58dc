//! Kernels: what a network needs of lanes and a reduction together.
//!
//! A network is generic in a [`Kernel`] and knows only the order of butterflies. [`Machine`] runs it on a CPU; the
//! models (`Ranges`, `Ledger`, `Count`) run the very same function to prove, to build tables, and to count.

use crate::{
    network::{INNER_VECTORS, MAX_LEVELS},
    reduction::{Constants, Reduction},
    schedule::Step,
};
use lanes::Lanes;

/// Vectors, twiddles, and the two butterflies made of them.
pub trait Kernel {
    /// A vector of [`lanes`](Kernel::lanes) values.
    type V: Copy;
    /// A twiddle for all lanes of a vector.
    type Tw: Copy;
    /// A vector in memory.
    type Block;

    /// Whether a vector has an inside: more lanes than one.
    const INSIDE: bool = true;
    /// Values in a vector.
    fn lanes(&self) -> usize;
    /// Values in a chunk, see [`Lanes::CHUNK`].
    fn chunk(&self) -> usize;
    /// Reads a vector.
    fn load(&mut self, b: &Self::Block) -> Self::V;
    /// Writes a vector.
    fn store(&mut self, b: &mut Self::Block, v: Self::V);
    /// Opens the next row of the table: `broadcast` twiddles for whole vectors, then `lanewise` ones. False at the
    /// table's end, which no network reaches that was planned for this table.
    fn row(&mut self, broadcast: usize, lanewise: usize) -> bool;
    /// The `i`-th twiddle of the row that is the same in all lanes.
    fn twiddle(&mut self, i: usize) -> Self::Tw;
    /// The `i`-th twiddle of the row that differs from lane to lane.
    fn twiddle_lanes(&mut self, i: usize) -> Self::Tw;
    /// The two factors of the last inverse layer, for sums and for differences.
    fn scaling(&mut self) -> [Self::Tw; 2];
    /// `a + b`.
    fn add(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`.
    fn sub(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// Of so many products in a row one is reduced, and the others are left as they are; 1 for all kernels but those of
    /// LazyNTT.
    #[inline(always)]
    fn lazy(&self) -> u32 {
        1
    }
    /// Whether the product of that number is reduced: if it is a multiple of [`lazy`](Kernel::lazy).
    #[inline(always)]
    fn reduces(&self, number: u32) -> bool {
        number.is_multiple_of(self.lazy())
    }
    /// `x·w` as it is, where `w` holds the plain residue. Kernels that are not lazy have no such products.
    #[inline(always)]
    fn mul_exact(&mut self, x: Self::V, w: Self::Tw) -> Self::V {
        let [product] = self.mul([x], [w]);
        product
    }
    /// The reduction of the method.
    fn reduce(&mut self, x: Self::V) -> Self::V;
    /// `x·w`.
    fn mul<const P: usize>(&mut self, x: [Self::V; P], w: [Self::Tw; P]) -> [Self::V; P];
    /// The product of two values neither of which is a twiddle.
    fn mul_var(&mut self, x: Self::V, y: Self::V) -> Self::V;
    /// See [`Lanes::interleave`].
    fn interleave<const K: usize>(&mut self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
    /// See [`Lanes::zip`].
    fn zip(&mut self, a: Self::V, b: Self::V) -> (Self::V, Self::V);

    /// Tells a model which layer comes next.
    #[inline(always)]
    fn layer(&mut self, _layer: usize) {}
    /// Tells a model which butterfly of a group comes next.
    #[inline(always)]
    fn butterfly(&mut self, _index: usize) {}

    /// Reduces the first `count` of `x`.
    #[inline(always)]
    fn reduce_first<const P: usize>(&mut self, count: usize, x: [Self::V; P]) -> [Self::V; P] {
        lockstep!(P, |i| if i < count {
            self.butterfly(i);
            self.reduce(x[i])
        } else {
            x[i]
        })
    }

    /// `P` Cooley–Tukey butterflies in lockstep: `(a + w·b, a - w·b)`. A product is reduced if its number is a multiple of
    /// [`lazy`](Kernel::lazy); a coefficient's products are numbered from the last one, which is 0. `w` holds the twiddles
    /// for reduced products, and those for exact ones.
    #[inline(always)]
    fn ct<const P: usize>(
        &mut self,
        step: Step,
        mut a: [Self::V; P],
        mut b: [Self::V; P],
        w: [[Self::Tw; P]; 2],
        number: [u32; P],
    ) -> ([Self::V; P], [Self::V; P]) {
        if !matches!(step, Step::Plain) {
            a = self.reduce_first(P, a);
        }
        if matches!(step, Step::Both) {
            b = self.reduce_first(P, b);
        }
        let t = self.mul_lazy(b, w, number);
        self.sums(a, t)
    }

    /// `P` Gentleman–Sande butterflies in lockstep: `(a + b, (a - b)·w)`; products as in [`ct`](Kernel::ct), numbered from
    /// the first one, which is 1.
    #[inline(always)]
    fn gs<const P: usize>(
        &mut self,
        step: Step,
        a: [Self::V; P],
        b: [Self::V; P],
        w: [[Self::Tw; P]; 2],
        number: [u32; P],
    ) -> ([Self::V; P], [Self::V; P]) {
        let (mut sum, mut difference) = self.sums(a, b);
        match step {
            Step::Plain => {}
            Step::Grown => sum = self.reduce_first(P.div_ceil(2), sum),
            Step::Sums | Step::Both => sum = self.reduce_first(P, sum),
        }
        if matches!(step, Step::Both) {
            difference = self.reduce_first(P, difference);
        }
        (sum, self.mul_lazy(difference, w, number))
    }

    /// Products, some of them exact.
    #[inline(always)]
    fn mul_lazy<const P: usize>(&mut self, x: [Self::V; P], w: [[Self::Tw; P]; 2], number: [u32; P]) -> [Self::V; P] {
        if self.lazy() == 1 {
            return self.mul(x, w[0]);
        }
        lockstep!(P, |i| if self.reduces(number[i]) {
            let [reduced] = self.mul([x[i]], [w[0][i]]);
            reduced
        } else {
            self.mul_exact(x[i], w[1][i])
        })
    }

    /// The last inverse layer: `((a + b)·f, (a - b)·w)`, where `f` and `w` hold the scaling.
    #[inline(always)]
    fn gs_scaled<const P: usize>(
        &mut self,
        step: Step,
        a: [Self::V; P],
        b: [Self::V; P],
        [f, w]: [Self::Tw; 2],
    ) -> ([Self::V; P], [Self::V; P]) {
        let (sum, difference) = self.gs(step, a, b, [[w; P]; 2], [0; P]);
        (self.mul(sum, [f; P]), difference)
    }

    /// The first layer of a trinomial: with `t = w·b`, `(a + t, a + b - t)`.
    #[inline(always)]
    fn ct_sixth(&mut self, step: Step, mut a: Self::V, mut b: Self::V, w: Self::Tw) -> (Self::V, Self::V) {
        if !matches!(step, Step::Plain) {
            a = self.reduce(a);
        }
        if matches!(step, Step::Both) {
            b = self.reduce(b);
        }
        let [t] = self.mul([b], [w]);
        let both = self.add(a, b);
        (self.add(a, t), self.sub(both, t))
    }

    /// Its inverse, scaling included: with `d = (a - b)·w`, `((a + b)·f - d, 2d)`.
    #[inline(always)]
    fn gs_sixth(&mut self, step: Step, a: Self::V, b: Self::V, [f, w]: [Self::Tw; 2]) -> (Self::V, Self::V) {
        let ([sum], [d]) = self.gs_scaled(step, [a], [b], [f, w]);
        (self.sub(sum, d), self.add(d, d))
    }

    /// `(a + b, a - b)`.
    #[inline(always)]
    fn sums<const P: usize>(&mut self, a: [Self::V; P], b: [Self::V; P]) -> ([Self::V; P], [Self::V; P]) {
        let sum = lockstep!(P, |i| {
            self.butterfly(i);
            self.add(a[i], b[i])
        });
        let difference = lockstep!(P, |i| {
            self.butterfly(i);
            self.sub(a[i], b[i])
        });
        (sum, difference)
    }
}

/// The longest row, in words: the lanewise twiddles of an inner pass.
pub(crate) const MAX_ROW: usize = MAX_LEVELS * (INNER_VECTORS / 2) * 2 * 16;
/// Words of two scaling twiddles at most.
pub(crate) const SCALING: usize = 8;

/// Reads a table of encoded twiddles row by row.
///
/// A row is seen through a window of a fixed number of words, so that constant offsets need no check; a table ends with that
/// many words of padding.
#[derive(Clone, Copy)]
pub struct Table<'t, T> {
    rest: &'t [T],
    row: Option<&'t [T; MAX_ROW]>,
    /// Where the lanewise twiddles of the row start.
    lanewise: usize,
    scaling: [T; SCALING],
}

impl<'t, T> Table<'t, T> {
    /// A table, and the words of the two scaling twiddles.
    #[inline(always)]
    pub fn new(words: &'t [T], scaling: [T; SCALING]) -> Self {
        Self { rest: words, row: None, lanewise: 0, scaling }
    }
}

/// Words that `broadcast` twiddles occupy at the start of a row: whole vectors, so that what follows stays aligned.
#[inline(always)]
pub(crate) const fn broadcast_words(broadcast: usize, words: usize, repeat: usize, lanes: usize) -> usize {
    (broadcast * words * repeat + lanes - 1) & !(lanes - 1) // lanes are a power of two
}

/// A CPU: lanes `L` and a reduction `R` on them; with `LAZY`, one that leaves products unreduced.
#[derive(Clone, Copy)]
pub struct Machine<'t, L: Lanes, R, const LAZY: bool = false> {
    lanes: L,
    reduction: R,
    table: Table<'t, L::Word>,
    lazy: u32,
    /// A bit for each number of a product that is reduced; a coefficient meets fewer than 32.
    reduced: u32,
}

impl<'t, L: Lanes, R: Reduction<L>> Machine<'t, L, R> {
    /// A machine about to read `table`.
    #[inline(always)]
    pub fn new(lanes: L, constants: &Constants, table: Table<'t, L::Word>) -> Self {
        Self::lazy(lanes, constants, table, 1)
    }
}

impl<'t, L: Lanes, R: Reduction<L>, const LAZY: bool> Machine<'t, L, R, LAZY> {
    /// A machine about to read `table`, which reduces one of `lazy` products.
    #[inline(always)]
    pub fn lazy(lanes: L, constants: &Constants, table: Table<'t, L::Word>, lazy: u32) -> Self {
        let mut reduced = 1;
        if LAZY {
            let mut number = lazy;
            while number < u32::BITS && number != 0 {
                reduced |= 1 << number;
                number = number.saturating_add(lazy);
            }
        }
        Self { lanes, reduction: R::new(lanes, constants), table, lazy, reduced }
    }
}

/// A twiddle of words that are broadcast.
#[inline(always)]
fn broadcast<L: Lanes, R: Reduction<L>, const N: usize>(lanes: L, words: &[L::Word; N], at: usize) -> R::Twiddle {
    let first = lanes.broadcast(&words[at..at + L::REPEAT]);
    let second = if R::WORDS == 2 { lanes.broadcast(&words[at + L::REPEAT..at + 2 * L::REPEAT]) } else { first };
    R::twiddle(first, second)
}

impl<L: Lanes, R: Reduction<L>, const LAZY: bool> Kernel for Machine<'_, L, R, LAZY> {
    type V = L::V;
    type Tw = R::Twiddle;
    type Block = L::Block;

    const INSIDE: bool = L::LANES > 1;
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
    fn row(&mut self, broadcast: usize, lanewise: usize) -> bool {
        self.table.lanewise = broadcast_words(broadcast, R::WORDS, L::REPEAT, L::LANES);
        self.table.row = self.table.rest.first_chunk();
        let length = self.table.lanewise + lanewise * R::WORDS * L::LANES;
        self.table.rest = self.table.rest.get(length..).unwrap_or_default();
        self.table.row.is_some()
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
        R::twiddle(first, if R::WORDS == 2 { self.lanes.load(&words[1]) } else { first })
    }
    #[inline(always)]
    fn scaling(&mut self) -> [R::Twiddle; 2] {
        lockstep!(2, |t| broadcast::<L, R, SCALING>(self.lanes, &self.table.scaling, t * R::WORDS * L::REPEAT))
    }
    #[inline(always)]
    fn add(&mut self, a: L::V, b: L::V) -> L::V {
        self.lanes.add(a, b)
    }
    #[inline(always)]
    fn sub(&mut self, a: L::V, b: L::V) -> L::V {
        self.lanes.sub(a, b)
    }
    #[inline(always)]
    fn lazy(&self) -> u32 {
        if LAZY { self.lazy } else { 1 }
    }
    #[inline(always)]
    fn reduces(&self, number: u32) -> bool {
        (self.reduced >> (number % u32::BITS)) & 1 == 1
    }
    #[inline(always)]
    fn mul_exact(&mut self, x: L::V, w: R::Twiddle) -> L::V {
        self.lanes.mul_lo(x, R::first(w))
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
    #[inline(always)]
    fn interleave<const K: usize>(&mut self, a: L::V, b: L::V) -> (L::V, L::V) {
        self.lanes.interleave::<K>(a, b)
    }
    #[inline(always)]
    fn zip(&mut self, a: L::V, b: L::V) -> (L::V, L::V) {
        self.lanes.zip(a, b)
    }
}
