//! Commitments to bytes, with keys, commitments, openings and proofs as bytes.
//!
//! ```text
//! message     coefficient 0: how many bytes; then these as bits, ⌊log2 q⌋ in each coefficient; the rest zero
//! key         seed                            32 bytes
//! commitment  seed ‖ c1 ‖ c2
//! opening     message ‖ randomness ‖ factor
//! proof       number of commitments ‖ 1 if their messages are equal, else 0 ‖ t ‖ u ‖ z
//! ```
//!
//! The seed travels within the commitment, so that nothing else is needed to verify. Any seed will do that is not made
//! for cheating, since all of the key is hashed from it; of [`default_seed`] everybody can see how it was made.

use super::{Refused, by_name};
use crate::{
    bits,
    estimate::{self, Estimate},
    object::Description,
    schemes::bdlop::{
        self, BAKKEBO_1024, Commitment, CommitmentKey, Error as SchemeError, MAX_COMMITMENTS, Opening, Parameters,
        Relation, Statement,
    },
    xof::sha3_256,
};
use core::fmt;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Bytes of the seed of a key.
const SEED_BYTES: usize = 32;
/// Words in which every set has a plan.
type Word = i64;
type Key = CommitmentKey<Word>;

/// The text of which [`default_seed`] is the digest.
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

/// A set of parameters for commitments.
#[derive(Clone, Debug)]
pub struct Commitments {
    description: &'static Description,
    parameters: Parameters,
}

impl Commitments {
    /// The set of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        let description = by_name(name)?;
        let benchmark = Some(BAKKEBO_1024).filter(|p| p.name() == name);
        Some(Self { description, parameters: Parameters::by_name(name).or(benchmark)? })
    }

    /// What headers say of it.
    pub const fn description(&self) -> &'static Description {
        self.description
    }

    /// The parameters.
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Bytes of a message at most.
    pub const fn capacity(&self) -> usize {
        (self.coefficients() * self.width() as usize) >> 3
    }

    /// Why nobody should trust these commitments, if there is a reason.
    pub fn research_reason(&self) -> Option<String> {
        self.parameters.is_insecure().then(|| {
            format!(
                "{} is for measuring: nothing says that its commitments bind, and nothing can be proved about them",
                self.description.name
            )
        })
    }

    /// What it costs to learn something about a message. **Errors** if no attack of the model is within reach.
    pub fn hiding(&self) -> Result<Estimate, estimate::Error> {
        self.parameters.hiding()
    }

    /// What it costs to open a commitment to two messages. **Errors** if no attack of the model is within reach.
    pub fn binding(&self) -> Result<Estimate, estimate::Error> {
        self.parameters.binding()
    }

    /// The seed that bytes of a key are. **Errors** if there are not 32.
    pub fn seed_of_key(&self, key: &[u8]) -> Result<[u8; SEED_BYTES], Error> {
        key.try_into()
            .map_err(|_| malformed(format!("a commitment key has {SEED_BYTES} bytes, this has {}", key.len())))
    }

    /// The seed of the key with which a commitment was made. **Errors** if the bytes are no commitment.
    pub fn check_commitment(&self, commitment: &[u8]) -> Result<[u8; SEED_BYTES], Error> {
        Ok(*self.read_commitment(commitment)?.0.seed())
    }

    /// **Errors** if the bytes are no opening; whether they open anything is another question.
    pub fn check_opening(&self, opening: &[u8]) -> Result<(), Error> {
        self.key(&default_seed()).opening_from_bytes(opening)?;
        Ok(())
    }

    /// What a proof is a proof of, in words; whether it holds is another question.
    pub fn claim_of(&self, proof: &[u8]) -> Result<String, Error> {
        let ([count, equal], _) = split_proof(proof)?;
        Ok(claim(*count, *equal))
    }

    fn seed_of_commitment(&self, commitment: &[u8]) -> Result<[u8; SEED_BYTES], Error> {
        let seed = commitment.first_chunk().ok_or_else(|| malformed("a commitment begins with a seed of 32 bytes"))?;
        Ok(*seed)
    }

    /// A commitment to bytes with the key of a seed, and its opening.
    ///
    /// **Errors** if there are too many bytes.
    pub fn commit<R: CryptoRng>(
        &self,
        seed: &[u8; SEED_BYTES],
        message: &[u8],
        rng: &mut R,
    ) -> Result<(Vec<u8>, Zeroizing<Vec<u8>>), Error> {
        let key = self.key(seed);
        let message = key.message(&self.encode(message)?)?;
        let (commitment, opening) = key.commit(message, rng)?;
        Ok(([seed, &*key.commitment_to_bytes(&commitment)].concat(), key.opening_to_bytes(&opening)?))
    }

    /// The message to which an opening opens a commitment.
    ///
    /// **Errors** if bytes are malformed, and if it does not open it.
    pub fn open(&self, commitment: &[u8], opening: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let (key, commitment) = self.read_commitment(commitment)?;
        let opening = key.opening_from_bytes(opening)?;
        key.open(&commitment, &opening)?;
        self.decode(opening.message().words())
    }

    /// A proof that somebody can open these commitments, and if so asked that the messages of two are equal.
    ///
    /// **Errors** if bytes are malformed, if an opening does not open its commitment, or if the messages are not equal.
    pub fn prove<R: CryptoRng>(
        &self,
        commitments: &[&[u8]],
        openings: &[&[u8]],
        equal: bool,
        context: &[u8],
        rng: &mut R,
    ) -> Result<Vec<u8>, Error> {
        let (key, commitments) = self.read_commitments(commitments)?;
        let openings =
            openings.iter().map(|bytes| key.opening_from_bytes(bytes)).collect::<Result<Vec<Opening<_>>, _>>()?;
        let relation = self.relation(&key, commitments.len(), equal)?;
        let statement = Statement { commitments: &commitments, relation: relation.as_ref(), context };
        let proof = key.prove(&statement, &openings, rng)?;
        let head = [commitments.len() as u8, equal.into()];
        Ok([&head[..], &key.proof_to_bytes(&proof)].concat())
    }

    /// Verifies such a proof.
    ///
    /// **Errors** if bytes are malformed, if it is a proof of something else, or if it does not hold.
    pub fn verify(&self, commitments: &[&[u8]], equal: bool, context: &[u8], proof: &[u8]) -> Result<(), Error> {
        let (key, commitments) = self.read_commitments(commitments)?;
        let (head, proof) = split_proof(proof)?;
        let asked = [commitments.len() as u8, equal.into()];
        if *head != asked {
            let [of, about] = [*head, asked].map(|[count, equal]| claim(count, equal));
            return Err(Error::Negative(format!("this is a proof that {of}, and not that {about}")));
        }
        let relation = self.relation(&key, commitments.len(), equal)?;
        let statement = Statement { commitments: &commitments, relation: relation.as_ref(), context };
        let proof = key.proof_from_bytes(&statement, proof)?;
        Ok(key.verify(&statement, &proof)?)
    }

    fn key(&self, seed: &[u8; SEED_BYTES]) -> Key {
        Key::new(self.parameters, seed).expect("words of 64 bits have a plan for every set")
    }

    fn read_commitment(&self, bytes: &[u8]) -> Result<(Key, Commitment<Word>), Error> {
        let key = self.key(&self.seed_of_commitment(bytes)?);
        let commitment = key.commitment_from_bytes(&bytes[SEED_BYTES..])?;
        Ok((key, commitment))
    }

    /// Commitments of one key.
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

    /// `m_1 - m_2 = 0`, or none.
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

    fn encode(&self, message: &[u8]) -> Result<Zeroizing<Vec<u64>>, Error> {
        let (capacity, actual) = (self.capacity(), message.len());
        if actual > capacity {
            return Err(Error::TooLong { capacity, actual });
        }
        let mut padded = Zeroizing::new(vec![0; bits::bytes(self.coefficients(), self.width())]);
        padded[..actual].copy_from_slice(message);
        let mut values = Zeroizing::new(Vec::with_capacity(1 + self.coefficients()));
        values.push(actual as u64);
        values
            .extend(bits::unpack("a message", &padded, self.width(), self.coefficients()).expect("padded with zeros"));
        Ok(values)
    }

    /// **Errors** if the message is not what [`encode`](Self::encode) makes. In variable time: it is shown.
    fn decode(&self, message: &[Word]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let no_bytes = || malformed("the opening is to polynomials that are no string of bytes");
        let length =
            usize::try_from(message[0]).ok().filter(|length| *length <= self.capacity()).ok_or_else(no_bytes)?;
        if message[1..].iter().any(|x| x >> self.width() != 0) {
            return Err(no_bytes());
        }
        let mut bytes = Zeroizing::new(Vec::with_capacity(bits::bytes(self.coefficients(), self.width())));
        bits::pack(message[1..].iter().map(|x| *x as u64), self.width(), &mut bytes);
        if bytes[length..].iter().any(|byte| *byte != 0) {
            return Err(no_bytes());
        }
        bytes.truncate(length);
        Ok(bytes)
    }
}

/// What a proof is of, and the rest. **Errors** if no statement is like that.
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
    /// Bytes that are not what they should be.
    Malformed(Refused),
    /// The answer is no: it does not open, it does not prove.
    Negative(String),
    /// A message that does not fit.
    TooLong {
        /// Bytes that fit.
        capacity: usize,
        /// Bytes that there are.
        actual: usize,
    },
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
    fn messages_there_and_back() {
        for name in ["bdlop-1024", "bdlop-1024-4", "bdlop-2048", "bakkebo-1024"] {
            let set = Commitments::by_name(name).unwrap();
            for length in [0, 1, 3, 31, 32, 1000, set.capacity()] {
                let message: Vec<u8> = (0..length).map(|i| (i * 7 + 255) as u8).collect();
                let values = set.encode(&message).unwrap();
                assert!(values.iter().all(|x| *x < set.parameters().q()));
                let words: Vec<i64> = values.iter().map(|x| *x as i64).collect();
                assert_eq!(*set.decode(&words).unwrap(), message);
                let changed = |index: usize, value: i64| {
                    let mut words = words.clone();
                    words[index] = value;
                    set.decode(&words).map(|bytes| bytes.to_vec())
                };
                assert!(changed(0, set.capacity() as i64 + 1).is_err(), "too long");
                assert!(changed(1, 1 << set.width()).is_err(), "too large");
                if length < set.capacity() >> 1 {
                    assert!(changed(set.coefficients(), 1).is_err(), "not zero behind the message");
                }
            }
            let (capacity, actual) = (set.capacity(), set.capacity() + 1);
            assert_eq!(set.encode(&vec![0; actual]).unwrap_err(), Error::TooLong { capacity, actual });
        }
    }
}
