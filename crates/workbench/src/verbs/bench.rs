//! `bench [FILTER...]`: single operations on every backend, by every method, in every word.
//!
//! Rows are called `n/q/backend/operation/method-bits/slots`, where slots are `reduced` or `lazy`, and
//! `newhope/set/backend/phase`, `nttru/nttru768/backend/phase`.

use crate::{
    fault::Fault,
    jobs::{self, Operation},
    measure::{Effort, Job, Meter, Row},
    plans::{AnyPlan, machine_backends, methods_and_widths},
    screen::{Screen, columns},
};
use clap::Args;
use ntt::{
    Backend, Method, Request,
    Ring::{self, Negacyclic, Trinomial},
};
use ringwork::schemes::newhope::Parameters;
use serde_json::json;

/// The rings that are measured, negacyclic but for NTTRU's.
const RINGS: [(usize, u64, Ring); 11] = [
    (256, 3329, Negacyclic),
    (256, 7681, Negacyclic),
    (512, 12289, Negacyclic),
    (768, 7681, Trinomial),
    (1024, 12289, Negacyclic),
    (256, 8_380_417, Negacyclic),
    (2048, 65537, Negacyclic),
    (4096, 40961, Negacyclic),
    (8192, 65537, Negacyclic),
    (16384, 65537, Negacyclic),
    (4096, (1 << 60) - (1 << 14) + 1, Negacyclic),
];

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Measures only rows whose name contains each of these, such as 1024/12289/avx2/forward
    filter: Vec<String>,
    /// Fewer samples
    #[arg(long)]
    quick: bool,
    /// Only names the rows
    #[arg(long)]
    list: bool,
}

impl Bench {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let groups = self.groups();
        let names: Vec<&str> = groups.iter().flatten().map(|job| job.name.as_str()).collect();
        if names.is_empty() {
            let wanted = self.filter.join(" ");
            return Err(Fault::Negative(format!("no row is called {wanted}; `ringwork bench --list` names all")));
        }
        if self.list {
            let lines = names.iter().map(|name| format!("{name}\n")).collect();
            return screen.answer(json!({ "rows": names }), || lines);
        }
        let progress = screen.progress(names.len() as u64);
        let mut meter = Meter::new()?;
        let mut rows = Vec::new();
        for group in groups {
            progress.set_message(group[0].name.split('/').take(3).collect::<Vec<_>>().join("/"));
            rows.extend(meter.measure(group, Effort::new(self.quick), &progress));
        }
        progress.finish_and_clear();
        let value = json!({
            "core_cycles": meter.method(), "gigahertz": meter.gigahertz, "optimised": !cfg!(debug_assertions),
            "rows": rows.iter().map(Row::json).collect::<Vec<_>>(),
        });
        screen.answer(value, || text(&meter, &rows))
    }

    /// Jobs that match the filter, in groups that are measured in turns.
    fn groups(&self) -> Vec<Vec<Job<'static>>> {
        let mut groups = Vec::new();
        for ring in RINGS {
            for backend in machine_backends() {
                let mut group = Vec::new();
                for (method, bits) in methods_and_widths() {
                    for lazy in [false, true] {
                        group.extend(self.jobs(ring, backend, method, bits, lazy));
                    }
                }
                groups.push(group);
            }
        }
        for set in Parameters::ALL {
            for backend in machine_backends() {
                let name = |phase: &str| format!("newhope/{}/{backend}/{phase}", set.name());
                if jobs::PHASES.iter().any(|phase| self.wants(&name(phase))) {
                    let mut group = jobs::exchange(set, backend, name);
                    group.retain(|job| self.wants(&job.name));
                    groups.push(group);
                }
            }
        }
        for backend in machine_backends() {
            let name = |phase: &str| format!("nttru/nttru768/{backend}/{phase}");
            if jobs::KEM_PHASES.iter().any(|phase| self.wants(&name(phase))) {
                let mut group = jobs::encapsulation(backend, name);
                group.retain(|job| self.wants(&job.name));
                groups.push(group);
            }
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn jobs(
        &self,
        (n, q, ring): (usize, u64, Ring),
        backend: Backend,
        method: Method,
        bits: u32,
        lazy: bool,
    ) -> Vec<Job<'static>> {
        let slots = if lazy { "lazy" } else { "reduced" };
        let name = |op: Operation| format!("{n}/{q}/{backend}/{}/{method}-{bits}/{slots}", op.name());
        let wanted: Vec<Operation> = Operation::ALL.into_iter().filter(|&op| self.wants(&name(op))).collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let request = Request::new(n, q).ring(ring).backend(backend).method(method);
        let request = if lazy { request.lazy() } else { request };
        let Ok(plan) = AnyPlan::new(&request, Some(bits)) else { return Vec::new() };
        wanted.into_iter().map(|op| op.job(name(op), &plan)).collect()
    }

    fn wants(&self, name: &str) -> bool {
        self.filter.iter().all(|part| name.contains(part.as_str()))
    }
}

fn text(meter: &Meter, rows: &[Row]) -> String {
    let heading = ["per call", "ns", "TSC", meter.unit(), "spread"].map(String::from).to_vec();
    let cells = |row: &Row| {
        let tsc = row.tsc.map_or("-".into(), |t| format!("{:.0}", t.median));
        let spread = format!("±{:.1} %", row.core.percent());
        vec![row.name.clone(), format!("{:.1}", row.ns.median), tsc, format!("{:.0}", row.core.median), spread]
    };
    let table: Vec<Vec<String>> = std::iter::once(heading).chain(rows.iter().map(cells)).collect();
    let mut text = columns("lrrrr", &table);
    text += &format!(
        "medians; spread: half the distance of the quartiles; core cycles {}; the core ran at about {:.2} GHz\n",
        meter.method(),
        meter.gigahertz
    );
    if cfg!(debug_assertions) {
        text += "this is a debug build: its numbers mean nothing, use cargo run --release\n";
    }
    text
}
