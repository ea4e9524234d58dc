//! `rekey`: the same file for others, who are not those that could decrypt it before.

use super::encrypt::{Made, To};
use crate::{
    age_files::{self, By, Input, Recipient},
    fault::Fault,
    files::{self, Kind as Access},
    screen::Screen,
};
use clap::Args;
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Rekey {
    #[command(flatten)]
    by: By,
    #[command(flatten)]
    to: To,
    #[command(flatten)]
    made: Made,
    /// The encrypted file, armored or not, or - for standard input
    #[arg(default_value = "-")]
    input: PathBuf,
}

impl Rekey {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let keys: Vec<&PathBuf> = self.by.files().chain(&self.to.recipients_files).collect();
        self.made.check(&keys, &self.input)?;
        let recipients = self.to.recipients()?;
        if recipients.is_empty() {
            return Err(Fault::Usage(
                "nobody is named who can decrypt: -r takes a recipient, -R a file of them".into(),
            ));
        }
        let schemes: Vec<&str> = recipients.iter().map(Recipient::scheme).collect();
        age_files::check_schemes(schemes.iter().copied(), self.made.research, screen)?;
        let encryptor = age_files::to(&recipients)?;
        let bar = screen.transfer(files::length(&self.input));
        let input = Input::new(&self.input, bar.wrap_read(files::open(&self.input)?))?;
        let (_, mut stream) = input.open(&self.by)?;
        let damaged = |e, bytes| age_files::damaged(&self.input, &e, Some(bytes));
        self.made.write(screen, &bar, &mut stream, (schemes, encryptor), Access::Verified, damaged)
    }
}
