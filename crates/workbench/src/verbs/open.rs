//! `open`: whether an opening opens a commitment, and to what.

use super::{
    commit::{self, Message},
    origin::OriginArgs,
    verify_proof::Worth,
};
use crate::{
    fault::Fault,
    files::{self, Kind as Access},
    objects::{self, Loaded, check_research},
    screen::Screen,
};
use clap::Args;
use ringwork::{object::Kind, registry::Form};
use schemars::JsonSchema;
use serde::Serialize;
use std::{borrow::Cow, path::PathBuf, slice};

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Open {
    /// The commitment
    #[arg(long, value_name = "FILE")]
    commitment: PathBuf,
    /// The opening
    #[arg(long, value_name = "FILE")]
    opening: PathBuf,
    #[command(flatten)]
    origin: OriginArgs,
    /// Compares the message with this file
    #[arg(long, value_name = "FILE")]
    message: Option<PathBuf>,
    /// Compares it with the file's SHA3-256
    #[arg(long, requires = "message")]
    digest: bool,
    /// Where to put the message, or - for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "message")]
    out: Option<PathBuf>,
    /// Replaces a file that exists, and shows on a terminal what is no text
    #[arg(long)]
    force: bool,
    /// Opens commitments of a set that is for measuring only, which need not bind whoever made them
    #[arg(long)]
    research: bool,
}

/// A commitment that opens.
#[derive(Serialize, JsonSchema)]
pub(super) struct Opened<'a> {
    #[serde(flatten)]
    worth: &'a Worth,
    /// True.
    opens: bool,
    /// Whether the message is the SHA3-256 of a longer one.
    digest: bool,
    /// Length of the message.
    bytes: usize,
    /// With `--out`: the file of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Cow<'a, str>>,
}

impl Open {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        if let Some(out) = &self.out {
            files::check_outputs(&[(out, Access::Verified)], self.force)?;
        }
        let inputs: Vec<_> = [&self.commitment, &self.opening].into_iter().chain(&self.message).collect();
        files::at_most_one_dash(&inputs)?;
        files::apart(&self.out.iter().collect::<Vec<_>>(), &inputs)?;
        let commitment = Loaded::read(&self.commitment, Kind::Commitment)?;
        let opening = &objects::read_all(slice::from_ref(&self.opening), Kind::Opening, Some(&commitment))?[0];
        let set = commitment.commitments();
        check_research(set.research_reason(), self.research)?;
        let (form, message) = set.open(commitment.body(), opening.body(), self.origin.get())?;
        let worth = Worth::of(&set);
        let answer = Opened {
            worth: &worth,
            opens: true,
            digest: form == Form::Digest,
            bytes: message.len(),
            message: self.out.as_ref().map(|out| out.to_string_lossy()),
        };
        if let Some(path) = &self.message {
            let wanted = Message::read(path, self.digest, set.capacity())?;
            if *wanted.0 != *message || form != commit::form(self.digest) {
                let what = if self.digest { "the digest of" } else { "the message in" };
                return Err(Fault::Negative(format!("the commitment opens, but not to {what} {}", files::name(path))));
            }
            return screen.answer(answer, || format!("opens to {}\n{worth}", files::name(path)));
        }
        let Some(out) = &self.out else {
            return screen.answer(answer, || format!("opens, to a message of {} bytes\n{worth}", message.len()));
        };
        files::write(out, &message, Access::Verified, self.force)?;
        screen.written(answer, &["message"], &worth.to_string())
    }
}
