//! `openssl` and `interop`: keys, signatures and ciphertexts between this and other implementations.
//!
//! `openssl` runs the tests of `crates/workbench/tests/openssl.rs`, and handshakes, with an OpenSSL that is there;
//! `interop` builds one first, and compares 10,000 seeds of each set with RustCrypto's crates, libcrux
//! and AWS-LC. The libraries in C take minutes to build, so `test` builds neither.

use crate::{
    age::has_go,
    cargo::{capture, program, root, run as succeed, run_tests},
    programs::{self, run_ignored},
    skips::OPENSSL_MISSING,
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::path::{Path, PathBuf};

/// With the `openssl` that `interop` has built, or that is installed.
pub(crate) fn openssl(tally: &mut Tally) -> Result<(), Stop> {
    let candidates = [built(&folder()?), PathBuf::from("openssl")];
    match candidates.iter().find(|openssl| is_recent(openssl)) {
        Some(openssl) => Ok(with(openssl, tally)?),
        None => Err(Stop::Skipped(OPENSSL_MISSING.into())),
    }
}

/// TLS with Go, as client and as server.
pub(crate) fn tls(tally: &mut Tally) -> Result<(), Stop> {
    has_go()?;
    run_ignored("ringwork-rustls", "handshakes_with_go", &[], tally)
}

/// With one that is built for it, and with AWS-LC.
pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    let (manifest, folder) = (root().join("interop/Cargo.toml"), folder()?);
    let cargo = |verb: &str| {
        let mut command = program("cargo");
        command.args([verb, "--manifest-path"]).arg(&manifest).arg("--target-dir").arg(&folder);
        command
    };
    succeed(cargo("run").arg("--").arg(folder.join("openssl")))?;
    with(&built(&folder), tally)?;
    for tests in suite("ringwork")? {
        run_tests(program(tests).arg("other_implementations_agree").env("ROUNDS", "10000"), tally)?;
    }
    Ok(run_tests(&mut cargo("test"), tally)?)
}

fn with(openssl: &Path, tally: &mut Tally) -> Result<(), String> {
    for (package, filter) in [("ringwork-workbench", "openssl::"), ("ringwork-rustls", "with_openssl")] {
        for tests in suite(package)? {
            let mut command = program(tests);
            command.args([filter, "--ignored"]).env("RINGWORK_OPENSSL", openssl);
            run_tests(&mut command, tally)?;
        }
    }
    Ok(())
}

/// The program of a package's `tests/suite.rs`.
fn suite(package: &str) -> Result<Vec<PathBuf>, String> {
    let mut tests = programs::tests(package)?;
    tests.retain(|tests| tests.file_stem().is_some_and(|name| name.to_string_lossy().starts_with("suite-")));
    if tests.is_empty() { Err(format!("cargo names no suite of {package}")) } else { Ok(tests) }
}

/// Whether it knows ML-KEM and ML-DSA.
fn is_recent(openssl: &Path) -> bool {
    let version = capture(program(openssl).arg("version")).unwrap_or_default();
    is_recent_version(version.split_whitespace().nth(1).unwrap_or_default())
}

fn is_recent_version(version: &str) -> bool {
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(3), Some(5))
}

fn built(folder: &Path) -> PathBuf {
    folder.join("openssl/apps/openssl")
}

/// Beside what cargo builds.
fn folder() -> Result<PathBuf, String> {
    Ok(Workspace::read()?.target_directory.join("interop"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        for (version, expected) in
            [("3.0.2", false), ("3.4.9", false), ("3.5.0", true), ("3.10.1", true), ("4.0.0", true), ("", false)]
        {
            assert_eq!(is_recent_version(version), expected, "{version}");
        }
    }
}
