//! Schemes: ML-KEM, ML-DSA, X-Wing, and those of the registry.

pub(crate) mod kems;
pub(crate) mod research;
pub(crate) mod signatures;

use pyo3::{
    prelude::*,
    types::{PyBytes, PyList},
};
use std::ops::Range;

/// Items of a batch that are computed before signals are checked: Ctrl-C ends a batch, and no more expanded keys than
/// these are in memory at once.
const GROUP: usize = 256;

/// Two `bytes`.
pub(crate) type Pair<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

fn pair<'py>(py: Python<'py>, [first, second]: [&[u8]; 2]) -> Pair<'py> {
    (PyBytes::new(py, first), PyBytes::new(py, second))
}

/// The names that a table has, for an error.
fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// A list of the answers for groups of `count` items, each computed without the interpreter.
fn in_groups<'py, A: Send>(
    py: Python<'py>,
    count: usize,
    work: impl Fn(Range<usize>) -> PyResult<Vec<A>> + Sync,
    to_python: impl Fn(A) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for start in (0..count).step_by(GROUP) {
        let end = count.min(start.saturating_add(GROUP));
        for answer in py.detach(|| work(start..end))? {
            list.append(to_python(answer)?)?;
        }
        py.check_signals()?;
    }
    Ok(list)
}
