//! `gen`: files that are checked in although a program of the workspace derives them.

use crate::{
    cargo::{cargo, root, run},
    step::Stop,
    tally::Tally,
};

/// A program that writes derived files, or with `--check` compares them and names those that differ.
struct Generator {
    package: &'static str,
    /// An example of that package.
    example: &'static str,
    /// Where its source is.
    source: &'static str,
    arguments: &'static [&'static str],
}

#[rustfmt::skip]
const GENERATORS: [Generator; 2] = [
    Generator { package: "ringwork-reference", example: "make_vectors", source: "crates/reference/examples/make_vectors.rs", arguments: &["vectors"] },
    Generator { package: "ringwork-ntt", example: "registry", source: "crates/ntt/examples/registry.rs", arguments: &[] },
];

pub(crate) fn write(_: &mut Tally) -> Result<(), Stop> {
    generate(&[])
}

pub(crate) fn check(_: &mut Tally) -> Result<(), Stop> {
    generate(&["--check"])
}

fn generate(mode: &[&str]) -> Result<(), Stop> {
    for generator in GENERATORS.iter().filter(|generator| root().join(generator.source).exists()) {
        println!("{} of {}", generator.example, generator.package);
        let mut command = cargo(["run", "--quiet", "--profile", "test", "--package", generator.package]);
        command.args(["--example", generator.example, "--"]).args(generator.arguments).args(mode);
        run(&mut command)?;
    }
    Ok(())
}
