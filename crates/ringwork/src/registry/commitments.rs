//! Commitments to bytes, with keys, commitments, openings and proofs as bytes.
//!
//! ```text
//! message     coefficient 0: how many bytes, modulo q the negative of that for a digest; then the bytes as bits,
//!             ⌊log2 q⌋ in each coefficient; the rest zero
//! key         seed                            32 bytes
//! origin      bytes of the committer's name (8) ‖ name ‖ bytes of the context (8) ‖ context
//! commitment  seed ‖ c1 ‖ c2
//! opening     s (32 bytes) ‖ origin ‖ form ‖ message       form: 0 for bytes, 1 for the SHA3-256 of a longer message
//! proof       number of commitments ‖ 1 if their messages are equal, else 0 ‖ compact proof
//! ```
//!
//! The commitment contains the seed, so verification needs nothing else. Any seed works that was not chosen for
//! cheating, since the whole key is hashed from it; everybody can check how [`default_seed`] was made. It is one key
//! for all users: whoever breaks it breaks it for everybody.
//!
//! **Nobody else can use a commitment.** Commitments to polynomials can be copied and added: adding `δ` to the `c2` of
//! another party's commitment gives a commitment to `m + δ`, which can be opened once the original was opened. Here the
//! randomness is that of [`CommitmentKey::commit_derand`] for a seed which is SHAKE-256 of `"ringwork commitment"`, the
//! origin, the form, and `s`: a hash of the committer, the context and the message. Opening recomputes it and compares
//! the whole commitment. A copy opens under the name of its author alone, and a shifted one under no name. The receiver
//! of an opening states the expected committer and context. (The Fujisaki–Okamoto transform makes encryption
//! non-malleable by the same idea.)
//!
//! Commitments are to the messages themselves, so that relations between them can be proved. The form is part of what
//! is committed to: a long message, whose digest is committed to, and that digest as a message are not equal. The context of a proof is
//! the origin that the verifier expects. A proof is about polynomials: its maker knew short randomness for these
//! commitments. It does not prove that an opening as above exists.

use super::{Refused, by_name};
use crate::{
    bits, ct,
    estimate::{self, Estimate},
    object::Description,
    schemes::bdlop::{
        self, Commitment, CommitmentKey, Error as SchemeError, MAX_COMMITMENTS, Opening, Parameters, Relation,
        Statement,
    },
    xof::{derived_seed, sha3_256},
};
use core::fmt;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Bytes of the seed of a key.
const SEED_BYTES: usize = 32;
/// Words for which every set has a plan.
type Word = i64;
type Key = CommitmentKey<Word>;

/// The text whose digest is [`default_seed`].
pub const DEFAULT_SEED_TEXT: &str = "ringwork commitment key 1";

/// SHA3-256 of [`DEFAULT_SEED_TEXT`].
pub fn default_seed() -> [u8; SEED_BYTES] {
    sha3_256(DEFAULT_SEED_TEXT.as_bytes())
}

/// A random seed for a key.
pub fn fresh_seed<R: CryptoRng>(rng: &mut R) -> [u8; SEED_BYTES] {
    let mut seed = [0; SEED_BYTES];
    rng.fill_bytes(&mut seed);
    seed
}

/// The committer or prover, and the context: names that the parties agree on, any bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The committer.
    pub committer: &'a [u8],
    /// The context: an auction, a session.
    pub context: &'a [u8],
}

impl<'a> Origin<'a> {
    fn to_bytes(self) -> Vec<u8> {
        let length = |part: &[u8]| (part.len() as u64).to_le_bytes();
        [&length(self.committer)[..], self.committer, &length(self.context), self.context].concat()
    }

    /// The origin at the beginning of `bytes`, and the rest.
    fn split(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let part = |bytes: &'a [u8]| {
            let (length, rest) = bytes.split_first_chunk()?;
            rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
        };
        let (committer, rest) = part(bytes)?;
        let (context, rest) = part(rest)?;
        Some((Self { committer, context }, rest))
    }
}

impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [committer, context] = [self.committer, self.context].map(String::from_utf8_lossy);
        write!(f, "{committer:?} for {context:?}")
    }
}

impl fmt::Debug for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The form of the committed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The message.
    Bytes = 0,
    /// The SHA3-256 of the message.
    Digest = 1,
}

/// A parsed opening.
struct Saved<'a> {
    s: &'a [u8; SEED_BYTES],
    origin: Origin<'a>,
    form: Form,
    message: &'a [u8],
}

impl<'a> Saved<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let read = || {
            let (s, rest) = bytes.split_first_chunk()?;
            let (origin, rest) = Origin::split(rest)?;
            let (form, message) = rest.split_first()?;
            let form = [Form::Bytes, Form::Digest].into_iter().find(|known| *known as u8 == *form)?;
            Some(Self { s, origin, form, message })
        };
        read().ok_or_else(|| malformed("the opening is damaged: it ends too early, or is of no known form"))
    }
}

/// A parameter set for commitments.
#[derive(Clone, Debug)]
pub struct Commitments {
    description: &'static Description,
    parameters: Parameters,
}

impl Commitments {
    /// Looks up a set by its name.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(Self { description: by_name(name)?, parameters: Parameters::by_name(name)? })
    }

    /// Its description in headers.
    pub const fn description(&self) -> &'static Description {
        self.description
    }

    /// The parameters.
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The largest number of bytes in a message.
    pub const fn capacity(&self) -> usize {
        (self.coefficients() * self.width() as usize) >> 3
    }

    /// Why nobody should trust these commitments; `None` if there is no reason.
    pub fn research_reason(&self) -> Option<String> {
        self.parameters.weakness()
    }

    /// The cost of learning something about a message. **Errors** if no attack of the model succeeds.
    pub fn hiding(&self) -> Result<Estimate, estimate::Error> {
        self.parameters.hiding()
    }

    /// The cost of opening a commitment to two messages. **Errors** if no attack of the model succeeds.
    pub fn binding(&self) -> Result<Estimate, estimate::Error> {
        self.parameters.binding()
    }

    /// The bytes of a key as a seed. **Errors** if there are not 32.
    pub fn seed_of_key(&self, key: &[u8]) -> Result<[u8; SEED_BYTES], Error> {
        key.try_into()
            .map_err(|_| malformed(format!("a commitment key has {SEED_BYTES} bytes, this has {}", key.len())))
    }

    /// The seed of a commitment's key. **Errors** if the bytes are not a commitment.
    pub fn check_commitment(&self, commitment: &[u8]) -> Result<[u8; SEED_BYTES], Error> {
        Ok(*self.read_commitment(commitment)?.0.seed())
    }

    /// **Errors** if the bytes are not an opening; does not check that they open anything.
    pub fn check_opening(&self, opening: &[u8]) -> Result<(), Error> {
        let saved = Saved::read(opening)?;
        self.encode(saved.form, saved.message).map(drop)
    }

    /// The origin of an opening. **Errors** if the bytes are not an opening.
    pub fn origin_of<'a>(&self, opening: &'a [u8]) -> Result<Origin<'a>, Error> {
        Ok(Saved::read(opening)?.origin)
    }

    /// The statement of a proof, in words; does not check that the proof holds.
    pub fn claim_of(&self, proof: &[u8]) -> Result<String, Error> {
        let ([count, equal], _) = split_proof(proof)?;
        Ok(claim(*count, *equal))
    }

    fn seed_of_commitment(&self, commitment: &[u8]) -> Result<[u8; SEED_BYTES], Error> {
        let seed = commitment.first_chunk().ok_or_else(|| malformed("a commitment begins with a seed of 32 bytes"))?;
        Ok(*seed)
    }

    /// Commits to bytes with the key of a seed; returns the commitment and its opening.
    ///
    /// **Constant time:** yes, except for the length of the message. **Errors** if there are too many bytes.
    pub fn commit<R: CryptoRng>(
        &self,
        seed: &[u8; SEED_BYTES],
        origin: Origin<'_>,
        form: Form,
        message: &[u8],
        rng: &mut R,
    ) -> Result<(Vec<u8>, Zeroizing<Vec<u8>>), Error> {
        let (key, s, names) = (self.key(seed), ct::fresh_seed(rng), origin.to_bytes());
        let (commitment, _) = self.recommit(&key, &Saved { s: &s, origin, form, message })?;
        let mut opening = Zeroizing::new(Vec::with_capacity(SEED_BYTES + names.len() + 1 + message.len()));
        [&s[..], &names, &[form as u8], message].iter().for_each(|part| opening.extend_from_slice(part));
        Ok(([seed, &*key.commitment_to_bytes(&commitment)].concat(), opening))
    }

    /// The form and the message to which an opening opens a commitment of that origin.
    ///
    /// **Errors** if bytes are malformed, if the opening has another origin, or if it does not open the commitment.
    /// Variable time: the opening is public.
    pub fn open(
        &self,
        commitment: &[u8],
        opening: &[u8],
        origin: Origin<'_>,
    ) -> Result<(Form, Zeroizing<Vec<u8>>), Error> {
        let saved = Saved::read(opening)?;
        if saved.origin != origin {
            let found = saved.origin;
            return Err(Error::Negative(format!("the opening is by {found}, and one by {origin} was asked for")));
        }
        let (key, commitment) = self.read_commitment(commitment)?;
        if self.recommit(&key, &saved)?.0 != commitment {
            return Err(does_not_open());
        }
        Ok((saved.form, Zeroizing::new(saved.message.to_vec())))
    }

    /// The commitment that an opening opens, and its opening as polynomials.
    fn recommit(&self, key: &Key, saved: &Saved<'_>) -> Result<(Commitment<Word>, Opening<Word>), Error> {
        let message = key.message(&self.encode(saved.form, saved.message)?)?;
        let seed = derived_seed(&[b"ringwork commitment", &saved.origin.to_bytes(), &[saved.form as u8], saved.s]);
        Ok(key.commit_derand(message, &seed)?)
    }

    /// Proves that the prover can open these commitments and, if `equal`, that the messages of two are equal; bound to
    /// the prover and the context.
    ///
    /// **Errors** if bytes are malformed, if an opening does not open its commitment, or if the messages are not equal.
    pub fn prove<R: CryptoRng>(
        &self,
        commitments: &[&[u8]],
        openings: &[&[u8]],
        equal: bool,
        origin: Origin<'_>,
        rng: &mut R,
    ) -> Result<Vec<u8>, Error> {
        let (key, commitments) = self.read_commitments(commitments)?;
        let (expected, actual) = (commitments.len(), openings.len());
        if actual != expected {
            return Err(malformed(format!("{expected} commitments have as many openings, not {actual}")));
        }
        let opened = |(commitment, opening): (&Commitment<_>, &&[u8])| {
            let (again, opening) = self.recommit(&key, &Saved::read(opening)?)?;
            if again == *commitment { Ok(opening) } else { Err(does_not_open()) }
        };
        let openings = commitments.iter().zip(openings).map(opened).collect::<Result<Vec<_>, Error>>()?;
        let relation = self.relation(&key, commitments.len(), equal)?;
        let context = origin.to_bytes();
        let statement = Statement { commitments: &commitments, relation: relation.as_ref(), context: &context };
        let proof = key.prove(&statement, &openings, rng)?;
        let head = [commitments.len() as u8, equal.into()];
        Ok([&head[..], &key.proof_to_compact_bytes(&statement, &proof)].concat())
    }

    /// Verifies such a proof.
    ///
    /// **Errors** if bytes are malformed, if the proof is of another statement, or if it does not hold.
    pub fn verify(&self, commitments: &[&[u8]], equal: bool, origin: Origin<'_>, proof: &[u8]) -> Result<(), Error> {
        let (key, commitments) = self.read_commitments(commitments)?;
        let (head, proof) = split_proof(proof)?;
        let asked = [commitments.len() as u8, equal.into()];
        if *head != asked {
            let [of, about] = [*head, asked].map(|[count, equal]| claim(count, equal));
            return Err(Error::Negative(format!("this is a proof that {of}, and not that {about}")));
        }
        let relation = self.relation(&key, commitments.len(), equal)?;
        let context = origin.to_bytes();
        let statement = Statement { commitments: &commitments, relation: relation.as_ref(), context: &context };
        Ok(key.verify_compact(&statement, proof)?)
    }

    fn key(&self, seed: &[u8; SEED_BYTES]) -> Key {
        Key::new(self.parameters, seed).expect("words of 64 bits have a plan for every set")
    }

    fn read_commitment(&self, bytes: &[u8]) -> Result<(Key, Commitment<Word>), Error> {
        let key = self.key(&self.seed_of_commitment(bytes)?);
        let commitment = key.commitment_from_bytes(&bytes[SEED_BYTES..])?;
        Ok((key, commitment))
    }

    /// Parses commitments with the same key.
    fn read_commitments(&self, commitments: &[&[u8]]) -> Result<(Key, Vec<Commitment<Word>>), Error> {
        let first = commitments.first().ok_or_else(|| malformed("no commitment was given"))?;
        let seed = self.seed_of_commitment(first)?;
        let key = self.key(&seed);
        let read = |bytes: &&[u8]| {
            if self.seed_of_commitment(bytes)? != seed {
                return Err(malformed("the commitments were made with different keys: nothing joins them"));
            }
            Ok(key.commitment_from_bytes(&bytes[SEED_BYTES..])?)
        };
        let commitments = commitments.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok((key, commitments))
    }

    /// `m_1 - m_2 = 0`, or `None`.
    fn relation(&self, key: &Key, count: usize, equal: bool) -> Result<Option<Relation<Word>>, Error> {
        if !equal {
            return Ok(None);
        }
        if count != 2 {
            return Err(malformed(format!("messages of two commitments are compared, and these are {count}")));
        }
        let (n, minus_one) = (self.parameters.n(), self.parameters.q() as Word - 1);
        let coefficients = crate::module::Vector::filled(n, 2, |words| {
            words[0] = 1;
            words[n] = minus_one;
        });
        Ok(Some(Relation { coefficients, value: key.message(&[])? }))
    }

    /// Coefficients for the bytes of a message.
    const fn coefficients(&self) -> usize {
        let [_, _, l] = self.parameters.shape();
        self.parameters.n() * l - 1
    }

    /// Bits of a message in each coefficient.
    const fn width(&self) -> u32 {
        self.parameters.q().ilog2()
    }

    fn encode(&self, form: Form, message: &[u8]) -> Result<Zeroizing<Vec<u64>>, Error> {
        let (capacity, actual) = (self.capacity(), message.len());
        if actual > capacity {
            return Err(Error::TooLong { capacity, actual });
        }
        let mut padded = Zeroizing::new(vec![0; bits::bytes(self.coefficients(), self.width())]);
        padded[..actual].copy_from_slice(message);
        let mut values = Zeroizing::new(Vec::with_capacity(1 + self.coefficients()));
        values.push(match form {
            Form::Digest if actual != 0 => self.parameters.q() - actual as u64,
            _ => actual as u64,
        });
        values
            .extend(bits::unpack("a message", &padded, self.width(), self.coefficients()).expect("padded with zeros"));
        Ok(values)
    }
}

/// The statement of a proof, and the rest. **Errors** if there is no such statement.
fn split_proof(proof: &[u8]) -> Result<(&[u8; 2], &[u8]), Error> {
    const MOST: u8 = MAX_COMMITMENTS as u8;
    match proof.split_first_chunk() {
        Some((head @ ([1..=MOST, 0] | [2, 1]), rest)) => Ok((head, rest)),
        _ => Err(malformed("a proof begins with the number of its commitments and 0, or with 2 and 1")),
    }
}

fn claim(count: u8, equal: u8) -> String {
    match (count, equal) {
        (1, 0) => "somebody can open one commitment".into(),
        (_, 0) => format!("somebody can open {count} commitments"),
        _ => format!("the messages of {count} commitments are equal"),
    }
}

/// Why something was not made, read or accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Malformed bytes.
    Malformed(Refused),
    /// The check failed: the opening does not open, or the proof does not hold.
    Negative(String),
    /// The message is too long.
    TooLong {
        /// The largest number of bytes.
        capacity: usize,
        /// The actual number of bytes.
        actual: usize,
    },
}

fn does_not_open() -> Error {
    Error::Negative("it does not open this commitment: another commitment, or a changed opening".into())
}

fn malformed(why: impl fmt::Display) -> Error {
    Error::Malformed(Refused::because(why))
}

impl From<SchemeError> for Error {
    fn from(e: SchemeError) -> Self {
        match e {
            bdlop::Error::Norm { .. } | bdlop::Error::Factor | bdlop::Error::Equation(_) | bdlop::Error::Witness(_) => {
                Self::Negative(e.to_string())
            }
            _ => malformed(e),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => why.fmt(f),
            Self::Negative(why) => f.write_str(why),
            Self::TooLong { capacity, actual } => write!(
                f,
                "a message of {actual} bytes does not fit: {capacity} do; take a larger set, or commit to its digest"
            ),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_tell_the_bytes_and_their_number() {
        for name in Parameters::ALL.map(|parameters| parameters.name()) {
            let set = Commitments::by_name(name).unwrap();
            assert_eq!(set.research_reason(), None);
            for length in [0, 1, 3, 31, 32, 1000, set.capacity()] {
                let message: Vec<u8> = (0..length).map(|i| (i * 7 + 255) as u8).collect();
                let values = set.encode(Form::Bytes, &message).unwrap();
                assert!(values.iter().all(|x| *x < set.parameters().q()));
                let mut bytes = Vec::new();
                bits::pack(values[1..].iter().copied(), set.width(), &mut bytes);
                assert_eq!((values[0], &bytes[..length]), (length as u64, &message[..]));
                assert!(bytes[length..].iter().all(|byte| *byte == 0));
            }
            let (capacity, actual) = (set.capacity(), set.capacity() + 1);
            assert_eq!(set.encode(Form::Bytes, &vec![0; actual]).unwrap_err(), Error::TooLong { capacity, actual });
        }
    }

    #[test]
    fn origins_are_read_as_they_were_written() {
        for (committer, context) in [("", ""), ("a", "bc"), ("ab", "c"), ("\u{0}", "x")] {
            let origin = Origin { committer: committer.as_bytes(), context: context.as_bytes() };
            let bytes = [&origin.to_bytes()[..], b"rest"].concat();
            assert_eq!(Origin::split(&bytes), Some((origin, &b"rest"[..])));
            for length in 0..bytes.len() - 4 {
                assert_eq!(Origin::split(&bytes[..length]), None);
            }
        }
        assert_eq!(Origin::split(&[0xFF; 20]), None);
    }
}
