//! Polynomials as bytes, and messages from the result of decryption.
//!
//! Transformed polynomials are packed upright ([`ring::upright`](crate::ring)) with 13 bits per
//! slot value, in the order of [`NttruRing`]; ternary polynomials with two bits per coefficient, in
//! natural order, as the coefficient plus one.

use super::params::{BITS, N, NttruRing, POLYNOMIAL_BYTES, Q};
use crate::{
    ct::working,
    decode::{DecodeError, refusal},
    ring::{NttPoly, Poly, Ring, upright},
};
use lanes::{Lanes16, Task16};
use ntt::Backend;

/// Bytes of a packed ternary polynomial.
pub(super) const TERNARY_BYTES: usize = N >> 2;

/// Packs slot values in `[0, q)`.
pub(super) fn pack(ring: &Ring<NttruRing>, poly: &NttPoly<NttruRing>, bytes: &mut [u8]) {
    working!(words: [i16; POLYNOMIAL_BYTES >> 1]);
    ring.with_outside(poly, |values| upright::pack::<BITS, 0>(ring.backend(), &mut words[..], values));
    words_to_bytes(bytes, &words[..]);
}

/// Undoes [`pack`].
///
/// **Constant time:** yes, unless it fails. **Errors** name the first value that is not below `q`.
pub(super) fn unpack(
    ring: &Ring<NttruRing>,
    what: &'static str,
    bytes: &[u8],
) -> Result<NttPoly<NttruRing>, DecodeError> {
    working!(words: [i16; POLYNOMIAL_BYTES >> 1]);
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = i16::from_le_bytes(*bytes);
    }
    ring.read_outside(|values| {
        if upright::unpack::<BITS>(ring.backend(), values, &words[..], Q as i16) {
            return Ok(());
        }
        Err(refusal(what, values.iter().map(|&v| v as u64), Q.into()))
    })
}

/// Packs a ternary polynomial.
pub(super) fn pack_ternary(backend: Backend, poly: &Poly<NttruRing>, bytes: &mut [u8; TERNARY_BYTES]) {
    working!(words: [i16; TERNARY_BYTES >> 1]);
    upright::pack::<2, 1>(backend, &mut words[..], poly.coefficients());
    words_to_bytes(bytes, &words[..]);
}

fn words_to_bytes(bytes: &mut [u8], words: &[i16]) {
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
}

/// For coefficients in `[0, q)`: residues modulo 3, in `[-1, 1]`, of the centred residues modulo
/// `q`.
pub(super) fn modulo_3(backend: Backend, poly: &Poly<NttruRing>) -> Poly<NttruRing> {
    Poly::filled(|words| backend.run16(Modulo3 { out: words, coefficients: poly.coefficients() }))
}

struct Modulo3<'a> {
    out: &'a mut [i16],
    coefficients: &'a [i16],
}

/// `⌊2^15/3⌉`. For `|x| ≤ q/2`, `x·THIRD/2^15` differs from `x/3` by less than 1/6, so both round
/// to the same integer.
const THIRD: i16 = 10923;
const _: () = assert!((3 * THIRD as i32 - (1 << 15)) * (Q as i32 >> 1) * 2 < 1 << 15);

impl Task16 for Modulo3<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        let (q, half, third, three) = (l.splat(Q as i16), l.splat((Q >> 1) as i16), l.splat(THIRD), l.splat(3));
        for (out, x) in L::blocks_mut(self.out).iter_mut().zip(L::blocks(self.coefficients)) {
            let x = l.load(x);
            let centred = l.sub(x, l.and(l.gt(x, half), q)); // |x| ≤ q/2
            let quotient = l.mul_round(centred, third); // ⌊x/3⌉
            l.store(out, l.sub(centred, l.mul_lo(quotient, three)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn every_residue_is_centred_and_reduced() {
        for backend in Backend::available() {
            for start in (0..Q).step_by(N) {
                let value = |i: usize| (start + i as u16) % Q;
                let poly = Poly::filled(|words| words.iter_mut().enumerate().for_each(|(i, x)| *x = value(i) as i16));
                let out = modulo_3(backend, &poly);
                for (i, &x) in out.coefficients().iter().enumerate() {
                    let centred = if value(i) > Q / 2 { value(i) as i16 - Q as i16 } else { value(i) as i16 };
                    assert!((-1..=1).contains(&x) && (centred - x) % 3 == 0, "{}", value(i));
                }
            }
        }
    }
}
