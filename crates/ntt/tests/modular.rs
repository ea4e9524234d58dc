//! Exact arithmetic, roots and primes.

#![forbid(unsafe_code)]

use ntt::modular::{Modulus, ModulusError, bitrev, is_prime, nearest_prime};

#[test]
fn primality_agrees_with_trial_division() {
    for n in 0..20_000_u64 {
        let prime = n >= 2 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0);
        assert_eq!(is_prime(n), prime, "{n}");
    }
    // Strong pseudoprimes to many bases, and large primes.
    for n in [3_215_031_751, 3_474_749_660_383, 341_550_071_728_321, 3_825_123_056_546_413_051] {
        assert!(!is_prime(n), "{n}");
    }
    assert!(is_prime((1 << 61) - 1) && is_prime(0xFFFF_FFFF_0000_0001) && !is_prime(u64::MAX));
}

#[test]
fn residues() {
    const Q: Modulus = match Modulus::new(12289) {
        Ok(q) => q,
        Err(_) => panic!("12289 is prime"),
    };
    assert_eq!(Q.proth(), (3, 12));
    assert_eq!(Q.mul(Q.inv(5), 5), 1);
    assert_eq!((Q.centered(6144), Q.centered(6145)), (6144, -6144));
    assert_eq!(Q.reduce(-1), 12288);
}

#[test]
fn refusals_teach() {
    assert_eq!(
        Modulus::new(4095).unwrap_err().to_string(),
        "q = 4095 = 3 · 1365 is not prime; the nearest prime is 4093"
    );
    assert!(matches!(Modulus::new(0), Err(ModulusError::NotOdd { q: 0 })));
    assert!(matches!(Modulus::new(4096), Err(ModulusError::NotOdd { .. })));
    assert!(matches!(Modulus::new(1 << 62 | 1), Err(ModulusError::TooLarge { .. })));
}

#[test]
fn standard_roots() {
    let root = |q, log| Modulus::new(q).unwrap().root_of_unity(log);
    assert_eq!(root(12289, 11), Some(7)); // NewHope's psi
    assert_eq!(root(3329, 8), Some(17)); // FIPS 203's zeta
    assert_eq!(root(8380417, 9), Some(1753)); // FIPS 204's zeta
    assert_eq!(root(3329, 9), None);
    assert_eq!((root(257, 0), root(257, 1)), (Some(1), Some(256)));
}

#[test]
fn smallest_root_by_search() {
    for (q, log) in [(257, 5), (7681, 9), (40961, 13), (12289, 12), (65537, 10)] {
        let m = Modulus::new(q).unwrap();
        let primitive = |x: &u64| m.pow(*x, 1 << (log - 1)) == q - 1;
        assert_eq!(m.root_of_unity(log), (1..q).find(primitive));
    }
}

#[test]
fn primes_with_roots() {
    assert_eq!(nearest_prime(12289, 13, 1 << 31), Some(40961));
    assert_eq!(nearest_prime(12289, 12, 1 << 31), Some(12289));
    assert_eq!(nearest_prime(100, 26, 1 << 16), None);
    assert_eq!(bitrev(0b0011, 4), 0b1100);
}
