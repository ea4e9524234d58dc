//! The guarantees of a method for one modulus.

use super::{Constants, Factor, Method, definition::Numbers, double};
use crate::arith::{Interval, Modulus};

/// The guarantees of a method for one modulus and word. Ranges are exact integers; `None` means that some step of the
/// method could overflow for that operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    method: Method,
    modulus: Modulus,
    constants: Constants,
}

impl Method {
    /// The contract for `q` in words of `bits` bits, or `None` if the formula does not apply.
    #[doc(hidden)]
    pub fn contract(self, q: Modulus, bits: u32) -> Option<Contract> {
        let constants = Constants::new(q, bits)?;
        // In words of 64 bits, moduli of 63 leave no room for signed sums.
        let leaves_a_sign = q.bits() < bits && q.bits() <= 62;
        let fits = (leaves_a_sign || self.is_unsigned()) && (self.numbers().applies)(q, &constants);
        fits.then_some(Contract { method: self, modulus: q, constants })
    }
}

impl Contract {
    /// Barrett's contract, which needs no odd `q`, for any number; `None` if it is below 5 or its residues do not fit
    /// the word.
    pub(crate) fn of_any(q: u64, bits: u32) -> Option<Self> {
        if !(5..1 << (bits - 2)).contains(&q) {
            return None;
        }
        Method::Barrett.contract(Modulus::any(q), bits)
    }

    /// The contract of element-wise operations modulo the same number, outside of transforms.
    pub const fn of_modulus(&self) -> Self {
        let method = if self.method.is_unsigned() { Method::Unsigned } else { Method::Montgomery };
        Self { method, ..*self }
    }

    const fn numbers(&self) -> &'static Numbers {
        self.method.numbers()
    }

    /// Whether all of these words can take the faster conversion to and from the form that transforms keep.
    pub(crate) const fn is_small(&self, words: Interval) -> bool {
        words.magnitude() <= double::SMALL
    }

    /// Whether words in that interval are exact in the form that transforms keep: small ones, or any that the method
    /// accepts.
    pub(crate) const fn keeps(&self, words: Interval, small: bool) -> bool {
        !self.numbers().keeps_doubles || words.magnitude() <= if small { double::SMALL } else { double::OPERAND }
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

    /// The words for which `mul(x, encode(w)) ≡ x·w (mod q)`; `w` in `[0, q)`. The method's own factor is divided out.
    pub fn encode(&self, w: u64) -> [i64; 2] {
        (self.numbers().encode)(self.modulus, &self.constants, w)
    }

    /// The words of a twiddle for exact products: the centred residue.
    pub const fn encode_exact(&self, w: u64) -> [i64; 2] {
        [self.modulus.centered(w); 2]
    }

    /// Interval of `mul(x, w)` for any twiddle.
    pub fn mul_range(&self, x: Interval) -> Option<Interval> {
        self.word((self.numbers().mul_range)(&self.constants, x)?)
    }

    /// Interval of `add(a, b)`, whether it fits the word or not.
    pub fn add_range(&self, a: Interval, b: Interval) -> Option<Interval> {
        (self.numbers().sum_range)(&self.constants, [a, b], a.plus(b))
    }

    /// Interval of `sub(a, b)`, whether it fits the word or not.
    pub fn sub_range(&self, a: Interval, b: Interval) -> Option<Interval> {
        (self.numbers().sum_range)(&self.constants, [a, b], a.minus(b))
    }

    /// Whether sums and differences are reduced to `[0, q)`, which then must contain their operands.
    pub(crate) const fn sums_are_canonical(&self) -> bool {
        self.numbers().canonical_sums
    }

    /// The range of words.
    pub const fn words(&self) -> Interval {
        let bits = self.constants.bits;
        if self.method.is_unsigned() { super::unsigned::words(bits) } else { Interval::word(bits) }
    }

    /// The residues that transforms accept: `(-q, q)`, or `[0, q)` in unsigned words.
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
        self.word((self.numbers().reduce_range)(&self.constants, x)?)
    }

    /// Interval of `mul_var(x, y)`.
    pub fn mul_var_range(&self, x: Interval, y: Interval) -> Option<Interval> {
        let product = x.magnitude().saturating_mul(y.magnitude());
        self.word((self.numbers().mul_var_range)(&self.constants, [x, y], product)?)
    }

    /// Whether the method adds up products of variables before reducing them: [`Reduction::WIDE`](super::Reduction).
    pub fn adds_up_wide(&self) -> bool {
        self.method.adds_up_wide(self.constants.bits) && self.constants.q % 2 == 1 // by Montgomery's method
    }

    /// Interval of one of `dots(x, [y])` reduced once, for operands in these intervals.
    pub fn dot_range(&self, operands: impl Iterator<Item = [Interval; 2]> + Clone) -> Option<Interval> {
        if !self.adds_up_wide() {
            return None;
        }
        let magnitude = |[x, y]: [Interval; 2]| x.magnitude() * y.magnitude(); // at most 2^126
        let sum = operands.clone().try_fold(0_i128, |sum, pair| sum.checked_add(magnitude(pair)))?;
        let ends = operands.flatten().reduce(Interval::union)?;
        self.word((self.numbers().dot_range)(&self.constants, [ends.lo, ends.hi], sum)?)
    }

    /// `reduce(x) ≡ x · reduce_factor (mod q)`.
    pub fn reduce_factor(&self) -> Factor {
        (self.numbers().reduce_factor)(self.modulus, &self.constants)
    }

    /// `mul_var(x, y) ≡ x · y · mul_var_factor (mod q)`.
    pub fn mul_var_factor(&self) -> Factor {
        (self.numbers().mul_var_factor)(self.modulus, &self.constants)
    }

    /// `r` if it fits a word.
    fn word(&self, r: Interval) -> Option<Interval> {
        self.words().holds(r).then_some(r)
    }
}
