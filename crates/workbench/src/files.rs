//! Files: `-` is standard input or output, secrets are for their owner only, and nothing is ever half written.

use crate::{fault::Fault, screen};
use std::{
    fs,
    io::{self, ErrorKind, IsTerminal, Read, Write},
    path::{Path, PathBuf},
};

/// How to treat what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Anybody may read it; a file of that name is replaced.
    Public,
    /// Only the owner may read it, no terminal may show it, and a file of that name is replaced only if `force`.
    Secret {
        /// Replace.
        force: bool,
    },
}

/// The bytes of a file, or of standard input for `-`, of which there must be at most `limit`.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let source: Box<dyn Read> = if is_dash(path) {
        Box::new(io::stdin().lock())
    } else {
        Box::new(fs::File::open(path).map_err(|e| unreadable(path, &e))?)
    };
    source.take(limit + 1).read_to_end(&mut bytes).map_err(|e| unreadable(path, &e))?;
    if bytes.len() as u64 > limit {
        return Err(Fault::Input(format!("{}: more than {limit} bytes", name(path))));
    }
    Ok(bytes)
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read_text(path: &Path) -> Result<String, Fault> {
    const LIMIT: u64 = 1 << 32;
    String::from_utf8(read(path, LIMIT)?).map_err(|e| {
        let line = 1 + e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        Fault::Input(format!("{}:{line}: this is not UTF-8 text", name(path)))
    })
}

/// Writes a whole file, or standard output for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8], kind: Kind) -> Result<(), Fault> {
    check_writable(path, kind)?;
    if is_dash(path) {
        return screen::print(bytes);
    }
    let unwritable = |e: io::Error| match e.kind() {
        ErrorKind::AlreadyExists => exists(path),
        _ => Fault::Input(format!("{}: cannot be written: {e}", path.display())),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ringwork-");
    if kind == Kind::Public {
        public(&mut builder);
    }
    let mut file = builder.tempfile_in(folder(path)).map_err(unwritable)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(unwritable)?;
    let persisted = match kind {
        Kind::Secret { force: false } => file.persist_noclobber(path),
        _ => file.persist(path),
    };
    persisted.map(drop).map_err(|e| unwritable(e.error))
}

/// Refuses what [`write()`] would refuse, before any work is done.
pub(crate) fn check_writable(path: &Path, kind: Kind) -> Result<(), Fault> {
    if !is_dash(path) && !folder(path).is_dir() {
        return Err(Fault::Input(format!("{}: there is no folder {}", path.display(), folder(path).display())));
    }
    let Kind::Secret { force } = kind else { return Ok(()) };
    if is_dash(path) && io::stdout().is_terminal() {
        return Err(Fault::Usage("a secret is not shown on a terminal; name a file, or pipe it on".into()));
    }
    if !is_dash(path) && !force && path.exists() { Err(exists(path)) } else { Ok(()) }
}

/// Whether the path stands for standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name for messages.
pub(crate) fn name(path: &Path) -> String {
    if is_dash(path) { "standard input".into() } else { path.display().to_string() }
}

/// Refuses to read two things from standard input.
pub(crate) fn at_most_one_dash(paths: &[&PathBuf]) -> Result<(), Fault> {
    match paths.iter().filter(|p| is_dash(p)).count() {
        0 | 1 => Ok(()),
        _ => Err(Fault::Usage("standard input can be read once; name a file for the other input".into())),
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn unreadable(path: &Path, e: &io::Error) -> Fault {
    Fault::Input(format!("{}: cannot be read: {e}", name(path)))
}

fn exists(path: &Path) -> Fault {
    Fault::Input(format!("{}: there is such a file already; name another one, or use --force", path.display()))
}

#[cfg(unix)]
fn public(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666)); // the umask still applies
}

#[cfg(not(unix))]
fn public(_: &mut tempfile::Builder<'_, '_>) {}
