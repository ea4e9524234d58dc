//! Algorithms 1 to 4 of LazyNTT, to be read beside the paper.
//!
//! S^{t−1}M-LazyNTT multiplies t − 1 times plainly (S) before it multiplies with a Montgomery
//! reduction (M). In the stage whose butterflies have distance h, both words of a butterfly have
//! the position p = v mod h; an index meets HW(p) more products in later stages, so the product is
//! M when HW(p) ≡ 0 (mod t), and otherwise S. The last product of every index is M. t = 1 is
//! Algorithm 2, t = 2 is SM, t = 3 is SSM.
//!
//! Source: G. Kim, E. Seo, Y. Lee, Y.-S. Kim, J.-S. No, *Lazy Modular Reduction for NTT*,
//! Electronics 13(24):4887, 2024: section 2.2 (Algorithm 1), 2.4 (Algorithm 2), 3.1 and 3.2
//! (Algorithms 3 and 4), 3.3 ([`jumps`]), 3.5 (general t). Numbers at the end of a line are the
//! paper's.
//!
//! Where the paper prints something else, `ERRATA.md` says what and which test shows it; [`condition`] has what R must
//! be.
//!
//! Ranges: inputs and outputs in [0, q), words of 64 bits that wrap as the paper's unsigned words
//! do. Products with a reduction have intermediates of 128 bits for any R ([`Wide`]), or of 64, as
//! the paper's words, where R·q < 2⁶⁴ ([`Narrow`]). With tables from [`Tables::proved`] all words
//! stay below 2⁶³, and only differences wrap, before their offset.
//!
//! The loops are `while` loops and the tables slices because the paper timed unoptimised code
//! (section 4), in which Rust's iterators would be most of the time; see the example
//! `lazyntt_times`. There products and differences are calls, as C's `static inline` functions are,
//! and butterflies are not.

pub mod condition;
pub mod falcon;
pub mod jumps;
mod montgomery;

pub use montgomery::{Montgomery, Narrow, Wide};

use crate::field;
use jumps::Jumps;

/// The number of products that a transform has computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// M: products with a reduction.
    pub montgomery: usize,
    /// S: products without.
    pub standard: usize,
}

/// What a transform of length n needs besides its input: G, Ḡ, the jump vectors and the constants
/// of Algorithm 1.
#[derive(Clone, Debug)]
pub struct Tables<M = Wide> {
    montgomery: M,
    /// G: entry j is ψ^brv(j).
    g: Box<[u64]>,
    /// Ḡ: entry j is ψ^brv(j)·R mod q.
    g_bar: Box<[u64]>,
    jumps: Jumps,
    /// Entry s is added to a negative difference behind the s-th standard product in a row; entry 0
    /// is q.
    offsets: Box<[u64]>,
}

impl Tables {
    /// The tables for ψ = [`field::root_of_unity`]`(q, 2n)` and R = 2^`log_r`, with the paper's
    /// offsets q^{s+1}.
    ///
    /// The paper's condition is not checked ([`condition::papers`]), and where it holds, wrong
    /// results are possible. `None` when n is not a power of two above 1, t = 0, there is no ψ, or
    /// not q < R < 2⁶⁴.
    pub fn as_printed(n: usize, q: u64, t: usize, log_r: u32) -> Option<Self> {
        // Where a power does not fit a word, q^t < R is far.
        let offsets = (1..=t as u32).map(|power| q.saturating_pow(power)).collect();
        Self::new(n, q, log_r, Wide::new(q, log_r)?, offsets)
    }

    /// The tables with the smallest R and the smallest offsets of which [`condition::derive`]
    /// proves that they suffice.
    ///
    /// `None` also when a value on the way does not fit a word of 63 bits and a sign.
    pub fn proved(n: usize, q: u64, t: usize) -> Option<Self> {
        let condition = condition::derive(n, q, t)?;
        let wide = Wide::new(q, condition.log_r)?;
        Self::new(n, q, condition.log_r, wide, condition.offsets.into())
    }

    /// log2 R.
    pub fn log_r(&self) -> u32 {
        self.montgomery.log_r()
    }
}

impl<const Q: u64, const LOG_R: u32> Tables<Narrow<Q, LOG_R>> {
    /// The tables in the paper's words: q and R known to the compiler, products of 64 bits, proved
    /// offsets.
    ///
    /// `None` also when R·q does not fit 64 bits, or [`condition::derive`] asks for a larger R.
    pub fn in_words(n: usize, t: usize) -> Option<Self> {
        let condition = condition::derive(n, Q, t)?;
        let narrow = (condition.log_r <= LOG_R).then(Narrow::new)??;
        Self::new(n, Q, LOG_R, narrow, condition.offsets.into())
    }
}

impl<M: Montgomery> Tables<M> {
    fn new(n: usize, q: u64, log_r: u32, montgomery: M, offsets: Box<[u64]>) -> Option<Self> {
        if !n.is_power_of_two() || n < 2 || offsets.is_empty() {
            return None;
        }
        let psi = field::root_of_unity(q, 2 * n as u64)?;
        let r = 1 << log_r;
        let g: Box<[u64]> =
            (0..n).map(|j| field::pow(psi, field::bit_reverse(j, n.trailing_zeros()) as u64, q)).collect();
        let g_bar = g.iter().map(|&x| field::mul(x, r % q, q)).collect();
        Some(Self { montgomery, g, g_bar, jumps: Jumps::new(n, offsets.len()), offsets })
    }

    /// n, after the check that the tables are for this length, and for this t if the algorithm has
    /// one.
    fn check(&self, f: &[u64], t: Option<usize>) -> usize {
        assert_eq!(f.len(), self.g.len(), "the tables are for another length");
        assert!(t.is_none_or(|t| t == self.offsets.len()), "the tables are for another t");
        f.len()
    }

    /// The butterfly of f\[v\] and f\[w\] with a Montgomery product. **Range**: f\[v\] and both
    /// results in [0, q).
    #[inline(always)]
    fn montgomery_butterfly(&self, f: &mut [u64], v: usize, w: usize, g_bar: u64) {
        let (x, q) = (f[v], self.montgomery.q());
        let y = self.montgomery.product(f[w], g_bar);
        f[v] = subtract(x.wrapping_add(y), q, q);
        f[w] = subtract(x, y, q);
    }
}

/// The butterfly of f\[v\] and f\[w\] with a standard product. **Range**: [`condition`].
#[inline(always)]
fn standard_butterfly(f: &mut [u64], v: usize, w: usize, g: u64, offset: u64) {
    let x = f[v];
    let y = f[w].wrapping_mul(g);
    f[v] = x.wrapping_add(y);
    f[w] = subtract(x, y, offset);
}

/// x − y, plus `offset` when the top bit says that it is negative; without a branch, as in Falcon's
/// code.
#[inline]
fn subtract(x: u64, y: u64, offset: u64) -> u64 {
    let difference = x.wrapping_sub(y);
    difference.wrapping_add(offset & (difference >> 63).wrapping_neg())
}

/// Algorithm 2: all products are Montgomery's. **Order**: natural in, bit-reversed out.
///
/// Slot j of the result is the value at ψ^(2·brv(j)+1). **Panics** when f has not n elements, or t
/// ≠ 1.
pub fn ntt<M: Montgomery>(f: &mut [u64], tables: &Tables<M>) -> Counts {
    let n = tables.check(f, Some(1));
    let mut counts = Counts::default();
    let mut t = n;
    let mut m = 1;
    while m < n {
        let h = t / 2;
        let mut u = 0;
        while u < m {
            let g_bar = tables.g_bar[m + u];
            let mut v = u * t;
            while v < u * t + h {
                tables.montgomery_butterfly(f, v, v + h, g_bar); // 8 to 13
                v += 1;
            }
            counts.montgomery += h;
            u += 1;
        }
        t = h;
        m *= 2;
    }
    counts
}

/// Algorithm 3: SM-LazyNTT. **Order**: as [`ntt`].
///
/// One vector serves both loops: of positions 2i and 2i + 1 one is M and one S, so that their jumps
/// add up to 4. **Panics** when f has not n ≥ 4 elements, or t ≠ 2.
pub fn sm<M: Montgomery>(f: &mut [u64], tables: &Tables<M>) -> Counts {
    let mut n = tables.check(f, Some(2));
    let bound = n / 4; // 1
    assert!(bound > 0, "Algorithm 3 needs two stages");
    let mut counts = Counts::default();
    let j = &tables.jumps.standard[..];
    let mut m = 1;
    while m < bound {
        let t = n / 2;
        let h = t / 2;
        let mut u = 0;
        while u < m {
            let (g, g_bar) = (tables.g[m + u], tables.g_bar[m + u]);
            let (mut d, mut v) = (0, u * n);
            while d < h {
                tables.montgomery_butterfly(f, v, v + t, g_bar); // 8 to 13
                v += 4 - j[d]; // 14
                d += 1;
            }
            counts.montgomery += d;
            let (mut d, mut v) = (0, u * n);
            while d < h {
                standard_butterfly(f, v + 1, v + 1 + t, g, tables.offsets[1]); // 18 to 23
                v += j[d]; // 24
                d += 1;
            }
            counts.standard += d;
            u += 1;
        }
        n = t;
        m *= 2;
    }
    second_to_last(f, tables, m, &mut counts); // 32 to 47
    last(f, tables, 2 * m, &mut counts); // 48 to 57
    counts
}

/// Algorithm 4: SSM-LazyNTT. **Order**: as [`ntt`].
///
/// **Panics** when f has not n ≥ 8 elements, or t ≠ 3.
pub fn ssm<M: Montgomery>(f: &mut [u64], tables: &Tables<M>) -> Counts {
    let bound = tables.check(f, Some(3)) / 8; // 1
    assert!(bound > 0, "Algorithm 4 needs three stages");
    let mut counts = Counts::default();
    stages(f, tables, bound, &mut counts); // 4 to 32
    let mut m = bound;
    let (mut u, mut v) = (0, 0); // 33
    while u < m {
        let (g, g_bar) = (tables.g[m + u], tables.g_bar[m + u]);
        tables.montgomery_butterfly(f, v, v + 4, g_bar); // 35 to 40
        standard_butterfly(f, v + 1, v + 5, g, tables.offsets[2]); // 41 to 48
        standard_butterfly(f, v + 2, v + 6, g, tables.offsets[2]);
        standard_butterfly(f, v + 3, v + 7, g, tables.offsets[1]);
        v += 8;
        u += 1;
    }
    counts.montgomery += m;
    counts.standard += 3 * m;
    m *= 2; // 51
    second_to_last(f, tables, m, &mut counts); // 52 to 65
    last(f, tables, 2 * m, &mut counts); // 66 to 75
    counts
}

/// Section 3.5: S^{t−1}M-LazyNTT, which is the first loop of Algorithm 4 over all stages.
/// **Order**: as [`ntt`].
///
/// **Panics** when f has not n elements.
pub fn lazy<M: Montgomery>(f: &mut [u64], tables: &Tables<M>) -> Counts {
    let n = tables.check(f, None);
    let mut counts = Counts::default();
    stages(f, tables, n, &mut counts);
    counts
}

/// Algorithm 4, lines 4 to 32: the stages with fewer than `bound` sub-NTTs.
fn stages<M: Montgomery>(f: &mut [u64], tables: &Tables<M>, bound: usize, counts: &mut Counts) {
    let Jumps { montgomery: ref j_m, standard: ref j_s, ref classes, ref trips } = tables.jumps;
    let (j_m, j_s, classes) = (&j_m[..], &j_s[..], &classes[..]);
    let (mut n, mut m, mut stage) = (f.len(), 1, 0);
    while m < bound {
        let t = n / 2;
        let Counts { montgomery, standard } = trips[stage];
        let mut u = 0;
        while u < m {
            let (g, g_bar) = (tables.g[m + u], tables.g_bar[m + u]);
            let (mut d, mut v) = (0, u * n);
            while d < montgomery {
                tables.montgomery_butterfly(f, v, v + t, g_bar); // 10 to 15
                v += j_m[d]; // 16
                d += 1;
            }
            counts.montgomery += d;
            let (mut d, mut v) = (0, u * n);
            while d < standard {
                standard_butterfly(f, v + 1, v + 1 + t, g, tables.offsets[classes[d]]); // 20 to 25
                v += j_s[d]; // 26
                d += 1;
            }
            counts.standard += d;
            u += 1;
        }
        n = t;
        m *= 2;
        stage += 1;
    }
}

/// The stage of m sub-NTTs of four: one M and one S in each, where S is the last before an M.
fn second_to_last<M: Montgomery>(f: &mut [u64], tables: &Tables<M>, m: usize, counts: &mut Counts) {
    let offset = tables.offsets[tables.offsets.len() - 1];
    let (mut u, mut v) = (0, 0);
    while u < m {
        tables.montgomery_butterfly(f, v, v + 2, tables.g_bar[m + u]);
        standard_butterfly(f, v + 1, v + 3, tables.g[m + u], offset);
        v += 4;
        u += 1;
    }
    counts.montgomery += m;
    counts.standard += m;
}

/// The stage of m sub-NTTs of two: M.
fn last<M: Montgomery>(f: &mut [u64], tables: &Tables<M>, m: usize, counts: &mut Counts) {
    let (mut u, mut v) = (0, 0);
    while u < m {
        tables.montgomery_butterfly(f, v, v + 1, tables.g_bar[m + u]);
        v += 2;
        u += 1;
    }
    counts.montgomery += m;
}

#[cfg(test)]
mod tests;
