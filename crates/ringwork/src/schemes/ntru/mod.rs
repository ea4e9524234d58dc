//! NTRU over `Z_q[X]/(X^n + 1)` with a prime `q`, as in Bakkebø's thesis: one-way encryption of
//! ternary polynomials.
//!
//! ```text
//! KeyGen:   f', g <- β_2;  f = 3f' + 1;  again unless f is invertible;  h = 3g/f
//! Encrypt:  r <- β_2;  c = h·r + m
//! Decrypt:  m = (c·f mod± q) mod± 3
//! ```
//!
//! β_2 is that of NTTRU ([`Ternary`]): the plus signs in the thesis are a misprint. When decryption
//! is certain is said at [`Parameters`]. Products and inverses are taken slot by slot, to the depth
//! that the planner estimates to be the fastest; keys and ciphertexts travel as coefficients, so
//! that the depth does not show.
//!
//! Ranges: on the wire `[0, q)`; f', g, r and m in `[-1, 1]`, f in `[-3, 4]`.
//!
//! **A research scheme**, for experiments with degrees, moduli and depths. It is the bare trapdoor:
//! a message can be guessed and tried, ciphertexts can be changed, and answers to chosen ones give
//! the key away. Nothing says how hard a set of parameters is to break. Where encryption is wanted,
//! take ML-KEM; where NTRU is, NTTRU's key encapsulation.
//!
//! **Constant time:** everything that depends on secrets, but for the answer that f has no inverse.
//!
//! Source: Bakkebø, *Number theoretic transform for faster lattice-based cryptography* (2020),
//! section 2.2, algorithms 1 to 3, after Lyubashevsky, Seiler, *NTTRU* (2019). The thesis defines
//! no bytes: here polynomials are packed as [`bits`](crate::bits) has it, ternary ones with two
//! bits a coefficient.

mod params;

pub use params::{MAX_DEGREE, MAX_LOG2_FAILURE, MIN_DEGREE, Parameters};

use crate::{
    bits::Interval,
    ct::{Wiped, fresh_seed, negative},
    decode::{DecodeError, check_length},
    sample::Ternary,
    xof,
};
use core::fmt;
use ntt::{Backend, Inverter, Plan, PlanError, Request};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Bytes of a seed.
pub const SEED_BYTES: usize = 32;

/// The coefficients of messages and secrets.
const TERNARY: Interval = Interval::symmetric(1);

/// The scheme with one set of parameters on one backend. Make it once.
#[derive(Clone, Debug)]
pub struct Ntru {
    parameters: Parameters,
    plan: Plan<i32>,
    inverses: Inverter<i32>,
}

/// A public key, ready for use.
pub struct PublicKey {
    h: Wiped<i32>,
    h_hat: Wiped<i32>,
}

/// A secret key, ready for use. Wiped on drop.
pub struct SecretKey {
    f_short: Wiped<i32>,
    f_hat: Wiped<i32>,
}

/// Why parameters, bytes or a message were refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The degree is no power of two in range.
    Degree {
        /// The degree.
        n: usize,
    },
    /// The modulus is not below 2^30.
    Modulus {
        /// The modulus.
        q: u32,
    },
    /// A decryption could fail.
    Correctness {
        /// The degree.
        n: usize,
        /// The modulus.
        q: u32,
        /// What it must be at least.
        least: u64,
        /// A prime that works and splits the ring completely.
        prime: u64,
    },
    /// A decryption fails too often.
    Failure {
        /// The degree.
        n: usize,
        /// The modulus.
        q: u32,
        /// The base-two logarithm of the probability.
        log2_probability: f64,
        /// The modulus with which none fails.
        least: u64,
    },
    /// There is no transform.
    Plan(PlanError),
    /// Bytes that are not what they should be.
    Encoding(DecodeError),
    /// A message that is not ternary, or has the wrong number of coefficients.
    Message {
        /// How many it must have.
        n: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Degree { n } => write!(f, "n = {n} is not a power of two from {MIN_DEGREE} to {MAX_DEGREE}"),
            Self::Modulus { q } => write!(f, "q = {q} is not below 2^30; take a smaller prime"),
            Self::Correctness { n, q, least, prime } => write!(
                f,
                "n = {n} with q = {q} may not decrypt: q is below 12n + 3 = {least}; take q = {prime}, or a computed \
                 probability of failure"
            ),
            Self::Failure { n, q, log2_probability, least } => write!(
                f,
                "n = {n} with q = {q} fails to decrypt with probability 2^{log2_probability:.1}, above 2^{MAX_LOG2_FAILURE}; \
                 from q = {least} on no decryption fails"
            ),
            Self::Plan(e) => e.fmt(f),
            Self::Encoding(why) => why.fmt(f),
            Self::Message { n } => write!(f, "a message has {n} coefficients, each -1, 0 or 1"),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Plan(e) => Some(e),
            _ => None,
        }
    }
}

impl From<PlanError> for Error {
    fn from(e: PlanError) -> Self {
        Self::Plan(e)
    }
}

impl From<DecodeError> for Error {
    fn from(why: DecodeError) -> Self {
        Self::Encoding(why)
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PublicKey(..)")
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

impl Ntru {
    /// On the best backend of this machine that suits the ring.
    ///
    /// **Errors** if there is no transform for it.
    pub fn new(parameters: Parameters) -> Result<Self, Error> {
        Self::planned(parameters, Request::new(parameters.n(), parameters.q().into()).best_depth())
    }

    /// On that backend.
    ///
    /// **Errors** if there is no transform for it there.
    pub fn with_backend(parameters: Parameters, backend: Backend) -> Result<Self, Error> {
        Self::planned(parameters, Request::new(parameters.n(), parameters.q().into()).best_depth().backend(backend))
    }

    /// By transforms of exactly that depth.
    ///
    /// **Errors** if there are none.
    pub fn with_depth(parameters: Parameters, depth: u32) -> Result<Self, Error> {
        Self::planned(parameters, Request::new(parameters.n(), parameters.q().into()).depth(depth))
    }

    fn planned(parameters: Parameters, request: Request) -> Result<Self, Error> {
        let plan = Plan::with(&request)?;
        let inverses = Inverter::new(&plan)?;
        Ok(Self { parameters, plan, inverses })
    }

    /// The parameters.
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The backend.
    pub fn backend(&self) -> Backend {
        self.plan.backend()
    }

    /// The plan.
    pub const fn plan(&self) -> &Plan<i32> {
        &self.plan
    }

    /// A fresh pair of keys.
    pub fn keygen<R: CryptoRng>(&self, rng: &mut R) -> (SecretKey, PublicKey) {
        loop {
            let mut seed = Zeroizing::new([0; SEED_BYTES]); // in place: a value that moves leaves a copy
            rng.fill_bytes(&mut seed[..]);
            if let Some(keys) = self.keygen_derand(&seed) {
                return keys;
            }
        }
    }

    /// [`keygen`](Self::keygen) from the bytes that it would draw, or `None` if they make an f
    /// without an inverse. For tests and vectors: a seed must be secret and never serve twice.
    pub fn keygen_derand(&self, seed: &[u8; SEED_BYTES]) -> Option<(SecretKey, PublicKey)> {
        let n = self.parameters.n();
        let mut coins = Wiped::zeros(n);
        xof::aes256_ctr(seed, &mut coins);
        let (of_f, of_g) = coins.split_at(n >> 1);
        let secret = self.secret_key(self.short(of_f));
        let mut inverse = Wiped::zeros(n);
        if !self.inverses.invert(&mut inverse, &secret.f_hat) {
            return None;
        }
        let mut g_hat = self.short(of_g);
        g_hat.iter_mut().for_each(|x| *x *= 3);
        self.plan.forward(&mut g_hat);
        let public = self.public_key(self.product(&g_hat, &inverse));
        Some((secret, public))
    }

    /// The ciphertext of a message: `n` coefficients, each -1, 0 or 1.
    ///
    /// **Errors** if the message is not that.
    pub fn encrypt<R: CryptoRng>(&self, key: &PublicKey, message: &[i8], rng: &mut R) -> Result<Vec<u8>, Error> {
        self.encrypt_derand(key, message, &fresh_seed(rng))
    }

    /// [`encrypt`](Self::encrypt) from the bytes that it would draw. See
    /// [`keygen_derand`](Self::keygen_derand).
    pub fn encrypt_derand(&self, key: &PublicKey, message: &[i8], seed: &[u8; SEED_BYTES]) -> Result<Vec<u8>, Error> {
        let n = self.parameters.n();
        if message.len() != n || message.iter().fold(false, |bad, m| bad | !(-1..=1).contains(m)) {
            return Err(Error::Message { n });
        }
        let mut coins = Wiped::zeros(n >> 1);
        xof::aes256_ctr(seed, &mut coins);
        let mut r_hat = self.short(&coins);
        self.plan.forward(&mut r_hat);
        let mut c = self.product(&key.h_hat, &r_hat);
        for (c, m) in c.iter_mut().zip(message) {
            *c += i32::from(*m);
        }
        self.plan.canonical(&mut c);
        Ok(self.pack(&c))
    }

    /// The message of a ciphertext. What is no ciphertext of this key gives some other message.
    ///
    /// **Errors** if the length is wrong, a coefficient is not below `q`, or rest bits are not
    /// zero.
    pub fn decrypt(&self, key: &SecretKey, ciphertext: &[u8]) -> Result<Zeroizing<Vec<i8>>, Error> {
        let mut c_hat = self.unpack("a ciphertext", self.residues(), ciphertext)?;
        self.plan.forward(&mut c_hat);
        let q = self.parameters.q() as i32;
        let message = self.product(&c_hat, &key.f_hat).iter().map(|&x| modulo_3(x, q)).collect();
        Ok(Zeroizing::new(message))
    }

    /// The bytes of a public key.
    pub fn public_key_to_bytes(&self, key: &PublicKey) -> Vec<u8> {
        self.pack(&key.h)
    }

    /// The public key of [`public_key_to_bytes`](Self::public_key_to_bytes).
    ///
    /// **Errors** if the length is wrong, a coefficient is not below `q`, or rest bits are not
    /// zero.
    pub fn public_key_from_bytes(&self, bytes: &[u8]) -> Result<PublicKey, Error> {
        Ok(self.public_key(self.unpack("a public key", self.residues(), bytes)?))
    }

    /// The bytes of a secret key, those of f'.
    pub fn secret_key_to_bytes(&self, key: &SecretKey) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(self.parameters.ternary_bytes()));
        TERNARY.pack(&key.f_short[..], &mut bytes);
        bytes
    }

    /// The secret key of [`secret_key_to_bytes`](Self::secret_key_to_bytes).
    ///
    /// **Errors** if the length is wrong or a coefficient is not ternary.
    pub fn secret_key_from_bytes(&self, bytes: &[u8]) -> Result<SecretKey, Error> {
        const WHAT: &str = "a secret key";
        check_length(WHAT, self.parameters.ternary_bytes(), bytes)?;
        let f_short = self.unpack(WHAT, TERNARY, bytes).map_err(|_| DecodeError::Secret(WHAT))?;
        Ok(self.secret_key(f_short))
    }

    /// The bytes of a message.
    ///
    /// **Errors** if it is not ternary.
    pub fn message_to_bytes(&self, message: &[i8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let n = self.parameters.n();
        if message.len() != n || message.iter().fold(false, |bad, m| bad | !(-1..=1).contains(m)) {
            return Err(Error::Message { n });
        }
        let mut bytes = Zeroizing::new(Vec::with_capacity(self.parameters.ternary_bytes()));
        TERNARY.pack(message, &mut bytes);
        Ok(bytes)
    }

    /// The message of [`message_to_bytes`](Self::message_to_bytes).
    ///
    /// **Errors** if the length is wrong or a coefficient is not ternary: which one is not said.
    pub fn message_from_bytes(&self, bytes: &[u8]) -> Result<Zeroizing<Vec<i8>>, Error> {
        const WHAT: &str = "a message";
        check_length(WHAT, self.parameters.ternary_bytes(), bytes)?;
        let values = self.unpack(WHAT, TERNARY, bytes).map_err(|_| DecodeError::Secret(WHAT))?;
        Ok(Zeroizing::new(values.iter().map(|&x| x as i8).collect()))
    }

    fn secret_key(&self, f_short: Wiped<i32>) -> SecretKey {
        let mut f_hat = Wiped::zeros(f_short.len());
        for (f, x) in f_hat.iter_mut().zip(f_short.iter()) {
            *f = 3 * x;
        }
        f_hat[0] += 1;
        self.plan.forward(&mut f_hat);
        SecretKey { f_short, f_hat }
    }

    fn public_key(&self, h: Wiped<i32>) -> PublicKey {
        let mut h_hat = Wiped::zeros(h.len());
        h_hat.copy_from_slice(&h);
        self.plan.forward(&mut h_hat);
        PublicKey { h, h_hat }
    }

    /// The product of two transformed polynomials, as coefficients in `[0, q)`.
    fn product(&self, a_hat: &[i32], b_hat: &[i32]) -> Wiped<i32> {
        self.plan.inverse_product(self.plan.pointwise(Wiped::zeros(a_hat.len()), a_hat, b_hat))
    }

    fn short(&self, coins: &[u8]) -> Wiped<i32> {
        let mut narrow = Wiped::zeros(2 * coins.len());
        Ternary { factor: 1 }.sample(self.backend(), &mut narrow, coins);
        let mut wide = Wiped::zeros(narrow.len());
        for (wide, &x) in wide.iter_mut().zip(narrow.iter()) {
            *wide = x.into();
        }
        wide
    }

    fn pack(&self, a: &[i32]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.parameters.polynomial_bytes());
        self.residues().pack(a, &mut bytes);
        bytes
    }

    /// The coefficients of public keys and ciphertexts.
    fn residues(&self) -> Interval {
        Interval::below(self.parameters.q().into())
    }

    fn unpack(&self, what: &'static str, interval: Interval, bytes: &[u8]) -> Result<Wiped<i32>, DecodeError> {
        let mut a = Wiped::zeros(self.parameters.n());
        interval.unpack(what, bytes, &mut a)?;
        Ok(a)
    }
}

/// `x mod± 3` of `x mod± q`, for `x` in `[0, q)` and `q < 2^30`.
///
/// `⌊2^32/3⌋ + 1` differs from `2^32/3` by 2/3, so that with `|x| ≤ 2^29` the quotient is off by
/// less than 1/12 before it is rounded: less than the 1/6 that it takes to round another way.
fn modulo_3(x: i32, q: i32) -> i8 {
    let (x, q) = (i64::from(x), i64::from(q));
    let centred = x - (q & negative((q >> 1) - x));
    let quotient = (centred * 0x5555_5556 + (1 << 31)) >> 32;
    (centred - 3 * quotient) as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn residues_are_centred_and_reduced() {
        for q in [257, 12289, (1 << 30) - 35] {
            let near = |x: i32| (x - 50).max(0)..(x + 50).min(q);
            for x in near(0).chain(near(q / 2)).chain(near(q)).chain(near(q / 3)) {
                let centred = if x > q / 2 { x - q } else { x };
                let m = modulo_3(x, q);
                assert!((-1..=1).contains(&m) && (centred - i32::from(m)) % 3 == 0, "{x} of {q}");
            }
        }
    }
}
