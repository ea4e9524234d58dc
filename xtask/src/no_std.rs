//! `no-std`: lanes, ntt and ringwork work where there is no standard library; lanes and ntt need no other crate.

use crate::{
    cargo::{capture, cargo, program, run as run_command},
    floors::{STANDALONE, source::tokens, standalone},
    skips::NO_STD_TARGET_MISSING,
    step::Stop,
    tally::Tally,
    workspace::{Package, Workspace},
};

/// The library's features that need no standard library, without and with an allocator, one by one and together.
const SCHEMES: [&str; 11] = [
    "",
    "mlkem",
    "mldsa",
    "mlkem,mldsa",
    "alloc",
    "alloc,mlkem",
    "alloc,mldsa",
    "xwing",
    "mlkem,pkcs8",
    "mldsa,pkcs8",
    "mlkem,mldsa,xwing,pkcs8",
];

/// Checks the types for a target that has no std; without one, looks at attributes and manifests only
/// and says so.
pub(crate) fn check(_: &mut Tally) -> Result<(), Stop> {
    compiles("check")
}

/// The same, and generates the code.
pub(crate) fn build(_: &mut Tally) -> Result<(), Stop> {
    compiles("build")
}

fn compiles(verb: &str) -> Result<(), Stop> {
    let workspace = Workspace::read()?;
    for name in STANDALONE {
        let package = workspace.package(name)?;
        declares_no_std(package)?;
        if let Some(complaint) = standalone(package, &workspace).first() {
            return Err(Stop::Failed(complaint.clone()));
        }
    }
    let installed = capture(program("rustup").args(["target", "list", "--installed"])).unwrap_or_default();
    let target = installed.lines().find(|target| has_no_std(target));
    let target = target.ok_or_else(|| Stop::Skipped(NO_STD_TARGET_MISSING.into()))?;
    println!("{verb} for {target}");
    let bare = |verb| cargo([verb, "--quiet", "--no-default-features", "--target", target]);
    for features in [&[][..], &["--features", "ringwork-ntt/alloc"]] {
        run_command(bare(verb).args(STANDALONE.iter().flat_map(|name| ["--package", name])).args(features))?;
    }
    let (verb, lints) = if verb == "check" { ("clippy", &["--", "-D", "warnings"][..]) } else { (verb, &[][..]) };
    for features in SCHEMES {
        run_command(bare(verb).args(["--package", "ringwork", "--features", features]).args(lints))?;
    }
    println!("ringwork: {} sets of features", SCHEMES.len());
    Ok(())
}

/// By rustc's naming: the operating system is `none` (`thumbv7em-none-eabi`,
/// `x86_64-unknown-none`).
fn has_no_std(target: &str) -> bool {
    target.split('-').any(|part| part == "none")
}

fn declares_no_std(package: &Package) -> Result<(), String> {
    let root = &package.library().ok_or_else(|| format!("{} is no library", package.name))?.src_path;
    let text = std::fs::read_to_string(root).map_err(|error| format!("{}: {error}", root.display()))?;
    let texts: Vec<&str> = tokens(&text).iter().map(|token| token.text).collect();
    let found = texts.windows(5).any(|window| window == ["#", "!", "[", "no_std", "]"]);
    if found { Ok(()) } else { Err(format!("{} does not declare `#![no_std]`", root.display())) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn knows_bare_targets() {
        assert!(super::has_no_std("thumbv7em-none-eabi"));
        assert!(super::has_no_std("x86_64-unknown-none"));
        assert!(!super::has_no_std("x86_64-unknown-linux-gnu"));
    }
}
