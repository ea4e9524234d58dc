//! Chromium, in which pages are looked at.

use crate::{
    cargo::{capture, program},
    cross::starts,
    programs::run_ignored,
    skips::CHROMIUM_MISSING,
    step::Stop,
    tally::Tally,
};
use std::path::{Path, PathBuf};

/// Its names.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Where it is.
pub(crate) fn find() -> Result<PathBuf, Stop> {
    let found = NAMES.into_iter().find(|name| starts(name, CHROMIUM_MISSING).is_ok());
    let name = found.ok_or_else(|| Stop::Skipped(CHROMIUM_MISSING.into()))?;
    Ok(capture(program("sh").args(["-c", "command -v \"$0\"", name]))?.trim().into())
}

/// That no label of a picture leaves it, in the pages that the command writes.
pub(crate) fn labels(tally: &mut Tally) -> Result<(), Stop> {
    let browser = find()?;
    let names: [(&str, &Path); 1] = [("CHROMIUM", &browser)];
    run_ignored("ringwork-workbench", "boxes::labels_stay_in_their_boxes", &names, tally)
}
