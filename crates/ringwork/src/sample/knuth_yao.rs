//! Knuth and Yao's sampler with two look-up tables, as in the ring-LWE processor: a model for
//! hardware and for teaching, in variable time.
//!
//! The *probability matrix* has a row for each absolute value `k ≤ 12σ`, with the first 109 binary
//! digits of `P(|x| = k)`. It describes a binary tree: column `c` lists the leaves of level
//! `c + 1`, which precede the inner nodes of that level. The walk descends the tree by random bits;
//! its only state is the distance `d` of the current node from the first inner node of the level.
//! In each column `d` becomes `2d + bit`; then every 1 of the column, from the last row up,
//! subtracts one, and the row that would make `d` negative is the sample.
//!
//! 1. The first table has the outcomes of all 2^8 walks through the first eight columns: a sample
//!    or a distance.
//! 2. After a distance `d`, the second table has the outcomes of five more columns: entry
//!    `32·d + bits`.
//! 3. After another distance, the walk continues bit by bit. If the matrix ends, the walk starts
//!    again.
//!
//! Then one bit gives the sign, 1 for minus. So a sample takes 8 + 1, 13 + 1, or more than 14 bits.
//! In an index, the first bit drawn is the highest.
//!
//! Source: Sinha Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor*
//! (2014), section 6.1; the walk is algorithm 1 of *High precision discrete Gaussian sampling on
//! FPGAs* (2013) by the first three.

use super::{
    SampleError, Word, assert_fits,
    gaussian::{Fixed, absolute},
};
use crate::xof::ByteStream;

/// The largest standard deviation: the numbers of 12σ rows have eight bits.
const MAX_SIGMA: f64 = 21.25;
/// The smallest standard deviation: far below it, `P(0)` would be 1 in 109 digits, but a row has no
/// digit before the point.
const MIN_SIGMA: f64 = 0.25;
/// The numbers of columns that the first and the second table cover.
const FIRST: usize = 8;
const SECOND: usize = 5;

/// A Gaussian sampler in **variable time**: time, memory accesses and the number of bits read all
/// depend on the samples. For secrets use [`Gaussian`](super::Gaussian).
#[derive(Clone, Debug)]
pub struct KnuthYao {
    /// The rows of the matrix; digit `c` of `COLUMNS` is bit `COLUMNS - 1 - c`.
    rows: Vec<u128>,
    first: Vec<Step>,
    second: Vec<Step>,
    distance_log2: f64,
}

/// The state of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The walk ended with this absolute value.
    Sample(u8),
    /// The walk continues, at this distance from the first inner node of the level.
    Distance(u16),
}

impl KnuthYao {
    /// Columns of the matrix.
    pub const COLUMNS: usize = 109;

    /// The sampler for the standard deviation parameter `sigma`, which is taken as the exact value
    /// of the binary number.
    ///
    /// **Errors** unless `0.25 ≤ sigma ≤ 21.25`.
    pub fn new(sigma: f64) -> Result<Self, SampleError> {
        if !(MIN_SIGMA..=MAX_SIGMA).contains(&sigma) {
            return Err(SampleError::Deviation { sigma, smallest: MIN_SIGMA, largest: MAX_SIGMA });
        }
        let bits = Self::COLUMNS as u32;
        let probabilities = absolute(sigma, 1);
        let rows: Vec<u128> = probabilities.iter().take((12.0 * sigma) as usize + 1).map(|p| p.scaled(bits)).collect();
        // No row exceeds its probability, so the deficit of all rows together bounds the distance.
        let sum = rows.iter().sum::<u128>();
        let missing = Fixed::ONE.minus(Fixed::of_units(sum, bits));
        let mut sampler = Self { rows, first: Vec::new(), second: Vec::new(), distance_log2: missing.log2() };
        sampler.first = (0..1 << FIRST).map(|index| sampler.walk(0, 0..FIRST, bits_of(index, FIRST))).collect();
        let distances = sampler.first.iter().map(|step| match step {
            Step::Distance(distance) => distance + 1,
            Step::Sample(_) => 0,
        });
        let entries = usize::from(distances.max().unwrap_or(0)) << SECOND;
        sampler.second = (0..entries)
            .map(|index| {
                let distance = (index >> SECOND) as u16;
                sampler.walk(distance, FIRST..FIRST + SECOND, bits_of(index, SECOND))
            })
            .collect();
        Ok(sampler)
    }

    /// The number of rows of the matrix: absolute values from 0 to `12·sigma`.
    pub const fn rows(&self) -> usize {
        self.rows.len()
    }

    /// A digit of the matrix.
    ///
    /// **Panics** if there is no such row or column.
    pub fn digit(&self, row: usize, column: usize) -> bool {
        assert!(column < Self::COLUMNS, "column {column} of {}", Self::COLUMNS);
        self.rows[row] >> (Self::COLUMNS - 1 - column) & 1 == 1
    }

    /// The first table, indexed by eight bits.
    pub fn first_table(&self) -> &[Step] {
        &self.first
    }

    /// The second table, indexed by the distance after the first one and five bits, for all
    /// distances that occur.
    pub fn second_table(&self) -> &[Step] {
        &self.second
    }

    /// The binary logarithm of the statistical distance of one sample from the true distribution,
    /// rounded up.
    pub const fn statistical_distance_log2(&self) -> f64 {
        self.distance_log2
    }

    /// Draws one sample from random bits.
    ///
    /// **Range:** `[-12σ, 12σ]`. **Constant time:** no.
    pub fn draw_vartime(&self, mut random_bit: impl FnMut() -> bool) -> i16 {
        let sample = loop {
            let index = number(FIRST, &mut random_bit);
            let mut step = self.first[index];
            if let Step::Distance(distance) = step {
                let index = usize::from(distance) << SECOND | number(SECOND, &mut random_bit);
                step = self.second[index];
            }
            if let Step::Distance(distance) = step {
                step = self.walk(distance, FIRST + SECOND..Self::COLUMNS, &mut random_bit);
            }
            if let Step::Sample(sample) = step {
                break i16::from(sample);
            }
        };
        if random_bit() { -sample } else { sample }
    }

    /// Fills `out` from the bits of the stream, the lowest of each byte first. Unused bits of the
    /// last byte are discarded.
    ///
    /// - **Range:** `[-12σ, 12σ]`.
    /// - **Constant time:** no.
    /// - **Panics** if that range does not fit the word; it takes at most 9 bits.
    pub fn sample_vartime<W: Word>(&self, stream: &mut impl ByteStream, out: &mut [W]) {
        assert_fits::<W>(self.rows.len() as i64 - 1);
        let (mut byte, mut left) = ([0], 0);
        let mut random_bit = || {
            if left == 0 {
                stream.read(&mut byte);
                left = 8;
            }
            left -= 1;
            let bit = byte[0] & 1 == 1;
            byte[0] >>= 1;
            bit
        };
        out.iter_mut().for_each(|value| *value = W::truncate(self.draw_vartime(&mut random_bit).into()));
    }

    /// The walk from a distance through some columns.
    fn walk(&self, distance: u16, columns: core::ops::Range<usize>, mut random_bit: impl FnMut() -> bool) -> Step {
        let mut distance = usize::from(distance);
        for column in columns {
            distance = 2 * distance + usize::from(random_bit());
            for row in (0..self.rows()).rev().filter(|&row| self.digit(row, column)) {
                if distance == 0 {
                    return Step::Sample(row as u8);
                }
                distance -= 1;
            }
        }
        // Each row leaves less than one node's share to lower levels, and the tail beyond 12σ
        // leaves less than 2^-100 of the tree.
        Step::Distance(distance.try_into().expect("a level has few inner nodes"))
    }
}

/// The lowest bits of a number, highest first.
fn bits_of(number: usize, bits: usize) -> impl FnMut() -> bool {
    let mut left = bits;
    move || {
        left -= 1;
        number >> left & 1 == 1
    }
}

/// A number of `bits` random bits, highest first.
fn number(bits: usize, mut random_bit: impl FnMut() -> bool) -> usize {
    (0..bits).fold(0, |number, _| number << 1 | usize::from(random_bit()))
}

#[cfg(test)]
#[expect(clippy::integer_division_remainder_used, reason = "tests of known numbers")]
mod tests {
    use super::{super::testing::*, *};
    use crate::xof::ChaCha20;
    use core::cell::Cell;
    use reference::sample::{knuth_yao, probability_matrix};

    /// σ of the paper's parameter sets P1 and P2; the paper states s = σ√(2π).
    fn sigmas() -> [f64; 2] {
        [11.32, 12.18].map(|s: f64| s / core::f64::consts::TAU.sqrt())
    }

    fn random_bits(seed: u8) -> impl FnMut() -> bool {
        let mut bytes = vec![0; 1 << 17];
        ChaCha20::new(&[seed; 32], [0; 8]).read(&mut bytes);
        let mut bits = (0..8 * bytes.len()).map(move |i| bytes[i / 8] >> (i % 8) & 1 == 1);
        move || bits.next().expect("enough bits")
    }

    #[test]
    fn the_matrix_is_that_of_the_reference() {
        for sigma in sigmas().into_iter().chain([0.25, 1.0, 21.25]) {
            let sampler = KnuthYao::new(sigma).unwrap();
            let matrix: Vec<Vec<bool>> = (0..sampler.rows())
                .map(|row| (0..KnuthYao::COLUMNS).map(|c| sampler.digit(row, c)).collect())
                .collect();
            assert!(matrix == probability_matrix(sigma, 109), "sigma = {sigma}");
            assert!(sampler.statistical_distance_log2() < -90.0);
        }
    }

    /// The walk without tables, which discards the bits that the tables read beyond its end.
    #[test]
    fn tables_do_not_change_the_walk() {
        for sigma in sigmas() {
            let sampler = KnuthYao::new(sigma).unwrap();
            let matrix = probability_matrix(sigma, 109);
            let (mut a, mut b) = (random_bits(1), random_bits(1));
            let (used_a, used_b) = (Cell::new(0), Cell::new(0));
            let mut long = 0;
            for _ in 0..40_000 {
                let with_tables = sampler.draw_vartime(|| {
                    used_a.set(used_a.get() + 1);
                    a()
                });
                let mut next = || {
                    used_b.set(used_b.get() + 1);
                    b()
                };
                let start = used_b.get();
                let row = i16::try_from(knuth_yao(&matrix, &mut next).expect("a sample")).unwrap();
                let steps = used_b.get() - start;
                let taken = if steps <= 8 { 8 } else { steps.max(13) };
                (steps..taken).for_each(|_| _ = next());
                long += usize::from(taken > 13);
                assert_eq!(with_tables, if next() { -row } else { row });
                assert_eq!(used_a.get(), used_b.get(), "the same bits");
            }
            assert!(long > 10, "the walk beyond the tables is seen");
        }
    }

    /// "The second lookup fails with probability < 0.0016"; and every row has as many leaves as its
    /// digits say.
    #[test]
    fn tables_hold_the_upper_tree() {
        for sigma in sigmas() {
            let sampler = KnuthYao::new(sigma).unwrap();
            let mut leaves = vec![0; sampler.rows()];
            let mut failed = 0;
            for bits in 0..1_usize << 13 {
                let step = match sampler.first_table()[bits >> 5] {
                    Step::Distance(d) => sampler.second_table()[usize::from(d) << 5 | bits & 31],
                    sample => sample,
                };
                match step {
                    Step::Sample(row) => leaves[usize::from(row)] += 1,
                    Step::Distance(_) => failed += 1,
                }
            }
            for (row, &count) in leaves.iter().enumerate() {
                let expected = (0..13).fold(0, |number, column| 2 * number + i32::from(sampler.digit(row, column)));
                assert_eq!(count, expected, "row {row}");
            }
            assert!(f64::from(failed) / 8192.0 < 0.0016, "{failed} of 8192");
        }
    }

    #[test]
    fn samples_are_gaussian() {
        for sigma in sigmas() {
            let mut out = vec![0_i16; 1 << 16];
            KnuthYao::new(sigma).unwrap().sample_vartime(&mut ChaCha20::new(&[3; 32], [0; 8]), &mut out);
            assert_gaussian(&out, sigma);
        }
    }

    #[test]
    fn other_deviations_are_refused() {
        for sigma in [f64::NAN, -1.0, 0.2, 22.0] {
            let error = KnuthYao::new(sigma).unwrap_err().to_string();
            assert_eq!(error, format!("the standard deviation {sigma} is not in 0.25..=21.25"));
        }
    }
}
