//! `fuzz`: feeds the decoders whatever libFuzzer thinks of. Needs neither cargo-fuzz nor a nightly
//! compiler.

use crate::cargo::{host, program, root, run as succeed};
use std::fs;

/// What cargo-fuzz would tell the compiler.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Runs one target for `minutes` minutes, or all targets one after the other.
pub(crate) fn run(target: Option<&str>, minutes: u32) -> Result<(), String> {
    let folder = root().join("fuzz");
    let host = host()?;
    let known = targets(&folder)?;
    let wanted = match target {
        None => known,
        Some(name) if known.iter().any(|k| k == name) => vec![name.to_owned()],
        Some(name) => return Err(format!("there is no target {name}; there are {}", known.join(", "))),
    };
    let mut build = program("cargo");
    build.args(["build", "--release", "--target", &host]).current_dir(&folder).env("RUSTFLAGS", FLAGS);
    succeed(&mut build)?;
    for name in wanted {
        let corpus = folder.join("corpus").join(&name);
        let artifacts = folder.join("artifacts").join(&name);
        for place in [&corpus, &artifacts] {
            fs::create_dir_all(place).map_err(|e| format!("{}: {e}", place.display()))?;
        }
        println!("fuzz {name}: {minutes} minutes");
        let mut fuzz = program(folder.join("target").join(&host).join("release").join(&name));
        fuzz.arg(corpus).arg(format!("-max_total_time={}", 60 * minutes));
        fuzz.arg(format!("-artifact_prefix={}/", artifacts.display())).args(["-max_len=20000", "-print_final_stats=1"]);
        succeed(&mut fuzz)?;
    }
    Ok(())
}

/// Names of the targets: those of their files.
fn targets(folder: &std::path::Path) -> Result<Vec<String>, String> {
    let list = fs::read_dir(folder.join("fuzz_targets")).map_err(|e| format!("fuzz/fuzz_targets: {e}"))?;
    let stems = list.filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<String> = stems.collect();
    names.sort();
    Ok(names)
}
