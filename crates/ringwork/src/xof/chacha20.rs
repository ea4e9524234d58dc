//! The ChaCha20 stream, one block per lane at a time.
//!
//! Vector `i` has word `i` of each block, so that rounds move nothing between lanes; finished
//! blocks are transposed.
//!
//! Source: Bernstein, *ChaCha, a variant of Salsa20* (2008). The blocks are those of RFC 8439,
//! section 2.3, whose nonce begins with the upper half of this counter.

use super::{ByteStream, derived_seed};
use crate::ct::Wiped;
use lanes::{Backend, LanesWide, Task32};

/// Words of a block, and the largest number of blocks computed at a time.
const WORDS: usize = 16;
/// Bytes of a block.
const BYTES: usize = 4 * WORDS;
/// The position of the counter's words.
const COUNTER: usize = 12;
const CONSTANTS: &[u8; 16] = b"expand 32-byte k";

/// The ChaCha20 stream of the original form: 8-byte nonce, 64-bit block counter from 0.
///
/// **Constant time:** yes. The key and unread bytes are wiped on drop; copies that moves and
/// spilled vectors leave on the stack are not.
pub struct ChaCha20 {
    blocks: Blocks,
    /// The blocks computed at a time, once a read has ended among them.
    made: Wiped<u8>,
    /// The number of these bytes already read.
    read: usize,
}

impl ChaCha20 {
    /// The stream of a key and a nonce.
    pub fn new(key: &[u8; 32], nonce: [u8; 8]) -> Self {
        Self::on(Backend::best(), key, nonce)
    }

    /// The stream for one use of a secret seed: nonce 0, and as key 32 bytes of SHAKE-256 of
    /// `label`, a string that names scheme, parameters and use, and the seed. So one seed under two
    /// labels gives independent streams.
    pub fn of_use(label: &[u8], seed: &[u8; 32]) -> Self {
        let key = derived_seed(&[label, seed]);
        Self::new(&key, [0; 8])
    }

    fn on(backend: Backend, key: &[u8; 32], nonce: [u8; 8]) -> Self {
        let mut first = Wiped::zeros(WORDS);
        for (i, byte) in CONSTANTS.iter().chain(key).chain(&[0; 8]).chain(&nonce).enumerate() {
            first[i >> 2] |= i32::from(*byte) << (8 * (i & 3));
        }
        let blocks = Blocks { backend: backend.at_most(WORDS, 32), first, counter: 0 };
        Self { blocks, made: Wiped::zeros(0), read: 0 }
    }
}

/// Fills `bytes` with the first bytes of [`ChaCha20`].
pub fn chacha20(key: &[u8; 32], nonce: [u8; 8], bytes: &mut [u8]) {
    ChaCha20::new(key, nonce).read(bytes);
}

impl ByteStream for ChaCha20 {
    fn read(&mut self, bytes: &mut [u8]) {
        let made = &self.made[self.read..];
        let (first, bytes) = bytes.split_at_mut(made.len().min(bytes.len()));
        first.copy_from_slice(&made[..first.len()]);
        self.read += first.len();

        let at_a_time = BYTES * self.blocks.backend.lanes(32);
        let (whole, last) = bytes.split_at_mut(bytes.len() & !(at_a_time - 1));
        self.blocks.next(whole);
        if !last.is_empty() {
            if self.made.is_empty() {
                self.made = Wiped::zeros(at_a_time);
            }
            self.blocks.next(&mut self.made);
            last.copy_from_slice(&self.made[..last.len()]);
            self.read = last.len();
        }
    }
}

/// Blocks of the stream, from a given number on.
struct Blocks {
    backend: Backend,
    /// The input words of block 0.
    first: Wiped<i32>,
    /// The number of the next block.
    counter: u64,
}

impl Blocks {
    /// The next blocks, one per lane at a time.
    fn next(&mut self, out: &mut [u8]) {
        let (out, _) = out.as_chunks_mut();
        let count = out.len() as u64;
        if count != 0 {
            self.backend.run32(Fill {
                first: self.first.first_chunk().expect("the words of a block"),
                counter: self.counter,
                out,
            });
            self.counter = self.counter.wrapping_add(count);
        }
    }
}

struct Fill<'a> {
    first: &'a [i32; WORDS],
    counter: u64,
    out: &'a mut [[u8; BYTES]],
}

impl Task32 for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: LanesWide<Word = i32>>(mut self, l: L) {
        let mut first = [l.splat(0); WORDS];
        for (vector, word) in first.iter_mut().zip(self.first) {
            *vector = l.splat(*word);
        }
        for out in self.out.chunks_exact_mut(L::LANES) {
            let (mut low, mut high) = ([0; WORDS], [0; WORDS]);
            for (low, high) in low.iter_mut().zip(&mut high).take(L::LANES) {
                *low = self.counter as i32;
                *high = (self.counter >> 32) as i32;
                self.counter = self.counter.wrapping_add(1);
            }
            first[COUNTER] = l.load(&L::blocks(&low)[0]);
            first[COUNTER + 1] = l.load(&L::blocks(&high)[0]);
            let mut words = first;
            for _ in 0..10 {
                double_round(l, &mut words);
            }
            for i in 0..WORDS {
                words[i] = l.add(words[i], first[i]);
            }
            transpose(l, &mut words);
            for (block, out) in out.iter_mut().enumerate() {
                let mut part = block;
                for out in out.as_chunks_mut().0.chunks_exact_mut(L::LANES) {
                    store(l, words[part], out);
                    part += L::LANES;
                }
            }
        }
    }
}

/// A round of columns and one of diagonals.
#[inline(always)]
fn double_round<L: LanesWide>(l: L, v: &mut [L::V; WORDS]) {
    for indices in [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] {
        quarter_round(l, v, indices);
    }
    for indices in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
        quarter_round(l, v, indices);
    }
}

#[inline(always)]
fn quarter_round<L: LanesWide>(l: L, v: &mut [L::V; WORDS], [a, b, c, d]: [usize; 4]) {
    v[a] = l.add(v[a], v[b]);
    v[d] = rotate::<L, 16, 16>(l, l.xor(v[d], v[a]));
    v[c] = l.add(v[c], v[d]);
    v[b] = rotate::<L, 12, 20>(l, l.xor(v[b], v[c]));
    v[a] = l.add(v[a], v[b]);
    v[d] = rotate::<L, 8, 24>(l, l.xor(v[d], v[a]));
    v[c] = l.add(v[c], v[d]);
    v[b] = rotate::<L, 7, 25>(l, l.xor(v[b], v[c]));
}

/// Rotates to the left by `S` bits; `REST` is `32 - S`.
#[inline(always)]
fn rotate<L: LanesWide, const S: i32, const REST: i32>(l: L, x: L::V) -> L::V {
    l.or(l.shl::<S>(x), l.shr_logical::<REST>(x))
}

/// Transposes each square of vectors, as many as there are lanes.
#[inline(always)]
fn transpose<L: LanesWide>(l: L, v: &mut [L::V; WORDS]) {
    exchange::<L, 1>(l, v);
    exchange::<L, 2>(l, v);
    exchange::<L, 4>(l, v);
    exchange::<L, 8>(l, v);
}

#[inline(always)]
fn exchange<L: LanesWide, const K: usize>(l: L, v: &mut [L::V; WORDS]) {
    if K < L::LANES {
        for i in 0..WORDS {
            if i & K == 0 {
                (v[i], v[i | K]) = l.interleave::<K>(v[i], v[i | K]);
            }
        }
    }
}

#[inline(always)]
fn store<L: LanesWide<Word = i32>>(l: L, v: L::V, out: &mut [[u8; 4]]) {
    let mut words = [0; WORDS];
    if let Some(block) = L::blocks_mut(&mut words).first_mut() {
        l.store(block, v);
    }
    for (out, word) in out.iter_mut().zip(words) {
        *out = word.to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::{
        ChaCha20Legacy,
        cipher::{KeyIvInit, StreamCipher, StreamCipherSeek},
    };

    /// The stream of the crate `chacha20`, from that byte on.
    fn expected(key: &[u8; 32], nonce: [u8; 8], from: u64, bytes: &mut [u8]) {
        let mut cipher = ChaCha20Legacy::new(key.into(), &nonce.into());
        cipher.seek(from);
        bytes.fill(0);
        cipher.apply_keystream(bytes);
    }

    #[test]
    fn every_backend_reads_the_stream_however_it_is_cut() {
        let (key, nonce) = (core::array::from_fn(|i| i as u8 * 7), [1, 2, 3, 4, 250, 251, 252, 253]);
        let mut stream = [0; 5000];
        expected(&key, nonce, 0, &mut stream);
        for backend in Backend::available() {
            let mut chacha20 = ChaCha20::on(backend, &key, nonce);
            let mut at = 0;
            for length in (0..).step_by(3).flat_map(|i| [i, 1, 512 + i, 63]) {
                let mut bytes = vec![0; length.min(stream.len() - at)];
                chacha20.read(&mut bytes);
                assert_eq!(bytes, stream[at..][..bytes.len()], "{} from {at} on {backend}", bytes.len());
                at += bytes.len();
                if at == stream.len() {
                    break;
                }
            }
        }
    }

    #[test]
    fn counters_have_64_bits() {
        let (key, nonce) = ([3; 32], [4; 8]);
        for backend in Backend::available() {
            let mut chacha20 = ChaCha20::on(backend, &key, nonce);
            chacha20.blocks.counter = (1 << 32) - 5;
            let (mut bytes, mut stream) = ([0; 1024], [0; 1024]);
            chacha20.read(&mut bytes);
            expected(&key, nonce, ((1 << 32) - 5) * 64, &mut stream);
            assert_eq!(bytes, stream, "{backend}");
        }
    }

    /// RFC 8439, section 2.3.2: the nonce is 00000009:0000004a:00000000 and the counter 1, here its
    /// lower half.
    #[test]
    fn block_of_rfc_8439() {
        let key = core::array::from_fn(|i| i as u8);
        for backend in Backend::available() {
            let mut chacha20 = ChaCha20::on(backend, &key, [0, 0, 0, 0x4A, 0, 0, 0, 0]);
            chacha20.blocks.counter = 0x0900_0000 << 32 | 1;
            let mut bytes = [0; 64];
            chacha20.read(&mut bytes);
            let first =
                [0x10, 0xF1, 0xE7, 0xE4, 0xD1, 0x3B, 0x59, 0x15, 0x50, 0x0F, 0xDD, 0x1F, 0xA3, 0x20, 0x71, 0xC4];
            assert_eq!(bytes[..16], first, "{backend}");
        }
    }
}
