//! `release`: the command, what runs under memcheck, and the engine in both, as users get them.
//!
//! One build serves `codegen`, `vectors`, `ct` and whoever follows the front page: features and settings are
//! those of `cargo run --release`, so that the engine is compiled once.

use crate::{
    cargo::{capture, cargo},
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use serde::Deserialize;
use std::path::{Path, PathBuf};

pub(crate) struct Release {
    /// `ringwork`.
    pub(crate) command: PathBuf,
    /// `ringwork-ct`.
    pub(crate) secrets: PathBuf,
    /// The library ntt.
    pub(crate) engine: PathBuf,
    /// The C library, shared.
    pub(crate) c_library: PathBuf,
    /// The C library, as an archive.
    pub(crate) c_archive: PathBuf,
}

#[derive(Deserialize)]
struct Message {
    manifest_path: PathBuf,
    executable: Option<PathBuf>,
    filenames: Vec<PathBuf>,
}

pub(crate) fn run(_: &mut Tally) -> Result<(), Stop> {
    Ok(build().map(drop)?)
}

/// Builds what is not built yet.
pub(crate) fn build() -> Result<Release, String> {
    let mut command = cargo(["build", "--release", "--message-format=json-render-diagnostics"]);
    let packages = ["ringwork-workbench", "ringwork-ct", "ringwork-c"];
    let messages = capture(command.args(packages.iter().flat_map(|name| ["--package", name])))?;
    let messages: Vec<Message> = messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let workspace = Workspace::read()?;
    let file = |package: &str, wanted: &dyn Fn(&Path) -> bool| {
        let manifest = &workspace.package(package)?.manifest_path;
        let made = messages.iter().filter(|message| message.manifest_path == *manifest);
        let mut files = made.flat_map(|message| message.executable.iter().chain(&message.filenames));
        files.find(|file| wanted(file)).cloned().ok_or_else(|| format!("cargo names nothing of {package}"))
    };
    let named = |name: &'static str| move |file: &Path| file.file_stem().is_some_and(|stem| stem == name);
    Ok(Release {
        command: file("ringwork-workbench", &named("ringwork"))?,
        secrets: file("ringwork-ct", &named("ringwork-ct"))?,
        engine: file("ringwork-ntt", &|file| file.extension().is_some_and(|extension| extension == "rlib"))?,
        c_library: file("ringwork-c", &|file| file.extension().is_some_and(|extension| extension == "so"))?,
        c_archive: file("ringwork-c", &|file| file.extension().is_some_and(|extension| extension == "a"))?,
    })
}
