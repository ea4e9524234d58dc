//! The native part of the Python package `ringwork`, which Python code gives its users' names.

mod errors;
mod estimates;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::estimates::{bkz, delta, distribution, lwe, ntru, sis};
}
