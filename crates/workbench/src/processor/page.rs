//! The page of `processor trace`: slots against cycles, the pipeline, and memory step by step.

use super::{Trace, kind};
use crate::{
    html::{self, First},
    plot::{BLUE, GREY, GRID, Ink, ORANGE, RED, TEXT},
    report::{Figure, Section, Table, strings},
    screen::grouped,
    symbols::escape,
};
use processor::{
    Variant,
    schedule::{Form, Slot, Work},
};
use std::fmt::Write as _;

/// Cycles of an instruction that are drawn at most, and in a line.
const DRAWN: usize = 1600;
const LINE: usize = 80;
/// Slots whose way is drawn.
const SLOTS: usize = 4;
/// Width of a cycle, and margins, in the drawing of the pipeline.
const CELL: usize = 50;
const TOP: usize = 24;
const LEFT: usize = 120;
/// Degrees for which memory is shown step by step.
const SMALL: usize = 32;

/// The page.
pub(crate) fn page(trace: &Trace) -> String {
    let (set, name) = (&trace.set, trace.variant.name());
    let title = format!("The cryptoprocessor, machine {name}, n = {}, q = {}", set.n, set.q);
    let cycles: u64 = trace.outcome.runs.iter().map(|run| run.cycles).sum();
    let headline = format!("{} instructions in {} cycles.", trace.outcome.runs.len(), grouped(cycles));
    let rows = trace.outcome.runs.iter().map(|run| strings([run.opcode.name().to_owned(), grouped(run.cycles)]));
    let facts = Table { rows: rows.collect(), ..Table::default() };
    let mut sections = vec![strips(trace), pipeline(trace)];
    if set.n <= SMALL {
        sections.push(memory(trace));
    }
    let first = First { title: &title, headline: &headline, warning: None, figures: &[], facts: &facts };
    html::page(&first, &[], &sections, None)
}

fn section(id: &'static str, title: &str, meaning: &str) -> Section {
    Section { id, title: title.into(), meaning: meaning.into(), ..Section::default() }
}

/// Slot by slot, a square for each cycle.
fn strips(trace: &Trace) -> Section {
    let mut section = section(
        "slots",
        "Slots against cycles",
        "A square is a cycle, line by line: blue a butterfly, orange a product for the twiddle table, red scaling, products \
         or sums, dark a word that is read or exchanged, white an empty slot, crossed one that waits for the sampler.",
    );
    for (run, slots) in trace.outcome.runs.iter().zip(&trace.slots).filter(|(_, slots)| !slots.is_empty()) {
        let drawn = slots.len().min(DRAWN);
        let end =
            if drawn < slots.len() { format!(", the first {} of them", grouped(drawn as u64)) } else { String::new() };
        let caption = format!("{}: {} cycles{end}", run.opcode.name(), grouped(run.cycles));
        section.figures.push(Figure { svg: strip(&slots[..drawn]), caption });
    }
    section
}

fn ink(slot: Option<Slot>) -> Option<Ink> {
    match slot?.work {
        Work::Nothing => None,
        Work::Forward(_) | Work::Backward(_) => Some(BLUE),
        Work::Twiddle { .. } => Some(ORANGE),
        Work::Move | Work::Output => Some(GREY),
        _ => Some(RED),
    }
}

fn strip(slots: &[(u64, Option<Slot>)]) -> String {
    const SIDE: usize = 10;
    let (width, height) = (LINE * SIDE + 50, slots.len().div_ceil(LINE) * (SIDE + 4) + 4);
    let mut svg = svg(width, height, "Slots, one square a cycle");
    for (i, &(cycle, slot)) in slots.iter().enumerate() {
        let (x, y) = (50 + i % LINE * SIDE, i / LINE * (SIDE + 4) + 2);
        if i % LINE == 0 {
            let (y, fill) = (y + 9, GREY.attribute());
            let _ = write!(
                svg,
                "<text x=\"44\" y=\"{y}\" text-anchor=\"end\" font-size=\"10\" fill=\"{fill}\">{cycle}</text>"
            );
        }
        let fill = ink(slot).map_or("none".into(), |ink| ink.attribute());
        let side = SIDE - 1;
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" stroke=\"{}\"><title>cycle {cycle}: \
             {}</title></rect>",
            GRID.attribute(),
            kind(slot)
        );
        if slot.is_none() {
            let (x2, y2) = (x + side, y + side);
            let _ = write!(svg, "<path d=\"M{x} {y}L{x2} {y2}M{x} {y2}L{x2} {y}\" stroke=\"{}\"/>", GREY.attribute());
        }
    }
    svg + "</svg>"
}

fn svg(width: usize, height: usize, label: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" role=\"img\" aria-label=\"{}\">",
        escape(label)
    )
}

/// The way of the first butterflies through the stages.
fn pipeline(trace: &Trace) -> Section {
    let mut section = section(
        "pipeline",
        "The pipeline",
        "Each line is a slot, each column a cycle. The registers R1 to R5 are those of the paper: a slot's difference and sum \
         come to R1 and R4, go on to R2 and R5, and the difference to R3; red is the word that is written, of two of them.",
    );
    let butterflies = trace.slots.iter().zip(&trace.outcome.runs).find_map(|(slots, run)| {
        let is = |(_, slot): &&(u64, Option<Slot>)| {
            matches!(slot, Some(Slot { work: Work::Forward(_) | Work::Backward(_), .. }))
        };
        let first: Vec<&(u64, Option<Slot>)> = slots.iter().filter(is).take(SLOTS).collect();
        (!first.is_empty()).then_some((run, first))
    });
    let Some((run, slots)) = butterflies else {
        section.notes.push("This program has no transform.".into());
        return section;
    };
    let result = trace.depth.result_age(trace.variant);
    let first = slots[0].0;
    let last = slots.last().map_or(first, |slot| slot.0) + trace.depth.write_age(Variant::Fast) as u64 + 1;
    let columns = (last - first) as usize;
    let mut drawing = svg(LEFT + CELL * columns, TOP + 30 * slots.len() + 6, "Slots and stages against cycles");
    for column in 0..columns {
        let (x, cycle) = (LEFT + CELL * column + CELL / 2, first + column as u64);
        let _ = write!(
            drawing,
            "<text x=\"{x}\" y=\"16\" text-anchor=\"middle\" font-size=\"13\" fill=\"{}\">{cycle}</text>",
            GREY.attribute()
        );
    }
    for (line, (cycle, slot)) in slots.iter().enumerate() {
        let Some(slot) = slot else { continue };
        let y = TOP + 30 * line;
        let (block, address) = slot.reads[0].unwrap_or_default();
        let _ = write!(
            drawing,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"13\" fill=\"{}\">M{block}, word {address}</text>",
            LEFT - 8,
            y + 18,
            TEXT.attribute()
        );
        let form = slot.write.map_or("", |write| match write.form {
            Form::Plain => "R2 R5",
            Form::Sums => "R4 R5",
            Form::Differences => "R2 R3",
        });
        let backward = matches!(slot.work, Work::Backward(_));
        let operands = if trace.variant == Variant::Paper { 3 } else { 4 };
        let multiply = if backward { operands + 1 } else { operands };
        let product = multiply + trace.depth.stages();
        let written = slot.write.map_or(result + 1, |write| write.after);
        let stages: Vec<(usize, usize, &str, &Ink)> = [
            (0, 1, "address", &GREY),
            (1, operands - 1, "read", &GREY),
            (operands, 1, if backward { "±, ½" } else { "" }, &ORANGE),
            (multiply, product - multiply, "× ω", &BLUE),
            (product, result - product, if backward { "mod q" } else { "±" }, &ORANGE),
            (result, 1, "R1 R4", &ORANGE),
            (result + 1, written - result - 1, "R2 R5", &ORANGE),
            (written, 1, form, &RED),
        ]
        .into_iter()
        .filter(|(_, length, name, _)| *length > 0 && !name.is_empty())
        .collect();
        for (start, length, name, ink) in stages {
            let x = LEFT + CELL * ((cycle - first) as usize + start);
            let (width, colour) = (CELL * length - 3, ink.attribute());
            let _ = write!(
                drawing,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"26\" rx=\"3\" fill=\"none\" stroke=\"{colour}\"/><text \
                 x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"12\" fill=\"{colour}\">{name}</text>",
                x + width / 2,
                y + 17
            );
        }
    }
    let caption = format!("The first {} butterflies of {}, in cycles since its start.", slots.len(), run.opcode.name());
    section.figures.push(Figure { svg: drawing + "</svg>", caption });
    section
}

/// What was written, in the order of cycles.
fn memory(trace: &Trace) -> Section {
    let mut section = section(
        "memory",
        "Memory step by step",
        "Every word that an instruction writes, as Table 2 of the paper has them: the upper and the lower coefficient.",
    );
    for (number, run) in trace.outcome.runs.iter().enumerate() {
        let of_it = trace.writes.iter().filter(|write| write.instruction == number);
        let rows: Vec<_> = of_it
            .map(|w| {
                let [low, high] = w.word;
                strings([w.cycle.to_string(), format!("M{}", w.block), w.address.to_string(), format!("{high} {low}")])
            })
            .collect();
        if !rows.is_empty() {
            let head = strings(["cycle", "block", "address", "word"]);
            section.tables.push(Table { meaning: format!("{}.", run.opcode.name()), head, rows, ..Table::default() });
        }
    }
    section
}
