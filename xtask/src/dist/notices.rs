//! What the licences of everything that the programs contain ask to be passed on: their texts, each once.

use super::PACKAGE;
use crate::{
    cargo::{capture, cargo, root},
    workspace::{Package, Workspace},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

const HEAD: &str = "\
The programs of Ringwork contain parts of the packages below, each under its licence, beside the standard library of
Rust (Apache-2.0 OR MIT, https://github.com/rust-lang/rust) and musl (MIT, https://musl.libc.org).
";
const RULE: &str = "\n================================================================================\n";

pub(super) fn of(target: &str) -> Result<String, String> {
    let mut tree = cargo(["tree", "--locked", "--package", PACKAGE, "--target", target]);
    let tree = capture(tree.args(["--edges", "normal", "--prefix", "none", "--format", "{p}"]))?;
    let used: BTreeSet<(&str, &str)> = tree.lines().filter_map(named).collect();
    let workspace = Workspace::with_dependencies()?;
    let foreign = |package: &&Package| !package.manifest_path.starts_with(root());
    let is_used = |package: &&Package| used.contains(&(package.name.as_str(), package.version.as_str()));
    // Texts, and whose they are.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut page = HEAD.to_owned();
    for package in workspace.packages.iter().filter(foreign).filter(is_used) {
        let name = format!("{} {}", package.name, package.version);
        let files = licences(package.directory())?;
        let without = if files.is_empty() { "; its package has no text of it" } else { "" };
        page += &format!("\n{name}: {}{without}", package.license.as_deref().unwrap_or("no licence"));
        for file in files {
            let text = String::from_utf8_lossy(&super::read(&file)?).replace("\r\n", "\n").trim().to_owned();
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for (text, names) in texts {
        page += &format!("\n{RULE}{}{RULE}\n{text}", names.join(", "));
    }
    Ok(page + "\n")
}

/// Name and version in `name v1.2.3 (what else is said)`.
fn named(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

/// Files of a package that are licences by their names.
fn licences(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let is_licence = |name: &String| {
        let name = name.to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|known| name.starts_with(known))
    };
    let paths = super::listed(folder)?.into_iter().filter(is_licence).map(|name| folder.join(name));
    Ok(paths.filter(|path| path.is_file()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_a_tree_are_read() {
        assert_eq!(named("serde_derive v1.0.2 (proc-macro)"), Some(("serde_derive", "1.0.2")));
        assert_eq!(named(""), None);
    }
}
