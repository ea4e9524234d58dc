//! Archives whose bytes depend on nothing but what is in them, and checksums.

use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, io::Write};
use tar::{Builder, EntryType, Header};

pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    pub(crate) executable: bool,
}

/// A `.tar.gz` of one folder: files in order, all of one time, and nobody's.
pub(crate) fn packed(folder: &str, files: &BTreeMap<String, File>, time: u64) -> Result<Vec<u8>, String> {
    let mut archive = Builder::new(Vec::new());
    for (name, File { bytes, executable }) in files {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(if *executable { 0o755 } else { 0o644 });
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(time);
        header.set_size(bytes.len() as u64);
        let path = format!("{folder}/{name}");
        archive.append_data(&mut header, &path, &bytes[..]).map_err(|error| format!("{path}: {error}"))?;
    }
    gzip(&archive.into_inner().map_err(|error| error.to_string())?)
}

/// Without a name and a time.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    gzip.write_all(bytes).and_then(|()| gzip.finish()).map_err(|error| error.to_string())
}

/// In hexadecimal.
pub(crate) fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use tar::Archive;

    #[test]
    fn an_archive_says_nothing_of_its_maker() {
        let file = |bytes: &[u8], executable| File { bytes: bytes.to_vec(), executable };
        let files = BTreeMap::from([("z".to_owned(), file(b"zz", true)), ("man/a".to_owned(), file(b"a", false))]);
        let bytes = packed("it", &files, 1_000_000_000).unwrap();
        assert_eq!(bytes, packed("it", &files, 1_000_000_000).unwrap());
        // No name, no time: https://www.rfc-editor.org/rfc/rfc1952, section 2.3.
        assert_eq!(bytes[3..8], [0; 5]);
        let mut archive = Archive::new(GzDecoder::new(&bytes[..]));
        let entries = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            let header = entry.header();
            let of = |number: std::io::Result<u64>| number.unwrap();
            assert_eq!([of(header.uid()), of(header.gid()), of(header.mtime())], [0, 0, 1_000_000_000]);
            (entry.path().unwrap().display().to_string(), header.mode().unwrap(), entry.size())
        });
        assert_eq!(entries.collect::<Vec<_>>(), [("it/man/a".into(), 0o644, 1), ("it/z".into(), 0o755, 2)]);
    }

    #[test]
    fn sums_are_those_of_sha256sum() {
        assert_eq!(sum(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(contains(b"abcd", b"bc") && !contains(b"abcd", b"cb"));
    }
}
