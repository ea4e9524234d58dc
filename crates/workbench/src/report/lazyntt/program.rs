//! The paper's algorithms as printed, in a program of their own.

use super::{
    super::{
        printed::lazyntt::TABLES,
        program::{Build, Nanoseconds, Program},
    },
    Times, variant,
};
use crate::fault::Fault;
use serde::Deserialize;

pub(super) const EXAMPLE: &str = "lazyntt_times";

/// What such a program prints.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    results: Vec<Timed>,
}

#[derive(Debug, Deserialize)]
struct Timed {
    table: u32,
    q: u64,
    n: usize,
    variant: String,
    #[serde(flatten)]
    times: Nanoseconds,
}

impl Answer {
    /// Nanoseconds of the variants for each row of both tables.
    ///
    /// **Errors** if one is missing.
    pub(super) fn times(&self) -> Result<Vec<Times>, String> {
        let time = |table, q, n, name| {
            let found = self.results.iter().find(|r| (r.table, r.q, r.n, &r.variant[..]) == (table, q, n, name));
            found.map(|r| r.times.into()).ok_or_else(|| format!("it did not time {name} for n = {n}, q = {q}"))
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
}

/// Times of the program in Rust.
pub(super) fn run(program: &Program, build: Build, milliseconds: u32) -> Result<Vec<Times>, Fault> {
    let answer: Answer = program.run(EXAMPLE, build, &[&milliseconds.to_string()])?;
    answer.times().map_err(|why| Fault::Internal(format!("{EXAMPLE}: {why}")))
}
