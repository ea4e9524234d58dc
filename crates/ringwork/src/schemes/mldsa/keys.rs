//! Keys and their bytes: Algorithms 1, 6 and 22 to 25 of FIPS 204.

use super::{
    Error,
    encode::{self, SECRET, each, secret_ranges},
    engine::Engine,
    message::{self, Mu, MuBuilder, Prehashed},
    params::{MlDsaParams, N, Parameters, SEED_BYTES, T0_BYTES, T1_BYTES, TR_BYTES},
    rounding,
    sample::{self, hash},
};
use crate::{
    ct::{WipedArray, fresh_seed, same},
    decode::{DecodeError, answers, check_length},
    module::{NttVector, Vector},
    xof::{ByteStream, Function, Shake256, turns::hash_all},
};
use core::{fmt, marker::PhantomData, ops::Deref};
use ntt::Backend;
use rand_core::CryptoRng;
use std::sync::{Arc, OnceLock};
use zeroize::Zeroizing;

/// What a verifier knows.
pub(super) struct Public {
    pub(super) engine: Arc<Engine>,
    /// ρ and t1, encoded.
    bytes: Vec<u8>,
    pub(super) tr: [u8; TR_BYTES],
    /// Rows of Â, and behind each one the transform of its `-2^d·t1`.
    matrix: OnceLock<NttVector<i32>>,
}

impl Public {
    fn new(engine: Arc<Engine>, bytes: Vec<u8>) -> Self {
        let mut tr = [0; TR_BYTES];
        Shake256::new(&bytes).read(&mut tr);
        Self { engine, bytes, tr, matrix: OnceLock::new() }
    }

    /// Of each key's bytes, expanded.
    fn each(engine: &Arc<Engine>, set: &Parameters, keys: &[&[u8]]) -> Vec<Self> {
        let mut trs = vec![[0; TR_BYTES]; keys.len()];
        let mut matrices: Vec<_> = keys.iter().map(|_| zeros(set, 1)).collect();
        let digests = keys.iter().zip(&mut trs).map(|(key, tr)| hash(Function::SHAKE_256, [key, &[]], tr));
        let expansions = keys.iter().zip(&mut matrices).flat_map(|(key, matrix)| {
            let rho = key.first_chunk().expect("a public key begins with ρ");
            sample::expand_a(engine, set, rho, matrix, 1)
        });
        hash_all(engine.backend(), &mut digests.chain(expansions).collect::<Vec<_>>());
        let mut publics = Vec::with_capacity(keys.len());
        for ((key, tr), mut matrix) in keys.iter().zip(trs).zip(matrices) {
            add_t1(engine, set, key, &mut matrix);
            publics.push(Self { engine: engine.clone(), bytes: key.to_vec(), tr, matrix: matrix.into() });
        }
        publics
    }

    fn rho(&self) -> &[u8; 32] {
        self.bytes.first_chunk().expect("a public key begins with ρ")
    }

    /// Algorithm 23, pkDecode, and what verification computes of the key alone.
    pub(super) fn matrix(&self, set: &Parameters) -> &[i32] {
        let expand = || {
            let mut matrix = zeros(set, 1);
            let jobs = sample::expand_a(&self.engine, set, self.rho(), &mut matrix, 1);
            hash_all(self.engine.backend(), &mut jobs.collect::<Vec<_>>());
            add_t1(&self.engine, set, &self.bytes, &mut matrix);
            matrix
        };
        self.matrix.get_or_init(expand).words()
    }
}

/// Room for a matrix with `more` polynomials behind each row.
fn zeros(set: &Parameters, more: usize) -> NttVector<i32> {
    NttVector::filled(N, set.k * (set.l + more), |_| {})
}

/// Behind each row of the matrix, the transform of its `-2^d·t1`.
fn add_t1(engine: &Engine, set: &Parameters, key: &[u8], matrix: &mut NttVector<i32>) {
    let rows = matrix.words_mut().chunks_exact_mut((set.l + 1) * N);
    for (row, t1) in rows.zip(key[SEED_BYTES..].chunks_exact(T1_BYTES)) {
        let last = &mut row[set.l * N..];
        encode::unpack_minus_shifted_t1(engine.backend(), t1, last);
        engine.forward(last);
    }
}

/// What a signer knows. Wiped on drop.
pub(super) struct Secret {
    pub(super) key: Zeroizing<[u8; 32]>,
    /// Â.
    pub(super) matrix: NttVector<i32>,
    /// The transforms of s1 and s2.
    secrets: NttVector<i32>,
    /// The transform of t0.
    pub(super) t0: NttVector<i32>,
}

impl Secret {
    pub(super) fn s1(&self, set: &Parameters) -> &[i32] {
        &self.secrets.words()[..set.l * N]
    }

    pub(super) fn s2(&self, set: &Parameters) -> &[i32] {
        &self.secrets.words()[set.l * N..]
    }
}

/// Lines 5 to 10 of Algorithm 6: keys from ρ, K, s1 and s2, and Â.
fn keys(
    set: &Parameters,
    engine: Arc<Engine>,
    rho: &[u8; 32],
    key: Zeroizing<[u8; 32]>,
    secrets: &Vector<i32>,
    matrix: NttVector<i32>,
) -> (Secret, Public) {
    let (module, backend) = (engine.module(), engine.backend());
    let transformed = module.forward(secrets);
    let mut t = module.product(&matrix, &transformed.words()[..set.l * N]);
    module.plan().add(t.words_mut(), &secrets.words()[set.l * N..]);
    let mut t1 = Vector::zeros(N, set.k);
    rounding::power2_round(backend, t.words_mut(), t1.words_mut());
    let mut bytes = vec![0; set.public_key_bytes()];
    encode::pack_public(rho, t1.words(), &mut bytes);
    let t0 = module.transformed(t);
    (Secret { key, matrix, secrets: transformed, t0 }, Public::new(engine, bytes))
}

/// Algorithm 6, ML-DSA.KeyGen_internal.
fn keys_of_seed(set: &Parameters, engine: Arc<Engine>, seed: &[u8; SEED_BYTES]) -> (Secret, Public) {
    let mut expanded = WipedArray::<u8, 128>::zeros();
    Shake256::of(&[seed, &[set.k as u8, set.l as u8]]).read(&mut expanded[..]);
    let (rho, rest) = expanded.split_first_chunk().expect("128 bytes");
    let (rho_prime, rest) = rest.split_first_chunk().expect("96 bytes");
    let mut key = Zeroizing::new([0; 32]);
    key.copy_from_slice(rest);
    let (mut matrix, mut secrets) = (zeros(set, 0), Vector::zeros(N, set.l + set.k));
    let jobs = sample::expand_a(&engine, set, rho, &mut matrix, 0).chain(sample::expand_s(
        engine.backend(),
        set,
        rho_prime,
        secrets.words_mut(),
    ));
    hash_all(engine.backend(), &mut jobs.collect::<Vec<_>>());
    keys(set, engine, rho, key, &secrets, matrix)
}

/// Algorithm 25, skDecode, and whether everything in it belongs together.
fn keys_of_bytes(set: &Parameters, engine: Arc<Engine>, bytes: &[u8]) -> Result<(Secret, Public), DecodeError> {
    check_length(SECRET, set.secret_key_bytes(), bytes)?;
    let at = secret_ranges(set);
    let mut secrets = Vector::zeros(N, set.l + set.k);
    encode::unpack_s(engine.backend(), set, &bytes[at.secrets], secrets.words_mut())?;
    let rho = bytes[at.rho].try_into().expect("32 bytes");
    let mut key = Zeroizing::new([0; 32]);
    key.copy_from_slice(&bytes[at.key]);
    let mut matrix = zeros(set, 0);
    hash_all(engine.backend(), &mut sample::expand_a(&engine, set, rho, &mut matrix, 0).collect::<Vec<_>>());
    let found = keys(set, engine, rho, key, &secrets, matrix);
    if bool::from(same(&bytes_of_keys(set, &found.0, &found.1), bytes)) {
        Ok(found)
    } else {
        Err(DecodeError::Mismatch)
    }
}

/// Algorithm 24, skEncode.
fn bytes_of_keys(set: &Parameters, secret: &Secret, public: &Public) -> Zeroizing<Vec<u8>> {
    let plan = public.engine.module().plan();
    let polynomials = |transformed: &NttVector<i32>| {
        let mut words = Vector::zeros(N, transformed.words().chunks_exact(N).len());
        words.words_mut().copy_from_slice(transformed.words());
        words.words_mut().chunks_exact_mut(N).for_each(|words| plan.inverse(words));
        plan.centre(words.words_mut());
        words
    };
    let mut bytes = Zeroizing::new(vec![0; set.secret_key_bytes()]);
    let at = secret_ranges(set);
    bytes[at.rho].copy_from_slice(public.rho());
    bytes[at.key].copy_from_slice(&secret.key[..]);
    bytes[at.tr].copy_from_slice(&public.tr);
    let pack_s = |s: &[i32], out: &mut [u8]| encode::pack_s(set, s, out);
    each(polynomials(&secret.secrets).words(), &mut bytes[at.secrets], set.eta_bytes(), pack_s);
    each(polynomials(&secret.t0).words(), &mut bytes[at.t0], T0_BYTES, encode::pack_t0);
    bytes
}

/// A public key, ready for use: the matrix and t1 are kept transformed. Cheap to clone.
pub struct VerifyingKey<P: MlDsaParams> {
    pub(super) public: Arc<Public>,
    set: PhantomData<P>,
}

/// A secret key, ready for use, with its public key: the matrix and the secrets are kept
/// transformed. Wiped on drop.
pub struct ExpandedSigningKey<P: MlDsaParams> {
    pub(super) secret: Arc<Secret>,
    verifying: VerifyingKey<P>,
}

/// A secret key with the seed ξ that it comes from, which is the form to keep it in. Wiped on drop.
#[derive(Clone)]
pub struct SigningKey<P: MlDsaParams> {
    seed: Zeroizing<[u8; SEED_BYTES]>,
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
    /// In constant time; that two keys are the same is public.
    fn eq(&self, other: &Self) -> bool {
        same(&self.to_expanded(), &other.to_expanded()).into()
    }
}

impl<P: MlDsaParams> Eq for ExpandedSigningKey<P> {}

impl<P: MlDsaParams> PartialEq for SigningKey<P> {
    /// In constant time; that two keys are the same is public.
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

    /// The key of its bytes: Algorithm 23, pkDecode.
    ///
    /// **Errors** if there are more or fewer bytes; any of that number are a key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::on(Engine::best(), bytes)
    }

    /// [`from_bytes`](Self::from_bytes), on that backend.
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

    /// The key of each string of bytes, which have the right length.
    fn each(engine: &Arc<Engine>, keys: &[&[u8]]) -> Vec<Self> {
        Public::each(engine, &P::PARAMETERS, keys).into_iter().map(Self::new).collect()
    }

    /// The bytes: Algorithm 22, pkEncode.
    pub fn to_bytes(&self) -> P::VerifyingKeyBytes {
        self.as_bytes().try_into().ok().expect("a public key has its length")
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.public.bytes
    }

    /// µ of a message with a context, for [`sign_mu`](ExpandedSigningKey::sign_mu) elsewhere.
    ///
    /// **Errors** if the context has more than 255 bytes.
    pub fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        message::pure(&self.public.tr, &[message], context)
    }

    /// µ of a message in parts, as [`mu`](Self::mu) of their concatenation.
    pub fn mu_of_parts(&self, message: &[&[u8]], context: &[u8]) -> Result<Mu, Error> {
        message::pure(&self.public.tr, message, context)
    }

    /// µ of a message that comes piece by piece, with a context.
    ///
    /// **Errors** if the context has more than 255 bytes.
    pub fn mu_builder(&self, context: &[u8]) -> Result<MuBuilder, Error> {
        MuBuilder::new(&self.public.tr, context)
    }

    /// µ of a digest with a context: that of HashML-DSA.
    ///
    /// **Errors** if the context has more than 255 bytes.
    pub fn mu_prehashed(&self, message: &Prehashed, context: &[u8]) -> Result<Mu, Error> {
        message::prehashed(&self.public.tr, message, context)
    }

    /// µ of a message M' in parts, as the internal functions take it. Without the two bytes and the
    /// context that messages begin with it is for tests alone.
    pub fn mu_internal(&self, message: &[&[u8]]) -> Mu {
        message::internal(&self.public.tr, message.iter().copied())
    }
}

/// The key of each string of bytes, which are expanded side by side: [`VerifyingKey::from_bytes`], of
/// which each answer is.
pub fn read_many<P: MlDsaParams>(keys: &[&[u8]]) -> Vec<Result<VerifyingKey<P>, DecodeError>> {
    let each = |keys: &[&[u8]]| VerifyingKey::each(&Engine::best(), keys).into_iter().map(Ok).collect();
    answers(keys, |bytes| VerifyingKey::<P>::check(bytes), each)
}

impl<P: MlDsaParams> ExpandedSigningKey<P> {
    fn new((secret, public): (Secret, Public)) -> Self {
        Self { secret: Arc::new(secret), verifying: VerifyingKey::new(public) }
    }

    /// The key of a seed ξ, which is not kept: Algorithm 6, ML-DSA.KeyGen_internal.
    pub fn from_seed(seed: &[u8; SEED_BYTES]) -> Self {
        Self::new(keys_of_seed(&P::PARAMETERS, Engine::best(), seed))
    }

    /// The key of the bytes of its expanded form: Algorithm 25, skDecode.
    ///
    /// **Constant time:** yes, unless it is an error. **Errors** if there are more or fewer bytes,
    /// if a coefficient of s1 or s2 is out of range, or if tr or t0 is not what belongs to the rest.
    pub fn from_expanded(bytes: &[u8]) -> Result<Self, DecodeError> {
        keys_of_bytes(&P::PARAMETERS, Engine::best(), bytes).map(Self::new)
    }

    /// [`from_expanded`](Self::from_expanded), on that backend.
    pub fn from_expanded_with_backend(backend: Backend, bytes: &[u8]) -> Result<Self, DecodeError> {
        keys_of_bytes(&P::PARAMETERS, Engine::on(backend), bytes).map(Self::new)
    }

    /// The bytes of the expanded form: Algorithm 24, skEncode.
    pub fn to_expanded(&self) -> Zeroizing<Vec<u8>> {
        bytes_of_keys(&P::PARAMETERS, &self.secret, &self.verifying.public)
    }

    /// The public key that belongs to it.
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

    /// A fresh key, from the generator of the operating system.
    ///
    /// **Panics** where there is none.
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Self {
        Self::generate_from_rng(&mut crate::ct::sys_rng())
    }

    /// The key of a seed ξ: Algorithm 6, ML-DSA.KeyGen_internal.
    ///
    /// **Constant time:** yes, but for the number of candidates that sampling rejects, which tells
    /// nothing about those that it takes.
    pub fn from_seed(seed: &[u8; SEED_BYTES]) -> Self {
        Self::on(Engine::best(), seed)
    }

    /// [`from_seed`](Self::from_seed), on that backend.
    pub fn with_backend(backend: Backend, seed: &[u8; SEED_BYTES]) -> Self {
        Self::on(Engine::on(backend), seed)
    }

    fn on(engine: Arc<Engine>, seed: &[u8; SEED_BYTES]) -> Self {
        Self::of_parts(seed, ExpandedSigningKey::new(keys_of_seed(&P::PARAMETERS, engine, seed)))
    }

    /// A seed with the key that is made of it.
    pub(super) fn of_parts(seed: &[u8; SEED_BYTES], expanded: ExpandedSigningKey<P>) -> Self {
        let mut kept = Zeroizing::new([0; SEED_BYTES]);
        kept.copy_from_slice(seed);
        Self { seed: kept, expanded }
    }

    /// The seed ξ.
    pub fn as_seed(&self) -> &[u8; SEED_BYTES] {
        &self.seed
    }

    /// The seed ξ.
    pub fn to_seed(&self) -> Zeroizing<[u8; SEED_BYTES]> {
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
