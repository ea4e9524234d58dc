//! Numbers as users write them: `1024`, `1e3`, `0x3001`, `2^60-2^14+1`, `3*2^12+1`.

use std::fmt::Display;

/// A number from 0 to 2^64 - 1.
pub(crate) fn unsigned(text: &str) -> Result<u64, String> {
    let value = Reader { rest: text }.sum()?;
    u64::try_from(value).map_err(|_| {
        let why = if value < 0 { "negative" } else { "more than 2^64 - 1" };
        format!("{text} is {why}")
    })
}

/// A degree, or a number of things.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    usize::try_from(unsigned(text)?).map_err(|_| format!("{text} is more than this machine can count"))
}

/// What is still to be read.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn sum(&mut self) -> Result<i128, String> {
        let mut sum = if self.takes(&["-", "−"]) { self.product()?.checked_neg() } else { Some(self.product()?) };
        while !self.rest.trim_start().is_empty() {
            let minus = self.takes(&["-", "−"]);
            if !minus && !self.takes(&["+"]) {
                return Err(unreadable(self.rest));
            }
            let term = self.product()?;
            sum = sum.and_then(|sum| if minus { sum.checked_sub(term) } else { sum.checked_add(term) });
        }
        sum.ok_or_else(too_large)
    }

    fn product(&mut self) -> Result<i128, String> {
        let mut product = self.power()?;
        while self.takes(&["*", "·", "×"]) {
            product = product.checked_mul(self.power()?).ok_or_else(too_large)?;
        }
        Ok(product)
    }

    fn power(&mut self) -> Result<i128, String> {
        let base = self.literal()?;
        if !self.takes(&["^", "**"]) {
            return Ok(base);
        }
        let exponent = u32::try_from(self.literal()?).map_err(|_| too_large())?;
        base.checked_pow(exponent).ok_or_else(too_large)
    }

    /// Digits, in base 16 or 2 after `0x` or `0b`, with a power of ten after `e`; `_` says nothing.
    fn literal(&mut self) -> Result<i128, String> {
        let radix = match () {
            () if self.takes(&["0x", "0X"]) => 16,
            () if self.takes(&["0b", "0B"]) => 2,
            () => 10,
        };
        let digits = self.digits(radix)?;
        let number = i128::from_str_radix(&digits, radix).map_err(|_| too_large())?;
        if radix != 10 || !self.takes(&["e", "E"]) {
            return Ok(number);
        }
        let zeros = self.digits(10)?.parse().map_err(|_| too_large())?;
        10_i128.checked_pow(zeros).and_then(|power| number.checked_mul(power)).ok_or_else(too_large)
    }

    fn digits(&mut self, radix: u32) -> Result<String, String> {
        let end = self.rest.find(|c: char| !c.is_digit(radix) && c != '_').unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let digits = digits.replace('_', "");
        if digits.is_empty() {
            return Err(unreadable(self.rest));
        }
        self.rest = rest;
        Ok(digits)
    }

    /// Whether one of these comes next; then it is read, with the spaces around it.
    fn takes(&mut self, words: &[&str]) -> bool {
        let rest = self.rest.trim_start();
        let behind = words.iter().find_map(|word| rest.strip_prefix(word));
        self.rest = behind.map_or(rest, str::trim_start);
        behind.is_some()
    }
}

fn unreadable(at: impl Display) -> String {
    format!("invalid number at \"{at}\"; write such as 1024, 1e3, 0x3001, 2^60-2^14+1 or 3*2^12+1")
}

fn too_large() -> String {
    "the number is more than 2^64 - 1".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (text, value) in [
            ("0", 0),
            ("1024", 1024),
            ("1e3", 1000),
            ("12_289", 12289),
            ("0x3001", 12289),
            ("0b101", 5),
            ("2^60-2^14+1", (1 << 60) - (1 << 14) + 1),
            ("3·2^12 + 1", 12289),
            ("3 * 2^12+1", 12289),
            ("2^64-1", u64::MAX),
            ("-1+2", 1),
        ] {
            assert_eq!(unsigned(text), Ok(value), "{text}");
        }
        for (text, part) in [
            ("", "invalid number"),
            ("1x3", "at \"x3\""),
            ("1.5", "at \".5\""),
            ("2^", "invalid"),
            ("2^-1", "invalid"),
            ("0x", "invalid"),
            ("1e", "invalid"),
            ("1 2", "invalid"),
            ("_", "invalid"),
            ("-1", "-1 is negative"),
            ("2^64", "2^64 is more than"),
            ("2^200", "more than 2^64 - 1"),
            ("1e99", "more than 2^64 - 1"),
            ("99999999999999999999999999999999999999999", "more than 2^64 - 1"),
            ("2^99999999999", "more than 2^64 - 1"),
        ] {
            let error = unsigned(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
