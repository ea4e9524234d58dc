//! `miri`: the unit tests of the two lowest floors under an interpreter that knows undefined behaviour.

use crate::{
    cargo::{capture, program, run_tests},
    step::{MIRI_MISSING, Stop},
    tally::Tally,
};

pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    // `+nightly` is understood by rustup's cargo only, so the one in `$CARGO` will not do.
    if capture(program("cargo").args(["+nightly", "miri", "--version"])).is_err() {
        return Err(Stop::Skipped(MIRI_MISSING.into()));
    }
    let mut tests = program("cargo");
    tests.args(["+nightly", "miri", "test", "--lib", "--package", "ringwork-lanes", "--package", "ringwork-ntt"]);
    Ok(run_tests(&mut tests, tally)?)
}
