//! ML-KEM, the module-lattice-based key encapsulation of FIPS 203.
//!
//! | here | the standard |
//! |---|---|
//! | `encode` | section 4.2.1: algorithms 5, 6, `Compress`, `Decompress` |
//! | `sample` | 4.2.2: algorithms 7, 8; functions of 4.1 |
//! | `engine` | 4.3: the transform, algorithms 9 to 12, by [`ntt`] |
//! | `pke` | 5: algorithms 13 to 15 |
//! | [`DecapsulationKey`], [`EncapsulationKey`] | 6 and 7: algorithms 16 to 21 and the checks of inputs |
//! | [`keygen_many`] and the other `_many` functions | batches of keys and ciphertexts |
//! | [`pkcs8`] | RFC 9935: keys in certificates and PEM |
//! | [`ParameterSet`] | 8: [`MlKem512`], [`MlKem768`], [`MlKem1024`] |
//!
//! A key is expanded once, on construction, so that operations reuse the matrix and the transformed secrets. The
//! private form of a key is its seed `d ‖ z`; the expanded form of the standard can be read and written as well.
//!
//! ```
//! use ringwork::schemes::mlkem::{MlKem768, kem::{Decapsulate, Encapsulate, Kem}};
//!
//! let (dk, ek) = MlKem768::generate_keypair();
//! let (ciphertext, shared) = ek.encapsulate();
//! assert_eq!(dk.decapsulate(&ciphertext), shared);
//! ```
//!
//! Names follow the crate `ml-kem`; the traits are those of [`kem`].
//!
//! **Constant time:** everything that depends on secrets, implicit rejection included. The seed `ρ`
//! and the matrix expanded from it are public.
//!
//! Source: FIPS 203, *Module-Lattice-Based Key-Encapsulation Mechanism Standard* (2024).

mod encode;
mod engine;
mod many;
mod params;
#[cfg(feature = "pkcs8")]
pub mod pkcs8;
mod pke;
mod sample;
mod traits;

pub use kem::{
    self, Ciphertext, Decapsulate, Decapsulator, Encapsulate, FromSeed, Generate, InvalidKey, Kem, Key, KeyExport,
    KeyInit, KeySizeUser, TryKeyInit,
};
pub use many::{decapsulate_many, encapsulate_many, encapsulate_many_deterministic, keygen_many, read_many};
pub use params::{KEY_BYTES, MlKem512, MlKem768, MlKem1024, N, ParameterSet, Q, SEED_BYTES};

use crate::{
    ct::{SecretBytes, Wiped, same, scrubbed},
    decode::{DecodeError, check_length},
    module::NttVector,
    xof::turns::hash_all,
};
use alloc::{boxed::Box, sync::Arc, vec, vec::Vec};
use core::fmt;
use engine::Engine;
use hybrid_array::{Array, sizes};
use lanes::Backend;
use params::encoded;
use pke::{Pair, Public, decode_12, encode_12};

/// 32 bytes, in the array type of the traits.
pub type B32 = Array<u8, sizes::U32>;
/// A seed `d ‖ z`, in the array type of the traits.
pub type Seed = Array<u8, sizes::U64>;
/// An expanded decapsulation key, in the array type of the traits.
pub type ExpandedDecapsulationKey<P> = Array<u8, <P as ParameterSet>::ExpandedKeySize>;
/// The shared key of both sides.
pub type SharedKey = SecretBytes<KEY_BYTES>;

/// A public key, expanded.
#[derive(Clone)]
pub struct EncapsulationKey<P: ParameterSet> {
    engine: Arc<Engine>,
    public: Public<P>,
    bytes: Box<[u8]>,
    hash: [u8; 32],
}

/// A secret key, expanded, with its public key. Wiped on drop.
#[derive(Clone)]
pub struct DecapsulationKey<P: ParameterSet> {
    key: EncapsulationKey<P>,
    s_hat: NttVector<i16>,
    z: SecretBytes<32>,
    /// The seed of this key, if the key was made from one.
    d: Option<SecretBytes<32>>,
}

impl<P: ParameterSet> EncapsulationKey<P> {
    /// [`from_bytes`](Self::from_bytes) with the signature of the crate `ml-kem`.
    ///
    /// **Errors** if a value is not below `q`.
    pub fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        Self::from_bytes(key).map_err(|_| InvalidKey)
    }

    /// Reads an encapsulation key, after the checks of section 7.2.
    ///
    /// **Errors** if the length is wrong or a value is not below `q`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::on(Engine::best(), bytes)
    }

    /// [`from_bytes`](Self::from_bytes) on the given backend, with the same errors.
    pub fn with_backend(backend: Backend, bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::on(&Engine::on(backend), bytes)
    }

    fn on(engine: &Arc<Engine>, bytes: &[u8]) -> Result<Self, DecodeError> {
        check_length("an encapsulation key", P::ENCAPSULATION_KEY_BYTES, bytes)?;
        Self::each(engine, &[bytes]).pop().expect("a key for each")
    }

    /// One key for each element of `keys`, whose lengths were checked.
    fn each(engine: &Arc<Engine>, keys: &[&[u8]]) -> Vec<Result<Self, DecodeError>> {
        let key = |(&bytes, public): (&&[u8], Result<_, _>)| {
            let (public, hash) = public?;
            Ok(Self { engine: engine.clone(), public, bytes: bytes.into(), hash })
        };
        keys.iter().zip(Public::each(engine, keys)).map(key).collect()
    }

    /// The bytes of this key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Algorithm 17, `ML-KEM.Encaps_internal`: a ciphertext and the shared key it carries. For tests
    /// and known answers: `m` must be random, secret, and never used twice.
    pub fn encapsulate_deterministic(&self, m: &B32) -> (Ciphertext<P>, B32) {
        let (ciphertext, shared) = self.encapsulate_derand(&m.0);
        (ciphertext, B32::from(*shared.as_bytes()))
    }

    /// [`encapsulate_deterministic`](Self::encapsulate_deterministic) with a shared key that does not move.
    pub fn encapsulate_derand(&self, m: &[u8; 32]) -> (Ciphertext<P>, SharedKey) {
        let mut ciphertext = Array::default();
        let shared = many::encapsulate(&mut [(self, m, &mut ciphertext[..])]).pop().expect("a key for each");
        (ciphertext, shared)
    }
}

impl<P: ParameterSet> DecapsulationKey<P> {
    /// Algorithm 16, `ML-KEM.KeyGen_internal`: the key generated from a seed `d ‖ z`.
    pub fn from_seed(seed: Seed) -> Self {
        Self::of_seed(&seed.0)
    }

    /// [`from_seed`](Self::from_seed) of a seed that stays where it is.
    pub fn of_seed(seed: &[u8; SEED_BYTES]) -> Self {
        Self::on(Engine::best(), seed)
    }

    /// [`from_seed`](Self::from_seed) on the given backend.
    pub fn with_backend(backend: Backend, seed: &[u8; SEED_BYTES]) -> Self {
        Self::on(&Engine::on(backend), seed)
    }

    fn on(engine: &Arc<Engine>, seed: &[u8; SEED_BYTES]) -> Self {
        Self::each(engine, &[seed]).pop().expect("a key for each")
    }

    /// One key for each seed.
    fn each(engine: &Arc<Engine>, seeds: &[&[u8; SEED_BYTES]]) -> Vec<Self> {
        scrubbed(|| Self::each_of(engine, seeds))
    }

    fn each_of(engine: &Arc<Engine>, seeds: &[&[u8; SEED_BYTES]]) -> Vec<Self> {
        let halves = || seeds.iter().map(|seed| seed.split_first_chunk::<32>().expect("64 bytes"));
        let pairs = pke::keygen::<P>(engine, &halves().map(|(d, _)| d).collect::<Vec<_>>());
        let mut hashes = vec![[0; 32]; pairs.len()];
        let jobs = pke::h(pairs.iter().map(|pair| &pair.bytes[..]), &mut hashes);
        hash_all(engine.backend(), &mut jobs.collect::<Vec<_>>());
        let mut keys = Vec::with_capacity(seeds.len());
        for ((pair, hash), (d, z)) in pairs.into_iter().zip(hashes).zip(halves()) {
            let Pair { s_hat, public, bytes } = pair;
            let key = EncapsulationKey { engine: engine.clone(), public, bytes, hash };
            let z = SecretBytes::copied(z.first_chunk().expect("32 bytes"));
            keys.push(Self { key, s_hat, z, d: Some(SecretBytes::copied(d)) });
        }
        keys
    }

    /// Reads a key in its expanded form `ŝ ‖ ek ‖ H(ek) ‖ z`, after the checks of section 7.3.
    ///
    /// **Errors** if the length is wrong, a value is not below `q`, or `H(ek)` is not the hash of the
    /// encapsulation key.
    pub fn from_expanded(bytes: &[u8]) -> Result<Self, DecodeError> {
        scrubbed(|| Self::expanded_on(Engine::best(), bytes))
    }

    /// [`from_expanded`](Self::from_expanded) on the given backend, with the same errors.
    pub fn expanded_with_backend(backend: Backend, bytes: &[u8]) -> Result<Self, DecodeError> {
        scrubbed(|| Self::expanded_on(&Engine::on(backend), bytes))
    }

    fn expanded_on(engine: &Arc<Engine>, bytes: &[u8]) -> Result<Self, DecodeError> {
        const WHAT: &str = "a decapsulation key";
        check_length(WHAT, P::EXPANDED_KEY_BYTES, bytes)?;
        let (s, rest) = bytes.split_at(encoded(12) * P::K);
        let (ek, rest) = rest.split_at(P::ENCAPSULATION_KEY_BYTES);
        let (hash, z) = rest.split_first_chunk::<32>().expect("64 bytes");
        let key = EncapsulationKey::on(engine, ek)?;
        if key.hash != *hash {
            return Err(DecodeError::Mismatch);
        }
        let s_hat = decode_12(engine, WHAT, s).map_err(|_| DecodeError::Secret(WHAT))?;
        Ok(Self { key, s_hat, z: SecretBytes::copied(z.first_chunk().expect("32 bytes")), d: None })
    }

    /// The expanded form of the standard. Prefer the seed for storage: it is shorter, and the expanded
    /// form can be computed from it.
    pub fn to_expanded(&self) -> Wiped<u8> {
        let mut bytes = Wiped::zeros(P::EXPANDED_KEY_BYTES);
        let (s, rest) = bytes.split_at_mut(encoded(12) * P::K);
        let (ek, rest) = rest.split_at_mut(P::ENCAPSULATION_KEY_BYTES);
        scrubbed(|| encode_12(&self.key.engine, &self.s_hat, s));
        ek.copy_from_slice(&self.key.bytes);
        rest[..32].copy_from_slice(&self.key.hash);
        rest[32..].copy_from_slice(&self.z[..]);
        bytes
    }

    /// The seed, or `None` if the key was read in its expanded form.
    pub fn to_seed(&self) -> Option<Seed> {
        self.seed_bytes().map(|seed| Array(*seed))
    }

    /// [`to_seed`](Self::to_seed), in memory that is wiped.
    pub fn seed_bytes(&self) -> Option<SecretBytes<SEED_BYTES>> {
        let (d, mut seed) = (self.d.as_ref()?, SecretBytes::zeros());
        seed[..32].copy_from_slice(&d[..]);
        seed[32..].copy_from_slice(&self.z[..]);
        Some(seed)
    }

    /// The public key of this secret key.
    pub const fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.key
    }

    /// Algorithm 21, `ML-KEM.Decaps`: the shared key that a ciphertext carries.
    ///
    /// **Constant time:** yes. **Errors** only if the length is wrong. A ciphertext that was not made
    /// for this key yields a pseudorandom key (implicit rejection).
    pub fn decapsulate_bytes(&self, ciphertext: &[u8]) -> Result<SharedKey, DecodeError> {
        check_length("a ciphertext", P::CIPHERTEXT_BYTES, ciphertext)?;
        Ok(self.decapsulate_internal(ciphertext))
    }

    /// Algorithm 18, `ML-KEM.Decaps_internal`, for a ciphertext of the right length.
    fn decapsulate_internal(&self, ciphertext: &[u8]) -> SharedKey {
        many::decapsulate(&[(self, ciphertext)]).pop().expect("a key for each")
    }
}

macro_rules! not_printed {
    ($key:ident) => {
        impl<P: ParameterSet> fmt::Debug for $key<P> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($key), "<{}>(..)"), P::NAME)
            }
        }
    };
}

not_printed!(EncapsulationKey);
not_printed!(DecapsulationKey);

impl<P: ParameterSet> PartialEq for EncapsulationKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<P: ParameterSet> Eq for EncapsulationKey<P> {}

impl<P: ParameterSet> PartialEq for DecapsulationKey<P> {
    /// Compares in constant time; whether two keys are equal is public.
    fn eq(&self, other: &Self) -> bool {
        same(&self.to_expanded(), &other.to_expanded()).into()
    }
}

impl<P: ParameterSet> Eq for DecapsulationKey<P> {}
