//! The `ringwork` command: a viewer over the library. Each verb is one file of [`verbs`].
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | the answer is no: there is no such plan, a vector does not match |
//! | 2 | the command line makes no sense |
//! | 3 | a file or message is not what it should be |
//! | 4 | internal error |

#![forbid(unsafe_code)]

mod explain;
mod fault;
mod files;
mod html;
mod jobs;
mod known;
mod measure;
mod objects;
mod plans;
mod plot;
mod polynomial;
mod proof;
mod report;
mod schoolbook;
mod screen;
mod symbols;
mod verbs;

use clap::Parser;
use fault::Fault;
use screen::Screen;
use std::{io::Write, panic, process::ExitCode, sync::LazyLock};

static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} (backend {})", env!("CARGO_PKG_VERSION"), ntt::Backend::best()));

/// Number-theoretic transforms and lattice cryptography: measure, explain, use.
#[derive(Parser)]
#[command(name = "ringwork", version = VERSION.as_str(), arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: verbs::Verb,
    /// Answers with one JSON object, "schema": 1
    #[arg(long, global = true)]
    json: bool,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let screen = Screen::new(cli.json, cli.verb.name());
    let outcome = panic::catch_unwind(panic::AssertUnwindSafe(|| cli.verb.run(&screen)))
        .unwrap_or_else(|_| Err(Fault::Internal("this is a fault of ringwork, not of your input".into())));
    match outcome {
        Ok(()) | Err(Fault::ClosedPipe) => ExitCode::SUCCESS,
        Err(fault) => {
            let _ = screen.fault(&fault);
            let _ = writeln!(std::io::stderr(), "error: {fault}");
            ExitCode::from(fault.code())
        }
    }
}
