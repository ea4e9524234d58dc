//! The same products by NTL, in a C++ program that is built and run here, if NTL is installed.

use super::{super::checkout, M};
use crate::fault::Fault;
use std::{path::PathBuf, process::Command};
use tempfile::TempDir;

const SOURCE: &str = "crates/workbench/peers/ntl.cpp";

/// The built program.
#[derive(Debug)]
pub(crate) struct Ntl {
    folder: TempDir,
}

impl Ntl {
    /// Builds it with `c++`.
    ///
    /// **Errors** if there is no checkout, no compiler or no NTL.
    pub(crate) fn build() -> Result<Self, Fault> {
        let source = checkout::with("--peers", SOURCE)?.join(SOURCE);
        let folder = TempDir::new().map_err(|e| Fault::Internal(format!("no temporary folder: {e}")))?;
        let this = Self { folder };
        let built = Command::new("c++")
            .args(["-O3", "-march=native", "-std=c++17"])
            .arg(&source)
            .arg("-o")
            .arg(this.program())
            .args(["-lntl", "-lgmp", "-lpthread"])
            .output()
            .map_err(|e| Fault::Negative(format!("--peers needs a C++ compiler, and c++ does not start: {e}")))?;
        if built.status.success() {
            return Ok(this);
        }
        let said = String::from_utf8_lossy(&built.stderr);
        let first = said.lines().find(|line| line.contains("error")).unwrap_or("no reason given");
        Err(Fault::Negative(format!(
            "--peers compares with NTL, which does not build here ({first}); install it with its headers (Debian: \
             libntl-dev), or leave --peers out"
        )))
    }

    /// Seconds of every run: `rows` rows of an encryption.
    pub(super) fn seconds(&self, n: usize, q: u64, rows: usize, runs: usize) -> Result<Vec<f64>, Fault> {
        let numbers = [n, q as usize, M, rows, runs].map(|x| x.to_string());
        let output = Command::new(self.program())
            .args(numbers)
            .output()
            .map_err(|e| Fault::Internal(format!("the program of NTL does not start: {e}")))?;
        let times: Vec<f64> = serde_json::from_slice(&output.stdout)
            .map_err(|e| Fault::Internal(format!("the program of NTL did not answer as expected: {e}")))?;
        if times.len() == runs { Ok(times) } else { Err(Fault::Internal("NTL did not run as often as asked".into())) }
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("ntl")
    }
}
