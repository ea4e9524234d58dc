//! `python`: the Python package, built into an environment of its own; its tests, and what type checkers say of it.

use crate::{
    cargo::{capture, cargo, program, root, run as succeed},
    python,
    skips::PYTHON_PACKAGES_MISSING,
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::{path::Path, process::Command};

const FOLDER: &str = "crates/python";
const REQUIREMENTS: &str = "crates/python/requirements.txt";
/// What type checkers read.
const SOURCES: [&str; 3] = ["python/ringwork", "tests", "benchmarks"];

pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    let environment = python::environment("python", REQUIREMENTS, PYTHON_PACKAGES_MISSING)?;
    let built = Workspace::read()?.target_directory.join("wheel");
    let of = |name: &str| in_environment(&environment, name);
    succeed(cargo(["fmt", "--check"]).current_dir(root().join(FOLDER)))?;
    println!("building the package: the engine takes some minutes");
    succeed(of("maturin").args(["develop", "--release", "--quiet", "--locked"]).env("CARGO_TARGET_DIR", &built))?;
    let mut clippy = cargo(["clippy", "--release", "--quiet", "--locked", "--", "--deny=warnings"]);
    clippy.env("CARGO_TARGET_DIR", &built).env("PYO3_PYTHON", environment.join("bin/python"));
    succeed(clippy.current_dir(root().join(FOLDER)))?;
    let tests = capture(of("pytest").args(["-q", "-p", "no:cacheprovider"]))?;
    print!("{tests}");
    tally.passed += passed(&tests).ok_or_else(|| "pytest does not say how many tests passed".to_owned())?;
    succeed(of("mypy").args(["--strict", "--cache-dir=/dev/null"]).args(SOURCES))?;
    succeed(of("stubtest").arg("ringwork._native"))?;
    succeed(of("pyright").args(["--pythonpath"]).arg(environment.join("bin/python")).args(SOURCES))?;
    Ok(())
}

/// A program of an environment, which finds itself by it.
fn in_environment(environment: &Path, name: &str) -> Command {
    let mut command = program(environment.join("bin").join(name));
    command.env("VIRTUAL_ENV", environment).env("PYTHONDONTWRITEBYTECODE", "1").current_dir(root().join(FOLDER));
    command
}

/// The number in `8 passed in 1.52s`.
fn passed(output: &str) -> Option<u64> {
    let line = output.lines().find(|line| line.contains(" passed"))?;
    line.split(" passed").next()?.split(' ').next_back()?.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn tests_of_python_are_counted() {
        assert_eq!(super::passed("........ [100%]\n8 passed in 1.52s\n"), Some(8));
        assert_eq!(super::passed("1 failed, 7 passed in 1.52s"), Some(7));
        assert_eq!(super::passed("no tests ran"), None);
    }
}
