//! Errors of the library as exceptions.

use pyo3::{PyErr, exceptions::PyValueError};

/// Anything that has a text: an error of the library, or of a name.
pub(crate) fn refused(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}
