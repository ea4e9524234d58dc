//! Why a verb ends without having done what was asked, and the exit code that says so.

use std::{borrow::Cow, fmt, io};

/// The end of a verb that is not success.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The answer is no. Exit code 1.
    Negative(String),
    /// The command line makes no sense. Exit code 2.
    Usage(String),
    /// A file or message is missing, is not what it should be, or stands where nothing may be
    /// replaced. Exit code 3.
    Input(String),
    /// Something could not be written. Exit code 4.
    Output(String),
    /// Nothing the user did. Exit code 70.
    Internal(String),
    /// Whoever read an answer has read enough. Exit code 0.
    ClosedPipe,
    /// Whoever read data has not got all of it. The end is that of SIGPIPE, for shells 141.
    CutOff,
}

/// Exit codes, as every help text says them.
pub(crate) const EXIT_CODES: &str = "Exit codes:
  0    done
  1    the answer is no: it does not hold or open, or there is no such plan
  2    the command line makes no sense
  3    a file or a message is missing, is not what it should be, or a file would be replaced
  4    something could not be written
  70   a fault of ringwork
  141  whoever read the data did not take all of it";

impl Fault {
    pub(crate) const fn code(&self) -> u8 {
        match self {
            Self::Negative(_) => 1,
            Self::Usage(_) => 2,
            Self::Input(_) => 3,
            Self::Output(_) => 4,
            Self::Internal(_) => 70,
            Self::ClosedPipe => 0,
            Self::CutOff => 141,
        }
    }

    /// What has that name could not be written.
    pub(crate) fn unwritten(name: impl fmt::Display, e: &io::Error) -> Self {
        match e.kind() {
            io::ErrorKind::BrokenPipe => Self::CutOff,
            _ => Self::Output(format!("{name}: cannot be written: {e}")),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Negative(why) | Self::Usage(why) | Self::Input(why) | Self::Output(why) | Self::Internal(why) => {
                f.write_str(&masked(why))
            }
            Self::ClosedPipe | Self::CutOff => f.write_str("standard output was closed"),
        }
    }
}

/// How secret keys of age and of its plugins begin.
const SECRETS: [&str; 2] = ["AGE-SECRET-KEY-", "AGE-PLUGIN-"];

/// A text without what is secret in it: an identity that stands where the name of a file was expected is not repeated.
pub(crate) fn masked(text: &str) -> Cow<'_, str> {
    // What an identity has at least behind its beginning, and what is shown of it.
    const LEAST: usize = 24;
    const SHOWN: usize = 4;
    let upper = text.to_ascii_uppercase();
    let starts = SECRETS.iter().flat_map(|secret| upper.match_indices(secret).map(|(at, _)| at + secret.len()));
    let mut parts: Vec<(usize, usize)> = starts
        .filter_map(|start| {
            let rest = &text.as_bytes()[start..];
            let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
            (length >= LEAST).then_some((start + SHOWN, start + length))
        })
        .collect();
    if parts.is_empty() {
        return Cow::Borrowed(text);
    }
    parts.sort_unstable();
    let (mut shown, mut from) = (String::new(), 0);
    for (start, end) in parts {
        if start >= from {
            shown += &text[from..start];
            shown.push('…');
            from = end;
        }
    }
    Cow::Owned(shown + &text[from..])
}

impl From<papers::lazyntt::Error> for Fault {
    fn from(e: papers::lazyntt::Error) -> Self {
        Self::Negative(e.to_string())
    }
}

/// A request that the planner refuses is a question answered with no.
impl From<ntt::PlanError> for Fault {
    fn from(e: ntt::PlanError) -> Self {
        Self::Negative(e.to_string())
    }
}
