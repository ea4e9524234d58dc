//! Files: `-` is standard input or output, secrets are for their owner only, and nothing is ever half written.

use crate::fault::Fault;
use ringwork::seal;
use std::{
    fs,
    io::{self, ErrorKind, IsTerminal, Read, Seek, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

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
    let mut bytes = Vec::with_capacity(limit as usize + 1); // at once: what grows leaves copies behind
    open(path)?.take(limit + 1).read_to_end(&mut bytes).map_err(|e| unreadable(path, &e))?;
    if bytes.len() as u64 > limit {
        return Err(Fault::Input(format!("{}: more than {limit} bytes", name(path))));
    }
    Ok(bytes)
}

/// A file, or standard input for `-`, to be read piece by piece.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, Fault> {
    Ok(if is_dash(path) {
        Box::new(io::stdin().lock())
    } else {
        Box::new(fs::File::open(path).map_err(|e| unreadable(path, &e))?)
    })
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
    let mut output = Output::new(path, kind)?;
    output.write_all(bytes).map_err(|e| output.unwritable(&e))?;
    output.finish()
}

/// A file, or standard output for `-`, that is written piece by piece, and of which nobody sees anything before
/// [`finish`](Self::finish); only what is public goes to standard output at once.
pub(crate) struct Output {
    path: PathBuf,
    kind: Kind,
    place: Place,
}

enum Place {
    /// A file of another name in the same folder, that goes if it is dropped.
    Named(NamedTempFile),
    /// A file without a name, that goes even if the process is killed.
    Nameless(fs::File),
    Stdout(io::Stdout),
}

impl Output {
    /// **Errors** as [`check_writable`] has them.
    pub(crate) fn new(path: &Path, kind: Kind) -> Result<Self, Fault> {
        check_writable(path, kind)?;
        let place = match (kind, is_dash(path)) {
            (Kind::Public, true) => Ok(Place::Stdout(io::stdout())),
            (Kind::Public, false) => named(path, kind).map(Place::Named),
            (Kind::Secret { .. }, true) => tempfile::tempfile().map(Place::Nameless),
            (Kind::Secret { .. }, false) => tempfile::tempfile_in(folder(path)).map(Place::Nameless),
        };
        Ok(Self { path: path.into(), kind, place: place.map_err(|e| unwritable(path, &e))? })
    }

    /// Shows what was written.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        let Self { path, kind, place } = self;
        let written = match place {
            Place::Stdout(mut out) => out.flush(),
            Place::Named(file) => persist(file, &path, kind),
            Place::Nameless(mut file) => file.rewind().and_then(|()| {
                if is_dash(&path) {
                    let mut out = io::stdout().lock();
                    return io::copy(&mut file, &mut out).and_then(|_| out.flush());
                }
                let mut named = named(&path, kind)?;
                io::copy(&mut file, named.as_file_mut())?;
                persist(named, &path, kind)
            }),
        };
        written.map_err(|e| unwritable(&path, &e))
    }

    /// Why it could not be written.
    pub(crate) fn unwritable(&self, e: &io::Error) -> Fault {
        unwritable(&self.path, e)
    }

    /// Why it is not `input` sealed or opened.
    pub(crate) fn unsealed(&self, input: &Path, e: seal::Error) -> Fault {
        match e {
            seal::Error::Write(e) => self.unwritable(&e),
            e => refused(input, &e),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Named(file) => file.write(bytes),
            Place::Nameless(file) => file.write(bytes),
            Place::Stdout(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::Named(file) => file.flush(),
            Place::Nameless(file) => file.flush(),
            Place::Stdout(out) => out.flush(),
        }
    }
}

/// Refuses what [`write()`] would refuse, before any work is done.
pub(crate) fn check_writable(path: &Path, kind: Kind) -> Result<(), Fault> {
    if !is_dash(path) && !folder(path).is_dir() {
        return Err(Fault::Input(format!("{}: there is no folder {}", path.display(), folder(path).display())));
    }
    if !is_dash(path) && fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return Err(refused(path, &"this is no regular file, so nothing can take its place; - is standard output"));
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

/// Refuses before any work is done what could not be written after it.
pub(crate) fn check_outputs(outputs: &[(&PathBuf, Kind)]) -> Result<(), Fault> {
    if outputs.iter().filter(|(path, _)| is_dash(path)).count() > 1 {
        return Err(Fault::Usage("standard output can carry one thing; name a file for the other".into()));
    }
    for (i, (path, kind)) in outputs.iter().enumerate() {
        if outputs[..i].iter().any(|(other, _)| other == path) {
            return Err(Fault::Usage(format!("{} is named twice: it can hold one of them", path.display())));
        }
        check_writable(path, *kind)?;
    }
    Ok(())
}

/// Refuses to read two things from standard input.
pub(crate) fn at_most_one_dash(paths: &[&PathBuf]) -> Result<(), Fault> {
    match paths.iter().filter(|p| is_dash(p)).count() {
        0 | 1 => Ok(()),
        _ => Err(Fault::Usage("standard input can be read once; name a file for the other input".into())),
    }
}

/// A file in the folder where it shall be, that goes if it is dropped.
fn named(path: &Path, kind: Kind) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ringwork-");
    if kind == Kind::Public {
        public(&mut builder);
    }
    builder.tempfile_in(folder(path))
}

/// Gives a complete file its name.
fn persist(file: NamedTempFile, path: &Path, kind: Kind) -> io::Result<()> {
    file.as_file().sync_all()?;
    let persisted = match kind {
        Kind::Secret { force: false } => file.persist_noclobber(path),
        _ => file.persist(path),
    };
    persisted.map(drop).map_err(|e| e.error)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file is not what it should be.
pub(crate) fn refused(path: &Path, e: &dyn std::fmt::Display) -> Fault {
    Fault::Input(format!("{}: {e}", name(path)))
}

/// A file cannot be read.
pub(crate) fn unreadable(path: &Path, e: &io::Error) -> Fault {
    refused(path, &format_args!("cannot be read: {e}"))
}

fn unwritable(path: &Path, e: &io::Error) -> Fault {
    match e.kind() {
        ErrorKind::AlreadyExists => exists(path),
        _ if is_dash(path) => Fault::of_stdout(io::Error::new(e.kind(), e.to_string())),
        _ => Fault::Input(format!("{}: cannot be written: {e}", path.display())),
    }
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
