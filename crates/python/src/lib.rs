//! The native part of the Python package `ringwork`, which Python code gives its users' names.

mod errors;
mod estimates;
mod octets;
mod schemes;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::estimates::{bkz, delta, distribution, lwe, ntru, sis};

    #[pymodule_export]
    use super::{
        errors::{CiphertextError, CommitmentError, KeyFormatError, RingworkError, SignatureError},
        schemes::{
            kems::Kem,
            research::{Commitments, KeyExchange, ResearchKem, research_names},
            signatures::Signatures,
        },
    };
}
