//! The numbers of a modulus in words of some width.

use super::{barrett, double, plantard, shoup, truncated};
use crate::arith::{K2m1, Modulus};

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
    pub(super) const fn new(modulus: Modulus, bits: u32) -> Option<Self> {
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
    pub(super) const fn half(&self) -> i128 {
        (self.modulus() - 1) / 2
    }
}

/// The low `bits` bits of `x` as a signed number.
pub(super) const fn sign_extend(x: i64, bits: u32) -> i64 {
    x << (64 - bits) >> (64 - bits)
}
