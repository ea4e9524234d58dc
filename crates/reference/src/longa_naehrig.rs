//! Algorithms 1 to 4 of Longa and Naehrig, to be read beside the paper.
//!
//! For q = k·2^m + l with a small odd l of either sign, k·2^m ≡ −l. Writing C = C₀ + 2^m·C₁ with 0
//! ≤ C₀ < 2^m,
//!
//! * K-RED(C) = k·C₀ − l·C₁ ≡ k·C;
//! * K-RED-2x(C) = k²·C₀ − l·k·C₁ + l²·C₂ ≡ k²·C, where C = C₀ + C₁·2^m + C₂·2^2m.
//!
//! They reduce and leave a power of k behind. No number in this module is ever corrected by hand: a
//! [`Word`] carries the exponent of k beside its value, every operation moves it, and adding words
//! of different exponents panics. The total stray factors of whole computations follow in
//! [`sequences`]. The same functions run on bare words of 32 bits, a [`Register`] as well: that is
//! what the paper timed.
//!
//! Source: P. Longa, M. Naehrig, *Speeding up the Number Theoretic Transform for Faster Ideal
//! Lattice-Based Cryptography*, CANS 2016: section 2.2 (Algorithms 1 and 2), section 3 (K-RED,
//! K-RED-2x, Algorithms 3 and 4). Numbers at the end of a line are the steps that the paper's text
//! names. The paper has l = 1; other l are its remark in section 3. What it prints otherwise stands
//! in `ERRATA.md`.
//!
//! Of roots of unity other l leave few: q − 1 = k·2^m + (l − 1), so where 0 < |l − 1| < 2^m the
//! largest power of two in q − 1 is that in l − 1. For l = −1 it is 2, and q has no transform at
//! all; l = 1 gives 2^m and more. The reduction itself serves any such modulus.
//!
//! Ranges: |K-RED(C)| < q + |C|/2^m for l = 1. Algorithms 1 and 2: values in [0, q). Algorithms 3 and 4: q =
//! 12289, n = 256, 512 or 1024; with inputs of absolute value below q (Algorithm 3) and 2¹⁵
//! (Algorithm 4) every coefficient fits a signed 32-bit word and every product of a coefficient
//! with a table entry 64 bits. A test proves it stage by stage, debug assertions watch it.

pub mod arithmetic;
pub mod products;
pub mod sequences;
mod transforms;

pub use transforms::{Tables, from_bit_reversed, intt, intt_by, ntt, ntt_by, to_bit_reversed};

use crate::field;
use std::ops::{Add, Mul, Sub};

/// The numbers k, m, l of a modulus q = k·2^m + l > 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The small factor that a reduction leaves behind.
    pub k: i64,
    /// The position at which a reduction cuts.
    pub m: u32,
    /// Odd and small, of either sign.
    pub l: i64,
}

/// 12289 = 3·2¹² + 1, the modulus of Algorithms 3 and 4.
pub const Q12289: Shape = Shape { k: 3, m: 12, l: 1 };
const _: () = assert!(Q12289.q() == 12289);

impl Shape {
    /// q = k·2^m + l.
    pub const fn q(self) -> u64 {
        ((self.k << self.m) + self.l) as u64
    }

    /// k^power mod q for a power of either sign.
    pub fn k_to_the(self, power: i32) -> u64 {
        let k = field::pow(self.k as u64, u64::from(power.unsigned_abs()), self.q());
        if power < 0 { field::inverse(k, self.q()).expect("k is prime to q") } else { k }
    }
}

/// K-RED (section 3): congruent to k·c. **Range**: |result| ≤ k·(2^m − 1) + |l|·⌈|c|/2^m⌉, for l = 1
/// below q + |c|/2^m.
pub fn k_red(c: i64, shape: Shape) -> i64 {
    let c0 = c & ((1 << shape.m) - 1);
    let c1 = c >> shape.m;
    shape.k * c0 - shape.l * c1
}

/// K-RED-2x (section 3): congruent to k²·c. **Range**: |result| ≤ k·(k + |l|)·(2^m − 1) +
/// l²·⌈|c|/2^2m⌉.
pub fn k_red_2x(c: i64, shape: Shape) -> i64 {
    let mask = (1 << shape.m) - 1;
    let (c0, c1, c2) = (c & mask, c >> shape.m & mask, c >> (2 * shape.m));
    shape.k * shape.k * c0 - shape.l * shape.k * c1 + shape.l * shape.l * c2
}

/// A value together with the power of k that it has too much: value ≡ k^power · (the number that is
/// meant).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The integer in the register.
    pub value: i64,
    /// The exponent of the stray factor.
    pub power: i32,
}

impl Word {
    /// The same word; in debug builds panics when it does not fit a signed 32-bit word.
    fn in_32_bits(self) -> Self {
        debug_assert!(i32::try_from(self.value).is_ok(), "{} does not fit 32 bits", self.value);
        self
    }
}

impl Mul for Word {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self { value: self.value * other.value, power: self.power + other.power }
    }
}

impl Add for Word {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        assert_eq!(self.power, other.power, "a sum needs the same power of k on both sides");
        Self { value: self.value + other.value, power: self.power }.in_32_bits()
    }
}

impl Sub for Word {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        assert_eq!(self.power, other.power, "a difference needs the same power of k on both sides");
        Self { value: self.value - other.value, power: self.power }.in_32_bits()
    }
}

/// What Algorithms 3 and 4 compute in: words that know their power of k, or those of 32 bits that the paper timed.
pub trait Register: Copy + Add<Output = Self> + Sub<Output = Self> {
    /// A product, twice as wide.
    type Product: Copy;
    /// A number without a stray factor, of absolute value below 2³¹.
    fn of(value: i64) -> Self;
    /// A factor that is known beforehand.
    fn entry(word: Word) -> Self;
    /// The integer that it holds.
    fn value(self) -> i64;
    /// The same word as a product.
    fn wide(self) -> Self::Product;
    /// A product that fits one word.
    fn narrow(c: Self::Product) -> Self;
    /// The product.
    fn times(self, other: Self) -> Self::Product;
    /// K-RED. One more power of k.
    fn k_red(c: Self::Product) -> Self;
    /// K-RED-2x. Two more powers of k.
    fn k_red_2x(c: Self::Product) -> Self;
    /// A word in (−q, 2q) brought into [0, q).
    fn corrected(self) -> Self;
}

impl Register for Word {
    type Product = Self;

    fn of(value: i64) -> Self {
        Self { value, power: 0 }.in_32_bits()
    }
    fn entry(word: Self) -> Self {
        word
    }
    fn value(self) -> i64 {
        self.value
    }
    fn wide(self) -> Self {
        self
    }
    fn narrow(c: Self) -> Self {
        c.in_32_bits()
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn k_red(c: Self) -> Self {
        Self { value: k_red(c.value, Q12289), power: c.power + 1 }
    }
    fn k_red_2x(c: Self) -> Self {
        Self { value: k_red_2x(c.value, Q12289), power: c.power + 2 }
    }
    fn corrected(self) -> Self {
        Self { value: corrected(self.value), power: self.power }
    }
}

impl Register for i32 {
    type Product = i64;

    #[inline]
    fn of(value: i64) -> Self {
        value as Self
    }
    #[inline]
    fn entry(word: Word) -> Self {
        word.value as Self
    }
    #[inline]
    fn value(self) -> i64 {
        self.into()
    }
    #[inline]
    fn wide(self) -> i64 {
        self.into()
    }
    #[inline]
    fn narrow(c: i64) -> Self {
        c as Self
    }
    #[inline]
    fn times(self, other: Self) -> i64 {
        i64::from(self) * i64::from(other)
    }
    #[inline]
    fn k_red(c: i64) -> Self {
        k_red(c, Q12289) as Self
    }
    #[inline]
    fn k_red_2x(c: i64) -> Self {
        k_red_2x(c, Q12289) as Self
    }
    #[inline]
    fn corrected(self) -> Self {
        corrected(self.into()) as Self
    }
}

/// Two conditional corrections, without branches.
fn corrected(x: i64) -> i64 {
    let q = Q12289.q() as i64;
    let x = x + (q & x >> 63);
    let less = x - q;
    less + (q & less >> 63)
}

/// Tables scaled by k⁻¹, as Algorithms 3 and 4 consume them: of q = 12289 and n = 256, 512 or 1024.
#[derive(Clone, Debug)]
pub struct KTables {
    /// Ψ_{rev,k⁻¹}.
    psi_rev: Vec<Word>,
    /// Ψ⁻¹_{rev,k⁻¹}.
    psi_inv_rev: Vec<Word>,
    /// n⁻¹, and the same times ψ^−brv(1): what steps 21 to 24 multiply with, but for powers of k.
    last: [u64; 2],
}

impl KTables {
    /// **Panics** when q ≠ 12289, or n is not 256, 512 or 1024.
    pub fn of(tables: &Tables) -> Self {
        let q = Q12289.q();
        assert!(tables.q == q && [256, 512, 1024].contains(&tables.n), "q = 12289 and n = 256, 512 or 1024");
        let by = Q12289.k_to_the(-1);
        let scaled = |entries: &[u64]| {
            entries.iter().map(|&entry| Word { value: field::mul(by, entry, q) as i64, power: -1 }).collect()
        };
        let n_inverse = tables.n_inverse();
        let last = [n_inverse, field::mul(n_inverse, tables.psi_inv_rev[1], q)];
        Self { psi_rev: scaled(&tables.psi_rev), psi_inv_rev: scaled(&tables.psi_inv_rev), last }
    }

    /// The number of coefficients.
    pub fn n(&self) -> usize {
        self.psi_rev.len()
    }

    /// The two integers of steps 21 to 24: n⁻¹·K⁻¹·k⁻¹, and the same times ψ^−brv(1). The k⁻¹ is for
    /// the stage's own K-RED.
    fn last_stage_factors(&self, stray: i32) -> [Word; 2] {
        let power = -stray - 1;
        self.last.map(|x| Word { value: field::mul(x, Q12289.k_to_the(power), Q12289.q()) as i64, power })
    }
}

/// Algorithm 3: NTT^K. **Order**: natural in, bit-reversed out.
///
/// **Range**: |input| < q; |output| < 2²³. The result has one power of k more than the input: each
/// K-RED eats the k⁻¹ of its table entry, and stage m = 128 has one reduction more. **Panics** when
/// a has not n elements.
pub fn ntt_k<R: Register>(a: &mut [R], tables: &KTables) {
    assert_eq!(a.len(), tables.n());
    let mut m = 1;
    while m < tables.n() {
        ntt_k_stage(a, tables, m);
        m *= 2;
    }
}

/// Steps 3 to 19: the stage of m blocks.
fn ntt_k_stage<R: Register>(a: &mut [R], tables: &KTables, m: usize) {
    let t = a.len() / (2 * m);
    for (block, entry) in a.chunks_exact_mut(2 * t).zip(&tables.psi_rev[m..]) {
        let s = R::entry(*entry); // 7
        let (low, high) = block.split_at_mut(t);
        for (x, y) in low.iter_mut().zip(high) {
            let mut u = *x;
            let product = y.times(s);
            let v = if m == 128 {
                u = R::k_red(u.wide()); // 12
                R::k_red_2x(product) // 13
            } else {
                R::k_red(product) // 15
            };
            *x = u + v;
            *y = u - v;
        }
    }
}

/// Algorithm 4: INTT^K with the scaling by n⁻¹·K⁻¹, K = k^`stray`, merged into its last stage.
///
/// **Order**: bit-reversed in, natural out. **Range**: |input| < 2¹⁵ (the slots of the key
/// exchange); |output| < 2³⁰. The result has 1 − `stray` powers of k more than the input, for the
/// extra reduction of stage m = 32. **Panics** as [`ntt_k`].
pub fn intt_k<R: Register>(a: &mut [R], tables: &KTables, stray: i32) {
    assert_eq!(a.len(), tables.n());
    let mut m = tables.n();
    while m > 2 {
        intt_k_stage(a, tables, m);
        m /= 2;
    }
    let (low, high) = a.split_at_mut(tables.n() / 2);
    let [left, right] = tables.last_stage_factors(stray).map(R::entry);
    for (x, y) in low.iter_mut().zip(high) {
        let u = *x; // 21
        let v = *y; // 22
        *x = R::k_red((u + v).times(left)); // 23
        *y = R::k_red((u - v).times(right)); // 24
    }
}

/// Steps 3 to 20: the stage of m/2 blocks.
fn intt_k_stage<R: Register>(a: &mut [R], tables: &KTables, m: usize) {
    let (t, h) = (a.len() / m, m / 2);
    for (block, entry) in a.chunks_exact_mut(2 * t).zip(&tables.psi_inv_rev[h..]) {
        let s = R::entry(*entry); // 7
        let (low, high) = block.split_at_mut(t);
        for (x, y) in low.iter_mut().zip(high) {
            let u = *x;
            let v = *y;
            let sum = u + v;
            let product = (u - v).times(s);
            if m == 32 {
                *x = R::k_red(sum.wide()); // 14
                *y = R::k_red_2x(product); // 15
            } else {
                *x = sum;
                *y = R::k_red(product);
            }
        }
    }
}

#[cfg(test)]
mod tests;
