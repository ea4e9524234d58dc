//! Hashes many inputs side by side, with any functions of FIPS 202 and any lengths: each input has a lane of the
//! vectors to itself, and when it is done the next one takes over that lane.

use super::{
    Function,
    keccak::{LARGEST_BLOCK, STRINGS, States},
};
use crate::ct::working;
use core::mem::take;
use lanes::{Backend, bytes_of};

/// Bytes after a block, which vector loads may read: the rest of the state, which is secret where its input is. They
/// must not be output, nor decide anything. After the largest block there are so many.
pub(crate) const SPARE: usize = 8 * STRINGS - LARGEST_BLOCK;

/// An input of a function, two parts and a nonce concatenated, and the consumer of the output.
pub(crate) struct Job<'a, O> {
    function: Function,
    parts: [&'a [u8]; 2],
    nonce: [u8; 2],
    /// Bytes of the nonce.
    nonce_length: u8,
    absorbed: bool,
    output: O,
}

/// A consumer of the output of a function.
pub(crate) trait Output {
    /// Takes the next block, followed by [`SPARE`] bytes; returns whether it needs another one.
    fn take(&mut self, block: &[u8]) -> bool;
}

/// Takes the first bytes of the output.
impl Output for &mut [u8] {
    fn take(&mut self, block: &[u8]) -> bool {
        let block = &block[..block.len() - SPARE];
        let length = self.len().min(block.len());
        let (now, later) = take(self).split_at_mut(length);
        now.copy_from_slice(&block[..now.len()]);
        *self = later;
        !self.is_empty()
    }
}

impl<'a, O: Output> Job<'a, O> {
    pub(crate) const fn new(function: Function, parts: [&'a [u8]; 2], output: O) -> Self {
        Self { function, parts, nonce: [0; 2], nonce_length: 0, absorbed: false, output }
    }

    /// Appends these bytes to the parts: at most two.
    pub(crate) fn with_nonce<const L: usize>(mut self, nonce: [u8; L]) -> Self {
        self.nonce[..L].copy_from_slice(&nonce);
        self.nonce_length = L as u8;
        self
    }

    /// Absorbs the next block of the input.
    fn absorb<const N: usize>(&mut self, states: &mut States<N>, lane: usize) {
        let (block, domain) = (self.function.block(), self.function.domain);
        let mut at = 0;
        for part in &mut self.parts {
            let (now, later) = part.split_at(part.len().min(block - at));
            states.absorb(lane, at, now);
            (*part, at) = (later, at + now.len());
        }
        while self.nonce_length > 0 && at < block {
            states.absorb(lane, at, &self.nonce[..1]);
            self.nonce = [self.nonce[1], 0];
            (self.nonce_length, at) = (self.nonce_length - 1, at + 1);
        }
        self.absorbed = at < block;
        if self.absorbed {
            states.pad(lane, at, block, domain);
        }
    }

    /// Continues after a permutation: `block` is output if the whole input is absorbed. Returns whether it needs
    /// another permutation.
    fn go_on<const N: usize>(&mut self, states: &mut States<N>, lane: usize, block: &[u8]) -> bool {
        if self.absorbed {
            return self.output.take(&block[..self.function.block() + SPARE]);
        }
        self.absorb(states, lane);
        true
    }
}

/// Hashes each input: one alone, few four side by side, many eight, where there are vectors of eight strings. Put the
/// inputs that need the most permutations first.
///
/// **Constant time:** yes, as far as outputs are; lengths are public.
pub(crate) fn hash_all<O: Output>(backend: Backend, jobs: &mut [Job<'_, O>]) {
    match jobs.len() {
        0 => {}
        1 => in_lanes::<1, O>(backend, jobs),
        // Of fewer, a long one (a public key, whose digest is taken) would be left alone at the end; where vectors of
        // eight strings take as long as two of four, that costs more than they save.
        24.. if backend.wide_bit_lanes() == 8 => in_lanes::<8, O>(backend, jobs),
        _ => in_lanes::<4, O>(backend, jobs),
    }
}

/// Hashes one input: without the code for several.
///
/// **Constant time:** as [`hash_all`].
pub(crate) fn hash_one<O: Output>(backend: Backend, mut job: Job<'_, O>) {
    in_lanes::<1, O>(backend, core::slice::from_mut(&mut job));
}

/// States begin with their strings (`repr(C)`), so that no vector lies across two lines of the cache.
#[cfg_attr(target_arch = "x86_64", repr(align(64)))]
struct Aligned<T>(T);

fn in_lanes<'j, 'a, const N: usize, O: Output>(backend: Backend, jobs: &'j mut [Job<'a, O>]) {
    let mut jobs = jobs.iter_mut();
    let Aligned(states) = &mut Aligned(States::<N>::zeros(backend));
    let mut lanes = [const { None::<&'j mut Job<'a, O>> }; N];
    working!(blocks: [[u64; STRINGS]; N]);
    loop {
        // Before any block is read: reading freshly written words as vectors is slow.
        let give = |(lane, job): (usize, &Option<&mut Job<'_, O>>)| {
            u32::from(job.as_ref().is_some_and(|job| job.absorbed)) << lane
        };
        states.separate(lanes.iter().enumerate().map(give).sum(), &mut blocks);
        let mut running = 0;
        for (lane, (job, block)) in lanes.iter_mut().zip(blocks.iter()).enumerate() {
            if !job.as_mut().is_some_and(|job| job.go_on(states, lane, bytes_of(block))) {
                *job = jobs.next();
                if let Some(job) = job {
                    states.clear(lane);
                    job.absorb(states, lane);
                }
            }
            running |= u32::from(job.is_some()) << lane;
        }
        if running == 0 {
            return;
        }
        states.permute(running);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha3::{
        Digest, Sha3_256,
        digest::{ExtendableOutput, Update, XofReader},
    };

    /// Inputs of two functions, of all lengths around block boundaries, in parts, with nonces, and outputs of several
    /// lengths, compared with the crates `sha3` and `shake`.
    #[test]
    fn all_lengths_side_by_side() {
        let text: Vec<u8> = (0..1000).map(|i| (i * i + 7 * i) as u8).collect();
        let lengths = [0, 1, 133, 134, 135, 136, 137, 166, 167, 168, 169, 335, 336, 999];
        for backend in Backend::available() {
            for count in 0..lengths.len() {
                let mut outputs = vec![(vec![0; 32], vec![0; 500]); count];
                let jobs = outputs.iter_mut().zip(lengths).flat_map(|((digest, stream), length)| {
                    let (first, second) = text[..length].split_at(length >> 2);
                    let digest = Job::new(Function::SHA3_256, [first, second], &mut digest[..]).with_nonce([7]);
                    let stream = &mut stream[..(length >> 1).max(1)];
                    [digest, Job::new(Function::SHAKE_128, [first, second], stream).with_nonce([8, 9])]
                });
                hash_all(backend, &mut jobs.collect::<Vec<_>>());
                for ((digest, stream), length) in outputs.iter().zip(lengths) {
                    let input = &text[..length];
                    assert_eq!(digest[..], Sha3_256::digest([input, &[7]].concat())[..], "{length} on {backend}");
                    let mut expected = vec![0; 500];
                    let mut shake = shake::Shake128::default();
                    shake.update(&[input, &[8, 9]].concat());
                    let used = (length >> 1).max(1);
                    shake.finalize_xof().read(&mut expected[..used]);
                    assert_eq!(*stream, expected, "{length} on {backend}");
                }
            }
        }
    }
}
