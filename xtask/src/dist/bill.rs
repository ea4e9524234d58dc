//! The bill of materials of the programs, in the form of CycloneDX, by cargo-cyclonedx.

use super::{Dist, Machine};
use crate::{
    cargo::{capture, program},
    skips::CARGO_CYCLONEDX_MISSING,
    step::Stop,
};
use std::path::Path;

/// Where the file lies, from the root of the workspace.
const MADE: &str = "crates/workbench/ringwork.json";

/// In a clone: the tool writes beside the manifests of all members.
pub(super) fn write(dist: &Dist, machine: &Machine, to: &Path) -> Result<(), Stop> {
    if capture(program("cargo-cyclonedx").args(["cyclonedx", "--version"])).is_err() {
        return Err(Stop::Skipped(CARGO_CYCLONEDX_MISSING.into()));
    }
    let clone = dist.cloned(&dist.built.join("bill"))?;
    let mut command = program("cargo-cyclonedx");
    command.args(["cyclonedx", "--quiet", "--all", "--format", "json", "--spec-version", "1.5", "--target"]);
    command.arg(machine.target);
    command.args(["--override-filename", "ringwork", "--manifest-path"]).arg(clone.join("Cargo.toml"));
    capture(command.env("SOURCE_DATE_EPOCH", dist.time.to_string()))?;
    let made = String::from_utf8(super::read(&clone.join(MADE))?).map_err(|error| error.to_string())?;
    Ok(super::write(to, anonymous(&made, &clone)?.as_bytes())?)
}

/// Packages of the workspace are named by where they lie in it. **Errors** if one is named by more than that.
fn anonymous(bill: &str, root: &Path) -> Result<String, String> {
    let root = root.display().to_string();
    // As in a URL, and as it is.
    let bill = bill.replace(&format!("{}/", root.replace(' ', "%20")), "/").replace(&format!("{root}/"), "/");
    if bill.split("path+file://").skip(1).any(|place| !place.starts_with("/crates/")) {
        return Err(format!("the bill of materials names the folder {root}, in letters that are unknown here"));
    }
    serde_json::from_str::<serde_json::Value>(&bill).map_err(|error| format!("the bill of materials: {error}"))?;
    Ok(bill)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_names_no_folder_of_this_machine() {
        let bill = r#"{ "bom-ref": "path+file:///a/my%20b/crates/ntt#ringwork-ntt@0.1.0", "at": "/a/my b/x" }"#;
        let expected = r#"{ "bom-ref": "path+file:///crates/ntt#ringwork-ntt@0.1.0", "at": "/x" }"#;
        assert_eq!(anonymous(bill, Path::new("/a/my b")).unwrap(), expected);
        assert!(anonymous("{", Path::new("/a")).is_err());
        let bill = r#"{ "bom-ref": "path+file:///m%C3%BC/crates/ntt#ringwork-ntt@0.1.0" }"#;
        assert!(anonymous(bill, Path::new("/mü")).unwrap_err().contains("/mü"));
    }
}
