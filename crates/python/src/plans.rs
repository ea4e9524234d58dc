//! Plans, and their verbs on arrays.

use crate::{
    arrays::{Form, Integer, Integers, Operand, Target, broadcast, typed, without},
    errors::{PlanError, plan_error, refused},
    threads::on_threads,
};
use ntt::{AnyPlan, Batch, Buffer, Direction, Interval, Inverter, Recipe, Request, Ring, SlotOrder, Word};
use numpy::{PyArrayDescr, PyArrayDyn, PyArrayMethods, dtype};
use pyo3::{exceptions::PyZeroDivisionError, prelude::*, types::PyDict};
use std::{any::Any, sync::OnceLock};

/// Words from which on the interpreter's lock is released: below, that takes longer than a product.
const RELEASED: usize = 1 << 11;
/// Words from which on threads help.
pub(crate) const SHARED: usize = 1 << 14;

/// Evaluates an expression for the plan inside, whatever its word.
macro_rules! with {
    ($any:expr, $plan:ident => $value:expr) => {
        match $any {
            AnyPlan::I16($plan) => $value,
            AnyPlan::I32($plan) => $value,
            AnyPlan::I64($plan) => $value,
            AnyPlan::U32($plan) => $value,
            AnyPlan::U64($plan) => $value,
            _ => unreachable!("words of 16, 32 and 64 bits"),
        }
    };
}
/// A ring, and how products in it are computed.
#[pyclass(frozen, subclass, module = "ringwork._native")]
pub(crate) struct Plan {
    plan: AnyPlan,
    request: Request,
    inverter: OnceLock<Box<dyn Any + Send + Sync>>,
}

/// The kind of a ring, by its name.
pub(crate) fn ring(kind: &str) -> PyResult<Ring> {
    let found = Ring::ALL.into_iter().find(|ring| ring.name() == kind);
    found.ok_or_else(|| refused(format!("{kind:?} is none of the rings 'negacyclic', 'cyclic', 'trinomial'")))
}

fn slot_order(order: &str) -> PyResult<SlotOrder> {
    match order {
        "natural" => Ok(SlotOrder::Canonical),
        "bitreversed" => Ok(SlotOrder::BitReversed),
        "native" => Ok(SlotOrder::Native),
        _ => Err(refused(format!("{order:?} is none of the orders 'natural', 'bitreversed', 'native'"))),
    }
}

/// Runs without the interpreter's lock, and on threads, if there is enough to do.
pub(crate) fn run<R: Send>(py: Python<'_>, words: usize, work: impl FnOnce() -> R + Send) -> R {
    match words {
        0..RELEASED => work(),
        RELEASED..SHARED => py.detach(work),
        _ => py.detach(|| on_threads(work)),
    }
}

/// What the verbs need of words: those of a plan that numpy knows.
pub(crate) trait Cell: Word + Integer {}
impl<T: Word + Integer> Cell for T {}

/// The shape of polynomials in an array, and their axis in it.
struct Polynomials<'py> {
    array: Integers<'py>,
    axis: usize,
}

impl<'py> Polynomials<'py> {
    fn of(any: &Bound<'py, PyAny>, axis: isize, n: usize) -> PyResult<Self> {
        let array = Integers::of(any)?;
        let axis = array.axis(axis)?;
        match array.shape()[axis] {
            length if length == n => Ok(Self { array, axis }),
            length => {
                let message =
                    format!("polynomials of this ring have {n} coefficients; axis {axis} has length {length}");
                Err(refused(message))
            }
        }
    }

    fn leading(&self) -> Vec<usize> {
        without(self.array.shape(), self.axis)
    }
}

/// A verb on two polynomials each, whatever their arrays.
fn binary<'py, T: Cell>(
    plan: &ntt::Plan<T>,
    [a, b]: [&Bound<'py, PyAny>; 2],
    axis: isize,
    out: Option<&Bound<'py, PyAny>>,
    verb: impl Fn(&ntt::Plan<T>, &mut [T], &[T], &[T]) + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, n, q) = (a.py(), plan.n(), plan.q());
    let [a, b] = [Polynomials::of(a, axis, n)?, Polynomials::of(b, axis, n)?];
    let leading = broadcast(&a.leading(), &b.leading())?;
    let at = if axis < 0 { (leading.len() + 1).wrapping_add_signed(axis) } else { axis.unsigned_abs() };
    let mut shape = leading.clone();
    shape.insert(at, n);
    let form = Form { shape: &shape, dtype: a.array.dtype().join(b.array.dtype()), axis: at, most: q - 1 };
    let [x, y] = [&a, &b].map(|it| Operand::<T>::read(&it.array, it.axis, &leading, q));
    let (x, y) = (x?, y?);
    let mut target = Target::new(py, out, form, &[&a.array, &b.array])?;
    let (to, from) = (target.words(), [x.words(), y.words()]);
    if !to.is_empty() {
        run(py, to.len(), || verb(plan, to, from[0], from[1]));
    }
    drop((x, y));
    target.finish()
}

fn multiply<T: Cell>(plan: &ntt::Plan<T>, c: &mut [T], a: &[T], b: &[T]) {
    if c.len() == plan.n() { plan.multiply(c, a, b) } else { plan.multiply_many(c, a, b) }
}

/// Slot by slot, of transformed polynomials.
fn pointwise<T: Cell>(plan: &ntt::Plan<T>, c: &mut [T], a: &[T], b: &[T]) {
    let n = plan.ntt_len();
    for ((c, a), b) in c.chunks_exact_mut(n).zip(a.chunks_exact(n)).zip(b.chunks_exact(n)) {
        plan.to_ntt(plan.pointwise(c, a, b));
    }
}

/// A transform of polynomials along an axis, which stay where they are.
fn transform<'py, T: Cell>(
    plan: &ntt::Plan<T>,
    any: &Bound<'py, PyAny>,
    axis: isize,
    out: Option<&Bound<'py, PyAny>>,
    direction: Direction,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, q) = (any.py(), plan.q());
    let Polynomials { array, axis } = Polynomials::of(any, axis, plan.n())?;
    let (shape, last) = (array.shape().to_vec(), array.shape().len() - 1);
    let side_by_side: usize = shape[axis + 1..].iter().product();
    let form = Form { shape: &shape, dtype: array.dtype(), axis: last, most: q - 1 };
    let source = Operand::<T>::read(&array, last, &shape[..last], q)?;
    let in_place = out.is_some_and(|out| out.is(any)) && matches!(source, Operand::Borrowed(_));
    let mut source = Some(source).filter(|_| !in_place);
    let read = if in_place { &[][..] } else { &[&array] };
    let mut target = Target::new(py, out, form, read)?;
    let words = target.words();
    if let Some(source) = source.take() {
        words.copy_from_slice(source.words());
    }
    let transforms = || {
        match (side_by_side, direction) {
            (1, Direction::Forward) => plan.forward_many(words),
            (1, Direction::Inverse) => plan.inverse_many(words),
            (count, _) => words.chunks_exact_mut(count * plan.n()).for_each(|words| match direction {
                Direction::Forward => plan.forward_batch(words, Batch::new(count).interleaved()),
                Direction::Inverse => plan.inverse_batch(words, Batch::new(count).interleaved()),
            }),
        }
        if direction == Direction::Forward {
            plan.canonical(words);
        }
    };
    if shape.iter().all(|length| *length != 0) {
        // Polynomials side by side ask how many threads there are.
        let all = shape.iter().product::<usize>();
        run(py, if side_by_side == 1 { all } else { all.max(SHARED) }, transforms);
    }
    target.finish()
}

/// The product of two matrices of polynomials: of shapes `(k, l, n)` and, of the second one's transpose, `(m, l, n)`.
fn matrix_product<'py, T: Cell>(plan: &ntt::Plan<T>, [a, b]: [&Bound<'py, PyAny>; 2]) -> PyResult<Bound<'py, PyAny>> {
    let (py, n, q) = (a.py(), plan.n(), plan.q());
    let [a, b] = [Polynomials::of(a, -1, n)?, Polynomials::of(b, -1, n)?];
    let (&[rows, terms], &[columns, same]) = (&a.leading()[..], &b.leading()[..]) else {
        return Err(refused("matrices of polynomials have three axes"));
    };
    if terms != same {
        return Err(refused(format!(
            "matrices of {rows} by {terms} and {same} by {columns} polynomials have no product"
        )));
    }
    let shape = [rows, columns, n];
    let form = Form { shape: &shape, dtype: a.array.dtype().join(b.array.dtype()), axis: 2, most: q - 1 };
    let [x, y] = [&a, &b].map(|it| Operand::<T>::read(&it.array, 2, &it.leading(), q));
    let (x, y) = (x?, y?);
    let mut target = Target::new(py, None, form, &[])?;
    let (c, a, b) = (target.words(), x.words(), y.words());
    if !c.is_empty() && terms != 0 {
        let work = (rows + columns) * terms * n + c.len();
        run(py, work, || match plan.recipe() {
            Some(_) => {
                let [a, b] = [a, b].map(|words| {
                    let mut words = Buffer::copy_of(words);
                    plan.forward_many(words.words_mut());
                    words
                });
                // The sums for the first row of `a` come first.
                plan.inverse_product(plan.inner_products(c, b.words(), a.words(), terms));
            }
            // Residue channels were made for single products.
            None => sums_of_products(plan, c, [a, b], [columns, terms]),
        });
    }
    drop((x, y));
    target.finish()
}

fn sums_of_products<T: Cell>(plan: &ntt::Plan<T>, c: &mut [T], [a, b]: [&[T]; 2], [columns, terms]: [usize; 2]) {
    let n = plan.n();
    let mut product = Buffer::zeros(n);
    for (i, c) in c.chunks_exact_mut(n).enumerate() {
        let [a, b] = [(a, i / columns), (b, i % columns)].map(|(words, row)| &words[row * terms * n..][..terms * n]);
        for (a, b) in a.chunks_exact(n).zip(b.chunks_exact(n)) {
            plan.multiply(product.words_mut(), a, b);
            plan.add(c, product.words());
        }
    }
}

/// Integers of any size as residues.
fn reduce<'py, T: Cell>(plan: &ntt::Plan<T>, any: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (array, q) = (Integers::of(any)?, plan.q());
    let result = Integers::zeros(any.py(), T::DTYPE, array.shape())?;
    let words = result.as_any().cast::<PyArrayDyn<T>>()?;
    let mut words = words.readwrite();
    typed!(&array, array: S => {
        let numbers = array.try_readonly()?;
        for (to, x) in words.as_array_mut().iter_mut().zip(numbers.as_array()) {
            let x = x.to_i64();
            let negative = S::DTYPE.is_signed() && x < 0;
            let residue = (if negative { x.unsigned_abs() } else { x as u64 }) % q;
            *to = T::of_i64(if negative && residue != 0 { q - residue } else { residue } as i64);
        }
    });
    drop(words);
    Ok(result.as_any().clone())
}

/// Inverses of polynomials along the last axis.
fn invert<'py, T: Cell>(
    plan: &ntt::Plan<T>,
    inverter: &OnceLock<Box<dyn Any + Send + Sync>>,
    any: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, n, q) = (any.py(), plan.n(), plan.q());
    let inverter = match inverter.get() {
        Some(made) => made,
        None => {
            let made = py.detach(|| Inverter::new(plan)).map_err(plan_error)?;
            inverter.get_or_init(|| Box::new(made))
        }
    };
    let inverter = inverter.downcast_ref::<Inverter<T>>().expect("an inverter of the plan's words");
    let a = Polynomials::of(any, -1, n)?;
    let form = Form { shape: a.array.shape(), dtype: a.array.dtype(), axis: a.axis, most: q - 1 };
    let words = Operand::<T>::read(&a.array, a.axis, &a.leading(), q)?;
    let mut target = Target::new(py, None, form, &[])?;
    let (to, from) = (target.words(), words.words());
    let without = run(py, to.len(), || {
        let mut slots = Buffer::zeros(n);
        to.chunks_exact_mut(n).zip(from.chunks_exact(n)).position(|(to, from)| {
            slots.words_mut().copy_from_slice(from);
            plan.forward(slots.words_mut());
            let has = inverter.invert(to, slots.words());
            plan.canonical(to);
            plan.inverse(to);
            !has
        })
    });
    if let Some(index) = without {
        let of = if from.len() == n { String::new() } else { format!(" {index}") };
        return Err(PyZeroDivisionError::new_err(format!("polynomial{of} has no inverse in this ring")));
    }
    drop(words);
    target.finish()
}

/// Values of polynomials along the last axis at one point.
fn evaluate<'py, T: Cell>(plan: &ntt::Plan<T>, any: &Bound<'py, PyAny>, x: u64) -> PyResult<Bound<'py, PyAny>> {
    let (py, n, q) = (any.py(), plan.n(), plan.q());
    let a = Polynomials::of(any, -1, n)?;
    let leading = a.leading();
    let words = Operand::<T>::read(&a.array, a.axis, &leading, q)?;
    let values: Vec<u64> = words.words().chunks_exact(n).map(|a| plan.evaluate(a, x)).collect();
    let result = PyArrayDyn::<u64>::zeros(py, leading, false);
    result.readwrite().as_slice_mut()?.copy_from_slice(&values);
    Ok(result.into_any())
}

fn dtype_of<'py, T: Cell>(_plan: &ntt::Plan<T>, py: Python<'py>) -> Bound<'py, PyArrayDescr> {
    dtype::<T>(py)
}

/// The facts of one transform.
fn describe(facts: &Bound<'_, PyDict>, recipe: &Recipe) -> PyResult<()> {
    let pair = |range: &Interval| (range.lo, range.hi);
    let certificate = recipe.certificate();
    facts.set_item("q", recipe.q())?;
    facts.set_item("n", recipe.n())?;
    facts.set_item("root", recipe.root())?;
    facts.set_item("shift", recipe.shift())?;
    facts.set_item("method", recipe.method().name())?;
    facts.set_item("lanes", recipe.lanes())?;
    facts.set_item("slots", recipe.slots())?;
    facts.set_item("slot_degree", recipe.slot_degree())?;
    facts.set_item("cycles", recipe.estimated_cycles())?;
    facts.set_item("radices", (0..recipe.layers() as usize).map(|layer| recipe.radix(layer)).collect::<Vec<_>>())?;
    for (name, range) in [
        ("word", certificate.word()),
        ("input", certificate.input()),
        ("slot_range", certificate.slots()),
        ("products", certificate.products()),
        ("normalized", certificate.normalized()),
        ("inverse_input", certificate.inverse_input()),
        ("output", certificate.output()),
    ] {
        facts.set_item(name, pair(&range))?;
    }
    for (name, ranges, direction) in
        [("forward", certificate.forward(), Direction::Forward), ("inverse", certificate.inverse(), Direction::Inverse)]
    {
        let steps = recipe.schedules().steps(direction).iter().map(|step| step.name());
        facts.set_item(name, ranges.iter().map(pair).zip(steps).collect::<Vec<_>>())?;
    }
    Ok(())
}

impl Plan {
    /// The transform, unless it has no layers: then `q` has no roots, and the plan multiplies as one does by hand.
    fn transform(&self) -> Option<&Recipe> {
        self.plan.recipe().filter(|recipe| recipe.layers() > 0 || recipe.n() == 1)
    }

    /// **Errors** with what the engine says of a transform, if the plan has none.
    fn check_transform(&self) -> PyResult<()> {
        if self.transform().is_some() {
            return Ok(());
        }
        let deep = self.request.depth(self.plan.ring().layers(self.plan.n()).max(1));
        Err(match deep.recipe(64) {
            Err(error) => plan_error(error),
            Ok(_) => PlanError::new_err("this plan multiplies by residue channels: order='natural' has a transform"),
        })
    }
}

#[pymethods]
impl Plan {
    #[new]
    #[pyo3(signature = (n, q, *, kind="negacyclic", order="natural", root=None, shift=None, depth=None, bits=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        py: Python<'_>,
        n: usize,
        q: u64,
        kind: &str,
        order: &str,
        root: Option<u64>,
        shift: Option<u64>,
        depth: Option<u32>,
        bits: Option<u32>,
    ) -> PyResult<Self> {
        let mut request = Request::new(n, q).ring(ring(kind)?).slot_order(slot_order(order)?);
        if let Some(root) = root {
            request = request.root(root);
        }
        if let Some(shift) = shift {
            request = request.shift(shift);
        }
        if let Some(depth) = depth {
            request = request.depth(depth);
        }
        let made = py.detach(|| match bits {
            None => AnyPlan::with(&request),
            Some(bits) => request.decide(bits).map(AnyPlan::from_decision),
        });
        Ok(Self { plan: made.map_err(plan_error)?, request, inverter: OnceLock::new() })
    }

    #[getter]
    fn n(&self) -> usize {
        self.plan.n()
    }

    #[getter]
    fn q(&self) -> u64 {
        self.plan.q()
    }

    #[getter]
    fn bits(&self) -> u32 {
        self.plan.bits()
    }

    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDescr> {
        with!(&self.plan, plan => dtype_of(plan, py))
    }

    #[getter]
    fn backend(&self) -> &'static str {
        self.plan.backend().name()
    }

    #[getter]
    fn has_transform(&self) -> bool {
        self.transform().is_some()
    }

    /// The root of unity that the transform is made with.
    #[getter]
    fn root(&self) -> Option<u64> {
        self.transform().map(Recipe::root)
    }

    /// Layers that split residues in two.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.transform().map(Recipe::depth)
    }

    /// Coefficients of a slot.
    #[getter]
    fn slot_degree(&self) -> Option<usize> {
        self.transform().map(Recipe::slot_degree)
    }

    #[pyo3(signature = (a, b, /, *, axis=-1, out=None), text_signature = "($self, a, b, /, *, axis=-1, out=None)")]
    fn multiply<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        axis: isize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with!(&self.plan, plan => binary(plan, [a, b], axis, out, multiply))
    }

    #[pyo3(signature = (a, b, /, *, axis=-1, out=None), text_signature = "($self, a, b, /, *, axis=-1, out=None)")]
    fn add<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        axis: isize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with!(&self.plan, plan => binary(plan, [a, b], axis, out, |plan, c, a, b| {
            c.copy_from_slice(a);
            plan.add(c, b);
        }))
    }

    #[pyo3(signature = (a, b, /, *, axis=-1, out=None), text_signature = "($self, a, b, /, *, axis=-1, out=None)")]
    fn subtract<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        axis: isize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with!(&self.plan, plan => binary(plan, [a, b], axis, out, |plan, c, a, b| {
            c.copy_from_slice(a);
            plan.sub(c, b);
        }))
    }

    #[pyo3(signature = (a, b, /, *, out=None))]
    fn pointwise<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_transform()?;
        with!(&self.plan, plan => binary(plan, [a, b], -1, out, pointwise))
    }

    #[pyo3(signature = (a, /, *, axis=-1, out=None), text_signature = "($self, a, /, *, axis=-1, out=None)")]
    fn forward<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        axis: isize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_transform()?;
        with!(&self.plan, plan => transform(plan, a, axis, out, Direction::Forward))
    }

    #[pyo3(signature = (a, /, *, axis=-1, out=None), text_signature = "($self, a, /, *, axis=-1, out=None)")]
    fn inverse<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        axis: isize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_transform()?;
        with!(&self.plan, plan => transform(plan, a, axis, out, Direction::Inverse))
    }

    /// What was decided and proved: the names, and the numbers, of what `ringwork.plans` shows.
    fn described<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        facts.set_item("tables", self.plan.table_words())?;
        match (self.plan.recipe(), self.plan.crt_recipe()) {
            (Some(recipe), _) => describe(&facts, recipe)?,
            (None, Some(recipe)) => {
                facts.set_item("cycles", recipe.estimated_cycles())?;
                let channels = recipe.channels().iter().map(|channel| {
                    let facts = PyDict::new(py);
                    describe(&facts, channel).map(|()| facts)
                });
                facts.set_item("channels", channels.collect::<PyResult<Vec<_>>>()?)?;
            }
            (None, None) => {}
        }
        Ok(facts)
    }

    /// The product of matrices `(k, l, n)` and `(m, l, n)`, the second one transposed.
    fn matrix_product<'py>(&self, a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        with!(&self.plan, plan => matrix_product(plan, [a, b]))
    }

    #[pyo3(signature = (a, /))]
    fn reduce<'py>(&self, a: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        with!(&self.plan, plan => reduce(plan, a))
    }

    #[pyo3(signature = (a, /))]
    fn invert<'py>(&self, a: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.check_transform()?;
        with!(&self.plan, plan => invert(plan, &self.inverter, a))
    }

    #[pyo3(signature = (a, x, /))]
    fn evaluate<'py>(&self, a: &Bound<'py, PyAny>, x: u64) -> PyResult<Bound<'py, PyAny>> {
        with!(&self.plan, plan => evaluate(plan, a, x))
    }
}
