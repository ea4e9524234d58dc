//! Tells the program which commit it is made of, if it is made in a checkout of Ringwork.

#![forbid(unsafe_code)]

use std::{
    env,
    path::Path,
    process::{Command, Output},
};

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo says where");
    let root = Path::new(&folder).join("../..");
    let git = |arguments: &[&str]| {
        let done = |output: &Output| output.status.success();
        let output = Command::new("git").current_dir(&root).args(arguments).output().ok().filter(done)?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    // The crate may have been unpacked within a checkout of something else.
    let top = git(&["rev-parse", "--show-toplevel"]).and_then(|top| Path::new(&top).canonicalize().ok());
    let commit = if top.is_some() && top == root.canonicalize().ok() { git(&["rev-parse", "HEAD"]) } else { None };
    if let Some(commit) = commit {
        let dirty = git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|changes| !changes.is_empty());
        println!("cargo::rustc-env=RINGWORK_COMMIT={commit}");
        println!("cargo::rustc-env=RINGWORK_DIRTY={dirty}");
        for file in ["HEAD", "index"] {
            if let Some(path) = git(&["rev-parse", "--git-path", file]) {
                println!("cargo::rerun-if-changed={}", root.join(path).display());
            }
        }
        println!("cargo::rerun-if-changed={}", root.join("crates").display());
    }
    println!("cargo::rerun-if-changed=build.rs");
}
