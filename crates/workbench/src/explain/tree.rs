//! The splitting tree of a ring: each node a factor `X^d - r^e` of its polynomial, each edge the
//! root `z` that `X^d` is there.
//!
//! Source: Bakkebø, *Number theoretic transform for faster lattice-based cryptography* (2020),
//! figures 4.1 to 4.4, here with the factors side by side and for any depth.

use super::{
    Power,
    diagram::{path, text},
};
use crate::{
    plot::{BLUE, GREY, ORANGE, RED, TEXT},
    symbols::{Symbols::Page, content, escape},
};
use ntt::{Recipe, arith::Modulus};
use std::fmt::Write;

/// The most slots of a tree that is drawn whole.
const WHOLE: usize = 36;
/// Layers that are drawn of larger ones; what is below is folded into a line for each factor.
const FOLDED: u32 = 3;

const ROW: usize = 24;
const MARGIN: usize = 14;
/// A digit or letter.
const LETTER: usize = 6;
/// Where an edge is straight, and holds its root.
const BEND: usize = 20;

/// A factor; the whole polynomial has the exponent of its first layer's square.
struct Node {
    layer: u32,
    exponent: usize,
    /// Twice the number of the row in its middle.
    middle: usize,
    /// Where it comes from, and as which part.
    parent: Option<(usize, usize)>,
}

/// Layers that are drawn.
pub(crate) fn layers(recipe: &Recipe) -> u32 {
    if recipe.slots() <= WHOLE { recipe.layers() } else { FOLDED.min(recipe.layers()) }
}

/// Residues after `layers` layers.
fn residues(recipe: &Recipe, layers: u32) -> usize {
    (0..layers as usize).map(|layer| recipe.radix(layer)).product()
}

/// All factors that are drawn, layer by layer.
fn nodes(recipe: &Recipe) -> Vec<Node> {
    let layers = layers(recipe);
    let rows = residues(recipe, layers);
    let middle = |layer: u32, number: usize| (2 * number + 1) * (rows / residues(recipe, layer));
    let whole = recipe.ring().exponent(recipe.order());
    let mut nodes = vec![Node { layer: 0, exponent: whole, middle: middle(0, 0), parent: None }];
    let mut first = 0;
    for layer in 1..=layers {
        let parents = first..nodes.len();
        first = nodes.len();
        for (number, parent) in parents.enumerate() {
            for (part, exponent) in recipe.parts(layer as usize - 1, nodes[parent].exponent).enumerate() {
                let middle = middle(layer, recipe.radix(layer as usize - 1) * number + part);
                nodes.push(Node { layer, exponent, middle, parent: Some((parent, part)) });
            }
        }
    }
    nodes
}

/// The drawing, from the polynomial at the left to its factors at the right.
pub(crate) fn svg(recipe: &Recipe) -> String {
    let q = Modulus::new(recipe.q()).expect("a recipe has a prime modulus");
    let power = |exponent: usize| Power { exponent, residue: q.pow(recipe.root(), exponent as u64) };
    let nodes = nodes(recipe);
    let label = |node: &Node| match node.layer {
        0 => Page.polynomial(recipe),
        layer => Page.modulus(recipe.n() / residues(recipe, layer), node.exponent),
    };
    let root = |node: &Node| Page.value(node.exponent, power(node.exponent).residue);
    let layers = layers(recipe);
    let widest = |texts: &dyn Fn(&Node) -> String, layer: u32| {
        let of_layer = nodes.iter().filter(|node| node.layer == layer);
        LETTER * of_layer.map(|node| texts(node).chars().count()).max().unwrap_or(0)
    };
    // Where the factors of each layer begin, and how wide they are.
    let mut starts = vec![MARGIN];
    for layer in 0..layers {
        let end = starts[layer as usize] + widest(&label, layer) + 8;
        starts.push(end + BEND + widest(&root, layer + 1) + 12);
    }
    let folded = fold(recipe);
    let end = starts[layers as usize] + widest(&label, layers) + 8 + LETTER * folded.chars().count();
    let y = |node: &Node| MARGIN + ROW * node.middle / 2;
    let (width, height) = (end + MARGIN, 2 * MARGIN + ROW * residues(recipe, layers));
    let title = format!("Splitting tree, n = {}, q = {}, depth {}", recipe.n(), recipe.q(), recipe.depth());
    let mut svg = format!(
        "<svg class=\"wide\" role=\"img\" aria-label=\"{}\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\" font-size=\"11\">\n",
        escape(&title)
    );
    for node in &nodes {
        let (x, y_node, name) = (starts[node.layer as usize], y(node), label(node));
        let residue = power(node.exponent).residue;
        let degree = recipe.n() / residues(recipe, node.layer);
        let _ = write!(
            svg,
            "<g class=\"factor\" data-layer=\"{}\" data-degree=\"{degree}\" data-root=\"{residue}\">",
            node.layer
        );
        if let Some((parent, part)) = node.parent {
            let parent = &nodes[parent];
            let from = starts[parent.layer as usize] + LETTER * label(parent).chars().count() + 6;
            let bend = x - widest(&root, node.layer) - 12;
            let ink = [&BLUE, &ORANGE, &RED][part];
            svg += &path(ink, &format!("M{from} {}L{bend} {y_node}H{}", y(parent), x - 4));
            svg += &text((bend + x) / 2 - 2, y_node - 3, "middle", ink, &root(node));
        }
        svg += &text(x, y_node + 4, "start", &TEXT, &name);
        if node.layer == layers && !folded.is_empty() {
            svg += &text(x + LETTER * name.chars().count() + 8, y_node + 4, "start", &GREY, &folded);
        }
        svg += "</g>\n";
    }
    svg + "</svg>"
}

/// What becomes of each factor below those that are drawn.
fn fold(recipe: &Recipe) -> String {
    match recipe.slots() / residues(recipe, layers(recipe)) {
        1 => String::new(),
        more => format!("… {more} slots of {}", content(recipe.slot_degree())),
    }
}
