//! `fuzz`: feeds the decoders whatever libFuzzer thinks of. Needs neither cargo-fuzz nor a nightly
//! compiler.

use crate::cargo::{host, program, root, run as succeed};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What cargo-fuzz would tell the compiler.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Runs one target for `minutes` minutes, or all targets one after the other. It starts with the inputs of the
/// repository, and what it finds stays in the build directory until [`keep`].
pub(crate) fn run(target: Option<&str>, minutes: u32) -> Result<(), String> {
    let folder = root().join("fuzz");
    let known = targets(&folder)?;
    let wanted = match target {
        None => known,
        Some(name) if known.iter().any(|k| k == name) => vec![name.to_owned()],
        Some(name) => return Err(format!("there is no target {name}; there are {}", known.join(", "))),
    };
    let programs = build(&folder)?;
    for name in wanted {
        let [kept, found, artifacts] =
            [kept(&folder, &name), found(&folder, &name), folder.join("artifacts").join(&name)];
        [&kept, &found, &artifacts].into_iter().try_for_each(|place| make(place))?;
        println!("fuzz {name}: {minutes} minutes");
        let mut fuzz = program(programs.join(&name));
        fuzz.args([&found, &kept]).arg(format!("-max_total_time={}", 60 * minutes));
        fuzz.arg(format!("-artifact_prefix={}/", artifacts.display())).args(["-max_len=20000", "-print_final_stats=1"]);
        succeed(&mut fuzz)?;
    }
    Ok(())
}

/// Replaces the inputs of the repository by few and short ones that reach as much as they and all that was found.
pub(crate) fn keep() -> Result<(), String> {
    let folder = root().join("fuzz");
    let programs = build(&folder)?;
    for name in targets(&folder)? {
        let [kept, found, fewer] = [kept(&folder, &name), found(&folder, &name), folder.join("target/fewer")];
        if fewer.exists() {
            fs::remove_dir_all(&fewer).map_err(|e| format!("{}: {e}", fewer.display()))?;
        }
        [&kept, &found, &fewer].into_iter().try_for_each(|place| make(place))?;
        // Lines that were reached count, and not how often: an input for each count would be many.
        let mut merge = program(programs.join(&name));
        succeed(merge.args(["-merge=1", "-use_counters=0"]).args([&fewer, &found, &kept]))?;
        let replace = || {
            fs::remove_dir_all(&kept)?;
            fs::rename(&fewer, &kept)
        };
        replace().map_err(|e| format!("{}: {e}", kept.display()))?;
    }
    Ok(())
}

/// Compiles all targets, and says where they are.
fn build(folder: &Path) -> Result<PathBuf, String> {
    let host = host()?;
    let mut build = program("cargo");
    build.args(["build", "--release", "--target", &host]).current_dir(folder).env("RUSTFLAGS", FLAGS);
    succeed(&mut build)?;
    Ok(folder.join("target").join(host).join("release"))
}

/// Inputs of the repository.
fn kept(folder: &Path, name: &str) -> PathBuf {
    folder.join("corpus").join(name)
}

/// Inputs that were found and not kept yet.
fn found(folder: &Path, name: &str) -> PathBuf {
    folder.join("target/corpus").join(name)
}

fn make(place: &Path) -> Result<(), String> {
    fs::create_dir_all(place).map_err(|e| format!("{}: {e}", place.display()))
}

/// Names of the targets: those of their files.
fn targets(folder: &Path) -> Result<Vec<String>, String> {
    let list = fs::read_dir(folder.join("fuzz_targets")).map_err(|e| format!("fuzz/fuzz_targets: {e}"))?;
    let stems = list.filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<String> = stems.collect();
    names.sort();
    Ok(names)
}
