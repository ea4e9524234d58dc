//! Why a residue number system cannot be built.

use crate::{input::InputError, planner::PlanError};
use core::fmt;

/// Why an [`Rns`](crate::Rns), or a conversion between two of them, cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RnsError {
    /// No primes were given.
    Empty,
    /// A prime was given twice.
    Twice {
        /// The prime.
        q: u64,
    },
    /// A prime is too large for sums in the word.
    Large {
        /// The prime.
        q: u64,
        /// Bits of the word.
        bits: u32,
    },
    /// A prime has no transform for the request.
    Plan {
        /// The prime; 0 if no prime works.
        q: u64,
        /// The reason.
        error: PlanError,
    },
    /// Even the product of all primes of the word that split the ring is too small.
    Primes {
        /// Bits of the requested product.
        wanted: u32,
        /// Bits of the product of all of them.
        reached: u32,
    },
    /// The two systems have different degrees.
    Degrees {
        /// The degree of one.
        from: usize,
        /// The degree of the other.
        to: usize,
    },
    /// There are no such primes.
    Part {
        /// The end of their range.
        end: usize,
        /// How many there are.
        primes: usize,
    },
    /// Words are no whole polynomials.
    Length {
        /// Words of a polynomial.
        of_each: usize,
        /// The words that were given.
        actual: usize,
    },
    /// A word is no residue modulo its prime.
    Residue {
        /// The prime.
        q: u64,
        /// The word's place and its range.
        error: InputError,
    },
    /// Bytes are no whole polynomials.
    Bytes {
        /// Bytes of a polynomial.
        of_each: usize,
        /// The bytes that were given.
        actual: usize,
    },
    /// A word of a polynomial in bytes is no canonical residue.
    Word {
        /// The number of the word.
        index: usize,
        /// The prime.
        q: u64,
    },
    /// `X -> X^k` is no automorphism.
    Automorphism {
        /// The exponent.
        k: u64,
        /// The order of `X`, to which it must be prime.
        order: u64,
    },
    /// `X -> X^k` is no automorphism of a shifted ring.
    Shifted {
        /// The shift.
        shift: u64,
    },
    /// Slots have a degree above one.
    Incomplete {
        /// The first such prime.
        q: u64,
        /// The degree of its slots.
        degree: usize,
    },
    /// A ring lacks a prime of the other.
    Missing {
        /// The prime.
        q: u64,
    },
    /// Digits are too wide, or have no bits.
    Digit {
        /// The bits of a digit.
        bits: u32,
        /// The most that this word has room for.
        most: u32,
    },
}

impl RnsError {
    /// A stable name for the error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Twice { .. } => "twice",
            Self::Large { .. } => "large",
            Self::Plan { error, .. } => error.code(),
            Self::Primes { .. } => "primes",
            Self::Degrees { .. } => "degrees",
            Self::Part { .. } => "part",
            Self::Length { .. } => "length",
            Self::Residue { .. } => "residue",
            Self::Bytes { .. } => "bytes",
            Self::Word { .. } => "word",
            Self::Automorphism { .. } => "automorphism",
            Self::Shifted { .. } => "shifted",
            Self::Incomplete { .. } => "incomplete",
            Self::Missing { .. } => "missing",
            Self::Digit { .. } => "digit",
        }
    }
}

impl fmt::Display for RnsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a residue number system needs a prime"),
            Self::Twice { q } => write!(f, "{q} is there twice; take different primes"),
            Self::Large { q, bits } => {
                write!(f, "{q} is too large for {bits}-bit words; take a prime below 2^{}", bits - 2)
            }
            Self::Plan { error, .. } => error.fmt(f),
            Self::Primes { wanted, reached } => write!(
                f,
                "all primes of this word that split the ring make a product of {reached} bits, not of {wanted}; take a \
                 wider word or fewer layers"
            ),
            Self::Degrees { from, to } => write!(f, "residues of degree {from} do not become some of degree {to}"),
            Self::Part { end, primes } => write!(f, "there are {primes} primes, and no range of them ends at {end}"),
            Self::Length { of_each, actual } => {
                write!(f, "{actual} words are no polynomials of {of_each} words each")
            }
            Self::Residue { q, error } => write!(f, "modulo {q}: {error}"),
            Self::Bytes { of_each, actual } => write!(f, "{actual} bytes are no polynomials of {of_each} bytes each"),
            Self::Word { index, q } => write!(f, "word {index} is no residue in [0, {}]", q - 1),
            Self::Automorphism { k, order } => {
                write!(f, "X -> X^{k} is no automorphism: take an exponent that is prime to {order}")
            }
            Self::Shifted { shift } => {
                write!(f, "a ring with the shift {shift} has no automorphisms X -> X^k: take one without")
            }
            Self::Incomplete { q, degree } => write!(
                f,
                "modulo {q} slots have degree {degree}, and an automorphism does not just move their words; take \
                 coefficients, or a prime for which the transform is complete"
            ),
            Self::Missing { q } => write!(f, "the ring of digits lacks the prime {q}"),
            Self::Digit { bits, most } => write!(f, "digits of {bits} bits: take 1 to {most}"),
        }
    }
}

impl core::error::Error for RnsError {}
