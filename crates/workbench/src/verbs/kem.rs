//! `kem keygen|encapsulate|decapsulate`: shared keys by ML-KEM and X-Wing.
//!
//! Keys are PEM, and ciphertexts and shared keys bytes, as other programs have them.

use crate::{
    age_files::PassphraseArgs,
    fault::Fault,
    files::{self, Kind as Access},
    kems::{self, Set},
    pem_keys::PairArgs,
    screen::Screen,
};
use clap::{Args, Subcommand};
use schemars::JsonSchema;
use serde::Serialize;
use std::{borrow::Cow, path::PathBuf};

/// What to do with shared keys.
#[derive(Subcommand, Debug)]
pub(crate) enum Kem {
    /// Makes a pair of keys
    Keygen(Keygen),
    /// Makes a shared key, and the ciphertext that carries it to the owner of a public key
    Encapsulate(Encapsulate),
    /// Finds the shared key that a ciphertext carries
    ///
    /// A ciphertext that was made for another key, or changed, carries a key that nobody else has: there is no error.
    Decapsulate(Decapsulate),
}

/// Arguments of `keygen`.
#[derive(Args, Debug)]
pub(crate) struct Keygen {
    /// Parameter set
    #[arg(long, value_name = "NAME", default_value = "ml-kem-768", ignore_case = true)]
    set: Set,
    /// Where to put the private key: PEM, PKCS #8, the seed
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Where to put the public key: PEM, SubjectPublicKeyInfo; or - for standard output
    #[arg(long, value_name = "FILE")]
    public: PathBuf,
    #[command(flatten)]
    how: PairArgs,
}

/// Arguments of `encapsulate`.
#[derive(Args, Debug)]
pub(crate) struct Encapsulate {
    /// The public key, or - for standard input
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Where to put the ciphertext, or - for standard output
    #[arg(long, value_name = "FILE")]
    ciphertext: PathBuf,
    /// Where to put the shared key, 32 bytes, or - for standard output
    #[arg(long, value_name = "FILE")]
    shared: PathBuf,
    /// Replaces files that exist, and shows bytes on a terminal
    #[arg(long)]
    force: bool,
}

/// Arguments of `decapsulate`.
#[derive(Args, Debug)]
pub(crate) struct Decapsulate {
    /// The private key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// The ciphertext, or - for standard input
    #[arg(long, value_name = "FILE")]
    ciphertext: PathBuf,
    /// Where to put the shared key, 32 bytes, or - for standard output
    #[arg(long, value_name = "FILE")]
    shared: PathBuf,
    /// Replaces a file that exists
    #[arg(long)]
    force: bool,
}

/// A pair of keys.
#[derive(Serialize, JsonSchema)]
pub(super) struct Pair<'a> {
    /// The parameter set.
    set: &'a str,
    /// The file of the private key.
    secret: Cow<'a, str>,
    /// The file of the public key.
    public: Cow<'a, str>,
}

/// A shared key, and what carries it.
#[derive(Serialize, JsonSchema)]
pub(super) struct Encapsulated<'a> {
    /// The key's parameter set.
    set: &'a str,
    /// The file of the ciphertext.
    ciphertext: Cow<'a, str>,
    /// The file of the shared key.
    shared: Cow<'a, str>,
}

/// The shared key of a ciphertext.
#[derive(Serialize, JsonSchema)]
pub(super) struct Decapsulated<'a> {
    /// The key's parameter set.
    set: &'a str,
    /// The file of the shared key.
    shared: Cow<'a, str>,
}

impl Kem {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        match self {
            Self::Keygen(step) => step.run(screen),
            Self::Encapsulate(step) => step.run(screen),
            Self::Decapsulate(step) => step.run(screen),
        }
    }
}

impl Keygen {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let public = self.how.write([&self.secret, &self.public], || {
            let (secret, public) = kems::pair(self.set);
            (secret, public.to_pem(), public)
        })?;
        let (secret, public_at) = (self.secret.to_string_lossy(), self.public.to_string_lossy());
        screen.written(Pair { set: public.name(), secret, public: public_at }, &["secret", "public"], "")
    }
}

impl Encapsulate {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.ciphertext, Access::Binary), (&self.shared, Access::Secret)], self.force)?;
        files::apart(&[&self.ciphertext, &self.shared], &[&self.key])?;
        let key = kems::read_public(&self.key)?;
        let (ciphertext, shared) = key.encapsulate();
        let parts = [
            (&*self.ciphertext, &*ciphertext, Access::Binary),
            (&*self.shared, &shared.as_bytes()[..], Access::Secret),
        ];
        files::write_all(&parts, self.force)?;
        let (ciphertext, shared) = (self.ciphertext.to_string_lossy(), self.shared.to_string_lossy());
        screen.written(Encapsulated { set: key.name(), ciphertext, shared }, &["ciphertext", "shared"], "")
    }
}

impl Decapsulate {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.shared, Access::Secret)], self.force)?;
        let inputs: Vec<_> =
            [&self.key, &self.ciphertext].into_iter().chain(&self.passphrase.passphrase_file).collect();
        files::at_most_one_dash(&inputs)?;
        files::apart(&[&self.shared], &inputs)?;
        let key = kems::read_secret(&self.key, &self.passphrase)?;
        let ciphertext = files::read(&self.ciphertext, 1 << 16)?;
        let shared = key.decapsulate(&ciphertext).map_err(|e| files::refused(&self.ciphertext, &e))?;
        files::write(&self.shared, &shared.as_bytes()[..], Access::Secret, self.force)?;
        screen.written(Decapsulated { set: key.name(), shared: self.shared.to_string_lossy() }, &["shared"], "")
    }
}
