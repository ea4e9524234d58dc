//! Twiddles as kernels read them. Nothing here is generic: words have 64 bits.

use super::{
    buffer::Buffer,
    machine::{Layout, MAX_ROW, SCALING},
    plain::Plain,
};
use crate::{model::Row, planner::Recipe, reduction::Contract};
use alloc::vec::Vec;
use lanes::Backend;

/// Two residues as broadcast twiddles.
pub(crate) fn scaling_words(recipe: &Recipe, contract: &Contract, residues: [u64; 2]) -> [i64; SCALING] {
    let layout = Layout::of(recipe.backend(), contract);
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

/// A row as a kernel reads it. If products may be left exact, the plain residue stands behind each
/// broadcast twiddle.
pub(super) fn encoded(recipe: &Recipe, contract: &Contract, row: &Row, exact: bool) -> Vec<i64> {
    let layout = Layout::of(recipe.backend(), contract);
    let in_lanes = row.lanewise.len() * layout.words * layout.lanes;
    let mut words = Vec::with_capacity(2 * layout.broadcast_words(row.broadcast.len()) + in_lanes);
    for &residue in &row.broadcast {
        push_broadcast(&mut words, &contract.encode(residue), layout);
        if exact {
            push_broadcast(&mut words, &contract.encode_exact(residue), layout);
        }
    }
    words.resize(words.len().next_multiple_of(layout.lanes), 0);
    for residues in &row.lanewise {
        let encoded: Vec<[i64; 2]> = residues.iter().map(|&r| contract.encode(r)).collect();
        for i in 0..layout.words {
            words.extend(encoded.iter().map(|e| e[i]));
        }
    }
    words
}

/// What comes at the end of a table at most: its padding, and words up to a cache line.
pub(super) const END: usize = MAX_ROW + Buffer::<i16>::LINE / size_of::<i16>();

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
            self.reserve(rows * row.len() + END);
        }
        self.append(row);
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
