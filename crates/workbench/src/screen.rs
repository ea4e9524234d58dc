//! Answers on standard output, as text or as one JSON object, and progress on standard error.

mod json;

pub(crate) use json::pretty;

use crate::{
    answers::{self, Failed, Failure, No, Told},
    fault::Fault,
    files::{self, is_stdout},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use serde::Serialize;
use serde_json::Value;
use std::{
    cell::Cell,
    io::{self, Write},
    path::Path,
    time::Duration,
};

/// Where answers go.
#[derive(Debug)]
pub(crate) struct Screen {
    json: bool,
    verb: String,
    /// Whether there was an answer.
    answered: Cell<bool>,
}

impl Screen {
    pub(crate) const fn new(json: bool, verb: String) -> Self {
        Self { json, verb, answered: Cell::new(false) }
    }

    /// One answer: `text` for people, who may stop reading, or under `--json` the object.
    pub(crate) fn answer(&self, answer: impl Serialize, text: impl FnOnce() -> String) -> Result<(), Fault> {
        match self.print(answer, text) {
            Err(Fault::CutOff) if !self.json => Err(Fault::ClosedPipe),
            printed => printed,
        }
    }

    /// One answer that is data, or under `--json` the object: nothing of it may be missing.
    pub(crate) fn print(&self, answer: impl Serialize, text: impl FnOnce() -> String) -> Result<(), Fault> {
        self.answered.set(true);
        let answer = if self.json { pretty(&self.object(answer)) } else { text() };
        print(answer.as_bytes())
    }

    /// Says which files were written, under which keys of the answer they stand, and what else there is to say; on
    /// standard error if standard output carries one.
    pub(crate) fn written(&self, answer: impl Serialize, keys: &[&str], note: &str) -> Result<(), Fault> {
        let value = answers::value(answer);
        let files: Vec<(&str, &str)> = keys.iter().map(|key| (*key, value[key].as_str().unwrap_or_default())).collect();
        if files.iter().any(|(_, file)| is_stdout(Path::new(file))) {
            let _ = io::stderr().write_all(note.as_bytes());
            return Ok(());
        }
        let shown = |file: &str| files::name(Path::new(file));
        let text = || files.iter().map(|(what, file)| format!("{what}: {}\n", shown(file))).collect::<String>();
        self.answer(&value, || text() + note)
    }

    /// Something that ought to be known, on standard error.
    #[expect(clippy::unused_self, reason = "notes belong to the screen, like answers")]
    pub(crate) fn note(&self, note: &str) {
        let _ = writeln!(io::stderr(), "note: {note}");
    }

    /// Under `--json`, the object that says why there is no answer, or that the answer is no; nothing after an answer.
    pub(crate) fn fault(&self, fault: &Fault) -> Result<(), Fault> {
        if !self.json || self.answered.get() || files::stdout_carries_file() {
            return Ok(());
        }
        let object = match fault {
            Fault::Negative(reason) => self.object(No::of(&self.verb, reason)),
            _ => self.object(Failed { error: Failure { exit: fault.code(), message: fault.to_string() } }),
        };
        print(pretty(&object).as_bytes())
    }

    /// The answer with its head.
    pub(crate) fn object(&self, answer: impl Serialize) -> Value {
        Told::new(&self.verb, answer).value()
    }

    /// A bar of that many steps; shown only where standard error is a terminal.
    #[expect(clippy::unused_self, reason = "progress belongs to the screen, like answers")]
    pub(crate) fn progress(&self, steps: u64) -> ProgressBar {
        let style = ProgressStyle::with_template("{msg:30} {wide_bar} {elapsed} / {duration}").expect("a constant");
        ProgressBar::new(steps).with_style(style)
    }

    /// A bar of that many bytes, or of as many as there will be; hidden until it is to [`show`], so
    /// that nothing disturbs a question.
    #[expect(clippy::unused_self, reason = "progress belongs to the screen, like answers")]
    pub(crate) fn transfer(&self, bytes: Option<u64>) -> ProgressBar {
        let style = match bytes {
            Some(_) => "{bytes} of {total_bytes} {wide_bar} {bytes_per_sec} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec}",
        };
        let style = ProgressStyle::with_template(style).expect("a constant");
        let bar = ProgressBar::with_draw_target(bytes, ProgressDrawTarget::hidden()).with_style(style);
        bar.with_finish(ProgressFinish::AndClear)
    }
}

/// Shows a bar from now on.
pub(crate) fn show(bar: &ProgressBar) {
    bar.set_draw_target(ProgressDrawTarget::stderr());
}

/// Runs work of unknown length behind a sign of life; shown only where standard error is a
/// terminal.
pub(crate) fn busy<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(Duration::from_millis(100));
    let result = work();
    spinner.finish_and_clear();
    result
}

/// Writes to standard output.
fn print(bytes: &[u8]) -> Result<(), Fault> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|e| Fault::unwritten("standard output", &e))
}

/// Columns of equal width; `align` has a letter for each: `l` or `r`.
pub(crate) fn columns(align: &str, rows: &[Vec<String>]) -> String {
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
    let columns: Vec<(char, usize)> = align.chars().enumerate().map(|(i, side)| (side, width(i))).collect();
    let mut text = String::new();
    for row in rows {
        let padded = row.iter().zip(&columns).map(|(cell, &(side, width))| {
            if side == 'l' { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text += padded.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// "1 lane", "2 lanes".
pub(crate) fn counted(count: impl Into<u64>, what: &str) -> String {
    let count = count.into();
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `12345` as `12 345`, on pages; a terminal's numbers are for other programs too.
pub(crate) fn grouped(x: u64) -> String {
    let digits = x.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i != 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}
