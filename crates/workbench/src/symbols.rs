//! Formulas as text: for a terminal with `^`, for a page with raised digits.

use ntt::{Recipe, Ring};

/// How exponents are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbols {
    /// `X^2 - r^5`.
    Terminal,
    /// `X² − r⁵`.
    Page,
}

impl Symbols {
    /// `base` to that power; the exponent 1 is not written.
    pub(crate) fn power(self, base: &str, exponent: usize) -> String {
        match (self, exponent) {
            (_, 1) => base.into(),
            (Self::Terminal, _) => format!("{base}^{exponent}"),
            (Self::Page, _) => format!("{base}{}", raised(exponent)),
        }
    }

    /// The polynomial that the ring is modulo.
    pub(crate) fn polynomial(self, r: &Recipe) -> String {
        // What belongs together is not broken between lines.
        let [plus, minus] = match self {
            Self::Terminal => [" + ", " - "],
            Self::Page => ["\u{a0}+\u{a0}", "\u{a0}−\u{a0}"],
        };
        let power = self.power("X", r.n());
        match r.ring() {
            Ring::Negacyclic => format!("{power}{plus}1"),
            Ring::Cyclic => format!("{power}{minus}1"),
            Ring::Trinomial => format!("{power}{minus}{}{plus}1", self.power("X", r.n() / 2)),
        }
    }

    /// The ring, `Z_q[X]/(X^n + 1)`.
    pub(crate) fn ring(self, r: &Recipe) -> String {
        let z = if self == Self::Page { format!("Z{}", lowered(r.q() as usize)) } else { format!("Z_{}", r.q()) };
        format!("{z}[X]/({})", self.polynomial(r))
    }

    /// The modulus `X^degree - r^exponent`.
    pub(crate) fn modulus(self, degree: usize, exponent: usize) -> String {
        let minus = if self == Self::Page { "\u{a0}−\u{a0}" } else { " - " };
        format!("{}{minus}{}", self.power("X", degree), self.power("r", exponent))
    }

    /// `r^exponent = residue`.
    pub(crate) fn value(self, exponent: usize, residue: u64) -> String {
        let equals = if self == Self::Page { "\u{a0}=\u{a0}" } else { " = " };
        format!("{}{equals}{residue}", self.power("r", exponent))
    }
}

/// The first `most` of a list of `all` items.
pub(crate) fn list(items: impl Iterator<Item = String>, most: usize, all: usize) -> String {
    let mut text = items.take(most).collect::<Vec<_>>().join(", ");
    if all > most {
        text += &format!(", … {} more", all - most);
    }
    text
}

/// What a slot of that degree holds.
pub(crate) fn content(slot_degree: usize) -> String {
    if slot_degree == 1 { "one number".into() } else { format!("{slot_degree} coefficients") }
}

/// Raised digits.
pub(crate) fn raised(number: usize) -> String {
    digits(number, ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'])
}

/// Lowered digits.
pub(crate) fn lowered(number: usize) -> String {
    digits(number, ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'])
}

fn digits(number: usize, digits: [char; 10]) -> String {
    number.to_string().bytes().map(|digit| digits[usize::from(digit - b'0')]).collect()
}

/// Text that HTML shows as it is.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
