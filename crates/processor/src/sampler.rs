//! The sampler, step by step: two look-ups, then the columns of the probability matrix, and the
//! rows of the last column.
//!
//! A step takes a cycle and a word of nine random bits:
//!
//! 1. the lowest eight bits index the first table: a sample, or a distance `d`;
//! 2. `32·d` plus the lowest five bits index the second table: a sample, or a distance;
//! 3. a column with `w` ones: `d = 2d + bit - w`; if that is not negative, the next column;
//! 4. else the sample is the row of the `(-d)`-th one, counted from row 0 up, one row per step.
//!
//! The highest bit of the last step's word is the sign, one for minus. These are the samples of
//! [`KnuthYao`](ringwork::sample::KnuthYao), bit by bit.
//!
//! **Variable time**, like the hardware.

use crate::set::{Column, Set, columns};
use ringwork::sample::Step;

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Look up in the first table.
    First,
    /// Look up in the second table, at this distance.
    Second(usize),
    /// Process a column from a distance.
    Column(usize, usize),
    /// Inspect a row of a column, with this number of ones left.
    Row(usize, usize, usize),
}

/// A sampler for a parameter set.
#[derive(Clone, Debug)]
pub struct Sampler {
    first: Vec<Step>,
    second: Vec<Step>,
    columns: Vec<Column>,
    state: State,
    /// A sample not yet taken: its absolute value, and whether it is negative.
    waiting: Option<(u16, bool)>,
}

impl Sampler {
    /// Uses the tables of the library's sampler.
    pub fn new(set: &Set) -> Self {
        let tables = set.sampler();
        Self {
            first: tables.first_table().to_vec(),
            second: tables.second_table().to_vec(),
            columns: columns(&tables),
            state: State::First,
            waiting: None,
        }
    }

    /// The next step.
    pub const fn state(&self) -> State {
        self.state
    }

    /// Resets the state.
    pub fn clear(&mut self) {
        (self.state, self.waiting) = (State::First, None);
    }

    /// The sample not yet taken.
    pub const fn waiting(&self) -> Option<(u16, bool)> {
        self.waiting
    }

    /// The rest of a cycle: `taken` if the waiting sample was taken, `may_step` if a step is
    /// allowed. Returns the step that was made.
    pub fn clock(&mut self, taken: bool, may_step: bool, random: impl FnOnce() -> Option<u16>) -> Option<State> {
        if taken {
            self.waiting = None;
        }
        let word = if may_step && self.waiting.is_none() { random() } else { None }?;
        let done = self.state;
        self.waiting = self.step(word.into()).map(|row| (row as u16, word >> 8 & 1 == 1));
        Some(done)
    }

    fn step(&mut self, word: usize) -> Option<usize> {
        let (next, sample) = match self.state {
            State::First => looked_up(self.first[word & 0xff], State::Second),
            State::Second(distance) => {
                looked_up(self.second[distance << 5 | word & 0x1f], |distance| State::Column(0, distance))
            }
            State::Column(column, distance) => {
                let (distance, weight) = (2 * distance + (word & 1), self.columns[column].weight);
                let next = match distance.checked_sub(weight) {
                    None => State::Row(column, 0, weight - distance),
                    Some(_) if column + 1 == self.columns.len() => State::First,
                    Some(rest) => State::Column(column + 1, rest),
                };
                (next, None)
            }
            State::Row(column, row, ones) => match ones - usize::from(self.columns[column].digits[row]) {
                0 => (State::First, Some(row)),
                ones => (State::Row(column, row + 1, ones), None),
            },
        };
        self.state = next;
        sample
    }
}

fn looked_up(step: Step, next: impl FnOnce(usize) -> State) -> (State, Option<usize>) {
    match step {
        Step::Sample(sample) => (State::First, Some(sample.into())),
        Step::Distance(distance) => (next(distance.into()), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{random::Random, set::SETS};

    /// The library's sampler gives the same samples for the same bits, in the order in which it
    /// requests them.
    #[test]
    fn samples_are_the_library_s() {
        for set in SETS {
            let (library, mut sampler, mut random) = (set.sampler(), Sampler::new(&set), Random(7));
            let (mut scans, mut steps) = (0, 0);
            for _ in 0..60_000 {
                let mut bits = Vec::new();
                let (row, negative) = loop {
                    let word = random.nine_bits();
                    steps += 1;
                    let state = sampler.clock(true, true, || Some(word)).unwrap();
                    let used = match state {
                        State::First => 8,
                        State::Second(_) => 5,
                        State::Column(..) => 1,
                        State::Row(..) => 0,
                    };
                    scans += usize::from(matches!(state, State::Row(_, 0, _)));
                    bits.extend((0..used).rev().map(|i| word >> i & 1 == 1));
                    if let Some(waiting) = sampler.waiting() {
                        bits.push(word >> 8 & 1 == 1);
                        break waiting;
                    }
                };
                let mut bits = bits.into_iter();
                let sample = library.draw_vartime(|| bits.next().expect("the same bits"));
                assert_eq!(sample, if negative { -(row as i16) } else { row as i16 });
                assert_eq!(bits.next(), None);
            }
            assert!(scans > 30 && steps > 61_000, "{scans} scans, {steps} steps");
        }
    }
}
