//! `check`, `test` and `test --all`: three tiers of steps, each of which contains the one before.
//!
//! A tier runs its steps in the order in which a mistake is found soonest, and ends at the first that
//! fails. `CONTRIBUTING.md` lists all steps; a test below compares that list with these tables.

use crate::{
    age, browser, c_library,
    cargo::{WORKSPACE, cargo, run as run_command, run_tests},
    codegen, cross, ct, divisions, embedded, floors, generate, interop, javascript, licences, miri, mutants, no_std,
    packages, programs, prove, release, rtl,
    step::{Step, Stop},
    supply,
    tally::Tally,
    times::Times,
    touched, vectors, wheel,
};
use std::process::ExitCode;

/// While something is edited.
const CHECK: &[Step] = &[
    Step("fmt", fmt),
    Step("floors", floors::run),
    Step("default features", default_features),
    Step("clippy", clippy),
];

/// Only of `check`: in `tests` the other tiers run the unit tests of all crates.
const TOUCHED: Step = Step("unit tests", touched::run);

/// Before something is handed in.
const TEST: &[Step] = &[
    Step("licences", licences::run),
    Step("duplicates", supply::duplicates),
    Step("tests", tests),
    Step("gen --check", generate::check),
    Step("divisions", divisions::run),
    Step("doc", doc),
    Step("no-std", no_std::check),
    Step("packages", packages::check),
    Step("release", release::run),
    Step("codegen", codegen::check),
    Step("vectors", vectors::run),
    C,
    Step("javascript schemes", javascript::schemes),
    Step("ct 3", ct::run_level_3),
    Step("openssl", interop::openssl),
    Step("rtl smoke", rtl::smoke),
];

const C: Step = Step("c", c_library::run);
const JAVASCRIPT: Step = Step("javascript", javascript::run);
const PYTHON: Step = Step("python", wheel::run);
const AARCH64: Step = Step("aarch64", cross::aarch64);
const WASM32: Step = Step("wasm32", cross::wasm);

/// Once, at the end of an issue.
const ALL: &[Step] = &[
    Step("features", features),
    Step("random words", random_words),
    Step("prove", prove::run),
    Step("no-std --build", no_std::build),
    Step("embedded", embedded::run),
    Step("packages --run", packages::run),
    Step("packages --publish", packages::publish),
    Step("advisories", supply::advisories),
    Step("ct", ct::run),
    AARCH64,
    WASM32,
    Step("interop", interop::run),
    Step("age", age::run),
    Step("tls", interop::tls),
    Step("rage", age::rage),
    Step("rtl test --long", rtl::test_long),
    PYTHON,
    JAVASCRIPT,
    Step("labels", browser::labels),
    Step("miri", miri::run),
    Step("mutants", mutants::sample),
];

pub(crate) fn check() -> ExitCode {
    run("cargo xtask check", &[CHECK, &[TOUCHED]].concat(), Some(("cargo xtask test", TEST)))
}

pub(crate) fn test() -> ExitCode {
    run("cargo xtask test", &[CHECK, TEST].concat(), Some(("cargo xtask test --all", ALL)))
}

pub(crate) fn all() -> ExitCode {
    run("cargo xtask test --all", &[CHECK, TEST, ALL].concat(), None)
}

/// The two machines that are not this one.
pub(crate) fn cross() -> ExitCode {
    run("cargo xtask cross", &[AARCH64, WASM32], None)
}

/// What is not for Rust.
pub(crate) fn faces() -> ExitCode {
    run("cargo xtask faces", &[C, JAVASCRIPT, PYTHON], None)
}

/// The step of that name, whatever its tier.
pub(crate) fn step(name: &str) -> Option<Step> {
    [CHECK, &[TOUCHED], TEST, ALL].concat().into_iter().find(|step| step.0 == name)
}

/// Runs the steps up to the first that fails, and tells what another command would run besides.
fn run(tier: &str, steps: &[Step], left: Option<(&str, &[Step])>) -> ExitCode {
    let (mut tally, mut times, mut done) = (Tally::default(), Times::start(), 0);
    for (index, step) in steps.iter().enumerate() {
        println!("\n=== {} of {}: {}", index + 1, steps.len(), step.0);
        let outcome = step.perform(&mut tally);
        println!("--- {}", times.note(step.0));
        match outcome {
            Ok(passed) => done += usize::from(passed),
            Err(reason) => {
                println!("{reason}");
                if tally.failed > 0 {
                    println!("{} passed, {} failed", tally.passed, tally.failed);
                }
                println!("{tier}: step `{}` FAILED after {}", step.0, times.total());
                return ExitCode::FAILURE;
            }
        }
    }
    println!("\n{times}\n{} passed, 0 failed", tally.passed);
    println!("{tier}: {done} steps passed in {}", times.total());
    if let Some((command, steps)) = left {
        let names: Vec<&str> = steps.iter().map(|step| step.0).collect();
        println!("left to `{command}`: {}", names.join(", "));
    }
    ExitCode::SUCCESS
}

fn fmt(_: &mut Tally) -> Result<(), Stop> {
    Ok(run_command(&mut cargo(["fmt", "--all", "--check"]))?)
}

/// What users of the engine alone compile, where nothing is kept alive for tools and tests.
fn default_features(_: &mut Tally) -> Result<(), Stop> {
    Ok(run_command(&mut cargo(["clippy", "--quiet", "--package", "ringwork-ntt", "--", "-D", "warnings"]))?)
}

fn clippy(_: &mut Tally) -> Result<(), Stop> {
    let mut command = cargo(["clippy", "--quiet", "--all-targets"]);
    Ok(run_command(command.args(WORKSPACE).args(["--", "-D", "warnings"]))?)
}

fn tests(tally: &mut Tally) -> Result<(), Stop> {
    run_tests(cargo(["test"]).args(WORKSPACE), tally)?;
    if tally.passed == 0 { Err(Stop::Failed("no test ran".into())) } else { Ok(()) }
}

fn doc(_: &mut Tally) -> Result<(), Stop> {
    Ok(run_command(cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?)
}

/// What the one set of features of all other tests leaves out: fewer features, the methods that plans seldom
/// take, and the crates that are measured beside us.
fn features(tally: &mut Tally) -> Result<(), Stop> {
    for features in [
        &["--package", "ringwork", "--no-default-features"][..],
        &["--package", "ringwork", "--no-default-features", "--features", "research"],
        &["--package", "ringwork-integers"],
        &["--package", "ringwork-age", "--no-default-features"],
        &["--package", "ringwork-workbench", "--features", "all-methods,peers"],
    ] {
        run_command(cargo(["check", "--quiet", "--all-targets"]).args(features))?;
    }
    let engine = ["test", "--package", "ringwork-ntt", "--test", "suite"];
    run_tests(&mut cargo(engine), tally)?;
    run_tests(cargo(engine).args(["--features", "all-methods,threads,sse41"]), tally)?;
    run_tests(&mut cargo(["test", "--package", "ringwork-lanes", "--features", "sse41"]), tally)?;
    let peers = ["test", "--package", "ringwork-workbench", "--features", "peers", "--test", "suite", "peers_"];
    Ok(run_tests(&mut cargo(peers), tally)?)
}

/// Random words by the billion, where `tests` has them by the thousand.
fn random_words(tally: &mut Tally) -> Result<(), Stop> {
    for test in ["contracts::a_billion_random_words", "contracts::a_billion_random_words_without_sign"] {
        programs::run_ignored("ringwork-ntt", test, &[], tally)?;
    }
    programs::run_ignored("ringwork-integers", "beyond_the_layers", &[], tally)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::root;

    /// Rows of the list: a step and its tier.
    fn listed() -> Vec<(String, String)> {
        let page = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
        let (_, list) = page.split_once("| step | tier |").expect("CONTRIBUTING.md has a list of steps");
        let rows = list.lines().skip(2).take_while(|line| line.starts_with('|'));
        let cell = |cell: Option<&str>| cell.unwrap_or_default().trim().trim_matches('`').to_owned();
        rows.map(|row| row.trim_start_matches('|').split('|'))
            .map(|mut cells| (cell(cells.next()), cell(cells.next())))
            .collect()
    }

    #[test]
    fn the_list_of_contributing_is_true() {
        let tiers = [("check", CHECK), ("check", &[TOUCHED]), ("test", TEST), ("test --all", ALL)];
        let steps: Vec<_> =
            tiers.iter().flat_map(|(tier, steps)| steps.iter().map(|step| (step.0.into(), (*tier).into()))).collect();
        assert_eq!(listed(), steps);
    }

    #[test]
    fn steps_have_names_of_their_own() {
        let steps = [CHECK, &[TOUCHED], TEST, ALL].concat();
        for step in &steps {
            assert_eq!(steps.iter().filter(|other| other.0 == step.0).count(), 1, "{}", step.0);
            assert_eq!(super::step(step.0).map(|step| step.0), Some(step.0));
        }
    }
}
