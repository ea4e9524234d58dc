//! Programs of the textbook's crate that are timed apart from this one: built by cargo in several ways,
//! and run.

use crate::{checkout, fault::Fault, measure::Spread};
use serde::{Deserialize, de::DeserializeOwned};
use std::{
    env,
    path::PathBuf,
    process::{Command, Output},
};

/// Of the programs the one whose source marks a checkout.
const SOURCE: &str = "crates/reference/examples/lazyntt_times.rs";

/// How a program is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// As the paper on LazyNTT built its own.
    Unoptimised,
    /// As users build.
    Optimised,
    /// With everything that this CPU has.
    ThisCpu,
}

impl Build {
    pub(crate) const ALL: [Self; 3] = [Self::Unoptimised, Self::Optimised, Self::ThisCpu];

    pub(crate) const fn name(self) -> &'static str {
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
    fn arguments(self, example: &str) -> Vec<String> {
        let level = if self == Self::Unoptimised { 0 } else { 3 };
        let profile = format!("profile.release.opt-level={level}");
        ["run", "--quiet", "--release", "-p", "ringwork-reference", "--example", example, "--config", &profile]
            .map(String::from)
            .into()
    }

    /// The same as a line to type.
    pub(crate) fn command(self, example: &str) -> String {
        let flags = self.flags().map_or(String::new(), |flags| format!("RUSTFLAGS=\"{flags}\" "));
        format!("{flags}cargo {}", self.arguments(example).join(" "))
    }
}

/// Times that such a program prints.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Nanoseconds {
    nanoseconds: f64,
    low_quartile: f64,
    high_quartile: f64,
}

impl From<Nanoseconds> for Spread {
    fn from(ns: Nanoseconds) -> Self {
        Self { median: ns.nanoseconds, low: ns.low_quartile, high: ns.high_quartile }
    }
}

/// The source checkout that holds the programs.
#[derive(Debug)]
pub(crate) struct Program {
    checkout: PathBuf,
}

impl Program {
    /// Looks in this folder and those above it.
    pub(crate) fn find() -> Result<Self, Fault> {
        Ok(Self { checkout: checkout::with("--unoptimised", SOURCE)? })
    }

    /// What an example prints as JSON.
    pub(crate) fn run<A: DeserializeOwned>(&self, example: &str, build: Build, arguments: &[&str]) -> Result<A, Fault> {
        let answer = self.output(example, build, arguments)?;
        serde_json::from_slice(&answer.stdout)
            .map_err(|e| Fault::Internal(format!("{example} did not answer as expected: {e}")))
    }

    fn output(&self, example: &str, build: Build, more: &[&str]) -> Result<Output, Fault> {
        let arguments = build.arguments(example);
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(&arguments).arg("--").args(more).current_dir(&self.checkout);
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
