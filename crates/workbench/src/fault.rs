//! Why a verb ends without having done what was asked, and the exit code that says so.

use std::{fmt, io};

/// The end of a verb that is not success.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The answer is no. Exit code 1.
    Negative(String),
    /// The command line makes no sense. Exit code 2.
    Usage(String),
    /// A file or message is not what it should be. Exit code 3.
    Input(String),
    /// Nothing the user did. Exit code 4.
    Internal(String),
    /// Whoever read standard output has read enough. Exit code 0.
    ClosedPipe,
}

impl Fault {
    pub(crate) const fn code(&self) -> u8 {
        match self {
            Self::Negative(_) => 1,
            Self::Usage(_) => 2,
            Self::Input(_) => 3,
            Self::Internal(_) => 4,
            Self::ClosedPipe => 0,
        }
    }

    /// Standard output could not be written.
    pub(crate) fn of_stdout(e: io::Error) -> Self {
        match e.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Internal(format!("standard output: {e}")),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Negative(why) | Self::Usage(why) | Self::Input(why) | Self::Internal(why) => f.write_str(why),
            Self::ClosedPipe => f.write_str("standard output was closed"),
        }
    }
}

/// A request that the planner refuses is a question answered with no.
impl From<ntt::PlanError> for Fault {
    fn from(e: ntt::PlanError) -> Self {
        Self::Negative(e.to_string())
    }
}
