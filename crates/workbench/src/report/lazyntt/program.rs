//! The paper's algorithms as printed, in a program of their own: built by cargo in three ways, and
//! run.

use super::{super::checkout, Times, paper::TABLES, variant};
use crate::{fault::Fault, measure::Spread};
use serde::Deserialize;
use std::{
    env,
    path::PathBuf,
    process::{Command, Output},
};

const EXAMPLE: &str = "lazyntt_times";
/// From the root of a checkout.
const SOURCE: &str = "crates/reference/examples/lazyntt_times.rs";

/// How the program is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Build {
    /// As the paper built its own.
    Unoptimised,
    /// As users build.
    Optimised,
    /// With everything that this CPU has.
    ThisCpu,
}

impl Build {
    pub(super) const ALL: [Self; 3] = [Self::Unoptimised, Self::Optimised, Self::ThisCpu];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Unoptimised => "unoptimised",
            Self::Optimised => "optimised",
            Self::ThisCpu => "this CPU",
        }
    }

    /// The compiler's flags, where they are not those of the checkout.
    const fn flags(self) -> Option<&'static str> {
        if matches!(self, Self::ThisCpu) { Some("-C target-cpu=native") } else { None }
    }

    /// What cargo is told.
    fn arguments(self) -> Vec<String> {
        let level = if self == Self::Unoptimised { 0 } else { 3 };
        let profile = format!("profile.release.opt-level={level}");
        ["run", "--quiet", "--release", "-p", "ringwork-reference", "--example", EXAMPLE, "--config", &profile]
            .map(String::from)
            .into()
    }

    /// The same as a line to type.
    pub(super) fn command(self) -> String {
        let flags = self.flags().map_or(String::new(), |flags| format!("RUSTFLAGS=\"{flags}\" "));
        format!("{flags}cargo {}", self.arguments().join(" "))
    }
}

/// The source checkout that holds the program.
#[derive(Debug)]
pub(crate) struct Program {
    checkout: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Answer {
    results: Vec<Timed>,
}

#[derive(Debug, Deserialize)]
struct Timed {
    table: u32,
    q: u64,
    n: usize,
    variant: String,
    nanoseconds: f64,
    low_quartile: f64,
    high_quartile: f64,
}

impl Program {
    /// Looks in this folder and those above it.
    pub(crate) fn find() -> Result<Self, Fault> {
        Ok(Self { checkout: checkout::with("--unoptimised", SOURCE)? })
    }

    /// Nanoseconds of the variants for each row of both tables.
    pub(super) fn run(&self, build: Build, milliseconds: u32) -> Result<Vec<Times>, Fault> {
        let answer = self.output(build, milliseconds)?;
        let answer: Answer = serde_json::from_slice(&answer.stdout)
            .map_err(|e| Fault::Internal(format!("{EXAMPLE} did not answer as expected: {e}")))?;
        let time = |table, q, n, name| {
            let found = answer.results.iter().find(|r| (r.table, r.q, r.n, &r.variant[..]) == (table, q, n, name));
            let missing = || Fault::Internal(format!("{EXAMPLE} did not time {name} for n = {n}, q = {q}"));
            found
                .map(|r| Spread { median: r.nanoseconds, low: r.low_quartile, high: r.high_quartile })
                .ok_or_else(missing)
        };
        let rows = TABLES.iter().flat_map(|table| table.rows.iter().map(move |(n, _)| (table.number, table.q, *n)));
        rows.map(|(number, q, n)| {
            let mut times = Times::default();
            for (row, slot) in times.iter_mut().enumerate() {
                *slot = Some(time(number, q, n, variant(row))?);
            }
            Ok(times)
        })
        .collect()
    }

    fn output(&self, build: Build, milliseconds: u32) -> Result<Output, Fault> {
        let arguments = build.arguments();
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(&arguments).args(["--", &milliseconds.to_string()]).current_dir(&self.checkout);
        if let Some(flags) = build.flags() {
            command.env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", flags);
        }
        let output = command
            .output()
            .map_err(|e| Fault::Negative(format!("--unoptimised needs cargo, which does not start: {e}")))?;
        if output.status.success() {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Fault::Internal(format!("cargo {} failed:\n{}", arguments.join(" "), said.trim_end())))
    }
}
