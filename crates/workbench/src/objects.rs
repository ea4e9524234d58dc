//! Objects of the library as files.

use crate::{fault::Fault, files};
use ringwork::{
    Backend,
    estimate::{self, CoreSvp, Estimate},
    object::{HEADER_BYTES, Header, Kind, ObjectError},
    registry::{self, Commitments, Encapsulation, Error, Exchange},
};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    fmt,
    io::Read,
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// An object that was read from a file and accepted.
pub(crate) struct Loaded {
    pub(crate) path: PathBuf,
    pub(crate) header: Header<'static>,
    /// Wiped, since it may be a secret.
    bytes: Zeroizing<Vec<u8>>,
}

impl Loaded {
    /// The file's object of that kind; nothing may stand behind it.
    pub(crate) fn read(path: &Path, kind: Kind) -> Result<Self, Fault> {
        let mut source = files::open(path)?;
        let loaded = Self::read_first(path, &mut *source, Some(kind))?;
        loaded.expect_end(&mut *source)?;
        Ok(loaded)
    }

    /// The object with which a source begins, of any kind or of that one.
    pub(crate) fn read_first(path: &Path, source: &mut dyn Read, kind: Option<Kind>) -> Result<Self, Fault> {
        let refused = |e: ObjectError| files::refused(path, &e);
        let mut read = |bytes: &mut Vec<u8>, count: usize| {
            bytes.reserve_exact(count);
            source.take(count as u64).read_to_end(bytes).map_err(|e| files::unreadable(path, &e))
        };
        let mut bytes = Zeroizing::new(Vec::new());
        read(&mut bytes, HEADER_BYTES)?;
        let header = Header::decode(&bytes, &registry::KNOWN).map_err(refused)?;
        kind.map_or(Ok(()), |kind| header.expect(kind)).map_err(refused)?;
        read(&mut bytes, header.body_bytes)?;
        registry::decode(&bytes).map_err(refused)?;
        Ok(Self { path: path.into(), header, bytes })
    }

    /// Refuses bytes behind the object.
    pub(crate) fn expect_end(&self, source: &mut dyn Read) -> Result<(), Fault> {
        let mut byte = [0];
        match source.read(&mut byte).map_err(|e| files::unreadable(&self.path, &e))? {
            0 => Ok(()),
            _ => Err(self.refused(&ObjectError::Extended { expected: self.bytes.len() })),
        }
    }

    /// What the object holds.
    pub(crate) fn body(&self) -> &[u8] {
        &self.bytes[HEADER_BYTES..]
    }

    /// Its set, if it is about commitments.
    pub(crate) fn commitments(&self) -> Commitments {
        Commitments::by_name(self.header.description.name).expect("headers name known schemes, and kinds fit them")
    }

    /// Its scheme, if it is about key exchange.
    pub(crate) fn exchange(&self) -> Box<dyn Exchange> {
        let scheme = registry::exchange(self.header.description.name, Backend::best(), None);
        scheme.and_then(Result::ok).expect("headers name known schemes, and kinds fit them")
    }

    /// The object is not what it should be.
    pub(crate) fn refused(&self, e: &dyn std::fmt::Display) -> Fault {
        files::refused(&self.path, e)
    }
}

/// Objects of one kind and one set, which is that of the first of `all`.
pub(crate) fn read_all(paths: &[PathBuf], kind: Kind, first: Option<&Loaded>) -> Result<Vec<Loaded>, Fault> {
    let loaded = paths.iter().map(|path| Loaded::read(path, kind)).collect::<Result<Vec<_>, _>>()?;
    if let Some(first) = first.or(loaded.first()) {
        let wanted = first.header.description;
        if let Some(other) = loaded.iter().find(|l| l.header.description != wanted) {
            let (name, path) = (other.header.description.name, files::name(&first.path));
            return Err(other.refused(&format_args!("this is of the set {name}, and {path} of {}", wanted.name)));
        }
    }
    Ok(loaded)
}

/// The bodies of objects.
pub(crate) fn bodies(objects: &[Loaded]) -> Vec<&[u8]> {
    objects.iter().map(Loaded::body).collect()
}

/// Refuses what is for research unless that was asked for.
pub(crate) fn check_research(reason: Option<String>, asked: bool) -> Result<(), Fault> {
    match reason {
        Some(reason) if !asked => Err(Fault::Usage(format!("{reason}; --research does it all the same"))),
        _ => Ok(()),
    }
}

/// A scheme in one line, for users who entrust a file to it.
pub(crate) fn what_it_is(scheme: &dyn Encapsulation) -> String {
    let (name, cost) = (scheme.name(), Cost::of(scheme.security()));
    if name.starts_with(registry::MEASURING) {
        return format!(
            "{name} is FOR MEASURING, with parameters that nobody vouches for: {cost}; never for a file that matters"
        );
    }
    format!("{name} is a research construction, not a standard: {cost}; where a standard is wanted, take ML-KEM")
}

/// What the cheapest attack costs, or why there is none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Cost {
    /// There is an attack.
    Attack {
        /// The attack.
        attack: String,
        /// Block size of the reduction.
        beta: usize,
        /// log2 of the cost with a classical sieve.
        classical_bits: f64,
        /// log2 of the cost with a quantum sieve.
        quantum_bits: f64,
        /// How costs are counted.
        model: &'static str,
    },
    /// There is none.
    None {
        /// Why.
        none: String,
    },
}

impl Cost {
    pub(crate) fn of(estimate: Result<Estimate, estimate::Error>) -> Self {
        match estimate {
            Ok(Estimate { attack, beta, classical_bits, quantum_bits, .. }) => Self::Attack {
                attack: attack.to_string(),
                beta,
                classical_bits: rounded(classical_bits),
                quantum_bits: rounded(quantum_bits),
                model: CoreSvp::MODEL,
            },
            Err(e) => Self::None { none: e.to_string() },
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None { none } => write!(f, "none: {none}"),
            Self::Attack { attack, classical_bits, quantum_bits, model, .. } => {
                write!(f, "{classical_bits:.1} bits classical, {quantum_bits:.1} bits quantum ({attack}, {model})")
            }
        }
    }
}

/// To as many digits as an estimate deserves.
pub(crate) fn rounded(bits: f64) -> f64 {
    (bits * 1000.0).round() / 1000.0
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// 32 bytes from 64 hexadecimal digits.
pub(crate) fn seed(text: &str) -> Result<[u8; 32], String> {
    let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() == 64).ok_or("a seed is 64 hexadecimal digits")?;
    Ok(std::array::from_fn(|i| digits[2 * i] << 4 | digits[2 * i + 1]))
}

/// What is malformed or too long is the input's fault; the rest is an answer.
impl From<Error> for Fault {
    fn from(e: Error) -> Self {
        match e {
            Error::Negative(_) => Self::Negative(e.to_string()),
            _ => Self::Input(e.to_string()),
        }
    }
}
