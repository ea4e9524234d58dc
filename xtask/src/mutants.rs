//! `mutants`: cargo-mutants changes the code in one place at a time, and a test must notice.
//!
//! It works in a clone of the last commit inside the build directory, so that no work is changed and the engine is
//! compiled once. What survives is listed there, in `mutants.out`; `.cargo/mutants.toml` leaves out what changes nothing.

use crate::{
    cargo::{capture, program, run as succeed},
    workspace::Workspace,
};

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

/// Tries one of so many shards of a part: `k/n`.
pub(crate) fn run(part: &str, shard: &str) -> Result<(), String> {
    let names = || PARTS.map(|part| part.name).join(", ");
    let part = PARTS.iter().find(|known| known.name == part).ok_or_else(|| format!("parts are {}", names()))?;
    if capture(program("cargo").args(["mutants", "--version"])).is_err() {
        return Err("cargo-mutants is not installed: `cargo install cargo-mutants --locked`".into());
    }
    let folder = Workspace::read()?.target_directory.join("mutants");
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
    succeed(&mut mutants)
}
