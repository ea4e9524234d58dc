//! Limits of the parameters, and why parameters, bytes or a message were refused.

use crate::{decode::DecodeError, estimate::failure};
use core::fmt;
use ntt::PlanError;

/// The smallest degree.
pub const MIN_DEGREE: usize = 16;
/// The largest degree.
pub const MAX_DEGREE: usize = 1 << 16;
/// The moduli of messages that parameters for measuring may have.
pub const MESSAGE_MODULI: [u32; 7] = [2, 3, 5, 7, 11, 13, 17];
/// The largest failure probability that is accepted, as log2.
pub const MAX_LOG2_FAILURE: f64 = failure::ACCEPTED_LOG2;

/// The bound on `q`: the factor of `n`, and what is added.
pub(super) const fn bound(p: u32) -> [u64; 2] {
    let (p, largest) = (p as u64, p as u64 >> 1);
    [2 * p * (1 + largest), 2 * largest + 1]
}

/// Why parameters, bytes or a message were refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The degree is not a power of two in range.
    Degree {
        /// The degree.
        n: usize,
    },
    /// The degree is out of range.
    Size {
        /// The degree.
        n: usize,
    },
    /// The modulus of messages is none of [`MESSAGE_MODULI`], or is the modulus.
    MessageModulus {
        /// The modulus of messages.
        p: u32,
        /// The modulus.
        q: u32,
    },
    /// The modulus is not below 2^30.
    Modulus {
        /// The modulus.
        q: u32,
    },
    /// A decryption could fail.
    Correctness {
        /// The degree.
        n: usize,
        /// The modulus.
        q: u32,
        /// The modulus of messages.
        p: u32,
        /// The smallest modulus for which none fails.
        least: u64,
        /// A prime modulus that works and splits the ring as far as layers in two go.
        prime: u64,
    },
    /// Decryption fails too often.
    Failure {
        /// The degree.
        n: usize,
        /// The modulus.
        q: u32,
        /// The base-two logarithm of the probability.
        log2_probability: f64,
        /// The smallest modulus for which none fails.
        least: u64,
    },
    /// Slots of another depth travel.
    Depth {
        /// The depth of the slots that travel.
        agreed: u32,
        /// The requested depth.
        depth: u32,
    },
    /// There is no transform.
    Plan(PlanError),
    /// Malformed bytes.
    Encoding(DecodeError),
    /// A message with a coefficient out of range, or with the wrong number of them.
    Message {
        /// The number it must have.
        n: usize,
        /// The least and the largest.
        range: [i8; 2],
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Degree { n } => write!(f, "n = {n} is not a power of two from {MIN_DEGREE} to {MAX_DEGREE}"),
            Self::Size { n } => write!(f, "n = {n} is not from {MIN_DEGREE} to {MAX_DEGREE}"),
            Self::MessageModulus { p, q } if p == q => {
                write!(f, "messages modulo p = {p} need another modulus than q = {q}, which p divides; take a larger q")
            }
            Self::MessageModulus { p, .. } => {
                write!(f, "p = {p} is not 2, 3, 5, 7, 11, 13 or 17, modulo which messages can be")
            }
            Self::Modulus { q } => write!(f, "q = {q} is not below 2^30; take a smaller prime"),
            Self::Correctness { n, q, p, least, prime } => {
                let [of_degree, rest] = bound(*p);
                let of_messages = if *p == 3 { String::new() } else { format!(" and messages modulo {p}") };
                write!(
                    f,
                    "n = {n} with q = {q}{of_messages} may not decrypt: q is below {of_degree}n + {rest} = {least}; take q = \
                     {prime}, or a computed probability of failure"
                )
            }
            Self::Failure { n, q, log2_probability, least } => write!(
                f,
                "n = {n} with q = {q} fails to decrypt with probability 2^{log2_probability:.1}, above 2^{MAX_LOG2_FAILURE}; \
                 from q = {least} on no decryption fails"
            ),
            Self::Depth { agreed, depth } => {
                write!(f, "slots of depth {agreed} travel, so that transforms of depth {depth} do not serve")
            }
            Self::Plan(e) => e.fmt(f),
            Self::Encoding(why) => why.fmt(f),
            Self::Message { n, range: [-1, 1] } => write!(f, "a message has {n} coefficients, each -1, 0 or 1"),
            Self::Message { n, range: [least, most] } => {
                write!(f, "a message has {n} coefficients, each from {least} to {most}")
            }
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Plan(e) => Some(e),
            _ => None,
        }
    }
}

impl From<PlanError> for Error {
    fn from(e: PlanError) -> Self {
        Self::Plan(e)
    }
}

impl From<DecodeError> for Error {
    fn from(why: DecodeError) -> Self {
        Self::Encoding(why)
    }
}
