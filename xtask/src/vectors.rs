//! `vectors`: every file of known answers through the command that users have.

use crate::{
    cargo::{capture, program, root},
    release,
    step::Stop,
    tally::Tally,
};

/// Fails unless the command succeeds and names every file: a command that does nothing also
/// succeeds.
pub(crate) fn run(_: &mut Tally) -> Result<(), Stop> {
    let files = files()?;
    let mut command = program(release::build()?.command);
    command.args(["vectors", "check"]).args(files.iter().map(|name| format!("vectors/{name}")));
    let output = capture(&mut command)?;
    print!("{output}");
    match files.iter().find(|name| !output.contains(name.as_str())) {
        Some(name) => Err(Stop::Failed(format!("`ringwork vectors check` did not report on {name}"))),
        None => Ok(()),
    }
}

/// The names of the files in `vectors/`, those of NIST's program in folders of their own, sorted.
fn files() -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for folder in ["", "acvp/", "standards/"] {
        let path = format!("vectors/{folder}");
        let entries = std::fs::read_dir(root().join(&path)).map_err(|error| format!("{path}: {error}"))?;
        let found = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.extend(found.filter(|name| name.ends_with(".json")).map(|name| format!("{folder}{name}")));
    }
    names.sort();
    if names.is_empty() { Err("vectors/ holds no file of known answers".into()) } else { Ok(names) }
}
