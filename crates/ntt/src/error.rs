//! Errors that teach: the condition that failed, and the nearest thing that works.

use crate::{
    model::{Place, Violation},
    modular::{ModulusError, nearest_prime},
    network::INNER_VECTORS,
    recipe::{MAX_DEGREE, Ring},
    reduction::Method,
};
use core::fmt;
use lanes::Backend;

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// LazyNTT asked for what it does not have.
    LazyNtt {
        /// Products in a row of which one is reduced.
        t: u32,
        /// The method.
        method: Method,
        /// The backend.
        backend: Backend,
    },
    /// The modulus is not an odd prime.
    Modulus(ModulusError),
    /// The degree is no power of two from 2 to [`MAX_DEGREE`].
    Degree {
        /// The degree.
        n: usize,
    },
    /// `q` lacks the root of unity that the depth needs.
    NoRoot {
        /// Degree.
        n: usize,
        /// Modulus.
        q: u64,
        /// Ring.
        ring: Ring,
        /// Requested layers.
        depth: u32,
        /// Layers that `q` and `n` allow.
        max: u32,
        /// The nearest prime that allows `depth` layers, if the degree does.
        prime: Option<u64>,
    },
    /// The given root does not have the order that the depth needs.
    Root {
        /// The root.
        root: u64,
        /// Modulus.
        q: u64,
        /// Order needed.
        order: u64,
        /// The smallest root of that order.
        smallest: u64,
    },
    /// The method has no meaning for this modulus in this word.
    Method {
        /// Method.
        method: Method,
        /// Modulus.
        q: u64,
        /// Bits of the word.
        bits: u32,
    },
    /// Some value could leave the word, however often it is reduced.
    Range {
        /// Degree.
        n: usize,
        /// Modulus.
        q: u64,
        /// Bits of the word.
        bits: u32,
        /// Method.
        method: Method,
        /// Where.
        violation: Violation,
    },
    /// The shape does not fill the backend's vectors, or the backend has none of such words.
    Backend {
        /// Backend.
        backend: Backend,
        /// Degree.
        n: usize,
        /// Degree of a slot.
        degree: usize,
        /// Bits of the word.
        bits: u32,
        /// Lanes of a vector, 1 where there are no vectors of such words.
        lanes: usize,
    },
}

impl PlanError {
    pub(crate) fn no_root(n: usize, q: u64, ring: Ring, depth: u32, max: u32, bits: u32) -> Self {
        // Primes of two bits less than a word can be proved to fit it; a wider word may be needed.
        let nearest = || nearest_prime(q, ring.log_order(depth), 1 << (bits.max(32) - 2));
        let prime = if depth <= n.ilog2() { nearest() } else { None };
        Self::NoRoot { n, q, ring, depth, max, prime }
    }

    pub(crate) fn range(n: usize, q: u64, bits: u32, method: Method, violation: Violation) -> Self {
        Self::Range { n, q, bits, method, violation }
    }
}

impl From<ModulusError> for PlanError {
    fn from(e: ModulusError) -> Self {
        Self::Modulus(e)
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Modulus(e) => e.fmt(f),
            Self::LazyNtt { t: 0, .. } => {
                f.write_str("LazyNTT reduces one of t products in a row; t = 0 is too small, take t = 1 or more")
            }
            Self::LazyNtt { t, method, backend } => write!(
                f,
                "LazyNTT (t = {t}) runs by montgomery on the scalar backend, not by {method} on {backend}: it chooses for every coefficient"
            ),
            Self::Degree { n } => {
                write!(f, "n = {n} is not a power of two from 2 to {MAX_DEGREE}")?;
                if (3..MAX_DEGREE).contains(n) {
                    write!(f, "; the nearest are {} and {}", n.next_power_of_two() / 2, n.next_power_of_two())?;
                }
                Ok(())
            }
            Self::NoRoot { n, depth, .. } if *depth > n.ilog2() => {
                write!(f, "depth {depth} is more than the {} layers that n = {n} has", n.ilog2())
            }
            Self::NoRoot { n, q, ring, depth, max, prime } => {
                let order = 1_u64 << ring.log_order(*depth);
                write!(
                    f,
                    "q = {q} has no primitive {order}th root of unity, which depth {depth} of the {ring} ring needs"
                )?;
                write!(f, "; n = {n} works with depth {max} and slots of degree {}", n >> max)?;
                prime.map_or(Ok(()), |p| write!(f, ", or take q = {p}"))
            }
            Self::Root { root, q, order, smallest } => {
                write!(
                    f,
                    "{root} is not a primitive {order}th root of unity modulo {q}; the smallest one is {smallest}"
                )
            }
            Self::Method { method, q, bits } => {
                write!(f, "{method} does not apply to q = {q} in {bits}-bit words")?;
                advise(f, *q, *bits, *method)
            }
            Self::Range { n, q, bits, method, violation } => {
                let operation = match violation.place {
                    Place::Sum => "a sum",
                    Place::Product => "an operand of a product",
                    Place::Reduction => "an operand of a reduction",
                    Place::VariableProduct => "an operand of a slot product",
                };
                write!(
                    f,
                    "{method} cannot keep n = {n}, q = {q} inside {bits}-bit words: {operation} in layer {}",
                    violation.layer
                )?;
                write!(f, " could be {}", violation.range)?;
                advise(f, *q, *bits, *method)
            }
            Self::Backend { backend, bits, lanes: 1, .. } => {
                write!(f, "{backend} has no vectors of {bits}-bit words; they run on the scalar backend")
            }
            Self::Backend { backend, n, degree, lanes, .. } => {
                write!(
                    f,
                    "{backend} needs n ≥ {} and slots of degree ≤ {}",
                    INNER_VECTORS.max(*degree) * lanes,
                    (lanes / 2).min(8)
                )?;
                write!(f, "; n = {n} with slots of degree {degree} runs on the scalar backend")
            }
        }
    }
}

/// What to try when a method does not fit a word. Montgomery's fits for `5 ≤ q < 2^(bits-2)`, and every prime is below
/// 2^62.
fn advise(f: &mut fmt::Formatter<'_>, q: u64, bits: u32, method: Method) -> fmt::Result {
    if q < 5 {
        write!(f, "; take a prime from 5 on")
    } else if bits == 16 && q < 1 << 30 {
        write!(f, "; take 32-bit words")
    } else if method != Method::Montgomery && q < 1 << (bits - 2) {
        write!(f, "; take montgomery")
    } else if bits < 64 {
        write!(f, "; take 64-bit words, or a prime below 2^{} in {bits}-bit words", bits - 2)
    } else {
        write!(f, "; take a prime below 2^62")
    }
}

impl core::error::Error for PlanError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Modulus(e) => Some(e),
            _ => None,
        }
    }
}
