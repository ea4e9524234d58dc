//! `vectors check FILE...`: computes vector files again on every backend, and stops at the first
//! difference.

use crate::{fault::Fault, files, known, screen::Screen};
use clap::{Args, Subcommand};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// What can be done with vector files.
#[derive(Subcommand, Debug)]
pub(crate) enum Vectors {
    /// Computes them again; exit code 1 at the first field that differs
    Check(Check),
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Vector files, or - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// What agrees.
#[derive(Serialize, JsonSchema)]
pub(super) struct Checked {
    /// File by file.
    files: Vec<VectorFile>,
}

/// A file of known answers.
#[derive(Serialize, JsonSchema)]
pub(super) struct VectorFile {
    /// The file.
    file: String,
    /// How many tests it has.
    tests: usize,
    /// How often they were computed: on each backend, by each method, in each word.
    computations: usize,
}

impl Vectors {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let Self::Check(Check { files }) = self;
        files::at_most_one_dash(&files.iter().collect::<Vec<_>>())?;
        let progress = screen.progress(files.len() as u64);
        let (mut results, mut text) = (Vec::new(), String::new());
        for file in files {
            let name = files::name(file);
            progress.set_message(name.clone());
            let tally = known::check(&name, &files::read_text(file)?)?;
            progress.inc(1);
            text += &format!("{name}: {} tests agree, in {} computations\n", tally.tests, tally.computations);
            results.push(VectorFile { file: name, tests: tally.tests, computations: tally.computations });
        }
        progress.finish_and_clear();
        screen.answer(Checked { files: results }, || text)
    }
}
