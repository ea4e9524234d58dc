//! Which peers were built and which are absent, for programs.

use super::Beside;
use schemars::JsonSchema;
use serde::Serialize;

/// What others' rows are of.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Peers {
    /// Programs that were built for these rows.
    pub(crate) built: Vec<Built>,
    /// What was requested and is not there.
    pub(crate) absent: Vec<Absent>,
}

/// A program that was built.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Built {
    /// The peer.
    what: String,
    /// Compiler and flags, and the commit of a copy that is a checkout of git.
    how: String,
}

/// What is not there.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Absent {
    /// The peer, or the start of a row's name.
    what: String,
    /// Why, and what to install or to clone.
    why: String,
}

impl Beside {
    /// The same for programs.
    pub(crate) fn facts(&self) -> Peers {
        let built = self.built().into_iter().map(|(what, how)| Built { what, how });
        let absent = self.absent().into_iter().map(|(what, why)| Absent { what, why });
        Peers { built: built.collect(), absent: absent.collect() }
    }
}
