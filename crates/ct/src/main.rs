//! Every scheme under valgrind's memcheck, with secrets that memcheck takes for undefined: it then
//! reports every branch and every address that depends on one.
//!
//! `cargo xtask ct` builds this program at several levels of optimisation, runs it on every backend
//! of the machine, and holds what memcheck reports against a list of public answers.
//!
//! ```text
//! valgrind ringwork-ct BACKEND [PART OF A NAME]
//! ringwork-ct --backends
//! ringwork-ct --timing BACKEND SECONDS [PART OF A NAME]
//! ```
//!
//! The second form names the backends of this machine, one on a line. The third measures times (`cargo xtask timing`).
#![deny(unsafe_code)]

mod bad;
mod commitments;
mod encryption;
mod identities;
mod key_files;
mod memcheck;
mod parts;
mod run;
mod standards;
mod timing;
mod transforms;

use ringwork::Backend;
use run::Run;
use std::process::ExitCode;

const USAGE: &str = "usage: valgrind ringwork-ct BACKEND [PART OF A NAME], ringwork-ct --backends, \
    or ringwork-ct --timing BACKEND SECONDS [PART OF A NAME]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, part) = match &arguments[..] {
        [flag] if flag == "--backends" => {
            Backend::machines().for_each(|backend| println!("{backend}"));
            return ExitCode::SUCCESS;
        }
        [flag, name, seconds, part @ ..] if flag == "--timing" && part.len() < 2 => {
            let (Some(backend), Ok(seconds)) = (Backend::by_name(name), seconds.parse()) else { return refuse(USAGE) };
            timing::run(backend, seconds, part.first().map_or("", String::as_str));
            return ExitCode::SUCCESS;
        }
        [name] => (name, ""),
        [name, part] => (name, &**part),
        _ => return refuse(USAGE),
    };
    let Some(backend) = Backend::by_name(name) else { return refuse("this machine has no such backend") };
    if !memcheck::is_running() {
        return refuse("this program says something under valgrind only: see `cargo xtask ct`");
    }
    let mut run = Run::new(backend, part);
    bad::run(&mut run);
    parts::run(&mut run);
    transforms::run(&mut run);
    encryption::run(&mut run);
    commitments::run(&mut run);
    standards::run(&mut run);
    key_files::run(&mut run);
    identities::run(&mut run);
    run.finish()
}

fn refuse(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(2)
}
