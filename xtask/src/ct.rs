//! `ct`: every scheme under valgrind's memcheck, with secrets that are undefined in its eyes, so
//! that it reports each branch and each address that depends on one.
//!
//! The program is `crates/ct`. It is compiled at several levels of optimisation, since it is the
//! compiler that makes branches of masks or does not, and runs on every backend of this machine.
//! What memcheck reports must be on the list of public answers ([`public`]), and two samples that
//! are known to be bad must be reported.

mod log;
mod public;

use crate::{
    cargo::{capture, cargo, program, root},
    release,
    skips::VALGRIND_MISSING,
    step::Stop,
    tally::Tally,
};
use log::{Kind, Log};
use serde::Deserialize;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Instant,
};

const PACKAGE: &str = "ringwork-ct";
/// Samples that memcheck must find.
const KNOWN_BAD: [(&str, Kind); 2] = [("known bad: branch", Kind::Branch), ("known bad: index", Kind::Address)];

/// Those of the machine that valgrind makes of this one, by the program itself.
fn backends(path: &Path) -> Result<Vec<String>, String> {
    let names = capture(program("valgrind").args(["--tool=none", "-q"]).arg(path).arg("--backends"))?;
    Ok(names.lines().map(str::to_owned).collect())
}

/// A level of optimisation, and the profile that has it.
struct Level {
    name: &'static str,
    profile: &'static str,
    settings: &'static [&'static str],
}

/// Users choose their own level. 3 is that of the command (`release`), and together with the command it
/// is compiled; each of the others has a build of everything, ntt included, for itself alone, without the
/// features that the command turns on. At 1 the ladder of X25519's crate branches on the scalar, so that
/// this crate is compiled at 3 there, as `docs/constant-time.md` tells users to do.
const LEVELS: [Level; 4] = [
    Level {
        name: "1",
        profile: "ct-1",
        settings: &["inherits='release'", "opt-level=1", "package.curve25519-dalek.opt-level=3"],
    },
    Level {
        name: "2",
        profile: "dev",
        settings: &[
            "opt-level=2",
            "debug-assertions=false",
            "overflow-checks=false",
            "package.ringwork-lanes.debug-assertions=true",
        ],
    },
    Level { name: "3", profile: "release", settings: &[] },
    Level { name: "s", profile: "ct-s", settings: &["inherits='release'", "opt-level='s'"] },
];

/// Level 3, which users get, of the build that they get. Each of the others compiles everything once
/// more, and a test before each change is handed in is to take minutes.
pub(crate) fn run_level_3(_: &mut Tally) -> Result<(), Stop> {
    run_level("3")
}

/// One of them.
pub(crate) fn run_level(name: &str) -> Result<(), Stop> {
    check(|level| level.name == name)
}

/// All levels.
pub(crate) fn run(_: &mut Tally) -> Result<(), Stop> {
    check(|_| true)
}

fn check(wanted: impl Fn(&Level) -> bool) -> Result<(), Stop> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err(Stop::Skipped("valgrind is asked by instructions of x86-64 on Linux".into()));
    }
    let version = capture(program("valgrind").arg("--version")).map_err(|_| Stop::Skipped(VALGRIND_MISSING.into()))?;
    println!("memcheck of {}", version.trim());
    let mut runs = Vec::new();
    let levels: Vec<&Level> = LEVELS.iter().filter(|level| wanted(level)).collect();
    for level in &levels {
        let start = Instant::now();
        let path = build(level)?;
        println!("opt-level {}: built in {:.0} s", level.name, start.elapsed().as_secs_f64());
        runs.extend(backends(&path)?.into_iter().map(|backend| (level.name, backend, path.clone())));
    }
    let answers = answers(runs);
    let (mut complaints, mut used) = (BTreeSet::new(), BTreeSet::new());
    for (name, answer) in &answers {
        let found = judge(&answer.log);
        println!(
            "{name}: {} cases in {:.0} s, {} public answers",
            answer.log.cases,
            answer.seconds,
            found.public.len()
        );
        used.extend(found.public);
        complaints.extend(found.complaints.into_iter().map(|complaint| format!("{name}: {complaint}")));
        if !answer.succeeded {
            complaints.insert(format!("{name}: the program failed\n{}", answer.log.end));
        }
    }
    // Where a branch stands depends on the level: only all of them tell that an entry does nothing.
    let whole = levels.len() == LEVELS.len();
    let idle = public::all().iter().map(public::shown).filter(|entry| whole && !used.contains(entry));
    complaints.extend(idle.map(|entry| format!("{entry} does nothing of the kind: take it off the list")));
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    if complaints.is_empty() { Ok(()) } else { Err(Stop::Failed(format!("{} complaints", complaints.len()))) }
}

#[derive(Deserialize)]
struct Message {
    executable: Option<PathBuf>,
}

/// Compiles the program; lines are known of everything but lanes and ntt, whose functions are
/// judged by their callers.
fn build(level: &Level) -> Result<PathBuf, String> {
    if level.profile == "release" {
        return Ok(release::build()?.secrets);
    }
    let mut command = cargo(["build", "--quiet", "--package", PACKAGE, "--message-format=json"]);
    command.args(["--profile", level.profile]);
    let common = ["debug='line-tables-only'", "package.ringwork-lanes.debug=0", "package.ringwork-ntt.debug=0"];
    for setting in level.settings.iter().chain(&common) {
        command.args(["--config", &format!("profile.{}.{setting}", level.profile)]);
    }
    let messages = capture(&mut command)?;
    let mut executables = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok()?.executable);
    executables.next_back().ok_or_else(|| format!("cargo names no program of {PACKAGE}"))
}

struct Answer {
    log: Log,
    succeeded: bool,
    seconds: f64,
}

/// Runs the programs, as many at a time as there are processors.
fn answers(runs: Vec<(&'static str, String, PathBuf)>) -> Vec<(String, Answer)> {
    let (queue, answers) = (Mutex::new(runs), Mutex::new(Vec::new()));
    let next = || queue.lock().expect("no panic").pop();
    let work = || {
        while let Some((level, backend, path)) = next() {
            let answer = answer(&path, &backend);
            answers.lock().expect("no panic").push((format!("opt-level {level}, {backend}"), answer));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut answers = answers.into_inner().expect("no panic");
    answers.sort_by(|a, b| a.0.cmp(&b.0));
    answers
}

fn answer(path: &Path, backend: &str) -> Answer {
    let start = Instant::now();
    let mut command = program("valgrind");
    command.args(["--tool=memcheck", "--error-limit=no", "--leak-check=no", "--num-callers=16"]);
    command.arg(format!("--fullpath-after={}/", root().display())).arg(path).arg(backend);
    let output = command.output();
    let (text, succeeded) = match &output {
        Ok(output) => (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.success()),
        Err(error) => (error.to_string(), false),
    };
    Answer { log: Log::read(&text), succeeded, seconds: start.elapsed().as_secs_f64() }
}

struct Judgement {
    complaints: BTreeSet<String>,
    /// Entries of the list that were found.
    public: BTreeSet<String>,
}

fn judge(log: &Log) -> Judgement {
    let mut judgement = Judgement { complaints: BTreeSet::new(), public: BTreeSet::new() };
    for (case, kind) in KNOWN_BAD {
        if !log.findings.iter().any(|finding| finding.case == case && finding.kind == kind) {
            judgement.complaints.insert(format!("{case}: memcheck does not find it, and so proves nothing"));
        }
    }
    for case in &log.without_secret {
        judgement.complaints.insert(format!("{case}: nothing secret came out, so nothing was tried"));
    }
    for (case, errors) in log.errors.iter().filter(|(case, errors)| public::too_many(case, *errors)) {
        judgement.complaints.insert(format!("{case}: {errors} reports are more than answers that may be public"));
    }
    for finding in log.findings.iter().filter(|finding| !KNOWN_BAD.iter().any(|(case, _)| finding.case == *case)) {
        let (site, function) = (finding.site(), finding.function());
        if let Some(entry) = public::entry(&site.place, &function) {
            judgement.public.insert(public::shown(entry));
            continue;
        }
        let what = finding.kind.name();
        judgement.complaints.insert(format!("{}: {what} on a secret in {function} ({})", finding.case, site.place));
    }
    judgement
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
### case known bad: branch
==7== Conditional jump or move depends on uninitialised value(s)
==7==    at 0x1AC034: ringwork_ct::bad::branch (crates/ct/src/bad.rs:17)
==7== 
### errors 1
### case known bad: index
==7== Use of uninitialised value of size 8
==7==    at 0x1AC014: ringwork_ct::bad::index (crates/ct/src/bad.rs:27)
==7== 
### errors 1
### end of 2 cases
";

    fn complaints(text: &str) -> Vec<String> {
        judge(&Log::read(text)).complaints.into_iter().collect()
    }

    #[test]
    fn bad_samples_must_be_found() {
        assert_eq!(complaints(GOOD), Vec::<String>::new());
        let blind = complaints(&GOOD.replace("Conditional jump", "Nothing"));
        assert_eq!(blind, ["known bad: branch: memcheck does not find it, and so proves nothing"]);
        assert_eq!(complaints("").len(), 2);
    }

    #[test]
    fn an_answer_is_one_branch() {
        let many =
            |case: &str| complaints(&GOOD.replace("### end", &format!("### case {case}\n### errors 256\n### end")));
        assert_eq!(
            many("lwe: decapsulation"),
            ["lwe: decapsulation: 256 reports are more than answers that may be public"]
        );
        assert_eq!(many("lwe: keygen"), Vec::<String>::new());
    }

    #[test]
    fn branches_are_reported_with_function_and_case() {
        let bad = GOOD.replace(
            "### end",
            "\
### case lwe: decapsulation
==7== Conditional jump or move depends on uninitialised value(s)
==7==    at 0x1: fold<u8> (library/core/src/iter.rs:7)
==7==    by 0x1: {closure#0} (crates/ringwork/src/bits.rs:40)
### without a secret: lwe: decapsulation
### end",
        );
        let [first, second] = &complaints(&bad)[..] else { panic!("two complaints") };
        assert!(first.starts_with("lwe: decapsulation: branch on a secret in "), "{first}");
        assert!(first.ends_with(" (crates/ringwork/src/bits.rs:40)"), "{first}");
        assert!(second.contains("nothing secret came out"), "{second}");
    }
}
