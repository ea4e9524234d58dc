//! The unreduced products of LazyNTT on machines.

use super::machine::Machine;
use crate::{network::ExactProducts, reduction::Reduction};
use lanes::Lanes;

impl<L: Lanes, R: Reduction<L>> ExactProducts for Machine<'_, L, R> {
    #[inline(always)]
    fn mul_exact(&mut self, x: L::V, w: R::Twiddle) -> L::V {
        self.mul_low(x, w)
    }
}
