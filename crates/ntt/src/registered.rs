//! Registered rings: transforms compiled with everything about them known.
//!
//! Any ring runs by the general shells. For the rings that users have, passes, steps and constants are written down here,
//! as the planner finds them (a test holds them against its search), and each transform is one straight shell.

use crate::{
    jobs::Direction,
    network::{Fixed, Pass},
    recipe::Recipe,
    reduction::{Constants, Family, KRed, Montgomery},
    schedule::Step,
    word::Word,
};

/// A transform that is compiled for itself.
pub(crate) trait Registered: Fixed {
    /// Its words.
    type Word: Word;
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
pub(crate) fn is<F: Registered>(recipe: &Recipe, direction: Direction) -> bool {
    let steps = match direction {
        Direction::Forward => &recipe.schedules.forward,
        Direction::Inverse => &recipe.schedules.inverse,
    };
    direction == F::DIRECTION
        && recipe.schedules.lazy == 1
        && !recipe.backend.is_array()
        && recipe.n == F::N
        && recipe.lanes() == F::LANES
        && recipe.method == F::Method::METHOD
        && *recipe.contract().constants() == F::CONSTANTS
        && recipe.passes == F::PASSES
        && steps == F::STEPS
}

macro_rules! registered {
    ($($(#[$doc:meta])* $name:ident: $word:ty, $n:literal, $q:literal, $method:ty, $lanes:literal lanes,
        $direction:ident, [$($pass:expr),* $(,)?], [$($step:ident)*];)*) => {
        $(
            $(#[$doc])*
            pub(crate) struct $name;

            impl Fixed for $name {
                const PASSES: &'static [Pass] = &[$($pass),*];
                const STEPS: &'static [Step] = &[$(Step::$step),*];
            }

            impl Registered for $name {
                type Word = $word;
                type Method = $method;
                const DIRECTION: Direction = Direction::$direction;
                const N: usize = $n;
                const LANES: usize = $lanes;
                const CONSTANTS: Constants = Constants::of($q, <$word as Word>::BITS);
            }
        )*

        /// Whether a recipe's transform is registered.
        pub(crate) fn is_registered(recipe: &Recipe, direction: Direction) -> bool {
            $(is::<$name>(recipe, direction))||*
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

const SIXTH768: Pass = Pass::Sixth { stride: 24 };

registered! {
    /// `Z_12289[X]/(X^1024 + 1)`, the ring of NewHope and Falcon-1024.
    Forward1024Q12289: i16, 1024, 12289, Montgomery, 16 lanes, Forward,
        [outer(0, 2, 16), outer(2, 2, 4), outer(4, 2, 1), inner(6, 0, 2, false), inner(8, 2, 2, false)],
        [Plain Plain Grown Plain Plain Grown Plain Plain Grown Plain];
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
        [Plain Plain Grown Plain Sums Plain Plain];
    /// Its inverse for lazy slots.
    Inverse256Q3329Lazy: i16, 256, 3329, Montgomery, 16 lanes, Inverse,
        [outer(0, 2, 4), outer(2, 2, 1), inner(4, 0, 2, false), inner(6, 2, 1, true)],
        [Plain Plain Plain Sums Plain Plain Sums];
    /// `Z_7681[X]/(X^768 - X^384 + 1)`, NTTRU's ring, to slots of degree three.
    Forward768Q7681: i16, 768, 7681, Montgomery, 16 lanes, Forward,
        [SIXTH768, outer(1, 1, 12), outer(2, 2, 3), inner3(4, 0, 2), inner3(6, 2, 2)],
        [Plain Plain Plain Grown Plain Plain Plain Plain];
    /// Its inverse.
    Inverse768Q7681: i16, 768, 7681, Montgomery, 16 lanes, Inverse,
        [SIXTH768, outer(1, 1, 12), outer(2, 2, 3), inner3(4, 0, 2), inner3(6, 2, 2)],
        [Plain Plain Sums Grown Plain Sums Plain Sums];
}
