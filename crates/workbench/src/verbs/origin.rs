//! Who commits, opens, proves or verifies: what `commit`, `open`, `prove` and `verify` have in
//! common.

use clap::Args;
use ringwork::registry::Origin;

/// Who commits or proves, and for what.
#[derive(Args, Debug)]
pub(crate) struct OriginArgs {
    /// Who commits, opens or proves: a name on which all parties agree. Nobody else can use what is
    /// bound to it
    #[arg(long = "by", value_name = "NAME", value_parser = committer)]
    committer: String,
    /// For what: which auction, which session
    #[arg(long, value_name = "TEXT", default_value = "")]
    context: String,
}

/// A name that somebody has, and that shows as what it is.
fn committer(name: &str) -> Result<String, String> {
    match name {
        "" => Err("a name that all have is nobody's; take one on which the parties agree".into()),
        name if name.chars().any(char::is_control) => Err("a name has no control characters".into()),
        name => Ok(name.into()),
    }
}

impl OriginArgs {
    pub(crate) const fn get(&self) -> Origin<'_> {
        Origin { committer: self.committer.as_bytes(), context: self.context.as_bytes() }
    }
}
