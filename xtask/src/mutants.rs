//! `mutants`: cargo-mutants changes the code in one place at a time, and a test must notice.
//!
//! It works in a clone of the last commit inside the build directory, so that no work is changed and the engine is
//! compiled once. What survives is listed there, in `mutants.out`; `.cargo/mutants.toml` leaves out what changes nothing.

use crate::{
    cargo::{cannot_start, capture, program, run as succeed},
    skips::CARGO_MUTANTS_MISSING,
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::{fs, path::PathBuf, process::Command};

/// Files, and the tests that must notice.
struct Part {
    name: &'static str,
    files: &'static [&'static str],
    /// Whether the engine is what is changed: without optimisation and without transforms, a mutant of it is compiled
    /// in less than a minute.
    engine: bool,
    tests: &'static [&'static str],
}

const PARTS: [Part; 7] = [
    Part { name: "age", files: &["crates/age/src/*.rs"], engine: false, tests: &["--tests"] },
    Part { name: "files", files: &["crates/ringwork/src/*.rs"], engine: false, tests: &["--lib", "--test", "suite"] },
    Part {
        name: "standards",
        files: &["crates/ringwork/src/schemes/ml*/*.rs"],
        engine: false,
        tests: &["--lib", "--test", "suite"],
    },
    Part {
        name: "schemes",
        files: &["crates/ringwork/src/schemes/[!m]*/*.rs", "crates/ringwork/src/{registry,sample}/*.rs"],
        engine: false,
        tests: &["--lib", "--test", "suite"],
    },
    Part { name: "textbook", files: &["crates/reference/src/**/*.rs"], engine: false, tests: &["--lib", "--examples"] },
    Part {
        name: "processor",
        files: &["crates/processor/src/*.rs"],
        engine: false,
        tests: &["--lib", "--test", "suite"],
    },
    Part {
        name: "reductions",
        files: &["crates/ntt/src/reduction/*.rs"],
        engine: true,
        tests: &["--test", "contracts"],
    },
];

/// Parts of which `test --all` tries one shard of so many: some fifteen mutants of each.
const SAMPLED: [(&str, u64); 2] = [("textbook", 180), ("processor", 45)];

/// What cargo-mutants ends with if a mutant passed every test, and if one never ended, which tests noticed.
const MISSED: i32 = 2;
const ENDLESS: i32 = 3;

/// Tries one of so many shards of a part: `k/n`.
pub(crate) fn run(part: &str, shard: &str) -> Result<(), String> {
    if !is_installed() {
        return Err(CARGO_MUTANTS_MISSING.into());
    }
    succeed(&mut of_shard(part, shard)?)
}

/// One shard of each part that is sampled, another one for each commit. No mutant may pass every test.
pub(crate) fn sample(_: &mut Tally) -> Result<(), Stop> {
    if !is_installed() {
        return Err(Stop::Skipped(CARGO_MUTANTS_MISSING.into()));
    }
    let commit = capture(program("git").args(["rev-parse", "HEAD"]))?;
    let number = commit.get(..8).and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let number = number.ok_or_else(|| format!("git names no commit, but {commit:?}"))?;
    for (part, shards) in SAMPLED {
        let shard = format!("{}/{shards}", number % shards);
        println!("--- {part} {shard}");
        let mut mutants = of_shard(part, &shard)?;
        let status = mutants.status().map_err(|error| cannot_start(&mutants, &error))?;
        if !matches!(status.code(), Some(0 | MISSED | ENDLESS)) {
            return Err(Stop::Failed(format!("cargo mutants did not try {part} {shard}")));
        }
        // It ends as for endless ones also if others were missed.
        let missed = folder()?.join("mutants.out/missed.txt");
        let missed = fs::read_to_string(&missed).map_err(|error| format!("{}: {error}", missed.display()))?;
        if !missed.trim().is_empty() {
            return Err(Stop::Failed(format!(
                "of {part} {shard} passed every test:\n{missed}write tests that notice, or say in .cargo/mutants.toml why none \
                 can"
            )));
        }
    }
    Ok(())
}

/// Where it works.
fn folder() -> Result<PathBuf, String> {
    Ok(Workspace::read()?.target_directory.join("mutants"))
}

fn is_installed() -> bool {
    capture(program("cargo").args(["mutants", "--version"])).is_ok()
}

/// The command that tries a shard, in a clone of the last commit.
fn of_shard(part: &str, shard: &str) -> Result<Command, String> {
    let names = || PARTS.map(|part| part.name).join(", ");
    let part = PARTS.iter().find(|known| known.name == part).ok_or_else(|| format!("parts are {}", names()))?;
    let folder = folder()?;
    let clone = folder.join("clone");
    if !clone.exists() {
        succeed(program("git").args(["clone", "--quiet", "."]).arg(&clone))?;
    }
    let git = |arguments: &[&str]| succeed(program("git").arg("-C").arg(&clone).args(arguments));
    git(&["fetch", "--quiet", "origin", "HEAD"])?;
    git(&["reset", "--quiet", "--hard", "FETCH_HEAD"])?;
    let mut mutants = program("cargo");
    mutants.args([
        "mutants",
        "--workspace",
        "--in-place",
        "--no-times",
        "--shard",
        shard,
        "--sharding=round-robin",
        "--dir",
    ]);
    mutants.arg(&clone).arg("--output").arg(&folder);
    mutants.args(part.files.iter().flat_map(|file| ["--file", file]));
    mutants.arg("--").args(part.tests);
    // What is compiled with other options would be compiled again each time.
    mutants.env("CARGO_TARGET_DIR", folder.join(if part.engine { "engine" } else { "target" }));
    mutants.env("CARGO_INCREMENTAL", "1").env("CARGO_PROFILE_TEST_DEBUG", "0");
    if part.engine {
        mutants.env("RUSTFLAGS", "--cfg mutants").env("CARGO_PROFILE_TEST_OPT_LEVEL", "0");
    }
    Ok(mutants)
}
