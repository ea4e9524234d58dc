//! `verify-proof`: whether a proof about commitments holds.

use super::prove::About;
use crate::{
    fault::Fault,
    files,
    objects::{self, bodies, check_research, cost, cost_in_words},
    screen::Screen,
};
use clap::Args;
use ringwork::{
    object::Kind,
    registry::{Commitments, Error},
};
use serde_json::{Value, json};
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

/// What commitments of a set are worth.
pub(super) struct Worth {
    set: &'static str,
    /// What it costs to open one to two messages, and to learn something about one.
    costs: [Value; 2],
}

impl Worth {
    pub(super) fn of(set: &Commitments) -> Self {
        Self { set: set.description().name, costs: [set.binding(), set.hiding()].map(cost) }
    }

    /// The object with what is said here in front.
    pub(super) fn beside(&self, value: Value) -> Value {
        let [binding, hiding] = &self.costs;
        let mut object = json!({ "set": self.set, "binding": binding, "hiding": hiding });
        if let (Value::Object(head), Value::Object(body)) = (&mut object, value) {
            head.extend(body);
        }
        object
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [binding, hiding] = self.costs.each_ref().map(cost_in_words);
        writeln!(f, "set      {}\nbinding  {binding}\nhiding   {hiding}", self.set)
    }
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
        let value = worth.beside(json!({ "holds": true, "claim": claim }));
        screen.answer(value, || format!("holds: {claim}\n{worth}"))
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
