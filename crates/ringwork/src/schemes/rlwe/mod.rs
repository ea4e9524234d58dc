//! Ring-LWE encryption with four transforms, as in the processor paper.
//!
//! ```text
//! keygen   ã uniform in the transform domain,  r1 <- D_σ^n,  r2 <- {0,1}^n,  p = r1 - a·r2
//!          public (ã, p̃),  secret r̃2
//! encrypt  e1, e2, e3 <- D_σ^n,  (c̃1, c̃2) = (ã∘ẽ1 + ẽ2,  p̃∘ẽ1 + NTT(e3 + m̄)),  m̄ = ⌊q/2⌋·m
//! decrypt  m' = INTT(c̃1∘r̃2 + c̃2),  a bit is one where |m'_i| > q/4
//! ```
//!
//! Encryption takes three transforms, decryption one. The noise left after decryption,
//! `r1·e1 + r2·e2 + e3`, flips a bit with the probability that [`Rlwe::failure_log2`] computes:
//! about `2^-18` per message. So this scheme is for study only: inside [`Kem`](crate::kem::Kem),
//! such a failure gives the two sides different keys, and neither notices until it uses them. For
//! anything else, take another scheme.
//!
//! **Wire format** (version 1): polynomials in canonical slot order with respect to
//! [`ROOT`](crate::ring::Parameters::ROOT), 14 bits per coefficient. A public key is the seed of
//! `ã` followed by `p̃`; a secret key is the bits of `r2`, constant term first; a ciphertext is
//! `c̃1` and `c̃2`. `ã` is sampled by rejection, slot by slot in canonical order, from SHAKE-128 of
//! `"ringwork rlwe a"`, the name of the set, and the seed, concatenated. Secret seeds key
//! [`ChaCha20::of_use`], whose label is the [domain](Scheme::domain) followed by one word. With
//! `" a"`, a key's seed gives the 32 bytes of the seed of `ã`; with `" keys"`, it gives first `r1`,
//! then `r2`. With `" noise"`, a ciphertext's seed gives `e1`, `e2`, `e3` as one string.
//!
//! **A research scheme**, not a standard.
//!
//! **Constant time:** everything that depends on keys, noise and messages.
//!
//! Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014),
//! sections 2.1 and 6; Lyubashevsky, Peikert, Regev (2010); binary `r2` after Göttert et al.
//! (2012).

mod encode;
mod params;

pub use params::{P1, P2, Parameters};

use crate::{
    ct::{Wiped, all_within, not_printed},
    decode::{DecodeError, check_length},
    estimate::{
        self, Estimate, Lwe, Shape,
        failure::{self, Distribution},
    },
    kem::{Encryption, SEED_BYTES, Scheme},
    ring::{NttPoly, Poly, Ring},
    sample::{self, Gaussian},
    xof::{ByteStream, ChaCha20, Shake128},
};
use ntt::{Backend, PlanError};
use zeroize::Zeroizing;

/// Ring-LWE encryption for one parameter set on one backend. Construct it once and reuse it.
#[derive(Clone, Debug)]
pub struct Rlwe<P> {
    ring: Ring<P>,
    noise: Gaussian,
}

/// A public key `(ã, p̃)`.
#[derive(Debug)]
pub struct PublicKey<P: Parameters> {
    seed: [u8; SEED_BYTES],
    a_hat: NttPoly<P>,
    p_hat: NttPoly<P>,
}

/// A secret key: `r̃2`, and `r2` for serialization.
pub struct SecretKey<P: Parameters> {
    r2: Poly<P>,
    r2_hat: NttPoly<P>,
}

/// A ciphertext `(c̃1, c̃2)`.
#[derive(Debug)]
pub struct Ciphertext<P: Parameters> {
    c1_hat: NttPoly<P>,
    c2_hat: NttPoly<P>,
}

not_printed!(SecretKey<P: Parameters>);

impl<P: Parameters> Rlwe<P> {
    /// The largest absolute value of a noise coefficient.
    const LARGEST: i64 = (P::Q >> 1) as i64;

    /// Uses the best backend of this machine.
    pub fn new() -> Self {
        Self::with_backend(Backend::best()).expect("the parameters have a plan on every backend")
    }

    /// Uses the given backend.
    pub fn with_backend(backend: Backend) -> Result<Self, PlanError> {
        let noise = Gaussian::new(P::S / (2.0 * core::f64::consts::PI).sqrt()).expect("a width of the sampler's");
        Ok(Self { ring: Ring::with_backend(backend)?, noise })
    }

    /// The ring.
    pub const fn ring(&self) -> &Ring<P> {
        &self.ring
    }

    /// Derives the keys from a secret seed. The seed of `ã`, which is public, is derived from it
    /// too and reveals nothing about the rest.
    pub fn keys(&self, seed: &[u8; SEED_BYTES]) -> (SecretKey<P>, PublicKey<P>) {
        let mut a_seed = [0; SEED_BYTES];
        self.stream("a", seed).read(&mut a_seed);
        let mut stream = self.stream("keys", seed);
        let r1 = self.noise(&mut stream);
        let r2 = Poly::<P>::filled(|words| sample::binary(&mut stream, words));
        self.keys_with(a_seed, r1.coefficients(), r2.coefficients())
    }

    /// Makes the keys from a public seed of `ã` and secret polynomials of the caller; for known
    /// answers and for custom samplers.
    ///
    /// - **Range:** `r1` short, from `D_σ`, at most `q/2` in absolute value; `r2` zeros and ones.
    /// - **Constant time:** yes.
    /// - **Panics** unless both have `n` coefficients in these ranges; the message does not say
    ///   which one is wrong.
    pub fn keys_with_noise(&self, seed: [u8; SEED_BYTES], r1: &[i16], r2: &[i16]) -> (SecretKey<P>, PublicKey<P>) {
        assert_eq!([r1.len(), r2.len()], [P::N; 2], "coefficients of r1 and r2");
        assert!(all_within(r1, -Self::LARGEST, Self::LARGEST), "a coefficient of r1 is beyond q/2");
        assert!(all_within(r2, 0, 1), "a coefficient of r2 is neither 0 nor 1");
        self.keys_with(seed, r1, r2)
    }

    fn keys_with(&self, seed: [u8; SEED_BYTES], r1: &[i16], r2: &[i16]) -> (SecretKey<P>, PublicKey<P>) {
        let ring = &self.ring;
        let a_hat = Self::parse(ring, &seed);
        let minus_r2 = ring.forward(Poly::filled(|words| {
            words.iter_mut().zip(r2).for_each(|(minus, bit)| *minus = -bit);
        }));
        let r1_hat = ring.forward(Poly::filled(|words| words.copy_from_slice(r1)));
        let p_hat = ring.product_plus(ring.product(&a_hat, &minus_r2), &r1_hat);
        (self.secret_key(Poly::filled(|words| words.copy_from_slice(r2))), PublicKey { seed, a_hat, p_hat })
    }

    /// Encrypts one bit per coefficient, with noise from a secret seed that must be used only once.
    ///
    /// **Panics** if the message does not have `n/8` bytes.
    pub fn encrypt_polynomials(&self, key: &PublicKey<P>, message: &[u8], seed: &[u8; SEED_BYTES]) -> Ciphertext<P> {
        let mut noise = Wiped::zeros(3 * P::N);
        let mut stream = self.stream("noise", seed);
        self.noise.sample(self.ring.backend(), &mut stream, &mut noise);
        self.encrypt_with(key, message, &noise)
    }

    /// [`encrypt_polynomials`](Self::encrypt_polynomials) with the caller's secret noise, `e1`,
    /// `e2`, `e3` contiguous, to be used only once; for known answers and for custom samplers.
    ///
    /// - **Range:** short, from `D_σ`; at most `q/2` in absolute value.
    /// - **Constant time:** yes.
    /// - **Panics** unless the message has `n/8` bytes and the noise `3n` coefficients in that
    ///   range.
    pub fn encrypt_with_noise(&self, key: &PublicKey<P>, message: &[u8], noise: &[i16]) -> Ciphertext<P> {
        assert_eq!(noise.len(), 3 * P::N, "coefficients of noise");
        assert!(all_within(noise, -Self::LARGEST, Self::LARGEST), "a coefficient of the noise is beyond q/2");
        self.encrypt_with(key, message, noise)
    }

    fn encrypt_with(&self, key: &PublicKey<P>, message: &[u8], noise: &[i16]) -> Ciphertext<P> {
        assert_eq!(message.len(), P::MESSAGE_BYTES, "bytes of a message");
        let ring = &self.ring;
        let part = |i: usize| Poly::filled(|words| words.copy_from_slice(&noise[i * P::N..][..P::N]));
        let (e1_hat, e2_hat) = (ring.forward(part(0)), ring.forward(part(1)));
        let e3_hat = ring.forward(Poly::filled(|words| {
            words.copy_from_slice(&noise[2 * P::N..]);
            encode::add_message(P::Q, message, words);
        }));
        Ciphertext {
            c1_hat: ring.product_plus(ring.product(&key.a_hat, &e1_hat), &e2_hat),
            c2_hat: ring.product_plus(ring.product(&key.p_hat, &e1_hat), &e3_hat),
        }
    }

    /// Decrypts to the message.
    pub fn decrypt_polynomials(&self, key: &SecretKey<P>, ciphertext: &Ciphertext<P>) -> Zeroizing<Vec<u8>> {
        let ring = &self.ring;
        let sum = ring.product_plus(ring.product(&ciphertext.c1_hat, &key.r2_hat), &ciphertext.c2_hat);
        let mut message = Zeroizing::new(vec![0; P::MESSAGE_BYTES]);
        encode::message(P::Q, ring.inverse(sum).coefficients(), &mut message);
        message
    }

    /// Serializes a ciphertext.
    pub fn ciphertext_to_bytes(&self, ciphertext: &Ciphertext<P>) -> Vec<u8> {
        let mut bytes = vec![0; P::CIPHERTEXT_BYTES];
        let (c1, c2) = bytes.split_at_mut(P::POLYNOMIAL_BYTES);
        self.ring.pack(&ciphertext.c1_hat, c1);
        self.ring.pack(&ciphertext.c2_hat, c2);
        bytes
    }

    /// Parses a ciphertext.
    ///
    /// **Errors** if the bytes are not canonical.
    pub fn ciphertext_from_bytes(&self, bytes: &[u8]) -> Result<Ciphertext<P>, DecodeError> {
        check_length("a ciphertext", P::CIPHERTEXT_BYTES, bytes)?;
        let (c1, c2) = bytes.split_at(P::POLYNOMIAL_BYTES);
        Ok(Ciphertext {
            c1_hat: self.ring.unpack("c1 of a ciphertext", c1)?,
            c2_hat: self.ring.unpack("c2 of a ciphertext", c2)?,
        })
    }

    fn secret_key(&self, r2: Poly<P>) -> SecretKey<P> {
        let copy = Poly::filled(|words| words.copy_from_slice(r2.coefficients()));
        SecretKey { r2_hat: self.ring.canonical(self.ring.forward(copy)), r2 }
    }

    /// The stream that a secret seed gives for `purpose`.
    fn stream(&self, purpose: &str, seed: &[u8; SEED_BYTES]) -> ChaCha20 {
        ChaCha20::of_use(format!("{} {purpose}", self.domain()).as_bytes(), seed)
    }

    fn noise(&self, stream: &mut ChaCha20) -> Poly<P> {
        Poly::filled(|words| self.noise.sample(self.ring.backend(), stream, words))
    }

    /// Samples `ã` from a seed. Variable time: `ã` is public.
    fn parse(ring: &Ring<P>, seed: &[u8; SEED_BYTES]) -> NttPoly<P> {
        let input = [b"ringwork rlwe a", P::NAME.as_bytes(), seed].concat();
        let mut values = vec![0_i16; P::N];
        sample::uniform_mod_vartime(P::Q.into(), &mut Shake128::new(&input), &mut values);
        ring.from_canonical(&values)
    }
}

impl<P: Parameters> Default for Rlwe<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Parameters> Scheme for Rlwe<P> {
    type PublicKey = PublicKey<P>;
    type SecretKey = SecretKey<P>;

    fn domain(&self) -> String {
        format!("ringwork {} 1", P::NAME)
    }

    fn public_key_bytes(&self) -> usize {
        P::PUBLIC_KEY_BYTES
    }

    fn secret_key_bytes(&self) -> usize {
        P::SECRET_KEY_BYTES
    }

    fn ciphertext_bytes(&self) -> usize {
        P::CIPHERTEXT_BYTES
    }

    /// The cost of finding the secret key: ring-LWE with `n` samples, a binary secret and the noise
    /// `r1`.
    ///
    /// **Errors** if no attack of the model succeeds.
    fn security(&self) -> Result<Estimate, estimate::Error> {
        let error = Shape::Gaussian(self.noise.sigma());
        Lwe { n: P::N, q: u64::from(P::Q).into(), secret: Shape::Binary, error, samples: Some(P::N) }.security()
    }

    /// For one of the `n` coefficients: log2 of the probability that
    /// `|r1·e1 + r2·e2 + e3| ≥ ⌊q/4⌋`, assuming that the coefficients of a product are independent.
    /// Takes some tenths of a second.
    fn failure_log2(&self) -> f64 {
        const TAIL: f64 = 14.0;
        let n = P::N as u64;
        let computed = || -> Result<f64, failure::Error> {
            let noise = Distribution::gaussian(self.noise.sigma(), TAIL)?;
            let first = noise.product(&noise)?.times(n)?;
            let second = Distribution::binary().product(&noise)?.times(n)?;
            let sum = first.sum(&second)?.sum(&noise)?;
            Ok(sum.tail(u64::from(P::Q >> 2) - 1) + (n as f64).log2())
        };
        computed().expect("the distributions of the parameter sets are within limits")
    }

    fn public_key_to_bytes(&self, key: &PublicKey<P>) -> Vec<u8> {
        let mut bytes = vec![0; P::PUBLIC_KEY_BYTES];
        let (seed, p) = bytes.split_at_mut(SEED_BYTES);
        seed.copy_from_slice(&key.seed);
        self.ring.pack(&key.p_hat, p);
        bytes
    }

    fn secret_key_to_bytes(&self, key: &SecretKey<P>) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(vec![0; P::SECRET_KEY_BYTES]);
        encode::bits_to_bytes(key.r2.coefficients(), &mut bytes);
        bytes
    }

    fn read_public_key(&self, bytes: &[u8]) -> Result<PublicKey<P>, DecodeError> {
        let (seed, p) = bytes.split_first_chunk().expect("the length was checked");
        let p_hat = self.ring.unpack("p of a public key", p)?;
        Ok(PublicKey { seed: *seed, a_hat: Self::parse(&self.ring, seed), p_hat })
    }

    fn read_secret_key(&self, bytes: &[u8]) -> Result<SecretKey<P>, DecodeError> {
        Ok(self.secret_key(Poly::filled(|words| encode::bytes_to_bits(bytes, words))))
    }
}

impl<P: Parameters> Encryption for Rlwe<P> {
    fn message_bytes(&self) -> usize {
        P::MESSAGE_BYTES
    }

    fn keygen_derand(&self, seed: &[u8; SEED_BYTES]) -> (SecretKey<P>, PublicKey<P>) {
        self.keys(seed)
    }

    fn encrypt_derand(&self, key: &PublicKey<P>, message: &[u8], seed: &[u8; SEED_BYTES]) -> Vec<u8> {
        self.ciphertext_to_bytes(&self.encrypt_polynomials(key, message, seed))
    }

    fn decrypt(&self, key: &SecretKey<P>, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, DecodeError> {
        Ok(self.decrypt_polynomials(key, &self.ciphertext_from_bytes(ciphertext)?))
    }
}
