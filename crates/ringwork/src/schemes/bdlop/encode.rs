//! Bytes of commitments, openings and proofs: packed polynomials, each with one canonical form. The
//! [module above](super) defines the format.

use super::{
    Error, Parameters,
    commit::{Commitment, CommitmentKey, Opening},
    proof::{Proof, Statement},
};
use crate::{
    bits::{Interval, Rice},
    decode::{DecodeError, check_length},
    module::Vector,
    sample::Word,
};
use zeroize::Zeroizing;

/// The range of a factor's coefficients.
const FACTOR: Interval = Interval::symmetric(2);

impl<T: Word> CommitmentKey<T> {
    /// Bytes of a commitment.
    pub fn commitment_bytes(&self) -> usize {
        let Parameters { d, l, .. } = self.parameters;
        self.module.packed_bytes(d + l)
    }

    /// `c1` and `c2`, packed as one string.
    pub fn commitment_to_bytes(&self, commitment: &Commitment<T>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let words = commitment.c1.words().iter().chain(commitment.c2.words());
        Interval::below(self.parameters.q).pack(words, &mut bytes);
        bytes
    }

    /// Parses the output of [`commitment_to_bytes`](Self::commitment_to_bytes).
    ///
    /// **Errors** if no commitment has these bytes.
    pub fn commitment_from_bytes(&self, bytes: &[u8]) -> Result<Commitment<T>, Error> {
        let Parameters { d, l, .. } = self.parameters;
        let both = self.module.unpack("a commitment", bytes, d + l)?;
        Ok(Commitment { c1: both.part(0..d), c2: both.part(d..d + l) })
    }

    /// Message, randomness, factor. Secret until the opening is published.
    ///
    /// **Errors** if they are not those of an opening, or words are too small for the allowed
    /// range.
    pub fn opening_to_bytes(&self, opening: &Opening<T>) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.check_words()?;
        self.check_sizes(opening)?;
        let mut bytes = Zeroizing::new(Vec::with_capacity(self.opening_bytes().iter().sum()));
        self.module.pack(&opening.message, &mut bytes);
        self.parameters.signed(4).pack(opening.randomness.words(), &mut bytes);
        FACTOR.pack(opening.factor.words(), &mut bytes);
        Ok(bytes)
    }

    /// Parses the output of [`opening_to_bytes`](Self::opening_to_bytes).
    ///
    /// **Errors** if no opening has these bytes.
    pub fn opening_from_bytes(&self, bytes: &[u8]) -> Result<Opening<T>, Error> {
        let Parameters { n, k, l, .. } = self.parameters;
        const WHAT: &str = "an opening";
        self.check_words()?;
        let [message, randomness, factor] = split(WHAT, bytes, self.opening_bytes())?;
        let read = || {
            Ok(Opening {
                message: self.module.unpack(WHAT, message, l)?,
                randomness: Vector::unpacked(WHAT, self.parameters.signed(4), randomness, n, k)?,
                factor: Vector::unpacked(WHAT, FACTOR, factor, n, 1)?,
            })
        };
        let opening = read().map_err(|_: DecodeError| DecodeError::Secret(WHAT))?;
        self.check_sizes(&opening)?;
        Ok(opening)
    }

    /// Sets for measuring may allow randomness that does not fit any word of `T`.
    fn check_words(&self) -> Result<(), Error> {
        if self.parameters.signed(4).fits(T::BITS) {
            return Ok(());
        }
        Err(Error::Parameters(format!("words of {} bits do not hold every opening of this set", T::BITS)))
    }

    fn opening_bytes(&self) -> [usize; 3] {
        let Parameters { n, k, l, .. } = self.parameters;
        [self.module.packed_bytes(l), self.parameters.signed(4).bytes(n * k), FACTOR.bytes(n)]
    }

    /// `t`, `u` if there is a relation, and `z`.
    pub fn proof_to_bytes(&self, proof: &Proof<T>) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.module.pack(&proof.t, &mut bytes);
        if let Some(u) = &proof.u {
            self.module.pack(u, &mut bytes);
        }
        self.parameters.signed(2).pack(proof.z.words(), &mut bytes);
        bytes
    }

    /// A proof a third shorter, for verifying one at a time: the digest that gives the challenge,
    /// and `z` in [`Rice`]'s code, with one low bit fewer than `σ` has bits.
    pub fn proof_to_compact_bytes(&self, statement: &Statement<'_, T>, proof: &Proof<T>) -> Vec<u8> {
        let mut bytes = self.digest(statement, &proof.t, proof.u.as_ref()).to_vec();
        self.parameters.rice().encode(proof.z.words(), &mut bytes);
        bytes
    }

    /// Verifies the output of [`proof_to_compact_bytes`](Self::proof_to_compact_bytes).
    ///
    /// **Errors** if no proof for such a statement has these bytes, or if they do not prove it.
    pub fn verify_compact(&self, statement: &Statement<'_, T>, bytes: &[u8]) -> Result<(), Error> {
        const WHAT: &str = "a proof";
        let Parameters { n, k, .. } = self.parameters;
        let (digest, z) = bytes.split_first_chunk().ok_or(DecodeError::End(WHAT))?;
        let mut answers = Vector::zeros(n, k * statement.commitments.len());
        self.parameters.rice().decode(WHAT, z, answers.words_mut())?;
        self.verify_answers(statement, digest, &answers)
    }

    /// Parses the output of [`proof_to_bytes`](Self::proof_to_bytes) for a statement.
    ///
    /// **Errors** if no proof for such a statement has these bytes.
    pub fn proof_from_bytes(&self, statement: &Statement<'_, T>, bytes: &[u8]) -> Result<Proof<T>, Error> {
        let (Parameters { n, k, d, l, .. }, count) = (self.parameters, statement.commitments.len());
        let answers = self.parameters.signed(2);
        let of_relation = statement.relation.map_or(0, |_| l);
        let sizes =
            [self.module.packed_bytes(count * d), self.module.packed_bytes(of_relation), answers.bytes(n * k * count)];
        let [t, u, z] = split("a proof", bytes, sizes)?;
        let u = self.module.unpack("u of a proof", u, of_relation)?;
        Ok(Proof {
            t: self.module.unpack("t of a proof", t, count * d)?,
            u: statement.relation.map(|_| u),
            z: Vector::unpacked("z of a proof", answers, z, n, k * count)?,
        })
    }
}

impl Parameters {
    /// The Rice code for answers, whose coefficients are about as large as `σ`.
    fn rice(&self) -> Rice {
        Rice::new((self.sigma() as u32).ilog2(), self.largest_coefficient(2))
    }

    /// The range of the coefficients of a polynomial of norm at most `factor·σ√n`.
    const fn signed(&self, factor: i128) -> Interval {
        Interval::symmetric(self.largest_coefficient(factor))
    }
}

/// The three pieces of a string of bytes.
fn split<'a>(what: &'static str, bytes: &'a [u8], sizes: [usize; 3]) -> Result<[&'a [u8]; 3], DecodeError> {
    check_length(what, sizes.iter().sum(), bytes)?;
    let (first, rest) = bytes.split_at(sizes[0]);
    let (second, third) = rest.split_at(sizes[1]);
    Ok([first, second, third])
}
