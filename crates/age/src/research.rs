//! Ringwork's research schemes as recipients, for study and tests.
//!
//! A key has a line that names its scheme and the bytes of the key: in `age1ringwork1…` and
//! `AGE-PLUGIN-RINGWORK-1…`, so that programs of age take `age-plugin-ringwork` for them. A stanza
//! `ringwork/<scheme>` has the ciphertext as its argument, and the file key sealed by
//! ChaCha20-Poly1305 with the nonce zero, under a key that SHAKE-256 makes of stanza type, shared
//! key and ciphertext.
//!
//! Recipients have the label `ringwork-research`: a file for one is for no other kind of recipient,
//! whose security it would otherwise lower without a word.

use crate::{KeyError, bech32::encode, decode};
use age::{DecryptError, EncryptError};
use age_core::{
    format::{FILE_KEY_BYTES, FileKey, Stanza},
    secrecy::{ExposeSecret, SecretString},
};
use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit, aead::Aead};
use core::{fmt, mem::take, str::FromStr};
use ringwork::{
    ct::sys_rng,
    object::Purpose,
    registry::{self, Encapsulation},
    xof::derived_seed,
};
use std::{borrow::Cow, collections::HashSet};
use zeroize::Zeroizing;

/// What the plugin is called.
pub const PLUGIN: &str = "ringwork";
pub(crate) const RECIPIENT: &str = "age1ringwork";
pub(crate) const IDENTITY: &str = "age-plugin-ringwork-";
const STANZA: &str = "ringwork/";
/// The label of recipients.
pub const LABEL: &str = "ringwork-research";
/// Between the name of a scheme and a key.
const SEPARATOR: u8 = b'\n';

/// The names of the schemes.
pub fn schemes() -> impl Iterator<Item = &'static str> {
    registry::all(Purpose::Encapsulation).map(|description| description.name)
}

/// The name of a scheme: one of [`schemes`], or of parameters [for measuring](registry::measuring).
type Scheme = Cow<'static, str>;

/// A public key.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient {
    scheme: Scheme,
    key: Vec<u8>,
}

/// A secret key. Wiped on drop.
#[derive(Clone)]
pub struct Identity {
    scheme: Scheme,
    key: Zeroizing<Vec<u8>>,
}

fn encapsulation(scheme: &str) -> Box<dyn Encapsulation + Send + Sync> {
    registry::encapsulation(scheme).expect("keys name schemes that are known")
}

/// The scheme of that name.
fn scheme_of(name: &str) -> Result<Scheme, KeyError> {
    if let Some(known) = schemes().find(|known| *known == name) {
        return Ok(known.into());
    }
    match registry::encapsulation_or_why(name) {
        Some(Ok(_)) => Ok(name.to_owned().into()),
        Some(Err(why)) => Err(KeyError::Key(why.to_string())),
        None => {
            let known = schemes().collect::<Vec<_>>().join(", ");
            Err(KeyError::Key(format!("it is of a scheme that is not known here; there are {known}")))
        }
    }
}

/// The scheme and the key of bytes.
fn parted(bytes: &[u8]) -> Result<(Scheme, &[u8]), KeyError> {
    const UNNAMED: &str = "it does not say of which scheme it is";
    let end = bytes.iter().position(|&byte| byte == SEPARATOR);
    let end = end.ok_or_else(|| KeyError::Key(UNNAMED.into()))?;
    let name = core::str::from_utf8(&bytes[..end]).map_err(|_| KeyError::Key(UNNAMED.into()))?;
    Ok((scheme_of(name)?, &bytes[end + 1..]))
}

fn joined(scheme: &str, key: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(scheme.len() + 1 + key.len()));
    [scheme.as_bytes(), &[SEPARATOR], key].iter().for_each(|part| bytes.extend_from_slice(part));
    bytes
}

impl Recipient {
    /// The scheme.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Why nobody should entrust a file to it, if there is a reason.
    pub fn research_reason(&self) -> Option<String> {
        encapsulation(&self.scheme).research_reason()
    }

    /// Whether its parameters are [for measuring](registry::measuring).
    pub fn is_for_measuring(&self) -> bool {
        self.scheme.starts_with(registry::MEASURING)
    }

    fn checked(scheme: Scheme, key: &[u8]) -> Result<Self, KeyError> {
        encapsulation(&scheme).check_public_key(key).map_err(|why| KeyError::Key(why.to_string()))?;
        Ok(Self { scheme, key: key.into() })
    }

    /// The recipient of the bytes that its text has: for plugins, which are given these.
    ///
    /// **Errors** say what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        let (scheme, key) = parted(bytes)?;
        Self::checked(scheme, key)
    }
}

impl Identity {
    /// A fresh one, if the scheme is known, or has parameters [for measuring](registry::measuring).
    pub fn generate(scheme: &str) -> Option<Self> {
        let scheme = scheme_of(scheme).ok()?;
        let (key, _) = encapsulation(&scheme).keygen(&mut sys_rng());
        Some(Self { scheme, key })
    }

    /// The scheme.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The recipient that it is the identity of.
    pub fn to_public(&self) -> Recipient {
        let key = encapsulation(&self.scheme).public_key_of(&self.key).expect("the key was checked");
        Recipient { scheme: self.scheme.clone(), key }
    }

    /// The key as age files have it, in upper case.
    pub fn to_text(&self) -> SecretString {
        SecretString::from(take(&mut *encode(&IDENTITY.to_ascii_uppercase(), &joined(&self.scheme, &self.key))))
    }

    /// The identity of the bytes that its text has: for plugins, which are given these.
    ///
    /// **Errors** say what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        let (scheme, key) = parted(bytes)?;
        encapsulation(&scheme).public_key_of(key).map_err(|why| KeyError::Key(why.to_string()))?;
        Ok(Self { scheme, key: Zeroizing::new(key.into()) })
    }
}

impl FromStr for Recipient {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        Self::from_bytes(&decode(text, RECIPIENT)?)
    }
}

impl FromStr for Identity {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        Self::from_bytes(&decode(text, IDENTITY)?)
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encode(RECIPIENT, &joined(&self.scheme, &self.key)))
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipient({}, ..)", self.scheme)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({}, ..)", self.scheme)
    }
}

/// What seals the file key. The shared key has a fixed length, and the type ends with a line.
fn cipher(tag: &str, shared: &[u8], ciphertext: &[u8]) -> ChaCha20Poly1305 {
    let key = derived_seed(&[b"ringwork age file key 1 ", tag.as_bytes(), b"\n", shared, ciphertext]);
    ChaCha20Poly1305::new((&*key).into())
}

impl age::Recipient for Recipient {
    fn wrap_file_key(&self, file_key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        let failed = |why: String| EncryptError::Io(std::io::Error::other(why));
        let answer = encapsulation(&self.scheme).encapsulate(&self.key, &mut sys_rng());
        let (ciphertext, shared) = answer.map_err(|why| failed(why.to_string()))?;
        let tag = format!("{STANZA}{}", self.scheme);
        let sealed =
            cipher(&tag, shared.as_bytes(), &ciphertext).encrypt(&Default::default(), &file_key.expose_secret()[..]);
        let body = sealed.map_err(|why| failed(why.to_string()))?;
        let args = vec![BASE64_STANDARD_NO_PAD.encode(ciphertext)];
        Ok((vec![Stanza { tag, args, body }], HashSet::from([LABEL.into()])))
    }
}

impl age::Identity for Identity {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        if stanza.tag.strip_prefix(STANZA) != Some(&*self.scheme) {
            return None;
        }
        let [ciphertext] = &stanza.args[..] else { return Some(Err(DecryptError::InvalidHeader)) };
        let Ok(ciphertext) = BASE64_STANDARD_NO_PAD.decode(ciphertext) else {
            return Some(Err(DecryptError::InvalidHeader));
        };
        let scheme = encapsulation(&self.scheme);
        if ciphertext.len() != scheme.ciphertext_bytes() || stanza.body.len() != FILE_KEY_BYTES + 16 {
            return Some(Err(DecryptError::InvalidHeader));
        }
        // Refused openly or not: it may be for somebody else.
        let shared = scheme.decapsulate(&self.key, &ciphertext).ok()?;
        let opened = cipher(&stanza.tag, shared.as_bytes(), &ciphertext).decrypt(&Default::default(), &stanza.body[..]);
        let opened = Zeroizing::new(opened.ok()?);
        Some(Ok(FileKey::init_with_mut(|key| key.copy_from_slice(&opened))))
    }
}
