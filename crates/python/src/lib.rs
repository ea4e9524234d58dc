//! The native part of the Python package `ringwork`, which Python code gives its users' names.

mod arrays;
mod convolutions;
mod errors;
mod estimates;
mod octets;
mod plans;
mod residues;
mod schemes;
mod threads;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::{
        convolutions::Convolution,
        errors::{
            CiphertextError, CoefficientError, CommitmentError, KeyFormatError, PlanError, RingworkError,
            SignatureError,
        },
        estimates::{bkz, delta, distribution, lwe, ntru, sis},
        plans::Plan,
        residues::Residues,
        schemes::{
            kems::Kem,
            research::{Commitments, KeyExchange, ResearchKem, research_names},
            signatures::Signatures,
        },
    };
}
