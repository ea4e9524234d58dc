//! Integers of any size as residues modulo several primes.

use crate::{
    arrays::{Form, Integer, Integers, Operand, Target},
    errors::{CoefficientError, refused},
    plans::{ring, run},
};
use ntt::{Request, Rns};
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::{prelude::*, types::PyBytes};

/// A ring modulo a product of primes.
#[pyclass(frozen, module = "ringwork._native")]
pub(crate) struct Residues(Rns<i64>);

impl Residues {
    /// The residues of an array of shape `(…, primes, n)`.
    fn words<'py>(&self, any: &Bound<'py, PyAny>) -> PyResult<(Integers<'py>, Operand<'py, i64>)> {
        let (array, k, n) = (Integers::of(any)?, self.0.primes().len(), self.0.n());
        let [leading @ .., last] = array.shape() else { return Err(refused("one number is no array of residues")) };
        if *last != n || leading.last() != Some(&k) {
            let message =
                format!("residues of {k} primes and degree {n} have shape (…, {k}, {n}), not {:?}", array.shape());
            return Err(refused(message));
        }
        let primes = self.primes();
        let most = primes.iter().max().copied().unwrap_or_default();
        let words = Operand::<i64>::read(&array, leading.len(), leading, most)?;
        for (row, p) in words.words().chunks_exact(n).zip(primes.iter().cycle()) {
            if row.iter().any(|x| x.unsigned_abs() >= *p) {
                return Err(CoefficientError::new_err(format!("a residue is not between -p and p, p = {p}")));
            }
        }
        Ok((array, words))
    }

    fn unary<'py>(
        &self,
        any: &Bound<'py, PyAny>,
        verb: impl Fn(&Rns<i64>, &mut [i64]) + Send + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (array, words) = self.words(any)?;
        let axis = array.shape().len() - 1;
        let form = Form { shape: array.shape(), dtype: i64::DTYPE, axis, most: 0 };
        let mut target = Target::<i64>::new(any.py(), None, form, &[])?;
        let to = target.words();
        to.copy_from_slice(words.words());
        run(any.py(), to.len(), || to.chunks_exact_mut(self.0.words()).for_each(|words| verb(&self.0, words)));
        target.finish()
    }
}

#[pymethods]
impl Residues {
    #[new]
    #[pyo3(signature = (n, kind, primes=None, bits=None))]
    fn new(py: Python<'_>, n: usize, kind: &str, primes: Option<Vec<u64>>, bits: Option<u32>) -> PyResult<Self> {
        let request = Request::new(n, 0).ring(ring(kind)?);
        let made = py.detach(|| match (&primes, bits) {
            (Some(primes), _) => Rns::with(&request, primes),
            (None, bits) => Rns::of_bits(&request, bits.unwrap_or_default()),
        });
        made.map(Self).map_err(refused)
    }

    #[getter]
    fn primes(&self) -> Vec<u64> {
        self.0.primes().collect()
    }

    /// Residues of integers in two's complement, of so many limbs of 64 bits each, the lowest byte first.
    fn decompose<'py>(
        &self,
        py: Python<'py>,
        integers: &[u8],
        limbs: usize,
        shape: Vec<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let numbers: Vec<u64> = integers.as_chunks().0.iter().map(|limb| u64::from_le_bytes(*limb)).collect();
        let result = PyArrayDyn::<i64>::zeros(py, shape, false);
        let mut array = result.readwrite();
        let words = array.as_slice_mut()?;
        let of_polynomial = limbs * self.0.n();
        if limbs == 0 || words.len() / self.0.words() != numbers.len() / of_polynomial {
            return Err(refused("these are not the integers of whole polynomials"));
        }
        run(py, words.len(), || {
            let polynomials = words.chunks_exact_mut(self.0.words()).zip(numbers.chunks_exact(of_polynomial));
            polynomials.for_each(|(to, from)| self.0.decompose_signed(to, from));
        });
        drop(array);
        Ok(result.into_any())
    }

    /// The integers of residues, the lowest byte first, of [`limbs`](Self::limbs) each.
    fn recompose<'py>(&self, residues: &Bound<'py, PyAny>, centred: bool) -> PyResult<Bound<'py, PyBytes>> {
        let py = residues.py();
        let (_, words) = self.words(residues)?;
        let residues = words.words();
        let of_polynomial = self.0.limbs() * self.0.n();
        let mut limbs = vec![0; residues.len() / self.0.words() * of_polynomial];
        run(py, residues.len(), || {
            for (to, from) in limbs.chunks_exact_mut(of_polynomial).zip(residues.chunks_exact(self.0.words())) {
                if centred { self.0.recompose_centred(to, from) } else { self.0.recompose(to, from) }
            }
        });
        let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn limbs(&self) -> usize {
        self.0.limbs()
    }

    fn forward<'py>(&self, residues: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.unary(residues, |rns, words| rns.forward(words))
    }

    fn inverse<'py>(&self, residues: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.unary(residues, |rns, words| rns.inverse(words))
    }

    fn multiply<'py>(&self, a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (array, x) = self.words(a)?;
        let (other, y) = self.words(b)?;
        if array.shape() != other.shape() {
            return Err(refused(format!("residues of shapes {:?} and {:?}", array.shape(), other.shape())));
        }
        let axis = array.shape().len() - 1;
        let mut target =
            Target::<i64>::new(a.py(), None, Form { shape: array.shape(), dtype: i64::DTYPE, axis, most: 0 }, &[])?;
        let (c, [x, y], each) = (target.words(), [x.words(), y.words()], self.0.words());
        run(a.py(), c.len(), || {
            let operands = x.chunks_exact(each).zip(y.chunks_exact(each));
            c.chunks_exact_mut(each).zip(operands).for_each(|(c, (x, y))| self.0.multiply(c, x, y));
        });
        target.finish()
    }
}
