//! `decrypt`: what `encrypt` or another program of age encrypted, or nothing.

use crate::{
    age_files::{self, By, Input, Payload},
    fault::Fault,
    files::{self, Kind as Access, Output},
    screen::{Screen, show},
};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::PathBuf,
};

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Decrypt {
    #[command(flatten)]
    by: By,
    /// Where to put the file, with the permissions of any new file, or - for standard output. Until all of it is verified
    /// it has no name; for - a file is read twice, first to verify it, and what comes from a pipe, or a terminal shows,
    /// waits in the folder for temporary files
    #[arg(short, long, alias = "output", value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replaces a file that exists, and shows on a terminal what is no text
    #[arg(long)]
    force: bool,
    /// The encrypted file, armored or not, or - for standard input
    #[arg(default_value = "-")]
    input: PathBuf,
}

/// What was decrypted.
#[derive(Serialize, JsonSchema)]
pub(super) struct Decrypted<'a> {
    /// The scheme of the identity that opened it.
    scheme: String,
    /// Length of the plaintext.
    #[schemars(with = "usize")]
    bytes: u64,
    /// The decrypted file.
    file: Cow<'a, str>,
}

impl Decrypt {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.out, Access::Verified)], self.force)?;
        let keys: Vec<&PathBuf> = self.by.files().collect();
        files::apart(&[&self.out], &keys)?;
        files::check_redirection(&self.out, &[&self.input])?;
        files::at_most_one_dash(&[&*keys, &[&self.input]].concat())?;
        let is_piped = files::goes_through_a_pipe(&self.out);
        if is_piped && let Some((file, start)) = files::open_seekable(&self.input) {
            return self.twice(file, start, screen);
        }
        let bar = screen.transfer(files::length(&self.input));
        let input = Input::new(&self.input, bar.wrap_read(files::open(&self.input)?))?;
        if is_piped {
            screen.note(
                "until all of it is verified, the plaintext is in the folder for temporary files; a file that is named \
                 needs none",
            );
        }
        let (scheme, mut stream) = input.open(&self.by)?;
        let mut output = Output::new(&self.out, Access::Verified, self.force)?;
        show(&bar);
        let bytes = self.copy(&mut stream, &mut output, |output, e| output.unwritable(e))?;
        bar.finish_and_clear();
        output.finish()?;
        screen.written(Decrypted { scheme, bytes, file: self.out.to_string_lossy() }, &["file"], "")
    }

    /// Reads the file once to verify all of it, and once more to write it: nothing of it is stored in between. Whoever
    /// changes the file in between is noticed at that place.
    fn twice(&self, mut file: File, start: u64, screen: &Screen) -> Result<(), Fault> {
        let unreadable = |e: io::Error| files::unreadable(&self.input, &e);
        let bar = screen.transfer(files::length(&self.input).map(|bytes| 2 * bytes));
        let source = bar.wrap_read(file.try_clone().map_err(unreadable)?);
        let (_, mut stream) = Input::new(&self.input, source)?.open(&self.by)?;
        show(&bar);
        let verified = self.copy(&mut stream, &mut io::sink(), |_, e| files::unreadable(&self.input, e))?;
        file.seek(SeekFrom::Start(start)).map_err(unreadable)?;
        let mut again = Input::new(&self.input, bar.wrap_read(file))?.open_again(stream);
        let mut output = Output::new(&self.out, Access::Text, true)?;
        let written = self.copy(&mut again, &mut output, |output, e| output.unwritable(e))?;
        if written != verified {
            return Err(files::refused(&self.input, &"it was changed while it was read"));
        }
        output.finish()
    }

    /// Moves all there is, and counts it.
    fn copy<W: Write>(
        &self,
        stream: &mut Payload<'_>,
        output: &mut W,
        unwritable: impl FnOnce(&W, &io::Error) -> Fault,
    ) -> Result<u64, Fault> {
        let mut bytes = 0;
        let moved = files::copy_all(stream, output, &mut bytes).map_err(|e| unwritable(output, &e))?;
        moved.map_err(|e| age_files::damaged(&self.input, &e, Some(bytes)))?;
        Ok(bytes)
    }
}
