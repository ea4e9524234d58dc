//! Pseudorandom sampling: Algorithms 29 to 34 of FIPS 204, four streams at a time.

use super::{
    encode,
    params::{N, Parameters, Q},
};
use crate::{
    ct::WipedArray,
    module::Vector,
    sample::{Candidates, FixedWeight, SPARE},
    xof::{ByteStream, Shake128, Shake256, groups},
};
use core::array::from_fn;
use lanes::Backend;

/// Streams side by side.
const STREAMS: usize = 4;

/// A stream in blocks, for whoever reads a byte at a time.
struct Blocks {
    stream: Shake256,
    block: [u8; Shake256::BLOCK],
    at: usize,
}

impl ByteStream for Blocks {
    fn read(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            if self.at == self.block.len() {
                self.stream.read(&mut self.block);
                self.at = 0;
            }
            *byte = self.block[self.at];
            self.at += 1;
        }
    }
}

/// Algorithm 29, SampleInBall: τ coefficients ±1, the others 0.
///
/// In variable time. Where a signer rejects what comes of it, c is not published; but `c̃` is a hash
/// that tells nothing about the secret.
pub(super) fn sample_in_ball(set: &Parameters, challenge: &[u8]) -> Vector<i32> {
    let ball = FixedWeight::new(N, set.tau).expect("τ is at most 256");
    let mut stream = Blocks { stream: Shake256::new(challenge), block: [0; _], at: Shake256::BLOCK };
    Vector::filled(N, 1, |words| ball.write_vartime(&mut stream, words))
}

/// Algorithm 30, RejNTTPoly, for the seeds `ρ ‖ nonce`: a transformed polynomial for each.
///
/// Coefficient `i` in the standard's order comes to `places[i]`. Public: in variable time.
pub(super) fn sample_ntt<'a>(
    places: &[u8; N],
    polynomials: impl Iterator<Item = (&'a [u8; 32], [u8; 2], &'a mut [i32; N])>,
) {
    const BYTES: usize = Shake128::BLOCK + SPARE;
    let candidates = Candidates { step: 24, bits: 23, bound: Q as u64 };
    let mut blocks = [[0; BYTES]; STREAMS];
    for group in groups::<_, STREAMS>(polynomials) {
        // In empty places, anything.
        let seeds =
            group.each_ref().map(|one| one.as_ref().map_or((&[0; 32], [0; 2]), |(rho, nonce, _)| (*rho, *nonce)));
        let mut group = group.map(|one| one.map(|one| (one, 0)));
        let mut streams = Shake128::<STREAMS>::of(seeds.each_ref().map(|(rho, nonce)| [&rho[..], &nonce[..]]));
        while group.iter().flatten().any(|(_, count)| *count < N) {
            streams.read_all(blocks.each_mut().map(|block| &mut block[..Shake128::BLOCK]));
            for (((_, _, polynomial), count), block) in group.iter_mut().flatten().zip(&blocks) {
                let mut done = *count;
                candidates.accept(block, |candidate, accepted| {
                    let Some(&place) = places.get(done) else { return false };
                    polynomial[usize::from(place)] = candidate as i32; // overwritten by the next one unless it counts
                    done += usize::from(accepted);
                    true
                });
                *count = done;
            }
        }
    }
}

/// Algorithms 31 and 33, RejBoundedPoly and ExpandS: s1, then s2, in `[-η, η]`.
///
/// In variable time as far as candidates are rejected: those that are tell nothing about the others.
pub(super) fn expand_s(set: &Parameters, seed: &[u8; 64], secrets: &mut [i32]) {
    const BYTES: usize = Shake256::BLOCK + SPARE;
    let bound = if set.eta == 2 { 15 } else { 9 };
    let candidates = Candidates { step: 4, bits: 4, bound };
    for (group, out) in secrets.chunks_mut(STREAMS * N).enumerate() {
        let nonces: [[u8; 2]; STREAMS] = from_fn(|i| ((STREAMS * group + i) as u16).to_le_bytes());
        let mut streams = Shake256::<STREAMS>::of(nonces.each_ref().map(|nonce| [&seed[..], &nonce[..]]));
        let mut blocks: [_; STREAMS] = from_fn(|_| WipedArray::<u8, BYTES>::zeros());
        let mut counts = [0; STREAMS];
        let polynomials = out.as_chunks_mut::<N>().0;
        while counts[..polynomials.len()].iter().any(|&count| count < N) {
            streams.read_all(blocks.each_mut().map(|block| &mut block[..Shake256::BLOCK]));
            for ((polynomial, block), count) in polynomials.iter_mut().zip(&blocks).zip(&mut counts) {
                let mut done = *count;
                candidates.accept(&block[..], |candidate, accepted| {
                    let Some(value) = polynomial.get_mut(done) else { return false };
                    *value = candidate as i32;
                    done += usize::from(accepted);
                    true
                });
                *count = done;
            }
        }
        // Algorithm 15, CoeffFromHalfByte; 52/256 is 1/5, rounded up, which is exact below 15
        if set.eta == 2 {
            out.iter_mut().for_each(|x| *x = 2 - (*x - 5 * ((*x * 52) >> 8)));
        } else {
            out.iter_mut().for_each(|x| *x = 4 - *x);
        }
    }
}

/// Algorithm 34, ExpandMask, for one rejected signature after the other: polynomials of numbers
/// 0, 1, 2, …, four of which are drawn at a time.
pub(super) struct Masks<'a> {
    backend: Backend,
    set: &'a Parameters,
    seed: &'a [u8; 64],
    next: u16,
    drawn: Vector<i32>,
    left: usize,
}

impl<'a> Masks<'a> {
    pub(super) fn new(backend: Backend, set: &'a Parameters, seed: &'a [u8; 64]) -> Self {
        Self { backend, set, seed, next: 0, drawn: Vector::zeros(N, STREAMS), left: 0 }
    }

    /// The next polynomials, in `(-γ1, γ1]`.
    pub(super) fn fill(&mut self, y: &mut [i32]) {
        for y in y.chunks_exact_mut(N) {
            if self.left == 0 {
                self.draw();
            }
            y.copy_from_slice(&self.drawn.words()[(STREAMS - self.left) * N..][..N]);
            self.left -= 1;
        }
    }

    fn draw(&mut self) {
        const BYTES: usize = 20 * (N >> 3);
        let nonces: [[u8; 2]; STREAMS] = from_fn(|i| self.next.wrapping_add(i as u16).to_le_bytes());
        let mut streams = Shake256::<STREAMS>::of(nonces.each_ref().map(|nonce| [&self.seed[..], &nonce[..]]));
        let mut bytes: [_; STREAMS] = from_fn(|_| WipedArray::<u8, BYTES>::zeros());
        let length = self.set.gamma1_bytes();
        streams.read_all(bytes.each_mut().map(|bytes| &mut bytes[..length]));
        for (bytes, out) in bytes.iter().zip(self.drawn.words_mut().chunks_exact_mut(N)) {
            encode::unpack_z(self.backend, self.set, &bytes[..length], out);
        }
        self.next = self.next.wrapping_add(STREAMS as u16);
        self.left = STREAMS;
    }
}
