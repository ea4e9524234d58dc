//! Rings that papers explain the transform by.

/// A ring, how deep it is split, and what the paper shows by it.
#[derive(Debug)]
pub(crate) struct Example {
    name: &'static str,
    pub(crate) n: usize,
    pub(crate) q: u64,
    pub(crate) depth: u32,
    what: &'static str,
}

/// Bakkebø, *Number theoretic transform for faster lattice-based cryptography* (2020), examples 1 to
/// 5, in sections 3.1 and 4.3.2.
const BAKKEBO: [Example; 5] = [
    bakkebo(
        "bakkebo-1",
        [2, 5, 1],
        "example 1: modulo X - 2 and X - 3, a0 + a1 X is a0 + 2 a1 and a0 + 3 a1; a product is taken there, and brought back.",
    ),
    bakkebo(
        "bakkebo-2",
        [4, 17, 1],
        "example 2: the first splitting, modulo X^2 - 4 and X^2 + 4: (a0 + 4 a2) + (a1 + 4 a3) X, and with a minus.",
    ),
    bakkebo(
        "bakkebo-3",
        [4, 17, 2],
        "example 3: the second splitting, modulo X - 2, X + 2, X - 8 and X + 8, since 2 is a root of order 8.",
    ),
    bakkebo(
        "bakkebo-4",
        [4, 17, 1],
        "example 4: the merging that undoes example 2. Sum and difference give twice the polynomial, and 9 is 1/2.",
    ),
    bakkebo(
        "bakkebo-5",
        [4, 17, 2],
        "example 5: the mergings that undo example 3 give four times the polynomial, and 13 is 1/4. (Where the thesis has \
         a0 + 4 a2 as the second coefficient of the merged polynomial, it is a1 + 4 a3.)",
    ),
];

const fn bakkebo(name: &'static str, [n, q, depth]: [u64; 3], what: &'static str) -> Example {
    Example { name, n: n as usize, q, depth: depth as u32, what }
}

impl Example {
    /// What it is, in plain text.
    pub(crate) fn sentence(&self) -> String {
        format!("Bakkebø's thesis, {}", self.what)
    }
}

/// The example of that name.
pub(crate) fn parse(name: &str) -> Result<&'static Example, String> {
    BAKKEBO.iter().find(|example| example.name == name).ok_or_else(|| format!("the examples are {}", names()))
}

/// Help for it.
pub(crate) fn help() -> String {
    format!("A ring of a paper instead of N and Q: {}", names())
}

fn names() -> String {
    BAKKEBO.iter().map(|example| example.name).collect::<Vec<_>>().join(", ")
}
