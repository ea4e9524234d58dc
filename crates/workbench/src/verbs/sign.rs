//! `sign`: signatures beside files, by ML-DSA.

use crate::{
    age_files::PassphraseArgs,
    fault::Fault,
    files::{self, Kind as Access},
    screen::Screen,
    signatures,
    signed_files::{COMMENT_AT_MOST, Home, Signed, check_line, fingerprint, is_there},
};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Sign {
    /// What is signed, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The private key in PEM; if left out, that of `ringwork signature keygen`
    #[arg(short, long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// What is signed along, and shown to whoever verifies: 240 bytes at most; if left out, the time and the file's name
    #[arg(short, long, value_name = "TEXT")]
    comment: Option<String>,
    /// Where to put the signature of the only file, or - for standard output; if left out, FILE.sig
    #[arg(short, long, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

/// Signatures beside files.
#[derive(Serialize, JsonSchema)]
pub(super) struct Signatures<'a> {
    /// The key's parameter set.
    set: &'a str,
    /// The key's fingerprint.
    signer: String,
    /// Their files, one for each file that was signed.
    signatures: &'a [Cow<'a, str>],
}

impl Sign {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        if let Some(comment) = &self.comment {
            check_line(comment, COMMENT_AT_MOST).map_err(|why| Fault::Usage(format!("the comment {why}")))?;
        }
        let outputs = beside(&self.files, self.out.as_ref(), "--out")?;
        files::check_outputs(&outputs.iter().map(|path| (&**path, Access::Text)).collect::<Vec<_>>(), self.force)?;
        let key = self.key.clone().map_or_else(|| Home::of_user().map(|home| home.secret), Ok)?;
        if self.key.is_none() && !is_there(&key)? {
            return Err(Fault::Input(format!(
                "there is no key to sign with yet ({}): `ringwork signature keygen` makes one, and --key names one",
                files::name(&key)
            )));
        }
        let inputs: Vec<_> = self.files.iter().chain([&key]).chain(&self.passphrase.passphrase_file).collect();
        files::at_most_one_dash(&inputs)?;
        files::apart(&outputs.iter().collect::<Vec<_>>(), &inputs)?;
        let secret = signatures::read_secret(&key, &self.passphrase)?;
        let public = secret.public();
        let (signer, time) = (fingerprint(&*public), humantime::format_rfc3339_seconds(SystemTime::now()));
        let mut texts = Vec::new();
        for path in &self.files {
            let comment = self.comment.clone().unwrap_or_else(|| said_of(&time.to_string(), path));
            let mu = signatures::mu(path, &*public, &Signed::context(&comment))?;
            let bytes = signatures::sign(&*secret, &*public, &mu, false)?;
            texts.push(Signed { comment, signer: signer.clone(), bytes }.to_text());
        }
        let parts: Vec<_> =
            outputs.iter().zip(&texts).map(|(path, text)| (&**path, text.as_bytes(), Access::Text)).collect();
        files::write_all(&parts, self.force)?;
        if outputs.iter().any(|path| files::is_stdout(path)) {
            return Ok(());
        }
        let names: Vec<_> = outputs.iter().map(|path| path.to_string_lossy()).collect();
        let answer = Signatures { set: public.set().name, signer, signatures: &names };
        screen.answer(answer, || names.iter().map(|name| format!("signature: {name}\n")).collect())
    }
}

/// Where the signatures of files are: in the file that an option names for the only one, or beside each.
pub(super) fn beside(files: &[PathBuf], named: Option<&PathBuf>, option: &str) -> Result<Vec<PathBuf>, Fault> {
    match (named, files) {
        (Some(named), [_]) => Ok(vec![named.clone()]),
        (Some(_), _) => Err(Fault::Usage(format!("{option} is for one file; signatures of many stand beside them"))),
        (None, files) if files.iter().any(|path| files::is_stdin(path)) => {
            Err(Fault::Usage(format!("standard input has no name: {option} says where its signature is")))
        }
        (None, files) => {
            let with_end = |path: &PathBuf| {
                let mut name = path.clone().into_os_string();
                name.push(".sig");
                name.into()
            };
            Ok(files.iter().map(with_end).collect())
        }
    }
}

/// The time, and the file's name if it can stand there.
fn said_of(time: &str, path: &Path) -> String {
    let name = path.file_name().filter(|_| !files::is_stdin(path));
    let both = format!("{time} {}", name.map_or_else(String::new, |name| name.to_string_lossy().into_owned()));
    if check_line(&both, COMMENT_AT_MOST).is_ok() { both } else { time.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_never_too_long() {
        let said = |name: &str| said_of("2026-11-28T07:30:00Z", Path::new(name));
        assert_eq!(said("folder/letter"), "2026-11-28T07:30:00Z letter");
        assert_eq!(said(&"x".repeat(219)).len(), COMMENT_AT_MOST);
        assert_eq!(COMMENT_AT_MOST, 240); // as the help text says
        for name in [&*"x".repeat(220), "", "a\nb", "-"] {
            assert_eq!(said(name), "2026-11-28T07:30:00Z", "{name:?}");
        }
    }
}
