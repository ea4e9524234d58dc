//! The derivation of a table: networks on ledgers, pass by pass and group by group, so that nothing
//! is kept but the words.

use super::{
    encoding::{Words, encoded},
    places::{Held, Places, Splits},
};
use crate::{
    model::{Entry, Ledger},
    network::{self, Direction, Pass},
    planner::Recipe,
    reduction::Factor,
};
use alloc::vec::Vec;

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
    words: &'a mut dyn Words,
}

impl<'a> Derivation<'a> {
    pub(super) fn new(recipe: &'a Recipe, direction: Direction, factor: Factor, words: &'a mut dyn Words) -> Self {
        let shape = [recipe.n(), recipe.order()];
        let ledger = |lanes| Ledger::new(lanes, shape, recipe.passes(), recipe.contract(), recipe.root());
        let (of_words, of_vectors) = (ledger(1), ledger(recipe.lanes()));
        Self { recipe, direction, of_words, of_vectors, factor, words }
    }

    /// The scaling residues of the last inverse layer.
    pub(super) const fn scaling(&self) -> [u64; 2] {
        self.of_words.scaling
    }

    /// The passes between vectors, and those inside.
    fn passes(&self) -> (&'a [Pass], &'a [Pass]) {
        let passes = self.recipe.passes();
        passes.split_at(passes.iter().position(|pass| pass.stride().is_none()).unwrap_or(passes.len()))
    }

    /// What places hold between the passes between vectors and those inside.
    fn natural(&self) -> Places {
        let (between, inside) = self.passes();
        let layers: usize = between.iter().map(|pass| pass.layers().len()).sum();
        let vectors = inside.iter().map(Pass::group).max().unwrap_or_default();
        let residue = self.recipe.n() / Splits::of(self.recipe).residues(layers as u32);
        let words = (vectors * self.recipe.lanes()).max(residue);
        Places::natural(self.recipe, layers as u32, words)
    }

    /// Gives what every place holds in the end.
    pub(super) fn forward(&mut self) -> Places {
        let (between, inside) = self.passes();
        between.iter().for_each(|pass| self.between(*pass));
        inside.iter().fold(self.natural(), |places, pass| self.inside(*pass, &places))
    }

    /// From what every place holds.
    pub(super) fn inverse(&mut self, places: &Places) {
        let (between, inside) = self.passes();
        if between.is_empty() {
            self.of_words.scaling[0] = self.recipe.modulus().inv(self.factor.residue);
            return;
        }
        let places = inside.iter().rev().fold(places.clone(), |places, pass| self.inside(*pass, &places));
        assert_eq!(places, self.natural(), "the inverse undoes what the forward transform does to places");
        between.iter().rev().for_each(|pass| self.between(*pass));
        assert_eq!(self.factor.residue, 1, "the last layer removes every factor");
    }

    /// A pass between vectors, of each group the first column: from a residue to its parts, or
    /// back.
    fn between(&mut self, pass: Pass) {
        let (layers, parts) = (pass.layers(), pass.group());
        let splits = Splits::of(self.recipe);
        let [groups, all] = [layers.start, layers.end].map(|layers| splits.residues(layers as u32));
        let (length, mut factor) = (self.recipe.n() / all, None);
        for group in 0..groups {
            let of_whole = splits.exponent(layers.start as u32, group);
            let of_part = |i| splits.exponent(layers.end as u32, group * parts + i);
            let whole = (0..parts).map(|i| Held { exponent: of_whole, coefficient: i * length });
            let split = (0..parts).map(|i| Held { exponent: of_part(i), coefficient: 0 });
            let (given, expected): (Vec<Held>, Vec<Held>) = match self.direction {
                Direction::Forward => whole.zip(split).unzip(),
                Direction::Inverse => split.zip(whole).unzip(),
            };
            let held = self.run(pass.of_one_group(), &given, &mut factor);
            assert_eq!(held, expected, "residues lie as layers split them");
            self.keep_row(group, groups);
        }
        self.factor = factor.expect("a residue");
    }

    /// A pass inside vectors, from what places hold to what they hold after it.
    fn inside(&mut self, pass: Pass, places: &Places) -> Places {
        let layers = match (pass, self.direction) {
            (Pass::Split { .. }, _) => places.layers(),
            (_, Direction::Forward) => pass.layers().end as u32,
            (_, Direction::Inverse) => pass.layers().start as u32,
        };
        let words = pass.group() * self.recipe.lanes();
        let (groups, mut group) = (self.recipe.n() / words, 0);
        let (mut factor, mut after) = (None, None);
        for span in 0..self.recipe.n() / places.words() {
            let mut held = Vec::with_capacity(places.words());
            for given in places.span(span).chunks_exact(words) {
                held.append(&mut self.run(pass, given, &mut factor));
                self.keep_row(group, groups);
                group += 1;
            }
            match &after {
                None => after = Some(places.then(layers, &held)),
                Some(after) => assert_eq!(held, Places::span(after, span), "all spans are alike"),
            }
        }
        self.factor = factor.expect("a vector");
        after.expect("a span")
    }

    /// Runs one group of a pass on a ledger that is empty, and notes the one factor that all values
    /// carry after it.
    fn run(&mut self, pass: Pass, given: &[Held], factor: &mut Option<Factor>) -> Vec<Held> {
        let ledger = if pass.stride().is_some() { &mut self.of_words } else { &mut self.of_vectors };
        ledger.clear();
        let entry = |&Held { exponent, coefficient }: &Held| Entry { exponent, coefficient, factor: self.factor };
        let mut data = ledger.vectors(&given.iter().map(entry).collect::<Vec<_>>());
        let steps = self.recipe.schedules().steps(self.direction);
        let run = match self.direction {
            Direction::Forward => network::forward(ledger, &mut data, &[pass], steps),
            Direction::Inverse => network::inverse(ledger, &mut data, &[pass], steps),
        };
        run.expect("a recipe's passes fit its network");
        assert!(ledger.imbalance.is_none(), "the planner reduces operands alike");
        let held = ledger.entries(&data);
        let of_all = *factor.get_or_insert(held[0].factor);
        assert!(held.iter().all(|entry| entry.factor == of_all), "the planner reduces all slots alike");
        held.iter().map(|entry| Held { exponent: entry.exponent, coefficient: entry.coefficient }).collect()
    }

    /// Encodes the row of the group that ran, one of so many.
    fn keep_row(&mut self, group: usize, groups: usize) {
        for row in self.of_words.rows.drain(..).chain(self.of_vectors.rows.drain(..)) {
            self.words.append_row(
                &encoded(self.recipe, &self.recipe.contract(), &row, self.recipe.lazy_ntt() > 1),
                group,
                groups,
            );
        }
    }
}
