//! Rejection: uniform values below a bound, from chunks of `ceil(log2 q)` bits; chunks of value `q` or more are
//! rejected. In variable time, for public values.

use super::{Word, assert_fits};
use crate::xof::{ByteStream, Shake128, turns::SPARE};
use lanes::{Backend, Lanes, Lanes16, LanesWide, MAX_LANES, Task16, Task32};

/// Bytes read at once for candidates: a block of SHAKE-128.
const PIECE: usize = Shake128::BLOCK;

/// Fills `out` with uniform values modulo `q`.
///
/// Pieces of 168 bytes are read as bits, the lowest of each byte first; each `ceil(log2 q)` bits, the first one lowest,
/// are a candidate, and the rest of a piece is discarded. For `q` of 12 bits this is SampleNTT of FIPS 203.
///
/// - **Range:** `[0, q)`.
/// - **Constant time:** no: for public values.
/// - **Panics** unless `2 ≤ q ≤ 2^62` and `q - 1` fits the word.
pub fn uniform_mod_vartime<W: Word>(q: u64, stream: &mut impl ByteStream, out: &mut [W]) {
    assert!((2..=1 << 62).contains(&q), "q = {q} is not in 2..=2^62");
    assert_fits::<W>((q - 1) as i64);
    let bits = (q - 1).ilog2() + 1;
    let candidates = Candidates { step: bits as usize, bits, bound: q };
    let mut piece = [0; PIECE + SPARE];
    let mut count = 0;
    while count < out.len() {
        stream.read(&mut piece[..PIECE]);
        candidates.accept(&piece, |candidate, accepted| {
            let Some(value) = out.get_mut(count) else { return false };
            *value = W::truncate(candidate as i64); // overwritten by the next one unless it counts
            count += usize::from(accepted);
            true
        });
    }
}

/// The candidates of rejection in a bit string, the lowest bit of each byte first: every `step` bits start one of
/// `bits ≤ step` bits, which is accepted if it is below `bound`.
#[derive(Clone, Copy, Debug)]
struct Candidates {
    /// Bits from one candidate to the next.
    step: usize,
    /// Bits of a candidate.
    bits: u32,
    /// Accepted candidates are below this.
    bound: u64,
}

impl Candidates {
    /// Passes each candidate of a piece, and whether it is accepted, to `take`, until that returns false. [`SPARE`]
    /// bytes follow the piece; the rest at its end is discarded.
    ///
    /// **Constant time:** as far as `take` is: nothing here depends on candidates.
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn accept(self, piece: &[u8], mut take: impl FnMut(u64, bool) -> bool) {
        let Self { step, bits, bound } = self;
        let mask = (1 << bits) - 1;
        let candidates = 8 * (piece.len() - SPARE) / step;
        // As many candidates as a word of 64 bits holds, wherever in a byte the first one begins.
        let together = (57 / step).max(1);
        for first in (0..candidates).step_by(together) {
            let at = first * step;
            let window = &piece[at >> 3..];
            let window = if step <= 57 {
                u64::from_le_bytes(*window.first_chunk().expect("8 bytes")) >> (at & 7)
            } else {
                (u128::from_le_bytes(*window.first_chunk().expect("16 bytes")) >> (at & 7)) as u64
            };
            for i in 0..together.min(candidates - first) {
                let candidate = window >> (i * step) & mask;
                if !take(candidate, candidate < bound) {
                    return;
                }
            }
        }
    }
}

/// Writes the candidates of `W` bits in a piece, followed by [`SPARE`] bytes, that are below `q`, on vectors, and
/// returns their number. All but [`MAX_LANES`] words of `out` can receive candidates, and any word may be overwritten.
/// Bits above those of `q - 1` are ignored.
///
/// **Constant time:** no: it shows which candidates are rejected. **Panics** unless `q` is odd and has at most `W` bits
/// and fewer than the word, and `out` has those words.
pub(crate) fn rejected_vartime<T: Rejects, const W: usize>(
    backend: Backend,
    q: u32,
    piece: &[u8],
    out: &mut [T],
) -> usize {
    assert!(q & 1 == 1 && q >> (T::BITS - 1) == 0 && q >> (W - 1) < 2);
    T::rejected::<W>(backend, Rejected { q, piece, out })
}

/// A word whose vectors can reject.
pub(crate) trait Rejects: Word {
    /// Runs the task on its lanes.
    fn rejected<const W: usize>(backend: Backend, task: Rejected<'_, Self, W>) -> usize;
}

/// The task of [`rejected_vartime`].
pub(crate) struct Rejected<'a, T, const W: usize> {
    q: u32,
    piece: &'a [u8],
    out: &'a mut [T],
}

impl<T: Word, const W: usize> Rejected<'_, T, W> {
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn accept<L: Lanes<Word = T>>(self, l: L) -> usize {
        let Self { q, piece, out } = self;
        let mask = l.splat(L::word((u32::MAX >> (q - 1).leading_zeros()).into()));
        let q = l.splat(L::word(q.into()));
        let candidates = ((piece.len() - SPARE) << 3) / W;
        let wanted = out.len() - MAX_LANES;
        let (mut count, mut first) = (0, 0);
        while first + L::LANES <= candidates && count < wanted {
            let room = &mut L::blocks_mut(&mut out[count..])[0];
            let candidate = l.and(l.unpack::<W>(piece, first), mask);
            count += l.compact(candidate, l.gt(q, candidate), room);
            first += L::LANES;
        }
        if first < candidates && count < wanted {
            let room = &mut L::blocks_mut(&mut out[count..])[0];
            let candidate = l.and(l.unpack::<W>(piece, first), mask);
            let mut numbers = [L::word(0); MAX_LANES];
            (0..).zip(&mut numbers).for_each(|(i, number)| *number = L::word(i));
            let numbers = l.load(&L::blocks(&numbers)[0]);
            let there = l.gt(l.splat(L::word((candidates - first) as i64)), numbers);
            count += l.compact(candidate, l.and(l.gt(q, candidate), there), room);
        }
        count.min(wanted)
    }
}

macro_rules! rejects {
    ($($word:ty, $task:ident, $lanes:ident, $run:ident $(, $compacts:item)?;)*) => {$(
        impl<const W: usize> $task for Rejected<'_, $word, W> {
            type Output = usize;
            $($compacts)?
            #[inline(always)]
            fn run<L: $lanes<Word = $word>>(self, l: L) -> usize {
                self.accept(l)
            }
        }

        impl Rejects for $word {
            fn rejected<const W: usize>(backend: Backend, task: Rejected<'_, Self, W>) -> usize {
                backend.$run(task)
            }
        }
    )*};
}
rejects! {
    i16, Task16, Lanes16, run16, const COMPACTS: bool = true;;
    i32, Task32, LanesWide, run32;
}

/// Coefficients of polynomials of FIPS 203 and 204.
const N: usize = 256;

/// A polynomial filled with accepted values, block by block.
pub(crate) struct Accepted<'a, T> {
    out: &'a mut [T; N],
    found: usize,
}

impl<'a, T: Rejects> Accepted<'a, T> {
    pub(crate) const fn new(out: &'a mut [T; N]) -> Self {
        Self { out, found: 0 }
    }

    /// Takes what [`rejected_vartime`] finds in the next block; returns whether it needs another one. At the end
    /// `order` permutes the values.
    ///
    /// **Constant time:** no: for public values.
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    pub(crate) fn accept<const W: usize>(
        &mut self,
        backend: Backend,
        q: u32,
        block: &[u8],
        order: impl FnOnce(&mut [T], &[T]),
    ) -> bool {
        let Self { out, found } = self;
        let most = ((block.len() - SPARE) << 3) / W;
        if let Some(room) = out.get_mut(*found..*found + most + MAX_LANES) {
            *found += rejected_vartime::<T, W>(backend, q, block, room);
            return true;
        }
        let mut last = [T::default(); N + MAX_LANES];
        let more = rejected_vartime::<T, W>(backend, q, block, &mut last[*found..]);
        if *found + more < N {
            out[*found..][..more].copy_from_slice(&last[*found..][..more]);
            *found += more;
            return true;
        }
        last[..*found].copy_from_slice(&out[..*found]);
        order(&mut out[..], &last[..N]);
        false
    }
}

#[cfg(test)]
#[expect(clippy::integer_division_remainder_used, reason = "tests of known numbers")]
mod tests {
    use super::{super::testing::*, *};
    use crate::xof::ChaCha20;

    fn stream() -> ChaCha20 {
        ChaCha20::new(&[5; 32], [0; 8])
    }

    #[test]
    fn rejection_is_what_it_says() {
        for q in [2_u64, 3, 257, 3329, 7681, 12289, 32768] {
            let bits = (0..).find(|b| 1_u64 << b >= q).unwrap();
            let mut bytes = vec![0; 8 * 168];
            Shake128::new(&q.to_le_bytes()).read(&mut bytes);
            let candidates = bytes.chunks(168).flat_map(|piece| {
                let bit = |i: usize| u64::from(piece[i / 8] >> (i % 8) & 1);
                (0..1344 / bits).map(move |c| (0..bits).map(|b| bit(bits * c + b) << b).sum::<u64>())
            });
            let expected: Vec<u64> = candidates.filter(|&c| c < q).take(300).collect();
            assert_eq!(expected.len(), 300);
            let mut out = [0_i16; 300];
            uniform_mod_vartime(q, &mut Shake128::new(&q.to_le_bytes()), &mut out);
            assert!(out.iter().zip(&expected).all(|(&x, &e)| i64::from(x) == e as i64), "q = {q}");
        }
    }

    #[test]
    fn vectors_reject_alike() {
        let mut piece = [0; 504 + SPARE];
        stream().read(&mut piece);
        fn check<const W: usize>(piece: &[u8], q: u16) {
            for length in [504, 168, 3 * W] {
                let piece = &piece[..length / W * W + SPARE];
                let mut expected = [0_i16; 600];
                let mut count = 0;
                let bits = u64::from(q - 1).ilog2() + 1;
                Candidates { step: W, bits, bound: q.into() }.accept(piece, |candidate, counts| {
                    expected[count] = candidate as i16;
                    count += usize::from(counts);
                    true
                });
                for room in [600, 256, 7, 0] {
                    for backend in Backend::available() {
                        let mut out = [0; 600 + MAX_LANES];
                        let found = rejected_vartime::<i16, W>(backend, q.into(), piece, &mut out[..room + MAX_LANES]);
                        assert_eq!(found, count.min(room), "q = {q} on {backend}");
                        assert_eq!(out[..found], expected[..found], "q = {q} on {backend}");
                    }
                }
            }
        }
        check::<12>(&piece, 3329);
        check::<16>(&piece, 12289);
        check::<13>(&piece, 7681);
        check::<9>(&piece, 257);
    }

    #[test]
    fn large_moduli_fill_their_range() {
        for q in [1_u64 << 31, (1 << 62) - 57, 1 << 62, (1 << 61) + 1] {
            let mut out = [0_i64; 4000];
            uniform_mod_vartime(q, &mut stream(), &mut out);
            let mut counts = [0.0; 16];
            out.iter().for_each(|&x| counts[(x as u128 * 16 / u128::from(q)) as usize] += 1.0);
            let (chi_square, cells) = chi_square(&counts, &[250.0; 16]);
            assert!(chi_square < chi_square_limit(cells), "q = {q}: {counts:?}");
        }
    }

    #[test]
    #[should_panic(expected = "values up to 32768 do not fit words of 16 bits")]
    fn a_modulus_too_large_for_the_word_is_refused() {
        uniform_mod_vartime(32769, &mut stream(), &mut [0_i16; 1]);
    }
}
