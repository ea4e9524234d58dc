//! The modules of one crate, and the arrows between them.
//!
//! A module is a file. An arrow goes from the file in which a path stands to the one that defines
//! what it names: imports and re-exports are followed, re-exports alone are no arrows, and code
//! under `#[cfg(test)]` does not count.

use super::paths::{Import, Names, Path};
use std::{collections::BTreeMap, path};

/// A source file of a crate.
pub(super) struct File {
    /// From the root of the workspace.
    pub(super) name: String,
    pub(super) module: Vec<String>,
    pub(super) names: Names,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arrow {
    pub(super) from: Vec<String>,
    pub(super) to: Vec<String>,
    /// `crates/ntt/src/plan/single.rs:7`
    pub(super) place: String,
    /// The path as it is meant.
    pub(super) path: String,
}

/// All arrows between different files of a crate, each pair of files once.
pub(super) fn arrows(files: &[File]) -> Vec<Arrow> {
    let tree = Tree { files: files.iter().map(|file| (file.module.as_slice(), file)).collect() };
    let mut found: Vec<Arrow> = Vec::new();
    for file in files {
        for path in &file.names.paths {
            let Some(target) = tree.target(path) else { continue };
            if *target.module != file.module && tree.is_used(file, path, target) {
                let place = format!("{}:{}", file.name, path.line);
                let arrow = Arrow {
                    from: file.module.clone(),
                    to: target.module.clone(),
                    place,
                    path: path.segments.join("::"),
                };
                if !found.iter().any(|other| (&other.from, &other.to) == (&arrow.from, &arrow.to)) {
                    found.push(arrow);
                }
            }
        }
    }
    found
}

/// How many imports a name may go through.
const MAX_IMPORTS: usize = 16;

struct Tree<'a> {
    files: BTreeMap<&'a [String], &'a File>,
}

/// What a path names: a file, and a name in it unless it is that module itself.
#[derive(Clone, Copy)]
struct Target<'a> {
    module: &'a Vec<String>,
    is_module: bool,
}

impl<'a> Tree<'a> {
    /// The file of a module, which may be written within it.
    fn file(&self, module: &[String]) -> Option<&'a File> {
        (0..=module.len()).rev().find_map(|length| self.files.get(&module[..length]).copied())
    }

    fn target(&self, path: &Path) -> Option<Target<'a>> {
        self.resolve(&path.segments, &path.module, path.import.as_ref(), MAX_IMPORTS)
    }

    /// What `segments` mean in `module`. An import does not explain itself.
    fn resolve(
        &self,
        segments: &[String],
        module: &[String],
        own: Option<&Import>,
        depth: usize,
    ) -> Option<Target<'a>> {
        let (head, rest) = segments.split_first()?;
        if head == "crate" {
            return self.below(self.file(&[])?, rest, depth);
        }
        let file = self.file(module)?;
        if let Some(child) = self.child(file, head) {
            return self.below(child, rest, depth);
        }
        match own {
            Some(own) if own.name == *head => None,
            // Globs do not explain one another.
            Some(own) if own.name == "*" => self.named(file, head, rest, depth)?,
            _ => self.imported(file, head, rest, depth)?,
        }
    }

    fn child(&self, file: &File, name: &str) -> Option<&'a File> {
        let mut module = file.module.clone();
        module.push(name.to_owned());
        self.files.get(module.as_slice()).copied()
    }

    /// What `segments` mean from `file` on.
    fn below(&self, file: &'a File, segments: &[String], depth: usize) -> Option<Target<'a>> {
        let here = Target { module: &file.module, is_module: segments.is_empty() };
        let Some((head, rest)) = segments.split_first() else { return Some(here) };
        if let Some(child) = self.child(file, head) {
            return self.below(child, rest, depth);
        }
        self.imported(file, head, rest, depth).unwrap_or(Some(here))
    }

    /// What `head::rest` mean if `file` imports `head`, by its name or by a glob: `Some(None)` from
    /// another crate.
    fn imported(&self, file: &'a File, head: &str, rest: &[String], depth: usize) -> Option<Option<Target<'a>>> {
        self.named(file, head, rest, depth).or_else(|| {
            let depth = depth.checked_sub(1)?;
            let globs = file.names.paths.iter().filter_map(|path| Some((path, path.import.as_ref()?)));
            globs.filter(|(_, import)| import.name == "*").find_map(|(path, import)| {
                let outside = &path.segments[..path.segments.len() - 1];
                let source = self.file(self.resolve(outside, &path.module, Some(import), depth)?.module)?;
                let whole = [&[head.to_owned()], rest].concat();
                source.names.defined.contains(head).then(|| self.below(source, &whole, depth))
            })
        })
    }

    /// The same, by its name alone.
    fn named(&self, file: &'a File, head: &str, rest: &[String], depth: usize) -> Option<Option<Target<'a>>> {
        let depth = depth.checked_sub(1)?;
        let path = file.names.paths.iter().find(|path| path.import.as_ref().is_some_and(|i| i.name == head))?;
        Some(self.resolve(&[&path.segments, rest].concat(), &path.module, path.import.as_ref(), depth))
    }

    /// A module's name in a `use` is there for the paths that begin with it; a name that is only
    /// passed on is not used.
    fn is_used(&self, file: &File, path: &Path, target: Target<'_>) -> bool {
        let Some(import) = &path.import else { return true };
        !target.is_module && (!import.public || file.names.mentioned.contains(&import.name))
    }
}

/// The module that a file makes: `src/ring/mod.rs` and `src/ring.rs` are `ring`, crate roots are
/// the empty path.
pub(super) fn of_file(inside_package: &path::Path) -> Vec<String> {
    let Ok(inside) = inside_package.strip_prefix("src") else { return Vec::new() };
    let file = inside.with_extension("");
    let mut names: Vec<String> = file.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let is_root = names.len() == 1 && matches!(names[0].as_str(), "lib" | "main");
    if is_root || names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_module_of_its_name() {
        let module = |path: &str| of_file(path::Path::new(path)).join("::");
        assert_eq!(module("src/lib.rs"), "");
        assert_eq!(module("src/ring.rs"), "ring");
        assert_eq!(module("src/schemes/mod.rs"), "schemes");
        assert_eq!(module("src/schemes/newhope/encode.rs"), "schemes::newhope::encode");
        assert_eq!(module("tests/agree.rs"), "");
    }
}
