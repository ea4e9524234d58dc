//! The steps of an exchange that papers time separately. For measurements only; do not build
//! protocols from them.

use super::{NewHope, Noise, SEED_BYTES, reconcile, reconcile::Hint};
use crate::{
    ct::{SecretBytes, not_printed},
    ring::{NttPoly, Poly},
    schemes::newhope::NewHopeRing,
};

/// The timed steps, with a polynomial `v` and a hint for it.
pub struct Parts {
    newhope: NewHope,
    v: Poly<NewHopeRing>,
    hint: Hint,
    rounding: SecretBytes<32>,
}

not_printed!(Parts);

impl Parts {
    /// For the given scheme, with `v` sampled from `seed`.
    pub fn new(newhope: NewHope, seed: &[u8; SEED_BYTES]) -> Self {
        let v = newhope.ring.inverse_product(newhope.ring.product(&newhope.parse(seed), &newhope.parse(seed)));
        let rounding = Noise::new(&newhope, seed).rounding_bits();
        let hint = reconcile::help_rec(newhope.backend(), &v, &rounding);
        Self { newhope, v, hint, rounding }
    }

    /// Samples `a` from its seed. Variable time; `a` is public.
    pub fn generate_a(&self, seed: &[u8; SEED_BYTES]) -> NttPoly<NewHopeRing> {
        self.newhope.parse(seed)
    }

    /// Samples one noise polynomial, in the order that a transform expects. Constant time.
    pub fn noise(&self, seed: &[u8; SEED_BYTES]) -> Poly<NewHopeRing> {
        Noise::new(&self.newhope, seed).polynomial(0, &self.newhope.reversed)
    }

    /// HelpRec of `v`, packed. Constant time.
    pub fn help_rec(&self) -> [u8; 256] {
        let mut bytes = [0; 256];
        reconcile::help_rec(self.newhope.backend(), &self.v, &self.rounding).pack(&mut bytes);
        bytes
    }

    /// Rec of `v` and its hint, before it is hashed. Constant time.
    pub fn rec(&self) -> SecretBytes<32> {
        reconcile::rec(self.newhope.backend(), &self.v, &self.hint)
    }
}
