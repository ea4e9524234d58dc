//! Table, figure and data of the section.

use super::{Here, Line, Q, described};
use crate::{
    measure::Row,
    plot::{self, BLUE, GREY, ORANGE, Point, RED, Series, TEXT},
    report::{Cell, Columns, Table, faster, microseconds, short, textbook::Textbook},
};
use serde_json::{Value, json};

pub(super) fn table(lines: &[Line]) -> Table {
    let meaning = "One product of polynomials, thesis in clock ticks, here in microseconds; gain: schoolbook over transform, \
                   each by its own schoolbook.";
    let here = |cells: fn(&Here) -> [Cell; 3]| {
        move |line: &&Line| line.here.as_ref().map_or_else(|| [(); 3].map(|()| Cell::dash()), cells)
    };
    Columns::new(meaning, lines)
        .column("N", |line| line.n)
        .group("thesis", ["normal", "NTT", "gain"], |line| {
            let [normal, ntt] = line.ticks.map(Cell::printed);
            [normal, ntt, format!("{}×", short(line.theirs())).into()]
        })
        .group(
            "here",
            ["schoolbook", "scalar", "gain"],
            here(|here| {
                [microseconds(&here.schoolbook), microseconds(&here.scalar), faster(&here.schoolbook, &here.scalar)]
            }),
        )
        .group(
            "here: the library's plan",
            ["plan", "gain", "on"],
            here(|here| {
                [microseconds(&here.best), faster(&here.schoolbook, &here.best), described(&here.decision).into()]
            }),
        )
        .table()
}

/// The thesis' own program, here.
pub(super) fn as_written(textbook: &Textbook, lines: &[Line]) -> Table {
    textbook.table(
        "The thesis' program as it was written, one product of polynomials, in microseconds; the library's plan beside it."
            .into(),
        WORK,
        ("microseconds", 1e3),
        lines.iter().map(|line| (line.n, Q.into(), line.here.as_ref().map(|here| here.best.ns))),
    )
}

/// The thesis' figure 5.1: both multiplications, as printed and by its program here.
pub(super) fn figure_5_1(textbook: &Textbook, lines: &[Line]) -> String {
    let printed = |i: usize| move |line: &Line| Some(Point::printed(line.n as f64, line.ticks[i]));
    let here = |by: &'static str, build: usize| {
        move |line: &Line| {
            let time = textbook.get(WORK, by, line.n, Q.into())[build]?;
            Some(Point::measured(line.n as f64, time.times(1e-3)))
        }
    };
    let all = [
        Series::of("thesis", TEXT, lines, printed(0)),
        Series::of("thesis NTT", GREY, lines, printed(1)),
        Series::of("book, opt 0", RED, lines, here("normal", 0)),
        Series::of("NTT, opt 0", ORANGE, lines, here("ntt", 0)),
        Series::of("NTT, opt 3", BLUE, lines, here("ntt", 1)),
    ];
    plot::log_log("The thesis' program", "degree N", "microseconds", &all)
}

pub(super) fn figure(lines: &[Line]) -> String {
    let here = |row: fn(&Here) -> &Row| {
        move |line: &Line| Some(Point::measured(line.n as f64, row(line.here.as_ref()?).ns.times(1e-3)))
    };
    let all = [
        Series::of("thesis", TEXT, lines, |line| Some(Point::printed(line.n as f64, line.ticks[0]))),
        Series::of("thesis NTT", GREY, lines, |line| Some(Point::printed(line.n as f64, line.ticks[1]))),
        Series::of("schoolbook", RED, lines, here(|here| &here.schoolbook)),
        Series::of("scalar", ORANGE, lines, here(|here| &here.scalar)),
        Series::of("plan", BLUE, lines, here(|here| &here.best)),
    ];
    plot::log_log("Time of a product by degree", "degree N", "microseconds", &all)
}

/// The program as written.
const WORK: &str = "product";

pub(super) fn data(line: &Line, textbook: Option<&Textbook>) -> Value {
    let here = line.here.as_ref().map(|here| {
        json!({
            "schoolbook": here.schoolbook.json(), "scalar": here.scalar.json(), "plan": here.best.json(),
            "other_plans": here.others.iter().map(Row::json).collect::<Value>(), "plan_by": described(&here.decision),
            "speed_up_scalar": here.gain(&here.scalar), "speed_up": here.gain(&here.best),
        })
    });
    json!({
        "n": line.n, "thesis": { "normal_ticks": line.ticks[0], "ntt_ticks": line.ticks[1], "speed_up": line.theirs() },
        "here": here, "as_written": textbook.map(|textbook| textbook.data(WORK, &["ntt", "normal"], line.n, Q.into())),
    })
}
