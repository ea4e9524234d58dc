//! Programs of others: built here, run beside this one, and asked by lines for batches of calls, which
//! they time themselves.

use crate::checkout;
use std::{
    env,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};
use tempfile::TempDir;

/// What a program is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Public crates, for a CPU by the compiler's name.
    Crates { cpu: &'static str, avx512: bool },
    /// A library with headers: the file in `peers`, what it is linked with, and how it is installed.
    Library { file: &'static str, links: &'static [&'static str], install: &'static str },
}

/// The folder of all.
const FOLDER: &str = "crates/workbench/peers";

/// How libraries' programs are built.
pub(crate) const FLAGS: [&str; 3] = ["-O3", "-march=native", "-std=c++17"];

/// A program that runs.
#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    jobs: usize,
    /// Where it was built, if that is to go.
    _folder: Option<TempDir>,
}

impl Program {
    /// Builds it and starts it.
    ///
    /// **Errors** say what is missing, and how it is installed.
    pub(super) fn build(source: Source) -> Result<Self, String> {
        let root =
            checkout::with("--peers", &format!("{FOLDER}/crates/Cargo.toml")).map_err(|fault| fault.to_string())?;
        let folder = root.join(FOLDER);
        match source {
            Source::Crates { cpu, avx512 } => {
                let target = root.join("target/peers").join(cpu);
                let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
                cargo.args(["build", "--quiet", "--release", "--locked"]);
                cargo.args(if avx512 { &["--features", "avx512"][..] } else { &[] });
                cargo.arg("--manifest-path").arg(folder.join("crates/Cargo.toml")).arg("--target-dir").arg(&target);
                cargo.env("RUSTFLAGS", format!("-C target-cpu={cpu}"));
                built(&mut cargo)
                    .map_err(|why| format!("cargo does not build it ({why}); it fetches crates from crates.io"))?;
                Self::start(&target.join("release/ringwork-peers"), None)
            }
            Source::Library { file, links, install } => {
                let made = TempDir::new().map_err(|e| e.to_string())?;
                let program = made.path().join("program");
                let mut compiler = Command::new("c++");
                compiler.args(FLAGS).arg(folder.join(file)).arg("-o").arg(&program).args(links);
                built(&mut compiler).map_err(|why| format!("it does not build here ({why}); {install}"))?;
                Self::start(&program, Some(made))
            }
        }
    }

    fn start(program: &Path, folder: Option<TempDir>) -> Result<Self, String> {
        let mut child = Command::new(program)
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("it does not start: {e}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        Ok(Self { child, input, output: BufReader::new(output), jobs: 0, _folder: folder })
    }

    /// Makes a job: its number, and the digest of a product.
    ///
    /// **Errors** say why there is none.
    pub(super) fn make(&mut self, who: &str, work: &str, n: usize, q: u64) -> Result<(usize, u64), String> {
        let answer = self.ask(&format!("make {who} {work} {n} {q}"))?;
        match answer.split_once(' ') {
            Some(("made", digest)) => {
                self.jobs += 1;
                Ok((self.jobs - 1, digest.parse().map_err(|_| format!("it answers {answer}"))?))
            }
            Some(("none", why)) => Err(why.to_owned()),
            _ => Err(format!("it answers {answer}")),
        }
    }

    /// Forgets all jobs.
    pub(super) fn clear(&mut self) {
        self.jobs = 0;
        // A program that is gone is found out by the next job.
        let _ = self.ask("clear");
    }

    /// Nanoseconds of `calls` calls.
    ///
    /// **Panics** if the program is gone.
    pub(super) fn run(&mut self, job: usize, calls: u32) -> f64 {
        let answer = self.ask(&format!("run {job} {calls}")).expect("a program of others runs");
        answer.parse().expect("nanoseconds")
    }

    fn ask(&mut self, line: &str) -> Result<String, String> {
        let gone = |e: std::io::Error| format!("the program ended: {e}");
        let input = self.input.as_mut().expect("open while it runs");
        writeln!(input, "{line}").and_then(|()| input.flush()).map_err(gone)?;
        let mut answer = String::new();
        match self.output.read_line(&mut answer).map_err(gone)? {
            0 => Err("the program ended".into()),
            _ => Ok(answer.trim_end().to_owned()),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

/// **Errors** with the first line that names one.
fn built(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{} does not start: {e}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().find(|line| line.contains("error")).unwrap_or("no reason given").trim().to_owned())
}
