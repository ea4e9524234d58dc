//! `bench [FILTER...]`: single operations on every backend, by every method, in every word.
//!
//! Rows are called `n/q/backend/operation/method-bits/slots`, where slots are `reduced` or `lazy`,
//! and `newhope/set/backend/phase`, `nttru/nttru768/backend/phase`, `ml-kem-768/backend/operation` and
//! so on.

use crate::{
    fault::Fault,
    jobs::{self, Operation},
    measure::{Effort, Job, Meter, Row},
    plans::{AnyTransform, is_compiled, machine_backends, methods_and_widths},
    report::machine::{Machine, Start},
    screen::{Screen, columns},
};
use clap::Args;
use indicatif::ProgressBar;
use ntt::{
    Backend, Method, Request,
    Ring::{self, Negacyclic, Trinomial},
};
use ringwork::schemes::{
    mldsa::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams},
    mlkem::{MlKem512, MlKem768, MlKem1024, ParameterSet},
    newhope::Parameters,
};
use serde_json::json;
use std::thread;

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
        if self.list {
            let names = names(&groups);
            self.some(names.len())?;
            let lines = names.iter().map(|name| format!("{name}\n")).collect();
            return screen.answer(json!({ "rows": names }), || lines);
        }
        let progress = screen.progress(groups.len() as u64);
        let (start, mut meter) = (Start::now(), Meter::new()?);
        let mut rows = Vec::new();
        for group in groups {
            progress.set_message(group.title);
            let jobs = group.jobs.into_iter().flat_map(|make| make.jobs()).collect();
            rows.extend(meter.measure(jobs, Effort::new(self.quick), &ProgressBar::hidden()));
            progress.inc(1);
        }
        progress.finish_and_clear();
        self.some(rows.len())?;
        let machine = Machine::new(&start, &meter);
        let value = json!({
            "core_cycles": meter.method(), "gigahertz": meter.gigahertz, "optimised": !cfg!(debug_assertions),
            "machine": machine.json(), "rows": rows.iter().map(Row::json).collect::<Vec<_>>(),
        });
        screen.answer(value, || text(&machine, &rows))
    }

    /// **Errors** if there is nothing.
    fn some(&self, rows: usize) -> Result<(), Fault> {
        let wanted = self.filter.join(" ");
        let none = || Fault::Negative(format!("no row is called {wanted}; `ringwork bench --list` names all"));
        if rows == 0 { Err(none()) } else { Ok(()) }
    }

    /// What matches the filter, in groups that are measured in turns.
    fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        for (n, q, ring) in RINGS {
            for backend in machine_backends() {
                let compiled = methods_and_widths().filter(|(method, bits)| is_compiled(*method, *bits, backend));
                let shells = compiled.flat_map(|(method, bits)| {
                    [false, true].map(|lazy| {
                        let mut shell = Shell { n, q, ring, backend, method, bits, lazy, operations: Vec::new() };
                        shell.operations =
                            Operation::ALL.into_iter().filter(|op| self.wants(&shell.name(*op))).collect();
                        Make::Shell(shell)
                    })
                });
                groups.push(Group::new(format!("{n}/{q}/{backend}"), shells));
            }
        }
        for set in Parameters::ALL {
            for backend in machine_backends() {
                let name = move |phase: &str| format!("newhope/{}/{backend}/{phase}", set.name());
                let phases = jobs::PHASES.map(name).into_iter().filter(|name| self.wants(name)).collect();
                let make = Box::new(move || jobs::exchange(set, backend, name));
                groups.push(Group::new(format!("newhope/{}/{backend}", set.name()), [Make::Phases(phases, make)]));
            }
        }
        for backend in machine_backends() {
            let name = move |phase: &str| format!("nttru/nttru768/{backend}/{phase}");
            let phases = jobs::KEM_PHASES.map(name).into_iter().filter(|name| self.wants(name)).collect();
            let make = Box::new(move || jobs::encapsulation(backend, name));
            groups.push(Group::new(format!("nttru/nttru768/{backend}"), [Make::Phases(phases, make)]));
        }
        groups.push(self.kem::<MlKem512>());
        groups.push(self.kem::<MlKem768>());
        groups.push(self.kem::<MlKem1024>());
        groups.push(self.signature::<MlDsa44>());
        groups.push(self.signature::<MlDsa65>());
        groups.push(self.signature::<MlDsa87>());
        groups.retain(|group| !group.jobs.is_empty());
        groups
    }

    fn kem<P: ParameterSet>(&self) -> Group {
        self.standard(P::NAME, &jobs::ML_KEM_PHASES, |name| jobs::ml_kem::<P>(name))
    }

    fn signature<P: MlDsaParams>(&self) -> Group {
        self.standard(P::PARAMETERS.name, &jobs::ML_DSA_PHASES, |name| jobs::ml_dsa::<P>(name))
    }

    /// The operations of a set of a standard, on the best backend, on which everything is hashed.
    fn standard(
        &self,
        set: &str,
        phases: &[&str],
        make: impl Fn(&dyn Fn(&str) -> String) -> Vec<Job<'static>> + Sync + 'static,
    ) -> Group {
        let title = format!("{}/{}", set.to_lowercase(), Backend::best());
        let wanted = phases.iter().map(|phase| format!("{title}/{phase}")).filter(|name| self.wants(name)).collect();
        let of = title.clone();
        let make = Box::new(move || make(&|phase| format!("{of}/{phase}")));
        Group::new(title, [Make::Phases(wanted, make)])
    }

    fn wants(&self, name: &str) -> bool {
        self.filter.iter().all(|part| name.contains(part.as_str()))
    }
}

/// Jobs that are measured in turns, before they are made: that takes plans, keys and messages.
struct Group {
    title: String,
    jobs: Vec<Make>,
}

enum Make {
    Shell(Shell),
    /// Names that are wanted, and how to make these and others.
    Phases(Vec<String>, Box<dyn Fn() -> Vec<Job<'static>> + Sync>),
}

/// A ring by one method in one word.
struct Shell {
    n: usize,
    q: u64,
    ring: Ring,
    backend: Backend,
    method: Method,
    bits: u32,
    lazy: bool,
    /// Those that are wanted.
    operations: Vec<Operation>,
}

impl Group {
    fn new(title: String, all: impl IntoIterator<Item = Make>) -> Self {
        let wanted = |make: &Make| match make {
            Make::Shell(shell) => !shell.operations.is_empty(),
            Make::Phases(names, _) => !names.is_empty(),
        };
        Self { title, jobs: all.into_iter().filter(wanted).collect() }
    }
}

impl Make {
    /// The names of the jobs. A plan need not be made for that, only proved.
    fn names(&self) -> Vec<String> {
        match self {
            Self::Shell(shell) if shell.request().recipe(shell.bits).is_err() => Vec::new(),
            Self::Shell(shell) => shell.operations.iter().map(|op| shell.name(*op)).collect(),
            Self::Phases(names, _) => names.clone(),
        }
    }

    fn jobs(&self) -> Vec<Job<'static>> {
        match self {
            Self::Shell(shell) => {
                let Ok(plan) = AnyTransform::new(&shell.request(), Some(shell.bits)) else { return Vec::new() };
                shell.operations.iter().map(|op| op.job(shell.name(*op), &plan)).collect()
            }
            Self::Phases(names, make) => {
                let mut jobs = make();
                jobs.retain(|job| names.contains(&job.name));
                jobs
            }
        }
    }
}

impl Shell {
    fn name(&self, operation: Operation) -> String {
        let Self { n, q, backend, method, bits, .. } = self;
        let slots = if self.lazy { "lazy" } else { "reduced" };
        format!("{n}/{q}/{backend}/{}/{method}-{bits}/{slots}", operation.name())
    }

    fn request(&self) -> Request {
        let request = Request::new(self.n, self.q).ring(self.ring).backend(self.backend).method(self.method);
        if self.lazy { request.lazy() } else { request }
    }
}

/// The names of all jobs, on all cores.
fn names(groups: &[Group]) -> Vec<String> {
    thread::scope(|scope| {
        let workers: Vec<_> = groups
            .iter()
            .map(|group| scope.spawn(|| group.jobs.iter().flat_map(Make::names).collect::<Vec<String>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("proofs do not panic")).collect()
    })
}

fn text(machine: &Machine, rows: &[Row]) -> String {
    let heading = ["per call", "ns", "TSC", "core cycles", "spread", "batches"].map(String::from).to_vec();
    let cells = |row: &Row| {
        let tsc = row.tsc.map_or("-".into(), |t| format!("{:.0}", t.median));
        let mark = if row.unsure() { "!" } else { "" };
        let spread = format!("{mark}±{:.1} %", row.core.percent());
        let batches = format!("{} x {}", row.samples, row.calls);
        vec![row.name.clone(), format!("{:.1}", row.ns.median), tsc, format!("{:.0}", row.core.median), spread, batches]
    };
    let table: Vec<Vec<String>> = std::iter::once(heading).chain(rows.iter().map(cells)).collect();
    let mut text = columns("lrrrrr", &table);
    text += "medians; spread: half the distance of the quartiles; batches that count, and calls in each";
    if rows.iter().any(Row::unsure) {
        text += "; !: not to be quoted, the spread is above 10 % or the core was shared";
    }
    text += &format!("\n{}", machine.text());
    if cfg!(debug_assertions) {
        text += "this is a debug build: its numbers mean nothing, use cargo run --release\n";
    }
    text
}
