//! `plan --measure`: what methods cost on this CPU, measured and written to a file.

use super::row;
use crate::{
    costs::{self, fit, samples},
    fault::Fault,
    files::{self, Kind},
    measure::Meter,
    screen::{Screen, columns},
};
use ntt::{Backend, CostModel, Method};
use schemars::JsonSchema;
use serde::Serialize;
use std::{borrow::Cow, path::Path};

/// What methods cost on this CPU.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct Answer<'a> {
    /// The CPU.
    cpu: &'a str,
    /// How core cycles were found.
    core_cycles: &'static str,
    /// Core cycles in a nanosecond.
    gigahertz: f64,
    /// Whether this is an optimised build, without which the numbers mean nothing.
    optimised: bool,
    /// Whether less was measured, for a first look.
    quick: bool,
    /// How much was measured.
    samples: usize,
    /// Method by method, backend by backend.
    methods: Vec<MethodCosts>,
    /// Where the costs were written.
    file: Cow<'a, str>,
}

/// A method in words of some width on the vectors of a backend.
#[derive(Serialize, JsonSchema)]
struct MethodCosts {
    /// The instructions.
    backend: &'static str,
    /// The width of a word.
    bits: u32,
    /// The method of reduction.
    method: &'static str,
    /// What it costs by default.
    default: Weights,
    /// What it costs as measured.
    measured: Weights,
}

/// What a method costs.
#[derive(Serialize, JsonSchema)]
struct Weights {
    /// The scale of everything, in hundredths.
    scale: u16,
    /// In hundredths: a product with a twiddle, a product of two variables, a reduction.
    weights: [u16; 3],
    /// The median error of the estimates, in per cent.
    off_percent: f64,
}

/// A method in words of some width on the vectors of a backend, before and after.
struct Cost {
    backend: Backend,
    bits: u32,
    method: Method,
    /// Scale and weights.
    numbers: [(u16, [u16; 3]); 2],
    /// By how many per cent estimates are off.
    off: [f64; 2],
}

/// Measures, shows and writes; `out` is `None` for the file that is kept for this CPU.
pub(super) fn run(quick: bool, out: Option<&Path>, force: bool, screen: &Screen) -> Result<(), Fault> {
    let kept = costs::kept_at();
    // What is kept is ours to replace.
    let (path, force) = match (out, &kept) {
        (Some(path), _) => (path, force),
        (None, Some(kept)) => {
            costs::make_folder(kept)?;
            (kept.as_path(), true)
        }
        (None, None) => {
            let why = "nothing says where the files of this user are; name a file with --out";
            return Err(Fault::Usage(why.into()));
        }
    };
    files::check_outputs(&[(path, Kind::Text)], force)?;
    let mut meter = Meter::new()?;
    let samples = samples::measure(quick, &mut meter, screen)?;
    let first = CostModel::DEFAULT;
    let model = fit::model(&first, &samples).with_cpu(&costs::cpu());
    let mut all = Vec::new();
    for backend in crate::plans::machine_backends() {
        for (bits, method) in crate::plans::WIDTHS.into_iter().flat_map(|bits| Method::ALL.map(|m| (bits, m))) {
            let lanes = backend.lanes(bits);
            let off = [&first, &model].map(|of| fit::error(of, &samples, [bits as usize, lanes], method));
            let [Some(before), Some(after)] = off else { continue };
            let numbers = [&first, &model].map(|of| (of.scale(bits, lanes), of.weights(method, bits, lanes)));
            all.push(Cost { backend, bits, method, numbers, off: [before, after] });
        }
    }
    files::write(path, model.to_string().as_bytes(), Kind::Text, force)?;
    let answer = Answer {
        cpu: model.cpu(),
        core_cycles: meter.method(),
        gigahertz: meter.gigahertz,
        optimised: !cfg!(debug_assertions),
        quick,
        samples: samples.len(),
        methods: all.iter().map(costs_of).collect(),
        file: path.to_string_lossy(),
    };
    let used = if out.is_none() {
        "`ringwork plan` chooses by this file from now on, on this CPU; --costs default goes without\n".to_owned()
    } else {
        format!("`ringwork plan N Q --costs {}` chooses by it\n", files::name(path))
    };
    screen.written(answer, &["file"], &(text(&model, &all) + &used))
}

fn text(model: &CostModel, all: &[Cost]) -> String {
    let mut rows = vec![row(["backend", "bits", "method", "costs by default", "", "estimates off by", ""])];
    for Cost { backend, bits, method, numbers, off } in all {
        // As they are in estimates: with the scale.
        let [before, after] = numbers.map(|(scale, weights)| {
            let scaled = |weight: u16| (u32::from(scale) * u32::from(weight) / 100).to_string();
            let [product, variable, reduction] = weights.map(scaled);
            format!("{product} {variable} {reduction}, {scale}")
        });
        let [off_before, off_after] = off.map(|percent| format!("{percent:.0} %"));
        let mut line = vec![backend.to_string(), bits.to_string(), method.to_string()];
        line.extend([before, format!("→ {after}"), off_before, format!("→ {off_after}")]);
        rows.push(line);
    }
    let mut text = format!("\n{}\n{}", model.cpu(), columns("lrlrlrl", &rows));
    text += "costs: hundredths for a product with a twiddle, a product of two variables and a reduction; for what\n\
             does not depend on the method; by default, and as measured here\n";
    if cfg!(debug_assertions) {
        text += "this is a debug build: its numbers mean nothing, use cargo run --release\n";
    }
    text
}

fn costs_of(cost: &Cost) -> MethodCosts {
    let [default, measured] = [0, 1].map(|side| {
        let (scale, weights) = cost.numbers[side];
        Weights { scale, weights, off_percent: (cost.off[side] * 10.0).round() / 10.0 }
    });
    let (backend, method) = (cost.backend.name(), cost.method.name());
    MethodCosts { backend, bits: cost.bits, method, default, measured }
}
