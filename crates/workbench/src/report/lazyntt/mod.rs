//! LazyNTT: the paper's two tables beside what this machine makes of the same algorithms.

mod paper;
mod program;
mod tables;

pub(crate) use program::Program;

use super::{Bench, Section, mean};
use crate::{fault::Fault, jobs::Operation, plans::AnyPlan};
use ntt::{Backend, Method, Request};
use paper::{TABLES, VARIANTS};
use serde_json::{Value, json};

/// Times of all rows from one source.
struct Source {
    name: &'static str,
    unit: &'static str,
    /// For each row of both tables, the variants in their order.
    times: Vec<[f64; 3]>,
}

impl Source {
    /// Time of a variant over Original's, for each row of both tables.
    fn ratios(&self, variant: usize) -> impl Iterator<Item = f64> {
        self.times.iter().map(move |times| times[variant] / times[0])
    }

    /// The mean of those.
    fn ratio(&self, variant: usize) -> f64 {
        mean(self.ratios(variant))
    }
}

fn papers() -> Source {
    let times = TABLES.iter().flat_map(|table| table.rows.iter().map(|(_, cycles)| *cycles)).collect();
    Source { name: "paper", unit: "cycles", times }
}

/// n and q of all rows of both tables.
fn rings() -> impl Iterator<Item = (usize, u64)> {
    TABLES.iter().flat_map(|table| table.rows.iter().map(|(n, _)| (*n, table.q)))
}

/// Jobs that will be measured, the two runs of the program included.
pub(crate) fn steps(program: Option<&Program>) -> u64 {
    (rings().count() * VARIANTS.len()) as u64 + if program.is_some() { 2 } else { 0 }
}

/// The section; without the program it shows the engine alone.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool, program: Option<&Program>) -> Result<Section, Fault> {
    let printed = papers();
    let literal = program.map(|program| literal(bench, quick, program)).transpose()?;
    let engine = engine(bench);
    let mut sources: Vec<&Source> = vec![&printed];
    sources.extend(literal.iter().flatten());
    sources.push(&engine);
    let mut shown = Vec::new();
    if let Some(literal) = &literal {
        shown.extend(tables::of(&printed, &literal.each_ref()));
    }
    shown.extend(tables::of(&printed, &[&engine]));
    let mut notes = vec![
        "Deviation: our ratio over the paper's. The engine is the library's own network in 64-bit words, one at a time, by \
         Montgomery's method and with the same products left unreduced; its slots are reduced in the end."
            .to_owned(),
    ];
    notes.push(match &literal {
        Some(_) => format!(
            "Unoptimised and optimised are one program, the paper's algorithms as printed in 64-bit words: {}, and the \
             same with opt-level=3. The paper compiled C without optimisation.",
            program::command(0)
        ),
        None => {
            "The paper compiled without optimisation. In a source checkout, report --unoptimised builds and times its \
                 algorithms as printed, unoptimised and optimised, and adds both to these tables."
                .into()
        }
    });
    Ok(Section {
        id: "lazyntt",
        title: "LazyNTT".into(),
        meaning: meaning(&sources, literal.as_ref()),
        figures: tables::figures(&sources),
        tables: shown,
        notes,
        data: json!({ "source": "LazyNTT 2024, Tables 2 and 3", "rows": data(&sources) }),
    })
}

/// The paper's program, unoptimised and optimised.
fn literal(bench: &Bench<'_>, quick: bool, program: &Program) -> Result<[Source; 2], Fault> {
    let milliseconds = if quick { 20 } else { 1000 };
    let run = |name, opt_level| -> Result<Source, Fault> {
        bench.progress.set_message(format!("LazyNTT {name}"));
        let times = program.run(opt_level, milliseconds)?;
        bench.progress.inc(1);
        Ok(Source { name, unit: "ns", times })
    };
    Ok([run("unoptimised", 0)?, run("optimised", 3)?])
}

/// The engine's forward transforms with the same schedules.
fn engine(bench: &mut Bench<'_>) -> Source {
    let times = rings().map(|(n, q)| {
        let jobs = VARIANTS.map(|(name, t)| {
            let request = Request::new(n, q).backend(Backend::Scalar).method(Method::Montgomery).lazy_ntt(t);
            let plan = AnyPlan::new(&request, Some(64)).expect("the paper's rings fit words of 64 bits");
            Operation::Forward.job(name, &plan)
        });
        let rows = bench.measure(&format!("LazyNTT {n}/{q}"), jobs.into());
        VARIANTS.map(|(name, _)| rows.get(name).expect("measured above").ns.median)
    });
    Source { name: "engine", unit: "ns", times: times.collect() }
}

fn meaning(sources: &[&Source], literal: Option<&[Source; 2]>) -> String {
    let saved = |variant: usize| {
        let parts = sources.iter().map(|source| format!("{} {}", source.name, saving(source.ratio(variant))));
        format!("{} against Original: {}.", VARIANTS[variant].0, parts.collect::<Vec<_>>().join(", "))
    };
    let mut text = format!(
        "LazyNTT reduces one product of two in a row (SM) or of three (SSM). Time saved, as means over both tables. {} {}",
        saved(1),
        saved(2)
    );
    if let (Some([unoptimised, optimised]), Some(engine)) = (literal, sources.last()) {
        for (variant, (name, _)) in VARIANTS.iter().enumerate().skip(1) {
            let way = trend(unoptimised.ratio(variant), optimised.ratio(variant));
            text += &format!(" Under optimisation the gain of {name} {way}.");
        }
        let share = |variant: usize| {
            let both = engine.times.iter().zip(&optimised.times);
            format!(
                "{:.2} for {}",
                mean(both.map(|(ours, theirs)| ours[variant] / theirs[variant])),
                VARIANTS[variant].0
            )
        };
        text += &format!(
            " The engine's time over that of the optimised program: {}, {}, {}.",
            share(0),
            share(1),
            share(2)
        );
    }
    text
}

/// What a ratio of times means.
fn saving(ratio: f64) -> String {
    let percent = 100.0 * (1.0 - ratio);
    if percent >= 0.0 { format!("saves {percent:.1} %") } else { format!("costs {:.1} % more", -percent) }
}

/// What becomes of a gain when one ratio replaces another.
fn trend(before: f64, after: f64) -> &'static str {
    /// Two ratios this close are the same.
    const NEAR: f64 = 0.01;
    match after - before {
        _ if before >= 1.0 => "has nothing to lose",
        _ if after >= 1.0 => "vanishes",
        change if change > NEAR => "shrinks",
        change if change < -NEAR => "grows",
        _ => "stays",
    }
}

fn data(sources: &[&Source]) -> Value {
    let variants = VARIANTS.iter().enumerate();
    let row = |index: usize, (n, q): (usize, u64)| {
        let variants = variants.clone();
        variants.map(move |(variant, (name, _))| {
            let mut row = json!({ "n": n, "q": q, "variant": name });
            for source in sources {
                let [time, ratio] =
                    [source.times[index][variant], source.times[index][variant] / source.times[index][0]];
                let papers = sources[0].times[index][variant] / sources[0].times[index][0];
                row[source.name] = json!({
                    "time": time, "unit": source.unit, "ratio_to_original": ratio, "over_papers_ratio": ratio / papers,
                });
            }
            row
        })
    };
    rings().enumerate().flat_map(|(index, ring)| row(index, ring).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn sentences_follow_the_numbers() {
        assert_eq!((super::saving(0.75), super::saving(1.25)), ("saves 25.0 %".into(), "costs 25.0 % more".into()));
        let seen = [(0.7, 0.9), (0.9, 0.7), (0.9, 0.905), (0.9, 1.1), (1.1, 0.9)].map(|(a, b)| super::trend(a, b));
        assert_eq!(seen, ["shrinks", "grows", "stays", "vanishes", "has nothing to lose"]);
    }
}
