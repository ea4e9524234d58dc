//! Keccak-f[1600], and sponges: one, or several side by side in the lanes of vectors.
//!
//! Source: FIPS 202, sections 3 (the permutation) and 4 (the sponge). `Â[x, y]` of the standard is
//! string `x + 5y` here. Rounds are computed as `θ`, then row by row `ρ`, `π` and `χ` together: row `y`
//! of the result takes `A[x + 3y, x]`, rotated, for `x = 0 .. 4`.

use core::hint::black_box;
use lanes::{Backend, LanesBits, TaskBits};

/// Strings of a state.
const STRINGS: usize = 25;
const ROUNDS: usize = 24;

/// `ι`, section 3.2.5.
const CONSTANTS: [u64; ROUNDS] = {
    let mut constants = [0; ROUNDS];
    let mut register = 1_u8;
    let mut round = 0;
    while round < ROUNDS {
        let mut j = 0;
        while j < 7 {
            if register & 1 == 1 {
                constants[round] |= 1 << ((1_u32 << j) - 1);
            }
            // x^8 + x^6 + x^5 + x^4 + 1
            register = (register << 1) ^ (if register >> 7 == 1 { 0x71 } else { 0 });
            j += 1;
        }
        round += 1;
    }
    constants
};

/// One round.
#[inline(always)]
fn round<L: LanesBits<Word = u64>>(l: L, a: &[L::V; STRINGS], constant: u64) -> [L::V; STRINGS] {
    let mut c = [a[0]; 5];
    for x in 0..5 {
        c[x] = l.xor(l.xor(l.xor(a[x], a[x + 5]), l.xor(a[x + 10], a[x + 15])), a[x + 20]);
    }
    let mut d = c;
    for x in 0..5 {
        d[x] = l.xor(c[[4, 0, 1, 2, 3][x]], l.rotate::<1>(c[[1, 2, 3, 4, 0][x]]));
    }
    let mut out = *a;
    // Row by row: x of the string that is taken, and its rotation.
    macro_rules! row {
        ($y:literal: $($x:literal $from:literal $rotation:literal),*) => {{
            let mut b = [a[0]; 5];
            $(
                let string = l.xor(a[$from + 5 * $x], d[$from]);
                b[$x] = if $rotation == 0 { string } else { l.rotate::<$rotation>(string) };
            )*
            for x in 0..5 {
                out[x + 5 * $y] = l.xor(b[x], l.and_not(b[[1, 2, 3, 4, 0][x]], b[[2, 3, 4, 0, 1][x]]));
            }
        }};
    }
    row!(0: 0 0 0, 1 1 44, 2 2 43, 3 3 21, 4 4 14);
    row!(1: 0 3 28, 1 4 20, 2 0 3, 3 1 45, 4 2 61);
    row!(2: 0 1 1, 1 2 6, 2 3 25, 3 4 8, 4 0 18);
    row!(3: 0 4 27, 1 0 36, 2 1 10, 3 2 15, 4 3 56);
    row!(4: 0 2 62, 1 3 55, 2 4 39, 3 0 41, 4 1 2);
    out[0] = l.xor(out[0], l.splat(constant));
    out
}

/// Keccak-f[1600] on `N` states side by side.
struct Permute<'a, const N: usize>(&'a mut [[u64; N]; STRINGS]);

impl<const N: usize> TaskBits for Permute<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: LanesBits<Word = u64>>(self, l: L) {
        for group in 0..N >> L::LANES.ilog2() {
            let mut a = [l.splat(0); STRINGS];
            for (a, strings) in a.iter_mut().zip(self.0.iter()) {
                *a = l.load(&L::blocks(strings)[group]);
            }
            for constants in CONSTANTS.as_chunks::<2>().0 {
                a = round(l, &round(l, &a, constants[0]), constants[1]);
            }
            for (a, strings) in a.iter().zip(self.0.iter_mut()) {
                l.store(&mut L::blocks_mut(strings)[group], *a);
            }
        }
    }
}

/// `N` sponges side by side, which absorb and squeeze in step. Wiped on drop.
///
/// **Constant time:** yes; lengths are public.
#[derive(Clone)]
pub(crate) struct Sponge<const N: usize> {
    states: [[u64; N]; STRINGS],
    backend: Backend,
    /// Bytes of a block.
    rate: usize,
    /// Bytes of the block that were absorbed or squeezed.
    at: usize,
}

impl<const N: usize> Sponge<N> {
    /// Of so many bytes in a block, a multiple of 8; on the best backend of this machine.
    pub(crate) fn new(rate: usize) -> Self {
        Self::on(Backend::best(), rate)
    }

    fn on(backend: Backend, rate: usize) -> Self {
        Self { states: [[0; N]; STRINGS], backend, rate, at: 0 }
    }

    fn permute(&mut self) {
        let task = Permute(&mut self.states);
        if self.backend.bit_lanes() <= N && self.backend.bit_lanes() > 1 {
            self.backend.run_bits(task);
        } else {
            self.backend.run_bits_singly(task);
        }
        self.at = 0;
    }

    /// The next bytes of each, as many of one as of another.
    pub(crate) fn absorb(&mut self, inputs: [&[u8]; N]) {
        let length = inputs[0].len();
        assert!(inputs.iter().all(|input| input.len() == length), "sponges absorb in step");
        let mut done = 0;
        while done < length {
            let piece = (self.rate - self.at).min(length - done);
            for (lane, input) in inputs.iter().enumerate() {
                self.exclusive_or(lane, &input[done..done + piece]);
            }
            self.at += piece;
            done += piece;
            if self.at == self.rate {
                self.permute();
            }
        }
    }

    /// Bytes into the block of one state, where it stands.
    fn exclusive_or(&mut self, lane: usize, bytes: &[u8]) {
        let mut at = self.at;
        let (head, bytes) = bytes.split_at(bytes.len().min(at.wrapping_neg() & 7));
        for byte in head {
            self.states[at >> 3][lane] ^= u64::from(*byte) << (8 * (at & 7));
            at += 1;
        }
        let (words, tail) = bytes.as_chunks();
        for (strings, word) in self.states[at >> 3..].iter_mut().zip(words) {
            strings[lane] ^= u64::from_le_bytes(*word);
        }
        at += 8 * words.len();
        for (i, byte) in tail.iter().enumerate() {
            self.states[at >> 3][lane] ^= u64::from(*byte) << (8 * i);
        }
    }

    /// The end of the input: the bits that tell functions apart, and the padding `10*1`.
    pub(crate) fn finish(&mut self, domain: u8) {
        let last = self.rate - 1;
        for lane in 0..N {
            self.states[self.at >> 3][lane] ^= u64::from(domain) << (8 * (self.at & 7));
            self.states[last >> 3][lane] ^= 0x80 << (8 * (last & 7));
        }
        self.permute();
    }

    /// The next bytes out of each, as many of one as of another. How a reading is cut into calls
    /// makes no difference.
    pub(crate) fn squeeze(&mut self, mut outputs: [&mut [u8]; N]) {
        let length = outputs[0].len();
        assert!(outputs.iter().all(|output| output.len() == length), "sponges squeeze in step");
        let mut done = 0;
        while done < length {
            if self.at == self.rate {
                self.permute();
            }
            let piece = (self.rate - self.at).min(length - done);
            for (lane, output) in outputs.iter_mut().enumerate() {
                self.copy(lane, &mut output[done..done + piece]);
            }
            self.at += piece;
            done += piece;
        }
    }

    /// Bytes out of the block of one state, from where it stands.
    fn copy(&self, lane: usize, bytes: &mut [u8]) {
        let mut at = self.at;
        let (head, bytes) = bytes.split_at_mut(bytes.len().min(at.wrapping_neg() & 7));
        for byte in head {
            *byte = (self.states[at >> 3][lane] >> (8 * (at & 7))) as u8;
            at += 1;
        }
        let (words, tail) = bytes.as_chunks_mut();
        for (word, strings) in words.iter_mut().zip(&self.states[at >> 3..]) {
            *word = strings[lane].to_le_bytes();
        }
        at += 8 * words.len();
        for (i, byte) in tail.iter_mut().enumerate() {
            *byte = (self.states[at >> 3][lane] >> (8 * i)) as u8;
        }
    }
}

impl<const N: usize> Drop for Sponge<N> {
    fn drop(&mut self) {
        self.states = [[0; N]; STRINGS];
        black_box(&self.states);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha3::{
        Digest,
        digest::{ExtendableOutput, Update, XofReader},
    };

    const DOMAIN_SHAKE: u8 = 0x1F;
    const DOMAIN_SHA3: u8 = 0x06;

    /// SHAKE-128 of the crate `shake`.
    fn expected(input: &[u8], bytes: usize) -> Vec<u8> {
        let mut shake = shake::Shake128::default();
        shake.update(input);
        let mut out = vec![0; bytes];
        shake.finalize_xof().read(&mut out);
        out
    }

    fn squeezed<const N: usize>(backend: Backend, inputs: [&[u8]; N], cut: usize, bytes: usize) -> [Vec<u8>; N] {
        let mut sponge = Sponge::<N>::on(backend, 168);
        sponge.absorb(inputs.map(|input| &input[..cut]));
        sponge.absorb(inputs.map(|input| &input[cut..]));
        sponge.finish(DOMAIN_SHAKE);
        let mut outputs = inputs.map(|_| vec![0; bytes]);
        let (mut at, mut step) = (0, 1);
        while at < bytes {
            let end = bytes.min(at + step);
            sponge.squeeze(outputs.each_mut().map(|output| &mut output[at..end]));
            (at, step) = (end, step * 3 + 1);
        }
        outputs
    }

    #[test]
    fn every_backend_and_width_is_shake() {
        let text: Vec<u8> = (0..2000).map(|i| (i * i + 7 * i) as u8).collect();
        for backend in Backend::available() {
            for length in [0, 1, 7, 8, 135, 136, 137, 167, 168, 169, 335, 336, 1000] {
                let inputs: [&[u8]; 8] = core::array::from_fn(|i| &text[11 * i..][..length]);
                let cut = length >> 2;
                let [a, b, ..] = inputs;
                for (i, out) in squeezed(backend, inputs, cut, 700).iter().enumerate() {
                    assert_eq!(out, &expected(inputs[i], 700), "{length} of 8 on {backend}");
                }
                let four = core::array::from_fn(|i| inputs[i + 3]);
                for (i, out) in squeezed::<4>(backend, four, cut, 700).iter().enumerate() {
                    assert_eq!(out, &expected(four[i], 700), "{length} of 4 on {backend}");
                }
                assert_eq!(squeezed(backend, [b], cut, 700), [expected(b, 700)], "{length} of 1 on {backend}");
                assert_eq!(squeezed(backend, [a, b], cut, 20), [expected(a, 20), expected(b, 20)]);
            }
        }
    }

    #[test]
    fn digests_have_their_own_domain() {
        let mut sponge = Sponge::<1>::new(136);
        sponge.absorb([b"abc"]);
        sponge.finish(DOMAIN_SHA3);
        let mut digest = [0; 32];
        sponge.squeeze([&mut digest]);
        assert_eq!(digest[..], sha3::Sha3_256::digest(b"abc")[..]);
    }

    #[test]
    fn constants_are_those_of_the_standard() {
        assert_eq!(CONSTANTS[..3], [1, 0x8082, 0x8000_0000_0000_808A]);
        assert_eq!(CONSTANTS[ROUNDS - 1], 0x8000_0000_8000_8008);
    }
}
