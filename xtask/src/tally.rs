//! Counts what cargo's test runs report.

use crate::skips::{NO_UNWINDING, in_ci, permitted};

/// Results of tests over all steps.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    ignored: Vec<String>,
}

impl Tally {
    /// Takes in one line of a test run's output.
    ///
    /// `test result: ok. 3 passed; 0 failed; 1 ignored; …` ends a binary; `test name ... ignored,
    /// reason` is a test that was left out. Those that should panic are left out without a reason where
    /// they cannot.
    pub(crate) fn read(&mut self, line: &str) {
        if let Some(results) = line.strip_prefix("test result: ") {
            self.passed += number_before(results, " passed");
            self.failed += number_before(results, " failed");
        } else if let Some((test, reason)) = line.strip_prefix("test ").and_then(|test| test.split_once(" ... ignored"))
        {
            let unexplained = test.ends_with(" - should panic") && reason.is_empty();
            let reason = if unexplained { NO_UNWINDING } else { reason.trim_start_matches(", ") };
            self.ignored.push(reason.to_owned());
        }
    }

    /// Refuses ignored tests where their reasons do not excuse them.
    pub(crate) fn excuse_ignored(&self) -> Result<(), String> {
        self.ignored.iter().try_for_each(|reason| permitted(reason, in_ci()))
    }
}

fn number_before(text: &str, word: &str) -> u64 {
    let Some((head, _)) = text.split_once(word) else { return 0 };
    head.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up_binaries_and_notes_ignored_tests() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "test a::works ... ok",
            "test a::needs_a_device ... ignored, no device",
            "test src/lib.rs - (line 9) ... ignored",
            "test a::is_refused - should panic ... ignored",
            "test result: ok. 12 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s",
        ] {
            tally.read(line);
        }
        assert_eq!((tally.passed, tally.failed), (15, 1));
        assert_eq!(tally.ignored, ["no device", "", NO_UNWINDING]);
    }
}
