//! `verify-proof`: whether a proof about commitments holds.

use super::prove::About;
use crate::{
    fault::Fault,
    files,
    objects::{self, Cost, bodies, check_research},
    screen::Screen,
};
use clap::Args;
use ringwork::{
    object::Kind,
    registry::{Commitments, Error},
};
use schemars::JsonSchema;
use serde::Serialize;
use std::{fmt, path::PathBuf, slice};

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct VerifyProof {
    #[command(flatten)]
    about: About,
    /// The proof, or - for standard input
    #[arg(long, value_name = "FILE")]
    proof: PathBuf,
    /// Verifies proofs about commitments of a set that is for measuring only
    #[arg(long)]
    research: bool,
}

/// The set of a commitment, and what breaking it costs.
#[derive(Serialize, JsonSchema)]
pub(super) struct Worth {
    /// The parameter set.
    set: &'static str,
    /// The cost of opening a commitment in two ways.
    binding: Cost,
    /// The cost of learning what was committed to.
    hiding: Cost,
}

impl Worth {
    pub(super) fn of(set: &Commitments) -> Self {
        Self { set: set.description().name, binding: Cost::of(set.binding()), hiding: Cost::of(set.hiding()) }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "set      {}\nbinding  {}\nhiding   {}", self.set, self.binding, self.hiding)
    }
}

/// A proof that holds.
#[derive(Serialize, JsonSchema)]
pub(super) struct Verified<'a> {
    #[serde(flatten)]
    worth: &'a Worth,
    /// True.
    holds: bool,
    /// Of what it is a proof, in words.
    claim: &'a str,
}

impl VerifyProof {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let About { commitments: paths, equal, origin } = &self.about;
        self.about.check()?;
        files::at_most_one_dash(&paths.iter().chain([&self.proof]).collect::<Vec<_>>())?;
        let commitments = objects::read_all(paths, Kind::Commitment, None)?;
        let proof = &objects::read_all(slice::from_ref(&self.proof), Kind::Proof, commitments.first())?[0];
        let set = commitments[0].commitments();
        check_research(set.research_reason(), self.research)?;
        set.verify(&bodies(&commitments), *equal, origin.get(), proof.body()).map_err(explained)?;
        let (claim, worth) = (set.claim_of(proof.body())?, Worth::of(&set));
        screen.answer(Verified { worth: &worth, holds: true, claim: &claim }, || format!("holds: {claim}\n{worth}"))
    }
}

/// What an equation that does not hold may mean.
fn explained(e: Error) -> Fault {
    match e {
        Error::Negative(why) if why.contains("does not hold") => Fault::Negative(format!(
            "{why}: it is the proof of another commitment, by another committer or for another context, or it was changed"
        )),
        e => e.into(),
    }
}
