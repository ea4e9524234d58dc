//! Programs of others: built here, run beside this one, and asked by lines for batches of calls, which
//! they time themselves.

use crate::checkout;
use std::{
    env,
    ffi::OsString,
    io::{BufRead, BufReader, Write},
    path::{self, Path, PathBuf},
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
    /// Sources that the user has.
    Sources(Sources),
}

/// A copy of a repository in the folder of copies, and what is compiled of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sources {
    /// Owner and name on GitHub; the copy has the same name.
    pub(super) repository: &'static str,
    /// The program in `peers`.
    pub(super) file: &'static str,
    /// Folders of the copy with headers, the first one that of the sources as well.
    pub(super) folders: &'static [&'static str],
    /// Sources in C and assembly.
    pub(super) sources: &'static [&'static str],
    /// For all compilers.
    pub(super) defines: &'static [&'static str],
}

/// The variable of the environment that names the folder of copies.
pub(super) const COPIES: &str = "RINGWORK_PEERS";

/// The folder of all.
const FOLDER: &str = "crates/workbench/peers";

/// How libraries' programs are built.
pub(crate) const FLAGS: [&str; 3] = ["-O3", "-march=native", "-std=c++17"];
/// How sources in C are: the same without a standard of C++.
const FLAGS_OF_C: &[&str] = FLAGS.split_at(2).0;

/// A program that runs.
#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    jobs: usize,
    /// Compiler, flags, and the commit of a copy.
    how: String,
    /// Where it was built, if that is to go.
    _folder: Option<TempDir>,
}

impl Program {
    /// Builds it and starts it; `copies` is the folder of copies.
    ///
    /// **Errors** say what is missing, and how it is installed.
    pub(super) fn build(source: Source, copies: Option<&Path>) -> Result<Self, String> {
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
                Self::start(&target.join("release/ringwork-peers"), None, format!("cargo for {cpu}"))
            }
            Source::Library { file, links, install } => {
                let made = TempDir::new().map_err(|e| e.to_string())?;
                let program = made.path().join("program");
                let mut compiler = Command::new(compiler_of("CXX", "c++"));
                compiler.args(FLAGS).arg(folder.join(file)).arg("-o").arg(&program).args(links);
                built(&mut compiler).map_err(|why| format!("it does not build here ({why}); {install}"))?;
                Self::start(&program, Some(made), format!("{} {}", version(compiler_of("CXX", "c++")), FLAGS.join(" ")))
            }
            Source::Sources(sources) => {
                let copy = sources.copy(copies)?;
                let made = TempDir::new().map_err(|e| e.to_string())?;
                let program = sources
                    .compile(&copy, &folder, made.path())
                    .map_err(|why| format!("{} does not build here ({why}); {}", copy.display(), sources.install()))?;
                Self::start(&program, Some(made), sources.how(&copy))
            }
        }
    }

    fn start(program: &Path, folder: Option<TempDir>, how: String) -> Result<Self, String> {
        let mut child = Command::new(program)
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("it does not start: {e}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        Ok(Self { child, input, output: BufReader::new(output), jobs: 0, how, _folder: folder })
    }

    /// Compiler, flags, and the commit of a copy.
    pub(super) fn how(&self) -> &str {
        &self.how
    }

    /// Makes a job: its number, and the digest of what it gives.
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

impl Sources {
    fn name(&self) -> &'static str {
        self.repository.split('/').next_back().expect("owner and name")
    }

    /// How they come to be there.
    fn install(&self) -> String {
        let Self { repository, .. } = self;
        format!("git clone https://github.com/{repository} \"${COPIES}/{}\"", self.name())
    }

    /// The copy with all sources.
    ///
    /// **Errors** say what is not there, and how it is made.
    fn copy(&self, copies: Option<&Path>) -> Result<PathBuf, String> {
        let Some(copies) = copies else {
            return Err(format!("{COPIES} names no folder with copies of repositories; {}", self.install()));
        };
        // Compilers run elsewhere.
        let copy = path::absolute(copies.join(self.name())).map_err(|e| e.to_string())?;
        if !copy.is_dir() {
            return Err(format!("there is no folder {}; {}", copy.display(), self.install()));
        }
        match self.files(&copy).find(|file| !file.is_file()) {
            Some(file) => {
                Err(format!("{} is not there: the copy may be of another version; {}", file.display(), self.install()))
            }
            None => Ok(copy),
        }
    }

    fn files<'a>(&'a self, copy: &Path) -> impl Iterator<Item = PathBuf> + 'a {
        let folder = copy.join(self.folders[0]);
        self.sources.iter().map(move |source| folder.join(source))
    }

    /// The program, in the folder `made`.
    ///
    /// **Errors** with the first line of a compiler that names one.
    fn compile(&self, copy: &Path, peers: &Path, made: &Path) -> Result<PathBuf, String> {
        let program = made.join("program");
        let compiler = |name: OsString, flags: &[&str]| {
            let mut compiler = Command::new(name);
            compiler.current_dir(made).args(flags).args(self.defines);
            // Ours come first, in the place of what a build of theirs would write.
            compiler.arg("-I").arg(peers.join(self.name()));
            for folder in self.folders {
                compiler.arg("-I").arg(copy.join(folder));
            }
            compiler
        };
        if !self.sources.is_empty() {
            built(compiler(compiler_of("CC", "cc"), FLAGS_OF_C).arg("-c").args(self.files(copy)))?;
        }
        let objects = self.sources.iter().map(|source| Path::new(source).with_extension("o"));
        let objects = objects.map(|object| made.join(object.file_name().expect("a file")));
        built(
            compiler(compiler_of("CXX", "c++"), &FLAGS)
                .arg(peers.join(self.file))
                .args(objects)
                .arg("-o")
                .arg(&program),
        )?;
        Ok(program)
    }

    /// The commit of the copy if it is a checkout, the compiler of its sources, and its flags.
    fn how(&self, copy: &Path) -> String {
        let mut git = Command::new("git");
        git.arg("-C").arg(copy).args(["describe", "--always", "--dirty", "--exclude", "*"]);
        let commit = copy.join(".git").exists().then(|| first_line(&mut git)).flatten();
        let commit = commit.map_or_else(|| "no checkout".to_owned(), |commit| format!("commit {commit}"));
        let (compiler, flags) = match self.sources {
            [] => (compiler_of("CXX", "c++"), &FLAGS[..]),
            _ => (compiler_of("CC", "cc"), FLAGS_OF_C),
        };
        format!("{commit}, {} {}", version(compiler), flags.join(" "))
    }
}

/// The compiler that a variable of the environment names, or the usual one.
fn compiler_of(variable: &str, usual: &str) -> OsString {
    env::var_os(variable).filter(|name| !name.is_empty()).unwrap_or_else(|| usual.into())
}

/// A compiler as it names itself.
fn version(compiler: OsString) -> String {
    first_line(Command::new(&compiler).arg("--version")).unwrap_or_else(|| compiler.display().to_string())
}

/// The first line that a command prints, if it succeeds.
fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(|line| line.trim().to_owned())
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
