//! ML-DSA, with keys and signatures as bytes.

use super::{Pair, PublicAndSecret, names, pair};
use crate::{
    errors::{KeyFormatError, SignatureError, refused},
    octets::{Octets, given, no_secret_key, wrong_length},
};
use pyo3::{prelude::*, types::PyBytes};
use ringwork::schemes::mldsa::{
    Error, ExpandedSigningKey, MU_BYTES, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Mu, Parameters, PreHash, SEED_BYTES,
    VerifyingKey,
};
use std::marker::PhantomData;
use zeroize::Zeroizing;

/// Bytes of the randomness of a signature.
const RND_BYTES: usize = 32;

/// What is signed.
enum Message {
    Bytes { message: Octets, ctx: Octets, prehash: Option<PreHash> },
    Mu(Mu),
}

impl Message {
    fn new(message: Octets, ctx: Octets, prehash: Option<&str>) -> PyResult<Self> {
        Ok(Self::Bytes { message, ctx, prehash: prehash.map(hash_of).transpose()? })
    }

    fn of_mu(mu: &[u8]) -> PyResult<Self> {
        mu.try_into().map(Self::Mu).map_err(|_| refused(wrong_length("mu", MU_BYTES, mu)))
    }

    fn mu<P: MlDsaParams>(&self, key: &VerifyingKey<P>) -> Result<Mu, Error> {
        match self {
            Self::Bytes { message, ctx, prehash: None } => key.mu(message, ctx),
            Self::Bytes { message, ctx, prehash: Some(hash) } => key.mu_prehashed(&hash.of(message), ctx),
            Self::Mu(mu) => Ok(*mu),
        }
    }
}

/// The names of `hashlib`.
const HASHES: [(&str, PreHash); 12] = [
    ("sha224", PreHash::Sha224),
    ("sha256", PreHash::Sha256),
    ("sha384", PreHash::Sha384),
    ("sha512", PreHash::Sha512),
    ("sha512_224", PreHash::Sha512_224),
    ("sha512_256", PreHash::Sha512_256),
    ("sha3_224", PreHash::Sha3_224),
    ("sha3_256", PreHash::Sha3_256),
    ("sha3_384", PreHash::Sha3_384),
    ("sha3_512", PreHash::Sha3_512),
    ("shake_128", PreHash::Shake128),
    ("shake_256", PreHash::Shake256),
];

fn hash_of(name: &str) -> PyResult<PreHash> {
    let found = HASHES.iter().find(|(known, _)| *known == name).map(|(_, hash)| *hash);
    let known = || names(HASHES.iter().map(|(known, _)| *known));
    found.ok_or_else(|| refused(format!("{name:?} is no hash function of HashML-DSA: those are {}", known())))
}

/// ML-DSA with a parameter set.
trait Scheme: Send + Sync {
    fn parameters(&self) -> Parameters;
    fn keygen(&self, seed: &[u8; SEED_BYTES]) -> PublicAndSecret;
    fn mu(&self, pk: &[u8], message: &Message) -> PyResult<Mu>;
    fn sign(&self, sk: &[u8], message: &Message, rnd: &[u8; RND_BYTES]) -> PyResult<Vec<u8>>;
    /// **Errors** with [`SignatureError`] if the bytes are no signature of the message.
    fn check(&self, pk: &[u8], message: &Message, signature: &[u8]) -> PyResult<()>;
}

struct MlDsa<P>(PhantomData<fn() -> P>);

impl<P: MlDsaParams> MlDsa<P> {
    const NEW: Self = Self(PhantomData);

    fn public(pk: &[u8]) -> PyResult<VerifyingKey<P>> {
        VerifyingKey::from_bytes(pk).map_err(|e| KeyFormatError::new_err(e.to_string()))
    }

    fn secret(sk: &[u8]) -> PyResult<ExpandedSigningKey<P>> {
        let expanded = P::PARAMETERS.secret_key_bytes();
        if let Ok(seed) = sk.try_into() {
            return Ok(ExpandedSigningKey::from_seed(seed));
        }
        if sk.len() != expanded {
            let why = no_secret_key("an ML-DSA secret key", expanded, SEED_BYTES, sk);
            return Err(KeyFormatError::new_err(why));
        }
        ExpandedSigningKey::from_expanded(sk).map_err(|e| KeyFormatError::new_err(e.to_string()))
    }
}

impl<P: MlDsaParams> Scheme for MlDsa<P> {
    fn parameters(&self) -> Parameters {
        P::PARAMETERS
    }

    fn keygen(&self, seed: &[u8; SEED_BYTES]) -> PublicAndSecret {
        let key = ExpandedSigningKey::<P>::from_seed(seed);
        (key.verifying_key().as_bytes().to_vec(), Zeroizing::new(key.to_expanded().to_vec()))
    }

    fn mu(&self, pk: &[u8], message: &Message) -> PyResult<Mu> {
        message.mu(&Self::public(pk)?).map_err(refused)
    }

    fn sign(&self, sk: &[u8], message: &Message, rnd: &[u8; RND_BYTES]) -> PyResult<Vec<u8>> {
        let key = Self::secret(sk)?;
        let mu = message.mu(&key.verifying_key()).map_err(refused)?;
        Ok(key.sign_mu(&mu, rnd).as_bytes().to_vec())
    }

    fn check(&self, pk: &[u8], message: &Message, signature: &[u8]) -> PyResult<()> {
        let key = Self::public(pk)?;
        let mu = message.mu(&key).map_err(refused)?;
        key.verify_mu_bytes(&mu, signature).map_err(|e| SignatureError::new_err(e.to_string()))
    }
}

static SCHEMES: [&dyn Scheme; 3] = [&MlDsa::<MlDsa44>::NEW, &MlDsa::<MlDsa65>::NEW, &MlDsa::<MlDsa87>::NEW];

/// A parameter set by its name.
#[pyclass(frozen, module = "ringwork._native")]
pub(crate) struct Signatures(&'static dyn Scheme);

impl Signatures {
    fn signature<'py>(
        &self,
        py: Python<'py>,
        sk: &[u8],
        message: &Message,
        rnd: Option<Octets>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let signature = py.detach(|| {
            let rnd = given("rnd", RND_BYTES, rnd)?;
            self.0.sign(sk, message, rnd.first_chunk().expect("the length was checked"))
        })?;
        Ok(PyBytes::new(py, &signature))
    }
}

#[pymethods]
impl Signatures {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let found = SCHEMES.iter().find(|scheme| scheme.parameters().name == name);
        let known = || names(SCHEMES.iter().map(|scheme| scheme.parameters().name));
        found.map(|scheme| Self(*scheme)).ok_or_else(|| refused(format!("{name:?} is none of {}", known())))
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.0.parameters().name
    }

    #[getter]
    fn pk_bytes(&self) -> usize {
        self.0.parameters().public_key_bytes()
    }

    #[getter]
    fn sk_bytes(&self) -> usize {
        self.0.parameters().secret_key_bytes()
    }

    #[getter]
    fn sig_bytes(&self) -> usize {
        self.0.parameters().signature_bytes()
    }

    #[getter]
    fn seed_bytes(&self) -> usize {
        SEED_BYTES
    }

    fn keygen<'py>(&self, py: Python<'py>, seed: Option<Octets>) -> PyResult<Pair<'py>> {
        let (pk, sk) = py.detach(|| {
            let seed = given("a seed", SEED_BYTES, seed)?;
            Ok::<_, PyErr>(self.0.keygen(seed.first_chunk().expect("the length was checked")))
        })?;
        Ok(pair(py, [&pk, &sk]))
    }

    fn sign<'py>(
        &self,
        py: Python<'py>,
        sk: Octets,
        message: Octets,
        ctx: Octets,
        prehash: Option<&str>,
        rnd: Option<Octets>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.signature(py, &sk, &Message::new(message, ctx, prehash)?, rnd)
    }

    fn sign_mu<'py>(
        &self,
        py: Python<'py>,
        sk: Octets,
        mu: Octets,
        rnd: Option<Octets>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.signature(py, &sk, &Message::of_mu(&mu)?, rnd)
    }

    fn mu<'py>(
        &self,
        py: Python<'py>,
        pk: Octets,
        message: Octets,
        ctx: Octets,
        prehash: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = Message::new(message, ctx, prehash)?;
        let mu = py.detach(|| self.0.mu(&pk, &message))?;
        Ok(PyBytes::new(py, &mu))
    }

    fn check(
        &self,
        py: Python<'_>,
        pk: Octets,
        message: Octets,
        sig: Octets,
        ctx: Octets,
        prehash: Option<&str>,
    ) -> PyResult<()> {
        let message = Message::new(message, ctx, prehash)?;
        py.detach(|| self.0.check(&pk, &message, &sig))
    }

    fn check_mu(&self, py: Python<'_>, pk: Octets, mu: Octets, sig: Octets) -> PyResult<()> {
        let message = Message::of_mu(&mu)?;
        py.detach(|| self.0.check(&pk, &message, &sig))
    }
}
