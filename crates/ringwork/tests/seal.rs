//! Sealed files: every size comes back, and nothing that was changed does.

use chacha20poly1305::{
    ChaCha20Poly1305, KeyInit,
    aead::{Aead, Payload},
};
use ringwork::{
    kem::SharedKey,
    object::HEADER_BYTES,
    seal::{Error, SEGMENT_BYTES, TAG_BYTES, seal, unseal},
    xof::{ByteStream, Shake256},
};
use std::io::{self, Read, Write};

const WHOLE: usize = SEGMENT_BYTES + TAG_BYTES;
const HEADER: [u8; HEADER_BYTES] = [9; HEADER_BYTES];

fn key(number: u8) -> SharedKey {
    SharedKey::new([number; 32])
}

fn file(length: usize) -> Vec<u8> {
    (0..length).map(|i| ((i * i) >> 3) as u8).collect()
}

fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    assert_eq!(seal(key(1), &HEADER, &mut &*bytes, &mut out).unwrap(), bytes.len() as u64);
    out
}

/// What comes back, or the segment that was refused.
fn opened(bytes: &[u8]) -> Result<Vec<u8>, u64> {
    opened_with(key(1), &HEADER, bytes)
}

fn opened_with(key: SharedKey, header: &[u8; HEADER_BYTES], bytes: &[u8]) -> Result<Vec<u8>, u64> {
    let mut out = Vec::new();
    match unseal(key, header, &mut &*bytes, &mut out) {
        Ok(length) => {
            assert_eq!(length, out.len() as u64);
            Ok(out)
        }
        Err(Error::Refused { segment }) => Err(segment),
        Err(e) => panic!("{e}"),
    }
}

/// A source that gives few bytes at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = out.len().min(1009);
        self.0.read(&mut out[..count])
    }
}

#[test]
fn every_size_comes_back() {
    for length in [0, 1, 65535, 65536, 65537, 131_072, 200_000] {
        let (bytes, segments) = (file(length), length.div_ceil(SEGMENT_BYTES).max(1));
        let whole = sealed(&bytes);
        assert_eq!(whole.len(), length + TAG_BYTES * segments);
        assert_eq!(opened(&whole).unwrap(), bytes);
        let mut out = Vec::new();
        seal(key(1), &HEADER, &mut Trickle(&bytes), &mut out).unwrap();
        assert!(out == whole, "how reading is cut makes no difference");
        out.clear();
        unseal(key(1), &HEADER, &mut Trickle(&whole), &mut out).unwrap();
        assert!(out == bytes);
    }
}

#[test]
fn another_key_or_header_is_refused() {
    let whole = sealed(&file(100));
    assert_eq!(opened_with(key(2), &HEADER, &whole), Err(0));
    for i in 0..HEADER_BYTES {
        let mut header = HEADER;
        header[i] ^= 1;
        assert_eq!(opened_with(key(1), &header, &whole), Err(0));
    }
}

#[test]
fn every_changed_byte_is_refused() {
    let short = sealed(&file(100));
    for i in 0..short.len() {
        let mut changed = short.clone();
        changed[i] ^= 0x80;
        assert_eq!(opened(&changed), Err(0));
    }
    let long = sealed(&file(2 * SEGMENT_BYTES + 5));
    for (i, segment) in [(0, 0), (WHOLE - 1, 0), (WHOLE, 1), (2 * WHOLE - 1, 1), (2 * WHOLE, 2), (long.len() - 1, 2)] {
        let mut changed = long.clone();
        changed[i] ^= 1;
        assert_eq!(opened(&changed), Err(segment), "byte {i}");
    }
}

#[test]
fn whatever_is_cut_off_is_missed() {
    let whole = sealed(&file(2 * SEGMENT_BYTES + 5));
    let lengths =
        [0, 1, 15, 16, 17, WHOLE - 1, WHOLE, WHOLE + 1, WHOLE + 16, 2 * WHOLE, 2 * WHOLE + 16, whole.len() - 1];
    for length in lengths {
        assert!(opened(&whole[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn whatever_is_put_behind_moved_or_doubled_is_refused() {
    let whole = sealed(&file(3 * SEGMENT_BYTES));
    let segment = |i: usize| &whole[i * WHOLE..(i + 1) * WHOLE];
    assert!(opened(&[&*whole, &[0]].concat()).is_err());
    assert!(opened(&[&whole, segment(2)].concat()).is_err());
    assert_eq!(opened(&[segment(1), segment(0), segment(2)].concat()), Err(0));
    assert_eq!(opened(&[segment(0), segment(0), segment(2)].concat()), Err(1));
    assert_eq!(opened(&[segment(0), segment(2)].concat()), Err(1));
    assert!(opened(&[segment(0), segment(1), segment(2)].concat()).is_ok());
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }
}

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_cannot_be_read_or_written_is_told_apart() {
    assert!(matches!(seal(key(1), &HEADER, &mut Broken, &mut Vec::new()), Err(Error::Read(_))));
    assert!(matches!(seal(key(1), &HEADER, &mut &b"x"[..], &mut Broken), Err(Error::Write(_))));
    assert!(matches!(unseal(key(1), &HEADER, &mut &*sealed(b"x"), &mut Broken), Err(Error::Write(_))));
}

/// A segment by the formula.
fn segment(index: u32, last: bool, bytes: &[u8]) -> Vec<u8> {
    let input = [b"ringwork sealed file 1 ", &key(1).as_bytes()[..], &HEADER].concat();
    let mut derived = [0; 39];
    Shake256::new(&input).read(&mut derived);
    let nonce: Vec<u8> = derived[32..].iter().copied().chain(index.to_be_bytes()).chain([last.into()]).collect();
    let aead = ChaCha20Poly1305::new(derived[..32].try_into().unwrap());
    aead.encrypt(nonce[..].try_into().unwrap(), Payload { msg: bytes, aad: &HEADER }).unwrap()
}

#[test]
fn segments_are_as_documented() {
    let bytes = file(SEGMENT_BYTES + 3);
    let by_formula = [segment(0, false, &bytes[..SEGMENT_BYTES]), segment(1, true, &bytes[SEGMENT_BYTES..])].concat();
    assert!(sealed(&bytes) == by_formula);
    assert_eq!(sealed(b""), segment(0, true, b""));
}

#[test]
fn an_empty_segment_ends_nothing_but_the_empty_file() {
    let bytes = file(SEGMENT_BYTES);
    assert_eq!(opened(&[segment(0, false, &bytes), segment(1, true, b"")].concat()), Err(1));
}
