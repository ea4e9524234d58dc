//! The workspace as cargo sees it: packages, what they depend on, and the crates they make.

use crate::cargo::{capture, cargo, host};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The part of `cargo metadata` that the tasks need.
#[derive(Deserialize)]
pub(crate) struct Workspace {
    pub(crate) packages: Vec<Package>,
    /// That of build outputs, wherever the environment puts it.
    pub(crate) target_directory: PathBuf,
}

#[derive(Default, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) description: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) readme: Option<PathBuf>,
    pub(crate) rust_version: Option<String>,
    pub(crate) keywords: Vec<String>,
    pub(crate) categories: Vec<String>,
    /// The registries to which it may go: all, if there is no list.
    pub(crate) publish: Option<Vec<String>>,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) targets: Vec<Target>,
}

#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `None` for an ordinary one, else `dev` or `build`.
    pub(crate) kind: Option<String>,
    pub(crate) optional: bool,
}

/// Something that is compiled: its `src_path` is a crate root.
#[derive(Deserialize)]
pub(crate) struct Target {
    pub(crate) kind: Vec<String>,
    pub(crate) src_path: PathBuf,
}

impl Workspace {
    pub(crate) fn read() -> Result<Self, String> {
        Self::parsed(capture(&mut cargo(["metadata", "--no-deps", "--format-version", "1"]))?)
    }

    /// With the packages of others that it is built from: those for every platform, or, where these
    /// cannot be fetched, for this one.
    pub(crate) fn with_dependencies() -> Result<Self, String> {
        let metadata = || cargo(["metadata", "--locked", "--format-version", "1"]);
        let of_host = || capture(metadata().args(["--offline", "--filter-platform", &host()?]));
        capture(&mut metadata()).or_else(|_| of_host()).and_then(Self::parsed)
    }

    fn parsed(text: String) -> Result<Self, String> {
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
    }

    pub(crate) fn package(&self, name: &str) -> Result<&Package, String> {
        self.packages.iter().find(|package| package.name == name).ok_or_else(|| format!("there is no package {name}"))
    }
}

impl Package {
    pub(crate) fn directory(&self) -> &Path {
        self.manifest_path.parent().expect("a manifest lies in a directory")
    }

    pub(crate) fn is_published(&self) -> bool {
        self.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }

    /// The library of this package, if it is one.
    pub(crate) fn library(&self) -> Option<&Target> {
        self.targets.iter().find(|target| target.kind.iter().any(|kind| kind == "lib"))
    }

    /// Dependencies that every user of the package has to build.
    pub(crate) fn required(&self) -> impl Iterator<Item = &Dependency> {
        self.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev") && !dependency.optional)
    }
}
