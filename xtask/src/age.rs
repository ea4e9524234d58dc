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

const AGE: [&str; 3] = [
    "filippo.io/age/cmd/...@v1.3.1",
    "filippo.io/age/extra/...@v1.3.1",
    "filippo.io/age/tag/internal/age-plugin-tagtest@v1.3.1",
];
/// The last of these that is built.
const LAST: &str = "age-plugin-tagtest";
/// Their folder.
const GO_AGE: &str = "go-age-1.3.1";
const RAGE: &str = "0.12.1";

/// Go's age.
pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    let folder = folder(GO_AGE)?;
    if !folder.join(LAST).exists() {
        has_go()?;
        let mut install = program("go");
        install.arg("install").args(AGE).env("GOBIN", &folder).env("GOFLAGS", "");
        capture(&mut install).map_err(|output| {
            println!("{output}");
            Stop::Skipped(AGE_UNREACHABLE.into())
        })?;
    }
    run_ignored("ringwork-workbench", "interop::with_go", &[("RINGWORK_GO_AGE", &folder)], tally)
}

/// **Errors** with a reason to leave something out.
pub(crate) fn has_go() -> Result<(), Stop> {
    capture(program("go").arg("version")).map(drop).map_err(|_| Stop::Skipped(GO_MISSING.into()))
}

/// rage, which takes some minutes to build, and Go's age, if [`run`] has built it.
pub(crate) fn rage(tally: &mut Tally) -> Result<(), Stop> {
    let folder = folder(&format!("rage-{RAGE}"))?;
    let programs = folder.join("bin");
    if !programs.join("rage").exists() {
        let mut install = cargo(["install", "rage", "--locked", "--debug", "--version", RAGE, "--root"]);
        install.arg(&folder).arg("--target-dir").arg(folder.join("target"));
        capture(&mut install)?;
    }
    let go_age = self::folder(GO_AGE)?;
    let mut folders = vec![("RINGWORK_RAGE", &*programs)];
    if go_age.join(LAST).exists() {
        folders.push(("RINGWORK_GO_AGE", &go_age));
    } else {
        println!("without Go's age, which `cargo xtask age` builds");
    }
    run_ignored("ringwork-workbench", "interop::with_rage", &folders, tally)
}

fn folder(name: &str) -> Result<PathBuf, String> {
    Ok(Workspace::read()?.target_directory.join("interop").join(name))
}
