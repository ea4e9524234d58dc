//! `packages`: what would be published is whole, and a project that knows nothing else can use it.
//!
//! The published crates are packed, unpacked beside the project in `xtask/stranger`, and stand
//! there in place of the registry: the types of all of them are checked as packed, or they are
//! compiled and the project runs. Nothing is fetched, and what others wrote is not compiled again: the
//! project shares the workspace's build directory and its profiles.
//!
//! `packages --publish` asks cargo to publish all of them, each after those that it depends on, up to the upload: what
//! the registry would not take, and what it has under these names, is found before a release.

use crate::{
    cargo::{capture, capture_both, cargo, program, root, run as run_command},
    skips::REGISTRY_UNREACHABLE,
    step::Stop,
    tally::Tally,
    workspace::{Package, Workspace},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

const PROJECT: &str = "xtask/stranger";

/// Without generating code.
pub(crate) fn check(_: &mut Tally) -> Result<(), Stop> {
    // The command is checked and not linked: cargo's own tests do that.
    in_project(&["check", "--workspace"])
}

pub(crate) fn run(_: &mut Tally) -> Result<(), Stop> {
    in_project(&["run", "--profile", "test", "--package", "stranger"])
}

/// All but the upload. Cargo compiles nothing of it: `check` and `run` have done so.
pub(crate) fn publish(_: &mut Tally) -> Result<(), Stop> {
    let workspace = Workspace::read()?;
    let mut command = cargo(["publish", "--workspace", "--dry-run", "--no-verify", "--allow-dirty", "--locked"]);
    let outcome = capture_both(command.arg("--target-dir").arg(workspace.target_directory.join("packed")));
    let [_, said] = outcome.map_err(|reason| match reason.contains("--offline") || !reaches_registry() {
        true => Stop::Skipped(REGISTRY_UNREACHABLE.into()),
        false => Stop::Failed(reason),
    })?;
    let order: Vec<&str> = uploaded(&said).collect();
    println!("cargo would upload, in this order: {}", order.join(", "));
    let missing = published(&workspace).find(|package| !order.contains(&package.name.as_str()));
    missing.map_or(Ok(()), |package| Err(Stop::Failed(format!("cargo would not upload {}", package.name))))
}

fn published(workspace: &Workspace) -> impl Iterator<Item = &Package> {
    workspace.packages.iter().filter(|package| package.is_published())
}

/// The names in lines of cargo like `   Uploading name v1.2.3 (folder)`.
fn uploaded(said: &str) -> impl Iterator<Item = &str> {
    said.lines().filter_map(|line| line.trim_start().strip_prefix("Uploading ")?.split(' ').next())
}

/// Whether something can be had from it that is there: outside the workspace, whose lock file would do.
fn reaches_registry() -> bool {
    capture(cargo(["info", "--quiet", "--registry", "crates-io", "serde"]).current_dir(std::env::temp_dir())).is_ok()
}

/// Packs everything, and has cargo do that with the project.
fn in_project(arguments: &[&str]) -> Result<(), Stop> {
    let workspace = Workspace::read()?;
    let published: Vec<&Package> = published(&workspace).collect();
    for package in &published {
        complete(package)?;
    }
    let packed = workspace.target_directory.join("packed");
    pack(&published, &packed)?;
    let project = project(&published, &packed)?;
    let mut command = cargo([]);
    command.current_dir(project).args(arguments).args(["--quiet", "--offline", "--target-dir"]);
    Ok(run_command(command.arg(&workspace.target_directory))?)
}

/// What cargo only warns of, and only when it publishes.
fn complete(package: &Package) -> Result<(), String> {
    let missing = [
        ("description", package.description.is_none()),
        ("license", package.license.is_none()),
        ("readme", package.readme.is_none()),
        ("rust-version", package.rust_version.is_none()),
        ("keywords", !(1..=5).contains(&package.keywords.len())),
        ("categories", !(1..=5).contains(&package.categories.len())),
    ];
    let missing: Vec<&str> = missing.iter().filter(|(_, missing)| *missing).map(|(what, _)| *what).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("{} lacks {}", package.name, missing.join(", "))) }
}

fn pack(published: &[&Package], packed: &Path) -> Result<(), String> {
    let mut command = cargo(["package", "--quiet", "--no-verify", "--allow-dirty", "--offline", "--target-dir"]);
    command.arg(packed).args(published.iter().flat_map(|package| ["--package", &package.name]));
    run_command(&mut command)
}

/// Unpacks everything, and returns where the project is. The versions of other crates are those of
/// the workspace.
fn project(published: &[&Package], packed: &Path) -> Result<PathBuf, String> {
    let project = packed.join("stranger");
    let failed = |error: std::io::Error| format!("{}: {error}", project.display());
    if project.exists() {
        fs::remove_dir_all(&project).map_err(failed)?;
    }
    fs::create_dir_all(project.join("src")).map_err(failed)?;
    for file in ["Cargo.toml", "src/main.rs"] {
        fs::copy(root().join(PROJECT).join(file), project.join(file)).map_err(failed)?;
    }
    fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock")).map_err(failed)?;
    for Package { name, version, .. } in published {
        let folder = project.join("crates").join(name);
        fs::create_dir_all(&folder).map_err(failed)?;
        let archive = packed.join(format!("package/{name}-{version}.crate"));
        // Packed files are all of one day in 2006: cargo would take what was built of the last ones
        // for new.
        let mut unpack = program("tar");
        run_command(unpack.arg("-xmzf").arg(archive).arg("-C").arg(&folder).arg("--strip-components=1"))?;
        for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
            fs::metadata(folder.join(file)).map_err(|_| format!("{name} is packed without its {file}"))?;
        }
    }
    Ok(project)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_says_what_it_is() {
        let bare = Package { name: "bare".into(), ..Package::default() };
        let lacks = "bare lacks description, license, readme, rust-version, keywords, categories";
        assert_eq!(complete(&bare).unwrap_err(), lacks);
        let workspace = Workspace::read().unwrap();
        let published: Vec<&Package> = published(&workspace).collect();
        let mut names: Vec<&str> = published.iter().map(|package| package.name.as_str()).collect();
        names.sort_unstable();
        let expected = ["", "-age", "-integers", "-lanes", "-ntt", "-papers", "-processor", "-rustls", "-workbench"];
        let expected: Vec<String> = expected.iter().map(|suffix| format!("ringwork{suffix}")).collect();
        assert_eq!(names, expected);
        assert!(published.iter().all(|package| complete(package).is_ok()));
    }

    #[test]
    fn the_order_of_uploads_is_read() {
        let said =
            "   Packaging b v0.1.0 (/b)\n   Uploading b v0.1.0 (/b)\nwarning: aborting upload\n   Uploading a v0.1.0";
        assert_eq!(uploaded(said).collect::<Vec<_>>(), ["b", "a"]);
    }
}
