//! Integers modulo q: the residues, the primality test, the roots of unity, and bit reversal.
//!
//! Formulas: a ± b mod q, a·b mod q, a^e by square and multiply, a⁻¹ from Bézout's u·a + v·q = 1
//! (extended Euclid). A primitive root of unity of order r is an x with x^r = 1 and x^(r/p) ≠ 1 for
//! every prime p that divides r.
//!
//! Sources: Crandall and Pomerance, *Prime Numbers*, chapters 2 (Euclid) and 3 (Miller–Rabin);
//! Sorenson and Webster, *Strong pseudoprimes to twelve prime bases*, 2015 (the bases that decide
//! every 64-bit number).
//!
//! Ranges: 1 ≤ q < 2⁶⁴; every operand and every result is canonical, in [0, q). Intermediates are
//! as wide as they must be, up to 128 bits.

/// (a + b) mod q.
pub fn add(a: u64, b: u64, q: u64) -> u64 {
    debug_assert!(a < q && b < q);
    let sum = u128::from(a) + u128::from(b);
    (if sum < u128::from(q) { sum } else { sum - u128::from(q) }) as u64
}

/// (a − b) mod q.
pub fn sub(a: u64, b: u64, q: u64) -> u64 {
    debug_assert!(a < q && b < q);
    if a < b { a + (q - b) } else { a - b }
}

/// (a · b) mod q.
pub fn mul(a: u64, b: u64, q: u64) -> u64 {
    debug_assert!(a < q && b < q);
    match a.checked_mul(b) {
        Some(product) => product % q, // where one word holds it, several times as fast
        None => (u128::from(a) * u128::from(b) % u128::from(q)) as u64,
    }
}

/// The residue of any integer in [0, q).
pub fn residue(x: i64, q: u64) -> u64 {
    i128::from(x).rem_euclid(i128::from(q)) as u64
}

/// x mod± q: the integer next to zero with the residue x; q/2 for x = q/2. q < 2⁶³.
pub fn centred(x: u64, q: u64) -> i64 {
    debug_assert!(x < q);
    if x > q / 2 { x as i64 - q as i64 } else { x as i64 }
}

/// base^exponent mod q, with 0⁰ = 1.
pub fn pow(base: u64, exponent: u64, q: u64) -> u64 {
    let (mut result, mut square, mut rest) = (1 % q, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = mul(result, square, q);
        }
        square = mul(square, square, q);
        rest >>= 1;
    }
    result
}

/// The u in [0, q) with u·a ≡ 1 (mod q), or `None` when a and q have a common factor. q need not be
/// prime.
pub fn inverse(a: u64, q: u64) -> Option<u64> {
    // Invariant: r ≡ u·a (mod q) for both pairs; |u| ≤ q.
    let (mut r0, mut r1) = (i128::from(q), i128::from(a));
    let (mut u0, mut u1) = (0_i128, 1_i128);
    while r1 != 0 {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (u0, u1) = (u1, u0 - quotient * u1);
    }
    (r0 == 1).then(|| u0.rem_euclid(i128::from(q)) as u64)
}

/// Whether q is prime: Miller–Rabin with the first twelve primes as bases, which errs for no q <
/// 2⁶⁴.
pub fn is_prime(q: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if q < 2 {
        return false;
    }
    if let Some(p) = BASES.iter().find(|&&p| q.is_multiple_of(p)) {
        return q == *p;
    }
    let twos = (q - 1).trailing_zeros();
    let odd = (q - 1) >> twos;
    BASES.iter().all(|&base| {
        let mut x = pow(base, odd, q);
        if x == 1 {
            return true;
        }
        for _ in 0..twos {
            if x == q - 1 {
                return true;
            }
            x = mul(x, x, q);
        }
        false
    })
}

/// The primes that divide x, each once, ascending.
fn prime_divisors(mut x: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut p = 2;
    while p * p <= x {
        if x.is_multiple_of(p) {
            primes.push(p);
            while x.is_multiple_of(p) {
                x /= p;
            }
        }
        p += 1;
    }
    if x > 1 {
        primes.push(x);
    }
    primes
}

/// Whether x is a primitive root of unity of this order modulo q. `order` ≥ 1.
pub fn is_primitive_root(x: u64, order: u64, q: u64) -> bool {
    pow(x, order, q) == 1 % q && prime_divisors(order).iter().all(|p| pow(x, order / p, q) != 1)
}

/// **The** root of unity of an order modulo a prime q: the smallest integer ψ ≥ 1 that is a
/// primitive `order`-th root.
///
/// The choice is part of every file format and of every transform that names no root: 7 for q =
/// 12289 and order 2048 (NewHope's ψ), 17 for q = 3329 and order 256 (ML-KEM's ζ), 1 for order 1, q
/// − 1 for order 2. `None` when q is not prime or `order` does not divide q − 1 (`order` = 0
/// included).
///
/// One primitive root ψ₀ is found as x^((q−1)/order) for x = 1, 2, 3, …; all others are ψ₀^j with j
/// prime to the order, so the smallest is a minimum over φ(order) values: O(order) steps, however
/// large q is.
pub fn root_of_unity(q: u64, order: u64) -> Option<u64> {
    if !is_prime(q) || order == 0 || !(q - 1).is_multiple_of(order) {
        return None;
    }
    let primes = prime_divisors(order);
    let root = (1..q)
        .map(|x| pow(x, (q - 1) / order, q))
        .find(|&y| primes.iter().all(|p| pow(y, order / p, q) != 1))
        .expect("the multiplicative group of a prime field is cyclic");
    let mut smallest = root;
    let mut power = root;
    for j in 1..order {
        if primes.iter().all(|&p| !j.is_multiple_of(p)) {
            smallest = smallest.min(power);
        }
        power = mul(power, root, q);
    }
    Some(smallest)
}

/// brv(i): the number whose `bits` binary digits are those of i in reverse order. i < 2^bits.
pub fn bit_reverse(i: usize, bits: u32) -> usize {
    debug_assert!(i >> bits == 0);
    (0..bits).fold(0, |reversed, bit| reversed << 1 | (i >> bit & 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn primes_are_those_of_the_sieve() {
        const LIMIT: usize = 20_000;
        let mut composite = vec![false; LIMIT];
        for p in 2..LIMIT {
            assert_eq!(is_prime(p as u64), !composite[p], "{p}");
            (2 * p..LIMIT).step_by(p).for_each(|multiple| composite[multiple] = true);
        }
        assert!(!is_prime(0) && !is_prime(1));
    }

    #[test]
    fn primes_of_64_bits() {
        assert!(is_prime(u64::MAX - 58)); // 2⁶⁴ − 59 is the largest prime below 2⁶⁴
        assert!((0..58).all(|i| !is_prime(u64::MAX - i)));
        assert!(is_prime(0xffff_ffff_0000_0001) && is_prime((1 << 61) - 1));
        assert!(!is_prime(3_215_031_751)); // strong pseudoprime to 2, 3, 5, 7
        assert!(!is_prime(3_825_123_056_546_413_051)); // strong pseudoprime to 2, 3, …, 23
    }

    #[test]
    fn arithmetic_at_the_largest_modulus() {
        let q = u64::MAX - 58;
        assert_eq!(add(q - 1, q - 1, q), q - 2);
        assert_eq!(sub(0, q - 1, q), 1);
        assert_eq!(mul(q - 1, q - 1, q), 1);
        assert_eq!(inverse(q - 1, q), Some(q - 1));
        let mut random = Random(1);
        for _ in 0..200 {
            let (a, b) = (random.below(q - 1) + 1, random.below(q));
            assert_eq!(add(sub(b, a, q), a, q), b);
            assert_eq!(mul(a, inverse(a, q).unwrap(), q), 1);
            assert_eq!(pow(a, q - 1, q), 1);
        }
    }

    #[test]
    fn residues_and_centred_integers() {
        for q in [2_u64, 3, 8, 7681] {
            for x in -20_i64..20 {
                let r = residue(x, q);
                assert!(r < q && (x - r as i64) % q as i64 == 0);
                let c = centred(r, q);
                assert!(2 * c.unsigned_abs() <= q && 2 * c != -(q as i64) && residue(c, q) == r);
            }
        }
        assert_eq!(residue(i64::MIN, u64::MAX), u64::MAX - (1 << 63));
    }

    #[test]
    fn inverses() {
        for q in 1..60_u64 {
            for a in 0..q {
                let found = (0..q).find(|&u| mul(u, a, q) == 1 % q);
                assert_eq!(inverse(a, q), found, "{a} modulo {q}");
            }
        }
    }

    #[test]
    fn the_roots_that_standards_fix() {
        assert_eq!(root_of_unity(12289, 2048), Some(7));
        assert_eq!(root_of_unity(3329, 256), Some(17));
        assert_eq!(root_of_unity(8380417, 512), Some(1753));
        assert_eq!(root_of_unity(12289, 1), Some(1));
        assert_eq!(root_of_unity(12289, 2), Some(12288));
        assert_eq!(root_of_unity(12289, 8192), None);
        assert_eq!(root_of_unity(12289, 0), None);
        assert_eq!(root_of_unity(15, 2), None);
    }

    #[test]
    fn roots_are_the_smallest() {
        for q in [2_u64, 3, 5, 17, 97, 193, 257] {
            for order in 1..q {
                let smallest = (1..q).find(|&x| is_primitive_root(x, order, q));
                assert_eq!(root_of_unity(q, order), smallest, "order {order} modulo {q}");
            }
        }
        // 60 bits: checked against the definition only, since a search from 1 would not end.
        let q = 1_152_921_504_606_830_593;
        let root = root_of_unity(q, 4096).unwrap();
        assert_eq!(pow(root, 2048, q), q - 1);
        assert!((0..2048).all(|j| pow(root, 2 * j + 1, q) >= root));
    }

    #[test]
    fn bit_reversal() {
        assert_eq!(bit_reverse(0, 0), 0);
        assert_eq!((0..8).map(|i| bit_reverse(i, 3)).collect::<Vec<_>>(), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert!((0..1024).all(|i| bit_reverse(bit_reverse(i, 10), 10) == i));
    }
}
