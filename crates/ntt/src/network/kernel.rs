//! Kernels: the lanes and the reduction of a network together.
//!
//! A network is generic in a [`Kernel`] and knows only the order of operations. A machine runs it on a CPU; the models
//! (`Ranges`, `Ledger`, `OpCount`) run the very same function for proofs, for tables, and for operation counts.

use super::pass::{SlotStep, Step};

/// Vectors, twiddles, and the butterflies made of them.
pub trait Kernel {
    /// A vector of [`lanes`](Kernel::lanes) values.
    type V: Copy;
    /// A twiddle for all lanes of a vector.
    type Tw: Copy;
    /// A vector in memory.
    type Block;

    /// Whether a pass between vectors takes two columns at a time, so that more products are in flight.
    const PAIRS: bool = false;
    /// Largest slot degree for which `inner_product` keeps sums in registers. No code is generated above it.
    const SUMS: usize = usize::MAX;
    /// Whether sums and differences may be larger than the result of a reduction; if not, layers reduce nothing.
    const REDUCES: bool = true;
    /// Whether a vector has more than one lane, and so passes inside vectors.
    const INSIDE: bool = true;
    /// Values in a vector.
    fn lanes(&self) -> usize;
    /// The number of lanes if it is known at compile time.
    const LANES: Option<usize> = None;
    /// Values in a chunk, see [`Lanes::CHUNK`](lanes::Lanes::CHUNK).
    fn chunk(&self) -> usize;
    /// Reads a vector.
    fn load(&mut self, b: &Self::Block) -> Self::V;
    /// Writes a vector.
    fn store(&mut self, b: &mut Self::Block, v: Self::V);
    /// Opens the next row of the table: `broadcast` twiddles for whole vectors, then `lanewise`
    /// ones. `None` at the table's end: the table does not fit the network, which then stops with
    /// `None`.
    fn row(&mut self, broadcast: usize, lanewise: usize) -> Option<()>;
    /// The `i`-th twiddle of the row that is the same in all lanes.
    fn twiddle(&mut self, i: usize) -> Self::Tw;
    /// The `i`-th twiddle of the row that differs from lane to lane.
    fn twiddle_lanes(&mut self, i: usize) -> Self::Tw;
    /// The two factors of the last inverse layer, for sums and for differences.
    fn scaling(&mut self) -> [Self::Tw; 2];
    /// `a + b`.
    fn add(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`.
    fn sub(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// Whether transforms keep values in registers in another form than words in memory.
    const ENTERS: bool = false;
    /// Converts a word, small if `SMALL`, to the form that transforms keep.
    #[inline(always)]
    fn enter<const SMALL: bool>(&mut self, x: Self::V) -> Self::V {
        x
    }
    /// Converts from the form that transforms keep to a word.
    #[inline(always)]
    fn leave<const SMALL: bool>(&mut self, x: Self::V) -> Self::V {
        x
    }
    /// Converts a small value in `(-q, q)` to the canonical residue, as a word.
    #[inline(always)]
    fn leave_canonical(&mut self, x: Self::V) -> Self::V {
        self.leave::<true>(x)
    }
    /// Whether the first and the last pass of a transform, forward and inverse, can also convert words without
    /// spilling; otherwise conversions are separate passes.
    const FUSES: [bool; 2] = [false; 2];
    /// The reduction of the method.
    fn reduce(&mut self, x: Self::V) -> Self::V;
    /// `x·w`.
    fn mul<const P: usize>(&mut self, x: [Self::V; P], w: [Self::Tw; P]) -> [Self::V; P];
    /// The product of two values neither of which is a twiddle.
    fn mul_var(&mut self, x: Self::V, y: Self::V) -> Self::V;
    /// Whether the method adds up products before reducing them, by [`dots`](Kernel::dots), which is called only then.
    /// Products of slots of degree 2 to 4 stay in registers if it does not; if it does and sums have no room, such
    /// slots are processed like longer ones.
    fn is_wide(&self) -> bool;
    /// The same if it is known at compile time.
    const WIDE: Option<bool> = None;
    /// The sums `Σ x_i·y_(i+j)` for `j` below `J`, of products that are not reduced one by one; `y` has at least
    /// `P + J - 1` values.
    #[inline(always)]
    fn dots<const P: usize, const J: usize>(&mut self, x: &[Self::V; P], y: &[Self::V]) -> [Self::V; J] {
        lockstep!(J, |j| {
            let mut total = self.mul_var(x[0], y[j]);
            for i in 1..P {
                let product = self.mul_var(x[i], y[i + j]);
                total = self.add(total, product);
            }
            total
        })
    }
    /// See [`Lanes::interleave`](lanes::Lanes::interleave).
    fn interleave<const K: usize>(&mut self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
    /// See [`Lanes::zip`](lanes::Lanes::zip).
    fn zip(&mut self, a: Self::V, b: Self::V) -> (Self::V, Self::V);

    /// The end of the values that exist now, for a kernel that stores them.
    #[inline(always)]
    fn mark(&self) -> usize {
        0
    }
    /// Declares that of all values since that mark only this one is still needed.
    #[inline(always)]
    fn keep_since(&mut self, _mark: usize, x: Self::V) -> Self::V {
        x
    }

    /// `x·w` for a twist of lanes, with one twiddle for all vectors of a block.
    #[inline(always)]
    fn twist<const P: usize>(&mut self, x: [Self::V; P], w: Self::Tw) -> [Self::V; P] {
        self.mul(x, [w; P])
    }
    /// Selects the next rows: those that blocks share, again from the first one, or those of the block.
    #[inline(always)]
    fn share(&mut self, _shared: bool) {}

    /// Announces the next layer to a model.
    #[inline(always)]
    fn layer(&mut self, _layer: usize) {}
    /// Announces the next butterfly of a group to a model.
    #[inline(always)]
    fn butterfly(&mut self, _index: usize) {}

    /// Reduces the first `count` of `x`.
    #[inline(always)]
    fn reduce_first<const P: usize>(&mut self, count: usize, x: [Self::V; P]) -> [Self::V; P] {
        lockstep!(P, |i| if i < count {
            self.butterfly(i);
            self.reduce(x[i])
        } else {
            x[i]
        })
    }

    /// `P` Cooley–Tukey butterflies in lockstep: `(a + w·b, a - w·b)`.
    #[inline(always)]
    fn ct<const P: usize>(
        &mut self,
        step: Step,
        a: [Self::V; P],
        b: [Self::V; P],
        w: [Self::Tw; P],
    ) -> ([Self::V; P], [Self::V; P]) {
        butterflies::ct(self, step, a, b, w)
    }

    /// `P` Gentleman–Sande butterflies in lockstep: `(a + b, (a - b)·w)`.
    #[inline(always)]
    fn gs<const P: usize>(
        &mut self,
        step: Step,
        a: [Self::V; P],
        b: [Self::V; P],
        w: [Self::Tw; P],
    ) -> ([Self::V; P], [Self::V; P]) {
        butterflies::gs(self, step, a, b, w)
    }

    /// The last inverse layer: `((a + b)·f, (a - b)·w)`, where `f` and `w` hold the scaling.
    #[inline(always)]
    fn gs_scaled<const P: usize>(
        &mut self,
        step: Step,
        a: [Self::V; P],
        b: [Self::V; P],
        scaling: [Self::Tw; 2],
    ) -> ([Self::V; P], [Self::V; P]) {
        butterflies::gs_scaled(self, step, a, b, scaling)
    }

    /// A split in three: with `t = b·w`, `u = c·w²` and `d = (t - u)·ω`, the twiddles `[w, w², ω]` and
    /// a primitive third root of unity `ω`, `[a + t + u, a - u + d, a - t - d]`.
    #[inline(always)]
    fn ct_thirds(&mut self, step: Step, v: [Self::V; 3], w: [Self::Tw; 3]) -> [Self::V; 3] {
        butterflies::ct_thirds(self, step, v, w)
    }

    /// Its inverse: with `d = (b - c)·ω`, three times `[a + b + c, (a - b - d)·w, (a - c + d)·w²]`, where `w` is the
    /// inverse of the forward one.
    #[inline(always)]
    fn gs_thirds(&mut self, step: Step, v: [Self::V; 3], w: [Self::Tw; 3]) -> [Self::V; 3] {
        butterflies::gs_thirds(self, step, v, w)
    }

    /// The first layer of a trinomial: with `t = w·b`, `(a + t, a + b - t)`.
    #[inline(always)]
    fn ct_trinomial(&mut self, step: Step, a: Self::V, b: Self::V, w: Self::Tw) -> (Self::V, Self::V) {
        butterflies::ct_trinomial(self, step, a, b, w)
    }

    /// Its inverse, scaling included: with `d = (a - b)·w`, `((a + b)·f - d, 2d)`.
    #[inline(always)]
    fn gs_trinomial(&mut self, step: Step, a: Self::V, b: Self::V, scaling: [Self::Tw; 2]) -> (Self::V, Self::V) {
        butterflies::gs_trinomial(self, step, a, b, scaling)
    }

    /// `Σ a_i·b_i`, or `None` for no terms. Models that know such a sum need not run it.
    #[inline(always)]
    fn sum_of_products<'a>(
        &mut self,
        s: SlotStep,
        pairs: impl ExactSizeIterator<Item = (&'a Self::Block, &'a Self::Block)> + Clone,
    ) -> Option<Self::V>
    where
        Self::Block: 'a,
    {
        sum_one_by_one(self, s, pairs)
    }

    /// `(a + b, a - b)`.
    #[inline(always)]
    fn sums<const P: usize>(&mut self, a: [Self::V; P], b: [Self::V; P]) -> ([Self::V; P], [Self::V; P]) {
        let sum = lockstep!(P, |i| {
            self.butterfly(i);
            self.add(a[i], b[i])
        });
        let difference = lockstep!(P, |i| {
            self.butterfly(i);
            self.sub(a[i], b[i])
        });
        (sum, difference)
    }
}

/// The butterflies in terms of a kernel's operations: the default methods of [`Kernel`], unless a model handles whole
/// butterflies.
pub(crate) mod butterflies {
    use super::{Kernel, Step};

    /// The effective step: kernels whose sums are always reduced have no code for reductions.
    #[inline(always)]
    const fn effective<K: Kernel + ?Sized>(step: Step) -> Step {
        if K::REDUCES { step } else { Step::Plain }
    }

    /// `P` Cooley–Tukey butterflies in lockstep: `(a + w·b, a - w·b)`.
    #[inline(always)]
    pub(crate) fn ct<K: Kernel + ?Sized, const P: usize>(
        k: &mut K,
        step: Step,
        mut a: [K::V; P],
        mut b: [K::V; P],
        w: [K::Tw; P],
    ) -> ([K::V; P], [K::V; P]) {
        if !matches!(effective::<K>(step), Step::Plain) {
            a = k.reduce_first(P, a);
        }
        if matches!(effective::<K>(step), Step::Both) {
            b = k.reduce_first(P, b);
        }
        let t = k.mul(b, w);
        k.sums(a, t)
    }

    /// `P` Gentleman–Sande butterflies in lockstep: `(a + b, (a - b)·w)`.
    #[inline(always)]
    pub(crate) fn gs<K: Kernel + ?Sized, const P: usize>(
        k: &mut K,
        step: Step,
        a: [K::V; P],
        b: [K::V; P],
        w: [K::Tw; P],
    ) -> ([K::V; P], [K::V; P]) {
        let (mut sum, mut difference) = k.sums(a, b);
        match effective::<K>(step) {
            Step::Plain => {}
            Step::AddSide => {
                sum = lockstep!(P, |i| if i % 2 == 0 {
                    k.butterfly(i);
                    k.reduce(sum[i])
                } else {
                    sum[i]
                });
            }
            Step::Sums | Step::Both => sum = k.reduce_first(P, sum),
        }
        if matches!(effective::<K>(step), Step::Both) {
            difference = k.reduce_first(P, difference);
        }
        (sum, k.mul(difference, w))
    }

    /// The last inverse layer: `((a + b)·f, (a - b)·w)`, where `f` and `w` hold the scaling.
    #[inline(always)]
    pub(crate) fn gs_scaled<K: Kernel + ?Sized, const P: usize>(
        k: &mut K,
        step: Step,
        a: [K::V; P],
        b: [K::V; P],
        [f, w]: [K::Tw; 2],
    ) -> ([K::V; P], [K::V; P]) {
        let (sum, difference) = k.gs(step, a, b, [w; P]);
        (k.mul(sum, [f; P]), difference)
    }

    /// A split in three: with `t = b·w`, `u = c·w²` and `d = (t - u)·ω`, the twiddles `[w, w², ω]` and
    /// a primitive third root of unity `ω`, `[a + t + u, a - u + d, a - t - d]`.
    #[inline(always)]
    pub(crate) fn ct_thirds<K: Kernel + ?Sized>(
        k: &mut K,
        step: Step,
        mut v: [K::V; 3],
        [w, square, omega]: [K::Tw; 3],
    ) -> [K::V; 3] {
        match effective::<K>(step) {
            Step::Plain => {}
            Step::AddSide | Step::Sums => v = k.reduce_first(1, v),
            Step::Both => v = k.reduce_first(3, v),
        }
        let [a, b, c] = v;
        let [t, u] = k.mul([b, c], [w, square]);
        let difference = k.sub(t, u);
        let [d] = k.mul([difference], [omega]);
        let mut sums = [k.add(a, t), k.sub(a, u), k.sub(a, t)];
        if matches!(effective::<K>(step), Step::Sums) {
            sums = k.reduce_first(3, sums);
        }
        let [first, second, third] = sums;
        [k.add(first, u), k.add(second, d), k.sub(third, d)]
    }

    /// Its inverse: with `d = (b - c)·ω`, three times `[a + b + c, (a - b - d)·w, (a - c + d)·w²]`, where `w` is the
    /// inverse of the forward one.
    #[inline(always)]
    pub(crate) fn gs_thirds<K: Kernel + ?Sized>(
        k: &mut K,
        step: Step,
        [a, b, c]: [K::V; 3],
        [w, square, omega]: [K::Tw; 3],
    ) -> [K::V; 3] {
        let difference = k.sub(b, c);
        let [d] = k.mul([difference], [omega]);
        let mut sums = [k.add(a, b), k.sub(a, b), k.sub(a, c)];
        if matches!(effective::<K>(step), Step::Sums) {
            sums = k.reduce_first(3, sums);
        }
        let [first, second, third] = sums;
        let mut sum = [k.add(first, c)];
        let mut differences = [k.sub(second, d), k.add(third, d)];
        if !matches!(effective::<K>(step), Step::Plain) {
            sum = k.reduce_first(1, sum);
        }
        if matches!(effective::<K>(step), Step::Both) {
            differences = k.reduce_first(2, differences);
        }
        let [second, third] = k.mul(differences, [w, square]);
        [sum[0], second, third]
    }

    /// The first layer of a trinomial: with `t = w·b`, `(a + t, a + b - t)`.
    #[inline(always)]
    pub(crate) fn ct_trinomial<K: Kernel + ?Sized>(
        k: &mut K,
        step: Step,
        mut a: K::V,
        mut b: K::V,
        w: K::Tw,
    ) -> (K::V, K::V) {
        if !matches!(effective::<K>(step), Step::Plain) {
            a = k.reduce(a);
        }
        if matches!(effective::<K>(step), Step::Both) {
            b = k.reduce(b);
        }
        let [t] = k.mul([b], [w]);
        let both = k.add(a, b);
        (k.add(a, t), k.sub(both, t))
    }

    /// Its inverse, scaling included: with `d = (a - b)·w`, `((a + b)·f - d, 2d)`.
    #[inline(always)]
    pub(crate) fn gs_trinomial<K: Kernel + ?Sized>(
        k: &mut K,
        step: Step,
        a: K::V,
        b: K::V,
        [f, w]: [K::Tw; 2],
    ) -> (K::V, K::V) {
        let ([sum], [d]) = k.gs_scaled(step, [a], [b], [f, w]);
        (k.sub(sum, d), k.add(d, d))
    }
}

/// [`Kernel::sum_of_products`], run term by term.
#[inline(always)]
pub(crate) fn sum_one_by_one<'a, K: Kernel<Block: 'a> + ?Sized>(
    k: &mut K,
    s: SlotStep,
    pairs: impl Iterator<Item = (&'a K::Block, &'a K::Block)>,
) -> Option<K::V> {
    let (mut total, mark) = (None, k.mark());
    for (a, b) in pairs {
        let (x, y) = (operand(k, s, a), operand(k, s, b));
        let product = k.mul_var(x, y);
        let all = match total {
            Some(total) => sum(k, s, total, product),
            None => product,
        };
        total = Some(k.keep_since(mark, all));
    }
    total
}

/// Loads an operand of a slot product.
#[inline(always)]
pub(crate) fn operand<K: Kernel + ?Sized>(k: &mut K, s: SlotStep, block: &K::Block) -> K::V {
    let x = k.load(block);
    if s.operands { k.reduce(x) } else { x }
}

/// A running sum of slot products.
#[inline(always)]
pub(crate) fn sum<K: Kernel + ?Sized>(k: &mut K, s: SlotStep, total: K::V, product: K::V) -> K::V {
    let total = k.add(total, product);
    if s.sums { k.reduce(total) } else { total }
}

/// A kernel that computes representatives of residues, which the steps between transforms also need.
pub trait Residues: Kernel {
    /// `x mod q` in `[0, q)`, for any word.
    fn canonical(&mut self, x: Self::V) -> Self::V;
    /// The same for a sum in `(-2q, 2q)`, or in `(-q, 3q)` if `MORE`.
    fn canonical_of_sum<const MORE: bool>(&mut self, x: Self::V) -> Self::V;
    /// `x` in `(-q, q)`, plus `q` where it is negative.
    fn add_q_to_negative(&mut self, x: Self::V) -> Self::V;
    /// `x` in `[0, q)`, minus `q` where it is above `q/2`.
    fn sub_q_above_half(&mut self, x: Self::V) -> Self::V;
}

/// A kernel with products that it does not reduce, on vectors of one value. No network of the engine has such products:
/// those of other crates may.
pub trait ExactProducts: Kernel {
    /// `x·w` as it is, where `w` holds the plain residue.
    fn mul_exact(&mut self, x: Self::V, w: Self::Tw) -> Self::V;
}
