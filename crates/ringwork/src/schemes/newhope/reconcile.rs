//! Reconciliation: from two polynomials that nearly agree to one bit string, in constant-time integers.
//!
//! For each group `x = (v_i, v_{i+256}, v_{i+512}, v_{i+768})` and one random bit `b`:
//! `HelpRec(x; b) = CVP((4/q)(x + b·g)) mod 4` with `g = (1/2, 1/2, 1/2, 1/2)`, and
//! `Rec(x, r) = LDDecode(x/q - (1/4)(r_0 + r_3/2, r_1 + r_3/2, r_2 + r_3/2, r_3/2))`.
//!
//! In integers, with `Y = 8x + 4b`: `(4/q)(x + b/2) = Y/2q`, so that `⌊Y/2q⌉` and `⌊Y/2q - 1/2⌉ = ⌊Y/2q⌋` count the odd
//! and the even multiples of `q` up to `Y`. And with `Z_j = 8x_j - q·e_j`, `e = (2r_0+r_3, 2r_1+r_3, 2r_2+r_3, r_3)`, the
//! decoded point is `Z/8q`. Multiples are counted by comparison, so nothing is divided, and comparisons give masks, so
//! nothing is branched on or looked up.
//!
//! Source: Alkim, Ducas, Pöppelmann, Schwabe 2016, section 5; the key bit is 1 when the distance is below 1, as in the
//! designers' code.

use super::params::{HINT_BYTES, N, NewHopeRing};
use crate::{
    ct::Wiped,
    ring::{Parameters, Poly},
};
use lanes::{Backend, Lanes32, Task32};
use zeroize::Zeroizing;

const Q: i32 = NewHopeRing::Q as i32;
/// Groups, and key bits.
const GROUPS: usize = N >> 2;

/// Two bits for each coefficient, four coefficients to a byte, from `v` in `[0, q)` and 256 random bits.
pub(super) fn help_rec(backend: Backend, v: &Poly<NewHopeRing>, random: &[u8; 32]) -> [u8; HINT_BYTES] {
    let x = widened(v);
    let mut bits = Wiped::<i32>::zeros(GROUPS);
    for (i, bit) in bits.iter_mut().enumerate() {
        *bit = i32::from(random[i >> 3] >> (i & 7) & 1);
    }
    let mut hint = Wiped::<i32>::zeros(N);
    backend.run32(HelpRec { x: &x[..], bits: &bits[..], hint: &mut hint[..] });
    let mut packed = [0; HINT_BYTES];
    for (byte, four) in packed.iter_mut().zip(hint.as_chunks::<4>().0) {
        *byte = (four[0] | four[1] << 2 | four[2] << 4 | four[3] << 6) as u8;
    }
    packed
}

/// The 256 bits that `v` in `[0, q)` and the hint agree on, lowest bit of each byte first.
pub(super) fn rec(backend: Backend, v: &Poly<NewHopeRing>, packed: &[u8; HINT_BYTES]) -> Zeroizing<[u8; 32]> {
    let x = widened(v);
    let mut hint = [0_i32; N];
    for (four, &byte) in hint.as_chunks_mut::<4>().0.iter_mut().zip(packed) {
        *four = [byte & 3, byte >> 2 & 3, byte >> 4 & 3, byte >> 6].map(i32::from);
    }
    let mut bits = Wiped::<i32>::zeros(GROUPS);
    backend.run32(Rec { x: &x[..], hint: &hint, bits: &mut bits[..] });
    let mut key = Zeroizing::new([0; 32]);
    for (byte, eight) in key.iter_mut().zip(bits.as_chunks::<8>().0) {
        *byte = eight.iter().rev().fold(0, |byte, &bit| byte << 1 | bit as u8);
    }
    key
}

fn widened(v: &Poly<NewHopeRing>) -> Wiped<i32> {
    let mut x = Wiped::zeros(N);
    x.iter_mut().zip(v.coefficients()).for_each(|(x, &c)| *x = c.into());
    x
}

struct HelpRec<'a> {
    x: &'a [i32],
    bits: &'a [i32],
    hint: &'a mut [i32],
}

impl Task32 for HelpRec<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes32>(self, l: L) {
        let (x, bits, hint) = (L::blocks(self.x), L::blocks(self.bits), L::blocks_mut(self.hint));
        let quarter = bits.len();
        let (one, three) = (l.splat(1), l.splat(3));
        for (i, bit) in bits.iter().enumerate() {
            let b = l.shl::<2>(l.load(bit));
            let (mut v0, mut v1) = ([l.splat(0); 4], [l.splat(0); 4]);
            let mut distance = l.splat(0);
            for j in 0..4 {
                let Some(x) = x.get(i + j * quarter) else { return };
                let y = l.add(l.shl::<3>(l.load(x)), b); // 0 ≤ Y < 8q
                let mut rest = y;
                for t in 1..=4 {
                    let above = l.gt(y, l.splat((2 * t - 1) * Q - 1)); // -1 where Y ≥ (2t-1)q
                    v0[j] = l.sub(v0[j], above);
                    rest = l.sub(rest, l.and(above, l.splat(2 * Q)));
                    v1[j] = l.sub(v1[j], l.gt(y, l.splat(2 * t * Q - 1)));
                }
                distance = l.add(distance, absolute(l, rest)); // |Y - 2q·v0| ≤ q
            }
            let kappa = l.gt(distance, l.splat(2 * Q - 1)); // -1 where the distance is at least 1
            let mut w = [one; 4];
            for j in 0..4 {
                w[j] = l.xor(v0[j], l.and(kappa, l.xor(v0[j], v1[j])));
            }
            let last = l.add(l.and(kappa, one), l.add(w[3], w[3]));
            for (j, r) in [l.sub(w[0], w[3]), l.sub(w[1], w[3]), l.sub(w[2], w[3]), last].into_iter().enumerate() {
                let Some(out) = hint.get_mut(i + j * quarter) else { return };
                l.store(out, l.and(r, three));
            }
        }
    }
}

struct Rec<'a> {
    x: &'a [i32],
    hint: &'a [i32],
    bits: &'a mut [i32],
}

impl Task32 for Rec<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes32>(self, l: L) {
        let (x, hint, bits) = (L::blocks(self.x), L::blocks(self.hint), L::blocks_mut(self.bits));
        let quarter = bits.len();
        for i in 0..quarter {
            let Some(last) = hint.get(i + 3 * quarter) else { return };
            let last = l.load(last);
            let mut distance = l.splat(0);
            for j in 0..4 {
                let (Some(x), Some(r)) = (x.get(i + j * quarter), hint.get(i + j * quarter)) else { return };
                let e = if j == 3 { last } else { l.add(l.shl::<1>(l.load(r)), last) }; // 0 ≤ e ≤ 9
                let z = l.sub(l.shl::<3>(l.load(x)), l.mul_lo(e, l.splat(Q))); // -9q ≤ Z < 8q
                // ⌊Z/8q⌉ is -2 to 1: add 16q and take off 8q for each of the odd multiples of 4q reached.
                let shifted = l.add(z, l.splat(16 * Q));
                let mut rest = shifted;
                for t in 1..=3 {
                    let above = l.gt(shifted, l.splat((2 * t - 1) * 4 * Q - 1));
                    rest = l.sub(rest, l.and(above, l.splat(8 * Q)));
                }
                distance = l.add(distance, absolute(l, rest));
            }
            let far = l.gt(distance, l.splat(8 * Q - 1));
            let Some(out) = bits.get_mut(i) else { return };
            l.store(out, l.add(far, l.splat(1)));
        }
    }
}

/// `|x|`.
#[inline(always)]
fn absolute<L: Lanes32>(l: L, x: L::V) -> L::V {
    let sign = l.shr::<31>(x);
    l.sub(l.xor(x, sign), sign)
}
