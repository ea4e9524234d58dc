//! The ring on one backend, with the orders of the standard.

use super::params::{N, Q, ZETA};
use crate::{
    eights::Packed,
    module::Module,
    once::{Once, PerBackend},
    ring::{BitPermutation, outside_orders},
    sample::Binomial,
};
use alloc::sync::Arc;
use lanes::Backend;
use ntt::{Request, arith::bitrev};

/// The data that all keys on one backend share.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) module: Module<i16>,
    /// Permutes from the order of the standard to native order, and back; one polynomial.
    to_native: BitPermutation,
    standard_of: BitPermutation,
    /// For coefficients that `SamplePolyCBD` draws.
    pub(super) of_eta_2: BitPermutation,
    pub(super) of_eta_3: BitPermutation,
}

impl Engine {
    /// The engine of the given backend.
    pub(super) fn on(backend: Backend) -> Arc<Self> {
        static OTHERS: PerBackend<Engine> = PerBackend::new();
        if backend == Backend::best() { Self::best().clone() } else { OTHERS.get(backend, Self::new) }
    }

    fn new(backend: Backend) -> Arc<Self> {
        let request = Request::new(N, Q.into()).depth(N.ilog2() - 1).root(ZETA).sums(4).backend(backend);
        let module = Module::with(&request).expect("the ring has a plan on every backend");
        // Slot i is modulo X² - ζ^(2·BitRev₇(i) + 1): section 4.3.
        let place = |position| {
            let (slot, coefficient) = module.plan().slot(position).expect("the modulus has roots");
            2 * bitrev(slot, 7) + coefficient
        };
        let [to_native, standard_of] = outside_orders(backend, N, place);
        let [of_eta_2, of_eta_3] = [2, 3].map(|eta| Binomial::dense_order(backend, eta, N));
        Arc::new(Self { module, to_native, standard_of, of_eta_2, of_eta_3 })
    }

    /// The engine of the best backend of this machine.
    pub(super) fn best() -> &'static Arc<Self> {
        static BEST: Once<Arc<Engine>> = Once::new();
        BEST.get_or_init(|| Self::new(Backend::best()))
    }

    pub(super) fn backend(&self) -> Backend {
        self.module.plan().backend()
    }

    /// One polynomial in native order.
    pub(super) fn native_of(&self, out: &mut [i16], values: &[i16]) {
        self.to_native.permute(out, values);
    }

    /// One polynomial in native order, from values of 12 bits each.
    pub(super) fn read_12(&self, out: &mut [i16], bytes: &[u8]) {
        self.to_native.fill(out, Packed::<12>(bytes));
    }

    /// One polynomial in the order of the standard.
    pub(super) fn standard_of(&self, out: &mut [i16], values: &[i16]) {
        self.standard_of.permute(out, values);
    }
}
