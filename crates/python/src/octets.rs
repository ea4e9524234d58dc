//! Bytes from Python, bytes for Python, and random bytes.

use crate::errors::refused;
use pyo3::{
    exceptions::PyOSError,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyByteArray, PyBytes, PyMemoryView, PySlice},
};
use ringwork::ct::{SecretBytes, sys_rng};
use std::ops::Deref;
use zeroize::Zeroizing;

/// Bytes that are wiped on drop.
pub(crate) type Secret = Zeroizing<Vec<u8>>;

/// A bytes-like argument. `bytes` cannot change, so they stay where they are, and no thread that computes with them
/// needs the interpreter; everything else is copied, and the copy is wiped.
pub(crate) enum Octets {
    Shared(PyBackedBytes),
    Copied(Secret),
}

impl Deref for Octets {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Shared(bytes) => bytes,
            Self::Copied(bytes) => bytes,
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Octets {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Shared(bytes.to_owned().into()));
        }
        if let Ok(array) = object.cast::<PyByteArray>() {
            return Ok(Self::Copied(array.to_vec().into()));
        }
        // The stable interface of Python 3.10 has no buffers: Python says whether this is one, and copies it.
        PyMemoryView::from(&object)?;
        let array = PyByteArray::from(&object)?;
        let copy = array.to_vec().into();
        array.set_item(PySlice::full(object.py()), PyByteArray::new(object.py(), &vec![0; array.len()]))?;
        Ok(Self::Copied(copy))
    }
}

/// Bytes that a caller gave, of the right length, or random ones of the operating system: a multiple of 32.
pub(crate) fn given(what: &str, length: usize, bytes: Option<Octets>) -> PyResult<Octets> {
    match bytes {
        None => random_bytes(length).map(Octets::Copied),
        Some(bytes) if bytes.len() == length => Ok(bytes),
        Some(bytes) => Err(refused(wrong_length(what, length, &bytes))),
    }
}

/// The text for another number of bytes.
pub(crate) fn wrong_length(what: &str, expected: usize, bytes: &[u8]) -> String {
    format!("{what} has {expected} bytes, this has {}", bytes.len())
}

/// Random bytes of the operating system: a multiple of 32.
pub(crate) fn random_bytes(count: usize) -> PyResult<Secret> {
    let mut bytes = Zeroizing::new(vec![0; count]);
    for chunk in bytes.as_chunks_mut::<32>().0 {
        let random = SecretBytes::<32>::try_random(&mut sys_rng().0)
            .map_err(|e| PyOSError::new_err(format!("the operating system gives no random bytes: {e}")))?;
        chunk.copy_from_slice(random.as_bytes());
    }
    Ok(bytes)
}
