//! Polynomials in files: one coefficient per line, or a JSON array; constant term first.
//!
//! Coefficients are any integers of up to 127 bits. Blank lines and lines that start with `#` say nothing.

use crate::{fault::Fault, files};
use serde_json::value::RawValue;
use std::{fmt::Write, path::Path};

/// How a polynomial is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// One coefficient per line.
    Lines,
    /// A JSON array.
    Json,
}

/// Coefficients in `[0, q)` and the format they came in.
#[derive(Debug)]
pub(crate) struct Polynomial {
    pub(crate) coefficients: Vec<u64>,
    pub(crate) format: Format,
}

impl Polynomial {
    /// Reads exactly `n` integers and reduces them modulo `q`.
    pub(crate) fn read(path: &Path, n: usize, q: u64) -> Result<Self, Fault> {
        let (name, text) = (files::name(path), files::read_text(path)?);
        let format = if text.trim_start().starts_with('[') { Format::Json } else { Format::Lines };
        let numbers = match format {
            Format::Lines => of_lines(&text),
            Format::Json => of_json(&name, &text)?,
        };
        if let Some((line, _)) = numbers.get(n) {
            let all = numbers.len();
            return Err(Fault::Input(format!(
                "{name}:{line}: this is coefficient {} of {all}; a polynomial of degree below {n} has exactly {n}",
                n + 1
            )));
        }
        let mut coefficients = Vec::with_capacity(n);
        for &(line, number) in &numbers {
            let value: i128 = number.parse().map_err(|_| {
                let shown: String = number.chars().take(40).collect();
                Fault::Input(format!("{name}:{line}: \"{shown}\" is not an integer of at most 127 bits"))
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
        Ok(Self { coefficients, format })
    }
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

/// Numbers with their lines.
fn of_lines(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect()
}

fn of_json<'a>(name: &str, text: &'a str) -> Result<Vec<(usize, &'a str)>, Fault> {
    let values: Vec<&RawValue> = serde_json::from_str(text)
        .map_err(|e| Fault::Input(format!("{name}:{}: this is not a JSON array of integers: {e}", e.line().max(1))))?;
    let (mut line, mut seen) = (1, 0);
    let located = values.into_iter().map(|value| {
        let number = value.get();
        let at = number.as_ptr() as usize - text.as_ptr() as usize;
        line += text[seen..at].matches('\n').count();
        seen = at;
        (line, number)
    });
    Ok(located.collect())
}
