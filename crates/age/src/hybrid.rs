//! age's native post-quantum keys: the recipient type `mlkem768x25519`.
//!
//! A file key is sealed by HPKE in base mode: MLKEM768-X25519 (X-Wing), HKDF-SHA256,
//! ChaCha20-Poly1305, with the info `age-encryption.org/mlkem768x25519`. Such a recipient has the
//! label `postquantum`: a file for it is for no recipient that a quantum computer would break.
//!
//! **Constant time:** as X-Wing; whether a stanza is for an identity is public.
//!
//! Source: C2SP, age.md, "The mlkem768x25519 recipient type".

use crate::{
    KeyError,
    bech32::encode,
    decode,
    kem::{EncappedKey, MlKem768X25519, PrivateKey, PublicKey, is_of_low_order},
};
use age::{DecryptError, EncryptError};
use age_core::{
    format::{FILE_KEY_BYTES, FileKey, Stanza},
    secrecy::{ExposeSecret, SecretString},
};
use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use core::{fmt, mem::take, str::FromStr};
use hpke::{Deserializable, OpModeR, OpModeS, Serializable, aead::ChaCha20Poly1305, kdf::HkdfSha256};
use ringwork::{
    ct::sys_rng,
    xwing::{DecapsulationKey, EncapsulationKey},
};
use std::collections::HashSet;
use zeroize::Zeroizing;

pub(crate) const RECIPIENT: &str = "age1pq";
pub(crate) const IDENTITY: &str = "age-secret-key-pq-";
pub(crate) const PLUGIN_IDENTITY: &str = "age-plugin-pq-";
/// The plugin by which programs of age use these keys that do not know them: `age-plugin-pq`.
pub const PLUGIN: &str = "pq";
/// The label of recipients.
pub const LABEL: &str = "postquantum";
const STANZA: &str = "mlkem768x25519";
const INFO: &[u8] = b"age-encryption.org/mlkem768x25519";
const TAG_BYTES: usize = 16;

/// A public key.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient(PublicKey);

/// A secret key. Wiped on drop.
#[derive(Clone)]
pub struct Identity(PrivateKey);

impl Recipient {
    /// The recipient of the bytes that its text has: for plugins, which are given these.
    ///
    /// **Errors** say what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        let key = EncapsulationKey::from_bytes(bytes).map_err(|why| KeyError::Key(why.to_string()))?;
        if is_of_low_order(bytes) { Err(KeyError::of_low_order()) } else { Ok(Self::new(key)) }
    }

    /// Of an X-Wing key.
    pub const fn new(key: EncapsulationKey) -> Self {
        Self(PublicKey(key))
    }
}

impl Identity {
    /// The identity of the bytes that its text has: for plugins, which are given these.
    ///
    /// **Errors** say what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        let seed = bytes.try_into();
        let seed =
            seed.map_err(|_| KeyError::Key(format!("such an identity has 32 bytes, this has {}", bytes.len())))?;
        Ok(Self::new(DecapsulationKey::from_seed(seed)))
    }

    /// A fresh one.
    pub fn generate() -> Self {
        let seed = ringwork::ct::fresh_seed(&mut sys_rng());
        Self::new(DecapsulationKey::from_seed(&seed))
    }

    /// Of an X-Wing key.
    pub const fn new(key: DecapsulationKey) -> Self {
        Self(PrivateKey(key))
    }

    /// The recipient that it is the identity of.
    pub fn to_public(&self) -> Recipient {
        Recipient::new(self.0.0.encapsulation_key().clone())
    }

    /// The key as age files have it, in upper case.
    pub fn to_text(&self) -> SecretString {
        self.text(IDENTITY)
    }

    /// The same key for programs of age that know it through the plugin alone: `AGE-PLUGIN-PQ-1…`.
    pub fn to_plugin_text(&self) -> SecretString {
        self.text(PLUGIN_IDENTITY)
    }

    fn text(&self, prefix: &str) -> SecretString {
        SecretString::from(take(&mut *encode(&prefix.to_ascii_uppercase(), self.0.0.as_seed())))
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
        f.write_str(&encode(RECIPIENT, &self.0.to_bytes()))
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity(..)")
    }
}

impl age::Recipient for Recipient {
    fn wrap_file_key(&self, file_key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        let sealed = hpke::single_shot_seal_with_rng::<ChaCha20Poly1305, HkdfSha256, MlKem768X25519>(
            &OpModeS::Base,
            &self.0,
            INFO,
            file_key.expose_secret(),
            b"",
            &mut sys_rng(),
        );
        let (enc, body) = sealed.map_err(|why| EncryptError::Io(std::io::Error::other(why.to_string())))?;
        let args = vec![BASE64_STANDARD_NO_PAD.encode(enc.to_bytes())];
        Ok((vec![Stanza { tag: STANZA.into(), args, body }], HashSet::from([LABEL.into()])))
    }
}

impl age::Identity for Identity {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        if stanza.tag != STANZA {
            return None;
        }
        let [enc] = &stanza.args[..] else { return Some(Err(DecryptError::InvalidHeader)) };
        let enc = BASE64_STANDARD_NO_PAD.decode(enc).ok().and_then(|enc| EncappedKey::from_bytes(&enc).ok());
        let Some(enc) = enc.filter(|_| stanza.body.len() == FILE_KEY_BYTES + TAG_BYTES) else {
            return Some(Err(DecryptError::InvalidHeader));
        };
        let opened = hpke::single_shot_open::<ChaCha20Poly1305, HkdfSha256, MlKem768X25519>(
            &OpModeR::Base,
            &self.0,
            &enc,
            INFO,
            &stanza.body,
            b"",
        );
        // A stanza for somebody else looks like this as well.
        let opened = Zeroizing::new(opened.ok()?);
        Some(Ok(FileKey::init_with_mut(|key| key.copy_from_slice(&opened))))
    }
}
