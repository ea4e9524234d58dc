//! The public test files of the age format, through the command.

use crate::desk::{Desk, checkout};
use flate2::read::{GzDecoder, ZlibDecoder};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fs::File, io::Read};

/// One of the files: what its head says, and what is to be decrypted.
struct Case {
    name: String,
    head: Vec<(String, String)>,
    file: Vec<u8>,
}

impl Case {
    fn parsed(name: String, bytes: &[u8]) -> Self {
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
        let head = std::str::from_utf8(&bytes[..end]).unwrap().lines();
        let head = head.map(|line| line.split_once(": ").unwrap()).map(|(key, value)| (key.into(), value.into()));
        let mut case = Self { name, head: head.collect(), file: bytes[end + 2..].to_vec() };
        if case.value("compressed") == Some("zlib") {
            let mut file = Vec::new();
            ZlibDecoder::new(&*case.file).read_to_end(&mut file).unwrap();
            case.file = file;
        }
        case
    }

    fn values<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = &'a str> {
        self.head.iter().filter(move |(key, _)| key == wanted).map(|(_, value)| &**value)
    }

    fn value<'a>(&'a self, wanted: &'a str) -> Option<&'a str> {
        self.values(wanted).next()
    }
}

fn cases() -> Vec<Case> {
    let archive = File::open(checkout().join("vectors/age/testkit.tar.gz")).unwrap();
    let mut archive = tar::Archive::new(GzDecoder::new(archive));
    let files = archive.entries().unwrap().map(Result::unwrap).filter(|entry| entry.header().entry_type().is_file());
    let case = |mut entry: tar::Entry<'_, GzDecoder<File>>| {
        let name = entry.path().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        Case::parsed(name, &bytes)
    };
    files.map(case).collect()
}

/// What may be said of a file that is refused so.
fn words(expected: &str) -> &'static [&'static str] {
    match expected {
        "no match" => &["none of the identities", "the passphrase is wrong", "it is encrypted to keys"],
        "HMAC failure" => &["authentication code is wrong"],
        "header failure" => &["header", "another version", "this is no file of age"],
        "payload failure" => &["refused at its beginning", "refused after "],
        "armor failure" => &["the armor is malformed", "this is no file of age"],
        other => panic!("{other} is not known"),
    }
}

/// All of them: whatever is to be decrypted is, whatever is to be refused is, for the reason that
/// the file names, and leaves nothing behind.
#[test]
fn the_test_kit_of_age_passes() {
    let mut counts = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in cases() {
        let desk = Desk::new();
        desk.put("file", &case.file);
        let mut line = "decrypt -o opened file".to_owned();
        if let Some(passphrase) = case.value("passphrase") {
            desk.put("passphrase", passphrase);
            line += " --passphrase-file passphrase";
        }
        let identities: Vec<&str> = case.values("identity").collect();
        if !identities.is_empty() {
            desk.put("identities", identities.join("\n"));
            line += " -i identities";
        }
        let expected = case.value("expect").unwrap();
        *counts.entry(expected.to_owned()).or_insert(0) += 1;
        let outcome = desk.run(&line);
        let passed = if expected == "success" {
            let digest =
                |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            outcome.code == 0 && case.value("payload") == Some(&*digest(&desk.bytes("opened")))
        } else {
            let is_said = words(expected).iter().any(|words| outcome.err.contains(words));
            outcome.code == 3 && is_said && outcome.bytes.is_empty() && !desk.files().contains(&"opened".to_owned())
        };
        if !passed {
            wrong.push(format!("{}: {expected}, and there was {}: {}", case.name, outcome.code, outcome.err.trim()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let counts: Vec<(&str, i32)> = counts.iter().map(|(kind, count)| (&**kind, *count)).collect();
    let expected = [
        ("HMAC failure", 1),
        ("armor failure", 22),
        ("header failure", 56),
        ("no match", 12),
        ("payload failure", 18),
        ("success", 24),
    ];
    assert_eq!(counts, expected);
}
