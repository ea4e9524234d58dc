//! Why a residue number system cannot be built.

use crate::planner::PlanError;
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
        }
    }
}

impl core::error::Error for RnsError {}
