//! Keys of any kind, and files of them: one key a line, among comments and empty lines.

#[cfg(feature = "research")]
use crate::research;
use crate::{KeyError, hybrid, kem::is_of_low_order, parts_of_any, tag};
use age::{DecryptError, EncryptError, secrecy::SecretString, x25519};
use age_core::format::{FileKey, Stanza};
use core::{fmt, str::FromStr};
use std::collections::HashSet;

/// The names of the schemes that are no research: age's own, the post-quantum one first.
pub const STANDARD: [&str; 2] = [HYBRID, X25519];
const HYBRID: &str = "mlkem768x25519";
const X25519: &str = "x25519";
/// How recipients and identities begin.
const RECIPIENTS: &str = if cfg!(feature = "research") { "age1pq1, age1 or age1ringwork1" } else { "age1pq1 or age1" };
const IDENTITIES: &str = if cfg!(feature = "research") {
    "AGE-SECRET-KEY-PQ-1, AGE-SECRET-KEY-1 or AGE-PLUGIN-RINGWORK-1"
} else {
    "AGE-SECRET-KEY-PQ-1 or AGE-SECRET-KEY-1"
};
const X25519_BYTES: usize = 32;

/// A public key of any kind.
#[derive(Clone, Debug)]
pub enum Recipient {
    /// age's own, post-quantum.
    Hybrid(Box<hybrid::Recipient>),
    /// age's own, which a quantum computer would break.
    X25519(x25519::Recipient),
    /// age's own, of hardware.
    Tagged(tag::Recipient),
    /// Of a research scheme.
    #[cfg(feature = "research")]
    Research(research::Recipient),
}

/// A secret key of any kind. Wiped on drop.
#[derive(Clone)]
pub enum Identity {
    /// age's own, post-quantum.
    Hybrid(Box<hybrid::Identity>),
    /// age's own, which a quantum computer would break.
    X25519(x25519::Identity),
    /// Of a research scheme.
    #[cfg(feature = "research")]
    Research(research::Identity),
}

/// Why a file of keys is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: KeyError,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl core::error::Error for LineError {}

/// The recipients of a file.
///
/// **Errors** say which line is none, and why.
pub fn recipients(text: &str) -> Result<Vec<Recipient>, LineError> {
    parsed(text)
}

/// The identities of a file.
///
/// **Errors** say which line is none, and why, but nothing of what stands there.
pub fn identities(text: &str) -> Result<Vec<Identity>, LineError> {
    parsed(text)
}

fn parsed<T: FromStr<Err = KeyError>>(text: &str) -> Result<Vec<T>, LineError> {
    lines(text).map(|(line, key)| key.parse().map_err(|why| LineError { line, why })).collect()
}

/// The lines of a file that have keys, with their numbers, from 1: without blanks around them, comments and empty
/// lines.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // A mark stands where a file that begins with one was put behind another.
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_start_matches('\u{feff}').trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

impl Recipient {
    /// The name of the scheme.
    pub fn scheme(&self) -> &str {
        match self {
            Self::Hybrid(_) => HYBRID,
            Self::X25519(_) => X25519,
            Self::Tagged(recipient) => recipient.scheme(),
            #[cfg(feature = "research")]
            Self::Research(recipient) => recipient.scheme(),
        }
    }

    /// Whether no quantum computer is known to open its files.
    pub const fn is_post_quantum(&self) -> bool {
        match self {
            Self::X25519(_) => false,
            Self::Tagged(recipient) => recipient.is_hybrid(),
            Self::Hybrid(_) => true,
            #[cfg(feature = "research")]
            Self::Research(_) => true,
        }
    }
}

impl Identity {
    /// A fresh one, if the scheme is known.
    pub fn generate(scheme: &str) -> Option<Self> {
        match scheme {
            HYBRID => Some(Self::Hybrid(hybrid::Identity::generate().into())),
            X25519 => Some(Self::X25519(x25519::Identity::generate())),
            #[cfg(feature = "research")]
            scheme => research::Identity::generate(scheme).map(Self::Research),
            #[cfg(not(feature = "research"))]
            _ => None,
        }
    }

    /// The name of the scheme.
    pub fn scheme(&self) -> &str {
        match self {
            Self::Hybrid(_) => HYBRID,
            Self::X25519(_) => X25519,
            #[cfg(feature = "research")]
            Self::Research(identity) => identity.scheme(),
        }
    }

    /// The recipient that it is the identity of.
    pub fn to_public(&self) -> Recipient {
        match self {
            Self::Hybrid(identity) => Recipient::Hybrid(identity.to_public().into()),
            Self::X25519(identity) => Recipient::X25519(identity.to_public()),
            #[cfg(feature = "research")]
            Self::Research(identity) => Recipient::Research(identity.to_public()),
        }
    }

    /// The key as age files have it, in upper case.
    pub fn to_text(&self) -> SecretString {
        match self {
            Self::Hybrid(identity) => identity.to_text(),
            Self::X25519(identity) => identity.to_string(),
            #[cfg(feature = "research")]
            Self::Research(identity) => identity.to_text(),
        }
    }
}

impl FromStr for Recipient {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let (prefix, bytes) = parts_of_any(text, "recipient", RECIPIENTS)?;
        match &*prefix {
            hybrid::RECIPIENT => hybrid::Recipient::from_bytes(&bytes).map(Box::new).map(Self::Hybrid),
            #[cfg(feature = "research")]
            research::RECIPIENT => research::Recipient::from_bytes(&bytes).map(Self::Research),
            tag::RECIPIENT => tag::Recipient::from_bytes(&bytes).map(Self::Tagged),
            tag::HYBRID_RECIPIENT => tag::Recipient::hybrid_from_bytes(&bytes).map(Self::Tagged),
            "age" if bytes.len() == X25519_BYTES && is_of_low_order(&bytes) => Err(KeyError::of_low_order()),
            "age" => text.trim().parse().map(Self::X25519).map_err(|why| KeyError::Key(why.to_string())),
            secret if secret.starts_with("age-") => Err(KeyError::Secret),
            found => Err(KeyError::of_plugin(found.strip_prefix("age1"), found, "recipient")),
        }
    }
}

impl FromStr for Identity {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let (prefix, bytes) = parts_of_any(text, "identity", IDENTITIES)?;
        match &*prefix {
            hybrid::IDENTITY | hybrid::PLUGIN_IDENTITY => {
                hybrid::Identity::from_bytes(&bytes).map(Box::new).map(Self::Hybrid)
            }
            #[cfg(feature = "research")]
            research::IDENTITY => research::Identity::from_bytes(&bytes).map(Self::Research),
            "age-secret-key-" => text.trim().parse().map(Self::X25519).map_err(|why| KeyError::Key(why.to_string())),
            public if public.starts_with("age") && !public.starts_with("age-") => Err(KeyError::Public),
            found => {
                let plugin = found.strip_prefix("age-plugin-").map(|name| name.trim_end_matches('-'));
                Err(KeyError::of_plugin(plugin, found, "identity"))
            }
        }
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hybrid(recipient) => recipient.fmt(f),
            Self::X25519(recipient) => recipient.fmt(f),
            Self::Tagged(recipient) => recipient.fmt(f),
            #[cfg(feature = "research")]
            Self::Research(recipient) => recipient.fmt(f),
        }
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({}, ..)", self.scheme())
    }
}

impl age::Recipient for Recipient {
    fn wrap_file_key(&self, file_key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        match self {
            Self::Hybrid(recipient) => recipient.wrap_file_key(file_key),
            Self::X25519(recipient) => recipient.wrap_file_key(file_key),
            Self::Tagged(recipient) => recipient.wrap_file_key(file_key),
            #[cfg(feature = "research")]
            Self::Research(recipient) => recipient.wrap_file_key(file_key),
        }
    }
}

impl age::Identity for Identity {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        match self {
            Self::Hybrid(identity) => identity.unwrap_stanza(stanza),
            Self::X25519(identity) => identity.unwrap_stanza(stanza),
            #[cfg(feature = "research")]
            Self::Research(identity) => identity.unwrap_stanza(stanza),
        }
    }
}
