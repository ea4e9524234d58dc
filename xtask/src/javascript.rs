//! `javascript`: the npm package, its modules compiled with and without vectors; its tests in Node.js, with both.

use crate::{
    browser,
    cargo::{capture, cargo, program, root, run as succeed},
    cross::{has_target, is_recent_node},
    programs,
    python::starts,
    skips::{NODE_MISSING, NPM_PACKAGES_MISSING, WASM_UNKNOWN_TARGET_MISSING},
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

const PACKAGE: &str = "ringwork-wasm";
const SOURCES: &str = "crates/wasm/js";
const TESTS: &str = "crates/wasm/test";
const TARGET: &str = "wasm32-unknown-unknown";
/// Modules, and the profiles that they are compiled with.
const SCHEMES: (&str, &str) = ("schemes", "wasm");
const PLANS: (&str, &str) = ("plans", "wasm-engine");
const FILES: (&str, &str) = ("files", "wasm");
const ALL: [(&str, &str); 3] = [SCHEMES, PLANS, FILES];
/// Where the modules' randomness comes from: functions of their own.
const RANDOMNESS: &str = "--cfg=getrandom_backend=\"custom\"";
/// Kinds of engines, and what the compiler may use on them.
const KINDS: [(&str, &str); 2] = [("simd", "-Ctarget-feature=+simd128"), ("portable", "")];

/// The standards alone, which compile in seconds.
pub(crate) fn schemes(tally: &mut Tally) -> Result<(), Stop> {
    has_tools()?;
    let folder = assemble(&[SCHEMES])?;
    tests(&folder, &["schemes.test.mjs"], tally)
}

/// The whole package as npm installs it, beside noble-post-quantum, and what TypeScript says of its types.
pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    let packed = pack()?;
    let folder = folder()?;
    println!("installing {TESTS}/package.json");
    let install = || program("npm").args(["install", "--silent", "--no-package-lock"]).current_dir(&folder).status();
    if !install().is_ok_and(|status| status.success()) {
        return Err(Stop::Skipped(NPM_PACKAGES_MISSING.into()));
    }
    let install = ["install", "--silent", "--no-package-lock", "--no-save"];
    succeed(program("npm").args(install).arg(&packed).current_dir(&folder))?;
    let all = ["age.test.mjs", "estimate.test.mjs", "noble.test.mjs", "plan.test.mjs", "schemes.test.mjs"];
    tests(&folder, &all, tally)?;
    write_page(&folder)?;
    match browser::find() {
        Ok(path) => {
            let ringwork = programs::program("ringwork-workbench", "ringwork")?;
            let programs = [("CHROMIUM", &path), ("RINGWORK", &ringwork)];
            let programs = programs.map(|(name, path)| (name, path.to_str().unwrap_or_default()));
            run_tests(&folder, &["page.test.mjs"], &[], &programs, tally)?;
        }
        Err(Stop::Skipped(why)) => println!("without the page in Chromium: {why}"),
        Err(stop) => return Err(stop),
    }
    let options = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext", "types.ts"];
    Ok(succeed(program(folder.join("node_modules/.bin/tsc")).args(options).current_dir(&folder))?)
}

/// The page, in one file that needs no server.
pub(crate) fn page() -> Result<(), Stop> {
    has_tools()?;
    Ok(write_page(&assemble(&ALL)?)?)
}

fn write_page(folder: &Path) -> Result<(), String> {
    let (package, page) = (folder.join("node_modules/ringwork"), folder.join("ringwork.html"));
    succeed(program("node").arg("crates/wasm/page/build.mjs").args([&package, &page]))?;
    let bytes = fs::metadata(&page).map_err(|error| error.to_string())?.len();
    println!("{}, {bytes} bytes", page.display());
    Ok(())
}

/// The file that `npm install` takes.
pub(crate) fn pack() -> Result<PathBuf, Stop> {
    has_tools()?;
    if !starts("npm", "--version") {
        return Err(Stop::Skipped(NODE_MISSING.into()));
    }
    let folder = assemble(&ALL)?;
    let package = folder.join("node_modules/ringwork");
    let mut command = program("npm");
    command.args(["pack", "--silent", "--pack-destination"]).arg(&folder).current_dir(&package);
    let packed = folder.join(capture(&mut command)?.trim());
    let bytes = fs::metadata(&packed).map_err(|error| error.to_string())?.len();
    println!("{}, {bytes} bytes", packed.display());
    Ok(packed)
}

fn has_tools() -> Result<(), Stop> {
    has_target(TARGET, WASM_UNKNOWN_TARGET_MISSING)?;
    let version = capture(program("node").arg("--version")).unwrap_or_default();
    if is_recent_node(&version) { Ok(()) } else { Err(Stop::Skipped(NODE_MISSING.into())) }
}

/// Where packages of Node.js look for one another.
fn folder() -> Result<PathBuf, String> {
    Ok(Workspace::read()?.target_directory.join("javascript"))
}

/// The package with these modules where its tests find it.
fn assemble(modules: &[(&str, &str)]) -> Result<PathBuf, String> {
    let folder = folder()?;
    let package = folder.join("node_modules/ringwork");
    // What npm installed besides stays.
    let _ = fs::remove_dir_all(&package);
    fs::create_dir_all(&package).map_err(|error| format!("{}: {error}", package.display()))?;
    copy_all(&root().join(SOURCES), &package)?;
    copy_all(&root().join(TESTS), &folder)?;
    for (from, to) in
        [("crates/wasm/README.md", "README.md"), ("LICENSE-APACHE", "LICENSE-APACHE"), ("LICENSE-MIT", "LICENSE-MIT")]
    {
        copy(&root().join(from), &package.join(to))?;
    }
    let homes = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let homes = homes.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).unwrap_or_default();
    for (module, profile) in modules {
        for (kind, flags) in KINDS {
            println!("compiling {module}, {kind}");
            let built = Workspace::read()?.target_directory.join("wasm").join(kind);
            let mut build = cargo(["build", "--quiet", "--locked", "--package", PACKAGE, "--target", TARGET]);
            build.args(["--profile", profile, "--no-default-features", "--features", module]);
            // Flags of the environment are meant for this machine, whose paths are none of those who run modules.
            let mapped = [root(), &homes].map(|path| format!("--remap-path-prefix={}=", path.display()));
            let flags = [&mapped[..], &[RANDOMNESS.to_owned(), flags.to_owned()]].concat();
            let flags: Vec<String> = flags.into_iter().filter(|flag| !flag.is_empty()).collect();
            build.env("CARGO_TARGET_DIR", &built).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
            succeed(&mut build)?;
            let made = built.join(TARGET).join(profile).join("ringwork_wasm.wasm");
            copy(&made, &package.join(format!("{module}-{kind}.wasm")))?;
        }
    }
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// The files of a folder, but for modules that somebody left there.
fn copy_all(from: &Path, to: &Path) -> Result<(), String> {
    let entries = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()) {
        if path.extension().is_some_and(|extension| extension != "wasm") {
            copy(&path, &to.join(path.file_name().expect("of a folder")))?;
        }
    }
    Ok(())
}

/// Runs tests in an engine with vectors, and in one without.
fn tests(folder: &Path, files: &[&str], tally: &mut Tally) -> Result<(), Stop> {
    let vectors = root().join("vectors");
    let environment = [("RINGWORK_VECTORS", vectors.to_str().ok_or_else(|| "the path is no text".to_owned())?)];
    for options in [&[][..], &["--import", "./portable.mjs"]] {
        run_tests(folder, files, options, &environment, tally)?;
    }
    Ok(())
}

fn run_tests(
    folder: &Path,
    files: &[&str],
    options: &[&str],
    environment: &[(&str, &str)],
    tally: &mut Tally,
) -> Result<(), Stop> {
    let mut command = program("node");
    command.args(options).args(["--test", "--test-reporter=tap"]).args(files).current_dir(folder);
    let output = capture(command.envs(environment.iter().copied()))?;
    let passed = passed(&output).filter(|passed| *passed > 0);
    tally.passed += passed.ok_or_else(|| "Node.js does not say how many tests passed".to_owned())?;
    Ok(())
}

/// The number in `# pass 8`.
fn passed(output: &str) -> Option<u64> {
    output.lines().find_map(|line| line.strip_prefix("# pass "))?.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn tests_of_node_are_counted() {
        assert_eq!(super::passed("1..8\n# tests 8\n# pass 8\n# fail 0\n"), Some(8));
        assert_eq!(super::passed("nothing ran"), None);
    }
}
