//! `unit tests` of `check`: those of the crates in which something was changed.
//!
//! Changed is what differs from the last commit, or with `--since REV` from that one, and what git does not
//! know yet.

use crate::{
    cargo::{capture, cargo, program, root, run_tests},
    floors::STANDALONE,
    step::Stop,
    tally::Tally,
    workspace::{Package, Workspace},
};
use std::path::Path;

const ENGINE: &str = "ringwork-ntt";
/// Takes a minute of a processor to compile with its tests.
const COMMAND: &str = "ringwork-workbench";

pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    let workspace = Workspace::read()?;
    let files = changed()?;
    let touched = packages(&files, &workspace);
    // What the engine is part of waits for minutes once it is changed.
    let engine = files.iter().any(|file| is_of_engine(file, &workspace));
    let waits = |name: &str| name == COMMAND || engine && needs(&workspace, name, ENGINE);
    let (later, now): (Vec<&Package>, Vec<&Package>) = touched.iter().partition(|package| waits(&package.name));
    if !later.is_empty() {
        println!("left to `cargo xtask test`, since they compile for more than seconds: {}", names(&later));
    }
    if now.is_empty() {
        println!("no crate was changed whose unit tests can run in seconds");
        return Ok(());
    }
    println!("changed: {}", names(&now));
    let mut command = cargo(["test", "--quiet", "--lib", "--bins", "--package"]);
    if now.iter().any(|package| needs(&workspace, &package.name, ENGINE)) {
        // With its features as in `test`, so that it is there already.
        command.args([ENGINE, "--features", "ringwork-ntt/threads"]);
    } else {
        command.arg(&now[0].name);
    }
    command.args(now.iter().flat_map(|package| ["--package", &package.name]));
    Ok(run_tests(&mut command, tally)?)
}

fn names(packages: &[&Package]) -> String {
    packages.iter().map(|package| package.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Files, by their paths from the root of the workspace.
fn changed() -> Result<Vec<String>, String> {
    let since = std::env::args().skip_while(|argument| argument != "--since").nth(1);
    let revision = since.as_deref().unwrap_or("HEAD");
    // Git writes nothing: the command is compiled again when git's index is newer.
    let git = |arguments: &[&str]| capture(program("git").arg("--no-optional-locks").args(arguments));
    let known = git(&["diff", "--name-only", "--relative", revision, "--"])?;
    let unknown = git(&["ls-files", "--others", "--exclude-standard"])?;
    Ok(known.lines().chain(unknown.lines()).map(str::to_owned).collect())
}

/// The packages in whose folders these files are.
fn packages<'a>(files: &[String], workspace: &'a Workspace) -> Vec<&'a Package> {
    let inside = |package: &&Package| {
        let folder = package.directory().strip_prefix(root()).unwrap_or(package.directory());
        files.iter().any(|file| Path::new(file).starts_with(folder))
    };
    workspace.packages.iter().filter(inside).collect()
}

/// Whether the engine is compiled from it; its tests and examples are not the engine.
fn is_of_engine(file: &str, workspace: &Workspace) -> bool {
    let folders = STANDALONE.iter().filter_map(|name| workspace.package(name).ok()).map(Package::directory);
    let mut files = folders.filter_map(|folder| Path::new(file).strip_prefix(folder.strip_prefix(root()).ok()?).ok());
    files.any(|file| file.starts_with("src") || file.starts_with("Cargo.toml"))
}

/// Whether one package is built from another one, tests included, or is the same.
fn needs(workspace: &Workspace, package: &str, other: &str) -> bool {
    let ours = |name: &str| workspace.packages.iter().find(|package| package.name == name);
    let below = |package: &Package| {
        let others = package.dependencies.iter().filter(|dependency| dependency.name != package.name);
        others.filter(|d| ours(&d.name).is_some()).any(|d| needs(workspace, &d.name, other))
    };
    package == other || ours(package).is_some_and(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_packages() {
        let workspace = Workspace::read().unwrap();
        let of = |files: &[&str]| {
            let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            names(&packages(&files, &workspace))
        };
        assert_eq!(of(&["crates/ringwork/src/lib.rs", "crates/ringwork/README.md"]), "ringwork");
        assert_eq!(of(&["README.md", "rtl/README.md", "crates/README.md"]), "");
        assert_eq!(of(&["xtask/codegen.txt"]), "xtask");
    }

    #[test]
    fn tests_of_the_engine_are_not_the_engine() {
        let workspace = Workspace::read().unwrap();
        for (file, expected) in [
            ("crates/ntt/src/plan/single.rs", true),
            ("crates/lanes/Cargo.toml", true),
            ("crates/ntt/tests/plans.rs", false),
            ("crates/ringwork/src/lib.rs", false),
        ] {
            assert_eq!(is_of_engine(file, &workspace), expected, "{file}");
        }
    }

    #[test]
    fn what_is_built_from_the_engine_is_known() {
        let workspace = Workspace::read().unwrap();
        for (package, other, expected) in [
            ("ringwork-age", ENGINE, true),
            ("xtask", ENGINE, true),
            ("ringwork-reference", ENGINE, false),
            ("ringwork-lanes", ENGINE, false),
            (ENGINE, "ringwork-lanes", true),
            (ENGINE, ENGINE, true),
        ] {
            assert_eq!(needs(&workspace, package, other), expected, "{package} {other}");
        }
    }
}
