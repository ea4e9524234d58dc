//! Files behind a shared key: encrypted and authenticated segment by segment, in bounded memory.
//!
//! ```text
//! (k, nonce) = SHAKE-256("ringwork sealed file 1 " ‖ shared key ‖ header)          32 and 7 bytes
//! segment i  = ChaCha20-Poly1305(k; nonce ‖ i ‖ last; header; bytes of the file)    i: 4 bytes, big-endian; last: 0, 1
//! ```
//!
//! Every segment but the last has 65536 bytes of the file, the last has 1 at least unless the file
//! is empty, and each is followed by its tag of 16 bytes. The header is that of the
//! [object](crate::object) in front, whose digest covers the ciphertext of the shared key. So
//! whatever is changed, moved, cut off or appended makes a segment that is refused.
//!
//! A shared key seals one file, and is given up for that: with another file under the same key and
//! header, the numbers of a nonce would repeat.
//!
//! Source: Hoang, Reyhanitabar, Rogaway, Vizár, *Online authenticated-encryption and its
//! nonce-reuse misuse-resistance* (2015), STREAM; RFC 8439.

use crate::{
    kem::SharedKey,
    object::HEADER_BYTES,
    xof::{ByteStream, Shake256},
};
use aead_stream::{NewStream, StreamBE32, StreamPrimitive};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use core::fmt;
use std::io::{self, Read, Write};
use zeroize::Zeroizing;

/// Bytes of the file in each segment but the last.
pub const SEGMENT_BYTES: usize = 1 << 16;
/// What a segment is longer when it is sealed.
pub const TAG_BYTES: usize = 16;

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 7;

/// Seals what `from` holds, to the end, and tells how many bytes that was.
///
/// **Errors** if something cannot be read or written; what was written until then is a refused
/// file.
pub fn seal(
    key: SharedKey,
    header: &[u8; HEADER_BYTES],
    from: &mut impl Read,
    to: &mut impl Write,
) -> Result<u64, Error> {
    let (stream, mut total) = (stream(&key, header), 0);
    for_segments(from, SEGMENT_BYTES, |segment, index, is_last| {
        total += segment.len() as u64;
        let position = index.try_into().map_err(|_| Error::TooLong)?;
        stream.encrypt_in_place(position, is_last, header, segment).map_err(|_| Error::TooLong)?;
        to.write_all(segment).map_err(Error::Write)
    })?;
    Ok(total)
}

/// Undoes [`seal`], and tells how many bytes the file has.
///
/// Every segment is verified before it is written; only success tells that the last one was there.
/// **So nobody may see the output before.** **Errors** name the first segment that is refused.
pub fn unseal(
    key: SharedKey,
    header: &[u8; HEADER_BYTES],
    from: &mut impl Read,
    to: &mut impl Write,
) -> Result<u64, Error> {
    let (stream, mut total) = (stream(&key, header), 0);
    for_segments(from, SEGMENT_BYTES + TAG_BYTES, |segment, index, is_last| {
        let refused = Error::Refused { segment: index };
        let position = index.try_into().map_err(|_| Error::TooLong)?;
        let opened = stream.decrypt_in_place(position, is_last, header, segment);
        if opened.is_err() || (segment.is_empty() && index > 0) {
            return Err(refused);
        }
        total += segment.len() as u64;
        to.write_all(segment).map_err(Error::Write)
    })?;
    Ok(total)
}

fn stream(key: &SharedKey, header: &[u8; HEADER_BYTES]) -> StreamBE32<ChaCha20Poly1305> {
    let mut input = Zeroizing::new(Vec::with_capacity(256));
    for part in [b"ringwork sealed file 1 ", &key.as_bytes()[..], header] {
        input.extend_from_slice(part);
    }
    let mut bytes = Zeroizing::new([0; KEY_BYTES + NONCE_BYTES]);
    Shake256::new(&input).read(&mut bytes[..]);
    let (key, nonce) = bytes.split_at(KEY_BYTES);
    let aead = ChaCha20Poly1305::new(key.try_into().expect("32 bytes"));
    StreamBE32::from_aead(aead, nonce.try_into().expect("7 bytes"))
}

/// Cuts what `from` holds into pieces of `size` bytes, the last one shorter; there is one even of
/// nothing.
fn for_segments(
    from: &mut impl Read,
    size: usize,
    mut work: impl FnMut(&mut Vec<u8>, u64, bool) -> Result<(), Error>,
) -> Result<(), Error> {
    let buffer = || Zeroizing::new(Vec::with_capacity(SEGMENT_BYTES + TAG_BYTES)); // never grows: no copies stay behind
    let (mut segment, mut next) = (buffer(), buffer());
    let mut fill = |buffer: &mut Vec<u8>| {
        buffer.clear();
        from.take(size as u64).read_to_end(buffer).map_err(Error::Read)
    };
    fill(&mut segment)?;
    for index in 0.. {
        let is_last = segment.len() < size || fill(&mut next)? == 0;
        work(&mut segment, index, is_last)?;
        if is_last {
            break;
        }
        core::mem::swap(&mut segment, &mut next);
    }
    Ok(())
}

/// Why a file was not sealed or not opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// It could not be read.
    Read(io::Error),
    /// The other one could not be written.
    Write(io::Error),
    /// A segment is not what was sealed there with this key.
    Refused {
        /// Which one.
        segment: u64,
    },
    /// More than 2^32 segments.
    TooLong,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(e) => write!(f, "cannot be read: {e}"),
            Self::Write(e) => write!(f, "cannot be written: {e}"),
            Self::Refused { segment: 0 } => f.write_str(
                "refused at its beginning: it was sealed for another key, or it was changed or cut off within the \
                 first 65536 bytes",
            ),
            Self::Refused { segment } => write!(
                f,
                "refused after {} bytes: what follows was changed, moved, cut off or put there",
                *segment * SEGMENT_BYTES as u64
            ),
            Self::TooLong => f.write_str("more than 2^48 bytes, which is more than can be sealed"),
        }
    }
}

impl core::error::Error for Error {}
