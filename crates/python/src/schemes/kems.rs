//! Key encapsulation of standards and drafts, with keys and ciphertexts as bytes.

use super::{Pair, PublicAndSecret, in_groups, names, pair};
use crate::{
    errors::{Refused, refused},
    octets::{Octets, Secret, given, no_secret_key, random_bytes, wrong_length},
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList},
};
use ringwork::{
    schemes::mlkem::{
        self, B32, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet, decapsulate_many,
        encapsulate_many_deterministic, keygen_many, read_many,
    },
    xwing,
};
use std::{marker::PhantomData, ops::Range, slice::from_ref};
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a shared key, in every scheme.
const K_BYTES: usize = 32;

/// Numbers of bytes.
struct Sizes {
    ek: usize,
    dk: usize,
    c: usize,
    seed: usize,
    /// The random bytes of an encapsulation.
    coins: usize,
}

/// Answers, or the index of the first item that is refused, and why.
type Answers<T> = Result<Vec<T>, (usize, Refused)>;

/// A scheme. Everything is a batch, in lanes where the scheme has them.
trait Scheme: Send + Sync {
    fn name(&self) -> &'static str;
    fn sizes(&self) -> Sizes;
    /// A key pair, encapsulation key first, for each seed.
    fn keygen(&self, seeds: &[u8]) -> Vec<PublicAndSecret>;
    /// A ciphertext and its shared key for each encapsulation key.
    fn encaps(&self, eks: &[Octets], coins: &[u8]) -> Answers<PublicAndSecret>;
    /// A shared key for each decapsulation key and ciphertext.
    fn decaps(&self, dks: &[Octets], cs: &[Octets]) -> Answers<Secret>;
}

/// All answers, or the first error with its index.
fn all<T, E>(answers: impl IntoIterator<Item = Result<T, E>>, refused: impl Fn(E) -> Refused) -> Answers<T> {
    let indexed = answers.into_iter().enumerate();
    indexed.map(|(index, answer)| answer.map_err(|error| (index, refused(error)))).collect()
}

/// Keys, and for each of `bytes` the index of its key: what stands at the same place is read once.
fn each_once<K>(
    bytes: &[Octets],
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
struct MlKem<P>(PhantomData<fn() -> P>);

impl<P> MlKem<P> {
    const NEW: Self = Self(PhantomData);
}

impl<P: ParameterSet> Scheme for MlKem<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn sizes(&self) -> Sizes {
        let (ek, dk, c) = (P::ENCAPSULATION_KEY_BYTES, P::EXPANDED_KEY_BYTES, P::CIPHERTEXT_BYTES);
        Sizes { ek, dk, c, seed: mlkem::SEED_BYTES, coins: mlkem::KEY_BYTES }
    }

    fn keygen(&self, seeds: &[u8]) -> Vec<PublicAndSecret> {
        let pair = |key: DecapsulationKey<P>| {
            (key.encapsulation_key().as_bytes().to_vec(), Zeroizing::new(key.to_expanded().to_vec()))
        };
        keygen_many(seeds.as_chunks().0).into_iter().map(pair).collect()
    }

    fn encaps(&self, eks: &[Octets], coins: &[u8]) -> Answers<PublicAndSecret> {
        let eks: Vec<&[u8]> = eks.iter().map(|ek| &**ek).collect();
        let keys: Vec<EncapsulationKey<P>> = all(read_many(&eks), Refused::key)?;
        let messages = B32::cast_slice_from_core(coins.as_chunks().0);
        let answers = encapsulate_many_deterministic(&keys.iter().collect::<Vec<_>>(), messages);
        let answer = |(ciphertext, mut shared): (mlkem::Ciphertext<P>, B32)| {
            let copy = Zeroizing::new(shared.to_vec());
            shared.zeroize();
            (ciphertext.to_vec(), copy)
        };
        Ok(answers.into_iter().map(answer).collect())
    }

    fn decaps(&self, dks: &[Octets], cs: &[Octets]) -> Answers<Secret> {
        let read = |bytes: &[u8]| match bytes.first_chunk() {
            Some(seed) if seed.len() == bytes.len() => Ok(DecapsulationKey::<P>::of_seed(seed)),
            _ if bytes.len() == P::EXPANDED_KEY_BYTES => DecapsulationKey::from_expanded(bytes).map_err(Refused::key),
            _ => {
                Err(Refused::key(no_secret_key("a decapsulation key", P::EXPANDED_KEY_BYTES, mlkem::SEED_BYTES, bytes)))
            }
        };
        let (keys, which) = each_once(dks, read)?;
        let jobs: Vec<_> = which.iter().zip(cs).map(|(key, c)| (&keys[*key], &**c)).collect();
        let shared = all(decapsulate_many(&jobs), Refused::ciphertext)?;
        Ok(shared.iter().map(|shared| Zeroizing::new(shared.to_vec())).collect())
    }
}

/// X-Wing. Its decapsulation keys are seeds.
struct XWing;

impl Scheme for XWing {
    fn name(&self) -> &'static str {
        "X-Wing"
    }

    fn sizes(&self) -> Sizes {
        let (ek, c, seed) = (xwing::PUBLIC_KEY_BYTES, xwing::CIPHERTEXT_BYTES, xwing::SEED_BYTES);
        Sizes { ek, dk: seed, c, seed, coins: 64 }
    }

    fn keygen(&self, seeds: &[u8]) -> Vec<PublicAndSecret> {
        let pair = |seed: &[u8; xwing::SEED_BYTES]| {
            let key = xwing::DecapsulationKey::from_seed(seed);
            (key.encapsulation_key().as_bytes().to_vec(), Zeroizing::new(seed.to_vec()))
        };
        seeds.as_chunks().0.iter().map(pair).collect()
    }

    fn encaps(&self, eks: &[Octets], coins: &[u8]) -> Answers<PublicAndSecret> {
        let keys = all(eks.iter().map(|ek| xwing::EncapsulationKey::from_bytes(ek)), Refused::key)?;
        let answer = |(key, coins): (&xwing::EncapsulationKey, &[u8; 64])| {
            let (ciphertext, shared) = key.encapsulate_derand(coins);
            (ciphertext.to_vec(), Zeroizing::new(shared.to_vec()))
        };
        Ok(keys.iter().zip(coins.as_chunks().0).map(answer).collect())
    }

    fn decaps(&self, dks: &[Octets], cs: &[Octets]) -> Answers<Secret> {
        let read = |bytes: &[u8]| match bytes.try_into() {
            Ok(seed) => Ok(xwing::DecapsulationKey::from_seed(seed)),
            Err(_) => Err(Refused::key(wrong_length("an X-Wing decapsulation key", xwing::SEED_BYTES, bytes))),
        };
        let (keys, which) = each_once(dks, read)?;
        let shared = which.iter().zip(cs).map(|(key, c)| keys[*key].decapsulate_bytes(c));
        Ok(all(shared, Refused::ciphertext)?.iter().map(|shared| Zeroizing::new(shared.to_vec())).collect())
    }
}

static SCHEMES: [&dyn Scheme; 4] = [&MlKem::<MlKem512>::NEW, &MlKem::<MlKem768>::NEW, &MlKem::<MlKem1024>::NEW, &XWing];

/// The error of an operation on one item.
fn alone((_, refused): (usize, Refused)) -> PyErr {
    refused.into()
}

/// The error of an item of the group that starts with item `start` of a batch.
fn of_batch(start: usize) -> impl Fn((usize, Refused)) -> PyErr {
    move |(index, refused)| refused.item(start + index).into()
}

/// A scheme by its name.
#[pyclass(frozen, module = "ringwork._native")]
pub(crate) struct Kem(&'static dyn Scheme);

#[pymethods]
impl Kem {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let found = SCHEMES.iter().find(|scheme| scheme.name() == name);
        let known = || names(SCHEMES.iter().map(|scheme| scheme.name()));
        found.map(|scheme| Self(*scheme)).ok_or_else(|| refused(format!("{name:?} is none of {}", known())))
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    #[getter]
    fn ek_bytes(&self) -> usize {
        self.0.sizes().ek
    }

    #[getter]
    fn dk_bytes(&self) -> usize {
        self.0.sizes().dk
    }

    #[getter]
    fn c_bytes(&self) -> usize {
        self.0.sizes().c
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
            let mut answers = self.0.encaps(from_ref(&ek), &m).map_err(alone)?;
            Ok::<_, PyErr>(answers.pop().expect("an answer for each key"))
        })?;
        Ok(pair(py, [&shared, &c]))
    }

    fn decaps<'py>(&self, py: Python<'py>, dk: Octets, c: Octets) -> PyResult<Bound<'py, PyBytes>> {
        let shared = py.detach(|| self.0.decaps(from_ref(&dk), from_ref(&c))).map_err(alone)?;
        Ok(PyBytes::new(py, &shared[0]))
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
            self.0.encaps(&eks[group.clone()], &coins).map_err(of_batch(group.start))
        };
        in_groups(py, eks.len(), work, |(c, shared)| Ok(pair(py, [&shared, &c]).into_pyobject(py)?.into_any()))
    }

    fn decaps_many<'py>(&self, py: Python<'py>, dks: Vec<Octets>, cs: Vec<Octets>) -> PyResult<Bound<'py, PyList>> {
        let (keys, ciphertexts) = (dks.len(), cs.len());
        if keys != ciphertexts {
            return Err(refused(format!("{keys} keys and {ciphertexts} ciphertexts: each ciphertext has its key")));
        }
        let work = |group: Range<usize>| {
            let answers = self.0.decaps(&dks[group.clone()], &cs[group.clone()]);
            answers.map_err(of_batch(group.start))
        };
        in_groups(py, keys, work, |shared| Ok(PyBytes::new(py, &shared).into_any()))
    }
}
