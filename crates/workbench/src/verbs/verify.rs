//! `verify`: whether a proof about commitments holds.

use super::prove::About;
use crate::{
    fault::Fault,
    files,
    objects::{self, bodies},
    screen::Screen,
};
use clap::Args;
use ringwork::object::Kind;
use serde_json::json;
use std::{path::PathBuf, slice};

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    #[command(flatten)]
    about: About,
    /// The proof, or - for standard input
    #[arg(long, value_name = "FILE")]
    proof: PathBuf,
}

impl Verify {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let About { commitments: paths, equal, origin } = &self.about;
        self.about.check()?;
        files::at_most_one_dash(&paths.iter().chain([&self.proof]).collect::<Vec<_>>())?;
        let commitments = objects::read_all(paths, Kind::Commitment, None)?;
        let proof = &objects::read_all(slice::from_ref(&self.proof), Kind::Proof, commitments.first())?[0];
        let set = commitments[0].commitments();
        set.verify(&bodies(&commitments), *equal, origin.get(), proof.body())?;
        let claim = set.claim_of(proof.body())?;
        let value = json!({ "set": set.description().name, "holds": true, "claim": claim });
        screen.answer(value, || format!("holds: {claim}\n"))
    }
}
