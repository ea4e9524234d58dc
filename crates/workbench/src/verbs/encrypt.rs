//! `encrypt`: a file for whoever has the secret key.

use crate::{
    fault::Fault,
    files::{self, Kind as Access, Output},
    objects::{Loaded, check_research, what_it_is},
    screen::Screen,
};
use clap::Args;
use ringwork::{
    ct::sys_rng,
    object::{HEADER_BYTES, Kind},
    seal,
};
use serde_json::json;
use std::{io::Write, path::PathBuf};

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Encrypt {
    /// Public key of the receiver
    #[arg(long, value_name = "PUBLIC")]
    to: PathBuf,
    /// The file, or - for standard input
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    /// Where to put the sealed file, or - for standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Encrypts by a scheme that is for research only
    #[arg(long)]
    research: bool,
    /// Replaces a file that exists, and shows the bytes on a terminal
    #[arg(long)]
    force: bool,
}

impl Encrypt {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.out, Access::Binary)], self.force)?;
        files::apart(&[&self.out], &[&self.to])?;
        files::at_most_one_dash(&[&self.to, &self.input])?;
        let key = Loaded::read(&self.to, Kind::PublicKey)?;
        let scheme = key.encapsulation();
        check_research(scheme.research_reason(), self.research)?;
        let mut input = files::open(&self.input)?;
        let (ciphertext, shared) = scheme.encapsulate(key.body(), &mut sys_rng()).map_err(|e| key.refused(&e))?;
        let object = scheme.description().encode(Kind::SealedFile, &ciphertext);
        let header: &[u8; HEADER_BYTES] = object.first_chunk().expect("an object has a header");
        let mut output = Output::new(&self.out, Access::Binary, self.force)?;
        output.write_all(&object).map_err(|e| output.unwritable(&e))?;
        let sealed = seal::seal(shared, header, &mut input, &mut output);
        let bytes = sealed.map_err(|e| output.unsealed(&self.input, e))?;
        output.finish()?;
        screen.note(&what_it_is(&*scheme));
        let value = json!({ "scheme": scheme.description().name, "bytes": bytes });
        screen.written(value, &[("sealed", &self.out)], "")
    }
}
