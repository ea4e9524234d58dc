//! Errors of decoders: why they refuse bytes.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

/// Why a decoder refused bytes. Nothing was decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// Wrong number of bytes.
    Length {
        /// The object that was to be decoded.
        what: &'static str,
        /// The required length.
        expected: usize,
        /// The length found.
        actual: usize,
    },
    /// A number is not below its bound, as a canonical encoding requires.
    Value {
        /// The object that was to be decoded.
        what: &'static str,
        /// Index of the number.
        index: usize,
        /// The number.
        value: u64,
        /// The bound.
        bound: u64,
    },
    /// Coefficients instead of slots of a transform, or the reverse, or slots of another depth.
    Form {
        /// The object that was to be decoded.
        what: &'static str,
        /// The required depth of slots; `None` for coefficients.
        expected: Option<u32>,
        /// The depth found; `None` for coefficients.
        found: Option<u32>,
    },
    /// Bits after the last number are not zero.
    Padding(&'static str),
    /// The bytes end within a number, or continue after the last one.
    End(&'static str),
    /// A saved secret is damaged. The position is not reported.
    Secret(&'static str),
    /// A secret key and the public key saved with it do not belong together.
    Mismatch,
    /// The ciphertext was not made by encapsulation for this key. No more is reported.
    Rejected,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { what, expected, actual } => write!(f, "{what} has {expected} bytes, this has {actual}"),
            Self::Value { what, index, value, bound } => {
                write!(f, "{what}: number {index} is {value}, not below {bound}")
            }
            Self::Form { what, expected, found } => {
                write!(f, "{what} of {} is wanted, and this one is of {}", FormOf(*expected), FormOf(*found))
            }
            Self::Padding(what) => write!(f, "{what}: the bits behind the last number are not zero"),
            Self::End(what) => write!(f, "{what} ends within a number, or goes on behind the last one"),
            Self::Secret(what) => write!(f, "{what} is damaged: no key or message is saved like that"),
            Self::Mismatch => {
                f.write_str("the secret key and the public key that is saved with it do not belong together")
            }
            Self::Rejected => f.write_str("the ciphertext is rejected: it was not made for this key"),
        }
    }
}

impl DecodeError {
    /// The same of numbers that stand behind so many others.
    #[must_use]
    pub(crate) const fn behind(self, others: usize) -> Self {
        match self {
            Self::Value { what, index, value, bound } => Self::Value { what, index: index + others, value, bound },
            other => other,
        }
    }
}

/// The form of an object, by the depth of its slots.
struct FormOf(Option<u32>);

impl fmt::Display for FormOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("coefficients"),
            Some(depth) => write!(f, "slots of depth {depth}"),
        }
    }
}

impl core::error::Error for DecodeError {}

/// Refuses bytes of another length.
pub(crate) const fn check_length(what: &'static str, expected: usize, bytes: &[u8]) -> Result<(), DecodeError> {
    let actual = bytes.len();
    if actual == expected { Ok(()) } else { Err(DecodeError::Length { what, expected, actual }) }
}

/// Refuses a saved secret with a wrong digest; the answer is public.
#[cfg(feature = "research")]
pub(crate) fn undamaged(what: &'static str, expected: &[u8], found: &[u8]) -> Result<(), DecodeError> {
    if crate::ct::same(expected, found).into() { Ok(()) } else { Err(DecodeError::Secret(what)) }
}

/// The same bytes if they have the right length.
#[cfg(feature = "research")]
pub(crate) fn sized<'a, const L: usize>(what: &'static str, bytes: &'a [u8]) -> Result<&'a [u8; L], DecodeError> {
    bytes.try_into().map_err(|_| DecodeError::Length { what, expected: L, actual: bytes.len() })
}

/// The error for numbers if some number is not below the bound.
pub(crate) fn refusal(what: &'static str, numbers: impl IntoIterator<Item = u64>, bound: u64) -> DecodeError {
    let mut numbers = numbers.into_iter().enumerate();
    let (index, value) = numbers.find(|&(_, value)| value >= bound).expect("some number is not below its bound");
    DecodeError::Value { what, index, value, bound }
}

/// Items of a batch computed together: as many as are hashed side by side. More would not fit the first-level cache.
#[cfg(feature = "alloc")]
pub(crate) const TOGETHER: usize = 4;

/// The answers for items that pass a check, and the errors of the others, by groups.
#[cfg(feature = "alloc")]
pub(crate) fn answers<T: Copy, A>(
    items: &[T],
    check: impl Fn(&T) -> Result<(), DecodeError>,
    answer: impl FnMut(&[T]) -> Vec<Result<A, DecodeError>>,
) -> Vec<Result<A, DecodeError>> {
    let checked: Vec<_> = items.iter().map(check).collect();
    let good: Vec<_> = items.iter().zip(&checked).filter(|(_, check)| check.is_ok()).map(|(item, _)| *item).collect();
    let mut answers = good.chunks(TOGETHER).flat_map(answer);
    checked.into_iter().map(|check| check.and_then(|()| answers.next().expect("an answer for each"))).collect()
}
