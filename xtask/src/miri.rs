//! `miri`: tests of the two lowest floors under an interpreter that knows undefined behaviour.
//!
//! It knows no vectors of a machine: what runs is scalar code and arrays. Their operands are fewer under
//! `cfg!(miri)`.

use crate::{
    cargo::{capture, program, run_tests},
    skips::MIRI_MISSING,
    step::Stop,
    tally::Tally,
};

pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    // `+nightly` is understood by rustup's cargo only, so the one in `$CARGO` will not do.
    if capture(program("cargo").args(["+nightly", "miri", "--version"])).is_err() {
        return Err(Stop::Skipped(MIRI_MISSING.into()));
    }
    for tests in [
        &["--package", "ringwork-lanes", "--test", "laws"][..],
        &["--package", "ringwork-ntt", "--test", "suite", "--", "small::"],
    ] {
        let mut command = program("cargo");
        command.args(["+nightly", "miri", "test"]).args(tests).env("MIRIFLAGS", "-Zmiri-strict-provenance");
        run_tests(&mut command, tally)?;
    }
    Ok(())
}
