//! The interpreter: one kernel for all models and for everything that is not compiled. One copy of each network serves
//! every [`Algebra`], whatever its values.

use crate::network::{ExactProducts, Job, Kernel, Residues, SlotStep, Step, butterflies, sum_one_by_one};
use alloc::vec::Vec;

/// A value of an algebra, as a handle that the algebra gives out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value(usize);

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self(number)
    }
}

impl From<Value> for usize {
    fn from(Value(number): Value) -> Self {
        number
    }
}

/// A model's implementation of the operations of a network. Methods are those of [`Kernel`] and [`Residues`], one value
/// at a time; twiddles are handles that the algebra gives out.
///
/// Arithmetic is required; models that neither read tables nor track the contents of lanes keep the defaults for the
/// rest.
pub trait Algebra {
    /// Values in a vector.
    fn lanes(&self) -> usize;
    /// Bits of a word, which determine chunks of 128 bits.
    fn bits(&self) -> u32;
    /// `a + b`.
    fn add(&mut self, a: Value, b: Value) -> Value;
    /// `a - b`.
    fn sub(&mut self, a: Value, b: Value) -> Value;
    /// The reduction of the method.
    fn reduce(&mut self, x: Value) -> Value;
    /// `x·w`, as product number `i` of several side by side.
    fn mul(&mut self, i: usize, x: Value, w: usize) -> Value;
    /// `x·y` of two variables.
    fn mul_var(&mut self, x: Value, y: Value) -> Value;
    /// `Σ x_i·y_i`, reduced once.
    fn dot(&mut self, x: &[Value], y: &[Value]) -> Value;
    /// `x·w`, not reduced.
    fn mul_exact(&mut self, x: Value, w: usize) -> Value;
    /// See [`Kernel::interleave`].
    fn interleave(&mut self, block: usize, a: Value, b: Value) -> [Value; 2];
    /// See [`Kernel::zip`].
    fn zip(&mut self, a: Value, b: Value) -> [Value; 2];
    /// See [`Residues::canonical`].
    fn canonical(&mut self, x: Value) -> Value;
    /// See [`Residues::canonical_of_sum`].
    fn canonical_of_sum(&mut self, more: bool, x: Value) -> Value;
    /// See [`Residues::add_q_to_negative`].
    fn add_q_to_negative(&mut self, x: Value) -> Value;
    /// See [`Residues::sub_q_above_half`].
    fn sub_q_above_half(&mut self, x: Value) -> Value;

    /// The value of a vector in memory.
    fn load(&mut self, block: Value) -> Value {
        block
    }
    /// Writes a vector.
    fn store(&mut self, block: &mut Value, x: Value) {
        *block = x;
    }
    /// Converts a word to the form that transforms keep; small words may have a faster conversion.
    fn enter(&mut self, _small: bool, x: Value) -> Value {
        x
    }
    /// Converts from the form that transforms keep to a word.
    fn leave(&mut self, _small: bool, x: Value) -> Value {
        x
    }

    /// Opens the next row of the table.
    fn row(&mut self, _broadcast: usize, _lanewise: usize) -> Option<()> {
        Some(())
    }
    /// See [`Kernel::share`].
    fn share(&mut self, _shared: bool) {}
    /// A twiddle of the open row for all lanes.
    fn twiddle(&mut self, _i: usize) -> usize {
        0
    }
    /// A twiddle of the open row that differs from lane to lane.
    fn twiddle_lanes(&mut self, _i: usize) -> usize {
        0
    }
    /// A scaling twiddle.
    fn scaling(&mut self, _i: usize) -> usize {
        0
    }

    /// See [`Kernel::mark`].
    fn mark(&self) -> usize {
        0
    }
    /// See [`Kernel::keep_since`].
    fn keep_since(&mut self, _mark: usize, x: Value) -> Value {
        x
    }
    /// Announces the next layer.
    fn layer(&mut self, _layer: usize) {}
    /// Announces the next butterfly of a group.
    fn butterfly(&mut self, _index: usize) {}
    /// `x·w` for a twist of lanes.
    fn twist(&mut self, x: Value, w: usize) -> Value {
        self.mul(0, x, w)
    }
    /// Whether the method adds up products before reducing them.
    fn adds_up_wide(&self) -> bool {
        false
    }
    /// `Σ a_i·b_i`, if it is known without running it.
    fn sum_of_products(&mut self, _: SlotStep, _pairs: &[[Value; 2]]) -> Option<Value> {
        None
    }
    /// The algebra's handling of whole butterflies, if it has one.
    fn books(&mut self) -> Option<&mut dyn Books> {
        None
    }
}

/// Whole butterflies, after the reductions of their operands.
pub trait Books {
    /// See [`Kernel::ct`].
    fn ct(&mut self, a: Value, b: Value, w: usize) -> [Value; 2];
    /// See [`Kernel::gs`]; also gets whether the sum and the multiplicand are reduced, and which twiddle scales.
    fn gs(&mut self, reduced: [bool; 2], a: Value, b: Value, w: usize, scale: Option<usize>) -> [Value; 2];
    /// See [`Kernel::ct_thirds`].
    fn ct_thirds(&mut self, step: Step, v: [Value; 3], w: [usize; 3]) -> [Value; 3];
    /// See [`Kernel::gs_thirds`].
    fn gs_thirds(&mut self, step: Step, v: [Value; 3], w: [usize; 3]) -> [Value; 3];
    /// See [`Kernel::ct_trinomial`].
    fn ct_trinomial(&mut self, a: Value, b: Value, w: usize) -> [Value; 2];
    /// See [`Kernel::gs_trinomial`]; also gets whether the sum and the difference are reduced.
    fn gs_trinomial(&mut self, reduced: [bool; 2], a: Value, b: Value, scaling: [usize; 2]) -> [Value; 2];
}

/// A kernel that delegates every operation to an algebra.
pub(crate) struct Interpreter<'a>(pub &'a mut dyn Algebra);

/// Runs a job on an algebra; all algebras share one copy of the network.
#[inline(never)]
pub fn interpret<J: Job<M, N>, const M: usize, const N: usize>(
    job: J,
    algebra: &mut dyn Algebra,
    out: [&mut [Value]; M],
    input: [&[Value]; N],
) -> Option<()> {
    job.run(&mut Interpreter(algebra), out, input)
}

/// Whether a Gentleman–Sande step reduces the sum and the multiplicand in butterfly `i` of `count`.
const fn reduced(step: Step, i: usize) -> [bool; 2] {
    match step {
        Step::Plain => [false, false],
        Step::AddSide => [i.is_multiple_of(2), false],
        Step::Sums => [true, false],
        Step::Both => [true, true],
    }
}

impl Interpreter<'_> {
    /// The first layers of a step reduce their operands in any case.
    #[inline(never)]
    fn reduce_all(&mut self, x: &mut [Value]) {
        for (i, x) in x.iter_mut().enumerate() {
            self.0.butterfly(i);
            *x = self.0.reduce(*x);
        }
    }

    #[inline(never)]
    fn mul_all(&mut self, x: &mut [Value], w: &[usize]) {
        for (i, (x, w)) in x.iter_mut().zip(w).enumerate() {
            *x = self.0.mul(i, *x, *w);
        }
    }

    #[inline(never)]
    fn dot_all(&mut self, sums: &mut [Value], x: &[Value], y: &[Value]) {
        for (j, sum) in sums.iter_mut().enumerate() {
            *sum = self.0.dot(x, &y[j..j + x.len()]);
        }
    }
}

impl Kernel for Interpreter<'_> {
    type V = Value;
    type Tw = usize;
    type Block = Value;
    const ENTERS: bool = true;

    fn lanes(&self) -> usize {
        self.0.lanes()
    }
    fn chunk(&self) -> usize {
        self.0.lanes().min((128 / self.0.bits()) as usize)
    }
    fn load(&mut self, b: &Value) -> Value {
        self.0.load(*b)
    }
    fn store(&mut self, b: &mut Value, v: Value) {
        self.0.store(b, v);
    }
    fn row(&mut self, broadcast: usize, lanewise: usize) -> Option<()> {
        self.0.row(broadcast, lanewise)
    }
    fn share(&mut self, shared: bool) {
        self.0.share(shared);
    }
    fn twiddle(&mut self, i: usize) -> usize {
        self.0.twiddle(i)
    }
    fn twiddle_lanes(&mut self, i: usize) -> usize {
        self.0.twiddle_lanes(i)
    }
    fn scaling(&mut self) -> [usize; 2] {
        [self.0.scaling(0), self.0.scaling(1)]
    }
    fn add(&mut self, a: Value, b: Value) -> Value {
        self.0.add(a, b)
    }
    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.0.sub(a, b)
    }
    fn enter<const SMALL: bool>(&mut self, x: Value) -> Value {
        self.0.enter(SMALL, x)
    }
    fn leave<const SMALL: bool>(&mut self, x: Value) -> Value {
        self.0.leave(SMALL, x)
    }
    fn leave_canonical(&mut self, x: Value) -> Value {
        let x = self.0.leave(true, x);
        self.0.add_q_to_negative(x)
    }
    fn reduce(&mut self, x: Value) -> Value {
        self.0.reduce(x)
    }
    fn mul<const P: usize>(&mut self, mut x: [Value; P], w: [usize; P]) -> [Value; P] {
        self.mul_all(&mut x, &w);
        x
    }
    fn mul_var(&mut self, x: Value, y: Value) -> Value {
        self.0.mul_var(x, y)
    }
    fn is_wide(&self) -> bool {
        self.0.adds_up_wide()
    }
    fn dots<const P: usize, const J: usize>(&mut self, x: &[Value; P], y: &[Value]) -> [Value; J] {
        let mut sums = [Value::default(); J];
        self.dot_all(&mut sums, x, y);
        sums
    }
    fn interleave<const K: usize>(&mut self, a: Value, b: Value) -> (Value, Value) {
        self.0.interleave(K, a, b).into()
    }
    fn zip(&mut self, a: Value, b: Value) -> (Value, Value) {
        self.0.zip(a, b).into()
    }
    fn mark(&self) -> usize {
        self.0.mark()
    }
    fn keep_since(&mut self, mark: usize, x: Value) -> Value {
        self.0.keep_since(mark, x)
    }
    fn twist<const P: usize>(&mut self, mut x: [Value; P], w: usize) -> [Value; P] {
        x.iter_mut().for_each(|x| *x = self.0.twist(*x, w));
        x
    }
    fn layer(&mut self, layer: usize) {
        self.0.layer(layer);
    }
    fn butterfly(&mut self, index: usize) {
        self.0.butterfly(index);
    }

    #[inline(never)]
    fn ct<const P: usize>(
        &mut self,
        step: Step,
        mut a: [Value; P],
        mut b: [Value; P],
        w: [usize; P],
    ) -> ([Value; P], [Value; P]) {
        if self.0.books().is_none() {
            return butterflies::ct(self, step, a, b, w);
        }
        if step != Step::Plain {
            self.reduce_all(&mut a);
        }
        if step == Step::Both {
            self.reduce_all(&mut b);
        }
        let Some(books) = self.0.books() else { return (a, b) };
        for ((a, b), w) in a.iter_mut().zip(&mut b).zip(w) {
            [*a, *b] = books.ct(*a, *b, w);
        }
        (a, b)
    }

    #[inline(never)]
    fn gs<const P: usize>(
        &mut self,
        step: Step,
        mut a: [Value; P],
        mut b: [Value; P],
        w: [usize; P],
    ) -> ([Value; P], [Value; P]) {
        let Some(books) = self.0.books() else { return butterflies::gs(self, step, a, b, w) };
        for (i, ((a, b), w)) in a.iter_mut().zip(&mut b).zip(w).enumerate() {
            [*a, *b] = books.gs(reduced(step, i), *a, *b, w, None);
        }
        (a, b)
    }

    #[inline(never)]
    fn gs_scaled<const P: usize>(
        &mut self,
        step: Step,
        mut a: [Value; P],
        mut b: [Value; P],
        [f, w]: [usize; 2],
    ) -> ([Value; P], [Value; P]) {
        let Some(books) = self.0.books() else { return butterflies::gs_scaled(self, step, a, b, [f, w]) };
        for (i, (a, b)) in a.iter_mut().zip(&mut b).enumerate() {
            [*a, *b] = books.gs(reduced(step, i), *a, *b, w, Some(f));
        }
        (a, b)
    }

    #[inline(never)]
    fn ct_thirds(&mut self, step: Step, mut v: [Value; 3], w: [usize; 3]) -> [Value; 3] {
        if self.0.books().is_none() {
            return butterflies::ct_thirds(self, step, v, w);
        }
        match step {
            Step::Plain => {}
            Step::AddSide | Step::Sums => self.reduce_all(&mut v[..1]),
            Step::Both => self.reduce_all(&mut v),
        }
        self.0.books().map_or(v, |books| books.ct_thirds(step, v, w))
    }

    #[inline(never)]
    fn gs_thirds(&mut self, step: Step, v: [Value; 3], w: [usize; 3]) -> [Value; 3] {
        let Some(books) = self.0.books() else { return butterflies::gs_thirds(self, step, v, w) };
        books.gs_thirds(step, v, w)
    }

    #[inline(never)]
    fn ct_trinomial(&mut self, step: Step, mut a: Value, mut b: Value, w: usize) -> (Value, Value) {
        if self.0.books().is_none() {
            return butterflies::ct_trinomial(self, step, a, b, w);
        }
        if step != Step::Plain {
            a = self.0.reduce(a);
        }
        if step == Step::Both {
            b = self.0.reduce(b);
        }
        self.0.books().map_or((a, b), |books| books.ct_trinomial(a, b, w).into())
    }

    #[inline(never)]
    fn gs_trinomial(&mut self, step: Step, a: Value, b: Value, scaling: [usize; 2]) -> (Value, Value) {
        let Some(books) = self.0.books() else { return butterflies::gs_trinomial(self, step, a, b, scaling) };
        books.gs_trinomial(reduced(step, 0), a, b, scaling).into()
    }

    #[inline(never)]
    fn sum_of_products<'a>(
        &mut self,
        s: SlotStep,
        pairs: impl ExactSizeIterator<Item = (&'a Value, &'a Value)> + Clone,
    ) -> Option<Value> {
        let all: Vec<[Value; 2]> = pairs.clone().map(|(x, y)| [*x, *y]).collect();
        if all.is_empty() {
            return None;
        }
        let known = self.0.sum_of_products(s, &all);
        if known.is_some() { known } else { sum_one_by_one(self, s, pairs) }
    }
}

impl Residues for Interpreter<'_> {
    fn canonical(&mut self, x: Value) -> Value {
        self.0.canonical(x)
    }
    fn canonical_of_sum<const MORE: bool>(&mut self, x: Value) -> Value {
        self.0.canonical_of_sum(MORE, x)
    }
    fn add_q_to_negative(&mut self, x: Value) -> Value {
        self.0.add_q_to_negative(x)
    }
    fn sub_q_above_half(&mut self, x: Value) -> Value {
        self.0.sub_q_above_half(x)
    }
}

impl ExactProducts for Interpreter<'_> {
    fn mul_exact(&mut self, x: Value, w: usize) -> Value {
        self.0.mul_exact(x, w)
    }
}
