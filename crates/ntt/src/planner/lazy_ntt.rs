//! LazyNTT in proofs and counts: what it costs, and whether words are wide enough for it.

use crate::{
    arith::Interval,
    model::{OpCount, Place, Ranges},
    network::ExactProducts,
};

impl ExactProducts for Ranges {
    fn mul_exact(&mut self, x: Interval, (): ()) -> Interval {
        let exact = self.contract().exact_range(x);
        self.checked(Place::Product, x, exact)
    }
}

impl ExactProducts for OpCount {
    #[inline(never)]
    fn mul_exact(&mut self, (): (), (): ()) {
        self.exact_products += 1;
    }
}
