//! Keys of every kind that files are encrypted to, and files of them: those of `ringwork_age`, of SSH, and of plugins.

use super::{plugins, ssh};
use ringwork_age::{
    KeyError,
    keys::{self, LineError},
};
use std::str::FromStr;

/// How recipients and identities begin.
const RECIPIENTS: &str = "age1pq1, age1, ssh-ed25519 or ssh-rsa";
const IDENTITIES: &str = "AGE-SECRET-KEY-PQ-1, AGE-SECRET-KEY-1, AGE-PLUGIN- or -----BEGIN OPENSSH PRIVATE KEY-----";
/// How private keys of SSH begin, and what stands in that line.
const PEM: &str = "-----BEGIN ";
const PRIVATE: &str = "PRIVATE KEY";

/// Somebody for whom a file is.
#[derive(Clone)]
pub(crate) enum Recipient {
    /// Of age, or of a research scheme.
    Own(keys::Recipient),
    Ssh(ssh::Recipient),
    /// Of a plugin: a recipient, or an identity, whose recipient the plugin alone knows.
    Plugin(plugins::Key),
}

/// Somebody who opens files.
#[derive(Clone)]
pub(crate) enum Identity {
    /// Of age, or of a research scheme.
    Own(keys::Identity),
    Ssh(Box<ssh::Identity>),
    Plugin(plugins::Key),
}

impl Recipient {
    /// The name of the scheme, or of the plugin's program.
    pub(crate) fn scheme(&self) -> &str {
        match self {
            Self::Own(key) => key.scheme(),
            Self::Ssh(key) => key.scheme(),
            Self::Plugin(key) => key.program(),
        }
    }

    /// The key as files have it, unless the plugin alone knows it.
    pub(crate) fn to_text(&self) -> Option<String> {
        match self {
            Self::Own(key) => Some(key.to_string()),
            Self::Ssh(key) => Some(key.to_string()),
            Self::Plugin(key) => key.public().map(str::to_owned),
        }
    }

    /// What encrypts to it, or the key of a plugin that does.
    pub(super) fn encrypting(&self) -> Result<&dyn age::Recipient, &plugins::Key> {
        match self {
            Self::Own(key) => Ok(key),
            Self::Ssh(key) => Ok(key),
            Self::Plugin(key) => Err(key),
        }
    }

    /// Whether a quantum computer is not known to open its files, if that is known.
    pub(crate) fn is_post_quantum(&self) -> Option<bool> {
        match self {
            Self::Own(key) => Some(key.is_post_quantum()),
            Self::Ssh(_) => Some(false),
            Self::Plugin(_) => None,
        }
    }
}

impl Identity {
    /// The name of the scheme, or of the plugin's program.
    pub(crate) fn scheme(&self) -> &str {
        match self {
            Self::Own(key) => key.scheme(),
            Self::Ssh(key) => key.to_public().scheme(),
            Self::Plugin(key) => key.program(),
        }
    }

    /// The recipient that it is the identity of.
    pub(crate) fn to_public(&self) -> Recipient {
        match self {
            Self::Own(key) => Recipient::Own(key.to_public()),
            Self::Ssh(key) => Recipient::Ssh(key.to_public().clone()),
            Self::Plugin(key) => Recipient::Plugin(key.clone()),
        }
    }
}

impl FromStr for Recipient {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        if ssh::is_public(text) {
            return text.parse().map(Self::Ssh);
        }
        if text.starts_with(PEM) && text.contains(PRIVATE) {
            return Err(KeyError::Secret);
        }
        match text.parse() {
            Ok(key) => Ok(Self::Own(key)),
            Err(KeyError::Plugin { name }) => plugins::Key::recipient(text, &name).map(Self::Plugin),
            Err(KeyError::Foreign { wanted, .. }) => Err(KeyError::Foreign { wanted, beginnings: RECIPIENTS }),
            Err(why) => Err(why),
        }
    }
}

impl FromStr for Identity {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        if ssh::is_public(text) {
            return Err(KeyError::Public);
        }
        match text.parse() {
            Ok(key) => Ok(Self::Own(key)),
            Err(KeyError::Plugin { name }) => plugins::Key::identity(text, &name).map(Self::Plugin),
            Err(KeyError::Foreign { wanted, .. }) => Err(KeyError::Foreign { wanted, beginnings: IDENTITIES }),
            Err(why) => Err(why),
        }
    }
}

/// The recipients of a file, and the lines with keys of SSH that age does not take, which are passed over.
///
/// **Errors** say which line is no key, and why.
pub(crate) fn recipients(text: &str) -> Result<(Vec<Recipient>, Vec<LineError>), LineError> {
    let (mut found, mut passed) = (Vec::new(), Vec::new());
    for (line, key) in keys::lines(text) {
        let key = ssh::without_options(key);
        match key.parse() {
            Ok(key) => found.push(key),
            Err(why) if ssh::is_in_order(key) => passed.push(LineError { line, why }),
            Err(why) => return Err(LineError { line, why }),
        }
    }
    Ok((found, passed))
}

/// The identities of a file, or the private key of SSH that it is.
///
/// **Errors** say which line is none, and why, but nothing of what stands there.
pub(crate) fn identities(text: &str) -> Result<Vec<Identity>, LineError> {
    if let Some((line, _)) = keys::lines(text).next().filter(|(_, first)| first.starts_with(PEM)) {
        let key = ssh::Identity::of_pem(text).map_err(|why| LineError { line, why })?;
        return Ok(vec![Identity::Ssh(Box::new(key))]);
    }
    keys::lines(text).map(|(line, key)| key.parse().map_err(|why| LineError { line, why })).collect()
}
