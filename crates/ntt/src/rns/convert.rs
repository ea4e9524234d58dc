//! Integers to residues and back.
//!
//! Operations that depend on the size of a number go through its mixed-radix digits:
//! `x = v_1 + v_2·p_1 + v_3·p_1·p_2 + …` with `0 ≤ v_i < p_i`, where `v_i` is
//! `((x - v_1)·p_1^-1 - v_2)·p_2^-1 ⋯ mod p_i`. All of this is exact. Source: Garner, *The residue
//! number system* (1959).

use super::{Channel, Rns, limbs};
use crate::{
    exec::{Buffer, Operands, each},
    network::Elementwise,
    threads::each_piece,
    word::Word,
};
use alloc::vec::Vec;
use core::ops::Range;

/// Coefficients processed together: their digits stay in the first-level cache.
pub(super) const NEAR: usize = 1024;

impl<T: Word> Rns<T> {
    /// The residues of `n` integers, all with the same number of limbs. The integers need not be
    /// below `Q`.
    ///
    /// - **Order:** natural. **Range:** out `[0, p)`.
    /// - **Constant time:** yes, for a given number of limbs.
    /// - **Panics** if `out` does not have [`words`](Self::words) words, or if the length of
    ///   `integers` is not a positive multiple of `n`.
    pub fn decompose(&self, out: &mut [T], integers: &[u64]) {
        self.check(out.len());
        self.residues_of(out, integers, false);
    }

    /// [`decompose`](Self::decompose) for integers in two's complement.
    ///
    /// **Order**, **range**, **constant time**, **panics:** as for `decompose`.
    pub fn decompose_signed(&self, out: &mut [T], integers: &[u64]) {
        self.check(out.len());
        self.residues_of(out, integers, true);
    }

    /// [`decompose`](Self::decompose) for coefficients of 64 bits.
    ///
    /// **Order**, **range**, **constant time**, **panics:** as for `decompose`.
    pub fn decompose_i64(&self, out: &mut [T], coefficients: &[i64]) {
        let limbs: Vec<u64> = coefficients.iter().map(|x| *x as u64).collect();
        let limbs = Buffer::of(limbs);
        self.check(out.len());
        self.residues_of(out, limbs.words(), true);
    }

    /// The residues of `n` coefficients of any size, given as words.
    ///
    /// **Order**, **range**, **constant time**, **panics:** as [`decompose`](Self::decompose).
    pub fn decompose_words(&self, out: &mut [T], coefficients: &[T]) {
        self.check(out.len());
        assert_eq!(coefficients.len(), self.n(), "coefficients");
        self.residues_of_words(out, coefficients);
    }

    /// The residues of any number of words, modulo one prime after the other.
    pub(super) fn residues_of_words(&self, out: &mut [T], coefficients: &[T]) {
        each_piece(
            out,
            coefficients.len().max(1),
            || (),
            |(), i, residues| {
                let channel = &self.channels[i];
                residues.copy_from_slice(coefficients);
                if T::SIGNED {
                    each(channel.backend(), &channel.contract, Elementwise::Canonical, Operands::of(residues));
                } else {
                    add_to_all(channel, residues, least(), Elementwise::AddWords);
                    let half_a_word = channel.residue(&[1 << (T::BITS - 1)]);
                    add_to_all(channel, residues, half_a_word, Elementwise::Add { negative: false });
                }
            },
        );
    }

    /// The residues of as many integers as fit `out`, modulo one prime after the other.
    pub(super) fn residues_of(&self, out: &mut [T], integers: &[u64], signed: bool) {
        let count = (out.len() / self.channels.len()).max(1);
        let limbs = integers.len() / count;
        assert!(limbs > 0 && integers.len() == count * limbs, "{} limbs of {count} integers", integers.len());
        let rows = self.rows(integers, limbs, signed, count);
        each_piece(out, count, || (), |(), i, out| self.residues_of_rows(i, out, &rows));
    }

    /// Integers of `limbs` limbs, and zeros up to `count` integers, as digits.
    pub(super) fn rows(&self, integers: &[u64], limbs: usize, signed: bool, count: usize) -> DigitRows<T> {
        // Digits are below twice every prime, if primes are not small.
        let bits = self.channels.iter().map(|channel| channel.contract.modulus().bits()).min();
        let bits = bits.unwrap_or_default().max(T::BITS / 2);
        let of_each = (64 * limbs).div_ceil(bits as usize);
        let mut words = Buffer::zeros(count * of_each);
        each_piece(
            words.words_mut(),
            NEAR * of_each,
            || (),
            |(), i, rows| {
                let start = (i * NEAR * limbs).min(integers.len());
                let end = (start + rows.len() / of_each * limbs).min(integers.len());
                read_digits(rows, &integers[start..end], [limbs, of_each], bits, signed);
            },
        );
        DigitRows { words, of_each, bits, offset: signed.then_some(64 * limbs as u64 - 1) }
    }

    /// The residues modulo one prime of integers in rows; zero beyond these. By Horner's rule.
    pub(super) fn residues_of_rows(&self, i: usize, out: &mut [T], rows: &DigitRows<T>) {
        let channel = &self.channels[i];
        let (p, backend, contract) = (channel.contract.modulus(), channel.backend(), &channel.contract);
        let scaling = &channel.twiddle(p.pow(2, rows.bits.into()));
        let small = p.bits() >= rows.bits;
        let how = if small { Elementwise::ScaleAndAddSmall } else { Elementwise::ScaleAndAdd };
        let offset = rows.offset.map(|bits| [T::truncated(p.pow(2, bits) as i64); NEAR]);
        let mut near = rows.words.words().chunks(NEAR * rows.of_each);
        for x in out.chunks_mut(NEAR) {
            let Some(near) = near.next() else {
                x.fill(T::default());
                continue;
            };
            let mut digits = near.chunks_exact(x.len()).rev();
            x.copy_from_slice(digits.next().expect("two digits at least"));
            for digit in digits {
                each(backend, contract, how, Operands { scaling, ..Operands::new([&mut *x], [digit]) });
            }
            if let Some(offset) = &offset {
                add(channel, x, offset, Elementwise::Add { negative: true });
            }
        }
    }

    /// The integers in `[0, Q)` that have these residues, each of [`limbs`](Self::limbs) limbs.
    ///
    /// - **Order:** natural. **Range:** in `(-p, p)`, or `[0, p)` in unsigned words.
    /// - **Constant time:** yes.
    /// - **Panics** if `residues` does not have [`words`](Self::words) words, or `integers` does
    ///   not have `n·limbs`.
    pub fn recompose(&self, integers: &mut [u64], residues: &[T]) {
        self.check(residues.len());
        self.integers_of(integers, residues, false);
    }

    /// [`recompose`](Self::recompose) with the integers in `[-Q/2, Q/2]`, in two's complement.
    ///
    /// **Order**, **range**, **constant time**, **panics:** as for `recompose`.
    pub fn recompose_centred(&self, integers: &mut [u64], residues: &[T]) {
        self.check(residues.len());
        self.integers_of(integers, residues, true);
    }

    /// As many integers as there are residues modulo each prime.
    pub(super) fn integers_of(&self, integers: &mut [u64], residues: &[T], centred: bool) {
        let (count, limbs) = (residues.len() / self.channels.len(), self.limbs());
        assert_eq!(integers.len(), count * limbs, "limbs of {count} integers");
        each_piece(
            integers,
            NEAR * limbs,
            || self.memory(),
            |near, i, integers| self.compose_some(integers, near.words_mut(), residues, i * NEAR, centred),
        );
    }

    /// Memory for the digits of the coefficients processed together.
    pub(super) fn memory(&self) -> Buffer<T> {
        Buffer::zeros(NEAR * self.channels.len())
    }

    /// The integers from coefficient `start` on, at most [`NEAR`] and in whole vectors.
    pub(super) fn compose_some(
        &self,
        integers: &mut [u64],
        near: &mut [T],
        residues: &[T],
        start: usize,
        centred: bool,
    ) {
        let here = integers.len() / self.limbs();
        let digits = &mut near[..here * self.channels.len()];
        self.digits(digits, residues, start..start + here, centred);
        self.compose(integers, digits, centred);
    }

    /// The integers from their digits, which are in `[0, p)`.
    fn compose(&self, integers: &mut [u64], digits: &[T], centred: bool) {
        const TOGETHER: usize = 64;
        let limbs = self.limbs();
        let (here, mut sums) = (integers.len() / limbs, [0; TOGETHER]);
        for (at, integers) in integers.chunks_mut(TOGETHER * limbs).enumerate() {
            let mut rows = digits.chunks_exact(here).rev().map(|row| &row[at * TOGETHER..]);
            for (i, (primes, product)) in self.groups.iter().rev().enumerate() {
                sums.fill(0);
                for (p, row) in primes.iter().rev().zip(rows.by_ref()) {
                    for (sum, digit) in sums.iter_mut().zip(T::signed(row)) {
                        *sum = *sum * p + (*digit).into() as u64;
                    }
                }
                // So many groups before this one, so many limbs: the product of a group fits one.
                match i.min(limbs) {
                    0 => extend(integers, limbs, 0, *product, &sums),
                    1 => extend(integers, limbs, 1, *product, &sums),
                    2 => extend(integers, limbs, 2, *product, &sums),
                    3 => extend(integers, limbs, 3, *product, &sums),
                    known => extend(integers, limbs, known, *product, &sums),
                }
            }
            if centred {
                integers.chunks_exact_mut(limbs).for_each(|integer| limbs::subtract(integer, &self.half));
            }
        }
    }

    /// The mixed-radix digits of a range of coefficients: for all of them the digits of `p_1`, then
    /// those of `p_2`, and so on.
    ///
    /// - **Order:** natural. **Range:** in `(-p, p)`, or `[0, p)` in unsigned words; out `[0, p)`.
    /// - **Constant time:** yes.
    /// - **Panics** if `residues` does not have [`words`](Self::words) words, or if `digits` does
    ///   not have one word for each prime and coefficient; or if an end of the range is neither `n`
    ///   nor a multiple of 64 below `n`.
    pub fn mixed_radix(&self, digits: &mut [T], residues: &[T], coefficients: Range<usize>) {
        self.check(residues.len());
        let length = self.check_range(coefficients.clone());
        assert_eq!(digits.len(), length * self.channels.len(), "digits of {length} coefficients");
        if length > 0 {
            self.digits(digits, residues, coefficients, false);
        }
    }

    /// The number of coefficients in the range, whose ends must be ends of vectors of any width.
    fn check_range(&self, Range { start, end }: Range<usize>) -> usize {
        let whole = |at: usize| at == self.n() || at.is_multiple_of(64) && at < self.n();
        assert!(start <= end && whole(start) && whole(end), "{start} to {end} are no groups of 64 coefficients");
        end - start
    }

    /// The digits of `x`, or of `x + ⌊Q/2⌋ mod Q` if `centred`, of some of as many coefficients as there are residues
    /// modulo each prime.
    pub(super) fn digits(&self, digits: &mut [T], residues: &[T], coefficients: Range<usize>, centred: bool) {
        let (all, length) = (residues.len() / self.channels.len(), coefficients.len());
        for (j, channel) in self.channels.iter().enumerate() {
            let (before, rest) = digits.split_at_mut(j * length);
            let (x, contract, backend) = (&mut rest[..length], &channel.contract, channel.backend());
            x.copy_from_slice(&residues[j * all..][coefficients.clone()]);
            if centred {
                add_to_all(channel, x, channel.half, Elementwise::Add { negative: false });
            }
            for (digit, scaling) in before.chunks_exact(length).zip(&channel.inverses) {
                let operands = Operands { scaling, ..Operands::new([&mut *x], [digit]) };
                each(backend, contract, Elementwise::SubtractAndScale, operands);
            }
            each(backend, contract, Elementwise::CanonicalOfReduced, Operands::of(x));
        }
    }
}

/// Adds a word to every word, or subtracts it; canonical. The sum with [`least`] turns unsigned words into signed ones.
pub(super) fn add_to_all<T: Word>(channel: &Channel<T>, x: &mut [T], addend: T, how: Elementwise) {
    let addend = [addend; NEAR];
    x.chunks_mut(NEAR).for_each(|x| add(channel, x, &addend, how));
}

/// Adds the first words of `addend`, or subtracts them; canonical.
fn add<T: Word>(channel: &Channel<T>, x: &mut [T], addend: &[T; NEAR], how: Elementwise) {
    let addend = &addend[..x.len()];
    each(channel.backend(), &channel.contract, how, Operands::new([x], [addend]));
}

/// `-2^(BITS - 1)`: its wrapping sum with an unsigned word is a signed word.
fn least<T: Word>() -> T {
    T::truncated(-1 << (T::BITS - 1))
}

/// Integers as digits to the base `2^bits`: of [`NEAR`] integers the lowest digits, then the next ones, and so on; then
/// those of the next integers.
pub(super) struct DigitRows<T: Word> {
    words: Buffer<T>,
    /// Digits of an integer.
    of_each: usize,
    bits: u32,
    /// The power of two that was added to signed integers.
    offset: Option<u64>,
}

/// The digits of integers of `limbs` limbs, in rows. To signed ones, half of their range is added.
fn read_digits<T: Word>(rows: &mut [T], integers: &[u64], [limbs, of_each]: [usize; 2], bits: u32, signed: bool) {
    // Integers that share a line of the cache in every row.
    const TOGETHER: usize = 8;
    let count = rows.len() / of_each;
    for (block, integers) in integers.chunks(TOGETHER * limbs).enumerate() {
        for (digit, row) in rows.chunks_exact_mut(count).enumerate() {
            let start = digit * bits as usize;
            // The sum with half of the range differs in the highest bit.
            let flip = if signed && digit + 1 == of_each { 1 << (64 * limbs - 1 - start) } else { 0 };
            for (word, integer) in row[block * TOGETHER..].iter_mut().zip(integers.chunks_exact(limbs)) {
                *word = T::truncated(limbs::digit(integer, start, bits) ^ flip);
            }
        }
    }
}

/// Multiplies integers, of which so many limbs are known, by a factor, and adds a number to each.
#[inline(always)]
fn extend(integers: &mut [u64], limbs: usize, known: usize, factor: u64, addends: &[u64]) {
    for (integer, addend) in integers.chunks_exact_mut(limbs).zip(addends) {
        let (integer, rest) = integer.split_at_mut(known);
        let above = limbs::multiply_and_add(integer, factor, *addend);
        rest.first_mut().into_iter().for_each(|limb| *limb = above);
    }
}
