//! Arrays of integers in, words of a plan inside, arrays of integers out.

use crate::errors::CoefficientError;
use ntt::{Buffer, Word};
use numpy::{
    Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
    ndarray::{ArrayViewD, IxDyn},
};
use pyo3::{
    exceptions::{PyMemoryError, PyTypeError, PyValueError},
    prelude::*,
};
use std::ops::Range;

/// An integer type of numpy.
pub(crate) trait Integer: Element + Copy + Default + PartialOrd + Send + Sync + 'static {
    const DTYPE: Dtype;
    /// The nearest number of this type.
    fn nearest(x: i128) -> Self;
    /// Its low bits as a number of 64 bits, with its sign.
    fn to_i64(self) -> i64;
    /// The low bits of a number.
    fn of_i64(x: i64) -> Self;
}

/// The type of the numbers of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dtype {
    bits: u32,
    signed: bool,
}

impl Dtype {
    /// The smallest type with all numbers of both; of 64 bits, where there is none, as for `int64` with `uint64`.
    pub(crate) fn join(self, other: Self) -> Self {
        let [a, b] = if self.signed { [self, other] } else { [other, self] };
        let bits = if a.signed && !b.signed { a.bits.max(2 * b.bits) } else { a.bits.max(b.bits) };
        Self { bits: bits.min(64), signed: a.signed }
    }

    /// The smallest type with all numbers of this one, and with those from 0 to `most`.
    pub(crate) fn holding(self, most: u64) -> Self {
        let holds = |it: &Self| most.checked_shr(it.bits - u32::from(it.signed)).is_none_or(|rest| rest == 0);
        let wider = [self.bits, 16, 32, 64].into_iter().filter(|bits| *bits >= self.bits);
        wider.map(|bits| Self { bits, ..self }).find(holds).unwrap_or(Self { bits: 64, signed: false })
    }

    pub(crate) const fn is_signed(self) -> bool {
        self.signed
    }

    fn name(self) -> String {
        format!("{}int{}", if self.signed { "" } else { "u" }, self.bits)
    }
}

macro_rules! integers {
    ($($name:ident $type:ident $bits:literal $signed:literal;)*) => {
        $(impl Integer for $type {
            const DTYPE: Dtype = Dtype { bits: $bits, signed: $signed };
            fn nearest(x: i128) -> Self {
                x.clamp(Self::MIN.into(), Self::MAX.into()) as Self
            }
            fn to_i64(self) -> i64 {
                self as i64
            }
            fn of_i64(x: i64) -> Self {
                x as Self
            }
        })*

        /// An array of integers.
        pub(crate) enum Integers<'py> {
            $($name(Bound<'py, PyArrayDyn<$type>>),)*
        }

        impl<'py> Integers<'py> {
            /// `None` if these are not integers in the byte order of this machine.
            fn of_array(array: &Bound<'py, PyUntypedArray>) -> Option<Self> {
                let dtype = array.dtype();
                match (dtype.kind(), dtype.itemsize() * 8) {
                    $((kind, $bits) if (kind == b'i') == $signed && (kind == b'i' || kind == b'u') => {
                        array.cast::<PyArrayDyn<$type>>().ok().cloned().map(Self::$name)
                    })*
                    _ => None,
                }
            }

            /// An array of zeros.
            ///
            /// **Errors** if there is no memory for it.
            pub(crate) fn zeros(py: Python<'py>, dtype: Dtype, shape: &[usize]) -> PyResult<Self> {
                let large = || py.import("numpy")?.call_method1("zeros", (shape.to_vec(), dtype.name()));
                // Small ones at once: the way through Python takes longer than a product.
                let bytes = shape.iter().try_fold(8_usize, |bytes, length| bytes.checked_mul(*length));
                Ok(match (dtype.bits, dtype.signed) {
                    $(($bits, $signed) if bytes.is_some_and(|bytes| bytes < 1 << 24) => {
                        Self::$name(PyArrayDyn::zeros(py, shape, false))
                    })*
                    $(($bits, $signed) => Self::$name(large()?.cast_into()?),)*
                    _ => unreachable!("types of numpy"),
                })
            }
        }
    };
}

integers! {
    I8 i8 8 true;
    I16 i16 16 true;
    I32 i32 32 true;
    I64 i64 64 true;
    U8 u8 8 false;
    U16 u16 16 false;
    U32 u32 32 false;
    U64 u64 64 false;
}

/// Evaluates an expression for an array, whatever the type of its numbers.
macro_rules! typed {
    ($any:expr, $array:ident: $S:ident => $value:expr) => {
        typed!($any, $array: $S => $value, I8 i8 I16 i16 I32 i32 I64 i64 U8 u8 U16 u16 U32 u32 U64 u64)
    };
    ($any:expr, $array:ident: $S:ident => $value:expr, $($name:ident $type:ident)*) => {
        match $any {
            $($crate::arrays::Integers::$name($array) => {
                #[allow(dead_code)]
                type $S = $type;
                $value
            })*
        }
    };
}
pub(crate) use typed;

impl<'py> Integers<'py> {
    /// Of an array, or of what numpy makes an array of.
    pub(crate) fn of(any: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = any.py();
        let array = match any.cast::<PyUntypedArray>() {
            Ok(array) => array.clone(),
            Err(_) => py.import("numpy")?.call_method1("asarray", (any,))?.cast_into::<PyUntypedArray>()?,
        };
        if let Some(integers) = Self::of_array(&array) {
            if integers.is_aligned() {
                return Ok(integers);
            }
            let copy = array.call_method0("copy")?;
            return Ok(Self::of_array(copy.cast::<PyUntypedArray>()?).expect("a copy has the type of the array"));
        }
        let dtype = array.dtype();
        if !matches!(dtype.kind(), b'i' | b'u') {
            let advice = match dtype.kind() {
                b'O' => "integers of Python beyond 64 bits work in polymul and convolve",
                _ => "convert them first, as by x.astype(numpy.int64)",
            };
            return Err(PyTypeError::new_err(format!("coefficients are integers, not {dtype}: {advice}")));
        }
        // In the other byte order.
        let native = array.call_method1("astype", (dtype.call_method1("newbyteorder", ("=",))?,))?;
        Ok(Self::of_array(native.cast::<PyUntypedArray>()?).expect("integers of this machine"))
    }

    /// Whether references to its numbers may be made.
    fn is_aligned(&self) -> bool {
        typed!(self, array: S => {
            let size = size_of::<S>() as isize;
            array.data().is_aligned() && array.strides().iter().all(|stride| stride % size == 0)
        })
    }

    /// The addresses of its numbers.
    fn extent(&self) -> Range<usize> {
        typed!(self, array: S => {
            let start = array.data().addr();
            let steps = array.shape().iter().zip(array.strides()).map(|(length, stride)| {
                length.saturating_sub(1) as isize * stride
            });
            let (below, above) = steps.fold((0, 0), |(low, high), step| (low + step.min(0), high + step.max(0)));
            if array.is_empty() {
                start..start
            } else {
                start.wrapping_add_signed(below)..start.wrapping_add_signed(above) + size_of::<S>()
            }
        })
    }

    /// Whether no two of its numbers can share memory.
    fn is_spread(&self) -> bool {
        typed!(self, array: S => {
            let lengths = array.shape().iter().copied();
            let mut axes: Vec<_> = array.strides().iter().map(|stride| stride.unsigned_abs()).zip(lengths).collect();
            axes.retain(|(_, length)| *length > 1);
            axes.sort_unstable();
            let mut end = size_of::<S>();
            array.is_empty() || axes.iter().all(|(stride, length)| {
                let apart = *stride >= end;
                end += stride * (length - 1);
                apart
            })
        })
    }

    pub(crate) fn as_any(&self) -> &Bound<'py, PyAny> {
        typed!(self, array: S => array.as_any())
    }

    pub(crate) fn shape(&self) -> &[usize] {
        typed!(self, array: S => array.shape())
    }

    pub(crate) fn dtype(&self) -> Dtype {
        typed!(self, _array: S => S::DTYPE)
    }

    /// The axis with that number, counted from the end if it is negative.
    ///
    /// **Errors** if there is none.
    pub(crate) fn axis(&self, axis: isize) -> PyResult<usize> {
        let dimensions = self.shape().len();
        let from_start = if axis < 0 { axis + dimensions as isize } else { axis };
        if (0..dimensions as isize).contains(&from_start) {
            Ok(from_start as usize)
        } else {
            Err(PyValueError::new_err(format!("axis {axis} of an array with {dimensions} axes")))
        }
    }

    /// Whether these are the words `T`, one right after the other.
    fn are_words<T: Integer>(&self) -> Option<Bound<'py, PyArrayDyn<T>>> {
        let array = self.as_any().cast::<PyArrayDyn<T>>().ok()?;
        (array.is_c_contiguous() && self.dtype() == T::DTYPE).then(|| array.clone())
    }
}

pub(crate) fn without(shape: &[usize], axis: usize) -> Vec<usize> {
    [&shape[..axis], &shape[axis + 1..]].concat()
}

/// All axes, that one last.
fn to_the_end(dimensions: usize, axis: usize) -> Vec<usize> {
    (0..dimensions).filter(|at| *at != axis).chain([axis]).collect()
}

/// The shape that both shapes are broadcast to, by the rule of numpy.
pub(crate) fn broadcast(a: &[usize], b: &[usize]) -> PyResult<Vec<usize>> {
    let length = a.len().max(b.len());
    let at = |shape: &[usize], i: usize| (i + shape.len()).checked_sub(length).map_or(1, |i| shape[i]);
    let pairs = (0..length).map(|i| [at(a, i), at(b, i)]);
    let joined = pairs.map(|pair| match pair {
        [x, y] if x == y || y == 1 => Some(x),
        [1, y] => Some(y),
        _ => None,
    });
    joined.collect::<Option<_>>().ok_or_else(|| {
        PyValueError::new_err(format!("polynomials in arrays of shapes {a:?} and {b:?} do not go together"))
    })
}

/// The words of an array that a plan takes: its own memory, or converted.
pub(crate) enum Operand<'py, T: Word + Integer> {
    Borrowed(PyReadonlyArrayDyn<'py, T>),
    Converted(Buffer<T>),
}

impl<'py, T: Word + Integer> Operand<'py, T> {
    /// Polynomials along an axis, broadcast to a shape of all other axes, with coefficients from `-q` to `q`.
    ///
    /// **Errors** if a coefficient is not.
    pub(crate) fn read(array: &Integers<'py>, axis: usize, leading: &[usize], q: u64) -> PyResult<Self> {
        let last = axis + 1 == array.shape().len();
        if last
            && array.shape()[..axis] == *leading
            && let Some(words) = array.are_words::<T>()
        {
            let words = words.try_readonly().map_err(|_| in_use())?;
            let slice = words.as_slice().map_err(|error| PyValueError::new_err(error.to_string()))?;
            check(slice, q).map_err(|index| refused(array.shape(), axis, array.shape(), index, q))?;
            return Ok(Self::Borrowed(words));
        }
        typed!(array, typed: S => {
            let array = typed.try_readonly().map_err(|_| in_use())?;
            let shape = [leading, &typed.shape()[axis..=axis]].concat();
            if shape.contains(&0) {
                return Ok(Self::Converted(Buffer::zeros(0)));
            }
            let view = array.as_array();
            let moved = view.permuted_axes(IxDyn(&to_the_end(typed.shape().len(), axis)));
            let all = moved.broadcast(IxDyn(&shape)).ok_or_else(|| PyValueError::new_err("shapes"))?;
            let mut words = buffer(all.len())?;
            convert(&all, words.words_mut(), q).map_err(|index| refused(typed.shape(), axis, &shape, index, q))?;
            Ok(Self::Converted(words))
        })
    }

    pub(crate) fn words(&self) -> &[T] {
        match self {
            Self::Borrowed(words) => words.as_slice().expect("contiguous words"),
            Self::Converted(words) => words.words(),
        }
    }
}

/// Words, or the error of Python if there is no memory for so many.
fn buffer<T: Word>(words: usize) -> PyResult<Buffer<T>> {
    const LARGE: usize = 1 << 28;
    let bytes = words.saturating_mul(size_of::<T>());
    if bytes > LARGE && Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        return Err(PyMemoryError::new_err(format!("no memory for {words} words")));
    }
    Ok(Buffer::zeros(words))
}

/// Whether all numbers lie between `-q` and `q`; the index of the first that does not.
fn check<S: Integer>(numbers: &[S], q: u64) -> Result<(), usize> {
    let most = i128::from(q) - 1;
    let [low, high] = [S::nearest(-most), S::nearest(most)];
    let outside = |x: &S| *x < low || *x > high;
    // Without a branch, so that vectors can do it.
    let any = if S::DTYPE.bits == 64 && q <= 1 << 62 {
        // The oldest vectors of x86 compare no words of 64 bits, but add them: some sign is set.
        let least = if S::DTYPE.signed { most as i64 } else { 0 };
        let signs = |x: &S| x.to_i64().wrapping_add(least) | (most as i64).wrapping_sub(x.to_i64());
        numbers.iter().fold(0, |any, x| any | signs(x)) < 0
    } else {
        numbers.iter().fold(false, |any, x| any | outside(x))
    };
    if any { Err(numbers.iter().position(outside).unwrap_or_default()) } else { Ok(()) }
}

/// Numbers as words, in the order of the view's indices.
fn convert<S: Integer, T: Integer>(numbers: &ArrayViewD<'_, S>, words: &mut [T], q: u64) -> Result<(), usize> {
    // Unsigned words stand for the residue itself.
    let wrap = if T::DTYPE.signed || !S::DTYPE.signed { 0 } else { q as i64 };
    let one = |x: S| {
        let x = x.to_i64();
        T::of_i64(x.wrapping_add(wrap & (x >> 63)))
    };
    if let Some(numbers) = numbers.as_slice() {
        check(numbers, q)?;
        match wrap {
            0 => words.iter_mut().zip(numbers).for_each(|(to, x)| *to = T::of_i64(x.to_i64())),
            _ => words.iter_mut().zip(numbers).for_each(|(to, x)| *to = one(*x)),
        }
        return Ok(());
    }
    let n = numbers.shape().last().copied().unwrap_or_default();
    if n == 0 {
        return Ok(());
    }
    let mut lane = vec![S::default(); n];
    for (i, (to, from)) in words.chunks_exact_mut(n).zip(numbers.rows()).enumerate() {
        lane.iter_mut().zip(from).for_each(|(to, x)| *to = *x);
        check(&lane, q).map_err(|index| i * n + index)?;
        to.iter_mut().zip(&lane).for_each(|(to, x)| *to = one(*x));
    }
    Ok(())
}

/// The error of the coefficient with that index among polynomials of an array, along an axis, broadcast to a shape
/// whose last axis is theirs.
fn refused(array: &[usize], axis: usize, shape: &[usize], index: usize, q: u64) -> PyErr {
    let (mut rest, mut at) = (index, vec![0; shape.len()]);
    for (at, length) in at.iter_mut().zip(shape).rev() {
        *at = rest % length;
        rest /= length;
    }
    let mut at = at.split_off(shape.len() - array.len());
    let coefficient = at.pop().unwrap_or_default();
    at.insert(axis, coefficient);
    let at: Vec<_> = at.iter().zip(array).map(|(at, length)| at.min(&(length - 1)).to_string()).collect();
    CoefficientError::new_err(format!(
        "x[{}] is not between -q and q, q = {q}: reduce coefficients first, as by x % {q}",
        at.join(", ")
    ))
}

fn in_use() -> PyErr {
    PyValueError::new_err("this array is written to at the moment")
}

/// What an array of polynomials is to be.
#[derive(Clone, Copy)]
pub(crate) struct Form<'s> {
    pub(crate) shape: &'s [usize],
    pub(crate) dtype: Dtype,
    /// That of the coefficients.
    pub(crate) axis: usize,
    /// The greatest of its numbers; the least is 0.
    pub(crate) most: u64,
}

/// Where words go that a plan computes, polynomial by polynomial: into an array itself, or through a buffer.
pub(crate) struct Target<'py, T: Word + Integer> {
    array: Integers<'py>,
    axis: usize,
    words: TargetWords<'py, T>,
}

enum TargetWords<'py, T: Word + Integer> {
    Own(PyReadwriteArrayDyn<'py, T>),
    Buffered(Buffer<T>),
}

impl<'py, T: Word + Integer> Target<'py, T> {
    /// The array of the caller, or a new one, for what is computed from other arrays. Two arrays of numpy may have
    /// the same memory without a common base, so these are asked where they lie.
    ///
    /// **Errors** if the caller's array has another shape, or cannot hold the numbers.
    pub(crate) fn new(
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        form: Form<'_>,
        read: &[&Integers<'py>],
    ) -> PyResult<Self> {
        let Form { shape, dtype, axis, most } = form;
        let array = match out {
            None => Integers::zeros(py, dtype.holding(most), shape)?,
            Some(out) => {
                let array = out.cast::<PyUntypedArray>().ok().and_then(Integers::of_array);
                let array = array.filter(Integers::is_aligned).ok_or_else(|| {
                    PyTypeError::new_err("out must be an aligned array of integers in the byte order of this machine")
                })?;
                if !array.is_spread() {
                    return Err(PyValueError::new_err("numbers of out share memory with one another"));
                }
                if array.shape() != shape {
                    let given = array.shape();
                    return Err(PyValueError::new_err(format!("out has shape {given:?}, and the result {shape:?}")));
                }
                let has = array.dtype();
                if has.holding(most) != has {
                    let (has, needs) = (has.name(), has.holding(most).name());
                    return Err(PyTypeError::new_err(format!("out has {has}, and the result needs {needs}")));
                }
                array
            }
        };
        let place = array.extent();
        let overlaps = |other: Range<usize>| place.start < other.end && other.start < place.end;
        let apart = !read.iter().any(|other| overlaps(other.extent()));
        let own = (apart && axis + 1 == shape.len()).then(|| array.are_words::<T>()).flatten();
        let words = match own.and_then(|own| own.try_readwrite().ok()) {
            Some(own) => TargetWords::Own(own),
            None => TargetWords::Buffered(buffer(shape.iter().product())?),
        };
        Ok(Self { array, axis, words })
    }

    pub(crate) fn words(&mut self) -> &mut [T] {
        match &mut self.words {
            TargetWords::Own(own) => own.as_slice_mut().expect("contiguous words"),
            TargetWords::Buffered(words) => words.words_mut(),
        }
    }

    /// The array with the words.
    ///
    /// **Errors** if it is not writeable, or still read.
    pub(crate) fn finish(self) -> PyResult<Bound<'py, PyAny>> {
        if let TargetWords::Buffered(words) = self.words
            && !words.words().is_empty()
        {
            typed!(&self.array, array: S => {
                let array = array.try_readwrite();
                let mut array = array.map_err(|error| PyValueError::new_err(format!("out: {error}")))?;
                let view = array.as_array_mut();
                let dimensions = view.ndim();
                let mut moved = view.permuted_axes(IxDyn(&to_the_end(dimensions, self.axis)));
                let pairs = |(to, word): (&mut S, &T)| *to = S::of_i64(word.to_i64());
                match moved.as_slice_mut() {
                    Some(numbers) => numbers.iter_mut().zip(words.words()).for_each(pairs),
                    None => moved.iter_mut().zip(words.words()).for_each(pairs),
                }
            });
        }
        Ok(self.array.as_any().clone())
    }
}
