//! ML-DSA, with keys and signatures as bytes.

use super::{Pair, names, pair};
use crate::{
    errors::{of_scheme, refused},
    octets::{Octets, given, wrong_length},
};
use pyo3::{prelude::*, types::PyBytes};
use ringwork::{
    schemes::mldsa::{MU_BYTES, Mu, PreHash, Prehashed, SEED_BYTES},
    standards::{self, Message, Refused, signatures},
};

/// Bytes of the randomness of a signature.
const RND_BYTES: usize = 32;

/// What is signed.
enum Signed {
    Bytes { message: Octets, ctx: Octets },
    Hashed { message: Octets, ctx: Octets, hash: PreHash },
    Mu(Mu),
}

impl Signed {
    fn new(message: Octets, ctx: Octets, prehash: Option<&str>) -> PyResult<Self> {
        Ok(match prehash.map(hash_of).transpose()? {
            None => Self::Bytes { message, ctx },
            Some(hash) => Self::Hashed { message, ctx, hash },
        })
    }

    fn of_mu(mu: &[u8]) -> PyResult<Self> {
        mu.try_into().map(Self::Mu).map_err(|_| refused(wrong_length("mu", MU_BYTES, mu)))
    }

    /// Runs on the message as the library takes it.
    fn with<R>(&self, run: impl FnOnce(Message<'_>) -> Result<R, Refused>) -> PyResult<R> {
        let digest: Prehashed;
        let message = match self {
            Self::Bytes { message, ctx } => Message::Pure { message, context: ctx },
            Self::Hashed { message, ctx, hash } => {
                digest = hash.of(message);
                Message::Hashed { digest: &digest, context: ctx }
            }
            Self::Mu(mu) => Message::Mu(mu),
        };
        run(message).map_err(|why| of_scheme(why, why))
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

/// A parameter set by its name.
#[pyclass(frozen, module = "ringwork._native")]
pub(crate) struct Signatures(&'static dyn standards::Signatures);

impl Signatures {
    fn signature<'py>(
        &self,
        py: Python<'py>,
        sk: &[u8],
        message: &Signed,
        rnd: Option<Octets>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let signature = py.detach(|| {
            let rnd = given("rnd", RND_BYTES, rnd)?;
            let rnd = rnd.first_chunk().expect("the length was checked");
            message.with(|message| self.0.sign(sk, message, rnd))
        })?;
        Ok(PyBytes::new(py, &signature))
    }
}

#[pymethods]
impl Signatures {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let known = || names(signatures().iter().map(|scheme| scheme.name()));
        standards::signature(name).map(Self).ok_or_else(|| refused(format!("{name:?} is none of {}", known())))
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    #[getter]
    fn pk_bytes(&self) -> usize {
        self.0.sizes().public_key
    }

    #[getter]
    fn sk_bytes(&self) -> usize {
        self.0.sizes().secret_key
    }

    #[getter]
    fn sig_bytes(&self) -> usize {
        self.0.sizes().signature
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
        self.signature(py, &sk, &Signed::new(message, ctx, prehash)?, rnd)
    }

    fn sign_mu<'py>(
        &self,
        py: Python<'py>,
        sk: Octets,
        mu: Octets,
        rnd: Option<Octets>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.signature(py, &sk, &Signed::of_mu(&mu)?, rnd)
    }

    fn mu<'py>(
        &self,
        py: Python<'py>,
        pk: Octets,
        message: Octets,
        ctx: Octets,
        prehash: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let message = Signed::new(message, ctx, prehash)?;
        let mu = py.detach(|| message.with(|message| self.0.mu(&pk, message)))?;
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
        let message = Signed::new(message, ctx, prehash)?;
        py.detach(|| message.with(|message| self.0.verify(&pk, message, &sig)))
    }

    fn check_mu(&self, py: Python<'_>, pk: Octets, mu: Octets, sig: Octets) -> PyResult<()> {
        let message = Signed::of_mu(&mu)?;
        py.detach(|| message.with(|message| self.0.verify(&pk, message, &sig)))
    }
}
