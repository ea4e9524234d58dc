//! Products by NTL, in a C++ program that is built and run here, if NTL is installed.

use crate::{checkout, fault::Fault};
use serde::Deserialize;
use std::{path::PathBuf, process::Command};
use tempfile::TempDir;

const SOURCE: &str = "crates/workbench/peers/ntl.cpp";

/// How it is built: as the programs of Royher's thesis.
pub(crate) const FLAGS: [&str; 4] = ["-g", "-O2", "-march=native", "-std=c++17"];

/// The built program.
#[derive(Debug)]
pub(crate) struct Ntl {
    folder: TempDir,
}

/// One product by both of NTL's types, in nanoseconds per call.
#[derive(Debug, Deserialize)]
#[expect(non_snake_case, reason = "NTL's names")]
pub(crate) struct Product {
    pub(crate) zz_pX: Vec<f64>,
    pub(crate) zz_pX_calls: u32,
    pub(crate) ZZ_pX: Vec<f64>,
    pub(crate) ZZ_pX_calls: u32,
}

/// Runs of an encryption, in nanoseconds, and the share of the message's coefficients that came
/// back.
#[derive(Debug, Deserialize)]
pub(crate) struct Encryption {
    pub(crate) nanoseconds: Vec<f64>,
    pub(crate) right: f64,
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
            .args(FLAGS)
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

    /// One product in `Z_q[X]/(X^n + 1)`, often.
    pub(crate) fn product(&self, n: usize, q: u64, samples: usize) -> Result<Product, Fault> {
        self.run("product", &[n, q as usize, samples])
    }

    /// Key generation, encryption and decryption of one polynomial with matrices of `m` by `m`.
    pub(crate) fn encryption(&self, n: usize, q: u64, m: usize, runs: usize) -> Result<Encryption, Fault> {
        self.run("encryption", &[n, q as usize, m, runs])
    }

    fn run<T: for<'a> Deserialize<'a>>(&self, what: &str, numbers: &[usize]) -> Result<T, Fault> {
        let output = Command::new(self.program())
            .arg(what)
            .args(numbers.iter().map(usize::to_string))
            .output()
            .map_err(|e| Fault::Internal(format!("the program of NTL does not start: {e}")))?;
        serde_json::from_slice(&output.stdout)
            .map_err(|e| Fault::Internal(format!("the program of NTL did not answer as expected: {e}")))
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("ntl")
    }
}
