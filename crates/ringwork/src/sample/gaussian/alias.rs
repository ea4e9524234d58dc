//! Walker's alias method with thresholds of 96 bits: one uniform column, one comparison, one of two
//! outcomes.
//!
//! Probabilities are first rounded down to multiples of `2^-96/columns`, and the deficit goes to 0:
//! the only error. Everything after that is exact. A column has 2^96 units; column `i` keeps
//! `threshold_i` of them for outcome `i` and gives the others to the outcome `other_i`.
//!
//! Source: Walker, *An efficient method for generating discrete random variables with general
//! distributions* (1977).

use super::fixed::Fixed;

/// Bytes of a threshold.
pub(super) const THRESHOLD: usize = 12;
const BITS: u32 = 8 * THRESHOLD as u32;
const UNITS: u128 = 1 << BITS;

/// The outcomes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// Numbers below this one, of those below 2^96, give the column's own index.
    pub(super) threshold: u128,
    /// The outcome of the other numbers.
    pub(super) other: u8,
}

/// The probabilities of `0..columns` in units of `2^-96/columns`: whole numbers, with that sum.
pub(super) fn weights(probabilities: &[Fixed], columns: usize) -> Vec<u128> {
    let bits = BITS + columns.ilog2();
    let mut weights: Vec<u128> = probabilities.iter().take(columns).map(|p| p.scaled(bits)).collect();
    weights.resize(columns, 0);
    weights[0] += (1 << bits) - weights.iter().sum::<u128>();
    weights
}

/// The columns that give those weights.
pub(super) fn columns(weights: &[u128]) -> Vec<Column> {
    debug_assert_eq!(weights.iter().sum::<u128>(), UNITS * weights.len() as u128);
    let mut left = weights.to_vec();
    // A column that is never paired is full: both outcomes are its own index.
    let mut columns: Vec<Column> = (0..weights.len()).map(|i| Column { threshold: 0, other: i as u8 }).collect();
    let (mut poor, mut rich): (Vec<_>, Vec<_>) = (0..weights.len()).partition(|&i| left[i] < UNITS);
    while let (Some(taker), Some(&giver)) = (poor.pop(), rich.last()) {
        columns[taker] = Column { threshold: left[taker], other: giver as u8 };
        left[giver] -= UNITS - left[taker];
        if left[giver] < UNITS {
            poor.extend(rich.pop());
        }
    }
    columns
}

/// The statistical distance between the outcome and the distribution of the absolute value; the
/// same with signs.
pub(super) fn distance(weights: &[u128], probabilities: &[Fixed]) -> Fixed {
    let bits = BITS + weights.len().ilog2();
    let given = weights.iter().map(|&w| Fixed::of_units(w, bits)).chain(core::iter::repeat(Fixed::ZERO));
    let wanted = probabilities.iter().copied().chain(core::iter::repeat(Fixed::ZERO));
    let values = weights.len().max(probabilities.len());
    let sum = given.zip(wanted).take(values).fold(Fixed::ZERO, |sum, (p, q)| sum.plus(p.distance(q)));
    sum.over(2)
}
