//! Products of polynomials of two lengths, in no ring.

use crate::{
    arrays::{Form, Integers, Operand, Target, broadcast},
    errors::{plan_error, refused},
    plans::{Cell, SHARED, run},
};
use ntt::{Linear, Plan, PlanError, Word};
use pyo3::prelude::*;
use rayon::prelude::*;

/// In words with the lowest estimated time.
enum AnyLinear {
    I16(Linear<i16>),
    I32(Linear<i32>),
    I64(Linear<i64>),
    U32(Linear<u32>),
    U64(Linear<u64>),
}

fn cycles<T: Word>(plan: &Plan<T>) -> u64 {
    let channels = plan.crt_recipe().map(ntt::CrtRecipe::estimated_cycles);
    channels.or(plan.recipe().map(ntt::Recipe::estimated_cycles)).unwrap_or(u64::MAX)
}

impl AnyLinear {
    fn new(lengths: [usize; 2], q: u64, start: usize, stop: usize) -> Result<Self, PlanError> {
        let mut best: Result<(u64, Self), PlanError> = Err(PlanError::NoMethod { q, bits: 64 });
        macro_rules! try_words {
            ($($name:ident $T:ident)*) => {$(
                match Linear::<$T>::new(lengths, q).and_then(|all| all.part(start..stop)) {
                    Ok(linear) => {
                        let cycles = cycles(linear.plan());
                        if best.as_ref().is_ok_and(|(least, _)| *least > cycles) || best.is_err() {
                            best = Ok((cycles, Self::$name(linear)));
                        }
                    }
                    Err(error) if best.is_err() => best = Err(error),
                    Err(_) => {}
                }
            )*};
        }
        // Residues that fill unsigned words have no plans in signed ones.
        try_words!(I16 i16 I32 i32 U32 u32 I64 i64);
        if best.is_err() {
            try_words!(U64 u64);
        }
        best.map(|(_, linear)| linear)
    }
}

/// Some coefficients in a row of the product of two polynomials.
#[pyclass(frozen, module = "ringwork._native")]
pub(crate) struct Convolution(AnyLinear);

#[pymethods]
impl Convolution {
    /// The coefficients `start..stop` of products of that many coefficients each.
    #[new]
    fn new(py: Python<'_>, a: usize, b: usize, q: u64, start: usize, stop: usize) -> PyResult<Self> {
        py.detach(|| AnyLinear::new([a, b], q, start, stop)).map(Self).map_err(plan_error)
    }

    #[pyo3(signature = (a, b, /, out=None))]
    fn multiply<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            AnyLinear::I16(linear) => multiply(linear, [a, b], out),
            AnyLinear::I32(linear) => multiply(linear, [a, b], out),
            AnyLinear::I64(linear) => multiply(linear, [a, b], out),
            AnyLinear::U32(linear) => multiply(linear, [a, b], out),
            AnyLinear::U64(linear) => multiply(linear, [a, b], out),
        }
    }
}

fn multiply<'py, T: Cell>(
    linear: &Linear<T>,
    [a, b]: [&Bound<'py, PyAny>; 2],
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, q) = (a.py(), linear.plan().q());
    let [a, b] = [Integers::of(a)?, Integers::of(b)?];
    let [x, y] = [(&a, linear.lengths()[0]), (&b, linear.lengths()[1])].map(|(array, length)| match array.shape() {
        [leading @ .., last] if *last == length => Ok(leading.to_vec()),
        shape => Err(refused(format!("{length} coefficients along the last axis, not shape {shape:?}"))),
    });
    let (x, y) = (x?, y?);
    let leading = broadcast(&x, &y)?;
    let shape = [&leading[..], &[linear.powers().len()]].concat();
    let form = Form { shape: &shape, dtype: a.dtype().join(b.dtype()), axis: leading.len(), most: q - 1 };
    // One polynomial for all is transformed once.
    let one = y.iter().all(|length| *length == 1) && !leading.is_empty();
    let a_words = Operand::<T>::read(&a, x.len(), &leading, q)?;
    let b_words = Operand::<T>::read(&b, y.len(), if one { &y } else { &leading }, q)?;
    let mut target = Target::new(py, out, form, &[&a, &b])?;
    let ([m, k], length) = (linear.lengths(), linear.powers().len());
    let (c, [a, b]) = (target.words(), [a_words.words(), b_words.words()]);
    let work = a.len() + b.len() + c.len();
    run(py, work, || {
        let prepared = one.then(|| linear.prepare(b));
        let row = |(i, (c, a)): (usize, (&mut [T], &[T]))| match &prepared {
            Some(b) => linear.multiply_prepared(c, a, b),
            None => linear.multiply(c, a, &b[i * k..][..k]),
        };
        if work < SHARED || c.len() == length {
            c.chunks_exact_mut(length).zip(a.chunks_exact(m)).enumerate().for_each(row);
        } else {
            let rows = c.par_chunks_exact_mut(length).zip(a.par_chunks_exact(m)).enumerate();
            rows.with_min_len(SHARED / 2 / (m + k) + 1).for_each(row);
        }
    });
    drop((a_words, b_words));
    target.finish()
}
