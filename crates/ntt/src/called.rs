//! A kernel behind calls: values are handles, operations are virtual.
//!
//! Networks over arrays are for tests. Compiled like a machine they would be the bulk of the library; behind [`Called`]
//! one copy of each network serves every array shape, word and method.

use crate::kernel::Kernel;
use alloc::vec::Vec;

/// The operations of some kernel on the values of an [`Arena`].
pub(crate) trait Operations {
    /// See [`Kernel::lanes`].
    fn lanes(&self) -> usize;
    /// See [`Kernel::chunk`].
    fn chunk(&self) -> usize;
    /// Loads the block of that index.
    fn load(&mut self, block: usize) -> usize;
    /// Stores into the block of that index.
    fn store(&mut self, block: usize, v: usize);
    /// See [`Kernel::row`].
    fn row(&mut self, broadcast: usize, lanewise: usize) -> bool;
    /// See [`Kernel::twiddle`].
    fn twiddle(&mut self, i: usize) -> usize;
    /// See [`Kernel::twiddle_lanes`].
    fn twiddle_lanes(&mut self, i: usize) -> usize;
    /// See [`Kernel::scaling`].
    fn scaling(&mut self) -> [usize; 2];
    /// See [`Kernel::add`].
    fn add(&mut self, a: usize, b: usize) -> usize;
    /// See [`Kernel::sub`].
    fn sub(&mut self, a: usize, b: usize) -> usize;
    /// See [`Kernel::reduce`].
    fn reduce(&mut self, x: usize) -> usize;
    /// See [`Kernel::mul`].
    fn mul(&mut self, x: usize, w: usize) -> usize;
    /// See [`Kernel::mul_var`].
    fn mul_var(&mut self, x: usize, y: usize) -> usize;
    /// See [`Kernel::interleave`].
    fn interleave(&mut self, block: usize, a: usize, b: usize) -> (usize, usize);
    /// See [`Kernel::zip`].
    fn zip(&mut self, a: usize, b: usize) -> (usize, usize);
}

/// A kernel with its data and the values behind the handles, which live until the next row is opened.
pub(crate) struct Arena<'a, K: Kernel> {
    kernel: K,
    blocks: &'a mut [K::Block],
    values: Vec<K::V>,
    twiddles: Vec<K::Tw>,
}

impl<'a, K: Kernel> Arena<'a, K> {
    /// Wraps a kernel and the data it works on.
    pub(crate) fn new(kernel: K, blocks: &'a mut [K::Block]) -> Self {
        Self { kernel, blocks, values: Vec::new(), twiddles: Vec::new() }
    }

    fn keep(&mut self, v: K::V) -> usize {
        self.values.push(v);
        self.values.len() - 1
    }

    fn keep_twiddle(&mut self, w: K::Tw) -> usize {
        self.twiddles.push(w);
        self.twiddles.len() - 1
    }
}

impl<K: Kernel> Operations for Arena<'_, K> {
    fn lanes(&self) -> usize {
        self.kernel.lanes()
    }
    fn chunk(&self) -> usize {
        self.kernel.chunk()
    }
    fn load(&mut self, block: usize) -> usize {
        let v = self.kernel.load(&self.blocks[block]);
        self.keep(v)
    }
    fn store(&mut self, block: usize, v: usize) {
        self.kernel.store(&mut self.blocks[block], self.values[v]);
    }
    fn row(&mut self, broadcast: usize, lanewise: usize) -> bool {
        self.values.clear();
        self.twiddles.clear();
        self.kernel.row(broadcast, lanewise)
    }
    fn twiddle(&mut self, i: usize) -> usize {
        let w = self.kernel.twiddle(i);
        self.keep_twiddle(w)
    }
    fn twiddle_lanes(&mut self, i: usize) -> usize {
        let w = self.kernel.twiddle_lanes(i);
        self.keep_twiddle(w)
    }
    fn scaling(&mut self) -> [usize; 2] {
        let [f, w] = self.kernel.scaling();
        [self.keep_twiddle(f), self.keep_twiddle(w)]
    }
    fn add(&mut self, a: usize, b: usize) -> usize {
        let sum = self.kernel.add(self.values[a], self.values[b]);
        self.keep(sum)
    }
    fn sub(&mut self, a: usize, b: usize) -> usize {
        let difference = self.kernel.sub(self.values[a], self.values[b]);
        self.keep(difference)
    }
    fn reduce(&mut self, x: usize) -> usize {
        let reduced = self.kernel.reduce(self.values[x]);
        self.keep(reduced)
    }
    fn mul(&mut self, x: usize, w: usize) -> usize {
        let [product] = self.kernel.mul([self.values[x]], [self.twiddles[w]]);
        self.keep(product)
    }
    fn mul_var(&mut self, x: usize, y: usize) -> usize {
        let product = self.kernel.mul_var(self.values[x], self.values[y]);
        self.keep(product)
    }
    fn interleave(&mut self, block: usize, a: usize, b: usize) -> (usize, usize) {
        let (a, b) = (self.values[a], self.values[b]);
        let (x, y) = match block {
            1 => self.kernel.interleave::<1>(a, b),
            2 => self.kernel.interleave::<2>(a, b),
            4 => self.kernel.interleave::<4>(a, b),
            _ => self.kernel.interleave::<8>(a, b),
        };
        (self.keep(x), self.keep(y))
    }
    fn zip(&mut self, a: usize, b: usize) -> (usize, usize) {
        let (x, y) = self.kernel.zip(self.values[a], self.values[b]);
        (self.keep(x), self.keep(y))
    }
}

/// The kernel that networks over arrays run on; its blocks are indices into the arena's data.
pub(crate) struct Called<'a>(pub(crate) &'a mut dyn Operations);

impl Kernel for Called<'_> {
    type V = usize;
    type Tw = usize;
    type Block = usize;

    fn lanes(&self) -> usize {
        self.0.lanes()
    }
    fn chunk(&self) -> usize {
        self.0.chunk()
    }
    fn load(&mut self, b: &usize) -> usize {
        self.0.load(*b)
    }
    fn store(&mut self, b: &mut usize, v: usize) {
        self.0.store(*b, v);
    }
    fn row(&mut self, broadcast: usize, lanewise: usize) -> bool {
        self.0.row(broadcast, lanewise)
    }
    fn twiddle(&mut self, i: usize) -> usize {
        self.0.twiddle(i)
    }
    fn twiddle_lanes(&mut self, i: usize) -> usize {
        self.0.twiddle_lanes(i)
    }
    fn scaling(&mut self) -> [usize; 2] {
        self.0.scaling()
    }
    fn add(&mut self, a: usize, b: usize) -> usize {
        self.0.add(a, b)
    }
    fn sub(&mut self, a: usize, b: usize) -> usize {
        self.0.sub(a, b)
    }
    fn reduce(&mut self, x: usize) -> usize {
        self.0.reduce(x)
    }
    fn mul<const P: usize>(&mut self, x: [usize; P], w: [usize; P]) -> [usize; P] {
        lockstep!(P, |i| self.0.mul(x[i], w[i]))
    }
    fn mul_var(&mut self, x: usize, y: usize) -> usize {
        self.0.mul_var(x, y)
    }
    fn interleave<const B: usize>(&mut self, a: usize, b: usize) -> (usize, usize) {
        self.0.interleave(B, a, b)
    }
    fn zip(&mut self, a: usize, b: usize) -> (usize, usize) {
        self.0.zip(a, b)
    }
}
