//! Keys of SSH as age takes them, `ssh-ed25519` and `ssh-rsa`: lines of public keys, and files of private ones.
//!
//! The crate `age` encrypts and decrypts. Before it sees a key, it is brought into the form that `ssh-keygen` writes,
//! and looked at: whether its numbers are numbers, its work is within bounds, and its halves belong together.
//!
//! **Constant time:** `ssh-ed25519`. RSA is decrypted by the crate `rsa`, which blinds, and whose time depends on the
//! key nevertheless (RUSTSEC-2023-0071): who measures many decryptions may learn it. The crate `age` does not wipe the
//! text of a private key.
//!
//! Source: RFC 4253, section 6.6; RFC 8709; OpenSSH, `PROTOCOL.key`.

use super::{Wrapped, printable};
use age::{
    DecryptError, EncryptError, Identity as _, Recipient as _,
    secrecy::{ExposeSecret, SecretString},
    ssh::{self, ParseRecipientKeyError, UnsupportedKey},
};
use age_core::format::{FileKey, Stanza};
use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
    prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD},
};
use ring::digest;
use ringwork::pem::tidied;
use ringwork_age::KeyError;
use std::{fmt, str::FromStr};
use zeroize::Zeroizing;

const ED25519: &str = "ssh-ed25519";
const RSA: &str = "ssh-rsa";
const ED25519_BYTES: usize = 32;
/// How types of keys begin.
const TYPES: [&str; 4] = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"];
/// The forms of private keys: that of today, and one of RSA keys alone.
const OPENSSH: &str = "OPENSSH PRIVATE KEY";
const PKCS1: &str = "RSA PRIVATE KEY";
/// Files of private keys have no more bytes: the bound of Go's age.
const PRIVATE_BYTES_AT_MOST: usize = 1 << 14;
/// Rounds of bcrypt that are done at most; `ssh-keygen` takes 16 or 24.
const ROUNDS_AT_MOST: u32 = 1 << 12;
/// Base64 with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A public key.
#[derive(Clone)]
pub(crate) struct Recipient(ssh::Recipient);

/// A private key, which may be under a passphrase.
#[derive(Clone)]
pub(crate) struct Identity {
    recipient: Recipient,
    key: ssh::Identity,
}

/// Whether that line begins as public keys do.
pub(super) fn is_public(line: &str) -> bool {
    TYPES.iter().any(|start| line.starts_with(start))
}

/// A line of a file as `authorized_keys` without the options with which it may begin.
pub(super) fn without_options(line: &str) -> &str {
    if is_public(line) {
        return line;
    }
    let (mut is_quoted, mut is_escaped) = (false, false);
    let end = line.find(|c: char| {
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        c.is_ascii_whitespace() && !is_quoted
    });
    end.map(|end| line[end..].trim_start()).filter(|rest| is_public(rest)).unwrap_or(line)
}

/// Whether that line is a public key of whatever type.
pub(super) fn is_in_order(line: &str) -> bool {
    blob(line).is_ok()
}

fn damaged(what: &str) -> KeyError {
    KeyError::Key(format!("this key of SSH is damaged: {what}"))
}

/// The bytes of a line with a public key, which say its type once more.
fn blob(line: &str) -> Result<Vec<u8>, KeyError> {
    let mut words = line.split_whitespace();
    let (Some(kind), Some(base64)) = (words.next(), words.next()) else {
        let why = "a key of SSH is its type and its base64, which are one argument, in quotation marks";
        return Err(KeyError::Key(why.into()));
    };
    let blob = BASE64.decode(base64).map_err(|_| damaged("its second word is no base64"))?;
    let is_of_kind = strings(&blob).is_some_and(|parts| parts.first() == Some(&kind.as_bytes()));
    if is_of_kind && kind.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(blob)
    } else {
        Err(damaged("what its base64 says is no key of the type before it"))
    }
}

/// What stands at the beginning of bytes behind its length, which is taken off them.
fn string<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (string, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
    *bytes = rest;
    Some(string)
}

/// The strings of which bytes consist.
fn strings(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        found.push(string(&mut bytes)?);
    }
    Some(found)
}

/// Whether that is how a positive number is written: without a sign, and without zeros before it.
fn is_number(bytes: &[u8]) -> bool {
    match bytes {
        [0, next, ..] => *next >= 0x80,
        [first, ..] => (1..0x80).contains(first),
        [] => false,
    }
}

impl Recipient {
    /// Of the bytes behind a type.
    fn of(blob: &[u8]) -> Result<Self, KeyError> {
        let parts = strings(blob).unwrap_or_default();
        let Some((kind, parts)) = parts.split_first() else { return Err(damaged("it says no type")) };
        let kind = String::from_utf8_lossy(kind);
        let is_whole = match (&*kind, parts) {
            (ED25519, [key]) => key.len() == ED25519_BYTES,
            (RSA, [exponent, modulus]) => is_number(exponent) && is_number(modulus),
            (ED25519 | RSA, _) => false,
            (other, _) => {
                let other = printable(other);
                let why = format!("age takes no {other} keys of SSH: ssh-ed25519 and ssh-rsa are taken");
                return Err(KeyError::Key(why));
            }
        };
        if !is_whole {
            return Err(damaged("its parts are not those of such a key"));
        }
        let found = format!("{kind} {}", BASE64_STANDARD.encode(blob)).parse().map_err(|why| match why {
            ParseRecipientKeyError::RsaModulusTooSmall => {
                KeyError::Key("this RSA key has less than 2048 bits, which is weak; 2048 to 4096 bits are taken".into())
            }
            ParseRecipientKeyError::RsaModulusTooLarge => {
                KeyError::Key("this RSA key has more than 4096 bits; 2048 to 4096 bits are taken".into())
            }
            _ => damaged("its numbers are no key"),
        })?;
        if let ssh::Recipient::SshEd25519(_, point) = &found
            && point.is_small_order()
        {
            return Err(KeyError::Key("no identity has this key: its point is of low order".into()));
        }
        Ok(Self(found))
    }

    /// The name of its scheme, which is that of its stanzas.
    pub(super) const fn scheme(&self) -> &'static str {
        match self.0 {
            ssh::Recipient::SshEd25519(..) => ED25519,
            ssh::Recipient::SshRsa(..) => RSA,
        }
    }

    /// Whether that stanza names this key.
    fn is_of(&self, stanza: &Stanza) -> bool {
        let (ssh::Recipient::SshEd25519(blob, _) | ssh::Recipient::SshRsa(blob, _)) = &self.0;
        let digest = digest::digest(&digest::SHA256, blob);
        let name = BASE64_STANDARD_NO_PAD.encode(&digest.as_ref()[..4]);
        stanza.tag == self.scheme() && stanza.args.first() == Some(&name)
    }
}

impl FromStr for Recipient {
    type Err = KeyError;

    fn from_str(line: &str) -> Result<Self, KeyError> {
        Self::of(&blob(line)?)
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl age::Recipient for Recipient {
    fn wrap_file_key(&self, file_key: &FileKey) -> Result<Wrapped, EncryptError> {
        self.0.wrap_file_key(file_key)
    }
}

impl Identity {
    /// Of a file.
    ///
    /// **Errors** say what is wrong, or what the file is.
    pub(super) fn of_pem(text: &str) -> Result<Self, KeyError> {
        if text.len() > PRIVATE_BYTES_AT_MOST {
            return Err(KeyError::Key(format!("private keys of SSH have {PRIVATE_BYTES_AT_MOST} bytes at most")));
        }
        let mut labels = text.lines().filter_map(|line| line.trim().split("-----BEGIN ").nth(1));
        let label = labels.next().unwrap_or_default().trim_end_matches('-');
        if ![OPENSSH, PKCS1].contains(&label) {
            let label = printable(label);
            return Err(KeyError::Key(format!(
                "this is {label:?}, and private keys of SSH are read as {OPENSSH:?} or {PKCS1:?}, as `ssh-keygen -p -f` \
                 writes them; keys of `ringwork kem` and `ringwork sign` open no files of age"
            )));
        }
        if text.lines().any(|line| line.trim().starts_with("Proc-Type:")) {
            let why = "this RSA key is under a passphrase in an old form; `ssh-keygen -p -f` writes it in the new one";
            return Err(KeyError::Key(why.into()));
        }
        let tidy = tidied(text, label);
        let found = if label == OPENSSH { Some(looked_at(&tidy)?) } else { None };
        let key = ssh::Identity::from_buffer(tidy.as_bytes(), None).map_err(|_| damaged("it is cut off or changed"))?;
        if let ssh::Identity::Unsupported(why) = key {
            return Err(KeyError::Key(match why {
                UnsupportedKey::EncryptedSsh(cipher) => format!(
                    "it is encrypted by {}, which is not read; `ssh-keygen -p -Z aes256-ctr -f` takes another cipher",
                    printable(&cipher)
                ),
                UnsupportedKey::Hardware(kind) | UnsupportedKey::Type(kind) => {
                    format!("the private half of this {} key cannot be read", printable(&kind))
                }
                UnsupportedKey::EncryptedPem => "it is encrypted in a form that is not read".into(),
            }));
        }
        let recipient = match found {
            Some(recipient) => recipient,
            None => {
                let written = ssh::Recipient::try_from(key.clone()).map_err(|_| damaged("its numbers are no key"))?;
                written.to_string().parse()?
            }
        };
        Self { recipient, key }.checked()
    }

    pub(super) const fn to_public(&self) -> &Recipient {
        &self.recipient
    }

    pub(super) const fn is_locked(&self) -> bool {
        matches!(self.key, ssh::Identity::Encrypted(_))
    }

    /// Whether one of these stanzas names its recipient.
    pub(super) fn is_for(&self, stanzas: &[Stanza]) -> bool {
        stanzas.iter().any(|stanza| self.recipient.is_of(stanza))
    }

    /// The key out of its passphrase, or nothing if that is another one.
    pub(super) fn unlocked(&self, passphrase: SecretString) -> Option<Result<Self, KeyError>> {
        let ssh::Identity::Encrypted(locked) = &self.key else { return Some(Ok(self.clone())) };
        let key = locked.decrypt(passphrase).ok()?.into();
        Some(Self { recipient: self.recipient.clone(), key }.checked())
    }

    /// The same, if its halves are those of one key, as far as that can be seen.
    fn checked(self) -> Result<Self, KeyError> {
        if self.is_locked() {
            return Ok(self);
        }
        let file_key = FileKey::init_with_mut(|key| key.fill(5));
        let opened =
            self.recipient.wrap_file_key(&file_key).ok().and_then(|(stanzas, _)| self.unwrap_stanzas(&stanzas));
        if opened.is_some_and(|key| key.is_ok_and(|key| key.expose_secret() == file_key.expose_secret())) {
            Ok(self)
        } else {
            Err(damaged("its public half is of another key"))
        }
    }
}

/// The public half of a private key in the form of today.
///
/// **Errors** of what the crate `age` does not look at: numbers of zeros, and the work of a passphrase.
fn looked_at(tidy: &str) -> Result<Recipient, KeyError> {
    let mut base64 = Zeroizing::new(String::with_capacity(tidy.len()));
    tidy.lines().filter(|line| !line.starts_with('-')).for_each(|line| base64.push_str(line));
    let mut bytes = Zeroizing::new(Vec::with_capacity(base64.len()));
    BASE64.decode_vec(&*base64, &mut bytes).map_err(|_| damaged("it is no base64"))?;
    let parts = || {
        let mut rest = bytes.strip_prefix(b"openssh-key-v1\0")?;
        let [cipher, _, options] = [string(&mut rest)?, string(&mut rest)?, string(&mut rest)?];
        // One key.
        rest = rest.strip_prefix(&[0, 0, 0, 1])?;
        Some((cipher, options, string(&mut rest)?, string(&mut rest)?))
    };
    let (cipher, mut options, public, private) = parts().ok_or_else(|| damaged("a part of it is missing"))?;
    let recipient = Recipient::of(public)?;
    if cipher != b"none" {
        let rounds = string(&mut options).and(options.first_chunk()).map_or(0, |rounds| u32::from_be_bytes(*rounds));
        return if rounds <= ROUNDS_AT_MOST {
            Ok(recipient)
        } else {
            Err(KeyError::Key(format!(
                "its passphrase takes {rounds} rounds of work, and {ROUNDS_AT_MOST} are done at most; `ssh-keygen -p \
                 -a 100 -f` takes less"
            )))
        };
    }
    let mut rest = private.get(8..).unwrap_or_default();
    let is_rsa = string(&mut rest) == Some(RSA.as_bytes());
    if is_rsa && !(0..6).all(|_| string(&mut rest).is_some_and(is_number)) {
        return Err(damaged("a number of it is none"));
    }
    Ok(recipient)
}

impl age::Identity for Identity {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        if !self.recipient.is_of(stanza) {
            return None;
        }
        // Stanzas name a key by four bytes: what does not open may be for another one.
        self.key.unwrap_stanza(stanza).filter(|opened| !matches!(opened, Err(DecryptError::DecryptionFailed)))
    }
}
