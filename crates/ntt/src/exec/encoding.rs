//! Twiddles as kernels read them. Nothing here is generic: words have 64 bits.

use super::machine::{Layout, MAX_ROW, SCALING};
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
    padded(words)
}

/// Encodes a row as a kernel reads it. Behind each broadcast twiddle of LazyNTT stands the plain residue,
/// for products that are left exact.
pub(super) fn push_row(words: &mut Vec<i64>, recipe: &Recipe, contract: &Contract, row: &Row) {
    let layout = Layout::of(recipe.backend(), contract);
    let start = words.len();
    for &residue in &row.broadcast {
        push_broadcast(words, &contract.encode(residue), layout);
        if recipe.lazy_ntt() > 1 {
            push_broadcast(words, &contract.encode_exact(residue), layout);
        }
    }
    words.resize(start + (words.len() - start).next_multiple_of(layout.lanes), 0);
    for residues in &row.lanewise {
        let encoded: Vec<[i64; 2]> = residues.iter().map(|&r| contract.encode(r)).collect();
        for i in 0..layout.words {
            words.extend(encoded.iter().map(|e| e[i]));
        }
    }
}

/// The table with what a kernel's window may see beyond its last row.
pub(super) fn padded(mut words: Vec<i64>) -> Vec<i64> {
    words.resize(words.len() + MAX_ROW, 0);
    words
}

fn push_broadcast(words: &mut Vec<i64>, twiddle: &[i64; 2], layout: Layout) {
    for word in &twiddle[..layout.words] {
        words.extend(core::iter::repeat_n(*word, layout.repeat));
    }
}
