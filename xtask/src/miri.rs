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
    for tests in [
        &["--package", "ringwork-lanes", "--test", "laws"][..],
        &["--package", "ringwork-ntt", "--test", "suite", "--", "ledger::", "plans::"],
    ] {
        run_tests(program("cargo").args(["+nightly", "miri", "test"]).args(tests), tally)?;
    }
    Ok(())
}
