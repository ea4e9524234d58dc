//! The standards by name, with keys, ciphertexts and signatures as bytes: for callers who learn the parameter set when
//! the program runs, such as those in other languages.
//!
//! ```
//! use ringwork::standards::kem;
//!
//! let scheme = kem("ML-KEM-768").expect("a known name");
//! let (public, secret) = scheme.keygen(&[7; 64]).pop().expect("one key for one seed");
//! let (ciphertext, shared) = scheme.encapsulate(&[&public], &[9; 32]).expect("a key").pop().expect("one");
//! assert_eq!(scheme.decapsulate(&[&secret], &[&ciphertext]).expect("well-formed")[0], shared);
//! ```

#[cfg(feature = "mldsa")]
use crate::schemes::mldsa::{
    self, Error, ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Mu, Prehashed, VerifyingKey,
};
#[cfg(feature = "mlkem")]
use crate::schemes::mlkem::{
    self, B32, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet, decapsulate_many,
    encapsulate_many_deterministic, keygen_many, read_many,
};
#[cfg(feature = "xwing")]
use crate::xwing;
use crate::{ct::SecretBytes, decode::DecodeError};
use alloc::vec::Vec;
use core::{fmt, marker::PhantomData};
#[cfg(feature = "mlkem")]
use zeroize::Zeroize;
use zeroize::Zeroizing;

/// Why bytes are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// These are no key.
    Key(DecodeError),
    /// A secret key of another length than its two forms.
    SecretKeyLength {
        /// Bytes of an expanded key.
        expanded: usize,
        /// Bytes of a seed.
        seed: usize,
        /// Bytes found.
        actual: usize,
    },
    /// These are no ciphertext.
    Ciphertext(DecodeError),
    /// A context is longer than 255 bytes.
    Context {
        /// Its length.
        length: usize,
    },
    /// These are no signature.
    Signature(DecodeError),
    /// The signature was not made for this message, this context and this key.
    Forged,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(why) | Self::Ciphertext(why) | Self::Signature(why) => why.fmt(f),
            Self::SecretKeyLength { expanded, seed, actual } => {
                write!(f, "a secret key has {expanded} bytes, or {seed} as a seed; this has {actual}")
            }
            Self::Context { length } => write!(f, "a context has at most 255 bytes, this has {length}"),
            Self::Forged => f.write_str("the signature was not made for this message, context and key"),
        }
    }
}

impl core::error::Error for Refused {}

/// Answers for all items of a batch, or the index of the first item that is refused, and why.
pub type Answers<T> = Result<Vec<T>, (usize, Refused)>;

/// A public key, and its secret key.
pub type KeyPair = (Vec<u8>, Zeroizing<Vec<u8>>);

/// Numbers of bytes of a key encapsulation mechanism. Shared keys have 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KemSizes {
    /// Of a public key.
    pub public_key: usize,
    /// Of a secret key, in the form that [`Kem::keygen`] gives.
    pub secret_key: usize,
    /// Of a ciphertext.
    pub ciphertext: usize,
    /// Of the seed of a key pair.
    pub seed: usize,
    /// Of the random bytes of an encapsulation.
    pub coins: usize,
}

/// A key encapsulation mechanism. Everything is a batch, of one item or more, in lanes where the scheme has them.
pub trait Kem: Send + Sync {
    /// Its name, such as `ML-KEM-768`.
    fn name(&self) -> &'static str;

    /// Its numbers of bytes.
    fn sizes(&self) -> KemSizes;

    /// A key pair for each seed; all are contiguous. Bytes after the last whole seed are left.
    fn keygen(&self, seeds: &[u8]) -> Vec<KeyPair>;

    /// The public key of a secret key. In an expanded key it stands as it is, and nothing else is read.
    ///
    /// **Errors** if the length is that of no secret key.
    fn public_key(&self, secret: &[u8]) -> Result<Vec<u8>, Refused>;

    /// A ciphertext and its shared key for each public key, with contiguous random bytes for each.
    ///
    /// **Constant time:** yes, in `coins`. **Errors** if bytes are no key. **Panics** unless there are
    /// [`coins`](KemSizes::coins) bytes for each key.
    fn encapsulate(&self, keys: &[&[u8]], coins: &[u8]) -> Answers<(Vec<u8>, SecretBytes<32>)>;

    /// A shared key for each secret key, which may be a seed, and ciphertext.
    ///
    /// **Constant time:** yes. **Errors** if bytes are no key or no ciphertext; a ciphertext that was not made for the
    /// key gives another shared key. **Panics** unless there are as many keys as ciphertexts.
    fn decapsulate(&self, keys: &[&[u8]], ciphertexts: &[&[u8]]) -> Answers<SecretBytes<32>>;
}

/// All of them.
pub fn kems() -> &'static [&'static dyn Kem] {
    &[
        #[cfg(feature = "mlkem")]
        &MlKem::<MlKem512>(PhantomData),
        #[cfg(feature = "mlkem")]
        &MlKem::<MlKem768>(PhantomData),
        #[cfg(feature = "mlkem")]
        &MlKem::<MlKem1024>(PhantomData),
        #[cfg(feature = "xwing")]
        &XWing,
    ]
}

/// The one of that name.
pub fn kem(name: &str) -> Option<&'static dyn Kem> {
    kems().iter().find(|kem| kem.name() == name).copied()
}

/// All answers, or the first error with its index.
fn all<T, E>(answers: impl IntoIterator<Item = Result<T, E>>, refused: impl Fn(E) -> Refused) -> Answers<T> {
    let indexed = answers.into_iter().enumerate();
    indexed.map(|(index, answer)| answer.map_err(|error| (index, refused(error)))).collect()
}

/// Keys, and for each of `bytes` the index of its key: what stands at the same place is read once.
#[cfg(feature = "mlkem")]
fn each_once<K>(
    bytes: &[&[u8]],
    read: impl Fn(&[u8]) -> Result<K, Refused>,
) -> Result<(Vec<K>, Vec<usize>), (usize, Refused)> {
    let (mut keys, mut which, mut last) = (Vec::new(), Vec::with_capacity(bytes.len()), None);
    for (index, bytes) in bytes.iter().enumerate() {
        let place = Some(bytes.as_ptr_range());
        if last != place {
            keys.push(read(bytes).map_err(|refused| (index, refused))?);
            last = place;
        }
        which.push(keys.len() - 1);
    }
    Ok((keys, which))
}

/// ML-KEM with a parameter set.
#[cfg(feature = "mlkem")]
struct MlKem<P>(PhantomData<fn() -> P>);

#[cfg(feature = "mlkem")]
impl<P: ParameterSet> Kem for MlKem<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn sizes(&self) -> KemSizes {
        KemSizes {
            public_key: P::ENCAPSULATION_KEY_BYTES,
            secret_key: P::EXPANDED_KEY_BYTES,
            ciphertext: P::CIPHERTEXT_BYTES,
            seed: mlkem::SEED_BYTES,
            coins: mlkem::KEY_BYTES,
        }
    }

    fn keygen(&self, seeds: &[u8]) -> Vec<KeyPair> {
        let pair = |key: DecapsulationKey<P>| {
            (key.encapsulation_key().as_bytes().to_vec(), Zeroizing::new(key.to_expanded().to_vec()))
        };
        keygen_many(seeds.as_chunks().0).into_iter().map(pair).collect()
    }

    fn public_key(&self, secret: &[u8]) -> Result<Vec<u8>, Refused> {
        let (expanded, seed) = (P::EXPANDED_KEY_BYTES, mlkem::SEED_BYTES);
        match secret.try_into() {
            Ok(seed) => Ok(DecapsulationKey::<P>::of_seed(seed).encapsulation_key().as_bytes().to_vec()),
            // Behind it are its hash and z.
            Err(_) if secret.len() == expanded => {
                Ok(secret[expanded - 64 - P::ENCAPSULATION_KEY_BYTES..expanded - 64].to_vec())
            }
            Err(_) => Err(Refused::SecretKeyLength { expanded, seed, actual: secret.len() }),
        }
    }

    fn encapsulate(&self, keys: &[&[u8]], coins: &[u8]) -> Answers<(Vec<u8>, SecretBytes<32>)> {
        assert_eq!(coins.len(), keys.len() * mlkem::KEY_BYTES, "random bytes for {} encapsulations", keys.len());
        let keys: Vec<EncapsulationKey<P>> = all(read_many(keys), Refused::Key)?;
        let messages = B32::cast_slice_from_core(coins.as_chunks().0);
        let mut answers = encapsulate_many_deterministic(&keys.iter().collect::<Vec<_>>(), messages);
        // Where they lie: what moves leaves a copy behind.
        let answer = |(ciphertext, shared): &mut (mlkem::Ciphertext<P>, B32)| {
            let copy = SecretBytes::copied(shared.as_ref());
            shared.zeroize();
            (ciphertext.to_vec(), copy)
        };
        Ok(answers.iter_mut().map(answer).collect())
    }

    fn decapsulate(&self, keys: &[&[u8]], ciphertexts: &[&[u8]]) -> Answers<SecretBytes<32>> {
        assert_eq!(keys.len(), ciphertexts.len(), "keys and ciphertexts");
        let (expanded, seed) = (P::EXPANDED_KEY_BYTES, mlkem::SEED_BYTES);
        let read = |bytes: &[u8]| match bytes.try_into() {
            Ok(seed) => Ok(DecapsulationKey::<P>::of_seed(seed)),
            Err(_) if bytes.len() == expanded => DecapsulationKey::from_expanded(bytes).map_err(Refused::Key),
            Err(_) => Err(Refused::SecretKeyLength { expanded, seed, actual: bytes.len() }),
        };
        let (keys, which) = each_once(keys, read)?;
        let jobs: Vec<_> = which.iter().zip(ciphertexts).map(|(key, c)| (&keys[*key], *c)).collect();
        all(decapsulate_many(&jobs), Refused::Ciphertext)
    }
}

/// X-Wing. Its secret keys are seeds.
#[cfg(feature = "xwing")]
struct XWing;

#[cfg(feature = "xwing")]
fn xwing_key(seed: &[u8]) -> Result<xwing::DecapsulationKey, Refused> {
    let length = |actual| DecodeError::Length { what: "a secret key", expected: xwing::SEED_BYTES, actual };
    let seed = seed.try_into().map_err(|_| Refused::Key(length(seed.len())))?;
    Ok(xwing::DecapsulationKey::from_seed(seed))
}

#[cfg(feature = "xwing")]
impl Kem for XWing {
    fn name(&self) -> &'static str {
        "X-Wing"
    }

    fn sizes(&self) -> KemSizes {
        KemSizes {
            public_key: xwing::PUBLIC_KEY_BYTES,
            secret_key: xwing::SEED_BYTES,
            ciphertext: xwing::CIPHERTEXT_BYTES,
            seed: xwing::SEED_BYTES,
            coins: xwing::COIN_BYTES,
        }
    }

    fn keygen(&self, seeds: &[u8]) -> Vec<KeyPair> {
        let pair = |seed: &[u8; xwing::SEED_BYTES]| {
            let key = xwing::DecapsulationKey::from_seed(seed);
            (key.encapsulation_key().as_bytes().to_vec(), Zeroizing::new(seed.to_vec()))
        };
        seeds.as_chunks().0.iter().map(pair).collect()
    }

    fn public_key(&self, secret: &[u8]) -> Result<Vec<u8>, Refused> {
        Ok(xwing_key(secret)?.encapsulation_key().as_bytes().to_vec())
    }

    fn encapsulate(&self, keys: &[&[u8]], coins: &[u8]) -> Answers<(Vec<u8>, SecretBytes<32>)> {
        assert_eq!(coins.len(), keys.len() * xwing::COIN_BYTES, "random bytes for {} encapsulations", keys.len());
        let keys = all(keys.iter().map(|key| xwing::EncapsulationKey::from_bytes(key)), Refused::Key)?;
        let answer = |(key, coins): (&xwing::EncapsulationKey, &[u8; xwing::COIN_BYTES])| {
            let (ciphertext, shared) = key.encapsulate_derand(coins);
            (ciphertext.to_vec(), shared)
        };
        Ok(keys.iter().zip(coins.as_chunks().0).map(answer).collect())
    }

    fn decapsulate(&self, keys: &[&[u8]], ciphertexts: &[&[u8]]) -> Answers<SecretBytes<32>> {
        assert_eq!(keys.len(), ciphertexts.len(), "keys and ciphertexts");
        let (keys, which) = each_once(keys, xwing_key)?;
        let shared = which.iter().zip(ciphertexts).map(|(key, c)| keys[*key].decapsulate_bytes(c));
        all(shared, Refused::Ciphertext)
    }
}

/// What is signed.
#[cfg(feature = "mldsa")]
#[derive(Clone, Copy, Debug)]
pub enum Message<'a> {
    /// A message and its context, as ML-DSA signs them.
    Pure {
        /// The message.
        message: &'a [u8],
        /// At most 255 bytes.
        context: &'a [u8],
    },
    /// A digest and its context, as HashML-DSA signs them.
    Hashed {
        /// The digest of the message.
        digest: &'a Prehashed,
        /// At most 255 bytes.
        context: &'a [u8],
    },
    /// The representative of a message, which depends on the key.
    Mu(&'a Mu),
    /// What FIPS 204 calls M', with its context inside: the input of Algorithms 7 and 8, for callers who make it.
    Formatted(&'a [u8]),
}

/// Numbers of bytes of a signature scheme. Seeds and the random bytes of a signature have 32.
#[cfg(feature = "mldsa")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureSizes {
    /// Of a public key.
    pub public_key: usize,
    /// Of a secret key, in the form that [`Signatures::keygen`] gives.
    pub secret_key: usize,
    /// Of a signature.
    pub signature: usize,
}

/// A signature scheme.
#[cfg(feature = "mldsa")]
pub trait Signatures: Send + Sync {
    /// Its name, such as `ML-DSA-65`.
    fn name(&self) -> &'static str;

    /// Its numbers of bytes.
    fn sizes(&self) -> SignatureSizes;

    /// The key pair of a seed.
    fn keygen(&self, seed: &[u8; 32]) -> KeyPair;

    /// The public key of a secret key.
    ///
    /// **Errors** if bytes are no key.
    fn public_key(&self, secret: &[u8]) -> Result<Vec<u8>, Refused>;

    /// The representative of a message for a public key.
    ///
    /// **Errors** if bytes are no key, or a context is too long.
    fn mu(&self, key: &[u8], message: Message<'_>) -> Result<Mu, Refused>;

    /// Signs with a secret key, which may be a seed. Zeros as random bytes make signatures deterministic.
    ///
    /// **Constant time:** yes, but for what FIPS 204 reveals: how often a signature was tried. **Errors** as
    /// [`mu`](Self::mu).
    fn sign(&self, key: &[u8], message: Message<'_>, random: &[u8; 32]) -> Result<Vec<u8>, Refused>;

    /// **Errors** if this is no signature of the message by the owner of the public key, and as [`mu`](Self::mu).
    fn verify(&self, key: &[u8], message: Message<'_>, signature: &[u8]) -> Result<(), Refused>;
}

/// All signature schemes.
#[cfg(feature = "mldsa")]
pub fn signatures() -> &'static [&'static dyn Signatures] {
    &[&MlDsa::<MlDsa44>(PhantomData), &MlDsa::<MlDsa65>(PhantomData), &MlDsa::<MlDsa87>(PhantomData)]
}

/// The signature scheme of that name.
#[cfg(feature = "mldsa")]
pub fn signature(name: &str) -> Option<&'static dyn Signatures> {
    signatures().iter().find(|scheme| scheme.name() == name).copied()
}

/// ML-DSA with a parameter set.
#[cfg(feature = "mldsa")]
struct MlDsa<P>(PhantomData<fn() -> P>);

#[cfg(feature = "mldsa")]
impl<P: MlDsaParams> MlDsa<P> {
    fn public(key: &[u8]) -> Result<VerifyingKey<P>, Refused> {
        VerifyingKey::from_bytes(key).map_err(Refused::Key)
    }

    fn secret(key: &[u8]) -> Result<ExpandedSigningKey<P>, Refused> {
        let expanded = P::PARAMETERS.secret_key_bytes();
        match key.try_into() {
            Ok(seed) => Ok(ExpandedSigningKey::from_seed(seed)),
            Err(_) if key.len() == expanded => ExpandedSigningKey::from_expanded(key).map_err(Refused::Key),
            Err(_) => Err(Refused::SecretKeyLength { expanded, seed: mldsa::SEED_BYTES, actual: key.len() }),
        }
    }

    fn mu_of(key: &VerifyingKey<P>, message: Message<'_>) -> Result<Mu, Refused> {
        let made = match message {
            Message::Pure { message, context } => key.mu(message, context),
            Message::Hashed { digest, context } => key.mu_prehashed(digest, context),
            Message::Mu(mu) => Ok(*mu),
            Message::Formatted(message) => Ok(key.mu_internal(&[message])),
        };
        made.map_err(refused)
    }
}

#[cfg(feature = "mldsa")]
fn refused(error: Error) -> Refused {
    match error {
        Error::Context { length } => Refused::Context { length },
        Error::Decode(why) => Refused::Signature(why),
        Error::Forged => Refused::Forged,
    }
}

#[cfg(feature = "mldsa")]
impl<P: MlDsaParams> Signatures for MlDsa<P> {
    fn name(&self) -> &'static str {
        P::PARAMETERS.name
    }

    fn sizes(&self) -> SignatureSizes {
        let set = P::PARAMETERS;
        let (public_key, secret_key) = (set.public_key_bytes(), set.secret_key_bytes());
        SignatureSizes { public_key, secret_key, signature: set.signature_bytes() }
    }

    fn keygen(&self, seed: &[u8; 32]) -> KeyPair {
        let key = ExpandedSigningKey::<P>::from_seed(seed);
        (key.verifying_key().as_bytes().to_vec(), Zeroizing::new(key.to_expanded().to_vec()))
    }

    fn public_key(&self, secret: &[u8]) -> Result<Vec<u8>, Refused> {
        Ok(Self::secret(secret)?.verifying_key().as_bytes().to_vec())
    }

    fn mu(&self, key: &[u8], message: Message<'_>) -> Result<Mu, Refused> {
        Self::mu_of(&Self::public(key)?, message)
    }

    fn sign(&self, key: &[u8], message: Message<'_>, random: &[u8; 32]) -> Result<Vec<u8>, Refused> {
        let key = Self::secret(key)?;
        let mu = Self::mu_of(&key.verifying_key(), message)?;
        Ok(key.sign_mu(&mu, random).as_bytes().to_vec())
    }

    fn verify(&self, key: &[u8], message: Message<'_>, signature: &[u8]) -> Result<(), Refused> {
        let key = Self::public(key)?;
        let mu = Self::mu_of(&key, message)?;
        key.verify_mu_bytes(&mu, signature).map_err(refused)
    }
}
