//! Errors of the library as exceptions.

use pyo3::{PyErr, create_exception, exceptions::PyValueError};
use ringwork::standards::Refused;

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

/// Why a scheme refuses bytes, with a text.
pub(crate) fn of_scheme(why: Refused, text: impl ToString) -> PyErr {
    let text = text.to_string();
    match why {
        Refused::Key(_) | Refused::SecretKeyLength { .. } => KeyFormatError::new_err(text),
        Refused::Ciphertext(_) => CiphertextError::new_err(text),
        Refused::Signature(_) | Refused::Forged => SignatureError::new_err(text),
        _ => RingworkError::new_err(text),
    }
}
