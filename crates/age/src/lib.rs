//! Recipients and identities of the age file format, for the crate [`age`], on Ringwork's schemes.
//!
//! | module | keys | stanza |
//! |---|---|---|
//! | [`hybrid`] | `age1pq1…`, `AGE-SECRET-KEY-PQ-1…` | `mlkem768x25519`: HPKE with X-Wing |
//! | [`research`] | `age1ringwork1…`, `AGE-PLUGIN-RINGWORK-1…` | `ringwork/<scheme>` |
//! | [`tag`] | `age1tag1…`, `age1tagpq1…`, no identities | `p256tag`, `mlkem768p256tag`: HPKE with P-256 |
//!
//! [`keys`] has keys of either kind, and age's own of X25519, and reads files of them. [`source`] reads the header of an
//! encrypted file within bounds, where the crate `age` takes quadratic time for what is hostile.
//!
//! Source: C2SP, *The age file encryption format*, age.md; for plugins, age-plugin.md.

#![forbid(unsafe_code)]

mod bech32;
pub mod hybrid;
mod kem;
pub mod keys;
#[cfg(feature = "research")]
pub mod research;
mod seal;
pub mod source;
pub mod tag;

use core::fmt;
use zeroize::Zeroizing;

/// Why a string is no key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// It is not Bech32: a character is wrong, missing, or one too many.
    Bech32(String),
    /// It is one of another kind.
    Prefix {
        /// What it begins with.
        found: String,
        /// What it should begin with.
        expected: &'static str,
    },
    /// What it says is no key.
    Key(String),
    /// It is secret, and a recipient is not.
    Secret,
    /// It is a recipient, and an identity is needed.
    Public,
    /// It is for a plugin, a program with this name behind `age-plugin-`, which is not run here.
    Plugin {
        /// The name, in lower case.
        name: String,
    },
    /// It is nothing that looks like such a key.
    Foreign {
        /// What should be there.
        wanted: &'static str,
        /// How those begin.
        beginnings: &'static str,
    },
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bech32(why) => write!(f, "not in Bech32, as keys are written: {why}"),
            Self::Prefix { found, expected } => write!(f, "it begins with {found}1, and such keys with {expected}1"),
            Self::Key(why) => f.write_str(why),
            Self::Secret => f.write_str("this is an identity, which is secret, and a recipient is needed"),
            Self::Public => f.write_str("this is a recipient, and an identity is needed"),
            Self::Plugin { name } => {
                write!(f, "it is for the plugin age-plugin-{name}, and this program runs no plugins")
            }
            Self::Foreign { wanted, beginnings } => write!(f, "this is no {wanted}: those begin with {beginnings}"),
        }
    }
}

impl core::error::Error for KeyError {}

impl KeyError {
    /// Of a point with which X25519 gives zero for every secret.
    fn of_low_order() -> Self {
        Self::Key(
            "no identity has this recipient: its point is of low order, so that whoever sees the file opens it".into(),
        )
    }

    /// Of a key that is in order, and not for us.
    fn of_plugin(plugin: Option<&str>, found: &str, wanted: &str) -> Self {
        match plugin {
            Some(name) => Self::Plugin { name: name.into() },
            None => Self::Key(format!("no {wanted} begins with {found}1")),
        }
    }
}

/// [`parts`] of a key of whatever kind. What is no Bech32 may be a name, a key of SSH, anything.
fn parts_of_any(
    text: &str,
    wanted: &'static str,
    beginnings: &'static str,
) -> Result<(String, Zeroizing<Vec<u8>>), KeyError> {
    let text = text.trim();
    if text.get(..4).is_some_and(|start| ["ssh-", "ecds"].contains(&start)) || text.starts_with("-----BEGIN OPENSSH") {
        return Err(KeyError::Key(
            "this is a key of SSH, which is not read here: the crate age does, with its feature ssh".into(),
        ));
    }
    if !text.get(..4).is_some_and(|start| ["age1", "age-"].contains(&&*start.to_ascii_lowercase())) {
        return Err(KeyError::Foreign { wanted, beginnings });
    }
    parts(text)
}

/// The prefix of a string, in lower case, and its bytes.
fn parts(text: &str) -> Result<(String, Zeroizing<Vec<u8>>), KeyError> {
    let found = bech32::prefix(text)
        .ok_or_else(|| KeyError::Bech32("there is no 1 in it, or what stands before it is not printable".into()))?;
    let bytes = bech32::decode(text, found).map_err(|why| KeyError::Bech32(why.into()))?;
    Ok((found.to_ascii_lowercase(), bytes))
}

/// The bytes of a string with that prefix, which is in lower case.
fn decode(text: &str, expected: &'static str) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    let (found, bytes) = parts(text.trim())?;
    if found == expected { Ok(bytes) } else { Err(KeyError::Prefix { found, expected }) }
}

/// The example of `README.md` is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
