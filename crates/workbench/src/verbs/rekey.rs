//! `rekey`: the same file for others, who are not those that could decrypt it before.

use super::encrypt::{To, encrypt};
use crate::{
    age_files::{self, Input, PassphraseArgs},
    fault::Fault,
    files::{self, Kind as Access, Output},
    screen::{Screen, show},
};
use clap::Args;
use ringwork_age::keys::Recipient;
use serde_json::json;
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Rekey {
    /// The identities of this file decrypt it, or - for standard input; may be given several times.
    /// A file that is encrypted to a passphrase needs none
    #[arg(short, long = "identity", value_name = "FILE")]
    identities: Vec<PathBuf>,
    #[command(flatten)]
    how: PassphraseArgs,
    #[command(flatten)]
    to: To,
    /// As text, for mail and the like
    #[arg(short, long)]
    armor: bool,
    /// Where to put the encrypted file, or - for standard output; with --force it may be the file itself
    #[arg(short, long, alias = "output", value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Encrypts by a scheme that is for research only
    #[arg(long)]
    research: bool,
    /// Replaces a file that exists, and shows the bytes on a terminal
    #[arg(long)]
    force: bool,
    /// The encrypted file, armored or not, or - for standard input
    #[arg(default_value = "-")]
    input: PathBuf,
}

impl Rekey {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let access = if self.armor { Access::Text } else { Access::Binary };
        files::check_outputs(&[(&self.out, access)], self.force)?;
        let keys = self.identities.iter().chain(&self.to.recipients_files).chain(&self.how.passphrase_file);
        let keys: Vec<&PathBuf> = keys.collect();
        files::apart(&[&self.out], &keys)?;
        files::at_most_one_dash(&[&*keys, &[&self.input]].concat())?;
        let recipients = self.to.recipients()?;
        if recipients.is_empty() {
            return Err(Fault::Usage(
                "nobody is named who can decrypt: -r takes a recipient, -R a file of them".into(),
            ));
        }
        let schemes: Vec<&str> = recipients.iter().map(Recipient::scheme).collect();
        age_files::check_schemes(schemes.iter().copied(), self.research, screen)?;
        let encryptor = age_files::to(&recipients)?;
        let bar = screen.transfer(files::length(&self.input));
        let input = Input::new(&self.input, bar.wrap_read(files::open(&self.input)?))?;
        let (_, mut stream) = input.open(&self.identities, &self.how)?;
        let mut output = Output::new(&self.out, access, self.force)?;
        show(&bar);
        let outcome = encrypt(&mut stream, encryptor, self.armor, &mut output);
        bar.finish_and_clear();
        let (bytes, moved) = outcome?;
        moved.map_err(|e| age_files::damaged(&self.input, &e, Some(bytes)))?;
        output.finish()?;
        screen.written(json!({ "schemes": schemes, "bytes": bytes }), &[("encrypted", &self.out)], "")
    }
}
