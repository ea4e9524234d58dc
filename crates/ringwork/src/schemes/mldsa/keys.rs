//! Keys: Algorithms 1 and 6 of FIPS 204.

use super::{
    Error,
    engine::Engine,
    expand::{Public, Secret, bytes_of_keys, keys_of_bytes, keys_of_seeds},
    message::{self, Mu, MuBuilder},
    params::{MlDsaParams, SEED_BYTES},
    prehash::Prehashed,
};
use crate::{
    ct::{SecretBytes, Wiped, fresh_seed, same, scrubbed},
    decode::{DecodeError, TOGETHER, answers, check_length},
};
use alloc::{sync::Arc, vec::Vec};
use core::{fmt, marker::PhantomData, ops::Deref};
use ntt::Backend;
use rand_core::CryptoRng;

/// A public key with its matrix and t1 transformed. Cheap to clone.
pub struct VerifyingKey<P: MlDsaParams> {
    pub(super) public: Arc<Public>,
    set: PhantomData<P>,
}

/// A secret key and its public key, with the matrix and the secrets transformed. Wiped on drop.
pub struct ExpandedSigningKey<P: MlDsaParams> {
    pub(super) secret: Arc<Secret>,
    verifying: VerifyingKey<P>,
}

/// A secret key with the seed ξ it was generated from. Store the seed. Wiped on drop.
#[derive(Clone)]
pub struct SigningKey<P: MlDsaParams> {
    seed: SecretBytes<SEED_BYTES>,
    expanded: ExpandedSigningKey<P>,
}

impl<P: MlDsaParams> Clone for VerifyingKey<P> {
    fn clone(&self) -> Self {
        Self { public: self.public.clone(), set: PhantomData }
    }
}

impl<P: MlDsaParams> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.public.bytes == other.public.bytes
    }
}

impl<P: MlDsaParams> Eq for VerifyingKey<P> {}

impl<P: MlDsaParams> PartialEq for ExpandedSigningKey<P> {
    /// Compares in constant time; whether two keys are equal is public.
    fn eq(&self, other: &Self) -> bool {
        same(&self.to_expanded(), &other.to_expanded()).into()
    }
}

impl<P: MlDsaParams> Eq for ExpandedSigningKey<P> {}

impl<P: MlDsaParams> PartialEq for SigningKey<P> {
    /// Compares in constant time; whether two keys are equal is public.
    fn eq(&self, other: &Self) -> bool {
        same(&self.seed[..], &other.seed[..]).into()
    }
}

impl<P: MlDsaParams> Eq for SigningKey<P> {}

impl<P: MlDsaParams> Clone for ExpandedSigningKey<P> {
    fn clone(&self) -> Self {
        Self { secret: self.secret.clone(), verifying: self.verifying.clone() }
    }
}

macro_rules! not_printed {
    ($($name:ident)*) => {$(
        impl<P: MlDsaParams> fmt::Debug for $name<P> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "<{}>(..)"), P::PARAMETERS.name)
            }
        }
    )*};
}
not_printed!(VerifyingKey ExpandedSigningKey SigningKey);

impl<P: MlDsaParams> VerifyingKey<P> {
    fn new(public: Public) -> Self {
        Self { public: Arc::new(public), set: PhantomData }
    }

    /// Reads a public key: Algorithm 23, pkDecode.
    ///
    /// **Errors** if the length is wrong; all bytes of the right length encode a key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::on(Engine::best(), bytes)
    }

    /// [`from_bytes`](Self::from_bytes) on the given backend.
    pub fn with_backend(backend: Backend, bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::on(Engine::on(backend), bytes)
    }

    fn on(engine: Arc<Engine>, bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::check(bytes)?;
        Ok(Self::each(&engine, &[bytes]).pop().expect("a key for each"))
    }

    fn check(bytes: &[u8]) -> Result<(), DecodeError> {
        check_length("an ML-DSA public key", P::PARAMETERS.public_key_bytes(), bytes)
    }

    /// One key for each element of `keys`, whose lengths were checked.
    fn each(engine: &Arc<Engine>, keys: &[&[u8]]) -> Vec<Self> {
        Public::each(engine, &P::PARAMETERS, keys).into_iter().map(Self::new).collect()
    }

    /// The bytes of this key: Algorithm 22, pkEncode.
    pub fn to_bytes(&self) -> P::VerifyingKeyBytes {
        self.as_bytes().try_into().ok().expect("a public key has its length")
    }

    /// The bytes of this key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.public.bytes
    }

    /// The representative µ of a message with a context, to be signed elsewhere by
    /// [`sign_mu`](ExpandedSigningKey::sign_mu).
    ///
    /// **Errors** if the context has more than 255 bytes.
    pub fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        message::pure(&self.public.tr, &[message], context)
    }

    /// [`mu`](Self::mu) of the concatenation of `message`.
    pub fn mu_of_parts(&self, message: &[&[u8]], context: &[u8]) -> Result<Mu, Error> {
        message::pure(&self.public.tr, message, context)
    }

    /// Computes µ of a message that is read in pieces, with a context.
    ///
    /// **Errors** if the context has more than 255 bytes.
    pub fn mu_builder(&self, context: &[u8]) -> Result<MuBuilder, Error> {
        MuBuilder::new(&self.public.tr, context)
    }

    /// The representative µ of HashML-DSA, from a digest and a context.
    ///
    /// **Errors** if the context has more than 255 bytes.
    pub fn mu_prehashed(&self, message: &Prehashed, context: &[u8]) -> Result<Mu, Error> {
        message::prehashed(&self.public.tr, message, context)
    }

    /// The representative µ of a message M' in parts, as the internal functions of the standard take
    /// it. For tests only: the caller writes the two bytes and the context that M' begins with.
    pub fn mu_internal(&self, message: &[&[u8]]) -> Mu {
        message::internal(&self.public.tr, message.iter().copied())
    }
}

/// [`VerifyingKey::from_bytes`] for each element of `keys`, expanded in parallel lanes.
pub fn read_many<P: MlDsaParams>(keys: &[&[u8]]) -> Vec<Result<VerifyingKey<P>, DecodeError>> {
    let each = |keys: &[&[u8]]| VerifyingKey::each(&Engine::best(), keys).into_iter().map(Ok).collect();
    answers(keys, |bytes| VerifyingKey::<P>::check(bytes), each)
}

/// [`SigningKey::from_seed`] for each seed ξ, with hashes and samples in parallel lanes.
pub fn keygen_many<P: MlDsaParams>(seeds: &[[u8; SEED_BYTES]]) -> Vec<SigningKey<P>> {
    let group = |seeds: &[_]| SigningKey::each(&Engine::best(), &seeds.iter().collect::<Vec<_>>());
    seeds.chunks(TOGETHER).flat_map(group).collect()
}

impl<P: MlDsaParams> ExpandedSigningKey<P> {
    fn new((secret, public): (Secret, Public)) -> Self {
        Self { secret: Arc::new(secret), verifying: VerifyingKey::new(public) }
    }

    /// The key generated from a seed ξ, which is not kept: Algorithm 6, ML-DSA.KeyGen_internal.
    pub fn from_seed(seed: &[u8; SEED_BYTES]) -> Self {
        Self::each(&Engine::best(), &[seed]).pop().expect("a key for each")
    }

    /// One key for each seed.
    fn each(engine: &Arc<Engine>, seeds: &[&[u8; SEED_BYTES]]) -> Vec<Self> {
        scrubbed(|| keys_of_seeds(&P::PARAMETERS, engine, seeds).into_iter().map(Self::new).collect())
    }

    /// Reads a key in its expanded form: Algorithm 25, skDecode.
    ///
    /// **Constant time:** yes, unless the key is refused. **Errors** if the length is wrong, if a
    /// coefficient of s1 or s2 is out of range, or if tr or t0 does not match the rest.
    pub fn from_expanded(bytes: &[u8]) -> Result<Self, DecodeError> {
        scrubbed(|| keys_of_bytes(&P::PARAMETERS, &Engine::best(), bytes).map(Self::new))
    }

    /// [`from_expanded`](Self::from_expanded) on the given backend.
    pub fn from_expanded_with_backend(backend: Backend, bytes: &[u8]) -> Result<Self, DecodeError> {
        scrubbed(|| keys_of_bytes(&P::PARAMETERS, &Engine::on(backend), bytes).map(Self::new))
    }

    /// The expanded form of this key: Algorithm 24, skEncode.
    pub fn to_expanded(&self) -> Wiped<u8> {
        scrubbed(|| bytes_of_keys(&P::PARAMETERS, &self.secret, &self.verifying.public))
    }

    /// The public key of this secret key.
    pub fn verifying_key(&self) -> VerifyingKey<P> {
        self.verifying.clone()
    }

    pub(super) const fn verifying(&self) -> &VerifyingKey<P> {
        &self.verifying
    }
}

impl<P: MlDsaParams> SigningKey<P> {
    /// A fresh key: Algorithm 1, ML-DSA.KeyGen.
    pub fn generate_from_rng<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let mut rng = rng;
        Self::from_seed(&fresh_seed(&mut rng))
    }

    /// A fresh key from the generator of the operating system.
    ///
    /// **Panics** if the operating system has no generator.
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Self {
        Self::generate_from_rng(&mut crate::ct::sys_rng())
    }

    /// The key generated from a seed ξ: Algorithm 6, ML-DSA.KeyGen_internal.
    ///
    /// **Constant time:** yes, except for the number of candidates that sampling rejects, which is
    /// independent of the accepted ones.
    pub fn from_seed(seed: &[u8; SEED_BYTES]) -> Self {
        Self::on(&Engine::best(), seed)
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
        let keys = ExpandedSigningKey::each(engine, seeds);
        seeds.iter().zip(keys).map(|(seed, key)| Self::of_parts(seed, key)).collect()
    }

    /// Joins a seed and the key generated from it.
    pub(super) fn of_parts(seed: &[u8; SEED_BYTES], expanded: ExpandedSigningKey<P>) -> Self {
        Self { seed: SecretBytes::copied(seed), expanded }
    }

    /// The seed ξ.
    pub fn as_seed(&self) -> &[u8; SEED_BYTES] {
        &self.seed
    }

    /// The seed ξ.
    pub fn to_seed(&self) -> SecretBytes<SEED_BYTES> {
        self.seed.clone()
    }

    /// The key without its seed.
    pub const fn expanded_key(&self) -> &ExpandedSigningKey<P> {
        &self.expanded
    }
}

impl<P: MlDsaParams> Deref for SigningKey<P> {
    type Target = ExpandedSigningKey<P>;

    fn deref(&self) -> &ExpandedSigningKey<P> {
        &self.expanded
    }
}
