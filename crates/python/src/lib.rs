//! The native part of the Python package `ringwork`, which Python code gives its users' names.

mod arrays;
mod convolutions;
mod errors;
mod estimates;
mod plans;
mod residues;
mod threads;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::errors::{CoefficientError, PlanError, RingworkError};
    #[pymodule_export]
    use super::estimates::{bkz, delta, distribution, lwe, ntru, sis};
    #[pymodule_export]
    use super::{convolutions::Convolution, plans::Plan, residues::Residues};
}
