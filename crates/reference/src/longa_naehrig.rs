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
//! [`sequences`].
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
    /// K-RED. One more power of k.
    pub fn k_red(self, shape: Shape) -> Self {
        Self { value: k_red(self.value, shape), power: self.power + 1 }
    }

    /// K-RED-2x. Two more powers of k.
    pub fn k_red_2x(self, shape: Shape) -> Self {
        Self { value: k_red_2x(self.value, shape), power: self.power + 2 }
    }

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
        Self { value: self.value + other.value, power: self.power }
    }
}

impl Sub for Word {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        assert_eq!(self.power, other.power, "a difference needs the same power of k on both sides");
        Self { value: self.value - other.value, power: self.power }
    }
}

/// Ψ_{rev,k⁻¹}\[j\]: a table entry scaled by k⁻¹, as Algorithms 3 and 4 consume it.
fn scaled(entry: u64) -> Word {
    Word { value: field::mul(Q12289.k_to_the(-1), entry, Q12289.q()) as i64, power: -1 }
}

fn check_32_bit_case(a: &[Word], tables: &Tables) {
    assert_eq!(a.len(), tables.n);
    assert!(tables.q == Q12289.q() && [256, 512, 1024].contains(&tables.n), "q = 12289 and n = 256, 512 or 1024");
}

/// Algorithm 3: NTT^K. **Order**: natural in, bit-reversed out.
///
/// **Range**: |input| < q; |output| < 2²³. The result has one power of k more than the input: each
/// K-RED eats the k⁻¹ of its table entry, and stage m = 128 has one reduction more. **Panics** when
/// a has not n elements, q ≠ 12289, or n is not 256, 512 or 1024.
pub fn ntt_k(a: &mut [Word], tables: &Tables) {
    check_32_bit_case(a, tables);
    let mut m = 1;
    while m < tables.n {
        ntt_k_stage(a, tables, m);
        m *= 2;
    }
}

/// Steps 3 to 19: the stage of m blocks.
fn ntt_k_stage(a: &mut [Word], tables: &Tables, m: usize) {
    let t = tables.n / (2 * m);
    for i in 0..m {
        let j1 = 2 * i * t;
        let s = scaled(tables.psi_rev[m + i]); // 7
        for j in j1..j1 + t {
            let mut u = a[j];
            let mut v = a[j + t] * s;
            if m == 128 {
                u = u.k_red(Q12289); // 12
                v = v.k_red_2x(Q12289); // 13
            } else {
                v = v.k_red(Q12289); // 15
            }
            a[j] = (u + v).in_32_bits();
            a[j + t] = (u - v).in_32_bits();
        }
    }
}

/// Algorithm 4: INTT^K with the scaling by n⁻¹·K⁻¹, K = k^`stray`, merged into its last stage.
///
/// **Order**: bit-reversed in, natural out. **Range**: |input| < 2¹⁵ (the slots of the key
/// exchange); |output| < 2³⁰. The result has 1 − `stray` powers of k more than the input, for the
/// extra reduction of stage m = 32. **Panics** as [`ntt_k`].
pub fn intt_k(a: &mut [Word], tables: &Tables, stray: i32) {
    check_32_bit_case(a, tables);
    let mut m = tables.n;
    while m > 2 {
        intt_k_stage(a, tables, m);
        m /= 2;
    }
    let t = tables.n / 2;
    let (left, right) = last_stage_factors(tables, stray);
    for j in 0..t {
        let u = a[j]; // 21
        let v = a[j + t]; // 22
        a[j] = ((u + v) * left).k_red(Q12289).in_32_bits(); // 23
        a[j + t] = ((u - v) * right).k_red(Q12289).in_32_bits(); // 24
    }
}

/// Steps 3 to 20: the stage of m/2 blocks.
fn intt_k_stage(a: &mut [Word], tables: &Tables, m: usize) {
    let (t, h) = (tables.n / m, m / 2);
    for i in 0..h {
        let j1 = 2 * i * t;
        let s = scaled(tables.psi_inv_rev[h + i]); // 7
        for j in j1..j1 + t {
            let u = a[j];
            let v = a[j + t];
            a[j] = (u + v).in_32_bits();
            a[j + t] = (u - v) * s;
            if m == 32 {
                a[j] = a[j].k_red(Q12289); // 14
                a[j + t] = a[j + t].k_red_2x(Q12289); // 15
            } else {
                a[j + t] = a[j + t].k_red(Q12289);
            }
            a[j + t] = a[j + t].in_32_bits();
        }
    }
}

/// The two integers of steps 21 to 24: n⁻¹·K⁻¹·k⁻¹, and the same times ψ^−brv(1). The k⁻¹ is for
/// the stage's own K-RED.
fn last_stage_factors(tables: &Tables, stray: i32) -> (Word, Word) {
    let q = Q12289.q();
    let power = -stray - 1;
    let n_inverse = field::inverse(tables.n as u64, q).expect("n is prime to q");
    let left = field::mul(n_inverse, Q12289.k_to_the(power), q);
    let right = field::mul(left, tables.psi_inv_rev[1], q);
    (Word { value: left as i64, power }, Word { value: right as i64, power })
}

#[cfg(test)]
mod tests;
