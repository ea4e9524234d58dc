//! The paper's algorithms as printed, in a program of their own: built by cargo as the paper built its code, and run.

use super::{
    super::checkout,
    paper::{TABLES, VARIANTS},
};
use crate::fault::Fault;
use serde::Deserialize;
use std::{
    env,
    path::PathBuf,
    process::{Command, Output},
};

const EXAMPLE: &str = "lazyntt_times";
/// From the root of a checkout.
const SOURCE: &str = "crates/reference/examples/lazyntt_times.rs";

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
}

impl Program {
    /// Looks in this folder and those above it.
    pub(crate) fn find() -> Result<Self, Fault> {
        Ok(Self { checkout: checkout::with("--unoptimised", SOURCE)? })
    }

    /// Nanoseconds of the variants for each row of both tables.
    pub(super) fn run(&self, opt_level: u8, milliseconds: u32) -> Result<Vec<[f64; 3]>, Fault> {
        let answer = self.output(&arguments(opt_level), milliseconds)?;
        let answer: Answer = serde_json::from_slice(&answer.stdout)
            .map_err(|e| Fault::Internal(format!("{EXAMPLE} did not answer as expected: {e}")))?;
        let time = |table, q, n, variant| {
            let found = answer.results.iter().find(|r| (r.table, r.q, r.n, &r.variant[..]) == (table, q, n, variant));
            let missing = || Fault::Internal(format!("{EXAMPLE} did not time {variant} for n = {n}, q = {q}"));
            found.map(|r| r.nanoseconds).ok_or_else(missing)
        };
        let rows = TABLES.iter().flat_map(|table| table.rows.iter().map(move |(n, _)| (table.number, table.q, *n)));
        rows.map(|(number, q, n)| {
            let [first, second, third] = VARIANTS.map(|(name, _)| time(number, q, n, name));
            Ok([first?, second?, third?])
        })
        .collect()
    }

    fn output(&self, arguments: &[String], milliseconds: u32) -> Result<Output, Fault> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(arguments)
            .args(["--", &milliseconds.to_string()])
            .current_dir(&self.checkout)
            .output()
            .map_err(|e| Fault::Negative(format!("--unoptimised needs cargo, which does not start: {e}")))?;
        if output.status.success() {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Fault::Internal(format!("cargo {} failed:\n{}", arguments.join(" "), said.trim_end())))
    }
}

/// What cargo is told: the two levels differ in nothing else.
fn arguments(opt_level: u8) -> Vec<String> {
    let profile = format!("profile.release.opt-level={opt_level}");
    ["run", "--quiet", "--release", "-p", "ringwork-reference", "--example", EXAMPLE, "--config", &profile]
        .map(String::from)
        .into()
}

/// The same as a line to type.
pub(super) fn command(opt_level: u8) -> String {
    format!("cargo {}", arguments(opt_level).join(" "))
}
