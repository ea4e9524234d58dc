//! Steps: what a verb does, and how it ends.

use crate::{
    skips::{in_ci, permitted},
    tally::Tally,
};

/// Why a step ended before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    Failed(String),
    Skipped(String),
}

impl From<String> for Stop {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

/// A name and the work behind it.
#[derive(Clone, Copy)]
pub(crate) struct Step(pub(crate) &'static str, pub(crate) fn(&mut Tally) -> Result<(), Stop>);

impl Step {
    /// Does the work: whether it was done (and not skipped), or why it failed.
    pub(crate) fn perform(&self, tally: &mut Tally) -> Result<bool, String> {
        unless_skipped(self.0, (self.1)(tally))
    }
}

/// Whether it was done (and not skipped, which is said), or why it failed.
pub(crate) fn unless_skipped(what: &str, outcome: Result<(), Stop>) -> Result<bool, String> {
    match outcome {
        Ok(()) => Ok(true),
        Err(Stop::Failed(reason)) => Err(reason),
        Err(Stop::Skipped(reason)) => {
            println!("skipped: {what}: {reason}");
            permitted(&reason, in_ci()).map(|()| false)
        }
    }
}
