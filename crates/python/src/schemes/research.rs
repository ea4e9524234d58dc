//! Research schemes by name, for `ringwork.research`.

use super::{Pair, names, pair};
use crate::{
    errors::{CiphertextError, CommitmentError, KeyFormatError, refused},
    octets::Octets,
};
use pyo3::{prelude::*, types::PyBytes};
use ringwork::{
    Backend,
    ct::sys_rng,
    object::{Kind, Purpose},
    registry::{self, Encapsulation, Error, Exchange, Form, Origin},
    xof::sha3_256,
};

/// The names of the schemes with a purpose.
fn known(purpose: Purpose) -> Vec<&'static str> {
    registry::all(purpose).map(|description| description.name).collect()
}

fn unknown(purpose: Purpose, name: &str) -> PyErr {
    let known = names(known(purpose).into_iter());
    refused(format!("{name:?} is no scheme for {purpose}: those are {known}"))
}

/// Refuses what nobody should rely on.
fn check_research(reason: Option<String>) -> PyResult<()> {
    reason.map_or(Ok(()), |reason| Err(refused(format!("{reason}; insecure=True overrides this"))))
}

/// Names for each purpose: key encapsulation, commitments, key exchange.
#[pyfunction]
pub(crate) fn research_names() -> [Vec<&'static str>; 3] {
    [Purpose::Encapsulation, Purpose::Commitment, Purpose::Exchange].map(known)
}

/// Key encapsulation by a research scheme.
#[pyclass(frozen, module = "ringwork._native")]
pub(crate) struct ResearchKem(Box<dyn Encapsulation + Send + Sync>);

#[pymethods]
impl ResearchKem {
    #[new]
    fn new(py: Python<'_>, name: &str, insecure: bool) -> PyResult<Self> {
        py.detach(|| {
            let found = registry::encapsulation_or_why(name).ok_or_else(|| unknown(Purpose::Encapsulation, name))?;
            let scheme = found.map_err(refused)?;
            if !insecure {
                check_research(scheme.research_reason())?;
            }
            Ok(Self(scheme))
        })
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn c_bytes(&self) -> usize {
        self.0.ciphertext_bytes()
    }

    #[getter]
    fn failure_log2(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.0.failure_log2())
    }

    #[getter]
    fn classical_bits(&self, py: Python<'_>) -> PyResult<f64> {
        py.detach(|| self.0.security()).map(|estimate| estimate.classical_bits).map_err(refused)
    }

    #[getter]
    fn weakness(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.0.research_reason())
    }

    fn keygen<'py>(&self, py: Python<'py>) -> Pair<'py> {
        let (dk, ek) = py.detach(|| self.0.keygen(&mut sys_rng()));
        pair(py, [&ek, &dk])
    }

    fn encaps<'py>(&self, py: Python<'py>, ek: Octets) -> PyResult<Pair<'py>> {
        let answer = py.detach(|| self.0.encapsulate(&ek, &mut sys_rng()));
        let (c, shared) = answer.map_err(|e| KeyFormatError::new_err(e.to_string()))?;
        Ok(pair(py, [&shared[..], &c]))
    }

    fn decaps<'py>(&self, py: Python<'py>, dk: Octets, c: Octets) -> PyResult<Bound<'py, PyBytes>> {
        let shared = py.detach(|| {
            self.0.decapsulate(&dk, &c).map_err(|why| match self.0.public_key_of(&dk) {
                Ok(_) => CiphertextError::new_err(why.to_string()),
                Err(_) => KeyFormatError::new_err(why.to_string()),
            })
        })?;
        Ok(PyBytes::new(py, &shared[..]))
    }
}

/// Commitments of a parameter set.
#[pyclass(frozen, module = "ringwork._native")]
pub(crate) struct Commitments(registry::Commitments);

fn uncommitted(error: Error) -> PyErr {
    CommitmentError::new_err(error.to_string())
}

fn origin<'a>(committer: &'a [u8], context: &'a [u8]) -> Origin<'a> {
    Origin { committer, context }
}

fn slices(items: &[Octets]) -> Vec<&[u8]> {
    items.iter().map(|item| &**item).collect()
}

#[pymethods]
impl Commitments {
    #[new]
    fn new(py: Python<'_>, name: &str, insecure: bool) -> PyResult<Self> {
        let set = registry::Commitments::by_name(name).ok_or_else(|| unknown(Purpose::Commitment, name))?;
        if !insecure {
            check_research(py.detach(|| set.research_reason()))?;
        }
        Ok(Self(set))
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.0.description().name
    }

    #[getter]
    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    #[getter]
    fn hiding_bits(&self, py: Python<'_>) -> PyResult<f64> {
        py.detach(|| self.0.hiding()).map(|estimate| estimate.classical_bits).map_err(refused)
    }

    #[getter]
    fn binding_bits(&self, py: Python<'_>) -> PyResult<f64> {
        py.detach(|| self.0.binding()).map(|estimate| estimate.classical_bits).map_err(refused)
    }

    #[getter]
    fn weakness(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.0.research_reason())
    }

    fn commit<'py>(
        &self,
        py: Python<'py>,
        message: Octets,
        committer: Octets,
        context: Octets,
        key: Option<Octets>,
        digest: bool,
    ) -> PyResult<Pair<'py>> {
        let (commitment, opening) = py.detach(|| {
            let seed = match key {
                None => registry::default_seed(),
                Some(key) => self.0.seed_of_key(&key).map_err(|e| KeyFormatError::new_err(e.to_string()))?,
            };
            let hash;
            let (form, bytes) = if digest {
                hash = sha3_256(&message);
                (Form::Digest, &hash[..])
            } else {
                (Form::Bytes, &message[..])
            };
            self.0.commit(&seed, origin(&committer, &context), form, bytes, &mut sys_rng()).map_err(uncommitted)
        })?;
        Ok(pair(py, [&commitment, &opening]))
    }

    fn open<'py>(
        &self,
        py: Python<'py>,
        commitment: Octets,
        opening: Octets,
        committer: Octets,
        context: Octets,
        digest: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let opened = py.detach(|| self.0.open(&commitment, &opening, origin(&committer, &context)));
        match opened.map_err(uncommitted)? {
            (Form::Digest, _) if !digest => Err(CommitmentError::new_err(
                "the commitment is to the SHA3-256 of a message: digest=True returns that",
            )),
            (Form::Bytes, _) if digest => {
                Err(CommitmentError::new_err("the commitment is to a message, not to a digest: leave out digest=True"))
            }
            (_, message) => Ok(PyBytes::new(py, &message)),
        }
    }

    fn prove<'py>(
        &self,
        py: Python<'py>,
        commitments: Vec<Octets>,
        openings: Vec<Octets>,
        committer: Octets,
        context: Octets,
        equal: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let proof = py.detach(|| {
            let (commitments, openings) = (slices(&commitments), slices(&openings));
            self.0.prove(&commitments, &openings, equal, origin(&committer, &context), &mut sys_rng())
        });
        Ok(PyBytes::new(py, &proof.map_err(uncommitted)?))
    }

    fn check_proof(
        &self,
        py: Python<'_>,
        commitments: Vec<Octets>,
        proof: Octets,
        committer: Octets,
        context: Octets,
        equal: bool,
    ) -> PyResult<()> {
        let verified = py.detach(|| self.0.verify(&slices(&commitments), equal, origin(&committer, &context), &proof));
        verified.map_err(uncommitted)
    }
}

/// A key exchange by two messages.
#[pyclass(frozen, module = "ringwork._native")]
pub(crate) struct KeyExchange(Box<dyn Exchange + Send + Sync>);

#[pymethods]
impl KeyExchange {
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<Self> {
        let found = py.detach(|| registry::exchange(name, Backend::best(), None));
        found.ok_or_else(|| unknown(Purpose::Exchange, name))?.map(Self).map_err(refused)
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.0.description().name
    }

    #[getter]
    fn offer_bytes(&self) -> usize {
        self.0.message_bytes()[0]
    }

    #[getter]
    fn reply_bytes(&self) -> usize {
        self.0.message_bytes()[1]
    }

    #[getter]
    fn classical_bits(&self, py: Python<'_>) -> PyResult<f64> {
        py.detach(|| self.0.security()).map(|estimate| estimate.classical_bits).map_err(refused)
    }

    fn init<'py>(&self, py: Python<'py>) -> Pair<'py> {
        let (secret, offer) = py.detach(|| self.0.init(&mut sys_rng()));
        pair(py, [&secret, &offer])
    }

    fn respond<'py>(&self, py: Python<'py>, offer: Octets) -> PyResult<Pair<'py>> {
        let answer = py.detach(|| self.0.respond(&offer, &mut sys_rng()));
        let (reply, key) = answer.map_err(|e| KeyFormatError::new_err(e.to_string()))?;
        Ok(pair(py, [&reply, &key[..]]))
    }

    fn finish<'py>(&self, py: Python<'py>, secret: Octets, reply: Octets) -> PyResult<Bound<'py, PyBytes>> {
        let key = py.detach(|| {
            self.0.finish(&secret, &reply).map_err(|why| match self.0.check(Kind::ExchangeSecret, &secret) {
                Ok(()) => CiphertextError::new_err(why.to_string()),
                Err(_) => KeyFormatError::new_err(why.to_string()),
            })
        })?;
        Ok(PyBytes::new(py, &key[..]))
    }
}
