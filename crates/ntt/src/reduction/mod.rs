//! How products become small again: one file per method, each with formula, source, range argument
//! and code.
//!
//! A method has two sides. [`Reduction`] is the machine's side: vectors of one instruction set.
//! [`Contract`] is the numbers' side: which words encode a twiddle, and which range comes out of
//! which range. Proofs and tables use only the contract; tests check that the machine keeps it.

mod barrett;
mod double;
mod ifma;
mod kred;
mod montgomery;
mod plantard;
mod shoup;
mod solinas;
mod strict;
mod truncated;

use crate::{
    arith::Interval,
    arith::{K2m1, Modulus},
};
use core::fmt;
use lanes::{Backend, Lanes, Lanes16, Lanes64, LanesWide};

/// A method of reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Signed Montgomery with the pair `(w, w·q^-1)`.
    Montgomery,
    /// Barrett multiplication with a rounded quotient.
    Barrett,
    /// Shoup's multiplication with a floored quotient, kept lazy as by Harvey.
    Shoup,
    /// Shoup's multiplication with canonical results, sums included, in words of 32 bits.
    Strict,
    /// Plantard's multiplication with a factor of two words, signed.
    Plantard,
    /// Longa and Naehrig's K-RED, for `q = k·2^m ± 1`.
    KRed,
    /// Longa and Naehrig's K-RED-2x, for `q = k·2^m ± 1`.
    KRed2x,
    /// Solinas's folding by shifts, for `q = 2^a ± 2^b ± 1` and `2^a ± 1`.
    Solinas,
    /// Barrett multiplication with a quotient from a truncated product, in words of 64 bits.
    Truncated,
    /// Multiplication with a quotient by doubles, in words of 64 bits for `q < 2^50`.
    Double,
    /// Montgomery multiplication of 52 bits by IFMA, in words of 64 bits for `q < 2^51`; sums in `[0, 2q)`.
    Ifma,
    /// The same with canonical results, sums included, for `q < 2^52`.
    IfmaStrict,
}

impl Method {
    /// Every method; of two that cost the same the planner takes the first.
    pub const ALL: [Self; 12] = [
        Self::Montgomery,
        Self::Barrett,
        Self::Shoup,
        Self::Strict,
        Self::Plantard,
        Self::KRed,
        Self::KRed2x,
        Self::Solinas,
        Self::Truncated,
        Self::Double,
        Self::Ifma,
        Self::IfmaStrict,
    ];

    /// The name used in reports and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Montgomery => "montgomery",
            Self::Barrett => "barrett",
            Self::Shoup => "shoup",
            Self::Strict => "strict",
            Self::Plantard => "plantard",
            Self::KRed => "k-red",
            Self::KRed2x => "k-red-2x",
            Self::Solinas => "solinas",
            Self::Truncated => "truncated",
            Self::Double => "double",
            Self::Ifma => "ifma",
            Self::IfmaStrict => "ifma-strict",
        }
    }

    /// The method of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }

    /// Words that encode one twiddle.
    pub const fn twiddle_words(self) -> usize {
        match self {
            Self::KRed | Self::KRed2x | Self::Solinas => 1,
            _ => 2,
        }
    }

    /// The largest degree of slots whose products it adds up in registers: those of Montgomery's method, and
    /// single ones where that is not compiled or has no room.
    pub(crate) const fn sums(self) -> usize {
        match self {
            Self::Montgomery => 4, // all that stay in registers
            Self::Strict | Self::Truncated | Self::Double | Self::Ifma | Self::IfmaStrict => 1,
            _ => 0,
        }
    }

    /// Whether it multiplies 52 bits, for which the CPU should have an instruction.
    #[doc(hidden)]
    pub const fn multiplies_52(self) -> bool {
        matches!(self, Self::Ifma | Self::IfmaStrict)
    }

    /// Whether that backend has the instructions that the method is made for.
    pub(crate) fn is_native_to(self, backend: Backend) -> bool {
        !self.multiplies_52() || backend.multiplies_52()
    }

    /// Lanes of vectors at least, where it is compiled for vectors: those of 512 bits have products of 52 bits.
    pub(crate) const fn least_lanes(self) -> usize {
        if self.multiplies_52() { 8 } else { 2 }
    }

    /// What the method promises for `q` in words of `bits`, or `None` where its formula has no
    /// meaning.
    #[doc(hidden)]
    pub fn contract(self, q: Modulus, bits: u32) -> Option<Contract> {
        let constants = Constants::new(q, bits)?;
        let fits = match self {
            Self::KRed => constants.m < bits,
            Self::KRed2x => {
                constants.m < bits
                    && (2 * constants.m <= bits || bits == 16)
                    && i128::from(constants.k).pow(2) < 1 << (bits - 1)
            }
            Self::Plantard => q.bits() + 2 <= bits,
            Self::Solinas => solinas::applies(&constants),
            Self::Strict => bits == 32,
            Self::Truncated => bits == 64 && q.bits() >= truncated::LEAST_BITS,
            Self::Double => bits == 64 && q.bits() <= double::BITS,
            Self::Ifma => bits == 64 && q.bits() <= ifma::BITS[0],
            Self::IfmaStrict => bits == 64 && q.bits() <= ifma::BITS[1],
            _ => true,
        };
        fits.then_some(Contract { method: self, modulus: q, constants })
    }
}

/// Something to do by a method that is known as a type.
pub trait ByFamily {
    /// What it gives.
    type Output;
    /// Does it by that family's method.
    fn by<F: Family>(self, family: F) -> Self::Output;
}

impl Method {
    /// Does something by this method: the one way from a method to its `Family`.
    #[doc(hidden)]
    pub fn by<B: ByFamily>(self, what: B) -> B::Output {
        match self {
            Self::Montgomery => what.by(Montgomery),
            Self::Barrett => what.by(Barrett),
            Self::Shoup => what.by(Shoup),
            Self::Strict => what.by(Strict),
            Self::Plantard => what.by(Plantard),
            Self::KRed => what.by(KRed),
            Self::KRed2x => what.by(KRed2x),
            Self::Solinas => what.by(Solinas),
            Self::Truncated => what.by(Truncated),
            Self::Double => what.by(Double),
            Self::Ifma => what.by(Ifma),
            Self::IfmaStrict => what.by(IfmaStrict),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The numbers that any method may need, all derived from `q` and the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// The modulus.
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
    /// The reciprocal by which a truncated product reduces.
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
    /// Those of a prime known when the library is compiled.
    pub(crate) const fn of(q: u64, bits: u32) -> Self {
        match Modulus::new(q) {
            Ok(modulus) => match Self::new(modulus, bits) {
                Some(constants) => constants,
                None => panic!("residues do not fit the word"),
            },
            Err(_) => panic!("not an odd prime"),
        }
    }

    /// `None` if canonical residues do not fit a signed word, or `q < 5`.
    const fn new(modulus: Modulus, bits: u32) -> Option<Self> {
        let q = modulus.get() as i64;
        if modulus.bits() >= bits || modulus.bits() < 3 {
            return None;
        }
        // Newton: x -> x(2 - qx) doubles the correct bits; q·q = 1 mod 8.
        let mut inverse = q;
        let mut correct = 3;
        while correct < 64 {
            inverse = inverse.wrapping_mul(2_i64.wrapping_sub(q.wrapping_mul(inverse)));
            correct *= 2;
        }
        let e = 62 - (q - 1).leading_zeros();
        let v = ((1_i128 << (bits + e + 1)) / q as i128 + 1) / 2;
        let K2m1 { k, m, sign } = modulus.k2m1();
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
            word: modulus.centered(modulus.pow(2, bits as u64)),
            word_twiddles: [[0; 2]; 3],
        };
        let word = modulus.pow(2, bits as u64);
        constants.word_twiddles = [
            barrett::encode(modulus, &constants, word),
            shoup::encode(modulus, &constants, word),
            plantard::encode(modulus, &constants, word),
        ];
        Some(constants)
    }

    /// Largest absolute value of a centred residue, hence of any twiddle.
    const fn half(&self) -> i128 {
        (self.q as i128 - 1) / 2
    }
}

/// The low `bits` bits of `x` as a signed number.
const fn sign_extend(x: i64, bits: u32) -> i64 {
    x << (64 - bits) >> (64 - bits)
}

/// What a method promises for one modulus and word. Ranges are exact integers; a `None` means that
/// some step of the method could overflow for that operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    method: Method,
    modulus: Modulus,
    constants: Constants,
}

impl Contract {
    /// Barrett's, which needs no odd `q`, for any number; `None` if it is below 5 or its residues
    /// do not fit the word.
    pub(crate) fn of_any(q: u64, bits: u32) -> Option<Self> {
        if !(5..1 << (bits - 2)).contains(&q) {
            return None;
        }
        Method::Barrett.contract(Modulus::any(q), bits)
    }

    /// Whether all of these are small for [`Reduction::enter`] and [`Reduction::leave`].
    pub(crate) const fn is_small(&self, words: Interval) -> bool {
        words.magnitude() <= double::SMALL
    }

    /// The method.
    pub const fn method(&self) -> Method {
        self.method
    }

    /// The modulus.
    pub(crate) const fn modulus(&self) -> Modulus {
        self.modulus
    }

    /// The derived numbers.
    pub const fn constants(&self) -> &Constants {
        &self.constants
    }

    /// The words that make `mul(x, encode(w)) ≡ x·w (mod q)`; `w` in `[0, q)`. The method's own
    /// factor is divided out.
    pub fn encode(&self, w: u64) -> [i64; 2] {
        let (q, c) = (self.modulus, &self.constants);
        match self.method {
            Method::Montgomery => montgomery::encode(q, c, w),
            Method::Barrett => barrett::encode(q, c, w),
            Method::Shoup | Method::Strict => shoup::encode(q, c, w),
            Method::Plantard => plantard::encode(q, c, w),
            Method::KRed => kred::encode(q, c, 1, w),
            Method::KRed2x => kred::encode(q, c, 2, w),
            Method::Solinas => solinas::encode(q, w),
            Method::Truncated => truncated::encode(q, c, w),
            Method::Double => double::encode(q, c, w),
            Method::Ifma | Method::IfmaStrict => ifma::encode(q, c, w),
        }
    }

    /// The words of a twiddle for exact products: the centred residue.
    pub const fn encode_exact(&self, w: u64) -> [i64; 2] {
        [self.modulus.centered(w); 2]
    }

    /// Interval of `mul(x, w)` for any twiddle.
    pub fn mul_range(&self, x: Interval) -> Option<Interval> {
        let c = &self.constants;
        self.word(match self.method {
            Method::Montgomery => montgomery::product_range(c, x.magnitude() * c.half()),
            Method::Barrett => barrett::mul_range(c, x),
            Method::Shoup => shoup::mul_range(c, x),
            Method::Strict => strict::mul_range(c, x)?,
            Method::Plantard => plantard::mul_range(c, x),
            Method::KRed => kred::range(c, 1, x.magnitude() * c.half())?,
            Method::KRed2x => kred::range(c, 2, x.magnitude() * c.half())?,
            Method::Solinas => solinas::range(c, x.magnitude() * c.half())?,
            Method::Truncated => truncated::mul_range(c, x)?,
            Method::Double => double::mul_range(c, x)?,
            Method::Ifma | Method::IfmaStrict => ifma::mul_range(c, self.method, x)?,
        })
    }

    /// Interval of `add(a, b)`, whether it fits the word or not.
    pub fn add_range(&self, a: Interval, b: Interval) -> Option<Interval> {
        self.sum_range(a, b, a.plus(b))
    }

    /// Interval of `sub(a, b)`, whether it fits the word or not.
    pub fn sub_range(&self, a: Interval, b: Interval) -> Option<Interval> {
        self.sum_range(a, b, a.minus(b))
    }

    /// The interval of a sum or difference of whole numbers in `sum`.
    fn sum_range(&self, a: Interval, b: Interval, sum: Interval) -> Option<Interval> {
        match self.method {
            Method::Strict => strict::sum_range(&self.constants, a, b),
            Method::Double => double::sum_range(sum),
            Method::Ifma | Method::IfmaStrict => ifma::sum_range(&self.constants, self.method, a, b),
            _ => Some(sum),
        }
    }

    /// Whether sums and differences are brought into `[0, q)`, where their operands must be.
    pub(crate) fn sums_are_canonical(&self) -> bool {
        matches!(self.method, Method::Strict | Method::IfmaStrict)
    }

    /// Interval of `x·w` for any twiddle that is a centred residue, without a reduction.
    pub fn exact_range(&self, x: Interval) -> Option<Interval> {
        self.word(Interval::symmetric(x.magnitude() * self.constants.half()))
    }

    /// Interval of `reduce(x)`.
    pub fn reduce_range(&self, x: Interval) -> Option<Interval> {
        let c = &self.constants;
        self.word(match self.method {
            Method::KRed | Method::KRed2x => kred::reduce_range(c, x)?,
            Method::Truncated => truncated::reduce_range(c, x),
            Method::Strict => strict::reduce_range(c, x)?,
            Method::Double => double::reduce_range(c, x)?,
            Method::Ifma | Method::IfmaStrict => ifma::reduce_range(c, self.method, x)?,
            _ => barrett::reduce_range(c, x),
        })
    }

    /// Interval of `mul_var(x, y)`.
    pub fn mul_var_range(&self, x: Interval, y: Interval) -> Option<Interval> {
        let c = &self.constants;
        let product = x.magnitude() * y.magnitude();
        self.word(match self.method {
            Method::Montgomery | Method::Truncated => montgomery::product_range(c, product),
            Method::Strict => strict::variable_range(c, product)?,
            Method::Double => double::variable_range(c, x, y)?,
            Method::Ifma | Method::IfmaStrict => ifma::variable_range(c, self.method, x, y)?,
            Method::Barrett => barrett::split_range(c, product, barrett::mul_range),
            Method::Shoup => barrett::split_range(c, product, shoup::mul_range),
            Method::Plantard => barrett::split_range(c, product, plantard::mul_range),
            Method::KRed => kred::range(c, 1, product)?,
            Method::KRed2x => kred::range(c, 2, product)?,
            Method::Solinas => solinas::range(c, product)?,
        })
    }

    /// `reduce(x) ≡ x · reduce_factor (mod q)`.
    pub fn reduce_factor(&self) -> Factor {
        match self.method {
            Method::KRed | Method::KRed2x => {
                Factor { residue: self.constants.k as u64 % self.constants.q as u64, k: 1 }
            }
            _ => Factor::ONE,
        }
    }

    /// `mul_var(x, y) ≡ x · y · mul_var_factor (mod q)`.
    pub fn mul_var_factor(&self) -> Factor {
        let q = self.modulus;
        match self.method {
            Method::Montgomery | Method::Truncated | Method::Strict => {
                Factor { residue: q.inv(q.reduce(self.constants.word.into())), k: 0 }
            }
            Method::Ifma | Method::IfmaStrict => Factor { residue: q.inv(ifma::factor(q)), k: 0 },
            Method::KRed => self.reduce_factor(),
            Method::KRed2x => self.reduce_factor().times(self.reduce_factor(), q),
            _ => Factor::ONE,
        }
    }

    /// `r` if it fits a word.
    fn word(&self, r: Interval) -> Option<Interval> {
        Interval::word(self.constants.bits).holds(r).then_some(r)
    }
}

/// A constant that a method leaves behind, with the power of K-RED's `k` in it spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The constant modulo `q`.
    pub residue: u64,
    /// How many times K-RED left its `k`.
    pub k: i32,
}

impl Factor {
    /// Nothing left behind.
    pub const ONE: Self = Self { residue: 1, k: 0 };

    /// The product of two factors.
    pub const fn times(self, other: Self, q: Modulus) -> Self {
        Self { residue: q.mul(self.residue, other.residue), k: self.k + other.k }
    }
}

/// The machine's side of a method on lanes `L`.
pub trait Reduction<L: Lanes>: Copy {
    /// Words that encode a twiddle.
    const WORDS: usize;
    /// The largest degree of slots whose products it adds up in registers.
    const SUMS: usize = 0;
    /// Whether transforms on vectors are faster by two columns at a time, as measured.
    const PAIRS: bool = false;
    /// A twiddle in registers.
    type Twiddle: Copy;
    /// Puts the constants into registers.
    fn new(l: L, c: &Constants) -> Self;
    /// Makes a twiddle of its words; a method of one word ignores the second.
    fn twiddle(l: L, first: L::V, second: L::V) -> Self::Twiddle;
    /// The first word of a twiddle.
    fn first(w: Self::Twiddle) -> L::V;
    /// `x·w`, `P` at a time in lockstep.
    fn mul<const P: usize>(self, l: L, x: [L::V; P], w: [Self::Twiddle; P]) -> [L::V; P];
    /// `a + b`, modulo `q` where the method says so.
    #[inline(always)]
    fn add(self, l: L, a: L::V, b: L::V) -> L::V {
        l.add(a, b)
    }
    /// `a - b`, modulo `q` where the method says so.
    #[inline(always)]
    fn sub(self, l: L, a: L::V, b: L::V) -> L::V {
        l.sub(a, b)
    }
    /// Whether transforms keep values in another form than words.
    const ENTERS: bool = false;
    /// The form that transforms keep of a word, which may be known to be small.
    #[inline(always)]
    fn enter<const SMALL: bool>(self, _: L, x: L::V) -> L::V {
        x
    }
    /// The word of what transforms keep.
    #[inline(always)]
    fn leave<const SMALL: bool>(self, _: L, x: L::V) -> L::V {
        x
    }
    /// A small number congruent to `x · reduce_factor`.
    fn reduce(self, l: L, x: L::V) -> L::V;
    /// `x · y · mul_var_factor`.
    fn mul_var(self, l: L, x: L::V, y: L::V) -> L::V;
    /// `x mod q` in `[0, q)`, for any word.
    fn canonical(self, l: L, x: L::V) -> L::V;
}

/// The machine reductions of a method, by width: a type that names the method.
pub trait Family: Copy {
    /// On 16-bit lanes.
    type On16<L: Lanes16>: Reduction<L> + 'static;
    /// On 32-bit lanes.
    type On32<L: LanesWide>: Reduction<L> + 'static;
    /// On 64-bit lanes.
    type On64<L: Lanes64>: Reduction<L> + 'static;
    /// The same method on values as transforms keep them.
    type Inside: Family;
    /// The method.
    const METHOD: Method;
}

/// [`Method::Montgomery`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Montgomery;
impl Family for Montgomery {
    type On16<L: Lanes16> = montgomery::OnLanes<L, false>;
    type On32<L: LanesWide> = montgomery::OnLanes<L, true>;
    type On64<L: Lanes64> = montgomery::OnLanes<L, true>;
    type Inside = Self;
    const METHOD: Method = Method::Montgomery;
}

/// [`Method::Barrett`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Barrett;
impl Family for Barrett {
    type On16<L: Lanes16> = barrett::OnLanes<L, false, { barrett::ROUNDED }>;
    type On32<L: LanesWide> = barrett::OnLanes<L, true, { barrett::ROUNDED }>;
    type On64<L: Lanes64> = barrett::OnLanes<L, true, { barrett::ROUNDED }>;
    type Inside = Self;
    const METHOD: Method = Method::Barrett;
}

/// [`Method::Shoup`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Shoup;
impl Family for Shoup {
    type On16<L: Lanes16> = barrett::OnLanes<L, false, { barrett::FLOORED }>;
    type On32<L: LanesWide> = barrett::OnLanes<L, true, { barrett::FLOORED }>;
    type On64<L: Lanes64> = barrett::OnLanes<L, true, { barrett::FLOORED }>;
    type Inside = Self;
    const METHOD: Method = Method::Shoup;
}

/// [`Method::Strict`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Strict;
impl Family for Strict {
    // Other words have no contract, and no plan takes these.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = strict::OnLanes<L>;
    type On64<L: Lanes64> = <Barrett as Family>::On64<L>;
    type Inside = Self;
    const METHOD: Method = Method::Strict;
}

/// [`Method::Plantard`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Plantard;
impl Family for Plantard {
    type On16<L: Lanes16> = barrett::OnLanes<L, false, { barrett::PLANTARD }>;
    type On32<L: LanesWide> = barrett::OnLanes<L, true, { barrett::PLANTARD }>;
    type On64<L: Lanes64> = barrett::OnLanes<L, true, { barrett::PLANTARD }>;
    type Inside = Self;
    const METHOD: Method = Method::Plantard;
}

/// [`Method::KRed`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct KRed;
impl Family for KRed {
    type On16<L: Lanes16> = kred::OnLanes<L, false, 1>;
    type On32<L: LanesWide> = kred::OnLanes<L, true, 1>;
    type On64<L: Lanes64> = kred::OnLanes<L, true, 1>;
    type Inside = Self;
    const METHOD: Method = Method::KRed;
}

/// [`Method::KRed2x`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct KRed2x;
impl Family for KRed2x {
    type On16<L: Lanes16> = kred::OnLanes<L, false, 2>;
    type On32<L: LanesWide> = kred::OnLanes<L, true, 2>;
    type On64<L: Lanes64> = kred::OnLanes<L, true, 2>;
    type Inside = Self;
    const METHOD: Method = Method::KRed2x;
}

/// [`Method::Solinas`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Solinas;
impl Family for Solinas {
    type On16<L: Lanes16> = solinas::OnLanes<L, false>;
    type On32<L: LanesWide> = solinas::OnLanes<L, true>;
    type On64<L: Lanes64> = solinas::OnLanes<L, true>;
    type Inside = Self;
    const METHOD: Method = Method::Solinas;
}

/// [`Method::Truncated`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Truncated;
impl Family for Truncated {
    // Narrower words have no contract, and no plan takes these.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = truncated::OnLanes<L>;
    type Inside = Self;
    const METHOD: Method = Method::Truncated;
}

/// [`Method::Double`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Double;
impl Family for Double {
    // As for `Truncated`.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = double::OnLanes<L>;
    type Inside = DoubleInside;
    const METHOD: Method = Method::Double;
}

/// [`Double`] in transforms, which keep values as [`Lanes64::kept`] does.
#[derive(Clone, Copy, Debug)]
pub struct DoubleInside;
impl Family for DoubleInside {
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = double::Inside<L>;
    type Inside = Self;
    const METHOD: Method = Method::Double;
}

/// [`Method::Ifma`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Ifma;
impl Family for Ifma {
    // As for `Truncated`.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = ifma::OnLanes<L, false>;
    type Inside = Self;
    const METHOD: Method = Method::Ifma;
}

/// [`Method::IfmaStrict`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct IfmaStrict;
impl Family for IfmaStrict {
    // As for `Truncated`.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = ifma::OnLanes<L, true>;
    type Inside = Self;
    const METHOD: Method = Method::IfmaStrict;
}
