//! `cross`: suites on machines that are not this one. Programs for AArch64 run under qemu, programs for
//! WebAssembly in node, by its interface to files and clocks (WASI).
//!
//! Of WebAssembly a panic ends the program and there are no threads, so tests that need either are
//! ignored there, by their own attributes.

use crate::{
    cargo::{capture, cargo, program, root, run_tests},
    skips::{AARCH64_LINKER_MISSING, AARCH64_TARGET_MISSING, NODE_MISSING, QEMU_MISSING, WASM_TARGET_MISSING},
    step::{Step, Stop},
    tally::Tally,
};
use std::path::Path;

pub(crate) const STEPS: &[Step] = &[Step("aarch64", aarch64), Step("wasm32", wasm)];

/// What runs: the laws of the lanes, every backend against the textbook, and the schemes with their vectors.
const SUITES: [&[&str]; 3] = [
    &["--package", "ringwork-lanes", "--test", "laws"],
    &["--package", "ringwork-ntt", "--test", "suite", "agree::"],
    &["--package", "ringwork", "--test", "suite"],
];

/// Another machine.
struct Target {
    name: &'static str,
    linker: Option<&'static str>,
    runner: Vec<String>,
    flags: &'static str,
}

/// Where Debian and others keep the libraries of AArch64.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

fn aarch64(tally: &mut Tally) -> Result<(), Stop> {
    let (name, linker, qemu) = ("aarch64-unknown-linux-gnu", "aarch64-linux-gnu-gcc", "qemu-aarch64");
    has_target(name, AARCH64_TARGET_MISSING)?;
    starts(linker, AARCH64_LINKER_MISSING)?;
    starts(qemu, QEMU_MISSING)?;
    let runner = [qemu, "-L", LIBRARIES].map(str::to_owned).to_vec();
    run(&Target { name, linker: Some(linker), runner, flags: "" }, tally)
}

fn wasm(tally: &mut Tally) -> Result<(), Stop> {
    let name = "wasm32-wasip1";
    has_target(name, WASM_TARGET_MISSING)?;
    let version = capture(program("node").arg("--version")).unwrap_or_default();
    if !is_recent_node(&version) {
        return Err(Stop::Skipped(NODE_MISSING.into()));
    }
    let script = root().join("xtask/wasi.mjs").to_string_lossy().into_owned();
    let runner = vec!["node".into(), "--no-warnings".into(), script];
    run(&Target { name, linker: None, runner, flags: "-Ctarget-feature=+simd128" }, tally)
}

fn run(target: &Target, tally: &mut Tally) -> Result<(), Stop> {
    let Target { name, linker, runner, flags } = target;
    for suite in SUITES {
        println!("--- {name}: {}", suite.join(" "));
        let mut command = cargo(["test", "--target", name]);
        // Before any flags of the environment, which are meant for this machine.
        command.env("CARGO_ENCODED_RUSTFLAGS", flags);
        command.arg("--config").arg(format!("target.{name}.runner={runner:?}"));
        if let Some(linker) = linker {
            command.arg("--config").arg(format!("target.{name}.linker={linker:?}"));
        }
        run_tests(command.args(suite), tally)?;
    }
    Ok(())
}

/// Whether the compiler has a standard library for it.
fn has_target(target: &str, otherwise: &str) -> Result<(), Stop> {
    let folder = capture(program("rustc").args(["--print", "target-libdir", "--target", target])).unwrap_or_default();
    let found = !folder.is_empty() && Path::new(folder.trim_end()).exists();
    if found { Ok(()) } else { Err(Stop::Skipped(otherwise.into())) }
}

fn starts(tool: &str, otherwise: &str) -> Result<(), Stop> {
    capture(program(tool).arg("--version")).map(drop).map_err(|_| Stop::Skipped(otherwise.into()))
}

/// Whether it runs programs for WASI without being told to by a flag: from version 20 on.
fn is_recent_node(version: &str) -> bool {
    let major = version.strip_prefix('v').and_then(|version| version.split('.').next());
    major.and_then(|major| major.parse::<u32>().ok()).is_some_and(|major| major >= 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_compared_by_number() {
        for (version, expected) in [("v20.0.0\n", true), ("v18.20.4", false), ("v100.1.0", true), ("", false)] {
            assert_eq!(is_recent_node(version), expected, "{version}");
        }
    }
}
