//! Files: `-` is standard input or output, nothing is replaced unasked, and nothing is ever half
//! written.

mod leftovers;
mod output;

pub(crate) use leftovers::with_terminal;
pub(crate) use output::{
    Kind, Output, check_outputs, goes_through_a_pipe, is_stdout, stdout_carries_file, write, write_all,
};
pub(crate) use ringwork_age::source::BYTE_ORDER_MARK;

use crate::fault::{Fault, masked};
use std::{
    fs,
    io::{self, ErrorKind, Read, Seek, Write},
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// The bytes of a file, or of standard input for `-`, of which there must be at most `limit`; in
/// memory that is wiped.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Zeroizing<Vec<u8>>, Fault> {
    read_from(path, &mut *open(path)?, limit)
}

/// The same, of a file that is open.
fn read_from(path: &Path, source: &mut dyn Read, limit: u64) -> Result<Zeroizing<Vec<u8>>, Fault> {
    const PIECE: u64 = 1 << 16;
    // One byte more than expected shows that there is no more.
    let first = length(path).unwrap_or(PIECE).min(limit).saturating_add(1) as usize;
    let (mut filled, mut bytes) = (0, Zeroizing::new(vec![0; first]));
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
    Ok(Box::new(stdin_file()?))
}

#[cfg(unix)]
fn stdin_file() -> io::Result<fs::File> {
    use std::os::fd::AsFd;
    Ok(fs::File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// The same for standard output.
#[cfg(unix)]
fn stdout_file() -> io::Result<fs::File> {
    use std::os::fd::AsFd;
    Ok(fs::File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn stdin_file() -> io::Result<fs::File> {
    Err(ErrorKind::Unsupported.into())
}

/// A file that can be read more than once, from where it stands now; nothing, if it is none. A FIFO is not opened.
pub(crate) fn open_seekable(path: &Path) -> Option<(fs::File, u64)> {
    let mut file = match is_stdin(path) {
        true => stdin_file().ok()?,
        false => fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(|_| fs::File::open(path).ok())?,
    };
    let start = file.stream_position().ok()?;
    file.metadata().is_ok_and(|found| found.is_file()).then_some((file, start))
}

#[cfg(not(unix))]
fn stdin() -> io::Result<Box<dyn Read>> {
    Ok(Box::new(io::stdin().lock()))
}

/// The length of a file that has one.
pub(crate) fn length(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(|found| found.is_file() && !is_stdin(path)).map(|found| found.len())
}

/// Copies all there is, in memory that is wiped, and counts what was written. The inner error is of
/// reading, the outer of writing.
pub(crate) fn copy_all(from: &mut dyn Read, to: &mut dyn Write, bytes: &mut u64) -> io::Result<io::Result<()>> {
    let mut piece = Zeroizing::new(vec![0; 1 << 16]);
    loop {
        match from.read(&mut piece) {
            Ok(0) => return Ok(Ok(())),
            Ok(count) => {
                to.write_all(&piece[..count])?;
                *bytes += count as u64;
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Ok(Err(e)),
        }
    }
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read_text(path: &Path) -> Result<Zeroizing<String>, Fault> {
    text_of(path, &mut *open(path)?)
}

/// The same, of a file that is open.
pub(crate) fn text_of(path: &Path, source: &mut dyn Read) -> Result<Zeroizing<String>, Fault> {
    const LIMIT: u64 = 1 << 28; // 2^22 coefficients of 39 digits are less
    let bytes = read_from(path, source, LIMIT)?;
    Ok(Zeroizing::new(utf8(path, &bytes)?.to_owned()))
}

/// Why UTF-16 is refused.
pub(crate) const UTF16: &str = "this is UTF-16 text, as PowerShell writes with `>`, and UTF-8 is read: save it as UTF-8 \
                                without a byte order mark, or write it with `Out-File -Encoding utf8`";

/// Whether that begins as text in UTF-16 does.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    let ascii = |little: usize| {
        let (pairs, _) = bytes[..bytes.len().min(16)].as_chunks::<2>();
        pairs.len() >= 2 && pairs.iter().all(|pair| pair[1 - little] != 0 && pair[little] == 0)
    };
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || ascii(0) || ascii(1)
}

/// The text that bytes are, without a byte order mark.
///
/// **Errors** name the line where it stops being UTF-8, or UTF-16.
pub(crate) fn utf8<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, Fault> {
    utf8_or(path, bytes, |line| Fault::Input(format!("{}:{line}: this is not UTF-8 text", name(path))))
}

/// The same, with what to say of bytes that are no text, from that line on.
pub(crate) fn utf8_or<'a>(
    path: &Path,
    bytes: &'a [u8],
    otherwise: impl FnOnce(usize) -> Fault,
) -> Result<&'a str, Fault> {
    if is_utf16(bytes) {
        return Err(refused(path, &UTF16));
    }
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    std::str::from_utf8(bytes)
        .map_err(|e| otherwise(1 + bytes[..e.valid_up_to()].iter().filter(|&&b| b == b'\n').count()))
}

/// Whether the path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path.as_os_str() == *name)
}

/// The name for messages. One that would give a terminal orders, or that looks like more than a name, is quoted.
pub(crate) fn name(path: &Path) -> String {
    let name = path.display().to_string();
    match () {
        () if is_stdin(path) => "standard input".into(),
        () if is_shown(&name) => masked(&name).into_owned(),
        () => format!("{name:?}"),
    }
}

/// Whether a terminal shows every character of a line, and nothing else.
pub(crate) fn is_shown(line: &str) -> bool {
    line.chars().all(|c| !c.is_control() && !c.escape_debug().to_string().starts_with("\\u"))
}

/// Refuses to read two things from standard input. Refuses an output that is one of the inputs,
/// under whatever name: replacing it would lose what was read.
pub(crate) fn apart(outputs: &[&PathBuf], inputs: &[&PathBuf]) -> Result<(), Fault> {
    // There may be a file that is called `-`.
    let named = |path: &&&PathBuf| path.as_os_str() != "-";
    let files = |paths: &[&PathBuf]| -> Vec<PathBuf> {
        paths.iter().filter(named).filter_map(|path| path.canonicalize().ok()).collect()
    };
    outputs.iter().try_for_each(|output| check_redirection(output, inputs))?;
    let inputs = files(inputs);
    match files(outputs).into_iter().find(|output| output.is_file() && inputs.contains(output)) {
        None => Ok(()),
        Some(both) => Err(Fault::Usage(format!("{} is read, and cannot be the output as well", name(&both)))),
    }
}

/// Refuses to write to standard output if that goes to a file that is read.
pub(crate) fn check_redirection(output: &Path, inputs: &[&PathBuf]) -> Result<(), Fault> {
    let mut inputs = inputs.iter().filter(|_| is_stdout(output));
    inputs.find(|input| is_what_stdout_is(input)).map_or(Ok(()), |both| {
        let why = "standard output goes to this file, which is read: what is there would be lost, or read again";
        Err(Fault::Usage(format!("{}: {why}; name another one with -o", name(both))))
    })
}

/// Whether standard output was redirected to the file of that name.
#[cfg(unix)]
fn is_what_stdout_is(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let out = stdout_file().and_then(|out| out.metadata());
    let input = if is_stdin(path) { stdin_file().and_then(|file| file.metadata()) } else { fs::metadata(path) };
    let of = |found: fs::Metadata| found.is_file().then(|| (found.dev(), found.ino()));
    out.ok().and_then(of).is_some_and(|out| input.ok().and_then(of) == Some(out))
}

#[cfg(not(unix))]
fn is_what_stdout_is(_: &Path) -> bool {
    false
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
