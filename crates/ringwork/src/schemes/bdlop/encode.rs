//! Bytes of commitments, openings and proofs: packed polynomials, one canonical form each.
//! The [module above](super) has the format.

use super::{
    Error, Parameters,
    commit::{Commitment, CommitmentKey, Opening},
    proof::{Proof, Statement},
};
use crate::{
    bits::{self, BitsError},
    module::{self, PackedError, Vector},
    sample::Word,
};
use zeroize::Zeroizing;

/// The largest coefficient of a factor.
const FACTOR: u64 = 2;

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
        module::pack(self.parameters.q, words, &mut bytes);
        bytes
    }

    /// The commitment of [`commitment_to_bytes`](Self::commitment_to_bytes).
    ///
    /// **Errors** if the bytes are not what that writes.
    pub fn commitment_from_bytes(&self, bytes: &[u8]) -> Result<Commitment<T>, Error> {
        let Parameters { d, l, .. } = self.parameters;
        let both = self.module.unpack(bytes, d + l).map_err(|why| Error::Encoding { what: "a commitment", why })?;
        Ok(Commitment { c1: both.part(0..d), c2: both.part(d..d + l) })
    }

    /// Message, randomness, factor. Secret until it is shown.
    ///
    /// **Errors** if randomness or factor are not those of an opening.
    pub fn opening_to_bytes(&self, opening: &Opening<T>) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.check_sizes(opening)?;
        let mut bytes = Zeroizing::new(Vec::with_capacity(self.opening_bytes().iter().sum()));
        self.module.pack(&opening.message, &mut bytes);
        pack_signed(&opening.randomness, self.parameters.signed_bound(4), &mut bytes);
        pack_signed(&opening.factor, FACTOR, &mut bytes);
        Ok(bytes)
    }

    /// The opening of [`opening_to_bytes`](Self::opening_to_bytes).
    ///
    /// **Errors** if the bytes are not what that writes.
    pub fn opening_from_bytes(&self, bytes: &[u8]) -> Result<Opening<T>, Error> {
        const WHAT: &str = "an opening";
        let Parameters { n, k, l, .. } = self.parameters;
        let [message, randomness, factor] = split(WHAT, bytes, self.opening_bytes())?;
        let encoding = |why| Error::Encoding { what: WHAT, why };
        Ok(Opening {
            message: self.module.unpack(message, l).map_err(encoding)?,
            randomness: unpack_signed(randomness, self.parameters.signed_bound(4), n, k).map_err(encoding)?,
            factor: unpack_signed(factor, FACTOR, n, 1).map_err(encoding)?,
        })
    }

    fn opening_bytes(&self) -> [usize; 3] {
        let Parameters { n, k, l, .. } = self.parameters;
        let randomness = signed_bytes(self.parameters.signed_bound(4), n * k);
        [self.module.packed_bytes(l), randomness, signed_bytes(FACTOR, n)]
    }

    /// `t`, `u` if there is a relation, and `z`.
    pub fn proof_to_bytes(&self, proof: &Proof<T>) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.module.pack(&proof.t, &mut bytes);
        if let Some(u) = &proof.u {
            self.module.pack(u, &mut bytes);
        }
        pack_signed(&proof.z, self.parameters.signed_bound(2), &mut bytes);
        bytes
    }

    /// The proof of a statement, from [`proof_to_bytes`](Self::proof_to_bytes).
    ///
    /// **Errors** if the bytes are not what that writes for such a statement.
    pub fn proof_from_bytes(&self, statement: &Statement<'_, T>, bytes: &[u8]) -> Result<Proof<T>, Error> {
        const WHAT: &str = "a proof";
        let (Parameters { n, k, d, l, .. }, count) = (self.parameters, statement.commitments.len());
        let bound = self.parameters.signed_bound(2);
        let of_relation = statement.relation.map_or(0, |_| l);
        let sizes = [
            self.module.packed_bytes(count * d),
            self.module.packed_bytes(of_relation),
            signed_bytes(bound, n * k * count),
        ];
        let [t, u, z] = split(WHAT, bytes, sizes)?;
        let encoding = |why| Error::Encoding { what: WHAT, why };
        let u = self.module.unpack(u, of_relation).map_err(encoding)?;
        Ok(Proof {
            t: self.module.unpack(t, count * d).map_err(encoding)?,
            u: statement.relation.map(|_| u),
            z: unpack_signed(z, bound, n, k * count).map_err(encoding)?,
        })
    }
}

impl Parameters {
    /// The largest coefficient of a polynomial of norm `factor·σ√n` at most.
    const fn signed_bound(&self, factor: i128) -> u64 {
        self.squared_bound(factor).isqrt() as u64
    }
}

fn signed_bytes(bound: u64, count: usize) -> usize {
    bits::bytes(count, bits::width(2 * bound + 1))
}

fn pack_signed<T: Word>(vector: &Vector<T>, bound: u64, bytes: &mut Vec<u8>) {
    let values = vector.words().iter().map(|&x| {
        let x: i64 = x.into();
        (x + bound as i64) as u64
    });
    bits::pack(values, bits::width(2 * bound + 1), bytes);
}

fn unpack_signed<T: Word>(bytes: &[u8], bound: u64, n: usize, length: usize) -> Result<Vector<T>, PackedError> {
    let values = bits::unpack(bytes, bits::width(2 * bound + 1), n * length).map_err(PackedError::Bits)?;
    let mut refused = None;
    let vector = Vector::filled(n, length, |words| {
        for (index, (word, value)) in words.iter_mut().zip(values).enumerate() {
            if value > 2 * bound {
                refused = refused.or(Some(PackedError::Coefficient { index, value, q: 2 * bound + 1 }));
            }
            *word = T::truncate(value as i64 - bound as i64);
        }
    });
    refused.map_or(Ok(vector), Err)
}

/// The three pieces of a string of bytes.
fn split<'a>(what: &'static str, bytes: &'a [u8], sizes: [usize; 3]) -> Result<[&'a [u8]; 3], Error> {
    let (expected, actual) = (sizes.iter().sum(), bytes.len());
    if actual != expected {
        return Err(Error::Encoding { what, why: PackedError::Bits(BitsError::Length { expected, actual }) });
    }
    let (first, rest) = bytes.split_at(sizes[0]);
    let (second, third) = rest.split_at(sizes[1]);
    Ok([first, second, third])
}
