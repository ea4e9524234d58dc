//! The ring `Z_q[X]/(X^256 + 1)` on one backend: [`ntt`] provides Algorithms 41, 42 and 44 to 48 of
//! FIPS 204.

use super::params::{N, Q, ROOT};
use crate::{
    module::Module,
    once::{Once, PerBackend},
    ring::BitPermutation,
};
use alloc::sync::Arc;
use lanes::{halves, halves_mut};
use ntt::{Backend, Request};

/// The plan, and the permutation from the order of the standard to the plan's.
#[derive(Debug)]
pub(super) struct Engine {
    module: Module<i32>,
    /// For one polynomial whose coefficients are two halves each.
    to_native: BitPermutation,
}

impl Engine {
    /// The engine of the best backend; made once.
    pub(super) fn best() -> Arc<Self> {
        static BEST: Once<Arc<Engine>> = Once::new();
        BEST.get_or_init(|| Self::new(Backend::best())).clone()
    }

    /// The engine of the given backend.
    pub(super) fn on(backend: Backend) -> Arc<Self> {
        static OTHERS: PerBackend<Engine> = PerBackend::new();
        if backend == Backend::best() { Self::best() } else { OTHERS.get(backend, Self::new) }
    }

    fn new(backend: Backend) -> Arc<Self> {
        let request = Request::new(N, Q as u64).root(ROOT).depth(N.ilog2()).backend(backend);
        let module = Module::with(&request).expect("the ring of ML-DSA has a plan on every backend");
        let order = module.plan().canonical_order().expect("a transform modulo q itself");
        // Slot i of the standard is at the root with exponent 2·BitRev8(i) + 1.
        let standard = |place: usize| usize::from((order[place] as u8).reverse_bits());
        let to_native = BitPermutation::new(backend, 2 * N, |half| 2 * standard(half >> 1) + (half & 1));
        Arc::new(Self { module, to_native })
    }

    /// One polynomial in native order, from its values in the order of the standard.
    pub(super) fn native_of(&self, out: &mut [i32], values: &[i32]) {
        self.to_native.permute(halves_mut(out), halves(values));
    }

    pub(super) fn backend(&self) -> Backend {
        self.module.plan().backend()
    }

    pub(super) const fn module(&self) -> &Module<i32> {
        &self.module
    }

    /// Transforms polynomials in place: Algorithm 41, NTT.
    pub(super) fn forward(&self, polynomials: &mut [i32]) {
        polynomials.chunks_exact_mut(N).for_each(|polynomial| self.module.plan().forward(polynomial));
    }

    /// The product of a matrix with a vector, both transformed, as residues of coefficients:
    /// Algorithms 48, MatrixVectorNTT, and 42, NTT^-1.
    pub(super) fn product(&self, out: &mut [i32], matrix: &[i32], vector: &[i32]) {
        let plan = self.module.plan();
        let terms = vector.chunks_exact(N).len();
        let _ = plan.inverse_product(plan.inner_products(out, matrix, vector, terms));
    }
}
