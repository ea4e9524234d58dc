//! `decrypt`: what `encrypt` or another program of age encrypted, or nothing.

use crate::{
    age_files::{self, By, Input},
    fault::Fault,
    files::{self, Kind as Access, Output},
    screen::{Screen, show},
};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Decrypt {
    #[command(flatten)]
    by: By,
    /// Where to put the file, with the permissions of any new file, or - for standard output; until
    /// all of it is verified it has no name, and for - it is in the folder for temporary files
    #[arg(short, long, alias = "output", value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replaces a file that exists, and shows on a terminal what is no text
    #[arg(long)]
    force: bool,
    /// The encrypted file, armored or not, or - for standard input
    #[arg(default_value = "-")]
    input: PathBuf,
}

impl Decrypt {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.out, Access::Verified)], self.force)?;
        let keys: Vec<&PathBuf> = self.by.files().collect();
        files::apart(&[&self.out], &keys)?;
        files::at_most_one_dash(&[&*keys, &[&self.input]].concat())?;
        let bar = screen.transfer(files::length(&self.input));
        let input = Input::new(&self.input, bar.wrap_read(files::open(&self.input)?))?;
        let (scheme, mut stream) = input.open(&self.by)?;
        let mut output = Output::new(&self.out, Access::Verified, self.force)?;
        show(&bar);
        let mut bytes = 0;
        let moved = files::copy_all(&mut stream, &mut output, &mut bytes);
        bar.finish_and_clear();
        let moved = moved.map_err(|e| output.unwritable(&e))?;
        moved.map_err(|e| age_files::damaged(&self.input, &e, Some(bytes)))?;
        output.finish()?;
        screen.written(json!({ "scheme": scheme, "bytes": bytes }), &[("file", &self.out)], "")
    }
}
