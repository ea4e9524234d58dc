//! Twiddles as kernels read them. Nothing here is generic: words have 64 bits.

use super::{
    buffer::Buffer,
    machine::{Layout, MAX_ROW, SCALING},
    plain::Plain,
};
use crate::{arith::Multiplier, model::Row, network::twist, planner::Recipe, reduction::Contract};
use alloc::vec::Vec;
use lanes::Backend;

/// Two residues as broadcast twiddles.
pub(crate) fn scaling_words(backend: Backend, contract: &Contract, residues: [u64; 2]) -> [i64; SCALING] {
    let layout = Layout::of(backend, contract);
    let mut words = Vec::new();
    for residue in residues {
        push_broadcast(&mut words, &contract.encode(residue), layout);
    }
    words.resize(SCALING, 0);
    core::array::from_fn(|i| words[i])
}

/// A table of one row of broadcast twiddles.
pub(crate) fn broadcast_row(contract: &Contract, backend: Backend, residues: Vec<u64>) -> Vec<i64> {
    let layout = Layout::of(backend, contract);
    let mut words = Vec::new();
    residues.iter().for_each(|residue| push_broadcast(&mut words, &contract.encode(*residue), layout));
    words.resize(words.len().next_multiple_of(layout.lanes), 0);
    pad(&mut words);
    words
}

/// Rows as a kernel reads them.
pub(super) struct Encoder<'a> {
    contract: &'a Contract,
    layout: Layout,
    /// Whether rows of broadcast twiddles are packed: see [`Layout::broadcast_words`].
    packed: bool,
    words: Vec<i64>,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(backend: Backend, contract: &'a Contract) -> Self {
        let layout = Layout::of(backend, contract);
        Self { contract, layout, packed: false, words: Vec::new() }
    }

    /// For the transforms of a recipe.
    pub(super) fn of_transforms(recipe: &Recipe, contract: &'a Contract) -> Self {
        Self { packed: twist(recipe.passes()).is_some(), ..Self::new(recipe.backend(), contract) }
    }

    /// A row, each of whose residues is multiplied first: in the order of the twiddles, of which
    /// those behind the last multiplier stay as they are.
    pub(super) fn row(&mut self, row: &Row, by: &[Option<Multiplier>]) -> &[i64] {
        let Self { contract, layout, packed, ref mut words } = *self;
        let multiplied = |i: usize, residue: u64| match by.get(i) {
            Some(Some(by)) => by.times(residue),
            _ => residue,
        };
        words.clear();
        for (i, &residue) in row.broadcast.iter().enumerate() {
            push_broadcast(words, &contract.encode(multiplied(i, residue)), layout);
        }
        if !packed {
            words.resize(words.len().next_multiple_of(layout.lanes), 0);
        }
        for (i, residues) in row.lanewise.iter().enumerate() {
            let start = words.len();
            words.resize(start + layout.words * layout.lanes, 0);
            for (lane, &residue) in residues.iter().enumerate() {
                let twiddle = contract.encode(multiplied(row.broadcast.len() + i, residue));
                for (word, part) in twiddle.iter().enumerate().take(layout.words) {
                    words[start + word * layout.lanes + lane] = *part;
                }
            }
        }
        words
    }
}

/// What comes at the end of a table at most: its padding, and words up to a cache line.
const END: usize = MAX_ROW + Buffer::<i16>::LINE / size_of::<i16>();

/// A table in the making: words are packed as soon as they are known.
pub(crate) trait Words {
    /// Words so far.
    fn length(&self) -> usize;
    /// Makes room for so many words, and no more.
    fn reserve(&mut self, words: usize);
    /// Adds words, which fit those of the table.
    fn append(&mut self, words: &[i64]);

    /// Adds the `i`-th of so many rows of that length, with the first one room for all.
    fn append_row(&mut self, row: &[i64], i: usize, rows: usize) {
        if i == 0 {
            self.reserve_rows(rows * row.len());
        }
        self.append(row);
    }

    /// Makes room for rows of so many words in all, and for what comes behind them.
    fn reserve_rows(&mut self, words: usize) {
        self.reserve(words + END);
    }
}

impl<T: Plain> Words for Vec<T> {
    fn length(&self) -> usize {
        self.len()
    }
    fn reserve(&mut self, words: usize) {
        self.reserve_exact(words);
    }
    fn append(&mut self, words: &[i64]) {
        self.extend(words.iter().map(|word| T::truncated(*word)));
    }
}

/// Adds what a kernel's window may see beyond the last row.
pub(super) fn pad(words: &mut dyn Words) {
    words.append(&[0; MAX_ROW]);
}

fn push_broadcast(words: &mut Vec<i64>, twiddle: &[i64; 2], layout: Layout) {
    for word in &twiddle[..layout.words] {
        words.extend(core::iter::repeat_n(*word, layout.repeat));
    }
}
