//! `duplicates`: no crate is there in two versions, but for those of a list. `advisories`: none is one that RustSec warns
//! of, but for those of a list.

use crate::{
    cargo::{capture, program, root, run as succeed},
    skips::CARGO_AUDIT_MISSING,
    step::Stop,
    tally::Tally,
};
use std::collections::{BTreeMap, BTreeSet};

const LOCK: &str = "Cargo.lock";
/// The names that may be there twice, each with who brings the older one.
const LIST: &str = "xtask/duplicates.txt";
/// Lock files of everything that is built: the workspace, and what stands apart.
const LOCKS: [&str; 6] = [
    LOCK,
    "crates/python/Cargo.lock",
    "embedded/Cargo.lock",
    "fuzz/Cargo.lock",
    "interop/Cargo.lock",
    "crates/workbench/peers/crates/Cargo.lock",
];
/// Advisories that change nothing here, with the reason.
const ACCEPTED: [(&str, &str); 2] = [
    ("RUSTSEC-2026-0173", "proc-macro-error2 is unmaintained: a macro that the crate age runs while it is compiled"),
    (
        "RUSTSEC-2023-0071",
        "the time of rsa depends on the key: the command decrypts a file for its owner, and answers nobody who could \
         measure many; the README of the command says so of ssh-rsa",
    ),
];

pub(crate) fn duplicates(_: &mut Tally) -> Result<(), Stop> {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"));
    let (lock, list) = (read(LOCK)?, read(LIST)?);
    let (found, listed) = (twice(&lock), listed(&list));
    for name in found.difference(&listed) {
        println!("{name} is there in two versions: take the one that the others take, or give the reason in {LIST}");
    }
    for name in listed.difference(&found) {
        println!("{name} is there once: take it off {LIST}");
    }
    if found == listed {
        println!("{} names are there twice, as listed", found.len());
        return Ok(());
    }
    Err(Stop::Failed(format!("{LIST} is not what {LOCK} has")))
}

/// Names with more than one version in a lock file.
fn twice(lock: &str) -> BTreeSet<&str> {
    let mut versions = BTreeMap::<&str, usize>::new();
    for name in lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')) {
        *versions.entry(name).or_default() += 1;
    }
    versions.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name).collect()
}

fn listed(list: &str) -> BTreeSet<&str> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(':').map(|(name, _)| name)).collect()
}

/// By `cargo audit`, which fetches the database, or reads a copy that `RUSTSEC_DATABASE` names.
pub(crate) fn advisories(_: &mut Tally) -> Result<(), Stop> {
    if capture(program("cargo-audit").args(["audit", "--version"])).is_err() {
        return Err(Stop::Skipped(CARGO_AUDIT_MISSING.into()));
    }
    for lock in LOCKS {
        let mut command = program("cargo-audit");
        command.current_dir(root()).args(["audit", "--deny", "warnings", "--file", lock]);
        if let Some(database) = std::env::var_os("RUSTSEC_DATABASE") {
            command.arg("--no-fetch").arg("--db").arg(database);
        }
        for (advisory, reason) in ACCEPTED {
            println!("{advisory} is accepted: {reason}");
            command.args(["--ignore", advisory]);
        }
        succeed(&mut command)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_two_versions_are_found() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1\"\n\n[[package]]\nname = \"b\"\nversion = \"1\"\n\
                    dependencies = [\n \"a 1\",\n]\n\n[[package]]\nname = \"a\"\nversion = \"2\"\n";
        assert_eq!(twice(lock), BTreeSet::from(["a"]));
        assert_eq!(listed("# names\na: by b\n"), BTreeSet::from(["a"]));
    }
}
