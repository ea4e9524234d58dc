//! `age` and `rage`: other programs of age and the command read each other's files.
//!
//! The programs are built once, into a folder of the build directory that carries their version.

use crate::{
    cargo::{capture, cargo, program, run_tests},
    programs,
    skips::{AGE_UNREACHABLE, GO_MISSING},
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::path::{Path, PathBuf};

const AGE: &str = "filippo.io/age/cmd/...@v1.3.1";
const RAGE: &str = "0.11.1";

/// Go's age.
pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    let folder = folder("go-age-1.3.1")?;
    if !folder.join("age").exists() {
        capture(program("go").arg("version")).map_err(|_| Stop::Skipped(GO_MISSING.into()))?;
        let mut install = program("go");
        install.args(["install", AGE]).env("GOBIN", &folder).env("GOFLAGS", "");
        capture(&mut install).map_err(|output| {
            println!("{output}");
            Stop::Skipped(AGE_UNREACHABLE.into())
        })?;
    }
    tests("interop::with_go", "RINGWORK_GO_AGE", &folder, tally)
}

/// rage, which takes some minutes to build.
pub(crate) fn rage(tally: &mut Tally) -> Result<(), Stop> {
    let folder = folder(&format!("rage-{RAGE}"))?;
    let programs = folder.join("bin");
    if !programs.join("rage").exists() {
        let mut install = cargo(["install", "rage", "--locked", "--debug", "--version", RAGE, "--root"]);
        install.arg(&folder).arg("--target-dir").arg(folder.join("target"));
        capture(&mut install)?;
    }
    tests("interop::with_rage", "RINGWORK_RAGE", &programs, tally)
}

fn folder(name: &str) -> Result<PathBuf, String> {
    Ok(Workspace::read()?.target_directory.join("interop").join(name))
}

/// Runs that test, which must be there.
fn tests(name: &str, variable: &str, folder: &Path, tally: &mut Tally) -> Result<(), Stop> {
    let mut own = Tally::default();
    for suite in programs::tests("ringwork-workbench")? {
        let mut command = program(suite);
        command.args(["--exact", "--ignored", name]).env(variable, folder);
        run_tests(&mut command, &mut own)?;
    }
    match own.passed {
        1 => tally.passed += 1,
        _ => return Err(Stop::Failed(format!("there is no test {name}"))),
    }
    Ok(())
}
