//! `encrypt`: a file of age for whoever has one of the identities, or knows the passphrase.

use crate::{
    age_files::{self, Encryptor, Identity, PassphraseArgs, Recipient, plugins},
    fault::Fault,
    files::{self, Kind as Access, Output},
    screen::{Screen, show},
};
use age::armor::{ArmoredWriter, Format};
use clap::Args;
use indicatif::ProgressBar;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    io::{self, BufWriter, Read, Write},
    path::PathBuf,
};

/// Who will be able to decrypt.
#[derive(Args, Debug)]
pub(super) struct To {
    /// For whom: a recipient, age1… or "ssh-ed25519 …"; may be given several times
    #[arg(short, long = "recipient", value_name = "RECIPIENT")]
    recipients: Vec<String>,
    /// For the recipients of this file, one a line, or - for standard input; lines of SSH as `authorized_keys` has them
    #[arg(short = 'R', long = "recipients-file", value_name = "FILE")]
    pub(super) recipients_files: Vec<PathBuf>,
}

impl To {
    pub(super) fn recipients(&self) -> Result<Vec<Recipient>, Fault> {
        let named = self.recipients.iter().map(|text| age_files::recipient(text));
        let mut all = named.collect::<Result<Vec<_>, _>>()?;
        for path in &self.recipients_files {
            all.extend(age_files::recipients(path)?);
        }
        Ok(all)
    }
}

/// What becomes of it, and where it goes.
#[derive(Args, Debug)]
pub(super) struct Made {
    /// As text, for mail and the like
    #[arg(short, long)]
    armor: bool,
    /// Where to put the encrypted file, or - for standard output
    #[arg(short, long, alias = "output", value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Encrypts by a scheme that is for research only
    #[arg(long)]
    pub(super) research: bool,
    /// Replaces a file that exists, and shows the bytes on a terminal
    #[arg(long)]
    force: bool,
}

/// What was encrypted, and to whom.
#[derive(Serialize, JsonSchema)]
pub(super) struct Encrypted<'a> {
    /// The scheme of each recipient, `scrypt` for a passphrase, `age-plugin-NAME` for a plugin.
    schemes: Vec<&'a str>,
    /// Length of the plaintext.
    #[schemars(with = "usize")]
    bytes: u64,
    /// The encrypted file.
    encrypted: Cow<'a, str>,
}

impl Made {
    pub(super) const fn access(&self) -> Access {
        if self.armor { Access::Text } else { Access::Binary }
    }

    /// Before anything is read: the output may be written, and is none of the files of keys; one input at most is
    /// standard input.
    pub(super) fn check(&self, keys: &[&PathBuf], input: &PathBuf) -> Result<(), Fault> {
        files::check_outputs(&[(&self.out, self.access())], self.force)?;
        files::apart(&[&self.out], keys)?;
        files::check_redirection(&self.out, &[input])?;
        files::at_most_one_dash(&[keys, &[input]].concat())
    }

    /// Encrypts all there is as a file of that kind, and tells of it. `unread` makes a fault of what cannot be read
    /// after so many bytes.
    pub(super) fn write(
        &self,
        screen: &Screen,
        bar: &ProgressBar,
        input: &mut dyn Read,
        (schemes, encryptor): (Vec<&str>, Encryptor),
        kind: Access,
        unread: impl FnOnce(io::Error, u64) -> Fault,
    ) -> Result<(), Fault> {
        let mut output = Output::new(&self.out, kind, self.force)?;
        show(bar);
        let format = if self.armor { Format::AsciiArmor } else { Format::Binary };
        let mut bytes = 0;
        let written = (|| {
            let armored = ArmoredWriter::wrap_output(BufWriter::with_capacity(age_files::PIECE, &mut output), format);
            let mut stream = encryptor.wrap_output(armored?)?;
            let moved = files::copy_all(input, &mut stream, &mut bytes)?;
            if moved.is_ok() {
                stream.finish()?.finish()?.flush()?;
            }
            io::Result::Ok(moved)
        })();
        bar.finish_and_clear();
        written.map_err(|e| output.unwritable(&e))?.map_err(|e| unread(e, bytes))?;
        output.finish()?;
        screen.written(Encrypted { schemes, bytes, encrypted: self.out.to_string_lossy() }, &["encrypted"], "")
    }
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Encrypt {
    #[command(flatten)]
    to: To,
    /// For the recipients of the identities of this file
    #[arg(short, long = "identity", value_name = "FILE")]
    identities: Vec<PathBuf>,
    /// For the identity that this plugin has without a file: the program age-plugin-NAME is run
    #[arg(short = 'j', long = "plugin", value_name = "NAME", value_parser = plugins::name)]
    plugins: Vec<String>,
    /// For whoever knows a passphrase, and for no recipient; --passphrase-file without a recipient says the same
    #[arg(short, long, conflicts_with_all = ["recipients", "recipients_files", "identities", "plugins"])]
    passphrase: bool,
    #[command(flatten)]
    how: PassphraseArgs,
    #[command(flatten)]
    made: Made,
    /// The file, or - for standard input
    #[arg(default_value = "-")]
    input: PathBuf,
}

impl Encrypt {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let keys = self.to.recipients_files.iter().chain(&self.identities).chain(&self.how.passphrase_file);
        let keys: Vec<&PathBuf> = keys.collect();
        self.made.check(&keys, &self.input)?;
        let recipients = self.recipients()?;
        age_files::check_schemes(recipients.iter().map(Recipient::scheme), self.made.research, screen)?;
        // Before a passphrase is asked for.
        let bar = screen.transfer(files::length(&self.input));
        let mut input = bar.wrap_read(files::open(&self.input)?);
        let made = if recipients.is_empty() {
            (vec!["scrypt"], age_files::to_passphrase(self.how.new_one()?)?)
        } else {
            (recipients.iter().map(Recipient::scheme).collect(), age_files::to(&recipients)?)
        };
        self.made.write(screen, &bar, &mut input, made, self.made.access(), |e, _| files::unreadable(&self.input, &e))
    }

    fn recipients(&self) -> Result<Vec<Recipient>, Fault> {
        let mut all = self.to.recipients()?;
        for path in &self.identities {
            all.extend(age_files::identities(path, &self.how)?.iter().map(Identity::to_public));
        }
        for name in &self.plugins {
            all.push(Recipient::Plugin(age_files::of_plugin(name)?));
        }
        // A file of a passphrase is for identities, or else it says to whom.
        if all.is_empty() && !self.passphrase && self.how.passphrase_file.is_none() {
            let why = "nobody is named who can decrypt: -r takes a recipient, -R a file of them, -p a passphrase";
            return Err(Fault::Usage(why.into()));
        }
        Ok(all)
    }
}
