//! `prove`: what every method of reduction promises, confirmed by two solvers for the code that runs.
//!
//! The program of `crates/prove` writes a file for each contract below `smt` in the build directory;
//! `crates/prove/check.py` asks the solvers, which are Python packages of pinned versions.

use crate::{
    cargo::{program, root, run as succeed},
    programs, python,
    skips::SOLVERS_MISSING,
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::{fs, path::PathBuf, process::Stdio};

const REQUIREMENTS: &str = "crates/prove/requirements.txt";
/// Seconds for one answer: most take some milliseconds.
const LIMIT: &str = "60";

pub(crate) fn run(_: &mut Tally) -> Result<(), Stop> {
    let environment = python::environment("prove-python", REQUIREMENTS, SOLVERS_MISSING)?;
    let directory = Workspace::read()?.target_directory.join("smt");
    if directory.exists() {
        fs::remove_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    succeed(program(programs::program("ringwork-prove", "prove")?).arg(&directory))?;
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&directory).map_err(failed)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let list = directory.join("files.txt");
    let lines: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    fs::write(&list, lines.join("\n")).map_err(failed)?;
    let mut check = program(environment.join("bin/python"));
    check.arg(root().join("crates/prove/check.py")).args([LIMIT, "-"]);
    check.stdin(Stdio::from(fs::File::open(&list).map_err(failed)?));
    Ok(succeed(&mut check)?)
}
