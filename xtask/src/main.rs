//! The project's own tasks, run as `cargo xtask <verb>`.
//!
//! Each step of a tier ([`tiers`]) is a verb as well. A step that cannot run here says why on a line
//! that starts with `skipped:`; where `CI` is `true` that is a failure, unless the reason is among
//! those listed in `skips.rs`.
#![forbid(unsafe_code)]

mod age;
mod browser;
mod c_library;
mod cargo;
mod codegen;
mod cross;
mod ct;
mod dist;
mod divisions;
#[cfg(test)]
mod documents;
mod embedded;
mod floors;
mod fuzz;
mod generate;
mod interop;
mod javascript;
mod licences;
mod miri;
mod mutants;
mod no_std;
mod packages;
mod programs;
mod prove;
mod python;
mod release;
mod rtl;
mod skips;
mod step;
mod supply;
mod tally;
mod tiers;
mod times;
mod timing;
mod touched;
mod vectors;
mod wheel;
mod workspace;

use std::{path::Path, process::ExitCode};
use step::Step;

const USAGE: &str = "\
usage: cargo xtask <verb>

three tiers of steps, each of which contains the one before and ends at the first step that fails:
  check [--since REV]  while editing: format, floors, types, lints, unit tests of the crates that differ from the last
                       commit, or from REV
  test                 before a change is handed in: all crates, what they are compiled to, and everything derived
  test --all           at the end of an issue: other features, levels of optimisation, machines and implementations

steps of them, which are verbs as well (CONTRIBUTING.md lists all of them):
  floors               which crate and module may use which, and where `unsafe` may stand
  clippy               types and lints of everything
  tests                every test of the workspace
  licences             that all dependencies have permissive licences
  duplicates           that no dependency is there in two versions, but for those of xtask/duplicates.txt
  gen --check          that the checked-in files that are derived are what a program of the workspace derives
  divisions            looks for divisions in what the compiler made of ringwork
  codegen              compares the machine code of the engine with xtask/codegen.txt and xtask/budget.txt
  vectors              runs every file of known answers through `ringwork vectors check`
  ct [LEVEL]           runs every scheme under valgrind with undefined secrets, at opt-level 1, 2, 3 (as users get it) and s,
                       or one of these
  no-std [--build]     checks, or builds, lanes, ntt and ringwork for a target without std
  embedded             known answers of ML-KEM and ML-DSA on a Cortex-M4 and a RISC-V that qemu imitates; flash, stack, heap
  packages [--run]     packs what is published, and checks, or builds and runs, a project outside the workspace with it
  packages --publish   what cargo says of publishing all of it, in order; nothing is uploaded
  rtl smoke            simulates one cryptoprocessor in SystemVerilog
  advisories           that RustSec warns of no dependency, by cargo-audit
  features             tests of the engine with other features, and of the crates that are measured beside us
  random words         every method of reduction against the textbook, by a billion words
  prove                that SMT solvers confirm what every method of reduction promises, for the code that runs
  openssl              keys, signatures and ciphertexts between this and an OpenSSL of 3.5 or newer, if there is one
  interop              the same with an OpenSSL that is built first, and 10,000 seeds of each set with RustCrypto, libcrux and AWS-LC
  age                  that Go's age and the command read each other's files; builds age from the module proxy of Go
  rage                 the same with rage, which takes some minutes to build, and Go's age where it is built
  tls                  handshakes with Go's crypto/tls, as client and as server
  c                    the C library: its symbols, tests in C and C++, under memcheck and sanitizers
  javascript schemes   the standards for JavaScript: modules of WebAssembly with and without vectors, and their tests
  javascript           the whole npm package: its tests, also against noble-post-quantum, its types by TypeScript, and the
                       page in Chromium
  labels               that no label of a picture leaves it, in Chromium at two widths
  python               the Python package: its tests, and what mypy and pyright say of it
  miri                 tests of lanes and ntt under Miri

and besides:
  page                 makes a page that computes in the browser, in one file
  javascript pack      makes the file that `npm install` takes
  c install PREFIX     installs the C library, its header, and files for pkg-config and CMake
  dist [--draft] [--twice] [--target TARGET] [--sign KEY]
                       static programs for Linux on x86-64 and AArch64, packed; .deb, bills of materials, checksums;
                       a draft has no kernels, twice compares with a build in another folder, and a key of
                       `ringwork sign` signs the checksums of a whole release, which is no draft
  faces                c, javascript and python
  cross                suites of lanes, ntt and ringwork for AArch64 under qemu, and for WebAssembly in node
  gen                  writes the checked-in files that are derived
  codegen --update     rewrites xtask/codegen.txt
  fuzz [TARGET [MINUTES]]  feeds one decoder, or all of them in turn, with whatever libFuzzer thinks of; 10 minutes each
  fuzz --keep          rewrites fuzz/corpus: few inputs that reach what all that were found reach
  mutants PART K/N     tries the K-th of N shards of changes to age, files, standards, schemes,
                       textbook, processor or reductions: a test must notice
  timing [SECONDS [PART OF A NAME]]
                       measures whether operations on random secrets take as long as on one fixed secret; 10 seconds each
  rtl test [--long]    simulates and proves all of the cryptoprocessor; long: 10^5 round trips, and all sets on all simulators
  rtl report           synthesises it, and writes area, frequency and cycles for the workbench to show
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["check"] | ["check", "--since", _] => return tiers::check(),
        ["test"] => return tiers::test(),
        ["test", "--all"] => return tiers::all(),
        ["dist", ..] => return dist(&arguments[1..]),
        ["fuzz", "--keep"] => return ended("fuzz --keep", fuzz::keep()),
        ["fuzz", ..] => return fuzz(&arguments[1..]),
        ["c", "install", prefix] => return ended("c install", c_library::install(Path::new(prefix))),
        ["mutants", part, shard] => return ended("mutants", mutants::run(part, shard)),
        ["timing", ..] => return timing(&arguments[1..]),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let line = arguments.join(" ");
    let other = || OTHER.iter().find(|step| step.0 == line).copied();
    match tiers::step(&line).or_else(other) {
        Some(step) => ended(step.0, step.perform(&mut tally::Tally::default()).map(drop)),
        None if line == "cross" => tiers::cross(),
        None if line == "faces" => tiers::faces(),
        None => misunderstood(),
    }
}

/// Verbs that are no steps of a tier.
const OTHER: [Step; 9] = [
    Step("ct 1", |_| ct::run_level("1")),
    Step("ct 2", |_| ct::run_level("2")),
    Step("ct s", |_| ct::run_level("s")),
    Step("gen", generate::write),
    Step("codegen --update", codegen::update),
    Step("javascript pack", |_| javascript::pack().map(drop)),
    Step("page", |_| javascript::page()),
    Step("rtl test", rtl::test),
    Step("rtl report", rtl::report),
];

/// `dist [--draft] [--twice] [--target TARGET] [--sign KEY]`
fn dist(arguments: &[&str]) -> ExitCode {
    dist::Request::parse(arguments).map_or_else(misunderstood, |request| ended("dist", dist::run(&request)))
}

/// `fuzz [TARGET [MINUTES]]`
fn fuzz(arguments: &[&str]) -> ExitCode {
    let Ok(minutes) = arguments.get(1).map_or(Ok(10), |minutes| minutes.parse()) else {
        return misunderstood();
    };
    ended("fuzz", fuzz::run(arguments.first().copied(), minutes))
}

/// `timing [SECONDS [PART OF A NAME]]`
fn timing(arguments: &[&str]) -> ExitCode {
    let Ok(seconds) = arguments.first().map_or(Ok(10), |seconds| seconds.parse()) else {
        return misunderstood();
    };
    ended("timing", timing::run(seconds, arguments.get(1).copied().unwrap_or_default()))
}

fn misunderstood() -> ExitCode {
    eprint!("{USAGE}");
    ExitCode::from(2)
}

fn ended(verb: &str, outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{verb}: {reason}");
            ExitCode::FAILURE
        }
    }
}
