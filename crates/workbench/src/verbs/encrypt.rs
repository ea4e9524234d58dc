//! `encrypt`: a file of age for whoever has one of the identities, or knows the passphrase.

use crate::{
    age_files::{self, PassphraseArgs},
    fault::Fault,
    files::{self, Kind as Access, Output},
    screen::{Screen, show},
};
use age::{
    Encryptor,
    armor::{ArmoredWriter, Format},
};
use clap::Args;
use ringwork_age::keys::{Identity, Recipient};
use serde_json::json;
use std::{
    io::{self, BufWriter, Read, Write},
    path::PathBuf,
};

/// Who will be able to decrypt.
#[derive(Args, Debug)]
pub(super) struct To {
    /// For whom: a recipient, age1…; may be given several times
    #[arg(short, long = "recipient", value_name = "RECIPIENT")]
    recipients: Vec<String>,
    /// For the recipients of this file, one a line, or - for standard input
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

/// Encrypts all there is; how many bytes that were. The inner error is of reading.
pub(super) fn encrypt(
    input: &mut dyn Read,
    encryptor: Encryptor,
    armor: bool,
    output: &mut Output,
) -> Result<(u64, io::Result<()>), Fault> {
    let format = if armor { Format::AsciiArmor } else { Format::Binary };
    let mut bytes = 0;
    let written = (|| {
        let armored = ArmoredWriter::wrap_output(BufWriter::with_capacity(age_files::PIECE, &mut *output), format);
        let mut stream = encryptor.wrap_output(armored?)?;
        let moved = files::copy_all(input, &mut stream, &mut bytes)?;
        if moved.is_ok() {
            stream.finish()?.finish()?.flush()?;
        }
        io::Result::Ok(moved)
    })();
    written.map(|moved| (bytes, moved)).map_err(|e| output.unwritable(&e))
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Encrypt {
    #[command(flatten)]
    to: To,
    /// For the recipients of the identities of this file
    #[arg(short, long = "identity", value_name = "FILE")]
    identities: Vec<PathBuf>,
    /// For whoever knows a passphrase, and for no recipient
    #[arg(short, long, conflicts_with_all = ["recipients", "recipients_files", "identities"])]
    passphrase: bool,
    #[command(flatten)]
    how: PassphraseArgs,
    /// As text, for mail and the like
    #[arg(short, long)]
    armor: bool,
    /// Where to put the encrypted file, or - for standard output
    #[arg(short, long, alias = "output", value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Encrypts by a scheme that is for research only
    #[arg(long)]
    research: bool,
    /// Replaces a file that exists, and shows the bytes on a terminal
    #[arg(long)]
    force: bool,
    /// The file, or - for standard input
    #[arg(default_value = "-")]
    input: PathBuf,
}

impl Encrypt {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let access = if self.armor { Access::Text } else { Access::Binary };
        files::check_outputs(&[(&self.out, access)], self.force)?;
        let keys = self.to.recipients_files.iter().chain(&self.identities).chain(&self.how.passphrase_file);
        let keys: Vec<&PathBuf> = keys.collect();
        files::apart(&[&self.out], &keys)?;
        files::at_most_one_dash(&[&*keys, &[&self.input]].concat())?;
        let recipients = self.recipients()?;
        age_files::check_schemes(recipients.iter().map(Recipient::scheme), self.research, screen)?;
        // Before a passphrase is asked for.
        let bar = screen.transfer(files::length(&self.input));
        let mut input = bar.wrap_read(files::open(&self.input)?);
        let (schemes, encryptor) = if self.passphrase {
            (vec!["scrypt"], age_files::to_passphrase(self.how.new_one()?)?)
        } else {
            (recipients.iter().map(Recipient::scheme).collect(), age_files::to(&recipients)?)
        };
        let mut output = Output::new(&self.out, access, self.force)?;
        show(&bar);
        let outcome = encrypt(&mut input, encryptor, self.armor, &mut output);
        bar.finish_and_clear();
        let (bytes, moved) = outcome?;
        moved.map_err(|e| files::unreadable(&self.input, &e))?;
        output.finish()?;
        let value = json!({ "schemes": schemes, "bytes": bytes });
        screen.written(value, &[("encrypted", &self.out)], "")
    }

    fn recipients(&self) -> Result<Vec<Recipient>, Fault> {
        let mut all = self.to.recipients()?;
        for path in &self.identities {
            all.extend(age_files::identities(path, &self.how)?.iter().map(Identity::to_public));
        }
        if all.is_empty() && !self.passphrase {
            let why = "nobody is named who can decrypt: -r takes a recipient, -R a file of them, -p a passphrase";
            return Err(Fault::Usage(why.into()));
        }
        Ok(all)
    }
}
