//! Runs cargo and its relatives at the root of the workspace, without standard input.

use crate::tally::Tally;
use std::{
    ffi::OsString,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::LazyLock,
};

/// All crates with one set of features: what tests and tools run is compiled once, and so is the engine.
pub(crate) const WORKSPACE: [&str; 3] = [
    "--workspace",
    "--features",
    "ringwork-ntt/threads,ringwork-ntt/dashu,ringwork-ntt/ndarray,ringwork-ntt/num-bigint,ringwork-ntt/serde,\
     ringwork-integers/threads",
];

/// The root of the workspace.
///
/// It is asked for when the program runs: with one build directory for two clones, either may have
/// compiled it.
pub(crate) fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let own = std::env::var_os("CARGO_MANIFEST_DIR").expect("this program is run by cargo, as `cargo xtask`");
        Path::new(&own).parent().expect("xtask lies in the root of the workspace").to_owned()
    });
    &ROOT
}

/// The cargo that runs this program.
pub(crate) fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

/// Another program, found as the shell would find it.
pub(crate) fn program(name: impl Into<OsString>) -> Command {
    let mut command = Command::new(name.into());
    command.current_dir(root()).stdin(Stdio::null());
    // What cargo says of this package is none of theirs: build scripts that ask for it would run again.
    let of_this_package = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(of_this_package)) {
        command.env_remove(name);
    }
    command
}

/// The target for which the compiler compiles if nothing else is said.
pub(crate) fn host() -> Result<String, String> {
    let text = capture(program("rustc").arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".into())
}

/// Runs to the end; only success is success.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    succeeded(command, status)
}

/// Runs to the end and returns what went to standard output; a failure shows all output.
pub(crate) fn capture(command: &mut Command) -> Result<String, String> {
    capture_both(command).map(|[output, _]| output)
}

/// As [`capture`], with what went to standard error as a second text.
pub(crate) fn capture_both(command: &mut Command) -> Result<[String; 2], String> {
    let output = command.output().map_err(|error| cannot_start(command, &error))?;
    let texts = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    succeeded(command, output.status).map_err(|reason| format!("{}{reason}", texts.concat()))?;
    Ok(texts)
}

/// Runs tests: shows their output as it comes, and counts it.
pub(crate) fn run_tests(command: &mut Command, tally: &mut Tally) -> Result<(), String> {
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| cannot_start(command, &error))?;
    let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line).map_err(|error| error.to_string())? > 0 {
        std::io::stdout().write_all(&line).map_err(|error| error.to_string())?;
        tally.read(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    succeeded(command, status)?;
    tally.excuse_ignored()
}

fn succeeded(command: &Command, status: ExitStatus) -> Result<(), String> {
    if status.success() { Ok(()) } else { Err(format!("`{}` ended with {status}", shown(command))) }
}

pub(crate) fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("`{}` did not start: {error}", shown(command))
}

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(name).chain(arguments).collect::<Vec<_>>().join(" ")
}
