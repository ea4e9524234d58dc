//! `bench [FILTER...]`: single operations on every backend, by every method, in every word.
//!
//! Rows are called `n/q/backend/operation/method-bits/slots`, where slots are `reduced` or `lazy`,
//! `layout/n/q/backend/way/order`, `layout/n/q/backend/columns/layout/order`, `linear/lengths/q/way`,
//! `rns/primes-of-bits/n/backend/operation`, `newhope/set/backend/phase`, `nttru/nttru768/backend/phase`,
//! `ml-kem-768/backend/operation`, `x-wing/backend/operation` and so on. With `--peers`, others stand in the place of the
//! backend: public crates, and for transforms and products programs that are built for it ([`Beside`]).

mod answer;

pub(super) use answer::{Answer, Names};

use crate::{
    fault::Fault,
    jobs::{self, Operation},
    layouts,
    measure::{Effort, Job, Meter, Row},
    peers::{Beside, Shape, differs, is_ours_of},
    plans::{AnyTransform, is_compiled, machine_backends, methods_and_widths},
    report::machine::{Machine, Start},
    residues,
    screen::{Screen, columns},
    standards::Standard,
};
use answer::BenchRow;
use clap::Args;
use indicatif::ProgressBar;
use ntt::{
    Backend, Method, Request,
    Ring::{self, Negacyclic, Trinomial},
};
use ringwork::schemes::newhope::{NewHope, Parameters};
use std::thread;

/// The rings that are measured, negacyclic but for NTTRU's and those that split in thirds.
const RINGS: [(usize, u64, Ring); 13] = [
    (256, 3329, Negacyclic),
    (256, 7681, Negacyclic),
    (512, 12289, Negacyclic),
    (768, 7681, Trinomial),
    (864, 3457, Trinomial),
    (1152, 3457, Trinomial),
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
    /// Measures others that do the same beside ours, and nothing else: crates that are compiled in (RustCrypto's,
    /// and with the feature `peers` libcrux and AWS-LC), and programs that are built when rows of them are wanted: of
    /// crates, of libraries that are installed, and of copies of repositories in the folder that the variable
    /// RINGWORK_PEERS names
    #[arg(long)]
    peers: bool,
}

impl Bench {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        if self.peers && !cfg!(feature = "rustcrypto") {
            let why = "no other crates were compiled into this program, which was built without its default features; \
                       --peers needs one that has them: cargo run --release -- bench --peers";
            return Err(Fault::Negative(why.into()));
        }
        let (standards, beside) = (Standard::with_x_wing(), Beside::new());
        let groups = self.groups(&standards, &beside);
        if self.list {
            let names = names(&groups);
            self.some(names.len())?;
            let lines = names.iter().map(|name| format!("{name}\n")).collect();
            return screen.answer(Names { rows: names }, || lines);
        }
        let progress = screen.progress(groups.len() as u64);
        let (start, mut meter) = (Start::now(), Meter::new()?);
        let mut rows = Vec::new();
        for group in groups {
            progress.set_message(group.title);
            let mut jobs = Vec::new();
            for make in group.jobs {
                jobs.extend(make.jobs()?);
            }
            rows.extend(meter.measure(jobs, Effort::new(self.quick), &ProgressBar::hidden()));
            progress.inc(1);
        }
        progress.finish_and_clear();
        let absent = beside.absent();
        self.some(rows.len() + absent.len())?;
        let machine = Machine::new(&start, &meter);
        let ratios = rows.iter().map(|row| of_ours(&standards, &rows, row)).collect::<Vec<_>>();
        let measured = rows.iter().zip(&ratios).map(|(row, ratio)| BenchRow {
            measured: row.facts(),
            of_ours: ratio.filter(|_| self.peers).map(|ratio| (ratio * 1000.0).round() / 1000.0),
            differs: differs(&row.name),
        });
        let answer = Answer {
            core_cycles: meter.method(),
            gigahertz: meter.gigahertz,
            optimised: !cfg!(debug_assertions),
            machine: machine.data(),
            rows: measured.collect(),
            peers: self.peers.then(|| beside.facts()),
        };
        screen.answer(answer, || {
            text(&machine, &rows, self.peers.then_some(&ratios))
                + &lines("built", &beside.built())
                + &lines("absent", &absent)
        })
    }

    /// **Errors** if there is nothing.
    fn some(&self, rows: usize) -> Result<(), Fault> {
        let wanted = self.filter.join(" ");
        let none = || Fault::Negative(format!("no row is called {wanted}; `ringwork bench --list` names all"));
        if rows == 0 { Err(none()) } else { Ok(()) }
    }

    /// What matches the filter, in groups that are measured in turns.
    fn groups<'a>(&self, standards: &'a [Standard], beside: &'a Beside) -> Vec<Group<'a>> {
        let mut groups = if self.peers { self.beside(beside) } else { self.ours() };
        for standard in standards {
            let mut names = if self.peers {
                [standard.rows_beside(), beside.scheme_names(standard)].concat()
            } else {
                standard.our_rows()
            };
            names.retain(|name| self.wants(name));
            let make = {
                let names = names.clone();
                Box::new(move || {
                    let mut jobs = standard.jobs(&names)?;
                    jobs.extend(beside.scheme_jobs(standard, &names));
                    Ok(jobs)
                })
            };
            groups.push(Group::new(standard.set.clone(), [Make::Phases(names, make)]));
        }
        groups.retain(|group| !group.jobs.is_empty());
        groups
    }

    /// Transforms and products by others and by us.
    fn beside<'a>(&self, beside: &'a Beside) -> Vec<Group<'a>> {
        let group = |shape: Shape| {
            let mut names = beside.names(shape);
            names.retain(|name| self.wants(name));
            let make = {
                let names = names.clone();
                Box::new(move || beside.jobs(shape, &names))
            };
            Group::new(format!("{}/{}/{}", shape.n, shape.q, shape.ring), [Make::Phases(names, make)])
        };
        Beside::shapes().into_iter().map(group).collect()
    }

    /// Rows that nobody else has.
    fn ours(&self) -> Vec<Group<'static>> {
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
        for shape in machine_backends().flat_map(layouts::Shape::all) {
            let names: Vec<String> = shape.names().into_iter().filter(|name| self.wants(name)).collect();
            // Jobs of large matrices are made one by one, as they are wanted.
            let of = move |name: &String| shape.job(name).map_err(|why| Fault::Negative(why.to_string()));
            let wanted = names.clone();
            let make = Box::new(move || {
                Ok(wanted.iter().map(of).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
            });
            groups.push(Group::new(shape.title(), [Make::Phases(names, make)]));
        }
        let names: Vec<String> =
            layouts::LINEAR.map(String::from).into_iter().filter(|name| self.wants(name)).collect();
        let wanted = names.clone();
        let linear = |name: &String| layouts::linear(name).map_err(|why| Fault::Negative(why.to_string()));
        let make = Box::new(move || wanted.iter().map(linear).collect());
        groups.push(Group::new("linear".into(), [Make::Phases(names, make)]));
        for shape in machine_backends().flat_map(residues::Shape::all) {
            let names = shape.names().into_iter().filter(|name| self.wants(name)).collect();
            let make = Box::new(move || Ok(shape.jobs()?.into()));
            groups.push(Group::new(shape.title(), [Make::Phases(names, make)]));
        }
        for set in Parameters::ALL {
            for backend in machine_backends() {
                let name = move |phase: &str| format!("newhope/{}/{backend}/{phase}", set.name());
                let phases = jobs::PHASES.map(name).into_iter().filter(|name| self.wants(name)).collect();
                let make = Box::new(move || Ok(jobs::exchange(NewHope::with_backend(set, backend), name)));
                groups.push(Group::new(format!("newhope/{}/{backend}", set.name()), [Make::Phases(phases, make)]));
            }
        }
        for backend in machine_backends() {
            let name = move |phase: &str| format!("nttru/nttru768/{backend}/{phase}");
            let phases = jobs::KEM_PHASES.map(name).into_iter().filter(|name| self.wants(name)).collect();
            let make = Box::new(move || Ok(jobs::encapsulation(backend, name)));
            groups.push(Group::new(format!("nttru/nttru768/{backend}"), [Make::Phases(phases, make)]));
        }
        groups
    }

    fn wants(&self, name: &str) -> bool {
        self.filter.iter().all(|part| name.contains(part.as_str()))
    }
}

/// Jobs that are measured in turns, before they are made: that takes plans, keys and messages.
struct Group<'a> {
    title: String,
    jobs: Vec<Make<'a>>,
}

enum Make<'a> {
    Shell(Shell),
    /// Names that are wanted, and how to make these and others.
    Phases(Vec<String>, Box<dyn Fn() -> Result<Vec<Job<'static>>, Fault> + Sync + 'a>),
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

impl<'a> Group<'a> {
    fn new(title: String, all: impl IntoIterator<Item = Make<'a>>) -> Self {
        let wanted = |make: &Make<'a>| match make {
            Make::Shell(shell) => !shell.operations.is_empty(),
            Make::Phases(names, _) => !names.is_empty(),
        };
        Self { title, jobs: all.into_iter().filter(wanted).collect() }
    }
}

impl Make<'_> {
    /// The names of the jobs. A plan need not be made for that, only proved.
    fn names(&self) -> Vec<String> {
        match self {
            Self::Shell(shell) if shell.request().recipe(shell.bits).is_err() => Vec::new(),
            Self::Shell(shell) => shell.operations.iter().map(|op| shell.name(*op)).collect(),
            Self::Phases(names, _) => names.clone(),
        }
    }

    /// **Errors** if others do not come to the same.
    fn jobs(&self) -> Result<Vec<Job<'static>>, Fault> {
        Ok(match self {
            Self::Shell(shell) => {
                let Ok(plan) = AnyTransform::new(&shell.request(), Some(shell.bits)) else { return Ok(Vec::new()) };
                shell.operations.iter().map(|op| op.job(shell.name(*op), &plan)).collect()
            }
            Self::Phases(names, make) => {
                let mut jobs = make()?;
                jobs.retain(|job| names.contains(&job.name));
                jobs
            }
        })
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
fn names(groups: &[Group<'_>]) -> Vec<String> {
    thread::scope(|scope| {
        let workers: Vec<_> = groups
            .iter()
            .map(|group| scope.spawn(|| group.jobs.iter().flat_map(Make::names).collect::<Vec<String>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("proofs do not panic")).collect()
    })
}

/// The time of a row in that of ours.
fn of_ours(standards: &[Standard], rows: &[Row], row: &Row) -> Option<f64> {
    let ours = match standards.iter().find_map(|standard| standard.our_row(&row.name)) {
        Some(ours) => rows.iter().find(|row| row.name == ours)?,
        None => rows.iter().find(|ours| is_ours_of(&ours.name, &row.name))?,
    };
    Some(row.ns.median / ours.ns.median)
}

/// What is not the same in which rows, and what is missing.
fn remarks(rows: &[Row]) -> String {
    let mut remarks: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in rows {
        for remark in differs(&row.name) {
            match remarks.iter_mut().find(|(known, _)| *known == remark) {
                Some((_, names)) => names.push(&row.name),
                None => remarks.push((remark, vec![&row.name])),
            }
        }
    }
    let line = |(remark, names): (&str, Vec<&str>)| match &names[..] {
        [one] => format!("not the same in {one}: {remark}\n"),
        [first, rest @ ..] => format!("not the same in {first} and {} more: {remark}\n", rest.len()),
        [] => String::new(),
    };
    remarks.into_iter().map(line).collect()
}

fn lines(key: &str, notes: &[(String, String)]) -> String {
    notes.iter().map(|(what, text)| format!("{key}: {what}: {text}\n")).collect()
}

fn text(machine: &Machine, rows: &[Row], ratios: Option<&Vec<Option<f64>>>) -> String {
    let mut heading = ["per call", "ns", "least", "TSC", "core cycles", "spread", "batches"].map(String::from).to_vec();
    heading.extend(ratios.map(|_| "of ours".into()));
    let cells = |(i, row): (usize, &Row)| {
        let tsc = row.tsc.map_or("-".into(), |t| format!("{:.0}", t.median));
        let mark = if row.unsure() { "!" } else { "" };
        let spread = format!("{mark}±{:.1} %", row.core.percent());
        let batches = format!("{} x {}", row.samples, row.calls);
        let numbers = [
            format!("{:.1}", row.ns.median),
            format!("{:.1}", row.least),
            tsc,
            format!("{:.0}", row.core.median),
            spread,
            batches,
        ];
        let mut line: Vec<_> = std::iter::once(row.name.clone()).chain(numbers).collect();
        line.extend(ratios.map(|ratios| ratios[i].map_or("-".into(), |ratio| format!("{ratio:.2}"))));
        line
    };
    let table: Vec<Vec<String>> = std::iter::once(heading).chain(rows.iter().enumerate().map(cells)).collect();
    let mut text = columns(if ratios.is_some() { "lrrrrrrr" } else { "lrrrrrr" }, &table);
    text += "medians and the least; spread: half the distance of the quartiles; batches that count, and calls in each";
    if rows.iter().any(Row::unsure) {
        text += "; !: not to be quoted, the spread is above 10 % or the core was shared";
    }
    text += &format!("\n{}{}", remarks(rows), machine.text());
    if cfg!(debug_assertions) {
        text += "this is a debug build: its numbers mean nothing, use cargo run --release\n";
    }
    text
}
