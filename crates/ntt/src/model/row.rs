//! The ledger's view of lanes and twiddles.

use crate::reduction::Factor;
use alloc::vec::Vec;

/// The contents of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The residue is modulo `X^d - zeta^exponent`.
    pub exponent: usize,
    /// The index of the coefficient, below `d`.
    pub coefficient: usize,
    /// The factor of the coefficient.
    pub factor: Factor,
}

/// Twiddles of one row of the table, in order: for whole vectors, then lane by lane. Residues in
/// `[0, q)`, before encoding.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// One residue per broadcast twiddle.
    pub broadcast: Vec<u64>,
    /// One residue per lane and lanewise twiddle.
    pub lanewise: Vec<Vec<u64>>,
    /// The move of each twiddle, in that order.
    pub(crate) moves: Vec<Move>,
}

/// The difference of a twiddle from group to group of a pass: `times` times the difference of the
/// exponents of the residues that `layer` splits into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) layer: usize,
    pub(crate) times: i32,
}
