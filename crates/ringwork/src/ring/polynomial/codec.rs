//! Fixed-width packing: 14-bit values as one little-endian bit string, four in seven bytes.
//!
//! Four values `c_0 .. c_3` lie in words `w_0 .. w_3` of 16 bits, with half of the last one empty.
//! With `s_k = 2^(2k)`, `c_k` is the low 14 bits of `s_k·w_k + ⌊s_k·w_(k-1) / 2^16⌋`; with
//! `t_k = 2^(14-2k)`, `w_k` is `⌊t_k·4c_k / 2^16⌋ + t_k·c_(k+1)`. These are products of lanes with
//! constants.

use super::{super::Source, NttPoly, Parameters, Ring, words::Words};
use crate::{
    ct::Wiped,
    decode::{DecodeError, refusal},
};
use lanes::{Lanes16, MAX_LANES, Task16};

/// Bytes of packed coefficients.
#[derive(Clone, Copy, Debug)]
pub struct PackedBits;

impl PackedBits {
    /// Bits of a packed value.
    pub const WIDTH: u32 = 14;

    /// Bytes of `n` packed values; `n` a multiple of 4.
    pub const fn bytes(n: usize) -> usize {
        (n >> 2) * 7
    }
}

/// Four words as one, the first one lowest.
#[inline(always)]
pub(crate) const fn join(words: [i16; 4]) -> u64 {
    let [a, b, c, d] = words;
    a as u16 as u64 | (b as u16 as u64) << 16 | (c as u16 as u64) << 32 | (d as u16 as u64) << 48
}

/// Undoes [`join`].
#[inline(always)]
const fn split(x: u64) -> [i16; 4] {
    [x as i16, (x >> 16) as i16, (x >> 32) as i16, (x >> 48) as i16]
}

/// `s_k` and `t_k` for each lane.
const LEFT: [i16; MAX_LANES] = powers_of_two([0, 2, 4, 6]);
const RIGHT: [i16; MAX_LANES] = powers_of_two([14, 12, 10, 8]);

const fn powers_of_two(exponents: [u32; 4]) -> [i16; MAX_LANES] {
    let mut powers = [0; MAX_LANES];
    let mut i = 0;
    while i < MAX_LANES {
        powers[i] = 1 << exponents[i & 3];
        i += 1;
    }
    powers
}

/// The constants for vector `index` of words.
#[inline(always)]
fn constants<L: Lanes16>(l: L, table: &[i16; MAX_LANES], index: usize) -> L::V {
    let blocks = L::blocks(&table[..if L::LANES < 4 { 4 } else { L::LANES }]);
    l.load(&blocks[index & (blocks.len() - 1)])
}

/// Unpacks words to values; one word precedes them.
struct Unpacked<'a>(&'a [i16]);

impl Source for Unpacked<'_> {
    #[inline(always)]
    fn vector<L: Lanes16>(&self, l: L, index: usize) -> L::V {
        let (before, words) = (L::blocks(self.0), L::blocks(&self.0[1..]));
        let s = constants(l, &LEFT, index);
        let high = l.and(l.mul_hi(l.load(&before[index]), s), l.sub(s, l.splat(1))); // signed products: mask the sign
        l.and(l.or(l.mul_lo(l.load(&words[index]), s), high), l.splat((1 << PackedBits::WIDTH) - 1))
    }
}

/// Packs values into words in place; one word follows them. The bits that should be empty hold bits
/// of the next value.
struct Pack<'a>(&'a mut [i16]);

impl Task16 for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        for index in 0..L::blocks(&self.0[1..]).len() {
            let (value, next) = (l.load(&L::blocks(self.0)[index]), l.load(&L::blocks(&self.0[1..])[index]));
            let t = constants(l, &RIGHT, index);
            let low = l.and(l.mul_hi(l.shl::<2>(value), t), l.sub(t, l.splat(1)));
            l.store(&mut L::blocks_mut(self.0)[index], l.or(low, l.mul_lo(next, t)));
        }
    }
}

impl<P: Parameters> Ring<P> {
    /// Packs slot values in canonical order; they must be in `[0, q)`.
    ///
    /// **Constant time:** yes. **Panics** if `bytes` has the wrong length.
    pub fn pack(&self, poly: &NttPoly<P>, bytes: &mut [u8]) {
        assert_eq!(bytes.len(), PackedBits::bytes(P::N), "length of a packed polynomial");
        let mut words = Wiped::zeros(P::N + 1);
        poly.words.with_values(|native| self.to_canonical.permute(&mut words[..P::N], native));
        self.backend().run16(Pack(&mut words));
        let groups = words.as_chunks().0;
        let last = (P::N >> 2) - 1;
        for (i, &four) in groups[..last].iter().enumerate() {
            bytes[7 * i..][..8].copy_from_slice(&join(four).to_le_bytes()); // the next group overwrites the last byte
        }
        bytes[7 * last..].copy_from_slice(&join(groups[last]).to_le_bytes()[..7]);
    }

    /// Unpacks slot values in canonical order. For received, hence public, bytes.
    ///
    /// **Constant time:** yes, unless it fails. **Errors** name the first value that is not below
    /// `q`. **Panics** if `bytes` has the wrong length.
    pub fn unpack(&self, what: &'static str, bytes: &[u8]) -> Result<NttPoly<P>, DecodeError> {
        assert_eq!(bytes.len(), PackedBits::bytes(P::N), "length of a packed polynomial");
        let mut last = [0; 8];
        last[..7].copy_from_slice(&bytes[bytes.len() - 7..]);
        let mut words = Wiped::zeros(P::N + 1);
        for (i, four) in words[1..].as_chunks_mut().0.iter_mut().enumerate() {
            *four = split(u64::from_le_bytes(*bytes[7 * i..].first_chunk().unwrap_or(&last)));
        }
        let mut values = Words::zeros(P::N);
        self.to_native.fill(values.words_mut(), Unpacked(&words));
        let q = P::Q as i16;
        if values.words().iter().fold(-1, |below, &v| below & (v - q)) < 0 {
            return Ok(NttPoly::new(self.engine.slots(values)));
        }
        self.to_canonical.permute(&mut words[..P::N], values.words());
        Err(refusal(what, words[..P::N].iter().map(|&v| v as u64), P::Q.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::BitPermutation, *};
    use crate::Backend;

    #[derive(Clone, Copy)]
    struct Complete;
    impl Parameters for Complete {
        const N: usize = 1024;
        const Q: u16 = 12289;
    }

    /// Slots of degree two.
    #[derive(Clone, Copy)]
    struct Incomplete;
    impl Parameters for Incomplete {
        const N: usize = 256;
        const Q: u16 = 3329;
    }

    /// Compares packing with a bit string, both ways, with and without a value that is too large.
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn check<P: Parameters>() {
        let values: Vec<i16> = (0..P::N).map(|i| ((i * i + 5 * i + 3 * 4096) % usize::from(P::Q)) as i16).collect();
        let bits = |values: &[i16]| -> Vec<u8> {
            let bit = |i: usize| (values[i / 14] >> (i % 14) & 1) as u8;
            (0..P::N * 14 / 8).map(|byte| (0..8).fold(0, |sum, i| sum | bit(8 * byte + i) << i)).collect()
        };
        for backend in Backend::available() {
            let ring = Ring::<P>::with_backend(backend).unwrap();
            let mut bytes = vec![0xFF; PackedBits::bytes(P::N)];
            ring.pack(&ring.from_canonical(&values), &mut bytes);
            assert_eq!(bytes, bits(&values), "{backend}");
            let poly = ring.unpack("a polynomial", &bytes).unwrap();
            assert!(bool::from(ring.equal(&poly, &ring.from_canonical(&values))), "{backend}");
            for index in [0, 1, 2, 3, 77, P::N - 2, P::N - 1] {
                let mut values = values.clone();
                (values[index], values[P::N - 1]) = (P::Q as i16, 0x3FFF);
                let refused = ring.unpack("a polynomial", &bits(&values)).unwrap_err();
                let value = values[index] as u64;
                let expected = DecodeError::Value { what: "a polynomial", index, value, bound: P::Q.into() };
                assert_eq!(refused, expected, "{backend}");
            }
        }
    }

    /// The vector part of packing, without plans.
    #[test]
    fn every_backend_packs_alike() {
        let values: Vec<i16> = (0..=256).map(|i| (i * 61 + 5) & 0x3FFF).collect();
        let packed = |backend: Backend| {
            let mut words = values.clone();
            backend.run16(Pack(&mut words));
            words
        };
        let words: Vec<i16> = core::iter::once(-1).chain(values.iter().map(|v| v.wrapping_mul(3))).collect();
        let unpacked = |backend: Backend| {
            let mut out = vec![-1; 256];
            BitPermutation::new(backend, 256, |i| i).fill(&mut out, Unpacked(&words));
            out
        };
        for backend in Backend::available() {
            assert_eq!(packed(backend), packed(Backend::Scalar), "{backend}");
            assert_eq!(unpacked(backend), unpacked(Backend::Scalar), "{backend}");
        }
    }

    #[test]
    fn packing_is_a_string_of_bits() {
        check::<Complete>();
        check::<Incomplete>();
    }
}
