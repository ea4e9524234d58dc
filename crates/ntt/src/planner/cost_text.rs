//! Cost models as text, for files: a version, a CPU, and a line for each scale and each method.

use super::{
    cost_error::{CostModelError, HEAD},
    cost_model::{CLASSES, Class, CostModel, MOST_OF_NAME, WORDS},
};
use crate::reduction::Method;
use alloc::{format, string::String, vec::Vec};
use core::{fmt, ops::RangeInclusive, str::FromStr};

/// The first word of the line that names the CPU.
const CPU: &str = "cpu";

/// The word for a scale in the place of a method.
const SCALE: &str = "scale";

/// The text that [`FromStr`] reads.
impl fmt::Display for CostModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}\n{CPU} {}", self.cpu())?;
        writeln!(f, "# bits of a word, vectors, method: a product with a twiddle, of two variables, a reduction")?;
        for (bits, classes) in WORDS.iter().zip(&self.classes) {
            for (name, Class { scale, methods }) in CLASSES.iter().zip(classes) {
                writeln!(f, "{bits} {name} {SCALE} {scale}")?;
                for (method, [product, variable, reduction]) in Method::ALL.iter().zip(methods) {
                    writeln!(f, "{bits} {name} {method} {product} {variable} {reduction}")?;
                }
            }
        }
        Ok(())
    }
}

/// A model being read; entries without a line so far are absent.
#[derive(Clone, Copy, Default)]
struct Lines {
    scale: Option<u16>,
    methods: [Option<[u16; 3]>; Method::ALL.len()],
}

/// Reads the output of `Display`, line by line; empty lines and lines that begin with `#` are
/// ignored.
///
/// **Errors** name the wrong line, or the missing entry.
impl FromStr for CostModel {
    type Err = CostModelError;

    fn from_str(text: &str) -> Result<Self, CostModelError> {
        let mut lines = text.lines().map(str::trim_end).zip(1..);
        if lines.next().is_none_or(|(head, _)| head != HEAD) {
            return Err(CostModelError::Version);
        }
        let (mut cpu, mut read) = (None, [[Lines::default(); CLASSES.len()]; WORDS.len()]);
        for (text, line) in lines.filter(|(text, _)| !text.is_empty() && !text.starts_with('#')) {
            if let Some(name) = text.strip_prefix(CPU).filter(|name| name.is_empty() || name.starts_with(' ')) {
                set(&mut cpu, name_of_cpu(name.trim_start(), line)?, line)?;
            } else {
                read_line(text, line, &mut read)?;
            }
        }
        let Some(cpu) = cpu else { return Err(CostModelError::Missing { what: CPU.into() }) };
        let mut model = Self { cpu, ..Self::DEFAULT };
        for (word, class) in (0..WORDS.len()).flat_map(|word| (0..CLASSES.len()).map(move |class| (word, class))) {
            let missing = |what| CostModelError::Missing { what: format!("{} {} {what}", WORDS[word], CLASSES[class]) };
            let (of_class, read) = (&mut model.classes[word][class], read[word][class]);
            of_class.scale = read.scale.ok_or_else(|| missing(SCALE))?;
            for ((weights, read), method) in of_class.methods.iter_mut().zip(read.methods).zip(Method::ALL) {
                *weights = read.ok_or_else(|| missing(method.name()))?;
            }
        }
        Ok(model)
    }
}

/// The name of a CPU, which is shown to people.
fn name_of_cpu(name: &str, line: usize) -> Result<String, CostModelError> {
    if name.len() > MOST_OF_NAME || name.contains(char::is_control) {
        return Err(CostModelError::Line { line, expected: "the name of a CPU, of at most 200 bytes" });
    }
    Ok(name.into())
}

fn read_line(text: &str, line: usize, read: &mut [[Lines; CLASSES.len()]; WORDS.len()]) -> Result<(), CostModelError> {
    let expected = |expected| CostModelError::Line { line, expected };
    let mut fields = text.split_whitespace();
    let mut field = |what| fields.next().ok_or_else(|| expected(what));
    let bits = field(OF_WORDS)?;
    let word = WORDS.iter().position(|word| bits.parse() == Ok(*word)).ok_or_else(|| expected(OF_WORDS))?;
    let name = field(OF_CLASSES)?;
    let class = CLASSES.iter().position(|class| *class == name).ok_or_else(|| expected(OF_CLASSES))?;
    let lines = &mut read[word][class];
    match field(OF_METHODS)? {
        SCALE => {
            let [scale] = numbers(fields, line, "one number", &CostModel::SCALES)?;
            set(&mut lines.scale, scale, line)
        }
        name => {
            let method = Method::ALL.iter().position(|method| method.name() == name);
            let long = || CostModelError::Method { line, name: name.chars().take(40).collect() };
            let method = method.ok_or_else(long)?;
            set(&mut lines.methods[method], numbers(fields, line, "three numbers", &CostModel::WEIGHTS)?, line)
        }
    }
}

const OF_WORDS: &str = "bits of a word: 16, 32 or 64";
const OF_CLASSES: &str = "scalar, vectors or wide after the bits of a word";
const OF_METHODS: &str = "scale or a method of reduction after scalar, vectors or wide";

/// Exactly `N` numbers in that range.
fn numbers<'a, const N: usize>(
    fields: impl Iterator<Item = &'a str>,
    line: usize,
    expected: &'static str,
    range: &RangeInclusive<u16>,
) -> Result<[u16; N], CostModelError> {
    let fields: Vec<&str> = fields.take(N + 1).collect();
    let fields: [&str; N] = fields.try_into().map_err(|_| CostModelError::Line { line, expected })?;
    if fields.iter().any(|field| !field.bytes().all(|byte| byte.is_ascii_digit())) {
        return Err(CostModelError::Line { line, expected });
    }
    // Digits that do not fit 16 bits are out of range.
    let values = fields.map(|field| field.parse().unwrap_or(u16::MAX));
    CostModelError::check(&values, range).map_err(|_| CostModelError::Range { line, range: range.clone() })?;
    Ok(values)
}

/// Sets an entry that no earlier line has set.
fn set<T>(place: &mut Option<T>, value: T, line: usize) -> Result<(), CostModelError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(CostModelError::Duplicate { line }),
    }
}
