//! The command in an empty folder, and what a run left behind.

#![allow(dead_code, reason = "each file of tests uses some of it")]

use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
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

    pub(crate) fn run_in(folder: &Path, line: &str, input: &[u8]) -> Outcome {
        let mut child = Command::new(RINGWORK)
            .args(line.split_whitespace())
            .current_dir(folder)
            .env("XDG_CACHE_HOME", folder.join("cache")) // not what whoever runs the tests keeps
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
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
