//! The host's part of running programs: the layouts of words, and factors of R.
//!
//! | | `PAPER` | `FAST` |
//! |---|---|---|
//! | coefficients, before a forward or after a backward transform | before: word `i` is `(r, r + n/2)`, `r` the bit reversal of `i`; after: `(i, i + n/2)` | `(i, i + n/2)` |
//! | slots, after a forward transform | `(i, i + n/2)`, canonical | `(2i, 2i + 1)`, bit-reversed |
//! | slots, before a backward transform | as coefficients before a forward one | as after a forward one |
//!
//! Slot `i` in canonical order is the value at `ψ^(2i+1)`.

use crate::{Set, Variant, machine::Word};

/// The meaning of the words of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The input of a forward transform.
    Coefficients,
    /// The output of a forward transform.
    Slots,
    /// The input of a backward transform.
    SlotsForBackward,
    /// The output of a backward transform.
    Result,
}

impl Layout {
    /// The indices of the low and the high half of a word.
    fn indices(self, set: &Set, variant: Variant, word: usize) -> [usize; 2] {
        let (half, bits) = (set.n / 2, set.log_n());
        let reversed = |i: usize, bits: usize| i.reverse_bits() >> (usize::BITS as usize - bits);
        match (variant, self) {
            (Variant::Paper, Self::Coefficients | Self::SlotsForBackward) => {
                let low = reversed(word, bits - 1);
                [low, low + half]
            }
            (Variant::Fast, Self::Slots | Self::SlotsForBackward) => {
                [2 * word, 2 * word + 1].map(|position| reversed(position, bits))
            }
            _ => [word, word + half],
        }
    }

    /// The words of a polynomial, or of its slots in canonical order.
    ///
    /// **Panics** unless there are `n` coefficients.
    pub fn words<T: Copy>(self, set: &Set, variant: Variant, polynomial: &[T]) -> Vec<[T; 2]> {
        assert_eq!(polynomial.len(), set.n, "coefficients of a polynomial");
        (0..set.n / 2).map(|word| self.indices(set, variant, word).map(|i| polynomial[i])).collect()
    }

    /// Converts words to the polynomial, or to its slots in canonical order.
    ///
    /// **Panics** unless there are `n/2` words.
    pub fn polynomial<T: Copy + Default>(self, set: &Set, variant: Variant, words: &[[T; 2]]) -> Vec<T> {
        assert_eq!(words.len(), set.n / 2, "words of a block");
        let mut polynomial = vec![T::default(); set.n];
        for (word, halves) in words.iter().enumerate() {
            for (i, half) in self.indices(set, variant, word).into_iter().zip(halves) {
                polynomial[i] = *half;
            }
        }
        polynomial
    }
}

/// Words times a number, modulo q.
pub fn times(set: &Set, words: &[Word], by: u64) -> Vec<Word> {
    let q = set.modulus();
    words.iter().map(|word| word.map(|c| q.mul(c.into(), by) as u16)).collect()
}

/// Negated words, modulo q.
pub fn minus(set: &Set, words: &[Word]) -> Vec<Word> {
    times(set, words, u64::from(set.q) - 1)
}
