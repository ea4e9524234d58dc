//! Answers on standard output, as text or as one JSON object, and progress on standard error.

mod json;

pub(crate) use json::pretty;

use crate::{
    fault::Fault,
    files::{self, is_stdout},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use serde_json::{Value, json};
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

    /// One answer: `text` for people, who may stop reading, or under `--json` the object `value`.
    pub(crate) fn answer(&self, value: Value, text: impl FnOnce() -> String) -> Result<(), Fault> {
        match self.print(value, text) {
            Err(Fault::CutOff) if !self.json => Err(Fault::ClosedPipe),
            printed => printed,
        }
    }

    /// One answer that is data, or under `--json` the object `value`: nothing of it may be missing.
    pub(crate) fn print(&self, value: Value, text: impl FnOnce() -> String) -> Result<(), Fault> {
        self.answered.set(true);
        let answer = if self.json { pretty(&self.object(value)) } else { text() };
        print(answer.as_bytes())
    }

    /// Says which files were written, and what else there is to say; on standard error if standard
    /// output carries one.
    pub(crate) fn written(&self, mut value: Value, files: &[(&str, &Path)], note: &str) -> Result<(), Fault> {
        if files.iter().any(|(_, path)| is_stdout(path)) {
            let _ = io::stderr().write_all(note.as_bytes());
            return Ok(());
        }
        let mut text = String::new();
        for (what, path) in files {
            value[*what] = json!(path.to_string_lossy());
            text += &format!("{what}: {}\n", files::name(path));
        }
        self.answer(value, || text + note)
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
        let value = match fault {
            Fault::Negative(reason) => {
                let (no, reason) = (json!(false), json!(reason));
                [(self.answer_key().to_owned(), no), ("reason".to_owned(), reason)].into_iter().collect()
            }
            _ => json!({ "error": { "exit": fault.code(), "message": fault.to_string() } }),
        };
        print(pretty(&self.object(value)).as_bytes())
    }

    /// The key that is false if the answer is no.
    fn answer_key(&self) -> &'static str {
        match &*self.verb {
            "prove" | "signature" | "verify" | "verify-proof" => "holds",
            "open" => "opens",
            "vectors" | "selftest" => "agrees",
            _ => "exists",
        }
    }

    /// The object with its head.
    pub(crate) fn object(&self, value: Value) -> Value {
        let mut object = json!({ "schema": 1, "verb": self.verb });
        if let (Value::Object(head), Value::Object(body)) = (&mut object, value) {
            head.extend(body);
        }
        object
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
