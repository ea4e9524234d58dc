//! Key encapsulation of standards and drafts, with keys and ciphertexts as bytes.

use super::{Pair, in_groups, names, pair};
use crate::{
    errors::{of_scheme, refused},
    octets::{Octets, given, random_bytes},
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList},
};
use ringwork::standards::{self, Refused, kems};
use std::ops::Range;

/// Bytes of a shared key, in every scheme.
const K_BYTES: usize = 32;

fn slices(items: &[Octets]) -> Vec<&[u8]> {
    items.iter().map(|item| &**item).collect()
}

/// The error of an operation on one item.
fn alone((_, why): (usize, Refused)) -> PyErr {
    of_scheme(why, why)
}

/// The error of an item of the group that starts with item `start` of a batch.
fn of_batch(start: usize) -> impl Fn((usize, Refused)) -> PyErr {
    move |(index, why)| of_scheme(why, format!("item {}: {why}", start + index))
}

/// A scheme by its name.
#[pyclass(frozen, module = "ringwork._native")]
pub(crate) struct Kem(&'static dyn standards::Kem);

#[pymethods]
impl Kem {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let known = || names(kems().iter().map(|scheme| scheme.name()));
        standards::kem(name).map(Self).ok_or_else(|| refused(format!("{name:?} is none of {}", known())))
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    #[getter]
    fn ek_bytes(&self) -> usize {
        self.0.sizes().public_key
    }

    #[getter]
    fn dk_bytes(&self) -> usize {
        self.0.sizes().secret_key
    }

    #[getter]
    fn c_bytes(&self) -> usize {
        self.0.sizes().ciphertext
    }

    #[getter]
    fn k_bytes(&self) -> usize {
        K_BYTES
    }

    #[getter]
    fn seed_bytes(&self) -> usize {
        self.0.sizes().seed
    }

    #[getter]
    fn m_bytes(&self) -> usize {
        self.0.sizes().coins
    }

    fn keygen<'py>(&self, py: Python<'py>, seed: Option<Octets>) -> PyResult<Pair<'py>> {
        let (ek, dk) = py.detach(|| {
            let seed = given("a seed", self.0.sizes().seed, seed)?;
            Ok::<_, PyErr>(self.0.keygen(&seed).pop().expect("a key for each seed"))
        })?;
        Ok(pair(py, [&ek, &dk]))
    }

    fn encaps<'py>(&self, py: Python<'py>, ek: Octets, m: Option<Octets>) -> PyResult<Pair<'py>> {
        let (c, shared) = py.detach(|| {
            let m = given("m", self.0.sizes().coins, m)?;
            let mut answers = self.0.encapsulate(&[&ek], &m).map_err(alone)?;
            Ok::<_, PyErr>(answers.pop().expect("an answer for each key"))
        })?;
        Ok(pair(py, [&shared[..], &c]))
    }

    fn decaps<'py>(&self, py: Python<'py>, dk: Octets, c: Octets) -> PyResult<Bound<'py, PyBytes>> {
        let shared = py.detach(|| self.0.decapsulate(&[&dk], &[&c])).map_err(alone)?;
        Ok(PyBytes::new(py, &shared[0][..]))
    }

    fn keygen_many<'py>(&self, py: Python<'py>, count: isize) -> PyResult<Bound<'py, PyList>> {
        let count = usize::try_from(count).map_err(|_| refused(format!("{count} keys: a count is not negative")))?;
        let work = |group: Range<usize>| {
            let seeds = random_bytes(group.len() * self.0.sizes().seed)?;
            Ok(self.0.keygen(&seeds))
        };
        in_groups(py, count, work, |(ek, dk)| Ok(pair(py, [&ek, &dk]).into_pyobject(py)?.into_any()))
    }

    fn encaps_many<'py>(&self, py: Python<'py>, eks: Vec<Octets>) -> PyResult<Bound<'py, PyList>> {
        let work = |group: Range<usize>| {
            let coins = random_bytes(group.len() * self.0.sizes().coins)?;
            self.0.encapsulate(&slices(&eks[group.clone()]), &coins).map_err(of_batch(group.start))
        };
        in_groups(py, eks.len(), work, |(c, shared)| Ok(pair(py, [&shared[..], &c]).into_pyobject(py)?.into_any()))
    }

    fn decaps_many<'py>(&self, py: Python<'py>, dks: Vec<Octets>, cs: Vec<Octets>) -> PyResult<Bound<'py, PyList>> {
        let (keys, ciphertexts) = (dks.len(), cs.len());
        if keys != ciphertexts {
            return Err(refused(format!("{keys} keys and {ciphertexts} ciphertexts: each ciphertext has its key")));
        }
        let work = |group: Range<usize>| {
            let answers = self.0.decapsulate(&slices(&dks[group.clone()]), &slices(&cs[group.clone()]));
            answers.map_err(of_batch(group.start))
        };
        in_groups(py, keys, work, |shared| Ok(PyBytes::new(py, &shared[..]).into_any()))
    }
}
