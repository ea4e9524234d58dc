//! Twiddles in the encoding that kernels read. Nothing here is generic: words have 64 bits.

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

/// Encodes rows for a kernel.
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

    /// The encoder for the transforms of a recipe.
    pub(super) fn of_transforms(recipe: &Recipe, contract: &'a Contract) -> Self {
        Self { packed: twist(recipe.passes()).is_some(), ..Self::new(recipe.backend(), contract) }
    }

    /// Encodes a row after multiplying its residues, in the order of the twiddles; those after the
    /// last multiplier stay unchanged.
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

/// The largest number of words at the end of a table: its padding, and words up to a cache line.
const END: usize = MAX_ROW + Buffer::<i16>::LINE / size_of::<i16>();

/// A table under construction; words are packed as they arrive.
pub(crate) trait Words {
    /// The number of words so far.
    fn length(&self) -> usize;
    /// Reserves exactly `words` more words.
    fn reserve(&mut self, words: usize);
    /// Appends words, which fit those of the table.
    fn append(&mut self, words: &[i64]);

    /// Appends the `i`-th of `rows` rows of equal length; the first one reserves room for all.
    fn append_row(&mut self, row: &[i64], i: usize, rows: usize) {
        if i == 0 {
            self.reserve_rows(rows * row.len());
        }
        self.append(row);
    }

    /// Reserves room for rows of `words` words in total, and for the end of the table.
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

/// Appends padding for the kernel's window beyond the last row.
pub(super) fn pad(words: &mut dyn Words) {
    words.append(&[0; MAX_ROW]);
}

fn push_broadcast(words: &mut Vec<i64>, twiddle: &[i64; 2], layout: Layout) {
    for word in &twiddle[..layout.words] {
        words.extend(core::iter::repeat_n(*word, layout.repeat));
    }
}
