//! `x mod± p` of `x mod± q` without a division.

use crate::ct::negative;

/// `2^SHIFT` times the quotient.
const SHIFT: u32 = 34;

/// Reduction of residues modulo `q < 2^30` to centred ones modulo a prime `p ≤ 17`.
///
/// For `p = 2` the quotient is `⌊x/2⌋`, and the result 0 or 1. For odd `p` it is `x/p` rounded, and the result within
/// `(p - 1)/2`: `⌊2^34/p⌋ + 1` differs from `2^34/p` by `δ < 1`, so that for `|x| ≤ 2^29` the quotient is off by at
/// most `δ/32` before rounding; less than the `1/2p` that would change the result, for each of these `p`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Centred {
    p: i64,
    q: i64,
    inverse: i64,
    half: i64,
}

impl Centred {
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    pub(super) const fn new(p: u32, q: u32) -> Self {
        let (p, q) = (p as i64, q as i64);
        let (inverse, half) = if p == 2 { (1 << (SHIFT - 1), 0) } else { ((1 << SHIFT) / p + 1, 1 << (SHIFT - 1)) };
        Self { p, q, inverse, half }
    }

    /// The residue of `x` in `[0, q)`.
    ///
    /// **Constant time:** yes.
    pub(super) fn of(self, x: i32) -> i32 {
        let x = i64::from(x);
        let centred = x - (self.q & negative((self.q >> 1) - x));
        let quotient = (centred * self.inverse + self.half) >> SHIFT;
        (centred - self.p * quotient) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn residues_are_centred_and_reduced() {
        for p in [2, 3, 5, 7, 11, 13, 17] {
            // The least and the greatest, for p = 2 by one bit.
            let range = (1 - p) / 2..=p / 2;
            assert_eq!(range.clone().count(), p as usize);
            for q in [257, 12289, (1 << 30) - 35] {
                let centred = Centred::new(p as u32, q as u32);
                let near = |x: i32| (x - 50).max(0)..(x + 50).min(q);
                let parts = (1..8).flat_map(|i| near((i64::from(q) * i / 8) as i32));
                for x in parts.chain(near(0)).chain(near(q)).chain(near(q / 3)) {
                    let mod_q = if x > q / 2 { x - q } else { x };
                    let m = centred.of(x);
                    assert!(range.contains(&m) && (mod_q - m) % p == 0, "{x} of {q} modulo {p}: {m}");
                }
            }
        }
    }

    /// The error of the reciprocal is small enough at the largest number, in exact arithmetic.
    #[test]
    fn quotients_round_as_exact_ones() {
        for p in [3, 5, 7, 11, 13, 17_i64] {
            let inverse = Centred::new(p as u32, 257).inverse;
            // δ·2^29/2^34 < 1/2p, and δ is (p·inverse − 2^34)/p.
            let delta_times_p = p * inverse - (1 << SHIFT);
            assert!(0 < delta_times_p && delta_times_p << 30 < 1 << SHIFT, "{p}: {delta_times_p}");
        }
    }
}
