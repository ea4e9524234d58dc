//! From encryption to key encapsulation: the Fujisaki–Okamoto transform, with implicit
//! rejection.
//!
//! ```text
//! keygen       s, z <- {0,1}^256,  (sk, pk) of the encryption from s
//! encapsulate  m <- random message,  (K, coins) = H(pk, m),  c = Encrypt(pk, m; coins)
//! decapsulate  m' = Decrypt(sk, c),  (K', coins') = H(pk, m'),  K' if c = Encrypt(pk, m'; coins'), else H(z, c)
//! ```
//!
//! `H` is SHAKE-256 with the scheme's [`domain`](Scheme::domain), a string. The public key enters by its digest: 32
//! bytes of SHAKE-256 of the domain, `" public key"`, and the key's bytes. `H(pk, m)` is 64 bytes of SHAKE-256 of the
//! domain, `" key"`, that digest, and `m`: first `K`, then the coins. `H(z, c)` is 32 bytes of SHAKE-256 of the domain,
//! `" rejection"`, `z`, and `c`.
//!
//! A secret key is saved as its seeds, `s` and `z`, and 32 bytes of SHAKE-256 of the domain, `" secret key"`, the
//! digest of the public key, `s` and `z`. Reading it derives everything anew, so its halves always match, and any
//! changed bit is detected.
//!
//! The comparison and the choice between the two keys are in constant time, and decapsulation never reveals which key
//! it returned.
//!
//! Source: Fujisaki and Okamoto (1999); Hofheinz, Hövelmanns, Kiltz, *A modular analysis of the Fujisaki–Okamoto
//! transformation* (2017), `FO^⊥̸`. The proof requires decryption failures to be improbable, since its loss grows with
//! the number of hashes that an attacker computes: a scheme states the probability, and [`Kem::new`] refuses it if it
//! is too large.

use crate::{
    ct::{SecretBytes, fresh_seed, not_printed, same, scrubbed},
    decode::{DecodeError, check_length, undamaged},
    estimate::{self, Estimate, failure::ACCEPTED_KEM_LOG2},
    xof::{ByteStream, Shake256, derived_seed},
};
use core::fmt;
use rand_core::CryptoRng;
use subtle::ConditionallySelectable;
use zeroize::Zeroizing;

/// Bytes of a seed, of a shared key, and of the secret that rejection uses.
pub const SEED_BYTES: usize = 32;
/// The classical core-SVP cost, in bits, below which [`Kem::new`] refuses a scheme.
pub const SECURITY_BITS: f64 = 128.0;
/// Bytes of a saved secret key: two seeds and a digest.
pub const SECRET_KEY_BYTES: usize = 3 * SEED_BYTES;

/// The key that both sides obtain.
pub type SharedKey = SecretBytes<SEED_BYTES>;

/// The common interface of research schemes: keys as bytes, and security estimates.
pub trait Scheme {
    /// A public key, ready for use.
    type PublicKey;
    /// A secret key, ready for use; wiped on drop.
    type SecretKey;

    /// A string unique to this scheme and parameter set, with which hashed bytes begin.
    fn domain(&self) -> String;
    /// Bytes of a public key.
    fn public_key_bytes(&self) -> usize;
    /// Bytes of a secret key.
    fn secret_key_bytes(&self) -> usize;
    /// Bytes of a ciphertext.
    fn ciphertext_bytes(&self) -> usize;
    /// log2 of a bound or heuristic estimate of the probability that decryption of an honest
    /// ciphertext gives another message.
    fn failure_log2(&self) -> f64;
    /// The cost of finding the secret key. **Errors** if no attack of the model succeeds.
    fn security(&self) -> Result<Estimate, estimate::Error>;

    /// The bytes of a public key.
    fn public_key_to_bytes(&self, key: &Self::PublicKey) -> Vec<u8>;
    /// The bytes of a secret key.
    fn secret_key_to_bytes(&self, key: &Self::SecretKey) -> Zeroizing<Vec<u8>>;
    /// [`public_key_from_bytes`](Self::public_key_from_bytes) for bytes of the right length.
    fn read_public_key(&self, bytes: &[u8]) -> Result<Self::PublicKey, DecodeError>;
    /// [`secret_key_from_bytes`](Self::secret_key_from_bytes) for bytes of the right length.
    fn read_secret_key(&self, bytes: &[u8]) -> Result<Self::SecretKey, DecodeError>;

    /// Parses the output of [`public_key_to_bytes`](Self::public_key_to_bytes).
    ///
    /// **Errors** if the length is wrong or the bytes are not canonical.
    fn public_key_from_bytes(&self, bytes: &[u8]) -> Result<Self::PublicKey, DecodeError> {
        check_length("a public key", self.public_key_bytes(), bytes)?;
        self.read_public_key(bytes)
    }

    /// Parses the output of [`secret_key_to_bytes`](Self::secret_key_to_bytes).
    ///
    /// **Errors** if the length is wrong or the bytes are not canonical. The position is not reported.
    fn secret_key_from_bytes(&self, bytes: &[u8]) -> Result<Self::SecretKey, DecodeError> {
        check_length("a secret key", self.secret_key_bytes(), bytes)?;
        self.read_secret_key(bytes)
    }
}

/// Public-key encryption whose randomness is a seed.
pub trait Encryption: Scheme {
    /// Bytes of a message, at least 32.
    fn message_bytes(&self) -> usize;
    /// A fresh secret message: random bytes, unless the scheme restricts its messages.
    fn fresh_message(&self, rng: &mut dyn CryptoRng) -> Zeroizing<Vec<u8>> {
        let mut message = Zeroizing::new(vec![0; self.message_bytes()]);
        rng.fill_bytes(&mut message);
        message
    }

    /// The keys generated from a secret seed.
    fn keygen_derand(&self, seed: &[u8; SEED_BYTES]) -> (Self::SecretKey, Self::PublicKey);
    /// Encrypts a message with randomness from a secret seed. **Panics** if the bytes are not a message.
    fn encrypt_derand(&self, key: &Self::PublicKey, message: &[u8], seed: &[u8; SEED_BYTES]) -> Vec<u8>;
    /// Decrypts a ciphertext. **Errors** if the bytes are not a ciphertext, which is public.
    fn decrypt(&self, key: &Self::SecretKey, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, DecodeError>;
}

/// Key encapsulation from a public-key encryption.
#[derive(Clone, Debug)]
pub struct Kem<E> {
    encryption: E,
}

/// A public key, ready for encapsulation.
pub struct PublicKey<E: Encryption> {
    key: E::PublicKey,
    bytes: Vec<u8>,
    digest: [u8; SEED_BYTES],
}

/// A secret key, ready for decapsulation. Wiped on drop.
pub struct SecretKey<E: Encryption> {
    key: E::SecretKey,
    public: PublicKey<E>,
    seed: SecretBytes<SEED_BYTES>,
    rejection: SecretBytes<SEED_BYTES>,
}

not_printed!(SecretKey<E: Encryption>, PublicKey<E: Encryption>);

impl<E: Encryption> SecretKey<E> {
    /// The public key of this secret key.
    pub const fn public_key(&self) -> &PublicKey<E> {
        &self.public
    }
}

impl<E: Encryption> PublicKey<E> {
    /// The bytes of this key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Why an encryption scheme is unfit for key encapsulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// Messages are short enough to guess keys.
    ShortMessages {
        /// Bytes of a message.
        bytes: usize,
    },
    /// The failure probability of decryption is too large.
    Failure {
        /// log2 of the probability.
        log2: f64,
    },
    /// The secret key costs too little to find, or the cost cannot be estimated.
    Weak(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShortMessages { bytes } => {
                write!(f, "messages of {bytes} bytes are too short for key encapsulation: {SEED_BYTES} work")
            }
            Self::Failure { log2 } => write!(
                f,
                "decryption fails with probability 2^{log2:.1}: more than 2^{ACCEPTED_KEM_LOG2} lets an attacker who \
                 chooses ciphertexts learn the secret key from failures; take other parameters, or Kem::research"
            ),
            Self::Weak(why) => {
                write!(f, "{why}; {SECURITY_BITS} bits are wanted: take other parameters, or Kem::research")
            }
        }
    }
}

impl core::error::Error for Error {}

impl<E: Encryption> Kem<E> {
    /// Key encapsulation from `encryption`.
    ///
    /// **Errors** if messages have fewer than 32 bytes, or decryption fails with a probability above
    /// `2^`[`ACCEPTED_KEM_LOG2`], or if the secret key costs less than [`SECURITY_BITS`], or there
    /// is no estimate. Takes some milliseconds.
    pub fn new(encryption: E) -> Result<Self, Error> {
        let kem = Self::research(encryption)?;
        match kem.encryption.failure_log2() {
            log2 if log2 <= ACCEPTED_KEM_LOG2 => {}
            log2 => return Err(Error::Failure { log2 }),
        }
        match kem.encryption.security() {
            Ok(estimate) if estimate.classical_bits >= SECURITY_BITS => Ok(kem),
            Ok(estimate) => Err(Error::Weak(format!("the secret key costs 2^{:.1} to find", estimate.classical_bits))),
            Err(why) => Err(Error::Weak(format!("the cost of finding the secret key cannot be estimated: {why}"))),
        }
    }

    /// Key encapsulation from `encryption`, regardless of its failure probability and the cost of attacks. For study:
    /// the sides may get different keys without noticing, and an observer of failures learns the secret key.
    ///
    /// **Errors** if messages have fewer than 32 bytes.
    pub fn research(encryption: E) -> Result<Self, Error> {
        let bytes = encryption.message_bytes();
        if bytes >= SEED_BYTES { Ok(Self { encryption }) } else { Err(Error::ShortMessages { bytes }) }
    }

    /// The encryption scheme.
    pub const fn encryption(&self) -> &E {
        &self.encryption
    }

    /// Fresh keys.
    pub fn keygen<R: CryptoRng>(&self, rng: &mut R) -> SecretKey<E> {
        let [seed, rejection] = [fresh_seed(rng), fresh_seed(rng)];
        self.keygen_derand(&seed, &rejection)
    }

    /// The keys generated from a secret seed for the encryption and another one for rejection.
    pub fn keygen_derand(&self, seed: &[u8; SEED_BYTES], rejection: &[u8; SEED_BYTES]) -> SecretKey<E> {
        let (key, public) = scrubbed(|| self.encryption.keygen_derand(seed));
        let bytes = self.encryption.public_key_to_bytes(&public);
        let public = self.prepared(public, bytes);
        SecretKey { key, public, seed: SecretBytes::copied(seed), rejection: SecretBytes::copied(rejection) }
    }

    /// A ciphertext and the fresh key that it carries.
    pub fn encapsulate<R: CryptoRng>(&self, key: &PublicKey<E>, rng: &mut R) -> (Vec<u8>, SharedKey) {
        self.encapsulate_derand(key, &self.encryption.fresh_message(rng))
    }

    /// [`encapsulate`](Self::encapsulate) with a secret message, never used twice.
    ///
    /// **Panics** if the bytes are not a message of the encryption scheme.
    pub fn encapsulate_derand(&self, key: &PublicKey<E>, message: &[u8]) -> (Vec<u8>, SharedKey) {
        scrubbed(|| {
            let [shared, coins] = self.expand(b"key", &key.digest, message);
            (self.encryption.encrypt_derand(&key.key, message, &coins), shared)
        })
    }

    /// The key that a ciphertext carries, or a pseudorandom one if the ciphertext was not made by
    /// [`encapsulate`](Self::encapsulate) for this key (implicit rejection).
    ///
    /// **Constant time:** yes. **Errors** only if the bytes encode no ciphertext.
    pub fn decapsulate(&self, key: &SecretKey<E>, ciphertext: &[u8]) -> Result<SharedKey, DecodeError> {
        scrubbed(|| self.decapsulate_with(key, ciphertext))
    }

    fn decapsulate_with(&self, key: &SecretKey<E>, ciphertext: &[u8]) -> Result<SharedKey, DecodeError> {
        let message = self.encryption.decrypt(&key.key, ciphertext)?;
        let [shared, coins] = self.expand(b"key", &key.public.digest, &message);
        let again = Zeroizing::new(self.encryption.encrypt_derand(&key.public.key, &message, &coins));
        let [mut chosen, _] = self.expand(b"rejection", &key.rejection, ciphertext);
        let accepted = same(&again, ciphertext);
        for (chosen, shared) in chosen.iter_mut().zip(&*shared) {
            chosen.conditional_assign(shared, accepted);
        }
        Ok(chosen)
    }

    /// A secret key as [`SECRET_KEY_BYTES`] bytes: its seeds and their digest.
    pub fn secret_key_to_bytes(&self, key: &SecretKey<E>) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(SECRET_KEY_BYTES));
        for part in [&key.seed, &key.rejection, &self.fingerprint(key)] {
            bytes.extend_from_slice(&part[..]);
        }
        bytes
    }

    /// Parses the output of [`secret_key_to_bytes`](Self::secret_key_to_bytes), at the cost of key generation.
    ///
    /// **Errors** if the length is wrong or any bit was changed.
    pub fn secret_key_from_bytes(&self, bytes: &[u8]) -> Result<SecretKey<E>, DecodeError> {
        const WHAT: &str = "a secret key";
        check_length(WHAT, SECRET_KEY_BYTES, bytes)?;
        let (parts, _) = bytes.as_chunks();
        let key = self.keygen_derand(&parts[0], &parts[1]);
        undamaged(WHAT, &*self.fingerprint(&key), &parts[2]).map(|()| key)
    }

    fn fingerprint(&self, key: &SecretKey<E>) -> SecretBytes<SEED_BYTES> {
        let domain = self.encryption.domain();
        let parts = [domain.as_bytes(), b" secret key", &key.public.digest, &key.seed[..], &key.rejection[..]];
        scrubbed(|| derived_seed(&parts))
    }

    /// Parses a public key.
    ///
    /// **Errors** if the bytes are not canonical.
    pub fn public_key_from_bytes(&self, bytes: &[u8]) -> Result<PublicKey<E>, DecodeError> {
        check_length("a public key", self.encryption.public_key_bytes(), bytes)?;
        Ok(self.prepared(self.encryption.public_key_from_bytes(bytes)?, bytes.to_vec()))
    }

    fn prepared(&self, key: E::PublicKey, bytes: Vec<u8>) -> PublicKey<E> {
        let mut digest = [0; SEED_BYTES];
        let mut input = format!("{} public key", self.encryption.domain()).into_bytes();
        input.extend(&bytes);
        Shake256::new(&input).read(&mut digest);
        PublicKey { key, bytes, digest }
    }

    /// 64 bytes of SHAKE-256 of the domain, the purpose, 32 bytes and further bytes.
    fn expand(&self, purpose: &[u8], first: &[u8; SEED_BYTES], second: &[u8]) -> [SecretBytes<SEED_BYTES>; 2] {
        let domain = self.encryption.domain();
        let parts = [domain.as_bytes(), b" ", purpose, first, second];
        let mut input = Zeroizing::new(Vec::with_capacity(parts.iter().map(|part| part.len()).sum()));
        parts.iter().for_each(|part| input.extend_from_slice(part));
        let mut output = [SecretBytes::zeros(), SecretBytes::zeros()];
        let mut stream = Shake256::new(&input);
        output.iter_mut().for_each(|half| stream.read(&mut half[..]));
        output
    }
}
