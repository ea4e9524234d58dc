//! The proved ranges of a plan in the order of the computation, for `plan` and for the report.

use ntt::{
    Interval, Recipe,
    internals::network::{Pass, PreReduction, SlotStep, Step},
};

/// A step of the computation: what its values are proved to be.
#[derive(Debug)]
pub(crate) struct Line {
    /// In words.
    pub(crate) name: String,
    /// For a plot.
    pub(crate) label: String,
    pub(crate) range: Interval,
    /// What is reduced here beyond the products; empty for nothing.
    pub(crate) reduces: &'static str,
}

pub(crate) fn line(name: &str, label: &str, range: Interval, reduces: &'static str) -> Line {
    Line { name: name.into(), label: label.into(), range, reduces }
}

/// What pointwise products reduce beyond themselves.
pub(crate) const fn of_products(SlotStep { operands, sums, wide }: SlotStep) -> &'static str {
    match (operands, sums, wide) {
        (false, false, false) => "",
        (true, false, false) => "reduce operands",
        (false, true, _) => "reduce sums",
        (true, true, _) => "reduce operands and sums",
        (false, false, true) => "reduce whole sums",
        (true, false, true) => "reduce operands and whole sums",
    }
}

/// All steps of a product: forward layers, slots, pointwise products, inverse layers.
pub(crate) fn lines(recipe: &Recipe) -> Vec<Line> {
    let (c, s) = (recipe.certificate(), recipe.schedules());
    let layer = |way: &str, i: usize, ranges: &[Interval], steps: &[Step]| {
        let reduces = if steps[i] == Step::Plain { "" } else { steps[i].name() };
        line(&format!("{way} layer {i}"), &i.to_string(), ranges[i], reduces)
    };
    let mut lines = vec![line("input", "in", c.input(), "")];
    lines.extend((0..c.forward().len()).map(|i| layer("forward", i, c.forward(), s.forward())));
    lines.push(line("slots", "s", c.slots(), if s.reduce_slots() { "reduce all" } else { "" }));
    lines.push(line("pointwise products", "p", c.products(), of_products(s.transformed())));
    let before = match s.before_inverse() {
        PreReduction::None => "",
        PreReduction::Slots => "reduce slots, not products",
        PreReduction::All => "reduce all",
    };
    lines.push(line("inverse input", "i", c.inverse_input(), before));
    lines.extend((0..c.inverse().len()).rev().map(|i| layer("inverse", i, c.inverse(), s.inverse())));
    lines.push(line("output", "out", c.output(), ""));
    lines
}

/// The ends of a proved range, which fit the widest word.
pub(crate) const fn ends(range: Interval) -> [i64; 2] {
    [range.lo as i64, range.hi as i64]
}

/// What a pass does, in words.
pub(crate) fn describe(pass: &Pass) -> String {
    let layers = pass.layers();
    let span = if layers.len() == 1 {
        layers.start.to_string()
    } else {
        format!("{}-{}", layers.start, layers.end.max(1) - 1)
    };
    let layers = if layers.len() == 1 { "layer" } else { "layers" };
    match pass {
        Pass::Outer { stride, .. } => format!("{layers} {span} (stride {stride})"),
        Pass::Thirds { stride, .. } => format!("{layers} {span} (in thirds, stride {stride})"),
        Pass::Inner { .. } => format!("{layers} {span} (inside vectors)"),
        Pass::Trinomial { .. } => "layer 0 (of the trinomial)".into(),
        Pass::Twist { vectors, .. } => format!("twist of blocks of {vectors} vectors"),
        Pass::Split { bits } => format!("split of {bits} bits"),
        other => format!("{other:?}"),
    }
}

/// How much of the word a range takes.
pub(crate) fn bar(range: Interval, limit: Interval) -> String {
    const FULL: i128 = 20;
    let share = |parts: i128| range.magnitude() * parts / limit.magnitude();
    let filled = share(FULL) as usize;
    format!("{:>3} % {}", share(100), if filled == 0 { "▏".into() } else { "█".repeat(filled) })
}
