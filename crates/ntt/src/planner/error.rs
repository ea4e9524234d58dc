//! Errors that teach: the condition that failed, and the nearest thing that works.

use super::layout::{MAX_DEGREE, MAX_SLOT_DEGREE, MAX_SPLIT, MAX_SPLIT_IN_THREE, odd_part};
use crate::{
    arith::{Modulus, ModulusError, nearest_prime},
    model::Violation,
    network::INNER_VECTORS,
    reduction::Method,
    ring::Ring,
};
use core::{fmt, ops::Range};
use lanes::Backend;

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// The modulus is not an odd prime.
    Modulus(ModulusError),
    /// The degree is not from 1 to [`MAX_DEGREE`], or odd though the ring needs an even one.
    Degree {
        /// The degree.
        n: usize,
        /// Ring.
        ring: Ring,
    },
    /// Slots are too large for products: their degree is above [`MAX_SLOT_DEGREE`].
    SlotDegree {
        /// Degree of a slot.
        degree: usize,
        /// The least number of layers that makes slots small enough, if the degree of the ring has
        /// as many.
        depth: Option<u32>,
        /// The nearest prime that allows these layers, if not `q` itself.
        prime: Option<u64>,
    },
    /// Slots of this degree cannot be inverted modulo so small a prime: their degree has an odd
    /// factor of `q` or more.
    InverseDegree {
        /// Degree of a slot.
        degree: usize,
        /// Modulus.
        q: u64,
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
        /// Degree of a slot at that depth.
        degree: usize,
        /// The nearest prime that allows `depth` layers, if the degree does.
        prime: Option<u64>,
    },
    /// More layers in thirds than the degree, the modulus and the depth allow.
    Thirds {
        /// Degree.
        n: usize,
        /// Modulus.
        q: u64,
        /// Ring.
        ring: Ring,
        /// Requested layers in thirds.
        thirds: u32,
        /// Layers in thirds that are possible.
        most: u32,
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
    /// The shift is 0 or not below the modulus, or the ring has none.
    Shift {
        /// The shift.
        shift: u64,
        /// Modulus.
        q: u64,
        /// Ring.
        ring: Ring,
    },
    /// Words are too narrow for products by residue channels, or the modulus is too small for any
    /// reduction.
    Exact {
        /// Degree.
        n: usize,
        /// Modulus.
        q: u64,
        /// Bits of the word.
        bits: u32,
    },
    /// Schedules that reduce some operands and not others, by a method whose reductions leave a
    /// factor.
    Factors {
        /// The method.
        method: Method,
    },
    /// There are no words of this number of bits.
    Words {
        /// Bits of the word.
        bits: u32,
    },
    /// The method is not defined for this modulus in this word.
    Method {
        /// Method.
        method: Method,
        /// Modulus.
        q: u64,
        /// Bits of the word.
        bits: u32,
    },
    /// No method of reduction is defined for this modulus in this word.
    NoMethod {
        /// Modulus.
        q: u64,
        /// Bits of the word.
        bits: u32,
    },
    /// Residues modulo so large a prime leave no room for signs.
    Unsigned {
        /// Modulus.
        q: u64,
        /// Bits of the word.
        bits: u32,
    },
    /// A plan with residue channels has no slots of its own, so it has neither a canonical order of
    /// slots, nor shifts, nor inverses.
    NoSlots {
        /// Modulus.
        q: u64,
    },
    /// An extension by a factor that is no power of two.
    Blowup {
        /// The factor.
        blowup: usize,
    },
    /// Values are wanted, and slots are larger.
    Incomplete {
        /// Degree.
        n: usize,
        /// Modulus.
        q: u64,
        /// Degree of a slot.
        degree: usize,
    },
    /// No root of unity whose order is the length of a transform.
    Order {
        /// Length.
        n: usize,
        /// Modulus.
        q: u64,
        /// The nearest prime that has one.
        prime: Option<u64>,
    },
    /// Operands without coefficients, or coefficients that their product does not have.
    Lengths {
        /// The number of coefficients of each operand.
        lengths: [usize; 2],
        /// The powers whose coefficients are wanted.
        part: Range<usize>,
    },
    /// Schedules with another number of layers than the transform has.
    Layers {
        /// The number of layers.
        expected: usize,
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
    /// A name for programs, of letters and hyphens: it stays the same when the words of the message
    /// change.
    ///
    /// | code | what |
    /// |---|---|
    /// | `modulus` | no odd prime, where transforms modulo `q` itself are requested |
    /// | `degree` | no such ring, or too large a one |
    /// | `slot-degree` | slots too large for products |
    /// | `inverse-degree` | slots that cannot be inverted modulo so small a prime |
    /// | `no-root` | no root of unity for that depth |
    /// | `thirds` | more layers in thirds than degree, modulus and depth allow |
    /// | `root` | a root of another order |
    /// | `shift` | a shift that is no unit, or of a ring that has none |
    /// | `residue-channels` | words too narrow for residue channels, or a modulus below 5 |
    /// | `factors` | schedules whose factors would differ |
    /// | `words` | no words of this number of bits |
    /// | `method` | a method that is not defined for that modulus and word |
    /// | `no-method` | no method for that modulus and word |
    /// | `unsigned` | signed words, and a prime that leaves no room for signs |
    /// | `blowup` | an extension by a factor that is no power of two |
    /// | `incomplete` | slots of a degree above one where values are wanted |
    /// | `order` | no root of unity whose order is the length of a transform |
    /// | `lengths` | linear products of nothing, or powers that they do not have |
    /// | `layers` | schedules of another number of layers |
    /// | `range` | some value could leave the word |
    /// | `no-slots` | slots requested of a plan with residue channels |
    /// | `backend` | a shape that does not fill the backend's vectors |
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Modulus(_) => "modulus",
            Self::Degree { .. } => "degree",
            Self::SlotDegree { .. } => "slot-degree",
            Self::InverseDegree { .. } => "inverse-degree",
            Self::NoRoot { .. } => "no-root",
            Self::Thirds { .. } => "thirds",
            Self::Root { .. } => "root",
            Self::Shift { .. } => "shift",
            Self::Exact { .. } => "residue-channels",
            Self::Factors { .. } => "factors",
            Self::Words { .. } => "words",
            Self::Method { .. } => "method",
            Self::NoMethod { .. } => "no-method",
            Self::Unsigned { .. } => "unsigned",
            Self::Blowup { .. } => "blowup",
            Self::Incomplete { .. } => "incomplete",
            Self::Order { .. } => "order",
            Self::Lengths { .. } => "lengths",
            Self::Layers { .. } => "layers",
            Self::Range { .. } => "range",
            Self::NoSlots { .. } => "no-slots",
            Self::Backend { .. } => "backend",
        }
    }

    pub(crate) fn no_root(n: usize, q: u64, ring: Ring, [depth, max, thirds]: [u32; 3], bits: u32) -> Self {
        let prime = if depth <= ring.layers(n) { prime_for(q, ring, depth, thirds, bits) } else { None };
        Self::NoRoot { n, q, ring, depth, max, degree: (n >> max) / 3_usize.pow(thirds), prime }
    }

    pub(crate) fn slot_degree(n: usize, q: u64, ring: Ring, degree: usize, max: u32, bits: u32) -> Self {
        let depth = (0..=ring.layers(n)).find(|depth| n >> depth <= MAX_SLOT_DEGREE);
        let prime = depth.filter(|depth| *depth > max).and_then(|depth| prime_for(q, ring, depth, 0, bits));
        Self::SlotDegree { degree, depth, prime }
    }
}

/// The nearest prime with roots for those layers. Primes of two bits less than a word can be proved
/// to fit it; a wider word may be needed.
fn prime_for(q: u64, ring: Ring, depth: u32, thirds: u32, bits: u32) -> Option<u64> {
    nearest_prime(q, ring.order(depth) * 3_u64.pow(thirds), 1 << (bits.max(32) - 2))
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
            Self::Degree { n, .. } if !(1..=MAX_DEGREE).contains(n) => {
                write!(f, "n = {n} is not a degree from 1 to {MAX_DEGREE}")
            }
            Self::Degree { n: 1, ring } => {
                write!(f, "n = 1 is odd, and the {ring} ring has an even degree; the nearest is 2")
            }
            Self::Degree { n, ring } => {
                write!(
                    f,
                    "n = {n} is odd, and the {ring} ring has an even degree; the nearest are {} and {}",
                    n - 1,
                    n + 1
                )
            }
            Self::NoRoot { n, ring, depth, .. } if *depth > ring.layers(*n) => {
                write!(f, "depth {depth} is more than the {} layers that n = {n} has", ring.layers(*n))
            }
            Self::NoRoot { ring, depth, max, .. } if *depth < ring.least_depth() && *depth < *max => {
                write!(f, "depth {depth} is too small for the {ring} ring; take depth {} to {max}", ring.least_depth())
            }
            Self::NoRoot { n, q, ring, depth, max, degree, prime } => {
                let depth = (*depth).max(ring.least_depth());
                write!(
                    f,
                    "q = {q} has no primitive {}th root of unity, which depth {depth} of the {ring} ring needs",
                    ring.order(depth)
                )?;
                if *max >= ring.least_depth() {
                    write!(f, "; n = {n} works with depth {max} and slots of degree {degree}")?;
                }
                match prime {
                    Some(p) if *max >= ring.least_depth() => write!(f, ", or take q = {p}"),
                    Some(p) => write!(f, "; take q = {p}"),
                    None => Ok(()),
                }
            }
            Self::Thirds { n, q, ring, thirds, most } => {
                if *thirds > ring.thirds(*n) {
                    write!(f, "{thirds} layers in thirds are more than n = {n} has")?;
                } else if *thirds > ring.thirds_of_roots(*q) {
                    write!(f, "q = {q} has no roots of unity for {thirds} layers in thirds of the {ring} ring")?;
                } else {
                    f.write_str("layers in thirds come after a layer that splits in two")?;
                }
                write!(f, "; take {most} of them")
            }
            Self::SlotDegree { degree, depth, prime } => {
                write!(f, "slots of degree {degree} are larger than {MAX_SLOT_DEGREE}")?;
                match (depth, prime) {
                    (Some(depth), None) => write!(f, "; take depth {depth} or more"),
                    (Some(depth), Some(p)) => write!(f, "; take q = {p}, which has the roots for depth {depth}"),
                    (None, _) => write!(f, "; take a degree with more factors of two"),
                }
            }
            Self::InverseDegree { degree, q } => write!(
                f,
                "slots of degree {degree} are not inverted modulo q = {q}; take a prime above {}",
                odd_part(*degree)
            ),
            Self::Root { root, q, order, smallest } => {
                write!(
                    f,
                    "{root} is not a primitive {order}th root of unity modulo {q}; the smallest one is {smallest}"
                )
            }
            Self::Shift { shift, ring: ring @ Ring::Trinomial, .. } => {
                write!(f, "the {ring} ring has no shift, and {shift} is requested; take a cyclic or a negacyclic ring")
            }
            Self::Shift { shift, q, .. } => {
                write!(f, "{shift} is no shift modulo q = {q}; take a number from 1 to {}", q.saturating_sub(1))
            }
            Self::Exact { q: q @ 2..5, .. } => {
                write!(
                    f,
                    "q = {q} is too small; take a modulus from 5 on, or for products {}, and reduce them modulo {q}",
                    4 * q
                )
            }
            Self::Exact { q: q @ ..5, .. } => write!(f, "q = {q} is too small; take a modulus from 5 on"),
            Self::Exact { n, q, bits } => {
                write!(
                    f,
                    "{bits}-bit words are too narrow for products of n = {n} modulo q = {q} by residue channels"
                )?;
                match (bits, q) {
                    (16, ..0x4000_0000) => f.write_str("; take 32-bit words"),
                    (16, ..0x1_0000_0000) => {
                        f.write_str("; take 64-bit words, or unsigned ones of 32 bits for a prime with roots of unity")
                    }
                    (16 | 32, ..0x4000_0000_0000_0000) => f.write_str("; take 64-bit words"),
                    (_, ..0x4000_0000_0000_0000) => f.write_str("; take a smaller modulus, or sums of fewer products"),
                    (64, _) => f.write_str("; take a modulus below 2^62"),
                    _ => f.write_str("; take a modulus below 2^62 in 64-bit words"),
                }
            }
            Self::Factors { method } => write!(
                f,
                "reductions of {method} leave a factor, and these schedules leave different ones where values meet; \
                 take montgomery, or reduce alike"
            ),
            Self::Words { bits } => write!(f, "there are no words of {bits} bits; take 16, 32 or 64"),
            Self::Method { method, q, bits } => {
                write!(f, "{method} does not apply to q = {q} in {bits}-bit words")?;
                advise(f, *q, *bits, *method)
            }
            Self::NoMethod { q, bits } => {
                write!(f, "no method leaves the slots of q = {q} as they are in {bits}-bit words")?;
                advise(f, *q, *bits, Method::Montgomery)
            }
            Self::Unsigned { q, bits } => {
                write!(
                    f,
                    "residues modulo q = {q} leave {bits}-bit words no room for signs; take unsigned ones, u{bits}"
                )
            }
            Self::NoSlots { q } => {
                write!(
                    f,
                    "products modulo q = {q} go by residue channels, which have neither a canonical slot order, nor shifts, nor inverses; "
                )?;
                f.write_str(match Modulus::new(*q) {
                    Ok(_) => "name a depth to transform modulo q",
                    Err(_) => "take a prime modulus, and name a depth to transform modulo it",
                })
            }
            Self::Blowup { blowup } => {
                write!(f, "extensions by {blowup}: take a factor of 1, 2, 4, 8, …")
            }
            Self::Incomplete { n, q, degree } => write!(
                f,
                "modulo q = {q} the slots of n = {n} have degree {degree}, and values are wanted; take a prime of the form \
                 k·{n} + 1, and all layers"
            ),
            Self::Order { n, q, prime } => {
                write!(f, "q = {q} has no root of unity of order {n}; ")?;
                match prime {
                    Some(prime) => write!(f, "take q = {prime}, or another prime of the form k·{n} + 1"),
                    None => f.write_str("take a smaller length, or larger words"),
                }
            }
            Self::Lengths { lengths: [a, b], part } => {
                let Range { start, end } = part;
                write!(f, "a product of {a} and {b} coefficients has no powers from {start} to below {end}; ")?;
                match a.saturating_add(*b).saturating_sub(1) {
                    all if *a > 0 && *b > 0 => write!(f, "take a part of 0 to below {all} that is not empty"),
                    _ => f.write_str("take operands of one coefficient or more"),
                }
            }
            Self::Layers { expected } => write!(f, "there must be {expected} steps, one for each layer"),
            Self::Range { n, q, bits, method, violation } => {
                write!(f, "{method} cannot keep n = {n}, q = {q} inside {bits}-bit words: {violation}")?;
                advise(f, *q, *bits, *method)
            }
            Self::Backend { backend, bits, lanes: 1, .. } => {
                write!(f, "{backend} has no vectors of {bits}-bit words; they run on the scalar backend")
            }
            Self::Backend { backend, n, degree, lanes, .. } => {
                let (parts, odd) = (odd_part(*degree), odd_part(*n));
                let (vectors, most) = match parts {
                    1 => (INNER_VECTORS.max(*degree), MAX_SPLIT),
                    _ => (2, MAX_SPLIT_IN_THREE),
                };
                match (parts, odd) {
                    (1, 1) | (3, 3) => write!(f, "{backend} needs n ≥ {}", odd * vectors * lanes)?,
                    (1 | 3, _) => write!(f, "{backend} needs n = {odd}·2^k ≥ {}", odd * vectors * lanes)?,
                    _ => write!(f, "{backend} needs slots whose degree is 2^k or 3·2^k")?,
                }
                if parts <= 3 {
                    write!(f, " and slots of degree ≤ {}", parts * (lanes / 2).min(most))?;
                }
                write!(f, "; n = {n} with slots of degree {degree} runs on the scalar backend")
            }
        }
    }
}

/// What to try when a method does not fit a word. Montgomery's fits for `5 ≤ q < 2^(bits-2)`, and larger
/// primes of 64 bits have one of their own.
fn advise(f: &mut fmt::Formatter<'_>, q: u64, bits: u32, method: Method) -> fmt::Result {
    if q < 5 {
        write!(f, "; take a prime from 5 on")
    } else if bits == 16 && q < 1 << 30 {
        write!(f, "; take 32-bit words")
    } else if method != Method::Montgomery && q < 1 << (bits - 2) {
        write!(f, "; take montgomery")
    } else if bits < 64 {
        write!(f, "; take 64-bit words, or a prime below 2^{} in {bits}-bit words", bits - 2)
    } else if q >> 62 != 0 {
        write!(f, "; take a prime below 2^62, or unsigned")
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
