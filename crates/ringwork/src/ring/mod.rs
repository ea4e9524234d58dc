//! Rings, and orders of their coefficients ([`BitPermutation`]).
//!
//! With the feature `research` a `Ring` holds the plan of one ring on one backend. `Poly` holds
//! coefficients, `NttPoly` slot values in the plan's own order, and `NttProduct` the slot-wise product
//! of two of those, with a factor that `Ring::inverse_product` removes at no cost. Conversions consume
//! their operand, and operands of different rings do not compile. Contents are wiped on drop and never
//! printed.

#[cfg(feature = "alloc")]
mod permutation;
#[cfg(feature = "research")]
mod polynomial;
mod source;

#[cfg(feature = "alloc")]
pub use permutation::BitPermutation;
#[cfg(feature = "alloc")]
pub(crate) use permutation::outside_orders;
#[cfg(feature = "research")]
pub use polynomial::{NttPoly, NttProduct, PackedBits, Parameters, Poly, Ring};
#[cfg(feature = "research")]
pub(crate) use polynomial::{join, upright};
pub(crate) use source::{Source, fill_in_order};
