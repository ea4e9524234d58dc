//! `miri`: tests of lanes, of small transforms and of an encapsulation of ML-KEM, under an interpreter that knows
//! undefined behaviour, and machines whose words begin with the other end.
//!
//! It knows no vectors of a machine: what runs is scalar code and arrays. Their operands are fewer under
//! `cfg!(miri)`.

use crate::{
    cargo::{capture, host, program, run_tests},
    skips::MIRI_MISSING,
    step::Stop,
    tally::Tally,
};

/// A machine that keeps the most significant byte first.
const BIG_ENDIAN: &str = "s390x-unknown-linux-gnu";

pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    // `+nightly` is understood by rustup's cargo only, so the one in `$CARGO` will not do.
    if capture(program("cargo").args(["+nightly", "miri", "--version"])).is_err() {
        return Err(Stop::Skipped(MIRI_MISSING.into()));
    }
    for target in [host()?.as_str(), BIG_ENDIAN] {
        for tests in [
            &["--package", "ringwork-lanes", "--test", "laws"][..],
            &["--package", "ringwork-ntt", "--test", "suite", "--", "small::"],
            &["--package", "ringwork", "--test", "suite", "--", "small::"],
        ] {
            println!("{target}: {}", tests.join(" "));
            let mut command = program("cargo");
            command.args(["+nightly", "miri", "test", "--target", target]).args(tests);
            run_tests(command.env("MIRIFLAGS", "-Zmiri-strict-provenance"), tally)?;
        }
    }
    Ok(())
}
