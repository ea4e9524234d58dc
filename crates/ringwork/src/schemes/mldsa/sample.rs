//! Pseudorandom sampling: Algorithms 29 and 31 of FIPS 204.

use super::params::N;
use crate::{
    ct::working,
    sample::{FixedWeight, rejected_vartime},
    xof::{ByteStream, Shake256, turns},
};
use lanes::{Backend, MAX_LANES};

/// A stream in blocks, for readers that take one byte at a time.
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
/// Variable time. If a signer rejects the candidate, c is not published; but `c̃` is a hash that reveals nothing about
/// the secret.
pub(super) fn sample_in_ball(tau: usize, challenge: &[u8], out: &mut [i32]) {
    let ball = FixedWeight::new(N, tau).expect("τ is at most 256");
    let mut stream = Blocks { stream: Shake256::new(challenge), block: [0; _], at: Shake256::BLOCK };
    ball.write_vartime(&mut stream, out);
}

/// A polynomial of Algorithm 31, RejBoundedPoly.
pub(super) struct Bounded<'a> {
    backend: Backend,
    eta: i32,
    out: &'a mut [i32; N],
    found: usize,
}

impl<'a> Bounded<'a> {
    /// For coefficients in `[-η, η]`.
    pub(super) const fn new(backend: Backend, eta: i32, out: &'a mut [i32; N]) -> Self {
        Self { backend, eta, out, found: 0 }
    }
}

impl turns::Output for Bounded<'_> {
    fn take(&mut self, block: &[u8]) -> bool {
        let Self { backend, eta, out, found } = self;
        working!(halves: [i16; 2 * Shake256::BLOCK + MAX_LANES]);
        let bound = if *eta == 2 { 15 } else { 9 };
        let more = rejected_vartime::<i16, 4>(*backend, bound, block, &mut halves[..]).min(N - *found);
        let new = out[*found..].iter_mut().zip(&halves[..more]);
        // Algorithm 15, CoeffFromHalfByte; 52/256 is 1/5, rounded up, which is exact below 15
        if *eta == 2 {
            new.for_each(|(out, &x)| *out = (2 - (x - 5 * ((x * 52) >> 8))).into());
        } else {
            new.for_each(|(out, &x)| *out = (4 - x).into());
        }
        *found += more;
        *found < N
    }
}
