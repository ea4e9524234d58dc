//! The erased kernel: any method, word and number of lanes by one compiled copy of each network.
//!
//! Values are words of 64 bits, and arithmetic is one virtual call for each lane. It is slow and
//! right, and shares with compiled kernels all that matters: the networks, the tables, and the
//! reductions, on one lane. What is not listed in [`kernels`](crate::kernels) runs here.

use super::{
    buffer::Buffer,
    machine::{Layout, Table},
};
use crate::{
    network::{Kernel, Residues},
    reduction::{ByFamily, Constants, Contract, Family, Reduction},
};
use alloc::{boxed::Box, vec::Vec};
use lanes::{Lanes, scalar::Arrays};

/// A method on single words, which are kept in 64 bits.
trait Arithmetic {
    /// The word of the lowest bits.
    fn word(&self, x: i64) -> i64;
    /// See [`Reduction::add`].
    fn add(&self, x: i64, y: i64) -> i64;
    /// See [`Reduction::sub`].
    fn sub(&self, x: i64, y: i64) -> i64;
    /// See [`Reduction::mul`].
    fn mul(&self, x: i64, w: [i64; 2]) -> i64;
    /// See [`Reduction::mul_var`].
    fn mul_var(&self, x: i64, y: i64) -> i64;
    /// One of [`Reduction::dots`], of 2, 3, 4 or 8 pairs.
    fn dot(&self, x: &[i64], y: &[i64]) -> i64;
    /// See [`Reduction::reduce`].
    fn reduce(&self, x: i64) -> i64;
    /// See [`Reduction::canonical`].
    fn canonical(&self, x: i64) -> i64;
}

struct OneLane<L, R> {
    lanes: L,
    reduction: R,
}

impl<L: Lanes<Word: Into<i64>>, R: Reduction<L>> OneLane<L, R> {
    fn vector(&self, x: i64) -> L::V {
        self.lanes.splat(L::word(x))
    }

    fn dot_of<const P: usize>(&self, x: &[i64], y: &[i64]) -> Option<i64> {
        let [x, y] = [x.first_chunk::<P>()?, y.first_chunk::<P>()?].map(|words| words.map(|word| self.vector(word)));
        let [total] = self.reduction.dots(self.lanes, &x, &y);
        Some(self.number(total))
    }

    fn number(&self, v: L::V) -> i64 {
        let mut word = [L::Word::default()];
        self.lanes.store(&mut L::blocks_mut(&mut word)[0], v);
        word[0].into()
    }
}

impl<L: Lanes<Word: Into<i64>>, R: Reduction<L>> Arithmetic for OneLane<L, R> {
    fn word(&self, x: i64) -> i64 {
        L::word(x).into()
    }
    fn add(&self, x: i64, y: i64) -> i64 {
        self.number(self.reduction.add(self.lanes, self.vector(x), self.vector(y)))
    }
    fn sub(&self, x: i64, y: i64) -> i64 {
        self.number(self.reduction.sub(self.lanes, self.vector(x), self.vector(y)))
    }
    fn mul(&self, x: i64, w: [i64; 2]) -> i64 {
        let twiddle = R::twiddle(self.lanes, self.vector(w[0]), self.vector(w[1]));
        let [product] = self.reduction.mul(self.lanes, [self.vector(x)], [twiddle]);
        self.number(product)
    }
    fn mul_var(&self, x: i64, y: i64) -> i64 {
        self.number(self.reduction.mul_var(self.lanes, self.vector(x), self.vector(y)))
    }
    fn dot(&self, x: &[i64], y: &[i64]) -> i64 {
        let total = match x.len() {
            2 => self.dot_of::<2>(x, y),
            3 => self.dot_of::<3>(x, y),
            4 => self.dot_of::<4>(x, y),
            8 => self.dot_of::<8>(x, y),
            _ => None,
        };
        total.expect("as many of both")
    }
    fn reduce(&self, x: i64) -> i64 {
        self.number(self.reduction.reduce(self.lanes, self.vector(x)))
    }
    fn canonical(&self, x: i64) -> i64 {
        self.number(self.reduction.canonical(self.lanes, self.vector(x)))
    }
}

/// A method on words of the width that the constants are for.
struct OnWords<'a>(&'a Constants);

impl ByFamily for OnWords<'_> {
    type Output = Box<dyn Arithmetic>;

    fn by<F: Family>(self, _: F) -> Box<dyn Arithmetic> {
        fn on<L: Lanes<Word: Into<i64>>, R: Reduction<L> + 'static>(
            lanes: L,
            constants: &Constants,
        ) -> Box<dyn Arithmetic> {
            Box::new(OneLane { lanes, reduction: R::new(lanes, constants) })
        }
        match self.0.bits {
            16 => on::<_, F::On16<_>>(Arrays::<i16, 1>::new(), self.0),
            32 => on::<_, F::On32<_>>(Arrays::<i32, 1>::new(), self.0),
            _ => on::<_, F::On64<_>>(Arrays::<i64, 1>::new(), self.0),
        }
    }
}

/// A kernel on vectors of any number of lanes. A block is the place of a vector in its memory; a
/// value is the place of one in its arena, and lives until the next row is opened, or while a long sum
/// needs it. A twiddle is two of these that follow one another.
pub(crate) struct Erased<'t> {
    layout: Layout,
    bits: u32,
    q: i64,
    arithmetic: Box<dyn Arithmetic>,
    table: Table<'t, i64>,
    memory: Buffer<i64>,
    arena: Vec<i64>,
}

impl<'t> Erased<'t> {
    /// A kernel on that memory, about to read `table`.
    pub(crate) fn new(layout: Layout, contract: &Contract, table: Table<'t, i64>, memory: Buffer<i64>) -> Self {
        let constants = contract.constants();
        let arithmetic = contract.method().by(OnWords(constants));
        Self { layout, bits: constants.bits, q: constants.q, arithmetic, table, memory, arena: Vec::new() }
    }

    /// Whether every row of the table was read.
    pub(crate) fn is_done(&self) -> bool {
        self.table.is_spent()
    }

    /// The memory.
    pub(crate) fn memory(&self) -> &[i64] {
        self.memory.words()
    }

    /// Keeps a word; the arena never leaves a copy behind where it grows.
    fn push(&mut self, word: i64) {
        if self.arena.len() == self.arena.capacity() {
            let mut larger = Vec::with_capacity(2 * self.arena.len() + 64);
            larger.extend_from_slice(&self.arena);
            wipe(&mut self.arena);
            self.arena = larger;
        }
        self.arena.push(word);
    }

    /// Keeps the vector of what `f` makes of each lane.
    #[inline(never)]
    fn keep(&mut self, f: &dyn Fn(&Self, usize) -> i64) -> usize {
        let start = self.arena.len();
        for lane in 0..self.layout.lanes {
            let word = f(self, lane);
            self.push(word);
        }
        start
    }

    /// The twiddle of which words lie at those places, in each lane.
    fn keep_twiddle(&mut self, word: &dyn Fn(&Self, usize, usize) -> i64) -> usize {
        let words = self.layout.words;
        let first = self.keep(&|kernel, lane| word(kernel, 0, lane));
        self.keep(&|kernel, lane| word(kernel, 1 % words, lane));
        first
    }

    #[inline(never)]
    fn scaling_twiddle(&mut self, i: usize) -> usize {
        let Layout { words, repeat, .. } = self.layout;
        self.keep_twiddle(&|kernel, word, _| kernel.table.scaling[(i * words + word) * repeat])
    }

    /// `x·w` modulo `2^bits`, for the first word of a twiddle.
    pub(crate) fn mul_low(&mut self, x: usize, w: usize) -> usize {
        self.keep(&|k, i| k.arithmetic.word(k.arena[x + i].wrapping_mul(k.arena[w + i])))
    }
}

impl Drop for Erased<'_> {
    fn drop(&mut self) {
        wipe(&mut self.arena);
    }
}

/// Overwrites what may be secret; the compiler must assume that somebody looks.
fn wipe(words: &mut [i64]) {
    words.fill(0);
    core::hint::black_box(words);
}

impl Kernel for Erased<'_> {
    type V = usize;
    type Tw = usize;
    type Block = usize;

    fn mark(&self) -> usize {
        self.arena.len()
    }
    fn keep_since(&mut self, mark: usize, x: usize) -> usize {
        let end = mark + self.layout.lanes;
        self.arena.copy_within(x..x + self.layout.lanes, mark);
        wipe(&mut self.arena[end..]);
        self.arena.truncate(end);
        mark
    }

    fn lanes(&self) -> usize {
        self.layout.lanes
    }
    fn chunk(&self) -> usize {
        self.layout.lanes.min((128 / self.bits) as usize)
    }
    #[inline(never)]
    fn load(&mut self, b: &usize) -> usize {
        self.keep(&|k, i| k.memory.words()[b + i])
    }
    #[inline(never)]
    fn store(&mut self, b: &mut usize, v: usize) {
        let lanes = self.layout.lanes;
        self.memory.words_mut()[*b..*b + lanes].copy_from_slice(&self.arena[v..v + lanes]);
    }
    #[inline(never)]
    fn row(&mut self, broadcast: usize, lanewise: usize) -> Option<()> {
        wipe(&mut self.arena);
        self.arena.clear();
        self.table.open(broadcast, lanewise, self.layout)
    }
    fn share(&mut self, shared: bool) {
        self.table.share(shared);
    }
    #[inline(never)]
    fn twiddle(&mut self, i: usize) -> usize {
        let Layout { words, repeat, .. } = self.layout;
        let Some(row) = self.table.row else { return self.scaling_twiddle(0) };
        self.keep_twiddle(&|_, word, _| row[(i * words + word) * repeat])
    }
    #[inline(never)]
    fn twiddle_lanes(&mut self, i: usize) -> usize {
        let Layout { words, lanes, .. } = self.layout;
        let Some(row) = self.table.row else { return self.scaling_twiddle(0) };
        self.keep_twiddle(&|k, word, lane| row[k.table.lanewise + (i * words + word) * lanes + lane])
    }
    fn scaling(&mut self) -> [usize; 2] {
        [self.scaling_twiddle(0), self.scaling_twiddle(1)]
    }
    #[inline(never)]
    fn add(&mut self, a: usize, b: usize) -> usize {
        self.keep(&|k, i| k.arithmetic.add(k.arena[a + i], k.arena[b + i]))
    }
    #[inline(never)]
    fn sub(&mut self, a: usize, b: usize) -> usize {
        self.keep(&|k, i| k.arithmetic.sub(k.arena[a + i], k.arena[b + i]))
    }
    #[inline(never)]
    fn reduce(&mut self, x: usize) -> usize {
        self.keep(&|k, i| k.arithmetic.reduce(k.arena[x + i]))
    }
    #[inline(never)]
    fn mul<const P: usize>(&mut self, x: [usize; P], w: [usize; P]) -> [usize; P] {
        let lanes = self.layout.lanes;
        let word = |k: &Self, at: usize| k.arena[at];
        lockstep!(P, |p| self
            .keep(&|k, i| k.arithmetic.mul(word(k, x[p] + i), [word(k, w[p] + i), word(k, w[p] + lanes + i)])))
    }
    #[inline(never)]
    fn mul_var(&mut self, x: usize, y: usize) -> usize {
        self.keep(&|k, i| k.arithmetic.mul_var(k.arena[x + i], k.arena[y + i]))
    }
    fn dots<const P: usize, const J: usize>(&mut self, x: &[usize; P], y: &[usize]) -> [usize; J] {
        lockstep!(J, |j| self.keep(&|k, i| {
            let word = |vector: usize| k.arena[vector + i];
            let mut operands = [x.map(word), core::array::from_fn(|t| word(y[j + t]))];
            let total = k.arithmetic.dot(&operands[0], &operands[1]);
            operands.iter_mut().for_each(|words| wipe(words));
            total
        }))
    }
    #[inline(never)]
    fn interleave<const K: usize>(&mut self, a: usize, b: usize) -> (usize, usize) {
        let even = self.keep(&|k, i| k.arena[if i & K == 0 { a + i } else { b + i - K }]);
        let odd = self.keep(&|k, i| k.arena[if i & K == 0 { a + i + K } else { b + i }]);
        (even, odd)
    }
    #[inline(never)]
    fn zip(&mut self, a: usize, b: usize) -> (usize, usize) {
        let chunk = self.chunk();
        let alternate = |i: usize, first: usize| {
            let from = i / chunk * chunk + first + i % chunk / 2;
            if i.is_multiple_of(2) { a + from } else { b + from }
        };
        (self.keep(&|k, i| k.arena[alternate(i, 0)]), self.keep(&|k, i| k.arena[alternate(i, chunk / 2)]))
    }
}

impl Residues for Erased<'_> {
    #[inline(never)]
    fn canonical(&mut self, x: usize) -> usize {
        self.keep(&|k, i| k.arithmetic.canonical(k.arena[x + i]))
    }
    #[inline(never)]
    fn add_q_to_negative(&mut self, x: usize) -> usize {
        self.keep(&|k, i| k.arena[x + i] + (k.q & (k.arena[x + i] >> 63)))
    }
    #[inline(never)]
    fn sub_q_above_half(&mut self, x: usize) -> usize {
        self.keep(&|k, i| k.arena[x + i] - (k.q & ((k.q / 2 - k.arena[x + i]) >> 63)))
    }
}
