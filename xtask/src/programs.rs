//! The programs that `cargo test` compiles for the whole workspace, tests and others.
//!
//! Steps that look at a program or run one take it from there: for one package alone, cargo would
//! compile the engine once more, with other features.

use crate::{
    cargo::{self, WORKSPACE, capture, cargo, run_tests},
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use serde::Deserialize;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// What cargo says of something that it has compiled.
#[derive(Deserialize)]
pub(crate) struct Message {
    pub(crate) manifest_path: PathBuf,
    pub(crate) target: Target,
    profile: Profile,
    pub(crate) executable: Option<PathBuf>,
}

#[derive(Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

fn of_package(package: &str) -> Result<Vec<Message>, String> {
    let workspace = Workspace::read()?;
    let manifest = &workspace.package(package)?.manifest_path;
    let mut messages = compiled(cargo(["test", "--quiet"]).args(WORKSPACE))?;
    messages.retain(|message| message.manifest_path == *manifest);
    Ok(messages)
}

/// What `cargo test` compiles before it runs anything.
pub(crate) fn compiled(test: &mut Command) -> Result<Vec<Message>, String> {
    messages(test.arg("--no-run"))
}

fn messages(build: &mut Command) -> Result<Vec<Message>, String> {
    let messages = capture(build.arg("--message-format=json-render-diagnostics"))?;
    Ok(messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// Examples, as the tests of the workspace have them: what of these is not compiled yet, is.
pub(crate) fn examples(names: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut build = cargo(["build", "--quiet", "--profile", "test"]);
    build.args(WORKSPACE).args(names.iter().flat_map(|name| ["--example", name]));
    let built = messages(&mut build)?;
    let example = |name: &&str| {
        let mut named = built.iter().filter(|message| message.target.name == **name);
        named.find_map(|message| message.executable.clone()).ok_or_else(|| format!("cargo names no example {name}"))
    };
    names.iter().map(example).collect()
}

/// The programs of a package's tests.
pub(crate) fn tests(package: &str) -> Result<Vec<PathBuf>, String> {
    let tests = of_package(package)?.into_iter().filter(|message| message.profile.test);
    Ok(tests.filter_map(|message| message.executable).collect())
}

/// Runs a test that is left out otherwise, since it needs other programs, whose folders these variables name; it must
/// be there.
pub(crate) fn run_ignored(package: &str, test: &str, folders: &[(&str, &Path)], tally: &mut Tally) -> Result<(), Stop> {
    let mut own = Tally::default();
    for suite in tests(package)? {
        let mut command = cargo::program(suite);
        command.args(["--exact", "--ignored", test]).envs(folders.iter().copied());
        run_tests(&mut command, &mut own)?;
    }
    match own.passed {
        1 => tally.passed += 1,
        _ => return Err(Stop::Failed(format!("there is no test {test} of {package}"))),
    }
    Ok(())
}

/// A program of a package, as its tests run it.
pub(crate) fn program(package: &str, name: &str) -> Result<PathBuf, String> {
    let mut named = of_package(package)?.into_iter().filter(|m| m.target.name == name && !m.profile.test);
    named.find_map(|message| message.executable).ok_or_else(|| format!("cargo names no program {name} of {package}"))
}

/// A link of that name to another file of the same folder.
#[cfg(unix)]
pub(crate) fn link(to: &str, name: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, name)
}

/// A link of that name to another file of the same folder: here, a copy of it.
#[cfg(not(unix))]
pub(crate) fn link(to: &str, name: &Path) -> std::io::Result<()> {
    std::fs::copy(name.with_file_name(to), name).map(drop)
}
