//! `decrypt`: what `encrypt` sealed, or nothing.

use crate::{
    fault::Fault,
    files::{self, Kind as Access, Output},
    objects::Loaded,
    screen::Screen,
};
use clap::Args;
use ringwork::{object::Kind, seal};
use serde_json::json;
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Decrypt {
    /// The secret key
    #[arg(long, value_name = "SECRET")]
    key: PathBuf,
    /// The sealed file, or - for standard input
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    /// Where to put the file, with the permissions of any new file, or - for standard output; until
    /// all of it is verified it has no name, and for - it is in the folder for temporary files
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replaces a file that exists, and shows on a terminal what is no text
    #[arg(long)]
    force: bool,
}

impl Decrypt {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.out, Access::Plaintext)], self.force)?;
        files::apart(&[&self.out], &[&self.key])?;
        files::at_most_one_dash(&[&self.key, &self.input])?;
        let key = Loaded::read(&self.key, Kind::SecretKey)?;
        let mut input = files::open(&self.input)?;
        let head = Loaded::read_first(&self.input, &mut *input, Some(Kind::SealedFile))?;
        if head.header.description != key.header.description {
            let (sealed, own) = (head.header.description.name, key.header.description.name);
            return Err(head.refused(&format_args!("it was sealed by {sealed}, and the key is one of {own}")));
        }
        let shared = key.encapsulation().decapsulate(key.body(), head.body()).map_err(|e| head.refused(&e))?;
        let mut output = Output::new(&self.out, Access::Plaintext, self.force)?;
        let opened = seal::unseal(shared, head.header_bytes(), &mut input, &mut output);
        let bytes = opened.map_err(|e| output.unsealed(&self.input, e))?;
        output.finish()?;
        let value = json!({ "scheme": head.header.description.name, "bytes": bytes });
        screen.written(value, &[("file", &self.out)], "")
    }
}
