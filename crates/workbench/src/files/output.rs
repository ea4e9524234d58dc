//! What is written: under its name only when it is complete, and in the place of nothing that is
//! there.
//!
//! On Linux a file has no name until then, and so goes with the process, however that ends; where
//! the file system has no such files it has a passing name, which signals remove.

use super::leftovers;
use crate::fault::Fault;
use std::{
    env, fs,
    io::{self, ErrorKind, IsTerminal, Read, Seek, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};
use tempfile::{Builder, NamedTempFile};
use zeroize::Zeroizing;

/// Whether standard output carries a file, so that nothing else may be said there.
static CARRIES_FILE: AtomicBool = AtomicBool::new(false);

/// Whether bytes of a file went to standard output.
pub(crate) fn stdout_carries_file() -> bool {
    CARRIES_FILE.load(Ordering::Relaxed)
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text that anybody may read.
    Text,
    /// Bytes that anybody may read, and that no terminal shows.
    Binary,
    /// For its owner only, and for no terminal.
    Secret,
    /// What was encrypted or committed to, or is encrypted again. Nobody sees any of it before all of it is verified;
    /// then it is a file like those that the user makes, whose umask says who may read it.
    Verified,
}

#[cfg(unix)]
impl Kind {
    const fn mode(self) -> u32 {
        if matches!(self, Self::Secret) { 0o600 } else { 0o666 }
    }
}

/// Where it goes.
enum Target {
    /// Standard output, a FIFO or a device: there is nothing to replace.
    Stream,
    /// The file of that name, which is no symbolic link.
    File(PathBuf),
}

/// A stream, and whether it is a terminal.
type Stream = (Box<dyn Write>, bool);

/// Writes whole files, or standard output for `-`; none has its name before all are complete.
pub(crate) fn write_all(parts: &[(&Path, &[u8], Kind)], force: bool) -> Result<(), Fault> {
    let mut outputs = Vec::new();
    for &(path, bytes, kind) in parts {
        let mut output = Output::new(path, kind, force)?;
        output.write_all(bytes).map_err(|e| output.unwritable(&e))?;
        outputs.push(output);
    }
    outputs.into_iter().try_for_each(Output::finish)
}

/// Writes one.
pub(crate) fn write(path: &Path, bytes: &[u8], kind: Kind, force: bool) -> Result<(), Fault> {
    write_all(&[(path, bytes, kind)], force)
}

/// A file, or standard output for `-`, that is written piece by piece.
pub(crate) struct Output {
    path: PathBuf,
    kind: Kind,
    force: bool,
    place: Place,
}

enum Place {
    Stream(Stream),
    /// A file without a name, to be shown on the stream.
    Held(fs::File, Stream),
    /// A file without a name, to be given that one.
    Nameless(fs::File, PathBuf),
    /// A file of another name in the same folder, to be given that one.
    Named(NamedTempFile, PathBuf),
}

impl Output {
    /// **Errors** as [`check_outputs`] has them.
    pub(crate) fn new(path: &Path, kind: Kind, force: bool) -> Result<Self, Fault> {
        let place = match check_writable(path, kind, force)? {
            Target::Stream => {
                let stream = stream(path, kind).map_err(|e| Fault::unwritten(name(path), &e))?;
                check_terminal(kind, force, stream.1)?;
                match kind {
                    Kind::Verified => Place::Held(tempfile::tempfile().map_err(|e| untemporary(&e))?, stream),
                    _ => {
                        CARRIES_FILE.fetch_or(is_stdout(path), Ordering::Relaxed);
                        Place::Stream(stream)
                    }
                }
            }
            Target::File(target) => match nameless(folder(&target), kind) {
                Ok(file) => Place::Nameless(file, target),
                Err(_) => {
                    let file = named(folder(&target), kind).map_err(|e| Fault::unwritten(name(path), &e))?;
                    Place::Named(file, target)
                }
            },
        };
        Ok(Self { path: path.into(), kind, force, place })
    }

    /// Shows what was written.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        let Self { path, kind, force, place } = self;
        let written = match place {
            Place::Stream((mut out, _)) => out.flush(),
            Place::Held(file, stream) => return show(&path, file, stream, force),
            Place::Nameless(file, target) => {
                settle(&file, &target, kind, force).and_then(|()| match link(&file, &target, force) {
                    Err(e) if e.kind() != ErrorKind::AlreadyExists => copy(file, &target, kind, force),
                    linked => linked,
                })
            }
            Place::Named(file, target) => {
                settle(file.as_file(), &target, kind, force).and_then(|()| persist(file, &target, force))
            }
        };
        written.map_err(|e| match e.kind() {
            ErrorKind::AlreadyExists => exists(&path, kind),
            _ => Fault::unwritten(name(&path), &e),
        })
    }

    /// Why it could not be written.
    pub(crate) fn unwritable(&self, e: &io::Error) -> Fault {
        match self.place {
            Place::Held(..) => untemporary(e),
            _ => Fault::unwritten(name(&self.path), e),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.place {
            Place::Stream((out, _)) => out,
            Place::Held(file, _) | Place::Nameless(file, _) => file,
            Place::Named(file, _) => file,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// Refuses before any work is done what could not be written after it; `force` replaces files, and
/// shows bytes on a terminal.
pub(crate) fn check_outputs(outputs: &[(&Path, Kind)], force: bool) -> Result<(), Fault> {
    if outputs.iter().filter(|(path, _)| is_stdout(path)).count() > 1 {
        return Err(Fault::Usage("standard output can carry one thing; name a file for the other".into()));
    }
    let mut files = Vec::new();
    for (path, kind) in outputs {
        if let Target::File(file) = check_writable(path, *kind, force)? {
            if files.contains(&file) {
                return Err(Fault::Usage(format!("{} is named twice: it can hold one of them", name(path))));
            }
            files.push(file);
        }
    }
    Ok(())
}

/// Whether the path stands for standard output, and nobody sees that.
pub(crate) fn goes_through_a_pipe(path: &Path) -> bool {
    is_stdout(path) && !io::stdout().is_terminal()
}

/// Whether the path stands for standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path.as_os_str() == *name)
}

fn check_writable(path: &Path, kind: Kind, force: bool) -> Result<Target, Fault> {
    if is_stdout(path) {
        check_terminal(kind, force, io::stdout().is_terminal())?;
        return Ok(Target::Stream);
    }
    let is_open = ["/dev/stderr", "/dev/fd", "/proc/self/fd"].iter().any(|open| path.starts_with(open));
    let is_device = |found: &fs::Metadata| is_open || !found.is_file();
    let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    match fs::metadata(path) {
        _ if is_folder && !path.is_dir() => return Err(super::refused(path, &"there is no such folder")),
        Ok(found) if found.is_dir() => {
            return Err(super::refused(path, &"this is a folder; name a file in it, or - for standard output"));
        }
        Ok(found) if is_device(&found) => return Ok(Target::Stream),
        Ok(_) if !force => return Err(exists(path, kind)),
        _ => {}
    }
    let target = resolved(path).map_err(|e| super::refused(path, &e))?;
    if folder(&target).is_dir() {
        return Ok(Target::File(target));
    }
    Err(super::refused(path, &format_args!("there is no folder {}", super::name(folder(&target)))))
}

/// What must not be seen is not shown on a terminal.
fn check_terminal(kind: Kind, force: bool, is_terminal: bool) -> Result<(), Fault> {
    let why = match kind {
        Kind::Secret if is_terminal => "a secret is not shown on a terminal; name a file, or pipe it on",
        Kind::Binary if is_terminal && !force => {
            "this is no text, and a terminal would garble it; name a file, pipe it on, or use --force"
        }
        _ => return Ok(()),
    };
    Err(Fault::Usage(why.into()))
}

/// What is held back, on its stream.
fn show(path: &Path, mut file: fs::File, (mut out, is_terminal): Stream, force: bool) -> Result<(), Fault> {
    file.rewind().map_err(|e| untemporary(&e))?;
    if is_terminal && !force {
        let mut bytes = Zeroizing::new(Vec::new());
        file.read_to_end(&mut bytes).and_then(|_| file.rewind()).map_err(|e| untemporary(&e))?;
        check_terminal(if is_text(&bytes) { Kind::Text } else { Kind::Binary }, force, is_terminal)?;
    }
    CARRIES_FILE.fetch_or(is_stdout(path), Ordering::Relaxed);
    let copied = super::copy_all(&mut file, &mut out, &mut 0).map_err(|e| Fault::unwritten(name(path), &e))?;
    copied.map_err(|e| untemporary(&e))?;
    out.flush().map_err(|e| Fault::unwritten(name(path), &e))
}

/// Whether a terminal shows the bytes as what they are.
fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(|c| !c.is_control() || "\n\r\t".contains(c)))
}

/// Makes a complete file durable; one that takes the place of another has its permissions, unless
/// it is secret.
fn settle(file: &fs::File, target: &Path, kind: Kind, force: bool) -> io::Result<()> {
    #[cfg(unix)]
    if let (true, Ok(replaced)) = (force && kind != Kind::Secret, fs::metadata(target)) {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(replaced.permissions().mode() & 0o777))?;
    }
    file.sync_all()
}

/// A file in that folder, without a name.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path, kind: Kind) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::TMPFILE.bits() as i32;
    let file = fs::OpenOptions::new().read(true).write(true).mode(kind.mode()).custom_flags(flags).open(folder)?;
    fs::symlink_metadata(handle(&file))?; // without /proc it would never get a name
    Ok(file)
}

/// What stands for an open file.
#[cfg(target_os = "linux")]
fn handle(file: &fs::File) -> String {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Gives a file without a name that one.
#[cfg(target_os = "linux")]
fn link(file: &fs::File, target: &Path, force: bool) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let link = |to: &Path| linkat(CWD, handle(file), CWD, to, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from);
    match link(target) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists && force => {
            let passing = passing().make_in(folder(target), |path| leftovers::made(path, || link(path)))?;
            passing.into_temp_path().persist(target).map_err(|e| e.error)
        }
        linked => linked,
    }
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path, _: Kind) -> io::Result<fs::File> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
fn link(_: &fs::File, _: &Path, _: bool) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Where a file without a name cannot be given one.
fn copy(mut file: fs::File, target: &Path, kind: Kind, force: bool) -> io::Result<()> {
    let mut named = named(folder(target), kind)?;
    file.rewind()?;
    io::copy(&mut file, named.as_file_mut())?;
    settle(named.as_file(), target, kind, force)?;
    persist(named, target, force)
}

/// A file of a passing name in that folder.
fn named(folder: &Path, kind: Kind) -> io::Result<NamedTempFile> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, kind.mode());
    passing().make_in(folder, |path| leftovers::made(path, || options.open(path)))
}

fn passing() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".ringwork-");
    builder
}

/// Gives a complete file its name.
fn persist(file: NamedTempFile, target: &Path, force: bool) -> io::Result<()> {
    let persisted = if force { file.persist(target) } else { file.persist_noclobber(target) };
    persisted.map(drop).map_err(|e| e.error)
}

/// Opens what is no regular file, for writing.
fn stream(path: &Path, kind: Kind) -> io::Result<Stream> {
    #[cfg(unix)]
    if is_stdout(path) {
        let out = super::stdout_file()?;
        warn_of_readers(&out, kind);
        return Ok((Box::new(out), io::stdout().is_terminal()));
    }
    #[cfg(not(unix))]
    if is_stdout(path) {
        return Ok((Box::new(io::stdout()), io::stdout().is_terminal()));
    }
    let file = fs::OpenOptions::new().append(true).open(path)?;
    let is_terminal = file.is_terminal();
    Ok((Box::new(file), is_terminal))
}

/// Says so if others may read the file to which a secret is redirected: the shell has made it.
#[cfg(unix)]
fn warn_of_readers(out: &fs::File, kind: Kind) {
    use std::os::unix::fs::PermissionsExt;
    let others = |found: fs::Metadata| found.is_file() && found.permissions().mode() & 0o077 != 0;
    if kind == Kind::Secret && out.metadata().is_ok_and(others) {
        let why = "others may read the file to which standard output goes, and this is secret";
        let _ = writeln!(io::stderr(), "warning: {why}; -o makes a file for its owner only");
    }
}

/// What a chain of symbolic links leads to, whether it is there or not, under one name.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    const LINKS: usize = 40;
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&at) {
            Ok(next) => at = folder(&at).join(next),
            Err(_) => {
                let folder = fs::canonicalize(folder(&at));
                return Ok(folder.map_or(at.clone(), |folder| folder.join(at.file_name().unwrap_or_default())));
            }
        }
    }
    Err(io::Error::other("too many symbolic links, one behind the other"))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The name for messages.
fn name(path: &Path) -> String {
    if is_stdout(path) { "standard output".into() } else { super::name(path) }
}

/// The folder for temporary files is at fault.
fn untemporary(e: &io::Error) -> Fault {
    let folder = env::temp_dir();
    Fault::Output(format!(
        "{}: {e}; this folder, which TMPDIR names, holds what is shown on standard output until all of it is verified",
        super::name(&folder)
    ))
}

fn exists(path: &Path, kind: Kind) -> Fault {
    let loses = if kind == Kind::Secret { ", which loses what is secret there" } else { "" };
    super::refused(path, &format_args!("there is such a file already; name another one, or use --force{loses}"))
}

#[cfg(all(test, unix))]
mod tests;
