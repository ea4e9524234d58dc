//! Pseudorandom sampling: Algorithms 30 and 32 to 34 of FIPS 204, with streams side by side.

use super::{
    encode,
    engine::Engine,
    params::{N, Parameters, Q},
    sample::Bounded,
};
use crate::{
    ct::working,
    module::{NttVector, Vector},
    sample::Accepted,
    xof::{
        Function,
        turns::{self, Job, hash_all},
    },
};
use alloc::vec::Vec;
use lanes::Backend;

/// The consumer of a hash's output.
pub(super) enum Output<'a> {
    Bytes(&'a mut [u8]),
    /// A polynomial of Algorithm 30.
    Ntt(&'a Engine, Accepted<'a, i32>),
    /// A polynomial of Algorithm 31.
    Bounded(Bounded<'a>),
}

impl turns::Output for Output<'_> {
    fn take(&mut self, block: &[u8]) -> bool {
        match self {
            Self::Bytes(bytes) => bytes.take(block),
            Self::Ntt(engine, polynomial) => {
                polynomial.accept::<24>(engine.backend(), Q as u32, block, |out, values| engine.native_of(out, values))
            }
            Self::Bounded(bounded) => bounded.take(block),
        }
    }
}

/// A hash of two parts.
pub(super) fn hash<'a>(function: Function, parts: [&'a [u8]; 2], out: &'a mut [u8]) -> Job<'a, Output<'a>> {
    Job::new(function, parts, Output::Bytes(out))
}

/// Algorithm 30, RejNTTPoly, for the seed `ρ ‖ nonce`: a transformed polynomial in native order. Variable time: its
/// data is public.
fn sample_ntt<'a>(engine: &'a Engine, rho: &'a [u8; 32], nonce: [u8; 2], out: &'a mut [i32; N]) -> Job<'a, Output<'a>> {
    Job::new(Function::SHAKE_128, [rho, &[]], Output::Ntt(engine, Accepted::new(out))).with_nonce(nonce)
}

/// Algorithm 32, ExpandA, for ρ: into a matrix with `more` polynomials after each row.
pub(super) fn expand_a<'a>(
    engine: &'a Engine,
    set: &Parameters,
    rho: &'a [u8; 32],
    matrix: &'a mut NttVector<i32>,
    more: usize,
) -> impl Iterator<Item = Job<'a, Output<'a>>> {
    let l = set.l;
    let rows = matrix.words_mut().as_chunks_mut().0.chunks_exact_mut(l + more);
    (0..)
        .zip(rows)
        .flat_map(move |(i, row)| (0..).zip(&mut row[..l]).map(move |(j, out)| sample_ntt(engine, rho, [j, i], out)))
}

/// Algorithm 33, ExpandS: s1, then s2, in `[-η, η]`.
///
/// Variable time in the rejection of candidates, which reveals nothing about the accepted ones.
pub(super) fn expand_s<'a>(
    backend: Backend,
    set: &'a Parameters,
    seed: &'a [u8; 64],
    secrets: &'a mut [i32],
) -> impl Iterator<Item = Job<'a, Output<'a>>> {
    (0_u16..).zip(secrets.as_chunks_mut().0).map(move |(nonce, out)| {
        let output = Output::Bounded(Bounded::new(backend, set.eta, out));
        Job::new(Function::SHAKE_256, [seed, &[]], output).with_nonce(nonce.to_le_bytes())
    })
}

/// Polynomials of a mask drawn at a time.
const TOGETHER: usize = 4;

/// Algorithm 34, ExpandMask, for one rejected signature after the other: polynomials number 0, 1, 2, …, drawn four at a
/// time.
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
        Self { backend, set, seed, next: 0, drawn: Vector::zeros(N, TOGETHER), left: 0 }
    }

    /// The next polynomials, in `(-γ1, γ1]`.
    pub(super) fn fill(&mut self, y: &mut [i32]) {
        for y in y.chunks_exact_mut(N) {
            if self.left == 0 {
                self.draw();
            }
            y.copy_from_slice(&self.drawn.words()[(TOGETHER - self.left) * N..][..N]);
            self.left -= 1;
        }
    }

    fn draw(&mut self) {
        const BYTES: usize = 20 * (N >> 3);
        let length = self.set.gamma1_bytes();
        working!(bytes: [u8; TOGETHER * BYTES]);
        let (first, seed) = (self.next, &self.seed[..]);
        let jobs = (0..).zip(bytes.chunks_exact_mut(BYTES)).map(|(i, bytes)| {
            let nonce = first.wrapping_add(i).to_le_bytes();
            Job::new(Function::SHAKE_256, [seed, &[]], &mut bytes[..length]).with_nonce(nonce)
        });
        hash_all(self.backend, &mut jobs.collect::<Vec<_>>());
        for (bytes, out) in bytes.chunks_exact(BYTES).zip(self.drawn.words_mut().chunks_exact_mut(N)) {
            encode::unpack_z(self.backend, self.set, &bytes[..length], out);
        }
        self.next = first.wrapping_add(TOGETHER as u16);
        self.left = TOGETHER;
    }
}
