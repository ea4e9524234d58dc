//! Polynomials in files: integers on lines, separated by blanks or by commas; a JSON array; or the object that
//! `--json` writes; constant term first.
//!
//! Coefficients are any integers of up to 127 bits, in JSON also as strings. Blank lines and lines
//! that start with `#` say nothing. An object says to which ring, root and order its numbers
//! belong, and is refused where these are others.

use crate::{fault::Fault, files};
use serde_json::{Value, value::RawValue};
use std::{collections::BTreeMap, fmt::Write, path::Path};

/// How a polynomial is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Integers on lines; one a line is written.
    Lines,
    /// A JSON array.
    Json,
}

/// What the numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Coefficients of a polynomial.
    Coefficients,
    /// Its transform.
    Values,
}

impl Held {
    /// The key of an object under which they stand.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Coefficients => "coefficients",
            Self::Values => "values",
        }
    }

    /// The keys that decide what numbers mean.
    const fn identity(self) -> &'static [&'static str] {
        match self {
            Self::Coefficients => &["schema", "n", "q", "ring"],
            Self::Values => &["schema", "n", "q", "ring", "depth", "root", "order"],
        }
    }
}

/// Coefficients in `[0, q)` and the format they came in.
#[derive(Debug)]
pub(crate) struct Polynomial {
    pub(crate) coefficients: Vec<u64>,
    pub(crate) format: Format,
}

/// A number and its line.
type Located<'a> = (usize, &'a str);

impl Polynomial {
    /// Reads exactly as many integers as the ring of `identity` has coefficients, and reduces them.
    pub(crate) fn read(path: &Path, held: Held, identity: &Value) -> Result<Self, Fault> {
        let [n, q] = ["n", "q"].map(|key| identity[key].as_u64().expect("a ring has them"));
        let (name, text) = (files::name(path), files::read_text(path)?);
        let (format, numbers) = match text.trim_start().chars().next() {
            Some('[') => (Format::Json, of_json(&name, &text, 0, &text)?),
            Some('{') => (Format::Json, of_object(&name, &text, held, identity)?),
            _ => (Format::Lines, of_lines(&text)),
        };
        let coefficients = reduced(&name, &numbers, n as usize, q)?;
        Ok(Self { coefficients, format })
    }
}

/// Exactly `n` numbers modulo `q`.
fn reduced(name: &str, numbers: &[Located<'_>], n: usize, q: u64) -> Result<Vec<u64>, Fault> {
    if let Some((line, _)) = numbers.get(n) {
        let all = numbers.len();
        return Err(Fault::Input(format!(
            "{name}:{line}: this is coefficient {} of {all}; a polynomial of degree below {n} has exactly {n}",
            n + 1
        )));
    }
    let mut coefficients = Vec::with_capacity(n);
    for &(line, number) in numbers {
        // The sign that printed pages have for a minus, which comes along when numbers are copied.
        let signed = number.strip_prefix('\u{2212}').map(|digits| format!("-{digits}"));
        let value: i128 = signed.as_deref().unwrap_or(number).parse().map_err(|_| {
            if number.to_ascii_uppercase().starts_with("AGE-") {
                return Fault::Input(format!("{name}:{line}: this is an identity of age, and no integer"));
            }
            let shown: String = number.chars().take(40).collect();
            Fault::Input(format!(
                "{name}:{line}: {shown:?} is not an integer of at most 127 bits; integers stand on lines of their own, or \
                 between blanks or commas, or in a JSON array"
            ))
        })?;
        coefficients.push(value.rem_euclid(q.into()) as u64);
    }
    if numbers.len() < n {
        let line = numbers.last().map_or(1, |(line, _)| *line);
        return Err(Fault::Input(format!(
            "{name}:{line}: the last of {} coefficients; a polynomial of degree below {n} has exactly {n}, zeros too",
            numbers.len()
        )));
    }
    Ok(coefficients)
}

/// The text of coefficients in that format.
pub(crate) fn text(coefficients: &[u64], format: Format) -> String {
    let mut text = String::new();
    for (i, c) in coefficients.iter().enumerate() {
        let _ = match format {
            Format::Lines => writeln!(text, "{c}"),
            Format::Json => write!(text, "{}{c}", if i == 0 { "[" } else { ", " }),
        };
    }
    if format == Format::Json { text + "]\n" } else { text }
}

/// What stands between blanks and commas; between two commas there is nothing, which is no integer.
fn of_lines<'a>(text: &'a str) -> Vec<Located<'a>> {
    // A mark stands where a file that begins with one was put behind another.
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_start_matches('\u{feff}').trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let lines = lines.map(|(i, line)| (i, line.strip_suffix(',').unwrap_or(line)));
    let separated = |(i, line): (usize, &'a str)| {
        line.split(',').flat_map(move |part| {
            let words = part.split_whitespace().chain(part.trim().is_empty().then_some(""));
            words.map(move |word| (i, word))
        })
    };
    lines.flat_map(separated).collect()
}

/// The numbers of an array, which is a part of `text` and begins after `lines` lines.
fn of_json<'a>(name: &str, text: &'a str, lines: usize, array: &'a str) -> Result<Vec<Located<'a>>, Fault> {
    let values: Vec<&RawValue> = serde_json::from_str(array).map_err(|e| {
        Fault::Input(format!("{name}:{}: this is not a JSON array of integers: {e}", lines + e.line().max(1)))
    })?;
    let (mut line, mut seen) = (1, 0);
    let located = values.into_iter().map(|value| {
        let number = value.get();
        let at = place(text, number);
        line += text[seen..at].matches('\n').count();
        seen = at;
        (line, number.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(number))
    });
    Ok(located.collect())
}

/// The numbers of an object whose other fields say what `identity` says.
fn of_object<'a>(name: &str, text: &'a str, held: Held, identity: &Value) -> Result<Vec<Located<'a>>, Fault> {
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text)
        .map_err(|e| Fault::Input(format!("{name}:{}: this is not a JSON object: {e}", e.line().max(1))))?;
    let Some(array) = fields.get(held.key()) else {
        let others = [Held::Coefficients, Held::Values].into_iter().find(|other| fields.contains_key(other.key()));
        let found = others.map_or_else(|| "neither".into(), |other| format!("\"{}\"", other.key()));
        let why = format!("this object has {found}, and \"{}\" are needed here", held.key());
        return Err(Fault::Input(format!("{name}: {why}")));
    };
    for key in held.identity() {
        let wanted = if *key == "schema" { &Value::from(1) } else { &identity[*key] };
        let found = fields.get(*key).map(|raw| raw.get().trim_matches('"'));
        let expected = wanted.as_str().map_or_else(|| wanted.to_string(), str::to_owned);
        if found != Some(&expected) {
            let found = found.map_or_else(|| format!("has no \"{key}\""), |found| format!("is of {key} {found}"));
            let at = fields.get(*key).map_or(1, |raw| 1 + text[..place(text, raw.get())].matches('\n').count());
            return Err(Fault::Input(format!("{name}:{at}: this object {found}, and here {key} is {expected}")));
        }
    }
    let lines = text[..place(text, array.get())].matches('\n').count();
    of_json(name, text, lines, array.get())
}

/// Where a part of a text begins.
fn place(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}
