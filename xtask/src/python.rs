//! Python with packages of pinned versions, in the build directory.

use crate::{
    cargo::{program, root, run as succeed},
    skips::PYTHON_MISSING,
    step::Stop,
    workspace::Workspace,
};
use std::{fs, path::PathBuf, process::Stdio};

/// Whether a program is there.
pub(crate) fn starts(name: &str, argument: &str) -> bool {
    program(name).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

/// The directory of an environment with the packages of a list: made, unless it is there with these very versions.
pub(crate) fn environment(name: &str, requirements: &str, missing: &str) -> Result<PathBuf, Stop> {
    if !starts("python3", "--version") {
        return Err(Stop::Skipped(PYTHON_MISSING.into()));
    }
    let list = root().join(requirements);
    let wanted = fs::read(&list).map_err(|error| format!("{requirements}: {error}"))?;
    let directory = Workspace::read()?.target_directory.join(name);
    let (python, installed) = (directory.join("bin/python"), directory.join("installed.txt"));
    if fs::read(&installed).ok().as_ref() != Some(&wanted) {
        println!("installing {requirements}");
        let venv = succeed(program("python3").args(["-m", "venv", "--clear"]).arg(&directory));
        venv.map_err(|_| Stop::Skipped(PYTHON_MISSING.into()))?;
        let pip = succeed(program(&python).args(["-m", "pip", "install", "-q", "-r"]).arg(&list));
        pip.map_err(|_| Stop::Skipped(missing.into()))?;
        fs::write(&installed, wanted).map_err(|error| format!("{}: {error}", installed.display()))?;
    }
    Ok(directory)
}
