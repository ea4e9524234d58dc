//! `test`: everything that must hold, in the order in which a mistake is found soonest.

use crate::{
    age,
    cargo::{cargo, run as run_command, run_tests},
    codegen, ct, divisions, floors, generate, interop, licences, miri, no_std, packages, rtl,
    step::{Step, Stop},
    tally::Tally,
    vectors,
};
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

pub(crate) const FULL: &[Step] = &[
    Step("fmt", fmt),
    Step("clippy", clippy),
    Step("floors", floors::run),
    Step("licences", licences::run),
    Step("gen --check", generate::check),
    Step("tests", tests),
    Step("features", features),
    Step("divisions", divisions::run),
    Step("doc", doc),
    Step("no-std", no_std::run),
    Step("packages", packages::run),
    Step("codegen", codegen::check),
    Step("ct", ct::run_some),
    Step("vectors", vectors::run),
    Step("openssl", interop::openssl),
    Step("age", age::run),
    Step("tls", interop::tls),
    Step("rtl test", rtl::test),
    Step("miri", miri::run),
];

pub(crate) const QUICK: &[Step] =
    &[Step("fmt", fmt), Step("clippy", clippy), Step("floors", floors::run), Step("unit tests", unit_tests)];

/// Runs the steps up to the first that fails.
pub(crate) fn run(steps: &[Step]) -> ExitCode {
    let start = Instant::now();
    let mut tally = Tally::default();
    let mut done = 0;
    for (index, step) in steps.iter().enumerate() {
        println!("\n=== {} of {}: {}", index + 1, steps.len(), step.0);
        let begin = Instant::now();
        match step.perform(&mut tally) {
            Ok(passed) => done += usize::from(passed),
            Err(reason) => {
                println!("{reason}");
                if tally.failed > 0 {
                    println!("{} passed, {} failed", tally.passed, tally.failed);
                }
                println!("test: step `{}` FAILED after {}", step.0, minutes(start.elapsed()));
                return ExitCode::FAILURE;
            }
        }
        println!("--- {}: {:.1} s", step.0, begin.elapsed().as_secs_f64());
    }
    println!("\n{} passed, 0 failed", tally.passed);
    println!("test: {done} steps passed in {}", minutes(start.elapsed()));
    ExitCode::SUCCESS
}

fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{} min {} s", seconds / 60, seconds % 60)
}

fn fmt(_: &mut Tally) -> Result<(), Stop> {
    Ok(run_command(&mut cargo(["fmt", "--all", "--check"]))?)
}

fn clippy(_: &mut Tally) -> Result<(), Stop> {
    Ok(run_command(&mut cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?)
}

fn tests(tally: &mut Tally) -> Result<(), Stop> {
    run_tests(&mut cargo(["test", "--workspace"]), tally)?;
    if tally.passed == 0 { Err(Stop::Failed("no test ran".into())) } else { Ok(()) }
}

/// What is compiled only on request: the methods that plans seldom take, threads, and the crates that are measured beside us.
fn features(tally: &mut Tally) -> Result<(), Stop> {
    run_tests(
        &mut cargo(["test", "-p", "ringwork-ntt", "--features", "all-methods,threads", "--test", "suite"]),
        tally,
    )?;
    let peers = ["test", "-p", "ringwork-workbench", "--features", "peers", "--test", "suite", "peers_"];
    Ok(run_tests(&mut cargo(peers), tally)?)
}

fn unit_tests(tally: &mut Tally) -> Result<(), Stop> {
    Ok(run_tests(&mut cargo(["test", "--workspace", "--lib", "--bins"]), tally)?)
}

fn doc(_: &mut Tally) -> Result<(), Stop> {
    Ok(run_command(cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?)
}
