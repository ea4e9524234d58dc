//! Which module a file is, and where its paths may point.

use super::paths::Path;
use std::path;

/// The module that a file makes: `src/ring/mod.rs` and `src/ring.rs` are `ring`, crate roots are the empty path.
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

/// Within ringwork: only the root, `schemes` itself and `registry` see the schemes, no scheme sees another one, and
/// nothing below the root sees `registry`.
pub(super) fn scheme_arrow(path: &Path) -> Result<(), String> {
    let segments: Vec<&str> = path.segments.iter().map(String::as_str).collect();
    let module: Vec<&str> = path.module.iter().map(String::as_str).collect();
    let upward = || Err(format!("upward: `{}` uses `{}`", module.join("::"), segments.join("::")));
    match (&module[..], &segments[..]) {
        ([] | ["registry", ..], _) => Ok(()),
        (_, ["crate", "registry", ..]) => upward(),
        (["schemes"], _) => Ok(()),
        (["schemes", scheme, ..], ["crate", "schemes", target, ..]) if scheme == target => Ok(()),
        (["schemes", scheme, ..], ["crate", "schemes", ..]) => {
            Err(format!("sideways: the scheme {scheme} uses `{}`", segments.join("::")))
        }
        (_, ["crate", "schemes", ..]) => upward(),
        _ => Ok(()),
    }
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
