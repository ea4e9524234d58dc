//! The derivation of a table: networks on ledgers, pass by pass, so that nothing is kept but the
//! words.
//!
//! What a pass does repeats from span to span: from group to group of one between vectors, and inside
//! vectors as places do. So the ledger runs the first span, whose twiddles say how they move, and the
//! last one, which must come out as it was moved.

use super::{
    encoding::{Encoder, Words},
    places::{Held, Places, Splits},
};
use crate::{
    arith::{Multiplier, Powers},
    model::{Entry, Ledger, Move, Row},
    network::{self, Direction, Pass},
    planner::Recipe,
    reduction::Factor,
};
use alloc::{rc::Rc, vec::Vec};

/// A table in the making. All values carry one factor between passes.
pub(super) struct Derivation<'a> {
    recipe: &'a Recipe,
    splits: Splits,
    powers: Rc<Powers>,
    direction: Direction,
    /// Of vectors of one value: the columns of a pass between vectors are alike, and so are lanes.
    of_words: Ledger,
    /// Of whole vectors.
    of_vectors: Ledger,
    /// What values carry.
    pub(super) factor: Factor,
    words: &'a mut dyn Words,
}

/// What groups of a pass give that ran.
#[derive(Default)]
struct Ran {
    held: Vec<Held>,
    rows: Vec<Row>,
    factor: Option<Factor>,
}

impl<'a> Derivation<'a> {
    pub(super) fn new(
        recipe: &'a Recipe,
        direction: Direction,
        factor: Factor,
        powers: Rc<Powers>,
        words: &'a mut dyn Words,
    ) -> Self {
        let shape = [recipe.n(), recipe.order()];
        let ledger = |lanes| Ledger::with_powers(lanes, shape, recipe.passes(), recipe.contract(), powers.clone());
        let (of_words, of_vectors) = (ledger(1), ledger(recipe.lanes()));
        Self { recipe, splits: Splits::of(recipe), powers, direction, of_words, of_vectors, factor, words }
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
        let residue = self.recipe.n() / self.splits.residues(layers as u32);
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
        let splits = self.splits;
        let [groups, all] = [layers.start, layers.end].map(|layers| splits.residues(layers as u32));
        let length = self.recipe.n() / all;
        let run_group = |this: &mut Self, group: usize| {
            let of_whole = splits.exponent(layers.start as u32, group);
            let of_part = |i| splits.exponent(layers.end as u32, group * parts + i);
            let whole = (0..parts).map(|i| Held { exponent: of_whole, coefficient: i * length });
            let split = (0..parts).map(|i| Held { exponent: of_part(i), coefficient: 0 });
            let (given, expected): (Vec<Held>, Vec<Held>) = match this.direction {
                Direction::Forward => whole.zip(split).unzip(),
                Direction::Inverse => split.zip(whole).unzip(),
            };
            let mut ran = Ran::default();
            this.run(pass.of_one_group(), &given, &mut ran);
            assert_eq!(ran.held, expected, "residues lie as layers split them");
            ran
        };
        self.all_spans(groups, run_group);
    }

    /// A pass inside vectors, from what places hold to what they hold after it.
    fn inside(&mut self, pass: Pass, places: &Places) -> Places {
        let layers = match (pass, self.direction) {
            (Pass::Split { .. }, _) => places.layers(),
            (_, Direction::Forward) => pass.layers().end as u32,
            (_, Direction::Inverse) => pass.layers().start as u32,
        };
        let words = pass.group() * self.recipe.lanes();
        // Exponents move alike in runs of spans that hold whole residues of the layers before those in
        // thirds.
        let whole = self.recipe.n() / self.splits.residues_before_thirds();
        let spans = self.recipe.n() / places.words();
        let together = (1..=spans).find(|i| (i * places.words()).is_multiple_of(whole) && spans.is_multiple_of(*i));
        let together = together.expect("all spans hold all residues");
        let run_spans = |this: &mut Self, i: usize| {
            let mut ran = Ran::default();
            for span in i * together..(i + 1) * together {
                for given in places.span(span).chunks_exact(words) {
                    this.run(pass, given, &mut ran);
                }
            }
            ran
        };
        let runs = spans / together;
        let held = self.all_spans(runs, run_spans);
        let after = places.then(layers, &held[0][..places.words()]);
        for (held, first) in held.iter().zip([0, (runs - 1) * together]) {
            for (held, span) in held.chunks_exact(places.words()).zip(first..) {
                assert_eq!(held, after.span(span), "all spans are alike");
            }
        }
        after
    }

    /// Runs the first and the last span of a pass, and writes the rows of all: from span to span
    /// twiddles move with the exponents. Gives what these two hold in the end.
    fn all_spans(&mut self, spans: usize, run: impl Fn(&mut Self, usize) -> Ran) -> [Vec<Held>; 2] {
        let (first, last) = (run(self, 0), run(self, spans - 1));
        assert_eq!(first.factor, last.factor, "the planner reduces all slots alike");
        let contract = self.recipe.contract();
        let mut encoder = Encoder::new(self.recipe, &contract, self.recipe.lazy_ntt() > 1);
        let rows = first.rows.len();
        let (mut moved, mut by) = (Vec::new(), Vec::new());
        for span in 0..spans {
            moved.clear();
            for (i, row) in first.rows.iter().enumerate() {
                by.clear();
                by.extend(row.moves.iter().map(|moves| self.multiplier(*moves, span, spans, &mut moved)));
                let words = encoder.row(row, &by);
                self.words.append_row(words, span * rows + i, spans * rows);
            }
        }
        for (row, of_last) in first.rows.iter().zip(&last.rows) {
            by.clear();
            by.extend(row.moves.iter().map(|moves| self.multiplier(*moves, spans - 1, spans, &mut moved)));
            assert_eq!(encoder.row(row, &by).to_vec(), encoder.row(of_last, &[]), "twiddles move with the exponents");
        }
        self.factor = first.factor.expect("a residue");
        [first.held, last.held]
    }

    /// By what a twiddle of the first of so many spans is multiplied in another one, unless it stays
    /// as it is. Those that were found for this span are kept.
    fn multiplier(
        &self,
        moves: Move,
        span: usize,
        spans: usize,
        found: &mut Vec<(Move, Multiplier)>,
    ) -> Option<Multiplier> {
        if span == 0 || moves.times == 0 {
            return None;
        }
        if let Some((_, by)) = found.iter().find(|(of, _)| *of == moves) {
            return Some(*by);
        }
        let layers = moves.layer as u32 + 1;
        let residue = span * (self.splits.residues(layers) / spans);
        let difference = self.splits.exponent(layers, residue) as i64 - self.splits.exponent(layers, 0) as i64;
        let exponent = (difference * i64::from(moves.times)).rem_euclid(self.recipe.order() as i64);
        let by = Multiplier::new(self.recipe.modulus(), self.powers.of(exponent as usize));
        found.push((moves, by));
        Some(by)
    }

    /// Runs one group of a pass on a ledger that is empty, and notes what it gives, and the one factor
    /// that all values carry after it.
    fn run(&mut self, pass: Pass, given: &[Held], ran: &mut Ran) {
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
        let of_all = *ran.factor.get_or_insert(held[0].factor);
        assert!(held.iter().all(|entry| entry.factor == of_all), "the planner reduces all slots alike");
        let places = held.iter().map(|entry| Held { exponent: entry.exponent, coefficient: entry.coefficient });
        ran.held.extend(places);
        ran.rows.append(&mut ledger.rows);
    }
}
