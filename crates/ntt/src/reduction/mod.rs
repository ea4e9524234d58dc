//! The reduction of products: one file per method, each with formula, source, range argument and code.
//!
//! A method has two sides, which its file declares together ([`Definition`]): numbers, which define the encoding of a
//! twiddle and map ranges to ranges, and code on vectors ([`Reduction`]). Proofs and tables use only the numbers; tests
//! check that the code satisfies them. A method consists of its file and its line in the list at the end of this file.

mod barrett;
mod contract;
mod definition;
mod dots;
mod double;
mod factor;
mod goldilocks;
mod ifma;
mod kred;
mod montgomery;
mod plantard;
mod shoup;
mod solinas;
mod strict;
mod truncated;
mod unsigned;
mod window;

use crate::arith::{K2m1, Modulus};
use core::fmt;
use lanes::{Backend, Lanes};

pub use contract::Contract;
pub use definition::{ByMethod, Code, Definition, Listed};
use definition::{Costs, Numbers, Unsupported};
pub use double::KeptDouble;
pub use factor::Factor;

/// The constants of all methods, derived from `q` and the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// The modulus; its 64 bits, reinterpreted as signed.
    pub q: i64,
    /// Bits of a word: 16, 32 or 64.
    pub bits: u32,
    /// `q^-1 mod 2^bits`, signed.
    pub q_inv: i64,
    /// `⌊2^(bits+e)/q⌉`, below `2^(bits-1)`.
    pub v: i64,
    /// `⌊log2 (q-1)⌋ - 1`.
    pub e: u32,
    /// `q = k·2^m + sign` with the smaller `k`.
    pub k: i64,
    /// The reciprocal that a truncated product uses for reductions.
    pub c: i64,
    /// The bits of the double nearest to `1/q`.
    pub v_double: i64,
    /// See `k`.
    pub m: u32,
    /// `+1` or `-1`, see `k`.
    pub sign: i64,
    /// `2^bits mod q`, centred.
    pub word: i64,
    /// The same as a twiddle of Barrett's, Shoup's and Plantard's method.
    pub word_twiddles: [[i64; 2]; 3],
}

impl Constants {
    /// The constants of a prime known at compile time.
    pub(crate) const fn of(q: u64, bits: u32) -> Self {
        match Modulus::new(q) {
            Ok(modulus) => match Self::new(modulus, bits) {
                Some(constants) => constants,
                None => panic!("residues do not fit the word"),
            },
            Err(_) => panic!("not an odd prime"),
        }
    }

    /// `None` if canonical residues do not fit a word, or `q < 5`. If they leave no bit for a sign, only the constants
    /// of unsigned methods are set.
    const fn new(modulus: Modulus, bits: u32) -> Option<Self> {
        let q = modulus.get() as i64;
        if modulus.bits() > bits || modulus.bits() < 3 {
            return None;
        }
        // Newton: x -> x(2 - qx) doubles the correct bits; q·q = 1 mod 8.
        let mut inverse = q;
        let mut correct = 3;
        while correct < 64 {
            inverse = inverse.wrapping_mul(2_i64.wrapping_sub(q.wrapping_mul(inverse)));
            correct *= 2;
        }
        let word = modulus.pow(2, bits as u64);
        let K2m1 { k, m, sign } = modulus.k2m1();
        if modulus.bits() == bits {
            let (q_inv, word) = (sign_extend(inverse, bits), modulus.centered(word));
            let (k, word_twiddles) = (k as i64, [[0; 2]; 3]);
            return Some(Self { q, bits, q_inv, v: 0, e: 0, k, c: 0, v_double: 0, m, sign, word, word_twiddles });
        }
        let e = 62 - (q - 1).leading_zeros();
        let v = ((1_i128 << (bits + e + 1)) / q as i128 + 1) / 2;
        let mut constants = Self {
            q,
            bits,
            q_inv: sign_extend(inverse, bits),
            v: v as i64,
            e,
            c: truncated::reciprocal(q),
            v_double: double::reciprocal(q),
            k: k as i64,
            m,
            sign,
            word: modulus.centered(word),
            word_twiddles: [[0; 2]; 3],
        };
        constants.word_twiddles = [
            barrett::encode(modulus, &constants, word),
            shoup::encode(modulus, &constants, word),
            plantard::encode(modulus, &constants, word),
        ];
        Some(constants)
    }

    /// The modulus.
    pub(crate) const fn modulus(&self) -> i128 {
        self.q as u64 as i128
    }

    /// Largest absolute value of a centred residue, hence of any twiddle.
    const fn half(&self) -> i128 {
        (self.modulus() - 1) / 2
    }
}

/// The low `bits` bits of `x` as a signed number.
const fn sign_extend(x: i64, bits: u32) -> i64 {
    x << (64 - bits) >> (64 - bits)
}

/// The machine's side of a method on lanes `L`.
pub trait Reduction<L: Lanes>: Copy {
    /// Words that encode a twiddle.
    const WORDS: usize;
    /// The largest slot degree for which it adds up products in registers.
    const SUMS: usize = 0;
    /// Whether sums, or operands of transforms, may be larger than the result of a reduction.
    const REDUCES: bool = true;
    /// Whether transforms on vectors are faster with two columns at a time, as measured.
    const PAIRS: bool = false;
    /// A twiddle in registers.
    type Twiddle: Copy;
    /// Puts the constants into registers.
    fn new(l: L, c: &Constants) -> Self;
    /// Makes a twiddle from its words; a method with one word ignores the second.
    fn twiddle(l: L, first: L::V, second: L::V) -> Self::Twiddle;
    /// The first word of a twiddle.
    fn first(w: Self::Twiddle) -> L::V;
    /// `x·w`, `P` at a time in lockstep.
    fn mul<const P: usize>(self, l: L, x: [L::V; P], w: [Self::Twiddle; P]) -> [L::V; P];
    /// `a + b`, modulo `q` if the method reduces sums.
    #[inline(always)]
    fn add(self, l: L, a: L::V, b: L::V) -> L::V {
        l.add(a, b)
    }
    /// `a - b`, modulo `q` if the method reduces sums.
    #[inline(always)]
    fn sub(self, l: L, a: L::V, b: L::V) -> L::V {
        l.sub(a, b)
    }
    /// Whether transforms keep values in another form than words.
    const ENTERS: bool = false;
    /// Converts a word, small if `SMALL`, to the form that transforms keep.
    #[inline(always)]
    fn enter<const SMALL: bool>(self, _: L, x: L::V) -> L::V {
        x
    }
    /// Converts from the form that transforms keep to a word.
    #[inline(always)]
    fn leave<const SMALL: bool>(self, _: L, x: L::V) -> L::V {
        x
    }
    /// A small number congruent to `x · reduce_factor`.
    fn reduce(self, l: L, x: L::V) -> L::V;
    /// `x · y · mul_var_factor`.
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V;
    /// Whether it adds up products before reducing them.
    const WIDE: bool = false;
    /// The sums `Σ x_i · y_(i+j) · mul_var_factor` for `j` below `J`, reduced once if [`WIDE`](Self::WIDE); `y` has at
    /// least `P + J - 1` values.
    #[inline(always)]
    fn dots<const P: usize, const J: usize>(self, l: L, x: &[L::V; P], y: &[L::V]) -> [L::V; J] {
        let mut totals = lockstep!(J, |j| self.mul_var(l, x[0], y[j]));
        for i in 1..P {
            totals = lockstep!(J, |j| self.add(l, totals[j], self.mul_var(l, x[i], y[i + j])));
        }
        totals
    }
    /// `x mod q` in `[0, q)`, for any word.
    fn canonical(self, l: L, x: L::V) -> L::V;
    /// The same for a sum in `(-2q, 2q)`, or in `(-q, 3q)` if `MORE`.
    #[inline(always)]
    fn canonical_of_sum<const MORE: bool>(self, l: L, x: L::V) -> L::V {
        self.canonical(l, x)
    }
}

/// Declares the methods: their names in this crate, each a [`Definition`] in its file. If two have the same cost, the
/// planner takes the first.
macro_rules! methods {
    ($($(#[$note:meta])* $method:ident in $file:ident;)*) => {
        /// A method of reduction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Method {
            $($(#[$note])* $method,)*
        }

        $(pub use $file::$method;)*

        impl Method {
            /// Every method.
            pub const ALL: [Self; [$(Self::$method),*].len()] = [$(Self::$method),*];

            /// Its numbers.
            const fn numbers(self) -> &'static Numbers {
                match self {
                    $(Self::$method => const { &Numbers::of::<$method>() },)*
                }
            }

            /// Runs an operation with the method as a type.
            pub fn by<B: ByMethod>(self, what: B) -> B::Output {
                match self {
                    $(Self::$method => what.by($method),)*
                }
            }
        }

        $(impl definition::Listed for $method {
            const METHOD: Method = Method::$method;
        })*
    };
}

methods! {
    /// Signed Montgomery with the pair `(w, w·q^-1)`.
    Montgomery in montgomery;
    /// Barrett multiplication with a rounded quotient.
    Barrett in barrett;
    /// Shoup's multiplication with a floored quotient, kept lazy as by Harvey.
    Shoup in shoup;
    /// Shoup's multiplication with canonical results, sums included, in words of 32 bits.
    Strict in strict;
    /// Shoup's multiplication with products and sums in Harvey's `[0, 2q)`, in words of 32 bits for `q < 2^30`.
    Harvey in strict;
    /// Plantard's multiplication with a factor of two words, signed.
    Plantard in plantard;
    /// Longa and Naehrig's K-RED, for `q = k·2^m ± 1`.
    KRed in kred;
    /// Longa and Naehrig's K-RED-2x, for `q = k·2^m ± 1`.
    KRed2x in kred;
    /// Solinas's folding by shifts, for `q = 2^a ± 2^b ± 1` and `2^a ± 1`.
    Solinas in solinas;
    /// Barrett multiplication with a quotient from a truncated product, in words of 64 bits.
    Truncated in truncated;
    /// Multiplication with a quotient by doubles, in words of 64 bits for `q < 2^50`.
    Double in double;
    /// Folding by shifts, modulo `q = 2^64 - 2^32 + 1` in unsigned words.
    Goldilocks in goldilocks;
    /// Montgomery multiplication with canonical results, sums included, in unsigned words of 32 or 64 bits that `q`
    /// fills.
    Unsigned in unsigned;
    /// Montgomery multiplication of 52 bits by IFMA, in words of 64 bits for `q < 2^51`; sums in `[0, 2q)`.
    Ifma in ifma;
    /// The same with canonical results, sums included, for `q < 2^52`.
    IfmaStrict in ifma;
}

impl Method {
    /// The name used in reports and on the command line.
    pub const fn name(self) -> &'static str {
        self.numbers().name
    }

    /// Looks up a method by its name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }

    /// Words that encode one twiddle.
    pub const fn twiddle_words(self) -> usize {
        self.numbers().twiddle_words
    }

    /// The largest slot degree for which it adds up products in registers: 4 for Montgomery's method, 1 for methods
    /// that replace it where it is not compiled or has no room, 0 for others.
    pub(crate) const fn sums(self) -> usize {
        self.numbers().sums
    }

    /// See [`Contract::adds_up_wide`], in words of `bits` bits.
    pub(crate) const fn adds_up_wide(self, bits: u32) -> bool {
        self.numbers().adds_up_wide[bits as usize / 32]
    }

    /// Whether its words are unsigned: residues and sums are in `[0, q)`, and may fill the word.
    pub const fn is_unsigned(self) -> bool {
        self.numbers().unsigned
    }

    /// Whether its products refuse some operands or grow with them, so that reductions may be needed to make them fit.
    pub(crate) const fn is_limited(self) -> bool {
        self.numbers().limited
    }

    /// Whether it multiplies 52 bits, for which the CPU should have an instruction.
    #[doc(hidden)]
    pub const fn multiplies_52(self) -> bool {
        self.numbers().multiplies_52
    }

    /// Whether that backend has the instructions that the method is designed for.
    pub(crate) fn is_native_to(self, backend: Backend) -> bool {
        !self.multiplies_52() || backend.multiplies_52()
    }

    /// The smallest number of vector lanes for which it is compiled: 512-bit vectors have products of 52 bits.
    pub(crate) const fn least_lanes(self) -> usize {
        if self.multiplies_52() { 8 } else { 2 }
    }

    /// Whether transforms on that backend keep words in another form.
    pub(crate) const fn converts_on(self, backend: Backend) -> bool {
        self.numbers().keeps_doubles && backend.keeps_doubles()
    }

    /// Bits of the largest primes of residue channels for this method in words of 64 bits, if it has a limit of its
    /// own.
    pub(crate) const fn prime_bits(self) -> Option<u32> {
        self.numbers().prime_bits
    }

    /// Costs in hundredths of those of Montgomery's method in words of `bits` bits, one at a time or on vectors: of
    /// products with twiddles, products of variables, and reductions.
    pub(crate) const fn costs(self, bits: u32, one_lane: bool) -> [u16; 3] {
        self.numbers().costs[bits as usize / 32][!one_lane as usize]
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
