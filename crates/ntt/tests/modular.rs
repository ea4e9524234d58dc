//! Exact arithmetic, roots and primes.

use ringwork_ntt::{
    Method, Ring,
    arith::{
        K2M1_BOUND, Modulus, ModulusError, PrimesError, Splitting, bitrev, is_prime, k2m1_primes, nearest_prime, primes,
    },
};

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
    assert!(
        matches!(Modulus::new(u64::MAX), Err(ModulusError::Composite { factor: 3, near, .. }) if near == u64::MAX - 58)
    );
}

#[test]
fn standard_roots() {
    let root = |q, order| Modulus::new(q).unwrap().root_of_unity(order);
    assert_eq!(root(12289, 2048), Some(7)); // NewHope's psi
    assert_eq!(root(3329, 256), Some(17)); // FIPS 203's zeta
    assert_eq!(root(8380417, 512), Some(1753)); // FIPS 204's zeta
    assert_eq!((root(3329, 512), root(3329, 3), root(3329, 0)), (None, None, None));
    assert_eq!((root(257, 1), root(257, 2)), (Some(1), Some(256)));
}

#[test]
fn smallest_root_by_search() {
    for q in [3, 7, 257, 7681, 12289, 40961, 65537] {
        let m = Modulus::new(q).unwrap();
        for order in (1..=q.min(1 << 13)).filter(|&order| (q - 1) % order == 0) {
            let exact = |x: u64| (1..=order).find(|&e| m.pow(x, e) == 1) == Some(order);
            let root = m.root_of_unity(order).unwrap();
            assert!(exact(root), "q = {q}, order {order}");
            assert!((1..root).all(|x| m.pow(x, order) != 1 || !exact(x)), "q = {q}, order {order}");
            assert!(m.is_primitive_root(root, order) && !m.is_primitive_root(root, 2 * order));
        }
    }
}

#[test]
fn primes_with_roots() {
    assert_eq!(nearest_prime(12289, 1 << 13, 1 << 31), Some(40961));
    assert_eq!(nearest_prime(12289, 1 << 12, 1 << 31), Some(12289));
    assert_eq!(nearest_prime(100, 1 << 26, 1 << 16), None);
    assert_eq!(bitrev(0b0011, 4), 0b1100);
}

/// Rank over the integers modulo q.
fn rank(mut rows: Vec<Vec<u64>>, q: Modulus) -> usize {
    let mut rank = 0;
    for column in 0..rows[0].len() {
        let Some(pivot) = (rank..rows.len()).find(|&r| rows[r][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let inverse = q.inv(rows[rank][column]);
        let own = rows[rank].clone();
        for row in rows.iter_mut().skip(rank + 1) {
            let by = q.neg(q.mul(row[column], inverse));
            row.iter_mut().zip(&own).for_each(|(x, y)| *x = q.add(*x, q.mul(by, *y)));
        }
        rank += 1;
    }
    rank
}

/// `x·X^shift` in a ring, as a row.
fn shifted(x: &[u64], shift: usize, ring: Ring, q: Modulus) -> Vec<u64> {
    let n = x.len();
    let mut row = x.to_vec();
    for _ in 0..shift {
        let top = row[n - 1];
        row.rotate_right(1);
        match ring {
            Ring::Cyclic => {}
            Ring::Negacyclic => row[0] = q.neg(top),
            Ring::Trinomial => {
                row[0] = q.neg(top); // X^n = X^(n/2) - 1
                row[n / 2] = q.add(row[n / 2], top);
            }
        }
    }
    row
}

/// Berlekamp: the number of irreducible factors of a squarefree polynomial is the nullity of
/// `f -> f^q - f`.
#[test]
fn factors_are_berlekamps() {
    for q in [3, 5, 7, 13, 17, 31, 41, 97, 193, 257, 3329].map(|q| Modulus::new(q).unwrap()) {
        for n in [1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 18, 20, 24, 32] {
            for ring in Ring::ALL {
                let inseparable =
                    (n as u64).is_multiple_of(q.get()) || ring == Ring::Trinomial && (q.get() == 3 || n % 2 == 1);
                if inseparable {
                    continue;
                }
                let frobenius = (0..n).map(|i| {
                    let mut one = vec![0; n];
                    one[0] = 1;
                    let mut row = shifted(&one, i * q.get() as usize, ring, q);
                    row[i] = q.add(row[i], q.get() - 1);
                    row
                });
                let factors = (n - rank(frobenius.collect(), q)) as u64;
                assert_eq!(ring.splitting(n as u64, q).factors, factors, "q = {q}, n = {n}, {ring}");
            }
        }
    }
    // X^6 + 1 = (X^2 + 1)^3 modulo 3, and X^2 + 1 is irreducible.
    assert_eq!(Splitting::negacyclic(6, Modulus::new(3).unwrap()).factors, 1);
}

/// Coefficients of the polynomial of a ring, the constant term first.
fn polynomial(n: usize, ring: Ring, q: Modulus) -> Vec<u64> {
    let mut f = vec![0; n + 1];
    f[n] = 1;
    f[0] = if ring == Ring::Cyclic { q.neg(1) } else { 1 };
    if ring == Ring::Trinomial {
        f[n / 2] = q.neg(1);
    }
    f
}

fn product(a: &[u64], b: &[u64], q: Modulus) -> Vec<u64> {
    let mut c = vec![0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            c[i + j] = q.add(c[i + j], q.mul(*x, *y));
        }
    }
    c
}

/// The monic greatest common divisor.
fn common(mut a: Vec<u64>, mut b: Vec<u64>, q: Modulus) -> Vec<u64> {
    let trim = |f: &mut Vec<u64>| f.truncate(f.iter().rposition(|&c| c != 0).map_or(0, |top| top + 1));
    trim(&mut b);
    while let Some(&top) = b.last() {
        let inverse = q.inv(top);
        while a.len() >= b.len() {
            let (shift, factor) = (a.len() - b.len(), q.mul(*a.last().unwrap(), inverse));
            for (i, c) in b.iter().enumerate() {
                a[shift + i] = q.add(a[shift + i], q.neg(q.mul(factor, *c)));
            }
            trim(&mut a);
        }
        std::mem::swap(&mut a, &mut b);
    }
    let inverse = q.inv(*a.last().unwrap());
    a.iter().map(|c| q.mul(*c, inverse)).collect()
}

/// U5: with a multiplicity `m` the polynomial is the `m`-th power of one that is square-free, which
/// it shares with its derivative if there is any; the square-free one has as many factors.
#[test]
fn multiplicities_are_those_of_the_polynomial() {
    let mut repeated = 0;
    for q in [3, 5, 7, 17].map(|q| Modulus::new(q).unwrap()) {
        for n in [1, 2, 3, 5, 6, 9, 10, 14, 15, 17, 18, 27, 34, 50, 54] {
            for ring in Ring::ALL {
                if ring == Ring::Trinomial && (q.get() == 3 || n % 2 == 1) {
                    continue;
                }
                let split = ring.splitting(n as u64, q);
                let root = n / split.multiplicity as usize;
                let square_free = polynomial(root, ring, q);
                let power = (1..split.multiplicity).fold(square_free.clone(), |f, _| product(&f, &square_free, q));
                assert_eq!(power, polynomial(n, ring, q), "q = {q}, n = {n}, {ring}");
                let derivative = (1..=root).map(|i| q.mul(i as u64 % q.get(), square_free[i])).collect();
                assert_eq!(common(square_free, derivative, q), [1], "q = {q}, n = {n}, {ring}");
                assert_eq!(split.factors, ring.splitting(root as u64, q).factors);
                repeated += usize::from(split.multiplicity > 1);
            }
        }
    }
    assert!(repeated > 20);
}

/// Every element below the bounds is invertible, by brute force.
#[test]
fn small_elements_are_invertible() {
    for (n, q, expected) in [(4, 5, (1, 4)), (4, 13, (2, 12)), (4, 29, (3, 28)), (8, 41, (1, 6)), (8, 13, (2, 12))] {
        let q = Modulus::new(q).unwrap();
        let bounds = Splitting::negacyclic(n as u64, q).invertible.unwrap();
        assert_eq!((bounds.max_norm, bounds.squared_norm), expected);
        let side = 2 * bounds.max_norm as usize + 1;
        for code in 1..side.pow(n) {
            let digit = |i: u32| (code / side.pow(i) % side) as i128 - i128::from(bounds.max_norm);
            let y: Vec<u64> = (0..n).map(|i| q.reduce(digit(i))).collect();
            let invertible =
                rank((0..n as usize).map(|i| shifted(&y, i, Ring::Negacyclic, q)).collect(), q) == n as usize;
            assert!(invertible || y.iter().all(|&c| c == 0), "{y:?} modulo {q}");
        }
    }
    let split = Splitting::negacyclic(1024, Modulus::new(12289).unwrap());
    assert_eq!((split.factors, split.invertible), (1024, None), "complete splitting promises nothing");
    let few = Splitting::negacyclic(1024, Modulus::new(4294967197).unwrap());
    assert_eq!(few.factors, 2);
    assert!(few.invertible.unwrap().max_norm > 46_000);
}

fn numbers(primes: impl IntoIterator<Item = Modulus>) -> Vec<u64> {
    primes.into_iter().map(Modulus::get).collect()
}

#[test]
fn primes_of_a_size_by_brute_force() {
    for bits in 3..=16 {
        for order in (0..=17).map(|log| 1 << log).chain([3, 6, 7, 9, 48, 768]) {
            let root = |p: &u64| (p - 1).is_multiple_of(order);
            let all: Vec<u64> = (1 << (bits - 1)..1 << bits).filter(root).filter(|&p| is_prime(p)).collect();
            let nearest = |sizes: &mut dyn Iterator<Item = u64>| sizes.filter(root).find(|&p| is_prime(p));
            match primes(order, bits) {
                Ok(found) => {
                    assert_eq!(numbers(found.clone()), all, "{bits} bits, order {order}");
                    assert_eq!(numbers(found.rev()), all.iter().rev().copied().collect::<Vec<_>>());
                }
                Err(PrimesError::None { below, above, .. }) => {
                    assert!(all.is_empty(), "{bits} bits, order {order}");
                    assert_eq!(below, nearest(&mut (4..1 << (bits - 1)).rev()).filter(|p| *p > 4));
                    assert_eq!(above, nearest(&mut (1 << bits..)));
                }
                Err(e) => panic!("{e}"),
            }
            let small = |p: &u64| Modulus::new(*p).unwrap().k2m1().k < K2M1_BOUND;
            let of_small_k: Vec<u64> = all.into_iter().filter(small).collect();
            assert_eq!(numbers(k2m1_primes(order, bits).unwrap_or_default()), of_small_k, "{bits}, {order}");
        }
    }
}

#[test]
fn primes_come_from_one_end_only() {
    let mut found = primes(16, 9).unwrap(); // 257, 337, 353, 401, 433, 449
    assert_eq!(numbers([found.next(), found.next_back(), found.next()].into_iter().flatten()), [257, 449, 337]);
    assert_eq!(numbers(found.by_ref().rev()), [433, 401, 353]);
    assert!(found.next().is_none() && found.next_back().is_none());
}

#[test]
fn known_primes_are_found() {
    // p, log2 of the order of its root, k and m
    for (p, log_order, k, m) in [
        (7681, 9, 15, 9),
        (12289, 12, 3, 12),
        (40961, 13, 5, 13),
        (8_380_417, 13, 1023, 13),
        (2_013_265_921, 27, 15, 27),
        (1_152_921_504_606_830_593, 14, 70_368_744_177_663, 14),
    ] {
        let modulus = Modulus::new(p).unwrap();
        let form = modulus.k2m1();
        assert_eq!((form.k, form.m, form.sign), (k, m, 1));
        assert_eq!(form.to_string(), format!("{k}·2^{m} + 1"));
        let all = primes(1 << log_order, modulus.bits()).unwrap();
        let ends = numbers(all.clone().take(9).chain(all.rev().take(9)));
        assert!(ends.contains(&p), "{p}");
        let of_small_k = numbers(k2m1_primes(1 << log_order, modulus.bits()).unwrap_or_default()).contains(&p);
        assert_eq!(of_small_k, k < K2M1_BOUND, "{p}");
    }
    let mersenne = Modulus::new((1 << 61) - 1).unwrap();
    assert_eq!(mersenne.k2m1().to_string(), "1·2^61 - 1");
    assert_eq!(k2m1_primes(1, 61).unwrap().last(), Some(&mersenne));
    assert_eq!(primes(1, 61).unwrap().next_back(), Some(mersenne));
}

#[test]
fn the_form_is_that_of_the_reductions() {
    for p in primes(1, 12).unwrap() {
        let contract = Method::Montgomery.contract(p, 32).unwrap();
        let (form, c) = (p.k2m1(), contract.constants());
        assert_eq!((form.k as i64, form.m, form.sign), (c.k, c.m, c.sign), "{p}");
    }
}

#[test]
fn sizes_without_primes_teach() {
    let refused = |order: u64, bits| primes(order, bits).unwrap_err().to_string();
    assert_eq!(refused(1 << 11, 65), "primes of 65 bits are out of range; take 3 to 64 bits");
    assert_eq!(k2m1_primes(1 << 11, 2), Err(PrimesError::Bits { bits: 2 }));
    let too_small = "no prime of exactly 11 bits has a primitive root of unity of order 2048; the smallest one is 12289, of 14 bits";
    assert_eq!(refused(1 << 11, 11), too_small);
    let between = "the nearest are 17 of 5 bits and 97 of 7 bits";
    assert!(refused(16, 6).contains(between), "{}", refused(16, 6));
    assert!(refused(1 << 57, 59).ends_with("the smallest one is 4179340454199820289, of 62 bits")); // 29·2^57 + 1
    assert!(refused(1 << 60, 62).ends_with("nor has one of any other size from 3 to 64 bits"));
    assert!(refused(u64::MAX, 62).ends_with("nor has one of any other size from 3 to 64 bits"));
    let of_form = k2m1_primes(16, 6).unwrap_err().to_string();
    assert!(of_form.contains("k·2^m ± 1 with k < 256"), "{of_form}");
}

#[test]
fn nothing_has_order_zero() {
    assert!(primes(0, 30).is_err());
    assert_eq!(nearest_prime(12289, 0, 1 << 30), None);
    assert_eq!(nearest_prime(5, 8, 0), None);
}

#[test]
#[should_panic(expected = "n = 0 is not a degree")]
fn rings_of_degree_zero_do_not_split() {
    let _ = Ring::Cyclic.splitting(0, Modulus::new(17).unwrap());
}
