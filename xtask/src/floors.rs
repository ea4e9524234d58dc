//! `floors`: arrows between crates and modules point down only, `unsafe` stays where it is allowed, and secrets stay
//! where they are ([`secrets`]).
//!
//! | floor | |
//! |---|---|
//! | 5 | workbench, xtask, ct, c |
//! | 4 | papers, processor, age, rustls, integers, prove; `ringwork::registry`, which uses all schemes; `ringwork::schemes`, whose modules never use one another |
//! | 3 | the rest of ringwork |
//! | 2 | ntt |
//! | 1 | lanes |
//! | apart | reference: depends on none of ours, and only tests depend on it |
//!
//! Between crates the manifests tell everything, since cargo lets a crate name nothing else.
//! Between the modules of a crate the paths in its source do ([`modules`], [`circles`]): none may
//! use one another in circles, and where a table below gives the floors of a package, none may use
//! a higher one.

mod circles;
mod modules;
mod paths;
mod secrets;
pub(crate) mod source;

use crate::{
    cargo::root,
    step::Stop,
    tally::Tally,
    workspace::{Package, Workspace},
};
use source::tokens;
use std::path::{Path, PathBuf};

const FLOORS: [(&str, u8); 14] = [
    ("ringwork-lanes", 1),
    ("ringwork-ntt", 2),
    ("ringwork", 3),
    ("ringwork-papers", 4),
    ("ringwork-processor", 4),
    ("ringwork-age", 4),
    ("ringwork-rustls", 4),
    ("ringwork-integers", 4),
    ("ringwork-prove", 4),
    ("ringwork-workbench", 5),
    ("ringwork-ct", 5),
    ("ringwork-c", 5),
    ("ringwork-wasm", 6),
    ("xtask", 5),
];
const REFERENCE: &str = "ringwork-reference";
/// The package that may depend on the reference outside its tests.
const TOOLS: &str = "xtask";
/// Floors inside a package: the modules and folders below its root, the lowest first. All of them,
/// or none.
const INSIDE: [(&str, &[&str]); 2] = [
    (
        "ringwork-ntt",
        &[
            "threads",
            "arith",
            "ring",
            "reduction",
            "kernels",
            "network",
            "model",
            "planner",
            "exec",
            "fixed",
            "word",
            "input",
            "inner_products",
            "transform",
            "plan",
            "rns",
            "with",
        ],
    ),
    (
        "ringwork",
        &[
            "ct",
            "decode",
            "estimate",
            "xof",
            "kem",
            "pem",
            "key_info",
            "object",
            "ring",
            "eights",
            "sample",
            "bits",
            "once",
            "module",
            "schemes",
            "xwing",
            "standards",
            "registry",
        ],
    ),
];
/// Folders whose modules do not know one another.
const APART: [(&str, &[&str]); 1] = [("ringwork", &["schemes"])];
/// What is built with nothing but the workspace, also where there is no standard library.
pub(crate) const STANDALONE: [&str; 2] = ["ringwork-lanes", "ringwork-ntt"];
/// Where `unsafe` is allowed, and the packages whose crates therefore cannot forbid it: intrinsics
/// and barriers, pointers of C, memory of WebAssembly, and what asks valgrind, which is in no product.
const UNSAFE: [(&str, &str); 4] = [
    ("crates/lanes/src", "ringwork-lanes"),
    ("crates/c/src", "ringwork-c"),
    ("crates/wasm/src", "ringwork-wasm"),
    ("crates/ct/src/memcheck.rs", "ringwork-ct"),
];

pub(crate) fn run(_: &mut Tally) -> Result<(), Stop> {
    let workspace = Workspace::read()?;
    let mut complaints = manifests(&workspace);
    let mut files = 0;
    for package in &workspace.packages {
        for path in rust_files(package.directory())? {
            files += 1;
            let text = read(&path)?;
            let name = path.strip_prefix(root()).unwrap_or(&path);
            complaints.extend(check_file(package, name, &text));
        }
        let arrows = modules::arrows(&sources(package)?);
        complaints.extend(inside(package, &arrows));
    }
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    match complaints.len() {
        0 => println!("{} packages, {files} files: every arrow points down", workspace.packages.len()),
        1 => return Err(Stop::Failed("1 violation".into())),
        count => return Err(Stop::Failed(format!("{count} violations"))),
    }
    Ok(())
}

/// What the manifests permit: no arrow up or sideways, and nothing foreign below floor 3.
fn manifests(workspace: &Workspace) -> Vec<String> {
    let ours = |name: &str| workspace.packages.iter().any(|package| package.name == name);
    let mut complaints = Vec::new();
    for package in &workspace.packages {
        for dependency in package.dependencies.iter().filter(|dependency| ours(&dependency.name)) {
            let in_tests = dependency.kind.as_deref() == Some("dev");
            let refused = arrow(&package.name, &dependency.name, in_tests).err();
            complaints.extend(refused.map(|reason| format!("{}: {reason}", shown(&package.manifest_path))));
        }
        if STANDALONE.contains(&package.name.as_str()) {
            complaints.extend(standalone(package, workspace));
        }
    }
    complaints
}

/// Whether one package may depend on another one.
fn arrow(from: &str, to: &str, in_tests: bool) -> Result<(), String> {
    if from == to && in_tests {
        return Ok(()); // a package whose tests turn its own features on
    }
    if from == REFERENCE {
        return Err(format!("{from} stands apart and may not use {to}"));
    }
    if to == REFERENCE {
        let allowed = in_tests || from == TOOLS;
        return if allowed { Ok(()) } else { Err(format!("{from} may use {to} in tests only")) };
    }
    let (lower, upper) = (floor(to)?, floor(from)?);
    match lower.cmp(&upper) {
        std::cmp::Ordering::Less => Ok(()),
        std::cmp::Ordering::Equal => Err(format!("sideways: {from} uses {to}, both on floor {upper}")),
        std::cmp::Ordering::Greater => Err(format!("upward: {from} on floor {upper} uses {to} on floor {lower}")),
    }
}

fn floor(package: &str) -> Result<u8, String> {
    let found = FLOORS.iter().find(|(name, _)| *name == package);
    found.map(|&(_, floor)| floor).ok_or_else(|| format!("{package} has no floor: give it one in xtask/src/floors.rs"))
}

/// What keeps a package from being built with nothing but the workspace.
pub(crate) fn standalone(package: &Package, workspace: &Workspace) -> Vec<String> {
    let foreign = package.required().filter(|dependency| workspace.package(&dependency.name).is_err());
    let complaint = |name: &str| format!("{}: {name} is required but not ours", shown(&package.manifest_path));
    foreign.map(|dependency| complaint(&dependency.name)).collect()
}

/// Everything that is wrong in one source file. `name` is its path from the root of the workspace.
fn check_file(package: &Package, name: &Path, text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let at = |line: usize, reason: String| format!("{}:{line}: {reason}", name.display());
    let mut complaints = Vec::new();

    if !UNSAFE.iter().any(|(directory, _)| name.starts_with(directory)) {
        let found = tokens.iter().filter(|token| token.text == "unsafe");
        complaints.extend(found.map(|token| at(token.line, "`unsafe` is not allowed here".into())));
        let is_root = package.targets.iter().any(|target| target.src_path.ends_with(name));
        let exempt = UNSAFE.iter().any(|(_, exempt)| *exempt == package.name);
        if is_root && !exempt && !forbids_unsafe(&tokens) {
            complaints.push(at(1, "this crate root lacks `#![forbid(unsafe_code)]`".into()));
        }
    }
    if name.components().any(|part| part.as_os_str() == "src") {
        complaints.extend(secrets::moving(&tokens).into_iter().map(|(line, reason)| at(line, reason)));
    }
    complaints
}

/// What is wrong between the modules of a package.
fn inside(package: &Package, arrows: &[modules::Arrow]) -> Vec<String> {
    let mut complaints: Vec<String> =
        circles::circles(arrows).iter().map(|circle| format!("{}: {circle}", package.name)).collect();
    for (_, floors) in INSIDE.iter().filter(|(name, _)| *name == package.name) {
        complaints.extend(circles::upward(arrows, floors));
    }
    for (_, folder) in APART.iter().filter(|(name, _)| *name == package.name) {
        complaints.extend(circles::sideways(arrows, folder));
    }
    complaints
}

/// The files of a package's library or program.
fn sources(package: &Package) -> Result<Vec<modules::File>, String> {
    let inside = |path: &Path| shown(path.strip_prefix(package.directory()).unwrap_or(path));
    let mut texts = Vec::new();
    for path in rust_files(&package.directory().join("src"))? {
        texts.push((inside(&path), read(&path)?));
    }
    let mut files = parsed(texts);
    for file in &mut files {
        file.name = shown(&package.directory().join(&file.name));
    }
    Ok(files)
}

/// Files by their names inside the package, without those that are for tests.
fn parsed(texts: impl IntoIterator<Item = (String, String)>) -> Vec<modules::File> {
    let (mut files, mut tests) = (Vec::new(), Vec::new());
    for (name, text) in texts {
        let module = modules::of_file(Path::new(&name));
        let tokens = tokens(&text);
        let (tokens, in_tests) = source::without_tests(&tokens);
        tests.extend(in_tests.iter().map(|test| [&module[..], &[(*test).to_owned()]].concat()));
        files.push(modules::File { name, names: paths::names(&tokens, &module), module });
    }
    files.retain(|file| !tests.iter().any(|test| file.module.starts_with(test)));
    files
}

fn forbids_unsafe(tokens: &[source::Token<'_>]) -> bool {
    let texts: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    texts.windows(8).any(|window| window == ["#", "!", "[", "forbid", "(", "unsafe_code", ")", "]"])
}

/// All Rust files below a directory, sorted.
pub(crate) fn rust_files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A path as it is called from the root of the workspace.
fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests;
