//! What a ledger knows of lanes and twiddles.

use crate::reduction::Factor;
use alloc::vec::Vec;

/// What one lane holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The residue is modulo `X^d - zeta^exponent`.
    pub exponent: usize,
    /// Which of its `d` coefficients.
    pub coefficient: usize,
    /// What multiplies it.
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
    /// How each of the twiddles moves, in that order.
    pub(crate) moves: Vec<Move>,
}

/// How a twiddle differs from group to group of a pass: by `times` what the exponents of the
/// residues differ by that `layer` splits others into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) layer: usize,
    pub(crate) times: i32,
}
