//! Products of polynomials by one product of large integers (Kronecker's substitution): coefficients are packed
//! side by side with room for their sums.

use super::{Made, Work, digest, sample};
use std::hint::black_box;

pub(super) fn make(who: &str, work: Work, n: usize, q: u64) -> Result<Made, String> {
    if !matches!(work, Work::Product) {
        return Err("it has products alone".into());
    }
    let product: fn(&[u64], &[u64]) -> Vec<u64> = match who {
        "num-bigint" => |a, b| {
            let integer = |words: &[u64]| {
                let digits = words.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect();
                num_bigint::BigUint::new(digits)
            };
            (integer(a) * integer(b)).iter_u64_digits().collect()
        },
        _ => |a, b| {
            let integer = |words: &[u64]| dashu_int::UBig::from_words(words);
            (integer(a) * integer(b)).as_words().to_vec()
        },
    };
    let (a, b) = (sample(n, q, 1), sample(n, q, 2));
    let run = move || {
        let slot = Slot::new(n, q);
        slot.product(&product(&slot.packed(black_box(&a)), &slot.packed(black_box(&b))))
    };
    let digest = digest(run());
    let job = move || {
        black_box(run());
    };
    Ok((Box::new(job), digest))
}

/// How coefficients lie in an integer.
struct Slot {
    n: usize,
    q: u64,
    bits: usize,
}

impl Slot {
    fn new(n: usize, q: u64) -> Self {
        let of_residue = (u64::BITS - (q - 1).leading_zeros()) as usize;
        Self { n, q, bits: 2 * of_residue + n.next_power_of_two().ilog2() as usize }
    }

    fn packed(&self, a: &[u64]) -> Vec<u64> {
        let mut words = vec![0; (self.n * self.bits).div_ceil(64) + 1];
        for (i, &x) in a.iter().enumerate() {
            let (word, shift) = (i * self.bits / 64, i * self.bits % 64);
            words[word] |= x << shift;
            if shift > 0 {
                words[word + 1] |= x >> (64 - shift);
            }
        }
        words
    }

    /// The coefficients modulo `X^n + 1` and `q`.
    fn product(&self, words: &[u64]) -> Vec<u64> {
        let word = |i: usize| u128::from(words.get(i).copied().unwrap_or_default());
        let q = u128::from(self.q);
        let radix = ((1 << 64) % q).pow(2) % q; // 2^128, for q below 2^64
        let coefficient = |i: usize| {
            let (at, shift) = (i * self.bits / 64, i * self.bits % 64);
            // 64 bits from each place on.
            let [low, middle, high] = [0, 1, 2].map(|k| (word(at + k) >> shift | word(at + k + 1) << (64 - shift)) as u64);
            let below = u128::from(low) | u128::from(middle) << 64;
            match self.bits.checked_sub(128) {
                None => ((below & ((1 << self.bits) - 1)) % q) as u64,
                Some(above) => ((below % q + u128::from(high & ((1 << above) - 1)) % q * radix % q) % q) as u64,
            }
        };
        (0..self.n)
            .map(|i| {
                let (low, high) = (coefficient(i), coefficient(self.n + i));
                if low >= high { low - high } else { low + self.q - high }
            })
            .collect()
    }
}
