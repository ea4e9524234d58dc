//! `miri`: tests of the two lowest floors under an interpreter that knows undefined behaviour.

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
    let mut tests = program("cargo");
    tests.args(["+nightly", "miri", "test", "--package", "ringwork-lanes", "--package", "ringwork-ntt"]);
    tests.args(["--test", "laws", "--test", "ledger", "--test", "plans"]);
    Ok(run_tests(&mut tests, tally)?)
}
