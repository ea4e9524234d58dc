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
use serde_json::{Value, json};
use std::path::Path;

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
    let value = json!({
        "cpu": model.cpu(), "core_cycles": meter.method(), "gigahertz": meter.gigahertz,
        "optimised": !cfg!(debug_assertions), "quick": quick, "samples": samples.len(),
        "methods": all.iter().map(object).collect::<Vec<_>>(),
    });
    let used = if out.is_none() {
        "`ringwork plan` chooses by this file from now on, on this CPU; --costs default goes without\n".to_owned()
    } else {
        format!("`ringwork plan N Q --costs {}` chooses by it\n", path.display())
    };
    screen.written(value, &[("file", path)], &(text(&model, &all) + &used))
}

fn text(model: &CostModel, all: &[Cost]) -> String {
    let mut rows = vec![row(["backend", "bits", "method", "scale", "", "weights", "", "estimates off by", ""])];
    for Cost { backend, bits, method, numbers: [before, after], off } in all {
        let weights = |weights: &[u16; 3]| weights.map(|weight| weight.to_string()).join(" ");
        let changed = |before: String, after: String| [before, format!("→ {after}")];
        let mut line = vec![backend.to_string(), bits.to_string(), method.to_string()];
        line.extend(changed(before.0.to_string(), after.0.to_string()));
        line.extend(changed(weights(&before.1), weights(&after.1)));
        line.extend(changed(format!("{:.0} %", off[0]), format!("{:.0} %", off[1])));
        rows.push(line);
    }
    let mut text = format!("\n{}\n{}", model.cpu(), columns("lrlrlrlrl", &rows));
    text += "hundredths: a scale for everything, then a product with a twiddle, a product of two variables and a\n\
             reduction; by default, and as measured here\n";
    if cfg!(debug_assertions) {
        text += "this is a debug build: its numbers mean nothing, use cargo run --release\n";
    }
    text
}

fn object(cost: &Cost) -> Value {
    let side = |side: usize| {
        let (scale, weights) = cost.numbers[side];
        json!({ "scale": scale, "weights": weights, "off_percent": (cost.off[side] * 10.0).round() / 10.0 })
    };
    json!({
        "backend": cost.backend.name(), "bits": cost.bits, "method": cost.method.name(),
        "default": side(0), "measured": side(1),
    })
}
