//! Reconciliation: derives one bit string from two polynomials that nearly agree, in constant-time
//! integer arithmetic.
//!
//! For each group `x = (v_i, v_{i+256}, v_{i+512}, v_{i+768})` and one random bit `b`:
//! `HelpRec(x; b) = CVP((4/q)(x + b·g)) mod 4` with `g = (1/2, 1/2, 1/2, 1/2)`, and
//! `Rec(x, r) = LDDecode(x/q - (1/4)(r_0 + r_3/2, r_1 + r_3/2, r_2 + r_3/2, r_3/2))`.
//!
//! In integers of 16 bits:
//!
//! - With `y = 2x + b`, `(4/q)(x + b/2) = 2y/q`. `⌊2y/q - 1/2⌉ = ⌊2y/q⌋` is a product with
//!   [`OVER_Q`] and a shift, and `⌊2y/q⌉ = ⌊2(y + ⌊q/4⌋)/q⌋`.
//! - With `e = (2r_0+r_3, 2r_1+r_3, 2r_2+r_3, r_3)`, the decoded point is `(8x_j - q·e_j)/8q`. Let
//!   `g = (e + 4) mod 8` and `T = 8x - qg`: modulo `8q` the numerator is `T + 4q`, and as
//!   `|T| ≤ 8q`, its distance from the multiples of `8q` is `|4q - |T||`. With `q = 8·1536 + 1` and
//!   `h = x - 1536g`, `T = 8h - g`: units of eight, and a rest.
//!
//! Comparisons give masks, so there are no branches and no table lookups.
//!
//! Source: Alkim, Ducas, Pöppelmann, Schwabe 2016, section 5; the key bit is 1 when the distance is
//! below 1, as in the designers' code.

use super::params::{HINT_BYTES, N, NewHopeRing};
use crate::{
    ct::SecretBytes,
    ring::{Parameters, Poly, join},
};
use lanes::{Backend, Lanes16, Task16};

const Q: i16 = NewHopeRing::Q as i16;
const _: () = assert!(Q == 8 * 1536 + 1);

/// `⌊2y/q⌋ = ⌊y·OVER_Q/2^27⌋` for all `y` below `2q + q/4`; the compiler checks every one.
const OVER_Q: i16 = 21844;
const _: () = {
    let mut y = 0;
    while y < 2 * Q as i32 + (Q as i32 >> 2) {
        let quotient = (y * OVER_Q as i32) >> 27;
        assert!(quotient * Q as i32 <= 2 * y && 2 * y < (quotient + 1) * Q as i32);
        y += 1;
    }
};

/// The number of groups, and of key bits.
const GROUPS: usize = N >> 2;

/// Bits of a word of the key, and groups processed together.
const WORD: usize = 16;

/// Bit `l` of a word, for each lane.
const BITS: [i16; WORD] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, i16::MIN];

/// Bob's hint about `v`: two bits per coefficient. Public.
pub(super) struct Hint([i16; N]);

impl Hint {
    /// Four coefficients to a byte, the first one lowest.
    pub(super) fn pack(&self, bytes: &mut [u8]) {
        for (byte, four) in bytes.iter_mut().zip(self.0.as_chunks().0) {
            *byte = (join(*four).wrapping_mul(1 << 48 | 1 << 34 | 1 << 20 | 1 << 6) >> 48) as u8;
        }
    }

    /// Undoes [`pack`](Self::pack).
    pub(super) fn unpack(bytes: &[u8; HINT_BYTES]) -> Self {
        let mut hint = [0; N];
        for (four, &byte) in hint.as_chunks_mut().0.iter_mut().zip(bytes) {
            let byte = i16::from(byte);
            *four = [byte & 3, byte >> 2 & 3, byte >> 4 & 3, byte >> 6];
        }
        Self(hint)
    }
}

/// The hint for `v` in `[0, q)`, from 256 random bits.
pub(super) fn help_rec(backend: Backend, v: &Poly<NewHopeRing>, random: &[u8; 32]) -> Hint {
    let mut hint = Hint([0; N]);
    backend.at_most(WORD, 16).run16(HelpRec { x: v.coefficients(), random, hint: &mut hint.0 });
    hint
}

/// The 256 bits that `v` in `[0, q)` and the hint agree on, lowest bit of each byte first.
pub(super) fn rec(backend: Backend, v: &Poly<NewHopeRing>, hint: &Hint) -> SecretBytes<32> {
    let mut key = SecretBytes::zeros();
    backend.at_most(WORD, 16).run16(Rec { x: v.coefficients(), hint: &hint.0, key: &mut key });
    key
}

struct HelpRec<'a> {
    x: &'a [i16],
    random: &'a [u8; 32],
    hint: &'a mut [i16],
}

impl Task16 for HelpRec<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        let (bits, x, hint) = (L::blocks(&BITS), L::blocks(self.x), L::blocks_mut(self.hint));
        let quarter = GROUPS >> L::LANES.ilog2();
        let (zero, three, q, over_q) = (l.splat(0), l.splat(3), l.splat(Q), l.splat(OVER_Q));
        for i in 0..quarter {
            let (word, lane) = word_of::<L>(i);
            let word = i16::from_le_bytes(self.random.as_chunks().0[word]);
            let b = l.and(l.splat(word), l.load(&bits[lane]));
            let b = l.or(l.gt(b, zero), l.gt(zero, b)); // -1 where the bit is set
            let (mut v0, mut v1) = ([zero; 4], [zero; 4]);
            let mut distance = zero;
            for j in 0..4 {
                let y = l.sub(l.shl::<1>(l.load(&x[i + j * quarter])), b); // 0 ≤ y < 2q
                v1[j] = l.shr::<11>(l.mul_hi(y, over_q));
                v0[j] = l.shr::<11>(l.mul_hi(l.add(y, l.splat(Q >> 2)), over_q));
                let rest = l.sub(l.shl::<1>(y), l.mul_lo(v0[j], q)); // wraps, and is in [-q/2, q/2]
                let sign = l.negative(rest);
                distance = l.add(distance, l.sub(l.xor(rest, sign), sign));
            }
            let kappa = l.gt(distance, l.splat(Q - 1)); // -1 where the distance is at least 1
            let mut w = [zero; 4];
            for j in 0..4 {
                w[j] = l.xor(v0[j], l.and(kappa, l.xor(v0[j], v1[j])));
            }
            let last = l.sub(l.add(w[3], w[3]), kappa);
            for (j, r) in [l.sub(w[0], w[3]), l.sub(w[1], w[3]), l.sub(w[2], w[3]), last].into_iter().enumerate() {
                l.store(&mut hint[i + j * quarter], l.and(r, three));
            }
        }
    }
}

struct Rec<'a> {
    x: &'a [i16],
    hint: &'a [i16],
    key: &'a mut [u8; 32],
}

impl Task16 for Rec<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        let (bits, x, hint) = (L::blocks(&BITS), L::blocks(self.x), L::blocks(self.hint));
        let quarter = GROUPS >> L::LANES.ilog2();
        let (zero, four, seven) = (l.splat(0), l.splat(4), l.splat(7));
        for i in 0..quarter {
            let last = l.load(&hint[i + 3 * quarter]);
            let (mut eights, mut ones, mut negative) = (zero, zero, zero);
            for j in 0..4 {
                let e = if j == 3 { last } else { l.add(l.shl::<1>(l.load(&hint[i + j * quarter])), last) };
                let g = l.and(l.add(e, four), seven);
                let h = l.sub(l.load(&x[i + j * quarter]), l.mul_lo(g, l.splat(1536))); // -7·1536 ≤ h < q
                let positive = l.gt(h, zero); // -1 where T > 0; elsewhere T ≤ 0
                // 4q - |T| = 8a + c
                let a = l.add(l.splat(6144), l.sub(l.xor(h, positive), positive));
                let c = l.sub(four, l.sub(l.xor(g, positive), positive)); // -3 ≤ c ≤ 11
                let (a, c) = (l.add(a, l.shr::<3>(c)), l.and(c, seven)); // 0 ≤ c < 8
                // |8a + c|, where -(8a + c) = 8·!a + !c + 9
                let sign = l.negative(a);
                eights = l.add(eights, l.xor(a, sign)); // at most 6145 each
                ones = l.add(ones, l.xor(c, sign));
                negative = l.add(negative, sign);
            }
            let ones = l.sub(ones, l.mul_lo(negative, l.splat(9)));
            let distance = l.add(eights, l.shr::<3>(ones)); // in units of eight, rounded down
            let near = l.and(l.gt(l.splat(Q), distance), l.load(&bits[word_of::<L>(i).1]));
            let mut block = x[i];
            l.store(&mut block, near);
            let word = block.as_ref().iter().fold(0, |word, &bit| word | bit);
            let key = &mut self.key.as_chunks_mut().0[word_of::<L>(i).0];
            *key = (i16::from_le_bytes(*key) | word).to_le_bytes();
        }
    }
}

/// For the bits of the `i`-th vector of groups: the index of their word among sixteen, and of their
/// vector of bits.
#[inline(always)]
const fn word_of<L: Lanes16>(i: usize) -> (usize, usize) {
    let first = i * L::LANES;
    (first >> 4, (first & 15) >> L::LANES.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|numerator/denominator - nearest integer|` times the denominator.
    fn distance(numerator: i64, denominator: i64) -> i64 {
        let rest = numerator.rem_euclid(denominator);
        rest.min(denominator - rest)
    }

    /// Compares both functions with their definitions in wide integers, for every value of a
    /// coefficient.
    #[test]
    #[expect(clippy::integer_division_remainder_used, reason = "the definition divides")]
    fn every_coefficient_is_reconciled_by_the_definition() {
        let q = i64::from(Q);
        for first in (0..q).step_by(GROUPS) {
            // Distances near the threshold: the other three add up to about a whole minus the first
            // one's.
            let x: Vec<[i64; 4]> = (0..GROUPS as i64)
                .map(|i| {
                    let x = (first + i) % q;
                    [x, (x * x + first) % q, (7 * x + i * i) % q, (3 * q + q / 2 - x - i) % q]
                })
                .collect();
            let v = Poly::filled(|words| (0..N).for_each(|i| words[i] = x[i % GROUPS][i / GROUPS] as i16));
            let random: [u8; 32] =
                core::array::from_fn(|i| (first as u8).wrapping_mul(31) ^ (i as u8).wrapping_mul(73));
            for backend in Backend::available() {
                let hint = help_rec(backend, &v, &random);
                let mut bytes = [0; HINT_BYTES];
                hint.pack(&mut bytes);
                assert_eq!(Hint::unpack(&bytes).0, hint.0);
                let other = Hint(core::array::from_fn(|i| ((i ^ i >> 3 ^ first as usize) & 3) as i16));
                let keys = [&hint, &other].map(|hint| rec(backend, &v, hint));
                for (i, x) in x.iter().enumerate() {
                    let b = i64::from(random[i >> 3] >> (i & 7) & 1);
                    // (4/q)(x + b/2) = (4x + 2b)/q
                    let y = x.map(|x| 4 * x + 2 * b);
                    let kappa = i64::from(y.iter().map(|&y| distance(y, q)).sum::<i64>() >= q);
                    let w = y.map(|y| if kappa == 0 { (2 * y + q).div_euclid(2 * q) } else { y.div_euclid(q) });
                    let r = [w[0] - w[3], w[1] - w[3], w[2] - w[3], kappa + 2 * w[3]].map(|r| r & 3);
                    let found: [i64; 4] = core::array::from_fn(|j| hint.0[i + j * GROUPS].into());
                    assert_eq!(found, r, "{x:?}, {b}, {backend}");
                    for (hint, key) in [&hint, &other].into_iter().zip(&keys) {
                        let r: [i64; 4] = core::array::from_fn(|j| hint.0[i + j * GROUPS].into());
                        let e = [2 * r[0] + r[3], 2 * r[1] + r[3], 2 * r[2] + r[3], r[3]];
                        let sum: i64 = (0..4).map(|j| distance(8 * x[j] - q * e[j], 8 * q)).sum();
                        assert_eq!(key[i >> 3] >> (i & 7) & 1, u8::from(sum < 8 * q), "{x:?}, {r:?}, {backend}");
                    }
                }
            }
        }
    }
}
