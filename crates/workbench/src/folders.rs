//! Folders of this user in which programs keep what is theirs.

use std::{env, path::PathBuf};

/// For what can be made again, if the environment says where that is.
pub(crate) fn cache() -> Option<PathBuf> {
    of("LOCALAPPDATA", "XDG_CACHE_HOME", ".cache")
}

/// For settings and keys, if the environment says where that is.
pub(crate) fn settings() -> Option<PathBuf> {
    of("APPDATA", "XDG_CONFIG_HOME", ".config")
}

/// By that variable of Windows, or of others, or that name in the home folder.
fn of(windows: &str, others: &str, name: &str) -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = if cfg!(windows) {
        absolute(windows)
    } else {
        absolute(others).or_else(|| absolute("HOME").map(|home| home.join(name)))
    };
    folder.map(|folder| folder.join("ringwork"))
}
