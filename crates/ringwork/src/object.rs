//! Objects: the file form of commitments, proofs and the messages of key exchanges.
//!
//! ```text
//! offset  0        8        9     10      12          14    15     16  20  28    36      44      76
//!         RINGWORK version  kind  scheme  parameters  ring  order  n   q   root  length  digest  body
//! ```
//!
//! Numbers are little-endian. `length` is that of the body, `digest` the SHA3-256 of the first 44 bytes and the body.
//! Scheme and parameters determine all fields after them: a decoder compares these with the [`Description`] it knows,
//! computes with nothing it has read, and accepts exactly one encoding of each object. The digest detects accidents; an
//! attacker can recompute it.

use crate::xof::Sha3_256;
use core::fmt;

/// The first bytes of every object.
pub const MAGIC: [u8; 8] = *b"RINGWORK";
/// The version of the header form and of all bodies.
pub const VERSION: u8 = 2;
/// Bytes of a header.
pub const HEADER_BYTES: usize = 76;
/// The largest number of bytes in a body.
pub const MAX_BODY_BYTES: usize = 1 << 24;

/// The position of the digest, which follows all header bytes that it covers.
pub const DIGEST_RANGE: core::ops::Range<usize> = 44..HEADER_BYTES;

const DIGEST_BYTES: usize = 32;
const _: () = assert!(DIGEST_RANGE.end - DIGEST_RANGE.start == DIGEST_BYTES);

/// The kind of an object. Numbers below 4 belonged to kinds that no longer exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The public key of commitments.
    CommitmentKey = 4,
    /// A commitment.
    Commitment = 5,
    /// The opening of a commitment.
    Opening = 6,
    /// A proof about commitments.
    Proof = 7,
    /// The secret that the first side of a key exchange keeps until the reply arrives.
    ExchangeSecret = 8,
    /// The first message of a key exchange.
    ExchangeOffer = 9,
    /// The second message of a key exchange.
    ExchangeReply = 10,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::CommitmentKey,
        Self::Commitment,
        Self::Opening,
        Self::Proof,
        Self::ExchangeSecret,
        Self::ExchangeOffer,
        Self::ExchangeReply,
    ];

    /// The purpose of the schemes that have such objects.
    pub const fn purpose(self) -> Purpose {
        match self {
            Self::CommitmentKey | Self::Commitment | Self::Opening | Self::Proof => Purpose::Commitment,
            Self::ExchangeSecret | Self::ExchangeOffer | Self::ExchangeReply => Purpose::Exchange,
        }
    }

    /// Whether the body is secret.
    pub const fn is_secret(self) -> bool {
        matches!(self, Self::Opening | Self::ExchangeSecret)
    }

    /// The name of the kind, with its article.
    fn with_article(self) -> String {
        let article = if self.to_string().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {self}")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::CommitmentKey => "commitment key",
            Self::Commitment => "commitment",
            Self::Opening => "opening",
            Self::Proof => "proof",
            Self::ExchangeSecret => "exchange secret",
            Self::ExchangeOffer => "exchange offer",
            Self::ExchangeReply => "exchange reply",
        })
    }
}

/// The purpose of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// Key encapsulation.
    Encapsulation,
    /// Commitments.
    Commitment,
    /// Key exchange by messages.
    Exchange,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Encapsulation => "key encapsulation",
            Self::Commitment => "commitments",
            Self::Exchange => "key exchange",
        })
    }
}

/// The polynomial of the quotient ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ring {
    /// `X^n + 1`.
    Negacyclic = 1,
    /// `X^n - 1`.
    Cyclic = 2,
    /// `X^n - X^(n/2) + 1`.
    Trinomial = 3,
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Negacyclic => "negacyclic",
            Self::Cyclic => "cyclic",
            Self::Trinomial => "trinomial",
        })
    }
}

/// The order of the polynomials in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// By their coefficients, in natural order.
    Coefficients = 1,
    /// Transformed, in canonical order with respect to the root.
    CanonicalSlots = 2,
    /// Transformed, in the slot order of the scheme's designers.
    DesignersSlots = 3,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Coefficients => "coefficients",
            Self::CanonicalSlots => "canonical slots",
            Self::DesignersSlots => "designers' slots",
        })
    }
}

/// A scheme with one of its parameter sets, as described in headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// The purpose of the scheme.
    pub purpose: Purpose,
    /// The number of the scheme.
    pub scheme: u16,
    /// The number of the parameter set within the scheme.
    pub parameters: u16,
    /// The name of scheme and set on the command line.
    pub name: &'static str,
    /// Ring.
    pub ring: Ring,
    /// The order of a body's polynomials.
    pub order: Order,
    /// Degree.
    pub n: u32,
    /// Modulus.
    pub q: u64,
    /// The root of unity that numbers the slots; 0 for coefficients.
    pub root: u64,
}

impl Description {
    /// Encodes an object of that kind with that body.
    ///
    /// **Panics** if the scheme has no such objects, or the body is longer than [`MAX_BODY_BYTES`].
    pub fn encode(&self, kind: Kind, body: &[u8]) -> Vec<u8> {
        assert!(kind.purpose() == self.purpose, "{} of a scheme for {}", kind.with_article(), self.purpose);
        assert!(body.len() <= MAX_BODY_BYTES, "a body of {} bytes, more than {MAX_BODY_BYTES}", body.len());
        let mut bytes = Vec::with_capacity(HEADER_BYTES + body.len());
        bytes.extend(MAGIC);
        bytes.extend([VERSION, kind as u8]);
        bytes.extend(self.scheme.to_le_bytes());
        bytes.extend(self.parameters.to_le_bytes());
        bytes.extend([self.ring as u8, self.order as u8]);
        bytes.extend(self.n.to_le_bytes());
        bytes.extend([self.q, self.root, body.len() as u64].iter().flat_map(|x| x.to_le_bytes()));
        let digest = digest(&bytes, body);
        bytes.extend(digest);
        bytes.extend(body);
        bytes
    }
}

/// An accepted header; the digest must still be compared with the body.
#[derive(Clone, Copy, Debug)]
pub struct Header<'k> {
    /// The kind of the object.
    pub kind: Kind,
    /// Scheme and parameters.
    pub description: &'k Description,
    /// Bytes of the body.
    pub body_bytes: usize,
    /// Digest of header and body.
    pub digest: [u8; DIGEST_BYTES],
}

/// An accepted object.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a, 'k> {
    /// Its header.
    pub header: Header<'k>,
    /// The body; only the scheme can check its contents.
    pub body: &'a [u8],
}

impl<'k> Header<'k> {
    /// Reads the header at the beginning of `bytes`, for a scheme in `known`.
    ///
    /// **Errors** name the first wrong field.
    pub fn decode(bytes: &[u8], known: &'k [Description]) -> Result<Self, ObjectError> {
        if !MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]) {
            return Err(ObjectError::Magic);
        }
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(ObjectError::Truncated { expected: HEADER_BYTES, actual: bytes.len() });
        };
        let mut rest = &header[MAGIC.len()..];
        let mut number = |size: usize| {
            let (field, behind) = rest.split_at(size);
            rest = behind;
            field.iter().rev().fold(0_u64, |x, byte| x << 8 | u64::from(*byte))
        };
        let version = number(1);
        if version != VERSION.into() {
            return Err(ObjectError::Version(version as u8));
        }
        let kind = number(1);
        let kind = Kind::ALL.into_iter().find(|k| *k as u64 == kind).ok_or(ObjectError::Kind(kind as u8))?;
        let (scheme, parameters) = (number(2) as u16, number(2) as u16);
        let description = known
            .iter()
            .find(|d| (d.scheme, d.parameters) == (scheme, parameters))
            .ok_or(ObjectError::Unknown { scheme, parameters })?;
        let Description { purpose, name, ring, order, n, q, root, .. } = *description;
        if kind.purpose() != purpose {
            return Err(ObjectError::Purpose { kind, name, purpose });
        }
        let fields = [
            ("the number of the ring", 1, ring as u64),
            ("the number of the order", 1, order as u64),
            ("n", 4, n.into()),
            ("q", 8, q),
            ("the root", 8, root),
        ];
        for (what, size, expected) in fields {
            let found = number(size);
            if found != expected {
                return Err(ObjectError::Field { what, name, found, expected });
            }
        }
        let length = number(8);
        if length > MAX_BODY_BYTES as u64 {
            return Err(ObjectError::Length(length));
        }
        let digest = *rest.first_chunk().expect("the rest of the header is the digest");
        Ok(Self { kind, description, body_bytes: length as usize, digest })
    }

    /// Bytes of the whole object.
    pub const fn object_bytes(&self) -> usize {
        HEADER_BYTES + self.body_bytes
    }

    /// Refuses objects of another kind.
    pub fn expect(&self, expected: Kind) -> Result<(), ObjectError> {
        let found = self.kind;
        if found == expected { Ok(()) } else { Err(ObjectError::WrongKind { expected, found }) }
    }
}

/// Decodes `bytes` as an object of a scheme in `known`: the inverse of [`Description::encode`].
///
/// **Errors** say what is wrong; all bytes that encoding does not produce are refused.
pub fn decode<'a, 'k>(bytes: &'a [u8], known: &'k [Description]) -> Result<Object<'a, 'k>, ObjectError> {
    let (object, behind) = decode_first(bytes, known)?;
    if behind.is_empty() { Ok(object) } else { Err(ObjectError::Extended { expected: bytes.len() - behind.len() }) }
}

/// Decodes the object at the beginning of `bytes`, and returns the bytes after it.
///
/// **Errors** as for [`decode`].
pub fn decode_first<'a, 'k>(
    bytes: &'a [u8],
    known: &'k [Description],
) -> Result<(Object<'a, 'k>, &'a [u8]), ObjectError> {
    let header = Header::decode(bytes, known)?;
    let (expected, actual) = (header.object_bytes(), bytes.len());
    if actual < expected {
        return Err(ObjectError::Truncated { expected, actual });
    }
    let (object, behind) = bytes.split_at(expected);
    let body = &object[HEADER_BYTES..];
    if digest(&object[..DIGEST_RANGE.start], body) != header.digest {
        return Err(ObjectError::Digest);
    }
    Ok((Object { header, body }, behind))
}

fn digest(head: &[u8], body: &[u8]) -> [u8; DIGEST_BYTES] {
    let mut hash = Sha3_256::default();
    hash.update(head);
    hash.update(body);
    hash.finish()
}

/// Why bytes are not an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObjectError {
    /// The magic bytes differ.
    Magic,
    /// A version that this program does not know.
    Version(u8),
    /// An unknown number of a kind.
    Kind(u8),
    /// Unknown numbers of a scheme and parameter set.
    Unknown {
        /// The number of the scheme.
        scheme: u16,
        /// The number of the parameter set.
        parameters: u16,
    },
    /// The scheme has no objects of that kind.
    Purpose {
        /// The kind.
        kind: Kind,
        /// The scheme.
        name: &'static str,
        /// The scheme's purpose.
        purpose: Purpose,
    },
    /// A field that scheme and parameters determine has another value.
    Field {
        /// The field.
        what: &'static str,
        /// The scheme.
        name: &'static str,
        /// The value.
        found: u64,
        /// The value it must have.
        expected: u64,
    },
    /// A body longer than [`MAX_BODY_BYTES`].
    Length(u64),
    /// The end of the object is missing.
    Truncated {
        /// Bytes of the object, or of a header if not even that is complete.
        expected: usize,
        /// The number of bytes found.
        actual: usize,
    },
    /// Bytes follow the object.
    Extended {
        /// Bytes of the object.
        expected: usize,
    },
    /// Header or body was changed.
    Digest,
    /// A valid object of another kind.
    WrongKind {
        /// The expected kind.
        expected: Kind,
        /// The kind found.
        found: Kind,
    },
}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("this is no object of ringwork: those begin with RINGWORK"),
            Self::Version(found) => write!(f, "this has version {found}, and this program reads version {VERSION}"),
            Self::Kind(found) => {
                let (first, last) = (Kind::ALL[0] as u8, Kind::ALL[Kind::ALL.len() - 1] as u8);
                write!(f, "kind {found} is not known: kinds are {first} to {last}")
            }
            Self::Unknown { scheme, parameters } => {
                write!(f, "scheme {scheme} with parameters {parameters} is not known to this program")
            }
            Self::Purpose { kind, name, purpose } => write!(f, "{name} is for {purpose}: it has no {kind}"),
            Self::Field { what, name, found, expected } => {
                write!(f, "{what} is {found}, and for {name} it must be {expected}")
            }
            Self::Length(length) => write!(f, "a body of {length} bytes: it has {MAX_BODY_BYTES} at most"),
            Self::Truncated { expected, actual } => {
                write!(f, "truncated: there must be {expected} bytes, and there are {actual}")
            }
            Self::Extended { expected } => write!(f, "there are bytes behind the end, which is after {expected}"),
            Self::Digest => f.write_str("the digest does not match: header or body were changed"),
            Self::WrongKind { expected, found } => {
                write!(f, "this is {}, and {} is needed", found.with_article(), expected.with_article())
            }
        }
    }
}

impl core::error::Error for ObjectError {}
