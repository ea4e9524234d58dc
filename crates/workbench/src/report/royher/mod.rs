//! Module-LWE encryption with matrices of 32 by 32 polynomials, beside the table of Royher's thesis.

mod ntl;

pub(crate) use ntl::Ntl;

use super::{Bench, Figure, Section, Table, short, strings, times};
use crate::{
    fault::Fault,
    measure::{Effort, Job},
    plot::{self, BLUE, GREY, Ink, ORANGE, Series, TEXT},
};
use ringwork::{
    sample::Word,
    schemes::lwe::{Lwe, Multiplier, Parameters},
};
use serde_json::{Value, json};
use std::{hint::black_box, time::Duration};

/// Rows and columns of all matrices.
const M: usize = 32;

/// N, q, and the seconds of an encryption with NTL's MulMod, the thesis' NTT, and schoolbook.
///
/// Source: Royher, *LWE encryption with the number theoretic transform*, table of chapter 5: `m = n = 32`, `p = 3`.
const PRINTED: [(usize, u64, [Option<f64>; 3]); 6] = [
    (256, 7681, [Some(1.60), Some(3.62), Some(7.76)]),
    (512, 12289, [Some(1.70), Some(4.99), Some(29.61)]),
    (1024, 12289, [Some(1.91), Some(8.22), Some(116.7)]),
    (4096, 12289, [Some(4.40), Some(39.53), None]),
    (8192, 65537, [Some(9.91), Some(86.55), None]),
    (16384, 65537, [Some(15.25), Some(178.45), None]),
];

/// Where a quick run stops, and where the thesis' and our schoolbook do.
const QUICK_LIMIT: usize = 512;
const SCHOOLBOOK_LIMIT: usize = 1024;

/// Runs of each multiplier, as in the thesis.
const RUNS: usize = 10;

/// Seconds of a whole encryption: mean, and half the distance of the quartiles in per cent.
#[derive(Clone, Copy, Debug)]
struct Time {
    seconds: f64,
    spread: f64,
}

/// A row of the table and what is measured beside it.
struct Line {
    n: usize,
    q: u64,
    printed: [Option<f64>; 3],
    ntl: Option<Time>,
    ntt: Option<Time>,
    schoolbook: Option<Time>,
}

/// Jobs that will be measured.
pub(crate) fn steps(quick: bool) -> u64 {
    let counted = |limit: usize| PRINTED.iter().filter(|(n, ..)| *n <= limit).count() as u64;
    if quick { 2 * counted(QUICK_LIMIT) } else { counted(usize::MAX) + counted(SCHOOLBOOK_LIMIT) }
}

/// The section.
///
/// **Errors** if NTL's program fails.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool, ntl: Option<&Ntl>) -> Result<Section, Fault> {
    let mut lines = Vec::new();
    for (n, q, printed) in PRINTED {
        let mut line = Line { n, q, printed, ntl: None, ntt: None, schoolbook: None };
        if n <= QUICK_LIMIT || !quick {
            line.ntt =
                Some(if q < 1 << 14 { by_transform::<i16>(bench, n, q) } else { by_transform::<i32>(bench, n, q) });
            if n <= SCHOOLBOOK_LIMIT {
                line.schoolbook = Some(by_schoolbook(bench, n, q, quick));
            }
            line.ntl = ntl.map(|ntl| by_ntl(ntl, n, q)).transpose()?;
        }
        lines.push(line);
    }
    let mut notes = vec![
        format!(
            "A whole encryption: R·A and R·T with A, T and R of {M} by {M} polynomials, noise and message, p = 3, β = 2. The \
             transforms of A and T are part of the key and not in the time, those of R and of the result are, and so is the \
             sampling. Medians of {RUNS} runs, with half the distance of the quartiles."
        ),
        format!("Schoolbook is timed on one of the {M} rows, and multiplied; so is NTL's MulMod, which has no noise in it."),
        "These parameters serve for timing alone. Noise of standard deviation p·16·√N meets q/2 at 4 to 5.3 deviations, so \
         that at N = 1024 messages rarely come back; the library refuses them for use and names the bound. N = 4096 has no \
         complete transform modulo 12289: slots of degree 2."
            .into(),
    ];
    if ntl.is_none() {
        notes.push(
            "NTL was not asked for: report --peers builds and times its MulMod here, if NTL is installed.".into(),
        );
    }
    if quick {
        notes.push(format!("A quick run measures up to N = {QUICK_LIMIT}."));
    }
    Ok(Section {
        id: "module-lwe",
        title: "Module-LWE encryption".into(),
        meaning: meaning(&lines),
        figures: vec![Figure {
            svg: figure(&lines),
            caption: "Seconds of an encryption with matrices of 32 by 32 polynomials, both axes logarithmic.".into(),
        }],
        tables: vec![table(&lines)],
        notes,
        data: json!({ "source": "Royher, chapter 5", "m": M, "p": 3, "rows": lines.iter().map(data).collect::<Value>() }),
    })
}

fn by_transform<T: Word>(bench: &mut Bench<'_>, n: usize, q: u64) -> Time {
    let parameters = Parameters::measuring_only(n, q, 3, 2, M, [M, M]).expect("sizes in range");
    let lwe = Lwe::<T, _>::by_transform(parameters).expect("the planner knows this ring");
    encryption(bench, &lwe, "ntt", RUNS)
}

fn by_schoolbook(bench: &mut Bench<'_>, n: usize, q: u64, quick: bool) -> Time {
    let parameters = Parameters::measuring_only(n, q, 3, 2, M, [1, M]).expect("sizes in range");
    let row = encryption(bench, &Lwe::<i32, _>::by_schoolbook(parameters), "schoolbook", if quick { 2 } else { RUNS });
    Time { seconds: M as f64 * row.seconds, ..row }
}

fn encryption<T: Word, X: Multiplier<T>>(bench: &mut Bench<'_>, lwe: &Lwe<T, X>, name: &str, runs: usize) -> Time {
    let (key, _) = lwe.keys(&[1; 32]);
    let message = lwe.message(&[1, 2, 0, 1]).expect("numbers below 3");
    let job = Job::new(name, || {
        black_box(lwe.encrypt_polynomials(&key, &message, &[2; 32]));
    });
    let effort = Effort { samples: runs, batch: Duration::ZERO, budget: Duration::ZERO, fewest: runs };
    let row = bench.measure_with(effort, &format!("module-LWE, N = {}", lwe.parameters().n()), vec![job]).0.remove(0);
    Time { seconds: row.ns.median / 1e9, spread: row.ns.percent() }
}

fn by_ntl(ntl: &Ntl, n: usize, q: u64) -> Result<Time, Fault> {
    let mut seconds = ntl.seconds(n, q, 1, RUNS)?;
    seconds.sort_by(f64::total_cmp);
    let (median, quarter) = (seconds[RUNS / 2], RUNS / 4);
    let spread = 50.0 * (seconds[RUNS - 1 - quarter] - seconds[quarter]) / median;
    Ok(Time { seconds: M as f64 * median, spread })
}

fn meaning(lines: &[Line]) -> String {
    // The degree at which all three multipliers of the thesis ran, or the last one of a quick run.
    let compared = |line: &&Line| line.ntt.is_some() && line.n <= SCHOOLBOOK_LIMIT;
    let last = lines.iter().rfind(compared).expect("a quick run measures too");
    let ours = last.ntt.expect("it was found by that").seconds;
    let theirs = last.printed[1].expect("all have it");
    let mut text = format!(
        "At N = {} an encryption takes {} ms, {} as fast as with the thesis' NTT and {} as fast as with its NTL.",
        last.n,
        short(1000.0 * ours),
        times(theirs / ours),
        times(last.printed[0].expect("all have it") / ours),
    );
    if let Some(ntl) = last.ntl {
        text += &format!(" NTL on this machine takes {} s: {}.", short(ntl.seconds), times(ntl.seconds / ours));
    }
    text
}

fn table(lines: &[Line]) -> Table {
    let head = [
        "N",
        "q",
        "thesis: MulMod, s",
        "NTT, s",
        "schoolbook, s",
        "here: NTL, s",
        "schoolbook, s",
        "ours, ms",
        "over thesis' NTT",
        "over NTL here",
    ];
    let dash = || "–".to_owned();
    let shown = |time: Option<Time>, unit: f64| {
        time.map_or_else(dash, |time| format!("{} ±{:.0} %", short(unit * time.seconds), time.spread))
    };
    let row = |line: &Line| {
        let mut row = vec![line.n.to_string(), line.q.to_string()];
        row.extend(line.printed.map(|seconds| seconds.map_or_else(dash, |s| s.to_string())));
        row.extend([shown(line.ntl, 1.0), shown(line.schoolbook, 1.0), shown(line.ntt, 1000.0)]);
        let over = |theirs: Option<f64>| theirs.zip(line.ntt).map_or_else(dash, |(t, ours)| times(t / ours.seconds));
        row.extend([over(line.printed[1]), over(line.ntl.map(|ntl| ntl.seconds))]);
        row
    };
    Table {
        meaning: "One encryption; the thesis does not name its machine.".into(),
        head: strings(head),
        rows: lines.iter().map(row).collect(),
        ..Table::default()
    }
}

fn figure(lines: &[Line]) -> String {
    let series = |name: &str, ink: Ink, seconds: &dyn Fn(&Line) -> Option<f64>| {
        let points = lines.iter().filter_map(|line| Some((line.n as f64, seconds(line)?))).collect();
        Series { name: name.into(), ink, points }
    };
    let of = |time: Option<Time>| time.map(|time| time.seconds);
    let mut all = vec![
        series("thesis NTT", GREY, &|line| line.printed[1]),
        series("thesis NTL", TEXT, &|line| line.printed[0]),
        series("ours", BLUE, &|line| of(line.ntt)),
        series("NTL here", ORANGE, &|line| of(line.ntl)),
    ];
    all.retain(|series| !series.points.is_empty());
    plot::log_log("Time of an encryption by degree", "degree N", "seconds", &all)
}

fn data(line: &Line) -> Value {
    let time = |time: Option<Time>| time.map(|t| json!({ "seconds": t.seconds, "spread_percent": t.spread }));
    let [mul_mod, ntt, schoolbook] = line.printed;
    json!({
        "n": line.n, "q": line.q, "thesis": { "mulmod": mul_mod, "ntt": ntt, "schoolbook": schoolbook },
        "ntl": time(line.ntl), "schoolbook": time(line.schoolbook), "ours": time(line.ntt),
    })
}
