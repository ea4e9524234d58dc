//! Elements of a ring, and what is made of them, against integers of any size and the textbook.

use super::{Limbs, as_u64, centred, modulo, number, signed};
use num_bigint::{BigInt, BigUint};
use ringwork_ntt::{
    BaseExtension, Coefficients, Domain, Request, Ring, Rns, RnsElement, RnsError, RnsNtt, RnsPoly, SlotOrder, Slots,
    Word,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn modulus<T: Word>(rns: &Rns<T>) -> BigUint {
    number(rns.modulus())
}

/// So many polynomials: borders first, then random numbers.
fn some<T: Word>(rns: &Rns<T>, count: usize, seed: u64) -> Vec<BigUint> {
    let (q, mut random) = (modulus(rns), Limbs(seed));
    let half = &q / 2_u8;
    let mut integers = vec![BigUint::ZERO, &q - 1_u8, half.clone(), half + 1_u8, 1_u8.into()];
    while integers.len() < count * rns.n() {
        integers.push(number(&(&mut random).take(rns.limbs() + 1).collect::<Vec<_>>()) % &q);
    }
    integers.rotate_right(seed as usize % (count * rns.n()));
    integers
}

fn poly<T: Word>(rns: &Rns<T>, integers: &[BigUint]) -> RnsPoly<T> {
    let limbs = rns.limbs();
    let words: Vec<u64> = integers.iter().flat_map(|x| super::limbs_of(x, limbs)).collect();
    rns.poly_of_integers(&words, limbs, false)
}

/// The integers in `[0, Q)`.
fn integers<T: Word>(rns: &Rns<T>, a: &RnsPoly<T>) -> Vec<BigUint> {
    for polynomial in 0..a.len() {
        for (i, p) in rns.primes().enumerate() {
            assert!(a.residues(polynomial, i).iter().all(|word| as_u64(*word) < p));
        }
    }
    rns.integers(a, false).words().chunks_exact(rns.limbs()).map(number).collect()
}

fn each<T: Word>(rns: &Rns<T>, a: &[BigUint], b: &[BigUint], of: impl Fn(&BigInt, &BigInt) -> BigInt) -> Vec<BigUint> {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| modulo(&of(&a.clone().into(), &b.clone().into()), &modulus(rns))).collect()
}

/// `Σ coefficients·X^exponent` in the ring.
fn reduced(ring: Ring, n: usize, terms: impl Iterator<Item = (usize, BigInt)>) -> Vec<BigInt> {
    let mut all = vec![BigInt::ZERO; n];
    for (exponent, x) in terms {
        if exponent >= all.len() {
            all.resize(exponent + 1, BigInt::ZERO);
        }
        all[exponent] += x;
    }
    for i in (n..all.len()).rev() {
        let high = std::mem::take(&mut all[i]);
        match ring {
            Ring::Negacyclic => all[i - n] -= high,
            Ring::Cyclic => all[i - n] += high,
            Ring::Trinomial => {
                all[i - n / 2] += &high;
                all[i - n] -= high;
            }
        }
    }
    all.truncate(n);
    all
}

/// The product of two polynomials by the textbook.
fn product<T: Word>(rns: &Rns<T>, a: &[BigUint], b: &[BigUint]) -> Vec<BigUint> {
    let terms = a.iter().enumerate().flat_map(|(i, a)| b.iter().enumerate().map(move |(j, b)| (i + j, (a * b).into())));
    reduced(rns.ring(), rns.n(), terms).iter().map(|x| modulo(x, &modulus(rns))).collect()
}

fn ntt<T: Word>(rns: &Rns<T>, integers: &[BigUint]) -> RnsNtt<T> {
    rns.forward_poly(poly(rns, integers))
}

/// Sums, differences, negatives and multiples, of coefficients and of slots.
fn linear<T: Word, D: Domain>(
    rns: &Rns<T>,
    there: impl Fn(RnsPoly<T>) -> RnsElement<T, D>,
    back: impl Fn(RnsElement<T, D>) -> RnsPoly<T>,
) {
    let [x, y] = [1, 2].map(|seed| some(rns, 3, seed));
    let [a, b] = [&x, &y].map(|x| there(poly(rns, x)));
    let after = |run: &dyn Fn(&mut RnsElement<T, D>)| {
        let mut a = a.clone();
        run(&mut a);
        integers(rns, &back(a))
    };
    assert_eq!(after(&|_| ()), x);
    assert_eq!(after(&|a| rns.add(a, &b)), each(rns, &x, &y, |x, y| x + y));
    assert_eq!(after(&|a| rns.sub(a, &b)), each(rns, &x, &y, |x, y| x - y));
    assert_eq!(after(&|a| rns.negate(a)), each(rns, &x, &y, |x, _| -x));
    for factor in [vec![0], vec![1], vec![u64::MAX; 3], super::limbs_of(&(modulus(rns) - 1_u8), rns.limbs())] {
        let scaled = after(&|a| rns.scale(a, &rns.residues_of_number(&factor)));
        assert_eq!(scaled, each(rns, &x, &y, |x, _| x * BigInt::from(number(&factor))));
    }
    assert_eq!(
        after(&|a| rns.scale(a, &vec![u64::MAX; rns.primes().len()])),
        after(&|a| {
            rns.scale(a, &rns.residues_of_number(&[u64::MAX]));
        })
    );
    // Polynomials alone, and together again.
    let parts = [2..3, 0..0, 0..2].map(|range| a.select(range));
    let turned = integers(rns, &back(RnsElement::concat(&parts.iter().collect::<Vec<_>>())));
    assert_eq!(turned, [&x[2 * rns.n()..], &x[..2 * rns.n()]].concat());
    let none = rns.zeros::<D>(0);
    assert!(none.is_empty() && back(there(rns.zeros(0))).is_empty());
    rns.add(&mut none.clone(), &none);
    assert_eq!(integers(rns, &back(rns.zeros(2))), vec![BigUint::ZERO; 2 * rns.n()]);
}

fn products<T: Word>(rns: &Rns<T>) {
    let n = rns.n();
    let [x, y] = [3, 4].map(|seed| some(rns, 4, seed));
    let [a, b] = [&x, &y].map(|x| ntt(rns, x));
    let pair = |i: usize, j: usize| product(rns, &x[i * n..(i + 1) * n], &y[j * n..(j + 1) * n]);
    let sum = |a: Vec<BigUint>, b: Vec<BigUint>| each(rns, &a, &b, |a, b| a + b);
    let pointwise: Vec<_> = (0..4).flat_map(|i| pair(i, i)).collect();
    assert_eq!(integers(rns, &rns.inverse_product(rns.pointwise(&a, &b))), pointwise);
    assert_eq!(integers(rns, &rns.inverse_ntt(rns.to_ntt(rns.pointwise(&a, &b)))), pointwise);
    let mut twice = rns.pointwise(&a, &b);
    rns.accumulate(&mut twice, &a, &b);
    let twice = integers(rns, &rns.inverse_product(twice.select(1..3)));
    assert_eq!(twice, each(rns, &pointwise[n..3 * n], &pointwise[n..3 * n], |a, b| a + b));
    // Two vectors of two polynomials, each with each.
    let sums: Vec<_> =
        [(0, 0), (2, 0), (0, 2), (2, 2)].into_iter().flat_map(|(i, j)| sum(pair(i, j), pair(i + 1, j + 1))).collect();
    assert_eq!(integers(rns, &rns.inverse_product(rns.inner_products(&a, &b, 2))), sums);
    assert_eq!(integers(rns, &rns.inverse_ntt(rns.to_ntt(rns.inner_products(&a, &b, 2)))), sums);
    // Each by one.
    let by_one: Vec<_> = (0..4).flat_map(|i| pair(i, 1)).collect();
    assert_eq!(integers(rns, &rns.inverse_product(rns.inner_products(&a, &b.select(1..2), 1))), by_one);
    assert!(rns.inverse_product(rns.pointwise(&a.select(0..0), &b.select(0..0))).is_empty());
}

/// Every exponent, or some of them in large rings, by substitution; of slots where these are values.
fn automorphisms<T: Word>(rns: &Rns<T>, complete: bool) {
    let (n, x) = (rns.n(), some(rns, 2, 5));
    let a = poly(rns, &x);
    let order = match rns.ring() {
        Ring::Negacyclic => 2 * n,
        Ring::Cyclic => n,
        Ring::Trinomial => 3 * n,
    };
    let prime_to_order = |k: usize| (2..=order).all(|d| !k.is_multiple_of(d) || !order.is_multiple_of(d));
    let mut found = 0;
    for k in (0..order).step_by(1 + order / 96 * 2).chain([1, order - 1]) {
        if !prime_to_order(k) {
            let refused = rns.automorphism(k as u64).unwrap_err();
            assert_eq!(refused, RnsError::Automorphism { k: k as u64, order: order as u64 });
            continue;
        }
        found += 1;
        let automorphism = rns.automorphism(k as u64).unwrap();
        let expected = x.chunks_exact(n).flat_map(|x| {
            let terms = x.iter().enumerate().map(|(j, x)| (j * k, x.clone().into()));
            reduced(rns.ring(), n, terms).into_iter().map(|x| modulo(&x, &modulus(rns)))
        });
        let expected: Vec<_> = expected.collect();
        assert_eq!(integers(rns, &automorphism.poly(&a)), expected, "{k}");
        let of_slots = automorphism.ntt(&rns.forward_poly(a.clone()));
        if complete {
            assert_eq!(integers(rns, &rns.inverse_ntt(of_slots.unwrap())), expected, "{k}");
        } else {
            assert!(matches!(of_slots.unwrap_err(), RnsError::Incomplete { .. }), "{k}");
        }
        let large = rns.automorphism(k as u64 + 7 * order as u64).unwrap();
        assert_eq!(integers(rns, &large.poly(&a)), expected, "{k}");
    }
    assert!(found > 4, "{found}");
}

/// All of it that needs no other ring.
fn all<T: Word>(rns: &Rns<T>, complete: bool) {
    linear::<T, Coefficients>(rns, |a| a, |a| a);
    linear::<T, Slots>(rns, |a| rns.forward_poly(a), |a| rns.inverse_ntt(a));
    products(rns);
    automorphisms(rns, complete);
    bytes(rns);
}

#[test]
fn elements_are_those_of_num_bigint_and_the_textbook() {
    let request = Request::new(32, 0);
    all(&Rns::<u64>::of_bits(&request, 120).unwrap(), true);
    all(&Rns::<i64>::with(&request.slot_order(SlotOrder::Canonical), &[193, (1 << 61) - (1 << 21) + 1]).unwrap(), true);
    all(&Rns::<i32>::of_bits(&Request::new(24, 0).cyclic(), 85).unwrap(), true);
    all(&Rns::<u32>::of_bits(&Request::new(24, 0).ring(Ring::Trinomial), 60).unwrap(), true);
    all(&Rns::<u32>::new(64, &[257]).unwrap(), true);
    // Slots of degree four, in either order; and transforms that differ in depth.
    for order in [SlotOrder::Native, SlotOrder::Canonical] {
        all(&Rns::<i32>::with(&request.depth(3).slot_order(order), &[7681, 12289]).unwrap(), false);
    }
    all(&Rns::<i16>::new(128, &[257, 1873, 7681]).unwrap(), false);
}

/// Bytes by definition: slot `i` is the residue modulo `X^d - root^e`.
fn bytes<T: Word>(rns: &Rns<T>) {
    let (n, width, x) = (rns.n(), T::BITS as usize / 8, some(rns, 2, 6));
    let a = poly(rns, &x);
    let word = |bytes: &[u8]| BigUint::from_bytes_le(bytes);
    let mut written = vec![1; 2 * rns.bytes()];
    rns.write(&mut written, &a);
    let expected = x.chunks_exact(n).flat_map(|x| rns.primes().flat_map(move |p| x.iter().map(move |x| x % p)));
    assert!(written.chunks_exact(width).map(word).eq(expected));
    let read: RnsPoly<T> = rns.read(&written).unwrap();
    assert_eq!(integers(rns, &read), x);

    let a = rns.forward_poly(a);
    rns.write(&mut written, &a);
    let mut words = written.chunks_exact(width).map(word);
    for x in x.chunks_exact(n) {
        for plan in rns.plans() {
            let recipe = plan.recipe().unwrap();
            let (p, degree) = (BigUint::from(plan.q()), recipe.slot_degree());
            for slot in 0..n / degree {
                let value = BigUint::from(recipe.root()).modpow(&rns.ring().exponent_of(slot).into(), &p);
                for j in 0..degree {
                    let terms = x[j..].iter().step_by(degree).rev();
                    assert_eq!(words.next(), Some(terms.fold(BigUint::ZERO, |sum, x| (sum * &value + x) % &p)));
                }
            }
        }
    }
    let read: RnsNtt<T> = rns.read(&written).unwrap();
    assert_eq!(integers(rns, &rns.inverse_ntt(read)), x);

    // Nothing, too much, too little, and words that are no residues.
    assert!(rns.read::<Slots>(&[]).unwrap().is_empty());
    for length in [1, rns.bytes() - 1, rns.bytes() + 1, 2 * rns.bytes() - width] {
        let refused = rns.read::<Coefficients>(&written[..length]).unwrap_err();
        assert_eq!(refused, RnsError::Bytes { of_each: rns.bytes(), actual: length });
    }
    let last = rns.primes().last().unwrap();
    for large in [last, last + 1, u64::MAX, 1 << 63, 1 << (T::BITS - 1), u64::MAX >> (65 - T::BITS)] {
        let mut bad = written.clone();
        bad[2 * rns.bytes() - width..].copy_from_slice(&large.to_le_bytes()[..width]);
        if large >> (T::BITS - 1) > 1 && width < 8 {
            bad[2 * rns.bytes() - 1] = 255;
        }
        for refused in [rns.read::<Slots>(&bad).unwrap_err(), rns.read::<Coefficients>(&bad).unwrap_err()] {
            assert_eq!(refused, RnsError::Word { index: 2 * rns.words() - 1, q: last });
        }
        bad[..width].copy_from_slice(&[255; 8][..width]);
        let first = rns.primes().next().unwrap();
        assert_eq!(rns.read::<Slots>(&bad).unwrap_err(), RnsError::Word { index: 0, q: first });
    }
}

/// `Σ ((x·(Q/p_i)^-1) mod p_i, centred)·Q/p_i`, of which `run_approximate` gives the residues.
fn approximate<T: Word>(rns: &Rns<T>, x: &BigUint) -> BigInt {
    let q = modulus(rns);
    let parts = rns.primes().map(|p| {
        let (p, rest) = (BigUint::from(p), &q / p);
        let inverse = rest.modinv(&p).unwrap();
        centred(&(x * inverse % &p), &p) * BigInt::from(rest)
    });
    parts.sum()
}

/// Numbers for which that sum is as far away as it can be, and some others.
fn far<T: Word>(rns: &Rns<T>) -> Vec<BigUint> {
    let q = modulus(rns);
    let mut integers = some(rns, 2, 8);
    for sign in [1, -1] {
        let parts = rns.primes().map(|p| BigInt::from(p / 2) * BigInt::from(&q / p) * sign);
        integers[7 + usize::from(sign == 1)] = modulo(&parts.sum(), &q);
    }
    integers
}

fn residues<T: Word>(to: &Rns<T>, a: &RnsPoly<T>, expected: &[BigInt]) {
    for (polynomial, expected) in expected.chunks_exact(to.n()).enumerate() {
        for (i, p) in to.primes().enumerate() {
            for (word, x) in a.residues(polynomial, i).iter().zip(expected) {
                assert_eq!(BigUint::from(as_u64(*word)), modulo(x, &p.into()), "{x} modulo {p}");
            }
        }
    }
}

fn extensions<T: Word>(rns: &Rns<T>, to: &Rns<T>) {
    let (x, q) = (far(rns), modulus(rns));
    let (a, way) = (poly(rns, &x), rns.extension_to(to).unwrap());
    let plain: Vec<BigInt> = x.iter().cloned().map(BigInt::from).collect();
    let middle: Vec<BigInt> = x.iter().map(|x| centred(x, &q)).collect();
    residues(to, &way.poly(&a, false), &plain);
    residues(to, &way.poly(&a, true), &middle);
    // The sum, which differs by a multiple of Q that is at most k/2.
    let sums: Vec<BigInt> = x.iter().map(|x| approximate(rns, x)).collect();
    let (q, most) = (BigInt::from(q), BigInt::from(rns.primes().len() / 2));
    let multiples: Vec<BigInt> = sums.iter().zip(&middle).map(|(sum, x)| (sum - x) / &q).collect();
    assert!(sums.iter().zip(&middle).all(|(sum, x)| ((sum - x) % &q) == BigInt::ZERO));
    assert!(multiples.iter().all(|u| -&most <= *u && *u <= most));
    assert_eq!(multiples.iter().max(), Some(&most), "some number is that far away");
    residues(to, &way.poly_approximate(&a), &sums);
    let mut out = vec![T::default(); to.words()];
    let words: Vec<T> = (0..rns.primes().len()).flat_map(|i| a.residues(1, i).to_vec()).collect();
    way.run_approximate(&mut out, &words);
    let same = way.poly_approximate(&a);
    assert!(out.chunks_exact(to.n()).enumerate().all(|(i, words)| words == same.residues(1, i)));
    assert!(way.poly(&rns.zeros(0), true).is_empty() && way.poly_approximate(&rns.zeros(0)).is_empty());
}

#[test]
fn exact_and_approximate_extensions() {
    let to = Rns::<u64>::new(32, &[193, (1 << 61) - (1 << 21) + 1, 7681]).unwrap();
    for bits in [50, 120, 240] {
        extensions(&Rns::<u64>::of_bits(&Request::new(32, 0), bits).unwrap(), &to);
    }
    let to = Rns::<i32>::new(64, &[998_244_353, 257, 7681]).unwrap();
    extensions(&Rns::<i32>::of_bits(&Request::new(64, 0), 200).unwrap(), &to);
    extensions(&Rns::<i16>::new(64, &[257, 7681, 12289]).unwrap(), &Rns::new(64, &[12289, 257]).unwrap());
}

/// Digits times weights are the number times P, and small.
fn digits<T: Word>(rns: &Rns<T>, to: &Rns<T>) {
    let x = some(rns, 2, 9);
    let a = poly(rns, &x);
    let (q, all) = (modulus(rns), modulus(to));
    let extra: BigUint = &all / &q;
    let primes: Vec<u64> = rns.primes().collect();
    let by_primes = (1..=primes.len()).map(|size| {
        let most = primes.chunks(size).map(|group| group.iter().map(|p| BigInt::from(*p)).product::<BigInt>() / 2_u32);
        let ranges = most.map(|most| [-&most, most]).collect();
        (rns.digits_by_primes(to, size).unwrap(), ranges)
    });
    let by_bits = [1, 7, T::BITS - 2].into_iter().map(|bits| {
        let count = q.bits().div_ceil(bits.into()) as usize;
        let most: BigInt = (BigInt::from(1) << bits) - 1;
        (rns.digits_by_bits(to, bits).unwrap(), vec![[BigInt::ZERO, most]; count])
    });
    for (digits, ranges) in by_primes.chain(by_bits) {
        assert!(digits.len() == ranges.len() && !digits.is_empty());
        let run = digits.run(&a);
        assert_eq!(run.len(), 2 * digits.len());
        let mut sum = to.zeros::<Coefficients>(2);
        for (i, [lo, hi]) in ranges.iter().enumerate() {
            let both =
                [0, 1].map(|polynomial| run.select(polynomial * ranges.len() + i..polynomial * ranges.len() + i + 1));
            let mut digit = RnsPoly::concat(&[&both[0], &both[1]]);
            assert!(integers(to, &digit).iter().all(|d| (lo..=hi).contains(&&centred(d, &all))), "digit {i}");
            to.scale(&mut digit, digits.weight(i));
            to.add(&mut sum, &digit);
        }
        let expected: Vec<_> = x.iter().map(|x| x * &extra % &all).collect();
        assert_eq!(integers(to, &sum), expected);
        assert!(digits.run(&rns.zeros(0)).is_empty());
    }
}

#[test]
fn digits_times_weights_are_the_number() {
    let primes = [(1 << 61) - (1 << 21) + 1, 193, 7681, 12289, 257];
    let all = Rns::<u64>::new(32, &primes).unwrap();
    digits(&all.part(0..3).unwrap(), &all);
    digits(&all.part(1..5).unwrap(), &all);
    digits(&all, &all);
    let all = Rns::<i32>::of_bits(&Request::new(32, 0), 100).unwrap();
    digits(&all.part(0..2).unwrap(), &all);
    let narrow = Rns::<u16>::new(32, &[193, 7681, 12289]).unwrap();
    digits(&narrow, &narrow);
    let others = Rns::<u64>::new(32, &[193, 257]).unwrap();
    assert_eq!(Rns::<u64>::new(32, &primes).unwrap().digits_by_primes(&others, 1).unwrap_err().code(), "missing");
    let refused = [0, 63].map(|bits| others.digits_by_bits(&others, bits).unwrap_err());
    assert_eq!(refused, [0, 63].map(|bits| RnsError::Digit { bits, most: 62 }));
    assert_eq!(others.digits_by_primes(&others, 0).unwrap_err(), RnsError::Empty);
    let longer = Rns::<u64>::new(64, &[193 * 2 - 1, 257]);
    assert!(longer.is_err());
    let longer = Rns::<u64>::new(64, &[257]).unwrap();
    assert_eq!(others.digits_by_bits(&longer, 8).unwrap_err(), RnsError::Degrees { from: 32, to: 64 });
}

fn divided<T: Word>(rns: &Rns<T>, primes: usize) {
    let down = rns.mod_down(primes).unwrap();
    let kept = rns.primes().len() - primes;
    let dropped = rns.part(kept..kept + primes).unwrap();
    let (all, p) = (modulus(rns), modulus(&dropped));
    let half = &p / 2_u8;
    // Around multiples of P, halves of it, and the end.
    let mut x = some(rns, 2, 10);
    let multiple = &all / 3_u8 / &p * &p;
    let borders = [&multiple + &half, &multiple + &half + 1_u8, multiple, half.clone(), &half + 1_u8, &all - half];
    x[9..15].clone_from_slice(&borders);
    let a = poly(rns, &x);
    let rounded: Vec<BigInt> = x.iter().map(|x| ((x + &p / 2_u8) / &p).into()).collect();
    residues(down.ring(), &down.run(&a), &rounded);
    let near: Vec<BigInt> = x
        .iter()
        .map(|x| (BigInt::from(x.clone()) - approximate(&dropped, &(x % &p))) / BigInt::from(p.clone()))
        .collect();
    residues(down.ring(), &down.run_approximate(&a), &near);
    let most = BigInt::from(primes / 2);
    assert!(near.iter().zip(&rounded).all(|(near, x)| -&most <= near - x && near - x <= most));
    assert!(down.run(&rns.zeros(0)).is_empty());
    if primes == 1 {
        let mut words: Vec<T> = (0..=kept).flat_map(|i| a.residues(0, i).to_vec()).collect();
        rns.rescale(&mut words);
        let same = down.run(&a);
        assert!((0..kept).all(|i| same.residues(0, i) == &words[i * rns.n()..][..rns.n()]));
    }
}

#[test]
fn divisions_by_several_primes_round() {
    let primes = [(1 << 61) - (1 << 21) + 1, 193, 7681, 12289, 257];
    let rns = Rns::<u64>::new(32, &primes).unwrap();
    let narrow = Rns::<i16>::new(32, &[12289, 193, 7681]).unwrap();
    (1..=4).for_each(|primes| divided(&rns, primes));
    (1..=2).for_each(|primes| divided(&narrow, primes));
    divided(&Rns::<u32>::of_bits(&Request::new(64, 0), 200).unwrap(), 3);
    assert_eq!(rns.mod_down(5).unwrap_err(), RnsError::Empty);
    assert_eq!(rns.mod_down(0).unwrap_err(), RnsError::Empty);
    assert_eq!(rns.mod_down(6).unwrap_err(), RnsError::Part { end: 6, primes: 5 });
}

/// More coefficients than are worked on together, and shared by threads.
#[test]
fn long_batches() {
    let rns = Rns::<u32>::of_bits(&Request::new(1024, 0), 80).unwrap();
    let x = some(&rns, 9, 11);
    let a = poly(&rns, &x);
    let q = modulus(&rns);
    assert_eq!(integers(&rns, &rns.inverse_ntt(rns.forward_poly(a.clone()))), x);
    let to = Rns::<u32>::new(1024, &[12289, 18433]).unwrap();
    let middle: Vec<BigInt> = x.iter().map(|x| centred(x, &q)).collect();
    let way: BaseExtension<u32> = rns.extension_to(&to).unwrap();
    residues(&to, &way.poly(&a, true), &middle);
    residues(&to, &way.poly_approximate(&a), &x.iter().map(|x| approximate(&rns, x)).collect::<Vec<_>>());
    let limbs = rns.integers(&a, true);
    assert!(limbs.words().chunks_exact(rns.limbs()).map(signed).eq(middle));
    let digits = rns.digits_by_primes(&rns, 1).unwrap();
    let (run, k) = (digits.run(&a), digits.len());
    for polynomial in 0..9 {
        for i in 0..k {
            let words = run.residues(polynomial * k + i, i);
            assert!(words == a.residues(polynomial, i));
        }
    }
}

#[test]
fn words_that_are_no_polynomials_are_refused() {
    let rns = Rns::<i32>::new(64, &[257, 7681]).unwrap();
    let mut words = vec![-256; 256];
    let a = rns.poly(&words).unwrap();
    assert_eq!((a.len(), a.residues(1, 0), a.residues(0, 1)), (2, &[1; 64][..], &[7681 - 256; 64][..]));
    for (at, q, large) in [(3, 257, 257), (130, 257, -257), (200, 7681, i32::MIN), (255, 7681, i32::MAX)] {
        let before = std::mem::replace(&mut words[at], large);
        let refused = rns.poly(&words).unwrap_err();
        assert!(matches!(&refused, RnsError::Residue { q: named, .. } if *named == q), "{refused}");
        let range = format!("word {at} is not in [-{}, {}]: reduce it modulo q first", q - 1, q - 1);
        assert_eq!(refused.to_string(), format!("modulo {q}: {range}"));
        words[at] = before;
    }
    assert_eq!(rns.poly(&words[1..]).unwrap_err(), RnsError::Length { of_each: 128, actual: 255 });
    assert!(rns.poly(&[]).unwrap().is_empty());
}

/// What another ring made is not taken; what an equal ring made is.
#[test]
fn rings_do_not_mix() {
    let rns = Rns::<i32>::new(64, &[257, 7681]).unwrap();
    let same = Rns::<i32>::new(64, &[257, 7681]).unwrap();
    let a = same.poly_of_i64(&[1; 64]);
    let mut b = rns.poly_of_i64(&[2; 64]);
    rns.add(&mut b, &a);
    assert_eq!(rns.integers(&b, false).words(), [3; 64]);
    // Its parts, however they come about.
    rns.part(1..2).unwrap().add(&mut b.part(1..2), &Rns::new(64, &[7681]).unwrap().poly_of_i64(&[2; 64]));

    let others = [
        Rns::<i32>::new(64, &[7681, 257]).unwrap(),
        Rns::new(64, &[257, 12289]).unwrap(),
        Rns::new(64, &[257]).unwrap(),
        Rns::new(64, &[257, 7681, 12289]).unwrap(),
        Rns::with(&Request::new(64, 0).cyclic(), &[257, 7681]).unwrap(),
        Rns::with(&Request::new(64, 0).depth(3), &[257, 7681]).unwrap(),
        Rns::with(&Request::new(64, 0).slot_order(SlotOrder::Canonical), &[257, 7681]).unwrap(),
    ];
    let refuses = |run: &dyn Fn()| assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    for other in others {
        let c = other.poly_of_i64(&[1; 64]);
        let [a_hat, c_hat] = [rns.forward_poly(a.clone()), other.forward_poly(c.clone())];
        refuses(&|| rns.add(&mut b.clone(), &c));
        refuses(&|| other.sub(&mut b.clone(), &c));
        refuses(&|| drop(rns.forward_poly(c.clone())));
        refuses(&|| drop(rns.pointwise(&a_hat, &c_hat)));
        refuses(&|| drop(rns.inner_products(&c_hat, &a_hat, 1)));
        refuses(&|| drop(rns.inverse_product(other.pointwise(&c_hat, &c_hat))));
        refuses(&|| drop(RnsPoly::concat(&[&a, &c])));
        refuses(&|| drop(rns.automorphism(3).unwrap().poly(&c)));
        refuses(&|| drop(rns.extension_to(&other).unwrap().poly(&c, true)));
        refuses(&|| drop(rns.mod_down(1).unwrap().run(&c)));
        refuses(&|| drop(rns.integers(&c, true)));
        refuses(&|| rns.write(&mut vec![0; rns.bytes()], &c));
    }
    // Numbers of polynomials, and of bytes.
    let two = RnsPoly::concat(&[&a, &a]);
    refuses(&|| rns.add(&mut b.clone(), &two));
    refuses(&|| drop(rns.inner_products(&rns.forward_poly(two.clone()), &rns.forward_poly(a.clone()), 2)));
    refuses(&|| rns.write(&mut vec![0; rns.bytes()], &two));
    refuses(&|| drop(two.select(1..3)));
    refuses(&|| drop(two.part(1..3)));
    refuses(&|| drop(rns.poly_of_i64(&[1; 65])));
    assert_eq!(format!("{two:?}"), "RnsElement(2 polynomials modulo 2 primes)");
    assert_eq!(rns.part(1..3).unwrap_err().to_string(), "there are 2 primes, and no range of them ends at 3");
    assert_eq!(rns.part(1..1).unwrap_err(), RnsError::Empty);
}
