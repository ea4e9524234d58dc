//! `codegen`: the machine code of the engine, held against `xtask/codegen.txt` and `xtask/budget.txt`.
//!
//! A shell is the one function per computation and instruction set in which everything is inlined.
//! Its machine code shows what no test can: that nothing was left out of line, that no panic survived,
//! that vectors stay in registers. The table holds every shell for AVX2 and AVX-512 of the library
//! ntt that `cargo build --release` makes for users. The budget says what the engine may cost those who
//! build it; nothing writes it but a hand.

mod budget;
mod objects;
mod table;

use crate::{
    cargo::{capture, program, root},
    release,
    skips::OBJDUMP_MISSING,
    step::Stop,
    tally::Tally,
};
use budget::Cost;
use objects::Counts;
use std::{fs, path::Path};
use table::Table;

const TABLE: &str = "xtask/codegen.txt";
const BUDGET: &str = "xtask/budget.txt";
const ARCHITECTURE: &str = "ARCHITECTURE.md";
const SOURCE: &str = "crates/ntt/src";
/// Shells of so few instructions do nothing but return: they are compiled for nobody.
const IDLE: usize = 3;

pub(crate) fn check(_: &mut Tally) -> Result<(), Stop> {
    let found = Engine::measure()?;
    let text = read(TABLE).map_err(|error| format!("{error}; `cargo xtask codegen --update` writes it"))?;
    let recorded = Table::parse(&text)?;
    let differences = table::compare(&recorded, &found.table);
    differences.iter().for_each(|difference| println!("{difference}"));
    found.within_budget()?;
    found.as_architecture_says()?;
    if differences.is_empty() {
        println!("shells as recorded: {}", found.table.rows.len());
        return Ok(());
    }
    let made_by = if recorded.compiler == found.table.compiler {
        String::new()
    } else {
        format!("; the table was made by {}, this is {}", recorded.compiler, found.table.compiler)
    };
    Err(Stop::Failed(format!("{TABLE} differs in {} places{made_by}", differences.len())))
}

/// Rewrites the table, not the budget.
pub(crate) fn update(_: &mut Tally) -> Result<(), Stop> {
    let found = Engine::measure()?;
    fs::write(root().join(TABLE), found.table.to_string()).map_err(|error| format!("{TABLE}: {error}"))?;
    println!("shells written to {TABLE}: {}", found.table.rows.len());
    found.within_budget()?;
    Ok(found.as_architecture_says()?)
}

/// The engine as users get it.
struct Engine {
    /// Its shells on vectors.
    table: Table,
    costs: [Cost; 5],
}

impl Engine {
    /// Compiles and counts. A division in a shell on vectors is refused at once, as is a function of vectors that was
    /// left out of line: no table can allow them.
    fn measure() -> Result<Self, Stop> {
        if !cfg!(target_arch = "x86_64") {
            return Err(Stop::Skipped("the shells in the table are for x86-64".into()));
        }
        if capture(program("objdump").arg("--version")).is_err() {
            return Err(Stop::Skipped(OBJDUMP_MISSING.into()));
        }
        let library = release::build()?.engine;
        let shown = |arguments: &[&str]| capture(program("objdump").args(arguments).arg(&library));
        let all = shells(&shown(&["--syms", "--disassemble", "--reloc", "--no-show-raw-insn"])?);
        let on_vectors: Vec<_> = all.iter().filter(|(name, _)| is_on_vectors(name)).cloned().collect();
        if on_vectors.is_empty() {
            return Err(Stop::Failed(format!(
                "ntt compiles no shell, or functions lost their names: flags of the compiler from the environment \
                 replace those of .cargo/config.toml ({})",
                library.display()
            )));
        }
        if let Some((name, counts)) = on_vectors.iter().find(|(_, counts)| counts.divisions > 0) {
            let divisions = counts.divisions;
            return Err(Stop::Failed(format!("{name}: {divisions} divisions in a shell, whose time depends on data")));
        }
        if let Some((name, counts)) = on_vectors.iter().find(|(_, counts)| counts.outlined > 0) {
            let calls = counts.outlined;
            return Err(Stop::Failed(format!("{name}: {calls} calls of functions of vectors, which were not inlined")));
        }
        let idle = on_vectors.iter().filter(|(_, counts)| counts.instructions <= IDLE).count();
        let costs = [
            Cost { name: "shells on vectors", now: on_vectors.len() },
            Cost { name: "shells in all", now: all.len() },
            Cost { name: "shells of three instructions or fewer", now: idle },
            Cost { name: "bytes of machine code", now: objects::code_bytes(&shown(&["--section-headers"])?) },
            Cost { name: "bytes of source", now: source_bytes(&root().join(SOURCE))? },
        ];
        Ok(Self { table: Table { compiler: compiler()?, rows: table::rows(on_vectors) }, costs })
    }

    fn within_budget(&self) -> Result<(), String> {
        self.costs.iter().for_each(|Cost { name, now }| println!("{now:9} {name}"));
        let exceeded = budget::exceeded(&read(BUDGET)?, &self.costs).map_err(|error| format!("{BUDGET}: {error}"))?;
        exceeded.iter().for_each(|complaint| println!("{complaint}"));
        if exceeded.is_empty() {
            Ok(())
        } else {
            Err(format!("the engine exceeds {BUDGET}, which says who may raise it"))
        }
    }

    /// Whether ARCHITECTURE says what was built.
    fn as_architecture_says(&self) -> Result<(), String> {
        let [on_vectors, all, _, code, _] = self.costs.each_ref().map(|cost| cost.now);
        let sentence = built(on_vectors, all, code);
        let text = read(ARCHITECTURE)?.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.contains(&sentence) { Ok(()) } else { Err(format!("{ARCHITECTURE} does not say: {sentence}")) }
    }
}

/// What is built, in words.
fn built(on_vectors: usize, all: usize, code: usize) -> String {
    let hundredths = code.div_ceil(10_000);
    let [megabytes, rest] = [hundredths / 100, hundredths % 100];
    format!(
        "For x86-64 these are {on_vectors} shells on vectors, {all} in all, and {megabytes}.{rest:02} MB of machine code"
    )
}

/// Names of shells, and what is in them.
fn shells(listing: &str) -> Vec<(String, Counts)> {
    let counted = objects::functions(listing).flat_map(|function| {
        let shells: Vec<String> = function.names.iter().filter(|name| is_shell(name)).cloned().collect();
        let counts = if shells.is_empty() { Counts::default() } else { function.counts() };
        shells.into_iter().map(move |name| (name, counts))
    });
    counted.collect()
}

fn read(name: &str) -> Result<String, String> {
    fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"))
}

/// The bytes of all files of a folder.
fn source_bytes(folder: &Path) -> Result<usize, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut bytes = 0;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let about = entry.metadata().map_err(failed)?;
        bytes += if about.is_dir() { source_bytes(&entry.path())? } else { about.len() as usize };
    }
    Ok(bytes)
}

fn is_shell(name: &str) -> bool {
    let path = name.split('<').next().unwrap_or_default();
    path.starts_with("ringwork_lanes::") && ["shell16", "shell32", "shell64"].iter().any(|shell| path.contains(shell))
}

/// Whether a shell is of some instruction set: those of `task` are the scalar ones.
fn is_on_vectors(name: &str) -> bool {
    !name.starts_with("ringwork_lanes::task::")
}

/// `rustc 1.95.0`.
fn compiler() -> Result<String, String> {
    let version = capture(program(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("--version"))?;
    Ok(version.split(' ').take(2).collect::<Vec<_>>().join(" ").trim_end().to_owned())
}
