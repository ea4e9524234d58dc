//! `rtl`: the cryptoprocessor in SystemVerilog, simulated, proved, synthesised.
//!
//! The tools are Python packages of pinned versions (`rtl/requirements.txt`), which this installs
//! in the build directory; Python itself, a C++ compiler and make, and Icarus Verilog come from the
//! system. What cannot be had is skipped, by name.

use crate::{
    cargo::{cannot_start, capture, program, root, shown},
    programs,
    python::{self, starts},
    skips::{COMPILER_MISSING, ICARUS_MISSING, PYTHON_PACKAGES_MISSING, in_ci, permitted},
    step::Stop,
    tally::Tally,
};
use serde_json::{Value, json};
use std::{
    ffi::OsString,
    fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Command, Stdio},
};

const REQUIREMENTS: &str = "rtl/requirements.txt";
/// Where the report is written; the workbench shows it.
const REPORT: &str = "crates/workbench/src/report/processor.json";
const SETS: &str = "rtl/sets";
const SMOKE: &str = "rtl/tests/test_roundtrips.py::test_round_trips[p1-paper]";
const MACHINES: [&str; 2] = ["paper", "fast"];

/// Which tests run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Round trips of one set on one machine, against the model.
    Smoke,
    /// Without the longest ones.
    Usual,
    Long,
}

pub(crate) fn smoke(tally: &mut Tally) -> Result<(), Stop> {
    tests(tally, Extent::Smoke)
}

pub(crate) fn test(tally: &mut Tally) -> Result<(), Stop> {
    tests(tally, Extent::Usual)
}

pub(crate) fn test_long(tally: &mut Tally) -> Result<(), Stop> {
    tests(tally, Extent::Long)
}

fn tests(tally: &mut Tally, extent: Extent) -> Result<(), Stop> {
    let environment = Environment::new()?;
    let mut command = environment.python()?;
    command.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]);
    if extent == Extent::Smoke {
        command.arg(SMOKE);
    } else {
        // A worker has whole files, whose tests may share a build.
        command.args(["-n", "2", "--dist", "loadfile", "rtl/tests"]).env("RTL_SIMULATORS", simulators()?.join(","));
    }
    command.env("RTL_LONG", if extent == Extent::Long { "1" } else { "0" });
    let summary = shown_and_last_line(&mut command)?;
    // `12 passed, 1 skipped in 3.20s`
    let number = |word: &str| {
        let before = summary.split(word).next().filter(|head| head.len() < summary.len());
        before.and_then(|head| head.rsplit(' ').next()?.parse::<u64>().ok()).unwrap_or(0)
    };
    tally.passed += number(" passed");
    match number(" passed") {
        0 => Err(Stop::Failed("no test of the RTL ran".into())),
        _ => Ok(()),
    }
}

/// Those that are there.
fn simulators() -> Result<Vec<&'static str>, Stop> {
    let mut simulators = vec!["verilator"];
    if starts("iverilog", "-V") {
        simulators.push("icarus");
    } else {
        println!("skipped: rtl on Icarus: {ICARUS_MISSING}");
        permitted(ICARUS_MISSING, in_ci())?;
    }
    Ok(simulators)
}

/// Writes what tools say of every set and machine: area, frequency, cycles.
pub(crate) fn report(_: &mut Tally) -> Result<(), Stop> {
    let environment = Environment::new()?;
    let mut designs = Vec::new();
    for set in sets()? {
        for machine in MACHINES {
            println!("{set} {machine}");
            let json_of = |script: &str| -> Result<Value, Stop> {
                let text = capture(environment.python()?.args([script, &set, machine]))?;
                serde_json::from_str(&text).map_err(|error| Stop::Failed(format!("{script} printed no JSON: {error}")))
            };
            designs.push(json!({
                "set": &set,
                "machine": machine,
                "synthesis": json_of("rtl/tools/synth.py")?,
                "cycles": json_of("rtl/tools/cycles.py")?,
            }));
        }
    }
    let packages = fs::read_to_string(root().join(REQUIREMENTS)).map_err(|error| format!("{REQUIREMENTS}: {error}"))?;
    let report = json!({ "tools": packages.lines().collect::<Value>(), "designs": designs });
    let text = serde_json::to_string_pretty(&report).expect("JSON") + "\n";
    fs::write(root().join(REPORT), text).map_err(|error| Stop::Failed(format!("{REPORT}: {error}")))
}

/// The parameter sets, by their generated files.
fn sets() -> Result<Vec<String>, Stop> {
    let listed = fs::read_dir(root().join(SETS)).map_err(|error| format!("{SETS}: {error}"))?;
    let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    let mut sets: Vec<String> = listed.filter_map(|entry| stem(entry.ok()?.path())).collect();
    sets.sort();
    Ok(sets)
}

/// A Python environment with the packages.
struct Environment {
    directory: PathBuf,
    ringwork: PathBuf,
    path: OsString,
}

impl Environment {
    /// Makes it, unless it is there with these very versions.
    fn new() -> Result<Self, Stop> {
        if !starts("g++", "--version") || !starts("make", "--version") {
            return Err(Stop::Skipped(COMPILER_MISSING.into()));
        }
        let directory = python::environment("rtl-python", REQUIREMENTS, PYTHON_PACKAGES_MISSING)?;
        // The package of Verilator keeps its programs beside its modules.
        let folder = "import os, verilator; print(os.path.join(os.path.dirname(verilator.__file__), 'bin'))";
        let verilator = capture(program(directory.join("bin/python")).args(["-c", folder]))?;
        let own = [directory.join("bin"), PathBuf::from(verilator.trim())];
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&inherited)))
            .map_err(|error| error.to_string())?;
        Ok(Self { directory, ringwork: programs::program("ringwork-workbench", "ringwork")?, path })
    }

    /// Python, with `RINGWORK` naming the model's command.
    fn python(&self) -> Result<Command, Stop> {
        let mut command = program(self.directory.join("bin/python"));
        command.env("PATH", &self.path).env("RINGWORK", &self.ringwork).env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("RTL_BUILD", self.directory.with_file_name("rtl"));
        Ok(command)
    }
}

/// Shows standard output as it comes, and gives its last line.
fn shown_and_last_line(command: &mut Command) -> Result<String, String> {
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| cannot_start(command, &error))?;
    let output = BufReader::new(child.stdout.take().expect("standard output is piped"));
    let mut last = String::new();
    for line in output.lines() {
        last = line.map_err(|error| error.to_string())?;
        writeln!(std::io::stdout(), "{last}").map_err(|error| error.to_string())?;
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() { Ok(last) } else { Err(format!("`{}` ended with {status}", shown(command))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_by_these_tools() {
        let text = |path: &str| fs::read_to_string(root().join(path)).unwrap();
        let report: Value = serde_json::from_str(&text(REPORT)).unwrap();
        let tools: Vec<&str> = report["tools"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(tools, text(REQUIREMENTS).lines().collect::<Vec<_>>());
        let designs: Vec<_> =
            report["designs"].as_array().unwrap().iter().map(|d| d["set"].as_str().unwrap()).collect();
        assert_eq!(designs, sets().unwrap().iter().flat_map(|set| [set.as_str(); 2]).collect::<Vec<_>>());
    }
}
