//! The bytes of a file of age: its header, read once and bounded, and what stands behind it.

use age::armor::ArmoredReader;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

/// What editors of Windows put before text.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// How files begin, and armored ones.
const MAGIC: &[u8] = b"age-encryption.org/";
const ARMOR: &[u8] = b"-----BEGIN AGE ENCRYPTED FILE-----";
/// How the header of the known version begins.
const VERSION_1: &[u8] = b"age-encryption.org/v1\n";
/// No header has more stanzas: the bound of Go's age.
pub const STANZAS_AT_MOST: usize = 1024;
/// No header is longer: the bound of Go's age, which holds as many stanzas for the post-quantum scheme.
pub const HEADER_BYTES_AT_MOST: usize = 2 << 20;
/// No line of armor is longer: they have 64 characters, and some end in blanks.
const ARMOR_LINE_AT_MOST: usize = 1024;

/// Whether that is how a file of age begins, armored or not.
pub fn is_age(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || is_armored(bytes)
}

/// Whether that is how an armored file begins.
pub fn is_armored(bytes: &[u8]) -> bool {
    trimmed(bytes).starts_with(ARMOR)
}

/// What stands behind a byte order mark and blanks.
pub fn trimmed(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start()
}

/// What the crate `age` reads: the header in one piece, then the nonce. With what stands behind it
/// ([`Read::chain`]) it is a whole file.
///
/// `Decryptor::new_buffered` parses from the beginning again after every `read_until`. If that gave a line, as its
/// name says, the time would be quadratic; here it gives all lines.
pub struct Head {
    header: Option<Vec<u8>>,
    nonce: Cursor<[u8; 16]>,
}

/// Reads the header, out of its armor if there is one, and the nonce, in pieces of so many bytes; gives them, and what
/// stands behind.
///
/// **Errors** if it is of another version, is beyond a bound, ends too early, or a stanza does not end with a short
/// line, as the format wants it and the crate `age` does not.
pub fn read<'a>(source: impl Read + 'a, is_armored: bool, piece: usize) -> io::Result<(Head, Box<dyn BufRead + 'a>)> {
    let mut rest: Box<dyn BufRead + 'a> = if is_armored {
        let lines = ShortLines { source, since_end: 0 };
        Box::new(BufReader::with_capacity(piece, ArmoredReader::new(lines)))
    } else {
        Box::new(BufReader::with_capacity(piece, source))
    };
    let (header, mut nonce) = (header(&mut rest)?, [0; 16]);
    rest.read_exact(&mut nonce)?;
    Ok((Head { header: Some(header), nonce: Cursor::new(nonce) }, rest))
}

/// The lines to the authentication code.
fn header(source: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    let refuse = |why: String| Err(io::Error::new(ErrorKind::InvalidData, why));
    let (mut header, mut stanzas, mut is_body_open) = (Vec::new(), 0, false);
    loop {
        let start = header.len();
        source.take((HEADER_BYTES_AT_MOST - start) as u64).read_until(b'\n', &mut header)?;
        let line = &header[start..];
        if !line.ends_with(b"\n") {
            return match header.len() {
                HEADER_BYTES_AT_MOST => refuse(format!("a header has {HEADER_BYTES_AT_MOST} bytes at most")),
                _ => Err(ErrorKind::UnexpectedEof.into()),
            };
        }
        if start == 0 && line != VERSION_1 {
            return refuse("this is of another version of the format of age, and version 1 is known here".into());
        }
        let is_stanza = line.starts_with(b"-> ");
        if is_body_open && line.starts_with(b"-") {
            return refuse("a stanza does not end with a line of less than 64 characters".into());
        }
        if line.starts_with(b"---") {
            return Ok(header);
        }
        stanzas += usize::from(is_stanza);
        if stanzas > STANZAS_AT_MOST {
            return refuse(format!("a header has {STANZAS_AT_MOST} stanzas at most"));
        }
        is_body_open = is_stanza || line.len() == 65;
    }
}

impl Head {
    /// Bytes of the header, before it is read from here.
    pub fn header_bytes(&self) -> usize {
        self.header.as_ref().map_or(0, Vec::len)
    }

    /// The nonce of the payload.
    pub const fn nonce(&self) -> [u8; 16] {
        *self.nonce.get_ref()
    }
}

impl Read for Head {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.nonce.read(bytes)
    }
}

impl BufRead for Head {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.nonce.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.nonce.consume(count);
    }

    /// The header, and nothing after it.
    fn read_until(&mut self, _: u8, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let header = self.header.take().unwrap_or_default();
        bytes.extend(&header);
        Ok(header.len())
    }
}

/// A source that ends with an error within a line that is too long: whoever reads lines keeps them in memory.
struct ShortLines<R> {
    source: R,
    /// Bytes since the last end of a line.
    since_end: usize,
}

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(bytes)?;
        for line in bytes[..count].split_inclusive(|&byte| byte == b'\n') {
            self.since_end += line.len();
            if self.since_end > ARMOR_LINE_AT_MOST {
                let why = format!("a line of armor has {ARMOR_LINE_AT_MOST} characters at most");
                return Err(io::Error::new(ErrorKind::InvalidData, why));
            }
            if line.ends_with(b"\n") {
                self.since_end = 0;
            }
        }
        Ok(count)
    }
}
