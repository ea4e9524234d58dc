//! `verify`: whether files are as somebody whose key is trusted signed them.

use super::sign::beside;
use crate::{
    fault::Fault,
    files,
    screen::Screen,
    signatures,
    signed_files::{Home, Signed, Trusted, fingerprint},
};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// What was signed, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The signature of the only file, or - for standard input; if left out, FILE.sig
    #[arg(short, long, value_name = "FILE")]
    signature: Option<PathBuf>,
    /// Trusts this public key alone, in PEM; if left out, those of `ringwork signature trust`, and this user's own
    #[arg(short, long, value_name = "FILE")]
    key: Option<PathBuf>,
}

/// A signature that holds.
struct Held<'a> {
    by: &'a Trusted,
    comment: String,
}

/// Whether files are as they were signed.
#[derive(Serialize, JsonSchema)]
pub(super) struct Verified<'a> {
    /// Whether all signatures hold.
    holds: bool,
    /// File by file.
    files: Vec<SignedFile<'a>>,
}

/// A file and its signature.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum SignedFile<'a> {
    /// The signature holds.
    Holds {
        /// The file.
        file: Cow<'a, str>,
        /// True.
        holds: bool,
        /// Whose key it is.
        signer: &'a str,
        /// The key's parameter set.
        set: &'a str,
        /// The key's fingerprint.
        fingerprint: String,
        /// What the signer says of the file.
        comment: &'a str,
    },
    /// The signature does not hold, or cannot be verified.
    Not {
        /// The file.
        file: Cow<'a, str>,
        /// False.
        holds: bool,
        /// Why.
        reason: String,
    },
}

impl Verify {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let signatures = beside(&self.files, self.signature.as_ref(), "--signature")?;
        files::at_most_one_dash(&self.files.iter().chain(&signatures).chain(&self.key).collect::<Vec<_>>())?;
        let trusted = match &self.key {
            None => Home::of_user()?.trusted()?,
            Some(path) => vec![Trusted { name: files::name(path), key: signatures::read_public(path)? }],
        };
        let mut all: Vec<_> =
            self.files.iter().zip(&signatures).map(|(file, signature)| verify(file, signature, &trusted)).collect();
        let failed = all.iter().filter(|held| held.is_err()).count();
        if all.len() > 1 || failed == 0 {
            let rows = self.files.iter().zip(&all).map(|(file, held)| row(file, held)).collect();
            let texts = self.files.iter().zip(&all).map(|(file, held)| text(file, held));
            screen.answer(Verified { holds: failed == 0, files: rows }, || texts.collect())?;
        }
        // That one does not hold is worse than that another cannot be read.
        all.sort_by_key(|held| held.as_ref().err().map_or(u8::MAX, Fault::code));
        all.swap_remove(0).map(drop).map_err(|fault| match (fault, self.files.len()) {
            (fault, 1) => fault,
            (Fault::Negative(_), count) => Fault::Negative(format!("{failed} of {count} files do not verify")),
            (_, count) => Fault::Input(format!("{failed} of {count} files cannot be verified")),
        })
    }
}

fn verify<'a>(file: &Path, signature: &Path, trusted: &'a [Trusted]) -> Result<Held<'a>, Fault> {
    let signed = Signed::read(signature)?;
    let by = trusted.iter().find(|known| fingerprint(&*known.key) == signed.signer).ok_or_else(|| {
        let whose = match trusted {
            [only] => format!("not that of {}", only.name),
            _ => "which is not trusted".into(),
        };
        Fault::Negative(format!("{}: it says that it is of the key {}, {whose}", files::name(signature), signed.signer))
    })?;
    let mu = signatures::mu(file, &*by.key, &Signed::context(&signed.comment))?;
    by.key.verify(&mu, &signed.bytes).map_err(|_| {
        Fault::Negative(format!(
            "{}: the signature was not made by {} for this file and comment, or one of them was changed",
            files::name(file),
            by.name
        ))
    })?;
    Ok(Held { by, comment: signed.comment })
}

fn row<'a>(file: &'a Path, held: &'a Result<Held<'_>, Fault>) -> SignedFile<'a> {
    let file = file.to_string_lossy();
    match held {
        Ok(Held { by, comment }) => {
            let (signer, set, fingerprint) = (&*by.name, by.key.set().name, fingerprint(&*by.key));
            SignedFile::Holds { file, holds: true, signer, set, fingerprint, comment }
        }
        Err(fault) => SignedFile::Not { file, holds: false, reason: fault.to_string() },
    }
}

fn text(file: &Path, held: &Result<Held<'_>, Fault>) -> String {
    match held {
        Ok(Held { by, comment }) => {
            format!("{}: signed by {} ({}), who says {comment:?}\n", files::name(file), by.name, by.key.set().name)
        }
        Err(fault) => format!("{fault}\n"),
    }
}
