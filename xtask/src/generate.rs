//! `gen`: files that are checked in although a program of the workspace derives them.

use crate::{
    cargo::{program, root, run},
    programs,
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use std::path::PathBuf;

/// An example that writes derived files, or with `--check` compares them and names those that
/// differ.
struct Generator {
    package: &'static str,
    example: &'static str,
    /// What it is called with, besides `--check`.
    arguments: &'static [&'static str],
}

/// A new generator is one more row.
const GENERATORS: [Generator; 4] = [
    Generator { package: "ringwork-ntt", example: "compiled_rings", arguments: &[] },
    Generator { package: "ringwork-ntt", example: "fixed_rings", arguments: &[] },
    Generator { package: "ringwork-processor", example: "rtl_sets", arguments: &[] },
    Generator { package: "ringwork-reference", example: "make_vectors", arguments: &["vectors"] },
];

pub(crate) fn write(_: &mut Tally) -> Result<(), Stop> {
    generate(&[])
}

pub(crate) fn check(_: &mut Tally) -> Result<(), Stop> {
    generate(&["--check"])
}

fn generate(mode: &[&str]) -> Result<(), Stop> {
    let workspace = Workspace::read()?;
    for generator in &GENERATORS {
        exists(generator, &workspace)?;
    }
    let programs = programs::examples(&GENERATORS.each_ref().map(|generator| generator.example))?;
    for (generator, path) in GENERATORS.iter().zip(programs) {
        println!("{} of {}", generator.example, generator.package);
        run(program(path).args(generator.arguments).args(mode))?;
    }
    Ok(())
}

/// That a generator was not removed or renamed, which would leave its files as they are for ever.
fn exists(generator: &Generator, workspace: &Workspace) -> Result<(), String> {
    let directory = workspace.package(generator.package)?.directory();
    let sources = ["", "/main"].map(|end| directory.join(format!("examples/{}{end}.rs", generator.example)));
    if sources.iter().any(|source| source.exists()) {
        return Ok(());
    }
    let source: PathBuf = sources[0].strip_prefix(root()).unwrap_or(&sources[0]).to_owned();
    Err(format!("{} does not exist: `gen` needs it, or its row in xtask/src/generate.rs goes", source.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generators of the list exist, and one that does not is named by its file.
    #[test]
    fn a_missing_generator_is_an_error() {
        let workspace = Workspace::read().unwrap();
        assert!(GENERATORS.iter().all(|generator| exists(generator, &workspace).is_ok()));
        let gone = Generator { package: "ringwork-ntt", example: "no_such_program", arguments: &[] };
        let reason = exists(&gone, &workspace).unwrap_err();
        assert!(reason.starts_with("crates/ntt/examples/no_such_program.rs does not exist"), "{reason}");
        let nowhere = Generator { package: "ringwork-nowhere", ..gone };
        assert_eq!(exists(&nowhere, &workspace).unwrap_err(), "there is no package ringwork-nowhere");
    }
}
