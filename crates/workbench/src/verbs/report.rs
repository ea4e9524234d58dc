//! `report`: measures this machine and writes one page for people and one file for programs.

use crate::{
    fault::Fault,
    files::{self, Kind},
    html::{self, Chapter, First},
    measure::{Effort, Meter},
    peers::Beside,
    report::{
        Bench, Figure, Section, bakkebo,
        beside::Other,
        commitments, encryption, exchange, lazyntt,
        machine::{self, Machine, MachineFacts, Start},
        methods,
        ntl::Ntl,
        ntru, overview, peers, processor,
        program::Program,
        ranges, roofline, royher, standards,
        textbook::{self, Textbook},
        transforms,
    },
    screen::{self, Screen},
};
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

/// A paper, by its authors or its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    LongaNaehrig,
    Lazyntt,
    Royher,
    Bakkebo,
    Roy,
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// Some fifteen seconds, with fewer samples
    #[arg(long)]
    quick: bool,
    /// The tables of one paper alone
    #[arg(long, value_enum)]
    paper: Option<Paper>,
    /// Also builds LazyNTT's algorithms as its paper did, without optimisation, then with it and
    /// for this CPU, and both theses' programs as they were written, and times them; needs cargo
    /// and a source checkout
    #[arg(long)]
    unoptimised: bool,
    /// Also builds and times others' transforms and products beside ours (tfhe-ntt, Plonky3, num-bigint,
    /// dashu-int; GMP, FLINT and NTL where they are installed), and shows how near ours come to what the
    /// ports of a core allow; needs cargo, a C++ compiler and a source checkout
    #[arg(long)]
    peers: bool,
    /// Also shows the numbers of another run, side by side: its report.json
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
    /// Folder for report.html and report.json, or the name of the page, or - for standard output
    /// (under --json, the data)
    #[arg(long, default_value = ".")]
    out: PathBuf,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

/// The page as data, which stands in `report.json` as well.
#[derive(Serialize, JsonSchema)]
pub(super) struct Answer<'a> {
    /// The page's first sentence.
    headline: &'a str,
    /// Whether samples were few.
    quick: bool,
    /// Which machine, how quiet it was, and which build.
    machine: &'a MachineFacts,
    /// Each section by its name, with the numbers of its tables; their keys are free.
    sections: Map<String, Value>,
}

impl Report {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let (start, began) = (Instant::now(), Start::now());
        let (page_at, data_at) = self.places()?;
        if !files::is_stdout(&page_at) {
            files::check_outputs(&[(&page_at, Kind::Text), (&data_at, Kind::Text)], self.force)?;
        }
        let other = self.beside.as_deref().map(Other::read).transpose()?;
        let program = if self.unoptimised { Some(Program::find()?) } else { None };
        let program = program.as_ref();
        let beside = self.peers.then(Beside::new);
        let beside = beside.as_ref();
        // What is missing stands in the section of others.
        let ntl = self.peers.then(Ntl::build).and_then(Result::ok);
        // Of that chapter: all of them, or the one of a paper that was asked for.
        let of = |paper: Paper| self.paper.is_none_or(|one| one == paper);
        let all = self.paper.is_none();
        let count = |wanted: bool, steps: u64| if wanted { steps } else { 0 };
        let progress = screen.progress(
            textbook::steps(program)
                + count(of(Paper::Lazyntt), lazyntt::steps(program))
                + count(of(Paper::LongaNaehrig), exchange::steps() + methods::steps())
                + count(of(Paper::Royher), royher::steps(self.quick))
                + count(
                    of(Paper::Bakkebo),
                    bakkebo::steps(self.quick) + ntru::steps() + commitments::steps(self.quick),
                )
                + count(of(Paper::Roy), encryption::steps())
                + count(all, transforms::steps() + standards::steps() + peers::steps(beside, self.quick))
                + count(all && beside.is_some(), roofline::steps(self.quick)),
        );
        let mut bench = Bench { meter: Meter::new()?, effort: Effort::new(self.quick), progress: &progress };
        // First, because this may fail.
        let lazyntt = of(Paper::Lazyntt).then(|| lazyntt::section(&mut bench, self.quick, program)).transpose()?;
        let textbook = Textbook::time(&bench, self.quick, program)?;
        let textbook = textbook.as_ref();
        let mut chapters: Vec<(&str, Option<&str>, Vec<Section>)> = Vec::new();
        let (mut headline, mut ratios) = (String::new(), Vec::new());
        if all {
            let (transforms, of_transforms) = transforms::section(&mut bench, self.quick, ntl.as_ref())?;
            headline = of_transforms;
            chapters.push(("Products and standards", None, vec![transforms]));
        }
        if of(Paper::LongaNaehrig) {
            let methods = methods::section(&mut bench, textbook);
            let (exchange, of_exchange) = exchange::section(&mut bench, textbook);
            headline = format!("{headline} {of_exchange}");
            let claim = "A reduction by shifts and one small product is enough for NewHope's transforms, and faster.";
            let sections = vec![exchange, methods];
            chapters.push(("Longa and Naehrig 2016: faster transforms for NewHope", Some(claim), sections));
        }
        if let Some(lazyntt) = lazyntt {
            let claim = "Many products of a transform can wait for their reduction, which saves time.";
            chapters.push(("LazyNTT (Kim, Seo, Lee, Kim, No 2024)", Some(claim), vec![lazyntt]));
        }
        if of(Paper::Royher) {
            let module_lwe = royher::section(&mut bench, self.quick, ntl.as_ref(), textbook)?;
            let claim = "Module-LWE encryption is products of polynomials, and transforms make them fast.";
            chapters.push(("Royher: implementing lattice-based cryptography", Some(claim), vec![module_lwe]));
        }
        if of(Paper::Bakkebo) {
            let sections = vec![
                bakkebo::section(&mut bench, self.quick, textbook),
                ntru::section(&mut bench),
                commitments::section(&mut bench, self.quick, textbook),
            ];
            let claim = "Transforms that stop at the right depth multiply least, in NTRU and in commitments.";
            chapters.push(("Bakkebø 2020: transforms for NTRU and commitments", Some(claim), sections));
        }
        if of(Paper::Roy) {
            let title = "Roy, Vercauteren, Mentens, Chen, Verbauwhede 2014: a compact cryptoprocessor";
            let claim = "One multiplier, and a memory whose port is never idle, make a small ring-LWE processor fast.";
            chapters.push((title, Some(claim), vec![encryption::section(&mut bench), processor::section()]));
        }
        if all {
            let products = &mut chapters[0].2;
            let (standards, of_standards) = standards::section(&mut bench)?;
            products.push(standards);
            if let Some(sentence) = overview::sentence(&of_standards, &machine::processor()) {
                headline = sentence;
            }
            ratios = of_standards;
            if let Some(beside) = beside {
                let (peers, of_products) = peers::section(&mut bench, self.quick, beside)?;
                products.push(peers);
                ratios.extend(of_products);
                products.push(roofline::section(&mut bench, self.quick));
            }
            chapters.push(("Proofs", None, vec![ranges::section()]));
        }
        // The one paper that was asked for is not folded.
        let heading = |(title, claim, sections): &(&'static str, Option<&'static str>, Vec<Section>)| Chapter {
            title,
            claim: claim.filter(|_| all),
            sections: sections.len(),
        };
        let headings: Vec<Chapter> = chapters.iter().map(heading).collect();
        let mut sections: Vec<Section> = chapters.into_iter().flat_map(|(_, _, sections)| sections).collect();
        sections.extend(other.map(|other| other.section(&sections)));
        progress.finish_and_clear();
        let machine = Machine::new(&began, &bench.meter);

        let headline = if all { headline } else { sections[0].meaning.clone() };
        let first: Vec<Figure> =
            if all { overview::figure(&ratios).into_iter().chain(ranges::one()).collect() } else { Vec::new() };
        let link = data_at.file_name().filter(|_| !files::is_stdout(&data_at)).map(|name| name.to_string_lossy());
        let first = First {
            title: "Ringwork on this machine",
            headline: &headline,
            warning: self.warning(),
            figures: &first,
            facts: &machine.facts(),
        };
        let page = html::page(&first, &headings, &sections, link.as_deref());
        let sections = sections.into_iter().map(|section| (section.id.to_owned(), section.data)).collect();
        let data = Answer { headline: &headline, quick: self.quick, machine: machine.data(), sections };
        if files::is_stdout(&page_at) {
            return screen.print(data, || page);
        }
        let text = screen::pretty(&screen.object(&data));
        let parts = [(&*page_at, page.as_bytes(), Kind::Text), (&*data_at, text.as_bytes(), Kind::Text)];
        files::write_all(&parts, self.force)?;
        screen.answer(data, || {
            let seconds = start.elapsed().as_secs_f64();
            format!(
                "{headline}\n{} and {} written after {seconds:.1} s\n",
                files::name(&page_at),
                files::name(&data_at)
            )
        })
    }

    /// Names of the page and of the data.
    fn places(&self) -> Result<(PathBuf, PathBuf), Fault> {
        if files::is_stdout(&self.out) {
            return Ok((self.out.clone(), self.out.clone()));
        }
        if self.out.is_dir() {
            return Ok((plain(&self.out, "report.html"), plain(&self.out, "report.json")));
        }
        let data = self.out.with_extension("json");
        if data == self.out {
            let why = format!("{} is where the data will go; name the page, such as report.html", files::name(&data));
            return Err(Fault::Usage(why));
        }
        Ok((self.out.clone(), data))
    }

    /// What keeps these numbers from being quoted.
    fn warning(&self) -> Option<&'static str> {
        if cfg!(debug_assertions) {
            Some("This is a debug build: its numbers mean nothing. Use cargo run --release -- report.")
        } else if self.quick {
            Some("A quick run: few samples. Leave --quick out for numbers to quote.")
        } else {
            None
        }
    }
}

/// A file in a folder, without `./` in its name.
fn plain(folder: &Path, file: &str) -> PathBuf {
    if folder == Path::new(".") { file.into() } else { folder.join(file) }
}
