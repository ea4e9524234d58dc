//! From encryption to key encapsulation: the transform of Fujisaki and Okamoto, with implicit rejection.
//!
//! ```text
//! keygen       (pk, sk) of the encryption, z <- {0,1}^256
//! encapsulate  m <- random,  (K, coins) = H(pk, m),  c = Encrypt(pk, m; coins)
//! decapsulate  m' = Decrypt(sk, c),  (K', coins') = H(pk, m'),  K' if c = Encrypt(pk, m'; coins'), else H(z, c)
//! ```
//!
//! `H` is SHAKE-256 with the scheme's [`domain`](Encryption::domain), a string. The public key enters by its digest, 32 bytes
//! of SHAKE-256 of the domain, `" public key"`, and the key's bytes. `H(pk, m)` is 64 bytes of SHAKE-256 of the domain,
//! `" key"`, that digest, and `m`: first `K`, then the coins. `H(z, c)` is 32 bytes of SHAKE-256 of the domain,
//! `" rejection"`, `z`, and `c`.
//!
//! The comparison and the choice between the two keys are in constant time, and decapsulation never says which it was.
//!
//! Source: Fujisaki and Okamoto (1999); Hofheinz, Hövelmanns, Kiltz, *A modular analysis of the Fujisaki–Okamoto
//! transformation* (2017), `FO^⊥̸`. The proof needs decryption failures to be improbable: a scheme tells how probable they are.

use crate::{
    ct::{SecretBytes, fresh_seed},
    decode::{DecodeError, check_length},
    xof::{ByteStream, Shake256},
};
use core::fmt;
use rand_core::CryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

/// Messages by which the two halves of a secret key are tried.
const TRIALS: usize = 5;

/// Bytes of a seed, of a shared key, and of the secret that rejection uses.
pub const SEED_BYTES: usize = 32;

/// The key that both sides get.
pub type SharedKey = SecretBytes<SEED_BYTES>;

/// Public-key encryption whose randomness is a seed.
pub trait Encryption {
    /// A public key, ready for use.
    type PublicKey;
    /// A secret key, ready for use; wiped on drop.
    type SecretKey;

    /// What separates this scheme and parameter set from all others where bytes are hashed.
    fn domain(&self) -> String;
    /// Bytes of a message, 32 at least.
    fn message_bytes(&self) -> usize;
    /// Bytes of a public key.
    fn public_key_bytes(&self) -> usize;
    /// Bytes of a secret key.
    fn secret_key_bytes(&self) -> usize;
    /// Bytes of a ciphertext.
    fn ciphertext_bytes(&self) -> usize;
    /// log2 of a bound or heuristic estimate of the probability that a message is decrypted to another one.
    fn failure_log2(&self) -> f64;

    /// The keys of a secret seed.
    fn keygen_derand(&self, seed: &[u8; SEED_BYTES]) -> (Self::PublicKey, Self::SecretKey);
    /// The ciphertext of a message and a secret seed. **Panics** if the message has another length.
    fn encrypt_derand(&self, key: &Self::PublicKey, message: &[u8], seed: &[u8; SEED_BYTES]) -> Vec<u8>;
    /// The message. **Errors** if the bytes are no ciphertext: that is public.
    fn decrypt(&self, key: &Self::SecretKey, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, DecodeError>;

    /// The bytes of a public key.
    fn public_key_to_bytes(&self, key: &Self::PublicKey) -> Vec<u8>;
    /// The public key of bytes. **Errors** if they are not canonical.
    fn public_key_from_bytes(&self, bytes: &[u8]) -> Result<Self::PublicKey, DecodeError>;
    /// The bytes of a secret key.
    fn secret_key_to_bytes(&self, key: &Self::SecretKey) -> Zeroizing<Vec<u8>>;
    /// The secret key of bytes. **Errors** if they are not canonical.
    fn secret_key_from_bytes(&self, bytes: &[u8]) -> Result<Self::SecretKey, DecodeError>;
}

/// Key encapsulation by an encryption.
#[derive(Clone, Debug)]
pub struct Kem<E> {
    encryption: E,
}

/// What encapsulation needs.
pub struct PublicKey<E: Encryption> {
    key: E::PublicKey,
    bytes: Vec<u8>,
    digest: [u8; SEED_BYTES],
}

/// What decapsulation needs.
pub struct SecretKey<E: Encryption> {
    key: E::SecretKey,
    public: PublicKey<E>,
    rejection: Zeroizing<[u8; SEED_BYTES]>,
}

impl<E: Encryption> fmt::Debug for SecretKey<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

impl<E: Encryption> fmt::Debug for PublicKey<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PublicKey(..)")
    }
}

impl<E: Encryption> SecretKey<E> {
    /// The public key that belongs to it.
    pub const fn public_key(&self) -> &PublicKey<E> {
        &self.public
    }
}

impl<E: Encryption> PublicKey<E> {
    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl<E: Encryption> Kem<E> {
    /// By that encryption.
    ///
    /// **Panics** if its messages have fewer than 32 bytes: then keys could be guessed.
    pub fn new(encryption: E) -> Self {
        let bytes = encryption.message_bytes();
        assert!(bytes >= SEED_BYTES, "messages of {bytes} bytes are too short for key encapsulation");
        Self { encryption }
    }

    /// The encryption.
    pub const fn encryption(&self) -> &E {
        &self.encryption
    }

    /// New keys.
    pub fn keygen<R: CryptoRng>(&self, rng: &mut R) -> SecretKey<E> {
        let [seed, rejection] = [fresh_seed(rng), fresh_seed(rng)];
        self.keygen_derand(&seed, &rejection)
    }

    /// The keys of a secret seed for the encryption and another one for rejection.
    pub fn keygen_derand(&self, seed: &[u8; SEED_BYTES], rejection: &[u8; SEED_BYTES]) -> SecretKey<E> {
        let (public, key) = self.encryption.keygen_derand(seed);
        let bytes = self.encryption.public_key_to_bytes(&public);
        SecretKey { key, public: self.prepared(public, bytes), rejection: Zeroizing::new(*rejection) }
    }

    /// A new key and the ciphertext that carries it.
    pub fn encapsulate<R: CryptoRng>(&self, key: &PublicKey<E>, rng: &mut R) -> (SharedKey, Vec<u8>) {
        let mut message = Zeroizing::new(vec![0; self.encryption.message_bytes()]);
        rng.fill_bytes(&mut message);
        self.encapsulate_derand(key, &message)
    }

    /// [`encapsulate`](Self::encapsulate) of a secret message, never used twice.
    ///
    /// **Panics** if it does not have the encryption's length.
    pub fn encapsulate_derand(&self, key: &PublicKey<E>, message: &[u8]) -> (SharedKey, Vec<u8>) {
        let [shared, coins] = &*self.expand(b"key", &key.digest, message);
        (SharedKey::new(*shared), self.encryption.encrypt_derand(&key.key, message, coins))
    }

    /// The key that a ciphertext carries; a key that nobody else knows if it was not made by
    /// [`encapsulate`](Self::encapsulate) for this key.
    ///
    /// **Constant time:** yes. **Errors** if the bytes are no ciphertext at all.
    pub fn decapsulate(&self, key: &SecretKey<E>, ciphertext: &[u8]) -> Result<SharedKey, DecodeError> {
        let message = self.encryption.decrypt(&key.key, ciphertext)?;
        let [shared, coins] = &*self.expand(b"key", &key.public.digest, &message);
        let again = Zeroizing::new(self.encryption.encrypt_derand(&key.public.key, &message, coins));
        let [rejected, _] = &*self.expand(b"rejection", &key.rejection, ciphertext);
        let accepted = again.ct_eq(ciphertext);
        let mut chosen = Zeroizing::new([0; SEED_BYTES]);
        for ((chosen, shared), rejected) in chosen.iter_mut().zip(shared).zip(rejected) {
            *chosen = u8::conditional_select(rejected, shared, accepted);
        }
        Ok(SharedKey::new(*chosen))
    }

    /// The bytes of a secret key: of the encryption's secret key, of the public key, and of the rejection secret.
    pub fn secret_key_to_bytes(&self, key: &SecretKey<E>) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(self.secret_key_bytes()));
        bytes.extend_from_slice(&self.encryption.secret_key_to_bytes(&key.key));
        bytes.extend_from_slice(&key.public.bytes);
        bytes.extend_from_slice(&key.rejection[..]);
        bytes
    }

    /// Bytes of a secret key.
    pub fn secret_key_bytes(&self) -> usize {
        self.encryption.secret_key_bytes() + self.encryption.public_key_bytes() + SEED_BYTES
    }

    /// The secret key of [`secret_key_to_bytes`](Self::secret_key_to_bytes).
    ///
    /// **Errors** if the bytes cannot come from there: also if the public key is not that of the secret key, which is tried.
    pub fn secret_key_from_bytes(&self, bytes: &[u8]) -> Result<SecretKey<E>, DecodeError> {
        check_length("a secret key", self.secret_key_bytes(), bytes)?;
        let (secret, rest) = bytes.split_at(self.encryption.secret_key_bytes());
        let (public, rejection) = rest.split_at(self.encryption.public_key_bytes());
        let key = SecretKey {
            key: self.encryption.secret_key_from_bytes(secret)?,
            public: self.public_key_from_bytes(public)?,
            rejection: Zeroizing::new(*rejection.first_chunk().expect("the length was checked")),
        };
        if self.belong_together(&key)? { Ok(key) } else { Err(DecodeError::Mismatch) }
    }

    /// Whether one of some messages comes back: several, for encryptions that fail now and then.
    fn belong_together(&self, key: &SecretKey<E>) -> Result<bool, DecodeError> {
        let mut stream = Shake256::new(&[self.encryption.domain().as_bytes(), b" trial", &key.public.digest].concat());
        for _ in 0..TRIALS {
            let (mut message, mut coins) = (vec![0; self.encryption.message_bytes()], [0; SEED_BYTES]);
            stream.read(&mut message);
            stream.read(&mut coins);
            let ciphertext = self.encryption.encrypt_derand(&key.public.key, &message, &coins);
            if bool::from(self.encryption.decrypt(&key.key, &ciphertext)?.ct_eq(&message)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The public key of bytes.
    ///
    /// **Errors** if they are not canonical.
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

    /// 64 bytes of SHAKE-256 of the domain, the purpose, 32 bytes and any bytes.
    fn expand(&self, purpose: &[u8], first: &[u8; SEED_BYTES], second: &[u8]) -> Zeroizing<[[u8; SEED_BYTES]; 2]> {
        let domain = self.encryption.domain();
        let parts = [domain.as_bytes(), b" ", purpose, first, second];
        let mut input = Zeroizing::new(Vec::with_capacity(parts.iter().map(|part| part.len()).sum()));
        parts.iter().for_each(|part| input.extend_from_slice(part));
        let mut output = Zeroizing::new([[0; SEED_BYTES]; 2]);
        let mut stream = Shake256::new(&input);
        output.iter_mut().for_each(|half| stream.read(half));
        output
    }
}
