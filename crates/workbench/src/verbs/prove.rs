//! `prove`: a proof about commitments that shows nothing else.

use super::origin::OriginArgs;
use crate::{
    fault::Fault,
    files::{self, Kind as Access},
    objects::{self, bodies},
    screen::{Screen, counted},
};
use clap::Args;
use ringwork::{ct::sys_rng, object::Kind, schemes::bdlop::MAX_COMMITMENTS};
use schemars::JsonSchema;
use serde::Serialize;
use std::{borrow::Cow, path::PathBuf};

/// What a proof is about, for `prove` and `verify` alike.
#[derive(Args, Debug)]
pub(crate) struct About {
    /// A commitment; up to eight of them share a proof
    #[arg(long = "commitment", value_name = "FILE", required = true)]
    pub(super) commitments: Vec<PathBuf>,
    /// That the messages of two commitments are equal
    #[arg(long)]
    pub(super) equal: bool,
    #[command(flatten)]
    pub(super) origin: OriginArgs,
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Prove {
    #[command(flatten)]
    about: About,
    /// The opening of each commitment, in their order
    #[arg(long = "opening", value_name = "FILE", required = true)]
    openings: Vec<PathBuf>,
    /// Where to put the proof, or - for standard output
    #[arg(long, value_name = "FILE")]
    proof: PathBuf,
    /// Replaces a file that exists, and shows the bytes on a terminal
    #[arg(long)]
    force: bool,
}

/// A proof that was made.
#[derive(Serialize, JsonSchema)]
pub(super) struct Proved<'a> {
    /// The parameter set.
    set: &'a str,
    /// Of how many commitments it is.
    commitments: usize,
    /// Whether it shows that their messages are equal.
    equal: bool,
    /// The file.
    proof: Cow<'a, str>,
}

impl About {
    /// Refuses numbers of files that no statement has.
    pub(super) fn check(&self) -> Result<(), Fault> {
        match (self.equal, self.commitments.len()) {
            (true, count) if count != 2 => Err(Fault::Usage(format!("--equal compares 2 commitments, not {count}"))),
            (false, count) if count > MAX_COMMITMENTS => {
                Err(Fault::Usage(format!("one proof is about {MAX_COMMITMENTS} commitments at most, not {count}")))
            }
            _ => Ok(()),
        }
    }
}

impl Prove {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let About { commitments: paths, equal, origin } = &self.about;
        self.about.check()?;
        if self.openings.len() != paths.len() {
            let (expected, actual) = (paths.len(), self.openings.len());
            return Err(Fault::Usage(format!(
                "{} need as many openings, not {actual}",
                counted(expected as u64, "commitment")
            )));
        }
        files::check_outputs(&[(&self.proof, Access::Binary)], self.force)?;
        let inputs: Vec<_> = paths.iter().chain(&self.openings).collect();
        files::at_most_one_dash(&inputs)?;
        files::apart(&[&self.proof], &inputs)?;
        let commitments = objects::read_all(paths, Kind::Commitment, None)?;
        let openings = objects::read_all(&self.openings, Kind::Opening, commitments.first())?;
        let set = commitments[0].commitments();
        let proof = set.prove(&bodies(&commitments), &bodies(&openings), *equal, origin.get(), &mut sys_rng())?;
        let (set, commitments) = (set.description(), paths.len());
        files::write(&self.proof, &set.encode(Kind::Proof, &proof), Access::Binary, self.force)?;
        let answer = Proved { set: set.name, commitments, equal: *equal, proof: self.proof.to_string_lossy() };
        screen.written(answer, &["proof"], "")
    }
}
