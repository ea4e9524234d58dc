//! PEM files with one key, of whichever algorithm they name: PKCS #8 and SubjectPublicKeyInfo.

use crate::{
    age_files::PassphraseArgs,
    fault::Fault,
    files::{self, Kind},
};
use age::secrecy::{ExposeSecret, SecretString};
use clap::Args;
use pkcs8::{
    EncryptedPrivateKeyInfoRef, LineEnding, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument,
    pkcs5::{
        self,
        pbes2::{self, Kdf},
    },
    spki::SubjectPublicKeyInfoRef,
};
use ringwork::{
    ct::{scrubbed, sys_rng},
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

/// The name of the scheme.
pub(crate) const X_WING: &str = "X-Wing";

const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";

/// Bytes of a file of keys at most.
const LIMIT: u64 = 1 << 16;

/// What deriving a key from a passphrase may take: memory of scrypt, its work `N · r · p`, and rounds of PBKDF2.
const SCRYPT_BYTES_AT_MOST: u64 = 1 << 30;
const SCRYPT_WORK_AT_MOST: u64 = 1 << 26;
const PBKDF2_ROUNDS_AT_MOST: u32 = 1 << 24;
/// `p` of scrypt, where `N` is 2^14 and `r` is 8: OpenSSL reads no larger `N`, and this makes up for it.
const PARALLEL: u16 = 5;

/// The key of a file. `purpose` says what it is for.
pub(crate) fn read(
    path: &Path,
    half: Half,
    purpose: &str,
    passphrase: &PassphraseArgs,
) -> Result<SecretDocument, Fault> {
    of_bytes(path, &files::read(path, LIMIT)?, half, purpose, passphrase)
}

/// The same, of what was read from it.
pub(crate) fn of_bytes(
    path: &Path,
    bytes: &[u8],
    half: Half,
    purpose: &str,
    passphrase: &PassphraseArgs,
) -> Result<SecretDocument, Fault> {
    let label = half.label();
    let no_pem = |why: &dyn std::fmt::Display| {
        files::refused(path, &format_args!("this is no key in PEM (\"-----BEGIN {label}-----\"): {why}"))
    };
    let text = files::utf8_or(path, bytes, |_| {
        // What a key in DER begins with.
        let is_der = bytes.starts_with(&[0x30]);
        let der =
            if is_der { "; `openssl pkey -inform DER`, with -pubin if it is public, makes PEM of DER" } else { "" };
        no_pem(&format_args!("it is no text{der}"))
    })?;
    let count = blocks(bytes, label).count();
    if count > 1 {
        return Err(files::refused(path, &format_args!("there are {count} keys in it, and {purpose} takes one")));
    }
    let tidy = tidied(text, label);
    if tidy.is_empty() {
        return Err(no_pem(&"it has no line of that kind"));
    }
    let (found, document) = SecretDocument::from_pem(tidy.trim_end()).map_err(|e| no_pem(&e))?;
    let why = match (half, found) {
        (_, found) if found == label => return Ok(document),
        (Half::Private, ENCRYPTED) => return decrypted(path, &document, passphrase),
        (Half::Private, "PUBLIC KEY") => format!("this is a public key, and {purpose} needs the private one"),
        (Half::Public, "PRIVATE KEY" | ENCRYPTED) => {
            format!("this is a private key, and {purpose} needs the public one")
        }
        (_, other) => return Err(no_pem(&format_args!("it is a {other}"))),
    };
    Err(files::refused(path, &why))
}

/// Why an encrypted private key is refused whatever the passphrase.
fn unread(path: &Path, why: &dyn std::fmt::Display) -> Fault {
    let advice = "`openssl pkcs8 -topk8 -scrypt -in FILE` writes one that is read";
    files::refused(path, &format_args!("this private key is encrypted in a way that is not read: {why}; {advice}"))
}

/// A private key that is encrypted, and how its passphrase becomes a key.
fn encrypted<'a>(path: &Path, document: &'a SecretDocument) -> Result<(EncryptedPrivateKeyInfoRef<'a>, Kdf), Fault> {
    let info = EncryptedPrivateKeyInfoRef::try_from(document.as_bytes())
        .map_err(|_| unread(path, &"it is not by PBES2 with scrypt or PBKDF2, and AES"))?;
    let kdf = info.encryption_algorithm.pbes2().map(|parameters| parameters.kdf.clone());
    kdf.map(|kdf| (info, kdf)).ok_or_else(|| unread(path, &"it is not by PBES2"))
}

/// How the private key of PEM text is encrypted to a passphrase; nothing, if it is not.
pub(crate) fn encryption(path: &Path, text: &str) -> Result<Option<&'static str>, Fault> {
    if !has_block(text.as_bytes(), ENCRYPTED) || has_block(text.as_bytes(), Half::Private.label()) {
        return Ok(None);
    }
    let tidy = tidied(text, ENCRYPTED);
    let (_, document) = SecretDocument::from_pem(tidy.trim_end()).map_err(|e| unread(path, &e))?;
    let (_, kdf) = encrypted(path, &document)?;
    Ok(Some(if kdf.is_scrypt() { "scrypt" } else { "PBKDF2" }))
}

/// The private key that a passphrase opens.
fn decrypted(path: &Path, document: &SecretDocument, passphrase: &PassphraseArgs) -> Result<SecretDocument, Fault> {
    let (info, kdf) = encrypted(path, document)?;
    // Files are somebody else's: no parameter of theirs takes all memory, or a day.
    let (valid, moderate) = match &kdf {
        Kdf::Scrypt(scrypt) => {
            let (n, r) = (scrypt.cost_parameter, u64::from(scrypt.block_size));
            let p = u64::from(scrypt.parallelization);
            // N blocks that are mixed, and p that are to be.
            let (size, work) = (n.checked_add(p).and_then(|n| n.checked_mul(r << 7)), n.checked_mul(r * p));
            let fits = size.is_some_and(|bytes| bytes <= SCRYPT_BYTES_AT_MOST);
            let valid = n.is_power_of_two() && n > 1 && r > 0 && p > 0;
            (valid, fits && work.is_some_and(|work| work <= SCRYPT_WORK_AT_MOST))
        }
        Kdf::Pbkdf2(pbkdf2) => (pbkdf2.iteration_count > 0, pbkdf2.iteration_count <= PBKDF2_ROUNDS_AT_MOST),
        _ => (true, true),
    };
    if !valid {
        return Err(unread(path, &"no passphrase has such parameters"));
    }
    if !moderate {
        return Err(unread(path, &"its passphrase costs more memory or time than any program asks for"));
    }
    let passphrase = passphrase.known(&files::name(path))?;
    // The crate leaves the key that it derives on the stack.
    scrubbed(|| info.decrypt(passphrase.expose_secret())).map_err(|e| match e {
        pkcs8::Error::EncryptedPrivateKey(pkcs5::Error::DecryptFailed) | pkcs8::Error::Asn1(_) => {
            files::refused(path, &"the passphrase is wrong")
        }
        e => unread(path, &e),
    })
}

/// A private key as PEM, encrypted if there is a passphrase: by scrypt and AES-256, as OpenSSL reads it.
pub(crate) fn private_pem(key: &SecretDocument, passphrase: Option<&SecretString>) -> PrivatePem {
    const ENCODED: &str = "a key has an encoding";
    let Some(passphrase) = passphrase else {
        return key.to_pem(Half::Private.label(), LineEnding::LF).expect(ENCODED);
    };
    let mut parameters = pbes2::Parameters::generate_scrypt(&mut sys_rng()).expect("the system has randomness");
    if let Kdf::Scrypt(scrypt) = &mut parameters.kdf {
        scrypt.parallelization = PARALLEL;
    }
    let info = PrivateKeyInfoRef::try_from(key.as_bytes()).expect(ENCODED);
    let encrypted = scrubbed(|| info.encrypt_with_params(parameters, passphrase.expose_secret())).expect(ENCODED);
    encrypted.to_pem(ENCRYPTED, LineEnding::LF).expect(ENCODED)
}

/// What a private key's document says.
pub(crate) fn private_info<'a>(path: &Path, document: &'a SecretDocument) -> Result<PrivateKeyInfoRef<'a>, Fault> {
    PrivateKeyInfoRef::try_from(document.as_bytes())
        .map_err(|e| files::refused(path, &format_args!("this is no private key: {e}")))
}

/// What a public key's document says.
pub(crate) fn public_info<'a>(path: &Path, document: &'a SecretDocument) -> Result<SubjectPublicKeyInfoRef<'a>, Fault> {
    SubjectPublicKeyInfoRef::try_from(document.as_bytes())
        .map_err(|e| files::refused(path, &format_args!("this is no public key: {e}")))
}

/// Keys of that algorithm do not do what `purpose` says.
pub(crate) fn other_algorithm(path: &Path, oid: ObjectIdentifier, purpose: &str) -> Fault {
    files::refused(path, &format_args!("this is a key of {}; {purpose}", name_of(oid)))
}

/// Arguments of what makes pairs of keys.
#[derive(Args, Debug)]
pub(crate) struct PairArgs {
    /// Encrypts the private key to a passphrase
    #[arg(short, long)]
    passphrase: bool,
    #[command(flatten)]
    how: PassphraseArgs,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

impl PairArgs {
    /// Writes a fresh private key and the PEM of its public key, which `make` makes if both can be written, and returns
    /// what else it made.
    pub(crate) fn write<T>(
        &self,
        [secret, public]: [&Path; 2],
        make: impl FnOnce() -> (SecretDocument, String, T),
    ) -> Result<T, Fault> {
        files::check_outputs(&[(secret, Kind::Secret), (public, Kind::Text)], self.force)?;
        let outputs = [secret, public].map(Path::to_path_buf);
        files::apart(&outputs.each_ref(), &self.how.passphrase_file.iter().collect::<Vec<_>>())?;
        let passphrase = self.how.encrypts(self.passphrase).then(|| self.how.new_one()).transpose()?;
        let (key, pem, made) = make();
        let private = private_pem(&key, passphrase.as_ref());
        let parts = [(secret, private.as_bytes(), Kind::Secret), (public, pem.as_bytes(), Kind::Text)];
        files::write_all(&parts, self.force)?;
        Ok(made)
    }
}

/// Which half some text holds, if it is PEM with a key: the private one, if it holds both and can be read.
pub(crate) fn half_in(bytes: &[u8]) -> Option<Half> {
    let whole = [Half::Private, Half::Public].into_iter().find(|half| has_block(bytes, half.label()));
    whole.or_else(|| has_block(bytes, ENCRYPTED).then_some(Half::Private))
}

/// Whether a block with that label begins there.
pub(crate) fn has_block(bytes: &[u8], label: &str) -> bool {
    blocks(bytes, label).next().is_some()
}

/// The lines in which blocks with that label begin.
fn blocks<'a>(bytes: &'a [u8], label: &str) -> impl Iterator<Item = &'a [u8]> {
    // A secret may stand there: no copy is made.
    bytes.split(|byte| *byte == b'\n').filter(move |line| {
        let line = line.trim_ascii();
        let line = line.strip_prefix(files::BYTE_ORDER_MARK).unwrap_or(line);
        let found = line.strip_prefix(b"-----BEGIN ").and_then(|rest| rest.strip_suffix(b"-----"));
        found == Some(label.as_bytes())
    })
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
        xwing::pkcs8::OID => X_WING,
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
