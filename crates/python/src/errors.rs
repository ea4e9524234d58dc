//! Errors of the library as exceptions.

use pyo3::{PyErr, create_exception, exceptions::PyValueError};

create_exception!(ringwork, RingworkError, PyValueError, "What the library refuses; the text says why.");
create_exception!(ringwork, PlanError, RingworkError, "There is no such plan; the text says what would work.");
create_exception!(ringwork, CoefficientError, RingworkError, "A coefficient is not between -q and q.");
create_exception!(ringwork, KeyFormatError, RingworkError, "Bytes that are not a key of this parameter set.");
create_exception!(
    ringwork,
    CiphertextError,
    RingworkError,
    "Bytes that are not a ciphertext, or one that is rejected."
);
create_exception!(ringwork, SignatureError, RingworkError, "A signature that does not verify.");
create_exception!(ringwork, CommitmentError, RingworkError, "A commitment, an opening or a proof that is refused.");

/// Anything that has a text: an error of the library, or of a name.
pub(crate) fn refused(error: impl ToString) -> PyErr {
    RingworkError::new_err(error.to_string())
}

/// Why there is no plan, and what would work.
pub(crate) fn plan_error(error: ntt::PlanError) -> PyErr {
    PlanError::new_err(error.to_string())
}

/// A refusal whose exception is not made yet: items of a batch are numbered first.
pub(crate) struct Refused {
    exception: fn(String) -> PyErr,
    text: String,
}

impl Refused {
    pub(crate) fn key(error: impl ToString) -> Self {
        Self { exception: KeyFormatError::new_err, text: error.to_string() }
    }

    pub(crate) fn ciphertext(error: impl ToString) -> Self {
        Self { exception: CiphertextError::new_err, text: error.to_string() }
    }

    /// The same of an item of a batch.
    pub(crate) fn item(self, index: usize) -> Self {
        Self { text: format!("item {index}: {}", self.text), ..self }
    }
}

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> Self {
        (refused.exception)(refused.text)
    }
}
