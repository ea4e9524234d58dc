//! The erased kernel: one compiled copy of each network for any method, word and number of lanes.
//!
//! Values are words of 64 bits, and each operation is one virtual call per lane. It is slow but correct, and shares
//! with compiled kernels all that matters: the networks, the tables, and the reductions, on one lane. Plans that
//! [`kernels`](crate::kernels) does not list run here.

use super::{
    buffer::Buffer,
    machine::{Layout, Table},
};
use crate::{
    model::{Algebra, Value},
    reduction::{ByMethod, Constants, Contract, Listed, Reduction},
};
use alloc::{boxed::Box, vec::Vec};
use lanes::{Lanes, scalar::Arrays};

/// A method on single words, which are stored in 64 bits.
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

/// The largest number of terms of a sum that is reduced once.
const MAX_TERMS: usize = 8;

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
        if const { !R::WIDE } {
            return 0; // networks do not ask for it
        }
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

/// A method on words of the width of the constants.
struct OnWords<'a>(&'a Constants);

impl ByMethod for OnWords<'_> {
    type Output = Box<dyn Arithmetic>;

    fn by<F: Listed>(self, _: F) -> Box<dyn Arithmetic> {
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

/// A kernel on vectors with any number of lanes. A block is an index into its memory. A value is an index into its
/// arena; it lives until the next row is opened, or as long as a long sum needs it. A twiddle is two consecutive
/// values.
pub(crate) struct Erased<'t> {
    layout: Layout,
    bits: u32,
    q: i64,
    adds_up_wide: bool,
    arithmetic: Box<dyn Arithmetic>,
    table: Table<'t, i64>,
    memory: Buffer<i64>,
    arena: Vec<i64>,
}

impl<'t> Erased<'t> {
    /// A kernel with that memory, about to read `table`.
    pub(crate) fn new(layout: Layout, contract: &Contract, table: Table<'t, i64>, memory: Buffer<i64>) -> Self {
        let constants = contract.constants();
        let arithmetic = contract.method().by(OnWords(constants));
        Self {
            layout,
            bits: constants.bits,
            q: constants.q,
            adds_up_wide: contract.adds_up_wide(),
            arithmetic,
            table,
            memory,
            arena: Vec::new(),
        }
    }

    /// Whether all rows of the table have been read.
    pub(crate) fn is_done(&self) -> bool {
        self.table.is_spent()
    }

    /// Its memory.
    pub(crate) fn into_memory(mut self) -> Buffer<i64> {
        core::mem::replace(&mut self.memory, Buffer::zeros(0))
    }

    /// Appends a word to the arena, which leaves no copy behind when it grows.
    fn push(&mut self, word: i64) {
        if self.arena.len() == self.arena.capacity() {
            let mut larger = Vec::with_capacity(2 * self.arena.len() + 64);
            larger.extend_from_slice(&self.arena);
            wipe(&mut self.arena);
            self.arena = larger;
        }
        self.arena.push(word);
    }

    /// Appends the vector of `f` of each lane.
    #[inline(never)]
    fn keep(&mut self, f: &dyn Fn(&Self, usize) -> i64) -> usize {
        let start = self.arena.len();
        for lane in 0..self.layout.lanes {
            let word = f(self, lane);
            self.push(word);
        }
        start
    }

    /// Appends the twiddle whose words are at those places, in each lane.
    fn keep_twiddle(&mut self, word: &dyn Fn(&Self, usize, usize) -> i64) -> usize {
        let words = self.layout.words;
        let first = self.keep(&|kernel, lane| word(kernel, 0, lane));
        self.keep(&|kernel, lane| word(kernel, 1 % words, lane));
        first
    }

    /// The vector of `f` of each lane of `x`.
    fn of_each(&mut self, x: Value, f: impl Fn(&Self, i64) -> i64) -> Value {
        let x = usize::from(x);
        self.keep(&|k, i| f(k, k.arena[x + i])).into()
    }

    /// The vector of `f` of each pair of lanes of `x` and `y`.
    fn of_pairs(&mut self, x: Value, y: Value, f: impl Fn(&Self, i64, i64) -> i64) -> Value {
        let [x, y] = [x, y].map(usize::from);
        self.keep(&|k, i| f(k, k.arena[x + i], k.arena[y + i])).into()
    }
}

impl Drop for Erased<'_> {
    fn drop(&mut self) {
        wipe(&mut self.arena);
    }
}

/// Overwrites words that may be secret; the compiler must not remove it.
fn wipe(words: &mut [i64]) {
    words.fill(0);
    core::hint::black_box(words);
}

impl Algebra for Erased<'_> {
    fn lanes(&self) -> usize {
        self.layout.lanes
    }
    fn bits(&self) -> u32 {
        self.bits
    }
    fn mark(&self) -> usize {
        self.arena.len()
    }
    fn keep_since(&mut self, mark: usize, x: Value) -> Value {
        let (x, end) = (usize::from(x), mark + self.layout.lanes);
        self.arena.copy_within(x..x + self.layout.lanes, mark);
        wipe(&mut self.arena[end..]);
        self.arena.truncate(end);
        mark.into()
    }
    fn load(&mut self, block: Value) -> Value {
        let block = usize::from(block);
        self.keep(&|k, i| k.memory.words()[block + i]).into()
    }
    fn store(&mut self, block: &mut Value, x: Value) {
        let (lanes, block, x) = (self.layout.lanes, usize::from(*block), usize::from(x));
        self.memory.words_mut()[block..block + lanes].copy_from_slice(&self.arena[x..x + lanes]);
    }
    fn row(&mut self, broadcast: usize, lanewise: usize) -> Option<()> {
        wipe(&mut self.arena);
        self.arena.clear();
        self.table.open(broadcast, lanewise, self.layout)
    }
    fn share(&mut self, shared: bool) {
        self.table.share(shared);
    }
    fn twiddle(&mut self, i: usize) -> usize {
        let Layout { words, repeat, .. } = self.layout;
        let Some(row) = self.table.row else { return self.scaling(0) };
        self.keep_twiddle(&|_, word, _| row[(i * words + word) * repeat])
    }
    fn twiddle_lanes(&mut self, i: usize) -> usize {
        let Layout { words, lanes, .. } = self.layout;
        let Some(row) = self.table.row else { return self.scaling(0) };
        self.keep_twiddle(&|k, word, lane| row[k.table.lanewise + (i * words + word) * lanes + lane])
    }
    fn scaling(&mut self, i: usize) -> usize {
        let Layout { words, repeat, .. } = self.layout;
        self.keep_twiddle(&|kernel, word, _| kernel.table.scaling[(i * words + word) * repeat])
    }
    fn add(&mut self, a: Value, b: Value) -> Value {
        self.of_pairs(a, b, |k, x, y| k.arithmetic.add(x, y))
    }
    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.of_pairs(a, b, |k, x, y| k.arithmetic.sub(x, y))
    }
    fn reduce(&mut self, x: Value) -> Value {
        self.of_each(x, |k, x| k.arithmetic.reduce(x))
    }
    fn mul(&mut self, _: usize, x: Value, w: usize) -> Value {
        let (x, lanes) = (usize::from(x), self.layout.lanes);
        self.keep(&|k, i| k.arithmetic.mul(k.arena[x + i], [k.arena[w + i], k.arena[w + lanes + i]])).into()
    }
    fn mul_exact(&mut self, x: Value, w: usize) -> Value {
        self.of_pairs(x, w.into(), |k, x, w| k.arithmetic.word(x.wrapping_mul(w)))
    }
    fn mul_var(&mut self, x: Value, y: Value) -> Value {
        self.of_pairs(x, y, |k, x, y| k.arithmetic.mul_var(x, y))
    }
    fn adds_up_wide(&self) -> bool {
        self.adds_up_wide
    }
    fn dot(&mut self, x: &[Value], y: &[Value]) -> Value {
        let total = self.keep(&|k, i| {
            let mut operands = [[0; MAX_TERMS]; 2];
            for (words, values) in operands.iter_mut().zip([x, y]) {
                words.iter_mut().zip(values).for_each(|(word, value)| *word = k.arena[usize::from(*value) + i]);
            }
            let total = k.arithmetic.dot(&operands[0][..x.len()], &operands[1][..x.len()]);
            operands.iter_mut().for_each(|words| wipe(words));
            total
        });
        total.into()
    }
    fn interleave(&mut self, block: usize, a: Value, b: Value) -> [Value; 2] {
        let [a, b] = [a, b].map(usize::from);
        let even = self.keep(&|k, i| k.arena[if i & block == 0 { a + i } else { b + i - block }]);
        let odd = self.keep(&|k, i| k.arena[if i & block == 0 { a + i + block } else { b + i }]);
        [even.into(), odd.into()]
    }
    fn zip(&mut self, a: Value, b: Value) -> [Value; 2] {
        let (chunk, [a, b]) = (self.layout.lanes.min((128 / self.bits) as usize), [a, b].map(usize::from));
        let alternate = |i: usize, first: usize| {
            let from = i / chunk * chunk + first + i % chunk / 2;
            if i.is_multiple_of(2) { a + from } else { b + from }
        };
        [0, chunk / 2].map(|first| self.keep(&|k, i| k.arena[alternate(i, first)]).into())
    }
    fn canonical(&mut self, x: Value) -> Value {
        self.of_each(x, |k, x| k.arithmetic.canonical(x))
    }
    fn canonical_of_sum(&mut self, _: bool, x: Value) -> Value {
        self.canonical(x)
    }
    fn add_q_to_negative(&mut self, x: Value) -> Value {
        self.of_each(x, |k, x| x + (k.q & (x >> 63)))
    }
    fn sub_q_above_half(&mut self, x: Value) -> Value {
        self.of_each(x, |k, x| x - (k.q & ((k.q / 2 - x) >> 63)))
    }
}
