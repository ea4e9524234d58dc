//! The moduli for which contracts are proved.

use ntt::arith::{Modulus, nearest_prime};

/// Primes of standards and of papers, and small ones.
const NAMED: [u64; 27] = [
    5,
    7,
    17,
    257,
    769,
    3329,
    7681,
    8191,
    12289,
    18433,
    40961,
    65537,
    524287,
    786433,
    8380417,
    998244353,
    1073479681,
    2013265921, // BabyBear
    2130706433, // KoalaBear
    2147483647,
    4293918721,
    4294967291,
    0xFFFF_FFFF_0000_0001, // Goldilocks
    u64::MAX - 58,
    (1 << 61) - 1,
    (1 << 62) - (1 << 16) + 1,
    27 << 59 | 1,
];

/// Those, and of each number of bits the largest prime, the smallest one, and one with many roots of unity.
pub fn all() -> Vec<Modulus> {
    let largest = |bits: u32| (0..).map(|i| (u64::MAX >> (64 - bits)) - 2 * i).find(|q| Modulus::new(*q).is_ok());
    let smallest = |bits: u32| (0..).map(|i| (1_u64 << (bits - 1)) + 1 + 2 * i).find(|q| Modulus::new(*q).is_ok());
    let with_roots = |bits: u32| nearest_prime(u64::MAX >> (64 - bits), 1 << (bits / 2), u64::MAX >> (64 - bits));
    let mut moduli = NAMED.to_vec();
    // The windows of methods end at 14, 15, 16; 30, 31, 32; 50, 51, 52; 62, 63 and 64 bits, or begin at 40.
    let windows =
        [4, 8, 12, 13, 14, 15, 16, 20, 24, 28, 29, 30, 31, 32, 33, 39, 40, 41, 49, 50, 51, 52, 53, 60, 61, 62, 63, 64];
    for bits in windows {
        moduli.extend(largest(bits));
        moduli.extend(smallest(bits));
        moduli.extend(with_roots(bits));
    }
    moduli.sort_unstable();
    moduli.dedup();
    moduli.into_iter().filter_map(|q| Modulus::new(q).ok()).collect()
}
