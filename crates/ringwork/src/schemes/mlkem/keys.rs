//! Sections 6 and 7: keys, expanded once.

use super::{
    InvalidKey, Key, ParameterSet, SEED_BYTES, Seed,
    engine::Engine,
    params::encoded,
    pke::{self, Pair, Public, decode_12, encode_12},
};
use crate::{
    ct::{SecretBytes, Wiped, same, scrubbed},
    decode::{DecodeError, check_length},
    module::NttVector,
    xof::turns::hash_all,
};
use alloc::{boxed::Box, sync::Arc, vec, vec::Vec};
use core::fmt;
use hybrid_array::Array;
use lanes::Backend;

/// A public key, expanded.
#[derive(Clone)]
pub struct EncapsulationKey<P: ParameterSet> {
    pub(super) engine: Arc<Engine>,
    pub(super) public: Public<P>,
    bytes: Box<[u8]>,
    pub(super) hash: [u8; 32],
}

/// A secret key, expanded, with its public key. Wiped on drop.
#[derive(Clone)]
pub struct DecapsulationKey<P: ParameterSet> {
    pub(super) key: EncapsulationKey<P>,
    pub(super) s_hat: NttVector<i16>,
    pub(super) z: SecretBytes<32>,
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
    pub(super) fn each(engine: &Arc<Engine>, keys: &[&[u8]]) -> Vec<Result<Self, DecodeError>> {
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
    pub(super) fn each(engine: &Arc<Engine>, seeds: &[&[u8; SEED_BYTES]]) -> Vec<Self> {
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
