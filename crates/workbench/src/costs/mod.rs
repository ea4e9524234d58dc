//! What methods cost on this CPU: where that is kept, and how it is found.

pub(crate) mod fit;
pub(crate) mod samples;

use crate::{fault::Fault, files, folders, report::machine, screen::Screen};
use ntt::CostModel;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// By what a plan is chosen if not by the costs that are the same on every machine.
pub(crate) struct Kept {
    pub(crate) path: PathBuf,
    pub(crate) model: &'static CostModel,
}

/// The word that stands for the costs that are the same on every machine, where a file is named.
pub(crate) const DEFAULT: &str = "default";

/// What this CPU is called.
pub(crate) fn cpu() -> String {
    CostModel::DEFAULT.with_cpu(&machine::processor()).cpu().to_owned()
}

/// The file of this user in which the costs of this CPU are kept, if the environment says where such
/// files are.
pub(crate) fn kept_at() -> Option<PathBuf> {
    folders::cache().map(|folder| folder.join("costs.txt"))
}

/// The costs of a file that was named, wherever they were measured.
pub(crate) fn named(path: &Path, screen: &Screen) -> Result<Kept, Fault> {
    let kept = read(path)?;
    if kept.model.cpu() != cpu() {
        screen.note(&format!("{}: measured on {}, and this is {}", files::name(path), kept.model.cpu(), cpu()));
    }
    Ok(kept)
}

/// The costs that are kept for this CPU, if there are any; others are left alone, with a note.
pub(crate) fn of_this_cpu(screen: &Screen) -> Option<Kept> {
    const AGAIN: &str = "and is not used; `ringwork plan --measure` measures again";
    let path = kept_at().filter(|path| path.exists())?;
    match read(&path) {
        Ok(kept) if kept.model.cpu() == cpu() => Some(kept),
        Ok(Kept { model, .. }) => {
            let (path, cpu) = (files::name(&path), cpu());
            screen.note(&format!("{path} was measured on {}, not on {cpu}, {AGAIN}", model.cpu()));
            None
        }
        Err(fault) => {
            screen.note(&format!("{fault}, {AGAIN}"));
            None
        }
    }
}

fn read(path: &Path) -> Result<Kept, Fault> {
    const LIMIT: u64 = 1 << 16;
    let bytes = files::read(path, LIMIT)?;
    let text = files::utf8(path, &bytes)?;
    let model: CostModel = text.parse().map_err(|e| files::refused(path, &e))?;
    Ok(Kept { path: path.into(), model: leaked(model) })
}

/// A model for as long as the program runs.
pub(crate) fn leaked(model: CostModel) -> &'static CostModel {
    Box::leak(Box::new(model))
}

/// Makes the folder of a file that is kept for the user.
pub(crate) fn make_folder(path: &Path) -> Result<(), Fault> {
    let Some(folder) = path.parent() else { return Ok(()) };
    fs::create_dir_all(folder).map_err(|e| Fault::unwritten(files::name(folder), &e))
}
