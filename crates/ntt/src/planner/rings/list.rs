//! Written by `cargo xtask gen`, from the list in `examples/compiled_rings.rs`: do not edit.

use super::{CompiledRing, compiled_rings, is_ring};
use crate::{
    network::{Direction, Fixed, Pass, Step},
    planner::recipe::Recipe,
    reduction::{Constants, KRed, Montgomery, Shoup},
};

compiled_rings! {
    /// `Z_12289[X]/(X^1024 + 1)`, the ring of NewHope and Falcon-1024.
    Forward1024Q12289On8: i16, 1024, 12289, Montgomery, 8 lanes, Forward,
        [
            Pass::Outer { first: 0, levels: 1, stride: 64 },
            Pass::Outer { first: 1, levels: 2, stride: 16 },
            Pass::Outer { first: 3, levels: 2, stride: 4 },
            Pass::Outer { first: 5, levels: 2, stride: 1 },
            Pass::Inner { first: 7, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 9, from: 2, levels: 1, split: false, parts: 1 },
        ],
        [Plain Plain AddSide Plain Plain AddSide Plain Plain AddSide Plain];
    /// `Z_12289[X]/(X^1024 + 1)`, the ring of NewHope and Falcon-1024.
    Inverse1024Q12289On8: i16, 1024, 12289, Montgomery, 8 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 1, stride: 64 },
            Pass::Outer { first: 1, levels: 2, stride: 16 },
            Pass::Outer { first: 3, levels: 2, stride: 4 },
            Pass::Outer { first: 5, levels: 2, stride: 1 },
            Pass::Inner { first: 7, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 9, from: 2, levels: 1, split: false, parts: 1 },
        ],
        [Plain AddSide Plain Sums Sums AddSide Plain Sums Sums Sums];
    /// `Z_12289[X]/(X^1024 + 1)`, the ring of NewHope and Falcon-1024.
    Forward1024Q12289On16: i16, 1024, 12289, Montgomery, 16 lanes, Forward,
        [
            Pass::Outer { first: 0, levels: 2, stride: 16 },
            Pass::Outer { first: 2, levels: 2, stride: 4 },
            Pass::Outer { first: 4, levels: 2, stride: 1 },
            Pass::Inner { first: 6, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 8, from: 2, levels: 2, split: false, parts: 1 },
        ],
        [Plain Plain AddSide Plain Plain AddSide Plain Plain AddSide Plain];
    /// `Z_12289[X]/(X^1024 + 1)`, the ring of NewHope and Falcon-1024.
    Inverse1024Q12289On16: i16, 1024, 12289, Montgomery, 16 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 2, stride: 16 },
            Pass::Outer { first: 2, levels: 2, stride: 4 },
            Pass::Outer { first: 4, levels: 2, stride: 1 },
            Pass::Inner { first: 6, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 8, from: 2, levels: 2, split: false, parts: 1 },
        ],
        [Plain Plain Sums Sums Plain Sums Sums Plain Sums Sums];
    /// `Z_12289[X]/(X^1024 + 1)`, the ring of NewHope and Falcon-1024.
    Forward1024Q12289On32: i16, 1024, 12289, Montgomery, 32 lanes, Forward,
        [
            Pass::Outer { first: 0, levels: 1, stride: 16 },
            Pass::Outer { first: 1, levels: 2, stride: 4 },
            Pass::Outer { first: 3, levels: 2, stride: 1 },
            Pass::Inner { first: 5, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 7, from: 2, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 9, from: 4, levels: 1, split: false, parts: 1 },
        ],
        [Plain Plain AddSide Plain Plain AddSide Plain Plain AddSide Plain];
    /// `Z_12289[X]/(X^1024 + 1)`, the ring of NewHope and Falcon-1024.
    Inverse1024Q12289On32: i16, 1024, 12289, Montgomery, 32 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 1, stride: 16 },
            Pass::Outer { first: 1, levels: 2, stride: 4 },
            Pass::Outer { first: 3, levels: 2, stride: 1 },
            Pass::Inner { first: 5, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 7, from: 2, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 9, from: 4, levels: 1, split: false, parts: 1 },
        ],
        [Plain AddSide Plain Sums AddSide Sums Sums Plain Sums Sums];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Forward256Q3329On8: i16, 256, 3329, Montgomery, 8 lanes, Forward,
        [
            Pass::Outer { first: 0, levels: 1, stride: 16 },
            Pass::Outer { first: 1, levels: 2, stride: 4 },
            Pass::Outer { first: 3, levels: 2, stride: 1 },
            Pass::Inner { first: 5, from: 0, levels: 2, split: true, parts: 1 },
        ],
        [Plain Plain Plain Plain Plain Plain Plain];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Inverse256Q3329On8: i16, 256, 3329, Montgomery, 8 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 1, stride: 16 },
            Pass::Outer { first: 1, levels: 2, stride: 4 },
            Pass::Outer { first: 3, levels: 2, stride: 1 },
            Pass::Inner { first: 5, from: 0, levels: 2, split: true, parts: 1 },
        ],
        [Plain AddSide Plain Plain Sums Plain Plain];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Inverse256Q3329On8Lazy: i16, 256, 3329, Montgomery, 8 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 1, stride: 16 },
            Pass::Outer { first: 1, levels: 2, stride: 4 },
            Pass::Outer { first: 3, levels: 2, stride: 1 },
            Pass::Inner { first: 5, from: 0, levels: 2, split: true, parts: 1 },
        ],
        [Plain Plain Plain AddSide Plain Plain Sums];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Forward256Q3329On16: i16, 256, 3329, Montgomery, 16 lanes, Forward,
        [
            Pass::Outer { first: 0, levels: 2, stride: 4 },
            Pass::Outer { first: 2, levels: 2, stride: 1 },
            Pass::Inner { first: 4, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 6, from: 2, levels: 1, split: true, parts: 1 },
        ],
        [Plain Plain Plain Plain Plain Plain Plain];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Inverse256Q3329On16: i16, 256, 3329, Montgomery, 16 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 2, stride: 4 },
            Pass::Outer { first: 2, levels: 2, stride: 1 },
            Pass::Inner { first: 4, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 6, from: 2, levels: 1, split: true, parts: 1 },
        ],
        [Plain Plain AddSide Plain Sums Plain Plain];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Inverse256Q3329On16Lazy: i16, 256, 3329, Montgomery, 16 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 2, stride: 4 },
            Pass::Outer { first: 2, levels: 2, stride: 1 },
            Pass::Inner { first: 4, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 6, from: 2, levels: 1, split: true, parts: 1 },
        ],
        [Plain Plain Plain Sums Plain Plain Sums];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Forward256Q3329On32: i16, 256, 3329, Montgomery, 32 lanes, Forward,
        [
            Pass::Outer { first: 0, levels: 1, stride: 4 },
            Pass::Outer { first: 1, levels: 2, stride: 1 },
            Pass::Inner { first: 3, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 5, from: 2, levels: 2, split: true, parts: 1 },
        ],
        [Plain Plain Plain Plain Plain Plain Plain];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Inverse256Q3329On32: i16, 256, 3329, Montgomery, 32 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 1, stride: 4 },
            Pass::Outer { first: 1, levels: 2, stride: 1 },
            Pass::Inner { first: 3, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 5, from: 2, levels: 2, split: true, parts: 1 },
        ],
        [Plain AddSide Plain Plain Sums Plain Plain];
    /// `Z_3329[X]/(X^256 + 1)`, ML-KEM's ring, to slots of degree two.
    Inverse256Q3329On32Lazy: i16, 256, 3329, Montgomery, 32 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 1, stride: 4 },
            Pass::Outer { first: 1, levels: 2, stride: 1 },
            Pass::Inner { first: 3, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 5, from: 2, levels: 2, split: true, parts: 1 },
        ],
        [Plain Plain Plain Sums Plain Plain Sums];
    /// `Z_7681[X]/(X^768 - X^384 + 1)`, NTTRU's ring, to slots of degree three.
    Forward768Q7681On8: i16, 768, 7681, Montgomery, 8 lanes, Forward,
        [
            Pass::Trinomial { stride: 48 },
            Pass::Outer { first: 1, levels: 2, stride: 12 },
            Pass::Outer { first: 3, levels: 2, stride: 3 },
            Pass::Inner { first: 5, from: 0, levels: 2, split: false, parts: 3 },
            Pass::Inner { first: 7, from: 2, levels: 1, split: false, parts: 3 },
        ],
        [Plain Plain Plain AddSide Plain Plain Plain Plain];
    /// `Z_7681[X]/(X^768 - X^384 + 1)`, NTTRU's ring, to slots of degree three.
    Inverse768Q7681On8: i16, 768, 7681, Montgomery, 8 lanes, Inverse,
        [
            Pass::Trinomial { stride: 48 },
            Pass::Outer { first: 1, levels: 2, stride: 12 },
            Pass::Outer { first: 3, levels: 2, stride: 3 },
            Pass::Inner { first: 5, from: 0, levels: 2, split: false, parts: 3 },
            Pass::Inner { first: 7, from: 2, levels: 1, split: false, parts: 3 },
        ],
        [Plain AddSide Plain Sums Plain Sums Plain Sums];
    /// `Z_7681[X]/(X^768 - X^384 + 1)`, NTTRU's ring, to slots of degree three.
    Forward768Q7681On16: i16, 768, 7681, Montgomery, 16 lanes, Forward,
        [
            Pass::Trinomial { stride: 24 },
            Pass::Outer { first: 1, levels: 1, stride: 12 },
            Pass::Outer { first: 2, levels: 2, stride: 3 },
            Pass::Inner { first: 4, from: 0, levels: 2, split: false, parts: 3 },
            Pass::Inner { first: 6, from: 2, levels: 2, split: false, parts: 3 },
        ],
        [Plain Plain Plain AddSide Plain Plain Plain Plain];
    /// `Z_7681[X]/(X^768 - X^384 + 1)`, NTTRU's ring, to slots of degree three.
    Inverse768Q7681On16: i16, 768, 7681, Montgomery, 16 lanes, Inverse,
        [
            Pass::Trinomial { stride: 24 },
            Pass::Outer { first: 1, levels: 1, stride: 12 },
            Pass::Outer { first: 2, levels: 2, stride: 3 },
            Pass::Inner { first: 4, from: 0, levels: 2, split: false, parts: 3 },
            Pass::Inner { first: 6, from: 2, levels: 2, split: false, parts: 3 },
        ],
        [Plain Plain Sums AddSide Plain Sums Plain Sums];
    /// `Z_7681[X]/(X^768 - X^384 + 1)`, NTTRU's ring, to slots of degree three.
    Forward768Q7681On32: i16, 768, 7681, Montgomery, 32 lanes, Forward,
        [
            Pass::Trinomial { stride: 12 },
            Pass::Outer { first: 1, levels: 2, stride: 3 },
            Pass::Inner { first: 3, from: 0, levels: 2, split: false, parts: 3 },
            Pass::Inner { first: 5, from: 2, levels: 2, split: false, parts: 3 },
            Pass::Inner { first: 7, from: 4, levels: 1, split: false, parts: 3 },
        ],
        [Plain Plain Plain AddSide Plain Plain Plain Plain];
    /// `Z_7681[X]/(X^768 - X^384 + 1)`, NTTRU's ring, to slots of degree three.
    Inverse768Q7681On32: i16, 768, 7681, Montgomery, 32 lanes, Inverse,
        [
            Pass::Trinomial { stride: 12 },
            Pass::Outer { first: 1, levels: 2, stride: 3 },
            Pass::Inner { first: 3, from: 0, levels: 2, split: false, parts: 3 },
            Pass::Inner { first: 5, from: 2, levels: 2, split: false, parts: 3 },
            Pass::Inner { first: 7, from: 4, levels: 1, split: false, parts: 3 },
        ],
        [Plain AddSide Plain Sums Plain Sums Plain Sums];
    /// `Z_8380417[X]/(X^256 + 1)`, ML-DSA's ring.
    Forward256Q8380417On8: i32, 256, 8380417, Shoup, 8 lanes, Forward,
        [
            Pass::Outer { first: 0, levels: 1, stride: 16 },
            Pass::Outer { first: 1, levels: 2, stride: 4 },
            Pass::Outer { first: 3, levels: 2, stride: 1 },
            Pass::Inner { first: 5, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 7, from: 2, levels: 1, split: false, parts: 1 },
        ],
        [Plain Plain Plain Plain Plain Plain Plain Plain];
    /// `Z_8380417[X]/(X^256 + 1)`, ML-DSA's ring.
    Inverse256Q8380417On8: i32, 256, 8380417, Shoup, 8 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 1, stride: 16 },
            Pass::Outer { first: 1, levels: 2, stride: 4 },
            Pass::Outer { first: 3, levels: 2, stride: 1 },
            Pass::Inner { first: 5, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 7, from: 2, levels: 1, split: false, parts: 1 },
        ],
        [Plain Plain Plain Plain Plain Plain Plain Plain];
    /// `Z_8380417[X]/(X^256 + 1)`, ML-DSA's ring.
    Forward256Q8380417On16: i32, 256, 8380417, Shoup, 16 lanes, Forward,
        [
            Pass::Outer { first: 0, levels: 2, stride: 4 },
            Pass::Outer { first: 2, levels: 2, stride: 1 },
            Pass::Inner { first: 4, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 6, from: 2, levels: 2, split: false, parts: 1 },
        ],
        [Plain Plain Plain Plain Plain Plain Plain Plain];
    /// `Z_8380417[X]/(X^256 + 1)`, ML-DSA's ring.
    Inverse256Q8380417On16: i32, 256, 8380417, Shoup, 16 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 2, stride: 4 },
            Pass::Outer { first: 2, levels: 2, stride: 1 },
            Pass::Inner { first: 4, from: 0, levels: 2, split: false, parts: 1 },
            Pass::Inner { first: 6, from: 2, levels: 2, split: false, parts: 1 },
        ],
        [Plain Plain Plain Plain Plain Plain Plain Plain];
    /// `Z_12289[X]/(X^1024 + 1)`, by the method of Longa and Naehrig.
    Forward1024Q12289On1: i32, 1024, 12289, KRed, 1 lanes, Forward,
        [
            Pass::Outer { first: 0, levels: 2, stride: 256 },
            Pass::Outer { first: 2, levels: 2, stride: 64 },
            Pass::Outer { first: 4, levels: 2, stride: 16 },
            Pass::Outer { first: 6, levels: 2, stride: 4 },
            Pass::Outer { first: 8, levels: 2, stride: 1 },
        ],
        [Plain Plain Plain Plain Plain Plain Plain Plain Plain Plain];
    /// `Z_12289[X]/(X^1024 + 1)`, by the method of Longa and Naehrig.
    Inverse1024Q12289On1: i32, 1024, 12289, KRed, 1 lanes, Inverse,
        [
            Pass::Outer { first: 0, levels: 2, stride: 256 },
            Pass::Outer { first: 2, levels: 2, stride: 64 },
            Pass::Outer { first: 4, levels: 2, stride: 16 },
            Pass::Outer { first: 6, levels: 2, stride: 4 },
            Pass::Outer { first: 8, levels: 2, stride: 1 },
        ],
        [Plain Plain Plain Both Plain Plain Plain Plain Plain Plain];
}

/// Hands the names of the rings of a word to a macro.
macro_rules! with_rings {
    (i16, $callback:ident, $recipe:ident, $direction:ident) => {
        $callback!($recipe, $direction, i16, [Forward1024Q12289On8 Inverse1024Q12289On8 Forward1024Q12289On16 Inverse1024Q12289On16 Forward1024Q12289On32 Inverse1024Q12289On32 Forward256Q3329On8 Inverse256Q3329On8 Inverse256Q3329On8Lazy Forward256Q3329On16 Inverse256Q3329On16 Inverse256Q3329On16Lazy Forward256Q3329On32 Inverse256Q3329On32 Inverse256Q3329On32Lazy Forward768Q7681On8 Inverse768Q7681On8 Forward768Q7681On16 Inverse768Q7681On16 Forward768Q7681On32 Inverse768Q7681On32])
    };
    (i32, $callback:ident, $recipe:ident, $direction:ident) => {
        $callback!($recipe, $direction, i32, [Forward256Q8380417On8 Inverse256Q8380417On8 Forward256Q8380417On16 Inverse256Q8380417On16 Forward1024Q12289On1 Inverse1024Q12289On1])
    };
    (i64, $callback:ident, $recipe:ident, $direction:ident) => {
        $callback!($recipe, $direction, i64, [])
    };
}
pub(crate) use with_rings;
