//! Compiled rings: transforms compiled with everything about them known.
//!
//! Any ring runs by the general shells. For the rings that users have, passes, steps and constants are
//! constants of the code, and each transform is one straight shell.

use super::recipe::Recipe;
use crate::{
    network::{Direction, Fixed, Pass, Step},
    reduction::{Constants, Family, KRed, Montgomery},
};

/// A transform that is compiled for itself.
pub(crate) trait CompiledRing: Fixed {
    /// Its words.
    type Word;
    /// Its method of reduction.
    type Method: Family;
    /// Its direction.
    const DIRECTION: Direction;
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
        && recipe.lazy_ntt == 1
        && !recipe.backend.is_array()
        && recipe.n == F::N
        && recipe.lanes() == F::LANES
        && recipe.method == F::Method::METHOD
        && *recipe.contract().constants() == F::CONSTANTS
        && recipe.passes == F::PASSES
        && steps == F::STEPS
}

macro_rules! compiled_rings {
    ($($(#[$note:meta])* $name:ident: $word:ty, $n:literal, $q:literal, $method:ty, $lanes:literal lanes,
        $direction:ident, [$($pass:expr),* $(,)?], [$($step:ident)*];)*) => {
        $(
            $(#[$note])*
            pub(crate) struct $name;

            impl Fixed for $name {
                const PASSES: &'static [Pass] = &[$($pass),*];
                const STEPS: &'static [Step] = &[$(Step::$step),*];
            }

            impl CompiledRing for $name {
                type Word = $word;
                type Method = $method;
                const DIRECTION: Direction = Direction::$direction;
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

const fn outer(first: usize, levels: u32, stride: usize) -> Pass {
    Pass::Outer { first, levels, stride }
}

const fn inner(first: usize, from: u32, levels: u32, split: bool) -> Pass {
    Pass::Inner { first, from, levels, split, parts: 1 }
}

/// Residues of three vectors.
const fn inner3(first: usize, from: u32, levels: u32) -> Pass {
    Pass::Inner { first, from, levels, split: false, parts: 3 }
}

const TRINOMIAL768: Pass = Pass::Trinomial { stride: 24 };

compiled_rings! {
    /// `Z_12289[X]/(X^1024 + 1)`, the ring of NewHope and Falcon-1024.
    Forward1024Q12289: i16, 1024, 12289, Montgomery, 16 lanes, Forward,
        [outer(0, 2, 16), outer(2, 2, 4), outer(4, 2, 1), inner(6, 0, 2, false), inner(8, 2, 2, false)],
        [Plain Plain AddSide Plain Plain AddSide Plain Plain AddSide Plain];
    /// Its inverse.
    Inverse1024Q12289: i16, 1024, 12289, Montgomery, 16 lanes, Inverse,
        [outer(0, 2, 16), outer(2, 2, 4), outer(4, 2, 1), inner(6, 0, 2, false), inner(8, 2, 2, false)],
        [Plain Plain Sums Sums Plain Sums Sums Plain Sums Sums];
    /// The same ring by the method of Longa and Naehrig, on the scalar backend.
    Forward1024Q12289KRed: i32, 1024, 12289, KRed, 1 lanes, Forward,
        [outer(0, 2, 256), outer(2, 2, 64), outer(4, 2, 16), outer(6, 2, 4), outer(8, 2, 1)],
        [Plain Plain Plain Plain Plain Plain Plain Plain Plain Plain];
    /// Its inverse.
    Inverse1024Q12289KRed: i32, 1024, 12289, KRed, 1 lanes, Inverse,
        [outer(0, 2, 256), outer(2, 2, 64), outer(4, 2, 16), outer(6, 2, 4), outer(8, 2, 1)],
        [Plain Plain Plain Both Plain Plain Plain Plain Plain Plain];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Forward256Q3329: i16, 256, 3329, Montgomery, 16 lanes, Forward,
        [outer(0, 2, 4), outer(2, 2, 1), inner(4, 0, 2, false), inner(6, 2, 1, true)],
        [Plain Plain Plain Plain Plain Plain Plain];
    /// Its inverse for reduced slots.
    Inverse256Q3329: i16, 256, 3329, Montgomery, 16 lanes, Inverse,
        [outer(0, 2, 4), outer(2, 2, 1), inner(4, 0, 2, false), inner(6, 2, 1, true)],
        [Plain Plain AddSide Plain Sums Plain Plain];
    /// Its inverse for lazy slots.
    Inverse256Q3329Lazy: i16, 256, 3329, Montgomery, 16 lanes, Inverse,
        [outer(0, 2, 4), outer(2, 2, 1), inner(4, 0, 2, false), inner(6, 2, 1, true)],
        [Plain Plain Plain Sums Plain Plain Sums];
    /// `Z_7681[X]/(X^768 - X^384 + 1)`, NTTRU's ring, to slots of degree three.
    Forward768Q7681: i16, 768, 7681, Montgomery, 16 lanes, Forward,
        [TRINOMIAL768, outer(1, 1, 12), outer(2, 2, 3), inner3(4, 0, 2), inner3(6, 2, 2)],
        [Plain Plain Plain AddSide Plain Plain Plain Plain];
    /// Its inverse.
    Inverse768Q7681: i16, 768, 7681, Montgomery, 16 lanes, Inverse,
        [TRINOMIAL768, outer(1, 1, 12), outer(2, 2, 3), inner3(4, 0, 2), inner3(6, 2, 2)],
        [Plain Plain Sums AddSide Plain Sums Plain Sums];
}

/// Hands the names of the rings of a word to a macro.
macro_rules! with_rings {
    (i16, $callback:ident, $recipe:ident, $direction:ident) => {
        $callback!($recipe, $direction, i16, [
            Forward1024Q12289 Inverse1024Q12289 Forward256Q3329 Inverse256Q3329 Inverse256Q3329Lazy Forward768Q7681 Inverse768Q7681
        ])
    };
    (i32, $callback:ident, $recipe:ident, $direction:ident) => {
        #[cfg(feature = "all-methods")]
        $callback!($recipe, $direction, i32, [Forward1024Q12289KRed Inverse1024Q12289KRed]);
        #[cfg(not(feature = "all-methods"))]
        $callback!($recipe, $direction, i32, [])
    };
    (i64, $callback:ident, $recipe:ident, $direction:ident) => {
        $callback!($recipe, $direction, i64, [])
    };
}
pub(crate) use with_rings;
