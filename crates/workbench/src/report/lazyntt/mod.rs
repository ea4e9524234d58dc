//! LazyNTT: the paper's two tables beside what this machine makes of the same algorithms, and of
//! Falcon's own loop.

mod memory;
mod program;
mod tables;

use super::{
    Bench, Section, mean,
    printed::lazyntt::{TABLES, VARIANTS},
    program::{Build, Program},
    times,
};
use crate::{
    fault::Fault,
    jobs::{Operation, by_lazy_ntt},
    measure::Spread,
    plans::AnyTransform,
};
use papers::lazyntt::{LazyNtt, Wanted};
use serde_json::{Value, json};

/// The row that the paper does not have: Algorithm 2 in Falcon's own words.
const FALCON: &str = "Falcon";

/// Variants of the paper, and Falcon's loop behind them.
const ROWS: usize = VARIANTS.len() + 1;

/// Times of one ring: the variants in their order, then Falcon.
type Times = [Option<Spread>; ROWS];

/// Times of all rows from one source.
struct Source {
    name: &'static str,
    unit: &'static str,
    /// For each row of both tables.
    times: Vec<Times>,
}

impl Source {
    /// The mean over both tables of a row's time over another's, if this source has both.
    fn ratio(&self, row: usize, over: usize) -> Option<f64> {
        let ratios = self.times.iter().map(|times| Some(times[row]?.median / times[over]?.median));
        ratios.collect::<Option<Vec<f64>>>().map(mean)
    }
}

fn papers() -> Source {
    let exact = |cycles| Some(Spread { median: cycles, low: cycles, high: cycles });
    let times = TABLES
        .iter()
        .flat_map(|table| table.rows.iter().map(|(_, [o, sm, ssm])| [exact(*o), exact(*sm), exact(*ssm), None]));
    Source { name: "paper", unit: "cycles", times: times.collect() }
}

/// n and q of all rows of both tables.
fn rings() -> impl Iterator<Item = (usize, u64)> {
    TABLES.iter().flat_map(|table| table.rows.iter().map(|(n, _)| (*n, table.q)))
}

/// The name of a row.
fn variant(row: usize) -> &'static str {
    VARIANTS.get(row).map_or(FALCON, |(name, _)| name)
}

/// Jobs that will be measured, the runs of the program included.
pub(crate) fn steps(program: Option<&Program>) -> u64 {
    (rings().count() * VARIANTS.len() + program.map_or(0, |_| Build::ALL.len())) as u64
}

/// The section; without the program it shows the engine alone.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool, program: Option<&Program>) -> Result<Section, Fault> {
    let mut sources = vec![papers()];
    if let Some(program) = program {
        for build in Build::ALL {
            bench.progress.set_message(format!("LazyNTT {}", build.name()));
            let times = program::run(program, build, if quick { 20 } else { 500 })?;
            bench.progress.inc(1);
            sources.push(Source { name: build.name(), unit: "ns", times });
        }
    }
    sources.push(engine(bench));
    let mut notes = vec![
        "Ratios are over Original of the same column. Engine: networks on the library's kernels in 64-bit words, one at a time, by \
         Montgomery's method and with the same products left unreduced; slots are reduced in the end."
            .to_owned(),
    ];
    if program.is_some() {
        notes.push(format!(
            "Unoptimised, optimised and this CPU are one program: the paper's algorithms in the paper's words, 64 bits with q \
             and R known to the compiler. {}. Rust checks every index, also unoptimised, where C does not; the paper compiled \
             C, without optimisation.",
            Build::ALL.map(|build| format!("{}: {}", build.name(), build.command(program::EXAMPLE))).join("; ")
        ));
        notes.push(
            "Falcon: Algorithm 2 in Falcon's own words, 16 bits in memory and 32 in registers, which compilers turn into \
             vectors; built with the rest. The paper calls its Original Falcon's, and has no such row."
                .into(),
        );
    } else {
        notes.push(
            "The paper compiled without optimisation. In a source checkout, report --unoptimised builds and times its \
             algorithms as printed, and Falcon's own loop: unoptimised, optimised, and for this CPU."
                .into(),
        );
    }
    let memory = memory::all();
    Ok(Section {
        id: "lazyntt",
        title: "LazyNTT".into(),
        meaning: meaning(&sources),
        figures: tables::times(&sources).into_iter().chain(tables::figures(&sources)).collect(),
        tables: tables::of(&sources).into_iter().chain([memory::table(&memory)]).collect(),
        notes,
        data: json!({ "source": "LazyNTT 2024, Tables 2 and 3", "rows": data(&sources), "tables": memory::data(&memory) }),
    })
}

/// The engine's forward transforms with the same schedules.
fn engine(bench: &mut Bench<'_>) -> Source {
    let times = rings().map(|(n, q)| {
        let jobs = VARIANTS.map(|(name, t)| {
            let (wanted, fits) = (Wanted::new(n, q, t), "the paper's rings fit words of 64 bits");
            match t {
                1 => Operation::Forward.job(name, &AnyTransform::new(&wanted.usual(), Some(64)).expect(fits)),
                _ => by_lazy_ntt(name, LazyNtt::of(wanted.prove(64).expect(fits))),
            }
        });
        let rows = bench.measure(&format!("LazyNTT {n}/{q}"), jobs.into());
        std::array::from_fn(|row| rows.get(variant(row)).map(|row| row.ns))
    });
    Source { name: "engine", unit: "ns", times: times.collect() }
}

fn meaning(sources: &[Source]) -> String {
    let mut text = "LazyNTT reduces one product of two in a row (SM) or of three (SSM).".to_owned();
    let saved = |row: usize| {
        let one = |source: &Source| Some(format!("{} {}", source.name, saving(source.ratio(row, 0)?)));
        sources.iter().filter_map(one).collect::<Vec<_>>().join(", ")
    };
    text += " Time against Original, as means over both tables:";
    text += &format!(" {}: {}; {}: {}.", VARIANTS[1].0, saved(1), VARIANTS[2].0, saved(2));
    let falcon = ROWS - 1;
    let over = |source: &Source| {
        let [sm, ssm] = [source.ratio(1, falcon)?, source.ratio(2, falcon)?];
        Some(format!("{} {sm:.2} and {ssm:.2} times", source.name))
    };
    let over: Vec<String> = sources.iter().filter_map(over).collect();
    if !over.is_empty() {
        text += &format!(
            " {} and {} take, of the time of Falcon's own loop in the same build: {}.",
            VARIANTS[1].0,
            VARIANTS[2].0,
            over.join(", ")
        );
    }
    let programs = sources.iter().filter(|source| source.ratio(falcon, falcon).is_some());
    let fastest = programs.min_by(|a, b| a.times_of(falcon).total_cmp(&b.times_of(falcon)));
    if let (Some(program), Some(engine)) = (fastest, sources.last()) {
        let share = mean(
            engine
                .times
                .iter()
                .zip(&program.times)
                .filter_map(|(ours, theirs)| Some(ours[0]?.median / theirs[0]?.median)),
        );
        text += &format!(" The engine's Original takes {} the time of the program's, {}.", times(share), program.name);
    }
    text
}

impl Source {
    /// The mean time of a row.
    fn times_of(&self, row: usize) -> f64 {
        mean(self.times.iter().filter_map(|times| Some(times[row]?.median)))
    }
}

/// What a ratio of times means.
fn saving(ratio: f64) -> String {
    let percent = 100.0 * (1.0 - ratio);
    if percent >= 0.0 { format!("saves {percent:.1} %") } else { format!("costs {:.1} % more", -percent) }
}

fn data(sources: &[Source]) -> Value {
    let line = |index: usize, (n, q): (usize, u64), row: usize| {
        let mut object = json!({ "n": n, "q": q, "variant": variant(row) });
        for source in sources {
            let [time, original] = [row, 0].map(|row| source.times[index][row]);
            if let (Some(time), Some(original)) = (time, original) {
                object[source.name] = json!({
                    "time": time.median, "low_quartile": time.low, "high_quartile": time.high, "unit": source.unit,
                    "ratio_to_original": time.median / original.median,
                });
            }
        }
        object
    };
    rings()
        .enumerate()
        .flat_map(|(index, ring)| (0..ROWS).map(move |row| (index, ring, row)))
        .map(|(i, ring, row)| line(i, ring, row))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C9: the sentences say what the numbers say, whichever way those fall.
    #[test]
    fn sentences_follow_the_numbers() {
        assert_eq!((saving(0.75), saving(1.25)), ("saves 25.0 %".into(), "costs 25.0 % more".into()));
        let source = |name, times: [f64; 4]| {
            let row = times.map(|x| Some(Spread { median: x, low: x, high: x }));
            Source { name, unit: "ns", times: vec![row; 3] }
        };
        let engine = Source {
            times: vec![
                [200.0, 210.0, 220.0]
                    .map(|x| Some(Spread { median: x, low: x, high: x }))
                    .into_iter()
                    .chain([None])
                    .collect::<Vec<_>>()
                    .try_into()
                    .unwrap();
                3
            ],
            ..source("engine", [0.0; 4])
        };
        let text = meaning(&[
            source("unoptimised", [100.0, 90.0, 80.0, 120.0]),
            source("optimised", [50.0, 55.0, 60.0, 40.0]),
            engine,
        ]);
        for part in [
            "SM-LazyNTT: unoptimised saves 10.0 %, optimised costs 10.0 % more, engine costs 5.0 % more",
            "SSM-LazyNTT: unoptimised saves 20.0 %, optimised costs 20.0 % more",
            "unoptimised 0.75 and 0.67 times, optimised 1.38 and 1.50 times",
            "4.0× the time of the program's, optimised",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
    }
}
