//! Table, figure and data of the section.

use super::Line;
use crate::{
    plot::{self, BLUE, GREY, Ink, ORANGE, Series},
    report::{Table, short, strings},
};
use serde_json::{Value, json};

pub(super) fn table(lines: &[Line]) -> Table {
    let head = [
        "N",
        "thesis: normal",
        "NTT",
        "gain",
        "here: schoolbook",
        "scalar",
        "gain",
        "best",
        "gain",
        "over thesis",
        "best on",
    ];
    let row = |line: &Line| {
        let gain = |gain: f64| format!("{}×", short(gain));
        let [normal, ntt] = line.ticks.map(short);
        let mut row = vec![line.n.to_string(), normal, ntt, gain(line.theirs())];
        match &line.here {
            None => row.resize(head.len(), "–".into()),
            Some(here) => {
                let [book, scalar, best] =
                    [&here.schoolbook, &here.scalar, &here.best].map(|row| short(row.ns.median / 1000.0));
                let (of_scalar, of_best) = (here.gain(&here.scalar), here.gain(&here.best));
                row.extend([book, scalar, gain(of_scalar), best, gain(of_best), gain(of_best / line.theirs())]);
                let recipe = here.plan.recipe();
                row.push(format!("{}-{}", recipe.backend, recipe.bits));
            }
        }
        row
    };
    Table {
        meaning:
            "One product of polynomials, thesis in clock ticks, here in microseconds; gain: schoolbook over transform; \
                  over thesis: the best gain over that of the thesis; on: backend and bits of a word."
                .into(),
        head: strings(head),
        rows: lines.iter().map(row).collect(),
        ..Table::default()
    }
}

pub(super) fn figure(lines: &[Line]) -> String {
    let series = |name: &str, ink: Ink, gain: &dyn Fn(&Line) -> Option<f64>| {
        let points = lines.iter().filter_map(|line| Some((line.n as f64, gain(line)?))).collect();
        Series { name: name.into(), ink, points }
    };
    let all = [
        series("thesis", GREY, &|line| Some(line.theirs())),
        series("scalar", ORANGE, &|line| line.here.as_ref().map(|here| here.gain(&here.scalar))),
        series("best", BLUE, &Line::ours),
    ];
    plot::log_log("Speed-up of a product by transform over schoolbook", "degree N", "speed-up", &all)
}

pub(super) fn data(line: &Line) -> Value {
    let here = line.here.as_ref().map(|here| {
        let recipe = here.plan.recipe();
        json!({
            "schoolbook": here.schoolbook.json(), "scalar": here.scalar.json(), "best": here.best.json(),
            "backend": recipe.backend.name(), "bits": recipe.bits, "slot_degree": recipe.slot_degree(),
            "speed_up_scalar": here.gain(&here.scalar), "speed_up": here.gain(&here.best),
        })
    });
    json!({
        "n": line.n, "thesis": { "normal_ticks": line.ticks[0], "ntt_ticks": line.ticks[1], "speed_up": line.theirs() },
        "here": here, "over_thesis": line.ours().map(|ours| ours / line.theirs()),
    })
}
