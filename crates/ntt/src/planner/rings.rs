//! Compiled rings: transforms compiled with everything about them known.
//!
//! Any ring runs by the general shells. For the rings that users have, passes, steps and constants
//! are constants of the code, and each transform is one straight shell. Which rings these are
//! stands in `examples/compiled_rings.rs`; `cargo xtask gen` plans them and writes what is found to
//! `list.rs`.

mod list;

use super::recipe::Recipe;
use crate::{
    network::{Direction, Fixed},
    reduction::{Constants, Listed},
};

/// A transform that is compiled for itself.
pub(crate) trait CompiledRing: Fixed {
    /// Its words.
    type Word;
    /// Its method of reduction.
    type Method: Listed;
    /// Its degree.
    const N: usize;
    /// Lanes of its vectors.
    const LANES: usize;
    /// The numbers of its modulus.
    const CONSTANTS: Constants;
}

/// Whether a recipe's transform is this one.
pub(crate) fn is_ring<F: CompiledRing>(recipe: &Recipe, direction: Direction) -> bool {
    let steps = match direction {
        Direction::Forward => &recipe.schedules.forward,
        Direction::Inverse => &recipe.schedules.inverse,
    };
    direction == F::DIRECTION
        && !recipe.backend.is_array()
        && recipe.n == F::N
        && recipe.lanes() == F::LANES
        && recipe.method == F::Method::METHOD
        && *recipe.contract().constants() == F::CONSTANTS
        && recipe.passes == F::PASSES
        && recipe.blocks.is_empty()
        && steps == F::STEPS
}

macro_rules! compiled_rings {
    ($($(#[$note:meta])* $name:ident: $word:ty, $n:literal, $q:literal, $method:ty, $lanes:literal lanes,
        $direction:ident, [$($pass:expr),* $(,)?], [$($step:ident)*];)*) => {
        $(
            $(#[$note])*
            pub(crate) struct $name;

            impl Fixed for $name {
                const DIRECTION: Direction = Direction::$direction;
                const PASSES: &'static [Pass] = &[$($pass),*];
                const STEPS: &'static [Step] = &[$(Step::$step),*];
            }

            impl CompiledRing for $name {
                type Word = $word;
                type Method = $method;
                const N: usize = $n;
                const LANES: usize = $lanes;
                const CONSTANTS: Constants = Constants::of($q, <$word>::BITS);
            }
        )*

        /// Whether a recipe's transform is compiled for its ring alone.
        pub(crate) fn is_compiled_ring(recipe: &Recipe, direction: Direction) -> bool {
            $(is_ring::<$name>(recipe, direction))||*
        }

        /// Whether some ring of that degree is compiled for itself.
        pub(crate) fn has_ring(n: usize, lanes: usize, bits: u32) -> bool {
            $((n, lanes, bits) == ($n, $lanes, <$word>::BITS))||*
        }
    };
}
use compiled_rings;
pub(crate) use list::*;
