//! Secrets stay where they are: no array that is wiped on drop stands inside a value that moves.
//!
//! Such a type is wiped where it is dropped, and not where it was before it moved: a key that leaves a `Vec` leaves
//! its seed behind in freed memory. `ct::SecretBytes`, `ct::Wiped` and `ct::working!` do not have that fault.

use super::source::Token;

/// Beginnings of what is refused, token by token, and what stands for it.
const REFUSED: [(&[&str], &str); 5] = [
    (&["Zeroizing", "<", "["], "`ct::SecretBytes`"),
    (&["Zeroizing", "::", "new", "(", "["], "`ct::SecretBytes`"),
    (&["Zeroizing", "::", "new", "(", "*"], "`ct::SecretBytes`"),
    (&[":", "StaticSecret"], "`ct::SecretBytes`, and a `StaticSecret` of it for one call"),
    (&["<", "StaticSecret"], "`ct::SecretBytes`, and a `StaticSecret` of it for one call"),
];

/// The lines of what is refused, and what to write there.
pub(super) fn moving(tokens: &[Token<'_>]) -> Vec<(usize, String)> {
    let starts = |at: usize, refused: &[&str]| {
        tokens[at..].iter().map(|token| token.text).take(refused.len()).eq(refused.iter().copied())
    };
    let found = (0..tokens.len()).flat_map(|at| {
        let refused = REFUSED.iter().filter(move |(refused, _)| starts(at, refused));
        refused.map(move |(_, instead)| (tokens[at].line, format!("a secret would move here: take {instead}")))
    });
    found.collect()
}
