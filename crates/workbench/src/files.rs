//! Files: `-` is standard input or output, nothing is replaced unasked, and nothing is ever half
//! written.

mod leftovers;
mod output;

pub(crate) use output::{Kind, Output, check_outputs, is_stdout, stdout_carries_file, write, write_all};

use crate::fault::Fault;
use std::{
    fs,
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// The bytes of a file, or of standard input for `-`, of which there must be at most `limit`; in
/// memory that is wiped.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Zeroizing<Vec<u8>>, Fault> {
    const PIECE: u64 = 1 << 16;
    let known = fs::metadata(path).ok().filter(|m| m.is_file() && !is_stdin(path)).map(|m| m.len());
    // One byte more than expected shows that there is no more.
    let first = known.unwrap_or(PIECE).min(limit).saturating_add(1) as usize;
    let (mut source, mut filled, mut bytes) = (open(path)?, 0, Zeroizing::new(vec![0; first]));
    loop {
        if filled == bytes.len() {
            // Not by `resize`, which could leave a copy behind that nobody wipes.
            let mut larger = Zeroizing::new(vec![0; 2 * bytes.len()]);
            larger[..filled].copy_from_slice(&bytes);
            bytes = larger;
        }
        match source.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(unreadable(path, &e)),
        }
        if filled as u64 > limit {
            return Err(refused(path, &format_args!("more than {limit} bytes")));
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// A file, or standard input for `-`, to be read piece by piece.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, Fault> {
    if is_stdin(path) {
        return stdin().map_err(|e| unreadable(path, &e));
    }
    let file = fs::File::open(path).map_err(|e| unreadable(path, &e))?;
    match file.metadata() {
        Ok(metadata) if metadata.is_dir() => Err(refused(path, &"this is a folder, and a file is needed")),
        _ => Ok(Box::new(file)),
    }
}

/// Without a buffer, which nobody would wipe.
#[cfg(unix)]
fn stdin() -> io::Result<Box<dyn Read>> {
    use std::os::fd::AsFd;
    Ok(Box::new(fs::File::from(io::stdin().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn stdin() -> io::Result<Box<dyn Read>> {
    Ok(Box::new(io::stdin().lock()))
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read_text(path: &Path) -> Result<Zeroizing<String>, Fault> {
    const LIMIT: u64 = 1 << 28; // 2^22 coefficients of 39 digits are less
    let bytes = std::mem::take(&mut *read(path, LIMIT)?);
    String::from_utf8(bytes).map(Zeroizing::new).map_err(|e| {
        let (valid, bytes) = (e.utf8_error().valid_up_to(), Zeroizing::new(e.into_bytes()));
        let line = 1 + bytes[..valid].iter().filter(|&&b| b == b'\n').count();
        Fault::Input(format!("{}:{line}: this is not UTF-8 text", name(path)))
    })
}

/// Whether the path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path.as_os_str() == *name)
}

/// The name for messages.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".into() } else { path.display().to_string() }
}

/// Refuses to read two things from standard input. Refuses an output that is one of the inputs,
/// under whatever name: replacing it would lose what was read.
pub(crate) fn apart(outputs: &[&PathBuf], inputs: &[&PathBuf]) -> Result<(), Fault> {
    let files = |paths: &[&PathBuf]| paths.iter().filter_map(|path| path.canonicalize().ok()).collect::<Vec<_>>();
    let inputs = files(inputs);
    match files(outputs).into_iter().find(|output| output.is_file() && inputs.contains(output)) {
        None => Ok(()),
        Some(both) => Err(Fault::Usage(format!("{} is read, and cannot be the output as well", name(&both)))),
    }
}

pub(crate) fn at_most_one_dash(paths: &[&PathBuf]) -> Result<(), Fault> {
    match paths.iter().filter(|p| is_stdin(p)).count() {
        0 | 1 => Ok(()),
        _ => Err(Fault::Usage("standard input can be read once; name a file for the other input".into())),
    }
}

/// A file is not what it should be.
pub(crate) fn refused(path: &Path, e: &dyn std::fmt::Display) -> Fault {
    Fault::Input(format!("{}: {e}", name(path)))
}

/// A file cannot be read.
pub(crate) fn unreadable(path: &Path, e: &io::Error) -> Fault {
    refused(path, &format_args!("cannot be read: {e}"))
}
