//! `licences`: everything that the workspace is built from may be used under a permissive licence.

use crate::{step::Stop, tally::Tally, workspace::Workspace};
use std::{collections::BTreeMap, iter::Peekable};

/// Permissive licences, by their SPDX names.
const PERMITTED: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

pub(crate) fn run(_: &mut Tally) -> Result<(), Stop> {
    let workspace = Workspace::with_dependencies()?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refused = Vec::new();
    for package in &workspace.packages {
        let licence = package.license.as_deref().unwrap_or("no licence");
        *counts.entry(licence).or_default() += 1;
        if !is_permitted(licence) {
            refused.push(format!("{} {}: {licence}", package.name, package.version));
        }
    }
    counts.iter().for_each(|(licence, count)| println!("{count:4} {licence}"));
    refused.iter().for_each(|package| println!("{package}"));
    match refused.len() {
        0 => Ok(()),
        count => Err(Stop::Failed(format!("{count} packages have no licence of the list in xtask/src/licences.rs"))),
    }
}

/// Whether an SPDX expression can be met by permissive licences alone. `/` is an old way to write
/// `OR`; an exception (`WITH`) only permits more.
fn is_permitted(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    either(&mut words) == Some(true) && words.next().is_none()
}

/// Alternatives; `None` is no expression.
fn either<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<bool> {
    let mut permitted = all(words)?;
    while words.next_if_eq(&"OR").is_some() {
        permitted |= all(words)?;
    }
    Some(permitted)
}

fn all<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<bool> {
    let mut permitted = one(words)?;
    while words.next_if_eq(&"AND").is_some() {
        permitted &= one(words)?;
    }
    Some(permitted)
}

fn one<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<bool> {
    let name = words.next()?;
    if name == "(" {
        let permitted = either(words)?;
        return (words.next()? == ")").then_some(permitted);
    }
    if words.next_if_eq(&"WITH").is_some() {
        words.next()?;
    }
    Some(PERMITTED.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_or_not() {
        for good in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        ] {
            assert!(is_permitted(good), "{good}");
        }
        for bad in ["GPL-3.0", "MIT AND GPL-3.0", "MPL-2.0", "no licence", "", "(MIT", "MIT OR", "MIT MIT"] {
            assert!(!is_permitted(bad), "{bad}");
        }
    }
}
