//! Upright packing: 16 bit strings side by side, so that shifts pack whole vectors.
//!
//! Of 256 values of `BITS` bits, values `16k + lane`, `k = 0 .. 15`, form the string of that lane, lowest bits first.
//! Strings are cut into words of 16 bits; word `w` of all 16 lanes comes before word `w + 1`, little-endian. So value
//! `k` starts at bit `s = BITS·k mod 16` of word `⌊BITS·k/16⌋`.
//!
//! Source: the designers' code of NTTRU (Lyubashevsky, Seiler 2019).
//!
//! **Constant time:** yes; words and shifts are fixed.

use lanes::{Backend, Lanes16, Task16};

/// Values in a block.
pub(crate) const BLOCK: usize = 256;

/// Vectors of 16 values in a block; also the bits of a word.
const WORD: usize = 16;

/// Runs `$body` for constants `$k` from 0 up to 15.
macro_rules! each {
    (|$k:ident| $body:expr) => {
        each!([0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15], |$k| $body)
    };
    ([$($number:literal)*], |$k:ident| $body:expr) => {
        $({
            const $k: usize = $number;
            $body
        })*
    };
}

/// Packs values that have `BITS` bits after adding `OFFSET`: `BITS` words from 16 values, in multiples of [`BLOCK`].
pub(crate) fn pack<const BITS: usize, const OFFSET: i16>(backend: Backend, words: &mut [i16], values: &[i16]) {
    assert_eq!(words.len() << 4, values.len() * BITS, "length of packed values");
    assert_eq!(values.len() & (BLOCK - 1), 0, "whole blocks of values");
    backend.at_most(WORD, 16).run16(Pack::<BITS, OFFSET> { words, values });
}

/// Undoes [`pack`]; returns whether all values are below `limit`.
#[must_use]
pub(crate) fn unpack<const BITS: usize>(backend: Backend, values: &mut [i16], words: &[i16], limit: i16) -> bool {
    assert_eq!(words.len() << 4, values.len() * BITS, "length of packed values");
    assert_eq!(values.len() & (BLOCK - 1), 0, "whole blocks of values");
    backend.at_most(WORD, 16).run16(Unpack::<BITS> { values, words, limit })
}

struct Pack<'a, const BITS: usize, const OFFSET: i16> {
    words: &'a mut [i16],
    values: &'a [i16],
}

impl<const BITS: usize, const OFFSET: i16> Task16 for Pack<'_, BITS, OFFSET> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        let parts = WORD >> L::LANES.ilog2(); // vectors of the backend in 16 values
        let blocks = L::blocks(self.values).chunks_exact(WORD * parts);
        for (words, values) in L::blocks_mut(self.words).chunks_exact_mut(BITS * parts).zip(blocks) {
            for part in 0..parts {
                each!(|W| if W < BITS {
                    let word = packed::<L, BITS, OFFSET, W>(l, values, parts, part);
                    l.store(&mut words[W * parts + part], word);
                });
            }
        }
    }
}

/// Word `W` of one bit string: from the value that holds its lowest bit to the one that holds its highest bit.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
fn packed<L: Lanes16, const BITS: usize, const OFFSET: i16, const W: usize>(
    l: L,
    values: &[L::Block],
    parts: usize,
    part: usize,
) -> L::V {
    let (first, last) = const { (WORD * W / BITS, (WORD * W + WORD - 1) / BITS) };
    let value = |k: usize| {
        let value = l.load(&values[k * parts + part]);
        if OFFSET == 0 { value } else { l.add(value, l.splat(OFFSET)) }
    };
    let mut word = l.shr_by(value(first), const { (WORD * W % BITS) as u32 });
    for k in first + 1..=last {
        word = l.or(word, l.shl_by(value(k), (BITS * k - WORD * W) as u32));
    }
    word
}

struct Unpack<'a, const BITS: usize> {
    values: &'a mut [i16],
    words: &'a [i16],
    limit: i16,
}

impl<const BITS: usize> Task16 for Unpack<'_, BITS> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) -> bool {
        let parts = WORD >> L::LANES.ilog2();
        let blocks = L::blocks(self.words).chunks_exact(BITS * parts);
        let (limit, mut all_below) = (l.splat(self.limit), l.splat(-1));
        for (values, words) in L::blocks_mut(self.values).chunks_exact_mut(WORD * parts).zip(blocks) {
            for part in 0..parts {
                each!(|K| {
                    let value = unpacked::<L, BITS, K>(l, words, parts, part);
                    all_below = l.and(all_below, l.gt(limit, value));
                    l.store(&mut values[K * parts + part], value);
                });
            }
        }
        let mut masks = [-1; WORD];
        l.store(&mut L::blocks_mut(&mut masks)[0], all_below);
        masks.iter().fold(-1, |all, mask| all & mask) != 0
    }
}

/// Value `K` of one bit string, from one or two words.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
fn unpacked<L: Lanes16, const BITS: usize, const K: usize>(
    l: L,
    words: &[L::Block],
    parts: usize,
    part: usize,
) -> L::V {
    let (at, shift) = const { (BITS * K / WORD, (BITS * K % WORD) as u32) };
    let mask = |bits: u32| l.splat(((1_u32 << bits) - 1) as u16 as i16);
    let word = l.load(&words[at * parts + part]);
    if shift + BITS as u32 <= WORD as u32 {
        return l.and(l.shr_by(word, shift), mask(BITS as u32));
    }
    let rest = WORD as u32 - shift;
    let low = l.and(l.shr_by(word, shift), mask(rest)); // a shift of signed words
    let high = l.shl_by(l.load(&words[(at + 1) * parts + part]), rest);
    l.or(low, l.and(high, mask(BITS as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn check<const BITS: usize>() {
        let values: Vec<i16> = (0..3 * BLOCK).map(|i| ((i * i * 31 + 7 * i + 5) & ((1 << BITS) - 1)) as i16).collect();
        let bit = |block: usize, lane: usize, i: usize| values[256 * block + 16 * (i / BITS) + lane] >> (i % BITS) & 1;
        let word =
            |block, lane, w: usize| (0..16).fold(0_u16, |sum, i| sum | (bit(block, lane, 16 * w + i) as u16) << i);
        let expected: Vec<i16> =
            (0..3 * 16 * BITS).map(|i| word(i / (16 * BITS), i & 15, i / 16 % BITS) as i16).collect();
        for backend in Backend::available() {
            let mut words = vec![-1; 3 * 16 * BITS];
            pack::<BITS, 0>(backend, &mut words, &values);
            assert_eq!(words, expected, "{BITS} bits, {backend}");
            let less: Vec<i16> = values.iter().map(|value| value - 1).collect();
            words.fill(-1);
            pack::<BITS, 1>(backend, &mut words, &less);
            assert_eq!(words, expected, "{BITS} bits of what is one more, {backend}");
            let mut back = vec![-1; values.len()];
            let largest = *values.iter().max().unwrap();
            assert!(unpack::<BITS>(backend, &mut back, &words, largest + 1), "{BITS} bits, {backend}");
            assert_eq!(back, values, "{BITS} bits, {backend}");
            assert!(!unpack::<BITS>(backend, &mut back, &words, largest), "{BITS} bits, {backend}");
        }
    }

    #[test]
    fn packing_is_strings_of_bits_side_by_side() {
        check::<1>();
        check::<2>();
        check::<7>();
        check::<13>();
        check::<14>();
    }
}
