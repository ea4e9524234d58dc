//! LazyNTT: the paper's two tables beside what this machine makes of the same algorithms, in C, in Rust and on the
//! engine's kernels, and of Falcon's own loop.

mod compiler;
mod experiments;
mod memory;
mod program;
mod tables;

use super::{
    Bench, Section,
    printed::lazyntt::{TABLES, VARIANTS},
    program::{Build, Program},
};
use crate::{
    fault::Fault,
    jobs::{Operation, by_lazy_ntt},
    measure::Spread,
    plans::AnyTransform,
};
use compiler::Compiler;
use papers::lazyntt::{LazyNtt, Wanted};
use serde_json::{Value, json};

/// The row that the paper does not have: Algorithm 2 in Falcon's own words.
const FALCON: &str = "Falcon";

const FITS: &str = "the paper's rings fit words of 64 bits";

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
    /// The least and the largest ratio, over both tables, of a row's time to another's, if this source has both.
    fn ratios(&self, row: usize, over: usize) -> Option<[f64; 2]> {
        let ratios = self.times.iter().map(|times| Some(times[row]?.median / times[over]?.median));
        ratios.collect::<Option<Vec<f64>>>().map(extremes)
    }
}

/// The least and the largest.
fn extremes(numbers: Vec<f64>) -> [f64; 2] {
    [numbers.iter().copied().fold(f64::INFINITY, f64::min), numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
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

/// Jobs that will be measured, the runs of the programs included.
pub(crate) fn steps(program: Option<&Program>) -> u64 {
    let runs = compiler::BUILDS.len() + program.map_or(0, |_| Build::ALL.len());
    (rings().count() * VARIANTS.len() + runs) as u64 + experiments::steps()
}

/// The section; without a checkout the program in Rust is missing, and without a C compiler the one in C.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool, program: Option<&Program>) -> Result<Section, Fault> {
    let milliseconds = if quick { 20 } else { 250 };
    let mut sources = vec![papers()];
    let in_c = in_c(bench, &mut sources, milliseconds);
    if let Some(program) = program {
        for build in Build::ALL {
            bench.progress.set_message(format!("LazyNTT {}", build.name()));
            let times = program::run(program, build, milliseconds)?;
            bench.progress.inc(1);
            sources.push(Source { name: build.name(), unit: "ns", times });
        }
    }
    sources.push(engine(bench));
    let mut notes = vec![
        "Ratios are over Original of the same column. Engine: networks on the library's kernels in 64-bit words, one at a time, by \
         Montgomery's method and with the same products left unreduced, through the same passes over memory; slots are reduced in \
         the end."
            .to_owned(),
        in_c,
        butterflies_as_printed(),
    ];
    if program.is_some() {
        notes.push(format!(
            "Unoptimised, optimised and this CPU are one program in Rust: the paper's algorithms in the paper's words, 64 bits \
             with q and R known to the compiler. {}. Rust checks every index, also unoptimised, where C does not.",
            Build::ALL.map(|build| format!("{}: {}", build.name(), build.command(program::EXAMPLE))).join("; ")
        ));
        notes.push(
            "Falcon: Algorithm 2 in Falcon's own words, 16 bits in memory and 32 in registers, which Rust's compiler turns into \
             vectors; built with the rest. The paper calls its Original Falcon's, and has no such row."
                .into(),
        );
    } else {
        notes.push(
            "In a source checkout, report --unoptimised builds and times the same algorithms in Rust: unoptimised, optimised, \
             and for this CPU."
                .into(),
        );
    }
    let memory = memory::all();
    let experiments = experiments::all(bench);
    let tables = tables::of(&sources).into_iter().chain(experiments.tables).chain([memory::table(&memory)]);
    notes.extend(experiments.notes);
    Ok(Section {
        id: "lazyntt",
        title: "LazyNTT".into(),
        meaning: meaning(&sources),
        figures: tables::figures(&sources),
        tables: tables.collect(),
        notes,
        data: json!({
            "source": "LazyNTT 2024, Tables 2 and 3", "rows": data(&sources), "tables": memory::data(&memory),
            "experiments": experiments.data,
        }),
    })
}

/// Adds what a C compiler makes of the algorithms, and says how, or why there is none.
fn in_c(bench: &mut Bench<'_>, sources: &mut Vec<Source>, milliseconds: u32) -> String {
    let missing = |why: String| {
        format!(
            "The paper's algorithms in C are not timed here: {why}. Install a C compiler, or name it in the variable CC, and \
             run the report again."
        )
    };
    let compiler = Compiler::find();
    let mut said = Vec::new();
    for (name, flags) in compiler::BUILDS {
        bench.progress.set_message(format!("LazyNTT {name}"));
        let times = compiler.as_ref().map_err(String::clone).and_then(|compiler| compiler.run(flags, milliseconds));
        bench.progress.inc(1);
        match times {
            Ok(times) => sources.push(Source { name, unit: "ns", times }),
            Err(why) => said.push(format!("{name}: {why}")),
        }
    }
    match compiler {
        Err(why) => missing(why),
        Ok(_) if !said.is_empty() => missing(said.join("; ")),
        Ok(compiler) => format!(
            "C: the paper's Algorithms 2, 3 and 4 and Falcon's loop, written from the paper, in the paper's words and tables, \
             by {}; the paper compiled C without optimisation, which is -O0.",
            compiler.name
        ),
    }
}

/// What butterflies of each kind take if the printed cycles are those of the printed numbers of products.
fn butterflies_as_printed() -> String {
    let [reduced, of_sm, of_ssm] =
        exact_butterflies().map(extremes).map(|[low, high]| format!("{low:.1} to {high:.1}"));
    format!(
        "By the numbers of products in Claims 2 and 4, the printed cycles are {reduced} for a butterfly with a reduced product, \
         and for one with an exact product {of_sm} in SM, but {of_ssm} in SSM. Its operations are the same in both, so the two \
         programs that the paper timed differ in more than which products they reduce."
    )
}

/// Cycles of a butterfly for each row of both tables: with a reduced product, and with an exact one in SM and in SSM.
fn exact_butterflies() -> [Vec<f64>; 3] {
    let mut cycles: [Vec<f64>; 3] = Default::default();
    let rows = TABLES.iter().flat_map(|table| table.rows.iter().map(|row| (table.q, row)));
    for (q, (n, [original, sm, ssm])) in rows {
        let each = original / f64::from(n.ilog2() * (*n as u32 / 2));
        cycles[0].push(each);
        for (t, printed) in [(2, sm), (3, ssm)] {
            let [forward, ..] = Wanted::new(*n, q, t).prove(64).expect(FITS).counts();
            let [reduced, exact] = [forward.products, forward.exact_products].map(|count| count as f64);
            cycles[t as usize - 1].push((printed - reduced * each) / exact);
        }
    }
    cycles
}

/// The engine's forward transforms with the same schedules.
fn engine(bench: &mut Bench<'_>) -> Source {
    let times = rings().map(|(n, q)| {
        let jobs = VARIANTS.map(|(name, t)| {
            let wanted = Wanted::new(n, q, t);
            match t {
                1 => Operation::Forward.job(name, &AnyTransform::new(&wanted.usual(), Some(64)).expect(FITS)),
                _ => by_lazy_ntt(name, LazyNtt::of(wanted.prove(64).expect(FITS))),
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
        let one = |source: &Source| Some(format!("{} {}", source.name, saving(source.ratios(row, 0)?)));
        sources.iter().filter_map(one).collect::<Vec<_>>().join(", ")
    };
    text += " Time against Original, from ring to ring:";
    text += &format!(" {}: {}; {}: {}.", VARIANTS[1].0, saved(1), VARIANTS[2].0, saved(2));
    let falcon = ROWS - 1;
    let over = |source: &Source| {
        let [sm, ssm] = [source.ratios(1, falcon)?, source.ratios(2, falcon)?];
        Some(format!("{} {} and {} times", source.name, span(sm), span(ssm)))
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
    text
}

/// A range of ratios.
fn span([low, high]: [f64; 2]) -> String {
    format!("{low:.2} to {high:.2}")
}

/// What a range of ratios of times means.
fn saving([low, high]: [f64; 2]) -> String {
    let [most, least] = [low, high].map(|ratio| 100.0 * (1.0 - ratio));
    if least >= 0.0 {
        format!("saves {least:.1} to {most:.1} %")
    } else if most <= 0.0 {
        format!("costs {:.1} to {:.1} % more", -most, -least)
    } else {
        format!("from {:.1} % more to {most:.1} % less", -least)
    }
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
        assert_eq!(saving([0.75, 0.9]), "saves 10.0 to 25.0 %");
        assert_eq!(saving([1.05, 1.25]), "costs 5.0 to 25.0 % more");
        assert_eq!(saving([0.95, 1.25]), "from 25.0 % more to 5.0 % less");
        let times = |row: [Option<f64>; ROWS]| row.map(|x| x.map(|x| Spread { median: x, low: x, high: x }));
        let source =
            |name, rows: [[f64; 4]; 2]| Source { name, unit: "ns", times: rows.map(|row| times(row.map(Some))).into() };
        let engine = Source {
            name: "engine",
            unit: "ns",
            times: vec![
                times([Some(200.0), Some(210.0), Some(180.0), None]),
                times([Some(100.0), Some(90.0), Some(80.0), None]),
            ],
        };
        let text = meaning(&[
            source("C -O0", [[100.0, 90.0, 80.0, 120.0], [200.0, 190.0, 150.0, 200.0]]),
            source("C -O2", [[50.0, 55.0, 60.0, 40.0]; 2]),
            engine,
        ]);
        for part in [
            "SM-LazyNTT: C -O0 saves 5.0 to 10.0 %, C -O2 costs 10.0 to 10.0 % more, engine from 5.0 % more to 10.0 % less",
            "SSM-LazyNTT: C -O0 saves 20.0 to 25.0 %, C -O2 costs 20.0 to 20.0 % more, engine saves 10.0 to 20.0 %",
            "C -O0 0.75 to 0.95 and 0.67 to 0.75 times, C -O2 1.38 to 1.38 and 1.50 to 1.50 times",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
    }

    /// The printed tables contradict one program for SM and SSM: exact butterflies of SM take half again as long.
    #[test]
    fn printed_cycles_are_of_two_programs() {
        let [reduced, of_sm, of_ssm] = exact_butterflies();
        assert_eq!(reduced.len(), 8);
        for ((reduced, of_sm), of_ssm) in reduced.into_iter().zip(of_sm).zip(of_ssm) {
            assert!((30.0..80.0).contains(&reduced), "{reduced}");
            assert!(of_sm > 1.3 * of_ssm && of_sm < reduced, "{of_sm}, {of_ssm}");
        }
    }
}
