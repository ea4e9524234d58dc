//! PEM files with one key, of whichever algorithm they name: PKCS #8 and SubjectPublicKeyInfo.

use crate::{fault::Fault, files};
use pkcs8::{ObjectIdentifier, SecretDocument};
use ringwork::{
    pem::tidied,
    schemes::{
        mldsa::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams},
        mlkem::{MlKem512, MlKem768, MlKem1024, ParameterSet},
    },
    xwing,
};
use std::path::Path;
use zeroize::Zeroizing;

/// Which half of a pair a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Public,
    Private,
}

impl Half {
    const fn label(self) -> &'static str {
        match self {
            Self::Public => "PUBLIC KEY",
            Self::Private => "PRIVATE KEY",
        }
    }
}

const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";

/// Bytes of a file of keys at most.
const LIMIT: u64 = 1 << 16;

/// The key of a file. `purpose` says what it is for.
pub(crate) fn read(path: &Path, half: Half, purpose: &str) -> Result<SecretDocument, Fault> {
    of_bytes(path, &files::read(path, LIMIT)?, half, purpose)
}

/// The same, of what was read from it.
pub(crate) fn of_bytes(path: &Path, bytes: &[u8], half: Half, purpose: &str) -> Result<SecretDocument, Fault> {
    let label = half.label();
    let no_pem = |why: &dyn std::fmt::Display| {
        files::refused(path, &format_args!("this is no key in PEM (\"-----BEGIN {label}-----\"): {why}"))
    };
    let text = files::utf8_or(path, bytes, |_| no_pem(&"it is no text"))?;
    let tidy = tidied(text, label);
    if tidy.is_empty() {
        return Err(no_pem(&"it has no line of that kind"));
    }
    let (found, document) = SecretDocument::from_pem(tidy.trim_end()).map_err(|e| no_pem(&e))?;
    let why = match (half, found) {
        (_, found) if found == label => return Ok(document),
        (Half::Private, "PUBLIC KEY") => format!("this is a public key, and {purpose} needs the private one"),
        (Half::Public, "PRIVATE KEY") => format!("this is a private key, and {purpose} needs the public one"),
        (_, ENCRYPTED) => "this private key is encrypted, and such keys are not read".into(),
        (_, other) => return Err(no_pem(&format_args!("it is a {other}"))),
    };
    Err(files::refused(path, &why))
}

/// Which half some text holds, if it is PEM with a key: the private one, if it holds both and can be read.
pub(crate) fn half_in(bytes: &[u8]) -> Option<Half> {
    // A secret may stand there: no copy is made.
    let lines = || {
        bytes.split(|byte| *byte == b'\n').map(|line| {
            let line = line.trim_ascii();
            line.strip_prefix(files::BYTE_ORDER_MARK).unwrap_or(line)
        })
    };
    let has = |wanted: &str| {
        lines().any(|line| {
            let label = line.strip_prefix(b"-----BEGIN ").and_then(|rest| rest.strip_suffix(b"-----"));
            label == Some(wanted.as_bytes())
        })
    };
    let whole = [Half::Private, Half::Public].into_iter().find(|half| has(half.label()));
    whole.or_else(|| has(ENCRYPTED).then_some(Half::Private))
}

/// The name of an algorithm, if it is known here.
pub(crate) fn known(oid: ObjectIdentifier) -> Option<&'static str> {
    Some(match oid {
        MlKem512::OID => MlKem512::NAME,
        MlKem768::OID => MlKem768::NAME,
        MlKem1024::OID => MlKem1024::NAME,
        MlDsa44::OID => MlDsa44::PARAMETERS.name,
        MlDsa65::OID => MlDsa65::PARAMETERS.name,
        MlDsa87::OID => MlDsa87::PARAMETERS.name,
        xwing::pkcs8::OID => "X-Wing",
        _ => return None,
    })
}

/// What to call an algorithm.
pub(crate) fn name_of(oid: ObjectIdentifier) -> String {
    known(oid).map_or_else(|| format!("the algorithm {oid}"), str::to_owned)
}

/// A private key as PEM.
pub(crate) type PrivatePem = Zeroizing<String>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_found_wherever_they_stand() {
        let found = |text: &str| half_in(text.as_bytes());
        assert_eq!(found("-----BEGIN PUBLIC KEY-----\nAAAA\n"), Some(Half::Public));
        assert_eq!(found("a note\r\n  -----BEGIN PRIVATE KEY-----\r\nAAAA\r\n"), Some(Half::Private));
        assert_eq!(found("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"), Some(Half::Private));
        let both = "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n-----BEGIN PRIVATE KEY-----\n";
        assert_eq!(found(both), Some(Half::Private));
        assert_eq!(found(&both.replace("PRIVATE", "ENCRYPTED PRIVATE")), Some(Half::Public));
        assert_eq!(found("\u{feff}-----BEGIN PUBLIC KEY-----\r\n"), Some(Half::Public));
        for other in [
            "",
            "-----BEGIN OPENSSH PRIVATE KEY-----\n",
            "-----BEGIN EC PRIVATE KEY-----\n",
            "AGE-SECRET-KEY-1",
            "-----BEGIN AGE ENCRYPTED FILE-----\n",
            "BEGIN PUBLIC KEY",
        ] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
