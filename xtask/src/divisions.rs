//! `divisions`: no function of `ringwork` divides, but those of public numbers.
//!
//! Clippy forbids `/` and `%` in the source where secrets are; this looks at what the compiler made
//! of it. The programs of `ringwork`'s tests hold its functions, the generic ones included, as they
//! were compiled for use; `objdump` shows them.

use crate::{
    cargo::{capture, program},
    programs,
    skips::OBJDUMP_MISSING,
    step::Stop,
    tally::Tally,
};
use rustc_demangle::demangle;
use std::collections::BTreeMap;

/// Parts of names of functions whose divisions are by and of public numbers, and what those are.
const PUBLIC: [(&str, &str); 10] = [
    ("ringwork::estimate", "sizes of parameters"),
    ("::params::", "sizes of parameters"),
    ("gaussian::", "making tables: standard deviations"),
    ("sample::uniform", "making samplers: bounds"),
    ("CommitmentKey", "matrices of a key, verification"),
    ("Schoolbook", "the reciprocal of the modulus, the number of rows"),
    ("ringwork::module", "numbers of polynomials in vectors and matrices"),
    ("schemes::lwe::Lwe<T,M>", "numbers of polynomials in vectors and matrices"),
    ("schemes::mldsa::", "numbers of polynomials in vectors and matrices, by inlined functions of the engine"),
    ("::test", "tests"),
];

pub(crate) fn run(_: &mut Tally) -> Result<(), Stop> {
    if capture(program("objdump").arg("--version")).is_err() {
        return Err(Stop::Skipped(OBJDUMP_MISSING.into()));
    }
    let programs = programs::tests("ringwork")?;
    let mut found = BTreeMap::new();
    let mut functions = 0;
    for path in &programs {
        let listing = capture(program("objdump").args(["--disassemble", "--no-show-raw-insn"]).arg(path))?;
        functions += divisions(&listing, &mut found);
    }
    if functions == 0 {
        return Err(Stop::Failed("the tests of ringwork hold none of its functions".into()));
    }
    let refused: Vec<_> =
        found.iter().filter(|(name, _)| !PUBLIC.iter().any(|(part, _)| name.contains(part))).collect();
    let idle: Vec<_> =
        PUBLIC.iter().filter(|(part, _)| !found.keys().any(|name| name.contains(part))).map(|(part, _)| part).collect();
    if !idle.is_empty() {
        return Err(Stop::Failed(format!("no function that divides is called {idle:?}: take them off the list")));
    }
    if refused.is_empty() {
        println!("{functions} functions in {} programs: {} divide, all by public numbers", programs.len(), found.len());
        return Ok(());
    }
    refused.iter().for_each(|(name, count)| println!("{name}: {count} divisions"));
    Err(Stop::Failed(format!("{} functions divide, whose time may depend on secrets", refused.len())))
}

/// Counts the functions of `ringwork` in a listing, and notes the divisions in each.
fn divisions(listing: &str, found: &mut BTreeMap<String, usize>) -> usize {
    let mut functions = 0;
    let mut current = None;
    for line in listing.lines() {
        if let Some(symbol) = line.strip_suffix(">:").and_then(|line| line.split_once('<')).map(|(_, symbol)| symbol) {
            let name = format!("{:#}", demangle(symbol));
            let ours = name.starts_with("ringwork::") || name.starts_with("<ringwork::");
            functions += usize::from(ours);
            current = ours.then_some(name);
        } else if let Some(name) = &current
            && line.split('\t').nth(1).is_some_and(|code| code.starts_with("div") || code.starts_with("idiv"))
        {
            *found.entry(name.clone()).or_default() += 1;
        }
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_of_our_functions_are_found() {
        let listing = "\
0000000000001000 <_RNvNtCs1_8ringwork3kem12check_length>:
    1000:\tmov    %rsp,%rbp
    1003:\tdiv    %rcx
    1006:\tidivq  (%rax)
0000000000001010 <_RNvCs1_5other1f>:
    1010:\tdiv    %rcx
";
        let mut found = BTreeMap::new();
        assert_eq!(divisions(listing, &mut found), 1);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [("ringwork::kem::check_length".to_owned(), 2)]);
    }
}
