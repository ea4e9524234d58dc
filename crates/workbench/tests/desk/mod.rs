//! The command in an empty folder, and what a run left behind.

#![allow(dead_code, reason = "each file of tests uses some of it")]

use crate::ssh_keys::{ED25519, ED25519_PUB};
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
    thread,
};
use tempfile::TempDir;

/// The command.
pub(crate) const RINGWORK: &str = env!("CARGO_BIN_EXE_ringwork");

/// The root of the checkout.
pub(crate) fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Bytes without a pattern.
pub(crate) fn file(length: usize) -> Vec<u8> {
    (0..length as u64).map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8).collect()
}

/// What a run left behind.
pub(crate) struct Outcome {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) bytes: Vec<u8>,
    /// Standard output as text; empty if it is none.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Outcome {
    #[track_caller]
    pub(crate) fn is(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    /// Refused with that code, with these words.
    #[track_caller]
    pub(crate) fn says(self, code: i32, words: &str) -> Self {
        let outcome = self.is(code);
        assert!(outcome.err.contains(words), "{words:?} is missing: {}", outcome.err);
        outcome
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out));
        assert_eq!(value["schema"], 1, "{value}");
        value
    }
}

/// An empty folder in which the command runs.
pub(crate) struct Desk(TempDir);

impl Desk {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// With the files of which the examples of help texts and pages speak.
    pub(crate) fn with_examples() -> Self {
        let desk = Self::new();
        desk.put("a.txt", "1\n2\n3\n4\n");
        desk.put("b.txt", "0\n1\n0\n0\n");
        desk.put("letter", "a letter");
        desk.put("bid", "100 euro");
        desk.put("id_ed25519", ED25519);
        desk.put("id_ed25519.pub", ED25519_PUB);
        fs::copy(checkout().join("vectors/products.json"), desk.path("products.json")).unwrap();
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(self.0.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs a command that listens, until it says where.
    #[track_caller]
    pub(crate) fn listen(&self, line: &str) -> Listener {
        let mut child = Command::new(RINGWORK)
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        let address = loop {
            let start = said.len();
            assert!(err.read_line(&mut said).unwrap() > 0, "{line}: {said}");
            if let Some(address) = said[start..].strip_prefix("note: listening on ") {
                break address.trim().to_owned();
            }
        };
        Listener { address, said, err, child }
    }

    /// Runs an example of a page: where it takes two sides, with the other one, and on a port that is free.
    #[track_caller]
    pub(crate) fn example(&self, line: &str) -> Outcome {
        const PRINTED: &str = "127.0.0.1:7420";
        if line.starts_with("kex listen") {
            let listener = self.listen(&line.replace(PRINTED, "127.0.0.1:0"));
            self.run(&format!("kex connect {} --out -", listener.address)).is(0);
            return listener.outcome();
        }
        if line.starts_with("kex connect") {
            let listener = self.listen("kex listen 127.0.0.1:0 --out -");
            let outcome = self.run(&line.replace(PRINTED, &listener.address));
            listener.outcome().is(0);
            return outcome;
        }
        self.run(line)
    }

    /// `name.c` and `name.o` for a message, by `me`.
    #[track_caller]
    pub(crate) fn commit(&self, name: &str, message: &[u8], options: &str) -> Outcome {
        self.put("message", message);
        self.run(&format!("commit --by me --message message --commitment {name}.c --opening {name}.o {options}"))
    }

    pub(crate) fn run(&self, line: &str) -> Outcome {
        self.run_with(line, "")
    }

    pub(crate) fn run_with(&self, line: &str, input: impl AsRef<[u8]>) -> Outcome {
        Self::run_in(self.0.path(), line, input.as_ref())
    }

    /// Runs it with words that may have blanks in them.
    pub(crate) fn run_words(&self, words: &[&str]) -> Outcome {
        Self::outcome(command_in(self.0.path()).args(words), b"")
    }

    /// Runs it where a folder of the desk has all the programs there are.
    pub(crate) fn run_among(&self, programs: &str, line: &str) -> Outcome {
        let mut command = command_in(self.0.path());
        Self::outcome(command.args(line.split_whitespace()).env("PATH", self.path(programs)), b"")
    }

    /// Whether `script` of util-linux is there, which gives terminals; otherwise that is said.
    pub(crate) fn has_terminals() -> bool {
        let has = Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success());
        if !has {
            eprintln!("skipped: `script` of util-linux is not installed");
        }
        has
    }

    /// How a line ends to which that is typed on a terminal, and what this shows; programs of the folder `bin` are there.
    pub(crate) fn on_a_terminal(&self, line: &str, typed: &str) -> (i32, String) {
        let mut script = Command::new("script");
        script.args(["-qefc", &format!("PATH=bin:$PATH {RINGWORK} {line}"), "/dev/null"]).current_dir(self.0.path());
        let outcome = Self::outcome(&mut script, typed.as_bytes());
        (outcome.code, String::from_utf8_lossy(&outcome.bytes).into_owned())
    }

    pub(crate) fn run_in(folder: &Path, line: &str, input: &[u8]) -> Outcome {
        Self::outcome(command_in(folder).args(line.split_whitespace()), input)
    }

    /// What a command leaves behind.
    pub(crate) fn outcome(command: &mut Command, input: &[u8]) -> Outcome {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(input)); // beside reading: neither pipe holds everything
            child.wait_with_output().unwrap()
        });
        let out = String::from_utf8(output.stdout.clone()).unwrap_or_default();
        let err = String::from_utf8(output.stderr).unwrap();
        Outcome { code: output.status.code().unwrap_or(-1), bytes: output.stdout, out, err }
    }
}

/// The command in a folder, which has what others keep in that of whoever runs the tests.
fn command_in(folder: &Path) -> Command {
    let mut command = Command::new(RINGWORK);
    command.current_dir(folder);
    command.env("XDG_CACHE_HOME", folder.join("cache")).env("XDG_CONFIG_HOME", folder.join("settings"));
    command
}

/// A command that listens; ended with this value.
pub(crate) struct Listener {
    /// Where.
    pub(crate) address: String,
    said: String,
    err: BufReader<ChildStderr>,
    child: Child,
}

impl Listener {
    /// What it left behind.
    pub(crate) fn outcome(mut self) -> Outcome {
        let (mut err, mut bytes) = (std::mem::take(&mut self.said), Vec::new());
        // Both are short, and no pipe fills.
        self.err.read_to_string(&mut err).unwrap();
        self.child.stdout.take().unwrap().read_to_end(&mut bytes).unwrap();
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        Outcome { code, out: String::from_utf8(bytes.clone()).unwrap_or_default(), bytes, err }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
