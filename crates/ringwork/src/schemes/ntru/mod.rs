//! NTRU over `Z_q[X]/(X^n + 1)` with a prime `q`, as in Bakkebø's thesis: one-way encryption of
//! polynomials with coefficients modulo `p`, which is 3 in all that is for use.
//!
//! ```text
//! KeyGen:   f', g <- β_2;  f = pf' + 1;  again unless f is invertible;  h = pg/f
//! Encrypt:  r <- β_2;  c = h·r + m
//! Decrypt:  m = (c·f mod± q) mod± p
//! ```
//!
//! β_2 is that of NTTRU ([`Ternary`]): the thesis has plus signs (`ERRATA.md`). [`Parameters`]
//! states when decryption is certain. Products and inverses are computed slot by slot, at the depth
//! that the planner estimates to be the fastest; keys and ciphertexts travel as coefficients, which
//! hide the depth, or as slots of a depth that both sides agree on: see [`Form`], and section 4.3.1
//! of the thesis.
//!
//! Ranges: on the wire `[0, q)`; f', g and r in `[-1, 1]`, f in `[-p, p + 1]`; m in `[-1, 1]`, or as
//! [`Parameters::message_range`] says.
//!
//! **A research scheme**, for experiments with degrees, moduli and depths. By itself it is the bare
//! trapdoor: attackers can guess a message and check it, modify ciphertexts, and recover the key
//! from answers to chosen ciphertexts. [`Kem`](crate::kem::Kem) turns it into a key encapsulation,
//! which hashes r from the message and the public key and draws messages from β_2 as the thesis
//! does, so that r and m have the distributions that the estimate assumes. [`NTRU_1024`] is the
//! named set. If you need encryption, use ML-KEM.
//!
//! **Constant time:** everything that depends on secrets, except the answer that f has no inverse.
//!
//! Source: Bakkebø, *Number theoretic transform for faster lattice-based cryptography* (2020),
//! section 2.2, algorithms 1 to 3, after Lyubashevsky, Seiler, *NTTRU* (2019). The thesis defines
//! no bytes: here [`bits`](crate::bits) packs polynomials, ternary ones with two bits per
//! coefficient.

mod centred;
mod error;
mod params;
mod pke;
mod wire;

pub use error::{Error, MAX_DEGREE, MAX_LOG2_FAILURE, MESSAGE_MODULI, MIN_DEGREE};
pub use params::{Form, NTRU_1024, Parameters};

use crate::{
    bits::Interval,
    ct::{Wiped, all_within, fresh_seed, not_printed},
    decode::{DecodeError, check_length},
    sample::Ternary,
    xof,
};
use centred::Centred;
use ntt::{Backend, Inverter, Plan, Request};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Bytes of a seed.
pub const SEED_BYTES: usize = 32;

/// The range of the coefficients of secrets.
const TERNARY: Interval = Interval::symmetric(1);

/// The scheme with one parameter set on one backend. Construct it once and reuse it.
#[derive(Clone, Debug)]
pub struct Ntru {
    parameters: Parameters,
    plan: Plan<i32>,
    inverses: Inverter<i32>,
    centred: Centred,
    /// The position of each number of a polynomial on the wire in the plan's order.
    places: Vec<usize>,
}

/// A public key, ready for use.
pub struct PublicKey {
    /// In wire form.
    h: Wiped<i32>,
    h_hat: Wiped<i32>,
}

/// A secret key, ready for use. Wiped on drop.
pub struct SecretKey {
    f_short: Wiped<i32>,
    f_hat: Wiped<i32>,
}

not_printed!(PublicKey, SecretKey);

impl Ntru {
    /// Uses the best backend of this machine for the ring.
    ///
    /// **Errors** if there is no transform for the ring.
    pub fn new(parameters: Parameters) -> Result<Self, Error> {
        Self::planned(parameters, parameters.request())
    }

    /// Uses the given backend.
    ///
    /// **Errors** if that backend has no transform for the ring.
    pub fn with_backend(parameters: Parameters, backend: Backend) -> Result<Self, Error> {
        Self::planned(parameters, parameters.request().backend(backend))
    }

    /// Uses transforms of exactly that depth.
    ///
    /// **Errors** if there are none, or if slots of another depth travel.
    pub fn with_depth(parameters: Parameters, depth: u32) -> Result<Self, Error> {
        match parameters.form() {
            Form::Slots { depth: agreed } if agreed != depth => Err(Error::Depth { agreed, depth }),
            _ => Self::planned(parameters, parameters.request().depth(depth)),
        }
    }

    fn planned(parameters: Parameters, request: Request) -> Result<Self, Error> {
        let plan = Plan::with(&request)?;
        let inverses = Inverter::new(&plan)?;
        let places = wire::places(parameters.form(), &plan);
        let centred = Centred::new(parameters.p(), parameters.q());
        Ok(Self { parameters, plan, inverses, centred, places })
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
            if let Some(keys) = self.keygen_derand(&fresh_seed(rng)) {
                return keys;
            }
        }
    }

    /// [`keygen`](Self::keygen) with the caller's random bytes, or `None` if they give an f without
    /// an inverse. For tests and vectors: a seed must be secret and never used twice.
    pub fn keygen_derand(&self, seed: &[u8; SEED_BYTES]) -> Option<(SecretKey, PublicKey)> {
        let each = self.parameters.coins();
        let mut coins = Wiped::zeros(2 * each);
        xof::aes256_ctr(seed, &mut coins);
        let (of_f, of_g) = coins.split_at(each);
        let secret = self.secret_key(self.short(of_f));
        let mut inverse = Wiped::zeros(self.parameters.n());
        if !self.inverses.invert(&mut inverse, &secret.f_hat) {
            return None;
        }
        let mut g_hat = self.short(of_g);
        let p = self.parameters.p() as i32;
        g_hat.iter_mut().for_each(|x| *x *= p);
        self.plan.forward(&mut g_hat);
        let public = self.public_key(self.outgoing(&g_hat, &inverse));
        Some((secret, public))
    }

    /// Encrypts a message: `n` coefficients, each -1, 0 or 1, or in
    /// [`message_range`](Parameters::message_range).
    ///
    /// **Errors** if the message is anything else.
    pub fn encrypt<R: CryptoRng>(&self, key: &PublicKey, message: &[i8], rng: &mut R) -> Result<Vec<u8>, Error> {
        self.encrypt_derand(key, message, &fresh_seed(rng))
    }

    /// [`encrypt`](Self::encrypt) with the caller's random bytes. See
    /// [`keygen_derand`](Self::keygen_derand).
    pub fn encrypt_derand(&self, key: &PublicKey, message: &[i8], seed: &[u8; SEED_BYTES]) -> Result<Vec<u8>, Error> {
        self.check_message(message)?;
        let mut wide = Wiped::zeros(message.len());
        wide.iter_mut().zip(message).for_each(|(wide, &m)| *wide = m.into());
        Ok(self.encrypt_message(key, wide, seed))
    }

    /// Without a branch on coefficients, but on whether all are in range.
    fn check_message(&self, message: &[i8]) -> Result<(), Error> {
        let (n, range) = (self.parameters.n(), self.parameters.message_range());
        let [least, most] = range.map(i64::from);
        if message.len() == n && all_within(message, least, most) { Ok(()) } else { Err(Error::Message { n, range }) }
    }

    /// The same for a message already known to be in range.
    fn encrypt_message(&self, key: &PublicKey, message: Wiped<i32>, seed: &[u8; SEED_BYTES]) -> Vec<u8> {
        let mut coins = Wiped::zeros(self.parameters.coins());
        xof::aes256_ctr(seed, &mut coins);
        let mut r_hat = self.short(&coins);
        self.plan.forward(&mut r_hat);
        let mut c = self.outgoing(&key.h_hat, &r_hat);
        self.plan.add(&mut c, &self.as_it_travels(message));
        self.pack(&c)
    }

    /// Decrypts a ciphertext to its message. Bytes that are not a ciphertext for this key give some
    /// other message.
    ///
    /// **Errors** if the length is wrong, a number is not below `q`, padding bits are not zero, or
    /// the ciphertext travels in another [`Form`].
    pub fn decrypt(&self, key: &SecretKey, ciphertext: &[u8]) -> Result<Zeroizing<Vec<i8>>, Error> {
        let message = self.decrypt_message(key, ciphertext)?;
        Ok(Zeroizing::new(message.iter().map(|&x| x as i8).collect()))
    }

    fn decrypt_message(&self, key: &SecretKey, ciphertext: &[u8]) -> Result<Wiped<i32>, DecodeError> {
        let c_hat = self.incoming(self.unpack("a ciphertext", ciphertext)?);
        let product = self.plan.pointwise(Wiped::zeros(c_hat.len()), &c_hat, &key.f_hat);
        let mut message = self.plan.inverse_product(product);
        message.iter_mut().for_each(|x| *x = self.centred.of(*x));
        Ok(message)
    }

    /// Serializes a message.
    ///
    /// **Errors** if a coefficient is out of range.
    pub fn message_to_bytes(&self, message: &[i8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.check_message(message)?;
        Ok(self.packed(self.parameters.of_messages(), message))
    }

    /// Parses the output of [`message_to_bytes`](Self::message_to_bytes).
    ///
    /// **Errors** if the length is wrong or a coefficient is out of range, without saying which one.
    pub fn message_from_bytes(&self, bytes: &[u8]) -> Result<Zeroizing<Vec<i8>>, Error> {
        let values = self.unpack_small("a message", self.parameters.of_messages(), bytes)?;
        Ok(Zeroizing::new(values.iter().map(|&x| x as i8).collect()))
    }

    fn secret_key(&self, f_short: Wiped<i32>) -> SecretKey {
        let (mut f_hat, p) = (Wiped::zeros(f_short.len()), self.parameters.p() as i32);
        for (f, x) in f_hat.iter_mut().zip(f_short.iter()) {
            *f = p * x;
        }
        f_hat[0] += 1;
        self.plan.forward(&mut f_hat);
        SecretKey { f_short, f_hat }
    }

    fn public_key(&self, h: Wiped<i32>) -> PublicKey {
        let mut h_hat = Wiped::zeros(h.len());
        h_hat.copy_from_slice(&h);
        PublicKey { h_hat: self.incoming(h_hat), h }
    }

    fn short(&self, coins: &[u8]) -> Wiped<i32> {
        // Whole blocks, of which the last may be cut.
        let drawn = (self.parameters.n() + Ternary::BLOCK - 1) & !(Ternary::BLOCK - 1);
        let (mut narrow, mut nibbles) = (Wiped::zeros(drawn), Wiped::zeros(drawn >> 1));
        nibbles[..coins.len()].copy_from_slice(coins);
        Ternary { factor: 1 }.sample(self.backend(), &mut narrow, &nibbles);
        let mut wide = Wiped::zeros(self.parameters.n());
        for (wide, &x) in wide.iter_mut().zip(narrow.iter()) {
            *wide = x.into();
        }
        wide
    }

    fn unpack_small(&self, what: &'static str, range: Interval, bytes: &[u8]) -> Result<Wiped<i32>, DecodeError> {
        check_length(what, range.bytes(self.parameters.n()), bytes)?;
        let mut a = Wiped::zeros(self.parameters.n());
        range.unpack(what, bytes, &mut a).map_err(|_| DecodeError::Secret(what))?;
        Ok(a)
    }
}
