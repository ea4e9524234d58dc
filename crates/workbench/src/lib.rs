//! The `ringwork` command: a viewer over the library. Each verb is one file of `verbs`.
//!
//! The programs `ringwork`, and `age-plugin-ringwork` and `age-plugin-pq`, call [`command`] and [`plugin()`], and do no
//! more: what a library holds is compiled beside the engine, and a program only when the engine is ready.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | the answer is no: there is no such plan, a vector does not match |
//! | 2 | the command line makes no sense |
//! | 3 | a file or message is missing, is not what it should be, or would be replaced |
//! | 4 | something could not be written |
//! | 70 | a fault of ringwork |
//! | 141 | by SIGPIPE: whoever read the data did not take all of it |

#![forbid(unsafe_code)]

mod age_files;
mod answers;
mod checkout;
mod costs;
mod explain;
mod fault;
mod files;
mod folders;
mod html;
mod identity;
mod integers;
mod jobs;
mod kems;
mod known;
mod layouts;
mod lazy;
mod measure;
mod number;
mod objects;
mod peers;
mod pem_keys;
mod plans;
mod plot;
mod plugin;
mod polynomial;
mod processor;
mod proof;
mod report;
mod residues;
mod schoolbook;
mod screen;
mod signatures;
mod signed_files;
mod standards;
mod symbols;
mod verbs;

use clap::{CommandFactory, FromArgMatches, Parser, error::ErrorKind};
use fault::{Fault, masked};
use screen::Screen;
use std::{borrow::Cow, ffi::OsString, io::Write, panic, process::ExitCode, sync::LazyLock};

static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} (backend {})", env!("CARGO_PKG_VERSION"), ntt::Backend::best()));

/// Number-theoretic transforms and lattice cryptography: measure, explain, use.
#[derive(Parser)]
#[command(name = "ringwork", version = VERSION.as_str(), arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: verbs::Verb,
    /// Answers with one JSON object, "schema": 1; `ringwork schema` describes it
    #[arg(long, global = true)]
    json: bool,
}

/// All verbs and arguments, explained.
fn interface() -> clap::Command {
    verbs::help::explained(Cli::command())
}

/// What the program `ringwork` does with its arguments, the first of which is its name.
pub fn command(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let understood = interface().try_get_matches_from(&arguments).and_then(|matches| {
        let verb = matches.subcommand_name().unwrap_or_default().to_owned();
        Cli::from_arg_matches(&matches).map(|cli| (verb, cli))
    });
    let (verb, cli) = match understood {
        Ok(understood) => understood,
        Err(e) => return misunderstood(&e, &arguments),
    };
    let screen = Screen::new(cli.json, verb);
    let outcome = panic::catch_unwind(panic::AssertUnwindSafe(|| cli.verb.run(&screen, interface)))
        .unwrap_or_else(|_| Err(Fault::Internal("this is a fault of ringwork, not of your input".into())));
    match outcome {
        Ok(()) | Err(Fault::ClosedPipe) => ExitCode::SUCCESS,
        Err(Fault::CutOff) => cut_off(),
        Err(fault) => {
            let _ = screen.fault(&fault);
            told(&fault)
        }
    }
}

/// What the programs `age-plugin-ringwork` and `age-plugin-pq` do.
pub fn plugin() -> ExitCode {
    plugin::run()
}

/// The end of a fault, which people read.
fn told(fault: &Fault) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "error: {fault}");
    ExitCode::from(fault.code())
}

/// Help that was asked for, or what is wrong with the command line.
fn misunderstood(e: &clap::Error, arguments: &[OsString]) -> ExitCode {
    if matches!(e.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match e.print().map_err(|e| Fault::unwritten("standard output", &e)) {
            Ok(()) | Err(Fault::CutOff) => ExitCode::SUCCESS,
            Err(fault) => told(&fault),
        };
    }
    let words: Vec<String> = arguments
        .iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .take_while(|word| word != "--")
        .collect();
    let verb = Cli::command().get_subcommands().map(|c| c.get_name().to_owned()).find(|name| words.contains(name));
    let rendered = e.render().to_string();
    let message = match e.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing; --help names all of them",
        _ => rendered.split("\n\nUsage:").next().unwrap_or_default(),
    };
    // A file may have the name of a verb: usage says which verb there is.
    let used = rendered.split("Usage: ringwork ").nth(1).and_then(|usage| usage.split_whitespace().next());
    let habit = habit(&words, used.filter(|word| !word.starts_with(['[', '<'])));
    let _ = match masked(&rendered) {
        Cow::Borrowed(_) => e.print(),
        Cow::Owned(masked) => std::io::stderr().write_all(masked.as_bytes()),
    };
    let message = message.trim().trim_start_matches("error: ");
    let fault = Fault::Usage(match habit {
        None => message.to_owned(),
        Some(habit) => {
            let _ = writeln!(std::io::stderr(), "\n{habit}");
            format!("{message}; {habit}")
        }
    });
    let _ = Screen::new(words.iter().any(|word| word == "--json"), verb.unwrap_or_default()).fault(&fault);
    ExitCode::from(fault.code())
}

/// The verb for what other programs of age have options for.
fn habit(words: &[String], verb: Option<&str>) -> Option<&'static str> {
    // Short options may stand together.
    let has = |long: &[&str], short: &str| {
        let mut groups = words.iter().filter_map(|word| word.strip_prefix('-')).filter(|rest| !rest.starts_with('-'));
        groups.any(|rest| rest.contains(|letter| short.contains(letter)))
            || words.iter().any(|word| long.contains(&&**word))
    };
    match verb {
        Some("decrypt") if has(&["--decrypt"], "d") => Some("`ringwork decrypt` takes no -d: the verb says it"),
        Some("encrypt") if has(&["--encrypt"], "e") => Some("`ringwork encrypt` takes no -e: the verb says it"),
        Some(_) => None,
        None if has(&["--decrypt"], "d") => Some("files are decrypted by `ringwork decrypt`"),
        None if has(&["--encrypt", "--recipient", "--recipients-file", "--passphrase", "--armor"], "erRpa") => {
            Some("files are encrypted by `ringwork encrypt`")
        }
        None if has(&["--identity", "--output"], "ijo") => {
            Some("files are encrypted by `ringwork encrypt`, and decrypted by `ringwork decrypt`")
        }
        None => None,
    }
}

/// The end that a program has whose pipe was closed, which Rust prevents; shells see 141.
fn cut_off() -> ExitCode {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
    ExitCode::from(Fault::CutOff.code())
}
