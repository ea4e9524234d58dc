//! `age` and `rage`: other programs of age and the command read each other's files.
//!
//! The programs are built once, into a folder of the build directory that carries their version.

use crate::{
    cargo::{capture, cargo, program},
    programs::run_ignored,
    skips::{AGE_UNREACHABLE, GO_MISSING},
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::path::PathBuf;

const AGE: &str = "filippo.io/age/cmd/...@v1.3.1";
const RAGE: &str = "0.11.1";

/// Go's age.
pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    let folder = folder("go-age-1.3.1")?;
    if !folder.join("age").exists() {
        has_go()?;
        let mut install = program("go");
        install.args(["install", AGE]).env("GOBIN", &folder).env("GOFLAGS", "");
        capture(&mut install).map_err(|output| {
            println!("{output}");
            Stop::Skipped(AGE_UNREACHABLE.into())
        })?;
    }
    run_ignored("ringwork-workbench", "interop::with_go", Some(("RINGWORK_GO_AGE", &folder)), tally)
}

/// **Errors** with a reason to leave something out.
pub(crate) fn has_go() -> Result<(), Stop> {
    capture(program("go").arg("version")).map(drop).map_err(|_| Stop::Skipped(GO_MISSING.into()))
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
    run_ignored("ringwork-workbench", "interop::with_rage", Some(("RINGWORK_RAGE", &programs)), tally)
}

fn folder(name: &str) -> Result<PathBuf, String> {
    Ok(Workspace::read()?.target_directory.join("interop").join(name))
}
