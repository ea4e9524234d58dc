//! What stands behind a header: chunks of 64 KiB, each sealed with ChaCha20-Poly1305 under a nonce that counts them and
//! marks the last one.
//!
//! Chunks are independent: several threads seal or open a batch of them. Nothing that leaves this module is
//! unauthenticated; that the file ends where it should is known only after its last chunk.
//!
//! Source: the age file format, version 1, section "Payload"; the STREAM construction of Hoang, Reyhanitabar, Rogaway,
//! Vizár, *Online authenticated-encryption and its nonce-reuse misuse-resistance* (2015).

use age_core::{format::FileKey, primitives::hkdf, secrecy::ExposeSecret};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, MAX_TAG_LEN, Nonce, UnboundKey};
use ringwork::ct::scrubbed;
use std::{
    hint::black_box,
    io::{self, ErrorKind, Read, Write},
    num::NonZero,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use zeroize::Zeroizing;

/// Bytes of a chunk, and of a sealed one.
const CHUNK: usize = 1 << 16;
const SEALED: usize = CHUNK + MAX_TAG_LEN;
/// Chunks of a batch for each thread: half a megabyte.
const CHUNKS_EACH: usize = 8;
/// More threads wait for the disk.
const THREADS_AT_MOST: usize = 8;

/// Bytes of plaintext in so many bytes of chunks, if these can be all.
pub(super) fn plaintext_bytes(sealed: u64) -> Option<u64> {
    let chunks = sealed.div_ceil(SEALED as u64).max(1);
    let plaintext = sealed.checked_sub(chunks * MAX_TAG_LEN as u64)?;
    // Only the plaintext that is empty has an empty chunk.
    (plaintext > (chunks - 1) * CHUNK as u64 || chunks == 1).then_some(plaintext)
}

/// A key for the chunks of one file, where no move copies it.
struct Key(Box<LessSafeKey>);

impl Key {
    fn new(file_key: &FileKey, nonce: &[u8; 16]) -> Self {
        scrubbed(|| Self(Box::new(key_of(&hkdf(nonce, b"payload", file_key.expose_secret())))))
    }

    /// Seals a chunk; the tag goes behind it.
    fn seal(&self, chunk: &mut [u8], number: u64, is_last: bool) {
        let (plaintext, tag) = chunk.split_at_mut(chunk.len() - MAX_TAG_LEN);
        let sealed = self.0.seal_in_place_separate_tag(nonce(number, is_last), Aad::empty(), plaintext);
        tag.copy_from_slice(sealed.expect("a chunk is short").as_ref());
    }

    /// Opens a chunk in its place, and tells whether it was sealed with this key, number and mark.
    fn open(&self, chunk: &mut [u8], number: u64, is_last: bool) -> bool {
        self.0.open_in_place(nonce(number, is_last), Aad::empty(), chunk).is_ok()
    }
}

impl Drop for Key {
    /// `ring` does not wipe keys: another one takes its place.
    fn drop(&mut self) {
        *self.0 = key_of(&[0; 32]);
        black_box(&self.0);
    }
}

fn key_of(bytes: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, bytes).expect("a key has 32 bytes"))
}

/// Eleven bytes of a counter and one that marks the last chunk.
fn nonce(number: u64, is_last: bool) -> Nonce {
    let mut bytes = [0; 12];
    bytes[3..11].copy_from_slice(&number.to_be_bytes());
    bytes[11] = is_last.into();
    Nonce::assume_unique_for_key(bytes)
}

/// As many threads as the machine runs at once, up to a bound.
fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(THREADS_AT_MOST)
}

/// Works on every chunk of a batch, with its number in the batch, and counts how many succeed before the first that
/// does not.
fn on_chunks(threads: usize, batch: &mut [u8], work: impl Fn(usize, &mut [u8]) -> bool + Sync) -> usize {
    let chunks = batch.len().div_ceil(SEALED);
    let (left, failed) = (Mutex::new(batch.chunks_mut(SEALED).enumerate()), AtomicUsize::new(chunks));
    let next = || left.lock().expect("no chunk panics").next();
    let all = || {
        scrubbed(|| {
            while let Some((number, chunk)) = next() {
                if !work(number, chunk) {
                    failed.fetch_min(number, Ordering::Relaxed);
                }
            }
        });
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(chunks) {
            // Where there is no thread to be had, this one does the work.
            let _ = thread::Builder::new().spawn_scoped(scope, all);
        }
        all();
    });
    failed.into_inner()
}

/// Seals what is written to it.
pub(crate) struct Writer<W> {
    key: Key,
    output: W,
    threads: usize,
    /// Chunks with room for their tags.
    batch: Zeroizing<Vec<u8>>,
    /// Bytes of plaintext in the batch.
    filled: usize,
    /// The number of the first chunk of the batch.
    number: u64,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(file_key: &FileKey, nonce: &[u8; 16], output: W) -> Self {
        Self::on_threads(threads(), file_key, nonce, output)
    }

    fn on_threads(threads: usize, file_key: &FileKey, nonce: &[u8; 16], output: W) -> Self {
        let batch = Zeroizing::new(vec![0; threads * CHUNKS_EACH * SEALED]);
        Self { key: Key::new(file_key, nonce), output, threads, batch, filled: 0, number: 0 }
    }

    /// Seals what is left as the last chunk. Without it the file is truncated.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        Ok(self.output)
    }

    fn seal(&mut self, is_end: bool) -> io::Result<()> {
        let chunks = if is_end { self.filled.div_ceil(CHUNK).max(1) } else { self.filled / CHUNK };
        let batch = &mut self.batch[..self.filled + chunks * MAX_TAG_LEN];
        let (key, number) = (&self.key, self.number);
        on_chunks(self.threads, batch, |i, chunk| {
            key.seal(chunk, number + i as u64, is_end && i + 1 == chunks);
            true
        });
        // Whether or not it can be written: no chunk is sealed twice with one number.
        (self.filled, self.number) = (0, number + chunks as u64);
        self.output.write_all(batch)
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // More follows, so that no chunk of this batch is the last one.
        if !bytes.is_empty() && self.filled == self.batch.len() / SEALED * CHUNK {
            self.seal(false)?;
        }
        let (chunk, within) = (self.filled / CHUNK, self.filled % CHUNK);
        let count = bytes.len().min(CHUNK - within);
        self.batch[chunk * SEALED + within..][..count].copy_from_slice(&bytes[..count]);
        self.filled += count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// What follows the plaintext of a batch.
enum Next {
    /// Another batch.
    Batch,
    /// Nothing.
    End,
    /// An error, once as it came.
    Failed(Option<io::Error>, ErrorKind),
}

impl Next {
    fn failed(kind: ErrorKind) -> Self {
        Self::Failed(None, kind)
    }
}

/// Opens what is sealed, and gives what is authentic.
///
/// **Errors** of reading are [`ErrorKind::UnexpectedEof`] where chunks are missing at the end, and
/// [`ErrorKind::InvalidData`] where a chunk is not authentic; then the chunks before it were given.
pub(crate) struct Reader<R> {
    key: Key,
    input: R,
    threads: usize,
    /// Chunks, and one byte ahead: without it, the chunk before would be the last one.
    batch: Zeroizing<Vec<u8>>,
    /// Bytes of plaintext in the batch, and how many of them were given.
    opened: usize,
    given: usize,
    /// The number of the next chunk that is read.
    number: u64,
    next: Next,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(file_key: &FileKey, nonce: &[u8; 16], input: R) -> Self {
        Self::on_threads(threads(), file_key, nonce, input)
    }

    fn on_threads(threads: usize, file_key: &FileKey, nonce: &[u8; 16], input: R) -> Self {
        let batch = Zeroizing::new(vec![0; threads * CHUNKS_EACH * SEALED + 1]);
        let key = Key::new(file_key, nonce);
        Self { key, input, threads, batch, opened: 0, given: 0, number: 0, next: Next::Batch }
    }

    /// Opens the same from its beginning, or what stands in its place.
    pub(super) fn again<S: Read>(self, input: S) -> Reader<S> {
        let Self { key, threads, batch, .. } = self;
        Reader { key, input, threads, batch, opened: 0, given: 0, number: 0, next: Next::Batch }
    }

    /// Reads and opens the next batch.
    fn fill(&mut self) {
        let ahead = self.batch.len() - 1;
        let mut have = 0;
        if self.number > 0 {
            (self.batch[0], have) = (self.batch[ahead], 1);
        }
        let ended = loop {
            if have > ahead {
                break Ok(false);
            }
            match self.input.read(&mut self.batch[have..]) {
                Ok(0) => break Ok(true),
                Ok(count) => have += count,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => break Err(e),
            }
        };
        match ended {
            Ok(false) => self.open(ahead, false, Next::Batch),
            Ok(true) if have == 0 => self.next = Next::failed(ErrorKind::UnexpectedEof),
            Ok(true) => self.open(have, true, Next::End),
            Err(e) => {
                let kind = e.kind();
                self.open(have.saturating_sub(1) / SEALED * SEALED, false, Next::Failed(Some(e), kind));
            }
        }
    }

    /// Opens the chunks in the first bytes of the batch, after which `next` follows if all are authentic.
    fn open(&mut self, length: usize, is_end: bool, next: Next) {
        let (key, number, chunks) = (&self.key, self.number, length.div_ceil(SEALED));
        let batch = &mut self.batch[..length];
        // A last chunk that is whole may be one of the middle, behind which the rest of the file is missing.
        let whole = (is_end && length == chunks * SEALED).then(|| {
            let mut chunk = Zeroizing::new(batch[length - SEALED..].to_vec());
            scrubbed(|| key.open(&mut chunk, number + chunks as u64 - 1, false)).then_some(chunk)
        });
        let middle = whole.flatten();
        let opened = on_chunks(self.threads, batch, |i, chunk| {
            let is_last = is_end && i + 1 == chunks;
            is_last && middle.is_some() || key.open(chunk, number + i as u64, is_last)
        });
        self.number += chunks as u64;
        (self.given, self.opened, self.next) = (0, length.saturating_sub(chunks * MAX_TAG_LEN), next);
        if opened < chunks {
            (self.opened, self.next) = (opened * CHUNK, Next::failed(ErrorKind::InvalidData));
        } else if let Some(middle) = middle {
            batch[length - SEALED..].copy_from_slice(&middle);
            self.next = Next::failed(ErrorKind::UnexpectedEof);
        } else if is_end && length % SEALED == MAX_TAG_LEN && self.number > 1 {
            // Only an empty file ends with an empty chunk.
            self.next = Next::failed(ErrorKind::InvalidData);
        }
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.given == self.opened {
            match &mut self.next {
                Next::Batch => self.fill(),
                Next::End => return Ok(0),
                Next::Failed(e, kind) => return Err(e.take().unwrap_or_else(|| (*kind).into())),
            }
        }
        let (chunk, within) = (self.given / CHUNK, self.given % CHUNK);
        let count = bytes.len().min(CHUNK - within).min(self.opened - self.given);
        bytes[..count].copy_from_slice(&self.batch[chunk * SEALED + within..][..count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use age_core::format::Stanza;
    use std::{cell::RefCell, collections::HashSet, iter};

    /// Learns the key of a file.
    struct Spy(RefCell<Vec<u8>>);

    impl age::Recipient for Spy {
        fn wrap_file_key(&self, key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), age::EncryptError> {
            *self.0.borrow_mut() = key.expose_secret().to_vec();
            Ok((vec![Stanza { tag: "spy".into(), args: vec![], body: vec![] }], HashSet::new()))
        }
    }

    /// Key, nonce and payload of what the crate `age` makes of a plaintext.
    fn by_age(plaintext: &[u8]) -> (FileKey, [u8; 16], Vec<u8>) {
        let spy = Spy(RefCell::default());
        let encryptor = age::Encryptor::with_recipients(iter::once(&spy as _)).unwrap();
        let mut file = Vec::new();
        let mut stream = encryptor.wrap_output(&mut file).unwrap();
        stream.write_all(plaintext).unwrap();
        stream.finish().unwrap();
        let key = spy.0.borrow()[..].try_into().unwrap();
        let payload = plaintext.len() + plaintext.len().div_ceil(CHUNK).max(1) * MAX_TAG_LEN;
        let payload = file.split_off(file.len() - payload);
        let nonce = file.split_off(file.len() - 16).try_into().unwrap();
        (FileKey::new(Box::new(key)), nonce, payload)
    }

    fn plaintext(length: usize) -> Vec<u8> {
        (0..length as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
    }

    /// What a reader gives before it fails, and how.
    fn read(mut reader: Reader<impl Read>) -> (Vec<u8>, Option<ErrorKind>) {
        let mut all = Vec::new();
        let failed = reader.read_to_end(&mut all).err().map(|e| e.kind());
        assert_eq!(reader.read(&mut [0]).map_err(|e| e.kind()), failed.map_or(Ok(0), Err), "it stays as it is");
        (all, failed)
    }

    #[test]
    fn payloads_are_those_of_age_on_any_number_of_threads() {
        let batch = CHUNKS_EACH * CHUNK;
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, batch, batch + 1, 2 * batch, 3 * batch + 5] {
            let plaintext = plaintext(length);
            let (key, nonce, payload) = by_age(&plaintext);
            for threads in 1..=3 {
                let mut writer = Writer::on_threads(threads, &key, &nonce, Vec::new());
                plaintext.chunks(100_000).for_each(|piece| writer.write_all(piece).unwrap());
                assert!(writer.finish().unwrap() == payload, "{length} bytes on {threads} threads");
                let found = read(Reader::on_threads(threads, &key, &nonce, &payload[..]));
                assert!(found == (plaintext.clone(), None), "{length} bytes on {threads} threads: {:?}", found.1);
            }
        }
    }

    #[test]
    fn nothing_is_given_that_is_not_authentic() {
        let plaintext = plaintext((CHUNKS_EACH + 1) * CHUNK + 5);
        let (key, nonce, payload) = by_age(&plaintext);
        let after = |chunks: usize, kind| (plaintext[..chunks * CHUNK].to_vec(), Some(kind));
        for threads in 1..=3 {
            let read = |payload: &[u8]| read(Reader::on_threads(threads, &key, &nonce, payload));
            for at in [0, CHUNK, SEALED - 1, SEALED, 7 * SEALED + 9, 8 * SEALED, 9 * SEALED - 1, 9 * SEALED + 4] {
                let mut payload = payload.clone();
                payload[at] ^= 1;
                assert!(
                    read(&payload) == after(at / SEALED, ErrorKind::InvalidData),
                    "{at} changed, {threads} threads"
                );
            }
            for length in [0, 1, 16, SEALED - 1, SEALED, SEALED + 1, 8 * SEALED, 8 * SEALED + 16, 9 * SEALED] {
                let whole = length % SEALED == 0;
                let kind = if whole { ErrorKind::UnexpectedEof } else { ErrorKind::InvalidData };
                assert!(read(&payload[..length]) == after(length / SEALED, kind), "{length} bytes, {threads} threads");
            }
            let longer = [&payload[..], &[0]].concat();
            assert!(read(&longer) == after(9, ErrorKind::InvalidData));
            let (first, second) = (&payload[..SEALED], &payload[SEALED..2 * SEALED]);
            assert!(read(&[second, first, &payload[2 * SEALED..]].concat()) == after(0, ErrorKind::InvalidData));
            // An empty chunk at the end is no chunk of its own.
            let mut empty = [0; MAX_TAG_LEN];
            Key::new(&key, &nonce).seal(&mut empty, 1, true);
            assert!(read(&[first, &empty].concat()) == after(1, ErrorKind::InvalidData));
            let other = Reader::on_threads(threads, &key, &[1; 16], &payload[..]);
            assert!(super::tests::read(other) == after(0, ErrorKind::InvalidData));
        }
    }

    /// Gives and takes few bytes at once, with interruptions, and fails after some.
    struct Shaky<T> {
        within: T,
        turns: u32,
        left: usize,
    }

    impl<T> Shaky<T> {
        fn turn(&mut self) -> io::Result<usize> {
            self.turns += 1;
            match self.left {
                0 => Err(io::Error::other("the wire was cut")),
                _ if self.turns.is_multiple_of(3) => Err(ErrorKind::Interrupted.into()),
                left => Ok(left.min(10_007)),
            }
        }
    }

    impl Read for Shaky<&[u8]> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let most = self.turn()?.min(bytes.len());
            let count = self.within.read(&mut bytes[..most])?;
            self.left -= count;
            Ok(count)
        }
    }

    #[test]
    fn errors_of_reading_come_after_what_was_read() {
        let plaintext = plaintext((CHUNKS_EACH + 3) * CHUNK);
        let (key, nonce, payload) = by_age(&plaintext);
        let reader = |left| Reader::on_threads(1, &key, &nonce, Shaky { within: &payload[..], turns: 0, left });
        assert!(read(reader(usize::MAX)) == (plaintext.clone(), None));
        for chunks in [0, 1, CHUNKS_EACH, CHUNKS_EACH + 2] {
            let mut all = Vec::new();
            let error = reader(chunks * SEALED + 100).read_to_end(&mut all).unwrap_err();
            assert_eq!((error.to_string().as_str(), all.len()), ("the wire was cut", chunks * CHUNK));
        }
    }

    /// Refuses what is written first.
    struct Full(Vec<u8>, bool);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if std::mem::take(&mut self.1) { Err(ErrorKind::StorageFull.into()) } else { self.0.write(bytes) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn no_number_is_used_twice() {
        let plaintext = plaintext(2 * CHUNKS_EACH * CHUNK);
        let (key, nonce, payload) = by_age(&plaintext);
        let mut writer = Writer::on_threads(1, &key, &nonce, Full(Vec::new(), true));
        let (first, second) = plaintext.split_at(CHUNKS_EACH * CHUNK);
        writer.write_all(first).unwrap();
        assert_eq!(writer.write(second).unwrap_err().kind(), ErrorKind::StorageFull);
        writer.write_all(second).unwrap();
        assert!(writer.finish().unwrap().0 == payload[CHUNKS_EACH * SEALED..]);
    }
}
