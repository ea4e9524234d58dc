//! `codegen`: the machine code of the shells, held against `xtask/codegen.txt`.
//!
//! A shell is the one function per computation and instruction set in which everything is inlined.
//! Its assembly shows what no test can: that nothing was left out of line, that no panic survived,
//! that vectors stay in registers. The table holds every shell for AVX2 and AVX-512 that the library
//! ntt compiles for its users.

mod asm;
mod table;

use crate::{
    cargo::{capture, cargo, program, root, run},
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::path::PathBuf;
use table::Table;

const TABLE: &str = "xtask/codegen.txt";

/// A profile of its own, so that neither `target/release` nor its settings are disturbed.
const PROFILE: [&str; 4] = [
    "profile.codegen.inherits='release'",
    "profile.codegen.lto='off'",
    "profile.codegen.codegen-units=1",
    "profile.codegen.debug=0",
];

pub(crate) fn check(_: &mut Tally) -> Result<(), Stop> {
    let found = measure()?;
    let text = std::fs::read_to_string(root().join(TABLE))
        .map_err(|error| format!("{TABLE}: {error}; `cargo xtask codegen --update` writes it"))?;
    let recorded = Table::parse(&text)?;
    let complaints = table::compare(&recorded, &found);
    if complaints.is_empty() {
        println!("shells as recorded: {}", found.rows.len());
        return Ok(());
    }
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    let made_by = if recorded.compiler == found.compiler {
        String::new()
    } else {
        format!("; the table was made by {}, this is {}", recorded.compiler, found.compiler)
    };
    Err(Stop::Failed(format!("{TABLE} differs in {} places{made_by}", complaints.len())))
}

pub(crate) fn update(_: &mut Tally) -> Result<(), Stop> {
    let found = measure()?;
    std::fs::write(root().join(TABLE), found.to_string()).map_err(|error| format!("{TABLE}: {error}"))?;
    println!("shells written to {TABLE}: {}", found.rows.len());
    Ok(())
}

/// Compiles the shells and counts. A division is refused at once: no table can allow it.
fn measure() -> Result<Table, Stop> {
    if !cfg!(target_arch = "x86_64") {
        return Err(Stop::Skipped("the shells in the table are for x86-64".into()));
    }
    let compiler = compiler()?;
    let path = assembly(&compiler)?;
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let shells: Vec<(String, asm::Counts)> = asm::functions(&text)
        .filter(|function| is_shell(&function.name))
        .map(|f| (f.name.clone(), f.counts()))
        .collect();
    if shells.is_empty() {
        return Err(Stop::Failed("ntt compiles no shell".into()));
    }
    if let Some((name, counts)) = shells.iter().find(|(_, counts)| counts.divisions > 0) {
        return Err(Stop::Failed(format!(
            "{name}: {} divisions in a shell, whose time depends on data",
            counts.divisions
        )));
    }
    Ok(Table { compiler, rows: table::rows(shells) })
}

/// Whether a function is a shell of some instruction set: those of `task` are the scalar ones.
fn is_shell(name: &str) -> bool {
    let path = name.split('<').next().unwrap_or_default();
    path.starts_with("ringwork_lanes::")
        && !path.starts_with("ringwork_lanes::task::")
        && ["shell16", "shell32", "shell64"].iter().any(|shell| path.contains(shell))
}

/// `rustc 1.95.0`.
fn compiler() -> Result<String, String> {
    let version = capture(program(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("--version"))?;
    Ok(version.split(' ').take(2).collect::<Vec<_>>().join(" ").trim_end().to_owned())
}

/// The assembly of ntt. The compiler is part of the file's name, since cargo keeps what is fresh
/// for each.
fn assembly(compiler: &str) -> Result<PathBuf, String> {
    let path = Workspace::read()?.target_directory.join(format!("codegen/ntt-{}.s", compiler.replace(' ', "-")));
    let emit = format!("asm={}", path.display());
    let mut command = cargo(["rustc", "--quiet", "--package", "ringwork-ntt", "--lib"]);
    command.args(["--profile", "codegen"]).args(PROFILE.iter().flat_map(|setting| ["--config", setting]));
    command.args(["--", "-C", "symbol-mangling-version=v0", "--emit", &emit]);
    run(command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    Ok(path)
}
