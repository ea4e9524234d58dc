//! The package of Debian and its relatives, by cargo-deb. `crates/workbench/Cargo.toml` says what goes where.

use super::{Dist, Machine, PACKAGE, PROFILE, VERSION, archive, archive::File};
use crate::{
    cargo::{capture, program},
    skips::CARGO_DEB_MISSING,
    step::Stop,
};
use std::{collections::BTreeMap, fs, path::Path};

pub(super) fn write(dist: &Dist, machine: &Machine, files: &BTreeMap<String, File>, to: &Path) -> Result<(), Stop> {
    if capture(program("cargo-deb").args(["deb", "--version"])).is_err() {
        return Err(Stop::Skipped(CARGO_DEB_MISSING.into()));
    }
    // Beside the programs, where the manifest looks for them; manual pages are compressed there.
    let folder = dist.programs_of(machine).join("packed");
    super::emptied(&folder)?;
    for (name, file) in files.iter().filter(|(_, file)| !file.executable) {
        let (name, bytes) = match name.strip_prefix("man/") {
            Some(page) => (format!("man/{page}.gz"), &archive::gzip(&file.bytes)?),
            None => (name.clone(), &file.bytes),
        };
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("in the folder")).map_err(|error| error.to_string())?;
        super::write(&path, bytes)?;
    }
    let mut command = program("cargo-deb");
    command.args(["deb", "--quiet", "--locked", "--no-build", "--no-strip"]);
    command.args(["--package", PACKAGE, "--profile", PROFILE]);
    command.args(["--target", machine.target, "--deb-version", VERSION, "--output"]).arg(to);
    capture(command.env("SOURCE_DATE_EPOCH", dist.time.to_string()))?;
    Ok(())
}
