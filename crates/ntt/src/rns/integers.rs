//! Large integers as polynomials: limbs are coefficients at `X = 2^64`.

use super::{
    Rns,
    convert::{DigitRows, NEAR},
};
use crate::{
    exec::Buffer,
    threads::{both, each_piece},
    word::Word,
};
use alloc::vec::Vec;
use lanes::add_with_carry;

impl<T: Word> Rns<T> {
    /// The product of two polynomials whose coefficients are limbs, at most `n` of them, constant
    /// term first. If no coefficient of the product over the integers reaches `Q`, and nothing
    /// wraps around in the ring, [`recompose`](Self::recompose) gives these coefficients, and
    /// [`recompose_integer`](Self::recompose_integer) gives the product of the operands' values at
    /// `X = 2^64`.
    ///
    /// - **Order:** natural. **Range:** out `[0, p)`.
    /// - **Constant time:** yes, for given numbers of limbs.
    /// - **Panics** if `c` does not have [`words`](Self::words) words, or if an operand has more
    ///   than `n` limbs.
    pub fn multiply_limbs(&self, c: &mut [T], a: &[u64], b: &[u64]) {
        self.check(c.len());
        let n = self.n();
        assert!(a.len() <= n && b.len() <= n, "{} and {} limbs in degree {n}", a.len(), b.len());
        let rows = [a, b].map(|operand| self.limb_rows(operand));
        each_piece(
            c,
            n,
            || Buffer::zeros(2 * n),
            |scratch, i, c| {
                let (a_hat, b_hat) = scratch.words_mut().split_at_mut(n);
                both([&mut *a_hat, &mut *b_hat], |operand, words| {
                    self.residues_of_rows(i, words, &rows[operand]);
                    self.channels[i].plan.forward_operand(words);
                });
                self.channels[i].plan.multiply_operands(c, a_hat, b_hat);
            },
        );
    }

    /// [`multiply_limbs`](Self::multiply_limbs) for a polynomial and itself.
    ///
    /// **Order**, **range**, **constant time**, **panics:** as for `multiply_limbs`.
    pub fn square_limbs(&self, c: &mut [T], a: &[u64]) {
        self.check(c.len());
        let n = self.n();
        assert!(a.len() <= n, "{} limbs in degree {n}", a.len());
        let rows = self.limb_rows(a);
        each_piece(
            c,
            n,
            || Buffer::zeros(n),
            |scratch, i, c| {
                let a_hat = scratch.words_mut();
                self.residues_of_rows(i, a_hat, &rows);
                self.channels[i].plan.forward_operand(a_hat);
                self.channels[i].plan.multiply_operands(c, a_hat, a_hat);
            },
        );
    }

    /// Limbs as coefficients.
    fn limb_rows(&self, limbs: &[u64]) -> DigitRows<T> {
        self.rows(limbs, 1, false, limbs.len().next_multiple_of(NEAR).min(self.n()))
    }

    /// The value at `X = 2^64` of the polynomial with coefficients in `[0, Q)`, modulo `2^64` to
    /// the number of limbs of `out`: the sum of its coefficients, each one limb above the previous
    /// one.
    ///
    /// - **Range:** in `(-p, p)`, or `[0, p)` in unsigned words.
    /// - **Constant time:** yes, for a given number of limbs.
    /// - **Panics** if `residues` does not have [`words`](Self::words) words.
    ///
    /// ```
    /// use ringwork_ntt::{Request, Rns};
    ///
    /// // Products of 64 limbs at most: coefficients below 64·2^128, and nothing wraps.
    /// let rns = Rns::<u32>::of_bits(&Request::new(64, 0).cyclic(), 134)?;
    /// let mut c = vec![0; rns.words()];
    /// rns.multiply_limbs(&mut c, &[u64::MAX, u64::MAX], &[u64::MAX]);
    /// let mut product = [0; 3];
    /// rns.recompose_integer(&mut product, &c);
    /// assert_eq!(product, [1, u64::MAX, u64::MAX - 1]); // (2^128 - 1)·(2^64 - 1)
    /// # Ok::<(), ringwork_ntt::RnsError>(())
    /// ```
    pub fn recompose_integer(&self, out: &mut [u64], residues: &[T]) {
        self.check(residues.len());
        let (n, limbs) = (self.n(), self.limbs());
        let memory = || (self.memory(), Buffer::zeros(NEAR * limbs));
        let above = each_piece(out, NEAR, memory, |(near, integers), i, out| {
            let start = n.min(i * NEAR);
            let here = (n - start).min(out.len().next_multiple_of(64));
            let integers = &mut integers.words_mut()[..here * limbs];
            if here > 0 {
                self.compose_some(integers, near.words_mut(), residues, start, false);
            }
            if limbs == 3 { add_up(out, integers, 3) } else { add_up(out, integers, limbs) }
        });
        let mut carry = false;
        for (out, above) in out.chunks_mut(NEAR).skip(1).zip(&above) {
            let (first, rest) = out.split_at_mut(limbs.min(out.len()));
            first.iter_mut().zip(above).for_each(|(limb, above)| *limb = add_with_carry(*limb, *above, &mut carry));
            rest.iter_mut().for_each(|limb| *limb = add_with_carry(*limb, 0, &mut carry));
        }
    }
}

/// Adds up integers with equal numbers of limbs, each one limb above the previous one, and returns
/// the part above `out`.
#[inline(always)]
fn add_up(out: &mut [u64], integers: &[u64], limbs: usize) -> Vec<u64> {
    let (count, length) = (integers.len() / limbs, out.len());
    let mut carry = 0_u128;
    let mut next = |sum: u128| {
        carry += sum;
        let limb = carry as u64;
        carry >>= 64;
        limb
    };
    // Terms of limb `k` of the sum: limb `j` of the integer `k - j`, if there is one.
    let some = |k: usize| -> u128 {
        let there = |j: &usize| *j <= k && k - j < count;
        (0..limbs).filter(there).map(|j| u128::from(integers[(k - j) * limbs + j])).sum()
    };
    let whole = (limbs - 1).min(length)..count.min(length).max((limbs - 1).min(length));
    out[..whole.start].iter_mut().enumerate().for_each(|(k, to)| *to = next(some(k)));
    for (to, window) in out[whole.clone()].iter_mut().zip(integers.windows(limbs * limbs).step_by(limbs)) {
        *to = next((0..limbs).map(|j| u128::from(window[(limbs - 1 - j) * limbs + j])).sum());
    }
    out[whole.end..].iter_mut().enumerate().for_each(|(k, to)| *to = next(some(whole.end + k)));
    (length..length + limbs).map(|k| next(some(k))).collect()
}
