//! The project's own tasks, run as `cargo xtask <verb>`.
//!
//! Each verb is a module and also a step of `test`. A step that cannot run here says why on a line
//! that starts with `skipped:`; where `CI` is `true` that is a failure, unless the reason is among
//! those listed in `skips.rs`.
#![forbid(unsafe_code)]

mod age;
mod cargo;
mod codegen;
mod cross;
mod ct;
mod divisions;
#[cfg(test)]
mod documents;
mod floors;
mod fuzz;
mod generate;
mod interop;
mod licences;
mod miri;
mod no_std;
mod packages;
mod programs;
mod rtl;
mod skips;
mod step;
mod tally;
mod test;
mod vectors;
mod workspace;

use std::process::ExitCode;
use step::Step;

const USAGE: &str = "\
usage: cargo xtask <verb>

  test [--quick]       every check in order, up to the first that fails; quick: fmt, clippy, floors, unit tests
  test --cross         the same, and cross
  cross                suites of lanes, ntt and ringwork for AArch64 under qemu, and for WebAssembly in node
  floors               which crate and module may use which, and where `unsafe` may stand
  gen [--check]        writes the checked-in files that are derived, or compares them
  codegen [--update]   compares the machine code of the shells with xtask/codegen.txt, or rewrites that table
  ct [--some]          runs every scheme under valgrind with undefined secrets, at opt-level 1, 2, 3 and s, or 2 and 3 as test does
  divisions            looks for divisions in what the compiler made of ringwork
  fuzz [TARGET [MINUTES]]  feeds one decoder, or all of them in turn, with whatever libFuzzer thinks of; 10 minutes each
  openssl              keys, signatures and ciphertexts between this and an OpenSSL of 3.5 or newer, if there is one
  interop              the same with an OpenSSL that is built first, and 10,000 seeds of each set with RustCrypto, libcrux and AWS-LC
  age                  that Go's age and the command read each other's files; builds age from the module proxy of Go
  tls                  handshakes with Go's crypto/tls, as client and as server
  rage                 the same with rage, which takes some minutes to build
  licences             that all dependencies have permissive licences
  no-std               builds lanes and ntt for a target without std
  packages             packs what is published, and builds a project outside the workspace with it
  miri                 the unit tests of lanes and ntt under Miri
  rtl test [--long]    simulates and proves the cryptoprocessor in SystemVerilog; long: 10^5 round trips, and all sets on all simulators
  rtl report           synthesises it, and writes area, frequency and cycles for the workbench to show
  vectors              runs every file of known answers through `ringwork vectors check`
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, rest @ ..] = &arguments[..]
        && verb == "fuzz"
    {
        return fuzz(rest);
    }
    let step: Step = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => return test::run(test::FULL),
        ["test", "--quick"] => return test::run(test::QUICK),
        ["test", "--cross"] => return test::run(&[test::FULL, cross::STEPS].concat()),
        ["cross"] => return test::run(cross::STEPS),
        ["floors"] => Step("floors", floors::run),
        ["gen"] => Step("gen", generate::write),
        ["gen", "--check"] => Step("gen --check", generate::check),
        ["codegen"] => Step("codegen", codegen::check),
        ["codegen", "--update"] => Step("codegen --update", codegen::update),
        ["ct"] => Step("ct", ct::run),
        ["ct", "--some"] => Step("ct", ct::run_some),
        ["divisions"] => Step("divisions", divisions::run),
        ["interop"] => Step("interop", interop::run),
        ["openssl"] => Step("openssl", interop::openssl),
        ["age"] => Step("age", age::run),
        ["tls"] => Step("tls", interop::tls),
        ["rage"] => Step("rage", age::rage),
        ["licences"] => Step("licences", licences::run),
        ["no-std"] => Step("no-std", no_std::run),
        ["packages"] => Step("packages", packages::run),
        ["miri"] => Step("miri", miri::run),
        ["rtl", "test"] => Step("rtl test", rtl::test),
        ["rtl", "test", "--long"] => Step("rtl test --long", rtl::test_long),
        ["rtl", "report"] => Step("rtl report", rtl::report),
        ["vectors"] => Step("vectors", vectors::run),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match step.perform(&mut tally::Tally::default()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{}: {reason}", step.0);
            ExitCode::FAILURE
        }
    }
}

/// `fuzz [TARGET [MINUTES]]`
fn fuzz(arguments: &[String]) -> ExitCode {
    let target = arguments.first().map(String::as_str);
    let Ok(minutes) = arguments.get(1).map_or(Ok(10), |minutes| minutes.parse()) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    match fuzz::run(target, minutes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("fuzz: {reason}");
            ExitCode::FAILURE
        }
    }
}
