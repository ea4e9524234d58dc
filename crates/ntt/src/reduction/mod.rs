//! How products become small again: one file per method, each with formula, source, range argument
//! and code.
//!
//! A method has two sides. [`Reduction`] is the machine's side: vectors of one instruction set.
//! [`Contract`] is the numbers' side: which words encode a twiddle, and which range comes out of
//! which range. Proofs and tables use only the contract; tests check that the machine keeps it.

mod barrett;
mod dots;
mod double;
mod family;
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

use crate::arith::{Interval, K2m1, Modulus};
use core::fmt;
use lanes::{Backend, Lanes};

pub use family::*;

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
    /// Folding by shifts, modulo `q = 2^64 - 2^32 + 1` in words without sign.
    Goldilocks,
    /// Montgomery multiplication with canonical results, sums included, in words of 32 or 64 bits
    /// without sign, which `q` fills.
    Unsigned,
    /// Montgomery multiplication of 52 bits by IFMA, in words of 64 bits for `q < 2^51`; sums in `[0, 2q)`.
    Ifma,
    /// The same with canonical results, sums included, for `q < 2^52`.
    IfmaStrict,
}

impl Method {
    /// Every method; of two that cost the same the planner takes the first.
    pub const ALL: [Self; 14] = [
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
        Self::Goldilocks,
        Self::Unsigned,
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
            Self::Unsigned => "unsigned",
            Self::Goldilocks => "goldilocks",
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
            Self::KRed | Self::KRed2x | Self::Solinas | Self::Goldilocks => 1,
            _ => 2,
        }
    }

    /// The largest degree of slots whose products it adds up in registers: those of Montgomery's method, and
    /// single ones where that is not compiled or has no room.
    pub(crate) const fn sums(self) -> usize {
        match self {
            Self::Montgomery => 4, // all that stay in registers
            Self::Strict | Self::Truncated | Self::Double => 1,
            Self::Unsigned | Self::Goldilocks | Self::Ifma | Self::IfmaStrict => 1,
            _ => 0,
        }
    }

    /// See [`Contract::adds_up_wide`], in words of `bits`.
    pub(crate) const fn adds_up_wide(self, bits: u32) -> bool {
        match self {
            Self::Montgomery | Self::Barrett | Self::Shoup | Self::Plantard => bits > 16,
            Self::Strict => bits == 32,
            Self::Ifma | Self::IfmaStrict => bits == 64,
            _ => false,
        }
    }

    /// Whether its words have no sign: residues and sums are in `[0, q)`, and may fill the word.
    pub const fn is_unsigned(self) -> bool {
        matches!(self, Self::Unsigned | Self::Goldilocks)
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
        // Of 64 bits, moduli of 63 leave signed sums no room.
        let leaves_a_sign = q.bits() < bits && q.bits() <= 62;
        if !leaves_a_sign && !self.is_unsigned() {
            return None;
        }
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
            Self::Unsigned => unsigned::applies(q, bits),
            Self::Goldilocks => goldilocks::applies(q, bits),
            Self::Ifma => bits == 64 && q.bits() <= ifma::BITS[0],
            Self::IfmaStrict => bits == 64 && q.bits() <= ifma::BITS[1],
            _ => true,
        };
        fits.then_some(Contract { method: self, modulus: q, constants })
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
    /// The modulus, of 64 bits as they are.
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

    /// `None` if canonical residues do not fit a word, or `q < 5`. Where they leave no bit for a sign, there
    /// is what words without sign need.
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

    /// The contract of element-wise operations modulo the same number, by which transforms need not go.
    pub const fn of_modulus(&self) -> Self {
        let method = if self.method.is_unsigned() { Method::Unsigned } else { Method::Montgomery };
        Self { method, ..*self }
    }

    /// Whether all of these are small for [`Reduction::enter`] and [`Reduction::leave`].
    pub(crate) const fn is_small(&self, words: Interval) -> bool {
        words.magnitude() <= double::SMALL
    }

    /// Whether words of that interval are exact as transforms keep them: small ones, or any that the method takes.
    pub(crate) const fn keeps(&self, words: Interval, small: bool) -> bool {
        !matches!(self.method, Method::Double)
            || words.magnitude() <= if small { double::SMALL } else { double::OPERAND }
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
            Method::Unsigned => unsigned::encode(q, c, w),
            Method::Goldilocks => goldilocks::encode(w),
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
            Method::Unsigned | Method::Goldilocks => unsigned::mul_range(c, x)?,
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
            Method::Unsigned | Method::Goldilocks => unsigned::sum_range(&self.constants, a, b),
            Method::Ifma | Method::IfmaStrict => ifma::sum_range(&self.constants, self.method, a, b),
            _ => Some(sum),
        }
    }

    /// Whether sums and differences are brought into `[0, q)`, where their operands must be.
    pub(crate) fn sums_are_canonical(&self) -> bool {
        matches!(self.method, Method::Strict | Method::IfmaStrict) || self.method.is_unsigned()
    }

    /// What words can hold.
    pub const fn words(&self) -> Interval {
        let bits = self.constants.bits;
        if self.method.is_unsigned() { unsigned::words(bits) } else { Interval::word(bits) }
    }

    /// The residues that transforms take: `(-q, q)`, or `[0, q)` in words without sign.
    pub(crate) const fn residues(&self) -> Interval {
        let most = self.constants.modulus() - 1;
        Interval::new(if self.method.is_unsigned() { 0 } else { -most }, most)
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
            Method::Unsigned | Method::Goldilocks => unsigned::reduce_range(c, x)?,
            Method::Ifma | Method::IfmaStrict => ifma::reduce_range(c, self.method, x)?,
            _ => barrett::reduce_range(c, x),
        })
    }

    /// Interval of `mul_var(x, y)`.
    pub fn mul_var_range(&self, x: Interval, y: Interval) -> Option<Interval> {
        let c = &self.constants;
        if self.method.is_unsigned() {
            return unsigned::variable_range(c, x, y);
        }
        let product = x.magnitude() * y.magnitude();
        self.word(match self.method {
            Method::Montgomery | Method::Truncated => montgomery::product_range(c, product),
            Method::Barrett | Method::Shoup | Method::Plantard if self.adds_up_wide() => {
                montgomery::product_range(c, product)
            }
            Method::Strict => strict::variable_range(c, product)?,
            Method::Double => double::variable_range(c, x, y)?,
            Method::Ifma | Method::IfmaStrict => ifma::variable_range(c, self.method, x, y)?,
            Method::Barrett => barrett::split_range(c, product, barrett::mul_range),
            Method::Shoup => barrett::split_range(c, product, shoup::mul_range),
            Method::Plantard => barrett::split_range(c, product, plantard::mul_range),
            Method::KRed => kred::range(c, 1, product)?,
            Method::KRed2x => kred::range(c, 2, product)?,
            Method::Solinas => solinas::range(c, product)?,
            Method::Unsigned | Method::Goldilocks => unreachable!("above"),
        })
    }

    /// Whether the method adds products of variables up before it reduces them: [`Reduction::WIDE`].
    pub fn adds_up_wide(&self) -> bool {
        self.method.adds_up_wide(self.constants.bits) && self.constants.q % 2 == 1 // by Montgomery's method
    }

    /// Interval of one of `dots(x, [y])` where that is reduced once, for operands in these intervals.
    pub fn dot_range(&self, operands: impl Iterator<Item = [Interval; 2]> + Clone) -> Option<Interval> {
        if !self.adds_up_wide() {
            return None;
        }
        let c = &self.constants;
        let magnitude = |[x, y]: [Interval; 2]| x.magnitude() * y.magnitude(); // at most 2^126
        let sum = operands.clone().try_fold(0_i128, |sum, pair| sum.checked_add(magnitude(pair)))?;
        let no_sign = operands.clone().all(|pair| pair.iter().all(|x| x.lo >= 0));
        self.word(match self.method {
            Method::Strict if no_sign => strict::dot_range(c, sum)?,
            Method::Ifma | Method::IfmaStrict if no_sign => {
                let most = operands.flatten().map(|x| x.hi).max()?;
                ifma::dot_range(c, self.method, most, sum)?
            }
            Method::Strict | Method::Ifma | Method::IfmaStrict => return None,
            _ => montgomery::dot_range(c, sum)?,
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
            Method::Montgomery | Method::Truncated | Method::Strict | Method::Unsigned => {
                Factor { residue: q.inv(q.reduce(self.constants.word.into())), k: 0 }
            }
            Method::Barrett | Method::Shoup | Method::Plantard if self.adds_up_wide() => {
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
        self.words().holds(r).then_some(r)
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
    /// Whether it adds products up before it reduces them.
    const WIDE: bool = false;
    /// The sums `Σ x_i · y_(i+j) · mul_var_factor` for `j` below `J`, reduced once where it is
    /// [`WIDE`](Self::WIDE); `y` has `P + J - 1` values, or more.
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
}
