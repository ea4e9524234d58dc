//! Errors of the library as exceptions.

use pyo3::{PyErr, create_exception, exceptions::PyValueError};

create_exception!(ringwork, RingworkError, PyValueError, "What the library refuses, and what would work.");
create_exception!(ringwork, PlanError, RingworkError, "There is no such plan.");
create_exception!(ringwork, CoefficientError, RingworkError, "A coefficient is not between -q and q.");

/// Anything that has a text: an error of the library, or of a name.
pub(crate) fn refused(error: impl ToString) -> PyErr {
    RingworkError::new_err(error.to_string())
}

/// Why there is no plan, and what would work.
pub(crate) fn plan_error(error: ntt::PlanError) -> PyErr {
    PlanError::new_err(error.to_string())
}
