//! Programs of strangers that must not compile, each with what the compiler says: `refused/`.
//!
//! Compilers differ in what they say, so this is for the one that `xtask/codegen.txt` names. After
//! a change of compiler: `TRYBUILD=overwrite cargo test -p xtask --test refused`.

#![forbid(unsafe_code)]

use std::{env, io::Write, process::Command};

#[test]
fn programs_without_proof_or_sense_are_refused() {
    let told = |program: String| Command::new(program).arg("--version").output().unwrap().stdout;
    let ours = String::from_utf8(told(env::var("RUSTC").unwrap_or_else(|_| "rustc".into()))).unwrap();
    let named = include_str!("../codegen.txt").lines().find_map(|line| line.strip_prefix("# rustc ")).unwrap();
    if ours.split(' ').nth(1) != Some(named.trim()) && env::var("TRYBUILD").is_err() {
        assert!(env::var("CI").is_err(), "this needs rustc {named}, and there is {ours}");
        // Not by a macro, whose output tests keep to themselves.
        let _ = writeln!(std::io::stderr(), "skipped: refused programs: they are for rustc {named}, this is {ours}");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
