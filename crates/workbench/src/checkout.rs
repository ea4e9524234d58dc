//! The source checkout around this folder, which some sections need for programs that are no part
//! of this one.

use crate::fault::Fault;
use std::{env, path::PathBuf};

/// The root of the checkout that holds `file`: this folder, or one above it.
///
/// **Errors** say which `option` wants it.
pub(crate) fn with(option: &str, file: &str) -> Result<PathBuf, Fault> {
    let here = env::current_dir().unwrap_or_default();
    let found = here.ancestors().find(|folder| folder.join(file).is_file());
    found.map(PathBuf::from).ok_or_else(|| {
        Fault::Negative(format!(
            "{option} builds {file}, which is neither here nor in a folder above: run it in a source checkout of Ringwork"
        ))
    })
}
