//! Where a passphrase comes from: the terminal, or a file.

use super::passphrase;
use crate::{fault::Fault, files};
use age::secrecy::{ExposeSecret, SecretString};
use clap::Args;
use std::{io::ErrorKind, path::PathBuf};
use zeroize::Zeroizing;

/// Where a passphrase comes from.
#[derive(Args, Debug)]
pub(crate) struct PassphraseArgs {
    /// Takes the passphrase from the first line of this file, - for standard input, and does not
    /// ask for it on the terminal. Whoever can read the file knows the passphrase: for scripts and
    /// tests
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
}

impl PassphraseArgs {
    /// Of what has no passphrase.
    pub(crate) const NONE: Self = Self { passphrase_file: None };

    /// Whether something is encrypted to a passphrase, if that was asked for or not: a file with one says so as well.
    pub(crate) const fn encrypts(&self, asked: bool) -> bool {
        asked || self.passphrase_file.is_some()
    }

    /// One that opens `what`.
    pub(crate) fn known(&self, what: &str) -> Result<SecretString, Fault> {
        self.read(&format!("Passphrase of {what}: "))
    }

    /// One for something new: a typing error must not lose it, and whoever types nothing gets one that is random.
    pub(crate) fn new_one(&self) -> Result<SecretString, Fault> {
        if self.passphrase_file.is_some() {
            return self.read("");
        }
        let first = Zeroizing::new(ask("New passphrase (nothing for one that is made): ")?);
        if first.is_empty() {
            let made = passphrase::random();
            eprintln!("This passphrase was made: {}", made.expose_secret());
            return Ok(made);
        }
        let second = Zeroizing::new(ask("The same again: ")?);
        if first != second {
            return Err(Fault::Usage("the two passphrases differ".into()));
        }
        Ok(SecretString::from(first.as_str()))
    }

    fn read(&self, prompt: &str) -> Result<SecretString, Fault> {
        let passphrase = match &self.passphrase_file {
            None => ask(prompt)?,
            Some(path) => files::read_text(path)?.lines().next().unwrap_or_default().to_owned(),
        };
        if passphrase.is_empty() {
            return Err(Fault::Usage("the passphrase is empty".into()));
        }
        Ok(passphrase.into())
    }
}

pub(super) fn ask(prompt: &str) -> Result<String, Fault> {
    files::with_terminal(|| rpassword::prompt_password(prompt)).map_err(|e| match e.kind() {
        ErrorKind::UnexpectedEof => Fault::Usage("the passphrase was not typed to its end".into()),
        _ => Fault::Usage(format!(
            "a passphrase is needed, and there is no terminal to ask for it ({e}); --passphrase-file names a file that \
             has it"
        )),
    })
}
