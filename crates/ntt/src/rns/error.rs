//! Why there is no residue number system.

use crate::planner::PlanError;
use core::fmt;

/// Why there is no [`Rns`](crate::Rns), or no conversion between two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RnsError {
    /// There is no prime.
    Empty,
    /// A prime occurs twice.
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
        /// The prime; 0 if no prime would do.
        q: u64,
        /// Why.
        error: PlanError,
    },
    /// The product of all primes of the word that split the ring is too small.
    Primes {
        /// Bits of the product that was requested.
        wanted: u32,
        /// Bits that all of them reach.
        reached: u32,
    },
    /// Two systems are for different degrees.
    Degrees {
        /// Of one.
        from: usize,
        /// Of the other.
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
