//! The derivation of a table: runs networks on ledgers, pass by pass, and keeps only the words and the rows of single
//! spans.
//!
//! The work of a pass repeats from span to span: from group to group for passes between vectors, and with the places
//! for passes inside vectors. So the ledger runs the first span, whose twiddles record how they move, and the last
//! span, which must equal the moved first one.

use super::{
    encoding::{Encoder, Words},
    machine::MAX_ROW,
    places::{Held, Places, Splits},
};
use crate::{
    arith::{Multiplier, Powers},
    model::{Entry, Ledger, Move, Row},
    network::{Direction, Forward, Inverse, Order, Part, Pass, Program, twist},
    planner::Recipe,
    reduction::Factor,
};
use alloc::{rc::Rc, vec, vec::Vec};

/// A table under construction. Between passes all values carry one common factor.
pub(super) struct Derivation<'a> {
    recipe: &'a Recipe,
    splits: Splits,
    powers: Rc<Powers>,
    direction: Direction,
    /// The ledger for vectors of one value: the columns of a pass between vectors are alike, and so are lanes.
    of_words: Ledger,
    /// The ledger for whole vectors.
    of_vectors: Ledger,
    /// The factor of all values.
    pub(super) factor: Factor,
    /// The rows of the passes run so far, each with its number in forward order.
    tables: Vec<(usize, Spans)>,
}

/// The results of the groups run in a pass.
#[derive(Default)]
struct Ran {
    held: Vec<Held>,
    rows: Vec<Row>,
    factor: Option<Factor>,
}

/// The positions of the rows of a transform in blocks.
#[derive(Clone, Debug)]
pub(crate) struct Sections {
    /// The number of words shared by blocks; the others follow them.
    pub(crate) shared: usize,
    /// The passes before the largest blocks.
    pub(crate) passes: Vec<Section>,
    /// The start of the rows of the first of the largest blocks, and the number of words per block.
    pub(crate) blocks: [usize; 2],
}

impl Sections {
    /// The part of a table that blocks share, if any, and the rest; each with the padding after its last row.
    pub(crate) fn split<'t, T>(&self, table: &'t [T]) -> [&'t [T]; 2] {
        let shared = if self.shared == 0 { &[] } else { &table[..self.shared + MAX_ROW] };
        [shared, &table[self.shared..]]
    }
}

/// The rows of a pass over all words.
#[cfg_attr(not(feature = "threads"), allow(dead_code, reason = "threads alone begin in the middle of a table"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    /// The number of the pass.
    pub(crate) pass: usize,
    /// The start of the rows.
    pub(crate) start: usize,
    /// The number of words per group.
    pub(crate) of_group: usize,
}

/// The rows of a pass. Its work repeats from span to span of vectors.
struct Spans {
    /// Vectors per span.
    vectors: usize,
    rows: SpanRows,
}

enum SpanRows {
    /// The rows of the first span, with their moves, and the number of spans.
    Moving(Vec<Row>, usize),
    /// The rows of every span.
    Each(Vec<Row>),
}

impl<'a> Derivation<'a> {
    pub(super) fn new(recipe: &'a Recipe, direction: Direction, factor: Factor, powers: Rc<Powers>) -> Self {
        let shape = [recipe.n(), recipe.order()];
        let ledger = |lanes| {
            Ledger::with_powers(lanes, shape, recipe.passes(), recipe.contract(), powers.clone(), recipe.shift())
        };
        let (of_words, of_vectors) = (ledger(1), ledger(recipe.lanes()));
        let splits = Splits::of(recipe);
        Self { recipe, splits, powers, direction, of_words, of_vectors, factor, tables: Vec::new() }
    }

    /// Writes the rows of all passes run so far, in the order in which the network reads them, the shared ones first.
    /// Returns their positions.
    pub(super) fn write(&self, words: &mut dyn Words) -> Sections {
        let recipe = self.recipe;
        let contract = recipe.contract();
        let mut encoder = Encoder::of_transforms(recipe, &contract);
        let (passes, vectors) = (recipe.passes(), recipe.vectors());
        let twist = twist(passes).map_or(usize::MAX, |(number, _)| number);
        let spans_of = |number: usize| &self.tables.iter().find(|(of, _)| *of == number).expect("it was run").1;
        let (mut all, mut of_spans) = (0, vec![0; passes.len()]);
        for (number, spans) in &self.tables {
            let rows = match &spans.rows {
                SpanRows::Moving(rows, _) => rows,
                SpanRows::Each(rows) => &rows[..1],
            };
            let of_span: usize = rows.iter().map(|row| encoder.row(row, &[]).len()).sum();
            of_spans[*number] = of_span;
            let written = if *number > twist { self.shared_vectors() } else { vectors };
            all += of_span * (written / spans.vectors);
        }
        words.reserve_rows(all);
        let (mut moved, mut by) = (Vec::new(), Vec::new());
        let large = recipe.blocks().first();
        let mut sections = Sections { shared: 0, passes: Vec::new(), blocks: [0; 2] };
        let mut of_passes = 0;
        for of_shared in [true, false] {
            let mut order = Order::new(self.direction, vectors, passes.len(), recipe.blocks()).expect("a few sizes");
            let parts = core::iter::from_fn(|| order.next(self.direction));
            let single = parts.flat_map(|Part { passes: [first, last], vectors }| {
                let number = move |i: usize| match self.direction {
                    Direction::Forward => first + i,
                    Direction::Inverse => last - 1 - i,
                };
                (0..last - first).map(move |i| (number(i), vectors))
            });
            for (pass, [start, end]) in single {
                if (pass > twist) != of_shared || of_shared && start > 0 {
                    continue;
                }
                let spans = spans_of(pass);
                if large.is_some_and(|large| pass < large.pass) {
                    let at = words.length() - sections.shared;
                    sections.passes.push(Section { pass, start: at, of_group: of_spans[pass] });
                    of_passes += of_spans[pass] * (vectors / spans.vectors);
                }
                for span in start / spans.vectors..end / spans.vectors {
                    match &spans.rows {
                        SpanRows::Each(rows) => words.append(encoder.row(&rows[span], &[])),
                        SpanRows::Moving(rows, all) => {
                            moved.clear();
                            for row in rows {
                                by.clear();
                                by.extend(row.moves.iter().map(|m| self.multiplier(*m, span, *all, &mut moved)));
                                words.append(encoder.row(row, &by));
                            }
                        }
                    }
                }
                if of_shared {
                    sections.shared = words.length();
                }
            }
        }
        let of_blocks = words.length() - sections.shared - of_passes;
        let first = if self.direction == Direction::Forward { of_passes } else { 0 };
        sections.blocks = [first, of_blocks / (vectors / large.map_or(vectors, |large| large.vectors))];
        sections
    }

    /// The number of vectors for which the rows of passes inside vectors are written: all vectors, or those of the
    /// first block.
    fn shared_vectors(&self) -> usize {
        twist(self.recipe.passes()).map_or(self.recipe.vectors(), |(_, vectors)| vectors)
    }

    fn number(&self, pass: Pass) -> usize {
        self.recipe.passes().iter().position(|other| *other == pass).expect("a pass of the recipe")
    }

    /// The scaling residues of the last inverse layer.
    pub(super) const fn scaling(&self) -> [u64; 2] {
        self.of_words.scaling
    }

    /// The passes between vectors, and those inside vectors.
    fn passes(&self) -> (&'a [Pass], &'a [Pass]) {
        let passes = self.recipe.passes();
        passes.split_at(passes.iter().position(|pass| pass.stride().is_none()).unwrap_or(passes.len()))
    }

    /// The contents of places after the passes between vectors and before those inside.
    fn natural(&self) -> Places {
        let (between, inside) = self.passes();
        let layers: usize = between.iter().map(|pass| pass.layers().len()).sum();
        let vectors = inside.iter().map(Pass::group).max().unwrap_or_default();
        let residue = self.recipe.n() / self.splits.residues(layers as u32);
        let words = (vectors * self.recipe.lanes()).max(residue);
        Places::natural(self.recipe, layers as u32, words)
    }

    /// Runs the forward transform; returns the final contents of every place.
    pub(super) fn forward(&mut self) -> Places {
        let (between, inside) = self.passes();
        between.iter().for_each(|pass| self.between(*pass));
        inside.iter().fold(self.natural(), |places, pass| self.inside(*pass, &places))
    }

    /// Runs the inverse transform from the contents of every place.
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

    /// Runs a pass between vectors on the first column of each group: from a residue to its parts, or back.
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
        let vectors = self.recipe.vectors();
        let (held, spans) = self.all_spans(groups, groups, vectors / groups, run_group);
        let _ = held;
        self.tables.push((self.number(pass), spans));
    }

    /// Runs a pass inside vectors; maps the contents of places before it to those after it.
    fn inside(&mut self, pass: Pass, places: &Places) -> Places {
        if let Pass::Twist { vectors, .. } = pass {
            self.twisted(pass, places, vectors);
            return places.clone();
        }
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
        let vectors = together * places.words() / self.recipe.lanes();
        let written = self.shared_vectors() / vectors;
        let (held, of_spans) = self.all_spans(runs, written, vectors, run_spans);
        self.tables.push((self.number(pass), of_spans));
        let after = places.then(layers, &held[0][..places.words()]);
        for (held, first) in held.iter().zip([0, (written - 1) * together]) {
            for (held, span) in held.chunks_exact(places.words()).zip(first..) {
                assert_eq!(held, after.span(span), "all spans are alike");
            }
        }
        after
    }

    /// Runs the products that turn the residues of each block into those of the first one, or undo it. Places keep
    /// their contents: residues modulo `X - z` have one coefficient, which no twist multiplies.
    fn twisted(&mut self, pass: Pass, places: &Places, vectors: usize) {
        let (lanes, order, n) = (self.recipe.lanes(), self.recipe.order(), self.recipe.n());
        let blocks = n / (lanes * vectors);
        let residues = vectors * lanes * self.splits.residues(places.layers()) / n;
        let mut rows = Vec::new();
        for block in 0..blocks {
            let of = |block: usize| self.splits.exponent(places.layers(), block * residues);
            let length = n / self.splits.residues(places.layers());
            assert_eq!((of(block) - of(0)) % length, 0, "a power of the root turns blocks into one another");
            let by = (of(block) - of(0)) / length;
            let vector = |of: usize| (0..lanes).map(|i| Held { exponent: of, coefficient: i }).collect::<Vec<_>>();
            let (given, expected) = match self.direction {
                Direction::Forward => (of(block), of(0)),
                Direction::Inverse => (of(0), of(block)),
            };
            self.of_vectors.twist = match self.direction {
                Direction::Forward => by,
                Direction::Inverse => (order - by) % order,
            };
            let mut ran = Ran::default();
            self.run(pass.of_one_group(), &vector(given).repeat(pass.group()), &mut ran);
            assert_eq!(ran.held, vector(expected).repeat(pass.group()), "a twist turns residues into one another");
            rows.append(&mut ran.rows);
        }
        self.tables.push((self.number(pass), Spans { vectors, rows: SpanRows::Each(rows) }));
    }

    /// Runs the first and the last of the spans of a pass for which rows are written: from span to span twiddles move
    /// with the exponents. Returns the final contents of these two spans.
    fn all_spans(
        &mut self,
        spans: usize,
        written: usize,
        vectors: usize,
        run: impl Fn(&mut Self, usize) -> Ran,
    ) -> ([Vec<Held>; 2], Spans) {
        let (first, last) = (run(self, 0), run(self, written - 1));
        assert_eq!(first.factor, last.factor, "the planner reduces all slots alike");
        let contract = self.recipe.contract();
        let mut encoder = Encoder::of_transforms(self.recipe, &contract);
        let (mut moved, mut by) = (Vec::new(), Vec::new());
        for (row, of_last) in first.rows.iter().zip(&last.rows) {
            by.clear();
            by.extend(row.moves.iter().map(|moves| self.multiplier(*moves, written - 1, spans, &mut moved)));
            assert_eq!(encoder.row(row, &by).to_vec(), encoder.row(of_last, &[]), "twiddles move with the exponents");
        }
        self.factor = first.factor.expect("a residue");
        ([first.held, last.held], Spans { vectors, rows: SpanRows::Moving(first.rows, spans) })
    }

    /// The multiplier that turns the first span's twiddle into that of span `span`, of `spans`; `None` if they are
    /// equal. Multipliers found for this span are kept in `found`.
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

    /// Runs one group of a pass on an empty ledger, and records its contents, its rows and the common factor after it.
    fn run(&mut self, pass: Pass, given: &[Held], ran: &mut Ran) {
        let ledger = if pass.stride().is_some() { &mut self.of_words } else { &mut self.of_vectors };
        ledger.clear();
        let entry = |&Held { exponent, coefficient }: &Held| Entry { exponent, coefficient, factor: self.factor };
        let mut data = ledger.vectors(&given.iter().map(entry).collect::<Vec<_>>());
        let steps = self.recipe.schedules().steps(self.direction);
        let passes = [pass];
        let program = Program::new(&passes, steps);
        let run = match self.direction {
            Direction::Forward => ledger.run(Forward { program }, &mut data),
            Direction::Inverse => ledger.run(Inverse { program }, &mut data),
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
