//! The parts that every method must define.

use super::{Constants, Factor, Method, Reduction};
use crate::arith::{Interval, Modulus};
use lanes::{Lanes, Lanes16, Lanes64, LanesWide};

/// Costs in hundredths of those of Montgomery's method: in words of 16, 32 and 64 bits, one at a time and on vectors,
/// for products with twiddles, products of variables, and reductions. Measured by `examples/method_times.rs`.
pub(super) type Costs = [[[u16; 3]; 2]; 3];

/// A method of reduction as a type: its numbers, and its code on lanes.
///
/// Nothing has a default: a wrong default would prove something other than what runs.
pub trait Definition: Copy {
    /// The name used in reports and on the command line.
    const NAME: &'static str;
    /// Words that encode one twiddle.
    const TWIDDLE_WORDS: usize;
    /// Whether its words are unsigned: residues and sums are in `[0, q)`, and may fill the word.
    const UNSIGNED: bool;
    /// Whether sums and differences are reduced to `[0, q)`, which then must contain their operands.
    const CANONICAL_SUMS: bool;
    /// Whether products refuse some operands or grow with them, so that reductions may be needed to make them fit.
    const LIMITED: bool;
    /// Whether it multiplies 52 bits, for which the CPU should have an instruction.
    const MULTIPLIES_52: bool;
    /// Whether transforms keep words as doubles, on lanes that support it.
    const KEEPS_DOUBLES: bool;
    /// The largest slot degree for which it adds up products in registers.
    const SUMS: usize;
    /// Whether it adds up products of variables before reducing them, in words of 16, 32 and 64 bits, modulo odd
    /// numbers: [`Reduction::WIDE`].
    const ADDS_UP_WIDE: [bool; 3];
    /// Bits of the largest primes of residue channels for this method in words of 64 bits, if it has a limit of its
    /// own.
    const PRIME_BITS: Option<u32>;
    /// Its costs.
    const COSTS: Costs;

    /// The code on 16-bit lanes.
    type On16<L: Lanes16>: Reduction<L> + 'static;
    /// The code on 32-bit lanes.
    type On32<L: LanesWide>: Reduction<L> + 'static;
    /// The code on 64-bit lanes.
    type On64<L: Lanes64>: Reduction<L> + 'static;
    /// The code on values in the form that transforms keep.
    type Inside: Code;

    /// Whether the formula applies to that modulus in such words.
    fn applies(q: Modulus, c: &Constants) -> bool;
    /// The words for which `mul(x, encode(w)) ≡ x·w (mod q)`; `w` in `[0, q)`.
    fn encode(q: Modulus, c: &Constants, w: u64) -> [i64; 2];
    /// Interval of `mul(x, w)` for any twiddle.
    fn mul_range(c: &Constants, x: Interval) -> Option<Interval>;
    /// Interval of a sum or difference of `a` and `b` whose exact value is in `sum`.
    fn sum_range(c: &Constants, operands: [Interval; 2], sum: Interval) -> Option<Interval>;
    /// Interval of `reduce(x)`.
    fn reduce_range(c: &Constants, x: Interval) -> Option<Interval>;
    /// Interval of `mul_var(x, y)` for a product of at most `product` in absolute value.
    fn mul_var_range(c: &Constants, operands: [Interval; 2], product: i128) -> Option<Interval>;
    /// Interval of a sum of products of numbers between two ends, reduced once; the sum is at most `sum` in absolute
    /// value.
    fn dot_range(c: &Constants, ends: [i128; 2], sum: i128) -> Option<Interval>;
    /// `reduce(x) ≡ x · reduce_factor (mod q)`.
    fn reduce_factor(q: Modulus, c: &Constants) -> Factor;
    /// `mul_var(x, y) ≡ x · y · mul_var_factor (mod q)`.
    fn mul_var_factor(q: Modulus, c: &Constants) -> Factor;
}

/// A method in the list.
pub trait Listed: Definition {
    /// Its variant.
    const METHOD: Method;
}

/// The code of a method, without its numbers.
pub trait Code: Copy {
    /// The code on 16-bit lanes.
    type On16<L: Lanes16>: Reduction<L> + 'static;
    /// The code on 32-bit lanes.
    type On32<L: LanesWide>: Reduction<L> + 'static;
    /// The code on 64-bit lanes.
    type On64<L: Lanes64>: Reduction<L> + 'static;
}

impl<D: Definition> Code for D {
    type On16<L: Lanes16> = D::On16<L>;
    type On32<L: LanesWide> = D::On32<L>;
    type On64<L: Lanes64> = D::On64<L>;
}

/// An operation that receives the method as a type.
pub trait ByMethod {
    /// The result.
    type Output;
    /// Runs the operation.
    fn by<D: Listed>(self, method: D) -> Self::Output;
}

/// The numbers of a method as data.
pub(super) struct Numbers {
    pub(super) name: &'static str,
    pub(super) twiddle_words: usize,
    pub(super) unsigned: bool,
    pub(super) canonical_sums: bool,
    pub(super) limited: bool,
    pub(super) multiplies_52: bool,
    pub(super) keeps_doubles: bool,
    pub(super) sums: usize,
    pub(super) adds_up_wide: [bool; 3],
    pub(super) prime_bits: Option<u32>,
    pub(super) costs: Costs,
    pub(super) applies: fn(Modulus, &Constants) -> bool,
    pub(super) encode: fn(Modulus, &Constants, u64) -> [i64; 2],
    pub(super) mul_range: fn(&Constants, Interval) -> Option<Interval>,
    pub(super) sum_range: fn(&Constants, [Interval; 2], Interval) -> Option<Interval>,
    pub(super) reduce_range: fn(&Constants, Interval) -> Option<Interval>,
    pub(super) mul_var_range: fn(&Constants, [Interval; 2], i128) -> Option<Interval>,
    pub(super) dot_range: fn(&Constants, [i128; 2], i128) -> Option<Interval>,
    pub(super) reduce_factor: fn(Modulus, &Constants) -> Factor,
    pub(super) mul_var_factor: fn(Modulus, &Constants) -> Factor,
}

impl Numbers {
    pub(super) const fn of<D: Definition>() -> Self {
        Self {
            name: D::NAME,
            twiddle_words: D::TWIDDLE_WORDS,
            unsigned: D::UNSIGNED,
            canonical_sums: D::CANONICAL_SUMS,
            limited: D::LIMITED,
            multiplies_52: D::MULTIPLIES_52,
            keeps_doubles: D::KEEPS_DOUBLES,
            sums: D::SUMS,
            adds_up_wide: D::ADDS_UP_WIDE,
            prime_bits: D::PRIME_BITS,
            costs: D::COSTS,
            applies: D::applies,
            encode: D::encode,
            mul_range: D::mul_range,
            sum_range: D::sum_range,
            reduce_range: D::reduce_range,
            mul_var_range: D::mul_var_range,
            dot_range: D::dot_range,
            reduce_factor: D::reduce_factor,
            mul_var_factor: D::mul_var_factor,
        }
    }
}

/// The code of a method in words of a width without a contract: none.
#[derive(Clone, Copy)]
pub struct Unsupported;

impl<L: Lanes> Reduction<L> for Unsupported {
    const WORDS: usize = 1;
    type Twiddle = L::V;

    #[inline(always)]
    fn new(_: L, _: &Constants) -> Self {
        unreachable!("the method has no contract for words of this width")
    }
    #[inline(always)]
    fn twiddle(_: L, first: L::V, _: L::V) -> L::V {
        first
    }
    #[inline(always)]
    fn first(w: L::V) -> L::V {
        w
    }
    #[inline(always)]
    fn mul<const P: usize>(self, _: L, x: [L::V; P], _: [L::V; P]) -> [L::V; P] {
        x
    }
    #[inline(always)]
    fn reduce(self, _: L, x: L::V) -> L::V {
        x
    }
    #[inline(always)]
    fn mul_var(self, _: L, x: L::V, _: L::V) -> L::V {
        x
    }
    #[inline(always)]
    fn canonical(self, _: L, x: L::V) -> L::V {
        x
    }
}
