//! Algorithm 2 in Falcon's words, which is what the paper improves on and what a user of Falcon
//! runs: 16 bits in memory, 32 in registers, R = 2¹⁶.
//!
//! With q < 2¹⁴ products have 28 bits: x·y + m·q < 2³². Where the paper takes q⁻¹ and a difference,
//! this takes −q⁻¹ and a sum, as Falcon does; the quotient is exact either way.
//!
//! Source: Falcon's specification (2020), section 3.7 (NTT), and Montgomery (1985). A loop of its
//! own, as its words are.

use super::montgomery::inverse_of_odd;
use crate::field;

/// The table of Ḡ for R = 2¹⁶: entry j is ψ^brv(j)·R mod q.
#[derive(Clone, Debug)]
pub struct Tables<const Q: u32> {
    g_bar: Box<[u16]>,
}

impl<const Q: u32> Tables<Q> {
    /// −q⁻¹ mod R.
    const MINUS_Q_PRIME: u32 = inverse_of_odd(Q as u64).wrapping_neg() as u32 & 0xFFFF;

    /// For length n. `None` when n is not a power of two above 1, there is no 2n-th root of unity,
    /// or not q < 2¹⁴.
    pub fn new(n: usize) -> Option<Self> {
        if !n.is_power_of_two() || n < 2 || Q >= 1 << 14 {
            return None;
        }
        let q = u64::from(Q);
        let psi = field::root_of_unity(q, 2 * n as u64)?;
        let power = |j| field::pow(psi, field::bit_reverse(j, n.trailing_zeros()) as u64, q);
        Some(Self { g_bar: (0..n).map(|j| field::mul(power(j), (1 << 16) % q, q) as u16).collect() })
    }

    /// x − y, plus q when that is negative.
    #[inline]
    fn subtract(x: u32, y: u32) -> u32 {
        let difference = x.wrapping_sub(y);
        difference.wrapping_add(Q & (difference >> 31).wrapping_neg())
    }

    /// x·y·R⁻¹ mod q, in [0, q).
    #[inline]
    fn product(x: u32, y: u32) -> u32 {
        let z = x.wrapping_mul(y);
        let m = z.wrapping_mul(Self::MINUS_Q_PRIME) & 0xFFFF;
        Self::subtract(z.wrapping_add(m.wrapping_mul(Q)) >> 16, Q)
    }
}

/// **Order**: natural in, bit-reversed out, as [`super::ntt`]. **Range**: [0, q) in and out.
///
/// **Panics** when f has not n elements.
pub fn ntt<const Q: u32>(f: &mut [u16], tables: &Tables<Q>) {
    let n = f.len();
    assert_eq!(n, tables.g_bar.len(), "the tables are for another length");
    let mut t = n;
    let mut m = 1;
    while m < n {
        let h = t / 2;
        let mut u = 0;
        while u < m {
            let g_bar = tables.g_bar[m + u] as u32;
            let (low, high) = f[u * t..u * t + 2 * h].split_at_mut(h); // 2h, not t: so the compiler sees two halves
            let mut v = 0;
            while v < h {
                let (x, y) = (low[v] as u32, Tables::<Q>::product(high[v] as u32, g_bar));
                low[v] = Tables::<Q>::subtract(x.wrapping_add(y), Q) as u16;
                high[v] = Tables::<Q>::subtract(x, y) as u16;
                v += 1;
            }
            u += 1;
        }
        t = h;
        m *= 2;
    }
}
