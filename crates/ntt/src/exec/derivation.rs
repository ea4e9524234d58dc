//! The derivation of a table: networks on ledgers, pass by pass and group by group, so that no more is
//! kept than what every place holds, and the words.

use super::encoding::push_row;
use crate::{
    model::{Entry, Ledger},
    network::{self, Direction, Pass},
    planner::Recipe,
    reduction::Factor,
};
use alloc::{vec, vec::Vec};

/// What a place of a transformed polynomial holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// The residue is modulo `X^d - root^exponent`.
    pub(crate) exponent: u32,
    /// Which of its `d` coefficients.
    pub(crate) coefficient: u32,
}

/// A table in the making. All values carry one factor between passes.
pub(super) struct Derivation<'a> {
    recipe: &'a Recipe,
    direction: Direction,
    /// Of vectors of one value: the columns of a pass between vectors are alike, and so are lanes.
    of_words: Ledger,
    /// Of whole vectors.
    of_vectors: Ledger,
    /// What values carry.
    pub(super) factor: Factor,
    pub(super) words: Vec<i64>,
}

/// Whether it is a pass between vectors, whose columns are alike.
const fn is_between(pass: &Pass) -> bool {
    matches!(pass, Pass::Outer { .. } | Pass::Trinomial { .. })
}

impl<'a> Derivation<'a> {
    pub(super) fn new(recipe: &'a Recipe, direction: Direction, factor: Factor) -> Self {
        let ledger =
            |lanes| Ledger::new(lanes, recipe.n(), recipe.contract(), recipe.modulus(), recipe.root(), recipe.order());
        let (of_words, of_vectors) = (ledger(1), ledger(recipe.lanes()));
        Self { recipe, direction, of_words, of_vectors, factor, words: Vec::new() }
    }

    /// The scaling residues of the last inverse layer.
    pub(super) const fn scaling(&self) -> [u64; 2] {
        self.of_words.scaling
    }

    /// The passes between vectors, and those inside.
    fn passes(&self) -> (&'a [Pass], &'a [Pass]) {
        let passes = self.recipe.passes();
        passes.split_at(passes.iter().position(|pass| !is_between(pass)).unwrap_or(passes.len()))
    }

    /// Gives what every place holds in the end.
    pub(super) fn forward(&mut self) -> Vec<Held> {
        let n = self.recipe.n();
        let (between, inside) = self.passes();
        let mut residues = vec![self.recipe.ring().exponent(self.recipe.order()) as u32];
        for pass in between {
            let half = n / residues.len() / pass.group();
            let mut after = None;
            let mut split = Vec::with_capacity(residues.len() * pass.group());
            for &exponent in &residues {
                let given = (0..pass.group()).map(|i| self.entry(Held { exponent, coefficient: (i * half) as u32 }));
                let held = self.group(*pass, given.collect(), residues.len());
                split.extend(held.iter().map(|entry| entry.exponent as u32));
                agree(&mut after, &held);
            }
            self.factor = after.expect("a residue");
            residues = split;
        }
        let length = (n / residues.len()) as u32;
        let mut places = Vec::with_capacity(n);
        for exponent in residues {
            places.extend((0..length).map(|coefficient| Held { exponent, coefficient }));
        }
        inside.iter().for_each(|pass| self.inside(*pass, &mut places));
        places
    }

    /// From what every place holds.
    pub(super) fn inverse(&mut self, mut places: Vec<Held>) {
        let n = self.recipe.n();
        let (between, inside) = self.passes();
        if between.is_empty() {
            self.of_words.scaling[0] = self.recipe.modulus().inv(self.factor.residue);
            return;
        }
        inside.iter().rev().for_each(|pass| self.inside(*pass, &mut places));
        let mut length = n >> between.iter().map(|pass| pass.layers().len()).sum::<usize>();
        let exponents = |residue: &[Held]| {
            let exponent = residue[0].exponent;
            assert!(residue.iter().zip(0..).all(|(held, i)| *held == Held { exponent, coefficient: i }));
            exponent
        };
        let mut residues: Vec<u32> = places.chunks(length).map(exponents).collect();
        drop(places);
        for pass in between.iter().rev() {
            let (groups, mut after) = (residues.len() / pass.group(), None);
            let mut joined = Vec::with_capacity(groups);
            for residues in residues.chunks(pass.group()) {
                let given = residues.iter().map(|&exponent| self.entry(Held { exponent, coefficient: 0 }));
                let held = self.group(*pass, given.collect(), groups);
                assert!(held.iter().enumerate().all(|(i, entry)| entry.coefficient == i * length));
                joined.push(held[0].exponent as u32);
                agree(&mut after, &held);
            }
            self.factor = after.expect("a residue");
            residues = joined;
            length *= pass.group();
        }
        assert_eq!(self.factor.residue, 1, "the last layer removes every factor");
    }

    fn entry(&self, Held { exponent, coefficient }: Held) -> Entry {
        Entry { exponent: exponent as usize, coefficient: coefficient as usize, factor: self.factor }
    }

    /// The first column of a group of a pass between vectors, of so many groups.
    fn group(&mut self, pass: Pass, given: Vec<Entry>, groups: usize) -> Vec<Entry> {
        let held = run(&mut self.of_words, self.recipe, self.direction, pass.of_one_group(), &given);
        self.keep_row(false, groups);
        held
    }

    /// A pass inside vectors.
    fn inside(&mut self, pass: Pass, places: &mut [Held]) {
        let words = pass.group() * self.recipe.lanes();
        let (groups, mut after) = (places.len() / words, None);
        for places in places.chunks_exact_mut(words) {
            let given: Vec<Entry> = places.iter().map(|held| self.entry(*held)).collect();
            let held = run(&mut self.of_vectors, self.recipe, self.direction, pass, &given);
            for (place, entry) in places.iter_mut().zip(&held) {
                *place = Held { exponent: entry.exponent as u32, coefficient: entry.coefficient as u32 };
            }
            agree(&mut after, &held);
            self.keep_row(true, groups);
        }
        self.factor = after.expect("a vector");
    }

    /// Encodes the row of the group that ran, one of so many.
    fn keep_row(&mut self, of_vectors: bool, groups: usize) {
        let ledger = if of_vectors { &mut self.of_vectors } else { &mut self.of_words };
        for row in ledger.rows.drain(..) {
            let start = self.words.len();
            push_row(&mut self.words, self.recipe, &self.recipe.contract(), &row);
            if self.words.capacity() - self.words.len() < self.words.len() - start {
                self.words.reserve_exact((self.words.len() - start) * groups);
            }
        }
    }
}

/// Runs one group of a pass on a ledger that is empty.
fn run(ledger: &mut Ledger, recipe: &Recipe, direction: Direction, pass: Pass, given: &[Entry]) -> Vec<Entry> {
    ledger.clear();
    let mut data = ledger.vectors(given);
    let steps = recipe.schedules().steps(direction);
    let run = match direction {
        Direction::Forward => network::forward(ledger, &mut data, &[pass], steps),
        Direction::Inverse => network::inverse(ledger, &mut data, &[pass], steps),
    };
    run.expect("a recipe's passes fit its network");
    assert!(ledger.imbalance.is_none(), "the planner reduces operands alike");
    ledger.entries(&data)
}

/// Notes the one factor that all values carry.
fn agree(factor: &mut Option<Factor>, held: &[Entry]) {
    let of_all = *factor.get_or_insert(held[0].factor);
    assert!(held.iter().all(|entry| entry.factor == of_all), "the planner reduces all slots alike");
}
