//! Uniform distributions.
//!
//! - Modulo `q`, for public values: chunks of `ceil(log2 q)` bits, of which those below `q` count.
//! - On `N = 2·beta + 1` values around 0, in constant time: a 128-bit number `u` has the digits of
//!   the fraction `u/2^128` in base `N`, `floor(uN/2^128)` first. Of `m` digits each combination
//!   comes from `floor` or `ceil` of `2^128/N^m` numbers, so `m` values together are within
//!   `N^m/2^129` of uniform; `N^m ≤ 2^36` makes that 2^-93.

use super::{SampleError, Word, assert_fits};
use crate::{
    ct::Wiped,
    xof::{ByteStream, Shake128, turns::SPARE},
};
use lanes::{Backend, Lanes, Lanes16, LanesWide, MAX_LANES, Task16, Task32};

/// The largest `beta` of [`Uniform`].
pub(super) const MAX_BOUND: u32 = 1 << 15;

/// Bytes that are read for candidates at once: a block of SHAKE-128.
const PIECE: usize = Shake128::BLOCK;

/// Fills `out` with uniform values modulo `q`.
///
/// Pieces of 168 bytes count as bits, the lowest of each byte first; each `ceil(log2 q)` of them,
/// the first one lowest, are a candidate, and what is left at the end of a piece is thrown away.
/// For `q` of 12 bits that is SampleNTT of FIPS 203.
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

/// The candidates of rejection in a string of bits, the lowest of each byte first: every `step`
/// bits one of `bits ≤ step`, which counts if it is below `bound`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates {
    /// Bits from one candidate to the next.
    pub(crate) step: usize,
    /// Bits of a candidate.
    pub(crate) bits: u32,
    /// What candidates that count are below.
    pub(crate) bound: u64,
}

impl Candidates {
    /// Hands each candidate of a piece, and whether it counts, to `take`, as long as that returns
    /// true. Behind the piece there are [`SPARE`] bytes; what is left at its end is thrown away.
    ///
    /// **Constant time:** as far as `take` is: nothing depends on candidates.
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    pub(crate) fn accept(self, piece: &[u8], mut take: impl FnMut(u64, bool) -> bool) {
        let Self { step, bits, bound } = self;
        let mask = (1 << bits) - 1;
        let candidates = 8 * (piece.len() - SPARE) / step;
        // As many as a word of 64 bits holds, wherever in a byte the first one begins.
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

/// The candidates of `W` bits in a piece, behind which there are [`SPARE`] bytes, that are below `q`, on
/// vectors; and how many they are: all but [`MAX_LANES`] words of `out` are for them, and any word may be
/// overwritten. Bits above those of `q - 1` do not count.
///
/// **Constant time:** no: which candidates are rejected shows. **Panics** unless `q` is odd and has at most
/// `W` bits and fewer than the word, and `out` has those words.
pub(crate) fn rejected_vartime<T: Rejects, const W: usize>(
    backend: Backend,
    q: u32,
    piece: &[u8],
    out: &mut [T],
) -> usize {
    assert!(q & 1 == 1 && q >> (T::BITS - 1) == 0 && q >> (W - 1) < 2);
    T::rejected::<W>(backend, Rejected { q, piece, out })
}

/// A word whose vectors reject.
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

/// A polynomial of what is not rejected, block by block.
pub(crate) struct Accepted<'a, T> {
    out: &'a mut [T; N],
    found: usize,
}

impl<'a, T: Rejects> Accepted<'a, T> {
    pub(crate) const fn new(out: &'a mut [T; N]) -> Self {
        Self { out, found: 0 }
    }

    /// What [`rejected_vartime`] finds in the next block; whether another one is needed. In the end `order`
    /// puts the values in another order.
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

/// The uniform distribution on `[-beta, beta]`, for secrets; any group of values drawn from 16
/// bytes is within 2^-93 of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uniform {
    beta: u32,
    /// Values that are drawn from one 128-bit number.
    group: usize,
}

impl Uniform {
    /// **Errors** unless `beta` is in `1..=2^15`.
    pub const fn new(beta: u32) -> Result<Self, SampleError> {
        if beta == 0 || beta > MAX_BOUND {
            return Err(SampleError::Bound(beta));
        }
        let (mut group, mut combinations) = (0, 1_u128);
        while combinations * (2 * beta as u128 + 1) <= 1 << 36 {
            combinations *= 2 * beta as u128 + 1;
            group += 1;
        }
        Ok(Self { beta, group })
    }

    /// The bound.
    pub const fn beta(self) -> u32 {
        self.beta
    }

    /// How many values are drawn at once: pieces of so many are filled with what all of them would
    /// be filled with together.
    pub const fn block(self) -> usize {
        64 * self.group
    }

    /// Fills `out`: each 16 bytes are a little-endian number whose first digits in base
    /// `2·beta + 1`, minus `beta`, are as many values as `(2·beta + 1)^m ≤ 2^36` allows.
    ///
    /// - **Range:** `[-beta, beta]`.
    /// - **Constant time:** yes.
    /// - **Panics** if `beta` does not fit the word.
    pub fn sample<W: Word>(self, stream: &mut impl ByteStream, out: &mut [W]) {
        assert_fits::<W>(self.beta.into());
        let values = u128::from(2 * self.beta + 1);
        let mut bytes = Wiped::<u8>::zeros(16 * out.len().div_ceil(self.group).min(64));
        for out in out.chunks_mut(self.block()) {
            let bytes = &mut bytes[..16 * out.len().div_ceil(self.group)];
            stream.read(bytes);
            for (u, out) in bytes.as_chunks().0.iter().zip(out.chunks_mut(self.group)) {
                let u = u128::from_le_bytes(*u);
                let (mut low, mut high) = (u128::from(u as u64), u >> 64);
                for value in out {
                    low *= values;
                    high = high * values + (low >> 64); // below 2^81
                    *value = W::truncate((high >> 64) as i64 - i64::from(self.beta));
                    (low, high) = (u128::from(low as u64), u128::from(high as u64));
                }
            }
        }
    }
}

/// Fills `out` uniformly from `{-1, 0, 1}`: [`Uniform`] with `beta = 1`. **Constant time:** yes.
pub fn ternary<W: Word>(stream: &mut impl ByteStream, out: &mut [W]) {
    const TERNARY: Uniform = match Uniform::new(1) {
        Ok(uniform) => uniform,
        Err(_) => unreachable!(),
    };
    TERNARY.sample(stream, out);
}

/// Fills `out` uniformly from `{0, 1}`: bit `i` of the stream, the lowest of each byte first.
/// **Constant time:** yes.
pub fn binary<W: Word>(stream: &mut impl ByteStream, out: &mut [W]) {
    let mut bytes = Wiped::<u8>::zeros(out.len().div_ceil(8));
    stream.read(&mut bytes);
    for (byte, out) in bytes.iter().zip(out.chunks_mut(8)) {
        for (bit, value) in out.iter_mut().enumerate() {
            *value = W::truncate((byte >> bit & 1).into());
        }
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

    /// A stream of given bytes, then zeros.
    struct Given(std::collections::VecDeque<u8>);
    impl ByteStream for Given {
        fn read(&mut self, bytes: &mut [u8]) {
            bytes.fill_with(|| self.0.pop_front().unwrap_or(0));
        }
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

    /// Every value of small distributions has the right share, exactly: of all `u` whose upper bits
    /// are given.
    #[test]
    fn digits_are_those_of_the_fraction() {
        for (beta, group) in [(1, 22), (2, 15), (100, 4), (1 << 14, 2), (1 << 15, 2)] {
            let uniform = Uniform::new(beta).unwrap();
            assert_eq!(uniform.group, group);
            let n = u128::from(2 * beta + 1);
            let mut bytes = [0; 160];
            stream().read(&mut bytes);
            bytes[16..32].fill(0xFF);
            bytes[32..48].fill(0);
            let mut out = vec![0_i32; 10 * group];
            uniform.sample(&mut Given(bytes.iter().copied().collect()), &mut out);
            for (u, out) in bytes.as_chunks::<16>().0.iter().zip(out.chunks(group)) {
                // The digits of floor(u·N^m / 2^128), the last one first; u·N^m in two halves.
                let (u, scale) = (u128::from_le_bytes(*u), n.pow(group as u32));
                let low = u % (1 << 64) * scale;
                let mut number = ((u >> 64) * scale + (low >> 64)) >> 64;
                for &digit in out.iter().rev() {
                    assert_eq!(i64::from(digit), (number % n) as i64 - i64::from(beta));
                    number /= n;
                }
            }
        }
    }

    #[test]
    fn bounded_values_are_uniform() {
        for beta in [1_u32, 2, 5, 41, 500, 1 << 15] {
            let mut out = vec![0_i32; 1 << 17];
            Uniform::new(beta).unwrap().sample(&mut stream(), &mut out);
            let values = 2 * beta as usize + 1;
            let cells = values.min(101);
            let mut counts = vec![0.0; cells];
            let mut expected = vec![0.0; cells];
            (0..values).for_each(|v| expected[v * cells / values] += out.len() as f64 / values as f64);
            for &x in &out {
                assert!(x.unsigned_abs() <= beta);
                counts[(x + beta as i32) as usize * cells / values] += 1.0;
            }
            let (chi_square, cells) = chi_square(&counts, &expected);
            assert!(chi_square < chi_square_limit(cells), "beta = {beta}: {chi_square} in {cells} cells");
        }
    }

    #[test]
    fn ternary_and_binary_are_named_cases() {
        let (mut a, mut b) = ([0_i16; 1000], [0_i64; 1000]);
        ternary(&mut stream(), &mut a);
        Uniform::new(1).unwrap().sample(&mut stream(), &mut b);
        assert!(a.iter().zip(b).all(|(&a, b)| i64::from(a) == b));
        let mut bits = [9_i16; 19];
        binary(&mut Given([0b1100_0101, 0xFF, 0b010].into()), &mut bits);
        assert_eq!(bits, [1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0]);
    }

    #[test]
    fn bounds_outside_the_range_are_refused() {
        for beta in [0, (1 << 15) + 1, u32::MAX] {
            let error = Uniform::new(beta).unwrap_err();
            assert_eq!(error.to_string(), format!("beta = {beta} is not in 1..=32768"));
        }
    }
}
