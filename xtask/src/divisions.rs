//! `divisions`: no function of `ringwork` divides, but by and of public numbers.
//!
//! Clippy forbids `/` and `%` in the source where secrets are; this looks at what the compiler made
//! of it. The programs of `ringwork`'s tests hold its functions, the generic ones included, as they
//! were compiled for use; `objdump` shows the divisions in them, and `addr2line` the line of
//! `ringwork` that each comes from, whatever was inlined into what. Divisions that come from the
//! engine are not looked at.

use crate::{
    cargo::{capture, program, root},
    programs,
    skips::OBJDUMP_MISSING,
    step::Stop,
    tally::Tally,
};
use std::{collections::BTreeSet, fs};

/// The source that is looked at.
const SOURCE: &str = "crates/ringwork/src/";

/// Lines whose divisions are by and of public numbers: what their file's path and they hold, and what
/// is divided.
const PUBLIC: [(&str, &str, &str); 22] = [
    ("", "chunks", "numbers of polynomials in vectors and matrices"),
    ("", ".polynomials()", "numbers of polynomials in vectors and matrices"),
    ("estimate/", "", "sizes of parameters"),
    ("params.rs", "", "sizes of parameters"),
    ("ntru/centred.rs", "/ p + 1", "the modulus of messages"),
    ("gaussian/convolution.rs", "", "making tables: standard deviations"),
    ("gaussian/fixed.rs", "from(divisor)", "making tables: exponentials"),
    ("gaussian/draw.rs", "checked_div(terms)", "the number of terms of a sum"),
    ("sample/uniform.rs", "div_ceil(self.group)", "values that are drawn together"),
    ("sample/rejection.rs", "step", "bits of a candidate"),
    ("sample/rejection.rs", "step_by(together)", "candidates that are read together"),
    ("sample/rejection.rs", "min(candidates - first)", "candidates that are read together"),
    ("bdlop/commit.rs", "columns", "places in the matrix of a key"),
    ("bdlop/commit.rs", "bound / n", "norms that are allowed"),
    ("bdlop/proof.rs", "BATCH_BITS", "rounds of a batch, by the modulus"),
    ("bdlop/proof.rs", "numbers.len() / n", "numbers of polynomials in vectors and matrices"),
    ("bdlop/proof.rs", "x.rem_euclid(", "numbers of a statement and of a proof"),
    ("bdlop/proof.rs", "Rejection::new", "standard deviations"),
    ("bdlop/rejection.rs", "alpha", "standard deviations"),
    ("lwe/mod.rs", "reciprocal", "moduli"),
    ("lwe/multiplier.rs", "u64::MAX / q", "the modulus"),
    ("lwe/multiplier.rs", "rows.len()", "numbers of polynomials in vectors and matrices"),
];

pub(crate) fn run(_: &mut Tally) -> Result<(), Stop> {
    if ["objdump", "addr2line"].iter().any(|tool| capture(program(tool).arg("--version")).is_err()) {
        return Err(Stop::Skipped(OBJDUMP_MISSING.into()));
    }
    let programs = programs::tests("ringwork")?;
    let mut found = BTreeSet::new();
    for path in &programs {
        let show = ["--disassemble", "--no-show-raw-insn", "--dynamic-reloc"];
        let listing = capture(program("objdump").args(show).arg(path))?;
        let addresses = divisions(&listing);
        if !addresses.is_empty() {
            let mut frames = program("addr2line");
            frames.args(["--addresses", "--inlines", "--exe"]).arg(path).args(addresses);
            found.extend(places(&capture(&mut frames)?));
        }
    }
    let lines = found.iter().map(Place::line).collect::<Result<Vec<_>, _>>()?;
    let lines: Vec<_> = found.iter().zip(lines).filter_map(|(place, line)| Some((place, line?))).collect();
    let public = |(part, code, _): &(&str, &str, &str), (place, line): &(&Place, String)| {
        place.file.contains(part) && line.contains(code)
    };
    for entry in &PUBLIC {
        if !lines.iter().any(|line| public(entry, line)) {
            return Err(Stop::Failed(format!("no line that divides is {entry:?}: take it off the list")));
        }
    }
    let refused: Vec<_> = lines.iter().filter(|line| !PUBLIC.iter().any(|entry| public(entry, line))).collect();
    if refused.is_empty() {
        println!("{} lines divide in {} programs, all by public numbers", lines.len(), programs.len());
        return Ok(());
    }
    refused.iter().for_each(|(place, line)| println!("{SOURCE}{}:{}: {line}", place.file, place.number));
    Err(Stop::Failed(format!("{} lines divide, whose time may depend on secrets", refused.len())))
}

/// The addresses of the divisions in a listing, and of the instructions that name functions that divide,
/// by themselves or by the place that a relocation fills.
fn divisions(listing: &str) -> Vec<&str> {
    let name =
        |line: &str| line.strip_suffix(">:").is_some_and(|name| name.ends_with("divti3") || name.ends_with("modti3"));
    let functions = listing.lines().filter(|line| name(line)).filter_map(|line| line.split(' ').next());
    let functions: Vec<_> = functions.map(|address| address.trim_start_matches('0')).collect();
    let relocated =
        |line: &&str| line.rsplit_once("*+0x").is_some_and(|(_, to)| functions.contains(&to.trim_start_matches('0')));
    let slots = listing.lines().filter(relocated).filter_map(|line| line.split(' ').next());
    let named = slots.map(|address| address.trim_start_matches('0')).chain(functions.iter().copied());
    let called: Vec<_> = named.map(|address| format!(" {address} <")).collect();
    let divides = |code: &str| {
        code.starts_with("div") || code.starts_with("idiv") || called.iter().any(|address| code.contains(address))
    };
    let lines = listing.lines().filter_map(|line| line.split_once(":\t"));
    lines.filter(|(_, code)| divides(code)).map(|(address, _)| address.trim()).collect()
}

/// A line of [`SOURCE`].
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    file: String,
    number: usize,
}

impl Place {
    /// Its text, if it does not belong to tests.
    fn line(&self) -> Result<Option<String>, String> {
        let path = root().join(SOURCE).join(&self.file);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let tests =
            self.file.ends_with("tests.rs") || text.lines().take(self.number).any(|line| line == "#[cfg(test)]");
        Ok(text.lines().nth(self.number - 1).filter(|_| !tests).map(|line| line.trim().to_owned()))
    }
}

/// Where the divisions whose frames `addr2line` shows come from, the innermost frame first: the first
/// line of this workspace, if it is one of [`SOURCE`].
fn places(frames: &str) -> BTreeSet<Place> {
    let known = |frame: &str| {
        let (file, number) = frame.split_once(':')?;
        let file = &file[file.rfind("/crates/")? + 1..];
        Some((file.to_owned(), number.split(' ').next()?.parse().ok().filter(|&number: &usize| number > 0)?))
    };
    let mut found = BTreeSet::new();
    let mut waits = false;
    for line in frames.lines() {
        if line.starts_with("0x") {
            waits = true;
        } else if let Some((file, number)) = known(line).filter(|_| waits) {
            waits = false;
            found.extend(file.strip_prefix(SOURCE).map(|file| Place { file: file.to_owned(), number }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_are_found() {
        let listing = "\
0000000000004208 R_X86_64_RELATIVE  *ABS*+0x0000000000002000
0000000000004210 R_X86_64_RELATIVE  *ABS*+0x0000000000001000

0000000000001000 <_RNvNtCs1_8ringwork3kem12check_length>:
    1000:\tmov    %rsp,%rbp
    1003:\tdiv    %rcx
    1006:\tidivq  (%rax)
    1009:\tcall   2000 <__udivti3>
    100d:\tcall   *0x31fa(%rip)        # 4208 <_DYNAMIC+0x10>
    1011:\tcall   *0x31fa(%rip)        # 4210 <_DYNAMIC+0x18>
0000000000002000 <__udivti3>:
    2000:\tret
";
        assert_eq!(divisions(listing), ["1003", "1006", "1009", "100d"]);
    }

    #[test]
    fn a_division_belongs_to_the_innermost_line_of_ours() {
        let frames = "\
0x1003
/rustc/59807616/library/core/src/slice/iter.rs:1905
/home/me/ringwork/crates/ringwork/src/module.rs:82 (discriminator 3)
/home/me/ringwork/crates/ringwork/src/schemes/bdlop/proof.rs:243
0x1006
/home/me/ringwork/crates/ringwork/src/kem.rs:?
/home/me/ringwork/crates/ringwork/src/kem.rs:7
0x1009
/home/me/ringwork/crates/ntt/src/plan/inverter.rs:108
/home/me/ringwork/crates/ringwork/src/ring/mod.rs:205
";
        let place = |file: &str, number| Place { file: file.into(), number };
        assert_eq!(places(frames), [place("kem.rs", 7), place("module.rs", 82)].into());
    }
}
