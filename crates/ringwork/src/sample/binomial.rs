//! The centred binomial distribution, as a source of vectors on the backend of the ring that it
//! fills.

#[cfg(feature = "alloc")]
use crate::ring::BitPermutation;
use crate::ring::{Source, fill_in_order};
#[cfg(feature = "alloc")]
use lanes::MAX_LANES;
use lanes::{Backend, Lanes16};

/// The centred binomial distribution ψ_eta: the number of ones among `eta` bits minus that among
/// `eta` others, `eta ≤ 16`.
///
/// Coefficient `i` takes bytes `4i..4i+4`: ones among the low `eta` bits of the first half, minus
/// those of the second half.
///
/// - **Order:** any permutation of index bits; see [`order`](Self::order).
/// - **Range:** `[-eta, eta]`, variance `eta/2`.
/// - **Constant time:** yes.
///
/// Source: Alkim, Ducas, Pöppelmann, Schwabe, *Post-quantum key exchange — a new hope* (2016),
/// section 4.
#[derive(Clone, Copy, Debug)]
pub struct Binomial {
    /// The number of bits on either side.
    pub eta: u32,
}

#[cfg(feature = "alloc")]
impl Binomial {
    /// The order that puts the `drawn(i)`-th drawn coefficient at position `i`, for `n`
    /// coefficients.
    ///
    /// **Panics** as [`BitPermutation::new`] does.
    pub fn order(backend: Backend, n: usize, drawn: impl Fn(usize) -> usize) -> BitPermutation {
        // Two vectors of halves give one vector of coefficients, those drawn from the first one in
        // even lanes: lane bits are rotated.
        BitPermutation::by_lanes(backend, n, |lanes, i| {
            let i = drawn(i);
            let (vector, lane) = (i & !(lanes - 1), i & (lanes - 1));
            vector | (lane << 1 & (lanes - 1)) | usize::from(lane & lanes >> 1 != 0)
        })
    }

    /// Fills `out` from `bytes`, four bytes per coefficient.
    ///
    /// **Panics** if the lengths do not match each other or the order.
    pub fn sample(self, order: &BitPermutation, out: &mut [i16], bytes: &[u8]) {
        assert!((1..=16).contains(&self.eta), "eta = {} is not in 1..=16", self.eta);
        assert!(bytes.len() == 4 * out.len(), "four bytes per coefficient");
        let mask = ((1_u32 << self.eta) - 1) as u16 as i16;
        order.fill(out, BinomialSource { mask, bytes });
    }
}

#[cfg(feature = "alloc")]
impl Binomial {
    /// [`order`](Self::order) for [`sample_dense`](Self::sample_dense) with coefficients in natural
    /// order.
    ///
    /// **Panics** unless `eta` is 2 or 3.
    pub(crate) fn dense_order(backend: Backend, eta: u32, n: usize) -> BitPermutation {
        // One vector of words gives one vector of coefficients for each coefficient in a word.
        let words_log = words_log(eta);
        BitPermutation::by_lanes(backend, n, |lanes, i| {
            let (word, place) = (i >> words_log, i & ((1 << words_log) - 1));
            let (vector, lane) = (word >> lanes.ilog2(), word & (lanes - 1));
            ((vector << words_log | place) << lanes.ilog2()) | lane
        })
    }

    /// Fills `out` from a string of `2·eta` bits per coefficient, the lowest of each byte first:
    /// ones among the first `eta` minus ones among the others. `SamplePolyCBD` of FIPS 203.
    ///
    /// **Range:** `[-eta, eta]`. **Constant time:** yes. **Panics** unless `eta` is 2 or 3, or if
    /// the lengths do not match each other or the order.
    pub(crate) fn sample_dense(self, order: &BitPermutation, out: &mut [i16], bytes: &[u8]) {
        assert_eq!(4 * bytes.len(), self.eta as usize * out.len(), "bits of coefficients");
        match self.eta {
            2 => order.fill(out, DenseSource::<2, 16>(bytes)),
            _ => order.fill(out, DenseSource::<3, 12>(bytes)),
        }
    }
}

impl Binomial {
    /// What `sample_dense` gives in natural order, one coefficient at a time.
    ///
    /// **Range:** `[-eta, eta]`. **Constant time:** yes. **Panics** unless `eta` is 2 or 3, or if the lengths do not
    /// match each other.
    pub(crate) fn sample_dense_singly(self, out: &mut [i16], bytes: &[u8]) {
        assert_eq!(4 * bytes.len(), self.eta as usize * out.len(), "bits of coefficients");
        match self.eta {
            2 => fill_in_order(Backend::Scalar, out, DenseSource::<2, 16>(bytes)),
            _ => fill_in_order(Backend::Scalar, out, DenseSource::<3, 12>(bytes)),
        }
    }
}

/// log2 of the number of coefficients in a word.
const fn words_log(eta: u32) -> u32 {
    match eta {
        2 => 2,
        3 => 1,
        _ => panic!("eta is neither 2 nor 3"),
    }
}

/// Words of `W` bits that hold `W/(2·ETA)` coefficients each.
struct DenseSource<'a, const ETA: u32, const W: usize>(&'a [u8]);

impl<const ETA: u32, const W: usize> Source for DenseSource<'_, ETA, W> {
    #[inline(always)]
    fn vector<L: Lanes16>(&self, l: L, index: usize) -> L::V {
        let words_log = const { words_log(ETA) };
        let word = l.unpack::<W>(self.0, (index >> words_log) * L::LANES);
        let place = (index & ((1 << words_log) - 1)) as u32;
        // Sums of eta bits, each in a field of eta bits.
        let ones = l.splat(if ETA == 2 { 0x5555 } else { 0x0249 });
        let two = l.add(l.and(word, ones), l.and(l.shr_logical::<1>(word), ones));
        let sums = if ETA == 2 { two } else { l.add(two, l.and(l.shr_logical::<2>(word), ones)) };
        let field = l.splat((1 << ETA) - 1);
        let first = l.and(l.shr_by(sums, 2 * ETA * place), field);
        l.sub(first, l.and(l.shr_by(sums, 2 * ETA * place + ETA), field))
    }
}

#[cfg(feature = "alloc")]
struct BinomialSource<'a> {
    mask: i16,
    bytes: &'a [u8],
}

#[cfg(feature = "alloc")]
impl Source for BinomialSource<'_> {
    #[inline(always)]
    fn vector<L: Lanes16>(&self, l: L, index: usize) -> L::V {
        let bytes = &self.bytes[4 * L::LANES * index..][..4 * L::LANES];
        let mut words = [0; 2 * MAX_LANES];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = i16::from_le_bytes(*bytes);
        }
        let (halves, mask) = (L::blocks(&words), l.splat(self.mask));
        let (x, y) = (l.and(l.load(&halves[0]), mask), l.and(l.load(&halves[1]), mask));
        let (low, high) = if L::LANES == 1 { (x, y) } else { l.interleave::<1>(x, y) };
        l.sub(ones(l, low), ones(l, high))
    }
}

/// The number of ones in each lane, by sums in doubling field widths.
#[cfg(feature = "alloc")]
#[inline(always)]
fn ones<L: Lanes16>(l: L, x: L::V) -> L::V {
    let (m1, m2, m4) = (l.splat(0x5555), l.splat(0x3333), l.splat(0x0F0F));
    let x = l.sub(x, l.and(l.shr_logical::<1>(x), m1)); // fields of 2 bits, at most 2
    let x = l.add(l.and(x, m2), l.and(l.shr_logical::<2>(x), m2)); // fields of 4 bits, at most 4
    let x = l.and(l.add(x, l.shr_logical::<4>(x)), m4); // fields of 8 bits, at most 8
    l.and(l.add(x, l.shr_logical::<8>(x)), l.splat(31)) // at most 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_draws_the_definition() {
        let mut bytes = vec![0; 4 * 1024];
        crate::xof::chacha20(&[7; 32], [1; 8], &mut bytes);
        bytes[..4].copy_from_slice(&[0xFF, 0xFF, 0, 0]);
        bytes[4..8].copy_from_slice(&[0, 0, 0xFF, 0xFF]);
        for eta in [1, 2, 12, 16] {
            let mask = ((1_u32 << eta) - 1) as u16;
            let half = |b: &[u8]| i16::try_from((u16::from_le_bytes([b[0], b[1]]) & mask).count_ones()).unwrap();
            for backend in Backend::available() {
                for n in [1, 2, 16, 48, 1024] {
                    let mut out = vec![99; n];
                    let order = Binomial::order(backend, n, |i| i);
                    Binomial { eta }.sample(&order, &mut out, &bytes[..4 * n]);
                    for (i, b) in bytes[..4 * n].chunks(4).enumerate() {
                        assert_eq!(out[i], half(b) - half(&b[2..]), "{i} of {n}, eta {eta}, {backend}");
                    }
                }
            }
        }
    }

    #[test]
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn every_backend_draws_the_dense_definition() {
        let mut bytes = vec![0; 192];
        crate::xof::chacha20(&[7; 32], [2; 8], &mut bytes);
        bytes[..6].fill(0xFF);
        let bit = |i: usize| i16::from(bytes[i / 8] >> (i % 8) & 1);
        for eta in [2, 3] {
            let sum = |from: usize| (from..from + eta).map(bit).sum::<i16>();
            let expected: Vec<i16> = (0..256).map(|i| sum(2 * eta * i) - sum(2 * eta * i + eta)).collect();
            for backend in Backend::available() {
                let order = Binomial::dense_order(backend, eta as u32, 256);
                let mut out = vec![99; 256];
                Binomial { eta: eta as u32 }.sample_dense(&order, &mut out, &bytes[..64 * eta]);
                assert_eq!(out, expected, "eta {eta} on {backend}");
            }
        }
    }

    /// Mean, variance and a chi-square test of 2^18 samples of ψ_16 against the binomial
    /// coefficients.
    #[test]
    fn the_distribution_is_binomial() {
        let mut counts = [0_f64; 33];
        let (mut bytes, mut out) = (vec![0; 4 << 10], vec![0; 1 << 10]);
        let order = Binomial::order(Backend::best(), 1 << 10, |i| i);
        for round in 0..256_u64 {
            crate::xof::chacha20(&[3; 32], round.to_le_bytes(), &mut bytes);
            Binomial { eta: 16 }.sample(&order, &mut out, &bytes);
            out.iter().for_each(|&x| counts[usize::try_from(x + 16).unwrap()] += 1.0);
        }
        let total = f64::from(1 << 18);
        let choose = |k: u32| (0..k).fold(1.0, |c, i| c * f64::from(32 - i) / f64::from(i + 1));
        let mut chi_square = 0.0;
        let mut cells = 0;
        for (k, &count) in (0..).zip(&counts) {
            let expected = total * choose(k) / 2_f64.powi(32);
            if expected > 10.0 {
                chi_square += (count - expected).powi(2) / expected;
                cells += 1;
            }
        }
        // 99.99 % of chi-square values with this many degrees of freedom lie below.
        assert!(cells >= 20 && chi_square < 60.0, "chi-square {chi_square} in {cells} cells");
    }
}
