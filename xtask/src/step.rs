//! Steps: what a verb does, and how it ends.

use crate::tally::Tally;

/// Reasons for which a skipped step or an ignored test is no failure in continuous integration.
const ALLOWED_IN_CI: [&str; 4] = [MIRI_MISSING, NO_STD_TARGET_MISSING, OBJDUMP_MISSING, VALGRIND_MISSING];

pub(crate) const MIRI_MISSING: &str = "Miri is not installed";
pub(crate) const VALGRIND_MISSING: &str = "valgrind is not installed: `apt install valgrind`";
pub(crate) const OBJDUMP_MISSING: &str = "objdump is not installed";
pub(crate) const NO_STD_TARGET_MISSING: &str = "no target without std is installed";

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
pub(crate) struct Step(pub(crate) &'static str, pub(crate) fn(&mut Tally) -> Result<(), Stop>);

impl Step {
    /// Does the work: whether it was done (and not skipped), or why it failed.
    pub(crate) fn perform(&self, tally: &mut Tally) -> Result<bool, String> {
        match (self.1)(tally) {
            Ok(()) => Ok(true),
            Err(Stop::Failed(reason)) => Err(reason),
            Err(Stop::Skipped(reason)) => {
                println!("skipped: {}: {reason}", self.0);
                permitted(&reason, in_ci()).map(|()| false)
            }
        }
    }
}

/// Whether something may be left out for this reason.
pub(crate) fn permitted(reason: &str, in_ci: bool) -> Result<(), String> {
    if in_ci && !ALLOWED_IN_CI.contains(&reason) {
        return Err(format!("skipped under CI=true, and this is no listed reason: {reason}"));
    }
    Ok(())
}

/// Whether this is continuous integration, by the usual sign.
pub(crate) fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_reasons_excuse_in_ci() {
        assert!(permitted("the moon is full", false).is_ok());
        assert!(permitted("the moon is full", true).is_err());
        assert!(permitted(MIRI_MISSING, true).is_ok());
    }
}
