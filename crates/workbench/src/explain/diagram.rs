//! The butterflies of a forward transform as a drawing: coefficients at the left in natural order,
//! slots at the right in bit-reversed order.
//!
//! The drawing is made by the network itself, which runs on [`Sketch`], with one layer to a pass
//! and one lane to a vector. For LazyNTT its own network runs on it as well, and tells which
//! products are reduced: figures 1 and 2 of Kim, Seo, Lee, Kim, No (2024). Of a large transform the first layers are
//! drawn, and a row is several coefficients in a row, which go through the same butterflies.

use super::Power;
use crate::{
    plot::{BLUE, GREY, Ink, ORANGE, RED, TEXT},
    symbols::{Symbols, escape, lowered},
};
use ntt::{
    Recipe, Ring,
    arith::Modulus,
    internals::network::{self, Direction, ExactProducts, Kernel, Pass, Program, Residues, Step},
};
use papers::lazyntt::{Proved, network::lazy_ntt};
use std::fmt::Write;

/// The largest degree of which every coefficient has a row.
pub(super) const LARGEST: usize = 64;
/// Rows at most where several coefficients share one.
const FOLDED: usize = 32;

/// What of a transform is drawn.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    pub(super) rows: usize,
    /// Coefficients of a row.
    pub(super) each: usize,
    /// The first layers.
    pub(super) layers: usize,
}

impl Fold {
    pub(super) fn of(recipe: &Recipe) -> Self {
        let (n, all) = (recipe.n(), recipe.layers() as usize);
        if n <= LARGEST {
            return Self { rows: n, each: 1, layers: all };
        }
        let (mut rows, mut layers) = (1, 0);
        while layers < all && rows * recipe.radix(layers) <= FOLDED {
            rows *= recipe.radix(layers);
            layers += 1;
        }
        Self { rows, each: n / rows, layers }
    }

    /// Of each layer, the distance between the rows of a butterfly.
    fn distances(self, recipe: &Recipe) -> Vec<usize> {
        let smaller = |distance: &mut usize, layer| {
            *distance /= recipe.radix(layer);
            Some(*distance)
        };
        (0..self.layers).scan(self.rows, smaller).collect()
    }

    /// Where the wires of the first layer start.
    fn left(self) -> usize {
        // The last name is the longest.
        if self.each == 1 { 30 } else { 14 + 7 * self.coefficients(self.rows - 1).chars().count() }
    }

    /// What stands above a layer with that distance between rows.
    fn distance(self, rows: usize) -> String {
        format!("distance {}", rows * self.each)
    }

    /// Where layers start and the last one ends; long wires and large numbers need room.
    fn starts(self, recipe: &Recipe) -> Vec<usize> {
        let mut starts = vec![self.left()];
        for (layer, distance) in self.distances(recipe).into_iter().enumerate() {
            let rows = (recipe.radix(layer) - 1) * distance;
            let wires = TWIDDLE + (30 + 8 * rows).min(84);
            let name = if self.each == 1 { 0 } else { 7 * self.distance(distance).len() };
            starts.push(starts[layer] + wires.max(name));
        }
        starts
    }

    /// The coefficients of a row.
    fn coefficients(self, row: usize) -> String {
        let first = format!("a{}", lowered(row * self.each));
        if self.each == 1 { first } else { format!("{first}…a{}", lowered((row + 1) * self.each - 1)) }
    }

    /// What a row holds in the end.
    fn result(self, recipe: &Recipe, exponent: usize, row: usize) -> String {
        if self.each > 1 { Symbols::Page.modulus(self.each, exponent) } else { slot_label(recipe, exponent, row) }
    }
}

/// A butterfly between two rows.
#[derive(Debug)]
struct Butterfly {
    layer: usize,
    upper: usize,
    lower: usize,
    /// The twiddle is the root to this power.
    exponent: usize,
    /// Whether it is of the first layer of a trinomial.
    trinomial: bool,
    /// By LazyNTT, whether its product is reduced.
    reduced: Option<bool>,
}

/// A split in three between three rows.
#[derive(Debug)]
struct Third {
    layer: usize,
    rows: [usize; 3],
    /// The twiddle is the root to this power.
    exponent: usize,
}

/// A kernel that notes butterflies. A vector is the number of its row.
#[derive(Debug)]
struct Sketch {
    order: usize,
    layer: usize,
    /// Row by row, the residue is modulo `X^d` minus the root to this power.
    exponents: Vec<usize>,
    butterflies: Vec<Butterfly>,
    thirds: Vec<Third>,
    /// Layers and rows of the products that LazyNTT reduces, and of those that it leaves exact.
    lazy: [Vec<(usize, usize)>; 2],
}

impl Sketch {
    fn new(recipe: &Recipe, fold: Fold, lazy: Option<&Proved>) -> Self {
        let mut sketch = Self {
            order: recipe.order(),
            layer: 0,
            exponents: vec![recipe.ring().exponent(recipe.order()); fold.rows],
            butterflies: Vec::new(),
            thirds: Vec::new(),
            lazy: Default::default(),
        };
        let pass = |(first, stride): (usize, usize)| match (recipe.ring(), recipe.radix(first)) {
            (Ring::Trinomial, _) if first == 0 => Pass::Trinomial { stride },
            (_, 3) => Pass::Thirds { first, stride },
            _ => Pass::Outer { first, levels: 1, stride },
        };
        let passes: Vec<Pass> = fold.distances(recipe).into_iter().enumerate().map(pass).collect();
        let steps = vec![Step::Plain; fold.layers];
        let mut rows: Vec<usize> = (0..fold.rows).collect();
        network::forward(&mut sketch, &mut rows[..], &Program::new(&passes, &steps)).expect("a drawing has no table");
        if let Some(lazy) = lazy {
            sketch.ask_lazy_ntt(lazy, fold.each);
        }
        sketch
    }

    /// Runs LazyNTT's network, one coefficient to a row, and tells each butterfly what becomes of the product of its
    /// first coefficients.
    fn ask_lazy_ntt(&mut self, lazy: &Proved, each: usize) {
        let butterflies = core::mem::take(&mut self.butterflies);
        let mut rows: Vec<usize> = (0..lazy.usual().n()).collect();
        let exponents = core::mem::replace(&mut self.exponents, vec![0; rows.len()]);
        lazy_ntt(self, &lazy.shape(Direction::Forward), &mut rows).expect("a drawing has no table");
        self.exponents = exponents;
        let [reduced, exact] = &self.lazy;
        let asked = |b: Butterfly| {
            let at = (b.layer, b.lower * each);
            // The first layer of a trinomial is one butterfly for each pair, which reduces.
            let is_reduced = b.trinomial || reduced.contains(&at);
            assert!(is_reduced != exact.contains(&at), "every product is either reduced or exact");
            Butterfly { reduced: Some(is_reduced), ..b }
        };
        self.butterflies = butterflies.into_iter().map(asked).collect();
    }
}

impl Kernel for Sketch {
    type V = usize;
    type Tw = ();
    type Block = usize;
    const INSIDE: bool = false;

    fn lanes(&self) -> usize {
        1
    }
    fn chunk(&self) -> usize {
        1
    }
    fn load(&mut self, b: &usize) -> usize {
        *b
    }
    fn store(&mut self, b: &mut usize, v: usize) {
        *b = v;
    }
    fn row(&mut self, _: usize, _: usize) -> Option<()> {
        Some(())
    }
    fn twiddle(&mut self, _: usize) {}
    fn twiddle_lanes(&mut self, _: usize) {}
    fn scaling(&mut self) -> [(); 2] {
        [(); 2]
    }
    fn add(&mut self, a: usize, _: usize) -> usize {
        a // sums occur inside butterflies, which are noted as a whole
    }
    fn sub(&mut self, _: usize, b: usize) -> usize {
        b
    }
    fn reduce(&mut self, x: usize) -> usize {
        x
    }
    fn mul<const P: usize>(&mut self, x: [usize; P], _: [(); P]) -> [usize; P] {
        self.lazy[0].extend(x.map(|row| (self.layer, row)));
        x
    }
    fn mul_var(&mut self, x: usize, _: usize) -> usize {
        x
    }
    fn interleave<const K: usize>(&mut self, a: usize, b: usize) -> (usize, usize) {
        (a, b)
    }
    fn zip(&mut self, a: usize, b: usize) -> (usize, usize) {
        (a, b)
    }
    fn layer(&mut self, layer: usize) {
        self.layer = layer;
    }
    fn is_wide(&self) -> bool {
        false
    }

    fn ct<const P: usize>(&mut self, _: Step, a: [usize; P], b: [usize; P], _: [(); P]) -> ([usize; P], [usize; P]) {
        for (upper, lower) in a.into_iter().zip(b) {
            let exponent = self.exponents[upper] / 2;
            let layer = self.layer;
            self.butterflies.push(Butterfly { layer, upper, lower, exponent, trinomial: false, reduced: None });
            (self.exponents[upper], self.exponents[lower]) = (exponent, exponent + self.order / 2);
        }
        (a, b)
    }

    fn ct_thirds(&mut self, _: Step, rows: [usize; 3], _: [(); 3]) -> [usize; 3] {
        let exponent = self.exponents[rows[0]] / 3;
        self.thirds.push(Third { layer: self.layer, rows, exponent });
        for (i, row) in rows.into_iter().enumerate() {
            self.exponents[row] = exponent + i * (self.order / 3);
        }
        rows
    }

    fn ct_trinomial(&mut self, _: Step, upper: usize, lower: usize, (): ()) -> (usize, usize) {
        let exponent = self.order / 6;
        let layer = self.layer;
        self.butterflies.push(Butterfly { layer, upper, lower, exponent, trinomial: true, reduced: None });
        (self.exponents[upper], self.exponents[lower]) = (exponent, 5 * exponent);
        (upper, lower)
    }
}

impl Residues for Sketch {
    fn canonical(&mut self, x: usize) -> usize {
        x
    }
    fn canonical_of_sum<const MORE: bool>(&mut self, x: usize) -> usize {
        x
    }
    fn add_q_to_negative(&mut self, x: usize) -> usize {
        x
    }
    fn sub_q_above_half(&mut self, x: usize) -> usize {
        x
    }
}

impl ExactProducts for Sketch {
    fn mul_exact(&mut self, x: usize, (): ()) -> usize {
        self.lazy[1].push((self.layer, x));
        x
    }
}

const ROW: usize = 20;
const HEAD: usize = 46;
const FOOT: usize = 12;
/// The part of a layer where the lower operand is multiplied.
const TWIDDLE: usize = 34;
/// Wire after the last layer.
const TAIL: usize = 12;

/// The drawing of a transform, or of its first layers, and of what LazyNTT makes of it.
pub(super) fn svg(recipe: &Recipe, lazy: Option<&Proved>) -> String {
    let fold = Fold::of(recipe);
    let sketch = Sketch::new(recipe, fold, lazy);
    let q = Modulus::new(recipe.q()).expect("a recipe has a prime modulus");
    let starts = fold.starts(recipe);
    let end = starts.last().copied().unwrap_or(fold.left()) + TAIL;
    let labels: Vec<String> = (0..fold.rows).map(|row| fold.result(recipe, sketch.exponents[row], row)).collect();
    let widest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let (width, height) = (end + 12 + 7 * widest, HEAD + ROW * fold.rows + FOOT);

    let title = format!("Butterflies of a transform, n = {}, q = {}, depth {}", recipe.n(), recipe.q(), recipe.depth());
    let mut svg = format!(
        "<svg class=\"wide\" role=\"img\" aria-label=\"{}\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\" font-size=\"12\">\n",
        escape(&title)
    );
    for (layer, (x, distance)) in starts.iter().zip(fold.distances(recipe)).enumerate() {
        let middle = (x + starts[layer + 1]) / 2;
        svg += &text(middle, 14, "middle", &TEXT, &format!("layer {layer}"));
        svg += &text(middle, 29, "middle", &GREY, &fold.distance(distance));
    }
    for (row, label) in labels.iter().enumerate() {
        svg += &text(fold.left() - 6, y(row) + 4, "end", &TEXT, &fold.coefficients(row));
        svg += &text(end + 6, y(row) + 4, "start", &TEXT, label);
    }
    let tails: String = (0..fold.rows).map(|row| format!("M{} {}h{TAIL}", end - TAIL, y(row))).collect();
    svg += &path(&GREY, &tails);
    let mut signs = String::new();
    for b in &sketch.butterflies {
        let (from, to) = (starts[b.layer], starts[b.layer + 1]);
        let power = Power { exponent: b.exponent, residue: q.pow(recipe.root(), b.exponent as u64) };
        svg += &butterfly(b, from, to, power);
        signs += &text(to - 9, y(b.lower) + 11, "middle", &ORANGE, if b.trinomial { "+b−" } else { "−" });
    }
    for third in &sketch.thirds {
        let [w, square] = [1, 2].map(|i| Power {
            exponent: i * third.exponent,
            residue: q.pow(recipe.root(), (i * third.exponent) as u64),
        });
        svg += &split_in_three(third, starts[third.layer], starts[third.layer + 1], [w, square]);
    }
    svg + &signs + "</svg>"
}

fn y(row: usize) -> usize {
    HEAD + ROW * row + ROW / 2
}

/// `(a, b)` to `(a + w·b, a - w·b)`, or to `(a + w·b, a + b - w·b)`.
fn butterfly(b: &Butterfly, from: usize, to: usize, power: Power) -> String {
    let (node, upper, lower) = (from + TWIDDLE, y(b.upper), y(b.lower));
    let (w, rows) = (Symbols::Page.value(power.exponent, power.residue), format!("rows {} and {}", b.upper, b.lower));
    let mut g = format!("<g class=\"butterfly\"><title>layer {}, {rows}: (a, b) becomes ", b.layer);
    let lower_sum = if b.trinomial { "a + b − w·b" } else { "a − w·b" };
    let lazy = match b.reduced {
        None => "",
        Some(true) => "M: reduced, ",
        Some(false) => "S: exact, ",
    };
    let _ = writeln!(g, "(a + w·b, {lower_sum}), {lazy}with w = {w}</title>");
    // No product, in the upper row, is dashed; an exact one is red.
    let (wires, product) = (format!("M{node} {upper}L{to} {lower}"), format!("M{from} {lower}H{node}"));
    match b.reduced {
        None => g += &path(&GREY, &format!("M{from} {upper}H{to}{wires}{product}")),
        Some(reduced) => {
            let dashed = path(&GREY, &format!("M{from} {upper}H{to}"));
            g += &dashed.replace("<path", "<path stroke-dasharray=\"3 3\"");
            g += &path(&GREY, &wires);
            let ink = if reduced { &TEXT } else { &RED };
            g += &path(ink, &product).replace("<path", "<path stroke-width=\"2\"");
            g += &text(from + 2, lower + 11, "middle", ink, if reduced { "M" } else { "S" });
        }
    }
    g += &path(&BLUE, &format!("M{node} {lower}L{to} {upper}"));
    g += &path(&ORANGE, &format!("M{node} {lower}H{to}"));
    let _ = write!(g, "<circle cx=\"{node}\" cy=\"{lower}\" r=\"2.5\" fill=\"{}\"/>", BLUE.attribute());
    let label = Symbols::Page.power("r", power.exponent);
    g + &text(from + TWIDDLE / 2, lower - 4, "middle", &BLUE, &label) + "</g>\n"
}

/// `(a, b, c)` to `a + w·b + w²·c`, and the same with `w·ω` and `w·ω²`.
fn split_in_three(third: &Third, from: usize, to: usize, powers: [Power; 2]) -> String {
    let (node, [a, b, c]) = (from + TWIDDLE, third.rows.map(y));
    let [w, square] = powers.map(|power| Symbols::Page.value(power.exponent, power.residue));
    let mut g = format!(
        "<g class=\"third\"><title>layer {}, rows {}, {} and {}: (a, b, c) becomes a + w·b + w²·c, a + w·ω·b + w²·ω²·c and \
         a + w·ω²·b + w²·ω·c with w = {w} and w² = {square}</title>\n",
        third.layer, third.rows[0], third.rows[1], third.rows[2]
    );
    g += &path(
        &GREY,
        &format!("M{from} {a}H{to}M{node} {a}L{to} {b}M{node} {a}L{to} {c}M{from} {b}H{node}M{from} {c}H{node}"),
    );
    for (row, power, ink) in [(b, &powers[0], &BLUE), (c, &powers[1], &RED)] {
        g += &path(ink, &format!("M{node} {row}L{to} {a}M{node} {row}L{to} {b}M{node} {row}L{to} {c}"));
        let _ = write!(g, "<circle cx=\"{node}\" cy=\"{row}\" r=\"2.5\" fill=\"{}\"/>", ink.attribute());
        let label = Symbols::Page.power("r", power.exponent);
        g += &text(from + TWIDDLE / 2, row - 4, "middle", ink, &label);
    }
    g + "</g>\n"
}

/// Which slot a row holds in the end, or which coefficient of a slot.
fn slot_label(recipe: &Recipe, exponent: usize, row: usize) -> String {
    let slot = recipe.ring().slot(exponent);
    match recipe.slot_degree() {
        1 => format!("slot {slot}: {}", Symbols::Page.modulus(1, exponent)),
        degree => format!("slot {slot}, c{}", lowered(row % degree)),
    }
}

pub(super) fn path(ink: &Ink, d: &str) -> String {
    format!("<path fill=\"none\" stroke=\"{}\" d=\"{d}\"/>", ink.attribute())
}

pub(super) fn text(x: usize, y: usize, anchor: &str, ink: &Ink, text: &str) -> String {
    let (fill, text) = (ink.attribute(), escape(text));
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{text}</text>\n")
}
