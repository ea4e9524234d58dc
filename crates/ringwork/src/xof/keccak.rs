//! Keccak-f[1600] on states side by side in the lanes of vectors, and a sponge.
//!
//! Source: FIPS 202, sections 3 (the permutation) and 4 (the sponge). `Â[x, y]` of the standard is
//! string `x + 5y` here. Rounds are computed as `θ`, then row by row `ρ`, `π` and `χ` together: row `y`
//! of the result takes `A[x + 3y, x]`, rotated, for `x = 0 .. 4`.

use core::hint::black_box;
use lanes::{Backend, LanesBits, TaskBits};

/// Strings of a state.
pub(super) const STRINGS: usize = 25;
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
    // Row by row: the x of the source string, and its rotation.
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

/// Keccak-f[1600] on `N` states side by side, or at least on those whose bits are set in `lanes`.
struct Permute<'a, const N: usize> {
    strings: &'a mut [[u64; N]; STRINGS],
    lanes: u32,
}

impl<const N: usize> TaskBits for Permute<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: LanesBits<Word = u64>>(self, l: L) {
        for group in (0..N >> L::LANES.ilog2()).filter(|group| any_in_group(self.lanes, L::LANES, *group)) {
            let mut a = [l.splat(0); STRINGS];
            for (a, strings) in a.iter_mut().zip(self.strings.iter()) {
                *a = l.load(&L::blocks(strings)[group]);
            }
            for constants in CONSTANTS.as_chunks::<2>().0 {
                a = round(l, &round(l, &a, constants[0]), constants[1]);
            }
            for (a, strings) in a.iter().zip(self.strings.iter_mut()) {
                l.store(&mut L::blocks_mut(strings)[group], *a);
            }
        }
    }
}

/// Bytes of the largest block, that of SHAKE-128.
pub(super) const LARGEST_BLOCK: usize = 168;
/// Strings that hold any block, in whole squares of any vectors.
const OF_BLOCK: usize = 24;
const _: () = assert!(8 * OF_BLOCK >= LARGEST_BLOCK && OF_BLOCK <= STRINGS && OF_BLOCK & 7 == 0);

/// The first strings of `N` states side by side, state by state, or at least of those whose bits are set in `lanes`.
struct Separate<'a, const N: usize> {
    strings: &'a [[u64; N]; STRINGS],
    out: &'a mut [[u64; STRINGS]; N],
    lanes: u32,
}

impl<const N: usize> TaskBits for Separate<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: LanesBits<Word = u64>>(self, l: L) {
        let log = L::LANES.ilog2();
        for group in (0..N >> log).filter(|group| any_in_group(self.lanes, L::LANES, *group)) {
            for square in 0..OF_BLOCK >> log {
                let first = square << log;
                let mut v = [l.splat(0); 8];
                for (v, strings) in v.iter_mut().zip(&self.strings[first..first + L::LANES]) {
                    *v = l.load(&L::blocks(strings)[group]);
                }
                macro_rules! exchange {
                    ($($k:literal: $($i:literal)*;)*) => {$($(
                        if $i + $k < L::LANES {
                            (v[$i], v[$i + $k]) = l.interleave::<$k>(v[$i], v[$i + $k]);
                        }
                    )*)*};
                }
                exchange! { 1: 0 2 4 6; 2: 0 1 4 5; 4: 0 1 2 3; }
                for (v, out) in v.iter().zip(&mut self.out[group << log..(group + 1) << log]) {
                    l.store(&mut L::blocks_mut(&mut out[first..])[0], *v);
                }
            }
        }
    }
}

/// Whether bits of `lanes` are set in this group of `size` bits, a power of 2.
const fn any_in_group(lanes: u32, size: usize, group: usize) -> bool {
    (lanes >> (group << size.ilog2())) & ((1 << size) - 1) != 0
}

/// By which vectors states side by side are worked on.
#[derive(Clone, Copy)]
enum Vectors {
    /// By none: one state after the other.
    Singly,
    /// Vectors of a few strings.
    Small,
    /// The largest vectors.
    Large,
}

/// `N` states side by side. Wiped on drop.
///
/// **Constant time:** yes; lengths are public.
#[derive(Clone)]
#[repr(C)]
pub(super) struct States<const N: usize> {
    strings: [[u64; N]; STRINGS],
    backend: Backend,
}

impl<const N: usize> States<N> {
    pub(super) const fn zeros(backend: Backend) -> Self {
        Self { strings: [[0; N]; STRINGS], backend }
    }

    /// Makes one state zero.
    pub(super) fn clear(&mut self, lane: usize) {
        self.strings.iter_mut().for_each(|strings| strings[lane] = 0);
    }

    /// By which vectors to work on these lanes.
    fn vectors(&self, lanes: u32) -> Vectors {
        let (small, large) = (self.backend.bit_lanes(), self.backend.wide_bit_lanes());
        if N == 1 || small == 1 || small > N || lanes.count_ones() < 2 {
            return Vectors::Singly;
        }
        let groups = (0..N >> small.ilog2()).filter(|group| any_in_group(lanes, small, *group)).count();
        if large <= N && groups > 1 { Vectors::Large } else { Vectors::Small }
    }

    /// The blocks of all states, or at least of those whose bits are set in `lanes`, as bytes in memory order; behind
    /// each, the rest of the state or a part of it.
    pub(super) fn separate(&self, lanes: u32, out: &mut [[u64; STRINGS]; N]) {
        let task = Separate { strings: &self.strings, out: &mut *out, lanes };
        match self.vectors(lanes) {
            Vectors::Large => self.backend.run_bits_widely(task),
            Vectors::Small => self.backend.run_bits(task),
            Vectors::Singly => {
                for lane in (0..N).filter(|lane| lanes >> lane & 1 == 1) {
                    out[lane].iter_mut().zip(&self.strings).for_each(|(out, strings)| *out = strings[lane]);
                }
            }
        }
        if cfg!(target_endian = "big") {
            out.as_flattened_mut().iter_mut().for_each(|string| *string = string.to_le());
        }
    }

    /// Permutes all states, or at least those whose bits are set in `lanes`: by vectors if these are more than one.
    pub(super) fn permute(&mut self, lanes: u32) {
        let vectors = self.vectors(lanes);
        let task = Permute { strings: &mut self.strings, lanes };
        match vectors {
            _ if N == 1 => return self.backend.run_bits_singly(task),
            Vectors::Large => return self.backend.run_bits_widely(task),
            Vectors::Small => return self.backend.run_bits(task),
            Vectors::Singly => {}
        }
        for lane in (0..N).filter(|lane| lanes >> lane & 1 == 1) {
            let mut single = States::<1>::zeros(self.backend);
            self.strings.iter().zip(&mut single.strings).for_each(|(strings, [string])| *string = strings[lane]);
            single.permute(1);
            self.strings.iter_mut().zip(&single.strings).for_each(|(strings, [string])| strings[lane] = *string);
        }
    }

    /// Absorbs bytes into one state, from byte `at` on.
    pub(super) fn absorb(&mut self, lane: usize, mut at: usize, bytes: &[u8]) {
        let (head, bytes) = bytes.split_at(bytes.len().min(at.wrapping_neg() & 7));
        for byte in head {
            self.strings[at >> 3][lane] ^= u64::from(*byte) << (8 * (at & 7));
            at += 1;
        }
        let (words, tail) = bytes.as_chunks();
        for (strings, word) in self.strings[at >> 3..].iter_mut().zip(words) {
            strings[lane] ^= u64::from_le_bytes(*word);
        }
        at += 8 * words.len();
        for (i, byte) in tail.iter().enumerate() {
            self.strings[at >> 3][lane] ^= u64::from(*byte) << (8 * i);
        }
    }

    /// Ends an input after `at` bytes of the block, of `rate` bytes: the domain bits that separate functions, and the
    /// padding `10*1`.
    pub(super) fn pad(&mut self, lane: usize, at: usize, rate: usize, domain: u8) {
        let last = rate - 1;
        self.strings[at >> 3][lane] ^= u64::from(domain) << (8 * (at & 7));
        self.strings[last >> 3][lane] ^= 0x80 << (8 * (last & 7));
    }

    /// Copies bytes out of one state, from byte `at` on.
    pub(super) fn copy(&self, lane: usize, mut at: usize, bytes: &mut [u8]) {
        let (head, bytes) = bytes.split_at_mut(bytes.len().min(at.wrapping_neg() & 7));
        for byte in head {
            *byte = (self.strings[at >> 3][lane] >> (8 * (at & 7))) as u8;
            at += 1;
        }
        let (words, tail) = bytes.as_chunks_mut();
        for (word, strings) in words.iter_mut().zip(&self.strings[at >> 3..]) {
            *word = strings[lane].to_le_bytes();
        }
        at += 8 * words.len();
        for (i, byte) in tail.iter_mut().enumerate() {
            *byte = (self.strings[at >> 3][lane] >> (8 * i)) as u8;
        }
    }
}

impl<const N: usize> Drop for States<N> {
    fn drop(&mut self) {
        self.strings = [[0; N]; STRINGS];
        black_box(&self.strings);
    }
}

/// A sponge with incremental input and output.
///
/// **Constant time:** yes; lengths are public.
#[derive(Clone)]
pub(crate) struct Sponge {
    state: States<1>,
    /// Bytes of a block.
    rate: usize,
    /// Bytes of the current block absorbed or squeezed so far.
    at: usize,
}

impl Sponge {
    /// A sponge with blocks of `rate` bytes, a multiple of 8, on the best backend of this machine.
    pub(crate) fn new(rate: usize) -> Self {
        Self::on(Backend::best(), rate)
    }

    const fn on(backend: Backend, rate: usize) -> Self {
        Self { state: States::zeros(backend), rate, at: 0 }
    }

    fn permute(&mut self) {
        self.state.permute(1);
        self.at = 0;
    }

    /// Absorbs the next bytes.
    pub(crate) fn absorb(&mut self, mut input: &[u8]) {
        while !input.is_empty() {
            let (piece, rest) = input.split_at(input.len().min(self.rate - self.at));
            self.state.absorb(0, self.at, piece);
            (self.at, input) = (self.at + piece.len(), rest);
            if self.at == self.rate {
                self.permute();
            }
        }
    }

    /// Ends the input.
    pub(crate) fn finish(&mut self, domain: u8) {
        self.state.pad(0, self.at, self.rate, domain);
        self.permute();
    }

    /// Squeezes the next bytes. The split into calls makes no difference.
    pub(crate) fn squeeze(&mut self, mut output: &mut [u8]) {
        while !output.is_empty() {
            if self.at == self.rate {
                self.permute();
            }
            let (piece, rest) = output.split_at_mut(output.len().min(self.rate - self.at));
            self.state.copy(0, self.at, piece);
            (self.at, output) = (self.at + piece.len(), rest);
        }
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

    #[test]
    fn every_backend_is_shake_however_it_is_cut() {
        let text: Vec<u8> = (0..1000).map(|i| (i * i + 7 * i) as u8).collect();
        for backend in Backend::available() {
            for length in [0, 1, 7, 8, 135, 136, 137, 167, 168, 169, 335, 336, 1000] {
                let mut sponge = Sponge::on(backend, 168);
                sponge.absorb(&text[..length >> 2]);
                sponge.absorb(&text[length >> 2..length]);
                sponge.finish(DOMAIN_SHAKE);
                let mut output = vec![0; 700];
                let (mut at, mut step) = (0, 1);
                while at < output.len() {
                    let end = output.len().min(at + step);
                    sponge.squeeze(&mut output[at..end]);
                    (at, step) = (end, step * 3 + 1);
                }
                assert_eq!(output, expected(&text[..length], 700), "{length} bytes on {backend}");
            }
        }
    }

    /// Independent of the other states and of how many fit a vector.
    #[test]
    fn states_side_by_side_are_as_they_are_alone() {
        fn check<const N: usize>(backend: Backend) {
            let mut alone = core::array::from_fn::<_, N, _>(|_| States::<1>::zeros(backend));
            let mut together = States::<N>::zeros(backend);
            for (lane, alone) in alone.iter_mut().enumerate() {
                let text = [lane as u8 + 1; 199];
                alone.absorb(0, 1, &text);
                together.absorb(lane, 1, &text);
                alone.permute(1);
            }
            for lanes in [(1 << N) - 1, 1, 1 << (N - 1), 0b11 & ((1 << N) - 1), 1 | 1 << (N - 1)] {
                let mut together = together.clone();
                together.permute(lanes);
                let mut separate = [[0; STRINGS]; N];
                together.separate(lanes, &mut separate);
                for lane in (0..N).filter(|lane| lanes >> lane & 1 == 1) {
                    let [mut a, mut b] = [[0; 200]; 2];
                    alone[lane].copy(0, 0, &mut a);
                    together.copy(lane, 0, &mut b);
                    assert_eq!(a, b, "lane {lane} of {N} on {backend}");
                    let block = lanes::bytes_of(&separate[lane]);
                    assert_eq!(a[..8 * OF_BLOCK], block[..8 * OF_BLOCK], "block {lane} of {N} on {backend}");
                }
            }
        }
        for backend in Backend::available() {
            check::<1>(backend);
            check::<2>(backend);
            check::<4>(backend);
            check::<8>(backend);
        }
    }

    #[test]
    fn digests_have_their_own_domain() {
        let mut sponge = Sponge::new(136);
        sponge.absorb(b"abc");
        sponge.finish(DOMAIN_SHA3);
        let mut digest = [0; 32];
        sponge.squeeze(&mut digest);
        assert_eq!(digest[..], sha3::Sha3_256::digest(b"abc")[..]);
    }

    #[test]
    fn constants_are_those_of_the_standard() {
        assert_eq!(CONSTANTS[..3], [1, 0x8082, 0x8000_0000_0000_808A]);
        assert_eq!(CONSTANTS[ROUNDS - 1], 0x8000_0000_8000_8008);
    }
}
