//! Permutations of coefficients that permute the bits of their index: bit reversal, slot orders,
//! orders of sampling.
//!
//! With `2^l` lanes the low `l` bits of an index say which lane, the rest which vector. Where lanes
//! stay, vectors are taken in another order, whatever it is. Otherwise bits of the vector's number
//! are permuted by that, and a bit of the lane's number trades places with one of the vector's
//! number by interleaving the vectors that differ in the latter: those two make every permutation
//! of bits. Zipping these vectors moves several bits of the lane's number at once; where that leads to
//! the goal in few steps, they are found by trying. With an odd factor in the number of values, blocks of a power of two are permuted
//! alike. What is neither is done on fewer lanes.

use lanes::{Backend, Lanes16, MAX_LANES, Task16};

/// A permutation of index bits, prepared for the lanes of a backend.
#[derive(Clone, Debug)]
pub struct BitPermutation {
    backend: Backend,
    /// For every vector, which one it is taken from.
    vectors: Vec<u16>,
    /// What is then done to vectors.
    steps: Vec<Step>,
}

/// What is done to each two vectors whose numbers differ in bit `vector` alone.
#[derive(Clone, Copy, Debug)]
struct Step {
    vector: u32,
    change: Change,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    /// That bit of the lane's number and the vector's trade places.
    Exchange(u32),
    /// The vectors are zipped, so often.
    Zip(u32),
}

impl Step {
    /// For every bit of the index before this step, which bit of the source it is; from those after it.
    /// The lane's number has `lane_bits` bits, and that in a chunk `chunk_bits`.
    fn before(self, after: &[usize], lane_bits: usize, chunk_bits: usize) -> Vec<usize> {
        let vector = lane_bits + self.vector as usize;
        let mut source = after.to_vec();
        match self.change {
            Change::Exchange(lane) => source.swap(lane as usize, vector),
            // The bit of the vector's number comes to be the lowest of the lane's.
            Change::Zip(times) => {
                for _ in 0..times {
                    let lowest = source[0];
                    source.copy_within(1..chunk_bits, 0);
                    source[chunk_bits - 1] = source[vector];
                    source[vector] = lowest;
                }
            }
        }
        source
    }

    /// Those that there are.
    fn all(lane_bits: usize, chunk_bits: usize, vector_bits: usize) -> impl Iterator<Item = Self> {
        (0..vector_bits as u32).flat_map(move |vector| {
            let exchanges = (0..lane_bits as u32).map(Change::Exchange);
            let zips = (1..=chunk_bits as u32).map(Change::Zip);
            exchanges.chain(zips).map(move |change| Self { vector, change })
        })
    }
}

impl BitPermutation {
    /// The permutation that puts value `from(i)` at position `i`, for `n` values.
    ///
    /// **Panics** unless `n` is below 2^16 and `from` permutes the values. It is fast on several
    /// lanes where those stay together, or where `from` permutes the bits of the index in blocks of
    /// the largest power of two that divides `n`.
    pub fn new(backend: Backend, n: usize, from: impl Fn(usize) -> usize) -> Self {
        Self::by_lanes(backend, n, |_, i| from(i))
    }

    /// The permutation of a source whose order depends on the number of lanes, which `from` has for
    /// a first argument: on as many as the backend has and the permutation allows.
    pub(crate) fn by_lanes(backend: Backend, n: usize, from: impl Fn(usize, usize) -> usize) -> Self {
        assert!((1..1 << 16).contains(&n), "{n} values");
        let lanes = backend.lanes(16);
        if n & (lanes - 1) == 0 {
            let sources: Vec<usize> = (0..n).map(|i| from(lanes, i)).collect();
            let mut seen = vec![false; n];
            sources.iter().for_each(|&i| seen[i] = true);
            assert!(seen.into_iter().all(|s| s), "a permutation");
            if let Some(found) = Self::of_vectors(backend, &sources).or_else(|| Self::of_bits(backend, &sources)) {
                return found;
            }
        }
        Self::by_lanes(backend.at_most(lanes >> 1, 16), n, from)
    }

    /// The permutation if lanes stay, as they do if there is one.
    fn of_vectors(backend: Backend, from: &[usize]) -> Option<Self> {
        let lanes = backend.lanes(16);
        let stays = |vector: &[usize]| {
            vector.len() == lanes
                && vector[0] & (lanes - 1) == 0
                && (vector[0]..).zip(vector).all(|(i, &from)| i == from)
        };
        let vectors = from.chunks(lanes).map(|vector| stays(vector).then(|| (vector[0] >> lanes.ilog2()) as u16));
        Some(Self { backend, vectors: vectors.collect::<Option<_>>()?, steps: Vec::new() })
    }

    /// The permutation if it is one of index bits, in blocks of at least two vectors.
    fn of_bits(backend: Backend, from: &[usize]) -> Option<Self> {
        let (lane_bits, block_bits) = (backend.lanes(16).ilog2() as usize, from.len().trailing_zeros());
        if lane_bits >= block_bits as usize {
            return None;
        }
        let mut source: Vec<usize> = (0..block_bits).map(|bit| from[1 << bit].trailing_zeros() as usize).collect();
        let moved = |source: &[usize], i: usize| {
            source.iter().enumerate().fold(i >> block_bits << block_bits, |to, (b, s)| to | (i >> b & 1) << s)
        };
        if !from.iter().enumerate().all(|(i, &from)| moved(&source, i) == from) {
            return None;
        }

        // Backwards from the goal: steps that bring every lane bit home. What is left concerns whole
        // vectors.
        let is_home = |source: &[usize]| (0..lane_bits).all(|lane| source[lane] == lane);
        let chunk_bits = backend.run16(ChunkBits).min(lane_bits);
        let all = || Step::all(lane_bits, chunk_bits, block_bits as usize - lane_bits);
        let before = |step: Step, source: &[usize]| step.before(source, lane_bits, chunk_bits);
        let one = |source: &[usize]| all().find(|step| is_home(&before(*step, source)));
        let two = |source: &[usize]| all().find_map(|last| Some([last, one(&before(last, source))?]));
        let mut steps: Vec<Step> = if is_home(&source) {
            Vec::new()
        } else if let Some(step) = one(&source) {
            vec![step]
        } else if let Some(steps) = two(&source) {
            steps.into()
        } else if let Some(steps) =
            all().find_map(|last| two(&before(last, &source)).map(|[second, first]| [last, second, first]))
        {
            steps.into()
        } else {
            exchanges(&source, lane_bits)
        };
        for step in &steps {
            source = before(*step, &source);
        }
        steps.reverse();
        let vectors =
            (0..from.len() >> lane_bits).map(|v| (moved(&source, v << lane_bits) >> lane_bits) as u16).collect();
        Some(Self { backend, vectors, steps })
    }

    /// Whether everything stays where it is.
    #[cfg(feature = "research")]
    pub(crate) fn is_identity(&self) -> bool {
        self.steps.is_empty() && (0..).zip(&self.vectors).all(|(i, &v)| i == v)
    }

    /// Permutes `values` into `out`.
    ///
    /// **Constant time:** yes. **Panics** if a length is wrong.
    pub fn permute(&self, out: &mut [i16], values: &[i16]) {
        assert_eq!(values.len(), out.len(), "length of a permutation");
        self.fill(out, Copied(values));
    }

    /// Permutes what `source` makes vector by vector into `out`.
    pub(crate) fn fill<S: Source>(&self, out: &mut [i16], source: S) {
        assert_eq!(out.len(), self.vectors.len() * self.backend.lanes(16), "length of a permutation");
        self.backend.run16(Fill { permutation: self, out, source });
    }
}

/// From the order of an outside format to that of a plan, and back: what the plan has at a position,
/// the format has at `place(position)`.
///
/// **Panics** unless `place` permutes the positions.
pub(crate) fn outside_orders(backend: Backend, n: usize, place: impl Fn(usize) -> usize) -> [BitPermutation; 2] {
    let outside: Vec<usize> = (0..n).map(place).collect();
    let mut native = vec![0; n];
    outside.iter().enumerate().for_each(|(position, &index)| native[index] = position);
    [&outside, &native].map(|from| BitPermutation::new(backend, n, |i| from[i]))
}

/// Where the vectors of a permutation come from.
pub(crate) trait Source {
    /// The vector of that number. Implement with `#[inline(always)]`.
    fn vector<L: Lanes16>(&self, l: L, index: usize) -> L::V;
}

struct Copied<'a>(&'a [i16]);

impl Source for Copied<'_> {
    #[inline(always)]
    fn vector<L: Lanes16>(&self, l: L, index: usize) -> L::V {
        l.load(&L::blocks(self.0)[index])
    }
}

struct Fill<'a, S> {
    permutation: &'a BitPermutation,
    out: &'a mut [i16],
    source: S,
}

impl<S: Source> Task16 for Fill<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        let Self { permutation: BitPermutation { vectors, steps, .. }, out, source } = self;
        let out = L::blocks_mut(out);
        let Some((first, others)) = steps.split_first() else {
            out.iter_mut().zip(vectors).for_each(|(out, &from)| l.store(out, source.vector(l, from.into())));
            return;
        };
        first.pass(l, out, &Ordered { vectors, source });
        others.iter().for_each(|step| step.pass(l, out, &InPlace));
    }
}

/// What the vectors of a pass are before it.
trait Before {
    /// That at `index`; implement with `#[inline(always)]`.
    fn vector<L: Lanes16>(&self, l: L, out: &[L::Block], index: usize) -> L::V;
}

/// Those of a source, in another order.
struct Ordered<'a, S> {
    vectors: &'a [u16],
    source: S,
}

impl<S: Source> Before for Ordered<'_, S> {
    #[inline(always)]
    fn vector<L: Lanes16>(&self, l: L, _: &[L::Block], index: usize) -> L::V {
        self.source.vector(l, self.vectors[index].into())
    }
}

/// Those that are there.
struct InPlace;

impl Before for InPlace {
    #[inline(always)]
    fn vector<L: Lanes16>(&self, l: L, out: &[L::Block], index: usize) -> L::V {
        l.load(&out[index])
    }
}

impl Step {
    /// This step, of all vectors.
    #[inline(always)]
    fn pass<L: Lanes16>(self, l: L, out: &mut [L::Block], before: &impl Before) {
        match self.change {
            Change::Exchange(0) => self.pairs(l, out, before, Interleave::<1>),
            Change::Exchange(1) => self.pairs(l, out, before, Interleave::<2>),
            Change::Exchange(2) => self.pairs(l, out, before, Interleave::<4>),
            Change::Exchange(4) => self.pairs(l, out, before, Interleave::<16>),
            Change::Exchange(_) => self.pairs(l, out, before, Interleave::<8>),
            Change::Zip(1) => self.pairs(l, out, before, Zipped::<1>),
            Change::Zip(2) => self.pairs(l, out, before, Zipped::<2>),
            Change::Zip(_) => self.pairs(l, out, before, Zipped::<3>),
        }
    }

    #[inline(always)]
    fn pairs<L: Lanes16>(self, l: L, out: &mut [L::Block], before: &impl Before, change: impl OfPair) {
        let distance = 1 << self.vector;
        for first in (0..out.len()).filter(|i| i & distance == 0) {
            let second = first + distance;
            let (a, b) = (before.vector(l, out, first), before.vector(l, out, second));
            let (a, b) = change.of(l, a, b);
            l.store(&mut out[first], a);
            l.store(&mut out[second], b);
        }
    }
}

/// What becomes of two vectors.
trait OfPair {
    /// Implement with `#[inline(always)]`.
    fn of<L: Lanes16>(&self, l: L, a: L::V, b: L::V) -> (L::V, L::V);
}

const _: () = assert!(MAX_LANES == 2 * 16, "an exchange for each bit of a lane's number");

/// The bit of the lane's number that counts `K` lanes trades places with that of the vector's number.
struct Interleave<const K: usize>;

impl<const K: usize> OfPair for Interleave<K> {
    #[inline(always)]
    fn of<L: Lanes16>(&self, l: L, a: L::V, b: L::V) -> (L::V, L::V) {
        // Otherwise no lane has that bit in its number, and there is no such step.
        if K < L::LANES { l.interleave::<K>(a, b) } else { (a, b) }
    }
}

struct Zipped<const TIMES: usize>;

impl<const TIMES: usize> OfPair for Zipped<TIMES> {
    #[inline(always)]
    fn of<L: Lanes16>(&self, l: L, mut a: L::V, mut b: L::V) -> (L::V, L::V) {
        for _ in 0..TIMES {
            (a, b) = l.zip(a, b);
        }
        (a, b)
    }
}

/// Bits of the number of a lane in a chunk.
struct ChunkBits;

impl Task16 for ChunkBits {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes16>(self, _: L) -> usize {
        L::CHUNK.ilog2() as usize
    }
}

/// Exchanges that bring every lane bit of a source home, the last one first.
fn exchanges(source: &[usize], lane_bits: usize) -> Vec<Step> {
    let (mut source, mut steps) = (source.to_vec(), Vec::new());
    for lane in 0..lane_bits {
        while source[lane] != lane {
            let holder = source.iter().position(|&s| s == lane).expect("every bit is somewhere");
            // Between two lane bits goes by way of a vector bit.
            let (a, b) = if holder < lane_bits { (holder, lane_bits) } else { (lane, holder) };
            source.swap(a, b);
            steps.push(Step { vector: (b - lane_bits) as u32, change: Change::Exchange(a as u32) });
        }
    }
    steps
}

#[cfg(test)]
#[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
mod tests {
    use super::*;

    #[test]
    fn every_backend_permutes_alike() {
        let rotated = |i: usize| i & !15 | (i << 1 & 15) | (i >> 3 & 1);
        let mixed = |i: usize| i >> 2 | (i & 3) << 8;
        let reversed = |i: usize| ntt::arith::bitrev(i, 10);
        let orders: [&dyn Fn(usize) -> usize; 4] = [&|i| i, &rotated, &mixed, &reversed];
        let values: Vec<i16> = (0..1024).map(|i| 3 * i).collect();
        for from in orders {
            let expected: Vec<i16> = (0..1024).map(|i| values[from(i)]).collect();
            for backend in Backend::available() {
                let mut out = vec![-1; 1024];
                BitPermutation::new(backend, 1024, from).permute(&mut out, &values);
                assert_eq!(out, expected, "{backend}");
            }
        }
    }

    /// Lanes stay in vectors of 16 and fewer; wider ones are two of those.
    #[test]
    fn vectors_go_anywhere() {
        let from = |i: usize| 16 * ((i >> 4) * 7 % 48) + (i & 15);
        let values: Vec<i16> = (0..768).collect();
        let expected: Vec<i16> = (0..768).map(|i| values[from(i)]).collect();
        for backend in Backend::available() {
            let permutation = BitPermutation::new(backend, 768, from);
            assert_eq!(permutation.backend, backend.at_most(16, 16));
            let mut out = vec![-1; 768];
            permutation.permute(&mut out, &values);
            assert_eq!(out, expected, "{backend}");
        }
    }

    /// What is no permutation of bits, and leaves no lanes together.
    #[test]
    fn every_permutation_works_on_one_lane() {
        let from = |i: usize| i * 5 % 48;
        let values: Vec<i16> = (0..48).collect();
        let expected: Vec<i16> = (0..48).map(|i| values[from(i)]).collect();
        for backend in Backend::available() {
            let mut out = vec![-1; 48];
            BitPermutation::new(backend, 48, from).permute(&mut out, &values);
            assert_eq!(out, expected, "{backend}");
        }
    }

    #[test]
    fn blocks_are_permuted_alike() {
        let from = |i: usize| i & !255 | ntt::arith::bitrev(i & 255, 8);
        let values: Vec<i16> = (0..768).map(|i| 5 * i).collect();
        let expected: Vec<i16> = (0..768).map(|i| values[from(i)]).collect();
        for backend in Backend::available() {
            let mut out = vec![-1; 768];
            let permutation = BitPermutation::new(backend, 768, from);
            permutation.permute(&mut out, &values);
            assert_eq!(out, expected, "{backend}");
            assert!(!permutation.is_identity() && BitPermutation::new(backend, 768, |i| i).is_identity());
        }
    }
}
