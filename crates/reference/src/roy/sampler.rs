//! The Gaussian sampler of the ring-LWE cryptoprocessor, which counts random bits and cycles.
//!
//! Source: the paper of [`roy`](super), section 6.1 (two tables) and 7 (bits, cycles, width of the
//! memory); the walk is algorithm 1 of Sinha Roy, Vercauteren, Verbauwhede, *High precision
//! discrete Gaussian sampling on FPGAs* (2013), its reference 28.
//!
//! A cycle passes for each random bit of the walk, for each digit of the probability matrix that is
//! scanned, and for each look-up. A column is kept from the last row that has had a one so far down
//! to row 0, so it has a digit at least; one column after the other, in words of 12 or 32 digits.
//!
//! | | the paper | here |
//! |---|---|---|
//! | the walk at σ = 3.33: random bits, cycles | 5, 17 | 5.29 with the sign, 16.77 |
//! | `3n` samples by tables, n = 256 and 512: cycles | 805, 1644 | 819.7, 1667.3 |
//!
//! The paper does not say how its scan behind the tables works; 805 and 1644 would be 15.5 and 22.2
//! cycles for one, where this one takes 29.8 and 31.7.

use crate::sample::probability_matrix;

/// Columns that the tables cover: the first by eight random bits, the second by five more.
pub const TABLED: [usize; 2] = [8, 5];

/// The probability matrix in a read-only memory.
#[derive(Debug)]
pub struct Rom {
    /// Digits of a word, and of the register in which a word is scanned.
    pub width: usize,
    /// The words, the digit that is scanned first at the top.
    pub words: Vec<u32>,
    /// For each column, its first digit in the memory and how many it has.
    columns: Vec<[usize; 2]>,
}

/// Where a walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// At its end, in this row.
    Sample(usize),
    /// At this distance from the first inner node of its level.
    Distance(usize),
}

/// What a sample, or the average one, has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Random bits that were used.
    pub bits: f64,
    /// Cycles.
    pub cycles: f64,
}

/// Tables and matrix of a distribution.
#[derive(Debug)]
pub struct Sampler {
    /// The matrix.
    pub rom: Rom,
    /// By eight random bits, the first one the highest.
    pub first: Vec<Step>,
    /// By a distance and five more bits.
    pub second: Vec<Step>,
}

impl Rom {
    /// The columns of a matrix in words of up to 32 digits.
    pub fn new(matrix: &[Vec<bool>], width: usize) -> Self {
        let (mut digits, mut columns, mut length) = (Vec::new(), Vec::new(), 1);
        for column in 0..matrix[0].len() {
            let top = matrix.iter().rposition(|row| row[column]).map_or(0, |row| row + 1);
            length = length.max(top);
            columns.push([digits.len(), length]);
            digits.extend((0..length).rev().map(|row| matrix[row][column]));
        }
        let word = |digits: &[bool]| {
            let word = digits.iter().fold(0, |word, &digit| word << 1 | u32::from(digit));
            word << (width - digits.len())
        };
        Self { width, words: digits.chunks(width).map(word).collect(), columns }
    }

    fn digit(&self, place: usize) -> bool {
        self.words[place / self.width] >> (self.width - 1 - place % self.width) & 1 == 1
    }

    /// One column of the walk: a random bit, and the digits up to the sample. Gives where the walk
    /// is then, and the cycles.
    fn column(&self, column: usize, distance: usize, bit: bool) -> (Step, usize) {
        let [first, length] = self.columns[column];
        let mut distance = 2 * distance + usize::from(bit);
        for scanned in 0..length {
            if self.digit(first + scanned) {
                if distance == 0 {
                    return (Step::Sample(length - 1 - scanned), 2 + scanned);
                }
                distance -= 1;
            }
        }
        (Step::Distance(distance), 1 + length)
    }
}

impl Sampler {
    /// The sampler of a standard deviation, with `columns` columns in words of `width` digits.
    pub fn new(sigma: f64, columns: u64, width: usize) -> Self {
        let rom = Rom::new(&probability_matrix(sigma, columns), width);
        let table = |from: &[Step], columns: core::ops::Range<usize>| -> Vec<Step> {
            let through = |steps: Vec<Step>, column| {
                let both = |step: &Step| [false, true].map(|bit| rom.after(*step, column, bit));
                steps.iter().flat_map(both).collect()
            };
            columns.fold(from.to_vec(), through)
        };
        let first = table(&[Step::Distance(0)], 0..TABLED[0]);
        let distance = |step: &Step| if let Step::Distance(distance) = *step { distance } else { 0 };
        let largest = first.iter().map(distance).max().unwrap_or(0);
        let distances: Vec<Step> = (0..=largest).map(Step::Distance).collect();
        let second = table(&distances, TABLED[0]..TABLED[0] + TABLED[1]);
        Self { rom, first, second }
    }

    /// One sample by the walk alone. The last bit is the sign, 1 for minus.
    ///
    /// **Panics** if the matrix ends first, which happens once in 2^100 samples.
    pub fn walk(&self, mut random_bit: impl FnMut() -> bool) -> (i64, Cost) {
        let (row, cost) = self.scan(0, 0, &mut random_bit);
        let sample = if random_bit() { -(row as i64) } else { row as i64 };
        (sample, Cost { bits: cost.bits + 1.0, ..cost })
    }

    fn scan(&self, mut distance: usize, first: usize, mut random_bit: impl FnMut() -> bool) -> (usize, Cost) {
        let mut cost = Cost::default();
        for column in first..self.rom.columns.len() {
            let (step, cycles) = self.rom.column(column, distance, random_bit());
            cost = Cost { bits: cost.bits + 1.0, cycles: cost.cycles + cycles as f64 };
            match step {
                Step::Sample(row) => return (row, cost),
                Step::Distance(next) => distance = next,
            }
        }
        panic!("the matrix has ended");
    }

    /// One sample by the tables. Each look-up takes nine random bits: the index is in the lowest
    /// ones, the sign, if it is the last one, in the highest. So does each column of the scan,
    /// which uses the lowest, and the end.
    ///
    /// **Panics** as [`walk`](Self::walk).
    pub fn tables(&self, mut nine_bits: impl FnMut() -> usize) -> (i64, Cost) {
        let signed = |row: usize, bits: usize| if bits >> TABLED[0] & 1 == 1 { -(row as i64) } else { row as i64 };
        let bits = nine_bits();
        let distance = match self.first[bits & 0xff] {
            Step::Sample(row) => return (signed(row, bits), Cost { bits: 9.0, cycles: 1.0 }),
            Step::Distance(distance) => distance,
        };
        let bits = nine_bits();
        let distance = match self.second[distance << TABLED[1] | bits & 0x1f] {
            Step::Sample(row) => return (signed(row, bits), Cost { bits: 14.0, cycles: 2.0 }),
            Step::Distance(distance) => distance,
        };
        let (row, cost) = self.scan(distance, TABLED.iter().sum(), || nine_bits() & 1 == 1);
        (signed(row, nine_bits()), Cost { bits: cost.bits + 14.0, cycles: cost.cycles + 2.0 })
    }

    /// What the average sample costs by the walk alone.
    pub fn expected_of_walk(&self) -> Cost {
        let cost = self.expected_of_scan(&[1.0], 0);
        Cost { bits: cost.bits + 1.0, ..cost }
    }

    /// What the average sample costs by the tables, and how often the first one and both of them do
    /// not give a sample.
    pub fn expected_of_tables(&self) -> (Cost, [f64; 2]) {
        let (mut probabilities, mut missed) = (vec![0.0; self.rom.columns.len()], [0.0; 2]);
        let [of_first, of_both] = [TABLED[0], TABLED[0] + TABLED[1]].map(|bits| 0.5_f64.powi(bits as i32));
        for distance in self.first.iter().filter_map(|step| step.distance()) {
            missed[0] += of_first;
            let entries = &self.second[distance << TABLED[1]..(distance + 1) << TABLED[1]];
            for distance in entries.iter().filter_map(|step| step.distance()) {
                missed[1] += of_both;
                probabilities[distance] += of_both;
            }
        }
        let scan = self.expected_of_scan(&probabilities, TABLED.iter().sum());
        let cost = Cost { bits: 9.0 + TABLED[1] as f64 * missed[0] + scan.bits, cycles: 1.0 + missed[0] + scan.cycles };
        (cost, missed)
    }

    /// The cost of a scan that begins with each distance so often.
    fn expected_of_scan(&self, distances: &[f64], first: usize) -> Cost {
        let (mut distances, mut cost) = (distances.to_vec(), Cost::default());
        for column in first..self.rom.columns.len() {
            let mut next = vec![0.0; 2 * distances.len() + 2];
            for (distance, probability) in distances.iter().enumerate().filter(|(_, p)| **p > 0.0) {
                for bit in [false, true] {
                    let (step, cycles) = self.rom.column(column, distance, bit);
                    cost.bits += probability / 2.0;
                    cost.cycles += probability / 2.0 * cycles as f64;
                    if let Step::Distance(distance) = step {
                        next[distance] += probability / 2.0;
                    }
                }
            }
            next.truncate(next.iter().rposition(|p| *p > 0.0).map_or(0, |last| last + 1));
            distances = next;
        }
        cost
    }
}

impl Rom {
    /// A step through one more column; a sample stays what it is.
    fn after(&self, step: Step, column: usize, bit: bool) -> Step {
        match step {
            Step::Sample(_) => step,
            Step::Distance(distance) => self.column(column, distance, bit).0,
        }
    }
}

impl Step {
    fn distance(self) -> Option<usize> {
        if let Self::Distance(distance) = self { Some(distance) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample::knuth_yao, testing::Random};

    const COLUMNS: u64 = 109;

    fn sigma(s: f64) -> f64 {
        s / core::f64::consts::TAU.sqrt()
    }

    #[test]
    fn the_walk_is_that_of_the_matrix() {
        let matrix = probability_matrix(3.33, COLUMNS);
        let sampler = Sampler::new(3.33, COLUMNS, 12);
        let (mut a, mut b) = (Random(1), Random(1));
        for _ in 0..5000 {
            let (sample, _) = sampler.walk(|| a.below(2) == 1);
            let row = knuth_yao(&matrix, || b.below(2) == 1).unwrap() as i64;
            assert_eq!(sample, if b.below(2) == 1 { -row } else { row });
        }
    }

    /// "On average 5 random bits and 17 cycles per sample" at σ = 3.33, and words of 12 digits in
    /// place of 32 change neither.
    #[test]
    fn the_walk_costs_what_the_paper_says() {
        let [narrow, wide] = [12, 32].map(|width| Sampler::new(3.33, COLUMNS, width));
        let cost = narrow.expected_of_walk();
        assert_eq!(cost, wide.expected_of_walk());
        assert_eq!([cost.bits, cost.cycles].map(|x| (100.0 * x).round()), [529.0, 1677.0]);
        assert_eq!((cost.bits.round(), cost.cycles.round()), (5.0, 17.0));
        let bits = [&narrow, &wide].map(|sampler| sampler.rom.words.len() * sampler.rom.width);
        assert!(bits[0].abs_diff(bits[1]) < 32, "{bits:?}");
    }

    #[test]
    fn tables_cost_what_the_paper_says() {
        for (s, n, paper, here) in [(11.32, 256, 805.0, 819.7), (12.18, 512, 1644.0, 1667.3)] {
            let (cost, missed) = Sampler::new(sigma(s), COLUMNS, 12).expected_of_tables();
            let cycles = f64::from(3 * n) * cost.cycles;
            assert_eq!((10.0 * cycles).round(), 10.0 * here, "{cycles}");
            assert!((cycles / paper - 1.0).abs() < 0.02);
            assert!(missed[1] < 0.0016, "the paper's bound");
            // What the paper's number would make of the scan.
            let of_scan = (paper / f64::from(3 * n) - 1.0 - missed[0]) / missed[1];
            assert_eq!((10.0 * of_scan).round(), if n == 256 { 155.0 } else { 222.0 });
        }
    }

    /// Samples drawn cost what is expected, and are as frequent as the matrix says.
    #[test]
    fn draws_agree_with_expectations() {
        let sampler = Sampler::new(sigma(11.32), COLUMNS, 12);
        let (mut random, count) = (Random(2), 200_000);
        let (mut of_walk, mut of_tables) = (Cost::default(), Cost::default());
        let mut zeros = [0; 2];
        let add =
            |sum: &mut Cost, cost: Cost| (sum.bits, sum.cycles) = (sum.bits + cost.bits, sum.cycles + cost.cycles);
        for _ in 0..count {
            let (a, cost) = sampler.walk(|| random.below(2) == 1);
            add(&mut of_walk, cost);
            let (b, cost) = sampler.tables(|| random.below(512) as usize);
            add(&mut of_tables, cost);
            zeros = [zeros[0] + i32::from(a == 0), zeros[1] + i32::from(b == 0)];
        }
        for (sum, expected) in [(of_walk, sampler.expected_of_walk()), (of_tables, sampler.expected_of_tables().0)] {
            assert!((sum.bits / f64::from(count) / expected.bits - 1.0).abs() < 0.01);
            assert!((sum.cycles / f64::from(count) / expected.cycles - 1.0).abs() < 0.02);
        }
        // P(0) = 0.0883: the standard deviation of the count is 127.
        assert!(zeros.iter().all(|&zeros| (17_160..18_170).contains(&zeros)), "{zeros:?}");
    }

    /// The tables are the walk: every 13 bits lead to the same row, or to no row.
    #[test]
    fn tables_are_the_walk() {
        for s in [11.32, 12.18] {
            let sampler = Sampler::new(sigma(s), COLUMNS, 12);
            for bits in 0..1_usize << 13 {
                let tabled = match sampler.first[bits >> 5] {
                    Step::Distance(distance) => sampler.second[distance << 5 | bits & 31],
                    sample @ Step::Sample(_) => sample,
                };
                let bit = |column: usize| bits >> (12 - column) & 1 == 1;
                let walked = (0..13).fold(Step::Distance(0), |step, c| sampler.rom.after(step, c, bit(c)));
                assert_eq!(tabled, walked);
            }
        }
    }
}
