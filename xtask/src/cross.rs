//! `cross`: suites on machines that are not this one. Programs for AArch64 run under qemu, programs for
//! WebAssembly in node, by its interface to files and clocks (WASI).
//!
//! Of WebAssembly a panic ends the program and there are no threads, so tests that need either are
//! ignored there, by their own attributes.

use crate::{
    cargo::{capture, cargo, program, run as succeed, run_tests},
    programs::compiled,
    skips::{AARCH64_LINKER_MISSING, AARCH64_TARGET_MISSING, NODE_MISSING, QEMU_MISSING, WASM_TARGET_MISSING},
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::{ffi::OsStr, path::Path};

/// A program of tests, and which of them run.
struct Suite {
    package: &'static str,
    test: &'static str,
    filter: &'static str,
}

/// The laws of the lanes, every backend against the textbook, and the schemes with their vectors.
const SUITES: [Suite; 3] = [
    Suite { package: "ringwork-lanes", test: "laws", filter: "" },
    Suite { package: "ringwork-ntt", test: "suite", filter: "agree::" },
    Suite { package: "ringwork", test: "suite", filter: "" },
];

/// Another machine.
struct Machine<'a> {
    target: &'static str,
    linker: Option<&'static str>,
    /// Flags of the compiler.
    flags: &'static str,
    /// What a program is handed to.
    runner: &'a [&'a OsStr],
}

/// Where Debian and others keep the libraries of AArch64.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

pub(crate) fn aarch64(tally: &mut Tally) -> Result<(), Stop> {
    let (target, linker, qemu) = ("aarch64-unknown-linux-gnu", "aarch64-linux-gnu-gcc", "qemu-aarch64");
    has_target(target, AARCH64_TARGET_MISSING)?;
    starts(linker, AARCH64_LINKER_MISSING)?;
    starts(qemu, QEMU_MISSING)?;
    let runner = [qemu, "-L", LIBRARIES].map(OsStr::new);
    run(&Machine { target, linker: Some(linker), flags: "", runner: &runner }, tally)
}

pub(crate) fn wasm(tally: &mut Tally) -> Result<(), Stop> {
    let target = "wasm32-wasip1";
    has_target(target, WASM_TARGET_MISSING)?;
    let version = capture(program("node").arg("--version")).unwrap_or_default();
    if !is_recent_node(&version) {
        return Err(Stop::Skipped(NODE_MISSING.into()));
    }
    // Without the flag Node.js 20 crashes now and then: V8 11.3 may end a marking while a module's memory grows.
    let runner = ["node", "--no-warnings", "--no-incremental-marking", "xtask/wasi.mjs"].map(OsStr::new);
    run(&Machine { target, linker: None, flags: "-Ctarget-feature=+simd128", runner: &runner }, tally)?;
    // Its tests need sockets.
    Ok(succeed(&mut cargo(["check", "--quiet", "--package", "ringwork-rustls", "--target", target]))?)
}

fn run(machine: &Machine<'_>, tally: &mut Tally) -> Result<(), Stop> {
    let Machine { target, linker, flags, runner } = machine;
    // In one build, so that the engine is compiled once.
    let mut build = cargo(["test", "--quiet", "--target", target]);
    build.args(SUITES.iter().flat_map(|suite| ["--package", suite.package, "--test", suite.test]));
    if let Some(linker) = linker {
        build.arg("--config").arg(format!("target.{target}.linker={linker:?}"));
    }
    // Flags of the environment are meant for this machine.
    let built = compiled(build.env("CARGO_ENCODED_RUSTFLAGS", flags))?;
    let workspace = Workspace::read()?;
    for Suite { package, test, filter } in SUITES {
        println!("--- {package} on {target}: {test} {filter}");
        let manifest = &workspace.package(package)?.manifest_path;
        let message = built.iter().find(|m| m.manifest_path == *manifest && m.target.name == test);
        let executable = message.and_then(|message| message.executable.as_ref());
        let executable = executable.ok_or_else(|| format!("cargo names no program {test} of {package}"))?;
        run_tests(program(runner[0]).args(&runner[1..]).arg(executable).arg(filter), tally)?;
    }
    Ok(())
}

/// Whether the compiler has a standard library for it.
pub(crate) fn has_target(target: &str, otherwise: &str) -> Result<(), Stop> {
    let folder = capture(program("rustc").args(["--print", "target-libdir", "--target", target])).unwrap_or_default();
    let found = !folder.is_empty() && Path::new(folder.trim_end()).exists();
    if found { Ok(()) } else { Err(Stop::Skipped(otherwise.into())) }
}

pub(crate) fn starts(tool: &str, otherwise: &str) -> Result<(), Stop> {
    capture(program(tool).arg("--version")).map(drop).map_err(|_| Stop::Skipped(otherwise.into()))
}

/// Whether it runs programs for WASI without being told to by a flag: from version 20 on.
pub(crate) fn is_recent_node(version: &str) -> bool {
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
