//! LWE and module-LWE encryption of messages modulo `p`.
//!
//! ```text
//! keygen   S <- [β]^(d×l),  E1 <- [β]^(m×l),  A uniform m×d,  T = A·S + p·E1    public (A, T), secret S
//! encrypt  R <- [β]^(k×m),  E2 <- [β]^(k×d),  E3 <- [β]^(k×l),  U = R·A + p·E2,  V = R·T + p·E3 + M
//! decrypt  M = (V - U·S  mod± q)  mod p  =  (p·(R·E1 + E3 - E2·S) + M  mod± q)  mod p
//! ```
//!
//! Entries are numbers modulo `q` (LWE, `n = 1`) or polynomials modulo `q` and `X^n + 1` (module-LWE); `[β]` is uniform
//! on `{-β, …, β}`. The thesis' chapter 4 has a square `A`, `d = m`, as do the named sets; its experiments state rows
//! and columns separately. [`Parameters::new`] accepts sizes for which every message decrypts and refuses others,
//! naming the bound. It refuses those of the paper's experiment, for which there is [`Parameters::measuring_only`].
//!
//! **Wire format** (version 1): coefficients in natural order, canonical, `⌈log2 q⌉` bits each. A public key is the
//! seed of `A`, then `T`, row by row; a ciphertext is `U` and `V`, row by row; a secret key is `S`, column by column,
//! with `x + β` in the number of bits of `2β`. Each matrix is a bit string of its own.
//!
//! Row `i` of `A` is sampled by rejection from SHAKE-128 of `"ringwork lwe a"`, the parameters (`n`, `q`, `p`, `β`,
//! `m`, `k`, `l`, and `d` unless it equals `m`, 8 little-endian bytes each), the seed, and `i` in 2 little-endian
//! bytes. Secret seeds key [`ChaCha20::of_use`], whose label is the [domain](crate::kem::Scheme::domain) followed by
//! one word. With `" a"`, a key's seed gives the 32 bytes of the seed of `A`; with `" keys"`, it gives `S`, then `E1`,
//! both column by column. With `" noise"`, a ciphertext's seed gives `R`, `E2`, `E3`, row by row. [`Uniform`] samples
//! each matrix in one call.
//!
//! **A research scheme**, not a standard.
//!
//! **Constant time:** everything that depends on keys, noise and messages.
//!
//! Source: Royher, *Implementing Lattice-Based Cryptography*, chapter 4; Regev (2005); Lindner and
//! Peikert (2011).

mod multiplier;
mod params;
mod pke;
mod words;

pub use multiplier::{Multiplier, Schoolbook};
pub use params::{LWE_768, MLWE_256, MLWE_256_P3, Parameters};
pub use words::{Task, in_narrowest_words};

use crate::{
    bits::Interval,
    ct::{all_within, negative, not_printed},
    decode::{DecodeError, check_length},
    kem::{SEED_BYTES, Scheme},
    module::{Module, Vector},
    sample::{self, Uniform, Word},
    xof::{ByteStream, ChaCha20, Shake128},
};
use core::fmt;

/// Encryption with one parameter set and one multiplier.
#[derive(Clone, Debug)]
pub struct Lwe<T, M> {
    parameters: Parameters,
    multiplier: M,
    noise: Uniform,
    residues: Residues,
    word: core::marker::PhantomData<T>,
}

/// `(A, T)`, transposed and prepared for encryption.
#[derive(Clone, Debug)]
pub struct PublicKey<T: Word, M: Multiplier<T>> {
    seed: [u8; SEED_BYTES],
    /// Column by column.
    t: Vector<T>,
    a_columns: M::Prepared,
    t_columns: M::Prepared,
}

/// `S`, column by column.
pub struct SecretKey<T: Word, M: Multiplier<T>> {
    s: Vector<T>,
    prepared: M::Prepared,
}

not_printed!(SecretKey<T: Word, M: Multiplier<T>>);

/// `U` and `V`, row by row, in `[0, q)`.
#[derive(Clone, Debug)]
pub struct Ciphertext<T: Word> {
    u: Vector<T>,
    v: Vector<T>,
}

/// Why parameters or a message were refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Parameters that are out of range or for which decryption is not guaranteed.
    Parameters(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameters(why) => f.write_str(why),
        }
    }
}

impl core::error::Error for Error {}

impl<T: Word> Lwe<T, Module<T>> {
    /// Multiplies by transforms: complete, incomplete or by residue channels, as the modulus requires.
    ///
    /// **Errors** if words `T` have no plan for the ring, whose degree must be at least 2; for numbers use
    /// [`by_schoolbook`](Lwe::by_schoolbook).
    pub fn by_transform(parameters: Parameters) -> Result<Self, Error> {
        let module =
            Module::new(parameters.n, parameters.q, parameters.rank()).map_err(|e| Error::Parameters(e.to_string()))?;
        Ok(Self::with_multiplier(parameters, module))
    }
}

impl<T: Word> Lwe<T, Schoolbook> {
    /// Multiplies by the definition.
    pub fn by_schoolbook(parameters: Parameters) -> Self {
        Self::with_multiplier(parameters, Schoolbook::new(parameters.n, parameters.q))
    }
}

impl<T: Word, M: Multiplier<T>> Lwe<T, M> {
    /// Uses any multiplier of that ring.
    ///
    /// **Panics** if `2q` does not fit words `T`.
    pub fn with_multiplier(parameters: Parameters, multiplier: M) -> Self {
        assert!(2 * parameters.q < 1 << (T::BITS - 1), "2q = {} in {} bits", 2 * parameters.q, T::BITS);
        let noise = Uniform::new(parameters.beta).expect("the parameters were checked");
        let residues = Residues::new(parameters.q, parameters.p);
        Self { parameters, multiplier, noise, residues, word: core::marker::PhantomData }
    }

    /// The parameters.
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Derives the keys from a secret seed.
    pub fn keys(&self, seed: &[u8; SEED_BYTES]) -> (SecretKey<T, M>, PublicKey<T, M>) {
        let Parameters { d, l, .. } = self.parameters;
        let mut a_seed = [0; SEED_BYTES];
        self.stream("a", seed).read(&mut a_seed);
        let mut stream = self.stream("keys", seed);
        let s = self.small(&mut stream, d * l);
        let (secret, rows) = (self.secret_key(s), self.multiplier.prepare(self.matrix(&a_seed)));
        let mut t = self.multiplier.products(&rows, &secret.prepared, d);
        self.add_noise(&mut t, &mut stream);
        (secret, self.public_key(a_seed, &rows, t))
    }

    /// Encrypts a message, `k·l` polynomials with coefficients in `[0, p)`, row by row, with noise from a secret seed
    /// that must be used only once.
    ///
    /// **Panics** if the message has another length or a coefficient outside `[0, p)`; the panic does not say which
    /// one.
    pub fn encrypt_polynomials(
        &self,
        key: &PublicKey<T, M>,
        message: &Vector<T>,
        seed: &[u8; SEED_BYTES],
    ) -> Ciphertext<T> {
        let Parameters { n, k, l, .. } = self.parameters;
        assert_eq!((message.n(), message.length()), (n, k * l), "degree and number of the polynomials of a message");
        assert!(
            all_within(message.words(), 0, self.parameters.p as i64 - 1),
            "a coefficient of the message is not in [0, p)"
        );
        self.encrypt_with(key, message, seed)
    }

    /// The same for a message already known to be in range.
    fn encrypt_with(&self, key: &PublicKey<T, M>, message: &Vector<T>, seed: &[u8; SEED_BYTES]) -> Ciphertext<T> {
        let Parameters { m, k, .. } = self.parameters;
        let mut stream = self.stream("noise", seed);
        let rows = self.multiplier.prepare(self.small(&mut stream, k * m));
        let mut u = self.multiplier.products(&key.a_columns, &rows, m);
        let mut v = self.multiplier.products(&key.t_columns, &rows, m);
        self.add_noise(&mut u, &mut stream);
        self.add_noise(&mut v, &mut stream);
        self.add(v.words_mut(), message.words(), 1);
        Ciphertext { u, v }
    }

    /// Decrypts to the message.
    pub fn decrypt_polynomials(&self, key: &SecretKey<T, M>, ciphertext: &Ciphertext<T>) -> Vector<T> {
        let rows = self.multiplier.prepare(ciphertext.u.clone());
        let product = self.multiplier.products(&key.prepared, &rows, self.parameters.d);
        let mut message = ciphertext.v.clone();
        for (x, y) in message.words_mut().iter_mut().zip(product.words()) {
            *x = T::truncate(self.residues.of((*x).into() - (*y).into()));
        }
        message
    }

    /// `k·l` polynomials from numbers in `[0, p)`, padded with zeros.
    ///
    /// **Errors** if there are too many numbers, or one is not below `p`.
    pub fn message(&self, values: &[u64]) -> Result<Vector<T>, Error> {
        let Parameters { n, p, k, l, .. } = self.parameters;
        if values.len() > k * l * n {
            let (room, actual) = (k * l * n, values.len());
            return Err(Error::Parameters(format!("a message has {room} coefficients at most, this has {actual}")));
        }
        if let Some(index) = values.iter().position(|value| *value >= p) {
            return Err(Error::Parameters(format!("coefficient {index} of the message is not below p = {p}")));
        }
        Ok(Vector::filled(n, k * l, |words| {
            words.iter_mut().zip(values).for_each(|(word, value)| *word = T::truncate(*value as i64));
        }))
    }

    /// Serializes a ciphertext.
    pub fn ciphertext_to_bytes(&self, ciphertext: &Ciphertext<T>) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.ciphertext_bytes());
        self.pack(&ciphertext.u, &mut bytes);
        self.pack(&ciphertext.v, &mut bytes);
        bytes
    }

    /// Parses a ciphertext.
    ///
    /// **Errors** if the bytes are not canonical.
    pub fn ciphertext_from_bytes(&self, bytes: &[u8]) -> Result<Ciphertext<T>, DecodeError> {
        let Parameters { d, k, l, .. } = self.parameters;
        check_length("a ciphertext", self.ciphertext_bytes(), bytes)?;
        let (u, v) = bytes.split_at(self.packed_bytes(k * d));
        Ok(Ciphertext {
            u: self.unpack("U of a ciphertext", u, k * d)?,
            v: self.unpack("V of a ciphertext", v, k * l)?,
        })
    }

    /// `rows`: `A`, prepared row by row.
    fn public_key(&self, seed: [u8; SEED_BYTES], rows: &M::Prepared, t: Vector<T>) -> PublicKey<T, M> {
        let a_columns = self.multiplier.transposed(rows, self.parameters.d);
        PublicKey { seed, a_columns, t_columns: self.multiplier.prepare(t.clone()), t }
    }

    fn secret_key(&self, s: Vector<T>) -> SecretKey<T, M> {
        SecretKey { prepared: self.multiplier.prepare(s.clone()), s }
    }

    /// Samples `A`, row by row.
    fn matrix(&self, seed: &[u8; SEED_BYTES]) -> Vector<T> {
        let Parameters { n, q, m, d, .. } = self.parameters;
        let prefix = [b"ringwork lwe a", &*self.parameters_bytes(), seed].concat();
        Vector::filled(n, m * d, |words| {
            for (i, row) in words.chunks_exact_mut(d * n).enumerate() {
                let input = [&*prefix, &(i as u16).to_le_bytes()].concat();
                sample::uniform_mod_vartime(q, &mut Shake128::new(&input), row);
            }
        })
    }

    fn parameters_bytes(&self) -> Vec<u8> {
        let Parameters { n, q, p, beta, m, d, k, l, .. } = self.parameters;
        let sizes = [n as u64, q, p, beta.into(), m as u64, k as u64, l as u64];
        sizes.into_iter().chain((d != m).then_some(d as u64)).flat_map(u64::to_le_bytes).collect()
    }

    /// The stream that a secret seed gives for `purpose`.
    fn stream(&self, purpose: &str, seed: &[u8; SEED_BYTES]) -> ChaCha20 {
        ChaCha20::of_use(format!("{} {purpose}", self.domain()).as_bytes(), seed)
    }

    /// `length` polynomials from `[β]`.
    fn small(&self, stream: &mut ChaCha20, length: usize) -> Vector<T> {
        Vector::filled(self.parameters.n, length, |words| self.noise.sample(stream, words))
    }

    /// `total + p·e` in `[0, q)`, with fresh noise `e`.
    fn add_noise(&self, total: &mut Vector<T>, stream: &mut ChaCha20) {
        let mut noise = Vector::zeros(self.noise.block(), 1);
        for total in total.words_mut().chunks_mut(self.noise.block()) {
            let noise = &mut noise.words_mut()[..total.len()];
            self.noise.sample(stream, noise);
            self.add(total, noise, self.parameters.p as i64);
        }
    }

    /// `total + factor·x` in `[0, q)`, where `|factor·x|` is below `q`.
    fn add(&self, total: &mut [T], x: &[T], factor: i64) {
        let (factor, q) = (T::truncate(factor), T::truncate(self.parameters.q as i64));
        T::add_multiple(self.multiplier.backend(), total, factor, x, q);
    }

    /// The range of secrets and noise.
    fn short(&self) -> Interval {
        Interval::symmetric(self.parameters.beta.into())
    }

    fn packed_bytes(&self, length: usize) -> usize {
        Interval::below(self.parameters.q).bytes(length * self.parameters.n)
    }

    fn pack(&self, vector: &Vector<T>, bytes: &mut Vec<u8>) {
        Interval::below(self.parameters.q).pack(vector.words(), bytes);
    }

    fn unpack(&self, what: &'static str, bytes: &[u8], length: usize) -> Result<Vector<T>, DecodeError> {
        let Parameters { n, q, .. } = self.parameters;
        Vector::unpacked(what, Interval::below(q), bytes, n, length)
    }
}

/// Reduces centred residues modulo `q` to residues modulo `p ≤ 256`.
#[derive(Clone, Copy, Debug)]
struct Residues {
    q: i64,
    p: u64,
    /// The first multiple of `p` above `q`.
    offset: i64,
    /// `⌊2^56/p⌋ + 1`.
    reciprocal: u64,
}

impl Residues {
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    const fn new(q: u64, p: u64) -> Self {
        Self { q: q as i64, p, offset: ((q / p + 1) * p) as i64, reciprocal: (1 << 56) / p + 1 }
    }

    /// The residue modulo `p` of the centred residue of `x`, which lies in `(-q, q)`.
    ///
    /// **Constant time:** yes.
    fn of(self, x: i64) -> i64 {
        let x = x + (self.q & negative(x));
        let centred = x - (self.q & negative((self.q >> 1) - x));
        let y = (centred + self.offset) as u64; // positive, below 2q + p
        let quotient = ((y as u128 * self.reciprocal as u128) >> 56) as u64;
        (y - quotient * self.p) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_of_centred_numbers() {
        for q in [17_i64, 7681, 65537] {
            for p in [2, 3, 5, 255, 256] {
                let residues = Residues::new(q as u64, p);
                for x in 1 - q..q {
                    let residue = x.rem_euclid(q);
                    let centred = if 2 * residue > q { residue - q } else { residue };
                    assert_eq!(residues.of(x), centred.rem_euclid(p as i64), "{x} modulo {q} and {p}");
                }
            }
        }
    }
}
