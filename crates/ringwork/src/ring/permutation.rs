//! Permutations of coefficients that permute the bits of their index: bit reversal, slot orders,
//! orders of sampling.
//!
//! With `2^l` lanes the low `l` bits of an index give the lane, the rest the vector. If lanes stay in place, any
//! reordering of vectors works. Otherwise a reordering of vectors permutes the bits of the vector number, and
//! interleaving vectors that differ in one bit of it swaps that bit with a bit of the lane number; together these give
//! every permutation of bits. Zipping such vectors moves several bits of the lane number at once; if few zips reach the
//! goal, a search finds them. Where an instruction gives any words of two vectors, an exchange moves all other bits of
//! the lane number along, and two exchanges are done on four vectors at a time. If the number of values has an odd
//! factor, blocks of a power of two are permuted alike. Any other permutation runs on fewer lanes.

use super::Source;
use alloc::{vec, vec::Vec};
use lanes::{Backend, Lanes16, MAX_LANES, Task16};

/// A permutation of index bits, prepared for the lanes of a backend.
#[derive(Clone, Debug)]
pub struct BitPermutation {
    backend: Backend,
    /// For every vector, the number of its source.
    vectors: Vec<u16>,
    /// The steps that then act on vectors.
    steps: Vec<Step>,
    /// In their place, where an instruction permutes the words of two vectors.
    exchanges: Vec<Exchange>,
}

/// What each two vectors whose numbers differ in bit `vector` alone become: for each word of either one, its number in
/// both, the first vector first.
#[derive(Clone, Copy, Debug)]
struct Exchange {
    vector: u32,
    from: [[i16; MAX_LANES]; 2],
}

/// An operation on each two vectors whose numbers differ in bit `vector` alone.
#[derive(Clone, Copy, Debug)]
struct Step {
    vector: u32,
    change: Change,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    /// Swaps that bit of the lane number with the vector bit.
    Exchange(u32),
    /// Zips the vectors that many times.
    Zip(u32),
}

impl Step {
    /// For every bit of the index before this step, its bit of the source, given those after the step. The lane number
    /// has `lane_bits` bits, and the number within a chunk `chunk_bits`.
    fn before(self, after: &[usize], lane_bits: usize, chunk_bits: usize) -> Vec<usize> {
        let vector = lane_bits + self.vector as usize;
        let mut source = after.to_vec();
        match self.change {
            Change::Exchange(lane) => source.swap(lane as usize, vector),
            // The bit of the vector number becomes the lowest of the lane number.
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

    /// All steps.
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
    /// **Panics** unless `n` is below 2^16 and `from` permutes the values. It is fast on several lanes if `from` keeps
    /// lanes together, or permutes the bits of the index in blocks of the largest power of two that divides `n`.
    pub fn new(backend: Backend, n: usize, from: impl Fn(usize) -> usize) -> Self {
        Self::by_lanes(backend, n, |_, i| from(i))
    }

    /// The permutation for a source whose order depends on the number of lanes, the first argument of `from`. It uses
    /// as many lanes as the backend has and the permutation allows.
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

    /// The permutation if lanes stay in place, as they do on one lane.
    fn of_vectors(backend: Backend, from: &[usize]) -> Option<Self> {
        let lanes = backend.lanes(16);
        let stays = |vector: &[usize]| {
            vector.len() == lanes
                && vector[0] & (lanes - 1) == 0
                && (vector[0]..).zip(vector).all(|(i, &from)| i == from)
        };
        let vectors = from.chunks(lanes).map(|vector| stays(vector).then(|| (vector[0] >> lanes.ilog2()) as u16));
        Some(Self { backend, vectors: vectors.collect::<Option<_>>()?, steps: Vec::new(), exchanges: Vec::new() })
    }

    /// The permutation if it permutes index bits, in blocks of at least two vectors.
    fn of_bits(backend: Backend, from: &[usize]) -> Option<Self> {
        let (lane_bits, block_bits) = (backend.lanes(16).ilog2() as usize, from.len().trailing_zeros());
        if lane_bits >= block_bits as usize {
            return None;
        }
        let mut source: Vec<usize> = (0..block_bits).map(|bit| from[1 << bit].trailing_zeros() as usize).collect();
        if !from.iter().enumerate().all(|(i, &from)| moved(&source, i) == from) {
            return None;
        }

        let by_exchanges =
            backend.run16(Permutes).then(|| Self::of_exchanges(backend, source.clone(), from.len() >> lane_bits));

        // Backwards from the goal: steps that move every lane bit to its place. The rest permutes whole vectors.
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
        // Each step is a pass over memory, and so are each two exchanges, whose instruction is the slower one.
        if let Some(found) = by_exchanges.filter(|found| found.exchanges.len().div_ceil(2) < steps.len()) {
            return Some(found);
        }
        for step in &steps {
            source = before(*step, &source);
        }
        steps.reverse();
        let vectors = sources_of(from.len() >> lane_bits, &source, lane_bits);
        Some(Self { backend, vectors, steps, exchanges: Vec::new() })
    }

    /// The permutation of so many vectors in which each bit of an index is one of its source.
    fn of_exchanges(backend: Backend, mut source: Vec<usize>, vectors: usize) -> Self {
        let lane_bits = backend.lanes(16).ilog2() as usize;
        let mut pairs = Vec::new();
        // Backwards from the goal: each lane bit that is a bit of the vector number, with one that is the reverse.
        for lane in 0..lane_bits {
            if source[lane] >= lane_bits {
                let is_lane = |bit: &usize| source[*bit] < lane_bits;
                let vector = (lane_bits..source.len()).find(is_lane).expect("as many of either kind");
                source.swap(lane, vector);
                pairs.push((lane, vector - lane_bits));
            }
        }
        // What is left permutes bits of the lane number, which the first exchange does, and of the vector number.
        if pairs.is_empty() {
            pairs.push((lane_bits, 0));
        }
        let last = pairs.len() - 1;
        let exchange = |(number, (lane, vector)): (usize, (usize, usize))| {
            let from = |i: usize| {
                let differ = (i >> lane ^ i >> lane_bits) & 1;
                let i = i ^ (differ << lane | differ << lane_bits);
                if number == last { moved(&source[..lane_bits], i) } else { i }
            };
            let of =
                |first: usize| core::array::from_fn(|i| if i >> lane_bits == 0 { from(first + i) as i16 } else { 0 });
            Exchange { vector: vector as u32, from: [of(0), of(1 << lane_bits)] }
        };
        let exchanges = pairs.into_iter().enumerate().map(exchange).rev().collect();
        Self { backend, vectors: sources_of(vectors, &source, lane_bits), steps: Vec::new(), exchanges }
    }

    /// Whether this is the identity.
    #[cfg(feature = "research")]
    pub(crate) fn is_identity(&self) -> bool {
        self.steps.is_empty() && self.exchanges.is_empty() && (0..).zip(&self.vectors).all(|(i, &v)| i == v)
    }

    /// Permutes `values` into `out`.
    ///
    /// **Constant time:** yes. **Panics** if a length is wrong.
    pub fn permute(&self, out: &mut [i16], values: &[i16]) {
        assert_eq!(values.len(), out.len(), "length of a permutation");
        self.fill(out, Copied(values));
    }

    /// Permutes the vectors that `source` produces into `out`.
    pub(crate) fn fill<S: Source>(&self, out: &mut [i16], source: S) {
        assert_eq!(out.len(), self.vectors.len() * self.backend.lanes(16), "length of a permutation");
        self.backend.run16(Fill { permutation: self, out, source });
    }
}

/// The index with its lowest bits at the places that `source` names; the others stay.
fn moved(source: &[usize], i: usize) -> usize {
    let bits = source.len();
    source.iter().enumerate().fold(i >> bits << bits, |to, (bit, place)| to | (i >> bit & 1) << place)
}

/// The source of each of so many vectors, where bits of lanes and of vectors stay among themselves.
fn sources_of(vectors: usize, source: &[usize], lane_bits: usize) -> Vec<u16> {
    (0..vectors).map(|v| (moved(source, v << lane_bits) >> lane_bits) as u16).collect()
}

/// The permutations from the order of a wire format to that of a plan, and back: position `i` of the plan is position
/// `place(i)` of the format.
///
/// **Panics** unless `place` permutes the positions.
pub(crate) fn outside_orders(backend: Backend, n: usize, place: impl Fn(usize) -> usize) -> [BitPermutation; 2] {
    let outside: Vec<usize> = (0..n).map(place).collect();
    let mut native = vec![0; n];
    outside.iter().enumerate().for_each(|(position, &index)| native[index] = position);
    [&outside, &native].map(|from| BitPermutation::new(backend, n, |i| from[i]))
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
        let Self { permutation: BitPermutation { vectors, steps, exchanges, .. }, out, source } = self;
        let out = L::blocks_mut(out);
        if L::PERMUTES {
            let (two, one) = exchanges.as_chunks::<2>();
            match (two, one) {
                ([first, others @ ..], one) => {
                    fours(l, first, out, &Ordered { vectors, source });
                    others.iter().for_each(|both| fours(l, both, out, &InPlace));
                    one.iter().for_each(|one| one.pass(l, out, &InPlace));
                    return;
                }
                ([], [one]) => return one.pass(l, out, &Ordered { vectors, source }),
                _ => {}
            }
        }
        let Some((first, others)) = steps.split_first() else {
            out.iter_mut().zip(vectors).for_each(|(out, &from)| l.store(out, source.vector(l, from.into())));
            return;
        };
        first.pass(l, out, &Ordered { vectors, source });
        others.iter().for_each(|step| step.pass(l, out, &InPlace));
    }
}

/// The vectors before a pass.
trait Before {
    /// The vector at `index`; implement with `#[inline(always)]`.
    fn vector<L: Lanes16>(&self, l: L, out: &[L::Block], index: usize) -> L::V;
}

/// Vectors of a source, in another order.
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

/// The vectors already in `out`.
struct InPlace;

impl Before for InPlace {
    #[inline(always)]
    fn vector<L: Lanes16>(&self, l: L, out: &[L::Block], index: usize) -> L::V {
        l.load(&out[index])
    }
}

impl Step {
    /// Applies this step to all vectors.
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
        pairs(l, self.vector, out, before, change);
    }
}

/// Changes each two vectors whose numbers differ in that bit alone.
#[inline(always)]
fn pairs<L: Lanes16>(l: L, vector: u32, out: &mut [L::Block], before: &impl Before, change: impl OfPair) {
    let distance = 1 << vector;
    for first in (0..out.len()).filter(|i| i & distance == 0) {
        let second = first + distance;
        let (a, b) = (before.vector(l, out, first), before.vector(l, out, second));
        let (a, b) = change.of(l, a, b);
        l.store(&mut out[first], a);
        l.store(&mut out[second], b);
    }
}

/// Two exchanges, one after the other, on each four vectors that they change together.
#[inline(always)]
fn fours<L: Lanes16>(l: L, [x, y]: &[Exchange; 2], out: &mut [L::Block], before: &impl Before) {
    let [far, near] = [1 << x.vector, 1 << y.vector];
    for first in (0..out.len()).filter(|i| i & (far | near) == 0) {
        let at = [first, first + far, first + near, first + far + near];
        let vector = |i: usize| before.vector(l, out, at[i]);
        let [(a, b), (c, d)] = [x.of(l, vector(0), vector(1)), x.of(l, vector(2), vector(3))];
        let [(a, c), (b, d)] = [y.of(l, a, c), y.of(l, b, d)];
        l.store(&mut out[at[0]], a);
        l.store(&mut out[at[1]], b);
        l.store(&mut out[at[2]], c);
        l.store(&mut out[at[3]], d);
    }
}

impl Exchange {
    #[inline(always)]
    fn pass<L: Lanes16>(&self, l: L, out: &mut [L::Block], before: &impl Before) {
        pairs(l, self.vector, out, before, self);
    }
}

impl OfPair for &Exchange {
    #[inline(always)]
    fn of<L: Lanes16>(&self, l: L, a: L::V, b: L::V) -> (L::V, L::V) {
        let [first, second] = [l.load(&L::blocks(&self.from[0])[0]), l.load(&L::blocks(&self.from[1])[0])];
        (l.permute(a, b, first), l.permute(a, b, second))
    }
}

/// An operation on two vectors.
trait OfPair {
    /// Implement with `#[inline(always)]`.
    fn of<L: Lanes16>(&self, l: L, a: L::V, b: L::V) -> (L::V, L::V);
}

const _: () = assert!(MAX_LANES == 2 * 16, "an exchange for each bit of a lane's number");

/// Swaps the bit of the lane number with weight `K` and the bit of the vector number.
struct Interleave<const K: usize>;

impl<const K: usize> OfPair for Interleave<K> {
    #[inline(always)]
    fn of<L: Lanes16>(&self, l: L, a: L::V, b: L::V) -> (L::V, L::V) {
        // Otherwise no lane number has that bit, and there is no such step.
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

/// Whether an instruction permutes the words of two vectors.
struct Permutes;

impl Task16 for Permutes {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes16>(self, _: L) -> bool {
        L::PERMUTES
    }
}

/// The bits of a lane number within a chunk.
struct ChunkBits;

impl Task16 for ChunkBits {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes16>(self, _: L) -> usize {
        L::CHUNK.ilog2() as usize
    }
}

/// Exchanges that move every lane bit of a source to its place, the last one first.
fn exchanges(source: &[usize], lane_bits: usize) -> Vec<Step> {
    let (mut source, mut steps) = (source.to_vec(), Vec::new());
    for lane in 0..lane_bits {
        while source[lane] != lane {
            let holder = source.iter().position(|&s| s == lane).expect("every bit is somewhere");
            // An exchange of two lane bits goes through a vector bit.
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

    /// Lanes stay in place in vectors of up to 16; wider ones are two of those.
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

    /// Any number of bits of lanes and of vectors change places.
    #[test]
    fn any_bits_go_anywhere() {
        let mut state = 1_u32;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % bound
        };
        for round in 0..60 {
            let bits = 4 + round % 8;
            let mut order: Vec<usize> = (0..bits).collect();
            (1..bits).rev().for_each(|i| order.swap(i, below(i + 1)));
            let n = if round % 3 == 0 { 3 << bits } else { 1 << bits };
            let from = |i: usize| order.iter().enumerate().fold(i >> bits << bits, |to, (b, s)| to | (i >> b & 1) << s);
            let values: Vec<i16> = (0..n as i16).map(|i| 3 - i).collect();
            let expected: Vec<i16> = (0..n).map(|i| values[from(i)]).collect();
            for backend in Backend::available() {
                let mut out = vec![0; n];
                BitPermutation::new(backend, n, from).permute(&mut out, &values);
                assert_eq!(out, expected, "{order:?} on {backend}");
            }
        }
    }

    /// A permutation that does not permute bits and keeps no lanes together.
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
